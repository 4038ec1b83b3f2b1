package gitrepo

import (
	"bytes"
	"context"
	"errors"
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
	URL   string // as git takes it: an address or a folder
	Batch bool   // ask nothing: fail instead
	Git   string // the path of git, see Git
}

// The branch that is exchanged, and where git notes what it fetched.
const (
	theirs  = "refs/heads/main"
	fetched = plumbing.ReferenceName("refs/remotes/sync/main")
)

// Git returns the path of the person's git, "" if there is none.
func Git() string {
	path, err := exec.LookPath("git") // it refuses a git in the current folder
	if err != nil {
		return ""
	}
	if runtime.GOOS == "darwin" && path == "/usr/bin/git" &&
		!exists("/Library/Developer/CommandLineTools/usr/bin/git") &&
		!exists("/Applications/Xcode.app") {
		return "" // this one opens a window that offers to install git
	}
	return path
}

// errNoGit says that nothing can reach a remote: only git knows the person's hosts, keys and passwords.
var errNoGit = &Problem{What: "there is no git here", Why: "memento-sync reaches a remote with your git",
	Hint: "install git, then sync again"}

// Fetch brings the remote's branch main, with all it reaches, and returns the commit it points to, "" for an empty
// remote. Errors: ErrForeign for a remote that has branches or tags but no branch main, a *Problem, ctx's. It passes
// over branches beside main.
func (r *Repo) Fetch(ctx context.Context, from Remote) (head ID, err error) {
	if err := CheckURL(from.URL); err != nil {
		return "", err
	}
	if err := r.sweep(staleAge); err != nil {
		return "", problemOf(from, "", damaged(err))
	}
	if from.Git == "" {
		return "", errNoGit
	}
	for try := time.Duration(1); ; try++ {
		head, err = r.fetchWithGit(ctx, from)
		if !errors.Is(err, errAgain) || try > 4 {
			return head, err
		}
		time.Sleep(try * 50 * time.Millisecond)
	}
}

// errAgain says that another git was at work, which a second try does not meet.
var errAgain = errors.New("another git is at work")

func (r *Repo) fetchWithGit(ctx context.Context, from Remote) (ID, error) {
	_, err := r.git(ctx, from, "fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-prune", "--",
		from.URL, "+"+theirs+":"+string(fetched))
	r.reopen()
	// git 2.28 and older do not know --no-write-fetch-head.
	if failed := safefile.Remove(filepath.Join(r.dir, "FETCH_HEAD")); err == nil {
		err = failed
	}
	if err == nil {
		return r.ref(fetched)
	}
	var failed *gitError
	switch {
	case !errors.As(err, &failed):
		return "", problemOf(from, "", err)
	case strings.Contains(failed.said, "cannot lock ref '"+string(fetched)+"'"):
		return "", fmt.Errorf("%w: %w", errAgain, problemOf(from, "", err)) // the git of a memento that was killed
	case !strings.Contains(strings.ToLower(failed.said), "couldn't find remote ref"):
		return "", problemOf(from, "", err)
	}
	refs, err := r.git(ctx, from, "ls-remote", "--quiet", "--", from.URL)
	switch {
	case err != nil:
		return "", problemOf(from, "", err)
	case strings.Contains(refs, "\t"+theirs+"\n"):
		return "", fmt.Errorf("%w: %w", errAgain, ErrForeign) // somebody has just sent the first commit
	case strings.TrimSpace(refs) != "":
		return "", ErrForeign
	}
	return "", nil
}

// Push sends the commit, and lets the remote's branch main point to it. The branch must point to the commit expect, or
// not exist if expect is "". It does nothing if the branch points to the commit already. Errors: ErrRejected when the
// branch points elsewhere, a *Problem, ctx's.
func (r *Repo) Push(ctx context.Context, to Remote, commit, expect ID) error {
	if err := CheckURL(to.URL); err != nil {
		return err
	}
	if _, err := r.tree(commit); err != nil {
		return err
	}
	if to.Git == "" {
		return errNoGit
	}
	out, err := r.git(ctx, to, "push", "--porcelain", "--no-verify", "--no-recurse-submodules", "--no-follow-tags",
		"--no-signed", "--force-with-lease="+theirs+":"+string(expect), "--", to.URL, string(commit)+":"+theirs)
	if err == nil {
		return nil
	}
	for line := range strings.Lines(out) {
		if mark, rest, _ := strings.Cut(strings.TrimSpace(line), "\t"); mark == "!" {
			_, status, _ := strings.Cut(rest, "\t")
			return rejection(to, status, err)
		}
	}
	return problemOf(to, "", err)
}

