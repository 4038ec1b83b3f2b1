package search

// base returns the form under which an irregular English word is indexed, "" when it is none of those.
func base(word string) string {
	switch word {
	case "went", "gone", "goes", "going":
		return "go"
	case "bought":
		return "buy"
	case "got", "gotten":
		return "get"
	case "made":
		return "make"
	case "took", "taken":
		return "take"
	case "saw", "seen":
		return "see"
	case "gave", "given":
		return "give"
	case "found":
		return "find"
	case "thought":
		return "think"
	case "told":
		return "tell"
	case "felt":
		return "feel"
	case "left":
		return "leave"
	case "kept":
		return "keep"
	case "began", "begun":
		return "begin"
	case "wrote", "written":
		return "write"
	case "ran":
		return "run"
	case "met":
		return "meet"
	case "won":
		return "win"
	case "lost":
		return "lose"
	case "taught":
		return "teach"
	case "brought":
		return "bring"
	case "came":
		return "come"
	case "became":
		return "become"
	case "spoke", "spoken":
		return "speak"
	case "ate", "eaten":
		return "eat"
	case "drove", "driven":
		return "drive"
	case "flew", "flown":
		return "fly"
	case "swam", "swum":
		return "swim"
	case "sang", "sung":
		return "sing"
	case "drew", "drawn":
		return "draw"
	case "grew", "grown":
		return "grow"
	case "knew", "known":
		return "know"
	case "chose", "chosen":
		return "choose"
	case "broke", "broken":
		return "break"
	case "built":
		return "build"
	case "sent":
		return "send"
	case "spent":
		return "spend"
	case "sold":
		return "sell"
	case "held":
		return "hold"
	case "fell", "fallen":
		return "fall"
	case "caught":
		return "catch"
	case "fought":
		return "fight"
	case "slept":
		return "sleep"
	case "wore", "worn":
		return "wear"
	case "rode", "ridden":
		return "ride"
	case "heard":
		return "hear"
	case "said":
		return "say"
	case "paid":
		return "pay"
	case "led":
		return "lead"
	case "children":
		return "child"
	case "men":
		return "man"
	case "women":
		return "woman"
	case "people":
		return "person"
	case "feet":
		return "foot"
	case "lives":
		return "life"
	}
	return ""
}
