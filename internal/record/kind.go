package record

import (
	"slices"
	"strings"
	"time"
)

// Kind is what a record can be, and what follows from it. There is no other place that knows.
type Kind struct {
	Name     string
	About    string
	Sections []Part
	Main     string        // the section for a text that has no headings; "": the first that is free text
	States   []string      // what state may be; none: free
	Scope    Scope         // whose it is
	Write    Write         // who asks for it
	Keep     time.Duration // after which an active one is retired that was not updated since; 0: never
	Window   int           // how many of a project stay active, the newest ones; 0: all
	Hidden   bool          // left out of retrieval unless asked for
}

// Part is a section of a record of some kind.
type Part struct {
	Heading string
	List    bool     // one thing a line, behind a hyphen
	Values  []string // what it may say; none: anything
}

// Scope says whose records of a kind are. Outside any project, and where the user asks for it, those of every kind are the user's.
type Scope int

// The scopes.
const (
	OfProject Scope = iota
	OfUser          // in no project
	OfEither        // those that are the user's concern every project
)

// Write says when a record of a kind is written.
type Write int

// The ways to write.
const (
	Asked     Write = iota // by a command
	Approved               // by a command; or suggested, and written once somebody accepts it
	Automatic              // without being asked: it only keeps what was said
)

const day = 24 * time.Hour

// Kinds are all there are.
var Kinds = []Kind{
	{Name: "memento", About: "a named snapshot of work in hand", Write: Approved,
		Sections: parts("Context", "Progress", "Decisions*", "Next Steps*")},
	{Name: "decision", About: "what was decided, and why not otherwise", Write: Approved, Main: "Decision",
		States:   words("proposed accepted deprecated superseded"),
		Sections: parts("Context", "Decision", "Alternatives*", "Rationale*", "Consequences*")},
	{Name: "runbook", About: "what to do when something happens", Write: Approved, Main: "Steps",
		Sections: parts("Trigger", "Symptoms*", "Steps*", "Verification", "Root Cause", "Environment")},
	{Name: "constraint", About: "a limit that work has to respect", Write: Approved,
		States:   words("active lifted"),
		Sections: parts("Kind=limitation|gap|policy|technical", "Rule", "Impact*", "Workarounds*", "Severity=high|medium|low", "Expires")},
	{Name: "debt", About: "work that was put off", Write: Approved,
		States:   words("open in_progress resolved wont_fix"),
		Sections: parts("Description", "Priority=critical|high|medium|low", "Why Deferred", "Impact*", "Suggested Fix*", "Acceptance*")},
	{Name: "preference", About: "how the user wants things", Write: Approved, Scope: OfEither, Main: "Value",
		Sections: parts("Topic", "Value", "Reason", "Strength=strong|default|soft", "Prefer*", "Avoid*")},
	{Name: "session", About: "what a session came to", Write: Automatic, Keep: 90 * day, Window: 5,
		Sections: parts("Goal", "Outcome=success|partial|blocked|abandoned", "Completed*", "In Progress*", "Blockers*", "Next Actions*", "Key Changes*")},
	{Name: "analysis", About: "what was found out about a file or a component", Write: Asked, Main: "Summary",
		Sections: parts("Path", "Type=file|component|module|service", "Summary", "Key Findings*", "Issues*", "Recommendations*")},
	{Name: "subagent", About: "what a subagent returned", Write: Automatic, Keep: 14 * day, Hidden: true, Main: "Summary",
		Sections: parts("Agent", "Task", "Parent Context", "Summary", "Details", "Files Analyzed*", "Recommendations*")},
	{Name: "context", About: "a snapshot for a few days", Write: Asked, Keep: 7 * day,
		Sections: parts("Pending*", "Decisions*", "Notes")},
	{Name: "handoff", About: "where the next session goes on", Write: Automatic,
		Sections: parts("Task", "Progress", "Completed*", "Pending*", "Blockers*", "Next Steps*", "References*")},
	{Name: "profile", About: "who the user is", Write: Asked, Scope: OfUser,
		Sections: parts("About", "Preferences*", "Works*", "Does Not Work*", "Notes")},
	{Name: "initiative", About: "work across several projects", Write: Asked, Scope: OfUser,
		States:   words("planned active done dropped"),
		Sections: parts("Goal", "Projects*", "Relations*", "Progress", "Next Steps*")},
}

