// Package permit decides what Claude may run or touch without a permission dialog: one simple memento command, and
// the journal of the lane in hand.
//
// Permit is the security boundary between a model that somebody may have talked into something and the person's
// machine, so it fails closed: it approves only what is known to be harmless, and for the rest the client asks the
// person, as it would without memento. Code that reads a disk, the environment or a clock may not come in; the caller
// answers questions about the file system.
//
// An approval covers the words, not the line. The caller runs [Quote](exe, args) in the line's place: `memento` in
// the line may be another program, an alias or a function, while the quoted form names our binary and holds nothing
// that a shell expands. A caller that adds a flag of its own puts it right behind the verb (args[0]), before any `--`
// of the model's.
//
// A splitter of our own reads lines of POSIX's quoting. Shells differ in what they take for one simple command, so the
// splitter does not decide that: it takes the few forms in which no character has another meaning, and refuses all
// others. Tests compare it with mvdan.cc/sh/v3/syntax, a parser that thousands of scripts have tested; in the binary
// that parser would cost every hook about 0.2 ms of start-up.
package permit

import "path/filepath"

// Any, as Spec.Words, sets no limit.
const Any = -1

// Spec says which words and flags may stand behind a verb. Flags are named without dashes; -h and --help are allowed
// with every verb and not listed.
type Spec struct {
	Value []string // flags that take a value
	Bool  []string // flags that take none
	Words int      // the most words beside the flags, or Any
	Lead  []string // first words that do not count as one of Words
	First []string // what the first word may be; nil: anything
	Own   bool     // the verb writes; a subagent may write only in its own name
	Alone bool     // the verb writes; a subagent may not run it
	Names bool     // the words name records, which the caller looks up
	Keeps bool     // the verb writes records; outside any project they would be the user's own, for every project
}

// Verbs returns what may be approved, by verb. It builds the map on every call: a package-level map would cost each
// hook start-up time, and a caller could change it.
//
// Verbs and flags that are absent are refused. Absent on purpose are verbs that destroy (forget, rm, gc, uninstall),
// that change more than the journal and a record (install, pause, edit, import), that connect or let others speak
// (sync, share, trust), or that read or write files which the person did not offer (--body, import, export, backfill,
// view), and --agent, with which a subagent could write in another's name; and statusline, which shows the session
// that its input names. The records' verbs that may run only add to memento's own folder, or can be undone. The person
// must allow commands that read or write beyond this project and the user's own records (--all, --project, workspace):
// a text that talks the model into something reaches no other project. The caller checks that a word names a record of
// this project, or a rule that Claude was asked about.
func Verbs() map[string]Spec {
	json := []string{"json"}
	scope := []string{"kind", "status", "tag", "since"}
	return map[string]Spec{
		"mission": {Bool: []string{"close"}, Words: Any, Own: true},
		"done":    {Value: []string{"result", "ctx", "wip", "plan", "keep"}, Words: Any, Own: true},
		"show": {Value: []string{"turn"}, Bool: []string{"json", "said", "raw", "history"}, Words: 1,
			Names: true},
		"status":  {Bool: json},
		"doctor":  {Bool: json},
		"config":  {Bool: json},
		"version": {},
		"help":    {Words: Any},

		"save": {Value: []string{"set", "tag", "file", "slug"}, Words: Any, Own: true, Keeps: true,
			First: []string{"memento", "decision", "runbook", "constraint", "debt", "preference", "session", "analysis",
				"subagent", "context", "handoff"}},
		"list": {Value: scope, Bool: json, Words: 1},
		"search": {Value: append([]string{"limit", "only"}, scope...),
			Bool: []string{"json", "rebuild"}, Words: Any},
		"archive": {Value: []string{"as", "reason"}, Words: Any, Alone: true, Names: true, Keeps: true},
		"restore": {Words: Any, Alone: true, Names: true, Keeps: true},
		"handoff": {Value: []string{"note"}, Words: 1, First: []string{"write", "done"}, Lead: []string{"write"},
			Alone: true, Keeps: true},
		"rules": {Bool: []string{"json", "dropped"}, Words: Any, Alone: true, First: []string{"keep", "none"}},
	}
}

// Journal reports whether the client's file tool may touch path without a dialog: the tool reads a file, and path is
// lane, the path of this lane's journal, character for character, absolute and in its shortest form. Only commands
// write the journal, since they cannot put words into the user's mouth.
//
// Journal compares names only. Before it approves, the caller finds out whether the file is a symbolic link or
// belongs to another user.
func Journal(tool, path, lane string) bool {
	return tool == "Read" && path == lane && filepath.IsAbs(path) && filepath.Clean(path) == path
}
