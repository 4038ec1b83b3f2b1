package sentence

import "strings"

// cue is what a word or a phrase says about the sentence it stands in.
type cue uint32

const (
	strict   cue = 1 << iota // never, must, always
	modal                    // should, needs to
	only                     // only, without, except
	steady                   // a verb that, as an order, goes on to hold: keep, use, avoid
	once                     // a verb that, as an order, is done and over: add, fix, run
	negation                 // at the head of a clause, it forbids: don't, no, nicht
	wish                     // I want, I'd like
	prefer                   // rather, prefer, simpler, too much
	choice                   // option 2, go with
	bound                    // at most, max, up to
	scope                    // all, every, each, everywhere
	contrast                 // instead of, rather than
	fact                     // exactly one, can have, belongs to
	extent                   // for now, later, separately, anymore
	weighty                  // important, keep in mind
	allow                    // you can, feel free
	alike                    // like we do, the same as
	doubt                    // I think, not sure, seems
	report                   // it fails, still, I see
	gone                     // was, had, yesterday
	ask                      // why, what, does: at the head of a sentence
	link                     // words that may stand before the verb of an order
	person                   // I, we, you
	plan                     // should, need to, with a verb that is done and over
	polite                   // can you, could we
)

// wordCue says what a word says by itself, in lower case. It is a switch because that costs nothing until it is asked.
func wordCue(w string) cue {
	switch w {
	case "never", "always", "must", "mustn't", "mustnt", "forbidden", "shall", "ensure", "ensures",
		"untouched", "unchanged", "unmodified", "intocado", "intocada", "intocados", "inalterado", "inalterada",
		"intacto", "intacta", "intactos", "unverändert", "unangetastet", "unberührt", "inchangé", "inchangée", "intact",
		"nunca", "sempre", "jamais", "deve", "devem", "deverá", "deveria", "deverão", "proibido", "obrigatório",
		"siempre", "jamás", "debe", "deben", "debería", "deberían", "prohibido", "obligatorio",
		"nie", "niemals", "immer", "muss", "müssen", "darf", "dürfen", "verboten", "stets", "zwingend",
		"toujours", "doit", "doivent", "interdit", "désormais",
		"всегда", "никогда", "нельзя", "должен", "должна", "должно", "должны", "обязательно", "mai", "asla", "yapma",
		"yapmayın", "dokunma", "dokunmayın", "kullanma", "kullanmayın", "etme", "değiştirme", "daima", "mutlaka",
		"hiçbir", "lazım", "gerekir":
		return strict
	case "should", "shouldn't", "shouldnt", "ought", "needs", "requires", "required", "supposed", "focusing", "focused",
		"precisa", "precisam", "necesita", "necesitan", "soll", "sollen", "sollte", "sollten", "faut", "devrait",
		"нужно", "надо", "следует", "gerek", "gerekiyor":
		return modal
	case "only", "without", "except", "unless", "solely", "exclusively", "separate", "separately", "separado",
		"separada", "aparte", "getrennt", "séparément", "отдельно", "ayrı",
		"apenas", "somente", "só", "sem", "exceto", "solo", "sólo", "solamente", "únicamente", "unicamente", "sin",
		"excepto", "salvo",
		"nur", "ohne", "außer", "ausschließlich", "senza", "seulement", "sans", "uniquement", "только", "без", "кроме",
		"sadece", "yalnızca", "olmadan":
		return only
	case "keep", "use", "stick", "avoid", "leave", "follow", "stay", "focus", "respect", "preserve", "treat", "assume",
		"limit", "restrict", "reuse", "be", "remember", "refrain", "retain", "favor", "favour", "ignore", "wait",
		"answer", "reply", "speak", "store", "ask", "prioritize", "prioritise",
		"mantenha", "mantém", "mantenham", "utilize", "utiliza", "usa", "usem", "evite", "evita", "respeite", "lembre",
		"lembrando", "lembra", "considere", "atente", "deixe", "garanta", "priorize", "foque",
		"mantén", "manten", "usad", "utilice", "respeta", "recuerda", "deja", "asegúrate", "asegurate", "procura",
		"nimm", "nutze", "nutzt", "verwende", "benutze", "lass", "bleib", "bleibe", "behalte", "achte", "vermeide",
		"beachte", "halte", "halt",
		"garde", "gardez", "utilise", "utilisez", "évite", "évitez", "respecte", "respectez", "laisse", "laissez",
		"используй", "используйте", "избегай", "оставь", "оставьте", "соблюдай", "kullan", "kullanın", "koru", "kaçın":
		return steady
	case "add", "fix", "run", "commit", "push", "create", "write", "update", "remove", "delete", "check", "look",
		"open", "merge", "rebase", "build", "implement", "show", "give", "find", "make", "review", "investigate",
		"research", "analyze", "analyse", "rename", "move", "extract", "translate", "restart", "undo", "revert", "bump",
		"explain", "summarize", "test", "try", "start", "continue", "go", "log", "generate", "read", "refactor",
		"install", "deploy", "put", "change", "convert", "clean", "organize", "decide", "provide", "verify", "do",
		"see", "tell", "list", "address", "render", "print", "pull", "take", "get", "set", "proceed", "help", "debug",
		"close", "compare", "configure", "migrate", "replace", "search", "download", "plan", "draft", "finish", "ship",
		"execute", "figure", "rewrite",
		"adiciona", "adicione", "corrige", "corrija", "roda", "rode", "cria", "crie", "atualiza", "atualize", "remova",
		"verifique", "verifica", "faça", "faz", "realize", "revise", "revisa", "mostre", "mostra", "abra", "implemente",
		"gere", "pode", "coloque", "coloca",
		"agrega", "arregla", "ejecuta", "corre", "crea", "borra", "actualiza", "elimina", "muestra", "haz", "abre",
		"revisá", "puedes", "pon", "sube", "cambia",
		"ändere", "entferne", "setze", "stelle", "deploye", "pushe", "bau", "baue", "behebe", "schreib", "schreibe",
		"mach", "mache", "schau", "füge", "starte", "lösche", "prüfe", "zeig", "zeige", "erstelle", "aktualisiere",
		"kannst",
		"ajoute", "ajoutez", "corrigez", "lance", "lancez", "supprime", "montre", "crée", "добавь", "исправь",
		"запусти", "создай", "удали", "покажи", "проверь", "ekle", "düzelt", "çalıştır", "oluştur", "sil", "göster":
		return once
	case "don't", "dont", "no", "not", "stop", "não", "nao", "nicht", "kein", "keine", "keinen", "keinerlei", "keiner",
		"ne", "n'utilise", "pas", "non", "не", "değil":
		return negation
	case "prefer", "prefers", "rather", "simpler", "preferably", "concise", "concisely", "briefly", "verbose", "jargon",
		"prefiro", "melhor", "prefiero", "mejor", "prefieren", "lieber", "bevorzugt", "préfère", "plutôt", "mieux",
		"предпочитаю", "лучше", "tercih":
		return prefer
	case "max", "maximum", "minimum", "min", "maximal", "minimal", "höchstens", "mindestens", "máximo", "mínimo",
		"maxi", "максимум", "минимум", "maksimum":
		return bound
	case "all", "every", "each", "any", "everywhere", "per", "everything", "whatever", "both", "nothing", "anywhere",
		"nobody", "whenever", "entire",
		"cada", "todos", "todas", "todo", "toda", "qualquer", "nenhum", "nenhuma", "cualquier", "ningún", "ninguna",
		"nada",
		"alle", "jeder", "jede", "jedes", "jeden", "überall", "alles", "nirgends", "niemand", "chaque", "tous",
		"toutes", "partout", "aucun", "aucune", "все", "каждый", "каждая", "каждое", "всё", "любой", "bütün", "tüm",
		"her":
		return scope
	case "instead", "statt", "stattdessen", "anstatt", "anstelle", "вместо", "yerine":
		return contrast
	case "later", "anymore", "until", "meanwhile", "default", "depois", "padrão", "después", "später", "standardmäßig",
		"demnächst", "потом", "sonra":
		return extent
	case "important", "critical", "crucial", "essential", "careful", "mandatory", "beware", "crítico", "crítica",
		"critica", "importante", "importância", "importancia", "cuidado", "atenção", "atención", "wichtig", "unbedingt",
		"важно", "önemli":
		return weighty
	case "think", "guess", "maybe", "perhaps", "possibly", "seems", "probably", "wonder", "apparently", "might", "hmm", "hm",
		"suppose", "acho", "talvez", "parece", "creo", "quizás", "quizá", "glaube", "vielleicht", "scheint", "denke",
		"crois", "peut-être", "думаю", "кажется", "belki", "sanırım":
		return doubt
	case "fails", "failed", "failing", "broken", "still", "weird", "crashes", "error", "errors", "happens", "happening",
		"noticed", "saw", "seeing", "getting", "says", "shows", "showing", "stuck", "wrong", "works", "worked", "hangs",
		"stops",
		"erro", "travou", "continua", "funciona", "aparece", "carrega", "vejo", "vendo", "ainda", "veo", "fehler",
		"läuft", "geht", "sehe", "kommt", "klappt", "marche", "erreur", "ошибка", "падает", "работает", "hata",
		"çalışmıyor":
		return report
	case "was", "were", "had", "did", "didn't", "wasn't", "got", "yesterday", "happened", "went", "tried", "tested",
		"been", "couldn't", "already", "earlier",
		"foi", "estava", "tava", "ontem", "testei", "já", "fue", "estaba", "ayer", "fui", "gestern", "hatte", "hab",
		"war", "wurde", "lief", "était", "вчера", "был", "была", "dün":
		return gone
	case "why", "what", "what's", "how", "which", "who", "where", "does", "is", "are", "isn't", "aren't", "doesn't",
		"am", "will", "would", "has", "have",
		"onde", "quem", "quando", "cómo", "dónde", "qué", "warum", "wieso", "wie", "wer", "wo", "pourquoi", "comment",
		"почему", "как", "что", "где", "neden", "nasıl":
		return ask
	case "please", "also", "and", "but", "so", "then", "ok", "okay", "yes", "yeah", "just", "now", "pls", "plz", "well",
		"hey", "or", "actually", "additionally", "alright", "finally", "nope",
		"e", "mas", "também", "tambem", "agora", "então", "sim", "y", "pero", "también", "ahora", "entonces", "sí",
		"bitte", "und", "aber", "auch", "jetzt", "dann", "mal", "ja", "nein", "et", "mais", "aussi", "и", "но",
		"пожалуйста", "lütfen", "ve":
		return link
	case "i", "we", "you", "i'm", "we're", "i've", "we've", "i'd", "i'll", "we'll", "you're", "my", "our", "me", "us",
		"let's", "lets", "eu", "nós", "meu", "minha", "yo", "mi", "ich", "wir", "mir", "je", "я", "мы", "ben", "biz":
		return person
	}
	return 0
}

