package safefile

import (
	"io/fs"
	"os"
)

// Name is one entry of a folder, with what listing it tells of a file besides.
type Name struct {
	Name   string
	Number uint64 // in its file system; 0 where only looking at the file tells
	Seen   bool   // Size and Time are known
	Size   int64
	Time   int64 // of its last change, nanoseconds since 1970
}

// Stat returns what a comparison with an earlier state needs of the file at path, or of the link there: its size, the time
// of its last change and its number, 0 where it has none.
func Stat(path string) (Name, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return Name{}, err
	}
	return seen(info), nil
}

func seen(info fs.FileInfo) Name {
	return Name{Name: info.Name(), Number: number(info), Seen: true, Size: info.Size(), Time: info.ModTime().UnixNano()}
}
