package capture

import (
	"strings"
	"unicode"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/text"
)

// What follows judges which of a person's sentences should govern later work. It weighs evidence: what the words are
// (cues, in cue.go), where they stand in their clause, and where the sentence stands in its message. The verdict decides
// what goes first when room is short and what is marked, nothing else: everything typed is kept.

// Weights of a sentence, from the least to the most worth keeping in sight. A sentence weighs more the more evidence
// there is; ruleWeight and more make it a rule.
const (
	printedWeight = -100 // not typed: a log line, code, a heading
	foreignWeight = 5    // what less somebody else's sentence weighs
	tellWeight    = -1   // tells something; what weighs less asks back, or reports
	ruleWeight    = 2
)

// Rule reports whether a sentence by itself looks like one that governs later work.
func Rule(sentence string) bool { return Weight(sentence) >= ruleWeight }

// maxPasted is how many sentences may be rules where part of the message was pasted: a person sets two or three there;
// more is a text that happens to hold the words.
const maxPasted = 3

// Rules returns the sentences of message that look like rules, in their order, each a part of message: all that were
// typed, however many; of a message with a pasted text in it the last few, because what a person asks stands at the end
// of what they paste.
func Rules(message string) []string {
	var out []string
	all, pasted := judge(message)
	for _, s := range all {
		if s.Weight >= ruleWeight {
			out = append(out, s.Text)
		}
	}
	if pasted {
		out = out[max(0, len(out)-maxPasted):]
	}
	return out
}

// Weight says how much a sentence by itself looks like one that governs later work.
func Weight(sentence string) int {
	if !prose(sentence) || text.Runes(sentence) > journal.MaxSaid {
		return printedWeight
	}
	return weigh(sentence, read(sentence))
}

// maxJudged is how much of a message is looked at, in bytes: nobody types more.
const maxJudged = 32 << 10

// Judged is a sentence of a message and what it weighs there.
type Judged struct {
	Text   string
	Weight int

	found   cue
	foreign bool // somebody else's: a reviewer's, a document's
}

// Judge returns the sentences of message with what each weighs where it stands: what stands in a pasted log is nobody's
// wish, and in a pasted review or document it is first of all somebody else's.
func Judge(message string) []Judged {
	all, _ := judge(message)
	return all
}

func judge(message string) (all []Judged, pasted bool) {
	if len(message) > maxJudged { // what a person types stands at its ends
		half := maxJudged / 2
		head, tail := message[:half], message[len(message)-half:]
		head = head[:strings.LastIndexAny(head, "\n ")+1]
		tail = tail[strings.IndexAny(tail, "\n ")+1:]
		message, pasted = head+"\n"+tail, true
	}
	lines := strings.Split(message, "\n")
	printed := printedLines(lines)
	var (
		readings       []reading
		sections       []int // of each sentence: how many headings stand before it
		headings       int
		first          int  // sentence of this paragraph
		technical      bool // this paragraph speaks of code as a reviewer does
		quoted, fenced bool // announced as another's words; in a code fence
	)
	paragraph := func() {
		for i := first; technical && i < len(all); i++ {
			r := readings[i]
			all[i].foreign = all[i].foreign || len(r.words) >= 8 && r.begins&(steady|negation|strict|once|modal) == 0 && r.found&person == 0
		}
		first, technical = len(all), false
	}
	for i, l := range lines {
		t := strings.TrimSpace(l)
		switch {
		case strings.HasPrefix(t, "```"):
			fenced = !fenced
			pasted = true
			continue
		case fenced:
			continue
		case t == "":
			paragraph()
			continue
		case heading(t):
			headings++
		}
		if printed[i] {
			pasted = true
			technical = technical || names(t) > 1
		}
		for _, s := range Sentences(l) {
			r, w := reading{}, printedWeight
			switch {
			case printed[i], !prose(s):
			case text.Runes(s) > journal.MaxSaid: // it is quoted in part only
				w = 0
			default:
				r = read(s)
				w = weigh(s, r)
			}
			if r.found&(person|polite) != 0 {
				quoted = false
			}
			technical = technical || len(r.words) >= 10 && (r.names > 1 || r.names > 0 && r.found&person == 0)
			all, readings, sections = append(all, Judged{s, w, r.found, quoted}), append(readings, r), append(sections, headings)
		}
		if strings.HasSuffix(t, ":") && announces(t) {
			quoted = true
		}
	}
	paragraph()
	dense := count(printed) >= manyPrinted
	for i := range all {
		f := &all[i].foreign
		r := readings[i]
		outer := (i == 0 || i == len(all)-1) && r.found&(once|steady|negation|strict|modal|only|ask) != 0
		if dense && r.found&(person|polite) == 0 && !outer { // around a long print, it is the rest of it
			*f = true
		} else if headings > 1 && sections[i] > 0 && r.found&person == 0 {
			*f = true
		}
		if i == len(all)-1 && len(readings[i].words) < 8 { // what a person asks stands at the end
			*f = false
		}
		if *f {
			all[i].Weight -= foreignWeight
			pasted = true
		}
	}
	list(all)
	return all, pasted
}

