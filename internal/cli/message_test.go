package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/schema"
)

// TestWrongCalls: the error for a wrong call says what is wrong, and its hint says what to type instead.
func TestWrongCalls(t *testing.T) {
	p := newPerson(t)
	p.run("done", "x")
	for _, tt := range []struct{ args, what, hint string }{
		{"x", `unknown command "x"`, "memento help"},
		{"lits", `unknown command "lits"`, `did you mean "memento list"?`},
		{"--json", `a command comes first, and then "--json"`, "memento help"},
		{"help lits", `help: unknown command "lits"`, `did you mean "memento list"?`},
		{"done -x", `done: there is no flag "-x"`,
			"memento help done; words that begin with a hyphen come last, behind --"},
		{"done --reslut", `done: there is no flag "--reslut"`, "did you mean --result?"},
		{"search x --limit", "search: a value is missing behind --limit", "memento help search"},
		{"search x --limit y", `search: invalid value "y" for --limit: a whole number from 1 on is expected`, "memento help search"},
		{"show a b", "show: takes at most 1 argument, got 2", "memento help show"},
		{"status a", `status: takes no arguments, got "a"`, "memento help status"},
		{"list --all --project x", "list: --all and --project exclude each other", "leave one of them out"},
		{"sync --off --dry-run", "sync: --off comes alone", "memento help sync"},
		{"rules keep -1", `rules: "-1" is no number of a rule`, "memento rules"},
		{"archive --as retired use-jwt", "archive: a reason is needed",
			`memento archive use-jwt --as retired --reason "…"`},
		{"config remind sometimes",
			`config: remind: "sometimes": one of auto, always, never is expected; nothing was changed`,
			"memento config"},
		{"config max_entries -1",
			`config: max_entries: "-1": a whole number from 4 to 24 is expected; nothing was changed`,
			"memento config"},
		{"config remind ", "config: the value is empty", "memento config --unset remind puts the default back"},
		{"config kinds.decison.max 1", `config: no kind of record "decison"`,
			"did you mean decision? It is " + oneOf("", schema.Names())},
		{"config kinds.decision.mux 1", `config: no setting of a kind "mux"`,
			"did you mean max? It is " + oneOf("", config.KindFields())},
		{"config MEMENTO_REMNID auto", `config: no setting "remnid"`,
			"did you mean remind? It is " + oneOf("", config.Names())},
		{"pause --project SHOP", `pause: no project is called "SHOP"`, "did you mean shop?"},
		{"list --project shpo", `list: no project is called "shpo"`, "did you mean shop?"},
		{"search x --project shpo", `search: no project is called "shpo"`, "did you mean shop?"},
		{"pause --project ", `pause: invalid value "" for --project: it is empty`, "memento help pause"},
		{"list [a", `list: "[a" is no pattern`, "memento list 'auth*'"},
		{"list --kind ,", "list: --kind: it is empty", oneOf("", schema.Names())},
		{"list --status gone", `list: --status: "gone" is not known`,
			"one of active, completed, retired, archived, all"},
		{"list --since -7d", `list: --since: "-7d" is no time`, "7d, 12h, 2w, or a day as 2026-03-14"},
		{"list --since 4000000000w", `list: --since: "4000000000w" is no time`, "7d, 12h, 2w, or a day as 2026-03-14"},
		{"list --project ../x", "list: --project: ", "memento workspace lists the projects"},
		{"archive", "archive: which record?", "memento list"},
		{"edit", "edit: which record?", "memento list"},
		{"workspace renmae x", `workspace: "renmae" is none of rename, join`,
			`did you mean "memento workspace rename"?`},
		{"workspace rename a", "workspace: rename takes OLD and NEW", "memento help workspace"},
	} {
		args := strings.Split(tt.args, " ")
		_, errs, code := p.run(args...)
		if code != exitUsage || !strings.HasPrefix(errs, "memento: "+tt.what) ||
			!strings.HasSuffix(errs, "\nmemento: hint: "+tt.hint+"\n") {
			t.Errorf("memento %s: %d\n%s\nwanted\nmemento: %s\nmemento: hint: %s", tt.args, code, errs, tt.what,
				tt.hint)
		}
	}
}

// TestHints: a hint says what helps here, and nothing that was just refused.
func TestHints(t *testing.T) {
	p := newPerson(t)
	p.run("save", "decision", "Tabs")
	_, errs, code := p.run("save", "decision", "Tabs")
	const want = "memento: save: record \"shop--tabs\" is there already, and active\n" +
		"memento: hint: memento show shop--tabs shows it, memento edit shop--tabs changes it\n"
	if code != exitFail || errs != want {
		t.Errorf("%d\n%s\nwanted\n%s", code, errs, want)
	}
}

// TestNothingNamedErasesNothing: a command that erases a part never takes an empty name for everything.
func TestNothingNamedErasesNothing(t *testing.T) {
	p := newPerson(t)
	p.run("mission", "Ship the loyalty card")
	for _, args := range []string{"forget --project ", "forget ", "rm  --yes"} {
		if _, errs, code := p.run(strings.Split(args, " ")...); code != exitUsage ||
			!strings.Contains(errs, "memento: hint: ") {
			t.Errorf("memento %s: %d\n%s", args, code, errs)
		}
	}
	if out, _, _ := p.run("show"); !strings.Contains(out, "Ship the loyalty card") {
		t.Errorf("the mission is gone: %s", out)
	}
}

