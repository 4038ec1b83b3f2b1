package safefile

import "os"

// Name is an entry of a folder, with the facts about the file that listing the folder gives.
type Name struct {
	Name   string
	Number uint64 // in its file system; 0 when only Stat knows
	Seen   bool   // Size and Time are known
	Size   int64
	Time   int64 // of the last change, nanoseconds since 1970
}

// Names calls f with each entry of the folder at path whose name ends in suffix, in no particular order. It opens no
// file: Linux has the numbers of the files in the folder, Windows their sizes and times.
func Names(path, suffix string, f func(Name)) error {
	if err := fault("list", path); err != nil {
		return err
	}
	return eachName(path, suffix, f)
}

// Number returns the number of the file or folder in its file system, 0 for none, as always on Windows. A rename does
// not change the number.
func Number(path string) uint64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return number(info)
}
