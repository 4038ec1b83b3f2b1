package retrieve

import (
	"strings"

	"github.com/mementohq/memento/internal/sentence"
	"github.com/mementohq/memento/internal/text"
)

// pastCues are words with which somebody asks for what was said or decided before, one list for each language.
// A string costs nothing when a process starts.
const pastCues = `
what did we decide|what did we say|what did we agree|what have we decided|what was decided|did we decide|did we agree|
why did we|how did we|when did we|where did we|what did you say|as we discussed|as discussed|we discussed|
we talked about|as we agreed|as agreed|we agreed on|we had decided|the other day|last time|last week|from yesterday|
yesterday's|previous session|earlier session|last session|do you remember|remember when|
was haben wir|wie haben wir|warum haben wir|wo haben wir|haben wir entschieden|haben wir beschlossen|wie besprochen|
wie vereinbart|hatten wir|von gestern|gestrige|letztes mal|letzte woche|neulich|weißt du noch|weisst du noch|erinnerst du dich|
qu'avons-nous|qu'est-ce qu'on avait|on avait décidé|nous avions décidé|comme convenu|comme discuté|comme on en a parlé|
d'hier|la dernière fois|la semaine dernière|tu te souviens|
qué decidimos|qué acordamos|qué dijimos|qué habíamos|que decidimos|que acordamos|como hablamos|como acordamos|de ayer|la última vez|la ultima vez|
la semana pasada|te acuerdas|
cosa abbiamo deciso|cosa avevamo|come concordato|come discusso|come abbiamo detto|di ieri|l'ultima volta|
la settimana scorsa|ti ricordi|
o que decidimos|o que combinamos|como combinamos|como discutimos|de ontem|da última vez|na semana passada|
wat hebben we|waarom hebben we|zoals besproken|zoals afgesproken|van gisteren|vorige keer|vorige week|weet je nog|
что мы решили|почему мы|как мы обсуждали|как обсуждали|как договорились|вчерашняя|вчерашний|вчерашнюю|
в прошлый раз|на прошлой неделе|помнишь
`

// densePastCues are those of languages without spaces.
const densePastCues = `上次|昨天的|之前讨论|我们之前|之前决定|前回|昨日の|先日|以前決めた`

// maxAsking is how many bytes of a prompt are looked through. Whoever asks for the past does so in a few words.
const maxAsking = 4 << 10

// asksPast reports whether a prompt asks for what was said or decided earlier, and returns the rest of the sentence
// that asks: what it is about.
func asksPast(prompt string) (about string, ok bool) {
	prompt = strings.ToValidUTF8(prompt[:min(len(prompt), maxAsking)], "")
	cue, dense := pastCue(text.Fold(prompt))
	if cue == "" {
		return "", false
	}
	for _, one := range sentence.Split(prompt) {
		one = " " + withoutOpening(text.Fold(one)) + " "
		if before, after, found := strings.Cut(one, cue); found && (dense || endsWord(after)) {
			return strings.TrimSpace(before + " " + after), true
		}
	}
	return "", false
}

// withoutOpening takes out the marks that stand before a question in Spanish.
func withoutOpening(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "¿", ""), "¡", "")
}

// pastCue returns the first cue in a folded text, with a space before it unless it is of a language without spaces.
func pastCue(folded string) (cue string, dense bool) {
	folded = " " + withoutOpening(folded)
	for line := range strings.Lines(pastCues) {
		for cue := range strings.SplitSeq(strings.TrimSpace(line), "|") {
			if cue = " " + strings.ReplaceAll(cue, "'", ""); len(cue) > 1 && strings.Contains(folded, cue) {
				return cue, false
			}
		}
	}
	for cue := range strings.SplitSeq(densePastCues, "|") {
		if strings.Contains(folded, cue) {
			return cue, true
		}
	}
	return "", false
}

// endsWord reports whether a word ends where s begins.
func endsWord(s string) bool { return s == "" || strings.ContainsRune(" ,.;:?!", rune(s[0])) }
