package sentence

import (
	"strings"
	"testing"
)

// A short reply is kept with what it answers: the options that it names, else the last question, else the last words.
func TestProposal(t *testing.T) {
	const options = "Two ways:\n\n1. **Rename** the column in place.\n2. Add a new column and copy.\n\nOption A: wait for Ana.\n\nWhich one?"
	for _, c := range []struct{ told, reply, want string }{
		{options, "2", "2. Add a new column and copy."},
		{options, "let's go with option 1", "1. Rename the column in place."},
		{options, "1 and 2 please", "1. Rename the column in place. 2. Add a new column and copy."},
		{options, "a", "Option A: wait for Ana."},
		{options, "2번으로", "2. Add a new column and copy."},
		{"The parser is done and all of its tests pass on the new samples, the old ones included. Shall I port the writer next? It needs a day.", "yes",
			"The parser is done and all of its tests pass on the new samples, the old ones included. Shall I port the writer next?"},
		{"パーサーは完了しました。次にライターを移植しましょうか？", "はい", "パーサーは完了しました。 次にライターを移植しましょうか？"},
		// a number of things is no option
		{options, "run it 2 times",
			"Rename the column in place. 2. Add a new column and copy. Option A: wait for Ana. Which one?"},
		{options, "set workers to 1",
			"Rename the column in place. 2. Add a new column and copy. Option A: wait for Ana. Which one?"},
		{options, "1, please", "1. Rename the column in place."},
		{"All is pushed.", "ok", "All is pushed."},
		{"", "yes", ""},
	} {
		if !IsReply(c.reply) {
			t.Errorf("%q is no reply", c.reply)
		}
		if got := Proposal(c.told, c.reply, 200); got != c.want {
			t.Errorf("%q answers %q, not %q", c.reply, got, c.want)
		}
	}
	for _, s := range []string{"port the writer to the new format and keep the old one", "価格表の取り込みを書き直してください", "",
		"3つのテストを追加して、それから価格表の取り込みを書き直してください", "1 " + strings.Repeat("x", 60_000),
		"use 3 workers in the importer and not more, since the disk is slow and the queue is long"} {
		if IsReply(s) {
			t.Errorf("%q is a reply", s)
		}
	}
	long := "Do you want me to rewrite the importer so that it reads the rows one by one, keeps a count of those it could not read, and writes them into a file beside the log, with the number of each?"
	if got := Proposal(long, "yes", 60); len([]rune(got)) > 60 ||
		got[len(got)-len("with the number of each?"):] != "with the number of each?" {
		t.Errorf("cut, it is %q", got)
	}
}
