package search

import "strings"

// Ask is a query of a person, or of Claude on purpose, taken apart. The words beside a prompt are no Ask: nothing in
// them has a special meaning.
type Ask struct {
	Words   string   // the query without what follows
	Phrases []string // what stands in double quotes; the words of it are in Words too
	Files   []string // of file:PATH
	Errors  []string // of error:WORD or error:"WORDS"
}

// ParseAsk takes a query apart.
func ParseAsk(q string) (a Ask) {
	var rest []byte
	for q != "" {
		began := len(rest) == 0 || rest[len(rest)-1] == ' '
		if name, words, after, ok := cutOperator(q); began && ok {
			if q = after; name == "file:" {
				a.Files = append(a.Files, words)
			} else {
				a.Errors = append(a.Errors, words)
			}
		} else if words, after, ok := cutQuoted(q); ok {
			if strings.TrimSpace(words) != "" {
				a.Phrases = append(a.Phrases, words)
			}
			rest, q = append(rest, q[:len(q)-len(after)]...), after
		} else {
			rest, q = append(rest, max(q[0], ' ')), q[1:]
		}
	}
	a.Words = strings.TrimSpace(string(rest))
	return a
}

// cutOperator cuts file:PATH, error:WORD or either with words in double quotes from the beginning of q.
func cutOperator(q string) (name, words, after string, ok bool) {
	for _, name := range [...]string{"file:", "error:"} {
		if len(q) <= len(name) || !strings.EqualFold(q[:len(name)], name) || q[len(name)] <= ' ' {
			continue
		}
		rest := q[len(name):]
		if words, after, ok = cutQuoted(rest); !ok {
			end := strings.IndexAny(rest, " \t\n\r")
			if end < 0 {
				end = len(rest)
			}
			words, after = rest[:end], rest[end:]
		}
		return name, words, after, strings.TrimSpace(words) != ""
	}
	return "", "", "", false
}

// cutQuoted cuts words in double quotes, on one line, from the beginning of q.
func cutQuoted(q string) (words, after string, ok bool) {
	if !strings.HasPrefix(q, `"`) {
		return "", q, false
	}
	words, after, ok = strings.Cut(q[1:], `"`)
	return words, after, ok && !strings.Contains(words, "\n")
}

// must returns the terms that each document must have to answer a.
func (a Ask) must() (terms []uint64) {
	for _, f := range a.Files {
		terms = append(terms, fileTerm(fileName(f)))
	}
	for _, e := range a.Errors {
		words(e, true, func(w word) {
			if !w.part {
				terms = append(terms, errorTerm(w))
			}
		})
	}
	return terms
}

// HasPhrase reports whether the words of phrase stand together in text, in this order. Case, accents, endings and what
// stands between words do not count.
func HasPhrase(text, phrase string) bool {
	whole := func(s string) (out []string) {
		words(s, false, func(w word) {
			if !w.part {
				out = append(out, w.text())
			}
		})
		return out
	}
	all, want := whole(text), whole(phrase)
	for i := 0; i+len(want) <= len(all); i++ {
		n := 0
		for n < len(want) && all[i+n] == want[n] {
			n++
		}
		if n == len(want) {
			return true
		}
	}
	return len(want) == 0
}

// Answer returns the documents that best answer a, best first, at most limit, of those that keep selects. An Ask with
// file: or error: finds only documents that have what follows these, and its words order them; the latest of those
// without the words come last. An Ask without words finds the latest. The caller reads the documents' text and leaves
// out those without a phrase, see HasPhrase. Errors: those of Query.
func (x *Index) Answer(a Ask, keep Keep, limit int) ([]Hit, error) {
	s := inquiry{segments: x.segments, terms: parse(a.Words), must: a.must(), keep: keep, w: &standard}
	if len(s.terms) == 0 && len(s.must) == 0 || limit <= 0 {
		return nil, nil
	}
	return s.answer(limit)
}
