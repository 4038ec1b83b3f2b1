package block

import (
	"slices"
	"strings"
)

// maxLooked is how many files that were only read a block names, the ones read last.
const maxLooked = 8

// folder holds the files of one folder, newest first.
type folder struct {
	name  string
	files []string
}

// files returns the line of the edited files and, in the room left, of the files read, each newest first. Files of one
// folder stand together: src/{auth.ts,user.ts}. A file that was only read never counts as missed.
func (p *packer) files(edited, looked []string) string {
	var folders []folder
	add := func(name string) bool {
		cut := strings.LastIndexAny(name, `/\`) + 1
		dir, base := name[:cut], name[cut:]
		at := slices.IndexFunc(folders, func(f folder) bool {
			return f.name == dir && (dir != "" || f.files[0] == base)
		})
		switch {
		case at < 0:
			mark := ", "
			if len(folders) == 0 {
				mark = "\nFiles: "
			}
			if !p.take(mark + name) {
				return false
			}
			folders = append(folders, folder{dir, []string{base}})
		case slices.Contains(folders[at].files, base):
		case len(folders[at].files) == 1 && !p.take("{,}"+base), len(folders[at].files) > 1 && !p.take(","+base):
			return false
		default:
			folders[at].files = append(folders[at].files, base)
		}
		return true
	}
	for _, name := range edited {
		if !add(name) {
			p.missed++
		}
	}
	for _, name := range looked[:min(len(looked), maxLooked)] {
		add(name)
	}
	var out []string
	for _, f := range folders {
		if len(f.files) > 1 {
			out = append(out, f.name+"{"+strings.Join(f.files, ",")+"}")
		} else {
			out = append(out, f.name+f.files[0])
		}
	}
	if len(out) == 0 {
		return ""
	}
	return "Files: " + strings.Join(out, ", ")
}
