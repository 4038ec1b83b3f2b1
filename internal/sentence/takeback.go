package sentence

import (
	"slices"
	"strings"
	"unicode"

	"github.com/mementohq/memento/internal/text"
)

// What follows says which of two sentences takes back the other, and which rule needs the sentence before it. Both only
// decide what stands beside what. A sentence is never dropped for it: words alone do not tell for certain.

// Reversals returns a function that reports whether one of all takes back an earlier one: it says the contrary of the
// same thing, or changes the speaker's mind about it.
func Reversals(all []string) (takesBack func(later, earlier int) bool) {
	stances := make([]stance, len(all))
	for i, s := range all {
		stances[i] = stanceOf(s)
	}
	return func(later, earlier int) bool { return stances[later].takesBack(stances[earlier]) }
}

// stance is what a sentence is about, and whether it denies that or changes the speaker's mind.
type stance struct {
	about   string // the fingerprint of its content words, without those that deny
	denies  bool   // no, without, remove
	changes bool   // after all, never mind
}

// stanceOf returns the stance of a sentence.
func stanceOf(s string) (t stance) {
	line, words := foldWords(s)
	// "no, it is green" and "no wait" answer somebody
	if len(words) > 1 && wordCue(words[0])&negation != 0 && (tellsState(words[1]) ||
		strings.HasPrefix(strings.TrimLeftFunc(s, unicode.IsLetter), ",")) {
		line = strings.TrimPrefix(line, words[0])
	}
	line = " " + strings.TrimSpace(line) + " "
	for _, phrase := range changePhrases {
		if strings.Contains(line, phrase) {
			t.changes = true
			line = strings.ReplaceAll(line, phrase, " ")
		}
	}
	if rest, ok := cutEdge(line); ok {
		line, t.changes = rest, true
	}
	if strings.ContainsFunc(line, isUnspaced) {
		for _, glyphs := range changeGlyphs {
			if strings.Contains(line, glyphs) {
				t.changes = true
				line = strings.ReplaceAll(line, glyphs, " ")
			}
		}
		for _, glyphs := range denyGlyphs {
			if strings.Contains(line, glyphs) {
				t.denies = true
				line = strings.ReplaceAll(line, glyphs, " ")
			}
		}
	}
	kept := make([]string, 0, len(words))
	for w := range strings.FieldsSeq(line) {
		if denies(w) {
			t.denies = true
		} else {
			kept = append(kept, w)
		}
	}
	t.about = contentOf(strings.Join(kept, " "), true)
	return t
}

// takesBack reports whether the sentence takes back an earlier one.
func (t stance) takesBack(earlier stance) bool {
	if !t.denies && !t.changes {
		return false
	}
	x, y, n := len(t.about)/wordLen, len(earlier.about)/wordLen, countShared(t.about, earlier.about)
	switch {
	case n == 0:
		return false
	case t.changes:
		return (n > 1 || x <= few) && 3*n >= min(x, y)
	case t.denies == earlier.denies:
		return false
	}
	return (n > 1 || x == 1) && 3*n >= 2*min(x, y)
}

// few is how many content words a sentence has at most that takes back another with which it shares one.
const few = 3

// denies reports whether a word denies, or orders that something is taken away.
func denies(w string) bool {
	return wordCue(w)&negation != 0 || isListed(denyWords, w)
}

const denyWords = `never without don't dont doesn't shouldn't mustn't can't cannot won't neither nor stop avoid remove drop
	skip delete cancel revert undo scrap omit disable exclude forget
	não nao nunca jamais sem nem evite remova remove remover retire retira tire tirar tira cancele cancela desfaça apague
	esqueça esquece deixa
	no nunca jamás sin evita quita quitar quite elimina eliminar borra cancela deshaz olvida
	nicht nie niemals kein keine keinen keiner ohne entferne entfernen lösche streiche streichen vergiss lass weglassen
	ne pas jamais sans évite enlève enlever retire retirer supprime supprimer annule oublie
	non mai senza togli togliere rimuovi elimina annulla dimentica
	не нет нельзя без никогда убери удали отмени забудь
	değil asla yok olmasın yapma kaldır çıkar sil iptal vazgeç istemiyorum gerek
	niet geen nie bez zonder nooit verwijder usuń`

// denyGlyphs do the same in Japanese, Korean and Chinese, the longer before the shorter.
var denyGlyphs = [...]string{"なくていい", "なくて良い", "しないで", "しない", "なしで", "なしに", "なし", "いらない", "要らない", "不要", "やめて",
	"やめる", "やめよう", "やめ", "外して", "削除して", "消して", "取り消して", "ないで", "禁止", "하지 말", "하지 마", "지 말", "지 마", "지마",
	"필요 없", "필요없", "없이", "없애", "빼 줘", "빼줘", "빼고", "빼자", "취소", "금지", "않", "不要", "不用", "别", "別", "去掉", "取消", "删除",
	"删掉", "刪除", "不"}

// changePhrases are words by which people change their mind, each between spaces.
var changePhrases = [...]string{" after all ", " never mind ", " nevermind ", " on second thought ",
	" on second thoughts ", " scratch that ", " changed my mind ", " change of plan ", " change of plans ",
	" forget about ", " pensando bem ", " mudei de ideia ", " melhor não ", " deixa pra lá ", " deixa para lá ",
	" finalmente não ", " pensándolo bien ", " mejor no ", " cambié de idea ", " doch nicht ", " doch lieber ",
	" lieber doch ", " doch kein ", " doch keine ", " doch keinen ", " tout compte fait ", " réflexion faite ",
	" laisse tomber ", " ripensandoci ", " lascia perdere ", " передумал ", " передумала ", " лучше не ",
	" vazgeçtim ", " boş ver ", " boşver ", " fikrimi değiştirdim ", " toch niet ", " toch maar ",
	" bij nader inzien "}