// list makes rules of what stands among rules: who writes down three and more points, most of them rules, sets no others.
func list(all []Judged) {
	for begin := 0; begin < len(all); begin++ {
		end, rules := begin, 0
		for end < len(all) && item(all[end].Text) && !all[end].foreign {
			if all[end].Weight >= ruleWeight {
				rules++
			}
			end++
		}
		if n := end - begin; n >= 3 && rules*2 > n {
			for i := begin; i < end; i++ {
				if all[i].Weight >= tellWeight {
					all[i].Weight = max(all[i].Weight, ruleWeight)
				}
			}
		}
		begin = max(begin, end-1)
	}
}

// item reports whether a sentence is a point of a list.
func item(s string) bool {
	for _, mark := range [...]string{"- ", "* ", "• ", "– "} {
		if strings.HasPrefix(s, mark) {
			return true
		}
	}
	return false
}

// manyPrinted is how many printed lines make a message a pasted one, with a few words before or after.
const manyPrinted = 5

func count(list []bool) (n int) {
	for _, b := range list {
		if b {
			n++
		}
	}
	return n
}

// heading reports whether a line is a heading of a Markdown document.
func heading(line string) bool {
	rest := strings.TrimLeft(line, "#")
	return len(rest) < len(line) && strings.HasPrefix(rest, " ")
}

// announces reports whether a line says that what follows is what somebody else wrote, or what was printed.
func announces(line string) bool {
	_, words := folded(line)
	return has(words, "feedback", "comment", "comments", "review", "error", "errors", "log", "logs", "output", "says", "said", "got", "get", "message", "reported", "reports", "shows", "trace", "result", "seeing", "prints", "wrote",
		"erro", "erros", "comentário", "comentários", "saída", "salida", "comentario", "comentarios", "fehler", "ausgabe", "kommentar", "kommentare") && !has(words, "my", "rules", "requirements", "meu", "mis", "mein")
}

// printedLines says of each line whether it was printed rather than typed: it looks so, or it stands among lines that do
// and does not speak to anybody, or it is indented under one.
func printedLines(lines []string) []bool {
	printed := make([]bool, len(lines))
	some := 0
	for i, l := range lines {
		t := strings.TrimSpace(l)
		if printed[i] = text.Runes(t) > 3 && !prose(firstSentence(t)) || strings.HasPrefix(l, "  ") && i > 0 && printed[i-1]; printed[i] {
			some++
		}
	}
	if some < 2 {
		return printed
	}
	last, between, typed := -1, 0, false // the printed line before; the lines since, and whether one of them was typed
	for i, l := range lines {
		t := strings.TrimSpace(l)
		switch {
		case printed[i]:
			if last >= 0 && between <= maxBetween && !typed {
				for k := last + 1; k < i; k++ {
					printed[k] = true
				}
			}
			last, between, typed = i, 0, false
		case t == "":
			between++
		default:
			between++
			blank := i == 0 || strings.TrimSpace(lines[i-1]) == "" // it opens a paragraph
			typed = typed || blank && read(t).found&(person|polite) != 0
		}
	}
	return printed
}

