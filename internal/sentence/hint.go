package sentence

import "strings"

// The kinds that are weighed for, as places in an array.
const (
	memento = iota
	decision
	runbook
	constraint
	debt
	preference
	kinds
)

var kindNames = [kinds]string{"memento", "decision", "runbook", "constraint", "debt", "preference"}

// KindsOfRecord are the kinds of record that sentences are weighed for.
func KindsOfRecord() []string { return kindNames[:] }

// aside is what a phrase says beside speaking for a kind.
type aside uint32

const (
	because   aside = 1 << iota // because, since
	insteadOf                   // instead of, rather than
	later                       // later, eventually, after the release
	trouble                     // fails, error, timeout
	remedy                      // restart, delete, fixed by
	reach                       // until, every, anywhere
	outside                     // legal, customers, production
	lasting                     // always, never, from now on
	forbids                     // never, must not
	style                       // commit messages, names, answers
	atHome                      // in this project
	state                       // done, left, half
	unsure                      // maybe, I think
	local                       // in this PR, this time
	vague                       // option 2, the first one
	when                        // when, if: at the head
	narrated                    // I'll, let me: how Claude tells of the session's course
	denied                      // not true that: it does not hold, or is not to be kept
	likely                      // there must be: what is supposed
	reported                    // I always, it: how things go
	wanted                      // I prefer, please always: how somebody wants things
	speaks                      // ich, wir: wanted, with likes
	likes                       // mag, lieber
	uses                        // we use: wanted, with what stands against it or what lasts
	otherwise                   // and not
	personal                    // I, my answers
	shared                      // we, the project
)

// boosters are what adds to the score of each kind.
var boosters = [kinds]aside{
	memento:    state | later,
	decision:   because | insteadOf | later | outside | atHome,
	runbook:    trouble | remedy | because | when,
	constraint: because | reach | outside | lasting | forbids,
	debt:       later | because | remedy | state,
	preference: insteadOf | style | lasting | atHome | reach,
}

// hint is a phrase, what it scores by itself (in hundredths, for one kind) and what it says besides. Its words stand
// between single spaces; ^ is the beginning of the sentence, $ its end.
type hint struct {
	words string
	kind  int8
	score int8
	aside aside
}

// scan looks for the phrases in line, and raises each kind to the strongest one that speaks for it.
func scan(line string, latin bool, best *[kinds]int) (found aside) {
	// Where the words of line begin, by a mark of their first two letters: each phrase is compared only where it may
	// stand.
	var head [256]uint8
	var words [250]struct {
		at   uint16
		next uint8
	}
	n := 0
	for i := 0; i+2 < len(line) && n < len(words)-1; i++ {
		if line[i] == ' ' {
			h := beginning(line[i:])
			n++
			words[n].at, words[n].next = uint16(i), head[h]
			head[h] = uint8(n)
		}
	}
	take := func(h *hint) {
		found |= h.aside
		best[h.kind] = max(best[h.kind], int(h.score))
	}
	for i := range hints {
		h := &hints[i]
		for at := head[beginning(h.words)]; at > 0; at = words[at].next {
			if strings.HasPrefix(line[words[at].at:], h.words) {
				take(h)
				break
			}
		}
	}
	if !latin {
		for i := range glyphs {
			if strings.Contains(line, glyphs[i].words) {
				take(&glyphs[i])
			}
		}
	}
	return found
}

