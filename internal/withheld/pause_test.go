package withheld

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var noon = time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)

func do(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func folder(t *testing.T) string {
	dir := filepath.Join(t.TempDir(), ".memento")
	do(t, os.Mkdir(dir, 0o700))
	return dir
}

// empty answers for a transcript without a noted place.
func empty(string) Place { return Place{} }

// off returns whether a line, of a transcript without a noted place, is withheld long after the pause.
func off(l Pauses, key, session string) func(time.Time) bool {
	f := l.covering(key, session, noon.Add(400*24*time.Hour), func(int64, string) bool { return false })
	return func(at time.Time) bool { return f(at, 1) }
}

func TestWindows(t *testing.T) {
	dir := folder(t)
	at := func(minutes int) time.Time { return noon.Add(time.Duration(minutes) * time.Minute) }
	do(t, Pause(dir, "shop", at(0), time.Second, nil))
	do(t, Pause(dir, "shop", at(5), time.Second, nil)) // it goes on
	do(t, Unpause(dir, "shop", at(10), time.Second, empty))
	do(t, Pause(dir, All, at(20), time.Second, nil))
	do(t, Unpause(dir, All, at(30), time.Second, empty))
	do(t, Pause(dir, SessionKey("s1"), at(40), time.Second, map[string]Place{"s1": {}}))
	do(t, Unpause(dir, SessionKey("s1"), at(50), time.Second, empty))
	do(t, Pause(dir, "shop", at(60), time.Second, nil))
	do(t, Unpause(dir, "kiosk", at(61), time.Second, empty))
	l := LoadPauses(dir)
	for _, tt := range []struct {
		key, session, off string
	}{
		{"shop", "s1", "0 5 20 25 40 45 60 65"},
		{"shop", "s2", "0 5 20 25 60 65"},
		{"kiosk", "s2", "20 25"},
		{Outside, "", "20 25"},
	} {
		var got []string
		away := off(l, tt.key, tt.session)
		for m := -5; m <= 65; m += 5 {
			if away(at(m)) {
				got = append(got, fmt.Sprint(m))
			}
		}
		if s := strings.Join(got, " "); s != tt.off {
			t.Errorf("off for %s, %s at %s, want %s", tt.key, tt.session, s, tt.off)
		}
	}
	if since, paused := l.Since("shop"); !paused || !since.Equal(at(60)) || !l.Only("shop") || l.Only(All) || !l.Any() {
		t.Errorf("shop: %v since %v", paused, since)
	}
	if _, paused := l.Since("kiosk"); paused || l.Only(SessionKey("s1")) {
		t.Error("kiosk or s1 is paused")
	}
	if keys := strings.Join(l.Keys(), " "); keys != "shop" {
		t.Errorf("paused is %s", keys)
	}
}

// TestPast: words that a session, or any in a project, said before it was forgotten stay withheld, and later words are
// taken in.
func TestPast(t *testing.T) {
	dir := folder(t)
	for i := range 2 {
		now := noon.Add(time.Duration(i) * time.Hour)
		do(t, Past(dir, []string{"barn"}, map[string]Place{"s1": {}, "s2": {}}, now, time.Second))
		if l := LoadPauses(dir); len(l.windows) != 3 || !off(l, "barn", "s3")(now.Add(-1)) ||
			off(l, "barn", "s3")(now) || !off(l, "shop", "s1")(now.Add(-1)) ||
			off(l, "shop", "s1")(now) || off(l, "shop", "s3")(now.Add(-1)) || l.Only(SessionKey("s1")) || l.Any() {
			t.Errorf("%+v", l.windows)
		}
	}
}

// TestUnreadable: when the pauses cannot be read, everything is paused, and nothing is written over the file.
func TestUnreadable(t *testing.T) {
	dir := folder(t)
	do(t, os.WriteFile(pausedPath(dir), []byte(`{"pauses":[{"project":"shop","fr`), 0o600))
	l := LoadPauses(dir)
	if _, paused := l.Since("kiosk"); !paused || !l.Any() || !errors.Is(l.Err(), ErrPausesUnreadable) ||
		!off(l, "kiosk", "s")(noon) {
		t.Errorf("%+v", l)
	}
	if err := Pause(dir, "shop", noon, time.Second, nil); !errors.Is(err, ErrPausesUnreadable) {
		t.Errorf("pausing: %v", err)
	}
	aside, err := Reset(dir, noon, time.Second)
	do(t, err)
	if data, err := os.ReadFile(aside); err != nil || !strings.Contains(string(data), "shop") ||
		LoadPauses(dir).Any() || !off(LoadPauses(dir), "kiosk", "s")(noon.Add(-time.Hour)) ||
		off(LoadPauses(dir), "kiosk", "s")(noon) {
		t.Errorf("aside is %q, %v", data, err)
	}
}

// The list stays small, and no pause of a project that runs is dropped from it.
func TestSmall(t *testing.T) {
	dir := folder(t)
	many := []window{{Key: "shop", From: noon}}
	for i := range maxWindows + 1 {
		many = append(many, window{Key: SessionKey(fmt.Sprint("s", i)), From: noon})
	}
	do(t, change(dir, time.Second, func(l *Pauses) bool { l.windows = many; return true }))
	if l := LoadPauses(dir); len(l.windows) != maxWindows || !l.Only("shop") || l.Only(SessionKey("s1")) ||
		!l.Only(SessionKey("s2")) {
		t.Errorf("%d windows", len(l.windows))
	}
}
