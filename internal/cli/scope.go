package cli

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/schema"
)

// filter turns the flags of list and search into a filter. Without --all and --project it takes the shelf's project;
// without --kind and --status it leaves Kinds and Status nil. Errors: *hintError, which lists the valid values.
func (s *shelf) filter(sc scope, now time.Time) (f record.Filter, err error) {
	f.Project = s.project
	switch {
	case sc.all:
		f.Project = ""
	case sc.project != "":
		if f.Project, err = recordProject(s.workspace(), sc.project); err != nil {
			return f, err
		}
	}
	if f.Kinds, err = choice("kind", sc.kind, schema.Names()); err != nil {
		return f, err
	}
	if f.Status, err = choice("status", sc.status, append(schema.Statuses(), "all")); err != nil {
		return f, err
	}
	if slices.Contains(f.Status, "all") {
		f.Status = schema.Statuses()
	}
	if f.Tags = commas(sc.tag); sc.tag != "" && f.Tags == nil {
		return f, usage("memento list shows what there is", "--tag: it is empty")
	}
	if sc.since != "" {
		f.Since, err = pastTime("since", sc.since, now)
	}
	return f, err
}

// commas splits s at commas and drops empty parts.
func commas(s string) (out []string) {
	for part := range strings.SplitSeq(s, ",") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

// choice splits the value of a flag at commas. Each part, in lower case, must be in known.
func choice(flag, s string, known []string) ([]string, error) {
	out := commas(strings.ToLower(s))
	for _, v := range out {
		if !slices.Contains(known, v) {
			return nil, usage(oneOf(v, known), "--%s: %q is not known", flag, v)
		}
	}
	if s != "" && out == nil {
		return nil, usage(oneOf("", known), "--%s: it is empty", flag)
	}
	return out, nil
}

// pastTime reads the value of a flag, a time in the past: 12h, 7d or 2w before now, or a day, which begins at midnight
// of now's time zone.
func pastTime(flag, s string, now time.Time) (time.Time, error) {
	s = strings.TrimSpace(s)
	if n, err := strconv.ParseUint(s[:max(0, len(s)-1)], 10, 16); err == nil {
		switch s[len(s)-1] {
		case 'h':
			return now.Add(-time.Duration(n) * time.Hour), nil
		case 'd':
			return now.AddDate(0, 0, -int(n)), nil
		case 'w':
			return now.AddDate(0, 0, -7*int(n)), nil
		}
	}
	for _, layout := range []string{time.DateOnly, time.RFC3339, time.DateTime} {
		if t, err := time.ParseInLocation(layout, s, now.Location()); err == nil {
			return t, nil
		}
	}
	return time.Time{}, usage("7d, 12h, 2w, or a day as 2026-03-14", "--%s: %q is no time", flag, s)
}
