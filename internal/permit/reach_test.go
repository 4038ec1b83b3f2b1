package permit

import (
	"strings"
	"testing"
)

// reaching holds commands, without the program's name, that reach beyond this project's past. Each could be written so
// that it looks like one that does not.
var reaching = []string{
	// Every project, in all spellings of the flag and at every place.
	`search x --all`, `search --all x`, `search -all x`, `search x --all=true`, `search x --all=1`, `search x --all=T`,
	`search x --all=false`, `search x -all=0`, `search x "--all"`, `search x '--all'`, `search "x" '-all'`,
	`search --said --all x`, `search x --since 7d --all`, `search --limit 5 --all x`, `search x --all --json`,
	`search x --session 1234 --all`, `search -- x --all`, `search x -- --all`, `search x --al`, `search x --ALL`,
	`search x --limit --all`, `search --kind --all x`, `search x --session --all`, `search x --until --all`,
	`show 1234abcd --all`, `show --all 1234abcd`, `show --all=true 1234abcd`, `show 1234abcd --turn 2 --all`,
	`show 1234abcd --turn=2 -all`, `show --turn --all 1234abcd`, `show 1234abcd "--all"`, `list --all`,
	`inbox --all`, `rules --all`, `history --all`, `index --all`,
	// Another project.
	`search x --project other`, `search x --project=other`, `search -project other x`, `search --project=user x`,
	`search x '--project' other`, `search x "--project=other"`, `search x --proj other`, `search -- x --project other`,
	`show 1234abcd --project other`, `list --project other`, `rules --project other`,
	`search x --user`, `search x --dir ../other`, `search x -C ../other`, `show 1234abcd ../other`,
	// The client's transcripts.
	`backfill`, `backfill --all`, `backfill --all --yes`, `backfill --dry-run`, `backfill --dry-run=true`,
	`backfill --all --dry-run`, `backfill --json --dry-run`, `backfill --since 7d`, `backfill /tmp/x.jsonl`,
	`backfill .`,
	`backfill --keep-transcripts /tmp/x`, `backfill -h`, `'backfill'`, `"backfill" --yes`, `backfill -- x`, `Backfill`,
	`past`, `import x`, `export --all`,
}

// around holds what may stand around a command that is allowed alone. %s is the command.
var around = []string{
	`cd ../other && memento %s`, `cd ../other; memento %s`, `cd ../other & memento %s`, `(cd ../other; memento %s)`,
	`{ cd ../other; memento %s; }`, `pushd ../other && memento %s`, `memento %s; cat /etc/passwd`, `memento %s | sh`,
	`memento %s && memento search x --all`, `memento %s || memento backfill`, "memento %s\nmemento backfill",
	`memento %s # --all`, `CLAUDE_CODE_SESSION_ID=1234abcd memento %s`, `MEMENTO_DIR=/tmp/x memento %s`,
	`CLAUDE_PROJECT_DIR=../other memento %s`, `CLAUDE_CONFIG_DIR=/tmp/x memento %s`, `HOME=/tmp/x memento %s`,
	`PWD=../other memento %s`, `env -C ../other memento %s`, `env CLAUDE_CODE_SESSION_ID=1234abcd memento %s`,
	`env -u CLAUDE_CODE_SESSION_ID memento %s`, `sh -c "memento %s"`, `bash -c 'memento %s'`, `eval memento %s`,
	`command memento %s`, `nohup memento %s`, `xargs memento %s`, `time memento %s`, `sudo -u other memento %s`,
	`../other/memento %s`, `./memento %s`, `git -C ../other memento %s`, `memento %s > ../other/x`, `memento %s $ALL`,
	"memento %s `echo --all`", `memento %s $(echo --all)`, `memento %s "$(echo --all)"`, `memento %s --a{ll,}`,
	`memento %s -*`, `memento %s --al\l`, `memento %s --a'll'`, `memento %s ""--all`, `memento %s --al""l`,
	"memento %s\u00a0--all\u00a0", "memento %s \u2010\u2010all --all",
}

// TestReach checks that no command runs unasked that reads another project's past, or the client's transcripts.
func TestReach(t *testing.T) {
	refused := func(line string) {
		t.Helper()
		if args, ok := Command(line, exe); ok {
			t.Errorf("%q was approved as %q", line, args)
		}
	}
	for _, words := range reaching {
		for _, name := range []string{"memento", `"memento"`, exe, `'` + exe + `'`} {
			refused(name + " " + words)
		}
		refused(`memento search x; memento ` + words)
	}
	for _, words := range []string{"search x", "show 1234abcd --turn 2", "list"} {
		if _, ok := Command("memento "+words, exe); !ok {
			t.Errorf("%q is refused", words)
		}
		for _, form := range around {
			refused(strings.Replace(form, "%s", words, 1))
		}
	}
}
