package plugin_test

import (
	"bytes"
	"encoding/json"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mementohq/memento/hooks"
	"github.com/mementohq/memento/internal/cli"
	"github.com/mementohq/memento/internal/permit"
	"github.com/mementohq/memento/skills"
)

// root is the repository; the plugin is the same folder.
const root = ".."

type manifest struct {
	Name        string
	Version     string
	Description string
	License     string
	Repository  string
	Author      struct{ Name string }
}

type market struct {
	Name    string
	Owner   struct{ Name string }
	Plugins []struct{ Name, Version, Description, Source, License string }
}

// decode reads a JSON file of the plugin. When strict, it fails on any field that v does not have.
func decode(t *testing.T, data []byte, strict bool, v any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(data))
	if strict {
		d.DisallowUnknownFields()
	}
	if err := d.Decode(v); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, elem ...string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(elem...))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestManifests: what two files say, they say alike. The client shows the marketplace's words before an install and
// the plugin's after it, and updates by comparing versions.
func TestManifests(t *testing.T) {
	var p manifest
	var m market
	decode(t, read(t, root, ".claude-plugin/plugin.json"), false, &p)
	decode(t, read(t, root, ".claude-plugin/marketplace.json"), false, &m)
	if len(m.Plugins) != 1 {
		t.Fatalf("the marketplace lists %d plugins, want 1", len(m.Plugins))
	}
	l := m.Plugins[0]
	for _, c := range []struct{ what, got, want string }{
		{"plugin name", p.Name, "memento"},
		{"version", p.Version, cli.Version},
		{"marketplace name", m.Name, "mementohq"},
		{"listed name", l.Name, p.Name},
		{"listed version", l.Version, p.Version},
		{"listed description", l.Description, p.Description},
		{"listed licence", l.License, p.License},
		{"listed source", l.Source, "./"},
		{"owner", m.Owner.Name, p.Author.Name},
		{"repository", p.Repository, "https://github.com/mementohq/memento"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %q, want %q", c.what, c.got, c.want)
		}
	}
	// Clients up to 2.1.77 refuse a plugin whose manifest has an unknown key, and report such a marketplace as
	// invalid. The newest client knows all other keys: measured on clients 2.1.9 to 2.1.330.
	for _, c := range []struct{ file, known string }{
		{"plugin.json", "name version description author homepage repository license keywords"},
		{"marketplace.json", "name metadata owner plugins"},
	} {
		var keys map[string]any
		decode(t, read(t, root, ".claude-plugin/"+c.file), false, &keys)
		for key := range keys {
			if !slices.Contains(strings.Fields(c.known), key) {
				t.Errorf("%s has the key %q, which the oldest clients refuse", c.file, key)
			}
		}
	}
	if !strings.HasPrefix(string(read(t, root, "LICENSE")), p.License+" License") {
		t.Errorf("LICENSE is not the %s License", p.License)
	}
}