func words(s string) []string { return strings.Fields(s) }

// parts reads headings: one with a star is a list, what follows an equals sign are its values.
func parts(headings ...string) (out []Part) {
	for _, h := range headings {
		h, values, some := strings.Cut(h, "=")
		p := Part{Heading: strings.TrimSuffix(h, "*"), List: strings.HasSuffix(h, "*")}
		if some {
			p.Values = strings.Split(values, "|")
		}
		out = append(out, p)
	}
	return out
}

// KindNamed returns the kind called name; false when there is none.
func KindNamed(name string) (Kind, bool) {
	i := slices.IndexFunc(Kinds, func(k Kind) bool { return k.Name == name })
	if i < 0 {
		return Kind{}, false
	}
	return Kinds[i], true
}

// KindNames lists the kinds, for help and errors.
func KindNames() (names []string) {
	for _, k := range Kinds {
		names = append(names, k.Name)
	}
	return names
}

// One is the kind's name behind its article.
func (k Kind) One() string {
	if k.Name != "" && strings.IndexByte("aeiou", k.Name[0]) >= 0 {
		return "an " + k.Name
	}
	return "a " + k.Name
}

// Part returns the section with this key ("next_steps", "Next Steps" and "next-steps" are one); false when the kind has none.
func (k Kind) Part(key string) (Part, bool) {
	key = strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(strings.TrimSpace(key)))
	for _, p := range k.Sections {
		if p.Key() == key {
			return p, true
		}
	}
	return Part{}, false
}

// MainPart returns the section that a text without headings goes under, from wherever it comes. It may be a list.
func (k Kind) MainPart() Part {
	for _, p := range k.Sections {
		if p.Heading == k.Main || k.Main == "" && !p.List && p.Values == nil {
			return p
		}
	}
	return k.Sections[0]
}

// Key is the name of a section in JSON: "Next Steps" is next_steps.
func (p Part) Key() string { return strings.ReplaceAll(strings.ToLower(p.Heading), " ", "_") }

// Content returns the sections of body that this kind knows, by their keys: a text, or of a list its items. Sections that
// are missing or empty are left out.
func (k Kind) Content(body string) map[string]any {
	out := map[string]any{}
	for _, p := range k.Sections {
		text, _ := Text(body, p.Heading)
		switch {
		case strings.TrimSpace(text) == "":
		case p.List:
			out[p.Key()] = Items(text)
		default:
			out[p.Key()] = text
		}
	}
	return out
}

// Items takes a Markdown list apart: the text behind each hyphen, star, plus or number at the left margin, with the lines
// that follow it. Text before the first is an item of its own.
func Items(text string) (items []string) {
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
		if rest, ok := bullet(line); ok || len(items) == 0 {
			items = append(items, rest)
			continue
		}
		items[len(items)-1] += "\n" + line
	}
	for i := range items {
		items[i] = strings.TrimSpace(items[i])
	}
	return slices.DeleteFunc(items, func(s string) bool { return s == "" })
}

func bullet(line string) (rest string, ok bool) {
	digits := len(line) - len(strings.TrimLeft(line, "0123456789"))
	switch {
	case digits > 0 && digits < 10 && len(line) > digits+1 && (line[digits] == '.' || line[digits] == ')') && line[digits+1] == ' ':
		return line[digits+2:], true
	case len(line) > 1 && strings.IndexByte("-*+", line[0]) >= 0 && line[1] == ' ':
		return line[2:], true
	}
	return line, false
}
