package transcript

import (
	"strings"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/text"
)

// Clean returns the words that a person typed in a submitted prompt, "" for none: without the client's elements and
// without private words, see text.Private. Only elements at the beginning and the end are the client's: a person may
// write about its tags. A slash command is returned as it was typed, "/name arguments".
func Clean(s string) string { return private(typed(s), program) }

// private returns s without private words, "" when a machine submitted it.
func private(s string, by writer) string {
	if by != person && (machine(s) || text.BeginsWithOne(s, submitted[:]...)) {
		return ""
	}
	return strings.TrimSpace(text.Private(s))
}

// typed is Clean that keeps private words.
func typed(s string) string {
	s = strings.TrimSpace(s)
	if strings.HasPrefix(s, "<command-") {
		name := strings.TrimPrefix(strings.TrimSpace(between(s, "<command-name>", "</command-name>")), "/")
		args := strings.TrimSpace(between(s, "<command-args>", "</command-args>"))
		if args == "" || name == "" || text.Private(args) == "" {
			return text.Private(args) // only a command of the client's or a plugin's
		}
		return "/" + name + " " + text.Private(args)
	}
	for _, name := range around {
		// a prompt may have megabytes: it is searched only for elements that it begins or ends with
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
				_, rest, _ := strings.Cut(s[at+2:], "\n\n")
				s = strings.TrimSpace(strings.TrimSpace(s[:at]) + "\n\n" + rest)
			}
		}
	}
	return s
}

// around names the elements that the client, an editor or a service adds to a person's words.
var around = [...]string{"system-reminder", "user-prompt-submit-hook", "ide_opened_file", "ide_selection",
	"ide_diagnostics", "new-diagnostics", "local-command-stdout", "local-command-stderr", "local-command-caveat",
	"ci-monitor-event", "github-webhook-activity"}

// submitted begin the messages that the client submits by itself (clients 1.0 to 2.1).
var submitted = [...]string{"<task-notification>\n", "<agent-notification>\n", "<teammate-message ",
	"<cross-session-message", "Another Claude session sent a message:\n"}

// planHints begin the paragraphs that the client adds to a plan for a new session. The person's own words may follow.
var planHints = [...]string{"If you need specific details from before exiting plan mode (",
	"If this plan can be broken down into multiple independent tasks, consider using the "}

// opens reports whether s begins with the tag open, with attributes or without.
func opens(s, open string) bool {
	rest, ok := strings.CutPrefix(s, open)
	return ok && rest != "" && (rest[0] == '>' || rest[0] == ' ' || rest[0] == '\n')
}

// placeholder reports whether s has only the client's words for pasted pictures: [Image #1], [Image: source: …].
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

// machine reports whether s is one element by which a service reports an event, such as
// <ci-monitor-event>…</ci-monitor-event> (clients 2.1). An empty element, or one with another name, may be typed.
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
	return text.OneOf(name[at+1:], "event", "activity", "notification", "message", "command")
}

// between returns the words between the first open and the next end, "" when one of them is missing.
func between(s, open, end string) string {
	_, rest, _ := strings.Cut(s, open)
	inner, _, ok := strings.Cut(rest, end)
	if !ok {
		return ""
	}
	return inner
}

// humanOrigin reports whether a line with this origin field may be a person's. Messages of machines, such as task
// notifications, name their sender there (measured on client 2.1.329).
func humanOrigin(origin gjson.Result) bool {
	kind := origin.Str
	if origin.IsObject() {
		kind = origin.Get("kind").String()
	}
	return kind == "" || kind == "human" || kind == "user"
}
