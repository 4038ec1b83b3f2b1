package sentence

import (
	"slices"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/text"
)

// maxMission is how long a mission may be, in characters.
const maxMission = 400

// tellsApart runs one judgement over prompts it must accept and prompts it must not.
func tellsApart(t *testing.T, name string, judge func(string) bool, yes, no []string) {
	t.Helper()
	for _, s := range yes {
		if !judge(s) {
			t.Errorf("%s(%q) = false", name, s)
		}
	}
	for _, s := range no {
		if judge(s) {
			t.Errorf("%s(%q) = true", name, s)
		}
	}
}

func TestChatter(t *testing.T) {
	tellsApart(t, "Chatter", IsChatter,
		[]string{"", "  ", "ok", "OK!", "yes, please", "yes, please do", "thanks a lot"[:6], "👍", "...", "hi",
			"Hello there", "obrigado", "Danke!", "はい", "네", "好的", "merci", "lgtm",
			"Thanks :)", "yes please", "great, thank you so much", "👍🏽", "❤️", "👩‍💻", "?", "perfect", "sim, obrigado",
			"não", "sí, gracias", "ja, danke", "oui merci", "да", "감사합니다", "ありがとうございます", "谢谢", "evet, teşekkürler",
			"LGTM", "hi there", "good morning", "d'accord", "d’accord"},
		[]string{"ok but only on staging", "fix it", "yes, delete the table", "no, use the other branch",
			"thanks, now the footer", "deploy", "weiter", "don't",
			"ok, deploy it", "no, use PASETO", "stop", "never", "yes but not on Friday", "thanks, now run the tests",
			"1", "42", "README?", "why", "fix", "не трогай", "使用", "no no no no no no", "staging only",
			"ok ok ok ok ok ok"})
}

func TestContinues(t *testing.T) {
	tellsApart(t, "Continues", func(s string) bool { return Continues(s, "") },
		[]string{"continue", "Go on.", "please continue", "ok, go ahead", "keep going", "continue where we left off",
			"pick up where we stopped yesterday", "where were we?", "what's next?", "next", "status?",
			"resume the work", "continua por favor", "weiter bitte", "mach weiter", "continuez", "продолжай", "계속",
			"계속해줘", "続けてください", "继续", "继续吧"},
		[]string{"continue with the checkout button", "Next.js 15 upgrade: migrate the router",
			"Status page: add an incident banner", "Resume parser: extract skills from PDF files",
			"Continue button on the checkout page is broken, fix it", "Segue o log do erro, corrige o login do painel",
			"Sigue los pasos del README e instala el proyecto", "继续修复登录问题，但是不要改动令牌格式",
			"Yes, go ahead but never touch the billing table.", "Next, only deploy to staging.",
			"proceed to delete the staging bucket"})
	if !Continues("continue with the checkout button", "Continue button on the checkout page is broken, fix it") {
		t.Error("a call to go on that names what is in hand is not taken for one")
	}
	if Continues("continue with the invoice export", "Continue button on the checkout page is broken, fix it") {
		t.Error("a call to go on with something else is taken for one")
	}
}

