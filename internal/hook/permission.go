package hook

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

	"github.com/mementohq/memento/internal/event"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/permit"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/retrieve"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
)

// allow allows one simple memento command without a dialog, rewritten so that it runs this binary: a plugin's bin
// folder comes last on the Bash tool's PATH (measured on client 2.1.329). In PowerShell it allows none: memento does
// not know that language.
//
// It also allows reading this lane's journal: the answer comes before any dialog (measured on client 2.1.329). Only
// commands may write the journal.
//
// A PermissionRequest, which asks for the dialog's answer, is answered in the same way.
//
// Where the client would decide without the person, allow has it ask the person about any other memento command.
func (h *handler) allow() []byte {
	input := "" // none replaces the tool's own
	switch h.event.ToolName {
	case "Bash", "PowerShell":
		run, ok := h.rewrite()
		if !ok && h.asks() {
			return event.AskTool()
		}
		if !ok {
			return nil
		}
		input = run
	case "Read":
		if h.bind() != nil || !h.ownJournal() {
			return nil
		}
	default:
		return nil
	}
	if h.event.Name == "PermissionRequest" {
		return event.AllowRequest(input)
	}
	return event.AllowTool(cmp.Or(input, h.event.ToolInput))
}

// asks reports whether the person must be asked about a command that rewrite refused. A hook's ask overrules the
// person's own rules (measured on clients 2.1.139 and 2.1.330), so it comes only in a mode in which the client's
// classifier decides in the person's place: auto, from 2.1.330 on plan too, and what newer clients may bring. In the
// other modes the client asks by itself, denies, or the person chose not to be asked.
func (h *handler) asks() bool {
	switch h.event.PermissionMode {
	case "", "default", "acceptEdits", "dontAsk", "bypassPermissions":
		return false
	}
	if h.event.Name != "PreToolUse" {
		return false
	}
	line := gjson.Get(h.event.ToolInput, "command").Str
	if h.event.ToolName == "PowerShell" {
		return strings.Contains(strings.ToLower(line), "memento")
	}
	_, reaches := h.command() // it is harmless in this project alone
	return reaches || permit.Asks(line, h.env.exe())
}

// command returns the words of the memento command that the tool is to run, if the command is one that may run unasked
// in this project.
func (h *handler) command() (args []string, ok bool) {
	line := gjson.Get(h.event.ToolInput, "command")
	if line.Type != gjson.String || h.env.exe() == "" || h.event.ToolName == "PowerShell" {
		return nil, false
	}
	return permit.Command(line.Str, h.env.exe())
}

// rewrite returns the tool's input with a rewritten command, false for a command that may not run unasked. It keeps the
// other fields: the client takes the answer as the whole input (measured on client 2.1.329).
func (h *handler) rewrite() (string, bool) {
	args, ok := h.command()
	if !ok || h.bind() != nil {
		return "", false
	}
	spec := permit.Verbs()[args[0]]
	if !h.within(args, spec) {
		return "", false
	}
	switch {
	case h.event.AgentID == "":
	case spec.Alone: // only its parent and the person decide about records
		return "", false
	case spec.Own:
		if len(h.event.AgentID) > 64 || strings.Trim(h.event.AgentID,
			"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") != "" {
			return "", false
		}
		args = append([]string{args[0], "--agent", h.event.AgentID}, args[1:]...)
	}
	if args[0] == "rules" && len(permit.Words(args)) > 0 {
		args = append(args, "--asked") // it is Claude that chooses
	}
	run := permit.Quote(h.env.exe(), args)
	if h.client.ConfinesTools && h.env.Run != nil && h.event.Name == "PreToolUse" {
		run = h.runHere(args)
	}
	// otherwise Git Bash turns words that begin like a POSIX path into Windows paths
	if h.env.Windows {
		run = "MSYS_NO_PATHCONV=1 " + run
	}
	input, err := sjson.Set(h.event.ToolInput, "command", run)
	return input, err == nil
}

// maxRunHere is the most that Codex gets to see of a command that the hook ran, in characters.
const maxRunHere = 16 << 10

// runHere runs a command in Codex's place, and returns the command line that prints what it said. In Codex's sandbox a
// command may write in the project alone; hooks run outside of it (measured on Codex 0.169.0).
func (h *handler) runHere(args []string) string {
	_ = h.session.Save() // the command opens it
	h.session = nil
	said, code := h.env.Run(args, h.event.Cwd, h.event.SessionID)
	said, _ = text.Cut(said, maxRunHere)
	return ": " + permit.Quote("memento", args) + "; printf %s " + safefile.ShellWord(said) +
		"; exit " + strconv.Itoa(code)
}

// within reports whether a permitted command writes only to this project and reads only from it and the user's own
// records. It replaces the names of records and suggestions in args by the ids that it checked.
func (h *handler) within(args []string, spec permit.Spec) bool {
	own := naming.ProjectOrUser(h.store.Lane.Slug)
	words := permit.Words(args)
	switch {
	case spec.Keeps && own == naming.User:
		return false
	case spec.Names:
		store, _ := h.records()
		for _, at := range words {
			id, project := h.lookUp(store, own, args[at])
			if project != own && (spec.Keeps || project != naming.User) {
				return false
			}
			if id == args[at] && !spec.Keeps && retrieve.OnlyElsewhere(log.Store{Dir: h.config.Dir}, own, id) {
				return false
			}
			args[at] = id
		}
	case args[0] == "rules" && len(words) > 0:
		return h.chooses(args, words)
	}
	return true
}

// chooses reports whether `memento rules` keeps only what Claude was asked about in this session, or nothing.
func (h *handler) chooses(args []string, words []int) bool {
	offered := h.rules().Offered(h.store.Lane.Slug, h.event.SessionID)
	for _, at := range words[1:] {
		n, err := strconv.Atoi(args[at])
		if err != nil || !slices.Contains(offered, n) {
			return false
		}
	}
	isNone := args[words[0]] == "none"
	return isNone == (len(words) == 1) && len(offered) > 0
}

// lookUp returns the id of the record that the command would find by name, and its project, "" when that is unknown. A
// name without a record stays as it is; its project is the one that it begins with, or this one.
func (h *handler) lookUp(store record.Store, own, name string) (id, project string) {
	id, err := retrieve.Find(store, own, h.event.Cwd, name)
	if err != nil {
		if id = name; strings.ContainsAny(name, `/\`) {
			return id, ""
		}
	}
	if project, _, err = naming.Split(id); err != nil {
		project = own
	}
	return id, project
}

// ownJournal reports whether the call reads this lane's own journal.
func (h *handler) ownJournal() bool {
	path := h.store.Lane.Journal()
	return permit.Journal(h.event.ToolName, gjson.Get(h.event.ToolInput, "file_path").Str, path) &&
		safefile.Check(path) == nil
}
