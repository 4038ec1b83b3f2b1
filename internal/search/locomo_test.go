package search

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/mementohq/memento/internal/safefile"
)

// These tests measure the ranking on LoCoMo (snap-research/LoCoMo, data/locomo10.json). Its licence keeps it out of
// this repository. MEMENTO_LOCOMO names the file, or a file with some of its conversations.

type conversation struct {
	name      string
	docs      []Doc // its sessions
	turns     []Doc // their turns
	questions []question
}

type question struct {
	text     string
	evidence map[string]bool // by session
	turns    map[string]bool // by turn
}

func locomo(t testing.TB) []conversation {
	path := os.Getenv("MEMENTO_LOCOMO")
	if path == "" {
		t.Skip("QUALITY NOT MEASURED: MEMENTO_LOCOMO names no copy of LoCoMo's data/locomo10.json")
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var samples []struct {
		ID           string `json:"sample_id"`
		Conversation map[string]json.RawMessage
		QA           []struct {
			Question string
			Evidence []string
		}
	}
	if err := json.Unmarshal(data, &samples); err != nil {
		t.Fatal(err)
	}
	session, turn := regexp.MustCompile(`D(\d+):`), regexp.MustCompile(`D(\d+):(\d+)`)
	var out []conversation
	for _, s := range samples {
		c := conversation{name: s.ID}
		for n := 1; ; n++ {
			key := "session_" + strconv.Itoa(n)
			var date string
			if json.Unmarshal(s.Conversation[key+"_date_time"], &date) != nil {
				break
			}
			var turns []struct {
				Speaker, Text string
				Caption       string `json:"blip_caption"`
				ID            string `json:"dia_id"`
			}
			if json.Unmarshal(s.Conversation[key], &turns) != nil || len(turns) == 0 {
				continue
			}
			var b strings.Builder
			for i, turn := range turns {
				began := b.Len()
				fmt.Fprintf(&b, "%s: %s", turn.Speaker, turn.Text)
				if turn.Caption != "" {
					fmt.Fprintf(&b, " [%s]", turn.Caption)
				}
				b.WriteString("\n")
				c.turns = append(c.turns, Doc{Meta: Meta{ID: turn.ID, Type: Said, Project: c.name,
					Session: strconv.Itoa(n), Turn: i + 1}, Body: b.String()[began:]})
			}
			c.docs = append(c.docs, Doc{Meta: Meta{ID: c.name + "/" + strconv.Itoa(n), Title: date}, Body: b.String()})
		}
		for _, q := range s.QA {
			e := map[string]bool{}
			for _, id := range q.Evidence {
				for _, m := range session.FindAllStringSubmatch(id, -1) {
					e[c.name+"/"+m[1]] = true
				}
			}
			turns := map[string]bool{}
			for _, id := range q.Evidence {
				for _, m := range turn.FindAllString(id, -1) {
					turns[m] = true
				}
			}
			if len(e) > 0 {
				c.questions = append(c.questions, question{q.Question, e, turns})
			}
		}
		out = append(out, c)
	}
	if len(out) < 2 {
		t.Fatalf("%s holds %d conversations", path, len(out))
	}
	return out
}

// plain is textbook Okapi BM25: k1 1.2, b .75, no stemming. The ranking has to be better.
type plain struct {
	ids     []string
	counts  []map[string]int
	lengths []float64
	df      map[string]int
	mean    float64
}

func plainWords(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })
}

func newPlain(docs []Doc) *plain {
	p := &plain{df: map[string]int{}}
	for _, d := range docs {
		count := map[string]int{}
		all := plainWords(d.Title + "\n" + d.Body)
		for _, w := range all {
			count[w]++
		}
		for w := range count {
			p.df[w]++
		}
		p.ids, p.counts, p.lengths = append(p.ids, d.ID), append(p.counts, count), append(p.lengths, float64(len(all)))
		p.mean += float64(len(all))
	}
	p.mean /= float64(len(docs))
	return p
}

func (p *plain) rank(q string) []string {
	scores := make([]float64, len(p.ids))
	for _, w := range plainWords(q) {
		df := float64(p.df[w])
		if df == 0 {
			continue
		}
		idf := math.Log(1 + (float64(len(p.ids))-df+.5)/(df+.5))
		for i := range p.ids {
			tf := float64(p.counts[i][w])
			scores[i] += idf * tf * 2.2 / (tf + 1.2*(.25+.75*p.lengths[i]/p.mean))
		}
	}
	at := make([]int, len(p.ids))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	var out []string
	for _, i := range at {
		if scores[i] > 0 {
			out = append(out, p.ids[i])
		}
	}
	return out
}

