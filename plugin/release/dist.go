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
	"strings"
)

// assets is everything of a release, ready to be written. marketplace.json and its two siblings for Windows are what
// `claude plugin marketplace add URL` takes; checksums.txt is over all the others.
func assets(root string, p project, all []binary) ([]file, error) {
	var out []file
	add := func(name string, data []byte) { out = append(out, file{name: name, data: data}) }

	var beside []file // the binary in its archive
	for _, name := range []string{"LICENSE", "README.md"} {
		f, err := source(root, name)
		if err != nil {
			return nil, err
		}
		beside = append(beside, f)
	}
	files, err := bundled(root)
	if err != nil {
		return nil, err
	}
	listing, err := source(root, ".claude-plugin/marketplace.json")
	if err != nil {
		return nil, err
	}
	// bundle adds a bundle, and the marketplace that lists it.
	bundle := func(suffix string, data []byte) error {
		name := "memento-plugin_" + p.Version + suffix + ".zip"
		add(name, data)
		m, err := market(listing.data, p.Repository+"/releases/download/v"+p.Version+"/"+name, sum(data))
		add("marketplace"+suffix+".json", m)
		return err
	}

	for _, b := range all {
		add(b.asset(), b.data)
		files := append([]file{{b.exe(), b.data, true}}, beside...)
		name := strings.Join([]string{"memento", p.Version, b.os, b.arch}, "_")
		pack, ext := tarball, ".tar.gz"
		if b.os == "windows" {
			pack, ext = zipped, ".zip"
		}
		data, err := pack(files)
		if err != nil {
			return nil, err
		}
		add(name+ext, data)
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
		f, err := source(root, name)
		if err != nil {
			return nil, err
		}
		f.run = name == "install.sh"
		out = append(out, f)
	}

	out = sorted(out)
	var sums strings.Builder
	for _, f := range out {
		fmt.Fprintf(&sums, "%s  %s\n", sum(f.data), f.name)
	}
	add("checksums.txt", []byte(sums.String()))
	return out, nil
}

// dist writes a release into the folder name, in one step: whatever goes wrong, it is as it was. A tag, unless empty,
// must be that of the version.
func dist(root, name, tag string, stdout io.Writer) error {
	p, err := stated(root)
	if err != nil {
		return err
	}
	if tag != "" && tag != "v"+p.Version {
		return hinted{fmt.Errorf("the tag is %s, and the version v%s", tag, p.Version), "docs/releasing.md"}
	}
	if err := told(root, p.Version); err != nil {
		return err
	}
	if err := compiler(root); err != nil {
		return err
	}
	if err := vacant(name); err != nil {
		return err
	}
	if err := committed(root); err != nil {
		return err
	}
	all, err := check(root, p)
	if err != nil {
		return err
	}
	files, err := assets(root, p, all)
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
		if err := os.Chmod(file, f.mode()); err != nil { // whatever the umask
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

// told refuses a version that CHANGELOG.md does not begin with: its first section is what the release says of itself.
func told(root, version string) error {
	f, err := source(root, "CHANGELOG.md")
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

// vacant refuses a folder that holds anything.
func vacant(name string) error {
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

// committed refuses a checkout with changes: what is released is a commit. Sources without git have nothing to compare
// with.
func committed(root string) error {
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

// compiler refuses to run under another Go than the one the binaries are built with: Go's compression may change
// between versions, and with it the archives.
func compiler(root string) error {
	f, err := source(root, "plugin/build")
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
			"GOTOOLCHAIN=" + want + " go run ./plugin/release DIST"}
	}
	return nil
}