var hints = [...]hint{
	// What was decided.
	{" ^ decision : ", decision, 62, 0}, {" final decision ", decision, 55, 0}, {" is settled ", decision, 50, 0},
	{" decision is ", decision, 50, 0}, {" we decided ", decision, 52, 0}, {" we've decided ", decision, 52, 0},
	{" we have decided ", decision, 52, 0}, {" i've decided ", decision, 50, 0}, {" i decided ", decision, 40, 0},
	{" it was decided ", decision, 52, 0}, {" team decided ", decision, 52, 0}, {" decided against ", decision, 52, 0},
	{" settled on ", decision, 52, 0}, {" agreed on ", decision, 50, 0}, {" we agreed ", decision, 52, 0},
	{" agreed to ", decision, 42, 0}, {" we chose ", decision, 50, 0}, {" i chose ", decision, 42, 0},
	{" i picked ", decision, 42, 0}, {" we picked ", decision, 48, 0}, {" opted for ", decision, 48, 0},
	{" opted to ", decision, 42, 0}, {" i went with ", decision, 42, 0}, {" we went with ", decision, 48, 0},
	{" let's go with ", decision, 40, 0}, {" lets go with ", decision, 40, 0}, {" we go with ", decision, 40, 0},
	{" we'll go with ", decision, 45, 0}, {" we will go with ", decision, 45, 0},
	{" we're going with ", decision, 48, 0}, {" we are going with ", decision, 48, 0},
	{" going with ", decision, 38, 0}, {" let's stick with ", decision, 42, 0}, {" we stick with ", decision, 45, 0},
	{" we're sticking with ", decision, 45, 0}, {" we're switching to ", decision, 48, 0},
	{" we are switching to ", decision, 48, 0}, {" we switched to ", decision, 45, 0},
	{" we switch to ", decision, 42, 0}, {" we're moving to ", decision, 45, 0}, {" we're dropping ", decision, 45, 0},
	{" ^ entscheidung : ", decision, 62, 0}, {" haben uns für ", decision, 50, 0},
	{" haben entschieden ", decision, 52, 0}, {" entschieden haben ", decision, 52, 0},
	{" beschlossen haben ", decision, 52, 0}, {" entschieden , ", decision, 45, 0},
	{" habe mich für ", decision, 48, 0}, {" wir bleiben bei ", decision, 45, 0}, {" wir nehmen ", decision, 38, 0},
	{" haben beschlossen ", decision, 52, 0}, {" wir wechseln zu ", decision, 45, 0},
	{" ^ décision : ", decision, 62, 0}, {" on a décidé ", decision, 52, 0}, {" nous avons décidé ", decision, 52, 0},
	{" j'ai décidé ", decision, 42, 0}, {" nous avons choisi ", decision, 50, 0}, {" on a choisi ", decision, 50, 0},
	{" j'ai choisi ", decision, 42, 0}, {" on part sur ", decision, 45, 0},
	{" ^ decisión : ", decision, 62, 0}, {" hemos decidido ", decision, 52, 0}, {" se decidió ", decision, 52, 0},
	{" decidimos ", decision, 52, 0}, {" hemos elegido ", decision, 50, 0}, {" elegimos ", decision, 48, 0},
	{" he decidido ", decision, 45, 0}, {" nos quedamos con ", decision, 45, 0},
	{" ^ decisão : ", decision, 62, 0}, {" optamos por ", decision, 52, 0}, {" escolhemos ", decision, 48, 0},
	{" foi decidido ", decision, 52, 0}, {" ficou decidido ", decision, 52, 0},
	{" ^ decisione : ", decision, 62, 0}, {" abbiamo deciso ", decision, 52, 0}, {" abbiamo scelto ", decision, 50, 0},

	// What to do when something happens.
	{" root cause : ", runbook, 50, 0}, {" root cause was ", runbook, 50, 0}, {" root cause is ", runbook, 46, 0},
	{" was caused by ", runbook, 40, trouble}, {" is caused by ", runbook, 38, trouble},
	{" were caused by ", runbook, 40, trouble}, {" the fix was ", runbook, 42, remedy},
	{" the fix is ", runbook, 36, remedy}, {" the workaround is ", runbook, 50, remedy},
	{" the workaround for ", runbook, 50, remedy}, {" workaround : ", runbook, 50, remedy},
	{" the solution was ", runbook, 42, remedy}, {" the trick is ", runbook, 42, remedy},
	{" solved it ", runbook, 42, remedy}, {" fixed it by ", runbook, 42, remedy},
	{" that fixes it ", runbook, 42, remedy}, {" fixes the ", 0, 0, remedy}, {" fixed the ", 0, 0, remedy},
	{" ^ when ", runbook, 8, when}, {" ^ if ", runbook, 8, when}, {" ^ whenever ", runbook, 20, when | lasting},
	{" whenever ", runbook, 15, when}, {" ^ to restore ", runbook, 35, when}, {" ^ to recover ", runbook, 35, when},
	{" ^ to rotate ", runbook, 35, when}, {" ^ to deploy ", runbook, 32, when}, {" ^ to release ", runbook, 32, when},
	{" ^ to roll back ", runbook, 35, when}, {" ^ to reset ", runbook, 30, when},
	{" ^ to reproduce ", runbook, 30, when},
	{" hangs ", runbook, 30, trouble}, {" fails ", runbook, 24, trouble}, {" fails with ", runbook, 30, trouble},
	{" failed ", 0, 0, trouble}, {" failure ", 0, 0, trouble}, {" crashes ", runbook, 28, trouble},
	{" crash ", 0, 0, trouble}, {" timeout ", 0, 0, trouble}, {" timeouts ", 0, 0, trouble}, {" error ", 0, 0, trouble},
	{" stops ", runbook, 20, trouble}, {" expires ", runbook, 22, trouble}, {" does not start ", runbook, 30, trouble},
	{" doesn't start ", runbook, 30, trouble}, {" won't start ", runbook, 30, trouble},
	{" is stuck ", runbook, 28, trouble}, {" gets stuck ", runbook, 30, trouble}, {" exit code ", 0, 0, trouble},
	{" restart ", 0, 0, remedy}, {" restarting ", 0, 0, remedy}, {" delete the ", 0, 0, remedy},
	{" deleting ", 0, 0, remedy}, {" remove the ", 0, 0, remedy}, {" clear the ", 0, 0, remedy},
	{" kill ", 0, 0, remedy}, {" run it again ", 0, 0, remedy}, {" retry ", 0, 0, remedy}, {" and retry ", 0, 0, reach},
	{" reload ", 0, 0, remedy}, {" stop the ", 0, 0, remedy}, {" then ", 0, 0, reach},
	{" start it with ", 0, 0, remedy}, {" to run ", 0, 0, remedy}, {" to set ", 0, 0, remedy},
	{" reinstall ", 0, 0, remedy}, {" run x ", 0, 0, remedy}, {" with x ", 0, 0, remedy}, {" , run ", 0, 0, remedy},
	{" then run ", 0, 0, remedy},
	{" ursache : ", runbook, 50, 0}, {" die ursache war ", runbook, 50, 0}, {" hilft es ", runbook, 45, remedy},
	{" abbricht ", runbook, 28, trouble | when}, {" nicht startet ", runbook, 30, trouble | when},
	{" hängt ", runbook, 25, trouble}, {" lösche ", 0, 0, remedy}, {" starte ", 0, 0, remedy},
	{" ^ falls ", runbook, 10, when}, {" ^ wenn ", runbook, 8, when},
	{" la cause était ", runbook, 50, 0}, {" cause racine ", runbook, 48, 0}, {" échoue ", runbook, 28, trouble},
	{" relance ", 0, 0, remedy}, {" relance-la ", 0, 0, remedy}, {" supprime ", 0, 0, remedy},
	{" redémarre ", 0, 0, remedy}, {" ^ si ", runbook, 8, when},
	{" la causa era ", runbook, 50, 0}, {" causa raíz ", runbook, 48, 0}, {" no arranca ", runbook, 30, trouble},
	{" falla ", runbook, 22, trouble}, {" borra ", 0, 0, remedy}, {" reinicia ", 0, 0, remedy},
	{" vuelve a ", 0, 0, remedy}, {" causa raiz ", runbook, 48, 0}, {" travar ", runbook, 32, trouble},
	{" apague ", 0, 0, remedy}, {" reinicie ", 0, 0, remedy}, {" ^ quando ", runbook, 8, when},
	{" ^ cuando ", runbook, 8, when}, {" falhar ", runbook, 30, trouble},

	// Limits.
	{" ^ constraint : ", constraint, 65, 0}, {" ^ policy : ", constraint, 65, 0}, {" limitation : ", constraint, 66, 0},
	{" known limitation ", constraint, 60, 0}, {" company policy ", constraint, 55, outside},
	{" must never ", constraint, 55, forbids}, {" must not ", constraint, 50, forbids},
	{" mustn't ", constraint, 50, forbids}, {" may never ", constraint, 52, forbids},
	{" not allowed ", constraint, 46, forbids}, {" only allowed ", constraint, 50, forbids},
	{" is forbidden ", constraint, 52, forbids}, {" are forbidden ", constraint, 52, forbids},
	{" nobody may ", constraint, 54, forbids}, {" no one may ", constraint, 54, forbids},
	{" under no circumstances ", constraint, 56, forbids},
	{" we can't use ", constraint, 46, forbids}, {" we cannot use ", constraint, 48, forbids},
	{" can't use ", constraint, 36, forbids}, {" cannot use ", constraint, 40, forbids},
	{" must stay ", constraint, 50, 0}, {" must keep ", constraint, 50, 0}, {" must remain ", constraint, 50, 0},
	{" must run ", constraint, 42, 0}, {" must work ", constraint, 45, 0}, {" must be ", constraint, 38, 0},
	{" must ", constraint, 30, 0}, {" has to keep ", constraint, 48, 0}, {" has to stay ", constraint, 48, 0},
	{" have to stay ", constraint, 48, 0}, {" has to work ", constraint, 45, 0}, {" has to run ", constraint, 42, 0},
	{" has to be ", constraint, 26, 0}, {" must support ", constraint, 50, 0}, {" has to support ", constraint, 48, 0},
	{" not exceed ", constraint, 54, 0}, {" never exceed ", constraint, 56, 0}, {" at most ", constraint, 36, 0},
	{" no more than ", constraint, 36, 0}, {" allows at most ", constraint, 48, 0}, {" limited to ", constraint, 42, 0},
	{" rate limit ", constraint, 40, 0}, {" limit is ", constraint, 42, 0}, {" limit of ", constraint, 38, 0},
	{" maximum of ", constraint, 38, 0}, {" does not support ", constraint, 42, 0},
	{" doesn't support ", constraint, 42, 0}, {" do not support ", constraint, 42, 0},
	{" don't support ", constraint, 42, 0}, {" not supported ", constraint, 38, 0},
	{" only supports ", constraint, 42, 0}, {" for legal reasons ", constraint, 56, outside},
	{" legal requirement ", constraint, 52, outside}, {" gdpr ", constraint, 40, outside},
	{" pci ", constraint, 40, outside}, {" hipaa ", constraint, 40, outside},
	{" backwards compatible ", constraint, 34, 0}, {" backward compatible ", constraint, 34, 0},
	{" never leaves ", constraint, 50, forbids}, {" never leave ", constraint, 46, forbids},
	{" without internet ", constraint, 30, outside}, {" we only support ", constraint, 50, 0},
	{" now only support ", constraint, 50, 0}, {" should never ", constraint, 48, forbids | lasting},
	{" has no network ", constraint, 42, outside}, {" has no internet ", constraint, 42, outside},
	{" ^ never ", constraint, 36, forbids | lasting}, {" never ", 0, 0, forbids | lasting},
	{" , never ", 0, 0, lasting},
	{" darf nie ", constraint, 55, forbids}, {" dürfen nie ", constraint, 55, forbids},
	{" darf nicht ", constraint, 50, forbids}, {" dürfen nicht ", constraint, 50, forbids},
	{" darf niemals ", constraint, 56, forbids}, {" ^ niemals ", constraint, 50, forbids | lasting},
	{" niemals ", 0, 0, forbids | lasting}, {" nie ", 0, 0, forbids | lasting},
	{" auf keinen fall ", constraint, 50, forbids | lasting}, {" muss immer ", constraint, 50, lasting},
	{" ist verboten ", constraint, 52, forbids}, {" höchstens ", constraint, 36, 0},
	{" unterstützt kein ", constraint, 42, 0}, {" unterstützt keine ", constraint, 42, 0},
	{" ne faut jamais ", constraint, 55, forbids | lasting}, {" ne doit jamais ", constraint, 55, forbids},
	{" ne doivent jamais ", constraint, 55, forbids}, {" ne doit pas ", constraint, 50, forbids},
	{" ^ jamais ", constraint, 48, forbids | lasting}, {" jamais ", 0, 0, forbids | lasting},
	{" est interdit ", constraint, 52, forbids}, {" c'est obligatoire ", constraint, 48, outside},
	{" au plus ", constraint, 34, 0},
	{" nunca se debe ", constraint, 55, forbids}, {" no se debe ", constraint, 48, forbids},
	{" no se puede ", constraint, 46, forbids}, {" no se permite ", constraint, 50, forbids},
	{" está prohibido ", constraint, 52, forbids}, {" ^ nunca ", constraint, 46, forbids | lasting},
	{" nunca ", 0, 0, forbids | lasting}, {" nunca debe ", constraint, 54, forbids},
	{" nunca deve ", constraint, 54, forbids}, {" nunca pode ", constraint, 54, forbids},
	{" não pode ", constraint, 40, forbids}, {" não podemos usar ", constraint, 48, forbids},
	{" não deve ", constraint, 42, forbids}, {" não devem ", constraint, 42, forbids},
	{" só pode ter ", constraint, 50, 0}, {" no debe ", constraint, 42, forbids},
	{" no deben ", constraint, 42, forbids}, {" solo puede tener ", constraint, 50, 0},
	{" é proibido ", constraint, 52, forbids}, {" exigência legal ", constraint, 50, outside},
	{" no máximo ", constraint, 36, 0}, {" como máximo ", constraint, 36, 0},
	{" non deve mai ", constraint, 55, forbids}, {" non si può ", constraint, 44, forbids},
	{" è vietato ", constraint, 52, forbids},

	// What was put off.
	{" tech debt ", debt, 52, 0}, {" technical debt ", debt, 54, 0}, {" todo for later ", debt, 52, later},
	{" a todo for ", debt, 44, later}, {" left a todo ", debt, 48, later}, {" leave it for now ", debt, 44, 0},
	{" as it is for now ", debt, 44, 0}, {" for now ", debt, 24, 0}, {" ^ for now ", debt, 30, 0},
	{" skip the ", debt, 14, 0}, {" we skip ", debt, 24, 0}, {" let's leave ", debt, 24, 0}, {" ^ leave ", debt, 16, 0},
	{" i left ", debt, 24, 0}, {" we leave ", debt, 24, 0}, {" in place for now ", debt, 42, 0},
	{" deferred ", debt, 42, 0}, {" we defer ", debt, 44, 0}, {" postpone ", debt, 44, 0}, {" postponed ", debt, 44, 0},
	{" temporary hack ", debt, 50, 0}, {" temporary workaround ", debt, 46, 0}, {" quick hack ", debt, 46, 0},
	{" hard-coded ", debt, 20, 0}, {" hardcoded ", debt, 20, 0}, {" should be refactored ", debt, 44, 0},
	{" needs refactoring ", debt, 44, 0}, {" needs a rewrite ", debt, 46, 0}, {" needs to be rewritten ", debt, 44, 0},
	{" needs a refactor ", debt, 44, 0}, {" come back to ", debt, 26, later}, {" revisit ", debt, 28, later},
	{" clean up later ", debt, 48, later}, {" worry about ", debt, 20, 0}, {" later on ", debt, 26, later},
	{" fix it later ", debt, 48, later}, {" do it later ", debt, 44, later}, {" follow-up pr ", debt, 34, later},
	{" separate pr ", debt, 30, later}, {" not translated yet ", debt, 24, 0}, {" should be moved ", debt, 26, 0},
	{" should merge ", debt, 20, 0},
	{" later ", 0, 0, later}, {" eventually ", 0, 0, later}, {" next quarter ", 0, 0, later},
	{" next sprint ", 0, 0, later}, {" next release ", 0, 0, later}, {" after the ", 0, 0, later},
	{" until the ", 0, 0, later | reach}, {" once the ", 0, 0, later}, {" tomorrow ", 0, 0, later},
	{" not before ", 0, 0, later}, {" are ready ", 0, 0, later}, {" is there ", 0, 0, later}, {" lands ", 0, 0, later},
	{" we will fix ", debt, 20, remedy}, {" fix it after ", debt, 40, later | remedy},
	{" let's add it after ", debt, 40, later},
	{" technische schuld ", debt, 54, 0}, {" technische schulden ", debt, 54, 0}, {" auf später ", debt, 50, later},
	{" verschieben wir ", debt, 44, later}, {" wir verschieben ", debt, 44, later}, {" nach dem release ", 0, 0, later},
	{" vorerst ", debt, 26, 0}, {" erst einmal so ", debt, 34, 0}, {" später ", 0, 0, later},
	{" de côté pour l'instant ", debt, 54, later}, {" pour l'instant ", debt, 28, 0},
	{" dette technique ", debt, 54, 0}, {" plus tard ", 0, 0, later}, {" on laisse ", debt, 26, 0},
	{" après la ", 0, 0, later}, {" on la fera ", debt, 20, later},
	{" deuda técnica ", debt, 54, 0}, {" para más adelante ", debt, 50, later}, {" para después ", debt, 48, later},
	{" más tarde ", 0, 0, later}, {" dejamos ", debt, 24, 0}, {" por ahora ", debt, 26, 0},
	{" dívida técnica ", debt, 54, 0}, {" para depois ", debt, 50, later}, {" por enquanto ", debt, 28, 0},
	{" mais tarde ", 0, 0, later}, {" deixamos ", debt, 24, 0}, {" debito tecnico ", debt, 54, 0},
	{" per ora ", debt, 26, 0}, {" più tardi ", 0, 0, later},

	// How the user wants things.
	{" i prefer ", preference, 50, wanted | personal}, {" we prefer ", preference, 50, wanted},
	{" i'd prefer ", preference, 46, wanted}, {" i would prefer ", preference, 46, wanted},
	{" i'd rather have ", preference, 50, 0}, {" i'd rather ", preference, 38, wanted | personal},
	{" i would rather ", preference, 38, wanted}, {" i like ", preference, 30, wanted | personal},
	{" i don't like ", preference, 38, wanted | personal}, {" i do not like ", preference, 38, wanted},
	{" i hate ", preference, 40, wanted | personal}, {" i love ", preference, 30, wanted | personal},
	{" better than ", 0, 0, insteadOf}, {" ^ preference : ", preference, 62, wanted},
	{" our convention ", preference, 55, wanted}, {" the convention is ", preference, 55, 0},
	{" convention : ", preference, 55, 0}, {" our style ", preference, 50, wanted},
	{" call me ", preference, 46, wanted | personal},
	{" from now on ", preference, 46, lasting}, {" in the future ", preference, 26, lasting},
	{" going forward ", preference, 40, lasting}, {" by default use ", preference, 50, lasting},
	{" by default ", preference, 20, 0}, {" every time you ", preference, 42, lasting},
	{" each time you ", preference, 42, lasting}, {" whenever you ", preference, 44, lasting},
	{" when you write ", preference, 46, lasting}, {" when you commit ", preference, 46, lasting},
	{" when writing ", preference, 36, lasting}, {" when you add ", preference, 34, lasting},
	{" before you commit ", preference, 36, style},
	{" in this project we ", preference, 46, atHome}, {" in this repo we ", preference, 46, atHome},
	{" in this repository we ", preference, 46, atHome}, {" in this codebase we ", preference, 46, atHome},
	{" we always ", preference, 44, lasting | wanted}, {" i always want ", preference, 50, lasting},
	{" ^ always ", preference, 46, lasting | wanted}, {" please always ", preference, 50, lasting | wanted},
	{" and always ", preference, 34, lasting}, {" always ", 0, 0, lasting},
	{" keep your answers ", preference, 52, style}, {" keep answers ", preference, 50, style | wanted},
	{" keep your replies ", preference, 52, style}, {" your answers ", preference, 20, style | wanted | personal},
	{" answer in ", preference, 28, style | wanted | personal}, {" reply in ", preference, 28,
		style | wanted | personal}, {" everywhere ", 0, 0, reach | lasting},
	{" ich bevorzuge ", preference, 52, wanted | personal}, {" ich mag keine ", preference, 44, 0},
	{" mir ist lieber ", preference, 46, wanted}, {" ab jetzt ", preference, 46, lasting},
	{" ab sofort ", preference, 46, lasting}, {" in zukunft ", preference, 44, lasting}, {" immer ", 0, 0, lasting},
	{" ^ immer ", preference, 44, lasting | wanted}, {" dass du immer ", preference, 48, lasting},
	{" bitte immer ", preference, 48, lasting | wanted}, {" verwende immer ", preference, 52, lasting | wanted},
	{" nutze immer ", preference, 52, lasting | wanted}, {" benutze immer ", preference, 52, lasting | wanted},
	{" schreib immer ", preference, 50, lasting}, {" schreibe immer ", preference, 50, lasting},
	{" je préfère ", preference, 52, wanted | personal}, {" à partir de maintenant ", preference, 46, lasting},
	{" dorénavant ", preference, 46, lasting}, {" désormais ", preference, 40, lasting}, {" toujours ", 0, 0, lasting},
	{" utilise toujours ", preference, 52, lasting | wanted}, {" utilisez toujours ", preference, 52, lasting | wanted},
	{" réponds toujours ", preference, 52, lasting}, {" écris toujours ", preference, 52, lasting},
	{" prefiero ", preference, 52, wanted | personal}, {" a partir de ahora ", preference, 46, lasting},
	{" de ahora en adelante ", preference, 46, lasting}, {" siempre ", 0, 0, lasting},
	{" ^ siempre ", preference, 48, lasting | wanted}, {" siempre usa ", preference, 52, lasting | wanted},
	{" usa siempre ", preference, 52, lasting | wanted}, {" responde siempre ", preference, 52, lasting},
	{" prefiro ", preference, 52, wanted | personal}, {" a partir de agora ", preference, 46, lasting},
	{" daqui em diante ", preference, 46, lasting}, {" sempre ", 0, 0, lasting},
	{" sempre use ", preference, 52, lasting | wanted}, {" use sempre ", preference, 52, lasting | wanted},
	{" ^ sempre ", preference, 46, lasting | wanted}, {" preferisco ", preference, 52, wanted | personal},
	{" d'ora in poi ", preference, 46, lasting}, {" usa sempre ", preference, 52, lasting | wanted},

	// Where the work stands.
	{" ^ where we stand : ", memento, 60, 0}, {" ^ where we are : ", memento, 60, 0},
	{" ^ status so far : ", memento, 60, 0}, {" ^ current state : ", memento, 58, 0},
	{" ^ current status : ", memento, 58, 0}, {" ^ status : ", memento, 46, 0}, {" ^ progress : ", memento, 50, 0},
	{" ^ next steps : ", memento, 54, 0}, {" ^ so far : ", memento, 52, 0}, {" what is left : ", memento, 52, 0},
	{" what's left : ", memento, 52, 0}, {" left to do ", memento, 30, state}, {" we stop here ", memento, 46, state},
	{" let's stop here ", memento, 46, state}, {" i stop here ", memento, 46, state},
	{" we continue with ", memento, 24, 0}, {" tomorrow we continue ", memento, 42, later},
	{" we'll continue tomorrow ", memento, 48, later}, {" half done ", memento, 20, state}, {" is done ", 0, 0, state},
	{" are done ", 0, 0, state}, {" is left ", 0, 0, state}, {" next is ", 0, 0, state}, {" next step ", 0, 0, state},
	{" ^ stand der dinge : ", memento, 60, 0}, {" ^ stand : ", memento, 52, 0},
	{" ^ nächste schritte : ", memento, 54, 0}, {" ^ état actuel : ", memento, 58, 0},
	{" ^ prochaines étapes : ", memento, 54, 0}, {" ^ estado actual : ", memento, 58, 0},
	{" ^ próximos pasos : ", memento, 54, 0}, {" ^ estado atual : ", memento, 58, 0},
	{" ^ próximos passos : ", memento, 54, 0},

	// What stands beside them.
	{" because ", 0, 0, because}, {" since ", 0, 0, because}, {" due to ", 0, 0, because}, {" so that ", 0, 0, because},
	{" , so ", 0, 0, because}, {" as it is ", 0, 0, because}, {" it is simpler ", 0, 0, because},
	{" the reason ", 0, 0, because}, {" weil ", 0, 0, because}, {" damit ", 0, 0, because},
	{" parce que ", 0, 0, because}, {" parce qu'il ", 0, 0, because}, {" car ", 0, 0, because},
	{" porque ", 0, 0, because}, {" perché ", 0, 0, because}, {" , that is ", 0, 0, because}, {" so ", 0, 0, reach},
	{" instead of ", 0, 0, insteadOf}, {" rather than ", 0, 0, insteadOf}, {" over ", 0, 0, insteadOf},
	{" not in ", 0, 0, insteadOf}, {" against ", 0, 0, insteadOf}, {" never with ", 0, 0, insteadOf},
	{" statt ", 0, 0, insteadOf}, {" anstatt ", 0, 0, insteadOf}, {" au lieu de ", 0, 0, insteadOf},
	{" plutôt que ", 0, 0, insteadOf}, {" en lugar de ", 0, 0, insteadOf}, {" en vez de ", 0, 0, insteadOf},
	{" em vez de ", 0, 0, insteadOf}, {" ao invés de ", 0, 0, insteadOf}, {" invece di ", 0, 0, insteadOf},
	{" every ", 0, 0, reach}, {" all ", 0, 0, reach}, {" each ", 0, 0, reach}, {" until ", 0, 0, reach},
	{" anywhere ", 0, 0, reach}, {" directly ", 0, 0, reach}, {" direkt ", 0, 0, reach}, {" only ", 0, 0, reach},
	{" before ", 0, 0, reach}, {" on fridays ", 0, 0, reach}, {" still ", 0, 0, reach}, {" alle ", 0, 0, reach},
	{" tous ", 0, 0, reach}, {" todos ", 0, 0, reach}, {" todas ", 0, 0, reach}, {" from the ", 0, 0, reach},
	{" en las ", 0, 0, reach},
	{" production ", 0, 0, outside}, {" prod ", 0, 0, outside}, {" customer ", 0, 0, outside},
	{" customers ", 0, 0, outside}, {" users ", 0, 0, outside}, {" clients ", 0, 0, outside},
	{" partners ", 0, 0, outside}, {" legal ", 0, 0, outside}, {" security ", 0, 0, outside},
	{" requirement ", 0, 0, outside}, {" policy ", 0, 0, outside}, {" contract ", 0, 0, outside},
	{" compliance ", 0, 0, outside}, {" the eu ", 0, 0, outside}, {" api ", 0, 0, outside},
	{" vendor's ", 0, 0, outside}, {" provider ", 0, 0, outside}, {" team ", 0, 0, outside},
	{" équipe ", 0, 0, outside}, {" equipe ", 0, 0, outside}, {" version ", 0, 0, outside},
	{" producción ", 0, 0, outside}, {" produção ", 0, 0, outside}, {" produktion ", 0, 0, outside},
	{" logs ", 0, 0, outside}, {" logged ", 0, 0, outside}, {" main ", 0, 0, outside}, {" schema ", 0, 0, outside},
	{" schéma ", 0, 0, outside}, {" database ", 0, 0, outside}, {" deploy ", 0, 0, outside},
	{" commit ", 0, 0, style}, {" commits ", 0, 0, style}, {" commit messages ", 0, 0, style}, {" names ", 0, 0, style},
	{" naming ", 0, 0, style}, {" tabs ", 0, 0, style}, {" spaces ", 0, 0, style}, {" quotes ", 0, 0, style},
	{" functions ", 0, 0, style}, {" answers ", 0, 0, style}, {" answer ", 0, 0, style}, {" summaries ", 0, 0, style},
	{" emojis ", 0, 0, style}, {" comments ", 0, 0, style}, {" tests ", 0, 0, style}, {" english ", 0, 0, style},
	{" german ", 0, 0, style}, {" short ", 0, 0, style}, {" concise ", 0, 0, style}, {" file names ", 0, 0, style},
	{" lines ", 0, 0, style}, {" logger ", 0, 0, style}, {" small ", 0, 0, style}, {" upper case ", 0, 0, style},
	{" style ", 0, 0, style}, {" squash ", 0, 0, style}, {" messages ", 0, 0, style},

	// What takes from all of them.
	{" maybe ", 0, 0, unsure}, {" perhaps ", 0, 0, unsure}, {" i think ", 0, 0, unsure}, {" probably ", 0, 0, unsure},
	{" might ", 0, 0, unsure}, {" i guess ", 0, 0, unsure}, {" not sure ", 0, 0, unsure}, {" should we ", 0, 0, unsure},
	{" could we ", 0, 0, unsure}, {" can we ", 0, 0, unsure}, {" what if ", 0, 0, unsure},
	{" let's think ", 0, 0, unsure}, {" i wonder ", 0, 0, unsure}, {" if you prefer ", 0, 0, unsure},
	{" vielleicht ", 0, 0, unsure}, {" peut-être ", 0, 0, unsure}, {" quizás ", 0, 0, unsure},
	{" talvez ", 0, 0, unsure}, {" can you ", 0, 0, unsure}, {" could you ", 0, 0, unsure}, {" did you ", 0, 0, unsure},
	{" why ", 0, 0, unsure}, {" i don't know ", 0, 0, unsure},
	{" in this pr ", 0, 0, local}, {" this pr ", 0, 0, local}, {" this time ", 0, 0, local},
	{" for this ", 0, 0, local}, {" this branch ", 0, 0, local}, {" this commit ", 0, 0, local},
	{" this function ", 0, 0, local}, {" this button ", 0, 0, local}, {" this one ", 0, 0, local},
	{" i like it ", 0, 0, local}, {" like this ", 0, 0, local}, {" like that ", 0, 0, local},
	{" make it ", 0, 0, local}, {" the button ", 0, 0, local},
	{" option ", 0, 0, vague | local}, {" options ", 0, 0, vague | local}, {" first one ", 0, 0, vague},
	{" second one ", 0, 0, vague}, {" first approach ", 0, 0, vague}, {" second approach ", 0, 0, vague},
	{" that one ", 0, 0, vague}, {" your suggestion ", 0, 0, vague}, {" your recommendation ", 0, 0, vague},
	{" look at it ", 0, 0, vague}, {" to check ", 0, 0, vague},

	// What says that it is none, or how somebody wants things.
	{" ^ i'll ", 0, 0, narrated}, {" ^ i will ", 0, 0, narrated}, {" ^ i'm ", 0, 0, narrated},
	{" ^ i am ", 0, 0, narrated}, {" ^ let me ", 0, 0, narrated}, {" ^ let's ", 0, 0, narrated},
	{" ^ now ", 0, 0, narrated}, {" ^ next ", 0, 0, narrated}, {" ^ i can ", 0, 0, narrated},
	{" ^ i could ", 0, 0, narrated}, {" ^ you can ", 0, 0, narrated}, {" ^ you could ", 0, 0, narrated},
	{" ^ you should ", 0, 0, narrated}, {" ^ you may ", 0, 0, narrated}, {" ^ would ", 0, 0, narrated},
	{" ^ if you ", 0, 0, narrated}, {" ^ if you'd ", 0, 0, narrated}, {" ^ shall ", 0, 0, narrated},
	{" ^ should ", 0, 0, narrated}, {" ^ looking ", 0, 0, narrated}, {" ^ first ", 0, 0, narrated},
	{" ^ i need ", 0, 0, narrated}, {" ^ i should ", 0, 0, narrated}, {" ^ i see ", 0, 0, narrated},
	{" ^ it looks ", 0, 0, narrated}, {" ^ looks ", 0, 0, narrated}, {" ^ the user ", 0, 0, narrated},
	{" ^ want ", 0, 0, narrated}, {" ^ this should ", 0, 0, narrated}, {" ^ here ", 0, 0, narrated},
	{" ^ here's ", 0, 0, narrated}, {" ^ perhaps ", 0, 0, narrated}, {" ^ i don't ", 0, 0, narrated},
	{" ^ i've updated ", 0, 0, narrated}, {" ^ i've added ", 0, 0, narrated}, {" ^ i've fixed ", 0, 0, narrated},
	{" not want you to remember ", 0, 0, denied}, {" not have to remember ", 0, 0, denied},
	{" not need to remember ", 0, 0, denied}, {" don't want you to remember ", 0, 0, denied},
	{" don't have to remember ", 0, 0, denied}, {" don't need to remember ", 0, 0, denied},
	{" won't want you to remember ", 0, 0, denied}, {" won't have to remember ", 0, 0, denied},
	{" won't need to remember ", 0, 0, denied}, {" don't remember that ", 0, 0, denied},
	{" do not remember that ", 0, 0, denied}, {" not true that ", 0, 0, denied}, {" isn't true that ", 0, 0, denied},
	{" never said that ", 0, 0, denied}, {" didn't say that ", 0, 0, denied}, {" did not say that ", 0, 0, denied},
	{" never assume that ", 0, 0, denied}, {" don't assume that ", 0, 0, denied}, {" pretend that ", 0, 0, denied},
	{" suppose that ", 0, 0, denied}, {" imagine that ", 0, 0, denied}, {" claims that ", 0, 0, denied},
	{" no need to remember ", 0, 0, denied},
	{" there must be ", 0, 0, likely}, {" it must be ", 0, 0, likely}, {" must have ", 0, 0, likely},
	{" must be something ", 0, 0, likely}, {" must be failing ", 0, 0, likely}, {" must be missing ", 0, 0, likely},
	{" must be wrong ", 0, 0, likely}, {" must be the ", 0, 0, likely}, {" must be a ", 0, 0, likely},
	{" it must ", 0, 0, likely}, {" that must be ", 0, 0, likely}, {" this must be ", 0, 0, likely},
	{" docs say ", 0, 0, likely}, {" error says ", 0, 0, likely},
	{" ^ i always ", 0, 0, reported}, {" ^ i never ", 0, 0, reported}, {" ^ it ", 0, 0, reported},
	{" ^ why ", 0, 0, reported},
	{" we'd prefer ", 0, 0, wanted}, {" we like ", 0, 0, wanted}, {" i'd like ", 0, 0, wanted},
	{" we'd like ", 0, 0, wanted}, {" we don't like ", 0, 0, wanted}, {" we hate ", 0, 0, wanted},
	{" we love ", 0, 0, wanted}, {" we want ", 0, 0, wanted}, {" i don't want ", 0, 0, wanted},
	{" we don't want ", 0, 0, wanted}, {" we'd rather ", 0, 0, wanted}, {" i always ", 0, 0, wanted},
	{" i never ", 0, 0, wanted}, {" we never ", 0, 0, wanted}, {" to always ", 0, 0, wanted},
	{" to never ", 0, 0, wanted}, {" you always ", 0, 0, wanted}, {" you should ", 0, 0, wanted},
	{" you never ", 0, 0, wanted}, {" don't ever ", 0, 0, wanted}, {" keep your ", 0, 0, wanted},
	{" your replies ", 0, 0, wanted}, {" ^ don't ", 0, 0, wanted}, {" ^ prefer ", 0, 0, wanted},
	{" ^ avoid ", 0, 0, wanted}, {" wir bevorzugen ", 0, 0, wanted}, {" wir mögen ", 0, 0, wanted},
	{" wir möchten ", 0, 0, wanted}, {" ich will ", 0, 0, wanted}, {" wir wollen ", 0, 0, wanted},
	{" ich hätte gern ", 0, 0, wanted}, {" ich immer ", 0, 0, wanted}, {" wir immer ", 0, 0, wanted},
	{" du immer ", 0, 0, wanted}, {" nous préférons ", 0, 0, wanted}, {" on préfère ", 0, 0, wanted},
	{" je veux ", 0, 0, wanted}, {" nous voulons ", 0, 0, wanted}, {" on veut ", 0, 0, wanted},
	{" je voudrais ", 0, 0, wanted}, {" ^ toujours ", 0, 0, wanted}, {" réponds ", 0, 0, wanted},
	{" preferimos ", 0, 0, wanted}, {" quiero ", 0, 0, wanted}, {" queremos ", 0, 0, wanted},
	{" me gusta ", 0, 0, wanted}, {" nos gusta ", 0, 0, wanted}, {" responde ", 0, 0, wanted},
	{" eu gosto ", 0, 0, wanted}, {" gosto de ", 0, 0, wanted}, {" quero ", 0, 0, wanted},
	{" preferiamo ", 0, 0, wanted}, {" mi piace ", 0, 0, wanted}, {" voglio ", 0, 0, wanted},
	{" vogliamo ", 0, 0, wanted},
	{" i want ", 0, 0, wanted | personal}, {" answer me ", 0, 0, wanted | personal},
	{" ich mag ", 0, 0, wanted | personal}, {" ich möchte ", 0, 0, wanted | personal},
	{" nenn mich ", 0, 0, wanted | personal}, {" j'aime ", 0, 0, wanted | personal},
	{" appelle-moi ", 0, 0, wanted | personal}, {" llámame ", 0, 0, wanted | personal},
	{" me chame ", 0, 0, wanted | personal}, {" chiamami ", 0, 0, wanted | personal},
	{" ich ", 0, 0, speaks},
	{" wir ", 0, 0, speaks | shared},
	{" bevorzuge ", 0, 0, likes}, {" bevorzugen ", 0, 0, likes}, {" mag ", 0, 0, likes}, {" will ", 0, 0, likes},
	{" möchte ", 0, 0, likes}, {" lieber ", 0, 0, likes},
	{" we use ", 0, 0, uses}, {" i use ", 0, 0, uses}, {" ^ use ", 0, 0, uses}, {" , use ", 0, 0, uses},
	{" please use ", 0, 0, uses}, {" now on use ", 0, 0, uses}, {" default use ", 0, 0, uses},
	{" verwende ", 0, 0, uses}, {" nutze ", 0, 0, uses}, {" benutze ", 0, 0, uses}, {" utilise ", 0, 0, uses},
	{" usa ", 0, 0, uses},
	{" , not ", 0, 0, otherwise}, {" and not ", 0, 0, otherwise},
	{" project ", 0, 0, shared}, {" repo ", 0, 0, shared}, {" repository ", 0, 0, shared}, {" codebase ", 0, 0, shared},
	{" here ", 0, 0, shared}, {" app ", 0, 0, shared}, {" we ", 0, 0, shared}, {" our ", 0, 0, shared},
	{" us ", 0, 0, shared}, {" projekt ", 0, 0, shared}, {" projet ", 0, 0, shared}, {" proyecto ", 0, 0, shared},
	{" projeto ", 0, 0, shared}, {" progetto ", 0, 0, shared}, {" nous ", 0, 0, shared},
	{" my name ", 0, 0, personal}, {" talk to me ", 0, 0, personal}, {" i am ", 0, 0, personal},
	{" i'm ", 0, 0, personal},
}

