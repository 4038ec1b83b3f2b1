package main

import (
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

func TestReading(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"  Don’t\n\ttouch `go.mod`  ", "don't touch go.mod"},
		{"“Größer”  *wird* es nicht", "größer wird es nicht"},
		{"", ""},
	} {
		if got := norm(c.in); got != c.want {
			t.Errorf("norm(%q) = %q, want %q", c.in, got, c.want)
		}
	}
	k := kept(norm("The user said: \"Deploy to staging only.\"\nNothing else."))
	for s, want := range map[string]bool{"deploy to  staging only!": true, "Deploy to production only.": false,
		" ?!": false, "": false} {
		if k.exact(s) != want {
			t.Errorf("exact(%q) = %t", s, !want)
		}
	}
	if got := head("größer", 3); got != "grö" {
		t.Errorf("head = %q", got)
	}
	for _, c := range []struct {
		line string
		want []string
	}{
		{`{"type":"user","message":{"content":"Fix the login."}}`, []string{"Fix the login."}},
		{`{"type":"user","message":{"content":[{"type":"text","text":"Fix"},{"type":"image"},{"type":"text",` +
			`"text":"the login."}]}}`, []string{"Fix\nthe login."}},
		{`{"type":"user","message":{"content":"<system-reminder>x</system-reminder> Fix it. ` +
			`<ide_selection>y</ide_selection>"}}`, []string{"Fix it."}},
		{`{"type":"user","message":{"content":"what does <system-reminder> do?"}}`,
			[]string{"what does <system-reminder> do?"}},
		{`{"type":"user","message":{"content":"<command-name>/review</command-name><command-args> only session.go ` +
			`</command-args>"}}`, []string{"only session.go"}},
		{`{"type":"user","message":{"content":"<command-name>/compact</command-name><command-args></command-args>"}}`,
			nil},
		{`{"type":"user","message":{"content":[{"type":"tool_result","content":"ok"}]}}`, nil},
		{`{"type":"user","message":{"content":[{"type":"tool_result","content":[{"type":"text","text":"… the user ` +
			`said:\nnot this file\n\nNote: The user is away"}]}]}}`, []string{"not this file"}},
		{`{"type":"attachment","attachment":{"type":"queued_command","prompt":"and the logout"}}`,
			[]string{"and the logout"}},
		{`{"type":"attachment","attachment":{"type":"queued_command",` +
			`"prompt":"<task-notification>done</task-notification>"}}`, nil},
		{`{"type":"assistant","message":{"content":"Fix the login."}}`, nil},
		{`{"type":"user","isMeta":true,"message":{"content":"Fix the login."}}`, nil},
		{`{"type":"user","message":{"content":"[Request interrupted by user]"}}`, nil},
	} {
		got := typed(gjson.Parse(c.line))
		if strings.Join(got, "|") != strings.Join(c.want, "|") || len(got) != len(c.want) {
			t.Errorf("typed(%s) = %q, want %q", c.line, got, c.want)
		}
	}
	if got := changedTo.ReplaceAllString("cd api && cd v2 ; go test ./...", ""); got != "go test ./..." {
		t.Errorf("without the folder: %q", got)
	}
}
