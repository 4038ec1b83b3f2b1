//go:build unix

package safefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
)

// somebody is the number of a user who runs no test.
const somebody = 12345

func mode(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode()
}

func TestModes(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	dir := filepath.Join(t.TempDir(), ".claude", ".memento")
	if err := Dir(dir); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "a")
	for _, err := range []error{
		Replace(path+"1", nil, 0o600), ReplaceVolatile(path+"2", nil, 0o600), Append(path+"3", nil, true),
		Replace(path+"6", nil, 0o644),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	unlock, err := Lock(path+"4", 0)
	if err != nil {
		t.Fatal(err)
	}
	unlock()
	fixture.Write(t, path+"5", "")
	if err := os.Chmod(path+"5", 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Replace(path+"5", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]fs.FileMode{filepath.Dir(dir): 0o700, dir: 0o700, path + "1": 0o600, path +
		"2": 0o600, path + "3": 0o600, path + "4": 0o600, path + "5": 0o600, path + "6": 0o644} {
		if got := mode(t, name).Perm(); got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
}

// impostors are things at a file's path that memento neither follows nor replaces. make returns a check that the
// thing is untouched.
var impostors = []struct {
	name string
	make func(t *testing.T, path string) (untouched func(t *testing.T))
}{
	{"a link to a file", func(t *testing.T, path string) func(*testing.T) {
		return link(t, path, filepath.Join(t.TempDir(), "theirs"), true)
	}},
	{"a dangling link", func(t *testing.T, path string) func(*testing.T) {
		return link(t, path, filepath.Join(t.TempDir(), "theirs"), false)
	}},
	{"a link to a folder", func(t *testing.T,
		path string) func(*testing.T) {
		return link(t, path, t.TempDir(), false)
	}},
	{"a folder", func(t *testing.T, path string) func(*testing.T) {
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
		return func(t *testing.T) {
			if !mode(t, path).IsDir() {
				t.Error("it is no folder any more")
			}
		}
	}},
	{"a pipe", func(t *testing.T, path string) func(*testing.T) {
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Fatal(err)
		}
		return func(t *testing.T) {
			if mode(t, path)&fs.ModeNamedPipe == 0 {
				t.Error("it is no pipe any more")
			}
		}
	}},
	{"a file of another user", func(t *testing.T, path string) func(*testing.T) {
		fixture.Write(t, path, "theirs")
		foreign(t, path)
		return func(t *testing.T) {
			if got := fixture.Read(t, path); got != "theirs" {
				t.Errorf("it holds %q", got)
			}
		}
	}},
}

func link(t *testing.T, path, target string, fill bool) func(*testing.T) {
	if fill {
		fixture.Write(t, target, "theirs")
	}
	if err := os.Symlink(target, path); err != nil {
		t.Fatal(err)
	}
	return func(t *testing.T) {
		if to, err := os.Readlink(path); err != nil || to != target {
			t.Errorf("it leads to %s, %v", to, err)
		}
		data, err := os.ReadFile(target)
		if fill && string(data) != "theirs" || !fill && err == nil {
			t.Errorf("what it leads to holds %q, %v", data, err)
		}
	}
}

// foreign gives path to another user. Only root can do that.
func foreign(t *testing.T, path string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("giving a file to another user needs root")
	}
	if err := os.Chown(path, somebody, -1); err != nil {
		t.Skip("giving a file to another user: ", err)
	}
}

func TestImpostors(t *testing.T) {
	for _, in := range impostors {
		for name, run := range map[string]func(path string) error{
			"Check":           Check,
			"Read":            func(p string) error { _, err := Read(p, 1<<20); return err },
			"Lines":           func(p string) error { return Lines(p, 1<<20, func([]byte) bool { return true }) },
			"Replace":         func(p string) error { return Replace(p, []byte(journal), 0o600) },
			"ReplaceVolatile": func(p string) error { return ReplaceVolatile(p, []byte(journal), 0o600) },
			"Append":          func(p string) error { return Append(p, []byte(journal), true) },
			"Move":            func(p string) error { return Move(p, p+".moved") },
			"Lock":            func(p string) error { _, err := Lock(p, time.Minute); return err },
		} {
			t.Run(in.name+"/"+name, func(t *testing.T) {
				dir := t.TempDir()
				path := filepath.Join(dir, "myapp--alice.json")
				untouched := in.make(t, path)
				if err := run(path); !errors.Is(err, ErrRefused) {
					t.Errorf("%v, want ErrRefused", err)
				}
				untouched(t)
				if got := names(t, dir); got != "myapp--alice.json" {
					t.Errorf("the folder holds %s", got)
				}
			})
		}
	}
}

