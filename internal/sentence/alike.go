package sentence

import (
	"slices"
	"strings"
	"unicode"
)

// A fingerprint stands for the content words of a sentence: the stem of each is hashed to wordLen letters, and the
// hashes are sorted, each once. Sentences that share most of their content words say the same.

const (
	wordLen   = 4
	letters64 = "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"
	// wordMarks stand inside the words of code and addresses.
	wordMarks = "'’-_./:@#"
)

// contentOf returns the fingerprint of s, "" when s has no content words. Acts of version control end any piece of
// work: they count only when withActs is set.
func contentOf(s string, withActs bool) string {
	words := make([]string, 0, 16) // more than most sentences have
	add := func(w string) {
		if withActs || !isListed(gitActs, w) {
			words = append(words, hashWord(w))
		}
	}
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.M, r) &&
			!strings.ContainsRune(wordMarks, r)
	}) {
		if w = strings.Trim(w, wordMarks); w == "" {
			continue
		}
		if strings.ContainsFunc(w, isUnspaced) {
			eachPiece([]rune(w), add)
		} else {
			addWord(w, add)
		}
	}
	slices.Sort(words)
	return strings.Join(slices.Compact(words), "")
}

// isUnspaced reports whether r belongs to Chinese, Japanese or Korean.
func isUnspaced(r rune) bool { return r >= 0x2e80 }

// addWord calls add with the stem of a word that carries meaning.
func addWord(w string, add func(string)) {
	if i := strings.LastIndexByte(w, '.'); i > 1 && len(w)-i <= 5 { // the end of a file's name
		w = w[:i]
	}
	switch {
	case isListed(gitActs, w):
		add(w)
	case !isFiller(w):
		add(stem(w))
	}
}

// eachPiece calls add with the pieces of a Chinese, Japanese or Korean word that carry its meaning: pairs of Chinese
// characters, words in katakana and in Latin letters, the first two syllables of a Korean word. Hiragana and what joins
// Chinese words carry none.
func eachPiece(w []rune, add func(string)) {
	run := func(begin int, is func(rune) bool) int {
		end := begin
		for end < len(w) && is(w[end]) {
			end++
		}
		return end
	}
	isHan := func(r rune) bool { return unicode.Is(unicode.Han, r) && !strings.ContainsRune(joints, r) }
	isKatakana := func(r rune) bool { return unicode.Is(unicode.Katakana, r) || r == 'ー' }
	isHangul := func(r rune) bool { return unicode.Is(unicode.Hangul, r) }
	for i := 0; i < len(w); {
		end := i + 1
		switch {
		case isHangul(w[i]):
			if end = run(i, isHangul); end-i > 1 {
				add(string(w[i : i+2]))
			}
		case isKatakana(w[i]):
			end = run(i, isKatakana)
			add(string(w[i:end]))
		case isHan(w[i]):
			end = run(i, isHan)
			if end-i == 1 {
				add(string(w[i]))
			}
			for k := i; k+1 < end; k++ {
				add(string(w[k : k+2]))
			}
		case !isUnspaced(w[i]):
			end = run(i, func(r rune) bool { return !isUnspaced(r) })
			if word := strings.Trim(string(w[i:end]), wordMarks); word != "" {
				addWord(word, add)
			}
		}
		i = end
	}
}

// joints are Chinese characters for politeness, tense and links.
const joints = "也请請一下的了吧把再都还還要就给給我你您们們这這那和与與在是有不别別到为為将將被让讓"

// gitActs are the words, and the pieces of Chinese, Japanese and Korean words, for acts of version control.
const gitActs = `commit commits committed comit commi commited push pushed pull pr prs merge merged stage amend rebase
	squash stash fetch branch branches rama branche
	commitar comitar commite comite committe committen pushe pushen einchecken
	コミット プッシュ マージ ブランチ 커밋 푸시 머지 브랜 提交 推送 合并 分支`

// isFiller reports whether w says nothing of the sentence's topic.
func isFiller(w string) bool {
	isChatter := isChatterWord
	if strings.ContainsFunc(w, func(r rune) bool { return r < 'a' || r > 'z' }) { // few words have to be folded
		isChatter = IsChatter
	}
	return len(w) < 2 || isEmpty(w) || isChatter(w) || wordCue(w)&(strict|modal|weighty|only|polite|prefer) != 0 ||
		isListed(fillers, w)
}

const fillers = `if when by as into out they he she its his her am being will shall may might let make sure ensure
	que se por ao aos às pelo pela como para pra num numa este essa esse ser ter tem ele ela eles elas
	con del al les des du au aux dans sur par qui
	sich von vom bei als ob wenn wie man wird ist sind dass daß
	bir bu şu ile için ve de da`

// stem returns a word without most of its ending: tests, testes and Testen have one stem.
func stem(w string) string {
	const shortest, longest = 4, 7
	r := []rune(w)
	if strings.ContainsAny(w, "./:_-0123456789") { // a name in code
		return w
	}
	if len(r) > longest {
		r = r[:longest]
	}
	for len(r) > shortest && strings.ContainsRune("aeiousnráéíóúãõ", r[len(r)-1]) {
		r = r[:len(r)-1]
	}
	return string(r)
}

