package expiry

import (
	"fmt"
	"hash/fnv"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
)

const (
	maxTold     = 1000 // sessions of which Tell remembers that a person was told of them, the newest
	maxToldFile = 1 << 20
)

// told is what Tell remembers. Its file has lines of two words: "told" and a day, "looked" and a folder's day, "at" and
// a session. It holds nobody's words.
type told struct {
	day      string            // on which a person was told last
	looked   map[string]string // by a folder's fingerprint: the day on which Tell looked into it last
	sessions []string
}

func toldPath(dir string) string { return filepath.Join(dir, "state", "expiring") }

func readTold(dir string) (t told) {
	t.looked = map[string]string{}
	data, _ := safefile.Read(toldPath(dir), maxToldFile) // a file that cannot be read counts as a missing one
	for line := range strings.Lines(string(data)) {
		switch f := strings.Fields(line); {
		case len(f) == 2 && f[0] == "told":
			t.day = f[1]
		case len(f) == 2 && f[0] == "at":
			t.sessions = append(t.sessions, f[1])
		case len(f) == 3 && f[0] == "looked":
			t.looked[f[1]] = f[2]
		}
	}
	return t
}

func (t told) write(dir, today string) error {
	var out strings.Builder
	fmt.Fprintf(&out, "told %s\n", t.day)
	for folder, day := range t.looked {
		if day == today { // an earlier day says nothing any more
			fmt.Fprintf(&out, "looked %s %s\n", folder, day)
		}
	}
	for _, id := range t.sessions[max(0, len(t.sessions)-maxTold):] {
		fmt.Fprintf(&out, "at %s\n", id)
	}
	return safefile.ReplaceVolatile(toldPath(dir), []byte(out.String()), 0o600)
}

// Tell returns the transcripts of a folder that a person is to be told of now: the client deletes them within Ahead,
// memento has not taken them in whole, and nobody was told of them. It returns none when somebody was told of any
// today, and looks into a folder once a day. The session that runs does not count. It returns none when it cannot note
// what it returns: the person would be told again and again.
func Tell(c config.Config, root, folder, running string, now time.Time, wait time.Duration,
	inTime func() bool) []Transcript {
	h := fnv.New64a()
	h.Write([]byte(folder))
	at, today := fmt.Sprintf("%016x", h.Sum64()), now.UTC().Format(time.DateOnly)
	if was := readTold(c.Dir); was.day == today || was.looked[at] == today {
		return nil
	}
	unlock, err := safefile.Lock(toldPath(c.Dir)+".lock", wait)
	if err != nil {
		return nil
	}
	defer unlock()
	was := readTold(c.Dir) // another session may have looked meanwhile
	if was.day == today || was.looked[at] == today {
		return nil
	}
	was.looked[at] = today
	due := slices.DeleteFunc(Due(folder, Days(c, root), now, inTime), func(t Transcript) bool {
		return slices.Contains(was.sessions, t.Session)
	})
	if len(due) > 0 {
		known, err := Load(c)
		if err != nil {
			return nil
		}
		due = known.Lacking(due, running, inTime)
	}
	for _, t := range due {
		was.day, was.sessions = today, append(was.sessions, t.Session)
	}
	if was.write(c.Dir, today) != nil {
		return nil
	}
	return due
}

// Sentence says for a person which transcripts the client deletes soon. lost are those of a project that memento has
// not taken in whole, at least one, the first to go first.
func Sentence(lost []Transcript, now time.Time) string {
	first := "the first on " + lost[0].Deleted.Local().Format(time.DateOnly)
	if !lost[0].Deleted.After(now) {
		first = "the first at any time"
	}
	if len(lost) == 1 {
		first = strings.TrimPrefix(first, "the first ")
	}
	return "within a week Claude Code deletes " + text.Count(len(lost), "transcript") +
		" of this project that memento has not taken in whole (" + first + ")"
}

// Step returns the step that helps.
func Step(lost []Transcript) string {
	if len(lost) == 1 {
		return "memento backfill keeps its turns"
	}
	return "memento backfill keeps their turns"
}
