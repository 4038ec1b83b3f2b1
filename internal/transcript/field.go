package transcript

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// fields are the values in a line that memento reads, as raw JSON, "" for missing ones. Of a key that stands twice the
// first counts, as it does for gjson.
type fields struct {
	typ, uuid, parent, logical, timestamp, sidechain, cwd, failed                                        string
	meta, summary, shown, origin, message, content, attachment, result, denial, subtype, link, operation string
	mode, thinking, todos, source, title                                                                 string

	spoken string  // message.content
	blocks []block // the parts of spoken, if that is a list

	marked bool // a line of the file, up to this one, has a mark of a typed line; see writer
}

// block is one part of a message's content, as raw JSON.
type block struct{ kind, text, id, name, input, call, failed, content string }

// split finds the fields of line. It reports false for a line that is no JSON object or nests deeper than maxDepth. It
// reuses the memory of f.
func (f *fields) split(line []byte) bool {
	*f = fields{blocks: f.blocks[:0], marked: f.marked}
	begin := space(line, 0)
	if end := skip(line, begin, maxDepth); end < 0 || line[begin] != '{' || !gjson.ValidBytes(line) {
		return false
	}
	gjson.ParseBytes(line).ForEach(func(key, v gjson.Result) bool {
		if to := f.of(key.Str); to != nil && *to == "" {
			*to = v.Raw
		}
		return true
	})
	if f.spoken = member(f.message, "content"); strings.HasPrefix(f.spoken, "[") {
		f.blocks = blocksIn(f.blocks, f.spoken)
	}
	return true
}

// blocksIn appends the parts of a message's content to all.
func blocksIn(all []block, content string) []block {
	gjson.Parse(content).ForEach(func(_, b gjson.Result) bool {
		var p block
		b.ForEach(func(key, v gjson.Result) bool {
			if to := p.of(key.Str); to != nil {
				*to = v.Raw
			}
			return true
		})
		all = append(all, p)
		return true
	})
	return all
}

// parts returns the blocks of content: spoken or another value of the line.
func (f *fields) parts(content string) []block {
	if content != f.spoken {
		f.blocks = blocksIn(f.blocks[:0], content)
	}
	return f.blocks
}

// speaks reports whether the message has a text.
func (f *fields) speaks() bool {
	return strings.HasPrefix(f.spoken, `"`) ||
		slices.ContainsFunc(f.blocks, func(p block) bool { return p.kind == `"text"` })
}

// member returns the raw value of the object's first member with this key, "" for none.
func member(object, key string) string {
	if !strings.HasPrefix(object, "{") {
		return ""
	}
	return gjson.Get(object, key).Raw
}

// str returns the text of a raw JSON string, "" for any other value.
func str(raw string) string { return gjson.Parse(raw).Str }

// parse returns the value raw. The result of invalid JSON does not exist.
func parse[T string | []byte](raw T) gjson.Result {
	if !gjson.Valid(string(raw)) {
		return gjson.Result{}
	}
	return gjson.Parse(string(raw))
}

// of returns the field for the value of this name, nil for one that memento does not read.
func (p *block) of(name string) *string {
	switch name {
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

// of returns the field for the value of this name, nil for one that memento does not read.
func (f *fields) of(name string) *string {
	switch name {
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
