package redact

import (
	"math/bits"
	"strings"
)

// option is a place in a command line where a password stands without a name. programs and flags are words with blanks
// between them. A flag is a word behind a dash, or a plain word of the command. Without flags, the form applies to the
// words behind the program.
type option struct {
	programs, flags string
	form            byte
}

// The forms of an option. A digit from 1 to 9 says which word behind the flag is the password.
const (
	next   = ' ' // the word behind the flag
	glued  = '+' // the rest of the flag
	either = '*' // the word behind the flag, or the rest of the flag
	logged = 'l' // the word behind the flag, once the word login was read
	colon  = ':' // user:password, the word behind the flag; also user%password and user,password
	source = 'p' // pass:password
	cookie = 'c' // name=cookie
	tokens = 't' // the word behind the flag, when it looks like a token
	here   = '<' // the word behind the flag and <<<
	named1 = 'h' // the word behind a name and <<<
	users  = 'u' // user:password behind <<<
	slash  = '/' // /p:password
	final  = 'b' // the last word of a command one of whose flags holds b
	at     = '@' // user/password@host
	pipe   = '|' // the input of a program that reads a password
)

var options = [...]option{
	{"mysql mysqldump mysqladmin mysqlimport mysqlcheck mysqlsh mysqlslap mariadb mariadb-dump mariadb-admin",
		"p", glued},
	{"7z 7za 7zz rar unrar", "p hp", glued},
	{"docker podman nerdctl buildah skopeo helm oras crane az oc cf regctl", "p", logged},
	{"mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat cqlsh twine rdesktop beeline", "p", next},
	{"ncftpput pscp", "p", next}, {"snmpwalk snmpget snmpset snmptrap snmpbulkwalk", "A X c", next},
	{"sshpass", "p", either}, {"sudo", "S", here}, {"gh", "with-token", here},
	{"docker podman", "password-stdin", here}, {"wrangler", "put", named1}, {"chpasswd", "", users},
	{"sqlcmd osql bcp isql tsql zip unzip mosquitto_pub mosquitto_sub ipmitool", "P", next},
	{"ssh-keygen", "P N", next},
	{"ldapsearch ldapmodify ldapadd ldapdelete ldappasswd ldapwhoami ldapcompare ldapmodrdn", "w", next},
	{"ldappasswd", "s", next}, {"redis-cli", "a", next}, {"redis-cli", "AUTH auth", '1'},
	{"curl", "u user U proxy-user", colon}, {"curl", "b cookie", cookie}, {"http https xh", "a auth", colon},
	{"smbclient rpcclient smbget", "U", colon}, {"lftp", "u", colon}, {"skopeo", "creds src-creds dest-creds", colon},
	{"openssl", "passin passout pass", source}, {"openssl", "k", next}, {"plink pscp psftp putty", "pw", next},
	{"influx", "password", next}, {"doctl", "t", next}, {"security", "w", next}, {"xfreerdp wfreerdp", "p", slash},
	{"htpasswd", "", final}, {"net", "user", '2'}, {"net", "use", '1'},
	{"rabbitmqctl", "add_user change_password", '2'},
	{"vault cargo", "login", tokens}, {"snyk", "auth", tokens}, {"ngrok", "add-authtoken authtoken", tokens},
	{"mc", "set", '4'}, {"wpa_passphrase", "", '2'}, {"sqlplus", "", at}, {"echo printf yes", "", pipe},
}

// programIndex has, for each sum of a program name, one bit for each option of the programs with this sum.
type programIndex [1024]uint64

const _ = uint(64 - len(options)) // a bit for each

func (x *programIndex) build() {
	for i := range options {
		for program := range strings.SplitSeq(options[i].programs, " ") {
			x[programSum(program)] |= 1 << i
		}
	}
}

func programSum(w string) int {
	return (int(w[0])*61 + int(w[1])*17 + int(w[len(w)-1])*5 + len(w)*257) & 1023
}