func TestContinuesWhatIsInHand(t *testing.T) {
	about := "fix the auth pipeline -- staging only deploy auth fix pricing decision"
	goesOn := func(s string) bool { return Continues(s, about) }
	tellsApart(t, "Continues", goesOn,
		[]string{
			"continue", "Continue.", "please continue", "go on", "ok, go ahead", "keep going", "carry on", "proceed",
			"resume", "where were we?", "what's next?", "what is next", "next", "next step please", "do it",
			"status?", "let's continue", "can you continue where we left off yesterday?",
			"pick up where you left off",
			"continue with the auth pipeline", "resume the pricing decision", "go on with the deploy", "yes", "ok",
			"continua", "por favor, continúa", "vamos continuar", "onde paramos?", "sigue", "adelante",
			"weiter", "mach weiter", "bitte mach weiter", "wo waren wir?", "continuez", "vas-y", "reprends", "avanti",
			"продолжай", "дальше", "devam et",
			"계속", "계속 진행해줘", "続けて", "続けてください", "继续", "继续吧", "接着做",
		},
		[]string{
			"continue, but never push to main", "continue and add a rate limiter", "next, build the invoice importer",
			"status page shows 500 on mobile", "resume parser fails on PDFs", "do it in Rust: write a parser",
			"continuous integration is broken", "nextjs upgrade", "proceedings are missing",
			"go on the other hand", "fix the auth pipeline", "what's next.js?", "continúa con la migración de usuarios",
			"weiterleitung reparieren", "继续优化数据库查询性能", "keep the token format",
			"let's talk about the database", strings.Repeat("continue ", 30),
		})
	if !Continues("continue with the auth pipeline", about) || Continues("continue with the invoice importer", about) ||
		Continues("continue with the auth pipeline", "") {
		t.Error("what is in hand makes no difference")
	}
}

func TestSubstantive(t *testing.T) {
	tellsApart(t, "Substantive", IsSubstantive,
		[]string{"Fix the login", "fix tests", "Why does the login test fail on CI?", "READMEを更新して", "CI を直す", "PR리뷰해줘",
			"ログインを直して", "修复登录问题", "로그인 버그를 고쳐줘", "Corrige o login do painel",
			"We are done with this project. I'm switching to a different task now: add CSV export.",
			"fix the auth pipeline", "refactor auth", "why does CI fail?", "run tests", "internationalise", "修复认证管道",
			"로그인 버그 수정", "ログインを直す", "next, build the invoice importer", "continue, but never push to main",
			"/review the auth branch", "corrige o login", "no, use PASETO",
			"I am switching to a different project now: build the invoice importer"},
		[]string{"", "hi", "ok", "continue", "what does memento have on this session?",
			"I am switching to a different project now", "Update the memento journal before we continue",
			"thanks!", "go on please", "weiter", "继续", "hm", "README", "x", "修复", "/clear", "👍"})
}

func TestShortQuestion(t *testing.T) {
	tellsApart(t, "ShortQuestion", IsShortQuestion, []string{"what is that?", "これは何？", " why? \n"},
		[]string{"fix it", "what? no", strings.Repeat("very ", 30) + "long?"})
}

func TestCloses(t *testing.T) {
	tellsApart(t, "Closes", Closes,
		[]string{"/clear", "I am switching to a different project now", "I'm switching to another repo.",
			"Let's switch to something else", "We're moving on to a new project now, thanks",
			"Switching to a different task: add CSV export", "Mission accomplished!", "we're done with this project",
			"I'm switching to a different project now.", "let's switch to another project",
			"ok, let's move on to something else", "moving to a new repo now",
			"switch to a completely different task please", "We are done with this mission.", "close the mission",
			"I am switching to a different project now: build the invoice importer",
			"Let's move on to another task. First, read the README."},
		[]string{"let me take a fresh start on the function", "don't switch to a different project",
			"should we move to a new project structure?", "Should we switch to a different project?",
			"Bug: the sidebar flickers while switching to another project.",
			"Fix: switching to another project now loses the selected tab",
			"I want to move to another repo for the icons", "The wizard should jump to a new task, then highlight it",
			"Let's switch to something else for the cache key: use the user id",
			"Make the end screen say:\nMission complete!\nAlso keep the score.", "Commit message:\nClose the mission",
			"switch to a different branch", "clear the cache",
			"do not move on to something else", "should we switch to a different project?",
			"let's switch to another project?", "let's move to a new project structure", "move to the next step",
			"switch to another branch", "switch to dark mode", "change to a different font",
			"the script should change to another repo and then run make",
			"I am going to another repository for the test data", "before we switch to a different project, commit",
			"if I say switch to a different project, stop", "never close the mission", "fix the close button",
			"the user said: I am switching to a different project now", "when the mission is over, tell me",
			"não vamos mudar de projeto", "wir wechseln nicht das Projekt", "move this function to a new file",
			"turn to another page of results", "run the tests. I am switching to a different project now"})
}

