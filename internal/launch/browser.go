package launch

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Browser opens the file at path in the person's browser, and does not wait for it: the browser gets a session of its
// own and none of this process's streams. Errors: fs.ErrNotExist where there is no desktop or no program that opens
// files in a browser; the system's when the program does not start.
func Browser(path string) error {
	name, args := opener(path, os.Getenv)
	if name == "" {
		return fs.ErrNotExist
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer null.Close()
	keepFiles()
	process, err := os.StartProcess(name, args, &os.ProcAttr{Files: []*os.File{null, null, null}, Sys: detached()})
	if err != nil {
		return err
	}
	return process.Release()
}

// opener returns the program that opens the file at path in a browser, and its command line; "" for none.
func opener(path string, getenv func(string) string) (name string, args []string) {
	switch runtime.GOOS {
	case "windows":
		name = filepath.Join(getenv("SystemRoot"), "System32", "rundll32.exe")
		return name, []string{name, "url.dll,FileProtocolHandler", path}
	case "darwin":
		return "/usr/bin/open", []string{"open", path}
	}
	if getenv("DISPLAY") == "" && getenv("WAYLAND_DISPLAY") == "" {
		return "", nil
	}
	for _, program := range append(strings.Split(getenv("BROWSER"), ":"), "xdg-open", "sensible-browser",
		"x-www-browser", "gnome-open", "wslview") {
		if at := onPath(program, getenv); at != "" {
			return at, []string{at, path}
		}
	}
	return "", nil
}

// onPath returns the path of a program, "" if there is none. A relative part of PATH does not count.
func onPath(program string, getenv func(string) string) string {
	if program == "" || strings.ContainsAny(program, " %") { // a command line of BROWSER
		return ""
	}
	folders := filepath.SplitList(getenv("PATH"))
	if filepath.IsAbs(program) {
		folders = []string{""}
	}
	for _, folder := range folders {
		at := filepath.Join(folder, program)
		info, err := os.Stat(at)
		if err == nil && filepath.IsAbs(at) && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return at
		}
	}
	return ""
}

// Confined reports whether the person's browser is a packaged one (snap, Flatpak), which may not read folders whose
// name begins with a dot. It looks where desktops write down which program opens web pages. Where nothing is written
// down it goes by the programs that there are.
func Confined(home string, getenv func(string) string) bool {
	if runtime.GOOS != "linux" {
		return false
	}
	folder := func(name, usual string) string {
		if at := getenv(name); filepath.IsAbs(at) {
			return at
		}
		return filepath.Join(home, usual)
	}
	config, data := folder("XDG_CONFIG_HOME", ".config"), folder("XDG_DATA_HOME", ".local/share")
	shared := filepath.SplitList(getenv("XDG_DATA_DIRS"))
	if len(shared) == 0 {
		shared = []string{"/usr/local/share", "/usr/share", "/var/lib/flatpak/exports/share",
			"/var/lib/snapd/desktop"}
	}
	folders := append([]string{data, filepath.Join(data, "flatpak/exports/share")}, shared...)
	var lists []string
	for _, at := range append([]string{config, "/etc/xdg"}, folders...) {
		for _, name := range [...]string{"mimeapps.list", "applications/mimeapps.list", "applications/defaults.list"} {
			lists = append(lists, filepath.Join(at, name))
		}
	}
	for _, list := range lists {
		for _, desktop := range handlers(list) {
			for _, at := range folders {
				entry := filepath.Join(at, "applications", desktop)
				if _, err := os.Stat(entry); err == nil {
					return strings.Contains(entry, "/flatpak/") || isConfined(entry)
				}
			}
		}
	}
	at := onPath("x-www-browser", getenv)
	if at == "" {
		at = onPath("firefox", getenv)
	}
	return at != "" && isConfined(at)
}

// isConfined reports whether the file at path, links resolved, is a snap's or a Flatpak's, or runs one.
func isConfined(path string) bool {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	inSnap := func(s string) bool {
		return strings.Contains(s, "/snap/") || strings.Contains(s, "/snapd/") || strings.Contains(s, "flatpak run") ||
			strings.HasSuffix(s, "/flatpak")
	}
	if inSnap(path) || filepath.Base(path) == "snap" {
		return true
	}
	info, err := os.Stat(path)
	if err != nil || info.Size() > 1<<16 { // a program, not a script or an entry
		return false
	}
	words, err := os.ReadFile(path)
	return err == nil && inSnap(string(words))
}

// handlers returns the entries that a list of a desktop names for web pages, the chosen one first.
func handlers(list string) (out []string) {
	data, err := os.ReadFile(list)
	if err != nil || len(data) > 1<<20 {
		return nil
	}
	section := ""
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			section = line
		}
		kind, names, ok := strings.Cut(line, "=")
		if !ok || section != "[Default Applications]" ||
			!slices.Contains([]string{"text/html", "x-scheme-handler/https", "x-scheme-handler/file"},
				strings.TrimSpace(kind)) {
			continue
		}
		for name := range strings.SplitSeq(names, ";") {
			if name = strings.TrimSpace(name); name != "" && filepath.Base(name) == name {
				out = append(out, name)
			}
		}
	}
	return out
}

// OpenFolder returns the folder of downloads, which a packaged browser may read, else the home folder.
func OpenFolder(home string, getenv func(string) string) string {
	config := getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(config) {
		config = filepath.Join(home, ".config")
	}
	data, _ := os.ReadFile(filepath.Join(config, "user-dirs.dirs"))
	choices := []string{filepath.Join(home, "Downloads")}
	for line := range strings.Lines(string(data)) {
		if value, ok := strings.CutPrefix(strings.TrimSpace(line), "XDG_DOWNLOAD_DIR="); ok {
			at := strings.ReplaceAll(strings.Trim(value, `"`), "$HOME", home)
			choices = append([]string{at}, choices...)
		}
	}
	for _, at := range choices {
		if info, err := os.Stat(at); err == nil && info.IsDir() && filepath.IsAbs(at) {
			return at
		}
	}
	return home
}
