package cli

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/block"
	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/client"
	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/text"
)

type showFlags struct {
	said, raw, all, history bool

	turn int
}

func showCommand() command {
	var f showFlags
	return command{
		name: "show", json: true, args: "[RECORD|SESSION]", most: 1, apart: "said history turn",
		short: "show the journal of this session or project, a record, or an earlier session",
		long: `Alone it shows the journal. RECORD is an id, the name of a record of this project or of yours, its file, or how one
alone begins. SESSION is the id of a session of this project, or its first 6 characters or more: of each turn it shows
what was typed, answered, run and committed. Of a long session or turn Claude is shown the beginning, of a long history
the end.

  memento show --said
  memento show 5f0c2a9e --turn 3
`,
		flags: func(fs *flag.FlagSet, _ *call) {
			fs.BoolVar(&f.said, "said", false, "everything the user typed, oldest first; what was rewound since is marked")
			fs.BoolVar(&f.raw, "raw", false, "the file as it is; of a session, turn or history everything")
			fs.IntVar(&f.turn, "turn", 0, "the `N`th turn of a session, whole")
			fs.BoolVar(&f.history, "history", false, "what left the journal, missions with their numbers, and what was typed")
			fs.BoolVar(&f.all, "all", false, "a session of any project")
		},
		run: func(c *call) error { return runShow(c, f) },
	}
}

func runShow(c *call, f showFlags) error {
	if len(c.args) > 0 {
		return showNamed(c, f)
	}
	if f.turn != 0 || f.all {
		return usage("memento search finds sessions", "--turn and --all need the id of a session")
	}
	at, err := openHere(c)
	if err != nil {
		return err
	}
	lane := at.store.Lane
	switch {
	case f.said:
		return showSaid(c.output, lane)
	case f.history:
		return showHistory(c, at, f.raw)
	}
	data, err := safefile.Read(lane.Journal(), 64<<20)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return showNone(c, lane)
	case err != nil:
		return err
	case f.raw:
		_, err = c.asItIs().Write(data)
		return err
	}
	j, err := at.store.Read()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return showNone(c, lane)
	case errors.Is(err, journal.ErrCorrupt):
		return hinted("memento doctor", "the journal cannot be read: %w", err)
	case err != nil:
		return err
	case c.json: // the journal as it is stored: indented, with every field
		stored := strings.ToValidUTF8(strings.TrimSpace(string(data)), "\ufffd")
		fmt.Fprintf(c.Out, `{"version":1,"path":%s,"exists":true,"journal":%s}`+"\n", jsonOf(lane.Journal()), stored)
		return nil
	}
	showJournal(c, at, j)
	return nil
}

// showNone prints that there is no journal, and the path that one would have. The command succeeds.
func showNone(c *call, lane project.Lane) error {
	if c.json {
		c.printJSON(members{{"path", lane.Journal()}, {"exists", false}, {"journal", nil}})
		return nil
	}
	showPlace(c, lane)
	fmt.Fprintln(c.Out, "There is no journal yet: it begins with the first task of a session in this project.")
	return nil
}

// showPlace prints whether memento is paused here, and where the journal is.
func showPlace(c *call, lane project.Lane) {
	if what, end := c.paused(lane); what != "" {
		c.row("paused", "%s (%s)", what, end)
	}
	c.row("journal", "%s", c.path(lane.Journal()))
}

// showJournal prints the journal for reading.
func showJournal(c *call, at *place, j *journal.Journal) {
	o := c.output
	showPlace(c, at.store.Lane)
	if j.Project != "" {
		o.row("project", "%s", text.Line(j.Project))
	}
	if j.Branch != "" {
		o.row("branch", "%s", text.Line(j.Branch))
	}
	showTask(o, at.store.Lane, j)
	showSaidLately(o, j)
	showWork(o, c.config.Dir, j)
	for _, e := range slices.Backward(j.Done) {
		line := text.Line(e.Act)
		if e.Result != "" {
			line += " -> " + text.Line(e.Result)
		}
		o.row("done", "%s%s%s", line, by(e.By), o.age(e.TS))
		if e.Ctx != "" {
			o.row("", "%s%s", text.Line(e.Ctx), verified(e))
		}
	}
	if len(j.Files) > 0 {
		o.row("files", "%s", text.Line(strings.Join(j.Files, ", ")))
	}
	if j.Summary != "" {
		o.row("earlier", "%s", text.Line(j.Summary))
	}
	n := 0
	if err := history.Read(at.store.Lane, func(log.Entry) bool { n++; return true }); err != nil {
		o.row("history", "not read to its end: %s", text.Line(worded(err)))
		return
	}
	o.row("history", "%s: memento show --history, memento show --said", count(n, "line"))
}

