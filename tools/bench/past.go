package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

const turnsASession = 20

// writeTurns writes n turns, each session's in a file.
func (v *vocabulary) writeTurns(p *place, n int) error {
	began := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	for s := range n / turnsASession {
		var file bytes.Buffer
		id := fmt.Sprintf("%08x-1111-4111-8111-111111111111", s)
		at := began.Add(time.Duration(s) * 2 * time.Hour)
		for k := range turnsASession {
			answer := v.makeText(15 + v.random.IntN(200))
			if s%80 == 3 && k == 7 && len(v.recalled) < 40 {
				words := strings.Fields(strings.ReplaceAll(answer, ".", ""))
				v.recalled = append(v.recalled, strings.Join(words[6:11], " "))
			}
			file.Write(turnLine(id, k, at.Add(time.Duration(k)*time.Minute), v.makeText(5+v.random.IntN(40)), answer))
		}
		if err := p.put(turnFile(id, at), file.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

func turnFile(session string, at time.Time) string {
	return fmt.Sprintf("log/shop/%s/%s.jsonl", at.Format("2006-01"), session)
}

// turnLine returns a turn as memento keeps it.
func turnLine(session string, n int, at time.Time, said, answer string) (lines []byte) {
	id := fmt.Sprintf("%s-%d", session, n)
	for _, entry := range []fields{{"id": id, "kind": "typed", "ts": at.Format(time.RFC3339), "text": said},
		{"id": id + "a", "kind": "answered", "ts": at.Format(time.RFC3339), "of": id, "text": answer}} {
		line, err := json.Marshal(entry)
		if err != nil {
			panic(err) // of our own words
		}
		lines = append(append(lines, line...), '\n')
	}
	return lines
}
