// Command spin keeps a processor and its caches busy until its standard input ends, as other people's work does.
package main

import (
	"io"
	"os"
	"sync/atomic"
)

func main() {
	var done atomic.Bool
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		done.Store(true)
	}()
	memory := make([]byte, 8<<20)
	for i := 0; !done.Load(); i++ {
		for k := 0; k < len(memory); k += 64 {
			memory[k] += byte(i)
		}
	}
}
