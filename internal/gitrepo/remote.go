package gitrepo

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"
)

// findGit returns the path of the person's git. Errors: a *Problem if there is none.
func findGit() (string, error) {
	path, err := exec.LookPath("git") // it refuses a git in the current folder
	if err == nil && runtime.GOOS == "darwin" && path == "/usr/bin/git" &&
		!exists("/Library/Developer/CommandLineTools/usr/bin/git") && !exists("/Applications/Xcode.app") {
		err = exec.ErrNotFound // this one opens a window that offers to install git
	}
	if err != nil {
		return "", &Problem{What: "there is no git here", Why: "memento syncs with your git",
			Hint: "install git, then the same command again", err: err}
	}
	return path, nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// Fetch brings the branch main of the remote at url, with all it reaches, and returns the commit it points to, "" for
// an empty remote. url is as git takes it: an address or a folder. Errors: ErrForeign for a remote that has branches or
// tags but no branch main, a *Problem, ctx's. It passes over branches beside main.
func (r *Repo) Fetch(url string) (head ID, err error) {
	if err := CheckURL(url); err != nil {
		return "", err
	}
	for try := time.Duration(1); ; try++ {
		head, err = r.fetchOnce(url)
		if !errors.Is(err, errAgain) || try > 4 {
			return head, err
		}
		time.Sleep(try * 50 * time.Millisecond)
	}
}

// errAgain says that another git was at work, which a second try does not meet.
var errAgain = errors.New("another git is at work")

func (r *Repo) fetchOnce(url string) (ID, error) {
	_, err := r.git(nil, "fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-prune", "--", url,
		"+"+branch+":"+branch)
	if err == nil {
		return r.commitAt(branch)
	}
	var failed *gitError
	switch {
	case !errors.As(err, &failed):
		return "", problemOf(url, "", err)
	case strings.Contains(failed.said, "cannot lock ref"):
		return "", fmt.Errorf("%w: %w", errAgain, problemOf(url, "", err)) // the git of a memento that was killed
	case !strings.Contains(strings.ToLower(failed.said), "couldn't find remote ref"):
		return "", problemOf(url, "", err)
	}
	refs, err := r.git(nil, "ls-remote", "--quiet", "--", url)
	switch {
	case err != nil:
		return "", problemOf(url, "", err)
	case strings.Contains(refs, "\t"+branch+"\n"):
		return "", fmt.Errorf("%w: %w", errAgain, ErrForeign) // somebody has just sent the first commit
	case strings.TrimSpace(refs) != "":
		return "", ErrForeign
	}
	return "", nil
}

// Push sends the commit, and lets the branch main of the remote at url point to it. The branch must point to the commit
// expect, or not exist if expect is "". It does nothing if the branch points to the commit already. Errors: ErrRejected
// when the branch points elsewhere, a *Problem, ctx's.
func (r *Repo) Push(url string, commit, expect ID) error {
	if err := CheckURL(url); err != nil {
		return err
	}
	out, err := r.git(nil, "push", "--porcelain", "--no-verify", "--no-recurse-submodules", "--no-follow-tags",
		"--no-signed", "--force-with-lease="+branch+":"+string(expect), "--", url, string(commit)+":"+branch)
	if err == nil {
		return nil
	}
	for line := range strings.Lines(out) {
		if mark, rest, _ := strings.Cut(strings.TrimSpace(line), "\t"); mark == "!" {
			_, status, _ := strings.Cut(rest, "\t")
			return problemOf(url, status, err)
		}
	}
	return problemOf(url, "", err)
}

// Common returns the newest commit that a and b have in common, "" for none. Errors: ErrDamaged, ctx's.
func (r *Repo) Common(a, b ID) (ID, error) {
	out, err := r.git(nil, "merge-base", string(a), string(b))
	var failed *gitError
	if errors.As(err, &failed) && failed.said == "" {
		return "", nil
	}
	return ID(strings.TrimSpace(out)), r.local(err)
}

// gitError is what git said when it failed.
type gitError struct {
	said string // all it wrote to standard error
	err  error
}

func (e *gitError) Error() string { return e.err.Error() + ": " + strings.TrimSpace(e.said) }
func (e *gitError) Unwrap() error { return e.err }

// maxOutput is how many bytes git may print: a small tree can name one folder again and again, and so have any size.
const maxOutput = 64 << 20

// bounded keeps the first maxOutput bytes that are written to it.
type bounded struct {
	kept   bytes.Buffer
	isFull bool
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.isFull = b.isFull || b.kept.Len()+len(p) > maxOutput; b.isFull {
		return 0, io.ErrShortWrite
	}
	return b.kept.Write(p)
}

// git runs git in the repository with this input, and returns its output. Errors: *gitError, a *Problem, ctx's.
func (r *Repo) git(in io.Reader, args ...string) (string, error) {
	var out, said bounded
	cmd := r.command(args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, &out, &said
	err := cmd.Run()
	switch {
	case r.ctx.Err() != nil:
		return "", r.ctx.Err()
	case cmd.ProcessState == nil:
		return "", notStarted(err)
	case out.isFull:
		return "", damaged(errors.New("it has too many files"))
	case err != nil && strings.Contains(said.kept.String(), r.dir):
		err = damaged(err)
	}
	if err != nil {
		return out.kept.String(), &gitError{said.kept.String(), err}
	}
	return out.kept.String(), nil
}

// command returns a git that works in the repository, and does nothing besides.
func (r *Repo) command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(r.ctx, r.program, append([]string{"--git-dir=" + r.dir,
		"-c", "protocol.ext.allow=never", "-c", "protocol.fd.allow=never", // an address must not run a command
		"-c", "core.hooksPath=/dev/null", // nor must a push or a fetch
		"-c", "gc.auto=0", "-c", "maintenance.auto=false", // Gather does that; nothing runs on behind
		"-c", "core.fsync=all", "-c", "core.fsyncMethod=fsync",
		"-c", "fetch.unpackLimit=1", "-c", "transfer.unpackLimit=1", // one pack, which every git forces to the disk
		"-c", "fastimport.unpackLimit=0",
		"-c", "fetch.writeCommitGraph=false", "-c", "fetch.recurseSubmodules=false"}, args...)...)
	cmd.Env = r.environment()
	if r.isBatch {
		detach(cmd)
	}
	cmd.Cancel = func() error { return stop(cmd) }
	cmd.WaitDelay = 3 * time.Second // a program that git started may live on
	return cmd
}

// passed begin the variables of git that reach it: who one is, and how a host is reached. Any other could lead git to
// another repository or other objects, as in a hook of git, which has GIT_DIR.
var passed = []string{"GIT_SSH", "GIT_ASKPASS", "GIT_PROXY_", "GIT_SSL_", "GIT_HTTP_", "GIT_CONFIG_GLOBAL",
	"GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_EXEC_PATH", "GIT_ALLOW_PROTOCOL", "GIT_TERMINAL_PROMPT",
	"GIT_CURL_VERBOSE"}

// environment returns the environment of git.
func (r *Repo) environment() []string {
	env := slices.DeleteFunc(os.Environ(), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		name = strings.ToUpper(name) // Windows does not tell them apart
		isPassed := slices.ContainsFunc(passed, func(p string) bool { return strings.HasPrefix(name, p) })
		return strings.HasPrefix(name, "GIT_") && !isPassed || name == "LC_ALL" || name == "LANGUAGE"
	})
	env = append(env, "GIT_NO_REPLACE_OBJECTS=1", "LC_ALL=C", "LANGUAGE=C") // problemOf recognises what git says
	if !r.isBatch {
		return env
	}
	return append(env, "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS=", "SSH_ASKPASS_REQUIRE=never",
		"GCM_INTERACTIVE=never", "DISPLAY=")
}