// hashWord returns wordLen letters for w.
func hashWord(w string) string {
	sum := uint32(2166136261) // FNV-1a
	for i := range len(w) {
		sum = (sum ^ uint32(w[i])) * 16777619
	}
	sum ^= sum >> 16
	var out [wordLen]byte
	for i := range out {
		out[i] = letters64[sum&63]
		sum >>= 6
	}
	return string(out[:])
}

// countShared returns how many words two fingerprints share.
func countShared(a, b string) (n int) {
	for len(a) >= wordLen && len(b) >= wordLen {
		switch x, y := a[:wordLen], b[:wordLen]; {
		case x == y:
			n++
			a, b = a[wordLen:], b[wordLen:]
		case x < y:
			a = a[wordLen:]
		default:
			b = b[wordLen:]
		}
	}
	return n
}

// nearness returns how much of their words two fingerprints share, in percent.
func nearness(a, b string) int {
	n := countShared(a, b)
	return 100 * n / max(1, len(a)/wordLen+len(b)/wordLen-n)
}

// saySame reports whether two fingerprints share at least two words, two thirds of the shorter one's and two fifths of
// all, or are equal.
func saySame(a, b string) bool {
	x, y, n := len(a)/wordLen, len(b)/wordLen, countShared(a, b)
	return a == b || n >= 2 && 3*n >= 2*min(x, y) && 5*n >= 2*(x+y-n)
}

// cluster is the sentences that say the same.
type cluster struct {
	words    string // the fingerprint of its first member
	members  []int  // in the order in which they were said
	contrary int    // a cluster that denies what this one says, or the reverse; -1 for none
}

// group puts the sentences together that say the same, in the order in which each was said first.
func group(said []Occurrence) (out []*cluster) {
	holders := make(map[[wordLen]byte][]int32, 4*len(said)) // by word, the clusters whose first member has it
	type meeting struct{ sentence, words int32 }            // how many words of a sentence a cluster was met at
	met := make([]meeting, 0, len(said))                    // by cluster
	for n := range said {
		s := &said[n]
		at, contrary := -1, -1
		for rest := s.Words; len(rest) >= wordLen && at < 0; rest = rest[wordLen:] {
			all := holders[[wordLen]byte([]byte(rest[:wordLen]))]
			for _, k := range all[max(0, len(all)-maxHolders):] {
				if met[k].sentence != int32(n) {
					met[k] = meeting{int32(n), 0}
				}
				met[k].words++
				g := out[k]
				if met[k].words != 2 && len(s.Words) > wordLen || !saySame(g.words, s.Words) {
					continue // one word says too little
				}
				if said[g.members[0]].Deny == s.Deny {
					at = int(k)
					break
				}
				contrary = int(k)
			}
		}
		if at < 0 {
			at = len(out)
			out, met = append(out, &cluster{words: s.Words, contrary: contrary}), append(met, meeting{-1, 0})
			for rest := s.Words; len(rest) >= wordLen; rest = rest[wordLen:] {
				word := [wordLen]byte([]byte(rest[:wordLen]))
				holders[word] = append(holders[word], int32(at))
			}
		}
		out[at].members = append(out[at].members, n)
	}
	return out
}

// maxHolders is how many clusters, the newest, are looked at for one word: a word that more have tells nothing.
const maxHolders = 24

// maxMembers is with how many members of a cluster, the newest, each member is compared.
const maxMembers = 12

// speaker returns the member that stands for all: of those that are about as sure as any, the one nearest to the
// others; of several such, the one that was said most, and the shortest. Where the members name different numbers or
// addresses, the newest stands for all.
func (g *cluster) speaker(said []Occurrence) (best *Occurrence) {
	newest := &said[g.members[len(g.members)-1]]
	if len(g.members) == 1 {
		return newest
	}
	sure, values := minCandidate, valuesIn(newest.Text)
	for _, n := range g.members {
		sure = max(sure, said[n].Sure)
		if valuesIn(said[n].Text) != values {
			return newest
		}
	}
	most := -1
	for _, n := range g.members {
		m := &said[n]
		if m.Sure+10 < sure {
			continue
		}
		near := 0
		for _, k := range g.members[max(0, len(g.members)-maxMembers):] {
			if near += nearness(m.Words, said[k].Words); m.Text == said[k].Text {
				near++
			}
		}
		if near > most || near == most && len(m.Text) <= len(best.Text) {
			best, most = m, near
		}
	}
	return best
}

// valuesIn returns the words of s that hold digits or are addresses.
func valuesIn(s string) string {
	var b strings.Builder
	for w := range strings.FieldsSeq(s) {
		if strings.ContainsAny(w, "0123456789") || addressOf(w) != nowhere {
			b.WriteString(strings.Trim(w, ".,;:!?()") + " ")
		}
	}
	return b.String()
}
