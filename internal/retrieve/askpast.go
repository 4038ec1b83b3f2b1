package retrieve

import (
	"strings"

	"github.com/mementohq/memento/internal/sentence"
	"github.com/mementohq/memento/internal/text"
)

// pastCues are words with which somebody asks for what was said or decided before, one paragraph for each language.
// "We decided" alone is not among them: it tells of a decision. A string costs nothing when a process starts.
const pastCues = `
what did we decide|what did we say|what did we agree|what did we do about|what did we end up|what did we conclude|
what did we choose|what did we settle|what have we decided|what was decided|what was agreed|what we decided|what we agreed|
what we discussed|did we decide|did we agree|did we settle|did we conclude|did we choose|did we discuss|did we talk|
didn't we already|have we decided|have we agreed|haven't we already|why did we|how did we|when did we|where did we|
what did you say|what was our|as we discussed|like we discussed|as discussed|we discussed|we talked about|as we agreed|
like we agreed|as agreed|we agreed on|we had decided|we had agreed|as we decided|as decided|as we said|our decision|
our conclusion|the other day|last time|last week|from yesterday|yesterday's|previous session|earlier session|last session|
do you remember|remember when|remember how|remember the error|remember the bug|
remember the problem|remember the issue|
was haben wir|wie haben wir|warum haben wir|wo haben wir|wann haben wir|haben wir entschieden|haben wir beschlossen|
haben wir besprochen|haben wir vereinbart|wurde entschieden|wie besprochen|wie vereinbart|wie abgemacht|wie ausgemacht|
wie beschlossen|hatten wir|von gestern|gestrige|gestrigen|letztes mal|beim letzten mal|letzte woche|von letzter woche|
neulich|letzte sitzung|letzten sitzung|weißt du noch|weisst du noch|erinnerst du dich|
qu'avons-nous|qu'est-ce qu'on avait|qu'est-ce qu'on a décidé|qu'est-ce qu'on a dit|on avait décidé|on avait dit|
nous avions décidé|avons-nous décidé|pourquoi avons-nous|pourquoi on a|comment avons-nous|comment on a|comme convenu|
comme discuté|comme décidé|comme on a dit|comme on en a parlé|d'hier|la dernière fois|la semaine dernière|
session précédente|tu te souviens|vous vous souvenez|te souviens-tu|
qué decidimos|que decidimos|qué acordamos|que acordamos|qué dijimos|qué habíamos|que habíamos|habíamos decidido|
habíamos acordado|lo que decidimos|lo que acordamos|por qué elegimos|por que elegimos|por qué decidimos|
por qué usamos|cómo resolvimos|como resolvimos|cómo arreglamos|como arreglamos|como hablamos|como acordamos|
como quedamos|en qué quedamos|en que quedamos|según lo acordado|de ayer|la última vez|la ultima vez|
la semana pasada|sesión anterior|te acuerdas|recuerdas|
cosa abbiamo|perché abbiamo|come abbiamo|quando abbiamo|dove abbiamo|cosa avevamo|avevamo deciso|avevamo detto|
come concordato|come discusso|come deciso|di ieri|l'ultima volta|la settimana scorsa|sessione precedente|ti ricordi|
o que decidimos|o que combinamos|o que discutimos|que a gente decidiu|que a gente combinou|
ficou decidido|ficou combinado|foi decidido|por que escolhemos|por que decidimos|por que fizemos|por que usamos|
porque escolhemos|porque decidimos|como resolvemos|como corrigimos|como fizemos|quando decidimos|como combinamos|
como combinado|como decidimos|como discutimos|como conversamos|conforme combinamos|conforme combinado|
conforme decidimos|conforme discutimos|conforme conversamos|de ontem|da última vez|na última vez|da ultima vez|
na ultima vez|na semana passada|da semana passada|sessão anterior|sessão passada|você lembra|voce lembra|lembra do|
lembra da|lembra quando|
wat hebben we|waarom hebben we|hoe hebben we|wanneer hebben we|waar hebben we|hadden we|zoals besproken|
zoals afgesproken|van gisteren|vorige keer|vorige week|vorige sessie|weet je nog|
что мы решили|как мы решили|о чём мы договорились|о чем мы договорились|почему мы|как мы обсуждали|как обсуждали|
как договорились|как договаривались|вчерашняя|вчерашний|вчерашнюю|вчерашней|вчерашнего|в прошлый раз|
на прошлой неделе|помнишь|помните
`

