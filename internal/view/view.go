// Package view makes the page that memento view shows: one HTML file with everything that memento keeps of a project,
// which needs no network. It gathers the data, writes the file, and finds and removes such files again.
//
// Somebody else wrote most of what the page shows, so no word of it becomes markup: the data are JSON in which no
// character ends an element, and the page's script makes text of them. A policy in the page allows that script and
// that style alone, by their hashes, and no connection.
package view

import (
	"bufio"
	"crypto/sha256"
	_ "embed" // the page
	"encoding/base64"
	"encoding/json"
	"io"
	"strconv"
	"strings"

	"github.com/mementohq/memento/internal/pace"
)

var (
	//go:embed page/page.html
	pageHTML string
	//go:embed page/page.css
	pageStyle string
	//go:embed page/marked.js
	markedScript string // reads Markdown: npm's marked/lib/marked.umd.js, in the version of browser/package.json
	//go:embed page/page.js
	pageScript string
)

// Page is what the page shows at once. The turns come in blocks of their own.
type Page struct {
	Version  string    `json:"version"` // of this binary
	Written  string    `json:"written"` // RFC 3339
	Projects []Project `json:"projects"`
	Sessions []Session `json:"sessions"` // the newest first
	Rules    []Rule    `json:"rules"`
	Waiting  []Waiting `json:"waiting"`
	Records  []Record  `json:"records"`
	Machines []Machine `json:"machines"`
	Blocks   int       `json:"blocks"` // how many blocks of turns there are

	own   bool     // the user's own records are there
	turns [][]byte // each a block: the turns of a session as JSON
}

// Project is a project, and where its work stands.
type Project struct {
	Name      string      `json:"name"`
	Block     string      `json:"block"` // what Claude would get now
	Tokens    int         `json:"tokens"`
	After     bool        `json:"after"` // Block is that after a compaction, not that of a session that begins
	Mission   string      `json:"mission,omitempty"`
	MissionBy string      `json:"mission_by,omitempty"`
	Opened    string      `json:"opened,omitempty"`
	Closed    string      `json:"closed,omitempty"`
	Session   string      `json:"session,omitempty"`
	Branch    string      `json:"branch,omitempty"`
	Wip       string      `json:"wip,omitempty"`
	Summary   string      `json:"summary,omitempty"`
	Plan      []string    `json:"plan,omitempty"`
	Tasks     []string    `json:"tasks,omitempty"`
	Done      []string    `json:"done,omitempty"`
	Files     []string    `json:"files,omitempty"`
	Failing   [][2]string `json:"failing,omitempty"` // command, line of its output
	Said      []string    `json:"said,omitempty"`
}

// Session is a session of a project.
type Session struct {
	ID          string       `json:"id"`
	Project     string       `json:"project"`
	From        string       `json:"from"` // RFC 3339
	To          string       `json:"to"`
	Begins      string       `json:"begins"` // the beginning of its first prompt
	Model       string       `json:"model"`  // that answered: Claude, Codex
	Title       string       `json:"title,omitempty"`
	Recap       string       `json:"recap,omitempty"` // the newest
	Missions    []string     `json:"missions,omitempty"`
	Turns       int          `json:"turns"`
	Commits     int          `json:"commits,omitempty"`
	Failed      int          `json:"failed,omitempty"` // commands
	Compacted   int          `json:"compacted,omitempty"`
	Compactions []Compaction `json:"compactions,omitempty"` // those whose facts were counted
	Block       int          `json:"block"`                 // the number of the block with its turns
}

// Compaction is a compaction, and what it lost.
type Compaction struct {
	Turn    int      `json:"turn"` // the number of the turn in which it was
	Time    string   `json:"time"`
	Trigger string   `json:"trigger"`
	Facts   int      `json:"facts"`          // in memento's block
	Kept    int      `json:"kept"`           // of those, in the client's summary
	Lost    []string `json:"lost,omitempty"` // the others, which the block brought back
}

// Rule is what the user said that outlives its session.
type Rule struct {
	N        int    `json:"n"`
	Text     string `json:"text"`
	Project  string `json:"project"`
	Own      bool   `json:"own,omitempty"` // it holds in every project
	By       string `json:"by"`            // who kept it; see package rule
	Sessions int    `json:"sessions"`
	Last     string `json:"last"`
	Over     bool   `json:"over,omitempty"` // newer words replace it
}

// Record is a record, whole.
type Record struct {
	ID      string   `json:"id"`
	Project string   `json:"project"`
	Kind    string   `json:"kind"`
	Title   string   `json:"title"`
	Status  string   `json:"status"`
	Stage   string   `json:"stage,omitempty"`
	Created string   `json:"created"`
	Updated string   `json:"updated"`
	Tags    []string `json:"tags,omitempty"`
	Files   []string `json:"files,omitempty"`
	Body    string   `json:"body"`
}

// Waiting is a sentence of the user's that nobody has judged.
type Waiting struct {
	N       int    `json:"n"`
	Project string `json:"project"`
	Text    string `json:"text"`
	Time    string `json:"time"`
}

// Machine is the mission of another machine.
type Machine struct {
	Project string `json:"project"`
	Name    string `json:"name"`
	pace.Mission
}

// turn is a turn in a block. There may be tens of thousands, so its names are short.
type turn struct {
	N         int      `json:"n"`
	Time      string   `json:"t"`
	Prompt    string   `json:"p"`
	Asked     string   `json:"q,omitempty"`
	Answer    string   `json:"a,omitempty"`
	Ran       [][3]any `json:"r,omitempty"` // command, line of the output, whether it failed
	Commits   []string `json:"c,omitempty"`
	Files     []string `json:"f,omitempty"`
	Compacted bool     `json:"x,omitempty"`
}

// encode returns v as JSON that may stand in a script element: <, >, & and U+2028 and U+2029 are escaped, so that no
// word of it ends the element or begins a comment, and bytes that are no UTF-8 are replaced. v is made of strings,
// numbers and lists of them, so that encoding cannot fail.
func encode(v any) []byte {
	data, _ := json.Marshal(v)
	return data
}

// Write writes the page as HTML. Errors: those of to.
func (p *Page) Write(to io.Writer) error {
	p.Blocks = len(p.turns)
	p.Projects, p.Sessions, p.Rules = orEmpty(p.Projects), orEmpty(p.Sessions), orEmpty(p.Rules)
	p.Records, p.Waiting, p.Machines = orEmpty(p.Records), orEmpty(p.Waiting), orEmpty(p.Machines)
	style, script := "\n"+pageStyle, "\n"+markedScript+pageScript
	policy := "default-src 'none'; script-src '" + hash(script) + "'; style-src '" + hash(style) +
		"'; base-uri 'none'; form-action 'none'"
	out := bufio.NewWriterSize(to, 1<<16)
	before, after, _ := strings.Cut(pageHTML, "{turns}\n")
	out.WriteString(strings.NewReplacer("{policy}", policy, "{style}", style, "{head}", string(encode(p)),
		"{script}", script).Replace(before))
	for i, data := range p.turns {
		out.WriteString(`<script type="application/json" id="turns-` + strconv.Itoa(i) + `">`)
		out.Write(data)
		out.WriteString("</script>\n")
	}
	out.WriteString(after)
	return out.Flush() // it has kept the first error
}

// orEmpty makes nil a list, so that JSON has [] instead of null.
func orEmpty[T any](all []T) []T { return append([]T{}, all...) }

// hash names a script or a style in the page's policy.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
