package search

// stop reports whether word, folded and not yet stemmed, carries no meaning of its own: a query leaves it out unless it
// has no other word. It is indexed like any other. A switch and no map: nothing is to be built when the process starts.
func stop(word string) bool {
	switch word {
	case "a", "about", "after", "ain", "also", "am", "an", "and", "any", "are", "aren", "as", "at", "be", "been",
		"before", "being", "but", "by", "can",
		"could", "couldn", "d", "did", "didn", "do", "does", "doesn", "don", "done", "for", "from", "had", "hadn",
		"has", "hasn", "have", "haven",
		"having", "he", "her", "here", "him", "his", "how", "i", "if", "in", "into", "is", "isn", "it", "its", "just",
		"ll", "m", "may", "me", "might",
		"must", "my", "no", "not", "of", "on", "or", "our", "out", "over", "re", "s", "shall", "she", "should",
		"shouldn", "so", "some", "t", "than",
		"that", "the", "their", "them", "then", "there", "these", "they", "this", "those", "to", "too", "up", "us",
		"ve", "very", "was", "wasn", "we",
		"were", "weren", "what", "when", "where", "which", "who", "whom", "whose", "why", "will", "with", "would",
		"wouldn", "you", "your":
		return true
	}
	return false
}
