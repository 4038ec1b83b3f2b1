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

// A bundle comes as a zip, for a marketplace's `archive` source. There is no one bundle for every platform: in exec
// form a hook's command must be an .exe on Windows, where a launcher in sh does not start, and hooks.json cannot ask
// where it is. And a marketplace's entry cannot name one archive per platform (read in client 2.1.329), so each bundle
// has a marketplace.json.

// bundled reads what plugin/build says a bundle holds, bin/ apart.
func bundled(root string) ([]file, error) {
	script, err := builder(root)
	if err != nil {
		return nil, err
	}
	out, err := exec.Command(script, "--files").Output()
	if err != nil {
		return nil, fmt.Errorf("plugin/build --files: %w", err)
	}
	var files []file
	for name := range strings.Lines(string(out)) {
		f, err := source(root, strings.TrimSuffix(name, "\n"))
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

// source reads a file of the checkout.
func source(root, name string) (file, error) {
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	return file{name: name, data: data}, err
}

// unixBundle is for Linux and macOS: the launcher stands at bin/memento, finds its binary beside it, and has the pins
// for a platform that has none there.
func unixBundle(root string, files []file, all []binary) ([]byte, error) {
	files = slices.Clone(files)
	launcher, err := source(root, "bin/memento")
	if err != nil {
		return nil, err
	}
	launcher.run = true
	pins, err := source(root, pinned[0])
	if err != nil {
		return nil, err
	}
	files = append(files, launcher, pins)
	for _, b := range all {
		if b.os != "windows" {
			files = append(files, file{"bin/" + b.String() + "/" + b.exe(), b.data, true})
		}
	}
	return zipped(files)
}

// windowsBundle is for one architecture of Windows: the binary itself at bin/memento.exe, and hooks that call it by
// that name.
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
	return zipped(append(files, file{"bin/" + b.exe(), b.data, true}))
}

// windowsHooks is hooks.json for Windows: every command is the .exe.
func windowsHooks(data []byte) ([]byte, error) {
	const key, command = `"command": "`, "${CLAUDE_PLUGIN_ROOT}/bin/memento"
	n, all := bytes.Count(data, []byte(key+command+`"`)), bytes.Count(data, []byte(`"command":`))
	if n == 0 || n != all {
		return nil, fmt.Errorf("%d of its %d commands are %s", n, all, command)
	}
	return bytes.ReplaceAll(data, []byte(key+command+`"`), []byte(key+command+`.exe"`)), nil
}

// market is the checkout's marketplace.json with the plugin's source exchanged for an archive and its sum: the client
// refuses any other bytes. Only https and public hosts are taken for the URL (read in client 2.1.329).
func market(data []byte, url, sum string) ([]byte, error) {
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
