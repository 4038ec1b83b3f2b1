//go:build unix

package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// place is a HOME with a project in it, where a program runs and knows of nothing else.
type place struct {
	home, project string
	env           []string
	kept          map[string]file // memento's folder as restore puts it back, by path
}

type file struct {
	data []byte
	time time.Time // of its last change
}

// newPlace makes a place with an empty project.
func (b *bench) newPlace(name string) (*place, error) {
	home := filepath.Join(b.dir, name)
	p := &place{home: home, project: filepath.Join(home, "shop"), env: []string{"HOME=" + home, "USER=alice"}}
	return p, os.MkdirAll(p.project, 0o755)
}

func (p *place) store() string { return filepath.Join(p.home, ".claude", ".memento") }

func (p *place) transcript(session string) string { return filepath.Join(p.home, session+".jsonl") }

// command is a call of a build of memento.
func (p *place) command(binary string, args ...string) program {
	return program{path: binary, args: args, at: p}
}

// hook is a build's hook with what the client sends it at e.
func (p *place) hook(binary string, e event) program {
	session := cmp.Or(e.session, "s1")
	all := fields{
		"hook_event_name": e.name, "session_id": session, "transcript_path": p.transcript(session), "cwd": p.project,
		"permission_mode": "default", "prompt_id": "6d0f5f60-3f0e-4d0b-9a55-1f3f6b1f4a10",
	}
	maps.Copy(all, e.fields)
	data, err := json.Marshal(all)
	if err != nil {
		panic(err) // of our own words
	}
	return program{path: binary, args: []string{"hook"}, at: p, stdin: data}
}

// put writes a file of memento's folder.
func (p *place) put(name string, data []byte) error {
	path := filepath.Join(p.store(), filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o600)
}

// keep notes what memento's folder holds now, for restore.
func (p *place) keep() (err error) {
	p.kept, err = p.content()
	time.Sleep(20 * time.Millisecond) // a file system's clock ticks every 4 to 10: later writes shall have another time
	return err
}

// content returns the files of memento's folder by their path in it.
func (p *place) content() (map[string]file, error) {
	all := map[string]file{}
	err := filepath.WalkDir(p.store(), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(p.store(), path) // of a path below it
		all[filepath.ToSlash(name)] = file{data, info.ModTime()}
		return err
	})
	if os.IsNotExist(err) {
		err = nil
	}
	return all, err
}

// restore puts memento's folder back to what keep noted, the times of its files too, so that every run does the same
// work.
func (p *place) restore() error {
	if err := os.RemoveAll(p.store()); err != nil {
		return err
	}
	for name, f := range p.kept {
		if err := p.put(name, f.data); err != nil {
			return err
		}
		if err := os.Chtimes(filepath.Join(p.store(), name), f.time, f.time); err != nil {
			return err
		}
	}
	return nil
}

// What a hook may leave behind. State and the index may be lost in a power cut; all else may not.
const (
	state   = "state"
	index   = "index"
	history = "history"
	journal = "journal"
	record  = "record"
)

// isLasting reports whether what was written is more than what may be lost.
func isLasting(what string) bool { return what != state && what != index }

// wrote names what has been written in memento's folder since keep, also the same again, or removed from it, in order.
func (p *place) wrote() ([]string, error) {
	now, err := p.content()
	if err != nil {
		return nil, err
	}
	found := map[string]bool{}
	for name, f := range now {
		if old, ok := p.kept[name]; !ok || !old.time.Equal(f.time) || !bytes.Equal(old.data, f.data) {
			found[kindOf(name)] = true
		}
	}
	for name := range p.kept {
		if _, ok := now[name]; !ok {
			found[kindOf(name)] = true
		}
	}
	return slices.Sorted(maps.Keys(found)), nil
}

// kindOf is the word for a file of memento's folder.
func kindOf(name string) string {
	switch top, _, inside := strings.Cut(name, "/"); {
	case inside && (top == state || top == index || top == history):
		return top
	case filepath.Ext(name) == ".md":
		return record
	case strings.Contains(name, "--") && filepath.Ext(name) == ".json":
		return journal
	}
	return filepath.Base(name)
}

// progress is how far session s1's transcript has been read, as memento remembers it.
func (p *place) progress() (string, error) {
	data, err := os.ReadFile(filepath.Join(p.store(), "state", "s1.json"))
	if err != nil {
		return "", err
	}
	lines := bytes.Split(bytes.TrimSpace(data), []byte("\n")) // a version each, the newest last
	var state struct{ Read, Unheard json.RawMessage }
	err = json.Unmarshal(lines[len(lines)-1], &state)
	return string(state.Read) + string(state.Unheard), err
}

// drain calls event until one brings session s1 no further, or most times, and returns how often it brought the
// session further: an event reads for a limited time, the next goes on.
func (p *place) drain(most int, event func() error) (events int, err error) {
	for before := ""; events < most; events++ {
		if err := event(); err != nil {
			return events, err
		}
		now, err := p.progress()
		if err != nil || now == before {
			return events, err
		}
		before = now
	}
	return events, nil
}

// settle waits until what was written so far is on the disk: a hook that forces its file there would otherwise pay
// for it.
func (b *bench) settle() error {
	f, err := os.Create(filepath.Join(b.dir, "settle"))
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.WriteString("x"); err != nil {
		return err
	}
	return f.Sync()
}
