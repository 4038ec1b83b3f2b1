// Package compare measures the search index beside SQLite's FTS5, with two drivers. It is a module of its own, so
// that memento requires none of its dependencies:
//
//	cd internal/search/compare && go test -v .
//
// Quality needs MEMENTO_LOCOMO, as in package search.
package compare

import (
	"bytes"
	"cmp"
	"database/sql"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	_ "github.com/ncruces/go-sqlite3/driver"
	_ "github.com/ncruces/go-sqlite3/embed"
	_ "modernc.org/sqlite"

	"github.com/mementohq/memento/internal/search"
)

// table makes an FTS5 table of docs.
func table(t testing.TB, driver, path, tokenize string, docs []search.Doc) *sql.DB {
	t.Helper()
	db, err := sql.Open(driver, "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("create virtual table records using fts5(id unindexed, title, body, tokenize='" + tokenize +
		"')"); err != nil {
		t.Fatal(err)
	}
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range docs {
		if _, err := tx.Exec("insert into records values(?,?,?)", d.ID, d.Title, d.Body); err != nil {
			t.Fatal(err)
		}
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	return db
}

// match turns a query into one of FTS5: any of the query's words matches.
func match(q string) string {
	words := strings.FieldsFunc(q, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for i, w := range words {
		words[i] = `"` + w + `"`
	}
	return strings.Join(words, " OR ")
}

// records makes n records of some 300 words each. The words have frequencies as in natural text.
func records(n int) []search.Doc {
	r := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(r, 1.1, 2, 50000)
	word := func() string {
		v := zipf.Uint64()
		var b strings.Builder
		for v = v*7 + 11; v > 0; v /= 20 {
			b.WriteByte("bcdfghjklmnpqrstvwxz"[v%20])
			b.WriteByte("aeiou"[v%5])
		}
		return b.String()
	}
	docs := make([]search.Doc, n)
	for i := range docs {
		var b strings.Builder
		for k := range 200 + r.IntN(200) {
			b.WriteString(word())
			if k%14 == 13 {
				b.WriteString(".\n")
			} else {
				b.WriteByte(' ')
			}
		}
		docs[i] = search.Doc{Meta: search.Meta{ID: fmt.Sprintf("shop--%s-%d", word(), i), Title: word() + " " + word() +
			" " + word(), Kind: "decision", Project: "shop",
			Tags: []string{word()}}, Body: b.String()}
	}
	return docs
}

func TestLatency(t *testing.T) {
	bin := t.TempDir()
	for _, name := range []string{"hello", "own", "ncruces", "modernc"} {
		cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", filepath.Join(bin, name), "./"+name)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		info, err := os.Stat(filepath.Join(bin, name))
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%-8s %5.1f MB", name, float64(info.Size())/1e6)
	}
	for _, n := range []int{1000, 10000} {
		dir := filepath.Join(t.TempDir(), "store")
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		docs := records(n)
		for i, d := range docs {
			path := filepath.Join(dir, d.ID+".md")
			if err := os.WriteFile(path, []byte(d.Body), 0o600); err != nil {
				t.Fatal(err)
			}
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			docs[i].Stamp = search.Stamp{Size: info.Size(), Time: info.ModTime().UnixNano()}
		}
		began := time.Now()
		if err := search.Update(dir, time.Second, docs, nil); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(filepath.Join(dir, search.Folder, "base"))
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d records: built in %v, %.1f MB", n, time.Since(began).Round(time.Millisecond),
			float64(info.Size())/1e6)
		var saves []time.Duration
		for i := range 101 {
			began := time.Now()
			if err := search.Update(dir, time.Second, docs[i:i+1], nil); err != nil {
				t.Fatal(err)
			}
			saves = append(saves, time.Since(began))
		}
		slices.Sort(saves)
		t.Logf("%d records: one saved again: median %v, worst of 101 (a merge, where there was one) %v", n, saves[50],
			saves[100])
		began = time.Now()
		table(t, "sqlite3", filepath.Join(dir, "fts.db"), "porter unicode61", docs).Close()
		if info, err = os.Stat(filepath.Join(dir, "fts.db")); err != nil {
			t.Fatal(err)
		}
		t.Logf("%d records: FTS5 built in %v, %.1f MB", n, time.Since(began).Round(time.Millisecond),
			float64(info.Size())/1e6)
		queries := []string{}
		for i := range 10 {
			queries = append(queries, strings.Join(strings.Fields(docs[i*n/10].Body)[20:26], " "))
		}
		type run struct {
			name string
			args func(q string) []string
		}
		for _, r := range []run{
			{"hello", func(q string) []string { return nil }},
			{"own", func(q string) []string { return []string{dir, q} }},
			{"own -scan", func(q string) []string { return []string{"-scan", dir, q} }},
			{"ncruces", func(q string) []string { return []string{dir, match(q)} }},
			{"modernc", func(q string) []string { return []string{dir, match(q)} }},
		} {
			var took []time.Duration
			var cpu time.Duration
			for i := range 60 {
				cmd := exec.Command(filepath.Join(bin, strings.Fields(r.name)[0]), r.args(queries[i%10])...)
				var out bytes.Buffer
				cmd.Stdout, cmd.Stderr = &out, &out
				began := time.Now()
				err := cmd.Run()
				took = append(took, time.Since(began))
				cpu += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
				if err != nil || r.name != "hello" && strings.Count(out.String(), "\n") != 10 {
					t.Fatalf("%s: %v\n%s", r.name, err, out.String())
				}
			}
			slices.Sort(took)
			t.Logf("%5d records, whole process, %-9s median %5.2f ms, 9 in 10 within %5.2f ms, processor %5.2f ms", n,
				r.name, ms(took[30]), ms(took[54]), ms(cpu/60))
		}
	}
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// talk is a conversation in several sessions, with questions whose evidence names turns of it.
type talk struct {
	Conversation map[string]json.RawMessage
	QA           []struct {
		Question string
		Evidence []string
	}
}

// talks returns LoCoMo's conversations. It skips the test where MEMENTO_LOCOMO names no copy of them.
func talks(t *testing.T) (all []talk) {
	t.Helper()
	path := os.Getenv("MEMENTO_LOCOMO")
	if path == "" {
		t.Skip("QUALITY NOT MEASURED: MEMENTO_LOCOMO names no copy of LoCoMo's data/locomo10.json")
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestQuality(t *testing.T) {
	sums := map[string]*figures{}
	session := regexp.MustCompile(`D(\d+):`)
	for _, s := range talks(t) {
		var docs []search.Doc
		for n := 1; ; n++ {
			key := "session_" + strconv.Itoa(n)
			var d search.Doc
			if json.Unmarshal(s.Conversation[key+"_date_time"], &d.Title) != nil {
				break
			}
			var turns []struct {
				Speaker, Text string
				Caption       string `json:"blip_caption"`
			}
			if json.Unmarshal(s.Conversation[key], &turns) != nil || len(turns) == 0 {
				continue
			}
			for _, turn := range turns {
				d.Body += turn.Speaker + ": " + turn.Text
				if turn.Caption != "" {
					d.Body += " [" + turn.Caption + "]"
				}
				d.Body += "\n"
			}
			d.ID = strconv.Itoa(n)
			docs = append(docs, d)
		}
		dir := t.TempDir()
		if err := search.Update(dir, time.Second, docs, nil); err != nil {
			t.Fatal(err)
		}
		x, err := search.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		ways := map[string]func(q string) []string{"own": func(q string) []string { return askOwn(t, x, q) }}
		for name, w := range map[string]struct{ driver, tokenize string }{
			"ncruces unicode61": {"sqlite3", "unicode61"}, "ncruces porter": {"sqlite3", "porter unicode61"},
			"modernc porter": {"sqlite", "porter unicode61"}} {
			db := table(t, w.driver, filepath.Join(dir, strings.ReplaceAll(name, " ", "")+".db"), w.tokenize, docs)
			defer db.Close()
			ways[name] = func(q string) []string { return ask(t, db, q) }
		}
		for _, q := range s.QA {
			evidence := map[string]bool{}
			for _, e := range q.Evidence {
				for _, m := range session.FindAllStringSubmatch(e, -1) {
					evidence[m[1]] = true
				}
			}
			if len(evidence) == 0 {
				continue
			}
			for name, rank := range ways {
				if sums[name] == nil {
					sums[name] = &figures{}
				}
				sums[name].add(rank(q.Question), evidence)
			}
		}
		x.Close()
	}
	type line struct {
		name string
		figures
	}
	var lines []line
	for name, f := range sums {
		lines = append(lines, line{name, *f})
	}
	slices.SortFunc(lines, func(a, b line) int { return cmp.Compare(b.hit1, a.hit1) })
	for _, l := range lines {
		t.Logf("%-18s hit@1 %.3f recall@5 %.3f MRR %.3f", l.name, l.hit1/l.n, l.recall5/l.n, l.mrr/l.n)
	}
	if lines[0].name != "own" {
		t.Error("FTS5 ranks better")
	}
}

// TestQualityOfTurns ranks single turns beside FTS5: the evidence of each question names them.
func TestQualityOfTurns(t *testing.T) {
	turn := regexp.MustCompile(`D\d+:\d+`)
	sums := map[string]*figures{"own": {}, "unicode61": {}, "porter": {}}
	for _, s := range talks(t) {
		var docs []search.Doc
		sessions := map[string][]search.Doc{}
		from := search.Sessions{Whole: func(string) bool { return true },
			Get: func(s search.Session) ([]search.Doc, error) { return sessions[s.ID], nil }}
		for n := 1; s.Conversation["session_"+strconv.Itoa(n)+"_date_time"] != nil; n++ {
			var turns []struct {
				Speaker, Text string
				Caption       string `json:"blip_caption"`
				ID            string `json:"dia_id"`
			}
			id := strconv.Itoa(n)
			_ = json.Unmarshal(s.Conversation["session_"+id], &turns)
			for i, one := range turns {
				d := search.Doc{Meta: search.Meta{ID: one.ID, Type: search.Said, Turn: i + 1},
					Body: one.Speaker + ": " + one.Text + "\n"}
				if one.Caption != "" {
					d.Body = one.Speaker + ": " + one.Text + " [" + one.Caption + "]\n"
				}
				docs, sessions[id] = append(docs, d), append(sessions[id], d)
			}
			from.There = append(from.There, search.Session{Project: "talk", ID: id})
		}
		dir := t.TempDir()
		x, err := search.OpenTurns(dir)
		if err != nil {
			t.Fatal(err)
		}
		if x, _, err = x.Follow(dir, time.Second, from); err != nil {
			t.Fatal(err)
		}
		ways := map[string]func(q string) []string{"own": func(q string) []string { return askOwn(t, x, q) }}
		for name, tokenize := range map[string]string{"unicode61": "unicode61", "porter": "porter unicode61"} {
			db := table(t, "sqlite3", filepath.Join(dir, name+".db"), tokenize, docs)
			defer db.Close()
			ways[name] = func(q string) []string { return ask(t, db, q) }
		}
		for _, q := range s.QA {
			evidence := map[string]bool{}
			for _, e := range q.Evidence {
				for _, id := range turn.FindAllString(e, -1) {
					evidence[id] = true
				}
			}
			for name, rank := range ways {
				if len(evidence) > 0 {
					sums[name].add(rank(q.Question), evidence)
				}
			}
		}
		x.Close()
	}
	for name, f := range sums {
		t.Logf("%-10s hit@1 %.3f recall@5 %.3f MRR %.3f of %.0f", name, f.hit1/f.n, f.recall5/f.n, f.mrr/f.n, f.n)
		if own := sums["own"]; own.hit1 < f.hit1 || own.recall5 < f.recall5 || own.mrr < f.mrr {
			t.Error("FTS5 ranks better")
		}
	}
}

// figures are sums over questions.
type figures struct{ n, hit1, recall5, mrr float64 }

func (f *figures) add(ranked []string, evidence map[string]bool) {
	f.n++
	first := 0
	for i, id := range ranked {
		if evidence[id] && i < 5 {
			f.recall5 += 1 / float64(len(evidence))
		}
		if evidence[id] && first == 0 {
			first = i + 1
			f.mrr += 1 / float64(first)
		}
	}
	if first == 1 {
		f.hit1++
	}
}

// askOwn returns the ids that memento's own index finds for a question.
func askOwn(t testing.TB, x *search.Index, q string) (out []string) {
	t.Helper()
	hits, err := x.Query(q, search.Keep{}, 50)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range hits {
		out = append(out, h.ID)
	}
	return out
}

// ask returns the ids that FTS5 finds for a question.
func ask(t testing.TB, db *sql.DB, q string) (out []string) {
	t.Helper()
	rows, err := db.Query("select id from records where records match ? order by rank limit 50", match(q))
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			t.Fatal(err)
		}
		out = append(out, id)
	}
	return out
}
