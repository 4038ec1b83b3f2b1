// Package retrieve finds the records that answer a question, and those that concern what was typed or begun, by an index that
// it keeps up to date with them. How a query is ranked is decided in search, what a record is in record.
package retrieve

import (
	"time"

	"github.com/mementohq/memento/internal/record"
)

// Open returns the store of the records in dir, memento's folder, whose changes are indexed as they are made.
func Open(dir string, now func() time.Time, wait time.Duration) record.Store {
	return record.Store{Dir: dir, Now: now, Wait: wait}
}
