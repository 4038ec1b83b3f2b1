// Command hold opens a file for reading, says so with its process number, and keeps it open until its standard input
// ends.
package main

import (
	"fmt"
	"io"
	"os"
)

func main() {
	f, err := os.Open(os.Args[1])
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	defer f.Close()
	fmt.Println("open", os.Getpid())
	_, _ = io.Copy(io.Discard, os.Stdin)
}
