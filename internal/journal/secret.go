package journal

import "github.com/mementohq/memento/internal/redact"

// redact takes secrets out of all that is about to be stored: data, the journal, which it returns, and the lines for the
// history. Whoever brings words here has redacted them before, while they were whole; this is for what nobody thought of.
func (j *Journal) redact(data []byte) []byte {
	for i, line := range j.out {
		j.out[i], _ = redact.JSON(line)
	}
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
