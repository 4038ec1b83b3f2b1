package redact

import (
	"math/bits"
	"strings"
)

// option is a password in a program's command line, which no name announces. The programs stand in words, separated by
// blanks; flag is the letters behind -, or the word in front of it.
type option struct {
	programs, flag string
	form           byte
}

// The forms of an option.
const (
	next   = ' ' // the word behind the flag
	glued  = '+' // the rest of the flag
	either = '*' // one of these
	logged = 'l' // the word behind the flag, once the word login was read
	colon  = ':' // user:password, the word behind the flag; also user%password and user,password
	source = 'p' // pass:password
	tokens = 't' // the first word behind the flag, when it looks like a token
	here   = '<' // the word behind the flag and <<<
	slash  = '/' // /p:password
	word1  = '1' // the first word behind the flag word that is no flag; 2 to 4 likewise
	word2  = '2'
	word4  = '4'
	final  = 'b' // the last word of a command one of whose flags holds b
)

var options = [...]option{
	{"mysql mysqldump mysqladmin mysqlimport mysqlcheck mysqlsh mysqlslap mariadb mariadb-dump mariadb-admin", "p", glued},
	{"7z 7za 7zz rar unrar", "p", glued}, {"rar", "hp", glued},
	{"docker podman nerdctl buildah skopeo helm oras crane az oc cf regctl", "p", logged},
	{"mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat cqlsh twine rdesktop beeline ncftpput pscp", "p", next},
	{"sshpass", "p", either}, {"sudo", "S", here}, {"gh", "with-token", here}, {"docker podman", "password-stdin",
		here}, {"wrangler", "put", 'h'},
	{"sqlcmd osql bcp isql tsql zip unzip mosquitto_pub mosquitto_sub ipmitool ssh-keygen", "P", next},
	{"ssh-keygen", "N", next},
	{"ldapsearch ldapmodify ldapadd ldapdelete ldappasswd ldapwhoami ldapcompare ldapmodrdn", "w", next},
	{"ldappasswd", "s", next},
	{"redis-cli", "a", next}, {"redis-cli", "AUTH", word1}, {"redis-cli", "auth", word1},
	{"curl", "u", colon}, {"curl", "user", colon}, {"curl", "U", colon}, {"curl", "proxy-user", colon},
	{"http https xh", "a", colon}, {"http https xh", "auth", colon},
	{"smbclient rpcclient smbget", "U", colon}, {"lftp", "u", colon}, {"skopeo", "creds", colon}, {"skopeo",
		"src-creds", colon}, {"skopeo", "dest-creds", colon},
	{"curl", "b", 'c'}, {"curl", "cookie", 'c'},
	{"openssl", "passin", source}, {"openssl", "passout", source}, {"openssl", "pass", source}, {"openssl", "k", next},
	{"plink pscp psftp putty", "pw", next}, {"influx", "password", next}, {"doctl", "t", next}, {"xfreerdp wfreerdp",
		"p", slash},
	{"htpasswd", "", final},
	{"net", "user", word2}, {"net", "use", word1},
	{"rabbitmqctl", "add_user", word2}, {"rabbitmqctl", "change_password", word2},
	{"vault cargo", "login", tokens}, {"snyk", "auth", tokens}, {"ngrok", "add-authtoken", tokens}, {"ngrok",
		"authtoken", tokens}, {"mc", "set", word4}, {"wpa_passphrase", "", word2}, {"sqlplus", "", '@'},
}

// programIndex has a bit for each of the options of the programs whose names have a sum.
type programIndex [1024]uint64

const _ = uint(64 - len(options)) // a bit for each

func (x *programIndex) build() {
	for i, o := range options {
		for from, k := 0, 0; k <= len(o.programs); k++ {
			if k == len(o.programs) || o.programs[k] == ' ' {
				x[sum(o.programs[from:k])] |= 1 << i
				from = k + 1
			}
		}
	}
}

func sum(w string) int {
	return (int(w[0])*61 + int(w[1])*17 + int(w[len(w)-1])*5 + len(w)*257) & 1023
}

