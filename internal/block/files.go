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

// files returns the line of the edited files and the files that were only read, each newest first: one read file
// follows two edited ones, since the next work needs a file read just now more than one edited long ago. Files of one
// folder stand together: src/{auth.ts,user.ts}. A file that was only read never counts as missed.
func (p *packer) files(edited, touched []string) string {
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
	read := slices.DeleteFunc(slices.Clone(touched), func(name string) bool { return slices.Contains(edited, name) })
	read = read[:min(len(read), maxLooked)]
	for i, name := range edited {
		if !add(name) {
			p.missed++
		}
		if i%2 == 1 && len(read) > 0 {
			add(read[0])
			read = read[1:]
		}
	}
	for _, name := range read {
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
