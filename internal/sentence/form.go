package sentence

import (
	"slices"
	"strings"
	"unicode"

	"github.com/mementohq/memento/internal/text"
)

// IsChatter reports whether s is only an acknowledgement, a greeting or punctuation, without a task or a rule.
func IsChatter(s string) bool {
	if s = strings.TrimSpace(s); len(s) > 400 {
		return false
	}
	_, words := foldWords(s)
	return len(words) <= 5 && !slices.ContainsFunc(words, func(w string) bool { return !isChatterWord(w) })
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

// IsShortQuestion reports whether s is one short question, which opens no work.
func IsShortQuestion(s string) bool {
	s = strings.TrimSpace(s)
	return text.Runes(s) <= 120 && isQuestion(s)
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
	maxReply      = 40  // characters
	maxChoice     = 12  // words of a reply that names an option
	maxChosen     = 120 // characters of one
)

// IsReply reports whether a message says little without what Claude said before it: a few words, or the name of an
// option and not much more.
func IsReply(s string) bool {
	s = strings.TrimSpace(s)
	if len(s) > 4*maxChosen {
		return false
	}
	_, words := foldWords(s)
	n, size := len(words), text.Runes(s)
	for _, r := range s { // each letter of a script that puts no space between words says as much as a word
		if isUnspaced(r) && unicode.IsLetter(r) {
			size += maxReply / maxChoice
		}
	}
	return n > 0 && (n <= maxReplyWords && size <= maxReply ||
		n <= maxChoice && size <= maxChosen && len(optionsNamed(words)) > 0)
}

// minProposal is how long a proposal is at least where Claude said more, in characters.
const minProposal = 90

// Proposal returns what of told, Claude's last words, the user's reply answers, in at most limit characters: the
// options that the reply names, else the last question, else the last sentence. A short one gets the sentences before
// it.
func Proposal(told, reply string, limit int) string {
	_, words := foldWords(reply)
	if options := optionsIn(told, optionsNamed(words)); options != "" {
		out, _ := text.Cut(options, limit)
		return out
	}
	sentences := Split(told)
	last := len(sentences) - 1
	for i, s := range sentences {
		if sentences[i] = plainLine(s); isQuestion(s) {
			last = i
		}
	}
	out := ""
	for i := last; i >= 0 && text.Runes(out) < minProposal; i-- {
		out = strings.TrimSpace(sentences[i] + " " + out)
	}
	if r := []rune(out); len(r) > limit { // its end is what is answered
		_, out, _ = strings.Cut(string(r[len(r)-limit+1:]), " ")
		out = text.Ellipsis + out
	}
	return out
}

// optionsNamed returns the numbers and letters in a reply that may name options: those behind a word such as "option",
// and the numbers of a reply that says nothing else. A number of things ("2 retries") names none.
func optionsNamed(words []string) (out []string) {
	const labels = `option options choice plan approach alternative`
	isNumber := func(w string) bool { return len(w) <= 2 && strings.Trim(w, "0123456789") == "" }
	isLetter := func(w string) bool { return len(w) == 1 && w[0] >= 'a' && w[0] <= 'f' }
	isBare := !slices.ContainsFunc(words, func(w string) bool {
		return !isNumber(w) && !isChatterWord(w) && cueOf(w)&(link|once|prefer) == 0 && w != "with" &&
			!isListed(labels, w)
	})
	for i, w := range words {
		isNamed := i > 0 && isListed(labels, words[i-1])
		if isNumber(w) && (isNamed || isBare) || isLetter(w) && (isNamed || len(words) == 1) {
			out = append(out, w)
		}
	}
	return out
}

// optionsIn returns the lines of told that begin with one of these numbers or letters, the last of each.
func optionsIn(told string, named []string) string {
	var out []string
	for _, n := range named {
		found := ""
		for line := range strings.Lines(told) {
			line = plainLine(line)
			rest, _ := cutPrefix(line, "option ")
			rest, isIt := cutPrefix(rest, n)
			if isIt && rest != "" && text.BeginsWithOne(rest, ".", ")", ":", "-", " -", "—", " —") {
				found = line
			}
		}
		if found != "" && !slices.Contains(out, found) {
			out = append(out, found)
		}
	}
	return strings.Join(out, " ")
}

// plainLine returns a line of Markdown without what marks it as an item, a heading or bold.
func plainLine(line string) string {
	line = strings.TrimLeft(strings.TrimSpace(line), "#>*-•| ")
	return strings.TrimSpace(strings.ReplaceAll(line, "**", ""))
}