// saying is a phrase and what it says. Its words stand between single spaces, without punctuation; a space at an end is
// the end of a word.
type saying struct {
	words string
	cue   cue
}

var phrases = [...]saying{
	{" do not ", negation}, {" no need ", prefer}, {" not needed ", prefer}, {" we can't ", modal},
	{" we cannot ", modal}, {" you can't ", modal}, {" you cannot ", modal}, {" not allowed ", strict},
	{" is optional ", fact}, {" the same as ", alike}, {" the same way ", alike}, {" every time you ", strict},
	{" each time you ", strict}, {" lives in ", fact}, {" goes in ", fact}, {" make sure ", strict},
	{" from now on ", strict}, {" can not ", strict}, {" may not ", strict}, {" have to ", modal}, {" has to ", modal},
	{" need to ", modal}, {" must be ", strict},
	{" no more than ", bound}, {" at most ", bound}, {" at least ", bound}, {" up to ", bound}, {" less than ", bound},
	{" fewer than ", bound},
	{" instead of ", contrast}, {" rather than ", contrast}, {" as opposed to ", contrast},
	{" i want ", wish}, {" i need you to ", wish}, {" we want ", wish}, {" i'd like ", wish}, {" i would like ", wish}, {" we'd like ", wish},
	{" the idea is ", wish}, {" the goal is ", wish},
	{" i'd rather ", prefer}, {" i would rather ", prefer}, {" i'd prefer ", prefer}, {" too much ", prefer},
	{" to much ", prefer}, {" too verbose ", prefer}, {" too long ", prefer}, {" too big ", prefer},
	{" to big ", prefer}, {" i don't like ", prefer}, {" i do not like ", prefer}, {" i don't want ", prefer},
	{" i don't care ", prefer}, {" we don't want ", prefer}, {" we don't need ", prefer}, {" won't need ", prefer},
	{" nice to have ", prefer},
	{" go with ", choice}, {" went with ", choice}, {" going with ", choice}, {" stick with ", choice},
	{" stick to ", choice}, {" second option ", choice}, {" first option ", choice}, {" lets use ", choice},
	{" let's use ", choice}, {" let's keep ", choice}, {" let's stay ", choice}, {" let's focus ", choice},
	{" let's leave ", choice}, {" let's skip ", choice}, {" let's store ", choice}, {" let's not ", strict},
	{" let's worry ", choice}, {" let's think ", choice}, {" do nothing ", strict}, {" is fine ", prefer},
	{" seems sensible ", prefer}, {" is enough ", prefer}, {" you can see ", report}, {" target is ", fact},
	{" exactly one ", fact}, {" only one ", fact}, {" can have ", fact}, {" may have ", fact}, {" belongs to ", fact},
	{" belong to ", fact}, {" belongs in ", fact}, {" is settled ", fact}, {" are stored ", fact},
	{" is stored ", fact},
	{" for now ", extent}, {" not now ", extent}, {" out of scope ", extent}, {" rest of the session ", extent},
	{" any more ", extent}, {" by default ", extent}, {" before you ", extent}, {" before i ", extent},
	{" before we ", extent}, {" so that ", extent}, {" as well ", scope}, {" at any time ", scope},
	{" also for ", scope}, {" in english ", extent}, {" in german ", extent},
	{" keep in mind ", weighty}, {" bear in mind ", weighty}, {" note that ", weighty}, {" remember that ", weighty},
	{" you can ", allow}, {" you may ", allow}, {" feel free ", allow},
	{" like we do ", alike}, {" similar to how ", alike}, {" same that ", alike}, {" same way ", alike},
	{" consistent with ", alike}, {" as it is ", alike}, {" as they are ", alike}, {" as is ", alike},
	{" not sure ", doubt}, {" no idea ", report}, {" i see ", report}, {" i get ", report}, {" i only ", report},
	{" it only ", report}, {" i don't see ", report}, {" i do not see ", report}, {" should have ", gone},
	{" must have ", gone}, {" could have ", gone}, {" this is what ", report}, {" there is a ", report},
	{" there's a ", report}, {" looks like ", doubt}, {" i don't know ", report}, {" i don't understand ", report},
	{" i don't think ", doubt},

	{" a partir de agora ", strict}, {" tem que ", strict}, {" têm que ", strict}, {" no máximo ", bound},
	{" no mínimo ", bound}, {" em vez de ", contrast}, {" ao invés de ", contrast}, {" no lugar de ", contrast},
	{" gostaria que ", wish}, {" quero que ", wish}, {" queremos que ", wish}, {" pode ter ", fact},
	{" podem ter ", fact}, {" pertence a ", fact}, {" um único ", fact}, {" uma única ", fact},
	{" por padrão ", extent}, {" por que ", ask}, {" o que ", ask}, {" antes de ", extent}, {" não estou ", report},
	{" não vejo ", report}, {" por enquanto ", extent}, {" opção ", choice}, {" vamos com ", choice},
	{" vamos usar ", choice}, {" de extrema ", weighty}, {" não precisa ", prefer},
	{" a partir de ahora ", strict}, {" tiene que ", strict}, {" tienen que ", strict}, {" hay que ", strict},
	{" como máximo ", bound}, {" como mínimo ", bound}, {" al menos ", bound}, {" a lo sumo ", bound},
	{" en lugar de ", contrast}, {" en vez de ", contrast}, {" quiero que ", wish}, {" queremos que ", wish},
	{" puede tener ", fact}, {" pueden tener ", fact}, {" pertenece a ", fact}, {" un solo ", fact},
	{" por defecto ", extent}, {" por qué ", ask}, {" no veo ", report}, {" por ahora ", extent},
	{" la opción ", choice}, {" en menos de ", bound}, {" nada de ", strict},
	{" ab jetzt ", strict}, {" ab sofort ", strict}, {" von nun an ", strict}, {" auf keinen fall ", strict},
	{" finger weg ", strict}, {" ich hätte gern ", wish}, {" ich möchte dass ", wish}, {" ich will dass ", wish},
	{" ich hätte lieber ", prefer}, {" lieber nicht ", prefer}, {" genau eine ", fact}, {" genau einen ", fact},
	{" genau ein ", fact}, {" kann mehrere ", fact}, {" gehört zu ", fact}, {" vorerst ", extent},
	{" erst mal ", extent}, {" bevor du ", extent}, {" bleibt auf ", fact}, {" nicht mehr ", report},
	{" noch nicht ", report}, {" immer noch ", report}, {" brauchen wir nicht ", prefer},
	{" au plus ", bound}, {" au moins ", bound}, {" au lieu de ", contrast}, {" plutôt que ", contrast},
	{" je veux que ", wish}, {" on veut ", wish}, {" il faut ", strict}, {" dorénavant ", strict},
	{" par défaut ", extent},
	{" не более ", bound}, {" не больше ", bound}, {" не менее ", bound}, {" с этого момента ", strict},
	{" я хочу чтобы ", wish}, {" en fazla ", bound}, {" en az ", bound}, {" bundan sonra ", strict},
	{" her zaman ", strict}, {" olarak kullan ", steady},
}

