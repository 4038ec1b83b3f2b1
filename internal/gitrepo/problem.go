package gitrepo

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

var (
	// ErrForeign says that the remote holds something, but no branch main.
	ErrForeign = errors.New("the remote repository holds something else")
	// ErrRejected says that the remote's branch main is not what Push expected: somebody else was faster. Fetch, and
	// try again.
	ErrRejected = errors.New("somebody else was faster")
)

// Problem is what keeps a remote from being reached, in words for a person. After it nothing is changed, here or there.
type Problem struct {
	What string // what failed
	Why  string // the reason, with the program's own words where there are any
	Hint string // what helps, "" if nobody knows
	err  error
}

func (p *Problem) Error() string { return p.What + ": " + p.Why }
func (p *Problem) Unwrap() error { return p.err }

// helperURL finds the addresses that let git run a command.
var helperURL = regexp.MustCompile(`(?i)^(ext|fd)(::|:)`)

// CheckURL returns a Problem for an address that git could take for an option or a command.
func CheckURL(url string) error {
	why := ""
	switch {
	case strings.TrimSpace(url) == "":
		why = "it is empty"
	case strings.HasPrefix(url, "-"):
		why = "it begins with a hyphen, as an option does"
	case helperURL.MatchString(url):
		why = "such an address runs a command"
	case strings.ContainsFunc(url, unicode.IsControl):
		why = "it holds a control character"
	default:
		return nil
	}
	return &Problem{What: fmt.Sprintf("the remote %q is refused", url), Why: why,
		Hint: "name a repository as git does: git@host:name.git, https://host/name.git, or a folder"}
}
