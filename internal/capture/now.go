package capture

import (
	"strings"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/sentence"
	"github.com/mementohq/memento/internal/text"
)

// minPart is how long the work in hand must be to be recognised in a longer request, in bytes.
const minPart = 20

// now returns the user's newest large prompt that says what to work on, as it was typed, and whether the work in hand
// was asked for later. It returns "" when the mission or the work in hand shows that prompt.
func (r Recollection) now(j *journal.Journal) (words string, isOld bool) {
	wip := strings.Trim(text.Fold(j.Wip), text.Ellipsis)
	byUser := wip != "" && strings.HasPrefix(j.Wip, `"`)
	for i := len(r.heard) - 1; i >= 0; i-- {
		l := r.heard[i]
		if l.Asked != "" || r.idle(l) || !sentence.Directs(l.Text) {
			isOld = isOld || byUser && strings.Contains(text.Fold(l.Text), wip)
			continue
		}
		fold := text.Fold(l.Text)
		switch mission, _, _ := strings.Cut(text.Fold(j.Mission), text.Ellipsis); {
		case j.Open() && (l.Ref != "" && l.Ref == j.MissionRef || mission != "" && strings.HasPrefix(fold, mission)),
			len(wip) >= minPart && strings.Contains(fold, wip):
			return "", false
		}
		return sentence.TypedPart(l.Text), isOld
	}
	return "", false
}

// timeOf returns when the prompt last was typed, "" for one that is not known. last is as for Before.
func (r Recollection) timeOf(last string) string {
	for i := len(r.heard) - 1; i >= 0 && last != ""; i-- {
		if l := r.heard[i]; l.Ref == last || l.TS == last {
			return l.TS
		}
	}
	return ""
}
