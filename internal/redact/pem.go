package redact

import "strings"

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
		for q < len(s) && (s[q] == ' ' || s[q] == '\t' || s[q] == '\r' || s[q] == '\n' || s[q] == '>' || s[q] == '|' ||
			strings.HasPrefix(s[q:], `\n`) || strings.HasPrefix(s[q:], `\r`)) {
			if s[q] == '\\' {
				q++
			}
			q++
		}
		if rest := s[q:]; strings.HasPrefix(rest, "Proc-Type:") || strings.HasPrefix(rest, "DEK-Info:") ||
			strings.HasPrefix(rest, "Comment:") || strings.HasPrefix(rest, "Version:") {
			for q < len(s) && s[q] != '\n' && !strings.HasPrefix(s[q:], `\n`) {
				q++
			}
			p, end = q, q
			continue
		}
		r := run(s, q, alnum|base)
		if r == q || r-q < 16 && !(end > i && (r == len(s) || s[r] == '\n' || cutOff(s, r)) && p != q) {
			break
		}
		steps(r - p)
		p, end = r, r
		if f := measure(s[q:r]); r-q < 16 || f.lettered == f.length {
			break
		}
	}
	return end
}
