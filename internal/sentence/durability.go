package sentence

import (
	"strings"

	"github.com/mementohq/memento/internal/text"
)

// durability is what the form of a clause says about how long it holds. A clause that sets a rule, states a fact or
// takes a decision may hold for good. A clause that points at the task in hand, at one file or at the present holds for
// the task.
type durability struct {
	reading
	clause  string
	line    string // the clause as fold returns it
	latin   bool
	aside   aside
	senses  sense
	address address
	denies  bool
	inHouse bool // it names the project as the place where it holds
}

func durabilityOf(clause string) durability {
	d := durability{reading: readCues(clause), clause: clause, address: addressIn(clause)}
	d.line, d.latin = foldLine(clause)
	d.line, d.inHouse = withoutHouse(d.line)
	var weights [kinds]int
	d.aside, d.senses = scan(d.line, d.latin, &weights), sensesIn(d.line, d.latin)
	d.senses &^= (reminds | forever | worksWith) &^ d.early()
	if strings.ContainsAny(d.line, polish) && has(d.words, "nie") { // never in German, not in Polish
		d.senses &^= forever
		d.found &^= strict
	}
	d.denies = d.found&negation != 0 || d.senses&denial != 0
	return d
}

// polish are letters of Polish that German lacks.
const polish = "ąćęłńśźż"

// weigh returns what kind of standing sentence the clause is, "" for none, and how sure it is that it outlives its
// session, in percent. Both may be wrong for a clause without any form: saying it again decides.
func (d *durability) weigh() (kind string, sure int) {
	kind, sure = d.form()
	if kind == KindRule && d.aside&wanted != 0 && d.aside&personal != 0 && d.senses&reminds == 0 {
		kind = KindPreference
	}
	switch {
	case sure > 0:
		sure += d.stress()
	case !d.namesOne() && followsWork(d.clause):
		sure = 35
	default:
		sure = 20
	}
	return kind, min(sure-d.transience(kind), maxSure)
}

// maxSure is how sure any judgement is at most, in percent.
const maxSure = 95

// form returns the strongest form of the clause and what that form is worth.
func (d *durability) form() (kind string, sure int) {
	limits := d.senses&needless == 0 &&
		(d.found&(strict|modal|bound) != 0 || d.found&plan != 0 && d.found&only == 0 && d.denies)
	switch {
	case d.isSetForGood():
		return KindRule, 65
	case d.senses&consent != 0:
		return KindRule, 55
	case d.senses&decides != 0:
		return KindDecision, 65
	case d.inHouse && (d.senses&worksWith != 0 || d.denies || d.begins&(steady|strict|modal|negation) != 0):
		return KindRule, 70
	case d.inHouse:
		return KindFact, 70
	case d.senses&worksWith != 0 && d.found&contrast != 0 && d.namesTool() && d.aside&vague == 0 && d.isGeneral() &&
		!text.OneOf(d.words[len(d.words)-1], "instead", "stattdessen"):
		return KindDecision, 55
	case d.senses&(brief|manner) == brief|manner:
		return KindPreference, 50
	case d.found&prefer != 0 && d.senses&needless == 0,
		d.senses&brief != 0 && d.found&(strict|modal|steady|negation) != 0:
		return KindPreference, 40
	case d.senses&worksWith != 0 && d.denies && d.namesTool() && d.isGeneral():
		return KindRule, 50
	case limits && d.denies && (d.latin || d.found&(modal|bound|plan) != 0):
		if d.saysHowToWork() {
			return KindRule, 50
		}
		return KindRule, 45
	case len(d.words) >= 3 && len(d.words) <= 7 && isListed(bareNo, d.words[0]) && d.names == 0 && d.isGeneral():
		return KindRule, 50
	case d.found&strict != 0 && d.begins&scope != 0:
		return KindRule, 50
	case limits && d.found&scope != 0:
		return KindRule, 35
	case d.found&steady != 0, d.denies && d.found&(negation|modal|strict) != 0 && !d.tells():
		return KindRule, 40
	case d.address == stays && len(d.words) <= 25 && declaresAddress(d.clause):
		return KindFact, 50
	case d.address == stays:
		return KindFact, 35
	}
	return "", 0
}

// saysHowToWork reports whether a clause that forbids is about those who work: "we should not call the ledger". "The
// list should not be empty" says how the product is to be, and "if it cannot be read" forbids nothing.
func (d *durability) saysHowToWork() bool {
	if !d.latin {
		return d.found&strict != 0
	}
	return d.found&person != 0 && d.aside&when == 0 && (!d.tells() || d.found&(modal|plan) != 0)
}

// isSetForGood reports whether the clause says by its words that it holds on: "remember", "from now on", "always".
// "I remember" and "it always fails" tell something.
func (d *durability) isSetForGood() bool {
	isOrder := d.begins&(once|steady|strict|modal) != 0
	switch {
	case d.senses&hence != 0, d.senses&(forever|manner) == forever|manner && len(d.words) <= 12:
		return true
	case d.senses&reminds != 0 && d.begins&person == 0 &&
		(d.senses&forever != 0 || !strings.Contains(d.line, " remember to ")):
		return true
	case d.senses&forever == 0, isListed(definite, d.words[0]), d.aside&reported != 0, reports(d.line) && !isOrder:
		return false
	}
	return d.aside&wanted != 0 || isOrder || !has(d.words, "i", "ich", "eu", "yo", "je", "io")
}