// command holds what the matcher knows about the command line it reads.
type command struct {
	program string // the last word that is a program of options
	options uint64 // a bit for each option of the program
	begins  int    // where the program stands
	login   bool
	entry   bool // the line belongs to .netrc or holds connect
}

// same reports whether c, at a place that is later by this many bytes, equals then.
func (c *command) same(then command, later int) bool {
	return c.program == then.program && c.login == then.login && c.entry == then.entry &&
		(c.program == "" || c.begins-then.begins == later || c.begins == then.begins)
}

// word reads the word s[i:end] of a command line. It returns the password that follows the word as a plain argument.
func (c *command) word(s string, i, end int) (span, bool) {
	if end-i < 2 || i > 0 && (s[i-1] == '-' || s[i-1] == '=') {
		return span{}, false
	}
	w, behind := s[i:end], byteAt(s, end)
	if (w == "login" || w == "connect") && i > 0 && s[i-1] == ' ' && behind == ' ' {
		c.entry = c.entry || w == "connect" || netrc(lineBefore(s, end))
	}
	if may := index.programs[programSum(w)]; may != 0 && (behind == ' ' || behind == '.' || item(s, end) > end) &&
		(i == 0 || strings.IndexByte(" \t\n;|&(`'\"/$>", s[i-1]) >= 0) {
		for left := may; left != 0; left &= left - 1 {
			if k := bits.TrailingZeros64(left); !among(options[k].programs, w) {
				may &^= 1 << k
			}
		}
		if may != 0 {
			c.program, c.options, c.begins, c.login = w, may, i, false
		}
	}
	if c.program == "" {
		return span{}, false
	}
	c.login = c.login || w == "login"
	for left := c.options; left != 0; left &= left - 1 {
		o := &options[bits.TrailingZeros64(left)]
		late := c.program == "net" && c.begins+len("net ") != i // net localgroup user …
		if o.flags == "" && i == c.begins || o.form != colon && o.form != cookie && among(o.flags, w) && !late {
			switch o.form {
			case next, either, logged, source, slash, here:
				continue // only behind -
			}
			return c.readOption(o.form, s, end, item(s, end))
		}
	}
	return span{}, false
}

// item returns where the next word behind end begins, in a command line or in a list of strings.
func item(s string, end int) int {
	if c := byteAt(s, end); (c == '\'' || c == '"') && byteAt(s, end+1) == ',' {
		if next := run(s, end+2, space); byteAt(s, next) == c {
			return next
		}
	}
	return run(s, end, space)
}

// option returns the password behind the flag that begins at i.
func (c *command) option(s string, i, end int) (span, bool) {
	long := i > 2 && s[i-2] == '-' && class[s[i-3]]&space != 0
	if !long && class[s[i-2]]&space == 0 && s[i-2] != '\'' && s[i-2] != '"' {
		return span{}, false
	}
	w, listed := s[i:end], false
	for left := c.options; left != 0; left &= left - 1 {
		o := &options[bits.TrailingZeros64(left)]
		first, _, _ := strings.Cut(o.flags, " ")
		p := item(s, end)
		listed = listed || o.form != colon && among(o.flags, w)
		switch {
		case o.form == slash:
			if s[i-1] == '/' && w == o.flags && byteAt(s, end) == ':' {
				return readPassword(s, end+1)
			}
		case s[i-1] == '/' || o.flags == "":
		case among(o.flags, w) && !(long && len(w) == 1),
			// curl -su
			o.form == colon && !long && len(first) == 1 && len(w) > 1 && len(w) <= 4 && strings.HasSuffix(w, first):
			if byteAt(s, end) == '=' {
				p = end + 1
			}
			switch {
			case p == end && (o.form == glued || o.form == either):
				return readPassword(s, end)
			case p > end && o.form != glued && (o.form < '0' || o.form > '9'):
				return c.readOption(o.form, s, end, p)
			}
		case (o.form == glued || o.form == either) && !long:
			for flag := range strings.SplitSeq(o.flags, " ") {
				if rest, ok := strings.CutPrefix(w, flag); ok {
					return readPassword(s, end-len(rest))
				}
			}
		}
	}
	if listed {
		return span{}, false
	}
	return unknown(s, i, end)
}