// command is what is known of the command line that the matcher stands in.
type command struct {
	program string // the last word that is a program of options
	options uint64 // a bit for each option of the program
	begins  int    // where it stands
	login   bool
	entry   bool // the line is one of .netrc, or connect was read in it
}

// same reports whether c, later by this many bytes, is what then was.
func (c *command) same(then command, later int) bool {
	return c.program == then.program && c.login == then.login && c.entry == then.entry && (c.program == "" ||
		c.begins-then.begins == later || c.begins == then.begins)
}

// word takes the word s[i:end] in, and returns a password that stands behind it as a plain argument.
func (c *command) word(s string, i, end int) (span, bool) {
	if end-i < 2 || i > 0 && (s[i-1] == '-' || s[i-1] == '=') {
		return span{}, false
	}
	w := s[i:end]
	if (w == "login" || w == "connect") && i > 0 && s[i-1] == ' ' && end < len(s) && s[end] == ' ' {
		c.entry = c.entry || w == "connect" || netrc(lineBefore(s, end))
	}
	if len(w) <= 16 && index.programs[sum(w)] != 0 && end < len(s) && (s[end] == ' ' || s[end] == '.' ||
		item(s, end) > end) && (i == 0 || strings.IndexByte(" \t\n;|&(`'\"/$>", s[i-1]) >= 0) {
		may := index.programs[sum(w)]
		for left := may; left != 0; left &= left - 1 {
			if k := bits.TrailingZeros64(left); !among(options[k].programs, w) {
				may &^= 1 << k
			}
		}
		if may != 0 {
			c.program, c.options, c.begins, c.login = w, may, i, false
		}
	}
	if w == "chpasswd" && end < len(s) && s[end] == ' ' {
		if q := run(s, end, space); strings.HasPrefix(s[q:], "<<<") {
			return split(s, run(s, q+3, space))
		}
	}
	if (w == "echo" || w == "printf") && end < len(s) && s[end] == ' ' {
		return piped(s, end)
	}
	if c.program == "" {
		return span{}, false
	}
	c.login = c.login || w == "login"
	for left := c.options; left != 0; left &= left - 1 {
		if o := &options[bits.TrailingZeros64(left)]; o.flag == w && o.form != colon && o.form != 'c' || o.flag == "" &&
			i == c.begins {
			switch o.form {
			case tokens:
				return literal(s, run(s, end, space), named{rank: weak, kind: "token"}, flagged)
			case word1, word2, word4:
				if (w == "user" || w == "use") && c.begins+len("net ") != i {
					continue
				}
				return argument(s, end, int(o.form-'0'), false)
			case 'h': // a here-string behind the name of what is set
				if q := run(s, run(s, run(s, end, space), word), space); strings.HasPrefix(s[q:], "<<<") {
					return given(s, run(s, q+3, space))
				}
			case final:
				return argument(s, end, 9, true)
			case '@':
				return slashed(s, run(s, end, space))
			}
		}
	}
	return span{}, false
}

// item returns where the word behind the one that ends at end begins, of a command line or of a list of strings.
func item(s string, end int) int {
	if c := byteAt(s, end); (c == '\'' || c == '"') && byteAt(s, end+1) == ',' {
		if next := run(s, end+2, space); byteAt(s, next) == c {
			return next
		}
	}
	return run(s, end, space)
}

