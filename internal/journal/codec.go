package journal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
	"github.com/tidwall/pretty"

	"github.com/mementohq/memento/internal/event"
)

const maxDepth = 64

// People read and edit journals: "a < b" stays "a < b".
func init() { gjson.SetEscapeHTML(false) }

// valid reports whether data is JSON, and not nested so deeply that reading it would take a stack without end.
func valid(data []byte) bool { return event.TooDeep(data, maxDepth) < 0 && gjson.ValidBytes(data) }

// Decode reads a journal. Errors: ErrCorrupt with the reason when data is not one JSON object, or a field of the schema
// has another type. The seed's older field names are read as the ones that replaced them.
func Decode(data []byte) (*Journal, error) {
	if !valid(data) {
		return nil, fmt.Errorf("%w: it is not valid JSON", ErrCorrupt)
	}
	raw := string(data)
	root := gjson.Parse(raw)
	if !root.IsObject() {
		return nil, fmt.Errorf("%w: it is not a JSON object", ErrCorrupt)
	}
	j := &Journal{raw: raw}
	var bad string
	str := func(key string, v gjson.Result, to *string) {
		switch v.Type {
		case gjson.String:
			if strings.TrimSpace(v.Str) != "" { // white space alone is nothing
				*to = v.Str
			}
		case gjson.Null:
		default:
			bad = key + " is not text"
		}
	}
	var completed []Entry
	var upcoming []string
	var blocked, reason, working string
	seen := map[string]bool{}
	root.ForEach(func(k, v gjson.Result) bool {
		if seen[k.Str] { // said twice: the first is the one that encode changes, the second stays as it is
			j.extra += len(k.Raw) + len(v.Raw) + 4
			return true
		}
		seen[k.Str] = true
		switch k.Str {
		case "mission":
			str(k.Str, v, &j.Mission)
		case "mission_opened":
			str(k.Str, v, &j.MissionOpened)
		case "mission_closed":
			if v.Type == gjson.True { // seen in hand-written journals
				j.MissionClosed = "true"
			} else if v.Type != gjson.False {
				str(k.Str, v, &j.MissionClosed)
			}
		case "mission_ref":
			str(k.Str, v, &j.MissionRef)
		case "mission_by":
			str(k.Str, v, &j.MissionBy)
		case "project":
			str(k.Str, v, &j.Project)
		case "branch":
			if v.Type == gjson.String { // anything else is somebody's own
				j.Branch = v.Str
			}
		case "subject":
			str(k.Str, v, &j.Subject)
		case "summary":
			str(k.Str, v, &j.Summary)
		case "summary_by":
			str(k.Str, v, &j.SummaryBy)
		case "wip":
			str(k.Str, v, &j.Wip)
		case "wip_by":
			str(k.Str, v, &j.WipBy)
		case "plan_by":
			str(k.Str, v, &j.PlanBy)
		case "session":
			str(k.Str, v, &j.Session)
		case "seen":
			str(k.Str, v, &j.Seen)
		case "acted":
			str(k.Str, v, &j.Acted)
		case "applied":
			j.Applied = words(v)
		case "done":
			if !list(v) {
				bad = "done is not a list"
			}
			j.Done = entries(v)
		case "plan":
			if !list(v) {
				bad = "plan is not a list"
			}
			j.Plan = words(v)
		case "files":
			j.Files = words(v)
		case "said":
			if !list(v) {
				bad = "said is not a list"
			}
			j.Said = sayings(v)
		case "error":
			if v.IsObject() {
				j.Error = &Failure{Cmd: v.Get("cmd").String(), Line: v.Get("line").String(), TS: v.Get("ts").String(), raw: v.Raw}
			} else if v.Type != gjson.Null && v.String() != "" { // somebody's plain words
				j.Error = &Failure{Line: v.String()}
			}
		case "completed":
			completed = entries(v)
		case "upcoming":
			upcoming = words(v)
		case "in_progress":
			working = inProgress(v)
		case "state":
			blocked = v.String()
		case "state_reason":
			reason = v.String()
		default:
			j.extra += len(k.Raw) + len(v.Raw) + 4
		}
		return bad == ""
	})
	if bad != "" {
		return nil, fmt.Errorf("%w: %s", ErrCorrupt, bad)
	}
	if j.Summary == "" {
		j.SummaryBy = "" // nobody's: it is not written either
	}
	j.Done = append(completed, j.Done...)
	for _, p := range upcoming {
		if !containsFold(j.Plan, p) {
			j.Plan = append(j.Plan, p)
		}
	}
	working, reason = strings.TrimSpace(working), strings.TrimSpace(reason)
	for _, old := range [...]string{working, reason} {
		if old == "" || strings.Contains(j.Wip, old) {
			continue
		}
		if old == reason && blocked != "" {
			old = blocked + ": " + reason
		}
		j.Wip = strings.TrimPrefix(j.Wip+" — "+old, " — ")
	}
	return j, nil
}

