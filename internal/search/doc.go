// Package search ranks documents for a query: records, and what the two sides of a session said. It keeps an index of
// them. The index is a cache: everything in it comes from its callers, and search builds it again when it is missing,
// stale or damaged. Search asks no model and uses no network.
//
// The package does not know what a record or a turn is, where its file is and who may see it. Its callers hand it
// documents, and its answers name them. docs/search.md says how the ranking was chosen and measured.
package search

import "github.com/mementohq/memento/internal/safefile"

// The types of documents. Each has its own word statistics, so that short prompts do not change records' ranks.
const (
	Record = ""       // a record
	Said   = "said"   // what the user typed in one turn
	Answer = "answer" // what Claude answered to it and did in it
)

// types lists the types by the numbers that the index stores.
var types = [...]string{Record, Said, Answer}

const numTypes = len(types)

// isTurn reports whether the type with this number is a side of a turn.
func isTurn(number uint8) bool { return number > 0 }

// SessionID returns the ID of a session in Source.Files.
func SessionID(project, session string) string { return project + "/" + session }

// Meta is what the index holds of a document besides its words.
type Meta struct {
	Type string
	// ID names a record. A document of another type has none: Type, Project, Session and Turn name it.
	ID      string
	Session string
	Turn    int
	Title   string
	Tags    []string
	Kind    string
	Project string
	Status  string
	Stage   string
	Updated int64 // seconds since 1970; of a turn the time of its prompt
	// Stamp is that of the record's file. The caller takes it before it reads the content, so that a change in between
	// makes the index stale and not wrong.
	Stamp safefile.Stamp
}

// Doc is a document to index. Body is the text to search; the offsets in a Hit are offsets in Body.
type Doc struct {
	Meta
	Body string
}

// Keep selects documents, and says which of them come last. A nil function selects all.
type Keep struct {
	// Among decides for all documents with the same Type, Kind, Project, Status and Stage at once. The Meta it
	// gets has only these fields, so that no document has to be read for it.
	Among func(Meta) bool
	// Since selects what was not updated before this, as Meta.Updated; 0 is no limit.
	Since int64
	// Each decides for each document that the others select.
	Each func(Meta) bool
	// Share selects the documents whose Hit has this Share or more. It looks at fewer documents.
	Share float64
	// Last decides as Among does. The documents for which it reports true come after all others, whatever their scores.
	Last func(Meta) bool
}

// Hit is one document found.
type Hit struct {
	Meta
	// Score orders the hits of one query. It cannot be compared with the score of another query.
	Score float64
	// Share is the part of the query, from 0 to 1, that one passage or the title has. Rare words count more.
	Share float64
	// Words is how many different words of the query that passage has, without stopwords.
	Words int
	// Titled is how many of the query's words are in the title or the tags. Asked is how many words the query has.
	Titled, Asked int
	// From and To are the offsets of the best passage in Doc.Body.
	From, To int
}

// ClearShare is the least Share of a Hit that is Clear.
const ClearShare = 0.6

// Clear reports whether the query concerns the record so clearly that memento may show it unasked. Then one passage has
// at least three different words of the query, or two that are both in the title, and these words are most of the
// query. A query of fewer than three words is never clear.
func (h Hit) Clear() bool {
	return h.Share >= ClearShare && h.Asked >= 3 && (h.Words >= 3 || h.Words == 2 && h.Titled >= 2)
}
