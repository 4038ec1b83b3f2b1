package capture

import (
	"strings"
	"unicode/utf8"

	"github.com/mementohq/memento/internal/journal"
)

// What follows tells when a sentence takes back an earlier one: what it says no longer holds, though it stays in history.
// It is kept narrow, because a rule that is taken back by mistake is a rule lost: the later sentence must speak of the same
// thing in the same words and say the opposite, or name what it gives up. Questions, conditions and exceptions take
// nothing back.

// stand is what a sentence stands for, as far as it can be compared with another.
type stand struct {
	verb     string   // of the order it gives, "" for none
	about    []string // its words that carry meaning, what it rejects left out
	rejects  []string // what stands behind "not", "instead of"
	against  bool     // it forbids
	allows   bool     // it permits, or releases from a duty
	releases bool     // "you don't have to", "no need to", "no longer"
	forgets  bool     // "forget what I said about"
	last     bool     // "never mind": what was said just before
	instead  bool     // another choice than before
	standing bool     // never, always
	passing  bool     // yet, for now
	once     bool     // now, this time
	open     bool     // a question, a condition or an exception
	rule     bool
	known    bool // the sentence was read
}

// stands returns what s stands for, read once where there is room to remember it.
func (s Judged) stands() stand {
	if s.stood == nil {
		return stands(s)
	}
	if !s.stood.known {
		*s.stood = stands(s)
		s.stood.known = true
	}
	return *s.stood
}

// stands reads a sentence.
func stands(s Judged) stand {
	t := stand{rule: s.Weight >= ruleWeight, open: len(s.Text) > 300}
	if t.open {
		return t
	}
	line, words := folded(s.Text)
	if len(words) > 30 {
		t.open = true
		return t
	}
	line = " " + line + " "
	any := func(list ...string) bool {
		for _, p := range list {
			if strings.Contains(line, p) {
				return true
			}
		}
		return false
	}
	raw := strings.TrimSpace(s.Text)
	t.open = strings.HasSuffix(raw, "?") || strings.HasSuffix(raw, "？") ||
		any(" if ", " when ", " unless ", " except ", " once ", " after ", " but ", " only ", " until ", " wenn ", " falls ", " außer ", " aber ", " sobald ", " nur ", " se ", " quando ", " exceto ", " mas ", " só ", " depois ", " si ", " cuando ", " excepto ", " salvo ", " pero ", " solo ", " sólo ", " después ", "たら", "場合", "だけ", "면 ", "만 ")
	t.last = len(words) <= 5 && any(" never mind ", " nevermind ", " forget it ", " forget that ", " scrap that ", " ignore that ", " ignore my last message ", " deixa pra lá ", " deixa para lá ", " esquece isso ", " esquece ", " olvídalo ", " olvidalo ", " olvida eso ", " vergiss es ", " vergiss das ", "忘れて", "やっぱりなし", "잊어버려", "없던 걸로")
	t.forgets = any(" forget what i said about ", " ignore what i said about ", " forget the rule about ", " drop the rule about ", " scrap the rule about ", " esquece o que eu disse sobre ", " esqueça o que eu disse sobre ", " olvida lo que dije sobre ", " olvida lo de ", " vergiss was ich über ", " vergiss die regel ")
	t.releases = any(" you don't have to ", " you don't need to ", " you do not have to ", " you do not need to ", " no need to ", " no longer need to ", " no longer needed ", " not needed anymore ", " don't need to ", " não precisa mais ", " já não precisa ", " ya no hace falta ", " ya no tienes que ", " ya no es necesario ", " du musst nicht mehr ", " nicht mehr nötig ", " brauchst nicht mehr ", "なくていい", "なくても大丈夫", "안 해도 돼", "하지 않아도 돼")
	t.allows = t.releases || any(" you can ", " you may ", " you're allowed to ", " feel free to ", " it's ok to ", " it's fine to ", " go ahead and ", " pode ", " podes ", " puedes ", " ya puedes ", " du kannst ", " du darfst ", " kannst du ", " darfst du ", "ていい", "てもいい", "해도 돼", "해도 좋아", "해도 됩니다")
	t.against = !t.releases && (s.found&negation != 0 || any(" never ", " nunca ", " jamais ", " jamás ", " niemals ", " nie ", "ないで", "지 마", "지마", "말아"))
	t.standing = any(" never ", " always ", " nunca ", " sempre ", " siempre ", " jamais ", " jamás ", " niemals ", " nie ", " immer ", "絶対", "常に", "必ず", "절대", "항상")
	t.passing = any(" yet ", " for now ", " for the moment ", " noch nicht ", " noch ", " vorerst ", " ainda ", " por enquanto ", " todavía ", " aún ", " por ahora ", "まだ", "아직")
	t.once = any(" now ", " this time ", " agora ", " desta vez ", " ahora ", " esta vez ", " jetzt ", " diesmal ", "今", "もう", "今回", "이제", "이번")
	t.instead = any(" instead ", " stattdessen ", " em vez disso ", " en su lugar ", " en cambio ", "代わりに", "대신") && !any(" instead of ")

	reject := 0 // how many of the next words are rejected
	for i, w := range words {
		before := ""
		if i > 0 {
			before = words[i-1]
		}
		switch {
		case i > 0 && oneOf(w, "of", "de") && oneOf(before, "instead", "vez", "lugar", "invés"), i > 0 && w == "than" && before == "rather", oneOf(w, "statt", "anstatt", "anstelle"), i > 0 && oneOf(w, "not", "nicht", "não") && !mute(before), w == "no" && strings.Contains(raw, ", no "):
			reject = 3
			continue
		case strings.HasSuffix(w, "말고"), strings.HasSuffix(w, "ではなく"), w == "말고":
			if w = strings.TrimSuffix(strings.TrimSuffix(w, "말고"), "ではなく"); w == "" && len(t.about) > 0 {
				w, t.about = t.about[len(t.about)-1], t.about[:len(t.about)-1]
			}
			if w != "" {
				t.rejects = append(t.rejects, w)
			}
			continue
		case mute(w):
			continue
		}
		if k := wordCue(w); t.verb == "" && len(t.about) == 0 && k&(steady|once) != 0 {
			t.verb = w
		}
		if w = core(w); w == "" {
			continue
		}
		if reject > 0 {
			reject--
			t.rejects = append(t.rejects, w)
		} else {
			t.about = append(t.about, w)
		}
	}
	return t
}

