// Package launch starts programs: the browser for a person at a terminal, and a memento that syncs in the background. A
// hook may call Sync alone, and only when a person has set sync to auto.
package launch
