package redact

import (
	"math/bits"
	"strings"
)

// options are the places in a command line where a password stands without a name. programs and flags are words with
// blanks between them. A flag is a word behind a dash; with a form that counts words it is a plain word of the command.
// Without flags, the form applies to the words behind the program.
var options = [...]struct {
	programs, flags string
	form            byte
}{
	{"mysql mysqldump mysqladmin mysqlimport mysqlcheck mysqlsh mariadb mariadb-dump mariadb-admin sshpass", "p", glued},
	{"7z 7za 7zz rar unrar", "p hp", glued}, {"docker podman nerdctl buildah skopeo helm oras az oc cf expo", "p", logged},
	{"mongo mongosh mongodump mongorestore mongoexport mongoimport cqlsh twine rdesktop beeline hydra sshpass", "p", next},
	{"sqlcmd osql bcp isql tsql zip unzip mosquitto_pub mosquitto_sub ipmitool", "P", next}, {"ssh-keygen", "P N", next},
	{"ldapsearch ldapmodify ldapadd ldapdelete ldappasswd ldapwhoami security", "w", next}, {"redis-cli", "a", next},
	{"snmpwalk snmpget snmpset", "A X c", next}, {"plink pscp psftp putty", "pw", next}, {"openssl", "k", next},
	{"curl", "u user U proxy-user", colon}, {"http https xh", "a auth", colon}, {"skopeo", "creds src-creds", colon},
	{"smbclient rpcclient smbget", "U", colon}, {"lftp", "u", colon}, {"redis-cli", "AUTH auth", '1'},
	{"htpasswd", "", '3'}, {"net", "user", '2'}, {"net", "use", '1'}, {"rabbitmqctl", "add_user change_password", '2'},
	{"mc", "set", '4'}, {"wpa_passphrase", "", '2'}, {"snmp-server", "community", '1'}, {"echo printf", "", pipe},
}

// The forms of an option. A digit from 1 to 9 says which word behind the flag is the password.
const (
	next   = ' ' // the word behind the flag
	glued  = '+' // the rest of the flag
	logged = 'l' // the word behind the flag, once the word login was read
	colon  = ':' // user:password, the word behind the flag; also user%password and user,password
	pipe   = '|' // the input of a program that reads a password
)

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
}

// same reports whether c, at a place that is later by this many bytes, equals then.
func (c *command) same(then command, later int) bool {
	return c.program == then.program && c.login == then.login &&
		(c.program == "" || c.begins-then.begins == later || c.begins == then.begins)
}

