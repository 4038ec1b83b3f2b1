package settings

import (
	"fmt"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// statusKey is the key of the client's status line.
const statusKey = "statusLine"

// StatusLine returns the command of the status line in data, and whether there is one. A status line that is no command
// has the command "". Refusals are as for Apply.
func StatusLine(data []byte) (command string, ok bool, err error) {
	f, err := parse(data, nil)
	if err != nil {
		return "", false, err
	}
	at, v, err := f.statusLine()
	if err != nil || at < 0 {
		return "", false, err
	}
	return v.Get("command").Str, true, nil
}

// SetStatusLine returns data with this command as the status line, in the place of another one, or at the end. If it is
// there already, data stays as it is, and so do its other fields. Refusals are as for Apply.
func SetStatusLine(data []byte, command string) ([]byte, error) {
	if !utf8.ValidString(command) || command == "" {
		return nil, fmt.Errorf("%q is no command for a status line", command)
	}
	if was, ok, err := StatusLine(data); err != nil || ok && was == command {
		return data, err
	}
	f, err := parse(data, Wiring{{}}) // a blank file becomes an object
	if err != nil {
		return nil, err
	}
	line := object([]value{{key: "type", text: encode("command")}, {key: "command", text: encode(command)}})
	at, _, err := f.statusLine()
	if err != nil {
		return nil, err
	}
	if at < 0 {
		return f.apply(f.splice(f.top, nil, []value{{key: statusKey, text: line}})), nil
	}
	fates := make([]fate, len(f.top.items))
	fates[at] = fate{replace: f.inPlace(f.top, at, value{key: statusKey, text: line}.compact())}
	return f.apply(f.splice(f.top, fates, nil)), nil
}

// RemoveStatusLine returns data without the status line if ours accepts its command. Refusals are as for Apply.
func RemoveStatusLine(data []byte, ours func(command string) bool) ([]byte, error) {
	f, err := parse(data, nil)
	if err != nil {
		return nil, err
	}
	at, v, err := f.statusLine()
	if err != nil || at < 0 || !ours(v.Get("command").Str) {
		return data, err
	}
	fates := make([]fate, len(f.top.items))
	fates[at] = drop
	return f.apply(f.splice(f.top, fates, nil)), nil
}

// statusLine returns the item of the status line among those of the file, -1 for none. It refuses a file that has two.
func (f *document) statusLine() (at int, v gjson.Result, err error) {
	at = -1
	if f.text == "" || len(f.top.items) == 0 {
		return at, v, nil
	}
	i := 0
	gjson.Parse(f.text).ForEach(func(key, value gjson.Result) bool {
		if key.Str == statusKey {
			if at >= 0 {
				err = refuse(f.text, key.Index, "the key %q is there twice", statusKey)
			}
			at, v = i, value
		}
		i++
		return true
	})
	return at, v, err
}