// TestNegativeNumber: a negative number is a value, not a flag.
func TestNegativeNumber(t *testing.T) {
	p := newPerson(t)
	if out, errs, code := p.run("config", "kinds.decision.retention_days", "-1"); code != exitOK ||
		out != "kinds.decision.retention_days is -1 (config.json)\n" {
		t.Errorf("%d %s%s", code, out, errs)
	}
}

// TestExportToTheWrongPlace: the error says what is at the path already, and the hint helps.
func TestExportToTheWrongPlace(t *testing.T) {
	p := newPerson(t)
	p.run("save", "decision", "Use PASETO", "--set", "decision=v4")
	file := filepath.Join(p.dir, "notes")
	fixture.Write(t, file, "")
	for _, tt := range []struct{ to, want string }{
		{"notes",
			"export: DIR/notes: it is a file, and a folder is expected\nmemento: hint: name a folder, or a file " +
				"that is not there yet with --format json\n"},
		{"a/b", "export: mkdir DIR/a/b: no such file or directory\nmemento: hint: mkdir -p DIR/a\n"},
	} {
		if _, errs, code := p.run("export", "--to", tt.to); code != exitFail || errs != "memento: "+tt.want {
			t.Errorf("--to %s: %d\n%s", tt.to, code, errs)
		}
	}
	for _, line := range []string{"view --out a/p.html"} {
		if _, errs, _ := p.run(strings.Fields(line)...); !strings.HasSuffix(errs,
			"\nmemento: hint: mkdir -p DIR/a\n") {
			t.Errorf("memento %s: %s", line, errs)
		}
	}
}

// TestDamagedFiles: a command that needs a damaged file says so in plain words, and memento doctor reports the file.
func TestDamagedFiles(t *testing.T) {
	p := newPerson(t)
	p.run("save", "decision", "Use PASETO", "--set", "decision=v4")
	dir := filepath.Join(p.home, ".claude", ".memento")
	for _, tt := range []struct{ file, args, says, doctor string }{
		{"workspace.json", "workspace",
			"workspace.json: it is no list of projects: no project is known by its name\nmemento: hint: memento doctor\n",
			"workspace.json: it is no list of projects"},
		{"erased.json", "forget PASETO --yes",
			"erased.json: it is not a list of what was erased\nmemento: hint: memento doctor\n",
			"erased.json: it is not a list of what was erased\n     hint: rm "},
		{"paused.json", "done x",
			"paused.json cannot be read: it is not a list of pauses\nmemento: hint: memento pause --end --all sets " +
				"paused.json aside", "paused.json cannot be read: it is not a list of pauses"},
		{"config.json", "config remind never",
			"config.json is not a JSON object, so nothing was changed\nmemento: hint: mend it by hand, or delete it",
			"hint: mend it by hand, or delete it"},
		{"shop--use-paseto.md", "list", "shop--use-paseto.md is left out: front matter, line 1",
			"shop--use-paseto.md: front matter, line 1"},
	} {
		path := filepath.Join(dir, tt.file)
		before, err := os.ReadFile(path)
		fixture.Write(t, path, "[")
		if _, errs, _ := p.run(strings.Split(tt.args, " ")...); !strings.Contains(errs, tt.says) {
			t.Errorf("memento %s, with a damaged %s: %s", tt.args, tt.file, errs)
		}
		if out, _, _ := p.run("doctor"); !strings.Contains(out, tt.doctor) {
			t.Errorf("the doctor, with a damaged %s:\n%s", tt.file, out)
		}
		if os.Remove(path); err == nil {
			fixture.Write(t, path, string(before))
		}
	}
}

// TestAnswerNotWritten: a command fails if its answer could not be written, so that no script uses half an answer.
func TestAnswerNotWritten(t *testing.T) {
	p := newPerson(t)
	var errs strings.Builder
	code := Main([]string{"done", "x"}, p.streams(strings.NewReader(""), full{}, &errs))
	const want = "memento: done: the answer could not be written: file already closed\n" +
		"memento: hint: the command has done its work; "
	if code != exitFail || !strings.HasPrefix(errs.String(), want) {
		t.Errorf("%d %s", code, errs.String())
	}
	if out, _, _ := p.run("show"); !strings.Contains(out, "done     x") {
		t.Errorf("it is not done: %s", out)
	}
}

// TestReaderLeft: a reader that has read enough, as head has, is no error: the command does its work and says nothing.
func TestReaderLeft(t *testing.T) {
	p := newPerson(t)
	p.run("done", "before")
	p.run("save", "decision", "Use one queue")
	for _, args := range []string{"done x", "show", "show --raw", "show use-one-queue --raw", "list", "search queue",
		"help",
		"config", "status --json", "show --history", "doctor", ""} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		var errs strings.Builder
		if code := Main(strings.Fields(args), p.streams(strings.NewReader(""), w, &errs)); code != exitOK ||
			errs.Len() > 0 {
			t.Errorf("memento %s ended with %d and said %q", args, code, errs.String())
		}
		w.Close()
	}
	if out, _, _ := p.run("show"); !strings.Contains(out, "done     x") {
		t.Errorf("it is not done: %s", out)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, os.ErrClosed }

// TestErrorInJSON: an error in JSON has the same words as the error for a person.
func TestErrorInJSON(t *testing.T) {
	p := newPerson(t)
	_, person, _ := p.run("show", "no.such")
	_, script, _ := p.run("show", "no.such", "--json")
	want := `{"version":1,"error":"show: there is no such record: no.such","hint":"memento list --all --status all",` +
		`"code":1}` + "\n"
	if script != want || !strings.HasPrefix(person, "memento: show: there is no such record: no.such\n") {
		t.Errorf("%q and %q, wanted %q", person, script, want)
	}
}
