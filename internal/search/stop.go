package search

// stop reports whether a word, folded and not stemmed, has no meaning of its own. A query leaves such words out unless
// it has no others; the index has them. A switch costs nothing when a process starts; a map would be built then.
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
