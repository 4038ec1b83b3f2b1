package block

import (
	"slices"
	"strings"
)

// maxLooked is how many files that were only read are named beside those edited: the ones read last are the ones needed
// next.
const maxLooked = 8

// folder is the files of one folder, newest first.
type folder struct {
	name  string
	files []string
}

// files packs the files edited and, what room is left, those read, newest first each, and returns their line. Files of
// one folder are named together: src/{auth.ts,user.ts}. What was read and does not fit is not missed.
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
