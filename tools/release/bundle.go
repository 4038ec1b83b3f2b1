package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A bundle is a zip, for a marketplace's `archive` source. No bundle serves every platform: in exec
// form a hook's command must be an .exe on Windows, where no launcher in sh starts, and hooks.json cannot ask
// for the platform. A marketplace's entry names one archive for all (read in client 2.1.329), so each bundle
// has a marketplace.json.

// readBundleFiles reads the files that plugin/build lists for a bundle, all but bin/.
func readBundleFiles(root string) ([]file, error) {
	script, err := buildScript(root)
	if err != nil {
		return nil, err
	}
	out, err := exec.Command(script, "--files").Output()
	if err != nil {
		return nil, fmt.Errorf("plugin/build --files: %w", err)
	}
	var files []file
	for name := range strings.Lines(string(out)) {
		f, err := readSource(root, strings.TrimSuffix(name, "\n"))
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

// readSource reads a file of the checkout.
func readSource(root, name string) (file, error) {
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	return file{name: name, data: data}, err
}

// unixBundle returns the bundle for Linux and macOS. The launcher at bin/memento, which sources plugin/launcher, finds
// its binary beside it. For a platform without one it has the pins.
func unixBundle(root string, files []file, all []binary) ([]byte, error) {
	files = slices.Clone(files)
	for _, name := range []string{"bin/memento", "plugin/launcher", pinned[0]} {
		f, err := readSource(root, name)
		if err != nil {
			return nil, err
		}
		f.run = name == "bin/memento"
		files = append(files, f)
	}
	for _, b := range all {
		if b.os != "windows" {
			files = append(files, file{"bin/" + b.String() + "/" + b.exe(), b.data, true})
		}
	}
	return packZip(files)
}

// windowsBundle returns the bundle for one architecture of Windows: the binary is bin/memento.exe, and the hooks call
// it by that name.
func windowsBundle(files []file, b binary) ([]byte, error) {
	files = slices.Clone(files)
	for i, f := range files {
		if f.name == "hooks/hooks.json" {
			data, err := windowsHooks(f.data)
			if err != nil {
				return nil, fmt.Errorf("hooks.json for Windows: %w", err)
			}
			files[i].data = data
		}
	}
	return packZip(append(files, file{"bin/" + b.exe(), b.data, true}))
}

// windowsHooks returns hooks.json for Windows, where every command is the .exe.
func windowsHooks(data []byte) ([]byte, error) {
	const key, command = `"command": "`, "${CLAUDE_PLUGIN_ROOT}/bin/memento"
	n, all := bytes.Count(data, []byte(key+command+`"`)), bytes.Count(data, []byte(`"command":`))
	if n == 0 || n != all {
		return nil, fmt.Errorf("%d of its %d commands are %s", n, all, command)
	}
	return bytes.ReplaceAll(data, []byte(key+command+`"`), []byte(key+command+`.exe"`)), nil
}

// makeMarketplace returns the checkout's marketplace.json with an archive and its checksum as the plugin's source. The
// client refuses other bytes. It takes only https and public hosts for the URL (read in client 2.1.329).
func makeMarketplace(data []byte, url, sum string) ([]byte, error) {
	const here = `"source": "./"`
	if n := bytes.Count(data, []byte(here)); n != 1 {
		return nil, fmt.Errorf("marketplace.json states %s %d times, want once", here, n)
	}
	there, err := json.Marshal(struct {
		Source string `json:"source"`
		URL    string `json:"url"`
		Sum    string `json:"sha256"`
	}{"archive", url, sum})
	if err != nil {
		return nil, err
	}
	return bytes.Replace(data, []byte(here), append([]byte(`"source": `), there...), 1), nil
}
