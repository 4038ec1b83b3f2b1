package sentence

import (
	"strings"
	"unicode"
)

// cue is what a word or a phrase says about the sentence it stands in.
type cue uint32

const (
	strict   cue = 1 << iota // never, must, always
	modal                    // should, needs to
	only                     // only, without, except
	steady                   // a verb that, as an order, goes on to hold: keep, use, avoid
	once                     // a verb that, as an order, is done and over: add, fix, run
	negation                 // at the head of a clause, it forbids: don't, no
	wish                     // I want, I'd like
	prefer                   // rather, prefer, go with, you can
	bound                    // at most, max, exactly one
	scope                    // all, every, for now
	contrast                 // instead of, rather than
	weighty                  // important, keep in mind
	doubt                    // I think, not sure, seems
	report                   // it fails, still, I see
	gone                     // was, had, yesterday
	ask                      // why, what, does: at the head of a sentence
	link                     // words that may stand before the verb of an order
	person                   // I, we, you
	polite                   // can you, could we
	plain                    // words without which hardly an English sentence is made
)

// weights say how much each cue speaks for a rule for later work, or against one.
var weights = [...]struct {
	cue    cue
	weight int
}{{strict, 3}, {negation, 3}, {steady, 3}, {prefer, 3}, {bound, 3}, {modal, 2}, {only, 2}, {wish, 2}, {contrast, 2},
	{weighty, 2}, {scope, 1}, {report, -2}, {gone, -2}, {doubt, -2}, {ask, -4}}

