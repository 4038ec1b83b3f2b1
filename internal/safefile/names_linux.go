package safefile

import (
	"encoding/binary"
	"os"
	"strings"
	"syscall"
)

// Stat returns the size, the time of the last change and the number of the file or the link at path. It is fast, since
// callers compare thousands of files with it.
func Stat(path string) (Name, error) {
	var st syscall.Stat_t
	for {
		err := syscall.Lstat(path, &st)
		if err == nil {
			return Name{Name: path[strings.LastIndexByte(path, '/')+1:], Number: uint64(st.Ino), Seen: true,
				Size: st.Size, Time: st.Mtim.Nano()}, nil
		}
		if err != syscall.EINTR {
			return Name{}, &os.PathError{Op: "lstat", Path: path, Err: err}
		}
	}
}

func eachName(path, suffix string, f func(Name)) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	defer folder.Close()
	buf := make([]byte, 4<<10)
	for first := true; ; first = false {
		if !first && len(buf) < 64<<10 { // most folders are small, and new memory takes the time
			buf = make([]byte, 64<<10)
		}
		n, err := syscall.ReadDirent(int(folder.Fd()), buf)
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return os.NewSyscallError("readdirent", err)
		}
		if n <= 0 {
			return nil
		}
		// A struct linux_dirent64: inode 8 bytes, offset 8, length 2, type 1, then the name and a NUL.
		const head = 19
		for b, text := buf[:n], string(buf[:n]); len(b) > head; {
			size := int(binary.NativeEndian.Uint16(b[16:]))
			if size <= head || size > len(b) {
				break
			}
			name := text[head:size]
			if end := strings.IndexByte(name, 0); end >= 0 {
				name = name[:end]
			}
			if inode := binary.NativeEndian.Uint64(b); inode != 0 && strings.HasSuffix(name, suffix) && name != "." &&
				name != ".." {
				f(Name{Name: name, Number: inode})
			}
			b, text = b[size:], text[size:]
		}
	}
}
