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

// platform is one of those that memento is released for.
type platform struct{ os, arch string }

// platforms are ordered by name. Everything in a release keeps this order.
var platforms = []platform{
	{"darwin", "amd64"}, {"darwin", "arm64"},
	{"linux", "amd64"}, {"linux", "arm64"},
	{"windows", "amd64"}, {"windows", "arm64"},
}

func (p platform) String() string { return p.os + "-" + p.arch }

// binary is a built binary: its bytes and their SHA-256 in hex.
type binary struct {
	platform
	data []byte
	sum  string
}

// exe is the name of the binary in an archive.
func (b binary) exe() string {
	if b.os == "windows" {
		return "memento.exe"
	}
	return "memento"
}

// asset is the name of the bare binary in a release and in the pins.
func (b binary) asset() string {
	return strings.Replace(b.exe(), "memento", "memento-"+b.String(), 1)
}

func sum(data []byte) string {
	s := sha256.Sum256(data)
	return hex.EncodeToString(s[:])
}

// buildScript is the absolute path of the checkout's plugin/build.
func buildScript(root string) (string, error) {
	return filepath.Abs(filepath.Join(root, "plugin/build"))
}

// buildBinaries builds all binaries with the checkout's plugin/build, in a temporary folder. It runs those for this
// machine, which must say the given version.
func buildBinaries(root, version string) ([]binary, error) {
	tmp, err := os.MkdirTemp("", "memento-release-")
	if err != nil {
		return nil, fmt.Errorf("building the binaries: %w", err)
	}
	defer os.RemoveAll(tmp)
	script, err := buildScript(root)
	if err != nil {
		return nil, err
	}
	var all []binary
	for _, p := range platforms {
		b := binary{platform: p}
		file := filepath.Join(tmp, b.asset())
		out, err := exec.Command(script, "--binary", file, "--platform", p.String()).CombinedOutput()
		if err != nil {
			return nil, fmt.Errorf("plugin/build for %s: %w\n%s", p, err, out)
		}
		if b.data, err = os.ReadFile(file); err != nil {
			return nil, err
		}
		b.sum = sum(b.data)
		all = append(all, b)
		if p.os == runtime.GOOS && p.arch == runtime.GOARCH {
			if err := checkVersion(file, tmp, version); err != nil {
				return nil, err
			}
		}
		if err := os.Remove(file); err != nil { // all of them take some 70 MB
			return nil, err
		}
	}
	return all, nil
}

// checkVersion runs a binary with home as its home folder. The binary must say the given version.
func checkVersion(file, home, version string) error {
	cmd := exec.Command(file, "version")
	cmd.Env, cmd.Dir = []string{"HOME=" + home}, home
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("running the binary for this machine: %w", err)
	}
	if !bytes.HasPrefix(out, []byte("memento "+version+" ")) {
		return hinted{fmt.Errorf("plugin.json says version %s, the binary says %q", version, bytes.TrimSpace(out)),
			"go test ./plugin -run TestVersion"}
	}
	return nil
}

// project is what plugin.json says: the version, by which the client notices an update, and the repository with the
// releases.
type project struct{ Version, Repository string }

func readProject(root string) (project, error) {
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
