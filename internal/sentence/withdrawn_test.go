package sentence

import "testing"

// "Remember that" asks for something, in doubt too: a note too many is put away, a lost one is not missed in time. What
// was taken back, or announced as a text to work on, is no record.
func TestRefers(t *testing.T) {
	for _, message := range []string{
		"Remember that the port is 8090. Actually no, forget that.",
		"Remember that the port is 8090. Never mind.",
		"Remember that the port is 8090, no wait, scratch that.",
		"Put this sentence into the README: hello. Remember that tokens expire quickly.",
		"Write this into the banner: Remember that tokens expire quickly.",
	} {
		if got := Keepsakes(message); len(got) > 0 {
			t.Errorf("%q: %+v", message, got)
		}
	}
	for _, message := range []string{
		"Remember that when the queue is full the worker has to be paused",
		"Remember that if the port is taken the tests hang",
		"Remember that, if the port is taken, the tests hang.",
		"Remember that when deploying, we run make smoke first.",
		"Remember that after a deploy, run make smoke.",
		"Remember that whenever you touch the parser you need to run the fuzzer.",
		"Remember that from now on we use pnpm.",
		"Remember that from now on commits are signed.",
		"Remember that in this repo I prefer tabs.",
		"Remember that on staging the mail is switched off.",
		"Remember that tokens expire quickly.",
		"Remember that staging uses Postgres 15.",
		"Remember that CI needs a VPN.",
		"Remember that Anna moved to Berlin.",
		"Remember that Anna owns billing.",
		"Remember that never deploy on Fridays.",
		"Remember that make deploy needs the VPN.",
		"Remember that it's behind a proxy.",
		"Remember that there are two databases.",
		"Remember that this endpoint is slow.",
		"Remember that every request carries a trace id.",
		"Remember that `make smoke` takes ten minutes.",
		"Remember that users can forget that, and then log in again.",
		"Fix the header: it is too wide. Remember that the logo is licensed until May.",
		"Remember that the port is 8090. Don't forget that.",
		"Remember that the port is 8090. Forget that the old one was 8080.",
		"Remember that answers should be short.",
		"Remember that 8090 is taken.",
		"Remember that if you rename a column the mobile app crashes.",
		"Remember that one of the workers leaks.",
		"Remember that since the upgrade the cache is cold.",
		"Remember that when tests fail, look at the log.",
		"Remember that before merging you must rebase.",
		"Remember that user ids start at 1000.",
		"Remember that what we ship on Friday breaks.",
		"Remember that next week we freeze.",
		"Remember that running the tests twice breaks the seed.",
	} {
		if got := Keepsakes(message); len(got) != 1 {
			t.Errorf("%q: %+v", message, got)
		}
	}
}

// Two things, of which the latter is taken back.
func TestTakenBack(t *testing.T) {
	got := Keepsakes("Remember that the port is 8090. Remember that the mock is slow. Scratch that.")
	if len(got) != 1 || got[0].Title != "the port is 8090" {
		t.Errorf("%+v", got)
	}
}

// A fact is no preference: that takes somebody who wishes for something; a rule of the project's is a constraint.
func TestRememberedKind(t *testing.T) {
	for message, want := range map[string]string{
		"Remember that the tests need a running redis":             "memento",
		"Remember that the tests need a running redis.":            "memento",
		"Remember that all requests should carry a trace id":       "memento",
		"Remember that in this project we have two databases":      "memento",
		"Remember that by default the server listens on 80":        "memento",
		"Remember that the cache always needs a warm start":        "memento",
		"Remember that each time you deploy the cache is emptied":  "memento",
		"Remember that never deploy on Fridays":                    "constraint",
		"Remember that we never deploy on Fridays":                 "constraint",
		"Remember that the audit log must not be edited":           "constraint",
		"Remember that I prefer tabs":                              "preference",
		"Remember that we prefer small commits":                    "preference",
		"Remember that I want a summary at the end of each answer": "preference",
		"Remember that I like short answers":                       "preference",
		"Remember that we always squash before merging":            "preference",
		"Remember: use pnpm instead of npm":                        "preference",
		"Remember to always call me Ana":                           "preference",
		"Remember: keep your answers short":                        "preference",
		"Remember that from now on we use tabs instead of spaces":  "preference",
		"Merk dir, dass ich kurze Antworten bevorzuge":             "preference",
		"Merk dir, dass die Tests ein laufendes Redis brauchen":    "memento",
		"Recuerda que prefiero respuestas cortas":                  "preference",
		"Recuerda que las pruebas necesitan un redis":              "memento",
		"Souviens-toi que je préfère les tabulations":              "preference",
		"Souviens-toi que les tests doivent avoir un redis":        "memento",
		"Lembre-se de que prefiro respostas curtas":                "preference",
		"Ricordati che preferisco risposte brevi":                  "preference",
		"记住：我喜欢简短的回答":                                              "preference",
	} {
		if got := Keepsakes(message); len(got) != 1 || got[0].Kind != want {
			t.Errorf("%q: %+v, want a %s", message, got, want)
		}
	}
}
