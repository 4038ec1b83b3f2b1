package transcript

import (
	"bytes"
	"slices"
)

// fields are the values of a line's own keys that memento asks for, as raw JSON; nil for one that is not there. Of a
// key that stands twice the first counts, as it does for gjson.
type fields struct {
	typ, uuid, parent, logical, timestamp, sidechain, cwd, failed                                        []byte
	meta, summary, shown, origin, message, content, attachment, result, denial, subtype, link, operation []byte
	mode, thinking, todos, source                                                                        []byte

	// What the pass over the line saw inside message and toolUseResult, unless one of them is written in a way that
	// only the slower look at it by itself can tell where its parts end.
	spoken []byte  // message.content
	blocks []block // of spoken, where that is a list
	read   bool    // spoken and blocks are all there is
	given  []byte  // toolUseResult.answers
	asked  bool    // given is all there is
}

// block is one part of a message's content, as raw JSON. Of a key that stands twice the last counts.
type block struct{ kind, text, id, name, input, call, failed, content []byte }

// of returns where the value of a key belongs, nil for one that nobody asks for.
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

// split finds the fields of line in one pass that looks at no more of it than it must: what strings hold is skipped at
// the speed of memory. It reports false for what is no JSON object, or is nested deeper than maxDepth; a line that it
// takes may still be no valid JSON. What f held before is gone, but for its memory.
func (f *fields) split(line []byte) bool {
	*f = fields{blocks: f.blocks[:0]}
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
			end = f.look(line, i)
			f.read = end >= 0
		case to == &f.result && line[i] == '{':
			end = f.answers(line, i)
			f.asked = end >= 0
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

// shallow returns the place behind the value that begins at i, -1 when there is none. It goes through the members of an
// object one by one: to count brackets may pass over the place where a line is torn.
func shallow(line []byte, i int) int {
	if line[i] != '{' {
		return strict(line, i, maxDepth)
	}
	return walk(line, i, func(_ []byte, i int) int { return strict(line, i, maxDepth-1) })
}

// look goes through the message that begins at i and returns the place behind it, -1 when strict cannot tell.
func (f *fields) look(line []byte, i int) int {
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

// answers goes through the toolUseResult that begins at i as look does.
func (f *fields) answers(line []byte, i int) int {
	return walk(line, i, func(key []byte, i int) int {
		end := strict(line, i, maxDepth-1)
		if end >= 0 && f.given == nil && string(key) == "answers" {
			f.given = line[i:end:end]
		}
		return end
	})
}

// parts returns the blocks of content, which is the message's or another value of the line.
func (f *fields) parts(content []byte) []block {
	if f.read && len(content) > 0 && content[0] == '[' && len(f.spoken) > 0 && &content[0] == &f.spoken[0] {
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

// said returns the content of the message.
func (f *fields) said() []byte {
	if f.read {
		return f.spoken
	}
	return member(f.message, "content")
}

// speaks reports whether a message has a text of Claude's.
func (f *fields) speaks() bool {
	if f.read && len(f.spoken) > 0 && f.spoken[0] == '[' {
		return slices.ContainsFunc(f.blocks, func(p block) bool { return string(p.kind) == `"text"` })
	}
	return bytes.Contains(f.message, []byte(`"text"`))
}

// of returns where the value of a key belongs, nil for one that nobody asks for.
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
	case "operation":
		return &f.operation
	}
	return nil
}