// unknown returns the password behind the flag s[i:end] of a program that options does not list. The command must name
// a user or log in.
func unknown(s string, i, end int) (span, bool) {
	switch s[i:end] {
	case "p", "P", "w", "pw":
	default:
		return span{}, false
	}
	line := lineBefore(s, i)
	for _, w := range [...]string{" -u ", " -U ", " -l ", "login ", "unlock", "sign", "user"} {
		if strings.Contains(line, w) {
			f, ok := readPassword(s, item(s, end))
			return f, ok && item(s, end) > end && likely(s[f.start:f.end])
		}
	}
	return span{}, false
}

// readOption returns the password of this form behind a flag that ends at end. The next word begins at p.
func (c *command) readOption(form byte, s string, end, p int) (span, bool) {
	q := p
	if b := byteAt(s, q); b == '"' || b == '\'' {
		q++
	}
	switch form {
	case next, either:
		return readPassword(s, p)
	case logged:
		if c.login {
			return readPassword(s, p)
		}
	case colon:
		return readPair(s, p)
	case source:
		if strings.HasPrefix(s[q:], "pass:") {
			return readPassword(s, q+len("pass:"))
		}
	case cookie:
		if v := run(s, q, word); v > q && byteAt(s, v) == '=' {
			return readValue(s, v+1, named{rank: weak, kind: "cookie"}, flagged)
		}
	case tokens:
		return readValue(s, p, named{rank: weak, kind: "token"}, flagged)
	case named1, here, users:
		if form == named1 {
			p = run(s, run(s, p, word), space)
		}
		if !strings.HasPrefix(s[p:], "<<<") {
			return span{}, false
		}
		if p = run(s, p+3, space); form == users {
			return readPair(s, p)
		}
		return readPassword(s, p)
	case final:
		return argument(s, end, 9, true)
	case at:
		return slashed(s, p)
	case pipe:
		return readPiped(s, end)
	default:
		return argument(s, end, int(form-'0'), false)
	}
	return span{}, false
}

// readPassword returns the password at p. It returns no port, no path and no further flag.
func readPassword(s string, p int) (span, bool) {
	f, ok := readValue(s, p, named{rank: strong, kind: "password"}, flagged)
	if !ok || strings.Trim(s[f.start:f.end], "0123456789:.") == "" || s[f.start] == '-' {
		return span{}, false
	}
	return f, true
}

// readPair returns the password of user:password at p. A quotation mark may begin the pair.
func readPair(s string, p int) (span, bool) {
	quote := byte(0)
	if p < len(s) && (s[p] == '"' || s[p] == '\'') {
		quote = s[p]
		p++
	}
	last := p
	for last < len(s) && last-p < maxValue && (quote == 0 && s[last] > ' ' &&
		strings.IndexByte("\"'`|;", s[last]) < 0 || quote != 0 && s[last] != quote && s[last] != '\n') {
		last++
	}
	at := strings.IndexAny(s[p:last], ":%,")
	if at <= 0 {
		return span{}, false
	}
	return checkSecret(s, p+at+1, last, named{rank: strong, kind: "password"})
}

// checkSecret returns s[from:last] when it is a secret. It is for places where a secret is expected.
func checkSecret(s string, from, last int, n named) (span, bool) {
	if v := s[from:last]; !accepts(v, n, flagged, true) ||
		strings.Trim(v, digits) == "" && len(v) < 6 {
		return span{}, false
	}
	return span{from, last, n.kind}, true
}

