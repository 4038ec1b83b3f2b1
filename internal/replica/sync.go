package replica

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"time"

	"github.com/mementohq/memento/internal/gitrepo"
	"github.com/mementohq/memento/internal/machine"
	"github.com/mementohq/memento/internal/pace"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/withheld"
)

// run is one sync.
type run struct {
	*Replica
	Settings
	wanted   []string // names of projects to choose
	moved    bool     // the remote is another one than the last time
	me       machine.Machine
	repo     *gitrepo.Repo
	dry      bool
	projects map[string]shared // the chosen ones, by their shared names
	present  map[string]string // shared names of projects, by those that they had before
	hasMoved bool              // the remote had folders of former identities
	names    map[string]string // of projects in the ids of records that travel, by their shared names
	cache    map[string]string // path -> stamp and blob, of the last sync
	fresh    map[string]string // the same of this one
	out      tree              // what was exported
	paths    map[string]string // id of a record here -> path
	refused  map[string]bool   // paths in the remote that memento leaves alone
	packed   int               // how many files were packed
	slugs    map[string]string // of projects here, and naming.User, by their shared names
	erased   *withheld.Erased  // what was erased here, and elsewhere by its id
	gone     map[string]bool   // ids of turns of the remote that hold a forgotten phrase
	isDirty  bool              // the store holds what was forgotten
	scans    bool              // something was forgotten here since the last sync
	isNew    bool              // the remote holds what was forgotten: its history begins anew
	result   Result
}

// attempts is how often a sync begins again when somebody else was faster, or wrote in the store meanwhile.
const attempts = 12

// ErrAgain says that the store changed under the sync.
var ErrAgain = errors.New("the store changes all the time")

// Sync brings this store and the remote to the same state, or without a remote commits what is new. What was chosen
// counts from then on, if the sync succeeds. With dry Sync changes nothing here or there, and returns what it would do.
// Errors: ErrOff, ErrAgain, *UnknownProjectError, safefile.ErrBusy while another sync runs, *gitrepo.Problem,
// gitrepo.ErrForeign, the disk's. After an error the store is whole, and the next Sync goes on.
func (r *Replica) Sync(ctx context.Context, c Choice, dry bool) (Result, error) {
	unlock, err := r.lock()
	if err != nil {
		return Result{}, err
	}
	defer unlock()
	was, err := r.Load()
	s := &run{Replica: r, dry: dry, wanted: c.Projects}
	if err == nil {
		s.Settings, err = was.with(c)
	}
	s.moved = was.Remote != s.Remote
	if err == nil {
		s.me, err = r.me()
	}
	if err == nil && c.Name != "" && !dry {
		s.me, err = machine.SetName(r.Config.Dir, c.Name, r.Wait)
	}
	if err != nil {
		return Result{}, err
	}
	at, _ := pace.History(r.Config.Dir)
	if dry {
		temp, remove, err := safefile.Scratch("")
		if err != nil {
			return Result{}, err
		}
		defer remove()
		at = filepath.Join(temp, "repo")
	}
	if s.repo, err = gitrepo.Open(ctx, at, r.Batch); err != nil {
		return Result{}, err
	}
	defer s.repo.Close()
	err = s.try(ctx)
	if errors.Is(err, gitrepo.ErrDamaged) && !dry {
		if err = s.repo.Renew(s.Remote); err == nil {
			s.say("the history on this machine was damaged: it is made anew from the remote, and nothing is lost")
			err = s.try(ctx)
		}
	}
	if err == nil && !s.moved && s.isNarrower(was) {
		s.say("what was sent before stays there; from now on less goes (memento sync --status)")
	}
	return s.result, err
}

// try makes attempts until one succeeds.
func (s *run) try(ctx context.Context) error {
	for try := range attempts {
		err := s.once()
		if try == attempts-1 || !errors.Is(err, gitrepo.ErrRejected) && !errors.Is(err, ErrAgain) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Duration(rand.IntN(20<<min(try, 6))) * time.Millisecond):
		}
	}
	return nil
}

// sides are the three sides of a merge, where they come from, and what comes out.
type sides struct {
	base, local, remote tree
	merged              tree
	head                gitrepo.ID // of the remote; "" for an empty one
	isNew               bool       // the history begins anew: somebody has forgotten something
}

// once is one attempt.
func (s *run) once() error {
	s.isDirty, s.gone = false, nil
	s.result = Result{IsFirst: s.moved, Erased: s.result.Erased}
	steps := []func(*sides) error{s.fetch, s.tellCopyApart, s.findProjects, s.learnErased, s.eraseSides, s.exportClean,
		s.merge, s.count}
	if !s.dry {
		steps = append(steps, s.bringIn, s.commit)
	}
	var at sides
	for _, step := range steps {
		if err := step(&at); err != nil {
			return err
		}
	}
	return nil
}

