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

// pinned are the files that hold the pins: the version and, for each platform, the SHA-256 of its binaries.
// checksums.txt holds nothing else. In a script the pins stand between two lines, begin and end; only the version and
// the digits there are replaced, so a script writes them in its own language's form.
var pinned = []string{"plugin/checksums.txt", "install.sh", "install.ps1"}

const (
	begin = "# pins: begin"
	end   = "# pins: end"
)

var (
	pinLine     = regexp.MustCompile(`\b([0-9a-f]{64})(  (memento-(?:sync-)?[a-z0-9]+-[a-z0-9]+(?:\.exe)?)\b)`)
	versionText = regexp.MustCompile(`\b[0-9]+\.[0-9]+\.[0-9]+(?:-[0-9A-Za-z.]+)?\b`)
)

// makeChecksums returns plugin/checksums.txt: a comment with the version, then lines that sha256sum -c reads.
func makeChecksums(version string, all []binary) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# memento %s\n", version)
	for _, p := range all {
		fmt.Fprintf(&b, "%s  %s\n", p.sum, p.asset())
	}
	return []byte(b.String())
}

// replacePins returns data with new pins between the lines begin and end. It refuses a block without exactly one
// version and a line for each binary: nobody could check a binary without its line.
func replacePins(data []byte, version string, all []binary) ([]byte, error) {
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

// comparePins returns the content of the pinned files: the present one and the right one.
func comparePins(root, version string, all []binary) (have, want map[string][]byte, err error) {
	have, want = map[string][]byte{}, map[string][]byte{}
	for _, name := range pinned {
		data, err := os.ReadFile(filepath.Join(root, name))
		have[name] = data
		if name == pinned[0] {
			want[name] = makeChecksums(version, all)
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		if want[name], err = replacePins(data, version, all); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return have, want, nil
}

// writePins builds the binaries and writes their pins, so that the next commit can be released. No binary holds the
// pins, so writing them changes no binary. An error before the writing leaves every file unchanged. After a disk error
// between two files, a second run writes the rest.
func writePins(root string, stdout io.Writer) error {
	p, err := readProject(root)
	if err != nil {
		return err
	}
	all, err := buildBinaries(root, p.Version)
	if err != nil {
		return err
	}
	have, want, err := comparePins(root, p.Version, all)
	if err != nil {
		return fmt.Errorf("pinning: %w", err)
	}
	for _, name := range pinned {
		if bytes.Equal(have[name], want[name]) {
			fmt.Fprintf(stdout, "memento: %s is as it was\n", name)
			continue
		}
		// WriteFile keeps the mode of an existing file: install.sh stays a program.
		if err := os.WriteFile(filepath.Join(root, name), want[name], 0o644); err != nil {
			return err
		}
		fmt.Fprintf(stdout, "memento: pinned %s in %s\n", p.Version, name)
	}
	return nil
}

// checkPins builds the binaries and compares their checksums with the pins. It returns the binaries.
func checkPins(root string, p project) ([]binary, error) {
	all, err := buildBinaries(root, p.Version)
	if err != nil {
		return nil, err
	}
	have, want, err := comparePins(root, p.Version, all)
	if err != nil {
		return nil, fmt.Errorf("checking the pins: %w", err)
	}
	for _, name := range pinned {
		if !bytes.Equal(have[name], want[name]) {
			return nil, hinted{fmt.Errorf("checking the pins: %s does not have the sums of this checkout's "+
				"binaries: an installed memento would refuse them", name),
				"go run -C tools ./release --pin, then commit what it wrote"}
		}
	}
	return all, nil
}
