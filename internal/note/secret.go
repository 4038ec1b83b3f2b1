package note

import (
	"strings"

	"github.com/mementohq/memento/internal/redact"
)

// redact takes the secrets out of args and the flags' words, notes their kinds in Withheld, and returns args. A secret
// that only all of args together give away ("my password is …", unquoted) makes one of them.
func (n *Note) redact(args []string) []string {
	clean := func(s string) string {
		s, kinds := redact.Text(s)
		n.Withheld = append(n.Withheld, kinds...)
		return s
	}
	if joined := strings.Join(args, " "); n.Verb != "plan" && redact.Clean(joined) != joined {
		args = []string{clean(joined)}
	}
	args = append([]string(nil), args...)
	for _, list := range [...][]string{args, n.Plan, n.Constraint, n.Drop} {
		for i := range list {
			list[i] = clean(list[i])
		}
	}
	for _, s := range [...]*string{&n.Mission, &n.Result, &n.Ctx, &n.Wip.Value} {
		*s = clean(*s)
	}
	return args
}
