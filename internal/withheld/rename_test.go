package withheld

import (
	"testing"
	"time"
)

// A project is paused under both names while it is renamed, and its past goes with it.
func TestRename(t *testing.T) {
	dir := folder(t)
	do(t, Pause(dir, "shop", noon, time.Second, nil))
	do(t, Unpause(dir, "shop", noon.Add(time.Hour), time.Second, empty))
	do(t, Pause(dir, "shop", noon.Add(2*time.Hour), time.Second, nil))
	do(t, Pause(dir, "other", noon, time.Second, nil))
	for range 2 {
		do(t, Rename(dir, "shop", "store", false, time.Second))
	}
	l := LoadPauses(dir)
	for _, key := range []string{"shop", "store", "other"} {
		if !l.Only(key) {
			t.Errorf("halfway, %s is not paused", key)
		}
	}
	if n := len(l.windows); n != 5 {
		t.Errorf("halfway, there are %d pauses", n)
	}
	for range 2 {
		do(t, Rename(dir, "shop", "store", true, time.Second))
	}
	l = LoadPauses(dir)
	if !l.Only("store") || !l.Only("other") || len(l.windows) != 3 {
		t.Errorf("then there is %+v", l.windows)
	}
	off := off(l, "store", "")
	if !off(noon.Add(time.Minute)) || off(noon.Add(90*time.Minute)) {
		t.Error("its past did not go with it")
	}
	do(t, Rename(folder(t), "shop", "store", true, time.Second)) // nothing was ever paused
}
