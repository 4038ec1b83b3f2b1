package capture

import (
	"slices"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/block"
)

// renderedAfter returns the block after a second compaction of a session in which all was typed. The first prompt opens
// the mission.
func renderedAfter(t *testing.T, all ...string) string {
	t.Helper()
	d := newDesk(t)
	d.say(d.session("s1"), all...)
	j := d.journal()
	words := Recall(d.store.Lane, "s1").Words(j, "")
	return block.Render(j, block.View{Path: "p", Budget: 1000, Said: &words})
}

// The last large request stands under the mission, unless the mission or the work in hand shows it.
func TestNow(t *testing.T) {
	mission := "Write an importer for the price lists of our suppliers"
	for what, tt := range map[string]struct {
		said []string
		want string
	}{
		"trouble that became the work": {
			[]string{"the nightly job still stops at the Danish supplier with a timeout", "ok, try it"},
			`Now: "the nightly job still stops at the Danish supplier with a timeout"`},
		"a question": {[]string{"why does the importer read every file of a supplier twice?"}, ""},
		"a rule":     {[]string{"never write to the folder of a supplier, not even for a moment"}, ""},
		"chatter":    {[]string{"ok", "yes, go on"}, ""},
		"in Japanese": {[]string{"デンマークの仕入先の価格表で夜間ジョブがタイムアウトで止まってしまい、翌朝の集計が空になっています。",
			"それからテストも直してください"},
			`Now: "デンマークの`},
		"the work in hand": {[]string{"Rewrite the parser of the price lists so that it reads a line at a time"}, ""},
	} {
		got := renderedAfter(t, append([]string{mission}, tt.said...)...)
		lines := append(strings.Split(got, "\n"), "")
		if now := strings.HasPrefix(lines[1], "Now: "); now != (tt.want != "") ||
			!strings.HasPrefix(lines[1], tt.want) {
			t.Errorf("%s: the block is\n%s, want under its header %q", what, got, tt.want)
		}
	}
}

// A rule that points back is quoted with the sentence that it points at.
func TestRuleWithWhatItPointsAt(t *testing.T) {
	mission := "Write an importer for the price lists of our suppliers"
	for want, said := range map[string][]string{
		`"You renamed the columns by hand. So let's never do that again."`: {"You renamed the columns by hand. So let's never do that again."},
		`"Always do it that way." · "Put the totals into a file of their own."`: {
			"Put the totals into a file of their own.", "Always do it that way."},
	} {
		got := renderedAfter(t, slices.Concat([]string{mission}, said, []string{"look at the report"})...)
		if !strings.Contains(got, want) {
			t.Errorf("the block is\n%s, want %s", got, want)
		}
	}
}
