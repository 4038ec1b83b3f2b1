package view

import (
	"time"

	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/pace"
	"github.com/mementohq/memento/internal/past"
)

// demo returns the page of an invented project, for the pictures in docs.
func demo() *Page {
	p := &Page{Version: "0.1.0", Written: noon.Format(time.RFC3339)}
	const mission = "Orders above 1,000 EUR are lost at checkout. Find out why, and never touch the tax tables."
	p.AddProject("shop", &journal.Journal{Mission: mission,
		MissionOpened: noon.Add(-3 * time.Hour).Format(time.RFC3339),
		Session:       "5f0c2a9e-41d7-4c8e-9d1b-7a2f60c3b8d4", Branch: "fix/cart-total",
		Wip: "Widen the order total to int64 in the payment client", Plan: []string{"Run the migration on a copy first",
			"Ask finance for three real orders"},
		Done: []journal.Entry{{Act: "reproduce the lost order", Result: "an int32 overflows at 1,000 EUR"}, {
			Act: "widen cart.Total", Result: "42 tests pass"}},
		Files: []string{"src/cart/total.ts", "src/payment/client.ts"},
		Error: &journal.Failure{Cmd: "npm test -- payment", Line: "expected 100001, got -2147483548"}},
		[]string{"Use the staging keys, production is frozen until Monday.",
			"Never touch the tax tables without asking me."},
		[]string{"Update the API description"}, nil,
		"[MEMENTO] Mission: "+mission+" | proj:shop\n"+
			"Rules: \"Never touch the tax tables without asking me.\"\n"+
			"Now: \"Use the staging keys, production is frozen until Monday.\"\n"+
			"Done: reproduce the lost order -> an int32 overflows at 1,000 EUR\n"+
			"Done: widen cart.Total -> 42 tests pass\n"+
			"WIP: Widen the order total to int64 in the payment client\n"+
			"Error: `npm test -- payment` -> expected 100001, got -2147483548\n"+
			"Plan: Run the migration on a copy first · Ask finance for three real orders", true)
	turn := func(ago time.Duration, prompt, answer string) past.Turn {
		return past.Turn{Time: noon.Add(-ago), Prompt: prompt, Answer: answer}
	}
	add := func(id string, of *told, turns ...past.Turn) {
		for i := range turns {
			turns[i].Session, turns[i].N = id, i+1
		}
		p.addSession("shop", turns, of)
	}
	first := turn(3*time.Hour, mission,
		"The total is an **int32**. It overflows above 1,000 EUR:\n\n- the cart counts in 1/1000 cent\n"+
			"- `Total()` adds them without a check\n\n| EUR | total |\n|---|---|\n| 999 | 99900000 |\n| 1,000 | "+
			"-2147483548 |")
	first.Ran = []past.Ran{{Cmd: "npm test -- cart", Line: "expected 100001, got -2147483548", Failed: true}}
	first.Files = []string{"src/cart/total.ts"}
	second := turn(2*time.Hour, "Good. Widen it, in the cart first.", "cart.Total is an int64 now, and 42 tests pass.")
	second.Ran, second.Commits = []past.Ran{{Cmd: "npm test -- cart", Line: "42 passing"}},
		[]string{"3f1c9aa Widen cart.Total"}
	second.Compacted = true
	third := turn(time.Hour, "Use the staging keys, production is frozen until Monday.",
		"Staging it is. The payment client still has an int32.")
	third.Ran = []past.Ran{{Cmd: "npm test -- payment", Line: "expected 100001, got -2147483548", Failed: true}}
	add("5f0c2a9e-41d7-4c8e-9d1b-7a2f60c3b8d4", &told{missions: []string{mission}, compactions: []history.Compaction{{
		TS: noon.Add(-2 * time.Hour).Format(time.RFC3339), Number: 1, Trigger: "auto",
		Facts: 7, Kept: 5, Lost: []string{"and never touch the tax tables.", "Good. Widen it, in the cart first."}}}},
		first, second, third)
	add("9b1e77d0-0c55-4f1a-8a34-2d6c9e0f1b23", &told{missions: []string{"Speed up the search for customers"}},
		turn(26*time.Hour, "The search for customers takes four seconds. Why?", "There is no index on lower(name)."),
		turn(25*time.Hour, "Add one, and measure before and after.", "4.1 s before, 12 ms after."))
	add("c4d8a1f6-7e2b-4b90-b3ad-51f0e7c9d812", nil, turn(50*time.Hour, "Translate the invoices into Danish.",
		"Done for the three templates; two words wait for your answer."))
	p.Rules = []Rule{{N: 482913, Text: "Never touch the tax tables without asking me.", Project: "shop", Sessions: 2,
		Last: noon.Format(time.RFC3339), By: "user"},
		{N: 733120, Text: "Measure before and after.", Project: "user", Own: true,
			By: "said", Sessions: 4, Last: noon.Add(-25 * time.Hour).Format(time.RFC3339)}}
	p.Records = []Record{{ID: "shop--count-in-cents", Project: "shop", Kind: "decision",
		Title:  "Count money in cents, as int64",
		Status: "active", Stage: "accepted", Created: noon.Add(-90 * time.Minute).Format(time.RFC3339),
		Updated: noon.Add(-90 * time.Minute).Format(time.RFC3339), Tags: []string{"money"},
		Body: "## Context\n\nAn int32 overflows above 1,000 EUR.\n\n## Decision\n\nEvery total is an int64 of " +
			"cents.\n"}}
	p.Waiting = []Waiting{{310877, "shop", "Production is frozen until Monday.",
		noon.Add(-time.Hour).Format(time.RFC3339)}}
	p.Machines = []Machine{{"shop", "laptop", pace.Mission{Mission: "Try the new payment provider", Branch: "payment-2",
		Opened: noon.Add(-48 * time.Hour).Format(time.RFC3339)}}}
	return p
}