// readWord reads the word s[i:end] of a command line. It returns the password that follows it as a plain argument.
func (c *command) readWord(s string, i, end int) (span, bool) {
	if end-i < 2 || i > 0 && (s[i-1] == '-' || s[i-1] == '=') {
		return span{}, false
	}
	w, behind := s[i:end], byteAt(s, end)
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
		switch counts := o.form >= '1' && o.form <= '9'; {
		case o.form == pipe && i == c.begins:
			return readPiped(s, end)
		case counts && (o.flags == "" && i == c.begins || among(o.flags, w)):
			return argument(s, end, int(o.form-'0'))
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

// readFlag returns the password behind the flag that begins at i.
func (c *command) readFlag(s string, i, end int) (span, bool) {
	long := i > 2 && s[i-2] == '-' && class[s[i-3]]&space != 0
	if !long && class[s[i-2]]&space == 0 && s[i-2] != '\'' && s[i-2] != '"' {
		return span{}, false
	}
	w, p := s[i:end], item(s, end)
	if byteAt(s, end) == '=' {
		p = end + 1
	}
	for left := c.options; left != 0; left &= left - 1 {
		o := &options[bits.TrailingZeros64(left)]
		first, _, _ := strings.Cut(o.flags, " ")
		is := among(o.flags, w) && p > end && !(long && len(w) == 1)
		switch {
		case o.form == glued && !long && o.flags != "":
			for flag := range strings.SplitSeq(o.flags, " ") {
				if rest, ok := strings.CutPrefix(w, flag); ok && (rest != "" || p == end) { // also -p'X'
					return readPassword(s, end-len(rest))
				}
			}
		case is && (o.form == next || o.form == logged && c.login):
			return readPassword(s, p)
		case o.form == colon && p > end && (is || !long && len(first) == 1 && len(w) <= 4 &&
			strings.HasSuffix(w, first)): // curl -su
			return readPair(s, p)
		}
	}
	return span{}, false
}

// readPassword returns the password at p. It returns no port, no path and no further flag.
func readPassword(s string, p int) (span, bool) {
	f, ok := read(s, p, named{rank: password, kind: "password"}, option)
	return f, ok && strings.Trim(s[f.start:f.end], "0123456789:.") != "" && s[f.start] != '-'
}

// readPair returns the password of user:password at p. A quotation mark may begin the pair.
func readPair(s string, p int) (span, bool) {
	quote := byteAt(s, p)
	if quote == '"' || quote == '\'' {
		p++
	} else {
		quote = 0
	}
	last := p
	for last < len(s) && last-p < maxValue && (quote == 0 && s[last] > ' ' &&
		strings.IndexByte("\"'`|;", s[last]) < 0 || quote != 0 && s[last] != quote && s[last] != '\n') {
		last++
	}
	if at := strings.IndexAny(s[p:last], ":%,"); at > 0 {
		return expected(s, p+at+1, last, named{rank: password, kind: "password"})
	}
	return span{}, false
}

// argument returns the nth argument behind p. Flags, drives and shares do not count.
func argument(s string, p, n int) (span, bool) {
	for range 10 {
		q := run(s, p, space)
		if q == p || q >= len(s) || strings.IndexByte("|;&<>\n`", s[q]) >= 0 {
			break
		}
		for p = q; p < len(s) && p-q < 256 && s[p] > ' ' && strings.IndexByte("|;&`", s[p]) < 0; {
			p++
		}
		steps(p - q)
		if v := s[q:p]; v[0] == '-' || v[0] == '\\' || v[0] == '/' && strings.Contains(v, ":") || v[len(v)-1] == ':' {
			continue
		}
		if n--; n == 0 {
			f, ok := readPassword(s, q)
			return f, ok && likely(s[f.start:f.end])
		}
	}
	return span{}, false
}

// readPiped returns the password that echo, which ends at p, gives to a program that reads a password.
func readPiped(s string, p int) (span, bool) {
	line, _, _ := strings.Cut(s[p:min(len(s), p+256)], "\n")
	steps(len(line))
	_, reader, _ := strings.Cut(line, "|")
	reads := false
	for _, w := range [...]string{"stdin", "sudo -s", "--with-token", "kinit", "secret", "login", "passw", "token"} {
		reads = reads || strings.Contains(strings.ToLower(reader), w)
	}
	if !reads {
		return span{}, false
	}
	q := run(s, p, space)
	if strings.HasPrefix(s[q:], "-n ") || strings.HasPrefix(s[q:], "'%s' ") || strings.HasPrefix(s[q:], "\"%s\" ") {
		q += strings.IndexByte(s[q:], ' ') + 1
	}
	if strings.Contains(reader, "chpasswd") {
		return readPair(s, q)
	}
	return readPassword(s, q)
}

// takers are functions that take a password as their last string, by the ends of their names in lower case.
const takers = "login auth setbasicauth authenticate networkcredential passwordcredential sign_in signin basic_auth " +
	"mysqli mysqli_connect mysql_connect pdo getconnection basic userpassword changepassword setpassword " +
	"resetpassword credential credentials usernamepasswordcredentials addlogin creds hash_password hashpassword hashpw " +
	"hash hashsync bcrypt passwordauthentication sign verify createhmac cookieparser"

// called looks for the secret among the strings that the function s[i:end] takes, or that a name of such a function
// holds: creds = ("bob", "X").
func called(s string, i, end int) (found span, ok bool) {
	p := end
	if after := run(s, p, space); byteAt(s, after) == '=' {
		p = run(s, after+1, space)
	}
	if c := byteAt(s, p); c != '(' || end-i < 3 || end-i > 32 || !index.takers.has(s, end-3) {
		return span{}, false
	}
	name := strings.ToLower(s[i:end])
	if at := strings.LastIndexByte(name, '.'); !among(takers, name[at+1:]) {
		return span{}, false
	}
	limit, n := min(len(s), p+160), named{rank: password, kind: "password"}
	for p++; p < limit && s[p] != '\n' && s[p] != ')'; p++ {
		quote := s[p]
		if quote != '"' && quote != '\'' {
			continue
		}
		from := p + 1
		for p++; p < limit && s[p] != quote && s[p] != '\n'; p++ {
		}
		v := s[from:p]
		if steps(len(v)); likely(v) && !strings.ContainsAny(v, "/:=, ") && (!strings.Contains(v, ".") ||
			!strings.Contains(v, "@")) && lookOf(v) > worded && !describes(v) && n.accepts(v, tight, true) {
			found, ok = span{from, p, n.kind}, true
		}
	}
	return found, ok
}