func list(v gjson.Result) bool { return v.IsArray() || v.Type == gjson.Null }

func entries(v gjson.Result) (out []Entry) {
	for _, e := range v.Array() {
		if !e.IsObject() { // somebody's plain line: taken for what was done
			if e.String() != "" {
				out = append(out, Entry{Act: e.String()})
			}
			continue
		}
		d := Entry{Act: e.Get("act").String(), Result: e.Get("result").String(), Ctx: e.Get("ctx").String(), TS: e.Get("ts").String(), By: e.Get("by").String(), Ref: e.Get("ref").String(), Check: e.Get("check").Bool(), Verified: verdict(e), proof: e.Get("proof").Str, raw: e.Raw}
		if d.Act == "" {
			d.Act = e.Get("task").String()
		}
		out = append(out, d)
	}
	return out
}

func sayings(v gjson.Result) (out []Saying) {
	for _, e := range v.Array() {
		if t := e.Get("text"); !e.IsObject() || t.Str == "" {
			if e.String() != "" {
				out = append(out, Saying{Text: e.String()})
			}
		} else {
			out = append(out, Saying{Text: t.Str, TS: e.Get("ts").String(), Ref: e.Get("ref").String(), Asked: e.Get("asked").String(), Rule: e.Get("rule").Bool(), By: e.Get("by").String(), Verified: verdict(e), raw: e.Raw})
		}
	}
	return out
}

func words(v gjson.Result) (out []string) {
	for _, e := range v.Array() {
		if s := e.String(); s != "" && e.Type != gjson.Null {
			out = append(out, s)
		}
	}
	return out
}

func verdict(v gjson.Result) *bool {
	if b := v.Get("verified"); b.IsBool() {
		ok := b.Bool()
		return &ok
	}
	return nil
}

// inProgress is what an older journal says of the work in hand, all of it: the task, how far it is, how it stands and why, and what else.
func inProgress(v gjson.Result) string {
	if !v.IsObject() {
		return strings.Join(words(v), ", ")
	}
	var parts, rest []string
	add := func(to *[]string, s string) {
		if s = strings.TrimSpace(s); s != "" {
			*to = append(*to, s)
		}
	}
	add(&parts, v.Get("task").String())
	add(&parts, v.Get("progress").String())
	if reason := v.Get("state_reason").String(); strings.TrimSpace(reason) != "" { // a state alone says nothing
		add(&parts, strings.TrimPrefix(v.Get("state").String()+": "+reason, ": "))
	}
	v.ForEach(func(k, v gjson.Result) bool {
		switch k.String() {
		case "task", "progress", "state", "state_reason", "ts":
		default:
			if said := strings.TrimSpace(v.String()); said != "" {
				add(&rest, k.String()+": "+said)
			}
		}
		return true
	})
	return strings.Join(append(parts, rest...), " — ")
}

// encode writes the journal over what was read, so that unknown fields and the order of keys stay.
func (j *Journal) encode() []byte { return j.encodeAgain(&written{}) }

// written is what was written of entries and sayings the last time.
type written struct {
	done memo[Entry]
	said memo[Saying]
}

