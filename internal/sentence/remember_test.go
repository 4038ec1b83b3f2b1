package sentence

import (
	"strings"
	"testing"
)

func TestRemember(t *testing.T) {
	for _, tt := range []struct {
		message string
		kinds   string // of what is kept, a title behind each; "" for nothing
	}{
		{"Remember that the mock listens on 8090.", "memento the mock listens on 8090"},
		{"ok, please remember that we never deploy on Fridays", "constraint we never deploy on Fridays"},
		{"Fix the header. Also remember: the logo is licensed until May.", "memento the logo is licensed until May"},
		{"- **Remember that** invoices are numbered per year", "memento invoices are numbered per year"},
		{"- Remember that invoices are numbered per year", "memento invoices are numbered per year"},
		{"Note for later: the importer drops empty lines.", "memento the importer drops empty lines"},
		{"Note to self: rename the buckets after the launch", "memento rename the buckets after the launch"},
		{"Remember that we decided to drop IE because nobody uses it.",
			"decision we decided to drop IE because nobody uses it"},
		{"Remember that I prefer tabs", "preference! I prefer tabs"},
		{"Remember that in this repo I prefer tabs", "preference in this repo I prefer tabs"},
		{"Remember to always call me Ana", "preference! Remember to always call me Ana"},
		{"Remember that the slow query is technical debt, we fix it after the launch",
			"debt the slow query is technical debt, we fix it after the launch"},
		{"merk dir: der Mock läuft auf 8090", "memento der Mock läuft auf 8090"},
		{"Recuerda que el proxy corta a los 10 MB", "memento el proxy corta a los 10 MB"},
		{"Lembre-se de que o backup roda às duas", "memento o backup roda às duas"},
		{"Ricordati che il mock ascolta su 8090", "memento il mock ascolta su 8090"},
		{"N’oublie pas que le cache expire à minuit", "memento le cache expire à minuit"},
		{"记住：测试服务器每周日会清空", "memento 测试服务器每周日会清空"},
		{"モックは8090番で待っていることを覚えておいてください。", "memento モックは8090番で待っていること"},
		{"Remember that a is one. Remember that b is two things.", "memento a is one|memento b is two things"},
		{"Remember the following:\n- one and two\n- three\n\nThen go on.", "memento one and two"},

		{"Remember:\n\n- one and two\n- three\n\nThen go on.", "memento one and two"},
		{"Fix these:\n1. the header\n2. the list\n\nRemember that staging is wiped on Sunday.",
			"memento staging is wiped on Sunday"},

		{"Add a tooltip that says:\nRemember that you can undo this at any time.", ""},
		{"Change the copy of the banner to this:\n\nRemember that we close at eight.", ""},
		{"Here is Anna's mail:\nHi all,\nRemember that the office is closed on Monday.\nAnna", ""},
		{"记住密码功能坏了，修一下", ""},
		{"记住我的复选框在登录页不工作", ""},
		{"Do you remember that the port is 8090?", ""},
		{"Remember that thing?", ""},
		{"Remember when we broke it", ""},
		{"I remember that the port is 8090", ""},
		{"remember", ""},
		{"Remember this.", ""},
		{"Remember that for next time.", ""},
		{"Remember that bug we had in March.", ""},
		{"remember to update the changelog", ""},
		{"Remember:", ""},
		{"Remember:\n\nGo on.", ""},
		{"Remember:\n```\nx := 1\n```", ""},
		{"> Remember that the moon is made of cheese", ""},
		{"He said \"remember that the moon is made of cheese\"", ""},
		{"The reviewer wrote:\nRemember that the moon is made of cheese, says the manual", ""},
		{"The function is called rememberThat and returns nothing", ""},
		{"Erinnerst du dich, dass wir das hatten?", ""},
		{"记住了吗？", ""},
	} {
		var got []string
		for _, k := range Keepsakes(tt.message) {
			if !strings.Contains(tt.message, k.Quote) || !strings.Contains(k.Quote, k.Title) {
				t.Errorf("%q: %q, %q are no parts of it", tt.message, k.Quote, k.Title)
			}
			kind := k.Kind
			if k.User {
				kind += "!"
			}
			got = append(got, kind+" "+k.Title)
		}
		if all := strings.Join(got, "|"); all != tt.kinds {
			t.Errorf("%q: %q, want %q", tt.message, all, tt.kinds)
		}
	}
}

// What stands behind a colon is part of what is to be remembered, all of it.
func TestRememberLines(t *testing.T) {
	points := strings.Repeat("- the drawer is locked at night\n", 200)
	for message, want := range map[string]string{
		"Remember that the command is:\n  make deploy\n  make smoke\n\nGo on.":       "Remember that the command is:\n  make deploy\n  make smoke",
		"Remember that the command is:\n```\nmake deploy\n\nmake smoke\n```\nGo on.": "Remember that the command is:\n```\nmake deploy\n\nmake smoke\n```",
		"Remember:\n" + points + "\nGo on.": strings.TrimSpace("Remember:\n" +
			points),
	} {
		if got := Keepsakes(message); len(got) != 1 || got[0].Quote != want {
			t.Errorf("%q: %+v", message, got)
		}
	}
}

// A record says the same as what is to be remembered when its title or its body does, to the last symbol.
func TestIn(t *testing.T) {
	for _, tt := range []struct {
		title, body, quote string
		in                 bool
	}{
		{"the limit is 80", "## Rule\n\nRemember that the limit is 80.\n", "please remember that the limit is 80",
			true},
		{"the limit is 80", "anything", "Remember that the limit is 80.", true},
		{"the limit", "Remember that the limit is 80.", "Remember that the limit is 80 %.", false},
		{"the limit", "Remember that the limit is 80 %.", "Remember that the limit is 80.", false},
		{"the limit", "Remember that the limit is 800.", "Remember that the limit is 80.", false},
		{"limits", "Nobody says that the limit is 80.", "Remember that the limit is 80.", false},
		{"one", "- Remember:\n  - one\n  - two", "Remember:\n- one\n- two", true},
		{"one", "Remember:\n- one\n- two", "Remember:\n- one\n- three", false},
		{"x", "Remember that x = -1", "Remember that x = 1", false},
		{"x", "", "", false},
	} {
		if got := (Keepsake{Quote: tt.quote}).In(tt.title, tt.body); got != tt.in {
			t.Errorf("%q in %q, %q: %v", tt.quote, tt.title, tt.body, got)
		}
	}
}
