package journal

import (
	"github.com/mementohq/memento/internal/redact"
)

// redacted takes secrets out of data, a journal that is about to be stored, as keep does of the lines for the history.
// Whoever brings words here has redacted them before, while they were whole; this is for what nobody thought of.
func redacted(data []byte) []byte {
	if clean, secrets := redact.JSON(string(data)); secrets != nil {
		return []byte(clean)
	}
	return data
}

// Withheld tells the writer which secrets, by their kinds, were left out of what they wrote.
func (j *Journal) Withheld(kinds []string) {
	if said := redact.Notice(kinds); said != "" {
		j.tell("%s", said)
	}
}
