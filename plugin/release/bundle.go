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

// A bundle comes as a zip, for a marketplace's `archive` source. There is no one bundle for every platform: in exec form a hook's
// command must be an .exe on Windows, where a launcher in sh does not start, and hooks.json cannot ask where it is. And a
// marketplace's entry cannot name one archive per platform (read in client 2.1.329), so each bundle has a marketplace.json.

// bundled reads what plugin/build says a bundle holds, bin/ apart.
func bundled(root string) ([]file, error) {
	script, err := filepath.Abs(filepath.Join(root, "plugin/build"))
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

// unixBundle is for Linux and macOS: the launcher stands at bin/memento, finds its binary beside it, and has the pins for a
// platform that has none there.
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

// windowsBundle is for one architecture of Windows: the binary itself at bin/memento.exe, and hooks that call it by that name.
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

// The fields of hooks.json. One that is not here is refused rather than lost.
type (
	hookFile struct {
		Description string                 `json:"description"`
		Hooks       map[string][]hookGroup `json:"hooks"`
	}
	hookGroup struct {
		Matcher string      `json:"matcher,omitempty"`
		Hooks   []hookEntry `json:"hooks"`
	}
	hookEntry struct {
		Type    string   `json:"type"`
		If      string   `json:"if,omitempty"`
		Command string   `json:"command"`
		Args    []string `json:"args"`
		Timeout int      `json:"timeout"`
	}
)

// windowsHooks is hooks.json for Windows: the .exe, and beside each wiring for the Bash tool one for the PowerShell tool, which is
// what the model has where there is no Git Bash.
func windowsHooks(data []byte) ([]byte, error) {
	var f hookFile
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		return nil, err
	}
	const command = "${CLAUDE_PLUGIN_ROOT}/bin/memento"
	for event, groups := range f.Hooks {
		var out []hookGroup
		for _, g := range groups {
			for i, h := range g.Hooks {
				if h.Command != command {
					return nil, fmt.Errorf("%s: %q is not %q", event, h.Command, command)
				}
				g.Hooks[i].Command += ".exe"
			}
			tools := strings.Split(g.Matcher, "|")
			switch at := slices.Index(tools, "Bash"); {
			case at < 0:
				out = append(out, g)
			case len(tools) > 1:
				g.Matcher += "|PowerShell"
				out = append(out, g)
			default: // alone, it has a condition of its own
				p := hookGroup{Matcher: "PowerShell", Hooks: slices.Clone(g.Hooks)}
				for i, h := range p.Hooks {
					p.Hooks[i].If = strings.Replace(h.If, "Bash(", "PowerShell(", 1)
				}
				out = append(out, g, p)
			}
		}
		f.Hooks[event] = out
	}
	return indented(f)
}

// indented is v as JSON the way this repository writes it.
func indented(v any) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return out.Bytes(), err
}

// market is the checkout's marketplace.json with the plugin's source exchanged for an archive and its sum: the client refuses any
// other bytes. Only https and public hosts are taken for the URL (read in client 2.1.329).
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
