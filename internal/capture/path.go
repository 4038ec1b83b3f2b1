package capture

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/mementohq/memento/internal/transcript"
)

// folders gives each file one name, however a tool was called with it.
type folders struct {
	root string            // the project's top folder
	cwd  string            // the client's folder
	real map[string]string // folders outside root, without symbolic links
}

// maxFolders is how many folders outside the project one event resolves on the disk.
const maxFolders = 64

// of returns f for an entry of the transcript of a project with the top folder root, "" for an unknown one.
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

// relative returns the path of the file name relative to the project's top folder, or whole for a file outside it.
func (f *folders) relative(name string) string {
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

// resolved returns folder without symbolic links. It returns folder as it is on an error and after maxFolders.
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

// slashed returns a path in its shortest form: with slashes, and with a Windows drive in upper case.
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

// below returns name relative to root, false when it does not lie in root. On Windows case does not matter.
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
