// Package rule says which words of the user's outlive their session: those that are kept, those that wait because
// nobody has judged them, and those that are over because newer words say something else of the same thing.
//
// It has no file of its own. Decisions are entries of the log, in the project's own file. What waits is made from what
// was typed, and lies in the cache. What a sentence means is judged by package sentence, and what is told to Claude is
// decided by package hook.
package rule

import (
	"cmp"
	"errors"
	"hash/fnv"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/sentence"
	"github.com/mementohq/memento/internal/text"
)

// Who keeps a rule.
const (
	ByUser   = "user"
	ByClaude = "claude" // who chose among the user's words
	BySaid   = "said"   // nobody: the words say by their form that they hold on
)

// Rule is a sentence of the user's that is kept, over, or dropped.
type Rule struct {
	N           int // its number, made from its words: it never changes, and every machine agrees
	Text        string
	User        bool   // it holds in all projects
	By          string // ByUser, ByClaude, BySaid
	Sessions    int    // in how many sessions it was said
	First, Last time.Time
	Session     string // in which it was said last
	Over        int    // the number of the rule that replaces it, 0 for none
	Dropped     bool
	As          string // the kind of the record that it became, "" for none

	Decided time.Time // when somebody judged it, zero for nobody

	ref   string // the ID of the prompt in which it waits, "" when it was decided: it is erased with that
	words sentence.Words
	at    time.Time            // how new it is: when it was said last, or when the person judged it
	also  []int                // numbers of its other wordings
	other []sentence.Words     // those wordings
	said  map[string]log.Entry // by prompt: where it was said in a form that holds on
	in    map[string]bool      // the sessions in which it was said
}

// NumberOf returns the number of the rule with these words.
func NumberOf(words string) int {
	const first = 100_000 // of six digits
	h := fnv.New64a()
	h.Write([]byte(key(words)))
	return first + int(h.Sum64()%(9*first))
}

// key returns what two writings of one sentence have in common.
func key(words string) string { return strings.TrimRight(text.Fold(words), ".!。！ ") }

// Store is the rules in Dir, memento's folder. Errors of its methods: safefile's; what was decided is unchanged then.
type Store struct {
	Dir    string
	Now    time.Time
	Wait   time.Duration
	InTime func() bool // reports whether there is time to read on; nil for always
}

func (s Store) log() log.Store { return log.Store{Dir: s.Dir, Wait: s.Wait} }

// List is the rules that were decided about.
type List struct {
	Kept    []Rule // what sessions are told: newest first, and before it what was said most often
	Over    []Rule // replaced by newer words
	Dropped []Rule
	Err     error  // why decisions are missing
	records []Rule // became records
}

// All returns all rules of the list.
func (l List) All() []Rule { return slices.Concat(l.Kept, l.Over, l.Dropped, l.records) }

const (
	// maxRules is how many rules are looked at, the newest.
	maxRules = 500
	// maxCompared is how many of them each one is compared with.
	maxCompared = 200
)

// Rules returns the rules that hold in the project with this slug: its own, and those that the user keeps in all
// projects. A log that cannot be read has none, and the list says why.
func (s Store) Rules(slug string) List {
	entries, err := s.log().Decisions(slug)
	return s.rules(slug, entries, err)
}

// rules is Rules by the decisions in the project, and why some are missing.
func (s Store) rules(slug string, entries []log.Entry, err error) List {
	own := foldDecisions(entries)
	if slug != "" {
		users, failed := s.log().Decisions("")
		err = errors.Join(err, failed)
		for _, r := range foldDecisions(users) {
			if r.By == ByUser && r.As == "" {
				r.User = true
				own = append(own, r)
			}
		}
	}
	list := sortRules(own)
	list.Err = err
	return list
}

// foldDecisions returns the rules that follow from decisions, oldest first. What a person or Claude decided counts more
// than a form, and the newest of it most.
func foldDecisions(entries []log.Entry) (out []*Rule) {
	of := map[string]*Rule{}
	for _, e := range entries {
		if e.Rule == 0 || e.Text == "" {
			continue
		}
		r := of[key(e.Text)]
		if r == nil {
			r = &Rule{N: e.Rule, Text: e.Text, First: e.Time, said: map[string]log.Entry{},
				in: map[string]bool{}}
			of[key(e.Text)] = r
			out = append(out, r)
		}
		switch {
		case e.By == BySaid && e.Kind == log.Kept:
			r.said[e.Of] = e
		case e.By == BySaid:
			delete(r.said, e.Of)
		default:
			r.Decided, r.Dropped, r.Over, r.As = e.Time, e.Kind == log.Dropped, e.Newer, e.As
			if e.Kind != log.Over {
				r.By = e.By
			}
			r.Session, r.Last = cmp.Or(e.Session, r.Session), later(r.Last, e.Said)
			r.in[r.Session] = true
		}
	}
	for _, r := range out {
		for _, e := range r.said {
			if r.in[e.Session] = true; e.Time.After(r.Last) {
				r.Last, r.Session = e.Time, e.Session
			}
		}
		if r.at = r.Last; r.By == ByUser {
			r.at = later(r.Last, r.Decided)
		}
		if r.Last.After(r.Decided) { // said again since
			r.Over = 0
		}
		r.Sessions, r.By = len(r.in), cmp.Or(r.By, BySaid)
	}
	return slices.DeleteFunc(out, func(r *Rule) bool { return r.Decided.IsZero() && len(r.said) == 0 })
}