func TestLeaving(t *testing.T) {
	for s, want := range map[string]string{
		"I am switching to a different project now":                                                             "",
		"We're done with this project. I'm switching to a different task now: add CSV export, only for admins.": "add CSV export, only for admins.",
		"Mission accomplished! Now write the release notes.":                                                    "Now write the release notes.",
		"I am switching to a different project now: build the invoice importer":                                 "build the invoice importer",
		"Let's move on to another task. Read the README first. Never run it.":                                   "Read the README first. Never run it.",
		"We're done with this mission, thanks":                                                                  "",
		"close the mission\n```\nswitch to another project\n```\nand run the tests":                             "and run the tests",
		"fix the auth pipeline": "fix the auth pipeline",
		"Great, thanks, now let's switch to another project: read its README, please.": "read its README, please.",
		"ok, ": "ok,",
	} {
		if got := Leaving(s); got != want {
			t.Errorf("Leaving(%q) = %q, want %q", s, got, want)
		}
	}
}

func TestAsks(t *testing.T) {
	tellsApart(t, "AsksMemento", AsksMemento,
		[]string{"what does memento have on this session?", "What does memento know?", "show me the memento journal",
			"show memento", "memento status?", "what has memento saved?", "o que o memento tem?",
			"show memento state", "memento status", "what's in the memento journal?", "list what memento remembers",
			"does memento still have the constraint?", "memento?", "¿qué tiene memento?", "was weiß memento?",
			"memento 보여줘", "zeig memento journal"},
		[]string{"Write a Memento class that can save editor state and restore it",
			"What do you know about the movie Memento?", "Can you explain what the memento design pattern is about?",
			"add a test to memento's journal package", "what does this session have?",
			"Save the undo state with the memento pattern",
			"fix the memento hook", "implement the memento pattern?", "what is a momento?",
			"add a test for memento show", "which memento class holds the state?", "update the memento journal",
			"show me the journal",
			"what does memento have, and after that please deploy it to staging and tell me what went wrong there and why?",
			"Deploy to staging only. What does memento have on this session?"})
	tellsApart(t, "MentionsMemento", MentionsMemento,
		[]string{"what does memento have on this session?",
			"Deploy to staging only. What does memento have on this session?",
			"What does memento have?\nAnd never push to main, whatever the build says about the branch or its checks today."},
		[]string{"", "Deploy to staging only.", "add a test to memento's journal package",
			"Never force-push. Update the memento journal."})
	tellsApart(t, "AsksCheckpoint", AsksCheckpoint,
		[]string{"Update the memento journal before we continue", "save everything to memento",
			"Please write your progress into the memento journal.",
			"Update the memento journal before we continue, and from now on never push to main.",
			"please update memento", "checkpoint the memento journal", "record progress in memento",
			"First, update the memento journal. Then run the tests.", "atualiza o diário do memento",
			"aktualisiere das memento tagebuch"},
		[]string{"Write a Memento class", "update the README of memento", "memento", "save the file",
			"what does memento have?",
			"update the memento package", "write a memento test for the journal", "update the journal",
			"catch the error in the memento hook"})
}

