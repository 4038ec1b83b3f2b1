package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
	"github.com/tidwall/pretty"
	"github.com/tidwall/sjson"

	"github.com/mementohq/memento/internal/event"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
)

// overwrite is what is remembered of a journal that Claude is about to write whole, with its Write tool. Machinery: without
// it the journal is as Claude wrote it.
type overwrite struct {
	Journal string   `json:"journal"` // as it was
	Wrote   []string `json:"wrote"`   // marks of what Claude was about to write; only what reads so is Claude's
}

const maxOverwrite = 4 * ownSize

func (s Store) overwritePath() string { return strings.TrimSuffix(s.Lane.Lock(), ".lock") + ".before" }

// overwritten returns what is remembered, if anything.
func (s Store) overwritten() (overwrite, bool) {
	var o overwrite
	data, err := safefile.Read(s.overwritePath(), maxOverwrite)
	return o, err == nil && json.Unmarshal(data, &o) == nil && o.Journal != ""
}

// Overwrite notes the journal as it is, before Claude puts content in its place: the next Update gives back what that
// drops. The journal itself is not touched, since the client refuses to write a file that changed under it. Without a
// journal, or with a damaged one, there is nothing to note.
func (s Store) Overwrite(content string) error {
	if err := s.prepare(); err != nil {
		return err
	}
	unlock, err := safefile.Lock(s.Lane.Lock(), s.Wait)
	if err != nil {
		return err
	}
	defer unlock()
	j, err := s.Read()
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, ErrCorrupt):
		return nil
	case err != nil:
		return err
	}
	o := overwrite{Journal: j.raw, Wrote: []string{mark(content)}}
	if old, ok := s.overwritten(); ok && mark(old.Journal) != mark(j.raw) && slices.Contains(old.Wrote, mark(j.raw)) {
		// Written twice with no event in between: what the first dropped is not to be forgotten.
		if b, err := Decode([]byte(old.Journal)); err == nil {
			b.now = s.Now
			j.regain(b, s.typed())
			o.Journal, o.Wrote = string(j.encode()), append(old.Wrote, o.Wrote...)
		}
	}
	data, err := json.Marshal(o)
	if err != nil {
		return err
	}
	return safefile.ReplaceVolatile(s.overwritePath(), data, 0o600)
}

// Regain gives back what a Write of Claude's dropped since the last change, if one did.
func (s Store) Regain() error {
	if _, err := os.Lstat(s.overwritePath()); err != nil {
		return nil
	}
	o, ok := s.overwritten()
	if j, err := s.Read(); ok && err == nil && mark(j.raw) == mark(o.Journal) {
		return nil // not written yet
	}
	_, err := s.Update(func(*Journal) error { return nil })
	return err
}

// mend is called by Update with the journal as it was read: it gives back what Claude's Write dropped. What anybody else
// wrote since stays as it is, and what is not in it any more goes to history. It reports whether the note is done with.
func (s Store) mend(j *Journal, o overwrite) bool {
	if mark(o.Journal) == mark(j.raw) {
		return false
	}
	b, err := Decode([]byte(o.Journal))
	if err != nil {
		return true
	}
	b.now = s.Now
	if slices.Contains(o.Wrote, mark(j.raw)) {
		j.regain(b, s.typed())
		return true
	}
	for _, at := range missing(b.Done, j.Done) {
		j.keepDone(b.Done[at])
	}
	for _, p := range b.Said {
		if !slices.ContainsFunc(j.Said, func(q Saying) bool { return text.Fold(q.Text) == text.Fold(p.Text) }) {
			j.keepSaid(p)
		}
	}
	return true
}

// mark recognises a journal's content, however it is laid out, and with or without the secrets in it.
func mark(content string) string {
	content, _ = redact.JSON(content)
	data := []byte(strings.TrimSpace(content))
	if event.TooDeep(data, maxDepth) < 0 && gjson.ValidBytes(data) {
		data = pretty.Ugly(data)
	}
	h := fnv.New64a()
	h.Write(data)
	return fmt.Sprintf("%016x", h.Sum64())
}

