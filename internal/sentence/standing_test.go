package sentence

import (
	"fmt"
	"strings"
	"testing"
)

// TestStandsAlone has sentences that outlive their session though they were said once, each beside one about the same
// thing that holds for the task in hand.
func TestStandsAlone(t *testing.T) {
	for _, c := range []struct{ lang, stands, passes string }{
		{"en", "Always run the linter before you commit.", "Don't commit yet, the build is still red."},
		{"en", "From now on write the release notes in British English.", "Write the release notes for this tag now."},
		{"en", "Never put customer names into log messages.", "Remove the customer name from this log line."},
		{"en", "Every endpoint must check the tenant's id.", "The endpoint should check the id in this case."},
		{"en", "Remember that the mobile app cannot be updated at once.", "I remember seeing this on the mobile app."},
		{"en", "The staging database runs on db.harbor.local:5433.", "More at https://ci.harbor.local/runs/48121."},
		{"en", "I prefer short answers without a summary.", "I prefer the second option."},
		{"en", "Do not add a dependency without asking me.", "please don't push until I tell you"},
		{"en", "use bun instead of npm", "use the existing helper instead of writing a new one"},
		{"en", "Remember to always add a migration.", "remember to close the ticket afterwards"},
		{"en", "I told you, never force-push.", "I told you to revert it"},
		{"en", "our database runs on port 5433", "use port 3001 instead"},
		{"en", "before each release, bump the chart version", "every time I click save, the page reloads"},
		{"en", "answers should be short", "make the caption shorter"},
		{"en", "don't use Docker for the tests", "don't use the old class in this test"},
		{"en", "Never deploy from a laptop.", "The crane's report never came through."},
		{"en", "Keep in mind that a depot may have no manager.", "In the picture it is shown to remember the depot."},
		{"en", "We should not call the ledger from the app.", "We do not need to call the ledger."},
		{"en", "Remember that ports are numbers.", "Possibly we must always pass the port."},
		{"en", "The ledger listens on port 5433.", "kill whatever is on port 5433"},
		{"fr", "Réponds toujours par une liste.", "La carte n'apparaît toujours pas"},
		{"pl", "Zawsze pisz testy.", "Serwer nie działa"},
		{"zh", "永远不要删除数据。", "你一直在运行测试"},
		{"ja", "curlは使わないでください。", "このクラスは使わないで"},
		{"ko", "curl은 사용하지 마세요.", "이 테스트에서는 쓰지 마"},
		{"zh", "不要用curl。", "这个测试先不要用"},
		{"de", "Schreib Commit-Nachrichten immer auf Englisch.", "Schreib jetzt die Commit-Nachricht für diesen Fix."},
		{"de", "Denk daran, dass Kundendaten nie ins Log dürfen.", "Nimm den Namen hier aus dem Log."},
		{"de", "Wir nutzen pnpm statt npm.", "Nutze dafür die vorhandene Klasse."},
		{"pt", "Sempre valide os campos no servidor antes de salvar.", "Valide esse campo agora."},
		{"pt", "Lembrando que cada loja tem apenas um gerente.", "Não faça o deploy ainda."},
		{"pt", "Usamos pnpm em vez de npm.", "Use a classe que já existe."},
		{"es", "Nunca subas credenciales al repositorio.", "No subas esto todavía."},
		{"es", "A partir de ahora responde siempre en español.", "Responde a este comentario ahora."},
		{"fr", "Toujours écrire un test avant de corriger un bug.", "Corrige ce test maintenant."},
		{"fr", "Désormais, les montants sont en centimes partout.", "Change ces montants pour l'instant."},
		{"tr", "Bundan sonra her zaman Türkçe cevap ver.", "Şimdi bu dosyayı düzelt."},
		{"tr", "Üretim veritabanına asla doğrudan bağlanma.", "Bu testi şimdilik atla."},
		{"tr", "npm yerine pnpm kullan", "Bu sınıfı kullan"},
		{"ja", "コミットメッセージは必ず英語で書いてください。", "今はまだコミットしないでください。"},
		{"ja", "今後は本番のデータベースを直接触らないでください。", "このテストだけ直してください。"},
		{"ja", "npmではなくpnpmを使ってください。", "テストは変更しないで"},
		{"ko", "커밋 메시지는 항상 영어로 작성해 주세요.", "지금은 이 파일만 고쳐줘."},
		{"ko", "앞으로 운영 데이터베이스에 직접 접속하지 마세요.", "아직 커밋하지 마세요."},
		{"ko", "npm 말고 pnpm을 사용해 주세요.", "테스트는 건드리지 마"},
		{"zh", "以后提交信息一律用英文写。", "先不要提交这个改动。"},
		{"zh", "永远不要直接修改生产数据库。", "现在只修这个测试。"},
		{"ru", "Никогда не меняй схему без миграции.", "Сейчас исправь этот тест."},
	} {
		if got := sureOf(c.stands); got < SureEnough {
			t.Errorf("%s: %q is %d %% sure, want at least %d", c.lang, c.stands, got, SureEnough)
		}
		if got := sureOf(c.passes); got >= SureEnough {
			t.Errorf("%s: %q is %d %% sure, want less than %d", c.lang, c.passes, got, SureEnough)
		}
	}
}

