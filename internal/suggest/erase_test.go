package suggest

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
)

// TestErase: suggestions of the chosen projects go if they contain the words or came from a prompt with them. All other
// bytes stay.
func TestErase(t *testing.T) {
	t.Parallel()
	const (
		launch = `{"n":1,"kind":"decision","project":"shop","title":"launch","quote":"the launch","by":"user","session":"s1","ref":"u1","ts":"2026-03-14T09:00:00Z"}`
		lids   = `{"n":2,  "kind":"decision","project":"shop","title":"lids","quote":"red lids","by":"user","session":"s1","ref":"u2","ts":"2026-03-14T09:00:00Z"}`
		kiosk  = `{"n":3,"project":"kiosk","quote":"the launch"}`
		other  = `{"project":"shop","by another version":{"deep":["the launch"]}}`
	)
	shop := func(project string) bool { return project == "shop" }
	for _, tt := range []struct{ words, ref, data, want, gone string }{
		{"launch", "", `{"waiting":[` + launch + "," + lids + "," + kiosk + `],"x":1}`, `{"waiting":[` + lids + "," +
			kiosk + `],"x":1}`, "launch"},
		{"nothing", "u2", `{"waiting":[` + launch + "," + lids + `]}`, `{"waiting":[` + launch + `]}`, "red lids"},
		{"launch", "", `{"a.b":[` + lids + "," + other + `]}`, `{"a.b":[` + lids + `]}`, "the launch"},
		// the word is only in the field that says who said it
		{"user", "", `{"waiting":[` + launch + `]}`, `{"waiting":[` + launch + `]}`, ""},
	} {
		left, gone, ok := Erase([]byte(tt.data), shop, func(s string) bool { return strings.Contains(s, tt.words) },
			func(ref string) bool { return ref == tt.ref })
		words := ""
		for _, g := range gone {
			words += g.Words
		}
		if !ok || string(left) != tt.want || words != tt.gone {
			t.Errorf("%q leaves %s, and took %q", tt.words, left, words)
		}
	}
	for _, damaged := range []string{``, `[]`, `{"waiting":[`} {
		if _, _, ok := Erase([]byte(damaged), shop, func(string) bool { return true },
			func(string) bool { return true }); ok {
			t.Errorf("%q is an inbox", damaged)
		}
	}
}

// TestEraseProjects: damaged inboxes that were set aside go, even if the name of memento's folder looks like a pattern.
func TestEraseProjects(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "home [1]*", ".memento")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	put := func(name, data string) {
		fixture.Write(t, filepath.Join(dir, name), data)
	}
	put("inbox.json", `{"waiting":[{"project":"shop"},{"project":"kiosk"}]}`)
	put("inbox.json.corrupt-20260314T090000Z", "the launch")
	put("inbox.jsonx", "mine")
	erase := func() {
		t.Helper()
		if err := EraseProjects(dir, func(p string) bool { return p == "shop" }, time.Second); err != nil {
			t.Fatal(err)
		}
	}
	holds := func(name, want string) {
		t.Helper()
		data, err := os.ReadFile(filepath.Join(dir, name))
		if string(data) != want || want == "" && !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s holds %s, %v", name, data, err)
		}
	}
	erase()
	holds("inbox.json", `{"waiting":[{"project":"kiosk"}]}`)
	holds("inbox.json.corrupt-20260314T090000Z", "")
	holds("inbox.jsonx", "mine")
	put("inbox.json", `{"waiting":[{"quote":"half of`)
	erase()
	holds("inbox.json", "")
	erase() // the inbox is missing
}
