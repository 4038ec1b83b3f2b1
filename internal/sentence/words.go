package sentence

import (
	"slices"
	"strings"
	"unicode"

	"github.com/mementohq/memento/internal/text"
)

// foldWords returns s in lower case with spaces in place of punctuation, and the words of s.
func foldWords(s string) (string, []string) {
	clean := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z' || r <= ' ' || r >= '0' && r <= '9': // most are
			return r
		case r >= 'A' && r <= 'Z':
			return r + ('a' - 'A')
		}
		// the invisible parts of an emoji
		if unicode.Is(unicode.Variation_Selector, r) || r == '\u200d' || r == '\u20e3' {
			return -1
		}
		if unicode.IsPunct(r) && r != '\'' || unicode.IsSymbol(r) {
			return ' '
		}
		return unicode.ToLower(r)
	}, strings.ReplaceAll(s, "’", "'"))
	words := strings.Fields(clean)
	return strings.Join(words, " "), words
}

// IsChatter reports whether s is only an acknowledgement, a greeting or punctuation, without a task or a rule.
func IsChatter(s string) bool {
	if s = strings.TrimSpace(s); len(s) > 400 {
		return false
	}
	line, words := foldWords(s)
	if line == "" {
		return true
	}
	if len(words) > 5 {
		return false
	}
	for _, w := range words {
		if !isChatterWord(w) {
			return false
		}
	}
	return true
}

// isChatterWord reports whether chatter may hold the word, which is folded.
func isChatterWord(w string) bool {
	return text.OneOf(w, "ok", "okay", "k", "yes", "yep", "yeah", "yup", "no", "nope", "thanks", "thank", "you", "thx",
		"ty", "great", "perfect", "nice", "cool", "sure",
		"please", "good", "fine", "lgtm", "hi", "hello", "hey", "there", "again", "morning", "evening", "awesome",
		"excellent", "right", "exactly", "correct", "agreed", "wow", "hmm", "ah", "oh", "sounds", "gotcha", "done",
		"job", "work", "very", "so", "much", "do", "it", "that", "works",
		"sim", "não", "nao", "obrigado", "obrigada", "ótimo", "otimo", "perfeito", "beleza", "certo", "oi", "olá",
		"ola", "bom", "dia",
		"sí", "si", "gracias", "perfecto", "vale", "hola", "buenas", "bien", "genial", "claro",
		"ja", "nein", "danke", "super", "gut", "hallo", "genau", "bitte", "passt",
		"oui", "non", "merci", "parfait", "bonjour", "salut", "d'accord",
		"да", "нет", "спасибо", "привет", "хорошо", "네", "예", "아니요", "감사합니다", "고마워", "안녕", "좋아", "좋아요", "はい", "いいえ",
		"ありがとう", "ありがとうございます", "こんにちは", "了解", "好", "好的", "谢谢", "你好", "是", "不", "evet", "hayır", "tamam",
		"teşekkürler", "merhaba", "grazie", "ciao", "va", "bene")
}

// Continues reports whether s goes on with what was in hand before: chatter, a call to continue, or a question where
// things stand, and nothing else. Words behind the call may name what is in hand: they are all in about (the mission,
// the plan), or they are no continuation but a task of their own.
func Continues(s, about string) bool { return IsChatter(s) || Recall(s, about) != NoCall }

// continues reports whether s begins with a call to continue, and names nothing but what stands in about.
func continues(s, about string) bool {
	line, words := foldWords(s)
	if len(words) > 25 || text.Runes(line) > 160 {
		return false
	}
	for len(words) > 1 && isOpener(words[0]) {
		words = words[1:]
	}
	rest, ok := cutCall(words)
	if !ok {
		return false
	}
	about, _ = foldWords(about)
	for _, w := range rest {
		if !isEmpty(w) && !IsChatter(w) && (text.Runes(w) < 3 || !strings.Contains(about, w)) {
			return false
		}
	}
	return true
}