// option recognises the password behind the flag that begins at i.
func (c *command) option(s string, i, end int) (span, bool) {
	if c.program == "" || i < 2 {
		return span{}, false
	}
	long := s[i-2] == '-' && i > 2 && class[s[i-3]]&space != 0
	if !long && class[s[i-2]]&space == 0 && s[i-2] != '\'' && s[i-2] != '"' {
		return span{}, false
	}
	w := s[i:end]
	for left := c.options; left != 0; left &= left - 1 {
		o := &options[bits.TrailingZeros64(left)]
		if o.flag == "" || long && len(o.flag) == 1 {
			continue
		}
		p := item(s, end)
		switch {
		case o.form == slash:
			if s[i-1] == '/' && w == o.flag && end < len(s) && s[end] == ':' {
				return given(s, end+1)
			}
		case s[i-1] == '/':
		// curl -su
		case w == o.flag || o.form == colon && len(w) > 1 && len(o.flag) == 1 && len(w) <= 4 &&
			strings.HasSuffix(w, o.flag) && !long:
			if end < len(s) && s[end] == '=' {
				p = end + 1
			}
			if p == end {
				if o.form == glued || o.form == either {
					return given(s, end)
				}
				continue
			}
			switch o.form {
			case next, either:
				return given(s, p)
			case here:
				if strings.HasPrefix(s[p:], "<<<") {
					return given(s, run(s, p+3, space))
				}
			case logged:
				if c.login {
					return given(s, p)
				}
			case colon:
				return split(s, p)
			case source:
				q := p
				if q < len(s) && (s[q] == '"' || s[q] == '\'') {
					q++
				}
				if strings.HasPrefix(s[q:], "pass:") {
					return given(s, q+5)
				}
			case 'c':
				q := p
				if q < len(s) && (s[q] == '"' || s[q] == '\'') {
					q++
				}
				if v := run(s, q, word); v > q && v < len(s) && s[v] == '=' {
					return literal(s, v+1, named{rank: weak, kind: "cookie"}, flagged)
				}
			}
		case (o.form == glued || o.form == either) && strings.HasPrefix(w, o.flag) && !long:
			return given(s, i+len(o.flag))
		}
	}
	return span{}, false
}

// given is the password at p, of whatever form, but for a port, a path or a further flag.
func given(s string, p int) (span, bool) {
	f, ok := literal(s, p, named{rank: strong, kind: "password"}, flagged)
	if !ok || strings.Trim(s[f.start:f.end], "0123456789:.") == "" || s[f.start] == '-' {
		return span{}, false
	}
	return f, true
}

// split is the password of user:password at p, which a quote may begin.
func split(s string, p int) (span, bool) {
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
	return spare(s, p+at+1, last, named{rank: strong, kind: "password"})
}

// spare is s[from:last], when it is a secret that stands where one is expected.
func spare(s string, from, last int, n named) (span, bool) {
	if v := s[from:last]; len(v) < 4 || strings.HasPrefix(v, "//") || !accepts(v, n, flagged, true) ||
		strings.Trim(v, digits) == "" && len(v) < 6 {
		return span{}, false
	}
	return span{from, last, n.kind}, true
}

// slashed is the password of user/password@host at p.
func slashed(s string, p int) (span, bool) {
	user := run(s, p, word)
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
	return spare(s, user+1, last, named{rank: strong, kind: "password"})
}

// argument is the nth argument behind p that is no flag, drive or share, or the last when a flag holds b.
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
	return given(s, at)
}

// piped is the password that echo, which ends at p, gives to a program that reads one.
func piped(s string, p int) (span, bool) {
	line := s[p:min(len(s), p+256)]
	if nl := strings.IndexByte(line, '\n'); nl >= 0 && !strings.HasPrefix(line[nl+1:], "'") &&
		!strings.HasPrefix(line[nl+1:], "\"") {
		line = line[:nl]
	}
	steps(len(line))
	bar := strings.IndexByte(line, '|')
	if bar < 0 {
		return span{}, false
	}
	users := strings.Contains(line[bar:], "chpasswd")
	if !users && !strings.Contains(line[bar:], "stdin") && !strings.Contains(line[bar:], "sudo -S") &&
		!strings.Contains(line[bar:], "--with-token") && !strings.Contains(line[bar:], "kinit") &&
		!strings.Contains(line[bar:], "secret put") && !strings.Contains(line[bar:], "secret set") &&
		!strings.Contains(line[bar:], "login") {
		return span{}, false
	}
	q := run(s, p, space)
	for q+2 < len(s) && s[q] == '-' && class[s[q+1]]&lower != 0 { // -n
		q = run(s, run(s, q+1, lower), space)
	}
	if users {
		return split(s, q)
	}
	return given(s, q)
}
