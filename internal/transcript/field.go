package transcript

import "slices"

// fields are the values in a line that memento reads, as raw JSON, nil for missing ones. Of a key that stands twice the
// first counts, as it does for gjson.
type fields struct {
	typ, uuid, parent, logical, timestamp, sidechain, cwd, failed                                        []byte
	meta, summary, shown, origin, message, content, attachment, result, denial, subtype, link, operation []byte
	mode, thinking, todos, source, title                                                                 []byte

	spoken []byte  // message.content
	blocks []block // the parts of spoken, if that is a list
	given  []byte  // toolUseResult.answers

	marked bool // a line of the file, up to this one, has a mark of a typed line; see writer
}

// block is one part of a message's content, as raw JSON. Of two equal keys the last one counts.
type block struct{ kind, text, id, name, input, call, failed, content []byte }

// of returns the field for the value of a key, nil for a key that memento does not read.
func (p *block) of(key []byte) *[]byte {
	switch string(key) {
	case "type":
		return &p.kind
	case "text":
		return &p.text
	case "id":
		return &p.id
	case "name":
		return &p.name
	case "input":
		return &p.input
	case "tool_use_id":
		return &p.call
	case "is_error":
		return &p.failed
	case "content":
		return &p.content
	}
	return nil
}

// split finds the fields of line in one pass, which skips strings at the speed of memory. It reports false for a line
// that is no JSON object or nests deeper than maxDepth. A line for which it reports true may still be invalid JSON. It
// reuses the memory of f.
func (f *fields) split(line []byte) bool {
	*f = fields{blocks: f.blocks[:0], marked: f.marked}
	i := space(line, 0)
	if i >= len(line) || line[i] != '{' {
		return false
	}
	end := walk(line, i, func(key []byte, i int) int {
		to := f.of(key)
		if to == nil || *to != nil {
			return shallow(line, i)
		}
		end := -1
		switch {
		case to == &f.message && line[i] == '{':
			end = f.splitMessage(line, i)
		case to == &f.result && line[i] == '{':
			end = f.splitResult(line, i)
		default:
			end = shallow(line, i)
		}
		if end >= 0 {
			*to = line[i:end:end]
		}
		return end
	})
	return end > 0 && space(line, end) == len(line)
}

// shallow returns the offset behind the value that begins at i, -1 when none begins there. It goes through the
// members of an object one by one: counting brackets would miss the place where a line was cut off.
func shallow(line []byte, i int) int {
	if line[i] != '{' {
		return strict(line, i, maxDepth)
	}
	return walk(line, i, func(_ []byte, i int) int { return strict(line, i, maxDepth-1) })
}

// splitMessage splits the message that begins at i and returns the place behind it, -1 when strict does.
func (f *fields) splitMessage(line []byte, i int) int {
	return walk(line, i, func(key []byte, i int) (end int) {
		if f.spoken != nil || string(key) != "content" {
			return strict(line, i, maxDepth-1)
		}
		if line[i] != '[' {
			end = strict(line, i, maxDepth-1)
		} else {
			end = walk(line, i, func(_ []byte, i int) int {
				f.blocks = append(f.blocks, block{})
				if line[i] != '{' {
					return strict(line, i, maxDepth-2)
				}
				p := &f.blocks[len(f.blocks)-1]
				return walk(line, i, func(key []byte, i int) int {
					end := strict(line, i, maxDepth-3)
					if to := p.of(key); to != nil && end >= 0 {
						*to = line[i:end:end]
					}
					return end
				})
			})
		}
		if end >= 0 {
			f.spoken = line[i:end:end]
		}
		return end
	})
}

// splitResult splits the toolUseResult that begins at i as splitMessage does.
func (f *fields) splitResult(line []byte, i int) int {
	return walk(line, i, func(key []byte, i int) int {
		end := strict(line, i, maxDepth-1)
		if end >= 0 && f.given == nil && string(key) == "answers" {
			f.given = line[i:end:end]
		}
		return end
	})
}

// parts returns the blocks of content: spoken or another value of the line.
func (f *fields) parts(content []byte) []block {
	if len(content) > 0 && content[0] == '[' && len(f.spoken) > 0 && &content[0] == &f.spoken[0] {
		return f.blocks
	}
	f.blocks = f.blocks[:0]
	each(content, func(_, b []byte) {
		var p block
		each(b, func(key, value []byte) {
			if to := p.of(key); to != nil {
				*to = value
			}
		})
		f.blocks = append(f.blocks, p)
	})
	return f.blocks
}

// speaks reports whether the message has a text.
func (f *fields) speaks() bool {
	return len(f.spoken) > 0 && (f.spoken[0] == '"' ||
		slices.ContainsFunc(f.blocks, func(p block) bool { return string(p.kind) == `"text"` }))
}

// of returns the field for the value of a key, nil for a key that memento does not read.
func (f *fields) of(key []byte) *[]byte {
	switch string(key) {
	case "type":
		return &f.typ
	case "uuid":
		return &f.uuid
	case "parentUuid":
		return &f.parent
	case "logicalParentUuid":
		return &f.logical
	case "timestamp":
		return &f.timestamp
	case "isSidechain":
		return &f.sidechain
	case "cwd":
		return &f.cwd
	case "isApiErrorMessage":
		return &f.failed
	case "isMeta":
		return &f.meta
	case "isCompactSummary":
		return &f.summary
	case "isVisibleInTranscriptOnly":
		return &f.shown
	case "origin":
		return &f.origin
	case "permissionMode":
		return &f.mode
	case "thinkingMetadata":
		return &f.thinking
	case "todos":
		return &f.todos
	case "promptSource":
		return &f.source
	case "message":
		return &f.message
	case "content":
		return &f.content
	case "attachment":
		return &f.attachment
	case "toolUseResult":
		return &f.result
	case "toolDenialKind":
		return &f.denial
	case "subtype":
		return &f.subtype
	case "prUrl":
		return &f.link
	case "aiTitle", "customTitle":
		return &f.title
	case "operation":
		return &f.operation
	}
	return nil
}