// edgePhrases do so where a sentence begins or ends with them; elsewhere they say other things too.
var edgePhrases = [...]string{" actually ", " instead ", " let's not ", " rather not ", " na verdade ", " no fim ",
	" afinal ", " en realidad ", " al final ", " déjalo ", " finalmente ", " doch ", " eigentlich ", " vergiss ",
	" stattdessen ", " en fait ", " finalement ", " alla fine ", " anzi ", " in realtà ", " на самом деле ", " всё таки ",
	" все таки ", " aslında ", " sonuçta ", " jednak ", " w sumie "}

// cutEdge returns a folded line without the words by which it begins or ends and that change the speaker's mind. Words
// such as "ok" and "no" may stand before them.
func cutEdge(line string) (rest string, ok bool) {
	begin := 0
	for {
		w, _, found := strings.Cut(line[begin+1:], " ")
		if !found || !IsChatter(w) && wordCue(w)&link == 0 || isEdge(w) {
			break
		}
		begin += 1 + len(w)
	}
	for _, phrase := range edgePhrases {
		if strings.HasPrefix(line[begin:], phrase) {
			return line[begin+len(phrase)-1:], true
		}
		if strings.HasSuffix(line, phrase) {
			return line[:len(line)-len(phrase)+1], true
		}
	}
	return line, false
}

// isEdge reports whether w alone is one of edgePhrases.
func isEdge(w string) bool { return slices.Contains(edgePhrases[:], " "+w+" ") }

// changeGlyphs do the same in Japanese, Korean and Chinese.
var changeGlyphs = [...]string{"やっぱり", "やっぱ", "やはり", "考え直し", "気が変わ", "역시", "생각해 보니", "생각해보니", "마음이 바뀌",
	"还是", "還是", "算了", "其实", "其實", "改主意", "想了想"}

// PointsBack reports whether a sentence says what to do by pointing at the sentence before it: "let's not do that
// again", "do it like this from now on". It names nothing itself.
func PointsBack(s string) bool {
	line, words := foldWords(s)
	if len(words) > maxPointing || isQuestion(s) {
		return false
	}
	points := false
	if strings.ContainsFunc(line, isUnspaced) {
		if text.Runes(line) > maxPointing*2 {
			return false
		}
		for _, glyphs := range pointGlyphs {
			if strings.Contains(line, glyphs) {
				points = true
				line = strings.ReplaceAll(line, glyphs, " ")
			}
		}
		return points && countOwn(line) == 0
	}
	for i, w := range words {
		// "that test" names what it points at
		points = points || isListed(pointWords, w) && (i+1 == len(words) || isIdleWord(words[i+1]))
	}
	return points && countOwn(line) == 0
}

// maxPointing is how many words a sentence has at most that names nothing itself.
const maxPointing = 14

// countOwn counts the words of a folded line that carry meaning.
func countOwn(line string) (n int) {
	for w := range strings.FieldsSeq(line) {
		if !isIdleWord(w) && !isListed(pointWords, w) {
			n++
		}
	}
	return n
}

// isIdleWord reports whether a word carries no meaning of its own in a rule that points back.
func isIdleWord(w string) bool {
	return isFiller(w) || wordCue(w) != 0 || denies(w) || isListed(idleWords, w) ||
		strings.ContainsFunc(w, isUnspaced) && !strings.ContainsFunc(w, func(r rune) bool {
			return unicode.Is(unicode.Han, r) || unicode.Is(unicode.Katakana, r)
		})
}

const pointWords = `that this it so like those these way
	isso isto assim aquilo disso esse desse jeito
	eso esto así aquello
	das dies so es diese dieses
	ça cela ceci comme ainsi
	così questo quello
	это этого так такого
	bunu şunu böyle öyle şöyle bu
	dat dit zo to tak`

const idleWords = `ahora de en hereafter do done doing make made way ways again like future forward going onwards onward on every time now
	everywhere
	fazer faça façamos faz novo vez jeito forma diante assim maneira frente
	hacer hagas hagamos haz hazlo hazla vuelvas volver forma manera adelante vez
	mach machen mache tun wieder mehr weise art künftig ab jetzt immer zukunft noch mal nochmal bitte weiter
	fais faire faites refais plus jamais façon manière avenir désormais
	fare farlo fai più modo d'ora poi
	делай делать больше впредь так всегда
	yap yapma yapmayalım yapalım bir daha bundan sonra şekilde hep
	doen meer voortaan zo nooit`

// pointGlyphs point back in Japanese, Korean and Chinese, with the words for doing that stand beside them.
var pointGlyphs = [...]string{"この形で", "このやり方", "そのやり方", "こういう", "そういう", "今後は", "今後", "二度と", "毎回", "必ず", "これを",
	"それを", "これは", "それは", "こう", "そう", "これ", "それ", "이렇게", "그렇게", "이런 식", "그런 식", "이거", "그거", "이것", "그것",
	"这样做", "那样做", "这样", "那样", "這樣", "那樣", "这么做", "那么做", "以后", "以後", "再也", "每次", "都", "再", "做", "请"}