func TestRule(t *testing.T) {
	tellsApart(t, "setsRule", setsRule,
		[]string{"Never touch the billing table.", "only deploy to staging", "don't use yarn",
			"Titles should be at most 20 words", "Make sure the tests pass", "Nunca altere o formato",
			"Bitte nur auf Deutsch antworten", "nicht die Tabelle ändern", "토큰 형식은 절대 바꾸지 마세요", "本番には絶対にデプロイしないで",
			"不要改动令牌格式",
			"don't change the token format", "Deploy to staging only.", "never force-push", "always rebase",
			"use PASETO instead of JWT", "title max 20 words", "do not touch prod", "make sure tests pass",
			"from now on answer in English", "you must not deploy", "keep all the colours", "nunca mexa no banco",
			"sem quebrar a API", "siempre usa tabs", "sin tocar producción", "niemals auf main pushen",
			"nur auf Staging", "ne jamais pousser sur main", "никогда не пушь", "테스트를 절대 건드리지 마세요",
			"本番に触らないでください、絶対", "不要更改令牌格式", "sadece staging"},
		[]string{"ok", "Fix the login", "What is the status?", "look at the branch", "",
			"fix the auth pipeline", "run it", "what is that?", "only", "look at CI", "corrige o login",
			strings.Repeat("never ", 100)})
}

func TestRules(t *testing.T) {
	log := "It fails like this:\n" +
		strings.Repeat("2026-01-05 10:00:01 worker ERROR could not open the file, it should not be empty\n", 20) +
		"    at run (/srv/app/index.js:20:3) should not happen\nFix it, but never restart the worker."
	if got, want := rulesIn(log), []string{"Fix it, but never restart the worker."}; !slices.Equal(got, want) {
		t.Errorf("of a pasted log the rules are %q, want %q", got, want)
	}
	many := "Never do a. Never do b. Never do c. Never do d. Never do e."
	if got := rulesIn(many); len(got) != 5 || got[len(got)-1] != "Never do e." {
		t.Errorf("of many rules there are %q", got)
	}
}

