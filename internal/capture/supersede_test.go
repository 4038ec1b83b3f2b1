package capture

import (
	"slices"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/journal"
)

// standing returns which of the messages' sentences still hold.
func standing(messages ...string) []string {
	var all []Judged
	var of []int
	for i, m := range messages {
		for _, s := range Judge(m) {
			all, of = append(all, s), append(of, i)
		}
	}
	var out []string
	for i, gone := range superseded(all, of) {
		if !gone {
			out = append(out, all[i].Text)
		}
	}
	return out
}

// A later sentence takes back an earlier one of the same thing.
func TestSuperseded(t *testing.T) {
	for _, said := range [][]string{
		{"use tabs", "no, use spaces instead"},
		{"use tabs", "look at the parser first", "use spaces instead of tabs"},
		{"use axios for the requests", "use fetch, not axios"},
		{"don't push yet", "you can push now"},
		{"don't push yet", "ok, push it now"},
		{"do not touch the migrations", "you can touch the migrations"},
		{"always squash the commits", "never squash the commits"},
		{"keep the changelog", "don't keep the changelog"},
		{"from now on run the linter before each commit", "you don't have to run the linter anymore"},
		{"Never use semicolons.", "forget what I said about semicolons"},
		{"use the red theme", "never mind"},
		{"não mexe no banco ainda", "agora pode mexer no banco"},
		{"use npm", "use pnpm em vez de npm"},
		{"no borres la tabla todavía", "ya puedes borrar la tabla"},
		{"usa axios", "usa fetch en lugar de axios"},
		{"noch nicht pushen, bitte nicht pushen", "du kannst jetzt pushen"},
		{"nimm SQLite", "nimm Postgres statt SQLite"},
		{"아직 푸시하지 마", "이제 푸시해도 돼"},
		{"まだプッシュしないで", "もうプッシュしていいよ"},
	} {
		if got := standing(said...); slices.Contains(got, said[0]) {
			t.Errorf("%q did not take back %q", said[len(said)-1], said[0])
		}
	}
}

// Whatever is in doubt holds on.
func TestNotSuperseded(t *testing.T) {
	for _, said := range [][]string{
		{"use tabs", "use pnpm"},
		{"use tabs", "use pnpm", "look at the parser", "no, use spaces instead"}, // of which?
		{"don't push to main", "you can push now"},
		{"never push", "you can push now"},
		{"don't push", "push this branch"},
		{"don't push yet", "can you push now?"},
		{"don't push yet", "you can push once the tests are green"},
		{"don't push yet", "why didn't you push?"},
		{"never touch the billing table", "touch up the header"},
		{"keep the tabs in the sidebar", "use spaces, not tabs"},
		{"use pnpm, not npm", "use pnpm instead of npm everywhere"},
		{"always run the tests", "don't run the tests on Windows"},
		{"always run the tests", "don't run the tests this time"},
		{"no new dependencies", "add the zod dependency"},
		{"use the red theme. Keep the old icons.", "never mind"},
		{"never push to main", "remove this again"},
		{"never push to main", "no, that's wrong"},
		{"run the linter before each commit", "you don't have to explain it"},
		{"titles have at most 20 words", "titles have at most 20 words in the sidebar too"},
		{"Prices are in cents.", "forget what I said about semicolons"},
		{"não mexe no banco", "pode mexer no layout"},
		{"no toques la caché", "ya puedes tocar el menú"},
		{"nicht pushen", "du kannst jetzt committen"},
		{"本番にはデプロイしないで", "ステージングにデプロイしていいよ"},
		{"운영에는 배포하지 마", "스테이징에 배포해도 돼"},
	} {
		first := Sentences(said[0])[0]
		if got := standing(said...); !slices.Contains(got, first) {
			t.Errorf("%q took back %q", strings.Join(said[1:], " / "), first)
		}
	}
	if got := standing("use tabs", "no, use spaces instead", "use tabs"); !slices.Equal(got[len(got)-1:], []string{"use tabs"}) {
		t.Errorf("said again, what holds is %q", got)
	}
}

// What is taken back leaves the journal and the block, and stays in history; said again, it holds again.
func TestRetract(t *testing.T) {
	d := newDesk(t)
	st := d.session("s1")
	j := d.say(st, "fix the auth pipeline", "use tabs", "don't push yet", "title max 20 words. Keep all the colours.", "no, use spaces instead")
	want(t, "said", said(j), "!don't push yet|!title max 20 words. Keep all the colours.|!no, use spaces instead")
	words := Recall(d.store.Lane, "s1").Words(j)
	want(t, "rules", texts(words.Rules), "no, use spaces instead|title max 20 words. Keep all the colours.|don't push yet")
	j = d.say(st, "you can push now", "ok")
	want(t, "said", said(j), "!title max 20 words. Keep all the colours.|!no, use spaces instead|!you can push now")
	want(t, "heard", strings.Join(d.heard(), "|"), "fix the auth pipeline|use tabs|don't push yet|title max 20 words. Keep all the colours.|no, use spaces instead|you can push now|ok")
	var kept []string
	if err := journal.ReadHistory(d.store.Lane, func(l journal.Line) bool {
		if l.Kind == "superseded" {
			kept = append(kept, l.Ref+" "+l.Text)
		}
		return true
	}); err != nil {
		t.Fatal(err)
	}
	want(t, "history", strings.Join(kept, "|"), "u2 use tabs|u3 don't push yet")
	j = d.say(st, "don't push yet")
	words = Recall(d.store.Lane, "s1").Words(j)
	want(t, "rules", texts(words.Rules), "don't push yet|no, use spaces instead|title max 20 words. Keep all the colours.")
	if !strings.Contains(said(j), "don't push yet") {
		t.Errorf("said again: %q", said(j))
	}
}
