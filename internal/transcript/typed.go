package transcript

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/text"
)

// Clean takes out of a prompt, as it was submitted, what the client put around or instead of what was typed, and
// returns the rest, "" when nothing was typed. Only what stands at the beginning or the end, spelled as the client
// spells it, is the client's: a person may write about its tags. A slash command is returned as it was typed, "/name
// arguments". Everybody who takes what a person typed takes it from here, so what they called private goes no further;
// see text.Private.
func Clean(s string) string { return private(typed(s), program) }

// private returns what was typed, s, without what is private, and "" where a machine submitted it.
func private(s string, by writer) string {
	if by != person && (machine(s) || begins(s, submitted[:])) {
		return ""
	}
	return strings.TrimSpace(text.Private(s))
}

// typed is Clean with what is private.
func typed(s string) string {
	s = strings.TrimSpace(s)
	if strings.HasPrefix(s, "<command-") {
		name := strings.TrimPrefix(strings.TrimSpace(between(s, "<command-name>", "</command-name>")), "/")
		args := strings.TrimSpace(between(s, "<command-args>", "</command-args>"))
		if args == "" || name == "" || text.Private(args) == "" {
			return text.Private(args) // nothing but a command of the client's or a plugin's
		}
		return "/" + name + " " + text.Private(args)
	}
	for _, name := range around {
		// what is not there is not searched for: a message may be megabytes
		for open, end := "<"+name, "</"+name+">"; ; {
			if opens(s, open) {
				if _, after, ok := strings.Cut(s, end); ok {
					s = strings.TrimSpace(after)
					continue
				}
			}
			if !strings.HasSuffix(s, end) {
				break
			}
			at := strings.LastIndex(s, open)
			if at < 0 || !opens(s[at:], open) {
				break
			}
			s = strings.TrimSpace(s[:at])
		}
	}
	if placeholder(s) {
		return ""
	}
	if strings.HasPrefix(s, "Implement the following plan:\n") {
		for _, hint := range planHints {
			if at := strings.LastIndex(s, "\n\n"+hint); at >= 0 {
				behind := s[at+2:]
				if _, rest, ok := strings.Cut(behind, "\n\n"); ok {
					s = strings.TrimSpace(s[:at]) + "\n\n" + rest
				} else {
					s = strings.TrimSpace(s[:at])
				}
			}
		}
	}
	return s
}

// around are the elements in which the client, an editor or a service puts what it has to say beside a person's words.
var around = [...]string{"system-reminder", "user-prompt-submit-hook", "ide_opened_file", "ide_selection",
	"ide_diagnostics", "new-diagnostics", "local-command-stdout", "local-command-stderr", "local-command-caveat",
	"ci-monitor-event", "github-webhook-activity"}

// submitted are how messages begin that the client submits as prompts of its own accord (clients 1.0 to 2.1).
var submitted = [...]string{"<task-notification>\n", "<agent-notification>\n", "<teammate-message ",
	"<cross-session-message", "Another Claude session sent a message:\n"}

func begins(s string, with []string) bool {
	return slices.ContainsFunc(with, func(begin string) bool { return strings.HasPrefix(s, begin) })
}

// planHints begin the paragraphs that the client adds to a plan which a new session is to carry out. The person's own
// words about the plan may follow.
var planHints = [...]string{"If you need specific details from before exiting plan mode (",
	"If this plan can be broken down into multiple independent tasks, consider using the "}

// opens reports whether s begins with the tag open, with attributes or without.
func opens(s, open string) bool {
	rest, ok := strings.CutPrefix(s, open)
	return ok && rest != "" && (rest[0] == '>' || rest[0] == ' ' || rest[0] == '\n')
}

// placeholder reports whether s is nothing but what the client puts in the place of pasted pictures: [Image #1],
// [Image: source: …].
func placeholder(s string) bool {
	n := 0
	for ; strings.HasPrefix(s, "[Image #") || strings.HasPrefix(s, "[Image: "); n++ {
		_, rest, ok := strings.Cut(s, "]")
		if !ok {
			return false
		}
		s = strings.TrimSpace(rest)
	}
	return n > 0 && s == ""
}

// machine reports whether the whole of s is one element in which a service submits what happened, such as
// <ci-monitor-event>…</ci-monitor-event> (clients 2.1). A person may type an element of their own page, or an empty
// one.
func machine(s string) bool {
	if !strings.HasPrefix(s, "<") {
		return false
	}
	name := s[1:]
	if i := strings.IndexAny(name, " >\n"); i > 0 {
		name = name[:i]
	}
	at := strings.LastIndexByte(name, '-')
	if at < 0 || !strings.HasSuffix(s, "</"+name+">") || strings.HasSuffix(s, "></"+name+">") {
		return false
	}
	return slices.Contains([]string{"event", "activity", "notification", "message", "command"}, name[at+1:])
}

// between returns what stands between the first open and the end behind it, "" when one of them is missing.
func between(s, open, end string) string {
	_, rest, _ := strings.Cut(s, open)
	inner, _, ok := strings.Cut(rest, end)
	if !ok {
		return ""
	}
	return inner
}

// humanOrigin reports whether a line's origin field leaves room for a person: task notifications and other machine
// messages name what sent them (measured on client 2.1.329).
func humanOrigin(origin gjson.Result) bool {
	kind := origin.Str
	if origin.IsObject() {
		kind = origin.Get("kind").String()
	}
	return kind == "" || kind == "human" || kind == "user"
}