func TestSentences(t *testing.T) {
	got := Split("First one. Second, v1.2.3 of it!  Third?\n```\nnever code\n```\n- item\n最初の文。次の文！")
	want := []string{"First one.", "Second, v1.2.3 of it!", "Third?", "- item", "最初の文。", "次の文！"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestSentencesAreParts(t *testing.T) {
	for s, want := range map[string][]string{
		"":                              nil,
		"Fix auth. Staging only! Why?":  {"Fix auth.", "Staging only!", "Why?"},
		"one\n\n  two  \nthree.":        {"one", "two", "three."},
		"see auth.go and v1.2.3, ok?no": {"see auth.go and v1.2.3, ok?no"},
		"不要更改格式。只部署到预发布！好吗？行":                            {"不要更改格式。", "只部署到预发布！", "好吗？", "行"},
		"before\n```go\nnever. ever.\n```\nafter.\tlast": {"before", "after.", "last"},
		"a.\r\nb.":                              {"a.", "b."},
		"before\n~~~\nnever. ever.\n~~~\nafter": {"before", "after"},
		"see ```go x.go```\nand go on":          {"see ```go x.go```", "and go on"},
		"unclosed\n```\nnever. ever":            {"unclosed"},
	} {
		got := Split(s)
		if !slices.Equal(got, want) {
			t.Errorf("Split(%q) = %q, want %q", s, got, want)
		}
		for _, part := range got {
			if !strings.Contains(s, part) {
				t.Errorf("%q is no part of %q", part, s)
			}
		}
	}
}

func TestHeadline(t *testing.T) {
	short := "Fix the checkout: orders above 1,000 EUR are lost. Don't touch the tax tables."
	if head, rest := Headline(short, maxMission); head != short || rest != nil {
		t.Errorf("a short prompt is %q and %q", head, rest)
	}
	long := "Fix the checkout: orders above 1,000 EUR are lost. " +
		strings.Repeat("The cart adds up the lines and then the vouchers. ", 12) + "Never touch the tax tables. " +
		strings.Repeat("The vouchers come from the shop. ", 6) + "Tell me when it is done."
	head, rest := Headline(long, maxMission)
	if n := text.Runes(head); n > maxMission {
		t.Errorf("the mission has %d characters", n)
	}
	for _, want := range []string{"Fix the checkout: orders above 1,000 EUR are lost.", "Never touch the tax tables.",
		"Tell me when it is done."} {
		if !strings.Contains(head, want) && !slices.Contains(rest, want) {
			t.Errorf("%q is neither in the mission %q nor beside it %q", want, head, rest)
		}
	}
	for _, part := range strings.Split(head, text.Ellipsis) {
		if !strings.Contains(long, strings.TrimSpace(part)) {
			t.Errorf("%q was not typed", part)
		}
	}
}

// FuzzJudgements: whatever is typed, nothing panics, sentences and rules are parts of it, and a mission is made of its
// words.
func FuzzJudgements(f *testing.F) {
	for _, s := range []string{"continue", "I am switching to a different project now: fix it",
		"Never do that. 不要。\n```\nx\n```", "/deploy staging only", "/clear", "what does memento have?",
		strings.Repeat("word and word. ", 60), "\xff\x00 …"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		IsChatter(s)
		Continues(s, s)
		IsSubstantive(s)
		Closes(s)
		AsksMemento(s)
		AsksCheckpoint(s)
		IsCommand(s)
		for _, part := range slices.Concat(Split(s), rulesIn(s), []string{TypedPart(s)}) {
			if part == "" && s != "" || !strings.Contains(s, part) {
				t.Errorf("%q is no part of %q", part, s)
			}
		}
		head, _ := Headline(s, maxMission)
		if text.Runes(head) > maxMission {
			t.Errorf("the mission has %d characters", text.Runes(head))
		}
	})
}

func TestRulesOfMany(t *testing.T) {
	s := "Fix the auth pipeline. Never touch prod. Deploy to staging only.\n2026-03-14 09:26 ERROR must not be null\nat never.only(auth.js:47)\n$ always run this\nUse PASETO, always. Don't push."
	if got, want := rulesIn(s), []string{"Never touch prod.", "Deploy to staging only.", "Use PASETO, always.",
		"Don't push."}; !slices.Equal(got, want) {
		t.Errorf("Rules = %q, want %q", got, want)
	}
	if got := rulesIn("run it"); got != nil {
		t.Errorf("Rules = %q", got)
	}
}

// A long first prompt gives a mission of its own words: the opening, the end, the rules that fit.
func TestHeadlineOfLong(t *testing.T) {
	if head, rest := Headline("fix auth. Never touch prod.", maxMission); head != "fix auth. Never touch prod." ||
		rest != nil {
		t.Errorf("a short one is %q, %q", head, rest)
	}
	filler := strings.Repeat("The pipeline has many steps and each of them does something. ", 12)
	long := "Fix the auth pipeline. " + filler + "Never touch prod. " + filler + "Deploy to staging only. " + filler +
		"Tell me when it is finished."
	head, rest := Headline(long, maxMission)
	if text.Runes(head) > 400 || !strings.HasPrefix(head, "Fix the auth pipeline. The pipeline") ||
		!strings.Contains(head, "Tell me when it is finished.") || !strings.Contains(head, "Deploy to staging only.") ||
		!strings.HasSuffix(head, text.Ellipsis) {
		t.Errorf("the mission is %q", head)
	}
	for _, part := range strings.Split(head, text.Ellipsis) {
		if !strings.Contains(long, strings.TrimSpace(part)) {
			t.Errorf("%q was not typed", part)
		}
	}
	for _, rule := range []string{"Never touch prod.", "Deploy to staging only."} {
		if !strings.Contains(head, rule) && !slices.Contains(rest, rule) {
			t.Errorf("%q is neither in %q nor in %q", rule, head, rest)
		}
	}
	big := "Never " + strings.Repeat("ever ", 60) + "do it."
	head, rest = Headline(filler+big+" Fine", maxMission)
	if text.Runes(head) > 400 || !slices.Equal(rest, []string{big}) {
		t.Errorf("the mission is %q, rules beside it %q", head, rest)
	}
	if head, _ := Headline(strings.Repeat("修复认证管道", 200), maxMission); text.Runes(head) > 400 ||
		text.Runes(head) < 200 {
		t.Errorf("the mission is %q", head)
	}
}