// marks are what is looked for in scripts that put no space between words, or none that ends one: Korean endings,
// Japanese, Chinese.
var marks = [...]saying{
	{"지 마", strict}, {"지마", strict}, {"지 말", strict}, {"말고", contrast}, {"항상", strict}, {"절대", strict}, {"반드시", strict},
	{"해야", modal}, {"야 해", modal}, {"야 한다", modal}, {"야 합니다", modal}, {"이내", bound}, {"이하로", bound}, {"이상은", bound},
	{"최대", bound}, {"최소", bound}, {"앞으로는", strict}, {"모든", scope}, {"대신", contrast}, {"없이", only}, {"유지", steady},
	{"로 써", steady}, {"로 사용", steady}, {"사용해", steady}, {"써줘", steady}, {"만 사용", only}, {"금지", strict}, {"않도록", strict},
	{"않게", strict}, {"아니라", contrast}, {"하나의", fact}, {"수 있어", allow}, {"수 있다", allow}, {"에만", only}, {"되어야", modal},
	{"으면 안", strict}, {"면 안 돼", strict}, {"면 안돼", strict}, {"이 좋겠", prefer}, {"게 좋겠", prefer},
	{"왜", ask}, {"뭐", ask}, {"무슨", ask}, {"까요", ask}, {"나요", ask}, {"아직도", report}, {"안 보", report}, {"안 돼요", report},
	{"안되", report}, {"에러가", report}, {"오류가", report}, {"어제", gone}, {"었는데", gone}, {"했는데", gone}, {"필요해", once},
	{"만들어", once}, {"고쳐", once}, {"확인해", once}, {"커밋해", once}, {"추가해", once},
	{"ないで", strict}, {"ないこと", strict}, {"てはいけ", strict}, {"必ず", strict}, {"絶対", strict}, {"常に", strict}, {"禁止", strict},
	{"だけ", only}, {"のみ", only}, {"以内", bound}, {"以下に", bound}, {"最大", bound}, {"最低", bound}, {"最小", bound},
	{"今後", strict}, {"これからは", strict}, {"ではなく", contrast}, {"じゃなく", contrast}, {"の代わりに", contrast}, {"すること", modal},
	{"べき", modal}, {"しか", fact}, {"すべて", scope}, {"全て", scope}, {"を使って", steady}, {"で統一", steady}, {"なしで", only},
	{"ずに", only}, {"ようにして", modal}, {"日本語で", steady}, {"英語で", steady}, {"てほしい", wish}, {"しなくていい", prefer},
	{"統一", steady}, {"合わせて", alike}, {"同じ", alike}, {"まま", alike}, {"方がいい", prefer}, {"ほうがいい", prefer},
	{"でお願いします", choice}, {"にしてください", steady}, {"までは", extent},
	{"なぜ", ask}, {"どう", ask}, {"何", ask}, {"まだ", report}, {"エラーが", report}, {"表示されない", report}, {"動かない", report},
	{"昨日", gone}, {"いたのに", gone}, {"もらえますか", ask}, {"でしょうか", ask}, {"ですか", ask}, {"作って", once}, {"直して", once},
	{"追加して", once}, {"確認して", once}, {"実行して", once},
	{"不要", strict}, {"必须", strict}, {"必須", strict}, {"永远", strict}, {"别", strict}, {"只能", strict}, {"務必", strict},
	{"务必", strict}, {"总是", strict}, {"始终", strict}, {"不得", strict}, {"不能", strict}, {"以后", extent}, {"而不是", contrast},
	{"最多", bound}, {"至少", bound}, {"应该", modal}, {"所有", scope}, {"每个", scope}, {"保持", steady}, {"优先", prefer},
	{"我想", wish}, {"我希望", wish},
	{"只用", only}, {"只部署", only}, {"为什么", ask}, {"怎么", ask}, {"吗", ask}, {"报错", report}, {"还是不", report},
}

// cuesIn returns what the phrases in line say. line is in lower case, its words between single spaces, one at each end.
func cuesIn(line string, ascii bool) (found cue) {
	var begins [4]uint64 // the first two bytes of the words in line: most phrases begin with none of them
	for i := 0; i+2 < len(line); i++ {
		if line[i] == ' ' {
			h := beginning(line[i+1:])
			begins[h/64] |= 1 << (h % 64)
		}
	}
	for i := range phrases {
		p := &phrases[i]
		if h := beginning(p.words[1:]); begins[h/64]>>(h%64)&1 != 0 && holds(line, p.words) {
			found |= p.cue
		}
	}
	if !ascii {
		for i := range marks {
			if strings.Contains(line, marks[i].words) {
				found |= marks[i].cue
			}
		}
	}
	return found
}

// holds is strings.Contains for a phrase that begins with a space, which is too common to be searched for.
func holds(line, phrase string) bool {
	for at := 1; ; {
		i := strings.Index(line[at:], phrase[1:])
		if i < 0 {
			return false
		}
		if at += i; line[at-1] == ' ' {
			return true
		}
		at++
	}
}

// beginning mixes the first two bytes of what begins with a word.
func beginning(s string) uint8 { return s[0]*31 + s[1] }