// isOpener reports whether w may stand before a call to continue.
func isOpener(w string) bool {
	return wordCue(w)&(link|person) != 0 ||
		text.OneOf(w, "great", "hi", "hello", "vamos", "por", "favor", "pode", "puedes", "can", "could", "want", "to",
			"would", "like")
}

// cutCall returns the words behind a call to continue at the beginning of words.
func cutCall(words []string) ([]string, bool) {
	line := strings.Join(words, " ")
	for _, phrase := range [...]string{
		"continue", "continuing", "go on", "go ahead", "proceed", "carry on", "keep going", "keep working", "resume",
		"pick up where", "pick it up", "pick this up", "pick it back up", "pick this back up", "where were we", "where are we", "where did we", "what's next",
		"what is next", "whats next", "what now", "next step", "next steps", "next", "do it", "status",
		"continua", "continuar", "continúa", "continuemos", "prossiga", "prosseguir", "segue", "siga", "sigue",
		"seguimos", "adelante", "vai em frente", "onde paramos", "dónde quedamos", "donde quedamos", "retoma",
		"weiter", "mach weiter", "machen wir weiter", "fahre fort", "fortfahren", "fortsetzen", "wo waren wir",
		"setze fort",
		"continuez", "vas y", "poursuis", "reprends", "reprenons", "on en était où", "avanti", "procedi", "prosegui",
		"riprendi",
		"продолжай", "продолжи", "продолжить", "продолжаем", "дальше", "devam", "devam et", "sürdür", "ga door",
		"ga verder", "verder",
	} {
		if rest, ok := strings.CutPrefix(line, phrase); ok && (rest == "" || rest[0] == ' ') {
			return strings.Fields(rest), true
		}
	}
	// Scripts written without spaces: the phrase and a polite ending, nothing else.
	for _, phrase := range [...]string{"계속", "이어서", "続けて", "続き", "進めて", "つづけて", "继续", "接着", "繼續", "下一步"} {
		if rest, ok := strings.CutPrefix(line, phrase); ok {
			for _, end := range [...]string{"해주세요", "해줘", "해", "하세요", "하자", "진행해줘", "진행", "ください", "下さい", "をお願いします",
				"お願いします", "お願い", "から", "吧", "做", "下去", "进行", "工作", "请", " "} {
				rest = strings.ReplaceAll(rest, end, "")
			}
			return strings.Fields(rest), true
		}
	}
	return nil, false
}

// IsSubstantive reports whether s can be a task: s is more than chatter, no call to go on, and no question to memento.
func IsSubstantive(s string) bool {
	line, words := foldWords(s)
	if IsChatter(s) || Continues(s, "") || AsksMemento(s) || AsksCheckpoint(s) {
		return false
	}
	if Closes(s) {
		rest := Leaving(s)
		return rest != "" && !Closes(rest) && IsSubstantive(rest) // "/clear" leaves itself
	}
	return len(words) >= 2 || text.Runes(line) >= 4 && (line[0] >= 0x80 || strings.ContainsFunc(line, unspaced)) ||
		text.Runes(line) >= 12
}

// unspaced reports whether r is a letter of a script that says in four characters what other scripts say in words.
func unspaced(r rune) bool { return isUnspaced(r) && unicode.IsLetter(r) }

// IsShortQuestion reports whether s is one short question, which opens no work.
func IsShortQuestion(s string) bool {
	s = strings.TrimSpace(s)
	return text.Runes(s) <= 120 && isQuestion(s)
}

// isQuestion reports whether a sentence ends as a question does.
func isQuestion(s string) bool { return endsWith(s, "?", "？", "吗", "吗。", "ですか。") }

// leadsOn reports whether a sentence ends with a colon: its content follows.
func leadsOn(s string) bool { return endsWith(s, ":", "：") }

// endsWith reports whether s ends with one of ends. White space and closing marks at the end of s do not count.
func endsWith(s string, ends ...string) bool {
	s = strings.TrimRight(s, " \t\r)'\"*_`")
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(s, end) })
}

