package safefile

// Name is an entry of a folder, with the facts about the file that listing the folder gives.
type Name struct {
	Name   string
	Number uint64 // in its file system; 0 when only Stat knows
	Seen   bool   // Size and Time are known
	Size   int64
	Time   int64 // of the last change, nanoseconds since 1970
}
