package capture

import (
	"slices"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/block"
	"github.com/mementohq/memento/internal/journal"
)

// No later sentence takes a rule back, in any language: both rules stay, the newer first.
func TestRuleStands(t *testing.T) {
	for _, said := range [][]string{
		{"Always run the linter.", "commit it, and don't forget it!"},
		{"Never push to main.", "never forget that"},
		{"Never push to main.", "forget it"},
		{"Never push to main.", "never mind"},
		{"Never push to main.", "Vergiss das nicht!"},
		{"Never push to main.", "não esquece isso"},
		{"Never push to main.", "no olvides eso, por favor"},
		{"Never push to main.", "n'oublie pas ça"},
		{"Never push to main.", "忘れないで"},
		{"Never push to main.", "잊지 마"},
		{"Never touch the currency table.", "ignore that warning"},
		{"Never touch the currency table.", "never mind the linter warnings"},
		{"Never touch the currency table.", "scrap that helper function"},
		{"Always use pnpm.", "use a modal dialog instead"},
		{"Use PostgreSQL for storage.", "use a dropdown instead"},
		{"Always run the tests before you commit.", "No need to run the tests this time."},
		{"Always run the tests and the linter.", "you don't need to run the linter"},
		{"Use npm for everything.", "Use yarn in the docs folder instead of npm."},
		{"Don't push to main.", "From now on you can push to main."},
		{"Use tabs.", "use spaces, never tabs"},
		{"Use tabs.", "use spaces instead of tabs"},
		{"don't push yet", "you can push now"},
		{"não mexe no banco ainda", "agora pode mexer no banco"},
		{"no borres la tabla todavía", "ya puedes borrar la tabla"},
		{"nimm SQLite", "nimm Postgres statt SQLite"},
		{"아직 푸시하지 마", "이제 푸시해도 돼"},
		{"まだプッシュしないで", "もうプッシュしていいよ"},
	} {
		d := newDesk(t)
		st := d.session("s1")
		j := d.say(st, "rewrite the price list importer", said[0], said[1], "look at the parser first")
		if !slices.ContainsFunc(j.Said, func(s journal.Saying) bool { return s.Text == said[0] }) {
			t.Errorf("%q took %q out of the journal", said[1], said[0])
		}
		block := block.Render(j, block.View{Path: "p", Budget: 1000, Said: words(d, j)})
		older, newer := strings.Index(block, said[0]), strings.Index(block, said[1])
		if older < 0 || newer < 0 || newer > older {
			t.Errorf("after %q the block has %q at %d, the newer one at %d:\n%s", said[1], said[0], older, newer, block)
		}
	}
}

func words(d *desk, j *journal.Journal) *block.Words {
	w := Recall(d.store.Lane, "s1").Words(j, "")
	return &w
}

// Words that the person drops are gone. Words that an older memento only guessed to be taken back hold again.
func TestDropped(t *testing.T) {
	d := newDesk(t)
	st := d.session("s1")
	d.say(st, "rewrite the price list importer", "Always use tabs.", "Never push to main.", "look at the parser first")
	d.update(func(j *journal.Journal) {
		if !j.DropSaid("Always use tabs.", "") {
			t.Error("there was nothing to drop")
		}
	})
	j := d.journal()
	want(t, "rules", texts(words(d, j).Rules), "Never push to main.")
	want(t, "said", said(j), "!Never push to main.|look at the parser first")
	j = d.say(st, "Always use tabs.")
	want(t, "said again, rules", texts(words(d, j).Rules), "Always use tabs.|Never push to main.")
}

// A rule is hidden only where it is quoted as whole sentences: as a part of a longer one it may say the opposite there.
func TestRuleNotHidden(t *testing.T) {
	for _, tt := range []struct{ older, newer, want string }{
		{"Use yarn.", "Never use yarn in the docs folder.", "Never use yarn in the docs folder.|Use yarn."},
		{"use tabs", "Never use tabs", "Never use tabs|use tabs"},
		{"Use yarn.", "Don't use npm: use yarn, but not in the docs folder.",
			"Don't use npm: use yarn, but not in the docs folder.|Use yarn."},
		{"Use yarn.", "Never use npm. Use yarn.", "Never use npm. Use yarn."},
		{"Use yarn.", "Never use npm.\n- use yarn\n- never use bun", "Never use npm.\n- use yarn\n- never use bun"},
		{"タブを使って", "必ずタブを使ってはいけない。", "必ずタブを使ってはいけない。|タブを使って"},
	} {
		d := newDesk(t)
		j := d.say(d.session("s1"), "rewrite the price list importer", "never push", tt.older, tt.newer,
			"look at the parser first")
		w := words(d, j)
		var rules []journal.Saying
		for _, s := range w.Rules {
			rules = append(append(rules, s), w.Tied[s.Text]...)
		}
		want(t, tt.newer, strings.ReplaceAll(texts(rules), "|never push", ""), tt.want)
	}
	d := newDesk(t)
	j := d.say(d.session("s1"), "rewrite the importer, and never use yarn in the docs folder", "Use yarn.", "ok")
	want(t, "beside the mission", texts(words(d, j).Rules), "Use yarn.")
}

// A pasted screen that shows the mission is not quoted as further words of the user.
func TestMissionEcho(t *testing.T) {
	const mission = "Rewrite the price list importer; the shop team reviews it. Never touch the currency table."
	for pasted, rest := range map[string]string{
		"look at this\n> " + mission +
			"\n● I will look.\nwhy did it stop?": "look at this|why did it stop?",
		"[MEMENTO] Mission: " + mission +
			" | proj:shop | path:/home/a/shop.json\nwhat is this?": "what is this?",
		"User: " + mission +
			"\n\nthat was it": "that was it",
		"mission  " + mission + "\nwhat now?":                                                              "what now?",
		"Rewrite the price list importer; the shop team reviews it.\nNever touch it on Fridays.":           "Never touch it on Fridays.",
		"Not any more: rewrite the price list importer; the shop team reviews it.":                         "Not any more: rewrite the price list importer; the shop team reviews it.",
		"Look:\nRewrite the price list importer; the shop team reviews it, and the finance team reads it.": "Look:\nRewrite the price list importer; the shop team reviews it, and the finance team reads it.",
	} {
		d := newDesk(t)
		j := d.say(d.session("s1"), mission, pasted, "look at the parser first")
		w := words(d, j)
		var got []string
		for _, list := range [][]journal.Saying{w.Rules, w.Leans, w.Asks, w.Tells, w.Talk} {
			for _, s := range list {
				if s.Text != "look at the parser first" {
					got = append(got, s.Text)
				}
			}
		}
		wants := strings.Split(rest, "|")
		for _, words := range wants {
			if !slices.ContainsFunc(got, func(s string) bool { return strings.Contains(words, s) }) {
				t.Errorf("of %q %q is missing: %q", pasted, words, got)
			}
		}
		if slices.ContainsFunc(got, func(s string) bool { return !strings.Contains(rest, s) }) {
			t.Errorf("of %q is quoted %q, want %q", pasted, got, rest)
		}
	}
}
