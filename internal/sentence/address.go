package sentence

import (
	"strings"
	"unicode"

	"github.com/mementohq/memento/internal/text"
)

// address is whether a sentence names an address, and whether the address outlives a task.
type address uint8

const (
	nowhere address = iota
	passes          // of an issue, a run, a log, a temporary folder
	stays           // of a service, a database, a page of documentation, a folder
)

// addressIn returns the most lasting address that s names: a URL, a host with a port, a port, an absolute path.
func addressIn(s string) (found address) {
	before := ""
	for w := range strings.FieldsSeq(s) {
		if isPort(before, w) && declaresAddress(s) {
			found = max(found, stays)
		}
		before = w
		w = strings.Trim(w, "\"'`()[]<>,;.。、，")
		if a := addressOf(w); a > found {
			found = a
		}
	}
	return found
}

// addressOf returns what address the word w is.
func addressOf(w string) address {
	if scheme, rest, ok := strings.Cut(w, "://"); ok && scheme != "" && rest != "" {
		host, path, _ := strings.Cut(rest, "/")
		if strings.HasPrefix(scheme, "http") && !isLocal(host) && namesOne(path) {
			return passes
		}
		return stays
	}
	slashes := strings.Count(w, "/") + strings.Count(w, "\\")
	isAbsolute := strings.HasPrefix(w, "/") || strings.HasPrefix(w, "~/") || len(w) > 3 && w[1:3] == ":\\"
	switch {
	case isLocal(w) && strings.Contains(w, ":"), isHostPort(w):
		return stays
	case text.BeginsWithOne(w, "/tmp/", "/var/folders/"), strings.Contains(w, "/Downloads/"):
		return passes
	case isAbsolute && slashes > 1,
		strings.Contains(w, "@") && strings.Contains(w, ":") && strings.Contains(w, "."): // git@host:path
		return stays
	}
	return nowhere
}

// placesIn returns the hosts, ports and folders of the lasting addresses in s, without the path behind a host.
func placesIn(s string) string {
	var b strings.Builder
	before := ""
	for w := range strings.FieldsSeq(s) {
		plain := strings.Trim(w, "\"'`()[]<>,;.。、，")
		switch {
		case isPort(before, w):
			b.WriteString(plain + " ")
		case addressOf(plain) == stays:
			if _, rest, ok := strings.Cut(plain, "://"); ok {
				plain, _, _ = strings.Cut(rest, "/")
			}
			b.WriteString(plain + " ")
		}
		before = w
	}
	return b.String()
}

// isLocal reports whether a host is this machine.
func isLocal(host string) bool { return text.BeginsWithOne(host, "localhost", "127.0.0.1", "0.0.0.0") }

// namesOne reports whether the path of a URL names one thing of many: an issue, a run, a picture.
func namesOne(path string) bool {
	if strings.ContainsAny(path, "?=") || strings.Count(strings.TrimRight(path, "/"), "/") > 5 {
		return true
	}
	for part := range strings.SplitSeq(path, "/") {
		digits := countDigits(part)
		if digits > 0 && digits == len(part) || digits > 4 {
			return true
		}
		project, number, ok := strings.Cut(part, "-") // ABC-12
		if ok && number != "" && countDigits(number) == len(number) && project == strings.ToUpper(project) {
			return true
		}
	}
	return false
}

func countDigits(s string) (n int) {
	for _, r := range s {
		if unicode.IsDigit(r) {
			n++
		}
	}
	return n
}

// isHostPort reports whether w is a host and a port: db.local:5432, 10.0.0.7:8080. A file and a line are none.
func isHostPort(w string) bool {
	host, port, ok := strings.Cut(w, ":")
	if !ok || len(port) < 2 || len(port) > 5 || countDigits(port) != len(port) {
		return false
	}
	dot := strings.LastIndexByte(host, '.')
	return dot > 0 && len(host)-dot > 2 && !isListed(fileEndings, host[dot+1:]) || countDigits(host) > 3
}

const fileEndings = `go py js ts tsx jsx rs rb java kt swift cs cpp php md sh dart vue css html json yml yaml toml txt log
	sql`

// declaresAddress reports whether a sentence says what its address is for: a colon stands before the address, or a word
// such as "is".
func declaresAddress(s string) bool {
	i := strings.Index(s, "://")
	if i < 0 {
		i = strings.LastIndexByte(s, ' ')
	}
	before := s[:max(0, i)]
	if j := strings.LastIndexByte(before, ' '); j >= 0 {
		before = before[:j]
	}
	if strings.HasSuffix(before, ":") || strings.HasSuffix(before, "：") {
		return true
	}
	_, words := foldWords(before)
	return has(words, "is", "are", "runs", "lives", "listens", "é", "fica", "está", "roda", "es", "corre",
		"ist", "läuft", "liegt", "est", "tourne", "è") && !has(words, "what", "whatever") || strings.ContainsAny(before, "はが是在은는이가")
}

// runners are commands that start what a project consists of.
const runners = `npm npx pnpm yarn bun deno cargo pytest docker docker-compose podman poetry uv pip gradle gradlew mvn rake
	composer terraform kubectl helm`

// isName reports whether w is written as a name is, with a capital or with the signs of code, or starts programs. The
// word "I" is none.
func isName(w string) bool {
	w = strings.Trim(w, "\"'()[]<>,;.。、，!?")
	if isListed(runners, w) {
		return true
	}
	return len(w) > 1 && w[1] != '\'' && (unicode.IsUpper(firstRune(w)) || strings.ContainsAny(w, "`_/") ||
		strings.HasPrefix(w, "--") || len(w) > 3 && strings.Contains(w, "-"))
}

// isPort reports whether the words before and w name a port: "port 5433".
func isPort(before, w string) bool {
	w = strings.TrimRight(w, ".,;:!)")
	return len(w) > 1 && len(w) < 6 && countDigits(w) == len(w) &&
		isListed("port porta puerto порт portu ポート 포트 端口", strings.ToLower(before))
}

// namesFile reports whether s names a file or a path. The changelog is no such file: every work may change it.
func namesFile(s string) bool {
	for w := range strings.FieldsSeq(strings.ToLower(s)) {
		w = strings.Trim(w, "\"'`@,.;:!?()")
		if i := strings.LastIndexByte(w, '.'); strings.Contains(w, "/") ||
			i > 0 && isListed(fileEndings, w[i+1:]) && !isListed(deeds, w) {
			return true
		}
	}
	return false
}
