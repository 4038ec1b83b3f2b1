// Command hello is the yardstick of the start-up benchmarks: what any Go program costs.
package main

import "os"

func main() { os.Stdout.WriteString("hello\n") }