// sureOf returns how sure the surest sentence of a message is.
func sureOf(message string) int {
	sure := -100
	for _, c := range Candidates(message, false) {
		sure = max(sure, c.Sure)
	}
	return sure
}

// inSessions returns what the messages hold, each said in a session of its own, a day after the one before.
func inSessions(messages ...string) (out []Occurrence) {
	for n, m := range messages {
		for _, c := range Candidates(m, false) {
			out = append(out, Occurrence{c, fmt.Sprint("session ", n), fmt.Sprintf("2026-03-%02dT10:00:00Z", n+1)})
		}
	}
	return out
}

// TestSaidAgain has requests that become habits because several sessions hear them, and messages that do not.
func TestSaidAgain(t *testing.T) {
	paste := "The deployment of the parcel service needs the new certificate of the harbour gateway to be mounted."
	for _, c := range []struct {
		stands   bool
		messages []string
	}{
		{true, []string{"bump the chart version as well", "deploy it and bump the chart version", "please bump chart version"}},
		{true, []string{"aktualisiere die Übersetzungen", "und aktualisiere bitte die Übersetzung", "Übersetzungen aktualisieren"}},
		{true, []string{"atualize o diagrama da arquitetura", "e atualize também o diagrama de arquitetura", "atualize o diagrama da arquitetura por favor"}},
		{true, []string{"actualiza el diagrama de arquitectura", "actualiza también el diagrama de la arquitectura", "actualiza el diagrama de la arquitectura por favor"}},
		{true, []string{"mets à jour le schéma de la base", "et mets aussi à jour le schéma de la base", "mets à jour le schéma de la base stp"}},
		{true, []string{"翻訳ファイルも更新して", "翻訳ファイルの更新もお願いします", "翻訳ファイルを更新してください"}},
		{true, []string{"번역 파일도 업데이트해줘", "번역 파일 업데이트 부탁해요", "번역 파일 업데이트해줘"}},
		{true, []string{"更新一下翻译文件", "也请更新翻译文件", "请更新翻译文件"}},
		{true, []string{"mimari diyagramı güncelle", "mimari diyagramını da güncelle lütfen", "mimari diyagramını güncelle"}},
		{false, []string{"commit and push", "commit, then push", "commit and push it"}},
		{false, []string{"コミットしてプッシュして", "コミットとプッシュをお願い"}},
		{false, []string{"add a price column to the invoice table", "fix the tax rounding of the invoice"}},
		{false, []string{"the login page still fails", "the login page fails again"}},
		{false, []string{"look at https://git.harbor.dev/shop/issues/42", "continue https://git.harbor.dev/shop/issues/42"}},
		{false, []string{paste, paste, paste}},
		{false, []string{"awesome, let's get started", "ok, let's get started", "let's get started on it"}},
		{false, []string{"add the tax table to ledger.go", "also add the tax table to ledger.go", "add tax table to ledger.go"}},
		{false, []string{"I am going to open a new window", "I am going to open a new window now"}},
		{false, []string{"the crane's list has names; sorts them", "it has names; sorts them"}},
	} {
		got := Stand(inSessions(c.messages...), 0)
		if stands := len(got) > 0; stands != c.stands {
			t.Errorf("%q: stands %v, want %v: %+v", c.messages, stands, c.stands, got)
			continue
		}
		if n := len(c.messages); c.stands && (got[0].Kind != KindHabit || got[0].Sessions != n || got[0].Times != n) {
			t.Errorf("%q: %s, %d times in %d sessions", c.messages, got[0].Kind, got[0].Times, got[0].Sessions)
		}
	}
}

