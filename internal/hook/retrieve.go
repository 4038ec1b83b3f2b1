package hook

// concerning returns the records that a prompt clearly concerns, a line each, or "".
func (h *handler) concerning(typed string) string { return "" }

// notes is what a session begins with of the records: the user's preferences, the project's own notes, a handoff that waits, and
// how many suggestions wait in the inbox; "" when there is nothing.
func (h *handler) notes() string { return "" }
