package hook

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/sentence"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/suggest"
	"github.com/mementohq/memento/internal/text"
)

// maxAtOnce is the number of suggestions that one event makes, the strongest ones. More come from a pasted document.
const maxAtOnce = 3

// listenWait is how long an event waits for the locks of the inbox and the records. What it cannot deliver, the next
// event delivers.
const listenWait = 30 * time.Millisecond

// triage returns the listener for the words said in the session st in the lane at. Words that the user wants remembered
// become a record; other words that may be worth one wait in the inbox. The listener may receive the same words twice.
func (h *handler) triage(st *session.Memory, at project.Lane) func([]capture.Said) error {
	h.made, h.lost = nil, nil
	wait := listenWait
	if h.event.Name == "SessionEnd" { // no event may follow
		wait = 5 * listenWait
	}
	return func(said []capture.Said) error {
		t := &triage{handler: h, state: st, project: naming.ProjectOrUser(at.Slug),
			box: suggest.Box{Dir: h.config.Dir, Now: h.env.Now, Wait: wait}}
		return t.receive(said)
	}
}

type triage struct {
	*handler
	state   *session.Memory
	project string
	box     suggest.Box
	found   []suggest.Suggestion
}

// threshold returns the score from which a sentence is suggested as this kind. No score reaches 2.
func (t *triage) threshold(kind string) float64 {
	if k := t.config.Kind(kind); k.Enabled && k.AutoCapture {
		return k.Threshold
	}
	return 2
}

// receive makes records and suggestions of the words said. After the error safefile.ErrBusy it receives all of them
// again at a later event. When the disk's error kept a record from being written, the next prompt says so.
func (t *triage) receive(said []capture.Said) error {
	var withdrawn []string
	for _, s := range said {
		switch {
		case s.Gone:
			withdrawn = append(withdrawn, s.UUID)
			continue
		case s.By == journal.ByUser:
			kept := sentence.Keepsakes(s.Text)
			for _, k := range kept {
				err := t.remember(s, k)
				if errors.Is(err, safefile.ErrBusy) {
					return err
				}
				if err != nil {
					t.lost = err
				}
			}
			if len(kept) > 0 || s.Old {
				continue
			}
			t.weigh(s, suggest.ByUser)
		default:
			t.weigh(s, suggest.ByAssistant)
		}
	}
	if len(withdrawn) > 0 {
		if err := t.box.Withdraw(t.state.ID, withdrawn); err != nil {
			return err
		}
	}
	return t.suggest()
}

// weigh collects the sentences in s that may be worth a record.
func (t *triage) weigh(s capture.Said, by string) {
	at, err := time.Parse(time.RFC3339, s.TS)
	if err != nil {
		at = t.env.Now
	}
	for _, f := range sentence.Triage(s.Text, by == suggest.ByUser, t.threshold) {
		t.found = append(t.found, suggest.Suggestion{Kind: f.Kind, Project: t.project, Title: f.Title, Quote: f.Quote,
			By: by, Session: t.state.ID, Ref: s.UUID, Time: at, Score: f.Score})
	}
}

// suggest puts the strongest collected sentences into the inbox, without those that were asked about before or are a
// record.
func (t *triage) suggest() error {
	if len(t.found) == 0 {
		return nil
	}
	quotes := make([]string, len(t.found))
	for i, e := range t.found {
		quotes[i] = e.Quote
	}
	asked := t.box.Asked(t.project, quotes)
	var left []suggest.Suggestion
	for i, e := range t.found {
		if !asked[i] && !t.isRecord(e) {
			left = append(left, e)
		}
	}
	if left = suggest.Strongest(left, maxAtOnce); len(left) == 0 {
		return nil
	}
	_, err := t.box.Add(left)
	return err
}

// isRecord reports whether a record holds the words of e.
func (t *triage) isRecord(e suggest.Suggestion) bool {
	store, _ := t.records()
	for _, project := range [...]string{t.project, naming.User} {
		id, err := naming.ID(project, naming.Slug(e.Title))
		if err != nil {
			continue
		}
		if r, err := store.Read(id); err == nil && e.In(r.Title, r.Body) {
			return true
		}
	}
	return false
}

