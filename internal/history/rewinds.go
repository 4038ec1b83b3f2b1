package history

// Rewinds collects, while a history is read line by line, the prompts that were rewound, and the uuids of prompts that
// were kept before the transcript showed them. The zero value is empty.
type Rewinds struct {
	gone map[[2]string]bool   // by session and uuid
	refs map[[2]string]string // the uuid, by session and time
}

// Note collects from l and reports whether l says something about an earlier line.
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

// Ref returns the transcript uuid of the prompt of l, a line of kind "said", "" when no line so far has it.
func (r Rewinds) Ref(l Line) string {
	if l.Ref == "" {
		return r.refs[[2]string{l.Session, l.TS}]
	}
	return l.Ref
}

// Has reports whether the prompt of l, a line of kind "said", is rewound, by the lines noted so far.
func (r Rewinds) Has(l Line) bool {
	ref := r.Ref(l)
	return ref != "" && r.gone[[2]string{l.Session, ref}]
}
