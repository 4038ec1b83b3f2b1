package capture

import (
	"cmp"
	"path"
	"path/filepath"
	"strings"
)

// relative returns the path of the file name relative to root, the project's top folder, or whole for a file outside
// it. cwd is the client's folder, which stands in for an unknown root.
func relative(name, root, cwd string) string {
	name = slashed(name)
	if !absolute(name) {
		if cwd == "" || !absolute(slashed(cwd)) {
			return name
		}
		name = path.Join(slashed(cwd), name)
	}
	if rest, ok := below(name, slashed(cmp.Or(root, cwd))); ok {
		return rest
	}
	return name
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
