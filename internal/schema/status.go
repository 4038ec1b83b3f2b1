package schema

// The statuses of a record.
const (
	Active    = "active"
	Completed = "completed" // in the archive
	Retired   = "retired"   // archived after a while
	Archived  = "archived"  // in the archive, for good
)

// Statuses lists all statuses.
func Statuses() []string { return []string{Active, Completed, Retired, Archived} }

// Grace is how long a retired record stays before it is archived.
const Grace = 30 * day

// Move is a change from one status to another.
type Move struct {
	To      string
	From    []string
	Summary string // its words in the history where no reason is given; "": nothing moves without a reason
}

// Moves lists all moves. The move to active also accepts an unknown status, since a person may have written it.
var Moves = []Move{
	{Completed, []string{Active}, "completed"},
	{Retired, []string{Active, Completed, Archived}, ""},
	{Archived, []string{Active, Completed, Retired}, ""},
	{Active, []string{Completed, Retired, Archived}, "restored"},
}
