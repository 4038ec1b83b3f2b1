package sentence

import (
	"strings"
	"sync"
)

// sense is what the words of a sentence say about how long it holds.
type sense aside

const (
	reminds   sense = 1 << iota // remember, keep in mind
	forever                     // always, never, from now on
	told                        // I told you, as I said
	points                      // this, here: at what is in hand
	present                     // now, yet, this time
	hence                       // from now on
	brief                       // concise: how long answers and texts should be
	worksWith                   // use: with what work is done
	denial                      // not, without, no longer
	consent                     // ask me first, not without my word
	needless                    // not needed, not only: it denies, and forbids nothing
	manner                      // of answers, commit messages, comments: how to work with a person
	decides                     // we decided
)

// senseWords and senseGlyphs are the phrases, which are taken apart when the first clause is judged.
var (
	senseWords  = sync.OnceValue(func() []hint { return takeApart(wordSenses[:]) })
	senseGlyphs = sync.OnceValue(func() []hint { return takeApart(glyphSenses[:]) })
)

// sensesIn returns what the words of a line say about how long it holds. The line is as fold returns it.
func sensesIn(line string, latin bool) sense {
	var best [kinds]int
	if latin {
		return sense(scanFor(line, senseWords(), nil, &best))
	}
	return sense(scanFor(line, senseWords(), senseGlyphs(), &best))
}