// TestVersion compares every version in a file with cli.Version, which the binary prints, and the scripts' pins with
// checksums.txt. A wrong one would make an installation take another version or refuse the right one.
func TestVersion(t *testing.T) {
	sums := string(read(t, root, "plugin/checksums.txt"))
	head, pins, _ := strings.Cut(sums, "\n")
	if head != "# memento "+cli.Version {
		t.Errorf("checksums.txt begins %q, want # memento %s: go run -C tools ./release --pin", head, cli.Version)
	}
	line := regexp.MustCompile(`(?m)^[0-9a-f]{64}  (\S+)$`)
	var names []string
	for _, m := range line.FindAllStringSubmatch(pins, -1) {
		names = append(names, m[1])
	}
	want := []string{"memento-darwin-amd64", "memento-darwin-arm64", "memento-linux-amd64", "memento-linux-arm64",
		"memento-windows-amd64.exe", "memento-windows-arm64.exe"}
	if !slices.Equal(names, want) || strings.Count(pins, "\n") != len(want) {
		t.Errorf("checksums.txt lists %q, want %q", names, want)
	}
	for _, name := range []string{"install.sh", "install.ps1"} {
		_, rest, _ := strings.Cut(string(read(t, root, name)), "\n# pins: begin\n")
		block, _, ok := strings.Cut(rest, "\n# pins: end\n")
		if !ok {
			t.Errorf("%s has no block of pins", name)
			continue
		}
		if got := strings.Join(line.FindAllString(block, -1), "\n") + "\n"; got != pins {
			t.Errorf("%s pins\n%swant\n%s: go run -C tools ./release --pin", name, got, pins)
		}
		if v := regexp.MustCompile(`[0-9]+\.[0-9]+\.[0-9]+[^\s'"]*`).FindAllString(block, -1); !slices.Equal(v,
			[]string{cli.Version}) {
			t.Errorf("%s is of version %q, want %s: go run -C tools ./release --pin", name, v, cli.Version)
		}
	}
	// A heading of an unreleased version may stand above. tools/release refuses to release it.
	_, news, _ := strings.Cut(strings.Replace(string(read(t, root, "CHANGELOG.md")), "\n## Unreleased\n", "\n", 1),
		"\n## ")
	if newest, _, _ := strings.Cut(news, "\n"); newest != cli.Version {
		t.Errorf("the newest heading of CHANGELOG.md is %q, want %q", newest, cli.Version)
	}
}

// TestHooks checks that every entry has exec form and a short timeout: a shell fails at a space in the path, and the
// client's default timeout is ten minutes.
func TestHooks(t *testing.T) {
	type entry struct {
		Type, If, Command string
		Args              []string
		Timeout           int
	}
	type group struct {
		Matcher string
		Hooks   []entry
	}
	var f struct {
		Description string
		Hooks       map[string][]group
	}
	decode(t, hooks.JSON, true, &f)
	type filter struct{ matcher, condition string }
	filters := map[string][]filter{
		"SessionStart":     {{}},
		"UserPromptSubmit": {{}},
		"PreCompact":       {{}},
		"Stop":             {{}},
		"SubagentStart":    {{}},
		"SubagentStop":     {{}},
		"SessionEnd":       {{}},
		// no tool call matches both
		"PreToolUse": {{"Bash|PowerShell|Edit|Write|MultiEdit", ""},
			{"Read", "Read(**/.memento/*)"}},
		"PermissionRequest": {{"Bash|PowerShell|Read", ""}},
	}
	for event := range filters {
		if len(f.Hooks[event]) == 0 {
			t.Errorf("%s: memento is not wired to it", event)
		}
	}
	for event, groups := range f.Hooks {
		var got []filter
		for _, g := range groups {
			for _, h := range g.Hooks {
				got = append(got, filter{g.Matcher, h.If})
				if h.Type != "command" || h.Command != "${CLAUDE_PLUGIN_ROOT}/bin/memento" ||
					!slices.Equal(h.Args, []string{"hook"}) {
					t.Errorf("%s: %+v is not memento in exec form", event, h)
				}
				if h.Timeout < 1 || h.Timeout > 10 {
					t.Errorf("%s: timeout %d s, want 1 to 10", event, h.Timeout)
				}
			}
		}
		if !slices.Equal(got, filters[event]) {
			t.Errorf("%s: wired for %q, want %q: an entry too many runs memento twice", event, got, filters[event])
		}
	}
}

// TestSkill: the whole file enters the model's context at each use, and its description enters every session's.
func TestSkill(t *testing.T) {
	if n := strings.Count(skills.Memento, "\n"); n > 120 {
		t.Errorf("SKILL.md has %d lines, want at most 120", n)
	}
	head, body, ok := strings.Cut(strings.TrimPrefix(skills.Memento, "---\n"), "\n---\n")
	if !ok {
		t.Fatal("SKILL.md has no front matter")
	}
	field := map[string]string{}
	for line := range strings.Lines(head) {
		k, v, _ := strings.Cut(line, ": ")
		field[k] = strings.TrimSpace(v)
	}
	if field["name"] != "memento" {
		t.Errorf("name: %q, want memento", field["name"])
	}
	if d := field["description"]; len(d) == 0 || len(d) > 250 {
		t.Errorf("the description is %d characters, want 1 to 250", len(d))
	}
	factual(t, "SKILL.md", body)
}

