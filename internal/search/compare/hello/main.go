// Command hello does nothing: its time is what every process costs.
package main

import "os"

func main() { os.Stdout.WriteString("hello\n") }
