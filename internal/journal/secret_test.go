package journal

import (
	"os"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/log"
)

// token is put together here, so that no file of the repository holds it whole.
var token = strings.Join([]string{"gh", "p_", "Ab1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV1wX2"}, "")

// TestSecretsStayOut puts a secret into every field that a change can set, past the code that takes secrets out
// earlier.
func TestSecretsStayOut(t *testing.T) {
	s := newStore(t)
	_, err := s.Update(func(j *Journal) error {
		j.OpenMission("use "+token, "use "+token+" on staging", "s1", ByUser, "u1")
		j.AddDone(Entry{Act: "log in with " + token, Result: token, Ctx: "tool: " + token})
		j.SetWip(token, ByClaude)
		j.SetPlan([]string{"rotate " + token}, ByClaude)
		j.Keep(said("never print "+token, "s1", "u2", ""))
		j.AddFile("src/" + token + ".ts")
		j.Error = j.Error.With("curl "+token, token, "")
		j.Keep(log.Entry{Kind: "subagent", Session: j.Session, Agent: "a1", Verb: "done", Text: token})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if found := fixture.Holding(t, s.Lane.Dir, "[redacted:github-token]"); len(found) != 2 { // journal, log
		t.Errorf("what stands in its place is in %v", found)
	}
	if _, err := s.Update(func(j *Journal) error { j.Park(); return nil }); err != nil {
		t.Fatal(err)
	}
	s.Config.Debug = true
	s.Injected("s1", "SessionStart", "the block: "+token)
	if found := fixture.Holding(t, s.Lane.Dir, token); len(found) > 0 {
		t.Errorf("stored in %v", found)
	}
}

// TestSecretOnDisk: a secret that somebody wrote into the file is left out when the file is read, and gone after any
// change.
func TestSecretOnDisk(t *testing.T) {
	s := newStore(t)
	if _, err := s.Update(func(j *Journal) error { j.SetWip("wait", ByUser); return nil }); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(s.Lane.Journal())
	if err != nil {
		t.Fatal(err)
	}
	fixture.Write(t, s.Lane.Journal(), strings.Replace(string(data), `"wait"`, `"wait for `+token+`"`, 1))
	j, err := s.Read()
	if err != nil || j.Wip != "wait for [redacted:github-token]" {
		t.Fatalf("wip %q, %v", j.Wip, err)
	}
	if found := fixture.Holding(t, s.Lane.Dir, token); len(found) != 1 {
		t.Fatalf("reading changed the disk: %v", found)
	}
	if _, err := s.Update(func(*Journal) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if found := fixture.Holding(t, s.Lane.Dir, token); len(found) > 0 {
		t.Errorf("still in %v", found)
	}
}
