package note

import (
	"strings"

	"github.com/mementohq/memento/internal/redact"
)

// redact takes the secrets out of args and the flags' words, adds their kinds to n.Withheld, and returns args. When
// only all args together show a secret (`my password is …`, unquoted), it joins them to one word.
func (n *Note) redact(args []string) []string {
	clean := func(s string) string {
		s, kinds := redact.Text(s)
		n.Withheld = append(n.Withheld, kinds...)
		return s
	}
	if joined := strings.Join(args, " "); redact.Clean(joined) != joined {
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
