package sentence

import (
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/text"
)

// Call says how words call back the work that an earlier session left.
type Call int

// The calls, each plainer than the one before.
const (
	NoCall  Call = iota
	Asks         // asks what the plan was, or where things stand
	GoesOn       // calls to continue and does not say with what
	Returns      // calls to continue what was left: "continue where we left off", "back to yesterday's work"
)

// maxCall is how many words a call has at most.
const maxCall = 25

// Recall says how s, a session's first words, calls back what an earlier session left. Each word must be known here, or
// stand in about (the mission, the plan): a word that names anything else makes s a task of its own.
func Recall(s, about string) Call {
	if !mayCall(s) {
		return NoCall
	}
	about, _ = foldWords(about)
	if call := callIn(s, about); call != NoCall {
		return call
	}
	switch {
	case !continues(s, about):
		return NoCall
	case isQuestion(s):
		return Asks
	case !continues(s, ""): // it names what is in hand
		return Returns
	}
	return GoesOn
}

// MayRecall reports whether Recall can be more than NoCall for s and some about: s is short, and one of its words calls
// or asks. It spares looking for what was left.
func MayRecall(s string) bool {
	if !mayCall(s) {
		return false
	}
	_, words := foldWords(s)
	return len(words) <= maxCall && (slices.ContainsFunc(words, func(w string) bool {
		return roleOf(w)&(again|takes|query) != 0
	}) || continues(s, ""))
}

// mayCall reports whether s is one line of a call's length, and more than an acknowledgement.
func mayCall(s string) bool {
	return len(s) <= 1000 && !strings.Contains(strings.TrimSpace(s), "\n") && !IsChatter(s)
}

// IsAbout reports whether at least half of what s names stands in about.
func IsAbout(s, about string) bool {
	about, _ = foldWords(about)
	_, words := foldWords(s)
	named, known := 0, 0
	for _, w := range words {
		if text.Runes(w) < minNamed && firstRune(w) < 0x2e80 || isEmpty(w) || IsChatter(w) {
			continue
		}
		if named++; strings.Contains(about, w) {
			known++
		}
	}
	return known > 0 && 2*known >= named
}

// minForModel is how long a text of a program's for a model is, in characters: a person's "You are right" is shorter.
const minForModel = 120

// IsForModel reports whether s reads as what a program sends to a model: it begins by telling the model who it is, or
// hands over a conversation of a user and an assistant.
func IsForModel(s string) bool {
	s = strings.ToLower(strings.TrimSpace(s))
	return text.Runes(s) >= minForModel && (text.BeginsWithOne(s, "you are ", "you're ", "act as ", "your role is ") ||
		text.ContainsOne(s, " user: ", " human: ", "\nuser: ", "\nhuman: ") &&
			text.ContainsOne(s, " assistant: ", "\nassistant: "))
}

// Agrees reports whether s is nothing but a yes.
func Agrees(s string) bool {
	_, words := foldWords(s)
	return IsChatter(s) && slices.ContainsFunc(words, func(w string) bool { return isListed(yes, w) }) &&
		!slices.ContainsFunc(words, func(w string) bool { return isListed(noYes, w) })
}

const yes = `ok okay k yes yep yeah yup sure please good fine lgtm great perfect do it right exactly agreed sounds
	sim certo beleza perfeito bom sí si vale perfecto claro bien ja gut genau passt oui parfait d'accord да хорошо
	네 예 좋아 좋아요 はい 了解 好 好的 是 evet tamam va bene`

const noYes = `no nope não nao nein non нет 아니요 いいえ 不 hayır thanks thank thx ty done obrigado obrigada gracias danke
	merci спасибо 감사합니다 고마워 ありがとう ありがとうございます 谢谢 teşekkürler grazie hi hello hey oi olá ola hola
	buenas hallo bonjour salut ciao привет 안녕 こんにちは 你好 merhaba`

// role is what a word may be in a call.
type role uint16

const (
	joint  role = 1 << iota // carries nothing: articles, auxiliaries, politeness; only words without another role
	us                      // who left it: I, you, we
	again                   // to continue, to resume
	takes                   // to take up, to finish: a call only with what was left
	leftAt                  // to leave off, to stop: what was left in hand
	deed                    // to do, to begin: of somebody, or of an earlier day, what was left in hand
	past                    // yesterday, the last, the earlier
	job                     // the work, the task, the session
	aim                     // the plan, the next step, the status: what may be asked for
	query                   // what, where; to remind
)

// roles are the words of calls.
var roles = [...]struct {
	role  role
	words string
}{
	{joint, `ok okay so well alright right great hi hello hey yes please now just then and a an the to get return keep
		keeping from of for with on at in by our my your me let let's lets can could will would shall want like 'd 's s
		is are am be been had have has do does it that far this there all up here same as exactly some point place again
		still time`},
	{us, `we we're we've i i'd i'm us you`},
	{deed, `doing working worked do did were was started began begun stopped made done quit incomplete`},
	{again, `continue continuing continued resume resuming proceed proceeding`},
	{takes, `pick picking carry carrying go going back working take finish finishing start`},
	{leftAt, `left leave off paused halted interrupted unfinished`},
	{past, `yesterday yesterday's last previous previously earlier before former ago prior latest morning evening friday`},
	{job, `work task tasks session sessions job mission stuff things thing assignment chat conversation activity todo
		todos what`},
	{aim, `plan plans next step steps status progress todo todos remaining missing open pending left standing`},
	{query, `what what's whats where where's which how remind tell show recap summarize`},
}

// callIn says what call the words of s make, NoCall when one of them is neither known nor in about, which is folded.
func callIn(s, about string) Call {
	_, words := foldWords(s)
	if len(words) == 0 || len(words) > maxCall {
		return NoCall
	}
	var all []role
	for _, w := range words {
		in := roleOf(w)
		if in == 0 && namesIn(about, w) {
			in = job
		}
		if in == 0 {
			return NoCall
		}
		all = append(all, in)
	}
	return callOf(all, isQuestion(s))
}

// minNamed is the shortest word by which words name what is in hand, in characters.
const minNamed = 4

// namesIn reports whether w is one of the words of about, which is folded.
func namesIn(about, w string) bool {
	return text.Runes(w) >= minNamed && strings.Contains(" "+about+" ", " "+w+" ")
}

// callOf returns the call that words of these roles make. asks says that they end as a question does.
func callOf(all []role, asks bool) Call {
	has := func(r role) bool { return slices.ContainsFunc(all, func(q role) bool { return q&r != 0 }) }
	begins := slices.IndexFunc(all, func(r role) bool { return r&^(joint|us|deed) != 0 })
	asks = asks || begins >= 0 && all[begins]&query != 0
	wasLeft := has(leftAt|past) || has(deed) && has(us)
	switch {
	case has(again) && (wasLeft || has(job)), has(takes) && wasLeft && !asks:
		return Returns
	case has(query) && (has(aim|leftAt) || has(deed) && (has(us) || has(past))) && !has(again):
		return Asks
	}
	return NoCall
}

// roleOf returns what the word w may be, 0 for one that is not known. "yesterday's" is yesterday.
func roleOf(w string) (r role) {
	for i := range &roles {
		list := &roles[i]
		if isListed(list.words, w) {
			r |= list.role
		}
	}
	return r
}