// mute reports whether w carries no meaning of its own where two sentences are compared.
func mute(w string) bool {
	return wordCue(w)&(link|person|ask|negation|extent|scope) != 0 && w != "first" || oneOf(w,
		"a", "an", "the", "to", "it", "this", "that", "them", "is", "be", "do", "does", "can", "may", "must", "should", "never", "always", "yet", "again", "more", "any", "no", "longer", "need", "needed", "have", "free", "feel", "ahead", "go", "allowed", "fine", "instead", "rather", "than", "of", "forget", "ignore", "drop", "scrap", "what", "said", "about", "rule", "time", "here", "there", "for", "moment", "on", "in", "with", "actually", "sorry", "wait", "let's", "lets",
		"o", "os", "as", "um", "uma", "de", "da", "do", "na", "nunca", "sempre", "pode", "podes", "precisa", "mais", "já", "ainda", "que", "disse", "sobre", "esquece", "vez", "invés", "em", "disso", "desta",
		"el", "la", "los", "las", "un", "una", "lo", "del", "siempre", "jamás", "puedes", "ya", "todavía", "aún", "hace", "falta", "tienes", "necesario", "lugar", "olvida", "dije", "esta", "en", "su",
		"der", "die", "das", "den", "dem", "ein", "eine", "einen", "zu", "nie", "niemals", "immer", "kannst", "darfst", "du", "musst", "mehr", "noch", "vergiss", "regel", "über", "gesagt", "habe", "nötig", "brauchst", "vorerst", "stattdessen", "diesmal", "im", "am", "auf")
}

// core is w without what bends it in scripts that put endings on a word; "" when nothing is left.
func core(w string) string {
	if r, _ := utf8.DecodeRuneInString(w); r < 0x2e80 {
		return w
	}
	for _, end := range [...]string{"まだ", "もう", "今", "よ", "は", "を", "に", "も", "しないでください", "しないで", "してもいいです", "してもいい", "していいです", "していい", "しなくていい", "ください", "절대", "아직", "이제", "하지", "해도", "마세요", "마", "돼요", "돼", "됩니다", "지", "는", "을", "를", "은"} {
		if strings.HasPrefix(end, "し") || end == "よ" || end == "ください" || end >= "가" {
			w = strings.TrimSuffix(w, end)
		} else {
			w = strings.TrimPrefix(strings.TrimSuffix(w, end), end)
		}
	}
	return w
}