// wordSenses are phrases by what they say, in English, Portuguese, Spanish, German, French, Italian, Turkish, Russian
// and others.
var wordSenses = [...]phraseList{
	{none, aside(reminds), `remember | keep in mind | bear in mind | as a rule | lembrando | lembre | lembre-se | lembra |
		lembrar | tenha em mente | recuerda | recuerde | recuerden | recordá | ten en cuenta | denk daran |
		denke daran | merk dir | grundsätzlich | rappelle-toi | souviens-toi | garde à l'esprit | ricorda |
		ricordati | aklında tut | помни | помните | onthoud | zapamiętaj`},
	{none, aside(forever), `always | never | don't ever | do not ever | before each |
		before every | after each | after every | at all times | under no circumstances |
		sempre | nunca | jamais | antes de cada | depois de cada | após cada |
		siempre | jamás | después de cada | immer | nie | niemals | stets |
		vor jedem | nach jedem | auf keinen fall | toujours | jamais |
		avant chaque | après chaque | en aucun cas | mai | her zaman | asla |
		daima | hiçbir zaman | всегда | никогда | altijd | nooit | zawsze |
		nigdy`},
	{none, aside(hence), `from now on | going forward | in future | a partir de agora | daqui em diante |
		a partir de ahora | de ahora en adelante | en adelante | ab jetzt | ab sofort | künftig |
		in zukunft | désormais | dorénavant | à partir de maintenant | à l'avenir | d'ora in poi |
		bundan sonra | bundan böyle | впредь | отныне | с этого момента | voortaan | od teraz`},
	{none, aside(brief), `concise | concisely | be brief | briefly | be short | succinct | terse | shorter | verbose | too long | wordy |
		short answers | short answer | conciso | concisa | resumido | resumida | mais curto |
		verboso | más corto | demasiado largo | kürzer | knapp | ausführlich | zu lang |
		concis | concise | plus court | trop long | kısa | kısaca | коротко | кратко | beknopt`},
	{none, aside(decides), `we decided | we agreed | we have decided | we've decided | decidimos | ficou decidido |
		hemos decidido | quedamos en | wir haben beschlossen | wir haben entschieden | wir haben uns entschieden |
		nous avons décidé | on a décidé | abbiamo deciso | karar verdik | kararlaştırdık | мы решили | we hebben besloten |
		postanowiliśmy`},
	{none, aside(needless), `not only | não só | no solo | nicht nur | pas seulement | не только | not need | don't need |
		dont need | doesn't need | not have to | don't have to | doesn't have to | no need | não precisa | não precisam | no hace falta | no necesita | nicht nötig | muss nicht | müssen nicht |
		musst nicht | brauchst nicht | pas besoin | gerek yok | не нужно | не надо`},
	{none, aside(worksWith), `use | nutzen | verwenden | benutzen | usamos | utilizamos | utilisons |
		kullanıyoruz | utilize | utilise | utiliza | usa | use | usem | utilice | usad | nutze | nutzt |
		verwende | verwenden | benutze | nimm | utilise | utilisez | usare | usiamo | kullan | kullanın |
		kullanalım | используй | используйте | используем | gebruik | używaj`},
	{none, aside(consent), `without asking | unless i ask | unless i say | unless i tell | ask me first | ask me before |
		ask before | ask first | check with me | my approval | my permission | ohne zu fragen |
		ohne rückfrage | frag mich | frage mich | frag vorher | sem perguntar | pergunte antes |
		me pergunte | sin preguntar | pregúntame | pregunta antes | sans demander | demande-moi |
		demandez-moi | sormadan | bana sor | önce sor | не спрашивая | спроси меня | без разрешения |
		senza chiedere | chiedimi`},
	{none, aside(manner), `answer | answers | reply | replies | respond | commit message | commit messages | comment |
		comments | emoji | emojis | conventional commits | branch names | antworte | antworten | antwort |
		commit-nachricht | commit-nachrichten | kommentare | responda | respostas | mensagens de commit |
		comentários | responde | responder | respuestas | mensajes de commit | comentarios | réponds |
		répondre | réponses | messages de commit | commentaires | rispondi | risposte | cevap | cevapla |
		yanıt | yorumlar | отвечай | ответы | комментарии | antwoord`},
	{none, aside(denial), `not | no | never | don't | dont | doesn't | mustn't | shouldn't | shouldnt | can't | cannot |
		won't | without | avoid | stop | neither | nor | não | nao | nunca | jamais | sem | nem | evite |
		no | jamás | sin | evita | nicht | nie | niemals | kein | keine | keinen | ohne | ne | n'est |
		pas | sans | évite | non | mai | senza | değil | asla | yapma | yok | olmadan | не | нет | нельзя |
		никогда | без | niet | geen | nie | bez`},
	{none, aside(told), `i told you | i already told | i've told | as i said | like i said | i said | i already said |
		i have said | i keep telling | how many times | once again | again you | já falei | já disse |
		eu disse | como eu disse | de novo você | te dije | ya te dije | como dije | ya he dicho |
		hab ich gesagt | habe ich gesagt | habe ich doch | ich sagte | wie gesagt | schon gesagt |
		je t'ai dit | j'ai déjà dit | comme je | söyledim | demiştim | я говорил | я же сказал |
		te l'ho detto`},
	{none, aside(points), `this | these | that one | those | such | here | above | below | following | attached | screenshot |
		image | esse | essa | isso | este | esta | isto | esses | essas | estes | estas | aqui | desse |
		dessa | deste | desta | nesse | nessa | neste | nesta | disso | nisso | dessas | desses |
		seguinte | acima | abaixo | imagem | anexo | esto | eso | ese | estos | esos | aquí | siguiente |
		captura | dies | diese | dieser | dieses | diesem | diesen | hier | folgende | folgenden | ce |
		cet | cette | ces | ceci | ça | ici | suivant | suivante | questo | questa | questi | qui | bu |
		şu | bunu | bunun | burada | buradaki | это | этот | эта | эти | эту | здесь`},
	{none, aside(present), `now | today | yet | currently | for now | this time | first | then | next | tomorrow | just |
		current | again | still | agora | hoje | por enquanto | atual | ainda | depois | desta vez |
		primeiro | ahora | hoy | por ahora | todavía | actual | esta vez | primero | jetzt | heute |
		erstmal | vorerst | noch | aktuell | aktuelle | aktuellen | diesmal | zuerst | maintenant |
		aujourd'hui | pour l'instant | encore | cette fois | d'abord | adesso | oggi | per ora | şimdi |
		bugün | henüz | şimdilik | önce | сейчас | сегодня | пока | снова`},
}

