package block

import (
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/text"
)

// packer fills a budget with whole pieces. Its unit is the quarter of a token.
type packer struct {
	left   int // room left
	floor  int // room that spend may not use
	missed int // files that did not fit
}

// spend takes room for a piece of n quarters, if there is that much.
func (p *packer) spend(n int) bool {
	if n > p.left-p.floor {
		return false
	}
	p.left -= n
	return true
}

// section is a line of the block with several items, or a line for each item.
type section struct {
	label string
	mark  string   // between two items of one line, "" for a line each
	items []string // those that have no room yet, the most valuable first
	kept  []string // those that have
}

// before returns the text before the next item.
func (s *section) before() string {
	if s.mark == "" || len(s.kept) == 0 {
		return "\n" + s.label
	}
	return s.mark
}

// line returns the section as it stands in the block.
func (s *section) line() string {
	switch {
	case len(s.kept) == 0:
		return ""
	case s.mark == "":
		return s.label + strings.Join(s.kept, "\n"+s.label)
	}
	return s.label + strings.Join(s.kept, s.mark)
}

// fill keeps the items of s that fit into a share of the room left, in hundredths.
func (p *packer) fill(s *section, share int) {
	p.floor = p.left - p.left*share/100
	s.items = slices.DeleteFunc(s.items, func(item string) bool {
		fits := p.spend(text.Quarters(s.before() + item))
		if fits {
			s.kept = append(s.kept, item)
		}
		return fits
	})
}

// files returns the line of the edited files and the files that were only read, each newest first: one read file
// follows two edited ones, since the next work needs a file read just now more than one edited long ago. Files of one
// folder stand together: src/{auth.ts,user.ts}. They take at most maxFiles. Of those that were only read the last 8
// stand there, and none counts as missed.
func (p *packer) files(edited, touched []string) string {
	p.floor = max(0, p.left-maxFiles)
	read := slices.DeleteFunc(slices.Clone(touched), func(name string) bool { return slices.Contains(edited, name) })
	read = read[:min(len(read), 8)]
	names := slices.Clone(edited)
	for i, name := range read {
		names = slices.Insert(names, min(3*i+2, len(names)), name)
	}
	if len(names) > 0 {
		p.left -= text.Quarters("\n" + filesLabel)
	}
	type folder struct {
		path  string
		files []string
	}
	var folders []*folder
	known := map[string]*folder{}
	for _, name := range names {
		cut := strings.LastIndexAny(name, `/\`) + 1
		in, cost := known[name[:cut]], "{,}"+name[cut:]
		if in == nil || cut == 0 { // a file of the top folder stands alone
			in, cost = &folder{path: name[:cut]}, ", "+name
		}
		if !p.spend(text.Quarters(cost)) {
			if !slices.Contains(read, name) {
				p.missed++
			}
			continue
		}
		if in.files == nil {
			folders, known[in.path] = append(folders, in), in
		}
		in.files = append(in.files, name[cut:])
	}
	var out []string
	for _, in := range folders {
		files := strings.Join(in.files, ",")
		if len(in.files) > 1 {
			files = "{" + files + "}"
		}
		out = append(out, in.path+files)
	}
	return labelled(filesLabel, strings.Join(out, ", "))
}
