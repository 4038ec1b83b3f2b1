package history

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// TestEnds: when only the ends of a line are read, the result is still a line of history, with both ends of its text,
// whatever escapes they have.
func TestEnds(t *testing.T) {
	const each = 1 << 10
	for _, words := range []string{"never push to main. ", "本番には触らない。", `"`, `\\`, "\n", "<", "\x01", "a\u2028",
		`C:\u0041\"x" `, "é\"", "👩‍👧"} {
		for _, size := range []int{5 * each, 30 * each, 30*each + 1, 100 * each} {
			text := "The beginning: " + strings.Repeat(words, size/len(words)) + " and the end."
			line := Format("2026-01-05T10:00:00Z", "s1", "said", "text", text, "asked", "Which?", "ref", "u1")
			short := ends([]byte(line), each)
			if !gjson.ValidBytes(short) {
				t.Fatalf("%d bytes of %q: no line any more: %.80s", size, words, short)
			}
			l := lineOf(gjson.ParseBytes(short))
			if l.Kind != "said" || l.Session != "s1" || l.Ref != "u1" || l.Asked != "Which?" ||
				!utf8.ValidString(l.Text) {
				t.Errorf("%d bytes of %q: the line says %s %s %s %s", size, words, l.Kind, l.Session, l.Ref, l.Asked)
			}
			if len(short) != len(line) && (len(l.Text) < each || !strings.HasPrefix(text, l.Text[:each/2]) ||
				!strings.HasSuffix(text, l.Text[len(l.Text)-each/2:])) {
				t.Errorf("%d bytes of %q: the ends are %.40q and %.40q", size, words, l.Text,
					l.Text[max(0, len(l.Text)-40):])
			}
			if len(line) > 12*each && len(short) > 10*each {
				t.Errorf("%d bytes of %q: %d are left of %d", size, words, len(short), len(line))
			}
		}
	}
	line := Format("", "", "dropped", "text", strings.Repeat("a", 30*each))
	if short := ends([]byte(line), each); string(short) != line {
		t.Error("what was not typed was cut")
	}
}
