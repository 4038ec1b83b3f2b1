// Command modernc runs a query on an FTS5 table: modernc DIR QUERY.
package main

import (
	"database/sql"
	"fmt"
	"os"

	_ "modernc.org/sqlite"
)

func main() {
	db, err := sql.Open("sqlite", "file:"+os.Args[1]+"/fts.db?mode=ro")
	if err != nil {
		panic(err)
	}
	rows, err := db.Query("select id, title from records where records match ? order by rank limit 10", os.Args[2])
	if err != nil {
		panic(err)
	}
	for rows.Next() {
		var id, title string
		if err := rows.Scan(&id, &title); err != nil {
			panic(err)
		}
		fmt.Println(id, title)
	}
	if err := rows.Err(); err != nil {
		panic(err)
	}
}
