package redact

import "strings"

// calls are functions that take a secret, by the ends of their names in lower case. from is the first argument that may
// be the secret, rank its kind, and words says whether an ordinary word may be the secret.
var calls = [...]struct {
	names string
	from  int
	rank  int
	words bool
}{
	{"login auth setbasicauth authenticate networkcredential passwordcredential sign_in signin basic_auth",
		1, strong, true},
	{"mysqli_connect mysqli mysql_connect pdo getconnection", 2, strong, true},
	{"connect", 2, strong, false},
	{"basic userpassword changepassword setpassword resetpassword " +
		"credential credentials authentication pw_set addlogin begin creds", 1, strong, false},
	{"hash_password hashpassword hashpw bcrypt.hash bcrypt.hashsync bcrypt sensitive", 0, strong, false},
	{"btoa b64encode base64_encode encode64 basic.encode", 0, pair, false}, // user:X
	{"jwt.sign jwt.verify jwt.encode jwt.decode hmac hmac.new " +
		"createhmac crypto.createhmac client twilio stripe openai", 0, weak, false},
}

// called looks for the secret among the arguments of the function whose name ends at end, or in the pair of values that
// a name holds.
func called(s string, i, end int) (span, bool) {
	p := end
	if after := run(s, p, space); byteAt(s, after) == '=' || byteAt(s, after) == ':' { // creds = ('bob', 'X')
		p = run(s, after+1, space)
	}
	if c := byteAt(s, p); c != '(' && (c != '[' || p == end) {
		return span{}, false
	}
	if end-i < 3 || !index.calls.has(s, end-3) {
		return span{}, false
	}
	name := strings.ToLower(s[i:end])
	if i > 0 && s[i-1] == '.' {
		from := i - 1
		for from > 0 && i-from < 16 && class[s[from-1]]&alnum != 0 {
			from--
		}
		name = strings.ToLower(s[from:end])
	}
	for k := range calls {
		for w := range strings.SplitSeq(calls[k].names, " ") {
			if rest, ok := strings.CutSuffix(name, w); ok && (rest == "" || calls[k].from > 0 ||
				rest[len(rest)-1] == '.') {
				if calls[k].rank != pair {
					return passed(s, p+1, k)
				}
				if p++; byteAt(s, p) == 'b' {
					p++
				}
				if quote := byteAt(s, p); quote != '"' && quote != '\'' {
					return span{}, false
				}
				f, ok := readPair(s, p)
				return f, ok && likely(s[f.start:f.end])
			}
		}
	}
	return span{}, false
}

// passed returns the secret among the arguments at p of a function in this row of calls.
func passed(s string, p, row int) (found span, ok bool) {
	call, before := &calls[row], ""
	n := named{rank: call.rank, kind: "password"}
	if n.rank == weak {
		n.kind = "secret"
	}
	words := call.words && s[p-1] == '('
	for arg := 0; arg < 5 && p < len(s); arg++ {
		p = run(s, p, space)
		if next := byteAt(s, p+1); byteAt(s, p) == 'b' && (next == '"' || next == '\'') {
			p++
		}
		from := p
		if quote := byteAt(s, p); quote == '"' || quote == '\'' || quote == '`' {
			for p++; p < len(s) && p-from < 200 && s[p] != quote && s[p] != '\n'; p++ {
			}
			v := s[from+1 : min(p, len(s))]
			if arg >= call.from && v != before {
				f, good := readValue(s, from, n, tight)
				if good && (call.rank == weak || !dummy(v) && (words && arg < 3 && before != "" &&
					!strings.Contains(v, ":") || likely(v))) {
					found, ok = f, true
				}
			}
			before = v
			p++
		}
		for p < len(s) && p-from < 240 && (class[s[p]]&word != 0 || s[p] == '.' || s[p] == '$' || s[p] == '(' &&
			byteAt(s, p+1) == ')' || s[p] == ')' && s[p-1] == '(') {
			p++
		}
		if steps(p - from); byteAt(s, p) != ',' {
			break
		}
		p++
	}
	return found, ok
}

// likely reports whether v, among strings of all kinds, is a password.
func likely(v string) bool {
	f := measure(v)
	return strange(v) || joined(v) || f.uppers > 0 && f.lowers > 0 && f.digits > 1 ||
		f.uppers > 1 && f.lowers > 1 && f.changes*2 >= f.length
}
