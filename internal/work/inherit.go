package work

import (
	"slices"
	"strings"
)

// inherited begins the ids of tasks of an earlier session: the client's own ids begin anew in each.
const inherited = "earlier:"

// IsInherited reports whether the task is of an earlier session.
func (t Task) IsInherited() bool { return strings.HasPrefix(t.ID, inherited) }

// Inherit adds what old, the work of a session whose mission goes on here, has open: tasks, the commands that fail, the
// checks and the files. The tasks stay until the session makes a list of its own.
func (w *Work) Inherit(old Work) {
	if len(w.Tasks) == 0 {
		for _, t := range old.Tasks {
			if t.isOpen() {
				t.ID, t.Prompt = inherited+strings.TrimPrefix(t.ID, inherited), w.Prompts
				w.Tasks = append(w.Tasks, t)
			}
		}
		w.Steps = slices.Clone(old.Steps)
	}
	if w.Asked == "" {
		w.Asked = old.Asked
	}
	var failures []Failure
	for _, f := range old.Failures {
		if !slices.ContainsFunc(w.Failures, func(own Failure) bool { return own.Key == f.Key }) {
			f.Ran, f.Made = w.Ran, w.Made
			failures = append(failures, f)
		}
	}
	var checks []Check
	for _, c := range old.Checks {
		if !slices.ContainsFunc(w.Checks, func(own Check) bool { return own.Key == c.Key }) {
			checks = append(checks, c)
		}
	}
	w.Failures = newest(append(failures, w.Failures...), maxFailures)
	w.Checks = newest(append(checks, w.Checks...), maxChecks)
	for _, file := range old.Touched {
		if !slices.Contains(w.Touched, file) {
			w.Touched = append(w.Touched, file)
		}
	}
	w.Touched = w.Touched[:min(len(w.Touched), maxTouched)]
}