// A link that appears between Lstat and opening is not followed either.
func TestLinkPutThereMeanwhile(t *testing.T) {
	for name, run := range map[string]func(path string) error{
		"Read":   func(p string) error { _, err := Read(p, 1<<20); return err },
		"Lines":  func(p string) error { return Lines(p, 1<<20, func([]byte) bool { return true }) },
		"Append": func(p string) error { return Append(p, []byte("ours"), true) },
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.jsonl")
			fixture.Write(t, path, "ours")
			var untouched func(*testing.T)
			testOnlyFault = func(op, path string) error {
				if untouched == nil {
					os.Remove(path)
					untouched = link(t, path, filepath.Join(t.TempDir(), "theirs"), true)
				}
				return nil
			}
			defer func() { testOnlyFault = nil }()
			if err := run(path); err == nil {
				t.Error("it was followed")
			}
			untouched(t)
		})
	}
}

// Remove removes the link itself, and Move refuses a link at the new name, wherever it leads.
func TestLinksAreNames(t *testing.T) {
	dir, elsewhere := t.TempDir(), filepath.Join(t.TempDir(), "theirs")
	fixture.Write(t, elsewhere, "theirs")
	a, b := filepath.Join(dir, "a.json"), filepath.Join(dir, "b.json")
	if err := os.Symlink(elsewhere, a); err != nil {
		t.Fatal(err)
	}
	if err := Remove(a); err != nil {
		t.Fatal(err)
	}
	if names(t, dir) != "" || fixture.Read(t, elsewhere) != "theirs" {
		t.Errorf("the folder holds %s, the target %q", names(t, dir), fixture.Read(t, elsewhere))
	}
	fixture.Write(t, a, journal)
	if err := os.Symlink(filepath.Join(dir, "nowhere"), b); err != nil {
		t.Fatal(err)
	}
	if err := Move(a, b); !errors.Is(err, fs.ErrExist) {
		t.Errorf("Move onto a dangling link: %v", err)
	}
	now := time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)
	if err := os.Symlink("nowhere", a+".corrupt-20260314T092653Z"); err != nil {
		t.Fatal(err)
	}
	name, err := SetAside(a, "corrupt", now)
	if err != nil || name != a+".corrupt-20260314T092653Z-1" {
		t.Errorf("SetAside beside a dangling link: %s, %v", name, err)
	}
}

func TestDir(t *testing.T) {
	for _, tt := range []struct {
		name    string
		make    func(t *testing.T, path string)
		refused bool
	}{
		{"missing", func(*testing.T, string) {}, false},
		{"ours", func(t *testing.T, p string) { mkdir(t, p, 0o700) }, false},
		{"readable by others", func(t *testing.T, p string) { mkdir(t, p, 0o755) }, false},
		{"writable by the group", func(t *testing.T, p string) { mkdir(t, p, 0o770) }, true},
		{"writable by all", func(t *testing.T, p string) { mkdir(t, p, 0o777|fs.ModeSticky) }, true},
		{"in a folder all may write to", func(t *testing.T,
			p string) {
			mkdir(t, p, 0o700)
			chmod(t, filepath.Dir(p), 0o777)
		}, true},
		{"missing, in a folder all may write to", func(t *testing.T, p string) { chmod(t, filepath.Dir(p), 0o757) },
			true},
		{"in a folder all may write to and nobody exchange",
			func(t *testing.T, p string) { mkdir(t, p, 0o700); chmod(t, filepath.Dir(p), 0o777|fs.ModeSticky) }, false},
		{"in a folder the group may write to",
			func(t *testing.T, p string) { mkdir(t, p, 0o700); chmod(t, filepath.Dir(p), 0o775) }, false},
		{"a link to a folder", func(t *testing.T, p string) {
			if err := os.Symlink(t.TempDir(), p); err != nil {
				t.Fatal(err)
			}
		}, true},
		{"a dangling link", func(t *testing.T, p string) {
			if err := os.Symlink(filepath.Join(t.TempDir(), "nowhere"), p); err != nil {
				t.Fatal(err)
			}
		}, true},
		{"a file", func(t *testing.T, p string) { fixture.Write(t, p, "") }, true},
		{"another user's", func(t *testing.T, p string) { mkdir(t, p, 0o700); foreign(t, p) }, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), ".memento")
			tt.make(t, path)
			if err := Dir(path); errors.Is(err, ErrRefused) != tt.refused || err != nil != tt.refused {
				t.Errorf("Dir: %v, want refused %v", err, tt.refused)
			}
		})
	}
}

