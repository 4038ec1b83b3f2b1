package safefile

// Name is one entry of a folder, with what listing it tells of a file besides.
type Name struct {
	Name   string
	Number uint64 // in its file system; 0 where only looking at the file tells
	Seen   bool   // Size and Time are known
	Size   int64
	Time   int64 // of its last change, nanoseconds since 1970
}
