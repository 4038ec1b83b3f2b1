package config

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// Kind holds the settings for one kind of record, from "kinds" in config.json. No environment variable sets them.
type Kind struct {
	Enabled       bool // false: memento writes and shows such records only if asked
	AutoCapture   bool // false: memento writes such records only if asked
	RetentionDays int  // days without a change until a record is retired; 0: never, -1: the default of the kind
	Max           int  // most active records of a project; 0: the default of the kind
}

// Kind returns the settings for the kind of record called name. A value that cannot be used counts as not set. A name
// without settings, of any kind or none, has the defaults.
func (c Config) Kind(name string) Kind {
	if c.kinds == "" {
		return Kind{Enabled: true, AutoCapture: true, RetentionDays: -1}
	}
	all := resolve(fields(), func(string) string { return "" }, gjson.Get(c.kinds, gjson.Escape(name)).Raw)
	get := func(name string) string { return all[name].Value }
	return Kind{Enabled: get("enabled") == "true", AutoCapture: get("auto_capture") == "true",
		RetentionDays: number(get("retention_days")), Max: number(get("max"))}
}

// fields lists the settings of a kind.
func fields() []spec {
	return []spec{
		{"enabled", "true", "false: none is written or shown without being asked for", isBool},
		{"auto_capture", "true", "false: none is written without being asked for", isBool},
		{"retention_days", "-1", "days without a change after which one is retired; 0: never, -1: as the kind itself says",
			between(-1, 3650)},
		{"max", "0", "how many of a project stay active; 0: as the kind itself says", between(0, 1000)},
		{"description", "", "what it is for, in your words", anything},
	}
}

// KindFields lists the names of the settings of a kind.
func KindFields() []string { return namesOf(fields()) }

// kindPath splits "kinds.decision.max". ok is false for any other name.
func kindPath(name string) (kind, field string, ok bool) {
	parts := strings.Split(name, ".")
	ok = len(parts) == 3 && parts[0] == "kinds" && parts[1] != "" && slices.Contains(KindFields(), parts[2]) &&
		strings.Trim(parts[1], "abcdefghijklmnopqrstuvwxyz_") == ""
	if !ok {
		return "", "", false
	}
	return parts[1], parts[2], true
}
