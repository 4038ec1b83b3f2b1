package sentence

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Begins reports whether s can be a session's mission: it asks for work that it names. A question, a chore ("commit please"), a choice
// ("ok, let's go with 2") and what was pasted ask for none.
func Begins(s string) bool {
	if !IsSubstantive(s) {
		return false
	}
	if strings.HasPrefix(s, "/") && !strings.Contains(strings.SplitN(s, " ", 2)[0][1:], "/") {
		_, args, _ := strings.Cut(s, " ") // what is done with them is the command's business
		return Begins(strings.TrimSpace(args))
	}
	return slices.ContainsFunc(Judge(s), func(j Judged) bool {
		return j.Prose() && !fromLog(j.Text) && !inquires(j) && !IsEveryday(j.Text)
	})
}

// fromLog reports whether a line is what a program says of its work.
func fromLog(s string) bool {
	first, _, _ := strings.Cut(strings.TrimLeft(s, "-=[#* \t"), " ")
	return oneOf(strings.TrimRight(first, ":]"), "FAIL", "PASS", "FAILED", "PASSED", "ERROR", "WARN", "WARNING", "INFO", "DEBUG", "FATAL", "TRACE", "panic", "Traceback")
}

// inquires reports whether a sentence only wants to know something. "Can you add …?" wants it done.
func inquires(j Judged) bool {
	_, words := folded(j.Text)
	if verb, ok := requested(words); ok {
		return tellsVerb(verb)
	}
	for len(words) > 1 && (opener(words[0]) || IsChatter(words[0])) {
		words = words[1:]
	}
	if len(words) == 0 {
		return true
	}
	if tellsVerb(words[0]) {
		return true
	}
	for _, end := range [...]string{"てください", "てくれ", "てほしい", "てもらえますか", "てもらえる", "てくれますか", "해줘", "해주세요", "해줄래", "해 줄래"} {
		if strings.Contains(j.Text, end) {
			return false
		}
	}
	return strings.ContainsAny(lastOf(j.Text), "?？") || wordCue(words[0]) == ask && !oneOf(words[0], "is", "are", "am", "will", "would", "has", "have", "does") ||
		oneOf(words[0], "when", "whats", "wheres", "hows", "quando", "qual", "quais", "cuál", "cuándo", "welche", "welcher", "welches", "was", "wann", "quel", "quelle", "quand", "où", "qu'est") ||
		j.found&ask != 0 && firstRune(words[0]) > 0x2e80
}

// requested returns the verb of what words ask somebody to do: "can you add …".
func requested(words []string) (verb string, ok bool) {
	for i, w := range words[:max(0, len(words)-1)] {
		switch next := words[i+1]; {
		case oneOf(w, "can", "could", "would", "will") && oneOf(next, "you", "we"), oneOf(w, "kannst", "könntest", "können", "könnten", "magst") && oneOf(next, "du", "wir", "sie"), oneOf(w, "peux", "pourrais", "pouvez", "pourriez") && oneOf(next, "tu", "vous"):
			if verb = next; i+2 < len(words) {
				verb = words[i+2]
			}
			return verb, true
		case oneOf(w, "pode", "podes", "poderia", "podemos", "puedes", "podrías", "puede", "peux-tu", "pourrais-tu", "pouvez-vous", "puoi", "potresti"):
			return next, true
		}
	}
	return "", false
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

func lastOf(s string) string {
	s = strings.TrimRightFunc(s, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`"'*_)`, r) })
	r, n := utf8.DecodeLastRuneInString(s)
	if n == 0 {
		return ""
	}
	return string(r)
}

// tellsVerb reports whether w asks to be told something.
func tellsVerb(w string) bool {
	return oneOf(w, "explain", "tell", "show", "remind", "describe", "summarize", "summarise", "list", "erkläre", "erklär", "zeig", "zeige", "sag", "explica", "explique", "mostra", "mostre", "diga", "resume", "resuma", "muestra", "dime", "explique", "montre", "dis", "spiega", "mostra")
}

// IsEveryday reports whether a sentence names nothing but what is done every day, whatever the work is: to commit, to run the tests, to pick
// one of the ways to go on.
func IsEveryday(s string) bool {
	line, words := folded(s)
	if len(words) > 10 {
		return false
	}
	for _, w := range words {
		if !choreWord(w) {
			return false
		}
	}
	return line != ""
}

func choreWord(w string) bool {
	if first := firstRune(w); unicode.IsDigit(first) || utf8.RuneCountInString(w) == 1 || first > 0x2e80 && choreOf(w) {
		return true
	}
	return listed(chores, w) || filler(w) || opener(w) || IsChatter(w)
}

// choreOf reports whether words of a script without spaces are one of the everyday orders.
func choreOf(w string) bool {
	for _, piece := range [...]string{"コミット", "プッシュ", "プル", "マージ", "テスト", "ビルド", "実行", "して", "ください", "お願いします", "お願い", "を", "も", "と", "で", "に", "案", "番", "提交", "推送", "运行", "测试", "构建", "一下", "请", "커밋", "푸시", "테스트", "빌드", "실행", "해줘", "해주세요", "하고"} {
		w = strings.ReplaceAll(w, piece, "")
	}
	return w == ""
}

var chores = `commit commits committed push pull rebase merge squash stash fetch sync run rerun test tests testing build rebuild compile lint linter format formatter restart start stop retry check checks ci deploy release ship status log logs diff git branch pr request changes change code suite server app everything all them those these both either first second third last one two three option options number choice choose go goes pick take use with instead latest current open close review approve main master origin upstream remote amend undo revert clean save quickly quick other others
	commite committe committen pushe pushen einchecken tests laufen lassen lass führe führ aus starte baue bauen änderungen alles option nimm nehmen wir die der das erste zweite dritte mach mache einen neu nochmal noch mal
	commita commitar comite faça faz fazer commit envia enviar suba sobe subir roda rode rodar executa execute executar testes mudanças alterações tudo opção primeira segunda terceira vamos com a o os as um uma
	haz hacer sube subir corre ejecuta ejecutar lanza pruebas cambios todo opción primera segunda tercera la vamos los las el un una
	fais faire pousse pousser lance lancer relance les changements modifications tout première deuxième prends stp le la un une`