// settled is how long the time of a removal is kept. Older words may have been typed before the removal.
const settled = 24 * time.Hour

// maxSame is the number of different records that may have one title.
const maxSame = 100

// remember writes the record that the user asked for, once for each prompt that asks. A record that holds the words
// already stays as it is, and one that was removed after the prompt stays removed. If another record has the title, the
// new one gets a number.
func (t *triage) remember(s capture.Said, k sentence.Keepsake) error {
	project := t.project
	if k.User {
		project = naming.User
	}
	at, err := time.Parse(time.RFC3339, s.TS)
	old := err != nil || t.env.Now.Sub(at) >= settled
	if t.box.WouldSkip(project, k.Quote, s.UUID, old) {
		return nil
	}
	store, _ := t.keeping()
	store.Asked = at
	store.Wait = t.box.Wait
	return t.box.Once(project, k.Quote, s.UUID, old, func() error {
		wanted := record.Record{
			Project: project, Kind: k.Kind, Title: k.Title, Tags: []string{"remembered"}, Session: t.state.ID,
			Source: suggest.ByUser, Body: suggest.Body(k.Kind, k.Quote),
		}
		r, err := store.Create(wanted)
		var exists *record.ExistsError
		for n := 2; n < maxSame && r == nil && errors.As(err, &exists); n++ {
			old, bad := store.Read(exists.ID)
			if bad != nil {
				return bad
			}
			if k.In(old.Title, old.Body) {
				if exists.Status != schema.Active { // the next prompt says that it is out of use
					t.report(exists.ID)
				}
				return nil
			}
			wanted.Title = naming.TitleBeside(k.Title, strconv.Itoa(n))
			r, err = store.Create(wanted)
		}
		switch {
		case r != nil: // whether an older one could be retired does not matter here
			t.report(r.ID)
		case errors.Is(err, record.ErrRemoved):
		default:
			return err
		}
		return nil
	})
}

// report lets memento say that the record id was kept, or is out of use.
func (t *triage) report(id string) {
	t.made = append(t.made, id)
}

// noted writes the outcome of triage into the session memory. Triage itself cannot: capture works on a copy meanwhile.
func (h *handler) noted() {
	if h.made != nil {
		h.state.Untold = strings.Join(append(strings.Fields(h.state.Untold), h.made...), " ")
		if h.config.Remind != config.RemindNever {
			h.state.KeptRecord = strings.Join(h.made, " ")
		}
	}
	if h.lost != nil {
		h.state.Trouble = "what you wanted remembered could not be kept: " + h.lost.Error()
	}
}

// maxKept is the number of records that kept names.
const maxKept = 5

// kept returns, once, a line for each record that the user asked for: that it was kept, or that it is out of use; ""
// for none.
func (h *handler) kept() (out string) {
	ids := strings.Fields(h.state.KeptRecord)
	h.state.KeptRecord = ""
	for _, id := range ids[:min(len(ids), maxKept)] {
		out = lines(out, keptAs(h.config.Dir, id))
	}
	if more := len(ids) - maxKept; more > 0 {
		out = lines(out, fmt.Sprintf("[MEMENTO] %d more: memento list --tag remembered", more))
	}
	return out
}

// keptAs returns kept's line for the record id, "" for a record that is gone.
func keptAs(dir, id string) string {
	r, err := record.Store{Dir: dir}.Read(id)
	if err != nil {
		return ""
	}
	_, slug, _ := naming.Split(id)
	if isOver(r.Status) {
		return "[MEMENTO] On record, " + r.Status + ": memento restore " + text.Data(slug)
	}
	return "[MEMENTO] Kept as " + text.Data(r.Kind) + " (memento show " + text.Data(slug) + ")"
}

// isOver reports whether a record with this status is out of use.
func isOver(status string) bool {
	return text.OneOf(status, schema.Completed, schema.Retired, schema.Archived)
}