// glyphSenses are the same for Japanese, Korean and Chinese, where a phrase may stand anywhere.
var glyphSenses = [...]phraseList{
	{none, aside(reminds), `覚えて | 기억해 | 记住 | 記住`},
	{none, aside(forever), `常に | 必ず | 絶対 | いつも | 決して | 항상 | 절대 | 반드시 | 언제나 | 总是 | 始终 |
		永远 | 绝对 | 絕對 | 绝不 | 絕不 | 務必 | 务必`},
	{none, aside(hence), `今後 | これからは | これから先 | 앞으로 | 이제부터 | 以后 | 以後 | 今后 | 从现在起 | 從現在起 |
		從今以後`},
	{none, aside(decides), `ことにした | ことにしました | に決めた | に決めました | と決めた | 하기로 했 | 하기로 결정 | 기로 정했 | 我们决定 |
		我們決定 | 决定了`},
	{none, aside(brief), `簡潔 | 短く | 長すぎ | 간결 | 짧게 | 너무 길 | 简洁 | 簡短 | 简短 | 太长`},
	{none, aside(worksWith), `を使 | 使わ | 使うな | で統一 | 사용 | 로 써 | 쓰지 | 不要用 | 别用 | 使用 | 请用 | 改用`},
	{none, aside(consent), `確認なしに | 聞かずに | 聞いてから | 確認してから | 許可なく | 묻지 않고 | 물어보고 | 먼저 물어 |
		허락 없이 | 先问我 | 未经 | 没问我 | 经我同意`},
	{none, aside(manner), `返答 | 回答 | 返事 | コミットメッセージ | コメント | 日本語で | 英語で | 답변 | 대답 |
		커밋 메시지 | 주석 | 한국어로 | 영어로 | 回复 | 提交信息 | 注释 | 中文 | 英文`},
	{none, aside(denial), `ないで | ないこと | しない | 禁止 | なしで | 지 마 | 지마 | 지 말 | 않 | 금지 | 없이 | 不 | 别 |
		別 | 勿 | 禁`},
	{none, aside(told), `言った | 言いました | 말했 | 얘기했 | 说过 | 說過 | 跟你说`},
	{none, aside(points), `この | これ | ここ | その | それ | 上記 | 以下の | 이거 | 이것 | 이 파일 | 이 코드 | 이 테스트 | 이 함수 | 이 부분 | 여기 | 그거 | 这 | 那 | 這 | 上面 | 下面 | 如下`},
	{none, aside(present), `今回 | 今は | まだ | 一旦 | とりあえず | 先に | 今日 | 지금 | 이번 | 아직 | 일단 | 먼저 | 오늘 |
		现在 | 這次 | 这次 | 今天 | 先 | 暂时 | 暫時`},
}

// houses are the phrases that name the project as the place where a sentence holds. They point at no task.
var houses = [...]string{
	"in this project", "in this repo", "in this repository", "in this codebase", "in our project", "in our repo",
	"in our codebase", "for this project", "for this repo", "across the project", "across the codebase",
	"neste projeto", "nesse projeto", "neste repositório", "no nosso projeto", "en este proyecto", "en este repositorio",
	"en nuestro proyecto", "in diesem projekt", "in diesem repo", "in diesem repository", "in unserem projekt",
	"im ganzen projekt", "dans ce projet", "dans ce dépôt", "dans notre projet", "in questo progetto",
	"in questo repository", "bu projede", "bu repoda", "projemizde", "в этом проекте", "в этом репозитории",
	"в нашем проекте", "in dit project", "w tym projekcie",
	"このプロジェクト", "このリポジトリ", "이 프로젝트", "이 저장소", "这个项目", "這個專案", "本项目", "本專案", "这个仓库", "本仓库",
}

// withoutHouse returns a line, as fold returns it, without the phrase that names the project, and whether it has one.
func withoutHouse(line string) (rest string, found bool) {
	for _, h := range houses {
		if i := strings.Index(line, h); i >= 0 {
			return line[:i] + line[i+len(h):], true
		}
	}
	return line, false
}
