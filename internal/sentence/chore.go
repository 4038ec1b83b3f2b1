package sentence

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Work of every day is what is done whatever the task is: to commit, to push, to run the tests, to pick one of the ways
// to go on. A sentence that names nothing else begins no mission; one that asks for what follows on any work, a deed,
// is no work in hand.

// deeds are the words for acts that follow any work: commit, push, note in the changelog, open a pull request.
const deeds = `commit comit commi commits committed push pushed stage amend changelog changelog.md pr prs pull request
	merge tag commita commite committe pushe`

// chores are words that stand beside deeds and name everyday work, by language: English, German, Portuguese, Spanish,
// French.
const chores = `rebase squash stash fetch sync run rerun test tests testing build rebuild compile lint linter format
	formatter
	restart start stop retry check checks ci deploy release ship status log logs diff git branch changes change code
	suite server app everything all them those these both either first second third last one two three option
	options number choice choose go goes pick take use with instead latest current open close review approve main
	master origin upstream remote undo revert clean save quickly quick other others every any update create make
	draft message md when you're finished done recent new separate files file also too saved well an small short
	sentence entry allow verify atomically each section up out but don't generate only after into onto
	against
	committen pushen einchecken laufen lassen lass führe führ aus starte baue bauen änderungen alles nimm nehmen wir
	zusammenführen zusammen merge mergen rebasen synchronisiere aktualisiere mit zweig den
	die der das erste zweite dritte mach mache einen neu nochmal noch mal ein alle und bitte
	commitar comite faça faz fazer envia enviar suba sobe subir roda rode rodar executa execute executar testes
	mudanças alterações tudo opção primeira segunda terceira vamos com a o os as um uma realize crie abra abre
	sincronia sincroniza sincronize sincronizar atualiza atualize atualizar mergeia mergeie puxa puxe puxar buscar
	busca busque que já tinha da de do dessa desta deste para anteriormente remoto
	dessas essas essa esse modificações no na que está aberto aberta agora e
	haz hacer sube corre ejecuta ejecutar lanza pruebas cambios todo opción primera tercera la los las el un una
	crea estos y mergea mergear fusiona fusionar sincroniza sincronizar actualiza actualizar rama ramas esta con de del
	a al
	fais faire pousse pousser lance lancer relance les changements modifications tout première deuxième prends stp
	le une fusionne fusionner synchronise branche dans avec sur cette`

// chorePieces are deeds and chores in Japanese, Chinese and Korean, where words are not separated.
var chorePieces = [...]string{"コミット", "プッシュ", "プル", "マージ", "テスト", "ビルド", "実行", "して", "ください", "お願いします", "お願い", "を", "も",
	"と", "で", "に", "案", "番", "提交", "推送", "运行", "测试", "构建", "一下", "请", "커밋", "푸시", "테스트", "빌드", "실행", "해줘", "해주세요", "하고",
	"ブランチ", "しましょう", "しよう", "リベース", "分支", "合并", "合併", "拉取", "变基", "把", "到", "这个", "這個", "和", "吧",
	"브랜치", "머지", "병합", "리베이스", "하자", "하죠", "합시다", "주세요", "해", "를", "을", "랑", "에"}

// maxEveryday is how many words a sentence has at most that names only everyday work.
const maxEveryday = 10

// IsEveryday reports whether a sentence names only everyday work, such as a commit or a test run.
func IsEveryday(s string) bool {
	_, words := foldWords(s)
	forbids := func(w string) bool { return w != "no" && wordCue(w)&(strict|negation) != 0 } // "never push to main"
	return len(words) > 0 && len(words) <= maxEveryday && allChores(words) && !slices.ContainsFunc(words, forbids)
}

// isChore reports whether a sentence asks for a deed and for nothing else.
func isChore(s string) bool {
	_, words := foldWords(s)
	return slices.ContainsFunc(words, func(w string) bool { return isListed(deeds, w) }) && allChores(words) &&
		!has(words, "review") // that is work, of whatever it is
}

// followsWork reports whether a sentence names a deed.
func followsWork(s string) bool {
	_, words := foldWords(s)
	return slices.ContainsFunc(words, func(w string) bool { return isListed(deeds, w) || isListed(gitActs, w) })
}

func allChores(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !isChoreWord(w) })
}

func isChoreWord(w string) bool {
	first := firstRune(w)
	switch {
	case unicode.IsDigit(first), utf8.RuneCountInString(w) == 1, isListed(deeds, w), isListed(chores, w), IsChatter(w):
		return true
	case strings.ContainsFunc(w, unspaced):
		for _, piece := range chorePieces {
			w = strings.ReplaceAll(w, piece, "")
		}
		return w == "" || isListed(deeds, w) || isListed(chores, w) // "prをマージして"
	}
	return isEmpty(w)
}