// typedPart returns what of a message speaks for it where there is room for little: all of it, or, when it begins with
// something printed, the last lines that were typed.
func typedPart(message string) string {
	lines := strings.Split(message, "\n")
	printed := printedLines(lines)
	first := 0
	for first < len(lines)-1 && strings.TrimSpace(lines[first]) == "" {
		first++
	}
	if !printed[first] {
		return message
	}
	end := len(lines)
	for end > 0 && (printed[end-1] || strings.TrimSpace(lines[end-1]) == "") {
		end--
	}
	begin := end
	for begin > 0 && !printed[begin-1] {
		begin--
	}
	if part := strings.TrimSpace(strings.Join(lines[begin:end], "\n")); part != "" {
		return part
	}
	return message
}

// firstSentence returns the first sentence of a line, behind the number of a list.
func firstSentence(line string) string {
	for _, s := range Sentences(line) {
		if strings.IndexFunc(s, unicode.IsLetter) >= 0 {
			return s
		}
	}
	return line
}

// maxBetween is how many lines may stand between two printed ones and be taken for printed too.
const maxBetween = 8

// weigh adds up the evidence in a sentence that was typed, as c has read it.
func weigh(sentence string, c reading) int {
	if len(sentence) < 6 {
		return 0
	}
	if c.order {
		c.found &^= report | gone | doubt
	}
	w := 0
	for _, e := range [...]struct {
		cue    cue
		weight int
	}{{strict, 3}, {modal, 2}, {only, 2}, {wish, 2}, {prefer, 3}, {choice, 3}, {bound, 3}, {scope, 1}, {contrast, 2}, {fact, 3}, {extent, 1}, {weighty, 2}, {allow, 2}, {alike, 2}, {steady, 3}, {negation, 3}, {report, -2}, {gone, -2}} {
		if c.found&e.cue != 0 {
			w += e.weight
		}
	}
	if c.found&once != 0 && c.found&(steady|negation|strict|modal|contrast|only|alike) == 0 {
		w -= 2
	}
	if c.found&doubt != 0 && c.found&(modal|strict) == 0 {
		w -= 2
	}
	if c.found&ask != 0 {
		w -= 4
	}
	if c.open {
		w -= 3
	}
	if c.names > 0 && len(c.words) >= 10 && c.found&person == 0 && c.begins&(steady|negation|strict|once|modal) == 0 { // how reviewers and their machines write of code
		w -= 4
	}
	return w
}

// reading is what was found in a sentence.
type reading struct {
	words  []string
	found  cue
	order  bool // it opens with an order that holds on: what else it tells of is why
	begins cue  // of its first word that is no link
	names  int  // of things in code
	open   bool // it ends with a colon: what it says comes after it
}