// showTask prints the mission that is open, or the last one.
func showTask(o *output, lane project.Lane, j *journal.Journal) {
	switch {
	case j.Mission == "":
		o.row("mission", "none")
	case j.MissionClosed != "":
		o.row("mission", "none; the last one was closed%s: %s", o.age(j.MissionClosed), text.Line(j.Mission))
	default:
		o.row("mission", "%s", text.Line(j.Mission))
		o.row("", "opened%s, in %s words%s", o.age(j.MissionOpened), whose(j.MissionBy), elsewhere(lane, j.Session))
	}
}

// elsewhere says in which client a session was, "" for Claude Code.
func elsewhere(lane project.Lane, session string) string {
	entries, _ := log.Store{Dir: lane.Dir}.Read(lane.Slug, session) // what is not read is not said
	for _, e := range entries {
		if c := client.Labelled(e.Client); c != client.ClaudeCode {
			return ", in " + c.Name
		}
	}
	return ""
}

// showSaidLately prints the user's sentences in the journal, the newest first.
func showSaidLately(o *output, j *journal.Journal) {
	for _, s := range slices.Backward(j.Said) {
		mark := ""
		if s.Rule {
			mark = "  [rule]"
		}
		if s.Asked != "" {
			mark += "  [answer to " + text.Quote(s.Asked) + "]"
		}
		if s.By == journal.ByClaude && (s.Verified == nil || !*s.Verified) {
			mark += "  [Claude's wording, unverified]"
		}
		o.row("said", "%s%s%s", text.Quote(s.Text), mark, o.age(s.TS))
	}
}

// showWork prints the work in hand, the failing commands, the plan and the open tasks.
func showWork(o *output, dir string, j *journal.Journal) {
	if j.Wip != "" {
		o.row("wip", "%s%s", text.Line(j.Wip), by(j.WipBy))
	}
	if j.Error != nil {
		o.row("failing", "`%s` -> %s", text.Line(j.Error.Cmd), text.Line(j.Error.Line))
	}
	var open session.Memory
	if st, err := session.Load(dir, j.Session); j.Session != "" && err == nil {
		open = st
	}
	tasks, failing := capture.Open(&open)
	for _, f := range failing {
		o.row("failing", "%s", f.String())
	}
	for _, p := range j.Plan {
		o.row("plan", "%s%s", text.Line(p), by(j.PlanBy))
	}
	for _, t := range block.Besides(j, tasks) {
		o.row("task", "%s", text.Line(t))
	}
}

// showSaid prints everything that the user typed, the oldest first.
func showSaid(o *output, lane project.Lane) error {
	said, err := history.Typed(lane)
	if err != nil {
		return err
	}
	if o.json {
		out := []members{}
		for _, l := range said {
			words := members{{"ts", l.Stamp()}, {"session", l.Session}, {"text", l.Text}}
			if l.Gone {
				words = append(words, member{"rewound", true})
			}
			out = append(out, words)
		}
		o.printJSON(members{{"said", out}})
		return nil
	}
	for _, l := range said {
		mark := ""
		if l.Gone {
			mark = "  [rewound]"
		}
		words := strings.ReplaceAll(plain(l.Text), "\n", "\n                  ")
		fmt.Fprintf(o.Out, "%s  %s%s\n", local(l.Stamp()), words, mark)
	}
	if len(said) == 0 {
		fmt.Fprintln(o.Out,
			"Nothing yet: what you type to Claude Code in this project is kept from the next prompt on.")
	}
	return nil
}

// age says in parentheses how long ago the time ts was, "" if ts is no time.
func (o *output) age(ts string) string {
	t, err := time.Parse(time.RFC3339, ts)
	if err != nil {
		return ""
	}
	return " (" + block.Age(o.Now().Sub(t)) + ")"
}

func whose(by string) string {
	if by == journal.ByClaude {
		return "Claude's"
	}
	return "the user's"
}

// by says who wrote something, "" for the user.
func by(who string) string {
	switch who {
	case journal.ByClaude:
		return "  [by Claude]"
	case journal.ByAuto:
		return "  [captured]"
	}
	return ""
}

// verified says whether memento found what Claude claims in the entry, "" if Claude claims nothing.
func verified(e journal.Entry) string {
	switch {
	case !history.Claims(e.Ctx):
		return ""
	case e.Unconfirmed():
		return "  [unverified]"
	}
	return "  [verified]"
}

// local returns the time ts in the time zone of this machine, and spaces if ts is no time.
func local(ts string) string {
	t, err := time.Parse(time.RFC3339, ts)
	if err != nil {
		return "                "
	}
	return t.Local().Format("2006-01-02 15:04")
}

// plain makes text safe for a terminal, line by line.
func plain(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = text.Line(l)
	}
	return strings.Join(lines, "\n")
}
