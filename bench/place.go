//go:build unix

package main

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// place is a HOME with a project in it, where a program runs and knows of nothing else.
type place struct {
	home, project string
	env           []string
	kept          map[string]file // what stood in memento's folder, by path
}

type file struct {
	data []byte
	time time.Time // of its last change
}

// place makes one.
func (b *bench) place(name string) (*place, error) {
	home := filepath.Join(b.dir, name)
	p := &place{home: home, project: filepath.Join(home, "shop"), env: []string{"HOME=" + home, "USER=alice"}}
	return p, os.MkdirAll(p.project, 0o755)
}

func (p *place) store() string { return filepath.Join(p.home, ".claude", ".memento") }

func (p *place) transcript(session string) string { return filepath.Join(p.home, session+".jsonl") }

// event is what the client sends a hook.
func (p *place) event(name, session string, fields map[string]any) []byte {
	all := map[string]any{
		"hook_event_name": name, "session_id": session, "transcript_path": p.transcript(session), "cwd": p.project,
		"permission_mode": "default", "prompt_id": "6d0f5f60-3f0e-4d0b-9a55-1f3f6b1f4a10",
	}
	for k, v := range fields {
		all[k] = v
	}
	data, err := json.Marshal(all)
	if err != nil {
		panic(err) // of our own words
	}
	return data
}

// keep notes what stands in memento's folder now, for restore.
func (p *place) keep() (err error) {
	p.kept, err = p.content()
	time.Sleep(20 * time.Millisecond) // so that what is written from now on has another time: a file system's clock ticks every 4 to 10
	return err
}

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
		all[path] = file{data, info.ModTime()}
		return err
	})
	if os.IsNotExist(err) {
		err = nil
	}
	return all, err
}

// restore puts memento's folder back to what keep noted, the times of its files too, so that every run does the same work.
func (p *place) restore() error {
	if err := os.RemoveAll(p.store()); err != nil {
		return err
	}
	for path, f := range p.kept {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(path, f.data, 0o600); err != nil {
			return err
		}
		if err := os.Chtimes(path, f.time, f.time); err != nil {
			return err
		}
	}
	return nil
}

// settle waits until what was written so far is on the disk: a hook that forces its file there would otherwise pay for it.
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
