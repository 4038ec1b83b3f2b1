package rule

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// said returns a home in which the sentences were said in the shop, and its rules were found.
func said(t *testing.T, sentences ...string) *home {
	h := open(t)
	for _, s := range sentences {
		h.say("shop", "s1", s)
	}
	h.texts("shop")
	return h
}

// decide keeps or drops the rule with this text.
func (h *home) decide(text string, keep bool) {
	h.Helper()
	rules, _ := h.Rules("shop")
	for _, r := range rules {
		if r.Text != text {
			continue
		}
		act := h.Drop
		if keep {
			act = h.Keep
		}
		if err := act("shop", r); err != nil {
			h.Fatal(err)
		}
		return
	}
	h.Fatalf("no rule %q", text)
}

func (h *home) sends() []byte {
	h.Helper()
	data, err := h.Send("shop", every)
	if err != nil {
		h.Fatal(err)
	}
	return data
}

func (h *home) receives(lines []byte) {
	h.Helper()
	if err := h.Receive("shop", "shop--bob", every, lines); err != nil {
		h.Fatal(err)
	}
}

// TestTravel: a decision counts on the other machine, with the same bytes, whatever was said there. Candidates stay.
func TestTravel(t *testing.T) {
	desk, laptop := said(t, tabs, deploys), said(t, deploys)
	if data := desk.sends(); len(data) > 0 {
		t.Errorf("before a decision it sends %s", data)
	}
	desk.decide(tabs, true)
	desk.decide(deploys, false)
	data := desk.sends()
	if bytes.Contains(data, []byte("alice")) || bytes.Count(data, []byte("\n")) != 2 {
		t.Errorf("it sends\n%s", data)
	}
	laptop.receives(data)
	laptop.receives(data)
	if again := laptop.sends(); !bytes.Equal(again, data) {
		t.Errorf("the laptop sends\n%s, the desk\n%s", again, data)
	}
	laptop.want("shop", tabs)
	if rules, dropped := laptop.Rules("shop"); len(rules) != 1 || !rules[0].Accepted || len(dropped) != 1 ||
		dropped[0].Text != deploys {
		t.Errorf("the laptop has %+v, and dropped %+v", rules, dropped)
	}
	laptop.say("shop", "s2", deploys)
	laptop.want("shop", tabs)
}

// TestReceive makes the decisions those that came out of a merge: what is not among them was erased elsewhere.
func TestReceive(t *testing.T) {
	desk := said(t, tabs, deploys)
	desk.decide(tabs, true)
	one := desk.sends()
	desk.decide(deploys, true)
	desk.receives(one)
	if got := desk.sends(); !bytes.Equal(got, one) {
		t.Errorf("it has\n%s, want\n%s", got, one)
	}
	desk.want("shop", tabs+"|"+deploys) // said here, so it is a candidate
	desk.receives([]byte("no decision\n{}\n" + string(one)))
	if got := desk.sends(); !bytes.Equal(got, one) {
		t.Errorf("after strange lines it has\n%s", got)
	}
}

// decision returns the line of a decision about the n-th rule.
func decision(n int, what string, said int) string {
	l := line{decision: what, said: said}
	l.Text, l.Words = fmt.Sprintf("Never use tool %d.", n), fmt.Sprintf("%016x", n)
	return string(l.encode()) + "\n"
}

func TestMergeDecisions(t *testing.T) {
	keep, drop := decision(1, keeps, 1), decision(1, drops, 1)
	other := decision(2, keeps, 1)
	for _, tt := range []struct{ name, base, local, remote, want string }{
		{"both new", "", keep, other, keep + other},
		{"dropped against kept, both new", "", keep, drop, drop},
		{"dropped against kept anew", decision(1, keeps, 9), keep, drop, drop},
		{"one side decided otherwise", keep, keep, drop, drop},
		{"one side kept what was dropped", drop, drop, keep, keep},
		{"one side erased one", keep + other, keep + other, other, other},
		{"one side erased one that the other changed", keep + other, drop + other, other, drop + other},
		{"one side lost its file", keep + other, keep + other, "", keep + other},
		{"both lost it", keep, "", "", ""},
		{"the same", keep, keep, keep, keep},
	} {
		for _, swapped := range []bool{false, true} {
			l, r := tt.local, tt.remote
			if swapped {
				l, r = r, l
			}
			if got := Merge([]byte(tt.base), []byte(l), []byte(r)); string(got) != tt.want {
				t.Errorf("%s, swapped %t: got\n%swant\n%s", tt.name, swapped, got, tt.want)
			}
		}
	}
}

// TestMergeDecisionsProperties: the order of the sides does not matter, and a second merge changes nothing.
func TestMergeDecisionsProperties(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 1))
		some := func() []byte {
			var out strings.Builder
			for n := range 4 {
				if what := []string{"", keeps, drops}[r.IntN(3)]; what != "" {
					out.WriteString(decision(n, what, 1+r.IntN(2)))
				}
			}
			return []byte(out.String())
		}
		base, local, remote := some(), some(), some()
		one, two := Merge(base, local, remote), Merge(base, remote, local)
		if !bytes.Equal(one, two) {
			t.Fatalf("seed %d: it depends on the order:\n%s and\n%s", seed, one, two)
		}
		if again := Merge(local, one, local); !bytes.Equal(again, one) && len(one) > 0 {
			t.Fatalf("seed %d: the next merge makes\n%s of\n%s", seed, again, one)
		}
	}
}

func TestEraseSent(t *testing.T) {
	data := decision(1, keeps, 1) + "tool 1 in no line of ours\n" + decision(2, drops, 1)
	has := func(words string) bool { return strings.Contains(words, "tool 1") }
	loose := func(data []byte) bool { return has(string(data)) }
	left, erased := EraseSent([]byte(data), has, nobody, loose)
	if want := decision(2, drops, 1); !erased || string(left) != want {
		t.Errorf("%t, left\n%s", erased, left)
	}
	if again, erased := EraseSent(left, has, nobody, loose); erased || !bytes.Equal(again, left) {
		t.Errorf("again: %t, left\n%s", erased, again)
	}
}

func every(string) bool { return true }

func nobody(Source) bool { return false }
