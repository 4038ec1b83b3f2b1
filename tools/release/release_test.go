package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
)

const repository = "../.."

// fakeGo stands in for go env and go build, as plugin/build calls them. The binary that it writes runs, prints its
// version, and depends on the platform and on one source file.
const fakeGo = `#!/bin/sh
case $1 in build) ;; *) exit 0 ;; esac
if [ -e broken ]; then echo "main.go:3: no such thing" >&2; exit 1; fi
for last; do :; done
while [ "$1" != -o ]; do shift; done
{ echo '#!/bin/sh'; echo "# $last"; echo "echo 'memento $(cat cmd/memento/version) ($GOOS/$GOARCH)'"; cat cmd/memento/main.go; } >"$2"
chmod +x "$2"
`

const (
	shellBlock = "#!/bin/sh\nset -eu\n\n# pins: begin\nversion=0.0.9\npins='\nPINS'\n# pins: end\n\necho 1.2.3 " +
		"installs\n"
	powerBlock = "# A comment\n# pins: begin\n$version = '0.0.9'\n$pins = @'\nPINS'@\n# pins: end\nWrite-Output 1.2.3\n"
)

// every returns the binaries of a release, each with its name for data.
func every() (all []binary) {
	for _, p := range platforms {
		b := binary{platform: p}
		b.data = []byte(b.asset())
		b.sum = sum(b.data)
		all = append(all, b)
	}
	return all
}

// zeros are pins that match no binary.
func zeros() string {
	var out strings.Builder
	for _, b := range every() {
		out.WriteString(strings.Repeat("0", 64) + "  " + b.asset() + "\n")
	}
	return out.String()
}

// mini returns a small checkout with everything that a release needs, in a folder with a space and a letter beyond
// ASCII, with stubs for the programs and a Go that builds at once. Its pins are zeros.
func mini(t *testing.T) string {
	t.Helper()
	dir, path := filepath.Join(t.TempDir(), "büro 1", "memento"), filepath.Join(t.TempDir(), "path")
	write(t, filepath.Join(path, "go"), fakeGo)
	for _, name := range []string{"plugin/build", "hooks/hooks.json", "skills/memento/SKILL.md", "LICENSE", "README.md",
		".claude-plugin/plugin.json", ".claude-plugin/marketplace.json", ".claude-plugin/icon.png", "bin/memento",
		"plugin/launcher"} {
		data := read(t, repository, name)
		switch name {
		case "plugin/build": // the Go that runs this test counts as the Go of releases
			data = released(t, data, runtime.Version())
			data = bytes.Replace(data, []byte("\n"), []byte("\nPATH='"+path+"':$PATH\n"), 1)
		case ".claude-plugin/plugin.json", ".claude-plugin/marketplace.json":
			v, err := readProject(repository)
			if err != nil {
				t.Fatal(err)
			}
			data = bytes.Replace(data, []byte(`"`+v.Version+`"`), []byte(`"0.1.0"`), 1)
		}
		write(t, filepath.Join(dir, name), string(data))
	}
	write(t, filepath.Join(dir, "CHANGELOG.md"), "# Changelog\n\n## 0.1.0\n\n- News.\n\n## 0.0.9\n")
	write(t, filepath.Join(dir, "cmd/memento/main.go"), "# package main\n")
	write(t, filepath.Join(dir, "cmd/memento/version"), "0.1.0\n")
	write(t, filepath.Join(dir, "plugin/checksums.txt"), "# memento 0.0.9\n"+zeros())
	write(t, filepath.Join(dir, "install.sh"), strings.Replace(shellBlock, "PINS", zeros(), 1))
	write(t, filepath.Join(dir, "install.ps1"), strings.Replace(powerBlock, "PINS", zeros(), 1))
	return dir
}

// released is plugin/build with another Go version in it.
func released(t *testing.T, script []byte, version string) []byte {
	t.Helper()
	before, rest, ok := bytes.Cut(script, []byte("\nreleased_with="))
	_, after, ok2 := bytes.Cut(rest, []byte("\n"))
	if !ok || !ok2 {
		t.Fatal("plugin/build states no released_with")
	}
	return slices.Concat(before, []byte("\nreleased_with="+version+"\n"), after)
}

func read(t *testing.T, elem ...string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(elem...))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// write writes the file, as a program if it is a script.
func write(t *testing.T, name, data string) {
	t.Helper()
	mode := fs.FileMode(0o644)
	if strings.HasPrefix(data, "#!") {
		mode = 0o755
	}
	fixture.Put(t, name, data, mode)
}