// cueOf says what one to three words say by themselves, in lower case with single spaces. It is a switch because that
// costs nothing until it is asked. It knows English: what it cannot judge is ordered by age.
func cueOf(phrase string) cue {
	switch phrase {
	case "never", "always", "must", "mustn't", "mustnt", "forbidden", "shall", "ensure", "ensures", "untouched",
		"unchanged", "unmodified", "intact", "not allowed", "every time you", "each time you", "make sure",
		"from now on", "can not", "may not", "let's not", "do nothing":
		return strict
	case "should", "shouldn't", "shouldnt", "ought", "needs", "requires", "required", "supposed", "focusing", "focused",
		"we can't", "we cannot", "you can't", "you cannot", "have to", "has to", "need to", "before you", "before we",
		"before every", "before each", "after every", "after each", "whenever":
		return modal
	case "only", "without", "except", "unless", "solely", "exclusively", "separate", "separately":
		return only
	case "keep", "use", "stick", "avoid", "leave", "follow", "stay", "focus", "respect", "preserve", "treat", "assume",
		"limit", "restrict", "reuse", "be", "remember", "refrain", "retain", "favor", "favour", "ignore", "wait",
		"answer", "reply", "speak", "store", "ask", "prioritize", "prioritise":
		return steady
	case "add", "fix", "run", "commit", "push", "create", "write", "update", "remove", "delete", "check", "look",
		"open", "merge", "rebase", "build", "implement", "show", "give", "find", "make", "review", "investigate",
		"research", "analyze", "analyse", "rename", "move", "extract", "translate", "restart", "undo", "revert", "bump",
		"explain", "summarize", "test", "try", "start", "continue", "go", "log", "generate", "read", "refactor",
		"install", "deploy", "put", "change", "convert", "clean", "organize", "decide", "provide", "verify", "do",
		"see", "tell", "list", "address", "render", "print", "pull", "take", "get", "set", "proceed", "help", "debug",
		"close", "compare", "configure", "migrate", "replace", "search", "download", "plan", "draft", "finish", "ship",
		"execute", "figure", "rewrite", "count", "sort", "draw", "paint", "mark", "round", "import", "export", "port",
		"measure", "speed", "split", "drop", "stop", "wire", "sync", "upgrade", "mend":
		return once
	case "don't", "dont", "no", "not", "do not", "stop using", "stop doing":
		return negation
	case "prefer", "prefers", "rather", "simpler", "preferably", "concise", "concisely", "briefly", "verbose", "jargon",
		"no need", "not needed", "too much", "to much", "too long", "too big", "to big", "i don't like",
		"i don't want", "i don't care", "we don't want", "we don't need", "won't need", "nice to have", "go with",
		"went with", "going with", "stick with", "stick to", "second option", "first option", "lets use", "let's use",
		"let's keep", "let's stay", "let's focus", "let's leave", "let's skip", "let's store", "is fine", "is enough",
		"you can", "you may", "feel free", "is optional", "the same as", "the same way", "like we do",
		"consistent with",
		"as it is", "as they are", "as is":
		return prefer
	case "max", "maximum", "minimum", "min", "maximal", "minimal", "no more than", "at most", "at least", "up to",
		"less than", "fewer than", "exactly one", "only one", "can have", "may have", "belongs to", "belong to",
		"belongs in", "lives in", "goes in", "is stored", "are stored":
		return bound
	case "all", "every", "each", "any", "everywhere", "per", "everything", "whatever", "both", "nothing", "anywhere",
		"nobody", "entire", "later", "anymore", "until", "meanwhile", "default", "for now", "not now", "any more",
		"so that", "as well", "out of scope":
		return scope
	case "instead", "instead of", "rather than", "as opposed to":
		return contrast
	case "important", "critical", "crucial", "essential", "careful", "mandatory", "beware", "keep in mind",
		"bear in mind", "note that", "remember that":
		return weighty
	case "i want", "we want", "i'd like", "i would like", "we'd like", "i need you", "the idea is", "the goal is":
		return wish
	case "think", "guess", "maybe", "perhaps", "possibly", "seems", "probably", "wonder", "apparently", "might", "hmm",
		"hm", "suppose", "not sure", "looks like", "i don't think":
		return doubt
	case "fails", "failed", "failing", "broken", "still", "weird", "crashes", "error", "errors", "happens", "happening",
		"noticed", "saw", "seeing", "getting", "says", "shows", "showing", "stuck", "wrong", "works", "worked", "hangs",
		"stops", "no idea", "i see", "i get", "i only", "it only", "i don't see", "i don't know", "i don't understand",
		"there is a", "there's a", "this is what", "you can see", "no problem":
		return report
	case "was", "were", "had", "did", "didn't", "wasn't", "got", "yesterday", "happened", "went", "tried", "tested",
		"been", "couldn't", "already", "earlier", "should have", "must have", "could have":
		return gone
	case "why", "what", "what's", "whats", "hows", "wheres", "whos", "how", "which", "who", "where", "does", "is",
		"are", "isn't", "aren't", "doesn't",
		"am", "will", "would", "has", "have", "when", "do we", "do you", "do they", "do i":
		return ask
	case "can you", "could you", "can we", "could we", "would you", "will you":
		return polite
	case "please", "also", "and", "but", "so", "then", "ok", "okay", "yes", "yeah", "just", "now", "pls", "plz", "well",
		"hey", "or", "actually", "additionally", "alright", "finally", "nope", "first", "next", "let's", "lets":
		return link
	case "i", "we", "you", "i'm", "we're", "i've", "we've", "i'd", "i'll", "we'll", "you're", "my", "our", "me", "us":
		return person
	case "the", "a", "an", "to", "of", "in", "it", "for", "on", "with", "that", "this", "at", "by", "from", "as", "if",
		"there", "its", "it's", "that's", "thats":
		return plain
	}
	return 0
}

// reading is what read found in a sentence.
type reading struct {
	words []string
	found cue
	lead  cue  // of the first word that is no link
	open  bool // it ends with a colon: what it says comes after it
}