// encodeAgain is encode that writes anew only what was not written the last time, for a journal of which things leave, one
// by one, until it fits.
func (j *Journal) encodeAgain(last *written) []byte {
	o := objectOf(j.raw)
	set, drop := o.set, o.drop
	optional := func(key, value string) {
		if value == "" {
			drop(key)
		} else {
			set(key, str(value))
		}
	}
	set("mission", orNull(j.Mission))
	set("mission_opened", orNull(j.MissionOpened))
	set("mission_closed", orNull(j.MissionClosed))
	optional("mission_ref", j.MissionRef)
	optional("mission_by", j.MissionBy)
	set("project", orNull(j.Project))
	if j.Branch != "" || gjson.Get(j.raw, "branch").Type == gjson.String {
		optional("branch", j.Branch)
	}
	optional("subject", j.Subject)
	set("summary", orNull(j.Summary))
	if j.Summary == "" {
		drop("summary_by")
	} else {
		optional("summary_by", j.SummaryBy)
	}
	set("wip", orNull(j.Wip))
	optional("wip_by", j.WipBy)
	set("done", join(j.Done, last.done.of(Entry.encode)))
	set("plan", join(j.Plan, str))
	optional("plan_by", j.PlanBy)
	set("said", join(j.Said, last.said.of(Saying.encode)))
	if len(j.Files) > 0 {
		set("files", join(j.Files, str))
	} else {
		drop("files")
	}
	if j.Error != nil {
		set("error", fields(j.Error.raw, "cmd", str(j.Error.Cmd), "line", orNone(j.Error.Line), "ts", orNone(j.Error.TS)))
	} else {
		drop("error")
	}
	optional("session", j.Session)
	optional("seen", j.Seen)
	optional("acted", j.Acted)
	if len(j.Applied) > 0 {
		set("applied", join(j.Applied, str))
	} else {
		drop("applied")
	}
	for _, old := range [...]string{"completed", "upcoming", "in_progress", "state", "state_reason"} {
		drop(old)
	}
	return pretty.PrettyOptions(o.encode(), &pretty.Options{Width: 100, Indent: "  "})
}

func (e Entry) encode() string {
	check := ""
	if e.Check {
		check = "true"
	}
	return fields(e.raw, "act", str(e.Act), "result", orNone(e.Result), "ctx", orNone(e.Ctx), "ts", orNone(e.TS), "by", orNone(e.By), "ref", orNone(e.Ref), "check", check, "verified", orUnset(e.Verified), "proof", orNone(e.proof), "task", "")
}

func (s Saying) encode() string {
	rule := ""
	if s.Rule {
		rule = "true"
	}
	return fields(s.raw, "text", str(s.Text), "ts", orNone(s.TS), "ref", orNone(s.Ref), "asked", orNone(s.Asked), "rule", rule, "by", orNone(s.By), "verified", orUnset(s.Verified))
}

// fields sets the keys of raw, an object or "", to raw values; "" removes a key.
func fields(raw string, kv ...string) string {
	if !strings.HasPrefix(raw, "{") {
		raw = ""
	}
	o := objectOf(raw)
	for i := 0; i < len(kv); i += 2 {
		if kv[i+1] == "" {
			o.drop(kv[i])
		} else {
			o.set(kv[i], kv[i+1])
		}
	}
	return string(o.encode())
}

// memo remembers what was written of each item.
type memo[T comparable] struct {
	items []T
	texts []string
}

// of returns encode that asks m first. Items are asked for in the same order each time; some may be gone.
func (m *memo[T]) of(encode func(T) string) func(T) string {
	at := 0
	return func(item T) string {
		if i := slices.Index(m.items[at:], item); i >= 0 {
			at += i + 1
			return m.texts[at-1]
		}
		m.items, m.texts = slices.Insert(m.items, at, item), slices.Insert(m.texts, at, encode(item))
		at++
		return m.texts[at-1]
	}
}

func join[T any](items []T, encode func(T) string) string {
	var b strings.Builder
	b.WriteByte('[')
	for i, it := range items {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(encode(it))
	}
	b.WriteByte(']')
	return b.String()
}

func str(s string) string { return string(gjson.AppendJSONString(nil, s)) }

func orNull(s string) string {
	if s == "" {
		return "null"
	}
	return str(s)
}

func orNone(s string) string {
	if s == "" {
		return ""
	}
	return str(s)
}

func orUnset(b *bool) string {
	switch {
	case b == nil:
		return ""
	case *b:
		return "true"
	}
	return "false"
}
