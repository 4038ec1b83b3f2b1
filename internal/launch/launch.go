// Package launch starts programs: the browser for a person at a terminal, and memento-sync,
// which stands beside memento. It is the only package that may start a program. A hook may call Sync alone, and only
// when a person has set sync to auto.
//
// It uses os.StartProcess. os/exec does more than that needs, and adds 100 KB to the binary of every hook
// instead of 43 KB.
package launch
