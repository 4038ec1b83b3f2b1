// Package statusline makes the line that memento shows in the client's status line: the mission, the work in hand, how
// full the context is, how many rules are held, the compactions, and what waits for the person.
//
// The client runs it after each answer and at each change of the screen. So it reads few files, writes none, takes no
// lock and knows no error: what cannot be read is left out.
package statusline

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/pace"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/rule"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/withheld"
)

const (
	maxInput = 1 << 20 // bytes
	maxDepth = 64
	// usualWidth is the width in columns when the client tells none.
	usualWidth = 80
	// frame is how many columns the client keeps for itself beside the line (measured on client 2.1.330).
	frame = 4
	// leastMission is how many columns the mission gets before all the rest.
	leastMission = 20
	// leastWip is how many columns are worth a beginning of the work in hand.
	leastWip = 24
	// fresh is how long the mission of another machine is news.
	fresh = 7 * 24 * time.Hour
)

// Line reads the client's message from in and returns the line, "" for none: memento is off, or the message is none.
// The line fits the columns in COLUMNS; colours are left out if NO_COLOR is set. fault says why no hook of memento runs
// in a folder, "" if nothing is wrong; Line asks it in a session in which none has run.
func Line(in io.Reader, getenv func(string) string, now time.Time, fault func(dir string) string) (line string) {
	defer func() {
		if recover() != nil {
			line = ""
		}
	}()
	data, err := io.ReadAll(io.LimitReader(in, maxInput))
	if err != nil || !jsonx.Valid(data, maxDepth) {
		return ""
	}
	c, err := config.Load(getenv)
	if !c.Enabled || err != nil && !errors.Is(err, fs.ErrPermission) {
		return ""
	}
	f := facts{alarm: unkeptAlarm} // where the settings cannot be read, hooks keep nothing
	if err == nil {
		f = read(c, gjson.ParseBytes(data), getenv, now, fault)
	}
	width := usualWidth
	if n, err := strconv.Atoi(getenv("COLUMNS")); err == nil && n > 0 {
		width = n
	}
	return f.render(width-frame, getenv("NO_COLOR") == "")
}

// unkeptAlarm is the line where nothing is kept.
const unkeptAlarm = "nothing is kept (! memento doctor)"

// facts is what the line may show.
type facts struct {
	alarm        string // in place of all the rest
	mission, wip string
	held, news   []string
}

// unkept reports whether hooks can keep nothing.
func unkept(dir string) bool {
	full := func(string) error { return errors.New("no room") }
	for _, d := range [...]string{dir, filepath.Join(dir, safefile.Cache)} {
		err := cmp.Or(safefile.CheckDir(d), safefile.Writable(d, full))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return true
		}
	}
	return false
}

// read gathers the facts of the session in the client's message.
func read(c config.Config, message gjson.Result, getenv func(string) string, now time.Time,
	fault func(dir string) string) (f facts) {
	st, err := session.Load(c.Dir, message.Get("session_id").Str)
	if unkept(c.Dir) || st.Unkept {
		return facts{alarm: unkeptAlarm}
	}
	lane, ok := project.LaneNamed(c.Dir, st.Lane)
	if err != nil || !ok {
		dir := cmp.Or(message.Get("workspace.project_dir").Str, message.Get("workspace.current_dir").Str,
			message.Get("cwd").Str)
		if err != nil {
			f.alarm = fault(dir)
		}
		st = session.Memory{}
		if lane, err = session.Folder(c, dir, config.Home(getenv)); err != nil {
			return f
		}
	}
	pauses := withheld.LoadPauses(c.Dir)
	_, paused := pauses.Since(withheld.Key(lane.Slug))
	switch {
	case pauses.Err() != nil:
		return facts{alarm: unkeptAlarm}
	case paused:
		return facts{alarm: "paused"}
	}
	store := journal.Store{Lane: lane, Config: c, Now: now}
	j, err := store.Read()
	if err != nil {
		j = &journal.Journal{}
	}
	if f.mission = "no mission yet"; j.Open() {
		f.mission, f.wip = text.Line(j.Mission), strings.Trim(text.Line(j.Wip), `"`)
	}
	if n := len(st.Pending); n > 0 { // the journal takes it in at the end of the turn
		f.wip = text.Line(st.Pending[n-1].Text)
	}
	if f.wip == f.mission {
		f.wip = ""
	}
	// null before the first answer (read in client 2.1.330)
	if used := message.Get("context_window.used_percentage"); used.Type == gjson.Number {
		f.held = append(f.held, fmt.Sprintf("context %.0f %%", min(max(used.Num, 0), 100)))
	}
	if n := len((rule.Store{Dir: c.Dir}).Rules(lane.Slug).Kept); n > 0 {
		f.held = append(f.held, text.Count(n, "rule")+" held")
	}
	if st.Compactions > 0 {
		f.held = append(f.held, text.Count(st.Compactions, "compaction"))
	}
	others := pace.LoadOthers(c.Dir, lane.Slug)
	for _, m := range others.Missions {
		opened, err := time.Parse(time.RFC3339, m.Opened)
		if err == nil && m.Closed == "" && now.Sub(opened) < fresh && m.Mission != j.Mission {
			f.news = append(f.news, "news from "+text.Line(others.Names[m.Machine]))
			break
		}
	}
	return f
}

const (
	name = "memento: "
	gap  = " · "
	hand = "in hand: "

	dim, yellow, plain = "\x1b[2m", "\x1b[33m", "\x1b[0m"
)

// render returns the line in at most width columns. News comes before counts, and both leave the mission leastMission
// columns. What is left goes to the work in hand.
func (f facts) render(width int, colours bool) string {
	paint := func(colour, s string) string {
		if !colours || s == "" {
			return s
		}
		return colour + s + plain
	}
	room := width - text.Columns(name)
	switch {
	case room < 4 || f.alarm == "" && f.mission == "":
		return ""
	case f.alarm != "":
		return paint(dim, name) + paint(yellow, text.Fit(f.alarm, room))
	}
	room -= min(text.Columns(f.mission), leastMission)
	take := func(parts []string) (out string) {
		for _, p := range parts {
			if n := text.Columns(gap + p); n <= room {
				room, out = room-n, out+gap+p
			}
		}
		return out
	}
	news, held := take(f.news), take(f.held)
	room += min(text.Columns(f.mission), leastMission)
	mission, wip := text.Fit(f.mission, room), ""
	if rest := room - text.Columns(gap+hand); f.wip != "" && rest >= leastMission+leastWip {
		w := min(text.Columns(f.wip), max(rest-text.Columns(f.mission), rest/2))
		mission = text.Fit(f.mission, rest-w)
		wip = gap + hand + text.Fit(f.wip, rest-text.Columns(mission))
	}
	return paint(dim, name) + mission + paint(dim, wip+held) + paint(yellow, news)
}