// figures holds sums over questions.
type figures struct{ n, hit1, hit5, recall5, recall10, mrr float64 }

func (f *figures) add(ranked []string, evidence map[string]bool) {
	f.n++
	first, in5, in10 := 0, 0.0, 0.0
	for i, id := range ranked {
		if !evidence[id] {
			continue
		}
		if first == 0 {
			first = i + 1
		}
		if i < 5 {
			in5++
		}
		if i < 10 {
			in10++
		}
	}
	f.recall5 += in5 / float64(len(evidence))
	f.recall10 += in10 / float64(len(evidence))
	if first == 1 {
		f.hit1++
	}
	if in5 > 0 {
		f.hit5++
	}
	if first > 0 {
		f.mrr += 1 / float64(first)
	}
}

func (f figures) merge(g figures) figures {
	return figures{f.n + g.n, f.hit1 + g.hit1, f.hit5 + g.hit5, f.recall5 + g.recall5, f.recall10 + g.recall10, f.mrr +
		g.mrr}
}

func (f figures) String() string {
	return fmt.Sprintf("%.3f / %.3f / %.3f / %.3f / %.3f", f.hit1/f.n, f.hit5/f.n, f.recall5/f.n, f.recall10/f.n,
		f.mrr/f.n)
}

func indexed(t testing.TB, docs []Doc) *Index {
	t.Helper()
	dir := t.TempDir()
	if err := Update(dir, time.Second, docs, nil); err != nil {
		t.Fatal(err)
	}
	x, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(x.Close)
	return x
}

func ids(t testing.TB, x *Index, q string, w *weights) []string {
	t.Helper()
	hits, err := x.query(q, Keep{}, 1000, w)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, h := range hits {
		out = append(out, h.ID)
	}
	return out
}

// measure queries each question in the index of its own conversation.
func measure(t testing.TB, cs []conversation, w *weights) (each []figures, total figures) {
	for _, c := range cs {
		x := indexed(t, c.docs)
		var f figures
		for _, q := range c.questions {
			f.add(ids(t, x, q.text, w), q.evidence)
		}
		each, total = append(each, f), total.merge(f)
	}
	return each, total
}

// TestQuality checks by how much the ranking is better than plain BM25 in the same run.
func TestQuality(t *testing.T) {
	cs := locomo(t)
	t.Log("hit@1 / hit@5 / recall@5 / recall@10 / MRR; one index a conversation")
	var base, ours figures
	each, _ := measure(t, cs, &standard)
	for i, c := range cs {
		p, f := newPlain(c.docs), figures{}
		for _, q := range c.questions {
			f.add(p.rank(q.text), q.evidence)
		}
		t.Logf("%-8s %4.0f questions   plain %v   ours %v", c.name, f.n, f, each[i])
		if g := each[i]; g.hit1 < f.hit1 || g.recall5 < f.recall5 || g.mrr < f.mrr {
			t.Errorf("%s: below plain BM25", c.name)
		}
		base, ours = base.merge(f), ours.merge(each[i])
	}
	t.Logf("together %4.0f questions   plain %v   ours %v", base.n, base, ours)
	if n := base.n; (ours.hit1-base.hit1)/n < .03 || (ours.recall5-base.recall5)/n < .02 ||
		(ours.mrr-base.mrr)/n < .02 {
		t.Error("not enough above plain BM25")
	}

	var docs []Doc
	for _, c := range cs {
		docs = append(docs, c.docs...)
	}
	x, p := indexed(t, docs), newPlain(docs)
	base, ours = figures{}, figures{}
	for _, c := range cs {
		for _, q := range c.questions {
			base.add(p.rank(q.text), q.evidence)
			ours.add(ids(t, x, q.text, &standard), q.evidence)
		}
	}
	t.Logf("one index of %d sessions     plain %v   ours %v", len(docs), base, ours)
	if ours.hit1 < base.hit1 || ours.recall5 < base.recall5 || ours.mrr < base.mrr {
		t.Error("one index: below plain BM25")
	}
}