// read looks for the cues in a sentence: a verb or a negation counts as an order where it opens a clause; what stands in
// quotation marks or backticks is somebody else's.
func read(sentence string) (r reading) {
	s := strings.ToLower(strings.ReplaceAll(sentence, "’", "'"))
	r.names = names(sentence)
	s = unquoted(strings.TrimRight(s, " \t)'*_"))
	r.open = strings.HasSuffix(s, ":") || strings.HasSuffix(s, "：")
	var line strings.Builder
	line.WriteByte(' ')
	var (
		ascii     = true
		head      = true   // the next word opens a clause
		lead      = true   // nothing but links so far
		must      = cue(0) // should, need to, want to: what comes next is what for
		condition bool     // the sentence begins with a case
		mild      bool     // what should be done is done and over then
		before    string
		begin     = -1
	)
	word := func(w string) {
		line.WriteString(w)
		line.WriteByte(' ')
		r.words = append(r.words, w)
		k := wordCue(w)
		switch {
		case before == "do" && k == person && len(r.words) <= 4, before == "do" && w == "they" && len(r.words) <= 4: // do we have it?
			r.found = r.found&^once | ask
			r.begins = ask
		case lead && w == "using":
			k = steady
		case strings.HasPrefix(w, "n'") && len(w) > 4: // n'ajoute pas
			k = negation
		case k == 0 && len(w) > 6 && (strings.HasSuffix(w, "malı") || strings.HasSuffix(w, "meli") || strings.HasSuffix(w, "malıdır") || strings.HasSuffix(w, "melidir")): // Turkish: has to
			k = strict
		case (w == "nicht" || w == "keine" || w == "keinen") && r.found&once != 0: // the verb of a German order stands before it
			r.found |= negation
		}
		if (w == "need" || w == "have") && r.found&person == 0 && !lead {
			k = modal
		}
		if must != 0 {
			switch {
			case k == once:
				r.found |= once
				mild, must = true, 0
			case k == link, w == "to", w == "we", w == "i", w == "not", w == "first", w == "probably", w == "maybe", w == "a", w == "an":
			default:
				must = 0
			}
		}
		switch {
		case head && k&(steady|once|negation) != 0:
			r.found |= k
		case before != "" && wordCue(before) == negation && r.found&negation != 0 && idle(w):
			r.found = r.found&^negation | report
			r.order = false
		}
		switch {
		case k == ask:
			if lead {
				r.found |= ask
			}
		case k&(steady|once|negation) == 0:
			r.found |= k
		}
		switch {
		case k == modal, k == wish, w == "need", w == "want", w == "like", w == "quero", w == "preciso", w == "necesito":
			must = modal | wish
		}
		switch {
		case lead && oneOf(w, "if", "when", "whenever", "se", "quando", "si", "cuando", "wenn", "falls", "если", "когда"):
			condition = true
		case condition && head && k == once:
			r.found |= modal // what to do in a case is no work in hand
			r.begins |= modal
		}
		if lead && k&^(link|polite) != 0 {
			r.begins = k
			r.order = k&(steady|negation|strict) != 0
		}
		// "can you", "could we" ask politely for what comes next.
		if lead && (w == "can" || w == "could" || w == "pode" || w == "puedes" || w == "kannst") {
			r.found |= polite
		}
		head = k == link || k == negation && head || (head || lead) && (w == "can" || w == "could" || w == "let's" || w == "lets" || w == "let") || (before == "can" || before == "could") && (w == "you" || w == "we")
		lead = lead && (k == link)
		before = w
	}
	for i, c := range s {
		if c >= 0x80 {
			ascii = false
		}
		in := unicode.IsLetter(c) || unicode.IsDigit(c) || unicode.Is(unicode.M, c) || c == '\'' || c == '_' || c == '-' && begin >= 0 && i+1 < len(s) && s[i+1] != ' '
		switch {
		case in && begin < 0:
			begin = i
		case !in && begin >= 0:
			word(s[begin:i])
			begin = -1
		}
		if !in && strings.ContainsRune(",;:.!?–—-→", c) {
			head, must = true, 0
		}
	}
	if begin >= 0 {
		word(s[begin:])
	}
	r.found |= cuesIn(line.String(), ascii)
	if mild && r.found&(modal|wish) != 0 {
		r.found = r.found&^(modal|wish|once) | plan
	}
	for i, w := range r.words[:max(0, len(r.words)-1)] {
		if next := r.words[i+1]; (w == "option" || w == "options" || w == "opção" || w == "opción" || w == "variante") && len(next) <= 2 && (next[0] >= '0' && next[0] <= '9' || len(next) == 1) {
			r.found |= choice
		}
	}
	if strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？") {
		r.found |= ask
	}
	return r
}

// unquoted returns s without what stands in double quotation marks or backticks, unless that is all there is.
func unquoted(s string) string {
	if !strings.ContainsAny(s, "\"`“") {
		return s
	}
	var b strings.Builder
	rest := s
	for {
		i := strings.IndexAny(rest, "\"`“")
		if i < 0 {
			break
		}
		mark := rest[i : i+1]
		end := mark
		if strings.HasPrefix(rest[i:], "“") {
			mark, end = "“", "”"
		}
		n := strings.Index(rest[i+len(mark):], end)
		if n < 0 {
			break
		}
		b.WriteString(rest[:i])
		b.WriteString("x")
		rest = rest[i+len(mark)+n+len(end):]
	}
	b.WriteString(rest)
	if len(strings.TrimSpace(b.String())) < 3 {
		return s
	}
	return b.String()
}

