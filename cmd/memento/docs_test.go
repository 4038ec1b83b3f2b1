package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestDocs checks that every command, flag, variable, slash command, script, test and link in the documents exists.
func TestDocs(t *testing.T) {
	docs := newDocs(t)
	pages := docs.pages(t)
	if len(pages) < 15 {
		t.Fatalf("found only %q", pages)
	}
	for _, page := range pages {
		text, err := os.ReadFile(filepath.Join(docs.root, page))
		if err != nil {
			t.Fatal(err)
		}
		for _, fault := range docs.check(page, string(text)) {
			t.Error(fault)
		}
	}
}

// TestDocsCatches checks that TestDocs finds one mistake of each sort.
func TestDocsCatches(t *testing.T) {
	docs := newDocs(t)
	for _, tt := range []struct{ text, want string }{
		{"`memento lsit`", "no command lsit"},
		{"| `memento list`, `lsit --all` | x |", "no command lsit"},
		{"```sh\nmemento lsit\n```", "no command lsit"},
		{"```sh\ncd x && memento lsit   # words\n```", "no command lsit"},
		{"`memento list --al`", "memento list has no flag --al"},
		{"```\nmemento list --al\n```", "memento list has no flag --al"},
		{"| `memento list`, `search` | `--apply` |", "memento list, search has no flag --apply"},
		{"`memento rules kep 1`", "memento rules knows no kep"},
		{"`memento help nothing`", "memento help knows no nothing"},
		{"It has `--colourful`.", "nothing has a flag --colourful"},
		{"`MEMENTO_NOTHING=1`", "no code reads MEMENTO_NOTHING"},
		{"`/memento:nothing`", "no slash command /memento:nothing"},
		{"`./bench.sh --slow`", "./bench.sh has no flag --slow"},
		{"`./bensh.sh`", "no file bensh.sh"},
		{"`TestNothingAtAll`", "no test TestNothingAtAll"},
		{"[x](nothing.md)", "no file nothing.md"},
		{"[x](records.md#nothing)", "records.md has no heading #nothing"},
		{"[x](#nothing)", "README.md has no heading #nothing"},
	} {
		page := "docs/README.md"
		if got := docs.check(page, tt.text); len(got) != 1 || !strings.HasSuffix(got[0], tt.want) {
			t.Errorf("%q: found %q, want one fault %q", tt.text, got, tt.want)
		}
	}
	for _, text := range []string{
		"# Some Heading, *here*: `x`\n[x](#some-heading-here-x)", "`memento show --said | less`",
		"`memento save KIND \"--all\" --set a=b`",
		"`memento rules`, `rules keep N`", "`memento -h`", "[x](https://example.org/nothing)",
		"`memento list --tag=x`", "`TestLauncher…`",
		"```\nmemento myapp--alice.json\n```", "`/memento:recall`", "`./bench.sh --only hook`",
	} {
		if got := docs.check("docs/README.md", text); len(got) > 0 {
			t.Errorf("%q: found %q", text, got)
		}
	}
}

// TestSettingsTable compares the tables of settings with the output of memento config in an empty home.
func TestSettingsTable(t *testing.T) {
	docs := newDocs(t)
	var config struct {
		Settings []struct{ Env, Value string }
	}
	out := docs.memento(t, "config", "--json")
	if json.Unmarshal([]byte(out), &config) != nil || len(docs.settings) < 10 {
		t.Fatalf("memento config --json printed %s", out)
	}
	for _, page := range []string{"README.md", "docs/reference.md"} {
		text, err := os.ReadFile(filepath.Join(docs.root, page))
		if err != nil {
			t.Fatal(err)
		}
		rows := map[string]string{}
		for _, m := range settingRow.FindAllStringSubmatch(string(text), -1) {
			rows[m[1]] = strings.Trim(m[2], "`")
		}
		for _, s := range config.Settings {
			said, ok := rows[s.Env]
			if said == "off" && s.Value == "false" {
				said = "false"
			}
			switch {
			case s.Env == "":
			case !ok && page != "README.md":
				t.Errorf("%s has no row for %s", page, s.Env)
			case ok && s.Env != "MEMENTO_INSTANCE_TAG" && said != s.Value:
				t.Errorf("%s: the default of %s is %s, not %s", page, s.Env, s.Value, said)
			}
			delete(rows, s.Env)
		}
		for name := range rows {
			t.Errorf("%s: memento config has no %s", page, name)
		}
	}
}

