// Package search ranks records for a query. It keeps an index of its own beside them, which is a cache: everything in
// it comes from the records, and it is built again when it is missing, stale or damaged. It asks no model and no
// network.
//
// What a record is, where it stands and who may see it belongs to the callers: here it is a Doc, and what comes back
// names it. docs/search.md says how the ranking was chosen and measured.
package search

// Stamp says which state of a record was indexed. It is taken before the content is read, so that a change in between
// makes the index stale and not wrong.
type Stamp struct {
	Size int64 // bytes, Unseen or Forget
	Time int64 // modification time, nanoseconds since 1970
	// Number is the file's in its file system, 0 where it has none. A file that was replaced has another one.
	Number uint64
}

// What the Size in a Stamp may be besides.
const (
	Unseen = -1 // only the Number is known
	Forget = -2 // whatever was indexed, it counts no more
)

// Meta is what the index knows of a record besides its words.
type Meta struct {
	ID      string
	Title   string
	Tags    []string
	Kind    string
	Project string
	Status  string
	State   string
	Updated int64 // seconds since 1970
	// Broken: the record could not be read. It is remembered, so that it is not read again and again; Title says why.
	Broken bool
	Stamp  Stamp
}

// Doc is a record as it is indexed. Body is the whole file or part of it, as the caller likes: ranges in a Hit are of
// it.
type Doc struct {
	Meta
	Body string
	// Key, unless empty, is what Keyed finds the record by. It is not a word of it.
	Key string
}

// Keep says which records count, and which come last. Among and Record may be nil: then they let all pass.
type Keep struct {
	// Among is asked once of all records with the same Kind, Project, Status and State that can be read, or cannot;
	// nothing else of the Meta is set. What it lets through is not looked up for that.
	Among func(Meta) bool
	// Record is asked of each that Among lets through. Its Stamp is not set.
	Record func(Meta) bool
	// Last, unless nil, is asked as Among is: the records that it reports true for come after all others, whatever
	// their scores.
	Last func(Meta) bool
}

// Hit is one record found.
type Hit struct {
	Meta
	// Score orders the hits of one query; between queries it means nothing.
	Score float64
	// Share is how much of what the query asks for stands together in one passage of the record or in its title,
	// between 0 and 1, rare words counting more.
	Share float64
	// Words is how many different words of the query that is, stopwords left out.
	Words int
	// Titled is how many of the query's words stand in the title or are tags, Asked how many it has.
	Titled, Asked int
	// From and To are the bytes of Doc.Body where the best passage stands.
	From, To int
}

// Clear reports whether the query so clearly concerns the record that it may be shown unasked: at least three different
// words of it stand in one passage, or two, both in the title, and they are most of what it asks for. Queries of fewer
// than three words are never clear.
func (h Hit) Clear() bool {
	return h.Share >= 0.6 && h.Asked >= 3 && (h.Words >= 3 || h.Words == 2 && h.Titled >= 2)
}
