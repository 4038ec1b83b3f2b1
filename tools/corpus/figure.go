package main

import (
	"encoding/json"
	"os"
)

// figures holds the figures of a run beside the goals, for programs: ./bench.sh reads the file that --json names.
type figures struct {
	Sessions    int      `json:"sessions"`
	Compactions int      `json:"compactions"`
	Shares      []share  `json:"shares"`
	Series      []series `json:"series"`
}

// share is how many of some items are kept, or are what Name says.
type share struct {
	Name   string  `json:"name"`
	When   string  `json:"when"` // all, 1st, 2nd+
	Items  int     `json:"items"`
	Native *int    `json:"native,omitempty"` // by the client's own summary alone; nil where that has no part in it
	Ours   int     `json:"ours"`
	Least  float64 `json:"least,omitempty"` // percent, the goal
	Most   float64 `json:"most,omitempty"`
}

// series is the sizes of a block at each compaction.
type series struct {
	Name   string    `json:"name"`
	Unit   string    `json:"unit"`
	Values []float64 `json:"values"`
	Median float64   `json:"median,omitempty"` // at most this is the goal
	Most   float64   `json:"most,omitempty"`
}

// figures collects the counts.
func (r *result) figures() figures {
	f := figures{Sessions: r.sessions, Compactions: r.compactions}
	least := map[string]float64{}
	for _, g := range goals {
		least[g.name] = g.percent
	}
	for _, name := range r.names {
		for _, when := range []string{"all", "2nd+"} { // the first ones are the difference
			s := r.scores[name][when]
			if s == nil {
				continue
			}
			one := share{Name: name, When: when, Items: s.items, Native: &s.native, Ours: s.both}
			if when == "all" {
				one.Least = least[name]
			}
			f.Shares = append(f.Shares, one)
		}
	}
	if r.earlier > 0 {
		f.Shares = append(f.Shares, share{Name: "messages from before the previous compaction, in an automatic brief",
			When: "2nd+", Items: r.earlier, Ours: r.handed, Least: leastHanded})
	}
	quoted := 0
	for _, n := range r.quoted {
		quoted += n
	}
	if quoted > 0 {
		f.Shares = append(f.Shares, share{Name: "neither rule nor task, of the labelled sentences that blocks quote",
			When: "1st", Items: quoted, Ours: r.quoted["other"], Most: mostOther})
	}
	if r.lines > 0 {
		f.Shares = append(f.Shares, share{Name: "taken for a secret, of the lines stored", When: "all", Items: r.lines,
			Ours: r.redacted, Most: .1})
	}
	for _, s := range sizes {
		one := series{Name: "the block at " + s.when + " compactions", Unit: "tokens", Median: float64(s.median),
			Most: float64(s.most)}
		for _, n := range r.block[s.when] {
			one.Values = append(one.Values, float64(n)/4)
		}
		f.Series = append(f.Series, one)
	}
	brief := series{Name: "the brief", Unit: "characters", Most: mostBrief}
	for _, n := range r.brief {
		brief.Values = append(brief.Values, float64(n))
	}
	f.Series = append(f.Series, brief)
	return f
}

// write puts the figures into the file at path.
func (f figures) write(path string) error {
	data, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(data, '\n'), 0o644)
}
