package sentence

import (
	"slices"
	"strings"
	"unicode/utf8"

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
		return slices.ContainsFunc(rolesOf(w), func(r role) bool { return r&(again|takes|query) != 0 })
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
	return text.Runes(s) >= minForModel && (text.BeginsWithOne(s, "you are ", "you're ", "act as ", "your role is ",
		"du bist ", "sie sind ", "je bent ", "tu es ", "vous êtes ", "eres ", "você é ", "tu sei ", "sei un", "jesteś ",
		"ты ", "вы ", "sen bir ", "あなたは", "你是", "您是", "당신은 ", "너는 ") ||
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

// roles are the words of calls, by language: English, German, Dutch, the Nordic languages, French, Spanish, Portuguese,
// Italian, Polish, Czech, Russian and Ukrainian, Turkish, Arabic, Hindi, Indonesian, Vietnamese, Finnish, Hungarian.
var roles = [...]struct {
	role  role
	words string
	stems string // of words that end in many ways
}{
	{joint, `ok okay so well alright right great hi hello hey yes please now just then and a an the to get return
		keep keeping from of for with on
		at in by our my your me let let's lets can could would will shall want like 'd 's s
		is are am be been had have has do does it that far this there all up here same as exactly some
		point place again still time
		da dort dann bitte also ja und auf bei zum zur von vom der die das dem den des mich lass
		lasst wollen kannst können könnten haben hatten habe hast sind waren ist war bin mal doch noch denn
		stelle punkt dran genau jetzt hallo unsere unserer meine
		het de een en van aan met bij op ons onze laten laat kun kunnen alsjeblieft graag nu dan er
		zijn hebben dat te dit
		det ett på av fra från til till med og och å att som är hade oss vår vårt där dér
		kan kunne snälla vær så
		s'il plaît stp svp vous tu nous j' c' d' l' s' t' le la les un une à au là ce cette
		cet ces y ai avons avez ont est es était étais suis ça qui déjà moi notre nos mon
		por favor el los las lo una del al con se yo tú donde vayamos era
		fue tenemos teníamos nosotros puedes podemos
		quiero quedó hemos habíamos hay ya
		o os um uma dos no na nas em e com eu nós gente você pra para pro
		bora pode quero estamos estava estávamos ponto parte ali aí lá aquele aquela eram foi foram tinha tínhamos
		il gli di dello della dei dal dallo su alla ed che ci si io noi per
		favore piacere possiamo puoi voglio siamo eravamo avevamo abbiamo punto erano lì
		od w z tam tego tej ten ty się proszę miejsca miejscu momentu którym którego był była było były nam tym
		můžeme prosím ve v jsme jsem toho té tom u k kterém místa byl byla bylo který
		с со на в во к из у и а же то той тот та те того том чем это мы я ты вы нас мне нам давай давайте
		пожалуйста
		можешь можно места месте момента нужно было был была были мои наш наша нами
		з зі до і й місця ми ти будь ласка
		lütfen ile bir bu şu biz ben sen hadi haydi yere yerden yeri kaldığı olan bize bana mı
		من حيث إلى على في مع هذا هذه التي الذي نحن أنا لو سمحت فضلك كنا كنت كانت كان يا هيا دعنا الآن
		से को का की के में पर था थे थी है हैं हम हमने मैं तुम आप कृपया वहीं वहाँ वह यह जो जहाँ जहां रखो रखें हुआ गया
		करो करें चलो
		dari ke yang itu ini kita kami saya kamu tolong mari dengan untuk tadi
		từ ở chỗ nơi chúng tôi bạn hãy và cái mà đã đang của với đi vui lòng
		siitä minä sinä oli ole
		ott az és én kérlek onnan`, ``},
	{us, `we we're we've i i'd i'm us you
		wir ich du uns
		wij ik je jij
		vi jag jeg`, ``},
	{deed, `doing working worked did were was started began begun stopped made done quit incomplete`, ``},
	{again, `continue continuing continued resume resuming proceed proceeding
		weiter weitermachen weiterarbeiten weitermachst weiterführen fort fortsetzen fortfahren fortzufahren verder
		verdergaan
		doorgaan door voortzetten
		vervolg hervat
		fortsätt fortsätta fortsätter fortsæt fortsætte fortsætter fortsett fortsette fortsetter vidare videre
		continuer continuez continuons poursuis poursuivre poursuivons poursuivez reprends reprendre reprenons
		reprenez
		continúa continua continuar continuemos continuamos continúe sigue seguir seguimos sigamos siga retoma retomar
		retomemos retomamos reanuda reanudar reanudemos adelante
		continuando prossiga prosseguir prossigamos segue retome retomando
		continui continuiamo continuare prosegui proseguiamo proseguire procedi riprendi riprendiamo riprendere avanti
		wznów wznówmy
		дальше далі
		devam
		أكمل اكمل نكمل لنكمل تابع نتابع لنتابع استمر نستمر واصل نواصل لنواصل استأنف
		जारी
		lanjut lanjutkan melanjutkan teruskan
		tiếp tục
		jatka jatketaan jatkakaa jatkaa
		folytasd folytassuk folytassa folytatni`, `kontynuuj kontynuowa pokračuj pokračov продолж продовж sürdür`},
	{takes, `pick picking carry carrying go going back working take finish finishing start
		mach mache machen macht nimm nehmen nehme wieder wiederaufnehmen setze setz setzen arbeite arbeiten knüpfe
		anknüpfen ga gaan pak oppak oppakken weer werk werken terug
		gå går ta tar tag igen igjen
		remets remettons revenons reviens revenir retournons finis finissons terminons
		volvamos volver vuelve terminemos acabemos
		voltar volta voltemos vamos volte terminar
		torniamo tornare andiamo finiamo
		wróćmy wróć wracamy wracajmy dokończmy dokończ vraťme vraťte dokončeme dokonči
		вернёмся доделай доделаем закончим повернімося
		dönelim dön et edelim edin yap yapalım
		لنعد نعود
		kembali ayo
		quay lại làm
		palataan`, `верн возобнов`},
	{leftAt, `left leave off paused halted interrupted unfinished
		aufgehört aufhörten aufgehoert stehengeblieben stehen geblieben gebleven stopten gestopt verblieben begonnen
		angefangen unterbrochen unfertige liegengelassen gearbeitet gemacht bezig mee
		slutade slutat slap sluttede stoppade stoppet stoppede höll gjorde började begynte avslutade
		arrêté arrêtés arrêtée arrêtées arrêtions resté restés étions laissé laissés quitté commencé faisait faisions
		travaillait travaillions interrompu inachevé inachevée parti
		dejamos dejado quedamos quedado paramos parado estábamos hacíamos haciendo hicimos empezamos empezado
		interrumpimos pendiente pendientes trabajando trabajábamos iba íbamos
		parei parou ficou ficamos fazendo fazíamos fazer fizemos começamos começado comecei interrompemos
		trabalhando inacabado inacabada pendente
		rimasti rimasto lasciato lasciati interrotto interrotti fermati fermato facendo facevamo iniziato cominciato
		lavorando lavoravamo
		skończyliśmy skończyłem skończyłam przerwaliśmy przerwałem zatrzymaliśmy robiliśmy zaczęliśmy stanęło
		skončili skončil přestali přerušili dělali začali
		остановились остановился остановилась закончили прервали делали начали начатое начатую работали зупинилися
		закінчили робили почали
		kaldık kalmıştık bıraktık yapıyorduk yarım
		توقفنا توقفت انتهينا تركنا بدأنا نفعل نعمل فعلنا
		छोड़ा रुके छोड़ी कर रहे रहा
		berhenti terhenti tinggalkan kerjakan mulai
		dừng bỏ dở làm
		jäätiin jäimme jäi lopetimme teimme
		abbahagytuk hagytuk abba ahol`, `kaldığım bıraktığım yaptığım başladığım`},
	{past, `yesterday yesterday's last previous previously earlier before former ago prior latest morning evening
		friday
		gestern gestrige gestrigen letzte letzten letzter letztes letztem letztens zuletzt vorige vorigen voriges
		vorher
		gisteren gister vorig laatste laatst
		igår gårdagens förra sist siste sidste forrige går tidligere tidigare sista
		hier d'hier dernier dernière derniers dernières précédent précédente avant fois
		ayer anterior última último últimas pasada pasado antes vez
		ontem passada passado
		ieri precedente ultima ultimo scorsa scorso prima volta
		wczoraj ostatnio
		včera minule
		вчера раньше раз вчора
		dün dünkü önceki geçen son geçenki
		أمس الأمس البارحة السابق السابقة الأخير الأخيرة المرة
		कल पिछला पिछले पिछली बार
		kemarin sebelumnya terakhir lalu
		hôm qua trước lần cuối
		eilisen eilen eilistä viime
		legutóbbi múltkori előző`, `wczorajsz ostatni poprzedni včerejší minul předchozí poslední вчерашн прошл предыдущ последн
		вчорашн минул попередн edellis tegnap`},
	{job, `work task tasks session sessions job mission stuff things thing assignment chat conversation activity todo
		todos what
		arbeit aufgabe aufgaben sitzung auftrag was damit
		werk taak taken sessie
		arbete arbetet arbejde arbejdet arbeid arbeidet uppgiften oppgaven opgaven sessionen økten økt
		travail tâche tâches séance boulot
		trabajo tarea tareas sesión misión
		trabalho tarefa tarefas sessão missão serviço
		lavoro compito sessione attività
		дела дело
		işi iş işe görev görevi göreve
		العمل عمل المهمة الجلسة جلسة مهمة
		काम कार्य सत्र
		pekerjaan tugas sesi
		công việc phiên nhiệm vụ
		työ työtä`, `prac zadani sesj prác úkol sezen relac работ задач сесси робот завдан сесі çalışma oturum
		tehtävä istun munk feladat`},
	{aim, `plan plans next step steps status progress todo todos remaining missing open pending left standing
		pläne stand nächste nächsten nächster schritt schritte aussteht steht offen fehlt übrig tun
		volgende stap stappen doen
		planen nästa neste næste steg trinn återstår gjenstår
		étape étapes prochaine prochaines suite reste faire manque état
		siguiente siguientes próximo próximos paso pasos falta faltan faltaba hacer pendiente pendientes estado
		plano passo passos faltava fazer pendente pendentes
		piano prossimo prossimi passi manca resta fare stato
		zostało
		zbývá
		осталось статус залишилось
		sıradaki kaldı
		الخطة خطة خطتنا التالي التالية الخطوة بقي
		योजना अगला बाकी
		rencana rencananya selanjutnya berikutnya langkah sisa
		kế hoạch tiếp theo bước
		következő lépés`, `plan następn krok plán další план следующ шаг наступн крок adım durum
		suunnitelma seuraav terv`},
	{query, `que what what's whats where where's which how remind tell show recap summarize
		was wo woran wie womit welche welcher welches erinnere erinner
		wat waar hoe welke
		vad var hvad hvor hva vilken
		quoi quel quelle quels quelles où rappelle qu'est qu'
		qué cuál cuáles dónde recuérdame
		qual quais onde quê lembra lembre
		quale quali dove cosa ricordami
		jaki jakie gdzie czym co jak
		jaký jaké kde čem
		каков какой какие где чём что как напомни який що де
		neydi nerede ne nereye hangi neresinde nerde
		أين ماذا ما
		क्या कहाँ कहां
		apa mana dimana sampai
		gì đâu nào
		mikä missä mihin
		mi hol mit`, ``},
}

// rolePieces are the same for Japanese, Chinese and Korean: pieces of words, of which the longest that fits counts.
var rolePieces = [...]struct {
	role  role
	words string
}{
	{joint, `の を から は で に へ と が お願い お願いします ください 下さい して しましょう しよう します やりましょう やろう やって 始めて 始めましょう はじめて ところ 場所 た です
		でした でしたか ですか か ました ましたか だっけ っけ したっけ する していた では さあ 私たち もう一度 だった も まで
		的 了 我们 我們 我 吧 请 請 从 從 地方 在 那里 那儿 就 是 来着 到 着 把 开始 下去 呢 一下 还 好 来
		를 을 은 는 이 가 에서 부터 해줘 해주세요 하자 합시다 해 해요 주세요 줘 곳 에 것 거 하기로 였어 이었어 좀 해봐 시작 한 지 데 우리
		였지 이었지 였죠 까지 의 진행 할 다시 로 으로 그`},
	{again, `続き 続けて 続ける 続けましょう 続けよう 再開 つづき つづけて 進めて
		继续 繼續 接着 接著 恢复 续
		계속 이어서 이어 재개`},
	{takes, `戻り 戻って 戻ろう
		回到 完成
		돌아가 마저`},
	{leftAt, `中断 止まった 止めた 終わった やった やっていた やってた 進み 進んだ 進んで 途中 進捗
		做 進行 进行 停下 停 中断的 没做完 未完成 没完成 剩下 离开
		하던 하고 있었지 있었죠 했지 했죠 했던 멈춘 멈췄던 중단 끝난 남은`},
	{past, `昨日 前回 この前 さっき 以前 先日 前
		昨天 上次 之前 上回 前面 刚才 上一个 上一次
		어제 지난번 지난 이전 저번 아까`},
	{job, `作業 仕事 タスク セッション ミッション やつ
		工作 任务 任務 会话 活 事情 进度 進度
		일 작업 세션 할일 업무 미션`},
	{aim, `進捗 計画 予定 プラン 次 残り 状況
		剩下 计划 計劃 下一步 进度 進度 状态 哪一步
		남은 할일 계획 다음 단계 상태`},
	{query, `どこ 何 なに なん どう
		什么 什麼 哪 哪里 哪儿 哪一步 怎么样
		뭐였지 뭐 무엇 어디 무슨 뭘`},
}

// callIn says what call the words of s make, NoCall when one of them is neither known nor in about, which is folded.
func callIn(s, about string) Call {
	_, words := foldWords(s)
	if len(words) == 0 || len(words) > maxCall {
		return NoCall
	}
	var all []role
	for _, w := range words {
		in := rolesOf(w)
		switch {
		case in != nil:
		case namesIn(about, w):
			in = []role{job}
		default:
			return NoCall
		}
		all = append(all, in...)
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

// rolesOf returns the roles of a word, or of its pieces, nil when it is not known.
func rolesOf(w string) []role {
	if r := roleOf(w); r != 0 {
		return []role{r}
	}
	if a, b, ok := strings.Cut(w, "'"); ok && a != "" && b != "" { // l'hier, yesterday's
		if q, r := roleOf(a+"'")|roleOf(a), roleOf(b); q != 0 && r != 0 {
			return []role{q, r}
		}
	}
	if firstRune(w) < 0x2e80 {
		return nil
	}
	var out []role
	for w != "" {
		r, n := role(0), min(len(w), maxPiece)
		for ; n > 0; n-- {
			if n < len(w) && !utf8.RuneStart(w[n]) {
				continue
			}
			if r = pieceOf(w[:n]); r != 0 {
				break
			}
		}
		if n == 0 {
			return nil
		}
		out = append(out, r)
		w = w[n:]
	}
	return out
}

// maxPiece is the longest piece, in bytes.
const maxPiece = 24

// pieceOf returns the roles of a piece, 0 for one that is not known.
func pieceOf(s string) (r role) {
	for i := range &rolePieces {
		if isListed(rolePieces[i].words, s) {
			r |= rolePieces[i].role
		}
	}
	return r
}

// roleOf returns what the word w may be, 0 for one that is not known.
func roleOf(w string) (r role) {
	for i := range &roles {
		list := &roles[i]
		if isListed(list.words, w) || hasStem(list.stems, w) {
			r |= list.role
		}
	}
	return r
}

// hasStem reports whether w begins with one of the stems.
func hasStem(stems, w string) bool {
	if len(w) < 3 {
		return false
	}
	for stem := range strings.FieldsSeq(stems) {
		if strings.HasPrefix(w, stem) {
			return true
		}
	}
	return false
}