// gitError is what git said when it failed.
type gitError struct {
	said string // all it wrote to standard error
	err  error
}

func (e *gitError) Error() string { return e.err.Error() + ": " + strings.TrimSpace(e.said) }
func (e *gitError) Unwrap() error { return e.err }

// git runs git in the repository and returns its standard output.
func (r *Repo) git(ctx context.Context, at Remote, args ...string) (string, error) {
	var out, said bytes.Buffer
	cmd := exec.CommandContext(ctx, at.Git, append([]string{"--git-dir=" + r.dir,
		"-c", "protocol.ext.allow=never", "-c", "protocol.fd.allow=never", // an address must not run a command
		"-c", "core.hooksPath=/dev/null", // nor must a push or a fetch
		"-c", "gc.auto=0", "-c", "maintenance.auto=false", // Gather does that; nothing runs on behind
		"-c", "fetch.unpackLimit=1", "-c", "transfer.unpackLimit=1", // one pack, which every git forces to the disk
		"-c", "fetch.writeCommitGraph=false", "-c", "fetch.recurseSubmodules=false"}, args...)...)
	cmd.Env = environment(at)
	cmd.Stdout, cmd.Stderr = &out, &said
	if at.Batch {
		detach(cmd)
	}
	cmd.Cancel = func() error { return stop(cmd) }
	cmd.WaitDelay = 3 * time.Second // a program that git started may live on
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		if strings.Contains(said.String(), r.dir) {
			err = damaged(err)
		}
		return out.String(), &gitError{said.String(), err}
	}
	return out.String(), nil
}

// passed are the variables of git that reach it: who one is, and how a host is reached. Any other could lead git to
// another repository or other objects, as in a hook of git, which has GIT_DIR.
var passed = []string{"GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_ASKPASS", "GIT_PROXY_COMMAND",
	"GIT_PROXY_SSL_CAINFO", "GIT_PROXY_SSL_CERT", "GIT_PROXY_SSL_KEY", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH",
	"GIT_SSL_CERT",
	"GIT_SSL_CERT_TYPE", "GIT_SSL_KEY", "GIT_SSL_KEY_TYPE", "GIT_SSL_CERT_PASSWORD_PROTECTED", "GIT_SSL_NO_VERIFY",
	"GIT_SSL_VERSION", "GIT_SSL_CIPHER_LIST", "GIT_HTTP_LOW_SPEED_LIMIT", "GIT_HTTP_LOW_SPEED_TIME",
	"GIT_HTTP_MAX_REQUESTS", "GIT_HTTP_PROXY_AUTHMETHOD", "GIT_HTTP_USER_AGENT", "GIT_CONFIG_GLOBAL",
	"GIT_CONFIG_SYSTEM",
	"GIT_CONFIG_NOSYSTEM", "GIT_EXEC_PATH", "GIT_ALLOW_PROTOCOL", "GIT_TERMINAL_PROMPT", "GIT_CURL_VERBOSE"}

// environment returns the environment of git.
func environment(at Remote) []string {
	env := slices.DeleteFunc(os.Environ(), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		name = strings.ToUpper(name) // Windows does not tell them apart
		return strings.HasPrefix(name, "GIT_") && !slices.Contains(passed, name) || name == "LC_ALL" ||
			name == "LANGUAGE"
	})
	env = append(env, "LC_ALL=C", "LANGUAGE=C") // Problem recognises what git says
	if !at.Batch {
		return env
	}
	return append(env, "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS=", "SSH_ASKPASS_REQUIRE=never",
		"GCM_INTERACTIVE=never", "DISPLAY=")
}
