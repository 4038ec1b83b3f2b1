package hook

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/event"
	"github.com/mementohq/memento/internal/notice"
	"github.com/mementohq/memento/internal/pace"
	"github.com/mementohq/memento/internal/rule"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/shared"
	"github.com/mementohq/memento/internal/text"
)

// What the person is told stands in the client's systemMessage, which the client shows and never sends to the model
// (measured on clients 2.1.329 and 2.1.330: at SessionStart, UserPromptSubmit and Stop; at PreCompact it is an error).
// This file alone decides what is told: each event adds news with tell, and withNotice chooses. A command in a line
// begins with "!", by which a person types it in the session: the shell there has the plugin's bin on its PATH, and the
// person's own shell may not (measured on client 2.1.330).

// maxNotices is how many lines an event tells the person.
const maxNotices = 2

const (
	// maxNews is the age of a rule from which it is no news.
	maxNews = 7 * 24 * time.Hour
	// maxQuoted is the longest quotation in a line, in characters.
	maxQuoted = 60
	// maxWhy is the longest reason in a line, in characters.
	maxWhy = 160
)

// rank is the order in which news is told. What does not fit in maxNotices lines is told at a later start, if it is
// news of the kind that waits.
type rank int

const (
	notKept  rank = iota // something said is not kept
	arrived              // the binary has arrived
	restored             // what is back after a compaction
	kept                 // what the user wanted remembered
	shares               // records of the repository
	waiting              // news that waits until there is room for it
)

// news is one line for the person, without "memento: ".
type news struct {
	rank  rank
	words string   // "" for none
	keys  []string // fingerprints: the line is told once. None: it is told whenever it comes
}

// tell adds a line for the person.
func (h *handler) tell(r rank, words string, keys ...string) {
	h.news = append(h.news, news{r, words, keys})
}

// withNotice adds to the response what the person is told.
func (h *handler) withNotice(response []byte) []byte {
	message := h.message()
	plain := h.event.Name == "SessionStart" && len(response) > 0
	if plain && (message != "" || !h.client.ReadsPlain) {
		response = event.Context(h.event.Name, strings.TrimSuffix(string(response), "\n"))
	}
	if message == "" {
		return response
	}
	return event.AddMessage(response, message)
}

// message returns what the person is told at this event, at most maxNotices lines.
func (h *handler) message() (out string) {
	defer func() { _ = recover() }()
	if h.config.Notify == config.NotifyNever ||
		!text.OneOf(h.event.Name, "SessionStart", "UserPromptSubmit", "Stop") { // the client shows it at these
		return ""
	}
	n := 0
	say := func(x news) {
		if x.words != "" && n < maxNotices && (x.keys == nil || notice.Note(h.config.Dir, listenWait, x.keys...)) {
			out, n = lines(out, "memento: "+x.words), n+1
		}
	}
	slices.SortStableFunc(h.news, func(a, b news) int { return int(a.rank - b.rank) })
	for _, x := range h.news {
		say(x)
	}
	if h.begins {
		say(h.unsynced())
		say(h.ruleNews())
	}
	return out
}

// tellRestored tells the person what comes back after a compaction, in an answer of these words.
func (h *handler) tellRestored(words string) {
	if h.held != "" {
		h.tell(restored, h.held+" back ("+text.Count((text.Quarters(words)+3)/4, "token")+") · ! memento view")
	}
}

// tellPaused tells the person once that memento is paused since then, in this project or altogether.
func (h *handler) tellPaused(since time.Time, altogether bool) {
	words := "paused since " + since.Local().Format("2006-01-02 15:04") +
		", nothing said here is kept · ! memento pause --end"
	if altogether {
		words += " --all"
	}
	h.tell(notKept, words, notice.Paused(since))
}

// unsynced says, once, that syncs have failed for days. It does not quote the reason, which may hold words of the
// remote's.
func (h *handler) unsynced() news {
	if h.config.Sync != config.SyncAuto {
		return news{}
	}
	p, ok := pace.Load(h.config.Dir)
	if !ok || !p.IsLong(h.env.Now) {
		return news{}
	}
	return news{waiting, "sync has failed since " + p.Failed.Local().Format(time.DateOnly) +
		"; nothing is lost: ! memento status says why", []string{notice.Unsynced(p.Failed)}}
}

// ruleNews says, once, which words of the last days are kept for later sessions. After /clear the person has just said
// them.
func (h *handler) ruleNews() news {
	if h.event.Source == "clear" {
		return news{}
	}
	var fresh []rule.Rule
	var keys []string
	told := notice.Load(h.config.Dir)
	for _, r := range h.keptRules() {
		key := notice.Rule(r.Text)
		if h.env.Now.Sub(r.First) > maxNews || r.By == rule.ByUser || r.Session == h.event.SessionID || told.Has(key) {
			continue
		}
		fresh, keys = append(fresh, r), append(keys, key)
	}
	if len(fresh) == 0 {
		return news{}
	}
	first, _ := text.Cut(text.Line(fresh[0].Text), maxQuoted)
	words := "kept from your words: " + text.Quote(first)
	if more := len(fresh) - 1; more > 0 {
		words += " and " + text.Count(more, "more rule")
	}
	return news{waiting, words + " · ! memento rules", keys}
}

// tellShared tells the person how many records of the session's repository wait, once for the same records. Claude is
// told nothing of them. A repository that cannot be read has none.
func (h *handler) tellShared(project string) {
	goesOn := h.event.Source == "compact" || h.event.Source == "fork"
	if h.store.Lane.Slug == "" || goesOn || h.config.Notify == config.NotifyNever {
		return
	}
	s, _ := h.records()
	all, _ := shared.Repository{Root: h.state.Root, Project: project, Store: s}.Review()
	if n := len(all.Waiting); n > 0 {
		words := "this repository carries " + text.CountVerb(n, "record", "that waits", "that wait") +
			" for you · in a terminal of your own: " + safefile.ShellWord(cmp.Or(h.env.exe(), "memento")) + " trust"
		h.tell(shares, words, notice.Shared(project, all.Set()))
	}
}
