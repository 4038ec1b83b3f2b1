package rule

import (
	"fmt"
	"strings"
	"testing"
)

func TestReadChoice(t *testing.T) {
	for _, tt := range []struct{ summary, want string }{
		{"…\n\nmemento: keep 527000, 559279\n</summary>", "[527000 559279] [] true"},
		{"<summary>x\nmemento: none</summary>", "[] [] true"},
		{"x\nMemento: keep 3, 7; over 2 by 7", "[3 7] [[2 7]] true"},
		{"x\n`memento: keep 3 7; over 2 by 7, 4 by 3`.\n", "[3 7] [[2 7] [4 3]] true"},
		{"x\n**memento: keep 2; over none**", "[2] [] true"},
		{"x\nmemento: keep 2; over 7", "[2] [] true"},
		{"x\nmemento: keep none", "[] [] true"},
		{"memento: keep 5", "[5] [] true"},
		// only the last line, only this form
		{"memento: keep 5\nand then they tested", "[] [] false"},
		{"the user typed memento: keep 5", "[] [] false"},
		{"memento: drop 5", "[] [] false"},
		{"memento: keep 5; drop 4", "[] [] false"},
		{"", "[] [] false"},
	} {
		c, ok := ReadChoice(tt.summary)
		if got := fmt.Sprint(c.Keep, c.Over, ok); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.summary, got, tt.want)
		}
	}
	c, _ := ReadChoice("memento: keep " + strings.Repeat("1 ", 1000))
	if len(c.Keep) != maxChosen {
		t.Errorf("%d numbers", len(c.Keep))
	}
}

// FuzzReadChoice: no summary panics, and only the last line is an answer.
func FuzzReadChoice(f *testing.F) {
	f.Add("x\nmemento: keep 3, 7; over 2 by 7\n</summary>")
	f.Fuzz(func(t *testing.T, summary string) {
		c, ok := ReadChoice(summary)
		if !ok && (c.Keep != nil || c.Over != nil) {
			t.Errorf("%q is no answer, and says %v", summary, c)
		}
		if _, ok := ReadChoice(summary + "\nmemento: keep 3\nThe end"); ok {
			t.Errorf("%q: a line further up is an answer", summary)
		}
	})
}