// like reports whether two words are one, bent differently: push and pushing, mexe and mexer.
func like(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if a == b {
		return true
	}
	if len(a) < 4 || a[:4] != b[:4] {
		return false
	}
	stem := a
	for len(stem) > 4 && !strings.HasPrefix(b, stem) {
		stem = stem[:len(stem)-1]
	}
	return len(stem) >= 4 && strings.HasPrefix(b, stem) && len(a)-len(stem) <= 2 && len(b)-len(stem) <= 3
}

// within reports whether every one of few is among many.
func within(few, many []string) bool {
	for _, f := range few {
		found := false
		for _, m := range many {
			found = found || like(f, m)
		}
		if !found {
			return false
		}
	}
	return len(few) > 0
}

// takesBack reports whether t, said later, takes back old. alone tells that old is the only one of its verb that holds;
// before, that old is all that was said just before t.
func (t stand) takesBack(old stand, alone, before bool) bool {
	switch {
	case t.last:
		return before
	case t.open, len(old.about) == 0, len(old.about) > 12:
		return false
	case t.forgets:
		return within(t.about, old.about) && old.rule
	case t.releases:
		return !old.against && old.rule && !old.open && within(t.about, old.about) && (len(t.about) > 1 || len(old.about) <= 3)
	case len(t.rejects) > 0 && t.verb != "" && old.verb == t.verb && !old.against && len(old.about) <= 4 && within(t.rejects, old.about):
		return !within(t.about, old.about)
	case t.instead && t.verb != "":
		return old.verb == t.verb && !old.against && !old.open && len(old.about) <= 3 && (alone || before)
	}
	same := within(t.about, old.about) && within(old.about, t.about)
	switch {
	case !same || old.open || len(t.rejects)+len(old.rejects) > 0:
		return false
	case old.against && !t.against:
		return !old.standing && t.allows || old.passing && t.once || old.standing && t.standing
	case t.against && !old.against:
		return old.rule && (t.standing || !t.passing && !t.once) || old.allows
	}
	return false
}

// takes reports whether t may take back anything.
func (t stand) takes() bool {
	return t.last || !t.open && (t.forgets || t.releases || t.instead || t.against || t.allows || t.standing || t.once || len(t.rejects) > 0)
}

// retract takes out of the journal what the prompt p takes back; it stays in history.
func retract(j *journal.Journal, p prompt, past past) {
	var all []Judged
	var of []int
	taker := false
	for _, s := range past.judge(p.Text) {
		taker = taker || s.stands().takes()
		all, of = append(all, s), append(of, len(j.Said))
	}
	if !taker {
		return
	}
	var earlier []Judged
	var said []int
	for i, s := range j.Said {
		if s.By == "" && s.Ref != "" && s.Ref != p.UUID && s.Asked == "" && !j.Opening(s) {
			for _, sentence := range past.judge(s.Text) {
				earlier, said = append(earlier, sentence), append(said, i)
			}
		}
	}
	gone, left := map[int]bool{}, map[int]bool{}
	for i, g := range superseded(append(earlier, all...), append(said, of...))[:len(earlier)] {
		gone[said[i]], left[said[i]] = gone[said[i]] || g, left[said[i]] || !g
	}
	for i := len(j.Said) - 1; i >= 0; i-- {
		if gone[i] && !left[i] {
			j.Supersede(i, p.UUID)
		}
	}
}

// maxBack is how many sentences back are looked at.
const maxBack = 500

// superseded marks which of all, the sentences of a session oldest first, a later one took back. message tells which
// message each is of.
func superseded(all []Judged, message []int) []bool {
	gone := make([]bool, len(all))
	stood := make([]stand, len(all))
	for i := range all {
		if all[i].Weight <= printedWeight/2 || all[i].foreign {
			stood[i].open = true
			continue
		}
		t := all[i].stands()
		stood[i] = t
		if !t.takes() {
			continue
		}
		verbs, just := 0, 0
		for k := max(0, i-maxBack); k < i; k++ {
			if !gone[k] && stood[k].verb != "" && stood[k].verb == t.verb && !stood[k].against && stood[k].rule {
				verbs++
			}
			if message[k] == message[i]-1 {
				just++
			}
		}
		for k := max(0, i-maxBack); k < i; k++ {
			if !gone[k] && message[k] < message[i] && t.takesBack(stood[k], verbs == 1, message[k] == message[i]-1 && just == 1) {
				gone[k] = true
			}
		}
	}
	return gone
}
