package sentence

import (
	"strings"
	"sync"
)

// The kinds that are weighed for, as places in an array.
const (
	none    = -1 // a phrase that speaks for none
	memento = iota - 1
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

// phraseList is phrases with bars between them, the kind that they speak for, and what they say besides. A number
// before a phrase is what it scores by itself, in hundredths. Its words stand between single spaces; ^ is the beginning
// of the sentence, $ its end.
type phraseList struct {
	kind  int8
	aside aside
	words string
}

// hint is one phrase of a list.
type hint struct {
	words string
	kind  int8
	score int8
	aside aside
}

// hints and glyphs are taken apart when the first sentence is weighed: most hooks weigh none.
var (
	hints  = sync.OnceValue(func() []hint { return takeApart(hintLists[:]) })
	glyphs = sync.OnceValue(func() []hint { return takeApart(glyphLists[:]) })
)

// takeApart returns the phrases of lists. It is quick, since each hook that weighs a sentence calls it.
func takeApart(lists []phraseList) []hint {
	out := make([]hint, 0, 1024)
	for _, l := range lists {
		for rest, more := l.words, true; more; {
			h := hint{kind: l.kind, aside: l.aside}
			h.words, rest, more = strings.Cut(rest, "|")
			for h.words[0] <= '9' && (h.words[0] <= ' ' || h.words[0] >= '0') {
				if h.words[0] >= '0' {
					h.score = h.score*10 + int8(h.words[0]-'0')
				}
				h.words = h.words[1:]
			}
			for h.words[len(h.words)-1] <= ' ' {
				h.words = h.words[:len(h.words)-1]
			}
			out = append(out, h)
		}
	}
	return out
}

// scan looks for the phrases of hints and glyphs in line, and raises each kind to the strongest one that speaks for it.
func scan(line string, latin bool, best *[kinds]int) (found aside) {
	if latin {
		return scanFor(line, hints(), nil, best)
	}
	return scanFor(line, hints(), glyphs(), best)
}

// scanFor is scan for other lists. glyphs may stand anywhere, words between spaces.
func scanFor(line string, words, glyphs []hint, best *[kinds]int) (found aside) {
	// Where the words of line begin, by a mark of their first two letters: each phrase is compared only where it may
	// stand.
	var head [256]uint8
	var begins [250]struct {
		at   uint16
		next uint8
	}
	n := 0
	for i := 0; i+2 < len(line) && n < len(begins)-1; i++ {
		if line[i] == ' ' {
			h := beginning(line[i+1:])
			n++
			begins[n].at, begins[n].next = uint16(i), head[h]
			head[h] = uint8(n)
		}
	}
	take := func(h hint) {
		found |= h.aside
		if h.score > 0 {
			best[h.kind] = max(best[h.kind], int(h.score))
		}
	}
	for _, h := range words {
		for at := head[beginning(h.words)]; at > 0; at = begins[at].next {
			if rest, ok := strings.CutPrefix(line[begins[at].at+1:], h.words); ok && rest[0] == ' ' {
				take(h)
				break
			}
		}
	}
	for _, h := range glyphs {
		if strings.Contains(line, h.words) {
			take(h)
		}
	}
	return found
}

var hintLists = [...]phraseList{
	// What was decided.
	{decision, 0, `62 ^ decision : | 55 final decision | 50 is settled | 50 decision is | 52 we decided |
		52 we've decided | 52 we have decided | 50 i've decided | 40 i decided | 52 it was decided | 52 team decided |
		52 decided against | 52 settled on | 50 agreed on | 52 we agreed | 42 agreed to | 50 we chose | 42 i chose |
		42 i picked | 48 we picked | 48 opted for | 42 opted to | 42 i went with | 48 we went with |
		40 let's go with | 40 lets go with | 40 we go with | 45 we'll go with | 45 we will go with |
		48 we're going with | 48 we are going with | 38 going with | 42 let's stick with | 45 we stick with |
		45 we're sticking with | 48 we're switching to | 48 we are switching to | 45 we switched to |
		42 we switch to | 45 we're moving to | 45 we're dropping | 62 ^ entscheidung : | 50 haben uns für |
		52 haben entschieden | 52 entschieden haben | 52 beschlossen haben | 45 entschieden , | 48 habe mich für |
		45 wir bleiben bei | 38 wir nehmen | 52 haben beschlossen | 45 wir wechseln zu | 62 ^ décision : |
		52 on a décidé | 52 nous avons décidé | 42 j'ai décidé | 50 nous avons choisi | 50 on a choisi |
		42 j'ai choisi | 45 on part sur | 62 ^ decisión : | 52 hemos decidido | 52 se decidió | 52 decidimos |
		50 hemos elegido | 48 elegimos | 45 he decidido | 45 nos quedamos con | 62 ^ decisão : | 52 optamos por |
		48 escolhemos | 52 foi decidido | 52 ficou decidido | 62 ^ decisione : | 52 abbiamo deciso |
		50 abbiamo scelto`},

	// What to do when something happens.
	{runbook, 0, `50 root cause : | 50 root cause was | 46 root cause is | 50 ursache : | 50 die ursache war |
		50 la cause était | 48 cause racine | 50 la causa era | 48 causa raíz | 48 causa raiz`},
	{runbook, trouble, `40 was caused by | 38 is caused by | 40 were caused by | 30 hangs | 24 fails | 30 fails with |
		28 crashes | 20 stops | 22 expires | 30 does not start | 30 doesn't start | 30 won't start | 28 is stuck |
		30 gets stuck | 25 hängt | 28 échoue | 30 no arranca | 22 falla | 32 travar | 30 falhar`},
	{runbook, remedy, `42 the fix was | 36 the fix is | 50 the workaround is | 50 the workaround for |
		50 workaround : | 42 the solution was | 42 the trick is | 42 solved it | 42 fixed it by | 42 that fixes it |
		45 hilft es`},
	{none, remedy, `fixes the | fixed the | restart | restarting | delete the | deleting | remove the | clear the |
		kill | run it again | retry | reload | stop the | start it with | to run | to set | reinstall | run x |
		with x | , run | then run | lösche | starte | relance | relance-la | supprime | redémarre | borra | reinicia |
		vuelve a | apague | reinicie`},
	{runbook, when, `8 ^ when | 8 ^ if | 15 whenever | 35 ^ to restore | 35 ^ to recover | 35 ^ to rotate |
		32 ^ to deploy | 32 ^ to release | 35 ^ to roll back | 30 ^ to reset | 30 ^ to reproduce | 10 ^ falls |
		8 ^ wenn | 8 ^ si | 8 ^ quando | 8 ^ cuando`},
	{runbook, when | lasting, `20 ^ whenever`},
	{none, trouble, `failed | failure | crash | timeout | timeouts | error | exit code`},
	{none, reach, `and retry | then`},
	{runbook, trouble | when, `28 abbricht | 30 nicht startet`},

	// Limits.
	{constraint, 0, `65 ^ constraint : | 65 ^ policy : | 66 limitation : | 60 known limitation | 50 must stay |
		50 must keep | 50 must remain | 42 must run | 45 must work | 38 must be | 30 must | 48 has to keep |
		48 has to stay | 48 have to stay | 45 has to work | 42 has to run | 26 has to be | 50 must support |
		48 has to support | 54 not exceed | 56 never exceed | 36 at most | 36 no more than | 48 allows at most |
		42 limited to | 40 rate limit | 42 limit is | 38 limit of | 38 maximum of | 42 does not support |
		42 doesn't support | 42 do not support | 42 don't support | 38 not supported | 42 only supports |
		34 backwards compatible | 34 backward compatible | 50 we only support | 50 now only support | 36 höchstens |
		42 unterstützt kein | 42 unterstützt keine | 34 au plus | 50 só pode ter | 50 solo puede tener |
		36 no máximo | 36 como máximo`},
	{constraint, outside, `55 company policy | 56 for legal reasons | 52 legal requirement | 40 gdpr | 40 pci |
		40 hipaa | 30 without internet | 42 has no network | 42 has no internet | 48 c'est obligatoire |
		50 exigência legal`},
	{constraint, forbids, `55 must never | 50 must not | 50 mustn't | 52 may never | 46 not allowed |
		50 only allowed | 52 is forbidden | 52 are forbidden | 54 nobody may | 54 no one may |
		56 under no circumstances | 46 we can't use | 48 we cannot use | 36 can't use | 40 cannot use |
		50 never leaves | 46 never leave | 55 darf nie | 55 dürfen nie | 50 darf nicht | 50 dürfen nicht |
		56 darf niemals | 52 ist verboten | 55 ne doit jamais | 55 ne doivent jamais | 50 ne doit pas |
		52 est interdit | 55 nunca se debe | 48 no se debe | 46 no se puede | 50 no se permite | 52 está prohibido |
		54 nunca debe | 54 nunca deve | 54 nunca pode | 40 não pode | 48 não podemos usar | 42 não deve |
		42 não devem | 42 no debe | 42 no deben | 52 é proibido | 55 non deve mai | 44 non si può | 52 è vietato`},
	{constraint, forbids | lasting, `48 should never | 36 ^ never | 50 ^ niemals | 50 auf keinen fall |
		55 ne faut jamais | 48 ^ jamais | 46 ^ nunca`},
	{none, forbids | lasting, `never | niemals | nie | jamais | nunca`},
	{none, lasting, `, never`},
	{constraint, lasting, `50 muss immer`},

	// What was put off.
	{debt, 0, `52 tech debt | 54 technical debt | 44 leave it for now | 44 as it is for now | 24 for now |
		30 ^ for now | 14 skip the | 24 we skip | 24 let's leave | 16 ^ leave | 24 i left | 24 we leave |
		42 in place for now | 42 deferred | 44 we defer | 44 postpone | 44 postponed | 50 temporary hack |
		46 temporary workaround | 46 quick hack | 20 hard-coded | 20 hardcoded | 44 should be refactored |
		44 needs refactoring | 46 needs a rewrite | 44 needs to be rewritten | 44 needs a refactor | 20 worry about |
		24 not translated yet | 26 should be moved | 20 should merge | 54 technische schuld | 54 technische schulden |
		26 vorerst | 34 erst einmal so | 28 pour l'instant | 54 dette technique | 26 on laisse | 54 deuda técnica |
		24 dejamos | 26 por ahora | 54 dívida técnica | 28 por enquanto | 24 deixamos | 54 debito tecnico |
		26 per ora`},
	{debt, later, `52 todo for later | 44 a todo for | 48 left a todo | 26 come back to | 28 revisit |
		48 clean up later | 26 later on | 48 fix it later | 44 do it later | 34 follow-up pr | 30 separate pr |
		40 let's add it after | 50 auf später | 44 verschieben wir | 44 wir verschieben | 54 de côté pour l'instant |
		20 on la fera | 50 para más adelante | 48 para después | 50 para depois`},
	{none, later, `later | eventually | next quarter | next sprint | next release | after the | once the | tomorrow |
		not before | are ready | is there | lands | nach dem release | später | plus tard | après la | más tarde |
		mais tarde | più tardi`},
	{none, later | reach, `until the`},
	{debt, remedy, `20 we will fix`},
	{debt, later | remedy, `40 fix it after`},

	// How the user wants things.
	{preference, wanted | personal, `50 i prefer | 38 i'd rather | 30 i like | 38 i don't like | 40 i hate |
		30 i love | 46 call me | 52 ich bevorzuge | 52 je préfère | 52 prefiero | 52 prefiro | 52 preferisco`},
	{preference, wanted, `50 we prefer | 46 i'd prefer | 46 i would prefer | 38 i would rather | 38 i do not like |
		62 ^ preference : | 55 our convention | 50 our style | 46 mir ist lieber`},
	{preference, 0, `50 i'd rather have | 55 the convention is | 55 convention : | 20 by default | 44 ich mag keine`},
	{none, insteadOf, `better than`},
	{preference, lasting, `46 from now on | 26 in the future | 40 going forward | 50 by default use |
		42 every time you | 42 each time you | 44 whenever you | 46 when you write | 46 when you commit |
		36 when writing | 34 when you add | 50 i always want | 34 and always | 46 ab jetzt | 46 ab sofort |
		44 in zukunft | 48 dass du immer | 50 schreib immer | 50 schreibe immer | 46 à partir de maintenant |
		46 dorénavant | 40 désormais | 52 réponds toujours | 52 écris toujours | 46 a partir de ahora |
		46 de ahora en adelante | 52 responde siempre | 46 a partir de agora | 46 daqui em diante | 46 d'ora in poi`},
	{preference, style, `36 before you commit | 52 keep your answers | 52 keep your replies`},
	{preference, atHome, `46 in this project we | 46 in this repo we | 46 in this repository we |
		46 in this codebase we`},
	{preference, lasting | wanted, `44 we always | 46 ^ always | 50 please always | 44 ^ immer | 48 bitte immer |
		52 verwende immer | 52 nutze immer | 52 benutze immer | 52 utilise toujours | 52 utilisez toujours |
		48 ^ siempre | 52 siempre usa | 52 usa siempre | 52 sempre use | 52 use sempre | 46 ^ sempre | 52 usa sempre`},
	{none, lasting, `always | immer | toujours | siempre | sempre`},
	{preference, style | wanted, `50 keep answers`},
	{preference, style | wanted | personal, `20 your answers | 28 answer in`},
	{none, reach | lasting, `everywhere`},

	// Where the work stands.
	{memento, 0, `60 ^ where we stand : | 60 ^ where we are : | 60 ^ status so far : | 58 ^ current state : |
		58 ^ current status : | 46 ^ status : | 50 ^ progress : | 54 ^ next steps : | 52 ^ so far : |
		52 what is left : | 52 what's left : | 24 we continue with | 60 ^ stand der dinge : | 52 ^ stand : |
		54 ^ nächste schritte : | 58 ^ état actuel : | 54 ^ prochaines étapes : | 58 ^ estado actual : |
		54 ^ próximos pasos : | 58 ^ estado atual : | 54 ^ próximos passos :`},
	{memento, state, `30 left to do | 46 we stop here | 46 let's stop here | 46 i stop here | 20 half done`},
	{memento, later, `42 tomorrow we continue | 48 we'll continue tomorrow`},
	{none, state, `is done | are done | is left | next is | next step`},

	// What stands beside them.
	{none, because, `because | since | due to | so that | , so | as it is | it is simpler | the reason | weil |
		damit | parce que | parce qu'il | car | porque | perché | , that is`},
	{none, reach, `so | every | all | each | until | anywhere | directly | direkt | only | before | on fridays |
		still | alle | tous | todos | todas | from the | en las`},
	{none, insteadOf, `instead of | rather than | over | not in | against | never with | statt | anstatt |
		au lieu de | plutôt que | en lugar de | en vez de | em vez de | ao invés de | invece di`},
	{none, outside, `production | prod | customer | customers | users | clients | partners | legal | security |
		requirement | policy | contract | compliance | the eu | api | vendor's | provider | team | équipe | equipe |
		version | producción | produção | produktion | logs | logged | main | schema | schéma | database | deploy`},
	{none, style, `commit | commits | commit messages | names | naming | tabs | spaces | quotes | functions |
		answers | answer | summaries | emojis | comments | tests | english | german | short | concise | file names |
		lines | logger | small | upper case | style | squash | messages`},

	// What takes from all of them.
	{none, unsure, `maybe | perhaps | i think | probably | might | i guess | not sure | should we | could we |
		can we | what if | let's think | i wonder | if you prefer | vielleicht | peut-être | quizás | talvez |
		can you | could you | did you | why | i don't know`},
	{none, local, `in this pr | this pr | this time | for this | this branch | this commit | this function |
		this button | this one | i like it | like this | like that | make it | the button`},
	{none, vague | local, `option | options`},
	{none, vague, `first one | second one | first approach | second approach | that one | your suggestion |
		your recommendation | look at it | to check`},

	// What says that it is none, or how somebody wants things.
	{none, narrated, `^ i'll | ^ i will | ^ i'm | ^ i am | ^ let me | ^ let's | ^ now | ^ next | ^ i can | ^ i could |
		^ you can | ^ you could | ^ you should | ^ you may | ^ would | ^ if you | ^ if you'd | ^ shall | ^ should |
		^ looking | ^ first | ^ i need | ^ i should | ^ i see | ^ it looks | ^ looks | ^ the user | ^ want |
		^ this should | ^ here | ^ here's | ^ perhaps | ^ i don't | ^ i've updated | ^ i've added | ^ i've fixed`},
	{none, denied, `not want you to remember | not have to remember | not need to remember |
		don't want you to remember | don't have to remember | don't need to remember | won't want you to remember |
		won't have to remember | won't need to remember | don't remember that | do not remember that | not true that |
		isn't true that | never said that | didn't say that | did not say that | never assume that |
		don't assume that | pretend that | suppose that | imagine that | claims that | no need to remember`},
	{none, likely, `there must be | it must be | must have | must be something | must be failing | must be missing |
		must be wrong | must be the | must be a | it must | that must be | this must be | docs say | error says`},
	{none, reported, `^ i always | ^ i never | ^ it | ^ why`},
	{none, wanted, `we'd prefer | we like | i'd like | we'd like | we don't like | we hate | we love | we want |
		i don't want | we don't want | we'd rather | i always | i never | we never | to always | to never |
		you always | you should | you never | don't ever | keep your | your replies | ^ don't | ^ prefer | ^ avoid |
		wir bevorzugen | wir mögen | wir möchten | ich will | wir wollen | ich hätte gern | ich immer | wir immer |
		du immer | nous préférons | on préfère | je veux | nous voulons | on veut | je voudrais | ^ toujours |
		réponds | preferimos | quiero | queremos | me gusta | nos gusta | responde | eu gosto | gosto de | quero |
		preferiamo | mi piace | voglio | vogliamo`},
	{none, wanted | personal, `i want | answer me | ich mag | ich möchte | nenn mich | j'aime | appelle-moi |
		llámame | me chame | chiamami`},
	{none, speaks, `ich`},
	{none, speaks | shared, `wir`},
	{none, likes, `bevorzuge | bevorzugen | mag | will | möchte | lieber`},
	{none, uses, `we use | i use | ^ use | , use | please use | now on use | default use | verwende | nutze |
		benutze | utilise | usa`},
	{none, otherwise, `, not | and not`},
	{none, shared, `project | repo | repository | codebase | here | app | we | our | us | projekt | projet |
		proyecto | projeto | progetto | nous`},
	{none, personal, `my name | talk to me | i am | i'm`},
}

// glyphLists are what is looked for in scripts that put no space between words.
var glyphLists = [...]phraseList{
	{decision, 0, `50 决定 | 46 決定 | 50 选择了 | 50 選擇了 | 54 に決めました | 46 を採用する | 36 にしました`},
	{none, because, `因为 | ので`},
	{none, insteadOf, `而不是 | ではなく`},
	{runbook, 0, `50 根本原因 | 50 解决办法是 | 42 原因は`},
	{none, remedy, `重启 | 再起動`},
	{constraint, forbids, `56 绝对不能 | 56 絕對不能 | 50 不得 | 52 禁止 | 50 不允许 | 52 绝不 | 50 てはいけ | 50 てはなら`},
	{constraint, 0, `42 必须 | 40 必須`},
	{constraint, lasting, `36 絶対に`},
	{none, forbids, `ないでください`},
	{none, reach, `保持 | 所有`},
	{none, outside, `本番 | 生产`},
	{debt, 0, `54 技术债 | 54 技術的負債`},
	{debt, later, `48 以后再 | 50 後回し | 48 後で対応`},
	{preference, 0, `52 更喜欢 | 52 我偏好 | 52 方が好き`},
	{preference, personal, `46 我喜欢`},
	{preference, lasting | wanted, `52 以后请 | 50 以后都 | 42 始终 | 50 今後は | 50 これからは | 50 常に | 48 一直用`},
	{preference, lasting, `50 总是用`},
	{none, unsure, `可能 | 也许 | かもしれ`},

	// How somebody wants things.
	{none, wanted, `喜欢 | 喜歡 | 偏好 | 希望 | 想要 | 总是 | 今后は | 好き | 不要 | 请用`},
	{none, wanted | personal, `叫我`},
	{none, personal, `我更喜欢`},
}
