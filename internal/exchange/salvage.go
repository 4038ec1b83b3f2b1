package exchange

import (
	"strings"
	"unicode/utf8"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/record"
)

// salvage takes front matter apart that record.Decode refuses: a key with the lines below it that cannot be read by itself goes to left, in the
// order of the file, and file is what is there without those. A file that has no front matter gets an empty one. Errors: *markdown.FrontError
// when the front matter has no end, or the file is no text.
func salvage(id string, data []byte) (file []byte, left []string, err error) {
	const bound = "---\n"
	s := strings.ReplaceAll(strings.TrimPrefix(string(data), "\ufeff"), "\r\n", "\n")
	if !utf8.ValidString(s) || strings.Contains(s, "\x00") {
		_, err := markdown.Parse(data)
		return nil, nil, err
	}
	rest, ok := strings.CutPrefix(s, bound)
	if !ok {
		return []byte(bound + bound + s), nil, nil
	}
	head, body, ended := strings.Cut("\n"+rest, "\n"+bound)
	if !ended {
		if head, ended = strings.CutSuffix("\n"+rest, "\n---"); !ended {
			_, err := markdown.Parse(data)
			return nil, nil, err
		}
	}
	var keys []string
	for line := range strings.Lines(strings.TrimPrefix(head, "\n") + "\n") {
		if n := len(keys) - 1; n >= 0 && strings.ContainsRune(" \t\n-#}]", rune(line[0])) {
			keys[n] += line
		} else if line != "\n" {
			keys = append(keys, line)
		}
	}
	var good strings.Builder
	seen := map[string]bool{}
	for _, key := range keys {
		name, _, _ := strings.Cut(key, ":")
		if _, err := record.Decode(id, []byte(bound+key+bound)); err != nil || seen[name] {
			left = append(left, key)
			continue
		}
		seen[name] = true
		good.WriteString(key)
	}
	return []byte(bound + good.String() + bound + body), left, nil
}
