package redact

import "strings"

// keyBlock recognises what begins at the word s[i:end] and is passed over or redacted as a whole: a block of PEM, the
// private part of a key of PuTTY, or data in a URL.
func keyBlock(s string, i, end int) (span, bool) {
	switch next := byteAt(s, end); {
	case next == ':' && s[i:end] == "Private-Lines":
		if from := run(s, end+1, space|digit); byteAt(s, from) == '\n' || byteAt(s, from) == '\r' {
			return span{from + 1, pemBody(s, from), "private-key"}, true
		}
	case s[end-1] == 'N' && strings.HasSuffix(s[i:end], "BEGIN"):
		return pem(s, end-5)
	case next == ',' && s[i:end] == "base64": // data: in a URL
		return span{i, run(s, end+1, alnum|base), ""}, true
	}
	return span{}, false
}

// pem recognises a private key by its first line, whose word BEGIN stands at i, however its lines are broken: in lines,
// as \n in a string, or in one line. A key without an end goes as far as it looks like one. What is public is passed
// over.
func pem(s string, i int) (span, bool) {
	start := i
	for start > 0 && s[start-1] == '-' {
		start--
	}
	steps(i - start + 80)
	label, _, ok := strings.Cut(s[i+len("BEGIN"):min(len(s), i+80)], "----")
	if i-start < 4 || !ok || strings.TrimSpace(label) == "" {
		return span{}, false
	}
	kind := ""
	if strings.Contains(label, "PRIVATE KEY") || strings.Contains(label, "Static key") {
		kind = "private-key"
	}
	from := run(s, i+len("BEGIN")+len(label), base)
	end := strings.Index(s[from:min(len(s), from+maxKey)], "-----")
	if end >= 0 && strings.HasPrefix(s[from+end:], "-----END ") {
		end += from + len("-----END ")
		line, _, _ := strings.Cut(s[end:min(len(s), end+120)], "\n")
		if close := strings.Index(line, "-----"); close >= 0 {
			line = line[:close+5]
		}
		return span{start, end + len(line), kind}, true
	}
	return span{start, pemBody(s, from), kind}, true
}

// pemBody returns where the lines of a key that has no end stop, from i on.
func pemBody(s string, i int) int {
	end := i
	for p := i; p < min(len(s), i+maxKey); {
		q := p
		for q < len(s) && (strings.IndexByte(" \t\r\n>|", s[q]) >= 0 || strings.HasPrefix(s[q:], `\n`) ||
			q > p && s[q] == 'n' && s[q-1] == '\\') {
			q++
		}
		r := run(s, q, alnum|base)
		if end == i && byteAt(s, r) == ':' { // Proc-Type: 4,ENCRYPTED
			p = r + strings.IndexAny(s[r:min(len(s), r+128)]+"\n", "\n\\")
			continue
		}
		f := measure(s[q:min(r, q+128)])
		short := r-q < 16 && (end == i || r < len(s) && s[r] != '\n')
		if short || r == p || r > q && f.lowers == f.length {
			break
		}
		steps(r - p)
		p, end = r, r
	}
	return end
}