// typed returns a func that reports whether the user typed words in this lane, as part of what they typed.
func (s Store) typed() func(words string) bool {
	var all []string
	return func(words string) bool {
		if all == nil {
			all = []string{""}
			_ = ReadWords(s.Lane, func(l Line) bool {
				if l.Kind == "said" && (l.By == "" || l.By == ByUser) {
					all = append(all, text.Fold(l.Text))
				}
				return true
			})
		}
		want := text.Fold(words)
		return slices.ContainsFunc(all, func(s string) bool { _, ok := text.Within(s, want); return ok })
	}
}

// regain puts into j, which Claude wrote whole, what it left out of b, the journal before: what was done and said, a
// mission that is not closed by it, and what only memento knows. What Claude changed is Claude's: a mission in other words
// stands beside the user's, and nobody is quoted with what they did not type.
func (j *Journal) regain(b *Journal, typed func(words string) bool) {
	j.unknown(b)
	dropped := missing(b.Done, j.Done) // before the new ones get their time
	for i := range j.Said {
		s := &j.Said[i]
		if at := slices.IndexFunc(b.Said, func(p Saying) bool { return text.Fold(p.Text) == text.Fold(s.Text) }); at >= 0 {
			*s = b.Said[at]
		} else if s.By == "" && !typed(s.Text) {
			no := false
			s.By, s.Verified = ByClaude, &no
		}
	}
	for i, e := range b.Done {
		if !slices.Contains(dropped, i) && !slices.ContainsFunc(j.Done, func(n Entry) bool { return n.Act == e.Act && n.Result == e.Result && n.Ctx == e.Ctx }) {
			j.keepDone(e) // reworded
		}
	}
	j.claim(b)
	j.Seen, j.Acted, j.Applied, j.Project = b.Seen, b.Acted, b.Applied, b.Project
	if b.Open() && j.MissionClosed != "" { // Claude closed it: the whole of it is found again in history
		whole := *b
		whole.out = nil
		whole.snapshot("closed")
		j.out = append(j.out, whole.out...)
		return
	}
	j.Done = merge(b.Done, j.Done, dropped)
	var gone []int
	for i, p := range b.Said {
		if !slices.ContainsFunc(j.Said, func(q Saying) bool { return text.Fold(q.Text) == text.Fold(p.Text) }) {
			gone = append(gone, i)
		}
	}
	j.Said = merge(b.Said, j.Said, gone)
	if len(j.Files) == 0 {
		j.Files = b.Files
	}
	if j.Error == nil {
		j.Error = b.Error
	}
	words := j.Mission
	switch {
	case b.Open():
		j.Mission, j.MissionOpened, j.MissionClosed, j.MissionRef, j.MissionBy, j.Session = b.Mission, b.MissionOpened, "", b.MissionRef, b.MissionBy, b.Session
		if words != "" && text.Fold(words) != text.Fold(b.Mission) {
			j.Reword(words, ByClaude, "")
		}
	case j.Open(): // a mission where there was none
		j.MissionBy, j.MissionRef, j.Session = ByClaude, "", ""
		if j.MissionOpened == "" || j.MissionOpened == b.MissionOpened {
			j.MissionOpened = j.stamp()
		}
		j.keep("opened", "text", j.Mission, "by", ByClaude)
	default:
		j.MissionBy, j.MissionRef, j.Session = b.MissionBy, b.MissionRef, b.Session
	}
}

