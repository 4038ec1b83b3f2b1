package machine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/safefile"
)

func TestLoad(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), ".memento")
	m, err := Load(dir, time.Second)
	if err != nil || !IsID(m.ID) || m.Name == "" || m.Name != CleanName(m.Name) {
		t.Fatalf("%+v, %v", m, err)
	}
	if again, err := Load(dir, time.Second); err != nil || again != m {
		t.Errorf("again it is %+v, %v", again, err)
	}
	if other, err := Load(filepath.Join(t.TempDir(), ".memento"), time.Second); err != nil || other.ID == m.ID {
		t.Errorf("another store is of %+v, %v", other, err)
	}
	if named, err := SetName(dir, "Desk 2!", time.Second); err != nil || named != (Machine{m.ID, "desk-2", m.ID}) {
		t.Errorf("named it is %+v, %v", named, err)
	}
	if again, err := Load(dir, time.Second); err != nil || again.Name != "desk-2" {
		t.Errorf("then it is %+v, %v", again, err)
	}
}

// A damaged file is set aside, and nothing of it is used.
func TestDamaged(t *testing.T) {
	t.Parallel()
	for _, content := range []string{"", "{", `{"id":"../../../x"}`, `{"version":1,"id":"0123456789AB","name":"desk"}`,
		strings.Repeat(" ", maxFile+1)} {
		dir := t.TempDir()
		if err := os.WriteFile(Path(dir), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		m, err := Load(dir, time.Second)
		if err != nil || !IsID(m.ID) {
			t.Errorf("%.60q: %+v, %v", content, m, err)
		}
		if again, _ := Load(dir, time.Second); again != m {
			t.Errorf("%.60q: then %+v", content, again)
		}
		if aside, _ := filepath.Glob(Path(dir) + ".corrupt-*"); len(aside) != 1 {
			t.Errorf("%.60q: aside is %q", content, aside)
		}
	}
}

// Processes that begin at once agree on one machine.
func TestOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	all := make(chan Machine)
	const processes = 8
	for range processes {
		go func() {
			m, err := Load(dir, time.Minute)
			if err != nil {
				t.Error(err)
			}
			all <- m
		}()
	}
	first := <-all
	for range processes - 1 {
		if m := <-all; m != first {
			t.Errorf("%+v and %+v", first, m)
		}
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Mkdir(Path(dir), 0o700); err != nil {
		t.Fatal(err)
	}
	if m, err := Load(dir, time.Second); err == nil || m != (Machine{}) {
		t.Errorf("%+v, %v", m, err)
	}
	if err := os.RemoveAll(Path(dir)); err != nil {
		t.Fatal(err)
	}
	unlock, err := safefile.LockIn(dir, "machine", time.Second)
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	if m, err := Load(dir, time.Millisecond); err == nil || m != (Machine{}) {
		t.Errorf("while another holds the lock: %+v, %v", m, err)
	}
}

func TestClean(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]string{
		"desk": "desk", "Desk-2.example.org": "desk-2", "": noName, "…": noName, "ein schöner PC": "ein-sch-ner-pc",
		"-a-": "a", "MacBook–Pro": "macbook-pro", strings.Repeat("a-", 40): strings.Repeat("a-", 20)[:39],
		"../../etc": noName, "a\nb": "a-b",
	} {
		if got := CleanName(host); got != want {
			t.Errorf("CleanName(%q) = %q, want %q", host, got, want)
		}
	}
}

// A host that is named after its user gives no name away.
func TestUserInHost(t *testing.T) {
	for _, env := range []string{"USER", "LOGNAME", "USERNAME"} {
		t.Setenv(env, "")
	}
	if got := nameOf("Alices-Desk.example.org"); got != "alices-desk" {
		t.Errorf("the name is %q", got)
	}
	t.Setenv("USER", "Alice")
	if got := nameOf("Alices-Desk.example.org"); got != noName {
		t.Errorf("the name is %q", got)
	}
}

// A copy of a store gets an ID of its own, and keeps the one by which its folders are known.
func TestRenew(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".memento")
	before, err := Load(dir, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		after, err := Renew(dir, time.Second)
		again, _ := Load(dir, time.Second)
		if err != nil || after.ID == before.ID || after.Name != before.Name || after.Born != before.ID ||
			again != after {
			t.Errorf("it is %+v, then %+v, %v", after, again, err)
		}
	}
}