// fetch reads the base and the remote.
func (s *run) fetch(at *sides) (err error) {
	s.doing("fetching from the remote", 0, 0)
	if at.head, err = s.repo.Fetch(s.Remote); err != nil || at.head == "" {
		return err
	}
	if at.remote, err = s.files(at.head); err == nil {
		err = s.checkFormat(at.remote)
	}
	if err != nil {
		return err
	}
	return s.findBase(at)
}

// findBase reads the tree that this store and the remote had in common last: that of the last sync, or an earlier one
// where somebody brought the remote back from a backup; none where the repository here and the remote began anew.
func (s *run) findBase(at *sides) error {
	was := gitrepo.ID(s.Merged)
	if was == at.head {
		at.base = maps.Clone(at.remote)
		return nil
	}
	if was == "" || !s.repo.Has(was) {
		at.isNew = was != ""
		s.Merged = "" // so that the cache does not count, either
		return nil
	}
	common, err := s.repo.Common(was, at.head)
	if at.isNew = err == nil && common == ""; !at.isNew {
		was = common
	}
	if err == nil {
		at.base, err = s.files(was)
	}
	if at.isNew && at.base[formatPath] != at.remote[formatPath] { // this remote never had what was merged last
		at.isNew, at.base = false, nil
	}
	return err
}

func (s *run) files(commit gitrepo.ID) (tree, error) {
	files, err := s.repo.Files(commit)
	maps.DeleteFunc(files, func(path string, _ gitrepo.ID) bool { return placeOf(path).kind == unknown })
	return tree(files), err
}

// checkFormat refuses a tree that memento did not write, or that a newer one did.
func (s *run) checkFormat(t tree) error {
	blob, ok := t[formatPath]
	if !ok {
		return gitrepo.ErrForeign
	}
	data, err := s.read(formatPath, blob)
	if err != nil {
		return err
	}
	var is struct {
		Version int
		History string
	}
	switch {
	case json.Unmarshal(data, &is) != nil || is.Version < 1:
		return gitrepo.ErrForeign
	case is.Version > version:
		return &gitrepo.Problem{What: "the remote is of a newer memento", Why: fmt.Sprintf(
			"its version is %d, this memento knows %d", is.Version, version), Hint: "update memento on this machine"}
	}
	return nil
}

// maxSenders is how many machines are named.
const maxSenders = 20

// nameSenders finds the machines whose commits arrived.
func (s *run) nameSenders(at *sides) error {
	for path := range differing(at.base, at.remote) {
		to := placeOf(path)
		if to.kind != machines || to.name == s.me.ID {
			continue
		}
		data, err := s.read(path, at.remote[path])
		if err != nil {
			return err
		}
		if who := nameOf(data); who != "" && len(s.result.From) < maxSenders {
			s.result.From = append(s.result.From, who)
		}
	}
	slices.Sort(s.result.From)
	s.result.From = slices.Compact(s.result.From)
	return nil
}

// findProjects finds the chosen projects, under the names that they have in the remote.
func (s *run) findProjects(at *sides) error {
	known, err := s.known(s.me)
	if err != nil {
		return err
	}
	far, err := s.readProjects(at.remote)
	if err == nil {
		err = s.follow(known, far, at)
	}
	if err == nil {
		err = s.choose(known, far)
	}
	if err != nil {
		return err
	}
	s.projects, s.slugs = map[string]shared{}, map[string]string{}
	for _, p := range known {
		s.slugs[p.pid] = p.name
		if a, ok := far[p.pid]; ok {
			p.far = a.Name
		}
		if !s.chosen(p.pid) {
			continue
		}
		if other, isTwice := s.projects[p.pid]; isTwice {
			s.say("%s and %s are one project by now, and only %[2]s is synced: "+
				"memento workspace rename %[1]s %[2]s makes one of both", p.slug, other.slug)
			continue
		}
		s.projects[p.pid] = p
	}
	if err := s.arriveAll(far); err != nil {
		return err
	}
	for pid, p := range s.projects {
		s.names[pid] = p.far
	}
	return nil
}

