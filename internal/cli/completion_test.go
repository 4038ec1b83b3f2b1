package cli

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/config"
)

// TestSettingValues: the values that completion offers for a setting are those that the setting takes.
func TestSettingValues(t *testing.T) {
	p := newPerson(t)
	dir := filepath.Join(p.home, ".claude", ".memento")
	for _, name := range append(config.Names(), kindSettings()...) {
		offered := settingValues(name)
		for _, value := range offered {
			if err := config.Set(dir, name, value); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		err := config.Set(dir, name, "no value")
		if err == nil {
			continue // a setting of any words
		}
		if _, list, ok := strings.Cut(err.Error(), "one of "); ok {
			list, _, _ = strings.Cut(list, " is expected")
			taken := strings.Split(list, ", ")
			slices.Sort(taken)
			if sorted := slices.Sorted(slices.Values(offered)); !slices.Equal(taken, sorted) {
				t.Errorf("%s takes %q, and completion offers %q", name, taken, offered)
			}
		} else if strings.Contains(err.Error(), "true or false") != (offered != nil) {
			t.Errorf("%s: %v, and completion offers %q", name, err, offered)
		}
	}
}
