package journal

import (
	"bytes"
	"fmt"
	"hash/fnv"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/log"
)

// at is what memento notes in the journal of its own last change. A body that the sum does not fit was edited by hand.
type at struct {
	session string // whose change it was
	sum     string // of the journal without at
	taken   int64  // how much of the session's transcript was taken in, in bytes
}

func (a *at) fields(t *jsonx.Table) {
	t.Wordless("session", &a.session)
	t.Wordless("sum", &a.sum)
	jsonx.Number(t, "taken", &a.taken)
}

// withAt returns the journal body with a at its end.
func withAt(body []byte, a at) []byte {
	o := jsonx.ObjectOf(string(body))
	o.Set("at", string(jsonx.Write(&a, (*at).fields)))
	return []byte(o.String() + behind(body))
}

// cutAt returns the journal in data without at, and at, the zero one for none. data that is no object stays as it is.
func cutAt(data []byte) (body []byte, a at) {
	v := gjson.GetBytes(data, "at")
	if !v.IsObject() || !jsonx.Valid(data, maxDepth) {
		return data, at{}
	}
	if !jsonx.Read([]byte(v.Raw), maxDepth, &a, (*at).fields) {
		a = at{}
	}
	o := jsonx.ObjectOf(string(data))
	o.Drop("at")
	return []byte(o.String() + behind(data)), a
}

// behind returns the white space behind an object.
func behind(data []byte) string { return string(data[len(bytes.TrimRight(data, " \t\r\n")):]) }

func sumOf(body string) string {
	h := fnv.New64a()
	h.Write([]byte(body))
	return fmt.Sprintf("%016x", h.Sum64())
}

// TakenIn returns how much of a session's transcript the journal has taken in, in bytes, 0 for unknown.
func (j *Journal) TakenIn(session string) int64 {
	if j.at.session != session {
		return 0
	}
	return j.at.taken
}

// Typed returns the IDs of the lane's prompts that the log has. A fork's transcript begins with prompts of another
// session.
func (s Store) Typed(session string) map[string]bool {
	typed := map[string]bool{}
	_ = history.Newest(s.Lane, session, history.Recent, func(e log.Entry) bool {
		typed[e.ID] = typed[e.ID] || e.Kind == log.Typed
		return true
	})
	return typed
}
