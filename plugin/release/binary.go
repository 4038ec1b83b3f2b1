package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// platform is one that memento is released for.
type platform struct{ os, arch string }

// platforms are in the order of their names, which is the order of everything in a release.
var platforms = []platform{
	{"darwin", "amd64"}, {"darwin", "arm64"},
	{"linux", "amd64"}, {"linux", "arm64"},
	{"windows", "amd64"}, {"windows", "arm64"},
}

func (p platform) String() string { return p.os + "-" + p.arch }

// exe is what the binary is called in an archive.
func (p platform) exe() string {
	if p.os == "windows" {
		return "memento.exe"
	}
	return "memento"
}

// asset is what the bare binary is called in a release and in the pins.
func (p platform) asset() string {
	return strings.Replace(p.exe(), "memento", "memento-"+p.String(), 1)
}

// binary is one built: its bytes and their SHA-256 in hex.
type binary struct {
	platform
	data []byte
	sum  string
}

func sum(data []byte) string {
	s := sha256.Sum256(data)
	return hex.EncodeToString(s[:])
}

// builder is the checkout's plugin/build, by a path that holds in any folder.
func builder(root string) (string, error) { return filepath.Abs(filepath.Join(root, "plugin/build")) }

// binaries builds all of them with the checkout's plugin/build, in a temporary folder that is gone afterwards. The one
// for this machine is asked for its version, which must be the given one.
func binaries(root, version string) ([]binary, error) {
	tmp, err := os.MkdirTemp("", "memento-release-")
	if err != nil {
		return nil, fmt.Errorf("building the binaries: %w", err)
	}
	defer os.RemoveAll(tmp)
	script, err := builder(root)
	if err != nil {
		return nil, err
	}
	var all []binary
	for _, p := range platforms {
		file := filepath.Join(tmp, p.asset())
		if out, err := exec.Command(script, "--binary", file, "--platform", p.String()).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("plugin/build for %s: %w\n%s", p, err, out)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		all = append(all, binary{p, data, sum(data)})
		if p.os == runtime.GOOS && p.arch == runtime.GOARCH {
			cmd := exec.Command(file, "version")
			cmd.Env, cmd.Dir = []string{"HOME=" + tmp}, tmp
			out, err := cmd.Output()
			if err != nil {
				return nil, fmt.Errorf("running the binary for %s: %w", p, err)
			}
			if !bytes.HasPrefix(out, []byte("memento "+version+" ")) {
				return nil, hinted{fmt.Errorf("plugin.json says version %s, the binary says %q", version,
					bytes.TrimSpace(out)),
					"go test ./plugin -run TestVersion"}
			}
		}
	}
	return all, nil
}

// project is what plugin.json states of it: the version, which the client compares to know of an update, and where
// releases are.
type project struct{ Version, Repository string }

func stated(root string) (project, error) {
	var p project
	data, err := os.ReadFile(filepath.Join(root, ".claude-plugin/plugin.json"))
	if err != nil {
		return p, hinted{fmt.Errorf("this is not a checkout of memento: %w", err), "cd to the checkout's root"}
	}
	if err := json.Unmarshal(data, &p); err != nil {
		return p, fmt.Errorf("reading plugin.json: %w", err)
	}
	if p.Version == "" || p.Repository == "" {
		return p, errors.New("reading plugin.json: it states no version, or no repository")
	}
	return p, nil
}