// names counts the words of s that name things in code: camelCase, snake_case, calls(), a line's number.
func names(s string) int {
	n := 0
	for _, w := range strings.Fields(s) {
		lower := false
		for i, c := range w {
			switch {
			case c == '_' && i > 0 && i < len(w)-1, c == '(' && i > 1 && i+1 < len(w) && w[i+1] == ')':
				n++
				lower = false
			case c >= 'A' && c <= 'Z' && lower:
				n++
				lower = false
			case c >= 'a' && c <= 'z':
				lower = true
			default:
				lower = false
			}
		}
		if (w == "line" || w == "lines") && strings.ContainsAny(s, "0123456789") {
			n++
		}
	}
	return n
}

// idle reports whether a negation before w tells how things are rather than how they should be: "no problem", "não
// funciona", "no veo".
func idle(w string) bool {
	return oneOf(w, "wait", "idea", "problem", "problems", "worries", "luck", "way", "errors", "error", "changes", "logs", "difference", "i", "it", "that", "this", "we", "they", "there", "sure", "yet", "what", "why", "it's", "i'm", "really", "output", "longer", "one", "see", "know", "think", "understand", "get", "have", "sense",
		"está", "estão", "estou", "esta", "estava", "é", "foi", "tem", "tinha", "há", "funciona", "funcionou", "aparece", "apareceu", "carrega", "carregou", "vejo", "consigo", "consegui", "sei", "deu", "dá", "vai", "era", "mostra", "entendi", "abre", "acho", "sendo", "só",
		"es", "estaba", "pasa", "pasó", "carga", "veo", "sale", "va", "hay", "tiene", "puedo", "sé", "entiendo", "me", "se", "lo", "responde", "encuentro",
		"работает", "вижу", "понимаю", "знаю", "могу", "n'est", "n'a", "marche", "fonctionne", "sais", "vois", "funziona", "vedo")
}

// prose reports whether a line reads like something typed rather than printed: no time stamp, no path and line number, no
// stack frame, mostly letters.
func prose(s string) bool {
	letters, digits, n := 0, 0, 0
	for _, w := range strings.Fields(s) {
		if strings.Contains(w, "://") { // an address says nothing of the words around it
			continue
		}
		letters, n = letters+1, n+1 // the space behind it
		for _, r := range w {
			n++
			switch {
			case r >= 'a' && r <= 'z' || r == '\'' || unicode.IsLetter(r) || unicode.Is(unicode.M, r):
				letters++
			case unicode.IsDigit(r):
				digits++
			}
		}
	}
	if letters*10 < n*7 || digits*5 > n {
		return false
	}
	for _, mark := range [...]string{"File \"", "Traceback", "ERROR", "WARN", "INFO", "DEBUG", "FATAL", "+ ", "| ", "> ", "$ ", "# ", "//", "/*", "*/", "<!--", "#!", "**", "==", "--", "go: ", "⎿", "❯", "●", "✓", "✗", "✔", "✘", "│", "┃", "├", "└", "╭", "╰", "⏺"} {
		if strings.HasPrefix(s, mark) {
			return false
		}
	}
	for _, mark := range [...]string{" ERROR ", " WARN ", " INFO ", " DEBUG ", "Exception:", "Exception in thread", "Error: ", "error:", "⎿", ":="} {
		if strings.Contains(s, mark) {
			return false
		}
	}
	if len(s) > 5 && s[4] == '-' && strings.Trim(s[:4], "0123456789") == "" { // a date
		return false
	}
	if names(s) > 0 && strings.Contains(s, " = ") || called(s) || strings.HasSuffix(s, "==") || strings.HasSuffix(s, ">") && strings.Contains(s, "@") || strings.HasSuffix(s, " Severity") || strings.HasPrefix(s, "If you need specific details from before exiting plan mode") {
		return false
	}
	if strings.HasSuffix(s, ";") || strings.HasSuffix(s, "{") || strings.HasSuffix(s, "}") {
		return false
	}
	return !strings.HasPrefix(s, "at ") || !strings.Contains(s, "(")
}

// called reports whether s calls something with a string, as code does.
func called(s string) bool {
	i := strings.Index(s, `("`)
	return i > 0 && s[i-1] != ' '
}
