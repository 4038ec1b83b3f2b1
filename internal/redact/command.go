package redact

import (
	"strings"

	"github.com/mementohq/memento/internal/text"
)

// options are the places in a command line where a password stands without a name: the flags of the programs that take
// one. The sign behind a flag says what follows: _ the password as the next word, + the password in the same word,
// : user:password (also user%password and user,password).
var options = [...]struct{ programs, flags string }{
	{"mysql mysqldump mysqladmin mysqlimport mysqlcheck mysqlsh mariadb mariadb-dump mariadb-admin", "p+"},
	{"7z 7za 7zz rar unrar", "p+ hp+"}, {"sshpass", "p+ p_"}, {"login", "p_"},
	{"mongo mongosh mongodump mongorestore mongoexport mongoimport cqlsh twine rdesktop beeline hydra", "p_"},
	{"sqlcmd osql bcp isql tsql zip unzip mosquitto_pub mosquitto_sub ipmitool", "P_"}, {"ssh-keygen", "P_ N_"},
	{"ldapsearch ldapmodify ldapadd ldapdelete ldappasswd ldapwhoami security", "w_"}, {"redis-cli", "a_"},
	{"snmpwalk snmpget snmpset", "A_ X_ c_"}, {"plink pscp psftp putty", "pw_"}, {"openssl", "k_"},
	{"oathtool", "b_"}, {"codecov", "t_"},
	{"curl", "u: user: U: proxy-user:"}, {"http https xh", "a: auth:"}, {"skopeo", "creds: src-creds:"},
	{"smbclient rpcclient smbget", "U:"}, {"lftp", "u:"},
}

// commandPassword is what an option of a command announces. A number may be a port.
var commandPassword = named{kind: "password", rank: password, short: true}

// programIndex has the flags of each program.
type programIndex map[string]string

func (x *programIndex) build() {
	*x = programIndex{}
	for _, o := range options {
		for program := range strings.SplitSeq(o.programs, " ") {
			(*x)[program] = o.flags
		}
	}
}

// readProgram remembers the flags of the program s[i:end]. Of echo it returns the password that the line gives to
// another program.
func (m *matcher) readProgram(i, end int) (span, bool) {
	s, behind := m.s, byteAt(m.s, end)
	if end-i < 2 || end-i > 14 || behind != ' ' && behind != '.' && item(s, end) == end ||
		i > 0 && strings.IndexByte(" \t\n;|&(`'\"/$>", s[i-1]) < 0 {
		return span{}, false
	}
	w := s[i:end]
	if flags := index.programs[w]; flags != "" {
		m.flags = flags
	}
	if w != "echo" && w != "printf" {
		return span{}, false
	}
	line, _, _ := strings.Cut(s[end:min(len(s), end+256)], "\n")
	steps(len(line))
	_, reader, _ := strings.Cut(strings.ToLower(line), "|")
	q := run(s, end, space)
	switch {
	case strings.Contains(reader, "chpasswd"):
		return readPair(s, q)
	case text.ContainsOne(reader, "-stdin", "sudo -s", "--with-token", "kinit", "secret", "login", "passw", "token"):
		return read(s, q, commandPassword, option).secret()
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

// readFlag returns the password behind the flag s[i:end] of the program that was read last.
func (m *matcher) readFlag(i, end int) (span, bool) {
	s := m.s
	long := i > 2 && s[i-2] == '-' && class[s[i-3]]&space != 0
	w, next := s[i:end], item(s, end)
	for flag := range strings.FieldsSeq(m.flags) {
		form := flag[len(flag)-1]
		flag = flag[:len(flag)-1]
		// also -p'X'
		if rest, ok := strings.CutPrefix(w, flag); form == '+' && ok && !long && (rest != "" || next == end) {
			return read(s, end-len(rest), commandPassword, option).secret()
		}
		switch {
		case form == '_' && w == flag:
			return read(s, next, commandPassword, option).secret()
		case form == ':' && (w == flag || !long && len(w) <= 4 && strings.HasSuffix(w, flag)): // curl -su
			return readPair(s, next)
		}
	}
	return span{}, false
}

// readPair returns the password of user:password at p.
func readPair(s string, p int) (span, bool) {
	c := read(s, p, named{kind: "password", rank: password}, said)
	at := strings.IndexAny(s[c.start:c.end], ":%,")
	if at <= 0 {
		return span{}, false
	}
	c.start += at + 1
	c.where = option
	return c.secret()
}
