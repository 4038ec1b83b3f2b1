package gitrepo

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/mementohq/memento/internal/safefile"
)

// Remote is another repository, and how to reach it.
type Remote struct {
	URL   string   // as git takes it: an address or a folder
	Batch bool     // ask nothing: fail instead
	Env   []string // the environment of the program, nil for this one's
	Git   string   // the path of git, "" to do without
}

const (
	theirs  = "refs/heads/main"
	fetched = plumbing.ReferenceName("refs/remotes/sync/main")
)

// Fetch brings the remote's branch main, with all it reaches, and returns the commit it points to, "" for an empty
// remote. Errors: ErrForeign for a remote that has branches or tags but no branch main, a Problem, ctx's. Other branches
// beside main are passed over.
func (r *Repo) Fetch(ctx context.Context, from Remote) (head ID, err error) {
	if err := CheckURL(from.URL); err != nil {
		return "", err
	}
	if err := r.prepare(); err != nil {
		return "", problemOf(from, "", err)
	}
	if from.Git == "" {
		return r.fetch(ctx, from)
	}
	_, err = r.git(ctx, from, "fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-prune", "--",
		from.URL, "+"+theirs+":"+string(fetched))
	r.reopen()
	// git 2.28 and older do not know --no-write-fetch-head.
	if failed := safefile.Remove(filepath.Join(r.dir, "FETCH_HEAD")); err == nil {
		err = failed
	}
	if err == nil {
		r.reopen()
		return r.ref(fetched)
	}
	if !strings.Contains(out, "couldn't find remote ref") && !strings.Contains(out, "Couldn't find remote ref") {
		return "", err
	}
	refs, err := r.git(ctx, from, "ls-remote", "-q", "--", from.URL)
	if err != nil {
		return "", err
	}
	if strings.TrimSpace(refs) != "" {
		return "", ErrForeign
	}
	return "", nil
}

// Push sends the commit, and lets the remote's branch main point to it. The branch must point to the commit expect, or
// not exist if expect is "". Errors: ErrRejected when it does not, a Problem, ctx's.
func (r *Repo) Push(ctx context.Context, to Remote, commit, expect ID) error {
	if err := CheckURL(to.URL); err != nil {
		return err
	}
	out, err := r.git(ctx, to, "push", "--porcelain", "--no-verify", "--force-with-lease="+theirs+":"+string(expect),
		"--",
		to.URL, string(commit)+":"+theirs)
	if err != nil && strings.Contains(out, "[rejected]") {
		return ErrRejected
	}
	return err
}

// git runs git and returns all it wrote.
func (r *Repo) git(ctx context.Context, at Remote, args ...string) (string, error) {
	args = append([]string{"--git-dir=" + r.dir, "-c", "protocol.ext.allow=never", "-c", "protocol.fd.allow=never",
		"-c", "core.hooksPath=/dev/null", "-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c",
		"fetch.unpackLimit=1",
		"-c", "transfer.unpackLimit=1"}, args...)
	cmd := exec.CommandContext(ctx, at.Git, args...)
	cmd.Env = append(os.Environ(), at.Env...)
	cmd.WaitDelay = 3 * time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		return out.String(), &Problem{What: "git failed", Why: fmt.Sprint(err, ": ", strings.TrimSpace(out.String())),
			err: err}
	}
	return out.String(), nil
}
