package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// makeAssets returns every file of a release. `claude plugin marketplace add URL` takes marketplace.json and the two
// like it for Windows. checksums.txt lists all other files.
func makeAssets(root string, p project, all []binary) ([]file, error) {
	var out []file
	add := func(name string, data []byte) { out = append(out, file{name: name, data: data}) }

	var beside []file // packed with the binaries into an archive
	for _, name := range []string{"LICENSE", "README.md"} {
		f, err := readSource(root, name)
		if err != nil {
			return nil, err
		}
		beside = append(beside, f)
	}
	files, err := readBundleFiles(root)
	if err != nil {
		return nil, err
	}
	listing, err := readSource(root, ".claude-plugin/marketplace.json")
	if err != nil {
		return nil, err
	}
	// bundle adds a bundle, and the marketplace that lists it.
	bundle := func(suffix string, data []byte) error {
		name := "memento-plugin_" + p.Version + suffix + ".zip"
		add(name, data)
		m, err := makeMarketplace(listing.data, p.Repository+"/releases/download/v"+p.Version+"/"+name, sum(data))
		add("marketplace"+suffix+".json", m)
		return err
	}

	for _, b := range all {
		add(b.asset(), b.data)
		name, data, err := packArchive(p, b, beside)
		if err != nil {
			return nil, err
		}
		add(name, data)
	}
	data, err := unixBundle(root, files, all)
	if err == nil {
		err = bundle("", data)
	}
	if err != nil {
		return nil, err
	}
	for _, b := range all {
		if b.os != "windows" {
			continue
		}
		data, err := windowsBundle(files, b)
		if err == nil {
			err = bundle("_"+b.os+"_"+b.arch, data)
		}
		if err != nil {
			return nil, err
		}
	}
	for _, name := range []string{"install.sh", "install.ps1"} {
		f, err := readSource(root, name)
		if err != nil {
			return nil, err
		}
		f.run = name == "install.sh"
		out = append(out, f)
	}

	out = sortFiles(out)
	var sums strings.Builder
	for _, f := range out {
		fmt.Fprintf(&sums, "%s  %s\n", sum(f.data), f.name)
	}
	add("checksums.txt", []byte(sums.String()))
	return out, nil
}

// packArchive packs the binaries for a platform with the files beside them. It returns the name and the bytes.
func packArchive(p project, b binary, beside []file) (name string, data []byte, err error) {
	files := append(slices.Clone(beside), file{b.exe(), b.data, true})
	name = strings.Join([]string{"memento", p.Version, b.os, b.arch}, "_")
	if b.os == "windows" {
		data, err = packZip(files)
		return name + ".zip", data, err
	}
	data, err = packTar(files)
	return name + ".tar.gz", data, err
}

// writeRelease writes a release into the folder name, in one step: on an error the folder is unchanged. A tag must be
// that of the version; "" is no tag.
func writeRelease(root, name, tag string, stdout io.Writer) error {
	p, err := readProject(root)
	if err != nil {
		return err
	}
	if tag != "" && tag != "v"+p.Version {
		return hinted{fmt.Errorf("the tag is %s, and the version v%s", tag, p.Version), "docs/releasing.md"}
	}
	if err := checkChangelog(root, p.Version); err != nil {
		return err
	}
	if err := checkCompiler(root); err != nil {
		return err
	}
	if err := checkEmpty(name); err != nil {
		return err
	}
	if err := checkCommitted(root); err != nil {
		return err
	}
	all, err := checkPins(root, p)
	if err != nil {
		return err
	}
	files, err := makeAssets(root, p, all)
	if err != nil {
		return fmt.Errorf("making the release: %w", err)
	}
	if name, err = filepath.Abs(name); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(filepath.Dir(name), ".memento-release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	for _, f := range files {
		file := filepath.Join(tmp, f.name)
		if err := os.WriteFile(file, f.data, f.mode()); err != nil {
			return err
		}
		if err := os.Chmod(file, f.mode()); err != nil { // the umask does not count
			return err
		}
	}
	if err := os.Chmod(tmp, 0o755); err != nil {
		return err
	}
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(tmp, name); err != nil {
		return err
	}
	for _, f := range files {
		fmt.Fprintf(stdout, "%s  %9d  %s\n", sum(f.data)[:16], len(f.data), f.name)
	}
	fmt.Fprintf(stdout, "memento: release %s is in %s\n", p.Version, name)
	return nil
}

// checkChangelog refuses a version that is not the first heading of CHANGELOG.md: that section describes the release.
func checkChangelog(root, version string) error {
	f, err := readSource(root, "CHANGELOG.md")
	if err != nil {
		return err
	}
	_, news, _ := strings.Cut(string(f.data), "\n## ")
	if newest, _, _ := strings.Cut(news, "\n"); newest != version {
		return hinted{fmt.Errorf("the newest heading of CHANGELOG.md is %q, and the version %q", newest, version),
			"docs/releasing.md"}
	}
	return nil
}

// checkEmpty refuses a folder that is not empty.
func checkEmpty(name string) error {
	entries, err := os.ReadDir(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case len(entries) > 0:
		return hinted{fmt.Errorf("writing %s: it is not empty", name), "rm -r " + name + ", or another folder"}
	}
	return nil
}

// checkCommitted refuses a checkout with uncommitted changes: a release is a commit. Sources without git pass.
func checkCommitted(root string) error {
	if _, err := os.Lstat(filepath.Join(root, ".git")); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	out, err := exec.Command("git", "-C", root, "status", "--porcelain").Output()
	if err != nil {
		return fmt.Errorf("git status: %w", err)
	}
	if len(out) > 0 {
		return hinted{fmt.Errorf("the checkout has changes that are in no commit:\n%s",
			strings.TrimRight(string(out), "\n")), "git stash --include-untracked"}
	}
	return nil
}

// checkCompiler refuses to run under another Go version than the binaries are built with: Go's compression may change
// between versions, and the archives with it.
func checkCompiler(root string) error {
	f, err := readSource(root, "plugin/build")
	if err != nil {
		return err
	}
	m := regexp.MustCompile(`(?m)^released_with=(\S+)$`).FindSubmatch(f.data)
	if m == nil {
		return errors.New("plugin/build: it does not state released_with")
	}
	if want := string(m[1]); runtime.Version() != want {
		return hinted{fmt.Errorf("the archives would be %s's, and %s is what releases are made with", runtime.Version(),
			want),
			"GOTOOLCHAIN=" + want + " go run -C tools ./release DIST"}
	}
	return nil
}
