package gitrepo

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
)

var (
	// ErrForeign says that the remote holds something, but no branch main.
	ErrForeign = errors.New("the remote repository holds something else")
	// ErrRejected says that the remote's main is not what Push expected: somebody was faster. Fetch, and try again.
	ErrRejected = errors.New("somebody else was faster")
)

// Problem says to a person why a remote cannot be used. Nothing is lost, here or there, and the next try continues.
type Problem struct {
	What string // what failed
	Why  string // the reason, with the words of git or of the host where there are any
	Hint string // what helps
	err  error
}

func (p *Problem) Error() string { return p.What + ": " + p.Why }
func (p *Problem) Unwrap() error { return p.err }

// kind is a problem that is known by what git, ssh or a host says. Words are in lower case.
type kind struct {
	words      []string
	what, hint string
}

const (
	refuse     = "the remote refuses to store this"
	cannotMove = "the remote's branch main cannot be moved"
	damageFar  = "the remote repository is damaged"
	diskFull   = "the disk is full, here or there"
)

// kinds are the problems of which memento knows more than git says. The first whose words are said counts.
var kinds = []kind{
	{[]string{"cannot lock ref", "failed to update ref", "failed to lock"}, // perhaps only while another one pushes
		cannotMove,
		"see what git says there; sync again when it is mended"},
	{[]string{"checked out"},
		refuse + ": it is a working copy of its branch main",
		"name a bare repository: git init --bare ANOTHER"},
	{[]string{"non-fast-forward", "denynonfastforwards", "denying non-fast"},
		refuse + ": it takes no new history, which forgetting needs",
		"allow force pushes to its branch main (in a folder: git config receive.denyNonFastForwards false)"},
	{[]string{"hook declined", "rule violations", "protected"},
		refuse,
		"a rule of the host forbids it: allow pushes to its branch main, or use a repository of its own for memento"},
	{[]string{"no space left", "quota exceeded"}, diskFull, "make room, then sync again"},
	{[]string{"repository not found", "does not appear to be a git repository", "' not found", "not found: did you run",
		"no such repository", "could not be found or", "error: 404", "could not find repository",
		"not a git repository", "repository does not exist"},
		"there is no repository at the remote's address, or it is hidden from you",
		"create an empty, private one there (in a folder: git init --bare FOLDER), and see the address and your login"},
	{[]string{"permission", "authenticat", "could not read username", "could not read password", "error: 401",
		"error: 403", "access denied", "denied to", "not allowed to", "host key", "read-only", "read only"},
		"the remote does not let you in",
		"see which account or key git uses there, and that it may write: git ls-remote URL; git keeps a login"},
	{[]string{"bad object", "corrupt", "is empty", "did not send all necessary objects", "index-pack failed",
		"missing blob", "missing tree", "missing commit", "unable to read", "bad tree", "invalid pack", "not our ref",
		"fsck error", "object not found", "existing object", "malformed", "inflate:", "zlib",
		"maximum allowed tree depth"},
		damageFar,
		"see what git says there: git fsck; your store is whole, and can fill a new one: memento sync ANOTHER --all"},
}

// kindOf returns the kind of problem that was said, and the word by which it is known, "" for none.
func kindOf(said string) (kind, string) {
	lower := strings.ToLower(said)
	for _, k := range kinds {
		for _, w := range k.words {
			if strings.Contains(lower, w) {
				return k, w
			}
		}
	}
	return kind{what: "git could not use the remote", hint: "see the network, and what git says: git ls-remote URL"}, ""
}

// notStarted returns the Problem for a git that does not start.
func notStarted(err error) error {
	return &Problem{What: "git cannot be started", Why: err.Error(), Hint: "see that it runs: git --version", err: err}
}

