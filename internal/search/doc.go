// Package search ranks records for a query. It keeps an index beside the records. The index is a cache: everything in
// it comes from the records, and search builds it again when it is missing, stale or damaged. Search asks no model and
// uses no network.
//
// The package does not know what a record is, where its file is and who may see it. Its callers hand it documents, and
// its answers name them. docs/search.md says how the ranking was chosen and measured.
package search

// Stamp identifies the version of a record that was indexed. The caller takes it before it reads the content, so that a
// change in between makes the index stale and not wrong.
type Stamp struct {
	Size int64 // in bytes, or Unseen, or Forget
	Time int64 // modification time, nanoseconds since 1970
	// Number is the file's number in its file system, 0 for none. A file that replaces another has a new number.
	Number uint64
}

// Special values of a Stamp's Size.
const (
	Unseen = -1 // only the Number is known
	Forget = -2 // the record must be indexed again
)

// Meta is what the index holds of a record besides its words.
type Meta struct {
	ID      string
	Title   string
	Tags    []string
	Kind    string
	Project string
	Status  string
	Stage   string
	Updated int64 // seconds since 1970
	// Broken says that the record could not be read, and Title says why. The index keeps it, so that nobody reads it
	// again and again.
	Broken bool
	Stamp  Stamp
}

// Doc is a record to index. Body is the text to search; the offsets in a Hit are offsets in Body.
type Doc struct {
	Meta
	Body string
	// Key, unless empty, lets Keyed find the record. A query does not search it.
	Key string
}

// Keep selects records, and says which of them come last. A nil function selects all.
type Keep struct {
	// Among decides for all records with the same Kind, Project, Status, Stage and Broken at once. The Meta it gets has
	// only these fields, so that no record has to be read for it.
	Among func(Meta) bool
	// Record decides for each record that Among selects. The Meta it gets has no Stamp.
	Record func(Meta) bool
	// Last decides as Among does. The records for which it reports true come after all others, whatever their scores.
	Last func(Meta) bool
}

// Hit is one record found.
type Hit struct {
	Meta
	// Score orders the hits of one query. It cannot be compared with the score of another query.
	Score float64
	// Share is the part of the query that one passage of the record, or its title, has: from 0 to 1. Rare words count
	// more.
	Share float64
	// Words is how many different words of the query that passage has, without stopwords.
	Words int
	// Titled is how many of the query's words are in the title or the tags. Asked is how many words the query has.
	Titled, Asked int
	// From and To are the offsets of the best passage in Doc.Body.
	From, To int
}

// Clear reports whether the query concerns the record so clearly that memento may show it unasked. Then one passage has
// at least three different words of the query, or two that are both in the title, and these words are most of the
// query. A query of fewer than three words is never clear.
func (h Hit) Clear() bool {
	return h.Share >= 0.6 && h.Asked >= 3 && (h.Words >= 3 || h.Words == 2 && h.Titled >= 2)
}
