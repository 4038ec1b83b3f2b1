package capture

import (
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/mementohq/memento/internal/transcript"
)

// folders tells where a file lies that a tool was called for, so that each file has one name.
type folders struct {
	root string            // the project's top folder
	cwd  string            // where the client is
	real map[string]string // folders outside root, without symbolic links
}

// maxFolders is how many folders outside the project are looked at on the disk in one event.
const maxFolders = 64

// of returns f for an entry of the transcript of a project whose top folder is root, "" when that is not known.
func (f *folders) of(root string, e transcript.Entry) *folders {
	if f.cwd = e.Cwd(); root == "" {
		root = f.cwd
	}
	if f.real == nil {
		f.real = map[string]string{}
	}
	f.root = root
	return f
}

// relative returns name, which a tool was called with, as seen from the project's top folder, or whole when it lies
// elsewhere.
func (f *folders) relative(name string) string {
	if rest, ok := strings.CutPrefix(name, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			name = home + "/" + rest
		}
	}
	name = slashed(name)
	if !absolute(name) {
		if f.cwd == "" || !absolute(slashed(f.cwd)) {
			return name
		}
		name = path.Join(slashed(f.cwd), name)
	}
	root := slashed(f.root)
	if rest, ok := below(name, root); ok {
		return rest
	}
	if absolute(root) && filepath.IsAbs(name) {
		if rest, ok := below(f.resolved(path.Dir(name))+"/"+path.Base(name), f.resolved(root)); ok {
			return rest
		}
	}
	return name
}

// resolved returns folder without symbolic links, or as it is when that cannot be told or too many were looked at.
func (f *folders) resolved(folder string) string {
	if real, ok := f.real[folder]; ok {
		return real
	}
	if len(f.real) >= maxFolders {
		return folder
	}
	real, err := filepath.EvalSymlinks(folder)
	if err != nil {
		real = folder
	}
	real = slashed(real)
	f.real[folder] = real
	return real
}

// slashed returns name without what adds nothing to it; one of Windows with its separators turned and its drive in
// upper case.
func slashed(name string) string {
	if len(name) > 2 && name[1] == ':' && (name[2] == '\\' || name[2] == '/') {
		name = strings.ToUpper(name[:1]) + strings.ReplaceAll(name[1:], `\`, "/")
	} else if filepath.Separator == '\\' || strings.HasPrefix(name, `\\`) {
		name = strings.ReplaceAll(name, `\`, "/")
	}
	if name == "" {
		return ""
	}
	return path.Clean(name)
}

func absolute(name string) bool {
	return strings.HasPrefix(name, "/") || len(name) > 2 && name[1] == ':' && name[2] == '/'
}

// below returns name as seen from root, which it lies in. Windows tells no case apart.
func below(name, root string) (string, bool) {
	root = strings.TrimRight(root, "/") + "/"
	if len(root) < 2 || len(name) <= len(root) {
		return "", false
	}
	if head := name[:len(root)]; head != root && (root[1] != ':' || !strings.EqualFold(head, root)) {
		return "", false
	}
	return name[len(root):], true
}
