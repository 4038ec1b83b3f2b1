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
	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/sentence"
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
		long: `Alone it shows the journal. RECORD is an id, a name or a file, of this project or your own, or the beginning of exactly
one name. SESSION is the id of a session of this project, or at least its first 6 characters: each turn has what was
typed, answered, run and committed. Claude is shown the beginning of a long session or turn, and the end of a long
history.

  memento show --said
  memento show 5f0c2a9e --turn 3
`,
		flags: func(fs *flag.FlagSet) {
			fs.BoolVar(&f.said, "said", false, "everything the user typed, oldest first; what was rewound since is marked")
			fs.BoolVar(&f.raw, "raw", false, "the file as it is; of a session, turn or history everything")
			numberFlag(fs, &f.turn, "turn", "the `N`th turn of a session, whole")
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
	at, err := openPlace(c, false)
	if err != nil {
		return err
	}
	lane := at.store.Lane
	if f.said || f.history {
		return showPast(c, lane, f)
	}
	data, err := safefile.Read(lane.Journal(), 64<<20)
	if err == nil && f.raw {
		_, err = c.asItIs().Write(data)
		return err
	}
	var j *journal.Journal
	if err == nil {
		j, err = at.store.Read()
	}
	switch {
	case errors.Is(err, fs.ErrNotExist) && c.json:
		return c.printJSON(members{{"path", lane.Journal()}, {"exists", false}, {"journal", nil}})
	case errors.Is(err, fs.ErrNotExist):
		showPlace(c, lane)
		return c.say("There is no journal yet: it begins with the first task of a session in this project.")
	case errors.Is(err, journal.ErrCorrupt):
		return fmt.Errorf("the journal cannot be read: %w", err)
	case err != nil:
		return err
	case c.json: // the journal as it is stored: indented, with every field
		stored := strings.ToValidUTF8(string(journal.JSON(data)), "\ufffd")
		fmt.Fprintf(c.Out, `{"version":1,"path":%s,"exists":true,"journal":%s}`+"\n", jsonx.Quote(lane.Journal()),
			stored)
		return nil
	}
	showJournal(c, at, j)
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
	o.row("project", "%s", text.Line(j.Project))
	o.row("branch", "%s", text.Line(j.Branch))
	switch {
	case j.Mission == "":
		o.row("mission", "none")
	case j.MissionClosed != "":
		o.row("mission", "none; the last one was closed%s: %s", o.age(j.MissionClosed), text.Line(j.Mission))
	default:
		whose := map[bool]string{true: "Claude's", false: "the user's"}[j.MissionBy == journal.ByClaude]
		o.row("mission", "%s", text.Line(j.Mission))
		o.row("", "opened%s, in %s words%s", o.age(j.MissionOpened), whose, elsewhere(at.store.Lane, j.Session))
	}
	for _, m := range saidLately(at.store.Lane, j) {
		answer := ""
		if m.Asked != "" {
			answer = "  [answer to " + text.Quote(m.Asked) + "]"
		}
		o.row("said", "%s%s%s", text.Quote(m.Text), answer, o.age(m.TS))
	}
	showWork(o, c.config.Dir, j)
	for _, e := range slices.Backward(j.Done) {
		o.row("done", "%s%s%s", joined(" -> ", text.Line(e.Act), text.Line(e.Result)), by(e.By), o.age(e.TS))
		o.row("", "%s", joined("  ", text.Line(e.Ctx), verified(e)))
	}
	o.row("files", "%s", text.Line(strings.Join(j.Files, ", ")))
	o.row("earlier", "%s", text.Line(j.Summary))
	n := 0
	if err := history.Read(at.store.Lane, func(log.Entry) bool { n++; return true }); err != nil {
		o.row("history", "not read to its end: %s", text.Line(text.Reason(err)))
		return
	}
	o.row("history", "%s: memento show --history, memento show --said", count(n, "line"))
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

// manySaid is how many of the user's messages are shown with a journal.
const manySaid = 24

// saidLately returns what the user said that a block may quote, newest first, but for the prompt that opened the
// mission.
func saidLately(lane project.Lane, j *journal.Journal) (said []block.Message) {
	for _, m := range slices.Backward(capture.Recall(lane, j.Session, j.Earlier...).Words(j, "").All) {
		isMission := j.MissionBy == journal.ByUser && (m.Ref != "" && m.Ref == j.MissionRef || m.Text == j.Mission)
		if len(m.Parts) > 0 && !isMission && len(said) < manySaid {
			m.Text, _ = text.Cut(redact.Clean(m.Text), sentence.MaxQuoted) // somebody may have edited the log
			said = append(said, m)
		}
	}
	return said
}

// showWork prints the work in hand, the failing commands, the plan and the open tasks.
func showWork(o *output, dir string, j *journal.Journal) {
	if j.Wip != "" {
		o.row("wip", "%s%s", text.Line(j.Wip), by(j.WipBy))
	}
	o.row("failing", "%s", j.Error.String())
	memory := sessionMemory(dir, "", j)
	tasks, failing := capture.Open(&memory)
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

// age says in parentheses how long ago the time ts was, "" if ts is no time.
func (o *output) age(ts string) string {
	t, err := time.Parse(time.RFC3339, ts)
	if err != nil {
		return ""
	}
	return " (" + o.since(t) + ")"
}

// by says who wrote something, "" for the user.
func by(who string) string {
	return map[string]string{journal.ByClaude: "  [by Claude]", journal.ByAuto: "  [captured]"}[who]
}

// verified says whether memento found what Claude claims in the entry, "" if Claude claims nothing.
func verified(e journal.Entry) string {
	switch {
	case !history.Claims(e.Ctx):
		return ""
	case e.Unconfirmed():
		return "[unverified]"
	}
	return "[verified]"
}

// showRecord prints a record for reading: its id, path and hash, then its file.
func showRecord(c *call, s *shelf, f showFlags) error {
	if f.said {
		return usage("memento help show", "--said is the journal's; a record has none")
	}
	r, err := s.find(c.args[0])
	if err != nil {
		return err
	}
	switch {
	case c.json:
		return c.printJSON(members{
			{"path", r.Path}, {"hash", r.Hash()}, {"record", r.Fields()}, {"problems", array(r.Problems())},
		})
	case f.raw:
		_, err = c.asItIs().Write(r.Bytes())
		return err
	}
	c.row("record", "%s", r.ID)
	c.row("path", "%s", c.path(r.Path))
	c.row("hash", "%s", r.Hash())
	for _, p := range r.Problems() {
		c.row("note", "%s", text.Line(p))
	}
	if r.VersionOf != "" {
		c.row("note", "another version of %s, changed on two machines: take what holds into one, and delete the other",
			text.Line(r.VersionOf))
	}
	return c.say("\n%s", readableTo(c.by, strings.TrimRight(string(r.Bytes()), " \t\r\n")))
}
