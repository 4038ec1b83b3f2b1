// Package doctor checks everything that memento needs in a folder, and rehearses a compaction.
//
// It returns findings as data: nothing here prints or parses arguments, and commands appear only in the text of hints.
// It changes nothing. How a file is stored and repaired belongs to the package that owns the file.
package doctor

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/install"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/withheld"
)

// Env is the run of memento that the doctor checks.
type Env struct {
	Config  config.Config
	Machine install.Machine
	Now     func() time.Time
	Session string // the session that the doctor runs in, "" outside any session
	Claude  bool   // whether Claude asks; then records of other projects are not examined

	// Lane returns the session's lane, else that of the folder's project. Errors: the disk's.
	Lane func() (project.Lane, error)
	// Paused says that memento is paused in the lane, and which command ends the pause; "" if it is not paused.
	Paused func(project.Lane) (what, end string)
	// Run runs memento with args in another folder and environment, and returns its exit code.
	Run func(args []string, dir string, getenv func(string) string, in io.Reader, out io.Writer) int
}

// State says what a finding means.
type State string

// The states of a finding.
const (
	OK   State = "ok"
	Note State = "note" // worth knowing; memento does its work
	Bad  State = "bad"
)

// Finding is the result of one check.
type Finding struct {
	State State  `json:"state"`
	What  string `json:"what"`
	Hint  string `json:"hint"` // the step that helps, "" if there is none
}

type findings []Finding

func (f *findings) add(state State, hint, format string, args ...any) {
	*f = append(*f, Finding{state, fmt.Sprintf(format, args...), hint})
}

func (f *findings) ok(format string, args ...any) { f.add(OK, "", format, args...) }

// exam is one run of all checks.
type exam struct {
	Env
	findings
	lane project.Lane
	over bool // the checks after this one cannot run
}

// checks lists the checks in the order of their findings.
func checks() []func(*exam) {
	return []func(*exam){
		(*exam).checkBinary, (*exam).checkSettings, (*exam).checkWiring,
		(*exam).checkFolder, (*exam).checkWritable, (*exam).checkLane,
		(*exam).checkWithheld, (*exam).checkWorkspace, (*exam).checkJournal, (*exam).checkPast,
		(*exam).checkSetAside, (*exam).checkRecords, (*exam).checkSession,
	}
}

// Examine runs all checks. It changes nothing.
func Examine(env Env) []Finding {
	x := &exam{Env: env}
	for _, check := range checks() {
		if check(x); x.over {
			break
		}
	}
	return x.findings
}

func (x *exam) checkBinary() {
	x.ok("memento %s at %s", x.Machine.Version, cmp.Or(x.Machine.Exe, "an unknown place"))
	if !x.Config.Enabled {
		x.add(Note, config.SwitchOn(x.Machine.Getenv), "memento is switched off: hooks do nothing")
	}
}

func (x *exam) checkSettings() {
	if p := config.Problem(x.Config.Dir); p != "" {
		x.add(Note, config.Hint(x.Config.Dir), "%s", p)
	}
	settings, _ := config.Settings(x.Machine.Getenv, schema.Names()...) // config.Problem has reported an error
	for _, s := range settings {
		if s.Problem == "" {
			continue
		}
		hint := "memento config --unset " + s.Name + ", or memento config " + s.Name + " with what is expected"
		if s.Env != "" && strings.HasPrefix(s.Problem, s.Env+"=") {
			hint = "unset " + s.Env + ", or give it what is expected"
		}
		x.add(Note, hint, "%s", s.Problem)
	}
}

func (x *exam) checkFolder() {
	dir := x.Config.Dir
	if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
		x.ok("%s will be made by the first session", dir)
		x.over = true
	} else if err := safefile.Dir(dir); err != nil {
		x.add(Bad, folderHint(dir, err), "memento's folder cannot be used: %v", err)
		x.over = true
	}
}

