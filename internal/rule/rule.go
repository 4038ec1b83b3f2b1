// Package rule keeps what the user said that may outlive its session: one file for each project, and one of the user's
// own for what is about the person. Each has the candidates, what the user decided about them, and the rules that
// follow. The candidates come from the log, so that a lost file is made again from it.
//
// What a sentence means is judged by package sentence. What is told to Claude, and when, is decided by package hook.
package rule

import (
	"cmp"
	"path/filepath"
	"slices"
	"time"

	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/sentence"
)

// Folder is the folder of the rules in memento's folder.
const Folder = "rules"

const (
	maxFile = 8 << 20 // bytes; a larger file is made again
	// usualHead is the size of most files' first two lines, in bytes: the rules without the candidates.
	usualHead = 32 << 10
	// maxHead is the greatest size of those lines.
	maxHead = 512 << 10
	// maxRules is how many rules a file names, the surest.
	maxRules = 32
	// maxCandidates is how many candidates a file keeps. Older plain requests go.
	maxCandidates = 1500
	// maxDecisions is how many decisions a file keeps, the newest.
	maxDecisions = 500
	// maxLikely is how many sentences a file names that only may be rules, the newest.
	maxLikely = 64
	// likely is how sure such a sentence is at least, in percent.
	likely = 20
	// accepted is how sure a rule is that the user accepted.
	accepted = 100
	// elsewhere is in how many projects a sentence about the person must have been said to hold in all.
	elsewhere = 2
)

// The files of what belongs to no project. A slug has no @.
const (
	ownName     = "@user"
	outsideName = "@none"
)

// Rule is a sentence of the user's that outlives its session.
type Rule struct {
	Text, Kind  string // see package sentence
	User        bool   // it is about the person, whatever the project
	Deny        bool
	Words       string   // the fingerprint
	Said        int      // how often
	Sessions    int      // in how many sessions
	Projects    int      // of the user's own: in how many projects
	First, Last string   // RFC 3339
	Session     string   // in which it was said last
	Sure        int      // percent
	Older       bool     // a newer rule, which stands before it, says the contrary
	Accepted    bool     // the user accepted it
	lane        string   // in which it was said last
	also        []string // of a dropped one: the fingerprints of its other wordings
}

// SaysSame reports whether two rules say the same.
func (r Rule) SaysSame(other Rule) bool { return r.candidate().SaysSame(other.candidate()) }

// isOf reports whether a rule is a wording of a dropped one.
func (r Rule) isOf(dropped Rule) bool {
	if r.SaysSame(dropped) {
		return true
	}
	return slices.ContainsFunc(dropped.also, func(words string) bool {
		dropped.Words = words
		return r.SaysSame(dropped)
	})
}

// IsContrary reports whether one of two rules about the same thing forbids what the other one asks for.
func (r Rule) IsContrary(other Rule) bool {
	other.Deny = !other.Deny
	return r.SaysSame(other)
}

func (r Rule) candidate() sentence.Candidate {
	return sentence.Candidate{Text: r.Text, Kind: r.Kind, User: r.User, Deny: r.Deny, Sure: r.Sure, Words: r.Words}
}

// Store is the rules in Dir, memento's folder. Errors of its methods: safefile's; the files are unchanged then.
type Store struct {
	Dir    string
	Now    time.Time
	Wait   time.Duration
	InTime func() bool // reports whether there is time to read on; nil for always
}

func (s Store) path(name string) string { return filepath.Join(s.Dir, Folder, name+".jsonl") }

// nameOf returns the name of the file of the project with this slug, "" for none.
func nameOf(slug string) string { return cmp.Or(slug, outsideName) }

// slugOf returns the slug of a lane's project.
func slugOf(lane string) string {
	l, _ := project.LaneNamed("", lane)
	return l.Slug
}

// Rules returns the rules that hold in the project with this slug, the surest first: its own, and those about the
// person that the user accepted or said in several projects. dropped are those that the user dropped. Files that are
// missing or damaged have none.
func (s Store) Rules(slug string) (rules, dropped []Rule) {
	mine, own := s.head(nameOf(slug)), s.head(ownName)
	return rulesOf(mine, own), append(mine.dropped, own.dropped...)
}

// rulesOf returns the rules that hold in the project with the file mine.
func rulesOf(mine, own head) (rules []Rule) {
	for _, r := range mine.rules {
		if slices.ContainsFunc(own.dropped, r.isOf) {
			continue
		}
		if i := slices.IndexFunc(own.rules, r.SaysSame); i >= 0 && own.rules[i].Accepted {
			r.Accepted, r.Sure = true, accepted
		}
		rules = append(rules, r)
	}
	for _, r := range own.rules {
		if (r.Accepted || r.Projects >= elsewhere) && !slices.ContainsFunc(rules, r.SaysSame) &&
			!slices.ContainsFunc(mine.dropped, r.isOf) {
			rules = append(rules, r)
		}
	}
	slices.SortStableFunc(rules, func(a, b Rule) int { return b.Sure - a.Sure })
	return rules
}

// maxSentences is how many sentences of a prompt Concerning reads at its beginning, and as many at its end. What stands
// between them in a longer prompt was pasted.
const maxSentences = 6

// Concerning returns the rules of the project with this slug that a sentence of a prompt concerns, at most limit, the
// nearest first. It also looks among sentences that only may be rules: that a prompt concerns them speaks for them.
// skip leaves a rule out.
func (s Store) Concerning(slug, prompt string, limit int, skip func(Rule) bool) (out []Rule) {
	sentences := sentence.Split(prompt)
	if len(sentences) > 2*maxSentences {
		sentences = append(sentences[:maxSentences:maxSentences], sentences[len(sentences)-maxSentences:]...)
	}
	for i, words := range sentences {
		sentences[i] = sentence.Fingerprint(words)
	}
	near := func(words string) (most int) {
		for _, s := range sentences {
			most = max(most, nearness(words, s))
		}
		return most
	}
	mine, own := s.near(nameOf(slug), near), s.near(ownName, near)
	for _, r := range append(rulesOf(mine.head, own.head), mine.likely...) {
		if !slices.ContainsFunc(own.dropped, r.isOf) && !skip(r) {
			out = append(out, r)
		}
	}
	slices.SortStableFunc(out, func(a, b Rule) int { return near(b.Words) - near(a.Words) })
	return out[:min(len(out), limit)]
}

// nearness returns how much of a rule's words a sentence has, in percent. It returns 0 for too little: two words are
// needed, or all, and half of them, or of many two fifths.
func nearness(rule, sentenceWords string) int {
	all, shared := sentence.CountWords(rule, sentenceWords)
	if all == 0 || shared < min(all, 2) || 2*shared < all && (shared < 3 || 5*shared < 2*all) {
		return 0
	}
	return 100 * shared / all
}
