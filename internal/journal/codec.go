package journal

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/jsonx"
)

const maxDepth = 64

// byteOrder is the mark that some editors put before a text. It is no JSON.
var byteOrder = []byte("\ufeff")

// JSON returns the JSON in the content of a journal's file, as it is stored.
func JSON(data []byte) []byte { return bytes.TrimSpace(bytes.TrimPrefix(data, byteOrder)) }

// decode reads a journal. It returns ErrCorrupt with the reason when data is not one JSON object or a field has another
// type than the schema's. It accepts older field names.
func decode(data []byte) (*Journal, error) {
	root, ok := jsonx.Parse(data, maxDepth)
	if !ok {
		return nil, fmt.Errorf("%w: it is not a JSON object", ErrCorrupt)
	}
	s := stored{Journal: new(Journal)}
	wrong := jsonx.ReadEdited(root, &s, (*stored).fields, func(key, value gjson.Result) {
		s.extra += len(key.Raw) + len(value.Raw) + 4
	})
	if wrong != "" {
		return nil, fmt.Errorf("%w: %s", ErrCorrupt, wrong)
	}
	s.raw = string(data)
	s.renew()
	return s.Journal, nil
}

// encode returns the journal as JSON. Unknown fields and the order of keys stay as they were read.
func (j *Journal) encode() []byte {
	if j.Summary == "" {
		j.SummaryBy = ""
	}
	return jsonx.Layout(jsonx.Write(&stored{Journal: j}, (*stored).fields))
}

// stored is a journal with the fields of older versions, which are read and never written.
type stored struct {
	*Journal

	completed       []Entry
	upcoming        []string
	working         string
	blocked, reason string
}

// The methods called fields name each field on disk, in the order of a new journal. TestRoundTrip fails when one is
// missing.

func (s *stored) fields(t *jsonx.Table) {
	j := s.Journal
	t.Over(&j.raw)
	t.Text("mission", &j.Mission).Or("null")
	t.Wordless("mission_opened", &j.MissionOpened).Or("null")
	t.Custom("mission_closed", j.readClosed, func() string { return quoted(j.MissionClosed) }).Or("null")
	t.Ref("mission_ref", &j.MissionRef)
	t.Wordless("mission_by", &j.MissionBy)
	t.Wordless("project", &j.Project).Or("null")
	if j.Branch != "" || t.Holds("branch", gjson.String) { // a value of another type is not memento's
		t.Wordless("branch", &j.Branch)
	}
	t.Text("summary", &j.Summary).Or("null")
	t.Wordless("summary_by", &j.SummaryBy)
	t.Text("wip", &j.Wip).Or("null")
	t.Wordless("wip_by", &j.WipBy)
	t.Text("next", &j.Next)
	t.Wordless("next_at", &j.NextAt)
	jsonx.Many(t, "done", &j.Done, (*Entry).fields, entryOf).Or("[]")
	t.Texts("plan", &j.Plan).Or("[]")
	t.Wordless("plan_by", &j.PlanBy)
	t.Texts("files", &j.Files)
	jsonx.Optional(t, "error", &j.Error, (*Failure).fields, failureOf)
	t.Wordless("session", &j.Session)
	t.Texts("earlier", &j.Earlier)
	jsonx.Many(t, "completed", &s.completed, (*Entry).fields, entryOf)
	t.Texts("upcoming", &s.upcoming)
	t.Former("in_progress", func(v gjson.Result) { s.working = inProgress(v) })
	t.Former("state", func(v gjson.Result) { s.blocked = v.String() })
	t.Former("state_reason", func(v gjson.Result) { s.reason = v.String() })
}

func (e *Entry) fields(t *jsonx.Table) {
	t.Over(&e.raw)
	t.Text("act", &e.Act).Or(`""`)
	t.Text("result", &e.Result)
	t.Text("ctx", &e.Ctx)
	t.Wordless("ts", &e.TS)
	t.Wordless("by", &e.By)
	t.Ref("ref", &e.Ref)
	t.Verdict("verified", &e.Verified)
	t.Former("task", func(v gjson.Result) { e.Act = cmp.Or(e.Act, v.String()) })
}

func (f *Failure) fields(t *jsonx.Table) {
	t.Over(&f.raw)
	t.Text("cmd", &f.Cmd).Or(`""`)
	t.Text("line", &f.Line)
	t.Wordless("ts", &f.TS)
}

// A plain string in one of these lists was written by hand: it is the act or the failing line.

func entryOf(words string) Entry     { return Entry{Act: words} }
func failureOf(words string) Failure { return Failure{Line: words} }

// readClosed reads mission_closed, which is true or false in journals written by hand. want is the type that another
// value should have had.
func (j *Journal) readClosed(v gjson.Result) (want string) {
	switch v.Type {
	case gjson.True:
		j.MissionClosed = "true"
	case gjson.String:
		if strings.TrimSpace(v.Str) != "" {
			j.MissionClosed = v.Str
		}
	case gjson.False, gjson.Null:
	default:
		return "text"
	}
	return ""
}

// renew moves the values of older fields to the fields that replaced them.
func (s *stored) renew() {
	j := s.Journal
	if j.Summary == "" {
		j.SummaryBy = ""
	}
	j.Done = append(s.completed, j.Done...)
	for _, p := range s.upcoming {
		if !containsFold(j.Plan, p) {
			j.Plan = append(j.Plan, p)
		}
	}
	working, reason := strings.TrimSpace(s.working), strings.TrimSpace(s.reason)
	for _, old := range [...]string{working, reason} {
		if old == "" || strings.Contains(j.Wip, old) {
			continue
		}
		if old == reason && s.blocked != "" {
			old = s.blocked + ": " + reason
		}
		j.Wip = strings.TrimPrefix(j.Wip+" — "+old, " — ")
	}
}

// inProgress returns the older field in_progress as words: the task, its progress, and the reason for its state.
func inProgress(v gjson.Result) string {
	if !v.IsObject() {
		return strings.Join(jsonx.Words(v), ", ")
	}
	var parts []string
	for _, key := range [...]string{"task", "progress", "state_reason"} {
		words := strings.TrimSpace(v.Get(key).String())
		if words != "" && key == "state_reason" {
			words = strings.TrimPrefix(v.Get("state").String()+": "+words, ": ")
		}
		if words != "" {
			parts = append(parts, words)
		}
	}
	return strings.Join(parts, " — ")
}

// quoted returns s as JSON, "" for "".
func quoted(s string) string {
	if s == "" {
		return ""
	}
	return jsonx.Quote(s)
}
