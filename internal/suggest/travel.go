package suggest

import (
	"maps"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

	"github.com/mementohq/memento/internal/jsonx"
)

// maxDecided is how many decisions of a project are remembered, so that they can travel.
const maxDecided = 2000

// decide notes that somebody accepted or declined e. Its fingerprint does not contain the project, which may have
// another name on another machine.
func (f *contents) decide(e Suggestion) {
	f.setDecided(e.Project, append(f.decided(e.Project), fingerprint("", e.Quote)))
}

// decided returns the fingerprints of the sentences of a project that were accepted or declined.
func (f *contents) decided(project string) (out []string) {
	if known, ok := f.decidedOf[project]; ok {
		return known
	}
	gjson.Get(f.raw, "decided").ForEach(func(_, e gjson.Result) bool {
		if e.Get("project").Str == project {
			out = append(out, strings.Fields(e.Get("marks").Str)...)
		}
		return true
	})
	if f.decidedOf == nil {
		f.decidedOf = map[string][]string{}
	}
	f.decidedOf[project] = out
	return out
}

func (f *contents) setDecided(project string, marks []string) {
	delete(f.decidedOf, project)
	var list []string
	gjson.Get(f.raw, "decided").ForEach(func(_, e gjson.Result) bool {
		if e.Get("project").Str != project {
			list = append(list, e.Raw)
		}
		return true
	})
	marks = marks[max(0, len(marks)-maxDecided):]
	list = append(list, `{"project":`+jsonx.Quote(project)+`,"marks":"`+strings.Join(marks, " ")+`"}`)
	f.raw, _ = sjson.SetRaw(f.raw, "decided", "["+strings.Join(list, ",")+"]")
}

// SendDecided returns the fingerprints of the suggestions of a project that somebody accepted or declined, as they
// travel to another machine: a line each, sorted. A missing or damaged inbox has none. Errors: safefile.ErrRefused, or
// the disk's.
func (b Box) SendDecided(project string) ([]byte, error) {
	f, err := b.read()
	if err != nil {
		if err == errDamaged {
			err = nil
		}
		return nil, err
	}
	return linesOf(f.decided(project)), nil
}

func linesOf(marks []string) []byte {
	set := map[string]bool{}
	for _, m := range marks {
		if strings.Trim(m, "0123456789abcdef") == "" {
			set[m] = true
		}
	}
	var out []byte
	for _, m := range slices.Sorted(maps.Keys(set)) {
		out = append(out, m+"\n"...)
	}
	return out
}

// MergeDecided joins two versions of travelling fingerprints.
func MergeDecided(local, remote []byte) []byte {
	return linesOf(append(strings.Fields(string(local)), strings.Fields(string(remote))...))
}

// ReceiveDecided takes in fingerprints that travelled: nobody here is asked again what was decided elsewhere, and
// suggestions that wait go.
func (b Box) ReceiveDecided(project string, lines []byte) error {
	f, err := b.read()
	if err == nil && string(linesOf(f.decided(project))) == string(linesOf(strings.Fields(string(lines)))) {
		return nil
	}
	return b.change(func(f *contents) error {
		all := strings.Fields(string(MergeDecided(linesOf(f.decided(project)), lines)))
		f.setDecided(project, all)
		f.drop(func(e Suggestion) bool {
			return e.Project == project && slices.Contains(all, fingerprint("", e.Quote))
		})
		return nil
	})
}