// AsksMemento reports whether s only asks what memento holds.
func AsksMemento(s string) bool {
	if !asksMemento(s) {
		return false
	}
	for _, sentence := range Split(s) {
		if !asksMemento(sentence) && IsSubstantive(sentence) { // "Deploy to staging only. What does memento have?"
			return false
		}
	}
	return true
}

// MentionsMemento reports whether s asks what memento holds, perhaps among other things.
func MentionsMemento(s string) bool { return slices.ContainsFunc(append(Split(s), s), asksMemento) }

func asksMemento(s string) bool {
	_, words := foldWords(s)
	if !has(words, "memento") || len(words) > 16 || otherMemento(words) || strings.HasPrefix(s, "/"+ownCommand) {
		return false
	}
	about := has(words, "have", "has", "know", "knows", "hold", "holds", "remember", "remembers", "got", "stored",
		"saved", "kept", "keep", "keeps", "journal", "session", "state", "status", "memory", "say", "says", "tem",
		"sabe", "guardou", "tiene", "guarda", "hat", "weiß", "sait", "contient")
	if len(words) < 3 {
		about = true
	}
	return about && (isQuestion(s) || text.OneOf(words[0], "show", "display", "print", "list", "what", "what's",
		"whats",
		"mostra", "mostre", "muestra", "zeig", "zeige", "affiche", "memento") || words[len(words)-1] == "보여줘")
}

// otherMemento reports whether words speak of another memento: a pattern, a class, a film.
func otherMemento(words []string) bool {
	return has(words, "class", "classes", "pattern", "patterns", "design", "movie", "film", "implement",
		"implementation", "code", "function", "object", "interface", "type", "undo", "refactor", "fix", "add", "test",
		"tests", "readme", "repo", "repository", "package", "plugin", "hook", "hooks", "version", "install", "editor",
		"file", "files", "clase", "classe", "klasse", "patrón", "padrão")
}

// AsksCheckpoint reports whether s asks to bring the journal up to date, perhaps among other things.
func AsksCheckpoint(s string) bool {
	for _, sentence := range Split(s) {
		_, words := foldWords(sentence)
		if has(words, "memento") && len(words) <= 25 && !otherMemento(words) &&
			has(words, "update", "save", "checkpoint", "sync", "refresh", "write", "record", "catch", "atualize",
				"atualiza", "actualiza", "guarda", "aktualisiere", "speichere") &&
			(has(words, "journal", "checkpoint", "progress", "everything", "diário", "diario", "tagebuch") ||
				words[len(words)-1] == "memento") {
			return true
		}
	}
	return false
}

// Split splits s at line ends and behind '.', '!', '?' and their full-width forms. Behind the narrow forms white space
// must follow. Each sentence is a trimmed part of s. Fenced code is left out.
func Split(s string) []string {
	var out []string
	var code text.Fence
	for l := range strings.SplitSeq(s, "\n") {
		if code.Has(strings.TrimSpace(l)) {
			continue
		}
		out = append(out, splitLine(l)...)
	}
	return out
}

// splitLine is Split for one line of prose.
func splitLine(l string) (out []string) {
	start := 0
	for i, r := range l {
		end := 0
		switch r {
		case '.', '!', '?':
			if i+1 < len(l) && (l[i+1] == ' ' || l[i+1] == '\t') {
				end = i + 1
			}
		case '。', '！', '？':
			end = i + len("。")
		}
		if end > 0 {
			out = appendTrimmed(out, l[start:end])
			start = end
		}
	}
	return appendTrimmed(out, l[start:])
}

func appendTrimmed(out []string, s string) []string {
	if s = strings.TrimSpace(s); s != "" {
		return append(out, s)
	}
	return out
}

func has(words []string, list ...string) bool {
	for _, w := range words {
		if text.OneOf(w, list...) {
			return true
		}
	}
	return false
}