// bareNo are the words with which a clause without a verb forbids: "no deploys on Fridays".
const bareNo = `no keine kein keinen nenhum nenhuma ningún ninguna aucun aucune nessun nessuna geen żadnych никаких`

// namesTool reports whether the clause names a tool, a command or a file behind its first word. In Chinese, Japanese
// and Korean each word in Latin letters is a name.
func (d *durability) namesTool() bool {
	_, behind, _ := strings.Cut(d.clause, " ")
	if !d.latin {
		return strings.ContainsAny(strings.ToLower(d.clause), "abcdefghijklmnopqrstuvwxyz")
	}
	for w := range strings.FieldsSeq(behind) {
		if isName(w) {
			return true
		}
	}
	return false
}

// namesOne reports whether the clause names one thing of many: with a number, a file, a name in code.
func (d *durability) namesOne() bool {
	return d.names > 0 || strings.Contains(d.clause, "`") || countDigits(d.clause) > 0 || namesFile(d.clause)
}

// tells reports whether the clause begins with the person whom it tells of: "I am …", "you're …".
func (d *durability) tells() bool {
	return len(d.words) > 0 && isListed(tellers, d.words[0])
}

const tellers = `i i'm i've i'll you you're you've ich du ihr eu você yo tú je j'ai tu vous io я ты вы ben sen`

// isGeneral reports whether the clause speaks of no single thing: no definite article stands near its beginning, but
// before a name.
func (d *durability) isGeneral() bool {
	words := strings.Fields(d.clause)
	for i, w := range words[:min(len(words), 4)] {
		if isListed(definite, strings.ToLower(w)) && i+1 < len(words) && !isName(words[i+1]) {
			return false
		}
	}
	return true
}

// definite are the definite articles. The Portuguese "a" and "as" are left out: in English they mean other things.
const definite = `the der die das den dem el la los las le les o os al aux au il lo`

// stress returns what makes a form surer.
func (d *durability) stress() (sure int) {
	if d.found&weighty != 0 && d.senses&reminds == 0 {
		sure += 20
	}
	if d.found&scope != 0 && d.found&prefer != 0 && d.aside&wanted != 0 {
		sure += 10
	}
	if d.senses&told != 0 {
		sure += 15
	}
	return sure
}

// transience returns how much speaks for a clause that holds for the task in hand only.
func (d *durability) transience(kind string) (n int) {
	isLasting := d.senses&(reminds|hence|forever) != 0
	pointing := 25
	if d.senses&reminds != 0 {
		pointing = 10
	}
	for _, e := range [...]struct {
		speaks bool
		weight int
	}{
		{d.senses&points != 0, pointing},
		{d.leans(), 40},
		{d.words[0] == "yes", 20},
		{d.addsOn() && d.senses&(reminds|hence) == 0, 10},
		{d.senses&present != 0 && d.senses&(forever|hence|consent) == 0, 30},
		{d.names > 0, 10},
		{kind == "" && d.namesOne() && !followsWork(d.clause), 30},
		{strings.ContainsAny(d.clause, "\"“«「"), 20}, // a text on a screen
		{kind != "" && d.isErrand(), 25},
		{d.found&plan != 0 && !d.denies, 15},
		{d.found&wish != 0 && d.found&prefer == 0 && !isLasting, 20},
		{kind != "" && !d.isGeneral() && d.senses&(reminds|hence) == 0 && d.address == nowhere, 10},
		{d.found&doubt != 0 || d.aside&unsure != 0, 30},
		{d.found&(report|gone) != 0 && d.senses&reminds == 0 && d.address != stays, 25},
		{d.found&ask != 0, 80},
		{d.aside&local != 0, 25},
		{len(d.words) > 30, 10},
	} {
		if e.speaks {
			n += e.weight
		}
	}
	return n
}

// isErrand reports whether the clause orders something that is done once: "add a column". "Always add a test" and
// "explain it concisely" are no errands.
func (d *durability) isErrand() bool {
	return d.found&once != 0 && d.begins&(steady|negation|strict|modal) == 0 && (d.found&prefer == 0 || d.names > 0) &&
		d.senses&(hence|consent|forever) == 0
}

// early returns the senses of the words near the beginning, where an order has its verb: "always run the tests", "write
// dates always in full". In "make the header always visible" the word says what the header is.
func (d *durability) early() sense {
	const words = 6 // with the mark of the beginning
	n := 0
	for i := range d.line {
		if d.line[i] == ' ' {
			if n++; n > words {
				return sensesIn(d.line[:i+1], d.latin)
			}
		}
	}
	return d.senses
}

// leans reports whether the clause needs the sentence before it: it begins with a pronoun, or with "it" as its object.
func (d *durability) leans() bool {
	words := d.words
	for len(words) > 0 && wordCue(words[0]) == link {
		words = words[1:]
	}
	return len(words) > 0 && text.OneOf(words[0], "that", "they", "he", "she", "its", "their", "same",
		"since", "because", "but", "which", "porque", "weil", "denn", "parce", "puisque", "ele", "ela", "eles",
		"elas", "es", "sie", "er", "il", "elle", "ils", "elles") ||
		has(words[:min(len(words), 5)], "it", "it's", "them") || len(words) > 0 && words[len(words)-1] == "it"
}

// addsOn reports whether the clause adds to what was just said: "also …", "and …".
func (d *durability) addsOn() bool {
	return len(d.words) > 0 && text.OneOf(d.words[0], "also", "and", "but", "so", "também", "e", "mas", "también", "y",
		"pero", "auch", "und", "aber", "aussi", "et", "mais", "ayrıca", "ve")
}
