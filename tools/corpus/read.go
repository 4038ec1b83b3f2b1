package main

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/tidwall/gjson"
)

// This file reads a transcript and judges what a text keeps. It shares no code with memento's own reading on purpose:
// so it does not share its mistakes.

// norm returns a text in the form for comparisons: lower case, straight quotes, no emphasis, single spaces.
func norm(s string) string {
	var b strings.Builder
	gap := false
	for _, r := range s {
		switch r {
		case '’', '‘':
			r = '\''
		case '“', '”', '`', '*', '"':
			continue
		}
		if space(r) {
			gap = b.Len() > 0
			continue
		}
		if gap {
			b.WriteByte(' ')
			gap = false
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

func space(r rune) bool { return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f }

// head is the first n characters of s.
func head(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// kept is the normalised text in which items are looked up.
type kept string

// exact reports whether k has s word for word. It ignores punctuation at the ends of s.
func (k kept) exact(s string) bool {
	s = strings.Trim(norm(s), " .!?")
	return s != "" && strings.Contains(string(k), s)
}

// flat is the text of a message's content.
func flat(c gjson.Result) string {
	if !c.IsArray() {
		return c.Str
	}
	var parts []string
	for _, b := range c.Array() {
		if b.IsObject() {
			parts = append(parts, flat(b.Get("text")))
		} else {
			parts = append(parts, b.String())
		}
	}
	return strings.Join(parts, "\n")
}

var (
	wrapper  = regexp.MustCompile(`<(system-reminder|ide_[a-z_]+|local-command-[a-z]+)>`)
	rejected = regexp.MustCompile(`(?s)the user said:\s*\n(.*)`)
	argument = regexp.MustCompile(`(?s)<command-args>(.*?)</command-args>`)
)

// unwrapped returns s without the elements that the client puts around typed text.
func unwrapped(s string) string {
	for at := 0; ; {
		m := wrapper.FindStringSubmatchIndex(s[at:])
		if m == nil {
			return strings.TrimSpace(s)
		}
		begin, inner := at+m[0], at+m[1]
		end := "</" + s[at+m[2]:at+m[3]] + ">"
		n := strings.Index(s[inner:], end)
		if n < 0 {
			at = begin + 1
			continue
		}
		s = s[:begin] + " " + s[inner+n+len(end):]
		at = begin + 1
	}
}

// typed returns what a person typed in a line: prompts, arguments of commands, words of refusal, queued prompts.
func typed(line gjson.Result) []string {
	for _, flag := range []string{"isMeta", "isCompactSummary", "isSidechain", "isVisibleInTranscriptOnly"} {
		if line.Get(flag).Bool() {
			return nil
		}
	}
	switch line.Get("type").Str {
	case "attachment":
		prompt := line.Get("attachment.prompt")
		if line.Get("attachment.type").Str == "queued_command" && prompt.Type == gjson.String &&
			!strings.HasPrefix(prompt.Str, "<") {
			return []string{unwrapped(prompt.Str)}
		}
		return nil
	case "user":
	default:
		return nil
	}
	content := line.Get("message.content")
	words := content.Str
	if content.IsArray() {
		var out, parts []string
		result := false
		for _, b := range content.Array() {
			switch b.Get("type").Str {
			case "text":
				parts = append(parts, b.Get("text").Str)
			case "tool_result":
				result = true
				if m := rejected.FindStringSubmatch(flat(b.Get("content"))); m != nil {
					said, _, _ := strings.Cut(unwrapped(m[1]), "\n\nNote: The user")
					if said = strings.TrimSpace(said); said != "" {
						out = append(out, said)
					}
				}
			}
		}
		if result {
			return out
		}
		words = strings.Join(parts, "\n")
	} else if content.Type != gjson.String {
		return nil
	}
	if m := argument.FindStringSubmatch(words); m != nil && strings.TrimSpace(m[1]) != "" {
		return []string{strings.TrimSpace(m[1])}
	}
	words = unwrapped(words)
	for _, noise := range []string{"<local-command", "<command-name", "<command-message", "<bash-",
		"<task-notification", "<teammate-message", "[Request interrupted", "Caveat:", "This session is being continued",
		"Base directory for this skill", "<user-memory-input", "<system-reminder"} {
		if strings.HasPrefix(words, noise) {
			return nil
		}
	}
	if words == "" {
		return nil
	}
	return []string{words}
}

// changedTo matches the beginning of a command line that only changes the folder.
var changedTo = regexp.MustCompile(`^(?:cd \S+\s*(?:&&|;)\s*)+`)
