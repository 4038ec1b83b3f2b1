package search

import "strings"

// stopwords holds words without a meaning of their own. A map would cost time at the start of each process.
const stopwords = " " +
	"a about after ain also am an and any are aren as at be been before being but by can could couldn d did didn do " +
	"does doesn don done for from had hadn has hasn have haven having he her here him his how i if in into is isn it " +
	"its just ll m may me might must my no not of on or our out over re s shall she should shouldn so some t than " +
	"that the their them then there these they this those to too up us ve very was wasn we were weren what when where " +
	"which who whom whose why will with would wouldn you your "

// stop reports whether a word, folded and not stemmed, is a stopword. A query leaves those out unless it has no others;
// the index has them.
func stop(word string) bool { return strings.Contains(stopwords, " "+word+" ") }
