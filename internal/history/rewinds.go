package history

// Rewinds tells, while a history is read line by line, which prompts were rewound, and the uuids of those that were
// kept before the transcript showed them. The zero value knows of none.
type Rewinds struct {
	gone map[[2]string]bool   // by session and uuid
	refs map[[2]string]string // the uuid, by session and time
}

// Note takes one line of history and reports whether it was about another.
func (r *Rewinds) Note(l Line) bool {
	switch l.Kind {
	case "rewound":
		if r.gone == nil {
			r.gone = map[[2]string]bool{}
		}
		r.gone[[2]string{l.Session, l.Ref}] = true
	case "restored":
		delete(r.gone, [2]string{l.Session, l.Ref})
	case "confirmed":
		if r.refs == nil {
			r.refs = map[[2]string]string{}
		}
		r.refs[[2]string{l.Session, l.TS}] = l.Ref
	default:
		return false
	}
	return true
}

// Ref returns the transcript uuid of the prompt that l, a line of kind said, came from, as far as the history was read;
// "" when it is not known.
func (r Rewinds) Ref(l Line) string {
	if l.Ref == "" {
		return r.refs[[2]string{l.Session, l.TS}]
	}
	return l.Ref
}

// Has reports whether the prompt that l, a line of kind said, came from is rewound, as far as the history was read.
func (r Rewinds) Has(l Line) bool {
	ref := r.Ref(l)
	return ref != "" && r.gone[[2]string{l.Session, ref}]
}
