package journal

import (
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/text"
)

// Rewind takes out of the journal what came from prompts that were rewound, told by their transcript uuid: what was
// said in them, the work in hand when it quotes one of words, and the mission when one of them opened it, which goes to
// history with the reason "rewound". What was done stays: it happened. It reports whether the mission went.
func (j *Journal) Rewind(rewound func(ref string) bool, words []string) bool {
	j.Said = slices.DeleteFunc(j.Said, func(s Saying) bool { return s.Ref != "" && rewound(s.Ref) })
	if quote := strings.TrimSuffix(strings.Trim(j.Wip, `"`), text.Ellipsis); j.WipBy == ByAuto && quote != "" &&
		slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text.Line(w), quote) }) {
		j.SetWip("", "")
	}
	if !j.Open() || j.MissionRef == "" || !rewound(j.MissionRef) {
		return false
	}
	j.keepWhole("rewound", "")
	j.Mission, j.MissionOpened, j.MissionRef, j.MissionBy = "", "", "", ""
	return true
}

// Rewound notes in history that the prompt ref of session no longer holds. words are for reading.
func (j *Journal) Rewound(ref, words, session string) { j.mark("rewound", ref, words, session) }

// Restored notes in history that the rewound prompt ref of session holds again.
func (j *Journal) Restored(ref, words, session string) { j.mark("restored", ref, words, session) }

func (j *Journal) mark(kind, ref, words, session string) {
	short, _ := text.Cut(words, MaxSaid)
	j.keepAt("", session, kind, "text", short, "ref", ref)
}