// tree returns the files below dir, without git's own.
func tree(t *testing.T, dir string) map[string]string { return fixture.Tree(t, dir, ".git") }

// changed lists the differences between two trees.
func changed(before, after map[string]string) []string {
	var names []string
	for name, data := range after {
		if was, ok := before[name]; !ok || was != data {
			names = append(names, name)
		}
	}
	for name := range before {
		if _, ok := after[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func call(root string, args ...string) (code int, stdout, stderr string) {
	var o, e bytes.Buffer
	code = run(root, args, &o, &e)
	return code, o.String(), e.String()
}

// good runs a command that must succeed.
func good(t *testing.T, root string, args ...string) string {
	t.Helper()
	code, stdout, stderr := call(root, args...)
	if code != 0 || stderr != "" {
		t.Fatalf("%q: exit %d, stderr %q; want 0 and nothing", args, code, stderr)
	}
	return stdout
}

func TestPin(t *testing.T) {
	t.Parallel()
	root := mini(t)
	before := tree(t, root)
	if code, _, stderr := call(root, "--check"); code != 1 ||
		!strings.Contains(stderr, "hint: go run -C tools ./release --pin") {
		t.Errorf("--check of zeros: exit %d, %q; want 1 and the command that pins", code, stderr)
	}
	if got := changed(before, tree(t, root)); got != nil {
		t.Errorf("--check changed %q", got)
	}
	good(t, root, "--pin")
	after := tree(t, root)
	if got, want := changed(before, after), []string{"install.ps1", "install.sh",
		"plugin/checksums.txt"}; !slices.Equal(got, want) {
		t.Errorf("--pin changed %q, want %q", got, want)
	}
	head, sums, _ := strings.Cut(string(read(t, root, "plugin/checksums.txt")), "\n")
	if head != "# memento 0.1.0" {
		t.Errorf("checksums.txt begins %q", head)
	}
	if n := strings.Count(sums, "\n"); n != 6 || strings.Contains(sums, "0000000000") {
		t.Errorf("checksums.txt lists %d sums, want 6 of binaries:\n%s", n, sums)
	}
	// Nothing around the block changes, not even what looks like a version; the mode stays.
	if got, want := after["install.sh"], "-rwxr-xr-x "+strings.NewReplacer("PINS", sums, "0.0.9",
		"0.1.0").Replace(shellBlock); got != want {
		t.Errorf("install.sh:\n%s\nwant\n%s", got, want)
	}
	if got, want := after["install.ps1"], "-rw-r--r-- "+strings.NewReplacer("PINS", sums, "0.0.9",
		"0.1.0").Replace(powerBlock); got != want {
		t.Errorf("install.ps1:\n%s\nwant\n%s", got, want)
	}
	good(t, root, "--check")
	good(t, root, "--pin")
	if got := changed(after, tree(t, root)); got != nil {
		t.Errorf("pinning again changed %q", got)
	}
	write(t, filepath.Join(root, "cmd/memento/main.go"), "# package main, and more\n")
	if code, _, stderr := call(root, "--check"); code != 1 ||
		!strings.Contains(stderr, "memento: checking the pins: plugin/checksums.txt ") {
		t.Errorf("--check after a change of the sources: exit %d, %q", code, stderr)
	}
}

func TestBlock(t *testing.T) {
	t.Parallel()
	all := every()
	good := strings.Replace(shellBlock, "PINS", zeros(), 1)
	line := strings.Repeat("0", 64) + "  memento-linux-arm64\n"
	for _, c := range []struct{ name, data, says string }{
		{"none", "#!/bin/sh\n", "no one block"},
		{"no end", strings.Replace(good, end, "# pins: over", 1), "no one block"},
		{"two", good + good, "no one block"},
		{"a pin is missing", strings.Replace(good, line, "", 1), "no line for memento-linux-arm64"},
		{"a pin twice", strings.Replace(good, line, line+line, 1), "or twice"},
		{"a pin of nothing we release", strings.Replace(good, line, line+strings.Replace(line, "linux", "plan9", 1), 1),
			"memento-plan9-arm64"},
		{"a pin cut short", strings.Replace(good, line, line[1:], 1), "no line for memento-linux-arm64"},
		{"no version", strings.Replace(good, "0.0.9", "", 1), "states 0 versions"},
		{"two versions", strings.Replace(good, "0.0.9", "0.0.9 # was 0.0.8", 1), "states 2 versions"},
	} {
		if _, err := replacePins([]byte(c.data), "0.1.0", all); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want an error that contains %q", c.name, err, c.says)
		}
	}
	if _, err := replacePins([]byte(good), "0.1.0", all); err != nil {
		t.Errorf("the block itself: %v", err)
	}
}

// pinnedCommit is mini in git, its pins committed.
func pinnedCommit(t *testing.T) string {
	t.Helper()
	root := mini(t)
	good(t, root, "--pin")
	fixture.Git(t, root, "init", "-q")
	fixture.Git(t, root, "add", "-A")
	fixture.Git(t, root, "commit", "-qm", "Release 0.1.0")
	return root
}

// TestRelease: each asset holds what its name says, and the same bytes come from another folder. Each marketplace lists
// the plugin under its name, from a zip with the right checksum.
func TestRelease(t *testing.T) {
	t.Parallel()
	root := pinnedCommit(t)
	name := filepath.Join(t.TempDir(), "new", "dist")
	if out := good(t, root, name, "v0.1.0"); !strings.Contains(out, "memento: release 0.1.0 is in "+name) {
		t.Errorf("said %q", out)
	}
	want := []string{
		"checksums.txt", "install.ps1", "install.sh",
		"marketplace.json", "marketplace_windows_amd64.json", "marketplace_windows_arm64.json",
		"memento-darwin-amd64", "memento-darwin-arm64", "memento-linux-amd64", "memento-linux-arm64",
		"memento-plugin_0.1.0.zip", "memento-plugin_0.1.0_windows_amd64.zip", "memento-plugin_0.1.0_windows_arm64.zip",
		"memento-windows-amd64.exe", "memento-windows-arm64.exe",
		"memento_0.1.0_darwin_amd64.tar.gz", "memento_0.1.0_darwin_arm64.tar.gz",
		"memento_0.1.0_linux_amd64.tar.gz", "memento_0.1.0_linux_arm64.tar.gz",
		"memento_0.1.0_windows_amd64.zip", "memento_0.1.0_windows_arm64.zip",
	}
	entries, err := os.ReadDir(name)
	if err != nil {
		t.Fatal(err)
	}
	sums := map[string]string{}
	for line := range strings.Lines(string(read(t, name, "checksums.txt"))) {
		s, asset, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		sums[asset] = s
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
		if e.Name() != "checksums.txt" && sums[e.Name()] != sum(read(t, name, e.Name())) {
			t.Errorf("checksums.txt has %q for %s", sums[e.Name()], e.Name())
		}
		i, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		if runs := i.Mode().Perm() == 0o755; runs != (e.Name() == "install.sh") || !runs && i.Mode().Perm() != 0o644 {
			t.Errorf("%s: mode %v", e.Name(), i.Mode())
		}
	}
	if !slices.Equal(got, want) || len(sums) != len(want)-1 {
		t.Errorf("the release holds\n%q, want\n%q", got, want)
	}
	if !strings.Contains(string(read(t, root, "plugin/checksums.txt")), sums["memento-linux-arm64"]) {
		t.Error("the binary released is not the one pinned")
	}
	for _, suffix := range []string{"", "_windows_amd64", "_windows_arm64"} {
		zip := "memento-plugin_0.1.0" + suffix + ".zip"
		fixture.Fields(t, string(read(t, name, "marketplace"+suffix+".json")), map[string]string{
			"name": `"mementohq"`, "plugins.#": "1", "plugins.0.name": `"memento"`, "plugins.0.version": `"0.1.0"`,
			"plugins.0.source.source": `"archive"`, "plugins.0.source.sha256": `"` + sums[zip] + `"`,
			"plugins.0.source.url": `"https://github.com/mementohq/memento/releases/download/v0.1.0/` + zip + `"`,
		})
	}
	checkBundles(t, root, name)

	other := filepath.Join(t.TempDir(), "elsewhere")
	fixture.Git(t, root, "clone", "-q", root, other)
	again := filepath.Join(t.TempDir(), "dist")
	if err := os.Mkdir(again, 0o700); err != nil { // an empty folder is as good as none
		t.Fatal(err)
	}
	good(t, other, again)
	if diff := changed(tree(t, name), tree(t, again)); diff != nil {
		t.Errorf("made elsewhere, these differ: %q", diff)
	}
}

// TestReleaseRefuses: a release that is not built from a commit, or whose version differs from its tag, is not
// written, not even in part.
func TestReleaseRefuses(t *testing.T) {
	fixture.Long(t, "pins and commits a checkout for each case")
	t.Parallel()
	commit := func(t *testing.T, root string) {
		fixture.Git(t, root, "add", "-A")
		fixture.Git(t, root, "commit", "-qm", "Change something")
	}
	edit := func(t *testing.T, root, name, old, new string) {
		data := string(read(t, root, name))
		if !strings.Contains(data, old) {
			t.Fatalf("%s has no %q", name, old)
		}
		write(t, filepath.Join(root, name), strings.Replace(data, old, new, 1))
	}
	for _, c := range []struct {
		name string
		do   func(t *testing.T, root, dist string)
		tag  string
		says string
		hint string
	}{
		{"sources changed after pinning", func(t *testing.T, root, _ string) {
			edit(t, root, "cmd/memento/main.go", "main", "main // changed")
			commit(t, root)
		}, "", "plugin/checksums.txt does not have the sums", "go run -C tools ./release --pin, then commit"},
		{"another version in install.ps1", func(t *testing.T, root, _ string) {
			edit(t, root, "install.ps1", "0.1.0", "0.1.1")
			commit(t, root)
		}, "", "install.ps1 does not have the sums", "--pin"},
		{"a change that is in no commit", func(t *testing.T, root, _ string) {
			edit(t, root, "README.md", "memento", "Memento")
		}, "", "changes that are in no commit:\n M README.md", "git stash"},
		{"a version the binary does not have", func(t *testing.T, root, _ string) {
			edit(t, root, ".claude-plugin/plugin.json", `"0.1.0"`, `"0.1.1"`)
			edit(t, root, "CHANGELOG.md", "0.1.0", "0.1.1")
			commit(t, root)
		}, "", `plugin.json says version 0.1.1, the binary says "memento 0.1.0`, "go test ./plugin"},
		{"news of no version yet", func(t *testing.T, root, _ string) {
			edit(t, root, "CHANGELOG.md", "## 0.1.0", "## Unreleased\n\n- More.\n\n## 0.1.0")
			commit(t, root)
		}, "", `the newest heading of CHANGELOG.md is "Unreleased", and the version "0.1.0"`, "docs/releasing.md"},
		{"a tag of another version", func(*testing.T, string, string) {}, "v0.2.0",
			"the tag is v0.2.0, and the version v0.1.0", "docs/releasing.md"},
		{"another Go", func(t *testing.T, root, _ string) {
			write(t, filepath.Join(root, "plugin/build"), string(released(t, read(t, root, "plugin/build"), "go1.1.1")))
			commit(t, root)
		}, "", "go1.1.1 is what releases are made with", "GOTOOLCHAIN=go1.1.1 go run -C tools ./release"},
		{"a folder with something in it", func(t *testing.T, _, dist string) {
			write(t, filepath.Join(dist, "thesis.txt"), "someone's")
		}, "", "it is not empty", "another folder"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			root, parent := pinnedCommit(t), t.TempDir()
			name := filepath.Join(parent, "dist")
			c.do(t, root, name)
			was, before := tree(t, root), tree(t, parent)
			args := []string{name}
			if c.tag != "" {
				args = append(args, c.tag)
			}
			code, stdout, stderr := call(root, args...)
			if code != 1 || stdout != "" || !strings.HasPrefix(stderr, "memento: ") ||
				!strings.Contains(stderr, c.says) {
				t.Errorf("exit %d, stdout %q, stderr %q; want 1, nothing, and %q", code, stdout, stderr, c.says)
			}
			if c.hint != "" && !strings.Contains(stderr, "\nmemento: hint: ") || !strings.Contains(stderr, c.hint) {
				t.Errorf("stderr %q, want the hint %q", stderr, c.hint)
			}
			if got := changed(before, tree(t, parent)); got != nil {
				t.Errorf("wrote %q", got)
			}
			if got := changed(was, tree(t, root)); got != nil {
				t.Errorf("changed %q in the checkout", got)
			}
		})
	}
}

func TestUsage(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{nil, {""}, {"--help", "x"}, {"--pins"}, {"dist", "v1.0.0", "x"},
		{"--check", "dist"}} {
		if code, stdout, stderr := call(t.TempDir(), args...); code != 64 || stdout != "" || stderr != usage {
			t.Errorf("%q: exit %d, %q, %q; want 64 and the usage on stderr", args, code, stdout, stderr)
		}
	}
	if code, stdout, _ := call(t.TempDir(), "--help"); code != 0 || stdout != usage {
		t.Errorf("--help: exit %d, %q", code, stdout)
	}
	if code, _, stderr := call(t.TempDir(), "--check"); code != 1 ||
		!strings.Contains(stderr, "not a checkout of memento") {
		t.Errorf("in no checkout: exit %d, %q", code, stderr)
	}
}