// glyphs are what is looked for in scripts that put no space between words.
var glyphs = [...]hint{
	{"决定", decision, 50, 0}, {"決定", decision, 46, 0}, {"选择了", decision, 50, 0}, {"選擇了", decision, 50, 0},
	{"に決めました", decision, 54, 0}, {"を採用する", decision, 46, 0}, {"にしました", decision, 36, 0}, {"因为", 0, 0, because},
	{"而不是", 0, 0, insteadOf}, {"ので", 0, 0, because}, {"ではなく", 0, 0, insteadOf},
	{"根本原因", runbook, 50, 0}, {"解决办法是", runbook, 50, 0}, {"原因は", runbook, 42, 0}, {"重启", 0, 0, remedy},
	{"再起動", 0, 0, remedy},
	{"绝对不能", constraint, 56, forbids}, {"絕對不能", constraint, 56, forbids}, {"必须", constraint, 42, 0},
	{"必須", constraint, 40, 0}, {"不得", constraint, 50, forbids}, {"禁止", constraint, 52, forbids},
	{"不允许", constraint, 50, forbids}, {"绝不", constraint, 52, forbids}, {"絶対に", constraint, 36, lasting},
	{"ないでください", 0, 0, forbids}, {"てはいけ", constraint, 50, forbids}, {"てはなら", constraint, 50, forbids},
	{"保持", 0, 0, reach}, {"所有", 0, 0, reach}, {"本番", 0, 0, outside}, {"生产", 0, 0, outside},
	{"技术债", debt, 54, 0}, {"以后再", debt, 48, later}, {"技術的負債", debt, 54, 0}, {"後回し", debt, 50, later},
	{"後で対応", debt, 48, later},
	{"更喜欢", preference, 52, 0}, {"我喜欢", preference, 46, personal}, {"我偏好", preference, 52, 0},
	{"以后请", preference, 52, lasting | wanted}, {"以后都", preference, 50, lasting | wanted},
	{"总是用", preference, 50, lasting}, {"始终", preference, 42, lasting | wanted},
	{"今後は", preference, 50, lasting | wanted}, {"これからは", preference, 50, lasting | wanted},
	{"常に", preference, 50, lasting | wanted}, {"方が好き", preference, 52, 0}, {"一直用", preference, 48, lasting | wanted},
	{"可能", 0, 0, unsure}, {"也许", 0, 0, unsure}, {"かもしれ", 0, 0, unsure},

	// How somebody wants things.
	{"喜欢", 0, 0, wanted}, {"喜歡", 0, 0, wanted}, {"偏好", 0, 0, wanted}, {"希望", 0, 0, wanted}, {"想要", 0, 0, wanted},
	{"总是", 0, 0, wanted}, {"今后は", 0, 0, wanted}, {"好き", 0, 0, wanted}, {"不要", 0, 0, wanted}, {"请用", 0, 0, wanted},
	{"叫我", 0, 0, wanted | personal},
	{"我更喜欢", 0, 0, personal},
}
