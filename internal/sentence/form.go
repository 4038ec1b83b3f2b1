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

// Agrees reports whether s is nothing but a yes.
func Agrees(s string) bool {
	_, words := foldWords(s)
	const yes = `ok okay k yes yep yeah yup sure please good fine lgtm great perfect do it right exactly agreed sounds`
	const no = `no nope thanks thank thx ty done hi hello hey`
	isYes := func(w string) bool { return isListed(yes, w) }
	return IsChatter(s) && slices.ContainsFunc(words, isYes) &&
		!slices.ContainsFunc(words, func(w string) bool { return isListed(no, w) })
}

// IsIdle reports whether a message says nothing that holds on: chatter, a command, a call to go on, a question to
// memento, or plain words that leave the mission.
func IsIdle(message string) bool {
	return IsChatter(message) || IsCommand(message) || Continues(message, "") || AsksMemento(message) ||
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
	return asksMemento(s) && !slices.ContainsFunc(Split(s), func(sentence string) bool {
		return !asksMemento(sentence) && IsSubstantive(sentence) // "Deploy to staging only. What does memento have?"
	})
}

// MentionsMemento reports whether s asks what memento holds, perhaps among other things.
func MentionsMemento(s string) bool { return slices.ContainsFunc(append(Split(s), s), asksMemento) }

func asksMemento(s string) bool {
	_, words := foldWords(s)
	if !has(words, "memento") || len(words) > 16 || otherMemento(words) || strings.HasPrefix(s, "/"+ownCommand) {
		return false
	}
	about := len(words) < 3 || has(words, "have", "has", "know", "knows", "hold", "holds", "remember", "remembers",
		"got", "stored", "saved", "kept", "keep", "keeps", "journal", "session", "state", "status", "memory", "say",
		"says")
	return about && (isQuestion(s) || text.OneOf(words[0], "show", "display", "print", "list", "what", "what's",
		"whats", "memento"))
}

// otherMemento reports whether words speak of another memento: a pattern, a class, a film.
func otherMemento(words []string) bool {
	return has(words, "class", "classes", "pattern", "patterns", "design", "movie", "film", "implement",
		"implementation", "code", "function", "object", "interface", "type", "undo", "refactor", "fix", "add", "test",
		"tests", "readme", "repo", "repository", "package", "plugin", "hook", "hooks", "version", "install", "editor",
		"file", "files")
}

// AsksCheckpoint reports whether s asks to bring the journal up to date, perhaps among other things.
func AsksCheckpoint(s string) bool {
	return slices.ContainsFunc(Split(s), func(sentence string) bool {
		_, words := foldWords(sentence)
		return has(words, "memento") && len(words) <= 25 && !otherMemento(words) &&
			has(words, "update", "save", "checkpoint", "sync", "refresh", "write", "record", "catch") &&
			(has(words, "journal", "checkpoint", "progress", "everything") || words[len(words)-1] == "memento")
	})
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
	var sentences []string
	last := -1
	for _, s := range Split(told) {
		if s = plainLine(s); s == "" {
			continue
		}
		if sentences = append(sentences, s); isQuestion(s) {
			last = len(sentences) - 1
		}
	}
	if last < 0 {
		last = len(sentences) - 1
	}
	out := ""
	for i := last; i >= 0 && text.Runes(out) < minProposal; i-- {
		out = strings.TrimSpace(sentences[i] + " " + out)
	}
	if r := []rune(out); len(r) > limit { // its end is what is answered
		out = string(r[len(r)-limit+1:])
		if i := strings.IndexByte(out, ' '); i >= 0 && i < len(out)/2 {
			out = out[i+1:]
		}
		out = text.Ellipsis + out
	}
	return out
}

// optionsNamed returns the numbers and letters in a reply that may name options: those behind a word such as "option",
// and those before which nothing but chatter stands. A number of things ("2 retries") names none.
func optionsNamed(words []string) (out []string) {
	isLead := true
	for i, w := range words {
		digits := w[:len(w)-len(strings.TrimLeft(w, "0123456789"))] // also of "2번으로"
		isNumber := digits != "" && len(digits) <= 2 && (w == digits || w[len(digits)] >= 0x80)
		isLetter := len(w) == 1 && w[0] >= 'a' && w[0] <= 'f'
		isNamed := i > 0 && text.OneOf(words[i-1], "option", "options", "choice", "plan", "approach", "alternative")
		isAlone := i+1 == len(words) || isChatterWord(words[i+1]) || cueOf(words[i+1])&link != 0
		switch {
		case isNumber && (isNamed || isLead && isAlone):
			out = append(out, digits)
		case isLetter && (isNamed || len(words) == 1):
			out = append(out, w)
		}
		isLead = isLead && (isNumber || isChatterWord(w) || cueOf(w)&(link|once|prefer) != 0 || w == "with")
	}
	return out
}

// optionsIn returns the lines of told that begin with one of these numbers or letters, the last of each.
func optionsIn(told string, named []string) string {
	found := map[string]string{}
	for line := range strings.Lines(told) {
		line = plainLine(line)
		rest := line
		for _, name := range [...]string{"option ", "approach ", "plan "} {
			if len(rest) > len(name) && strings.EqualFold(rest[:len(name)], name) {
				rest = rest[len(name):]
			}
		}
		end := strings.IndexFunc(rest, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if end > 0 && (strings.ContainsAny(rest[end:end+1], ".):-") || text.BeginsWithOne(rest[end:], "—", " —")) {
			found[strings.ToLower(rest[:end])] = line
		}
	}
	var out []string
	for _, n := range named {
		if line := found[n]; line != "" && !slices.Contains(out, line) {
			out = append(out, line)
		}
	}
	return strings.Join(out, " ")
}

// plainLine returns a line of Markdown without what marks it as an item, a heading or bold.
func plainLine(line string) string {
	line = strings.TrimLeft(strings.TrimSpace(line), "#>*-•| ")
	return strings.TrimSpace(strings.ReplaceAll(line, "**", ""))
}
