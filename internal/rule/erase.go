package rule

import (
	"bytes"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/safefile"
)

// Gone is a candidate or a decision that was erased.
type Gone struct{ TS, Words string }

// Source is where a sentence comes from.
type Source struct {
	Ref     string // uuid of the prompt, "" for a decision
	Session string
	At      time.Time // of the prompt or the decision, zero for none
}

func (l *line) source() Source {
	at, _ := time.Parse(time.RFC3339, l.At) // else none
	return Source{l.ref, l.Session, at}
}

// Erase removes from data, the file at path, what was said in the chosen lanes and holds a text that has recognises, or
// comes from where from says. ok is false if data is not memento's; then nobody can tell whose words it holds.
func Erase(path string, data []byte, chosen func(lane string) bool, has func(words string) bool,
	from func(Source) bool) (left []byte, gone []Gone, ok bool) {
	c, ok := decode(data)
	if !ok {
		return data, nil, false
	}
	gone = c.erase(func(l line) bool {
		if !chosen(l.lane) {
			return false
		}
		raw := jsonx.Write(&l, (*line).fields, l.others)
		_, found, _ := jsonx.Erase(raw, maxDepth, new(line), (*line).fields, has)
		return len(found) > 0 || from(l.source())
	})
	c.strange = slices.DeleteFunc(c.strange, func(raw []byte) bool {
		isGone := has(string(raw))
		if isGone {
			gone = append(gone, Gone{Words: string(raw)})
		}
		return isGone
	})
	if gone == nil {
		return data, nil, true
	}
	c.read, c.again = nil, fromBeginning // the log changes too
	c.conclude(isOwn(path))
	return c.encode(), gone, true
}

func isOwn(path string) bool { return filepath.Base(path) == ownName+".jsonl" }

// erase removes the lines for which is returns true.
func (c *contents) erase(is func(line) bool) (gone []Gone) {
	c.lines = slices.DeleteFunc(c.lines, func(l line) bool {
		isGone := is(l)
		if isGone {
			gone = append(gone, Gone{l.At, l.Text})
		}
		return isGone
	})
	return gone
}

// Files lists the files in the folder of the rules, and damaged ones that were set aside. Errors: safefile's.
func Files(dir string) (files, aside []string, err error) {
	entries, err := safefile.ListFolder(filepath.Join(dir, Folder))
	for _, e := range entries {
		path := filepath.Join(dir, Folder, e.Name())
		switch {
		case e.IsDir(), safefile.Temporary(e.Name()):
		case strings.HasSuffix(e.Name(), ".jsonl"):
			files = append(files, path)
		default:
			aside = append(aside, path)
		}
	}
	return files, aside, err
}

// EraseLanes removes all that was said in the chosen lanes, unless dry is set. It returns the files that change or go;
// one of which nothing is left goes. It deletes damaged files, since nobody can tell whose words they hold. A second
// call goes on.
func (s Store) EraseLanes(chosen func(lane string) bool, dry bool) (changed []string, err error) {
	files, changed, err := Files(s.Dir)
	if err != nil || len(files)+len(changed) == 0 {
		return nil, err
	}
	if !dry {
		unlock, err := safefile.LockIn(s.Dir, Folder, s.Wait)
		if err != nil {
			return nil, err
		}
		defer unlock()
		for _, path := range changed {
			if err := safefile.Remove(path); err != nil {
				return nil, err
			}
		}
	}
	for _, path := range files {
		data, err := safefile.Read(path, maxErased)
		if err != nil {
			return changed, err
		}
		left, isChanged := eraseLanes(path, data, chosen)
		if !isChanged {
			continue
		}
		changed = append(changed, path)
		switch {
		case dry:
		case left == nil:
			err = safefile.Remove(path)
		default:
			err = safefile.Replace(path, left, 0o600)
		}
		if err != nil {
			return changed, err
		}
	}
	return changed, nil
}

// maxErased is the largest file that EraseLanes reads, in bytes. It is above maxFile, so that it also reaches a file
// that is too large to use.
const maxErased = 64 << 20

// eraseLanes returns what is left of data, the file at path, nil for nothing.
func eraseLanes(path string, data []byte, chosen func(lane string) bool) (left []byte, changed bool) {
	c, ok := decode(data)
	if !ok {
		return nil, true
	}
	gone := c.erase(func(l line) bool { return chosen(l.lane) })
	if len(c.lines) == 0 {
		return nil, true
	}
	if len(gone) > 0 {
		c.read, c.again = nil, fromBeginning // the log changes too
	}
	c.conclude(isOwn(path))
	left = c.encode()
	return left, len(gone) > 0 || !bytes.Equal(left, data)
}

// IsDamaged reports whether the file at path cannot be read as memento wrote it. Errors: safefile's.
func IsDamaged(path string) (bool, error) {
	data, err := safefile.Read(path, maxFile)
	if errors.Is(err, safefile.ErrTooLarge) {
		return true, nil
	}
	_, ok := decode(data)
	return err == nil && !ok, err
}
