// Package permit decides what Claude may run or touch without a permission
// dialog: one simple memento command, and the journal of the lane in hand.
//
// It is the security boundary between a model that may have been talked into
// something and the person's machine, so it fails closed: what is not known to
// be harmless is not approved, and the client then asks the person as it would
// without memento. It is pure. Nothing that reads a disk, the environment or a
// clock may come in; a question about the file system is the caller's.
//
// An approval covers the words, not the line. The caller runs
// [Quote](exe, args) in the line's place: `memento` in the line may be another
// program, an alias or a function, while the quoted form names our binary and
// holds nothing a shell would expand. A caller that adds a flag of its own puts
// it right behind the verb (args[0]), where no `--` of the model's stands
// before it.
//
// Lines are read by splitters of our own, one for POSIX's quoting and one for
// PowerShell's. Whether a line is one simple command is the question shells are
// subtle about, so they do not answer it: they take the few forms in which no
// character has another meaning, and refuse all others. The tests hold the first
// to mvdan.cc/sh/v3/syntax, a parser that thousands of scripts have tested; in
// the binary it would cost every hook about 0.2 ms of start-up.
package permit

// Any, as Spec.Words, sets no limit.
const Any = -1

// Spec says what may stand behind a verb. Flags are named without dashes; -h
// and --help are allowed with every verb and not listed.
type Spec struct {
	Value []string // flags that take a value
	Bool  []string // flags that take none, or `=true` and the like
	Words int      // how many words may stand beside the flags, or Any
	Lead  []string // a first word that does not count among them
	First []string // what the first of them may be; nil: anything
	Own   bool     // it writes, and a subagent may do so in its own name alone
	Alone bool     // it writes, and a subagent may not
	Names bool     // the words name records, which are the caller's to look up
	Keeps bool     // it writes records; outside any project these would be the user's own, and every project's
}

// Verbs returns what may be approved, by verb. It is built on every call:
// a package-level map would cost each hook its start-up, and could be changed.
//
// What is absent is refused. Absent on purpose are verbs that destroy (forget,
// rm, gc, clean, uninstall), that change more than the journal and a record
// (install, pause, doctor --fix, edit, migrate, import) or that read or write
// files a person did not offer (--body, import, export), and --agent, with
// which a subagent could write in another's name. Of the records' verbs those
// that may run only add to memento's own folder, or can be undone. What reads
// or writes beyond this project and the user's own records (--all, --project,
// --user, workspace, stats --all) is the person's to allow: what a repository
// or a web page talked the model into stays with the project in which it did.
// Whether a word names a record or a suggestion of this project, the caller
// looks up.
func Verbs() map[string]Spec {
	write := []string{"result", "ctx", "wip", "plan", "constraint", "mission"}
	json := []string{"json"}
	scope := []string{"kind", "status", "tag", "since"}
	move := Spec{Value: []string{"if-match"}, Bool: json, Words: Any, Alone: true, Names: true, Keeps: true}
	reasoned := move
	reasoned.Value = append([]string{"reason"}, move.Value...)
	archive := move
	archive.Value = append([]string{"as"}, reasoned.Value...)
	return map[string]Spec{
		"mission":    {Value: write, Bool: json, Words: Any, Own: true},
		"done":       {Value: write, Bool: json, Words: Any, Own: true},
		"wip":        {Value: write, Bool: json, Words: Any, Own: true},
		"plan":       {Value: write, Bool: json, Words: Any, Own: true},
		"constraint": {Value: append([]string{"drop"}, write...), Bool: json, Words: Any, Own: true},
		"close":      {Value: write, Bool: json, Words: Any, Own: true},
		"show":       {Bool: []string{"json", "said", "mission", "raw"}, Words: 1, Names: true},
		"history":    {Value: []string{"n", "limit"}, Bool: json},
		"status":     {Bool: json},
		"doctor":     {Bool: json},
		"stats":      {Bool: json},
		"config":     {Bool: json},
		"version":    {Bool: json},
		"help":       {Words: Any},

		"save": {Value: []string{"set", "tag", "file", "stage", "state", "confidence", "slug"}, Bool: json, Words: Any,
			Own: true, Keeps: true,
			First: []string{"memento", "decision", "runbook", "constraint", "debt", "preference", "session", "analysis",
				"subagent", "context", "handoff"}},
		"list":     {Value: scope, Bool: json, Words: 1},
		"search":   {Value: append([]string{"limit"}, scope...), Bool: json, Words: Any},
		"complete": move,
		"reopen":   move,
		"restore":  move,
		"retire":   reasoned,
		"archive":  archive,
		"index":    {Bool: []string{"json", "rebuild"}},
		"handoff": {Value: []string{"note"}, Bool: []string{"json", "show", "done"},
			Lead: []string{"write", "show", "done"}, Words: 1, Alone: true, Keeps: true},
		"inbox":   {Bool: json, Words: Any, Alone: true, First: []string{"list", "accept", "decline"}},
		"profile": {Bool: json, Words: 1, First: []string{"show"}},
	}
}