func TestPromptTriedAgainIsNoHabit(t *testing.T) {
	said := inSessions("move the tax table to the ledger", "move the tax table to the ledger")
	for n := range said {
		said[n].At = fmt.Sprintf("2026-03-01T10:%02d:00Z", 10*n)
	}
	if got := Stand(said, 0); len(got) > 0 {
		t.Errorf("a prompt that was tried again stands: %+v", got)
	}
}

// TestMessageSentAgainIsNoHabit has a message that is sent whole in each session: nobody types it again.
func TestMessageSentAgainIsNoHabit(t *testing.T) {
	sent := "List the open parcels. Draw the route of each van. Write the summary of the day."
	if got := Stand(inSessions(sent, sent, sent, sent), 0); len(got) > 0 {
		t.Errorf("got %+v", got)
	}
	typed := "Draw the route of each van."
	if got := Stand(inSessions(typed, typed, typed, typed), 0); len(got) != 1 || got[0].Sessions != 4 {
		t.Errorf("got %+v", got)
	}
}

// TestRareRequestIsNoHabit has a request that several sessions hear, among many that do not.
func TestRareRequestIsNoHabit(t *testing.T) {
	messages := []string{"draw the route of the vans", "please draw the route of the vans", "draw the route of the vans again"}
	if got := Stand(inSessions(messages...), 0); len(got) != 1 {
		t.Fatalf("got %+v", got)
	}
	for n := range 20 {
		messages = append(messages, fmt.Sprintf("add column%d to table%d", n, n))
	}
	if got := Stand(inSessions(messages...), 0); len(got) != 0 {
		t.Errorf("got %+v", got)
	}
}

func TestPastedTextHasNoCandidates(t *testing.T) {
	for _, message := range []string{
		"Implement the following plan:\n\n# Plan: tax table\n\n## Rules\n- Always round half up.\n- Never store floats.\n",
		"```\n# never edit this file\nalways run make\n```",
		"| rule | value |\n|---|---|\n| always round | up |\n| never store | floats |",
		strings.Repeat("Every request must carry the tenant's id and must never be cached.\n", 20),
		"[INFO] worker started, always retrying http://localhost:8080/jobs\n[INFO] never mind",
	} {
		if got := Candidates(message, false); len(got) > 0 {
			t.Errorf("%.40q has the candidate %q", message, got[0].Text)
		}
	}
	if got := Candidates("Always use the first one.", true); got != nil {
		t.Errorf("the answer to a question has the candidate %q", got[0].Text)
	}
}

func TestWordsAroundPastedTextAreHeard(t *testing.T) {
	log := strings.Repeat("GET /parcels 200 14ms\n", 30)
	got := Candidates("The log of the gateway:\n\n"+log+"\nNever log the customer's address.", false)
	if len(got) != 1 || got[0].Text != "Never log the customer's address." {
		t.Errorf("got %+v", got)
	}
}

func TestLongSentenceIsJudgedByItsClauses(t *testing.T) {
	got := Candidates("Build the parcel overview with the filter for regions and the export to a spreadsheet, "+
		"remember that each depot has exactly one manager, and show the totals per day at the end", false)
	if len(got) != 1 || got[0].Text != "remember that each depot has exactly one manager" || got[0].Sure < SureEnough {
		t.Errorf("got %+v", got)
	}
}

func TestOfContrarySentencesTheNewerStandsFirst(t *testing.T) {
	got := Stand(inSessions(
		"Always squash the commits of a feature branch before merging.",
		"Never squash the commits of a feature branch before merging."), 0)
	if len(got) != 2 || !strings.HasPrefix(got[0].Text, "Never") || got[0].Older || !got[1].Older {
		t.Errorf("got %+v", got)
	}
	got = Stand(inSessions("Always squash the commits of a feature branch.",
		"don't squash the commits of this feature branch now"), 0)
	if len(got) != 1 || got[0].Older {
		t.Errorf("an exception for once contradicts a rule: %+v", got)
	}
}

