package record

import "path/filepath"

// Archive is the folder, in the store's, of what is completed or archived.
const Archive = ".completed"

// Ending is how the names of records' files end.
const Ending = ".md"

// Folders are the two that records stand in: the store's own, and the archive in it.
func (s Store) Folders() [2]string { return [...]string{s.Dir, filepath.Join(s.Dir, Archive)} }

// Path is where the record with this id stands, or would, while it has this status.
func (s Store) Path(id, status string) string {
	if status == Completed || status == Archived {
		return filepath.Join(s.Dir, Archive, id+Ending)
	}
	return filepath.Join(s.Dir, id+Ending)
}

// Prefix is how the ids of a project's records begin, or those of User.
func Prefix(project string) string { return project + separator }
