package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// build builds the programs that bench runs, with a release's flags.
func (b *bench) build() error {
	for _, p := range []struct {
		to             *string
		dir, pkg, name string
	}{
		{&b.memento, b.root, "./cmd/memento", "memento"},
		{&b.hello, b.root, "./cmd/memento/testdata/hello", "hello"},
		{&b.launch, filepath.Join(b.root, "tools", "bench"), "./launch", "launch"},
	} {
		*p.to = filepath.Join(b.dir, p.name)
		if err := b.buildProgram(p.dir, *p.to, p.pkg); err != nil {
			return err
		}
	}
	return nil
}

// variant is a build of memento, and the suffix of its rows' names.
type variant struct{ path, suffix string }

// builds returns this build of memento and those of the option --beside.
func (b *bench) builds() []variant {
	all := []variant{{b.memento, ""}}
	for _, path := range b.beside {
		all = append(all, variant{path, " by " + filepath.Base(path)})
	}
	return all
}

// buildProgram builds pkg with a release's flags and copies the binary to out, as an installation does. The linker
// writes through a mapping, so its own file lies in the page cache in single pages. A run of that file takes up to half
// a millisecond longer than a run of a copy, which lies there in larger pieces (Linux 6.18, ext4).
func (b *bench) buildProgram(dir, out, pkg string, flags ...string) error {
	linked := out + ".linked"
	args := slices.Concat([]string{"build"}, flags, []string{"-trimpath", "-ldflags=-s -w", "-o", linked, pkg})
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = dir, append(environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	data, err := os.ReadFile(linked)
	if err != nil {
		return err
	}
	if err := os.WriteFile(out, data, 0o755); err != nil {
		return err
	}
	return os.Remove(linked)
}

// environ returns this process's environment for the go command, without the variables of memento and the client.
func environ() []string {
	return slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "MEMENTO_") || strings.HasPrefix(v, "CLAUDE") || strings.HasPrefix(v, "ANTHROPIC_")
	})
}