func mkdir(t *testing.T, path string, perm fs.FileMode) {
	t.Helper()
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	chmod(t, path, perm) // whatever the umask
}

func chmod(t *testing.T, path string, perm fs.FileMode) {
	t.Helper()
	if err := os.Chmod(path, perm); err != nil {
		t.Fatal(err)
	}
}

// People keep ~/.claude in a repository of dotfiles and link to it.
func TestParentMayBeLink(t *testing.T) {
	dotfiles, home := t.TempDir(), t.TempDir()
	if err := os.Symlink(dotfiles, filepath.Join(home, ".claude")); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(home, ".claude", ".memento")
	path := filepath.Join(dir, "myapp--alice.json")
	if err := Dir(dir); err != nil {
		t.Fatal(err)
	}
	if err := Replace(path, []byte(journal), 0o600); err != nil {
		t.Fatal(err)
	}
	if data, err := Read(path, 1<<10); err != nil || string(data) != journal {
		t.Errorf("Read = %q, %v", data, err)
	}
	if fixture.Read(t, filepath.Join(dotfiles, ".memento", "myapp--alice.json")) != journal {
		t.Error("it is not where the link leads")
	}
}

// A disk that takes half of the bytes: without root, only the limit on a process's file size imitates it.
func TestHalfWritten(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.jsonl")
	fixture.Write(t, path, journal+"\n")
	if out, err := process(t, "full", path).Output(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	if got := fixture.Read(t, path); got != journal+"\n" {
		t.Errorf("the file holds %d bytes: %.80q", len(got), got)
	}
	if got := names(t, dir); got != "a.jsonl" {
		t.Errorf("the folder holds %s", got)
	}
}

func init() { roles["full"] = full }

// full writes more than fits, and exits with 0 when each write returned an error.
func full(path string) error {
	signal.Ignore(syscall.SIGXFSZ)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 4096, Max: 4096}); err != nil {
		return err
	}
	big := []byte(strings.Repeat("x", 10000))
	for name, err := range map[string]error{"Replace": Replace(path, big, 0o600),
		"ReplaceVolatile": ReplaceVolatile(path, big, 0o600), "Append": Append(path, big, true)} {
		if !errors.Is(err, syscall.EFBIG) {
			return fmt.Errorf("%s says %v", name, err)
		}
	}
	return nil
}

// A file may hold more bytes than its size says, as a file that grows while it is read.
func TestReadMoreThanItSays(t *testing.T) {
	const path = "/proc/self/status" // says 0
	if _, err := os.Stat(path); err != nil {
		t.Skip("no /proc here: ", err)
	}
	if data, err := Read(path, 1<<20); err != nil || len(data) < 100 {
		t.Errorf("Read = %d bytes, %v", len(data), err)
	}
	if _, err := Read(path, 100); !errors.Is(err, ErrTooLarge) {
		t.Errorf("at most 100 bytes: %v, want ErrTooLarge", err)
	}
}

// Who released a lock gets it again at once, also while another goroutine forks: a child has all files open until it
// runs its program.
func TestLockWhileForking(t *testing.T) {
	path := filepath.Join(t.TempDir(), "myapp--alice.lock")
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 50 {
			_ = exec.Command("true").Run()
		}
	}()
	for {
		select {
		case <-done:
			return
		default:
		}
		unlock, err := Lock(path, 0)
		if err != nil {
			<-done
			t.Fatal(err)
		}
		unlock()
	}
}
