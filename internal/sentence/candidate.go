package sentence

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mementohq/memento/internal/text"
)

// Candidate is a sentence of the user's, or a clause of a long one, that may outlive its session.
type Candidate struct {
	Text  string // the words, on one line
	Kind  string // what the form says: KindRule, KindPreference, KindFact, KindDecision; "" for a plain request
	User  bool   // the sentence is about the person, whatever the project
	Deny  bool   // the sentence forbids or denies
	Sure  int    // how sure it is that the sentence outlives its session although it was said once, in percent
	Words string // the fingerprint of the content words; see contentOf
}

const (
	// maxCandidates is how many candidates one message has at most.
	maxCandidates = 12
	// minCandidate is the least Sure of a candidate: a plain request is kept because it may be said again.
	minCandidate = -60
	// maxWhole is how long a sentence may be that is judged as a whole, in characters. A longer one is judged clause by
	// clause.
	maxWhole = 130
	// maxStanding is how long a clause may be that is quoted, in characters.
	maxStanding = 220
	// maxStandingWords is how many words such a clause may have.
	maxStandingWords = 45
	// minClause is how long a clause must be to stand by itself, in bytes.
	minClause = 30
	// minWrapped is how long a line must be that a terminal broke because it was full, in characters.
	minWrapped = 50
	// maxTyped is how many lines a person types into a prompt.
	maxTyped = 12
)

// Candidates returns the sentences of a message that may outlive their session, in their order. Text that was pasted
// has none, and neither has the answer to a question of Claude's (answers). Each message is judged once, when it is
// typed.
func Candidates(message string, answers bool) (out []Candidate) {
	message = unwrapped(Ends(message))
	if answers || IsIdle(message) {
		return nil
	}
	worth := minCandidate
	switch isLong, isMade := documents(message); {
	case isMade:
		return nil
	case isLong:
		message, worth = outerParagraphs(message), SureEnough
	}
	for _, j := range judge(message) {
		if !j.isTyped() || j.open || IsChatter(j.Text) {
			continue
		}
		least := worth
		clauses := longClauses(j.Text)
		if len(clauses) > 1 { // a part of a sentence must stand by itself
			least = SureEnough
		}
		for n, clause := range clauses {
			if c, ok := candidateOf(clause, n > 0); ok && c.Sure >= least {
				out = append(out, c)
			}
		}
	}
	if len(out) > maxCandidates {
		slices.SortStableFunc(out, func(a, b Candidate) int { return b.Sure - a.Sure })
		out = out[:maxCandidates]
	}
	return out
}

// documents reports whether a message is longer than a person types into a prompt, and whether it was made elsewhere as
// a whole: it has headings, code or tables.
func documents(message string) (isLong, isMade bool) {
	lines, marks, items := 0, 0, 0
	for l := range strings.Lines(message) {
		t := strings.TrimSpace(l)
		switch {
		case t == "":
			continue
		case heading(t), text.BeginsWithOne(t, "```", "|", "---"):
			marks++
		case isItem(t):
			items++
		}
		lines++
	}
	return lines > maxTyped || items > maxTyped/2, marks > 0 && lines > 3
}