// factual checks that a text states facts: the model's defences against injection refuse orders from outside the
// prompt, and accept facts.
func factual(t *testing.T, name, body string) {
	t.Helper()
	for _, order := range []string{"MUST", "ALWAYS", "NEVER", "IMPORTANT", "MANDATORY", "you must", "You must",
		"Do not", "do not "} {
		if strings.Contains(body, order) {
			t.Errorf("%s gives an order: it contains %q", name, order)
		}
	}
}

// TestSlashCommands: each folder is a slash command, memento install writes the same files, and a command takes no
// room in the context of a session that does not use it.
func TestSlashCommands(t *testing.T) {
	folders, err := filepath.Glob(filepath.Join(root, "skills/*/SKILL.md"))
	if err != nil {
		t.Fatal(err)
	}
	var names, listed []string
	for _, f := range folders {
		if name := filepath.Base(filepath.Dir(f)); name != "memento" {
			names = append(names, name)
		}
	}
	for _, c := range skills.Commands() {
		listed = append(listed, c.Name)
		if c.Text != string(read(t, root, "skills", c.Name, "SKILL.md")) {
			t.Errorf("%s is not what its file says", c.Name)
		}
		head, body, ok := strings.Cut(strings.TrimPrefix(c.Text, "---\n"), "\n---\n")
		if !ok || !strings.Contains(head, "name: "+c.Name+"\n") ||
			!strings.Contains(head+"\n", "\ndisable-model-invocation: true\n") ||
			!strings.Contains(head, "\ndescription: ") {
			t.Errorf("%s: the front matter is\n%s", c.Name, head)
		}
		if n := len(c.Text); n > 2000 {
			t.Errorf("%s has %d bytes, want at most 2000", c.Name, n)
		}
		factual(t, c.Name, body)
	}
	slices.Sort(listed)
	if !slices.Equal(names, listed) {
		t.Errorf("the folders are %q, the commands %q", names, listed)
	}
}

// TestSkillCommands: Claude types the commands that the skill shows, so none of them may bring up a dialog.
func TestSkillCommands(t *testing.T) {
	asks := []string{"memento forget", "memento pause", "memento pause --end"} // on purpose: only the user runs these
	seen := 0
	all := skills.Memento
	for _, c := range skills.Commands() {
		all += c.Text
	}
	for line := range strings.Lines(all) {
		var shown []string
		if c, ok := strings.CutPrefix(line, "    memento "); ok {
			shown = []string{"memento " + c}
		}
		for i, span := range strings.Split(line, "`") {
			if i%2 == 1 && strings.HasPrefix(span, "memento ") {
				shown = append(shown, span)
			}
		}
		for _, c := range shown {
			c = strings.TrimSpace(c)
			seen++
			if _, ok := permit.Command(c, "/home/alice/.local/bin/memento"); ok == slices.Contains(asks, c) {
				t.Errorf("%s: runs without a dialog: %v", c, ok)
			}
		}
	}
	if seen < 12 {
		t.Errorf("found %d commands, want the skill's dozen and more", seen)
	}
}

// TestIcon: the icon has the form that the plugin directory takes, and a small size.
func TestIcon(t *testing.T) {
	data := read(t, root, ".claude-plugin/icon.png")
	c, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if c.Width != c.Height || c.Width < 512 || c.Width > 1024 {
		t.Errorf("the icon is %d×%d, want a square of 512 to 1024", c.Width, c.Height)
	}
	if len(data) > 40_000 {
		t.Errorf("the icon is %d bytes, want at most 40,000", len(data))
	}
}
