// Command own runs a query on memento's index: own [-scan] DIR QUERY. With -scan it first compares the index with the
// records in DIR, as memento search does.
package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/mementohq/memento/internal/search"
)

func main() {
	scan := os.Args[1] == "-scan"
	if scan {
		os.Args = os.Args[1:]
	}
	dir, query := os.Args[1], os.Args[2]
	x, err := search.Open(dir)
	if err != nil {
		panic(err)
	}
	if scan {
		entries, err := os.ReadDir(dir)
		if err != nil {
			panic(err)
		}
		var files []search.File
		for _, e := range entries {
			id, record := strings.CutSuffix(e.Name(), ".md")
			if !record {
				continue
			}
			info, err := e.Info()
			if err != nil {
				panic(err)
			}
			files = append(files, search.File{ID: id,
				Stamp: search.Stamp{Size: info.Size(), Time: info.ModTime().UnixNano()}})
		}
		if changed, removed, err := x.Diff(files, nil); err != nil || len(changed)+len(removed) > 0 {
			panic(fmt.Sprint("stale: ", len(changed), len(removed), err))
		}
	}
	hits, err := x.Query(query, search.Keep{}, 10)
	if err != nil {
		panic(err)
	}
	for _, h := range hits {
		fmt.Println(h.ID, h.Title)
	}
}
