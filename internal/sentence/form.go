package sentence

import (
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/text"
)

// IsChatter reports whether s is only an acknowledgement, a greeting or punctuation, without a task or a rule.
func IsChatter(s string) bool {
	const longest = 400 // bytes
	_, words := foldWords(s[:min(len(s), longest)])
	return len(s) <= longest && len(words) <= 5 &&
		!slices.ContainsFunc(words, func(w string) bool { return !isChatterWord(w) })
}

// isChatterWord reports whether chatter may hold the word, which is folded.
func isChatterWord(w string) bool {
	return text.OneOf(w, "ok", "okay", "k", "yes", "yep", "yeah", "yup", "no", "nope", "thanks", "thank", "you", "thx",
		"ty", "great", "perfect", "nice", "cool", "sure", "please", "good", "fine", "lgtm", "hi", "hello", "hey",
		"there", "again", "morning", "evening", "awesome", "excellent", "right", "exactly", "correct", "agreed", "wow",
		"hmm", "ah", "oh", "sounds", "gotcha", "done", "job", "work", "very", "so", "much", "do", "it", "that", "works")
}

// IsIdle reports whether a message says nothing that holds on: chatter, a command, a call to go on, a question to
// memento, or plain words that leave the mission.
func IsIdle(message string) bool {
	return Continues(message) || IsCommand(message) || AsksMemento(message) ||
		Closes(message) && Leaving(message) == ""
}

// ownCommand is how the names of memento's own slash commands begin.
const ownCommand = "memento:"

// IsCommand reports whether s is one of the client's own slash commands, one of memento's, or any slash command without
// arguments. The arguments of a plugin's or a skill's command are the person's words.
func IsCommand(s string) bool {
	if !strings.HasPrefix(s, "/") {
		return false
	}
	name, args, _ := strings.Cut(s[1:], " ")
	if name == "" || strings.ContainsAny(name, "/.\n") {
		return false
	}
	return strings.TrimSpace(args) == "" || strings.HasPrefix(name, ownCommand) ||
		text.OneOf(name, "add-dir", "agents", "compact", "config", "context", "cost", "doctor", "effort", "exit",
			"export", "help", "hooks", "ide", "login", "logout", "mcp", "memory", "model", "output-style",
			"permissions", "plugin", "rename", "resume", "rewind", "status", "statusline", "tasks", "theme", "usage",
			"vim")
}

// AsksMemento reports whether s only asks what memento holds.
func AsksMemento(s string) bool {
	return MentionsMemento(s) && !slices.ContainsFunc(Split(s), func(sentence string) bool {
		return !asksMemento(sentence) && !IsChatter(sentence) // "Deploy to staging only. What does memento have?"
	})
}

// MentionsMemento reports whether s asks what memento holds, perhaps among other things.
func MentionsMemento(s string) bool { return slices.ContainsFunc(Split(s), asksMemento) }

func asksMemento(s string) bool {
	_, words := foldWords(s)
	const about = `have has know knows hold holds remember remembers got stored saved kept keep keeps journal session
		state status memory say says`
	return speaksToMemento(s, words) && (len(words) < 3 || hasAny(words, about)) &&
		(isQuestion(s) || isListed(`show display print list what what's whats memento`, words[0]))
}

// AsksCheckpoint reports whether s asks to bring the journal up to date, perhaps among other things.
func AsksCheckpoint(s string) bool {
	return slices.ContainsFunc(Split(s), func(sentence string) bool {
		_, words := foldWords(sentence)
		return speaksToMemento(sentence, words) && hasAny(words, `update save checkpoint sync refresh write record`) &&
			(hasAny(words, `journal checkpoint progress everything`) || words[len(words)-1] == "memento")
	})
}

// speaksToMemento reports whether a sentence names memento, and nothing else of this name: a pattern, a class, a film,
// this program's code.
func speaksToMemento(s string, words []string) bool {
	const most = 25 // words
	const others = `class classes pattern patterns design movie film implement implementation code function object
		interface type undo refactor fix add test tests readme repo repository package plugin hook hooks version install
		editor file files`
	return slices.Contains(words, "memento") && len(words) <= most && !hasAny(words, others) &&
		!strings.HasPrefix(s, "/"+ownCommand)
}

// minForModel is how long a text of a program's for a model is, in characters: a person's "You are right" is shorter.
const minForModel = 120

// IsForModel reports whether s reads as what a program sends to a model: it begins by telling the model who it is, or
// hands over a conversation of a user and an assistant.
func IsForModel(s string) bool {
	s = strings.ToLower(strings.TrimSpace(s))
	return text.Runes(s) >= minForModel && (text.BeginsWithOne(s, "you are ", "you're ", "act as ", "your role is ") ||
		text.ContainsOne(s, " user: ", " human: ", "\nuser: ", "\nhuman: ") &&
			text.ContainsOne(s, " assistant: ", "\nassistant: "))
}

// A reply says little without what it answers.
const (
	maxReplyWords = 4
	maxReply      = 40 // quarters of a token: a character of Chinese says as much as four of English
)

// IsReply reports whether a message says little without what Claude said before it: it has a few words.
func IsReply(s string) bool {
	if text.Quarters(strings.TrimSpace(s)) > maxReply {
		return false
	}
	_, words := foldWords(s)
	return len(words) > 0 && len(words) <= maxReplyWords
}

// Proposal returns what of told, Claude's last words, a reply answers: the sentences up to the last question, or to the
// end, as many as fit into limit characters. Of a longer sentence its end is what is answered.
func Proposal(told string, limit int) (out string) {
	sentences := Split(told)
	last := len(sentences) - 1
	for i, s := range sentences {
		if sentences[i] = plainLine(s); isQuestion(s) {
			last = i
		}
	}
	for i := last; i >= 0; i-- {
		more := strings.TrimSpace(sentences[i] + " " + out)
		if out != "" && text.Runes(more) > limit {
			break
		}
		out = more
	}
	if r := []rune(out); len(r) > limit {
		_, out, _ = strings.Cut(string(r[len(r)-limit+1:]), " ")
		out = text.Ellipsis + out
	}
	return out
}

// plainLine returns a line of Markdown without what marks it as an item, a heading or bold.
func plainLine(line string) string {
	line = strings.TrimLeft(strings.TrimSpace(line), "#>*-•| ")
	return strings.TrimSpace(strings.ReplaceAll(line, "**", ""))
}
