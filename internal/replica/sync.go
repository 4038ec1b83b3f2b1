package replica

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/gitrepo"
	"github.com/mementohq/memento/internal/machine"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/project"
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
	projects []shared
	cache    map[string]string // path -> stamp and blob, of the last sync
	fresh    map[string]string // the same of this one
	paths    map[string]string // id of a record here -> path
	refused  map[string]bool   // paths in the remote that memento leaves alone
	isDirty  bool              // the store holds what was forgotten
	forgot   forgottenState
	heldBy   map[string]map[string]string // ids of the machines where the sessions of a project were held; none for here
	result   Result
}

// attempts is how often a sync begins again when somebody else was faster, or wrote in the store meanwhile.
const attempts = 12

// errAgain says that the store changed under the sync.
var errAgain = errors.New("the store changes all the time")

// Sync brings this store and the remote to the same state, or without a remote commits what is new. What was chosen
// counts from then on, if the sync succeeds. With dry Sync changes nothing here or there, and returns what it would do.
// Errors: ErrOff, *UnknownProjectError, safefile.ErrBusy while another sync runs, *gitrepo.Problem,
// gitrepo.ErrForeign, the disk's. After an error the store is whole, and the next Sync goes on.
func (r *Replica) Sync(ctx context.Context, c Choice, dry bool) (Result, error) {
	unlock, err := r.lock()
	if err != nil {
		return Result{}, err
	}
	defer unlock()
	was, err := r.Load()
	if err != nil {
		return Result{}, err
	}
	s := &run{Replica: r, dry: dry, wanted: c.Projects}
	if s.Settings, err = was.with(c, r.Home); err != nil {
		return Result{}, err
	}
	s.moved = was.Remote != s.Remote
	if s.me, err = r.me(); err == nil && c.Name != "" && !dry {
		s.me, err = machine.SetName(r.Config.Dir, c.Name, r.Wait)
	}
	if err != nil {
		return Result{}, err
	}
	if dry {
		temp, err := os.MkdirTemp("", "memento-sync-")
		if err != nil {
			return Result{}, err
		}
		defer func() { _ = os.RemoveAll(temp) }()
		s.repo, err = gitrepo.Open(filepath.Join(temp, "repo"))
		if err != nil {
			return Result{}, err
		}
	} else if s.repo, err = r.Repo(); err != nil {
		return Result{}, err
	}
	defer func() { _ = s.repo.Close() }()
	for try := range attempts {
		err = s.once(ctx)
		if !errors.Is(err, gitrepo.ErrRejected) && !errors.Is(err, errAgain) {
			break
		}
		select {
		case <-ctx.Done():
			return s.result, ctx.Err()
		case <-time.After(time.Duration(rand.IntN(20<<min(try, 6))) * time.Millisecond):
		}
	}
	return s.result, err
}

// sides are the three sides of a merge, and where they come from.
type sides struct {
	base, local, remote tree
	head                gitrepo.ID // of the remote, or of the history here when there is none; "" for an empty one
	isNew               bool       // the history begins anew: somebody has forgotten something
}

// once is one attempt.
func (s *run) once(ctx context.Context) error {
	s.isDirty = false
	s.result = Result{Remote: gitrepo.Mask(s.Remote), IsFirst: s.moved, Erased: s.result.Erased}
	at, err := s.fetch(ctx)
	if err != nil {
		return err
	}
	if err := s.learnForgotten(at); err != nil {
		return err
	}
	if err := s.findProjects(at.remote); err != nil {
		return err
	}
	if err := s.eraseSides(&at); err != nil {
		return err
	}
	if err := s.findHolders(at.remote); err != nil {
		return err
	}
	if at.local, err = s.exportClean(at.base); err != nil {
		return err
	}
	merged, err := s.merge(at)
	if err != nil {
		return err
	}
	s.count(at, merged)
	if err := s.nameSenders(at); err != nil {
		return err
	}
	if s.dry {
		return nil
	}
	if err := s.bringIn(at.local, merged); err != nil {
		return err
	}
	return s.commit(ctx, at, merged)
}

// fetch reads the base and the remote.
func (s *run) fetch(ctx context.Context) (at sides, err error) {
	was, err := s.repo.Ref(base)
	if err != nil {
		return at, err
	}
	if at.head, err = s.repo.Ref(main); err != nil {
		return at, err
	}
	if s.Remote != "" {
		if at.head, err = s.repo.Fetch(ctx, s.remote()); err != nil {
			return at, err
		}
		if at.head == "" || s.moved {
			was = "" // it and this store never had anything in common
		}
	} else {
		was = at.head
	}
	if was != "" {
		if at.base, err = s.files(was); err != nil {
			return at, err
		}
	}
	if at.head == "" {
		return at, nil
	}
	if at.head == was {
		at.remote = maps.Clone(at.base)
	} else if at.remote, err = s.files(at.head); err != nil {
		return at, err
	}
	if err := s.checkFormat(at.remote); err != nil {
		return at, err
	}
	if was != "" {
		isBehind, err := s.repo.IsAncestor(was, at.head)
		at.isNew = err == nil && !isBehind
	}
	return at, err
}

func (s *run) remote() gitrepo.Remote {
	return gitrepo.Remote{URL: s.Remote, Batch: s.Batch, Git: s.Git}
}