// turnIndex returns an index of the turns of conversations.
func turnIndex(t testing.TB, cs ...conversation) *Index {
	t.Helper()
	sessions := map[string][]Doc{}
	from := Source{Turns: true, Files: map[string]safefile.Stamp{}}
	for _, c := range cs {
		for _, d := range c.turns {
			id := SessionID(d.Project, d.Session)
			sessions[id] = append(sessions[id], d)
			from.Files[id] = safefile.Stamp{}
		}
	}
	from.Get = func(id string) ([]Doc, error) { return sessions[id], nil }
	x, _, err := Follow(t.TempDir(), time.Second, from)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(x.Close)
	return x
}

// rankTurns returns the names of the turns that answer q.
func rankTurns(t testing.TB, x *Index, q string, w *weights) (out []string) {
	t.Helper()
	hits, err := x.query(q, Keep{}, 200, w)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range hits {
		out = append(out, fmt.Sprintf("D%s:%d", h.Session, h.Turn))
	}
	return out
}

// TestQualityOfTurns ranks single turns: the evidence of each question names them.
func TestQualityOfTurns(t *testing.T) {
	cs := locomo(t)
	var base, ours, flat figures
	noContext := standard
	noContext.context = 0
	for _, c := range cs {
		x, p := turnIndex(t, c), newPlain(c.turns)
		for _, q := range c.questions {
			if len(q.turns) == 0 {
				continue
			}
			base.add(p.rank(q.text), q.turns)
			ours.add(rankTurns(t, x, q.text, &standard), q.turns)
			flat.add(rankTurns(t, x, q.text, &noContext), q.turns)
		}
	}
	t.Logf("hit@1 / hit@5 / recall@5 / recall@10 / MRR; one index of turns a conversation, %.0f questions", base.n)
	t.Logf("plain %v   ours %v   ours without context %v", base, ours, flat)
	if ours.hit1 < base.hit1 || ours.recall5 < base.recall5 || ours.mrr < base.mrr {
		t.Error("below plain BM25")
	}
}

// TestCross measures the gain on a conversation that did not choose the weights: four conversations choose them from a
// grid around the textbook's and ours, and the fifth measures. Each conversation takes its turn.
func TestCross(t *testing.T) {
	cs := locomo(t)
	var grid []weights
	for _, passage := range []float64{0.25, 0.5, 1, 1.5} {
		for _, grain := range []float64{0, 0.4, 0.8} {
			for _, window := range []int{2, 5} {
				w := standard
				w.passage, w.grain, w.window = passage, grain, window
				grid = append(grid, w)
			}
		}
	}
	figuresOf := make([][]figures, len(grid)) // by weights and conversation
	for i := range grid {
		figuresOf[i], _ = measure(t, cs, &grid[i])
	}
	standardOf, _ := measure(t, cs, &standard)
	sum := func(f figures) float64 { return (f.hit1 + f.recall5 + f.mrr) / f.n }
	var mean, least figures
	for i, c := range cs {
		best, top := 0, -1.0
		for k := range grid {
			var f figures
			for j := range cs {
				if j != i {
					f = f.merge(figuresOf[k][j])
				}
			}
			if v := sum(f); v > top {
				best, top = k, v
			}
		}
		p, base := newPlain(c.docs), figures{}
		for _, q := range c.questions {
			base.add(p.rank(q.text), q.evidence)
		}
		gain := func(f figures) figures {
			return figures{1, (f.hit1 - base.hit1) / f.n, (f.hit5 - base.hit5) / f.n, (f.recall5 - base.recall5) / f.n,
				(f.recall10 - base.recall10) / f.n, (f.mrr - base.mrr) / f.n}
		}
		tuned := gain(figuresOf[best][i])
		t.Logf("%-8s chosen by the others: passage %.2f, grain %.1f, window %d; gain %v; with ours %v", c.name,
			grid[best].passage, grid[best].grain, grid[best].window, tuned, gain(standardOf[i]))
		if mean = mean.merge(tuned); i == 0 {
			least = tuned
		}
		least = figures{1, min(least.hit1, tuned.hit1), min(least.hit5, tuned.hit5), min(least.recall5, tuned.recall5),
			min(least.recall10, tuned.recall10), min(least.mrr, tuned.mrr)}
	}
	t.Logf("gain on a conversation kept aside: mean %v, least %v", mean, least)
	if n := mean.n; mean.hit1/n < .03 || mean.recall5/n < .02 || mean.mrr/n < .02 || least.hit1 < 0 ||
		least.recall5 < 0 || least.mrr < 0 {
		t.Error("the gain does not hold where nothing was fitted")
	}
}
