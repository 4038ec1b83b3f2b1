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

// place is a HOME with a project in it, for a program to run in.
type place struct {
	home, project string
	env           []string
	kept          map[string]file // the files of memento's folder that restore writes, by path
}

type file struct {
	data []byte
	time time.Time // of its last change
}

// newPlace makes a place with an empty project.
func (b *bench) newPlace(name string) (*place, error) {
	home := filepath.Join(cmp.Or(b.homes, b.dir), name)
	p := &place{home: home, project: filepath.Join(home, "shop"), env: []string{"HOME=" + home, "USER=alice"}}
	return p, os.MkdirAll(p.project, 0o755)
}

func (p *place) store() string { return filepath.Join(p.home, ".claude", ".memento") }

func (p *place) transcript(session string) string { return filepath.Join(p.home, session+".jsonl") }

// command returns a call of a build of memento.
func (p *place) command(binary string, args ...string) program {
	return program{path: binary, args: args, at: p}
}

// hook returns a call of a build's hook with the JSON of e.
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

// keep notes the content of memento's folder for restore.
func (p *place) keep() (err error) {
	p.kept, err = p.content()
	// A file system's clock ticks every 4 to 10 ms. Later writes need another time.
	time.Sleep(20 * time.Millisecond)
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

// restore gives memento's folder the files that keep noted, with their times, so that every run does the same work.
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

// cache is the folder of memento's from which a power cut may take files.
const cache = "cache"

// wrote returns the kinds of files in memento's folder that were written or removed since keep, sorted. A file that was
// written again with the same content counts.
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

// kindOf returns the folder of a file of memento's folder, or its ending when it is in none.
func kindOf(name string) string {
	if folder, _, inside := strings.Cut(name, "/"); inside {
		return folder
	}
	return filepath.Ext(name)
}

// progress returns how far memento has read session s1's transcript, as session memory holds it.
func (p *place) progress() (string, error) {
	data, err := os.ReadFile(filepath.Join(p.store(), "cache", "s1.json"))
	if err != nil {
		return "", err
	}
	lines := bytes.Split(bytes.TrimSpace(data), []byte("\n")) // a version each, the newest last
	var state struct{ Read, Unheard, Turns json.RawMessage }  // journal, rules and turns each read on by themselves
	err = json.Unmarshal(lines[len(lines)-1], &state)
	return string(state.Read) + string(state.Unheard) + string(state.Turns), err
}

// drain calls event until session s1's progress stays the same, at most most times, and returns how often the progress
// changed. An event reads for a limited time, and the next one reads on.
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

// settle waits until everything written so far is on the disk. Else the next hook that forces a file there would wait
// for the older writes too.
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
