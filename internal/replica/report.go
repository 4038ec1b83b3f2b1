package replica

import "github.com/mementohq/memento/internal/text"

// Choice is what one call of memento sync chose: with a remote the whole choice, else a change of the last one.
type Choice struct {
	Remote    string   // the address, which never begins with a dash; "" for the one that was chosen before
	Projects  []string // names, besides those chosen before, or instead of all
	All       bool     // every project, and those to come
	Answers   bool     // from now on send Claude's answers, too
	NoAnswers bool     // from now on send none of them
	Name      string   // what the other machines call this one from now on, "" for no change
}

// Count says how much of each kind travelled.
type Count struct {
	Records   int
	Turns     int
	Rules     int // decisions about rules
	Journals  int
	Forgotten int // ids of what was forgotten
}

// Words puts the counts into words, "" if all are zero.
func (n Count) Words() string {
	return text.CountAll(text.Counted{N: n.Records, Thing: "record"}, text.Counted{N: n.Turns, Thing: "turn"},
		text.Counted{N: n.Rules, Thing: "rule"},
		text.Counted{N: n.Journals, Thing: "journal"}, text.Counted{N: n.Forgotten, Thing: "erased id"})
}

// Result says what a sync did, or in a dry run would do.
type Result struct {
	Sent, Received Count
	From           []string // names of the machines whose commits arrived
	Conflicts      []string // ids of other versions of records that both sides changed
	IsFirst        bool     // the remote is another one than the last time
	Erased         int      // places in this store, because another machine forgot what they held
	Back           int      // records that were gone from the store in a mass, and came back
}

// Status is what memento sync has set up.
type Status struct {
	On        bool
	Remote    string // without a password
	All       bool
	Projects  []string // names on this machine
	Answers   bool
	Machine   string   // this machine's name
	Machines  []string // names of the others
	Conflicts []string // ids of other versions of records that two machines changed
}