func (x *exam) checkWritable() {
	home := x.Config.Dir
	for _, dir := range [...]string{home, filepath.Join(home, safefile.Cache), filepath.Join(home, safefile.Locks)} {
		if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err := safefile.Probe(dir); err != nil {
			hint := cmp.Or(safefile.Step(err), "chmod 700 "+safefile.ShellWord(dir))
			x.add(Bad, hint, "nothing can be written: %v", err)
			x.over = true
			return
		}
	}
	x.ok("%s is yours alone, and can be written", home)
}

func (x *exam) checkLane() {
	var err error
	if x.lane, err = x.Lane(); err != nil {
		x.add(Bad, safefile.Step(err), "the session memory cannot be read: %s", text.Reason(err))
		x.over = true
	}
}

// checkWithheld checks the lists of what may not be taken in.
func (x *exam) checkWithheld() {
	if what, end := x.Paused(x.lane); what != "" {
		isBad := withheld.LoadPauses(x.Config.Dir).Err() != nil
		x.add(map[bool]State{false: Note, true: Bad}[isBad], end, "%s", what)
	}
	if _, err := withheld.LoadErased(x.Config.Dir); err != nil {
		hint := "rm " + safefile.ShellWord(withheld.ErasedPath(x.Config.Dir)) +
			": what was erased may then be captured again from a transcript that still has it"
		x.add(Bad, hint, "nothing is captured: %v", err)
	}
}

func (x *exam) checkWorkspace() {
	path, w := project.WorkspacePath(x.Config.Dir), project.OpenWorkspace(x.Config.Dir)
	switch err := cmp.Or(w.Err, w.Bad); {
	case err == project.ErrDamaged:
		const hint = "mend it by hand to keep what is said of projects; the next session sets it aside and names the " +
			"projects again"
		x.add(Bad, hint, "%s: %v: no project is known by its name", path, err)
	case err != nil:
		x.add(Bad, safefile.InPlace(path), "no project is known by its name: %v", err)
	}
}

func (x *exam) checkJournal() {
	path := x.lane.Journal()
	_, err := journal.Store{Lane: x.lane, Config: x.Config, Now: x.Now()}.Read()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		x.ok("no journal here yet: %s", path)
	case errors.Is(err, journal.ErrCorrupt):
		const hint = "the next session sets it aside as it is, and makes a new one of the transcript; " +
			"mend it by hand before, to go on with this one"
		x.add(Bad, hint, "%v", err)
	case err != nil:
		x.add(Bad, hintAt(path, err), "the journal is not used: %v", err)
	default:
		x.ok("journal %s", path)
	}
}

// checkPast looks for sessions in the log.
func (x *exam) checkPast() {
	store := log.Store{Dir: x.Config.Dir}
	projects, problem := store.Projects()
	for _, project := range projects {
		_, err := store.Sessions(project)
		problem = cmp.Or(problem, err)
	}
	if problem != nil {
		x.add(Bad, "", "the turns of sessions cannot be read: %s", text.Reason(problem))
	}
}

// checkSetAside lists the damaged files that were set aside.
func (x *exam) checkSetAside() {
	entries, _ := safefile.List(x.Config.Dir) // checkFolder has reported an error
	for _, e := range entries {
		name, _, isAside := strings.Cut(e.Name(), ".corrupt-")
		if strings.Contains(name, "--") {
			name = "journal"
		}
		if isAside {
			x.add(Note, "read it, take what you need, then delete it", "a damaged %s was set aside: %s", name,
				filepath.Join(x.Config.Dir, e.Name()))
		}
	}
}

// checkSession reports what kept a hook of this session from its work.
func (x *exam) checkSession() {
	if st, _ := session.Load(x.Config.Dir, x.Session); st.Trouble != "" {
		x.add(Note, "", "this session: %s", st.Trouble)
	}
}

// folderHint says what helps against the error of a folder.
func folderHint(dir string, err error) string {
	if errors.As(err, new(*safefile.OthersError)) {
		return safefile.Hint(err)
	}
	return safefile.InPlace(dir)
}

// hintAt says what helps against the error of the file at path.
func hintAt(path string, err error) string {
	if errors.Is(err, safefile.ErrRefused) {
		return safefile.InPlace(path)
	}
	return safefile.Step(err)
}