// slashed returns the password of user/password@host at p.
func slashed(s string, p int) (span, bool) {
	user := run(s, p, word)
	for byteAt(s, user) == '.' {
		user = run(s, user+1, word)
	}
	if user == p || user >= len(s) || s[user] != '/' {
		return span{}, false
	}
	last := user + 1
	for last < len(s) && last-user < maxValue && s[last] > ' ' && s[last] != '@' && s[last] != '"' {
		last++
	}
	if last >= len(s) || s[last] != '@' {
		return span{}, false
	}
	return checkSecret(s, user+1, last, named{rank: strong, kind: "password"})
}

// argument returns the nth argument behind p; flags, drives and shares do not count. With batch it returns the last
// argument instead, when a flag holds b.
func argument(s string, p, n int, batch bool) (span, bool) {
	found, at := false, 0
	for words := 0; words < 10; words++ {
		q := run(s, p, space)
		if q == p || q >= len(s) || strings.IndexByte("|;&<>\n", s[q]) >= 0 {
			break
		}
		last := q
		for last < len(s) && last-q < 256 && s[last] > ' ' && strings.IndexByte("|;&`", s[last]) < 0 {
			last++
		}
		p = last
		steps(last - q)
		switch v := s[q:last]; {
		case v == "":
			return span{}, false
		case v[0] == '-' || v[0] == '/' && strings.Contains(v, ":"):
			found = found || !strings.HasPrefix(v, "--") && strings.Contains(v, "b")
			continue
		case strings.HasPrefix(v, `\\`), len(v) == 2 && v[1] == ':', v[0] == '\\':
			continue
		}
		n--
		if at = q; n == 0 {
			break
		}
	}
	if n > 0 && !(batch && found) || at == 0 {
		return span{}, false
	}
	return readPassword(s, at)
}

// readFed returns the password in the string that <<< at p gives to a program.
func (c *command) readFed(s string, p int) (span, bool) {
	f, ok := readPassword(s, run(s, p+3, space))
	if !ok || !likely(s[f.start:f.end]) {
		return span{}, false
	}
	line := lineBefore(s, p)
	for _, w := range [...]string{"base", "sum", "jq", "bc", "grep", "read", "wc", "cat", "sed", "awk",
		"python", "xxd", "od"} {
		if strings.HasPrefix(line, w) || strings.Contains(line, " "+w) {
			return span{}, false
		}
	}
	return f, true
}

// readPiped returns the password that echo, which ends at p, gives to a program that reads a password.
func readPiped(s string, p int) (span, bool) {
	line := s[p:min(len(s), p+256)]
	if nl := strings.IndexByte(line, '\n'); nl >= 0 && !strings.HasPrefix(line[nl+1:], "'") &&
		!strings.HasPrefix(line[nl+1:], "\"") {
		line = line[:nl]
	}
	steps(len(line))
	bar := max(0, strings.IndexByte(line, '|'))
	users := strings.Contains(line[bar:], "chpasswd")
	before := strings.ToLower(lineBefore(s, p))
	reads := users || strings.Contains(before, "password") || strings.Contains(before, "secret") ||
		strings.HasSuffix(before, "<(")
	for _, w := range [...]string{"stdin", "sudo -S", "--with-token", "kinit", "secret put", "secret set",
		"login", "passwd", " su "} {
		reads = reads || strings.Contains(line[bar:], w)
	}
	for _, w := range [...]string{"PASSWORD", "SECRET", "TOKEN", "password", "secret"} {
		reads = reads || bar > 0 && strings.Contains(line[bar:], w)
	}
	if !reads {
		return span{}, false
	}
	q := run(s, p, space)
	for q+2 < len(s) && s[q] == '-' && class[s[q+1]]&lower != 0 { // -n
		q = run(s, run(s, q+1, lower), space)
	}
	if format := run(s, q+3, space); strings.HasPrefix(s[q:], "'%s") || strings.HasPrefix(s[q:], "\"%s") { // printf
		q = run(s, format+1, space)
	}
	if users {
		return readPair(s, q)
	}
	return readPassword(s, q)
}
