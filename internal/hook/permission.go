package hook

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/event"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/permit"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
)

// preToolUse lets one simple memento command run without a dialog, rewritten so that it can only be this binary: a
// plugin's bin folder comes last on the Bash tool's PATH (measured on client 2.1.329).
// PowerShell's tool is asked for and answered in the same way (measured on client 2.1.329 on Linux, with a stand-in for
// PowerShell; nothing of it ran on Windows).
//
// It also lets this lane's journal be read. For Read an answer here is enough, and comes before any dialog; for Write and
// Edit only permissionRequest can give one (measured on client 2.1.329).
func (h *handler) preToolUse() []byte {
	switch h.event.ToolName {
	case "Bash", "PowerShell":
		if input, ok := h.rewrite(); ok {
			return event.AllowTool(input)
		}
	case "Read":
		if h.bind() == nil && h.journalAccess() {
			return event.AllowTool(h.event.ToolInput)
		}
	case "Write":
		h.overwrite()
	}
	return nil
}

// overwrite notes this lane's journal before Claude writes it whole, so that nothing it drops is lost. Whether it may be
// written is not decided here; the event comes before any dialog, and in modes without one (measured on client 2.1.329).
func (h *handler) overwrite() {
	in := gjson.Parse(h.event.ToolInput)
	if content := in.Get("content"); content.Type == gjson.String && h.bind() == nil && permit.Journal("Write", in.Get("file_path").Str, h.store.Lane.Journal()) {
		_ = h.store.Overwrite(content.Str) // unnoted, the journal is as Claude wrote it
	}
}

// permissionRequest answers the dialog for what is memento's own: the same commands, and this lane's journal.
func (h *handler) permissionRequest() []byte {
	switch h.event.ToolName {
	case "Bash", "PowerShell":
		if input, ok := h.rewrite(); ok {
			return event.AllowRequest(input)
		}
	case "Read", "Write", "Edit":
		if h.bind() == nil && h.journalAccess() {
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
	if !ok || len(args) == 0 {
		return "", false
	}
	if (args[0] == "save" && strings.Contains(strings.Join(args, " "), "preference") || args[0] == "inbox" && slices.Contains(args, "accept")) && (h.bind() != nil || h.store.Lane.Slug == "") {
		return "", false // outside any project it would concern all of them; what waits may be one, whatever the command says
	}
	spec := permit.Verbs()[args[0]]
	switch {
	case slices.Contains([]string{"complete", "reopen", "restore", "retire", "archive"}, args[0]) && (h.bind() != nil || !h.ours(args[1:])):
		return "", false // what is retired is purged in the end
	case h.event.AgentID == "":
	case spec.Alone: // what becomes of a record is its parent's, or the person's, to say
		return "", false
	case spec.Own:
		if len(h.event.AgentID) > 64 || strings.Trim(h.event.AgentID, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") != "" {
			return "", false
		}
		args = append([]string{args[0], "--agent", h.event.AgentID}, args[1:]...)
	}
	run := quote(exe, args)
	if h.env.Windows && h.event.ToolName == "Bash" { // Git Bash makes a path of Windows of a word that begins as a POSIX one does
		run = "MSYS_NO_PATHCONV=1 " + run
	}
	input, err := sjson.Set(h.event.ToolInput, "command", run)
	return input, err == nil
}

// ours reports whether the records that a command names are this project's, those of the user's own outside any.
func (h *handler) ours(args []string) bool {
	own := record.User
	if slug := h.store.Lane.Slug; slug != "" {
		own = record.Project(slug)
	}
	there := func(id string) bool {
		for _, folder := range (record.Store{Dir: h.config.Dir}).Folders() {
			if _, err := os.Lstat(filepath.Join(folder, id+record.Ending)); err == nil {
				return true
			}
		}
		return false
	}
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case a == "--reason" || a == "-reason" || a == "--if-match" || a == "-if-match":
			i++
		case a != "" && a[0] == '-':
		default:
			name := strings.TrimSuffix(filepath.Base(a), record.Ending)
			project, _, whole := strings.Cut(name, "--")
			switch {
			case whole && project != own:
				return false
			case !whole && own != record.User && !there(own+"--"+name) && there(record.User+"--"+name): // it would be found there
				return false
			}
		}
	}
	return true
}

// journalAccess reports whether the call reads this lane's own journal, or leaves a valid one behind. A subagent may
// only read: its words go to its own record.
func (h *handler) journalAccess() bool {
	path := h.store.Lane.Journal()
	in := gjson.Parse(h.event.ToolInput)
	if !permit.Journal(h.event.ToolName, in.Get("file_path").Str, path) || safefile.Check(path) != nil {
		return false
	}
	if h.event.ToolName == "Read" {
		return true
	}
	if h.event.AgentID != "" {
		return false
	}
	content := in.Get("content")
	if h.event.ToolName == "Edit" {
		return h.validEdit(in)
	}
	return content.Type == gjson.String && h.valid(content.Str)
}

func (h *handler) validEdit(in gjson.Result) bool {
	data, err := safefile.Read(h.store.Lane.Journal(), int64(h.config.MaxFileBytes)*4)
	from, to := in.Get("old_string"), in.Get("new_string")
	if err != nil || from.Str == "" || to.Type != gjson.String || !strings.Contains(string(data), from.Str) {
		return false
	}
	n := 1
	if in.Get("replace_all").Bool() {
		n = -1
	}
	return h.valid(strings.Replace(string(data), from.Str, to.Str, n))
}

func (h *handler) valid(content string) bool {
	if len(content) > h.config.MaxFileBytes {
		return false
	}
	if _, secrets := redact.JSON(content); secrets != nil {
		return false // Claude would write it to the disk; taken out at the next change, but let the person see it first
	}
	j, err := journal.Decode([]byte(content))
	return err == nil && !h.invents(j)
}

// invents reports whether the journal puts into the user's mouth what neither the journal before nor the history has:
// a quotation, another wording of the user's own mission, a proof.
func (h *handler) invents(j *journal.Journal) bool {
	said, proved := map[string]bool{}, map[string]bool{}
	if old, err := h.store.Read(); err == nil {
		for _, s := range old.Said {
			said[s.Text] = s.By == ""
		}
		for _, e := range old.Done {
			proved[e.Ctx] = e.Verified != nil && *e.Verified
		}
		if j.MissionBy == journal.ByUser && j.Mission != old.Mission {
			return true
		}
	} else if j.MissionBy == journal.ByUser {
		return true
	}
	for _, s := range j.Said {
		if s.By == "" && !said[s.Text] {
			if sentence, _ := capture.Heard(h.store.Lane, s.Text); text.Fold(sentence) != text.Fold(s.Text) {
				return true
			}
		}
	}
	for _, e := range j.Done {
		if e.Verified != nil && *e.Verified && !proved[e.Ctx] {
			return true
		}
	}
	return false
}