// read looks for the cues in a sentence. A verb or a negation counts as an order where it opens a clause, and a word
// such as "why" where it opens the sentence. What stands in quotation marks or backticks does not count.
func read(sentence string) (r reading) {
	line, heads := foldSentence(sentence)
	r.words = strings.Fields(line)
	r.open = leadsOn(sentence)
	at, lead := 0, true // lead: nothing but links so far
	head := true
	for i, w := range r.words {
		head = head || heads[i]
		k := cueOf(w)
		end := at + len(w)
		for n := 1; n <= 2 && i+n < len(r.words); n++ {
			end += 1 + len(r.words[i+n])
			k |= cueOf(line[at:end])
		}
		at += len(w) + 1
		if k&report != 0 { // no problem
			k &^= negation
		}
		if !head {
			k &^= steady | once | negation
		}
		if !lead {
			k &^= ask
		}
		if lead && k&^(link|polite) != 0 {
			r.lead = k | r.lead&negation
		}
		if lead && w == "no" && i+1 < len(r.words) && (heads[i+1] || cueOf(r.words[i+1])&(person|plain) != 0) {
			k = link // an answer: "no, that is wrong"
		}
		r.found |= k
		opens := k&(link|polite) != 0 || k&negation != 0
		head = opens && (head || lead) || i > 0 && cueOf(r.words[i-1]+" "+w)&polite != 0 ||
			r.found&wish != 0 && w == "to"
		lead = lead && k&(link|polite) != 0
	}
	if isQuestion(sentence) {
		r.found |= ask
	}
	return r
}

// foldSentence returns the words of a sentence in lower case between single spaces, with an x in place of each
// quotation, and for each word whether a mark before it begins a clause.
func foldSentence(s string) (line string, heads []bool) {
	var b strings.Builder
	head, in := true, false // in: within a word
	until := rune(0)        // the mark that ends the quotation
	begin := func() {
		if !in {
			if b.Len() > 0 {
				b.WriteByte(' ')
			}
			heads, head, in = append(heads, head), false, true
		}
	}
	for i, r := range s {
		if r == '’' {
			r = '\''
		}
		switch {
		case until != 0:
			if r == until {
				until = 0
			}
		case strings.ContainsRune("\"`“«", r):
			mark := closing(r)
			if rest := s[i+len(string(r)):]; strings.ContainsRune(rest, mark) && len(strings.TrimSpace(rest)) > 12 {
				begin()
				b.WriteByte('x')
				until, in = mark, false
			}
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.Is(unicode.M, r), r == '_',
			in && strings.ContainsRune("'-", r):
			begin()
			b.WriteRune(unicode.ToLower(r))
		default:
			in = false
			head = head || strings.ContainsRune(",;:.!?–—→。、，；：", r)
		}
	}
	return b.String(), heads
}

// closing returns the mark that ends a quotation.
func closing(mark rune) rune {
	switch mark {
	case '“':
		return '”'
	case '«':
		return '»'
	}
	return mark
}

// isForeign reports whether nothing in a sentence of some length is English.
func (r reading) isForeign() bool {
	return r.found == 0 && (len(r.words) >= 3 || strings.ContainsFunc(strings.Join(r.words, ""), isUnspaced))
}

// isHardlyEnglish reports whether less than a third of a sentence is English: "no" and "as" are words of other
// languages too.
func (r reading) isHardlyEnglish() bool {
	const long = 6 // words
	return r.isForeign() || len(r.words) >= long && 3*r.known() < len(r.words)
}

// known returns how many words of a sentence are English ones that stand in a list.
func (r reading) known() (n int) {
	for _, w := range r.words {
		if cueOf(w) != 0 || isEmpty(w) || isChatterWord(w) {
			n++
		}
	}
	return n
}

// weigh adds up what the cues say about a typed sentence.
func (r reading) weigh() (w int) {
	found := r.found
	if r.lead&(steady|negation|strict) != 0 { // it opens with an order that holds on: what else it tells of is why
		found &^= report | gone | doubt
	}
	for _, e := range weights {
		if found&e.cue != 0 {
			w += e.weight
		}
	}
	if found&once != 0 && found&(steady|negation|strict|modal|contrast|only|prefer) == 0 {
		w -= 2
	}
	if r.open {
		w -= 3
	}
	return w
}