// sortRules says which of the rules are kept. Of two that say the same the newer stays; of two that say something else
// of the same thing the older is over, unless somebody decided about it later.
func sortRules(all []*Rule) (l List) {
	slices.Reverse(all) // of one second the later decision is the newer one
	slices.SortStableFunc(all, func(a, b *Rule) int { return b.at.Compare(a.at) })
	all = all[:min(len(all), maxRules)]
	var away []*Rule // other wordings of these are not told either
	for _, r := range all {
		r.words = sentence.WordsOf(r.Text)
		if r.Dropped || r.As != "" {
			away = append(away, r)
		}
	}
	var kept []*Rule
	for _, r := range all {
		same := func(other *Rule) bool { return r.N == other.N || r.words.IsAlike(other.words) }
		isOf := func(d *Rule) bool { return !r.Decided.After(d.Decided) && same(d) }
		switch {
		case r.Dropped:
			l.Dropped = append(l.Dropped, *r)
			continue
		case r.As != "":
			l.records = append(l.records, *r)
			continue
		case r.Over != 0:
			l.Over = append(l.Over, *r)
			continue
		case slices.ContainsFunc(away, isOf):
			continue
		}
		near := kept[:min(len(kept), maxCompared)]
		if i := slices.IndexFunc(near, same); i >= 0 {
			near[i].absorb(r)
			continue
		}
		replaces := func(newer sentence.Words) bool { return newer.Replaces(r.words) }
		if i := slices.IndexFunc(near, func(o *Rule) bool {
			return replaces(o.words) || slices.ContainsFunc(o.other, replaces)
		}); i >= 0 {
			r.Over = near[i].N
			l.Over = append(l.Over, *r)
			continue
		}
		kept = append(kept, r)
	}
	slices.SortStableFunc(kept, func(a, b *Rule) int { return min(b.Sessions, 4) - min(a.Sessions, 4) })
	for _, r := range kept {
		l.Kept = append(l.Kept, *r)
	}
	return l
}

// absorb adds to a rule what an older one was that says the same. The first words stay, and their number, unless
// somebody chose others. Of the same words in another order or with others around them the shortest stay.
func (r *Rule) absorb(older *Rule) {
	r.also, r.other = append(append(r.also, r.N, older.N), older.also...), append(r.other, older.words)
	if r.Decided.IsZero() {
		if len(older.Text) < len(r.Text) || !slices.Equal(r.words.Content, older.words.Content) {
			r.Text = older.Text
		}
		r.N, r.By = older.N, older.By
	}
	r.First = older.First
	r.User = r.User || older.User
	maps.Copy(r.in, older.in)
	r.Sessions = len(r.in)
	r.Decided = later(r.Decided, older.Decided)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// maxSentences is how many sentences of a prompt Concerning reads at its beginning, and as many at its end. What stands
// between them in a longer prompt was pasted.
const maxSentences = 6

// Concerning returns the kept rules of a project that a sentence of a prompt concerns, at most limit, the nearest
// first. skip leaves a rule out.
func (s Store) Concerning(slug, prompt string, limit int, skip func(Rule) bool) (out []Rule) {
	sentences := sentence.Split(prompt)
	if len(sentences) > 2*maxSentences {
		sentences = append(sentences[:maxSentences:maxSentences], sentences[len(sentences)-maxSentences:]...)
	}
	near := map[int]int{}
	for _, r := range s.Rules(slug).Kept {
		for _, one := range sentences {
			near[r.N] = max(near[r.N], nearness(r.words.Content, sentence.ContentOf(one)))
		}
		if near[r.N] > 0 && !skip(r) {
			out = append(out, r)
		}
	}
	slices.SortStableFunc(out, func(a, b Rule) int { return near[b.N] - near[a.N] })
	return out[:min(len(out), limit)]
}

// nearness returns how much of a rule's words a sentence has, in percent. It returns 0 for too little: two words are
// needed, or all, and half of them, or of many two fifths.
func nearness(rule, other sentence.Content) int {
	all, shared := len(rule), rule.CountShared(other)
	if all == 0 || shared < min(all, 2) || 2*shared < all && (shared < 3 || 5*shared < 2*all) {
		return 0
	}
	return 100 * shared / all
}

// Naming returns the first kept rule of a project that has at least so many of the words, and that skip does not leave
// out.
func (s Store) Naming(slug string, words []string, least int, skip func(Rule) bool) (Rule, bool) {
	about := sentence.ContentOf(strings.Join(words, " "))
	for _, r := range s.Rules(slug).Kept {
		if r.words.Content.CountShared(about) >= least && !skip(r) {
			return r, true
		}
	}
	return Rule{}, false
}