func TestPlaceIsSaidAgainInOtherWords(t *testing.T) {
	got := Stand(inSessions("connect to postgres on localhost:54322", "see the orders in localhost:54322 please"), 0)
	if len(got) != 1 || got[0].Kind != KindFact || got[0].Sessions != 2 {
		t.Errorf("got %+v", got)
	}
}

func TestNewestAddressSpeaks(t *testing.T) {
	got := Stand(inSessions("The staging database runs on db.harbor.local:5433.",
		"The staging database runs on db.harbor.local:5499."), 0)
	if len(got) != 1 || !strings.Contains(got[0].Text, "5499") || got[0].Kind != KindFact {
		t.Errorf("got %+v", got)
	}
}

// TestWishToBeBrief has one wish in many words: it is about the person, and stands once.
func TestWishToBeBrief(t *testing.T) {
	got := Stand(inSessions("Please explain concisely what the gateway does.", "Be concise.", "reply as concisely as you can"), 0)
	if len(got) != 1 || !got[0].User || got[0].Sessions != 3 {
		t.Errorf("got %+v", got)
	}
}

func TestWhatIsNotSaidAgainFades(t *testing.T) {
	messages := []string{"we should not show the depot's costs to drivers", "Never put customer names into log messages."}
	for n := range 40 {
		messages = append(messages, fmt.Sprintf("add column%d to table%d", n, n))
	}
	got := Stand(inSessions(messages...), 0)
	if len(got) != 1 || !strings.HasPrefix(got[0].Text, "Never") {
		t.Errorf("after 40 sessions stand %+v", got)
	}
	if got := Stand(inSessions(messages[:2]...), 0); len(got) != 2 {
		t.Errorf("at once stand %+v", got)
	}
	if got := Stand(inSessions(messages[:2]...), 1); len(got) != 1 {
		t.Errorf("with a limit of one stand %+v", got)
	}
}

func TestNewestKeepsWhatIsSure(t *testing.T) {
	said := inSessions("Never put customer names into log messages.", "add a price column", "add a tax column")
	if got := Newest(said, 2); len(got) != 2 || got[0].Sure < SureEnough || got[1].Text != "add a tax column" {
		t.Errorf("got %+v", got)
	}
	if got := Newest(said, 5); len(got) != 3 {
		t.Errorf("got %+v", got)
	}
}

func TestAddressOutlivesItsTask(t *testing.T) {
	for s, want := range map[string]address{
		"postgres://app@db.harbor.local:5432/shop":  stays,
		"http://localhost:3000/invoices?tab=1":      stays,
		"https://staging.harbor.dev/api":            stays,
		"https://git.harbor.dev/shop/issues/42":     passes,
		"https://board.harbor.dev/browse/SHOP-42":   passes,
		"/tmp/upload/log.txt":                       passes,
		"/srv/harbor/config":                        stays,
		"10.0.0.7:8080":                             stays,
		"the queue listens on port 5433":            stays,
		"kill whatever is on port 5433":             nowhere,
		"see main.go:120 and either/or, at 10:30":   nowhere,
		"git@git.harbor.dev:shop/api.git is a fork": stays,
	} {
		if got := addressIn(s); got != want {
			t.Errorf("addressIn(%q) = %d, want %d", s, got, want)
		}
	}
}

// FuzzCandidates checks that a candidate is a part of its message, but for white space, and can be put together.
func FuzzCandidates(f *testing.F) {
	f.Add("Always run the linter before you commit, and never push to main.\nコミットは必ず英語で。 항상 영어로")
	f.Add("a (b, c) — " + strings.Repeat("long clause, ", 40))
	f.Fuzz(func(t *testing.T, message string) {
		whole := strings.Join(strings.Fields(message), " ")
		for _, o := range inSessions(message) {
			if len(message) < MaxLooked && !strings.Contains(whole, o.Text) {
				t.Errorf("%q is no part of %q", o.Text, message)
			}
			if len(o.Words)%wordLen != 0 || o.Words == "" {
				t.Errorf("fingerprint %q of %q", o.Words, o.Text)
			}
		}
		Stand(inSessions(message, message), 0)
	})
}
