package hook

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

	"github.com/mementohq/memento/internal/event"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/permit"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/retrieve"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/suggest"
)

// preToolUse lets one simple memento command run without a dialog, rewritten so that it can only be this binary: a
// plugin's bin folder comes last on the Bash tool's PATH (measured on client 2.1.329).
// PowerShell's tool is asked for and answered in the same way (measured on client 2.1.329 on Linux, with a stand-in for
// PowerShell; nothing of it ran on Windows).
//
// It also lets this lane's journal be read: an answer here is enough, and comes before any dialog (measured on client
// 2.1.329). Writing it is for commands.
func (h *handler) preToolUse() []byte {
	switch h.event.ToolName {
	case "Bash", "PowerShell":
		if input, ok := h.rewrite(); ok {
			return event.AllowTool(input)
		}
	case "Read":
		if h.bind() == nil && h.ownJournal() {
			return event.AllowTool(h.event.ToolInput)
		}
	}
	return nil
}

// permissionRequest answers the dialog for the same.
func (h *handler) permissionRequest() []byte {
	switch h.event.ToolName {
	case "Bash", "PowerShell":
		if input, ok := h.rewrite(); ok {
			return event.AllowRequest(input)
		}
	case "Read":
		if h.bind() == nil && h.ownJournal() {
			return event.AllowRequest("")
		}
	}
	return nil
}

// rewrite returns the tool's input with its command replaced, if the command may run. All other fields stay: the client
// takes the answer for the whole input (measured on client 2.1.329).
func (h *handler) rewrite() (string, bool) {
	line := gjson.Get(h.event.ToolInput, "command")
	exe := h.env.exe()
	if line.Type != gjson.String || exe == "" {
		return "", false
	}
	command, quote := permit.Command, permit.Quote
	if h.event.ToolName == "PowerShell" { // what a client on Windows has where there is no Git Bash
		command, quote = permit.PowerShell, permit.QuotePowerShell
	}
	args, ok := command(line.Str, exe)
	if !ok || len(args) == 0 || h.bind() != nil {
		return "", false
	}
	spec := permit.Verbs()[args[0]]
	if !h.within(args, spec) {
		return "", false
	}
	switch {
	case h.event.AgentID == "":
	case spec.Alone: // what becomes of a record is its parent's, or the person's, to say
		return "", false
	case spec.Own:
		if len(h.event.AgentID) > 64 || strings.Trim(h.event.AgentID,
			"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") != "" {
			return "", false
		}
		args = append([]string{args[0], "--agent", h.event.AgentID}, args[1:]...)
	}
	run := quote(exe, args)
	// Git Bash makes a path of Windows of a word that begins as a POSIX one does
	if h.env.Windows && h.event.ToolName == "Bash" {
		run = "MSYS_NO_PATHCONV=1 " + run
	}
	input, err := sjson.Set(h.event.ToolInput, "command", run)
	return input, err == nil
}

// within reports whether a permitted command stays within this project: it writes there alone, and reads nothing but
// that and the user's own records. In args the records and suggestions that were looked at take the place of the words
// that named them, so that the command acts on these and no others.
func (h *handler) within(args []string, spec permit.Spec) bool {
	own := naming.User
	if slug := h.store.Lane.Slug; slug != "" {
		own = naming.Project(slug)
	}
	words := permit.Words(args)
	switch {
	case spec.Keeps && own == naming.User:
		return false
	case spec.Names:
		store := retrieve.Open(h.config.Dir, func() time.Time { return h.env.Now }, wait)
		for _, at := range words {
			id, project := h.lookUp(store, own, args[at])
			if project != own && (spec.Keeps || project != naming.User) {
				return false
			}
			args[at] = id
		}
	case args[0] == "inbox" && len(words) > 0 && args[words[0]] != "list":
		waiting, err := suggest.Box{Dir: h.config.Dir, Now: h.env.Now, Wait: wait}.List("")
		if err != nil || own == naming.User {
			return false
		}
		for _, at := range words[1:] {
			n, err := strconv.Atoi(args[at])
			found := slices.DeleteFunc(slices.Clone(waiting), func(e suggest.Suggestion) bool { return e.N != n })
			if err != nil || len(found) != 1 || found[0].Project != own {
				return false
			}
			args[at] = strconv.Itoa(n)
		}
	}
	return true
}

// lookUp returns the id that name means to the command, and whose record that is: "" where nobody can tell. A name that
// is found nowhere stays as it is; it names the project that it begins with, or this one.
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