// outerParagraphs returns the first and the last paragraph of a message where they are short: who pastes a long text
// says something before it or behind it.
func outerParagraphs(message string) string {
	all := strings.Split(strings.TrimSpace(message), "\n\n")
	if len(all) < 2 {
		return ""
	}
	var kept []string
	for _, p := range [...]string{all[0], all[len(all)-1]} {
		if p = strings.TrimSpace(p); strings.Count(p, "\n") < 2 {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, "\n\n")
}

// unwrapped returns a message with those lines joined that a terminal or an editor broke in the middle of a sentence.
func unwrapped(message string) string {
	var b strings.Builder
	before := ""
	for l := range strings.Lines(message) {
		t := strings.TrimSpace(l)
		switch {
		case b.Len() == 0:
		case text.Runes(before) >= minWrapped && !isComplete(before) && !leadsOn(before) &&
			unicode.IsLower(firstRune(t)):
			b.WriteByte(' ')
		default:
			b.WriteByte('\n')
		}
		b.WriteString(strings.TrimRight(l, "\r\n"))
		before = t
	}
	return b.String()
}

// longClauses returns a short sentence as it is, and of a long one its clauses. A clause that points back, or that is
// too short to say something, stays with the clause before it.
func longClauses(s string) (out []string) {
	if width(s) <= maxWhole {
		return []string{s}
	}
	begin := 0
	for at := 0; at < len(s); {
		end := len(s)
		if i := strings.IndexAny(s[at:], ",;，；—–"); i >= 0 {
			_, n := utf8.DecodeRuneInString(s[at+i:])
			end = at + i + n
		}
		at = end
		if end < len(s) && (end-begin < minClause || len(s)-end < minClause || s[end] < 0x80 && s[end] != ' ' ||
			pointsBack(s[end:])) {
			continue
		}
		if clause := strings.Trim(s[begin:end], " ,;，；—–"); clause != "" {
			out = append(out, clause)
		}
		begin = end
	}
	return out
}

// width returns the length of s in characters. One in Chinese, Japanese or Korean says as much as two others.
func width(s string) (n int) {
	for _, r := range s {
		if n++; isUnspaced(r) {
			n++
		}
	}
	return n
}

// pointsBack reports whether a clause begins with a word that points at the words before it.
func pointsBack(clause string) bool {
	line, latin := foldLine(clause)
	words := strings.Fields(line)[1:] // behind the mark of the beginning
	return len(words) > 1 && (sensesIn(" "+words[0]+" ", latin)&points != 0 ||
		text.OneOf(words[0], "which", "que", "o", "das", "was", "ce"))
}

// goesOn reports whether a clause only calls for the next step: "ok, let's get started", "keep going".
func goesOn(clause string) bool {
	_, words := foldWords(clause)
	for len(words) > 1 && IsChatter(words[0]) {
		words = words[1:]
	}
	return has(words[:min(len(words), 3)], "let's", "lets", "vamos", "bora", "allons", "давай", "давайте", "hadi") ||
		Continues(strings.Join(words, " "), "")
}

// candidateOf judges one clause. ok is false for a clause that cannot outlive its session: one that was printed, that
// tells how things are, that names an issue or a run, that calls for the next step, or that asks for nothing but a
// commit or a push. A part of a sentence must begin as a sentence does.
func candidateOf(clause string, isPart bool) (c Candidate, ok bool) {
	clause = strings.Join(strings.Fields(clause), " ")
	d := durabilityOf(clause)
	if len(d.words) == 0 || len(d.words) > maxStandingWords || width(clause) > maxStanding || len(clause) < 9 ||
		d.open || strings.ContainsAny(clause[:1], "[{<|`") ||
		strings.Count(clause, "(") != strings.Count(clause, ")") || !isProse(clause) && d.address == nowhere {
		return c, false
	}
	if d.latin && (!strings.Contains(clause, " ") || isPart && !d.opensSentence()) {
		return c, false
	}
	c = Candidate{Text: clause, Deny: d.denies}
	c.Kind, c.Sure = d.weigh()
	if c.Sure < minCandidate || isWithdrawn(clause) || d.passes(c.Kind, c.Sure) {
		return c, false
	}
	switch c.Words = contentOf(clause, false); { // this takes long, and most clauses do not come so far
	case c.Kind == KindPreference && d.senses&brief != 0 && !d.namesTool():
		c.Words, c.Deny = hashWord("brief"), false // whatever the words, the wish is the same
	case d.address == stays && c.Kind == KindFact && c.Sure < SureEnough:
		c.Words = hashWord(placesIn(clause)) // whatever is said of the place
	case len(c.Words) >= 2*wordLen:
	case c.Sure < SureEnough, d.latin && len(d.words) < 3:
		return c, false
	default:
		if c.Words = contentOf(clause, true); c.Words == "" {
			return c, false
		}
	}
	c.User = c.Kind == KindPreference && d.aside&shared == 0 &&
		(d.aside&personal != 0 || d.senses&brief != 0 && !d.namesTool())
	return c, true
}

// opensSentence reports whether the clause begins as a sentence does.
func (d *durability) opensSentence() bool {
	return d.begins&(steady|strict|modal|negation|once|person) != 0 || d.isSetForGood()
}

// passes reports whether the clause is over when its session is, however often it is said.
func (d *durability) passes(kind string, sure int) bool {
	return (kind == "" || kind == KindFact) && d.tells() || sure < SureEnough &&
		(d.found&(report|gone|doubt|ask) != 0 || d.address == passes || goesOn(d.clause))
}
