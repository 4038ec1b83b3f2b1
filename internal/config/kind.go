package config

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/text"
)

// Kind holds the settings for one kind of record, from "kinds" in config.json. No environment variable sets them.
type Kind struct {
	Enabled       bool    // false: memento writes and shows such records only if asked
	AutoCapture   bool    // false: memento writes and suggests such records only if asked
	Threshold     float64 // lowest score of a text that is suggested
	RetentionDays int     // days without a change until a record is retired; 0: never, -1: the default of the kind
	Max           int     // most active records of a project; 0: the default of the kind
	Description   string  // the purpose, in the user's words
}

// MaxDescription is the longest description of a kind, in characters.
const MaxDescription = 200

// Kind returns the settings for the kind of record called name. A value that cannot be used counts as not set. A name
// without settings, of any kind or none, has the defaults.
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

// fields lists the settings of a kind.
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

// KindFields lists the names of the settings of a kind, for help and completion.
func KindFields() (out []string) {
	for _, f := range fields() {
		out = append(out, f.name)
	}
	return out
}

// entry returns the value of key in the JSON object raw. Dots in key have no special meaning.
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

// kindPath splits "kinds.decision.threshold". ok is false for any other name.
func kindPath(name string) (kind, field string, ok bool) {
	parts := strings.Split(name, ".")
	ok = len(parts) == 3 && parts[0] == "kinds" && parts[1] != "" && slices.Contains(KindFields(), parts[2]) &&
		strings.Trim(parts[1], "abcdefghijklmnopqrstuvwxyz_") == ""
	if !ok {
		return "", "", false
	}
	return parts[1], parts[2], true
}

// unknownKinds lists the entries of "kinds" in config.json that memento does not read. kinds are the kinds of records;
// without them, any name may be a kind.
func unknownKinds(all gjson.Result, kinds []string) (out []string) {
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
	used, cut := text.Cut(strings.Join(strings.Fields(s), " "), MaxDescription)
	if cut {
		return used, errors.New("at most " + strconv.Itoa(MaxDescription) + " characters are expected")
	}
	return used, nil
}
