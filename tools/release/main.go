// Package main is `go run -C tools ./release`. It makes a release of memento out of a checkout: the binaries, the
// archives and plugin bundles, and their checksums. Before a release it writes the pins: the checksums of all
// binaries, built from the same commit that holds the pins. The same commit gives the same bytes on every machine.
//
// People who cut a release run it, and so does the release workflow. memento never links it. Only the standard library
// may come in. plugin/build alone says how a binary is built.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

const usage = `usage: go run -C tools ./release DIST [TAG]   write a release into DIST, a new or an empty folder; TAG must be its version's
       go run -C tools ./release --check      see that the pins are those of this checkout's binaries
       go run -C tools ./release --pin        write the pins, to be committed
`

// hinted is an error with a command that helps.
type hinted struct {
	error
	hint string
}

func main() {
	// go run -C tools starts the program in the module's folder. The checkout is the folder above it.
	if _, err := os.Stat("release/main.go"); err == nil {
		if err := os.Chdir(".."); err != nil {
			fmt.Fprintln(os.Stderr, "memento:", err)
			os.Exit(1)
		}
	}
	os.Exit(run(".", os.Args[1:], os.Stdout, os.Stderr))
}

// run does what args say with the checkout at root. It returns the exit code: 0; 1 if nothing was written, with the
// reason on stderr; 64 for unknown arguments.
func run(root string, args []string, stdout, stderr io.Writer) int {
	var err error
	switch {
	case len(args) == 1 && (args[0] == "-h" || args[0] == "--help"):
		fmt.Fprint(stdout, usage)
	case len(args) == 1 && args[0] == "--pin":
		err = writePins(root, stdout)
	case len(args) == 1 && args[0] == "--check":
		var p project
		if p, err = readProject(root); err == nil {
			if _, err = checkPins(root, p); err == nil {
				fmt.Fprintf(stdout, "memento: the pins are those of this checkout's binaries, version %s\n", p.Version)
			}
		}
	case (len(args) == 1 || len(args) == 2) && args[0] != "" && args[0][0] != '-':
		err = writeRelease(root, args[0], strings.Join(args[1:], ""), stdout)
	default:
		fmt.Fprint(stderr, usage)
		return 64
	}
	if err == nil {
		return 0
	}
	fmt.Fprintf(stderr, "memento: %s\n", strings.TrimRight(err.Error(), "\n"))
	var h hinted
	if errors.As(err, &h) {
		fmt.Fprintf(stderr, "memento: hint: %s\n", h.hint)
	}
	return 1
}