// readProjects reads the projects of a tree, and notes their names.
func (s *run) readProjects(t tree) (map[string]aboutProject, error) {
	far := map[string]aboutProject{}
	s.names = map[string]string{}
	for path, blob := range t {
		at := placeOf(path)
		if at.kind != about {
			continue
		}
		data, err := s.read(path, blob)
		if err != nil {
			return nil, err
		}
		if a, ok := aboutOf(data); ok && project.SharedName(a.ID) == at.project {
			far[at.project], s.names[at.project] = a, a.Name
		}
	}
	return far, nil
}

func (s *run) chosen(pid string) bool {
	return s.All || pid == person || slices.Contains(s.Projects, pid)
}

// commit commits the merged tree, sends it, and notes that both sides have it.
func (s *run) commit(at *sides) (err error) {
	next := at.head
	if at.head == "" || s.isNew || s.hasMoved || !maps.Equal(at.merged, at.remote) {
		parent := at.head
		if s.isNew { // what was forgotten stands in the old history, so that ends then
			parent = ""
		}
		brings := cmp.Or(s.result.Sent.Words(), "nothing new") // a machine's first sync, or a merge
		if err = s.noteCommit(at.merged); err == nil {
			next, err = s.repo.Commit(at.merged, parent, s.me.Name, brings, s.Now())
		}
	}
	if err == nil && next != at.head {
		s.doing("sending to the remote", 0, 0)
		err = s.repo.Push(s.Remote, next, at.head)
	}
	if err != nil {
		return err
	}
	if at.isNew || s.isNew || s.Forgets != s.erased.Forgets() { // the cache and the copy here hold what was forgotten
		if err = session.Clear(s.Config.Dir, s.Wait); err == nil {
			err = s.repo.Renew("") // with what was merged last, or words that one side erased would count as new
		}
	} else {
		err = s.repo.Gather()
	}
	if err != nil {
		return err
	}
	s.Merged, s.Applied, s.Forgets = string(next), s.erased.Sum(), s.erased.Forgets()
	s.saveCache(at.merged)
	return s.save(s.Settings)
}

// noteCommit counts this machine's commits, here and in the tree. A higher one there is that of a copy of this store.
func (s *run) noteCommit(merged tree) error {
	s.Commits++
	blob, err := s.repo.Put(s.aboutMachine())
	if err != nil {
		return err
	}
	merged[s.ownPath()] = blob
	return s.save(s.Settings)
}

// ownPath is the path of this machine's file.
func (s *run) ownPath() string { return "machines/" + s.me.ID + ".json" }

// aboutMachine is the file of this machine.
func (s *run) aboutMachine() []byte {
	data, _ := json.Marshal(machineFile{s.me.Name, s.Commits}) // a string and a number always marshal
	return append(data, '\n')
}

// tellCopyApart gives this machine a new id when another one has a copy of this store, and the same id.
func (s *run) tellCopyApart(at *sides) error {
	data, err := s.read(s.ownPath(), at.remote[s.ownPath()])
	var there machineFile
	if err != nil || s.dry || json.Unmarshal(data, &there) != nil || there.Commits <= s.Commits {
		return err
	}
	s.say("another machine has a copy of this store: this one has a new id from now on")
	s.me, err = machine.Renew(s.Config.Dir, s.Wait)
	return err
}

// maxArrivals is how many projects may arrive by one sync.
const maxArrivals = 500

// arriveAll adds the chosen projects that this machine does not have.
func (s *run) arriveAll(far map[string]aboutProject) error {
	var news []string
	for _, pid := range slices.Sorted(maps.Keys(far)) {
		if _, isHere := s.projects[pid]; !isHere && s.chosen(pid) {
			news = append(news, pid)
		}
	}
	if len(news) > maxArrivals {
		return &gitrepo.Problem{What: "the remote holds more than any person's work", Why: fmt.Sprintf(
			"%d projects are new here, at most %d may be", len(news), maxArrivals),
			Hint: "memento sync --off, then memento sync REMOTE --project NAME"}
	}
	for _, pid := range news {
		p := shared{id: far[pid].ID, pid: pid, far: far[pid].Name}
		if err := s.arrive(&p); err != nil {
			return err
		}
		s.projects[pid] = p
	}
	return nil
}

// arrive finds the slug of a project that came from another machine. A dry run takes its name.
func (s *run) arrive(p *shared) (err error) {
	p.slug = p.far
	if !s.dry {
		p.slug, err = project.Arrive(s.Config.Dir, p.id, p.far, s.Now(), s.Wait)
	}
	p.name = p.slug
	if err == nil && p.slug != p.far {
		s.say("another machine's %s is called %s here; if it is the %[1]s of this machine, "+
			"memento workspace rename %[2]s %[1]s makes one of both", p.far, p.slug)
	}
	return err
}
