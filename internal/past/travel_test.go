package past

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// A session's turns give the same bytes on another machine that received them.
func TestTravel(t *testing.T) {
	desk, laptop := Store{Dir: t.TempDir(), Wait: time.Second}, Store{Dir: t.TempDir(), Wait: time.Second}
	at := time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)
	turn := func(id, said, answer string) Turn {
		at = at.Add(time.Minute)
		return Turn{Project: "shop", Session: "s1", PromptID: id, Prompt: said, Answer: answer, Time: at}
	}
	if err := desk.Add([]Turn{turn("a", "Price the jars.", "2 EUR."), turn("b", "Wrong.", ""),
		turn("c", "Go on.", "Done.")}); err != nil {
		t.Fatal(err)
	}
	sent := func(s Store, project string, answers bool) string {
		t.Helper()
		all, err := s.Sessions(project)
		if err != nil || len(all) != 1 {
			t.Fatalf("%v %v", all, err)
		}
		lines, err := s.Send(all[0], answers)
		if err != nil {
			t.Fatal(err)
		}
		return string(lines)
	}
	first := sent(desk, "shop", false)
	if strings.Contains(first, "EUR") || !strings.Contains(first, "Wrong.") {
		t.Errorf("it sends %s", first)
	}
	if err := laptop.Receive("kiosk", Arrived("kiosk", "s1", []byte(first), Limits{}, true)); err != nil {
		t.Fatal(err)
	}
	if got := sent(laptop, "kiosk", true); got != first {
		t.Errorf("it has\n%s\nwant\n%s", got, first)
	}

	// the user takes a turn back; the file is closed before the next time
	if err := desk.Add([]Turn{{Project: "shop", Session: "s1", PromptID: "b", Gone: true}}); err != nil {
		t.Fatal(err)
	}
	if err := desk.Close("shop", "s1"); err != nil {
		t.Fatal(err)
	}
	second := sent(desk, "shop", true)
	merged := Merge([]byte(first), []byte(second), []byte(first))
	if string(merged) != second || strings.Contains(second, "Wrong.") || !strings.Contains(second, "2 EUR.") {
		t.Errorf("merged to\n%s\nof\n%s", merged, second)
	}
	if err := laptop.Receive("kiosk", Arrived("kiosk", "s1", merged, Limits{}, true)); err != nil {
		t.Fatal(err)
	}
	if got := sent(laptop, "kiosk", true); got != second {
		t.Errorf("it has\n%s\nwant\n%s", got, second)
	}

	// older turns than the limit stay away, and are not taken from others for it
	bound := Store{Dir: t.TempDir(), Wait: time.Second}
	if err := bound.Receive("shop", Arrived("shop", "s1", []byte(second), Limits{Turns: at, Answers: at},
		false)); err != nil {
		t.Fatal(err)
	}
	third := sent(bound, "shop", true)
	if !strings.Contains(third, "Go on.") || strings.Contains(third, "Price") || strings.Contains(third, "Done") {
		t.Errorf("within the limits are %s", third)
	}
	if got := Merge([]byte(second), []byte(third), []byte(second)); string(got) != second {
		t.Errorf("the limits took turns from others: %s", got)
	}
}

// TestMergeAnyOrder: three machines that change the turns of a session end with the same lines, whoever comes first.
func TestMergeAnyOrder(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 1))
		change := func(lines []byte) []byte {
			all := byID(lines)
			for range r.IntN(4) {
				id := fmt.Sprint(r.IntN(6))
				one, known := all[id]
				switch {
				case !known || r.IntN(3) == 0:
					one = Turn{Session: "s", PromptID: id, Prompt: fmt.Sprint("said ", r.IntN(3)),
						Time: time.Unix(int64(r.IntN(3)), 0).UTC()}
				case r.IntN(2) == 0:
					one = Turn{Session: "s", PromptID: id, Gone: true}
				default:
					one.Answer = fmt.Sprint(r.IntN(3))
				}
				all[id] = one
			}
			var out []Turn
			for _, one := range all {
				out = append(out, one)
			}
			return travelling(out)
		}
		base := change(nil)
		a, b := change(base), change(base)
		one, two := Merge(base, a, b), Merge(base, b, a)
		if string(one) != string(two) {
			t.Fatalf("seed %d:\n%s\n%s", seed, one, two)
		}
		if got := Merge(base, a, a); string(got) != string(a) {
			t.Fatalf("seed %d: a with itself\n%s\nis\n%s", seed, a, got)
		}
		if got := Merge(a, one, one); string(got) != string(one) {
			t.Fatalf("seed %d: again\n%s\nis\n%s", seed, one, got)
		}
		for id := range byID(a) {
			if _, there := byID(one)[id]; !there {
				t.Fatalf("seed %d: %s is lost", seed, id)
			}
		}
	}
}

func TestEraseSent(t *testing.T) {
	lines := travelling([]Turn{{Session: "s", PromptID: "a", Prompt: "The launch is in May."},
		{Session: "s", PromptID: "b", Prompt: "When?", Answer: "The launch is in May."},
		{Session: "s", PromptID: "c", Prompt: "Go on."}})
	has := func(words string) bool { return strings.Contains(words, "launch") }
	e := Erasure{Has: has, Loose: func(b []byte) bool { return has(string(b)) },
		Source: func(id string) bool { return id == "c" }}
	left, gone := EraseSent(lines, e)
	if want := `{"session":"s","id":"b","said":"When?"}` + "\n"; len(gone) != 3 || string(left) != want ||
		gone[0].ID != "a" || gone[0].Kind != "said" || gone[1].ID != "b" || gone[1].Kind != "answer" {
		t.Errorf("left is %s, %v", left, gone)
	}
	if again, gone := EraseSent(left, e); gone != nil || string(again) != string(left) {
		t.Errorf("again it left %s, %v", again, gone)
	}
	e.Source = func(id string) bool { return id == AnswerOf("b") }
	if left, _ := EraseSent([]byte(`{"session":"s","id":"b","said":"When?","answer":"Soon."}`+"\n"), e); string(left) !=
		`{"session":"s","id":"b","said":"When?"}`+"\n" {
		t.Errorf("of an answer is left %s", left)
	}
}