// docs holds everything that the documents may name.
type docs struct {
	root  string
	flags map[string]map[string]bool // of each command
	help  map[string]string          // of each command
	any   map[string]bool            // flags of any command or script
	code  string                     // the Go files and scripts
	tests map[string]bool
	// settings holds the variables that memento config lists.
	settings map[string]bool
}

func newDocs(t *testing.T) *docs {
	t.Helper()
	if known != nil {
		return known
	}
	d := &docs{root: filepath.Join("..", ".."), flags: map[string]map[string]bool{}, help: map[string]string{},
		any: map[string]bool{}, tests: map[string]bool{}, settings: map[string]bool{}}
	envs := regexp.MustCompile(`"env":"(MEMENTO_[A-Z_]+)"`)
	for _, m := range envs.FindAllStringSubmatch(d.memento(t, "config", "--json"), -1) {
		d.settings[m[1]] = true
	}
	overview := d.memento(t, "help")
	for _, m := range regexp.MustCompile(`[a-z-]+`).FindAllString(overview, -1) {
		d.known(m)
	}
	if !d.flags["list"]["tag"] || !d.flags["save"]["set"] {
		t.Fatalf("memento help names none of list and save:\n%s", overview)
	}
	var code strings.Builder
	err := filepath.WalkDir(d.root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			if err == nil && e.Name() == ".git" {
				return fs.SkipDir
			}
			return err
		}
		ext := filepath.Ext(path)
		name := filepath.Base(path)
		launcher := filepath.Base(filepath.Dir(path)) == "bin" || name == "build" || name == "launcher"
		if ext != ".go" && ext != ".sh" && ext != ".ps1" && !launcher {
			return nil
		}
		text, err := os.ReadFile(path)
		for _, m := range regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)\w+)\(`).FindAllSubmatch(text, -1) {
			d.tests[string(m[1])] = true
		}
		if filepath.Base(path) != "docs_test.go" {
			code.Write(text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	d.code = code.String()
	known = d
	return d
}

// known is what newDocs returned: it reads the whole repository, once for all tests.
var known *docs

// known reports whether memento has the command, and stores its help and flags.
func (d *docs) known(name string) bool {
	if _, ok := d.help[name]; ok {
		return d.flags[name] != nil
	}
	help, _, code := run("help", name)
	d.help[name] = help
	if code != 0 || !strings.HasPrefix(help, "Usage: memento ") { // an unknown word, or a topic of help
		return false
	}
	d.flags[name] = map[string]bool{"h": true, "help": true}
	_, list, _ := strings.Cut(help, "\nFlags:\n")
	for _, m := range regexp.MustCompile(`(?m)^  -+([a-z-]+)`).FindAllStringSubmatch(list, -1) {
		d.flags[name][m[1]], d.any[m[1]] = true, true
	}
	return true
}

// memento runs a command, which must succeed, and returns its output.
func (d *docs) memento(t *testing.T, args ...string) string {
	t.Helper()
	out, stderr, code := run(args...)
	if code != 0 {
		t.Fatalf("memento %q ended with %d: %s", args, code, stderr)
	}
	return out
}

// run runs memento in this process, without a home.
func run(args ...string) (out, stderr string, code int) {
	env := map[string]string{"HOME": "/nonexistent", "USER": "alice"}
	code, out, stderr = inside(env, "/nonexistent", time.Now, "", args...)
	return out, stderr, code
}

// pages returns the Markdown files for people, relative to the root.
func (d *docs) pages(t *testing.T) []string {
	t.Helper()
	var pages []string
	for _, pattern := range []string{"*.md", "docs/*.md", "plugin/*.md"} {
		found, err := filepath.Glob(filepath.Join(d.root, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range found {
			page, _ := filepath.Rel(d.root, path)
			pages = append(pages, filepath.ToSlash(page))
		}
	}
	return pages
}

var (
	codeSpan  = regexp.MustCompile("`([^`\n]+)`")
	mdLink    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	anyFence  = regexp.MustCompile("(?ms)^```[^\n]*\n(.*?)^```$")
	flagWord  = regexp.MustCompile(`^--?([a-z][a-z-]*)(?:=.*)?$`)
	verbWord  = regexp.MustCompile(`^[a-z][a-z-]*$`)
	variable  = regexp.MustCompile(`MEMENTO_[A-Z_]*[A-Z]`)
	testName  = regexp.MustCompile("^(?:Test|Fuzz|Benchmark)[A-Z]\\w*$")
	slashVerb = regexp.MustCompile(`/memento:([a-z]+)`)
	quoted    = regexp.MustCompile(`"[^"]*"|'[^']*'`)
	heading   = regexp.MustCompile(`(?m)^#+ +(.*)$`)
	// settingRow is the variable and the default in a table of settings.
	settingRow = regexp.MustCompile("(?m)^\\| `(MEMENTO_[A-Z_]+)` \\| ([^|]+) \\|")
)

// check returns the mistakes on a page, a line each.
func (d *docs) check(page, text string) []string {
	var faults []string
	add := func(format string, args ...any) { faults = append(faults, page+": "+fmt.Sprintf(format, args...)) }
	text = strings.ReplaceAll(text, "\r\n", "\n")
	for _, v := range variable.FindAllString(text, -1) {
		if !strings.Contains(d.code, v) && !d.settings[v] {
			add("no code reads %s", v)
		}
	}
	for _, m := range slashVerb.FindAllStringSubmatch(text, -1) {
		if _, err := os.Stat(filepath.Join(d.root, "skills", m[1], "SKILL.md")); err != nil {
			add("no slash command /memento:%s", m[1])
		}
	}
	for _, f := range anyFence.FindAllStringSubmatch(text, -1) {
		for _, line := range strings.Split(f[1], "\n") {
			line, _, _ = strings.Cut(line, " #")
			for _, c := range regexp.MustCompile(`&&|\|`).Split(quoted.ReplaceAllString(line, "WORDS"), -1) {
				d.command(strings.Fields(c), add)
			}
		}
	}
	prose := anyFence.ReplaceAllString(text, "")
	for _, line := range strings.Split(prose, "\n") {
		d.line(line, add)
	}
	for _, m := range mdLink.FindAllStringSubmatch(codeSpan.ReplaceAllString(prose, "`x`"), -1) {
		d.link(page, text, m[1], add)
	}
	return faults
}

// line checks the code spans of a line. A span that begins with memento is a command. If the first cell of a table row
// begins with one, its other spans are commands too, and the flags in the row belong to one of them.
func (d *docs) line(line string, add func(string, ...any)) {
	row := strings.HasPrefix(line, "| `memento ")
	first := len(line)
	if row {
		if i := strings.Index(line[1:], " |"); i >= 0 {
			first = i + 1
		}
	}
	var commands []string
	for _, m := range codeSpan.FindAllStringSubmatchIndex(line, -1) {
		span := strings.ReplaceAll(line[m[2]:m[3]], `\|`, "|")
		if testName.MatchString(span) && !d.tests[span] {
			add("no test %s", span)
		}
		words := strings.Fields(strings.SplitN(quoted.ReplaceAllString(span, "WORDS"), " | ", 2)[0])
		if len(words) == 0 {
			continue
		}
		if row && m[0] < first && words[0] != "memento" && verbWord.MatchString(words[0]) {
			words = append([]string{"memento"}, words...)
		}
		if f := flagWord.FindStringSubmatch(words[0]); f != nil && strings.HasPrefix(words[0], "--") {
			if row && len(commands) > 0 {
				if !d.oneHas(commands, f[1]) {
					add("memento %s has no flag --%s", strings.Join(commands, ", "), f[1])
				}
			} else if !d.any[f[1]] && !strings.Contains(d.code, "--"+f[1]) &&
				!strings.Contains(d.code, `("`+f[1]+`",`) {
				add("nothing has a flag --%s", f[1])
			}
			continue
		}
		if d.command(words, add) && words[0] == "memento" && len(words) > 1 {
			commands = append(commands, words[1])
		}
	}
}

// oneHas reports whether one of commands has the flag.
func (d *docs) oneHas(commands []string, flag string) bool {
	for _, name := range commands {
		if d.flags[name][flag] {
			return true
		}
	}
	return false
}

// command checks one call, without its quotes. It reports whether memento or a script of this repository has the
// command.
func (d *docs) command(words []string, add func(string, ...any)) bool {
	if len(words) == 0 {
		return false
	}
	name := words[0]
	if strings.HasPrefix(name, "./") && strings.HasSuffix(name, ".sh") {
		script, err := os.ReadFile(filepath.Join(d.root, name))
		if err != nil {
			add("no file %s", name[2:])
			return false
		}
		if name == "./bench.sh" { // bench.sh passes its flags to the benchmark program
			program, _ := os.ReadFile(filepath.Join(d.root, "tools", "bench", "main.go"))
			script = append(script, program...)
		}
		for _, w := range words[1:] {
			f := flagWord.FindStringSubmatch(w)
			if f != nil && !bytes.Contains(script, []byte("--"+f[1])) &&
				!bytes.Contains(script, []byte(`"`+f[1]+`",`)) {
				add("%s has no flag %s", name, w)
			}
		}
		return true
	}
	if name != "memento" && name != "~/.local/bin/memento" || len(words) == 1 {
		return false
	}
	verb := words[1]
	if strings.HasPrefix(verb, "-") || !verbWord.MatchString(verb) {
		return false // a flag of memento itself, a file, or a placeholder
	}
	if !d.known(verb) {
		add("no command %s", verb)
		return false
	}
	flags := d.flags[verb]
	switch verb {
	case "rules", "workspace", "handoff", "help":
		if len(words) < 3 || !verbWord.MatchString(words[2]) {
			break
		}
		known := regexp.MustCompile(`\b` + words[2] + `\b`).MatchString(d.help[verb])
		if verb == "help" {
			known = d.known(words[2]) || d.help[words[2]] != ""
		}
		if !known {
			add("memento %s knows no %s", verb, words[2])
		}
	}
	for _, w := range words[2:] {
		if f := flagWord.FindStringSubmatch(w); f != nil && !flags[f[1]] {
			add("memento %s has no flag %s", verb, w)
		}
	}
	return true
}

// link checks that the target of a link exists: the file, and the heading in it.
func (d *docs) link(page, text, target string, add func(string, ...any)) {
	if strings.Contains(target, "://") {
		return
	}
	path, anchor, anchored := strings.Cut(target, "#")
	name := filepath.ToSlash(filepath.Base(page))
	if path != "" {
		data, err := os.ReadFile(filepath.Join(d.root, filepath.Dir(page), filepath.FromSlash(path)))
		if err != nil {
			add("no file %s", path)
			return
		}
		name, text = path, string(data)
	}
	if !anchored {
		return
	}
	seen := map[string]int{}
	text = anyFence.ReplaceAllString(strings.ReplaceAll(text, "\r\n", "\n"), "")
	for _, m := range heading.FindAllStringSubmatch(text, -1) {
		id := slug(m[1])
		if n := seen[id]; n > 0 {
			id = fmt.Sprintf("%s-%d", id, n)
		}
		seen[slug(m[1])]++
		if id == anchor {
			return
		}
	}
	add("%s has no heading #%s", name, anchor)
}

// slug makes the anchor of a heading, as GitHub does: lower case, letters, digits, hyphens; a space is a hyphen.
func slug(heading string) string {
	heading = regexp.MustCompile(`\[([^]]*)\]\([^)]*\)`).ReplaceAllString(heading, "$1")
	heading = regexp.MustCompile(`[^\p{L}\p{N}\- _]`).ReplaceAllString(strings.ToLower(strings.TrimSpace(heading)), "")
	return strings.ReplaceAll(heading, " ", "-")
}
