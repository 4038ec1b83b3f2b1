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
	if i-start < 4 {
		return span{}, false
	}
	steps(i - start + 80)
	line := s[i:min(len(s), i+80)]
	dashes := strings.Index(line, "----")
	if dashes < 0 {
		return span{}, false
	}
	label := line[:dashes]
	from := run(s, i+dashes, base)
	from = min(from, len(s))
	private := strings.Contains(label, "PRIVATE KEY") || strings.Contains(label, "Static key")
	if strings.TrimSpace(label) == "" {
		return span{}, false
	}
	if end := strings.Index(s[from:min(len(s), from+maxKey)], "-----"); end >= 0 &&
		strings.HasPrefix(s[from+end:], "-----END ") {
		end += from
		last := len(s)
		if last = min(last, end+120); strings.Contains(s[end:last], "\n") {
			last = end + strings.IndexByte(s[end:last], '\n')
		}
		if close := strings.Index(s[end+9:last], "-----"); close >= 0 {
			last = end + 9 + close + 5
		}
		if !private {
			return span{start, last, ""}, true
		}
		return span{start, last, "private-key"}, true
	}
	last := pemBody(s, from)
	if !private {
		return span{start, last, ""}, true
	}
	return span{start, last, "private-key"}, true
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
		for _, header := range [...]string{"Proc-Type:", "DEK-Info:", "Comment:", "Version:"} {
			if strings.HasPrefix(s[q:], header) {
				q += strings.IndexAny(s[q:min(len(s), q+128)]+"\n", "\n\\")
			}
		}
		r := run(s, q, alnum|base)
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
