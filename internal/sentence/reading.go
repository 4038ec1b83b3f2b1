package sentence

import (
	"slices"
	"strings"
	"unicode"

	"github.com/mementohq/memento/internal/text"
)

// reading is what readCues found in a sentence.
type reading struct {
	words  []string
	found  cue
	order  bool // it opens with an order that holds on: what else it tells of is why
	begins cue  // of its first word that is no link
	names  int  // of things in code
	open   bool // it ends with a colon: what it says comes after it
}

// readCues looks for the cues in a sentence. A verb or a negation counts as an order where it opens a clause. Text in
// quotation marks or backticks is somebody else's and does not count.
func readCues(sentence string) reading {
	s := strings.ToLower(strings.ReplaceAll(sentence, "’", "'"))
	s = unquoted(strings.TrimRight(s, " \t)'*_"))
	r := reader{head: true, lead: true}
	r.names = countNames(sentence)
	r.open = leadsOn(s)
	r.line.WriteByte(' ')
	ascii, begin := true, -1
	for i, c := range s {
		if c >= 0x80 {
			ascii = false
		}
		in := c >= 'a' && c <= 'z' || c != ' ' && unicode.IsLetter(c) || unicode.IsDigit(c) ||
			c >= 0x80 && unicode.Is(unicode.M, c) || c == '\'' || c == '_' ||
			c == '-' && begin >= 0 && i+1 < len(s) && s[i+1] != ' '
		switch {
		case in && begin < 0:
			begin = i
		case !in && begin >= 0:
			r.readWord(s[begin:i])
			begin = -1
		}
		if !in && c != ' ' && strings.ContainsRune(",;:.!?–—-→", c) {
			r.head, r.must = true, false
		}
	}
	if begin >= 0 {
		r.readWord(s[begin:])
	}
	r.found |= cuesIn(r.line.String(), ascii)
	if r.mild && r.found&(modal|wish) != 0 {
		r.found = r.found&^(modal|wish|once) | plan
	}
	if r.choosesOption() {
		r.found |= choice
	}
	if isQuestion(s) {
		r.found |= ask
	}
	return r.reading
}

// reader is the state of readCues.
type reader struct {
	reading
	line   strings.Builder // the words so far, in single spaces
	before string          // the word before
	head   bool            // the next word opens a clause
	lead   bool            // nothing but links so far
	must   bool            // should, need to, want to: what comes next is what for
	mild   bool            // that is something done and over
	given  bool            // the sentence begins with a case
}

// readWord reads the next word.
func (r *reader) readWord(w string) {
	r.line.WriteString(w)
	r.line.WriteByte(' ')
	r.words = append(r.words, w)
	k := r.cueOf(w)
	if r.must {
		r.readPurpose(w, k)
	}
	switch {
	case r.head && k&(steady|once|negation) != 0:
		r.found |= k
	case r.found&negation != 0 && wordCue(r.before) == negation && tellsState(w):
		r.found = r.found&^negation | report
		r.order = false
	}
	switch {
	case k == ask:
		if r.lead {
			r.found |= ask
		}
	case k&(steady|once|negation) == 0:
		r.found |= k
	}
	if k == modal || k == wish || text.OneOf(w, "need", "want", "like", "quero", "preciso", "necesito") {
		r.must = true
	}
	switch {
	case r.lead && text.OneOf(w, "if", "when", "whenever", "se", "quando", "si", "cuando", "wenn", "falls", "если",
		"когда"):
		r.given = true
	case r.given && r.head && k == once: // what to do in a case is no work in hand
		r.found |= modal
		r.begins |= modal
	}
	if r.lead && k&^(link|polite) != 0 {
		r.begins = k
		r.order = k&(steady|negation|strict) != 0
	}
	if r.lead && text.OneOf(w, "can", "could", "pode", "puedes", "kannst") {
		r.found |= polite
	}
	r.head = r.opensClause(w, k)
	r.lead = r.lead && k == link
	r.before = w
}