// claim marks as Claude's what j has and b had not, and keeps what it replaced.
func (j *Journal) claim(b *Journal) {
	known := map[string]Entry{}
	for _, e := range b.Done {
		known[e.Act+"\n"+e.Ctx] = e
	}
	for i := range j.Done {
		e := &j.Done[i]
		old, ok := known[e.Act+"\n"+e.Ctx]
		if e.TS == "" {
			if e.TS = old.TS; !ok {
				e.TS = j.stamp()
			}
		}
		if e.By, e.Ref, e.Check, e.Verified = old.By, old.Ref, old.Check, old.Verified; !ok {
			e.By = ByClaude
		}
	}
	switch {
	case j.Wip == b.Wip:
		j.WipBy = b.WipBy
	default:
		words := j.Wip
		j.Wip, j.WipBy = b.Wip, b.WipBy
		j.SetWip(words, ByClaude)
	}
	if slices.Equal(j.Plan, b.Plan) {
		j.PlanBy = b.PlanBy
	} else {
		items := j.Plan
		j.Plan, j.PlanBy = b.Plan, b.PlanBy
		j.SetPlan(items, ByClaude)
	}
	switch {
	case j.Summary == b.Summary:
		j.SummaryBy = b.SummaryBy
	default:
		j.SummaryBy = ""
	}
	switch {
	case j.Summary == "":
		j.Summary, j.SummaryBy = b.Summary, b.SummaryBy
	case b.Summary != "" && !strings.Contains(j.Summary, b.Summary):
		j.keep("summary", "text", b.Summary)
	}
	if j.Subject == "" {
		j.Subject = b.Subject
	}
}

// unknown takes over the fields of b that memento does not know and j lost.
func (j *Journal) unknown(b *Journal) {
	gjson.Parse(b.raw).ForEach(func(k, v gjson.Result) bool {
		if !known(k.Str) && k.Str != "" && !strings.ContainsAny(k.Str, `.*?|#@!{}[]()=<>%\:`) && !gjson.Get(j.raw, k.Str).Exists() {
			if raw, err := sjson.SetRaw(j.raw, k.Str, v.Raw); err == nil {
				j.raw = raw
				j.extra += len(k.Raw) + len(v.Raw) + 4
			}
		}
		return true
	})
}

// known reports whether a field is one of the schema's, or of the older one that is read as it.
func known(key string) bool {
	switch key {
	case "mission", "mission_opened", "mission_closed", "mission_ref", "mission_by", "project", "subject", "summary", "summary_by", "wip", "wip_by", "done", "plan", "plan_by", "said",
		"files", "error", "session", "seen", "acted", "applied", "completed", "upcoming", "in_progress", "state", "state_reason":
		return true
	}
	return false
}

// missing returns the places in was of the entries that now has not: neither the same act nor, for one that was reworded,
// a time that only it has.
func missing(was, now []Entry) []int {
	left := slices.Clone(now)
	take := func(same func(Entry) bool) bool {
		at := slices.IndexFunc(left, same)
		if at >= 0 {
			left = slices.Delete(left, at, at+1)
		}
		return at >= 0
	}
	var out, maybe []int
	for i, e := range was {
		if !take(func(n Entry) bool { return text.Fold(n.Act) == text.Fold(e.Act) }) {
			maybe = append(maybe, i)
		}
	}
	for _, i := range maybe {
		if e := was[i]; e.TS == "" || count(was, e.TS) > 1 || !take(func(n Entry) bool { return n.TS == e.TS }) {
			out = append(out, i)
		}
	}
	return out
}

func count(all []Entry, ts string) (n int) {
	for _, e := range all {
		if e.TS == ts {
			n++
		}
	}
	return n
}

// merge puts the items of was at the places gone back into now, each where it stood: behind the one before it.
func merge[T Entry | Saying](was, now []T, gone []int) []T {
	if len(gone) == 0 {
		return now
	}
	out := slices.Clone(now)
	at := 0 // in out, behind what stood before
	for i, item := range was {
		if slices.Contains(gone, i) {
			out = slices.Insert(out, at, item)
			at++
			continue
		}
		if k := slices.IndexFunc(out, func(o T) bool { return same(o, item) }); k >= 0 {
			at = k + 1
		}
	}
	return out
}

func same[T Entry | Saying](a, b T) bool {
	switch a := any(a).(type) {
	case Entry:
		b := any(b).(Entry)
		return text.Fold(a.Act) == text.Fold(b.Act)
	case Saying:
		return text.Fold(a.Text) == text.Fold(any(b).(Saying).Text)
	}
	return false
}
