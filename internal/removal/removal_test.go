package removal

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
)

func TestList(t *testing.T) {
	now := time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)
	l := List{Dir: t.TempDir(), Now: func() time.Time { return now }}
	want := func(project string, title, name bool) {
		t.Helper()
		if _, has := l.When(project, "use PASETO"); has != title {
			t.Errorf("%s: the title is there: %t", project, has)
		}
		if has := l.HasName(project, "use-paseto"); has != name {
			t.Errorf("%s: the name is there: %t", project, has)
		}
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	want("shop", false, false)
	must(l.Add("bank", "Use PASETO", ""))
	must(l.Add("shop", "Use PASETO", "use-paseto"))
	want("bank", true, false)
	want("shop", true, true)
	if data, err := os.ReadFile(l.path()); err != nil || strings.Contains(strings.ToLower(string(data)), "paseto") {
		t.Errorf("%s, %v", data, err)
	}
	began := now
	now = began.Add(keptFor - time.Second)
	want("shop", true, true)
	for _, at := range []time.Time{began.Add(keptFor), began.Add(-keptFor)} {
		now = at
		want("shop", false, false)
	}
	now = began
	fixture.Write(t, l.path(), "{")
	want("shop", false, false)
}
