package redact

import "strings"

// options are the places in a command line where a password stands without a name. programs and flags are words with
// blanks between them. A flag is a word behind a dash.
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
	{"smbclient rpcclient smbget", "U", colon}, {"lftp", "u", colon},
}

// The forms of an option.
const (
	next   = ' ' // the word behind the flag
	glued  = '+' // the rest of the flag
	logged = 'l' // the word behind the flag, once the word login was read
	colon  = ':' // user:password, the word behind the flag; also user%password and user,password
)

// programIndex has the options of each program, as places in options.
type programIndex map[string][]int

func (x *programIndex) build() {
	*x = programIndex{}
	for i := range options {
		for program := range strings.SplitSeq(options[i].programs, " ") {
			(*x)[program] = append((*x)[program], i)
		}
	}
}

// command holds what the matcher knows about the command line it reads.
type command struct {
	options []int // of the last word that is a program; nil before one was read
	login   bool
}

// readWord reads the word s[i:end] of a command line. It returns the password that an echo gives to another program.
func (c *command) readWord(s string, i, end int) (span, bool) {
	w := s[i:end]
	if end-i < 2 || end-i > 14 || i > 0 && (s[i-1] == '-' || s[i-1] == '=') {
		return span{}, false
	}
	if behind := byteAt(s, end); (behind == ' ' || behind == '.' || item(s, end) > end) &&
		(i == 0 || strings.IndexByte(" \t\n;|&(`'\"/$>", s[i-1]) >= 0) {
		if w == "echo" || w == "printf" {
			return readPiped(s, end)
		}
		if of := index.programs[w]; of != nil {
			c.options, c.login = of, false
		}
	}
	c.login = c.login || w == "login"
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
	for _, k := range c.options {
		o := &options[k]
		first, _, _ := strings.Cut(o.flags, " ")
		is := among(o.flags, w) && p > end && !(long && len(w) == 1)
		switch {
		case o.form == glued && !long:
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
	ends := " \t\r\n\"'`|;"
	if quote := byteAt(s, p); quote == '"' || quote == '\'' {
		p++
		ends = s[p-1:p] + "\n"
	}
	pair := s[p:min(len(s), p+maxValue)]
	if last := strings.IndexAny(pair, ends); last >= 0 {
		pair = pair[:last]
	}
	if at := strings.IndexAny(pair, ":%,"); at > 0 {
		return expected(s, p+at+1, p+len(pair), named{rank: password, kind: "password"})
	}
	return span{}, false
}

// readPiped returns the password that echo, which ends at p, gives to a program that reads a password.
func readPiped(s string, p int) (span, bool) {
	line, _, _ := strings.Cut(s[p:min(len(s), p+256)], "\n")
	steps(len(line))
	_, reader, _ := strings.Cut(strings.ToLower(line), "|")
	for _, w := range [...]string{"stdin", "sudo -s", "--with-token", "kinit", "secret", "login", "passw", "token"} {
		if q := run(s, p, space); strings.Contains(reader, w) {
			if strings.Contains(reader, "chpasswd") {
				return readPair(s, q)
			}
			return readPassword(s, q)
		}
	}
	return span{}, false
}
