package text

import (
	"strings"
	"testing"
)

func TestPrivate(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"fix the login", "fix the login"},
		{"log in as <private>anna, hunter2</private> and fix it", "log in as [private] and fix it"},
		{"use <PRIVATE>one</Private> and < private >two</ private >, then go", "use [private] and [private], then go"},
		{"use <private>one\ntwo\n</private> here", "use [private] here"},
		{"call <private>her <private>really</private> number</private> today", "call [private] today"},
		{"the key is <private>0xdeadbeef", "the key is [private]"},
		{"one <private>a<private>b</private> c", "one [private]"},
		{"<private>all of it</private>", ""},
		{" <private>all</private>, <private>of</private>\n<private>it</private>.", ""},
		{"<private>", ""},
		{"never mind </private> the tag", "never mind </private> the tag"},
		{"why </private> and <private>x</private>?", "why </private> and [private]?"},
		{"List<private> and <privateer>", "List[private]"},
		{"<private/> and <private-label>", "<private/> and <private-label>"},
		{"[private]", "[private]"},
		{"a < private thing > b", "a < private thing > b"},
		{"12 <private>x</private>", "12 [private]"},
		{"", ""},
	} {
		if got := Private(c.in); got != c.want {
			t.Errorf("Private(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

// What is private is gone whatever stands around it, and what is left was there.
func FuzzPrivate(f *testing.F) {
	f.Add("fix ", "the password", " now", "PRIVATE")
	f.Add("<private>a</private>", "<private>b</private>", "</private>", "private")
	f.Add("<", "/private>", ">", "private ")
	f.Fuzz(func(t *testing.T, before, secret, behind, tag string) {
		if strings.ContainsAny(before+secret+behind, "<>§") || !strings.EqualFold(strings.TrimSpace(tag), "private") {
			return
		}
		got := Private(before + "<" + tag + ">§" + secret + "§</" + tag + ">" + behind)
		if strings.Contains(got, "§") {
			t.Errorf("%q is left of %q", got, secret)
		}
		if got != "" && got != before+PrivateMark+behind {
			t.Errorf("%q of %q and %q", got, before, behind)
		}
		if again := Private(got); again != got {
			t.Errorf("%q becomes %q", got, again)
		}
	})
}