func (s *run) files(commit gitrepo.ID) (tree, error) {
	files, err := s.repo.Files(commit)
	return tree(files), err
}

// checkFormat refuses a tree that memento did not write, or that a newer one did.
func (s *run) checkFormat(t tree) error {
	blob, ok := t[formatPath]
	if !ok {
		return gitrepo.ErrForeign
	}
	data, err := s.repo.Read(blob)
	if err != nil {
		return err
	}
	var is struct{ Version int }
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
func (s *run) nameSenders(at sides) error {
	last, err := s.repo.Ref(base)
	if err != nil || at.head == "" || s.Remote == "" {
		return err
	}
	return s.repo.Log(at.head, "", func(c gitrepo.Commit) bool {
		if c.ID == last {
			return false
		}
		isOurs := strings.Contains(c.Message, trailer+s.me.ID)
		if who := machine.CleanName(c.Who); !isOurs && !slices.Contains(s.result.From, who) {
			s.result.From = append(s.result.From, who)
		}
		return len(s.result.From) < maxSenders
	})
}

// findProjects finds the chosen projects, under the names that they have in the remote.
func (s *run) findProjects(remote tree) error {
	known, err := s.known(s.me.ID)
	if err != nil {
		return err
	}
	far := map[string]aboutProject{}
	for path, blob := range remote {
		if at := placeOf(path); at.kind == about {
			data, err := s.read(path, blob)
			if errors.Is(err, errLarge) {
				continue
			}
			if err != nil {
				return err
			}
			if a, ok := aboutOf(data); ok && project.SharedName(a.ID) == at.project {
				far[at.project] = a
			}
		}
	}
	if err := s.choose(known, far); err != nil {
		return err
	}
	s.projects = nil
	has := map[string]bool{}
	for _, p := range known {
		if a, ok := far[p.pid]; ok {
			p.far = a.Name
		}
		if has[p.pid] || !s.chosen(p.pid) {
			continue
		}
		has[p.pid] = true
		s.projects = append(s.projects, p)
	}
	for _, pid := range slices.Sorted(maps.Keys(far)) {
		if a := far[pid]; !has[pid] && s.chosen(pid) {
			p := shared{id: a.ID, pid: pid, far: a.Name}
			if err := s.arrive(&p); err != nil {
				return err
			}
			s.projects = append(s.projects, p)
		}
	}
	for _, p := range s.projects {
		if p.slug != "" {
			s.result.Projects = append(s.result.Projects, p.slug)
		}
	}
	slices.Sort(s.result.Projects)
	return nil
}

func (s *run) chosen(pid string) bool {
	return s.All || pid == person || slices.Contains(s.Projects, pid)
}

// commit commits the merged tree, sends it, and notes that both sides have it.
func (s *run) commit(ctx context.Context, at sides, merged tree) error {
	// what this repository holds beside the remote's newest commit may hold what was forgotten
	isNew := at.isNew || s.forgot.isNew || s.Clean != s.forgot.hash
	head, err := s.repo.Ref(main)
	if err != nil {
		return err
	}
	next := at.head
	if at.head == "" || s.forgot.isNew || !maps.Equal(merged, at.remote) {
		var parents []gitrepo.ID
		switch {
		case s.forgot.isNew:
		case isNew || head == "" || head == at.head:
			parents = nonEmpty(at.head)
		default:
			parents = nonEmpty(at.head)
			if isIn, err := s.repo.IsAncestor(head, at.head); err != nil || !isIn {
				parents = append(parents, head)
			}
		}
		if next, err = s.repo.Commit(merged, parents, s.me.Name, s.message(), s.Now()); err != nil {
			return err
		}
	}
	if s.Remote != "" && next != at.head {
		if err := s.repo.Push(ctx, s.remote(), next, at.head); err != nil {
			return err
		}
	}
	if isNew && s.Clean == s.forgot.hash {
		s.Clean = unclean // until Keep is done
		if err := s.save(s.Settings); err != nil {
			return err
		}
	}
	for _, branch := range [...]string{base, main} {
		if err := s.repo.SetRef(branch, next); err != nil {
			return err
		}
	}
	if isNew {
		if err := s.repo.Keep(next); err != nil {
			return err
		}
	}
	s.saveCache(s.forgot.hash, merged)
	s.Applied, s.Clean = s.forgot.hash, s.forgot.hash
	return s.save(s.Settings)
}

// unclean stands in Settings.Clean for no fingerprints at all.
const unclean = "-"

func nonEmpty(ids ...gitrepo.ID) (out []gitrepo.ID) {
	for _, id := range ids {
		if id != "" {
			out = append(out, id)
		}
	}
	return out
}

// trailer begins the line of a commit's message with the id of the machine that made it.
const trailer = "Machine: "

// message says in one line what a commit brings, and in another which machine made it.
func (s *run) message() string {
	what := s.result.Sent.Words()
	if what == "" { // a machine's first sync, or a merge
		what = "nothing new"
	}
	return what + "\n\n" + trailer + s.me.ID + "\n"
}

// arrive finds the slug of a project that came from another machine. A dry run takes its name.
func (s *run) arrive(p *shared) (err error) {
	p.slug = p.far
	if !s.dry {
		p.slug, err = project.Arrive(s.Config.Dir, p.id, p.far, s.Now(), s.Wait)
	}
	p.name = naming.Project(p.slug)
	return err
}
