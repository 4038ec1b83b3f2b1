package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/redact"
)

// stored counts the lines with words in the journals and histories in home, and the secrets that memento took out of
// them.
func (r *result) stored(home string) error {
	var count func(v gjson.Result)
	count = func(v gjson.Result) {
		switch {
		case v.Type == gjson.String:
			r.lines += strings.Count(v.Str, "\n") + 1
			r.redacted += strings.Count(v.Str, redact.Mark)
		case v.IsObject(), v.IsArray(): // ForEach hands anything else to itself
			v.ForEach(func(_, e gjson.Result) bool { count(e); return true })
		}
	}
	return filepath.WalkDir(filepath.Join(home, ".claude", ".memento"),
		func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				if e != nil && e.Name() == "cache" { // no words, or those of the journal
					return fs.SkipDir
				}
				return err
			}
			switch filepath.Ext(path) {
			case ".json", ".jsonl":
				data, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				gjson.ForEachLine(string(data), func(v gjson.Result) bool {
					count(v)
					return true
				})
			}
			return nil
		})
}