// densePastCues are those of languages without spaces.
const densePastCues = `上次|昨天的|之前讨论|我们之前|之前决定|我们决定了|当时决定|为什么我们|还记得|前回|昨日の|先日|以前決めた|決めましたか|覚えてい`

// askingWords are words of a question that are never its matter: those that ask, and those that join others.
const askingWords = `
the a an of to in on at by for from with without about and or but not no what why how when where which who is are was
were be been did do does we our us you it its that this these those there then now so just
decide decided choose chose chosen agree agreed discuss discussed say said talk talked conclude concluded settle settled
remember regarding concerning anything something again already actually really still yesterday ok please exactly
entschieden beschlossen besprochen vereinbart gewählt gelöst nochmal noch denn eigentlich der die das den dem des ein
eine einen einem einer und oder zu zum zur von vom mit bei für wegen bezüglich über auf an in im ist sind war wir uns es
so wie was warum
décidé choisi dit convenu le la les un une des du de à au aux pour par sur avec dans en et ou est sont qui que ce cette
nous on concernant encore déjà propos sujet
decidido acordado elegido dicho el los las unos unas del al y o para por con sobre es son fue qué cómo como se lo
respecto ya otra vez
deciso scelto detto il gli i uno della dello delle degli dei di da nel nella per sul sulla e sono è che come abbiamo
riguardo ancora già
decidimos decidiu decidir combinamos combinou combinado escolhemos resolvemos fizemos usamos foi era qual quem quando
onde a os as um uma uns umas do dos das no na nos nas ao aos em ou pra pelo pela com sem isso esse essa este esta mesmo
gente você lembra já ainda volta voltou
besloten gekozen afgesproken gezegd het van voor met over op of we wij ons nog
решили выбрали сделали про о об в во на с со и или для по к мы что как почему это еще ещё уже
`

// vagueWords are its matter only where it has hardly any other: "the error in the exporter" is about the exporter.
const vagueWords = `
use used using fix fixed solve solved pick picked make made do end ended go going way thing things same right
error errors bug bugs problem problems issue issues fehler problem erreur problème problema problemas errore erro erros
fout probleem ошибка ошибку проблема проблему
`

// maxAsking is how many bytes of a prompt are looked through. Whoever asks for the past does so in a few words.
const maxAsking = 4 << 10

// asksPast reports whether a prompt asks for what was said or decided earlier, and returns its matter: the other words
// of the sentence that asks.
func asksPast(prompt string) (about string, ok bool) {
	prompt = strings.ToValidUTF8(prompt[:min(len(prompt), maxAsking)], "")
	folded := " " + withoutOpening(text.Fold(prompt))
	for line := range strings.Lines(pastCues) {
		for cue := range strings.SplitSeq(strings.TrimSpace(line), "|") {
			if cue = " " + strings.ReplaceAll(cue, "'", ""); len(cue) > 1 && strings.Contains(folded, cue) {
				if about, ok = matter(prompt, cue, endsWord); ok {
					return about, true
				}
			}
		}
	}
	for cue := range strings.SplitSeq(densePastCues, "|") {
		if strings.Contains(folded, cue) {
			return matter(prompt, cue, func(string) bool { return true })
		}
	}
	return "", false
}

// matter returns the words of the first sentence of a prompt with cue, without the cue and the words that only ask. It
// returns false when fits rejects what stands behind the cue in each sentence.
func matter(prompt, cue string, fits func(after string) bool) (string, bool) {
	for _, one := range sentence.Split(prompt) {
		before, after, found := strings.Cut(" "+withoutOpening(text.Fold(one))+" ", cue)
		if !found || !fits(after) {
			continue
		}
		var all, exact []string
		for w := range strings.FieldsSeq(before + " " + after) {
			switch asked := strings.Trim(w, ".,;:?!()"); {
			case isListed(askingWords, asked):
				continue
			case !isListed(vagueWords, asked):
				exact = append(exact, w)
			}
			all = append(all, w)
		}
		if len(exact) > 1 {
			all = exact
		}
		return strings.Join(all, " "), true
	}
	return "", false
}

func isListed(list, word string) bool {
	for w := range strings.FieldsSeq(list) {
		if w == word {
			return true
		}
	}
	return false
}

// withoutOpening takes out the marks that stand before a question in Spanish.
func withoutOpening(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "¿", ""), "¡", "")
}

// endsWord reports whether a word ends where s begins.
func endsWord(s string) bool { return s == "" || strings.ContainsRune(" ,.;:?!", rune(s[0])) }
