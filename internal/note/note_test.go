package note

import (
	"errors"
	"flag"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/permit"
)

// parse reads a command as the command line does.
func parse(args []string) (*Note, error) {
	n := &Note{Verb: args[0]}
	fs := flag.NewFlagSet(n.Verb, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	n.Flags(fs)
	words, err := Permute(fs, args[1:])
	if err != nil {
		return nil, err
	}
	return n, n.SetWords(words)
}

func TestParse(t *testing.T) {
	for _, c := range []struct {
		args string // separated by |
		want Note
	}{
		{"done|fix|login|--result|cookie renewed|--ctx|user: it logs me out",
			Note{Verb: "done", Words: []string{"fix", "login"}, Result: "cookie renewed", Ctx: "user: it logs me out"}},
		{"done|fix login|--wip|e2e run|--plan|pricing|--plan|docs",
			Note{Verb: "done", Words: []string{"fix login"}, Wip: Text{"e2e run", true},
				Plan: List{"pricing", "docs"}}},
		{"done|--|--fix", Note{Verb: "done", Words: []string{"--fix"}}},
		{"done|--wip|", Note{Verb: "done", Wip: Text{"", true}}},
		{"done|--wip|uploading", Note{Verb: "done", Wip: Text{"uploading", true}}},
		{"done|--plan|a|--plan|b", Note{Verb: "done", Plan: List{"a", "b"}}},
		{"mission|ship|it", Note{Verb: "mission", Words: []string{"ship", "it"}, Mission: "ship it"}},
		{"mission|--close", Note{Verb: "mission", Close: true}},
	} {
		got, err := parse(strings.Split(c.args, "|"))
		if err != nil {
			t.Errorf("Parse(%s): %v", c.args, err)
			continue
		}
		if !reflect.DeepEqual(*got, c.want) {
			t.Errorf("Parse(%s) = %+v, want %+v", c.args, *got, c.want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, args := range []string{"", "done", "done| ", "mission", "mission|x|--close", "done|--result|x",
		"done|--wip|x|--ctx|user: y", "show", "forget"} {
		var usage *Error
		if n, err := parse(strings.Split(args, "|")); !errors.As(err, &usage) || usage.Hint == "" {
			t.Errorf("Parse(%s) = %+v, %v, want an Error with a hint", args, n, err)
		}
	}
	for _, args := range []string{"done|x|--body|/etc/passwd", "mission|--resume|1", "mission|x|--keep|y",
		"done|x|--result"} {
		if n, err := parse(strings.Split(args, "|")); err == nil {
			t.Errorf("Parse(%s) = %+v, want an error", args, n)
		}
	}
}

func TestApplyProvenance(t *testing.T) {
	typed := "Never deploy on a Friday, please."
	w := Writer{By: journal.ByClaude, Session: "s1",
		Heard: func(words string) string {
			if strings.Contains(strings.ToLower(typed), words) {
				return typed
			}
			return ""
		},
		Printed: func(words string) (bool, error) { return words == "12 passed", nil },
	}
	yes, no := true, false
	for _, c := range []struct {
		ctx, kept string
		verified  *bool
		note      string
	}{
		{"user: never deploy on a friday, please.", "user: never deploy on a friday, please.", &yes, ""},
		{"user: deploy on a friday", "user: deploy on a friday", &yes, ""},
		{"user: deploy tonight", "user: deploy tonight", &no, "not found in what the user typed"},
		{"tool: 12 passed", "tool: 12 passed", &yes, ""},
		{"tool: 13 passed", "tool: 13 passed", &no, "not found in what this session's tools printed"},
		{"note: next the docs", "note: next the docs", nil, ""},
		{"next the docs", "note: next the docs", nil, "kept as a note"},
		{"user: ", "", nil, "left out"},
	} {
		j := &journal.Journal{}
		n, err := parse([]string{"done", "run the tests", "--ctx", c.ctx})
		if err != nil {
			t.Fatal(err)
		}
		said, err := n.Apply(j, w)
		if err != nil || len(j.Done) != 1 {
			t.Fatalf("%s: %v, %d entries", c.ctx, err, len(j.Done))
		}
		e := j.Done[0]
		if e.Ctx != c.kept || !reflect.DeepEqual(e.Verified, c.verified) || e.By != journal.ByClaude ||
			!strings.Contains(said[0], c.note) {
			t.Errorf("%s: kept %q verified %v by %s, said %q", c.ctx, e.Ctx, e.Verified, e.By, said)
		}
	}
}

// FuzzParse: any command that permit may approve is a note or an error for a person. Nothing panics, and takes no
// flag that the approval does not know.
func FuzzParse(f *testing.F) {
	f.Add(`memento done "fix login" --result "ok" --wip x --plan a --plan b`)
	f.Add(`memento done --wip ""`)
	f.Add(`memento done --keep 'token format' -- x`)
	f.Add(`memento done --plan - "-3 %"`)
	f.Fuzz(func(t *testing.T, line string) {
		args, ok := permit.Command(line, "/opt/memento/bin/memento")
		if !ok || args[0] != "mission" && args[0] != "done" {
			return
		}
		n, err := parse(args)
		var usage *Error
		if err != nil && !errors.As(err, &usage) && !errors.Is(err, flag.ErrHelp) {
			t.Fatalf("%q is approved and not understood: %v", args, err)
		}
		if err == nil && (n.Verb != args[0] || n.Agent != "") {
			t.Fatalf("%q is read as %+v", args, n)
		}
	})
}