// cueOf returns the cue of w in its place.
func (r *reader) cueOf(w string) cue {
	k := wordCue(w)
	switch {
	case r.before == "do" && (k == person || w == "they") && len(r.words) <= 4: // do we have it?
		r.found = r.found&^once | ask
		r.begins = ask
	case r.lead && w == "using":
		k = steady
	case strings.HasPrefix(w, "n'") && len(w) > 4: // n'ajoute pas
		k = negation
	// Turkish: has to
	case k == 0 && len(w) > 6 && (strings.HasSuffix(w, "malı") || strings.HasSuffix(w, "meli") ||
		strings.HasSuffix(w, "malıdır") || strings.HasSuffix(w, "melidir")):
		k = strict
	case text.OneOf(w, "nicht", "keine", "keinen") && r.found&once != 0: // the verb of a German order stands before it
		r.found |= negation
	}
	if (w == "need" || w == "have") && r.found&person == 0 && !r.lead {
		k = modal
	}
	return k
}

// readPurpose reads a word behind one such as "should". A verb for something that is done once makes the sentence work,
// and no rule.
func (r *reader) readPurpose(w string, k cue) {
	switch {
	case k == once:
		r.found |= once
		r.mild, r.must = true, false
	case k == link, text.OneOf(w, "to", "we", "i", "not", "first", "probably", "maybe", "a", "an"):
	default:
		r.must = false
	}
}

// opensClause reports whether a clause opens behind w. "can you" and "could we" ask politely for what follows.
func (r *reader) opensClause(w string, k cue) bool {
	return k == link || k == negation && r.head ||
		(r.head || r.lead) && text.OneOf(w, "can", "could", "let's", "lets", "let") ||
		text.OneOf(r.before, "can", "could") && text.OneOf(w, "you", "we")
}

// choosesOption reports whether the sentence names one of several options.
func (r *reader) choosesOption() bool {
	for i, w := range r.words[:max(0, len(r.words)-1)] {
		if next := r.words[i+1]; text.OneOf(w, "option", "options", "opção", "opción", "variante") && len(next) <= 2 &&
			(next[0] >= '0' && next[0] <= '9' || len(next) == 1) {
			return true
		}
	}
	return false
}

// quotations are the marks around code and somebody else's words.
var quotations = [...][2]string{{"\"", "\""}, {"`", "`"}, {"“", "”"}, {"«", "»"}}

// unquoted returns s with an x in place of text in double quotation marks or backticks. A sentence that is nothing else
// is returned as it is.
func unquoted(s string) string {
	if !strings.ContainsAny(s, "\"`“«") {
		return s
	}
	var b strings.Builder
	for rest := s; ; {
		i := strings.IndexAny(rest, "\"`“«")
		if i < 0 {
			b.WriteString(rest)
			break
		}
		mark := quotations[slices.IndexFunc(quotations[:], func(q [2]string) bool {
			return strings.HasPrefix(rest[i:],
				q[0])
		})]
		_, behind, ok := strings.Cut(rest[i+len(mark[0]):], mark[1])
		if !ok {
			b.WriteString(rest)
			break
		}
		b.WriteString(rest[:i])
		b.WriteByte('x')
		rest = behind
	}
	if len(strings.TrimSpace(b.String())) < 3 {
		return s
	}
	return b.String()
}

// tellsState reports whether a negation before w tells how things are, not how they should be: "no problem", "não
// funciona", "no veo".
func tellsState(w string) bool {
	return text.OneOf(w, "wait", "idea", "problem", "problems", "worries", "luck", "way", "errors", "error", "changes",
		"logs", "difference", "i", "it", "that", "this", "we", "they", "there", "sure", "yet", "what", "why", "it's",
		"i'm", "really", "output", "longer", "one", "see", "know", "think", "understand", "get", "have", "sense",
		"está", "estão", "estou", "esta", "estava", "é", "foi", "tem", "tinha", "há", "funciona", "funcionou",
		"aparece", "apareceu", "carrega", "carregou", "vejo", "consigo", "consegui", "sei", "deu", "dá", "vai", "era",
		"mostra", "entendi", "abre", "acho", "sendo", "só",
		"es", "estaba", "pasa", "pasó", "carga", "veo", "sale", "va", "hay", "tiene", "puedo", "sé", "entiendo", "me",
		"se", "lo", "responde", "encuentro",
		"работает", "вижу", "понимаю", "знаю", "могу", "n'est", "n'a", "marche", "fonctionne", "sais", "vois",
		"funziona", "vedo")
}
