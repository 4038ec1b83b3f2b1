package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// pinned are the files that carry the pins: the version and, for each platform, the SHA-256 of its binary.
// checksums.txt is wholly ours; in a script only what stands between two marks is, and of that only the digits, so a
// script may write its block as its language wants it.
var pinned = []string{"plugin/checksums.txt", "install.sh", "install.ps1"}

const (
	begin = "# pins: begin"
	end   = "# pins: end"
)

var (
	pinLine     = regexp.MustCompile(`\b([0-9a-f]{64})(  (memento-[a-z0-9]+-[a-z0-9]+(?:\.exe)?)\b)`)
	versionText = regexp.MustCompile(`\b[0-9]+\.[0-9]+\.[0-9]+(?:-[0-9A-Za-z.]+)?\b`)
)

// checksums is plugin/checksums.txt: what sha256sum -c reads, after a comment that states the version.
func checksums(version string, all []binary) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# memento %s\n", version)
	for _, p := range all {
		fmt.Fprintf(&b, "%s  %s\n", p.sum, p.asset())
	}
	return []byte(b.String())
}

// block returns data with the pins between its marks exchanged for these. A block without one version and the six lines
// is refused: whatever is missing there would be a binary that no one can check.
func block(data []byte, version string, all []binary) ([]byte, error) {
	head, rest, ok := bytes.Cut(data, []byte("\n"+begin+"\n"))
	body, tail, ended := bytes.Cut(rest, []byte("\n"+end))
	if !ok || !ended || bytes.Contains(tail, []byte(begin)) {
		return nil, fmt.Errorf("no one block between %q and %q", begin, end)
	}
	if n := len(versionText.FindAll(body, -1)); n != 1 {
		return nil, fmt.Errorf("its block of pins states %d versions, want 1", n)
	}
	body = versionText.ReplaceAll(body, []byte(version))
	sums := map[string]string{}
	for _, p := range all {
		sums[p.asset()] = p.sum
	}
	for _, m := range pinLine.FindAllSubmatch(body, -1) {
		if sums[string(m[3])] == "" {
			return nil, fmt.Errorf("its block of pins has %s, which is no binary of a release, or twice", m[3])
		}
		body = bytes.Replace(body, m[0], []byte(sums[string(m[3])]+string(m[2])), 1)
		delete(sums, string(m[3]))
	}
	for name := range sums {
		return nil, fmt.Errorf("its block of pins has no line for %s", name)
	}
	return bytes.Join([][]byte{head, []byte("\n" + begin + "\n"), body, []byte("\n" + end), tail}, nil), nil
}

// repinned returns what the pinned files of the checkout hold, and what they should.
func repinned(root, version string, all []binary) (have, want map[string][]byte, err error) {
	have, want = map[string][]byte{}, map[string][]byte{}
	for _, name := range pinned {
		data, err := os.ReadFile(filepath.Join(root, name))
		have[name] = data
		if name == pinned[0] {
			want[name] = checksums(version, all)
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		if want[name], err = block(data, version, all); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return have, want, nil
}

// pin builds the binaries and writes their pins, so that the next commit is one that can be released. The pins are in
// no binary, so writing them changes none. Nothing is written unless all of it could be made; a disk that fails in
// between leaves some of it, and pinning again writes the rest.
func pin(root string, stdout io.Writer) error {
	p, err := stated(root)
	if err != nil {
		return err
	}
	all, err := binaries(root, p.Version)
	if err != nil {
		return err
	}
	have, want, err := repinned(root, p.Version, all)
	if err != nil {
		return fmt.Errorf("pinning: %w", err)
	}
	for _, name := range pinned {
		if bytes.Equal(have[name], want[name]) {
			fmt.Fprintf(stdout, "memento: %s is as it was\n", name)
			continue
		}
		// WriteFile keeps the mode of a file that is there: install.sh stays executable.
		if err := os.WriteFile(filepath.Join(root, name), want[name], 0o644); err != nil {
			return err
		}
		fmt.Fprintf(stdout, "memento: pinned %s in %s\n", p.Version, name)
	}
	return nil
}

// check builds the binaries and compares their sums with the pins. What it returns is what was compared.
func check(root string, p project) ([]binary, error) {
	all, err := binaries(root, p.Version)
	if err != nil {
		return nil, err
	}
	have, want, err := repinned(root, p.Version, all)
	if err != nil {
		return nil, fmt.Errorf("checking the pins: %w", err)
	}
	for _, name := range pinned {
		if !bytes.Equal(have[name], want[name]) {
			return nil, hinted{fmt.Errorf("checking the pins: %s does not have the sums of this checkout's "+
				"binaries: an installed memento would refuse them", name),
				"go run ./plugin/release --pin, then commit what it wrote"}
		}
	}
	return all, nil
}
