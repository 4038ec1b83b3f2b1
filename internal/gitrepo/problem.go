package gitrepo

import (
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/mementohq/memento/internal/safefile"
)

var (
	// ErrForeign says that the remote holds something, but no branch main.
	ErrForeign = errors.New("the remote repository holds something else")
	// ErrRejected says that the remote's branch main is not what Push expected: somebody else was faster. Fetch, and
	// try again.
	ErrRejected = errors.New("somebody else was faster")
)

// Problem is why a remote cannot be used, in words for a person. Nothing is lost, here or there: what was stored here
// stays, and the next try continues.
type Problem struct {
	What string // what failed
	Why  string // the reason, with the words of git or of the host where there are any
	Hint string // what helps
	err  error
}

func (p *Problem) Error() string { return p.What + ": " + p.Why }
func (p *Problem) Unwrap() error { return p.err }

// kind is a problem that is known by what git, ssh or a host says. Words are in lower case. In a hint FOLDER and URL
// stand for the remote's address.
type kind struct {
	words      []string
	what, hint string
}

const (
	refuse     = "the remote refuses to store this"
	cannotMove = "the remote's branch main cannot be moved"
	missing    = "there is no repository at the remote's address, or it is hidden from you"
	damageHere = "the history on this machine is damaged"
	damageFar  = "the remote repository is damaged"
	diskFull   = "the disk is full, here or there"
)

// refusals are the known reasons for which a remote does not move its branch.
var refusals = []kind{
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
}

// kinds are the problems of which memento knows more than git says. The first whose words are said counts.
var kinds = []kind{
	{[]string{"no space left", "quota exceeded"}, diskFull, "make room, then sync again"},
	{[]string{"repository not found", "does not appear to be a git repository", "' not found", "not found: did you run",
		"no such repository", "could not be found or", "error: 404", "could not find repository",
		"not a git repository", "repository does not exist"},
		missing,
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

// notStarted returns the Problem for a git that does not start.
func notStarted(err error) error {
	return &Problem{What: "git cannot be started", Why: err.Error(), Hint: "see that it runs: git --version", err: err}
}

// problemOf returns the Problem for err, an error of a remote. status is what the remote said about the branch.
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
	isHere := errors.Is(err, ErrDamaged)
	k, word := kindOf(kinds, status+"\n"+said)
	switch {
	case word == "":
		k.what, k.hint = "git could not use the remote", "see the network, and what git says: git ls-remote URL"
	case k.what == damageFar:
		err = damaged(err)
	case k.what == missing && isHere:
		k.what = damageHere
	}
	why := cmp.Or(tell(url, said, word), clean(status), mask(url, err.Error()))
	return &Problem{What: k.what, Why: why, Hint: k.hint, err: err}
}

// kindOf returns the kind of problem that text says, and the word by which it is known, "" for none.
func kindOf(kinds []kind, text string) (kind, string) {
	lower := strings.ToLower(text)
	for _, k := range kinds {
		for _, w := range k.words {
			if strings.Contains(lower, w) {
				return k, w
			}
		}
	}
	return kind{}, ""
}

// rejection returns the error for a branch that the remote did not move; status is what git prints about it.
func rejection(url, status string, err error) error {
	why := ""
	var failed *gitError
	if errors.As(err, &failed) {
		why = tell(url, failed.said, "remote:")
	}
	faster := []kind{{words: []string{"fetch first", "incorrect old value", "reference already exists", "stale info",
		"but expected"}}}
	_, word := kindOf(faster, status+"\n"+why)
	if word != "" || strings.HasPrefix(strings.ToLower(status), "[rejected]") {
		return ErrRejected
	}
	k, word := kindOf(refusals, status)
	if word == "" {
		return problemOf(url, status, err)
	}
	p := &Problem{What: k.what, Why: cmp.Or(why, clean(status)), Hint: k.hint, err: err}
	if k.what == cannotMove {
		p.err = ErrRejected
	}
	if before, _, ok := strings.Cut(p.Why+status, ".lock': File exists"); ok {
		p.Hint = "if no other sync is at work, one that was killed left this file there: rm " +
			safefile.ShellWord(before[strings.LastIndexByte(before, '\'')+1:]+".lock")
	}
	return p
}

// tell returns what a person needs of what git said: the line with the word, or else the last lines.
func tell(url, said, word string) string {
	var lines []string
	for line := range strings.Lines(said) {
		line = clean(mask(url, line))
		if word != "" && strings.Contains(strings.ToLower(line), word) {
			return short(line)
		}
		if line != "" && !strings.HasPrefix(line, "hint:") && line != "remote:" {
			lines = append(lines, line)
		}
	}
	return short(strings.Join(lines[max(0, len(lines)-3):], "; "))
}

// short returns the first 300 bytes of a text, without half a character.
func short(s string) string {
	if len(s) <= 300 {
		return s
	}
	return strings.ToValidUTF8(s[:300], "") + " …"
}

// clean returns a line without what could steer a terminal.
func clean(line string) string {
	return strings.TrimSpace(strings.Map(func(c rune) rune {
		if unicode.IsControl(c) || unicode.Is(unicode.Bidi_Control, c) {
			return -1
		}
		return c
	}, strings.ToValidUTF8(line, "")))
}

// userOf returns who one is in the authority of an address: all before the last "@", "" for nobody.
func userOf(authority string) (name, password string) {
	name, password, _ = strings.Cut(authority[:max(0, strings.LastIndexByte(authority, '@'))], ":")
	return name, password
}

// authorityOf returns what stands at the start of rest, behind "://", up to the path.
func authorityOf(rest string) string {
	if end := strings.IndexAny(rest, "/ \t\n'\""); end >= 0 {
		return rest[:end]
	}
	return rest
}

// mask returns text without the password or token that an address holds, also where they stand alone.
func mask(address, text string) string {
	scheme, rest, _ := strings.Cut(address, "://")
	secret, password := userOf(authorityOf(rest))
	if password != "" || !isWeb(scheme) { // some hosts of the web take the token as the name
		secret = password
	}
	for _, s := range []string{secret, unescaped(secret)} {
		if len(s) >= 4 {
			text = strings.ReplaceAll(text, s, "***")
		}
	}
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(text, "://")
		if out.WriteString(before); !found {
			return out.String()
		}
		authority := authorityOf(rest)
		text = rest[len(authority):]
		name, password := userOf(authority)
		switch host := authority[strings.LastIndexByte(authority, '@')+1:]; {
		case name+password != "" && isWeb(before):
			authority = "***@" + host
		case password != "":
			authority = name + ":***@" + host
		}
		out.WriteString("://" + authority)
	}
}

// isWeb reports whether text ends in the scheme of an address of the web.
func isWeb(text string) bool {
	text = strings.ToLower(text)
	return strings.HasSuffix(text, "http") || strings.HasSuffix(text, "https")
}

// unescaped returns part of an address with its %XX as characters.
func unescaped(s string) string {
	for i := 0; i+2 < len(s); i++ {
		if b, err := hex.DecodeString(s[i+1 : i+3]); s[i] == '%' && err == nil {
			s = s[:i] + string(b) + s[i+3:]
		}
	}
	return s
}

// Mask returns an address without the password or token in it, to show it.
func Mask(address string) string { return mask(address, address) }

// CheckURL returns a *Problem for an address that git could take for an option, or that runs a command.
func CheckURL(address string) error {
	lower := strings.ToLower(address)
	_, rest, _ := strings.Cut(address, "://")
	host := rest[strings.LastIndexByte(authorityOf(rest), '@')+1:]
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
