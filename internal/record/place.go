package record

import "path/filepath"

// Folders are the two that records stand in: the store's own, and the archive in it.
func (s Store) Folders() [2]string { return [...]string{s.Dir, filepath.Join(s.Dir, archive)} }

// Path is where the record with this id stands, or would, while it has this status.
func (s Store) Path(id, status string) string { return s.path(id, status) }

// Ending is how the names of records' files end.
const Ending = ending

// Prefix is how the ids of a project's records begin, or those of User.
func Prefix(project string) string { return project + separator }