// problemOf returns the Problem for err, an error of a remote. status is what git prints about a branch that the remote
// did not move, "" for none. It is ErrRejected where the next try may succeed.
func problemOf(url, status string, err error) error {
	if errors.As(err, new(*Problem)) {
		return err
	}
	if hint := safefile.Hint(err); hint != "" {
		return &Problem{What: "the store cannot be written", Why: err.Error(), Hint: hint, err: err}
	}
	said := err.Error()
	var failed *gitError
	if errors.As(err, &failed) {
		said = failed.said
	}
	for _, faster := range []string{"[rejected]", "fetch first", "incorrect old value", "reference already exists",
		"stale info", "but expected"} {
		if status != "" && strings.Contains(strings.ToLower(status+said), faster) {
			return ErrRejected
		}
	}
	k, word := kindOf(status + "\n" + said)
	why := cmp.Or(tell(url, said, word), text.OneLine(status), mask(url, err.Error()))
	p := &Problem{What: k.what, Why: why, Hint: k.hint, err: err}
	switch {
	case k.what == damageFar:
		p.err = damaged(err)
	case k.what == cannotMove && status != "":
		p.err = ErrRejected
	}
	if before, _, ok := strings.Cut(p.Why, ".lock': File exists"); ok {
		p.Hint = "if no other sync is at work, one that was killed left this file there: rm " +
			safefile.ShellWord(before[strings.LastIndexByte(before, '\'')+1:]+".lock")
	}
	return p
}

// tell returns what a person needs of what git said: the line with the word, or else the last lines.
func tell(url, said, word string) string {
	var lines []string
	for line := range strings.Lines(said) {
		line = text.OneLine(mask(url, line))
		if word != "" && strings.Contains(strings.ToLower(line), word) {
			lines = []string{line}
			break
		}
		if line != "" && !strings.HasPrefix(line, "hint:") && line != "remote:" {
			lines = append(lines, line)
		}
	}
	last, _ := text.Cut(strings.Join(lines[max(0, len(lines)-3):], "; "), 300)
	return last
}

// loginOf returns what stands before the host of an address, of which rest is the part behind "://".
func loginOf(rest string) string {
	if end := strings.IndexAny(rest, "/ \t\n'\""); end >= 0 {
		rest = rest[:end]
	}
	return rest[:max(0, strings.LastIndexByte(rest, '@'))]
}

// secretOf returns the password in a login; at an address of the web without one the name, which some hosts take for a
// token. scheme is the text before "://".
func secretOf(scheme, login string) string {
	name, password, _ := strings.Cut(login, ":")
	scheme = strings.ToLower(scheme)
	if password == "" && (strings.HasSuffix(scheme, "http") || strings.HasSuffix(scheme, "https")) {
		return name
	}
	return password
}

// mask returns what was said without the logins that addresses in it hold, and without the password or token of
// address, also where that stands alone.
func mask(address, said string) string {
	scheme, rest, _ := strings.Cut(address, "://")
	if secret := secretOf(scheme, loginOf(rest)); len(secret) >= 4 {
		said = strings.ReplaceAll(said, secret, "***")
	}
	parts := strings.Split(said, "://")
	for i, rest := range parts[1:] {
		if login := loginOf(rest); secretOf(parts[i], login) != "" {
			parts[i+1] = "***" + rest[len(login):]
		}
	}
	return strings.Join(parts, "://")
}

// Mask returns an address without the password or token in it, to show it.
func Mask(address string) string { return mask(address, address) }

// CheckURL returns a *Problem for an address that git could take for an option, or that runs a command.
func CheckURL(address string) error {
	lower := strings.ToLower(address)
	_, rest, _ := strings.Cut(address, "://")
	host := strings.TrimPrefix(rest[len(loginOf(rest)):], "@")
	why := ""
	switch {
	case strings.TrimSpace(address) == "":
		why = "it is empty"
	case strings.HasPrefix(address, "-"), strings.HasPrefix(rest, "-"), strings.HasPrefix(host, "-"):
		why = "it begins with a hyphen, as an option does"
	case strings.HasPrefix(lower, "ext:"), strings.HasPrefix(lower, "fd:"):
		why = "such an address runs a command"
	case strings.ContainsFunc(address, unicode.IsControl):
		why = "it holds a control character"
	default:
		return nil
	}
	return &Problem{What: fmt.Sprintf("the remote %q is refused", Mask(address)), Why: why,
		Hint: "name a repository as git does: git@HOST:NAME.git, https://HOST/NAME.git, or a folder"}
}
