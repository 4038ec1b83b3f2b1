package config

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/text"
)

// Kind is what a person can set of one kind of record, under "kinds" in config.json. There is no environment variable
// for it.
type Kind struct {
	Enabled     bool    // false: no record of it is written unasked or shown unasked
	AutoCapture bool    // false: none of it is written or suggested without being asked for
	Threshold   float64 // what the triage of a text must reach for it to be suggested
	// after which an active one is retired that was not updated since; -1: as the kind itself says, 0: never
	RetentionDays int
	Max           int    // how many of a project stay active; 0: as the kind itself says
	Description   string // what it is for, in the person's words
}

// MaxDescription is how long the description of a kind may be, in characters.
const MaxDescription = 200

// Kind returns the settings for the kind of record called name. What makes no sense is as if it were not set. Which
// kinds there are is not known here: one that nobody set is as by default.
func (c Config) Kind(name string) Kind {
	k := Kind{Enabled: true, AutoCapture: true, Threshold: 0.5, RetentionDays: -1}
	if c.kinds == "" {
		return k
	}
	given := entry(c.kinds, name)
	for _, f := range fields() {
		v := entry(given.Raw, f.name)
		if !v.Exists() {
			continue
		}
		if used, _ := f.check(v.String()); used != "" {
			f.put(&k, used)
		}
	}
	return k
}

// fields are the settings of a kind.
func fields() []spec[Kind] {
	return []spec[Kind]{
		{name: "enabled", value: "true", about: "false: none is written or shown without being asked for",
			check: isBool, put: func(k *Kind, v string) { k.Enabled = v == "true" }},
		{name: "auto_capture", value: "true", about: "false: none is written or suggested without being asked for",
			check: isBool, put: func(k *Kind, v string) { k.AutoCapture = v == "true" }},
		{name: "threshold", value: "0.5", about: "what a sentence must score to be suggested (0–1)",
			check: share, put: func(k *Kind, v string) { k.Threshold, _ = strconv.ParseFloat(v, 64) }},
		{name: "retention_days", value: "-1",
			about: "days without a change after which one is retired; 0: never, -1: as the kind itself says",
			check: between(-1, 3650), put: func(k *Kind, v string) { k.RetentionDays = number(v) }},
		{name: "max", value: "0", about: "how many of a project stay active; 0: as the kind itself says",
			check: between(0, 1000), put: func(k *Kind, v string) { k.Max = number(v) }},
		{name: "description", value: "", about: "what it is for, in your words",
			check: described, put: func(k *Kind, v string) { k.Description = v }},
	}
}

// KindFields lists what can be set of a kind, for help and completion.
func KindFields() (out []string) {
	for _, f := range fields() {
		out = append(out, f.name)
	}
	return out
}

// entry returns the value of key in the object that raw is, key taken as it is: nothing when raw is none.
func entry(raw, key string) (found gjson.Result) {
	if object := gjson.Parse(raw); object.IsObject() {
		object.ForEach(func(k, v gjson.Result) bool {
			if k.Str == key {
				found = v
				return false
			}
			return true
		})
	}
	return found
}

// kindPath takes "kinds.decision.threshold" apart; ok is false for what is no such name.
func kindPath(name string) (kind, field string, ok bool) {
	parts := strings.Split(name, ".")
	ok = len(parts) == 3 && parts[0] == "kinds" && parts[1] != "" && slices.Contains(KindFields(), parts[2]) &&
		strings.Trim(parts[1], "abcdefghijklmnopqrstuvwxyz_") == ""
	if !ok {
		return "", "", false
	}
	return parts[1], parts[2], true
}

// strange lists what stands under "kinds" in config.json that nobody reads. kinds are those there are; none given, any
// name may be one.
func strange(all gjson.Result, kinds []string) (out []string) {
	if !all.Exists() {
		return nil
	}
	if !all.IsObject() {
		return []string{"kinds (an object is expected)"}
	}
	known := KindFields()
	all.ForEach(func(kind, given gjson.Result) bool {
		name := "kinds." + text.Line(kind.Str)
		switch {
		case len(kinds) > 0 && !slices.Contains(kinds, kind.Str):
			out = append(out, name)
		case !given.IsObject():
			out = append(out, name+" (an object is expected)")
		default:
			given.ForEach(func(k, _ gjson.Result) bool {
				if !slices.Contains(known, k.Str) {
					out = append(out, name+"."+text.Line(k.Str))
				}
				return true
			})
		}
		return true
	})
	return out
}

// share accepts a number from 0 to 1.
func share(s string) (string, error) {
	n, err := strconv.ParseFloat(s, 64)
	expected := errors.New("a number from 0 to 1 is expected")
	if err != nil || n != n {
		return "", expected
	}
	used := max(0, min(n, 1))
	if used != n {
		return strconv.FormatFloat(used, 'g', -1, 64), expected
	}
	return strconv.FormatFloat(n, 'f', -1, 64), nil
}

// described accepts a line of words.
func described(s string) (string, error) {
	if used, cut := text.Cut(strings.Join(strings.Fields(s), " "), MaxDescription); cut {
		return used, errors.New("at most " + strconv.Itoa(MaxDescription) + " characters are expected")
	} else {
		return used, nil
	}
}
