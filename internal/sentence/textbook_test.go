package sentence

import "testing"

// TestTextbookRules: what is plainly put as a rule, a decision or a fact for the project or the person is sure at once.
func TestTextbookRules(t *testing.T) {
	sentences := []string{
		"Always use tabs for indentation in this project.", "Never deploy the shop on Fridays.", "No deploys on Fridays.",
		"Use pnpm, not npm, in this repository.", "Always run the tests with make check before you commit.",
		"In this project we use pnpm instead of npm.", "Never push to main.", "From now on, answer in short sentences.",
		"The staging database runs at db.example.org:5433.", "We decided to keep the v1 API until 2027.",
		"In this repo the tests are run with make check.", "Do not commit without asking me first.",
		"I told you, never touch the generated files.", "Please always write commit messages in English.",
		"Don't ever use force push here.", "All dates are stored in UTC in this project.",
		"Antworte immer auf Deutsch.", "Schreibe Commit-Nachrichten immer auf Englisch.", "In diesem Projekt nutzen wir pnpm statt npm.",
		"Ab jetzt keine Emojis mehr in Commit-Nachrichten.", "Nie direkt auf main pushen.", "Wir haben beschlossen, die alte API bis 2027 zu behalten.",
		"Committe nie, ohne mich zu fragen.",
		"Sempre rode os testes antes de commitar.", "Nunca faça push direto na main.", "Neste projeto usamos pnpm em vez de npm.",
		"A partir de agora, responda sempre em português.", "Decidimos manter a API v1 até 2027.",
		"Responde siempre en español.", "Nunca subas cambios directamente a main.", "En este proyecto usamos pnpm, no npm.",
		"A partir de ahora escribe los commits en inglés.", "Hemos decidido mantener la API v1 hasta 2027.",
		"Réponds toujours en français.", "Ne pousse jamais directement sur main.", "Dans ce projet, on utilise pnpm et pas npm.",
		"Désormais, écris les messages de commit en anglais.", "Nous avons décidé de garder l'API v1 jusqu'en 2027.",
		"Rispondi sempre in italiano.", "Non fare mai push su main.", "In questo progetto usiamo pnpm, non npm.",
		"テストは必ず make check で実行してください。", "mainには絶対にpushしないでください。", "このプロジェクトでは npm ではなく pnpm を使ってください。",
		"今後は日本語で回答してください。", "v1のAPIは2027年まで残すことにしました。",
		"항상 한국어로 답변해 주세요.", "main에는 절대 push하지 마세요.", "이 프로젝트에서는 npm 말고 pnpm을 사용하세요.", "앞으로 커밋 메시지는 영어로 작성해 주세요.",
		"请始终用中文回答。", "绝对不要直接推送到 main。", "本项目使用 pnpm，不要用 npm。", "以后提交信息都用英文写。", "我们决定把 v1 接口保留到 2027 年。",
		"Her zaman Türkçe cevap ver.", "main'e asla push yapma.", "Bu projede npm yerine pnpm kullanıyoruz.", "Bundan sonra commit mesajlarını İngilizce yaz.",
		"Всегда отвечай на русском.", "Никогда не пушь в main.", "В этом проекте используем pnpm, а не npm.", "С этого момента пиши коммиты на английском.",
		"Antwoord altijd in het Nederlands.", "Odpowiadaj zawsze po polsku.",
	}
	missed := 0
	for _, s := range sentences {
		sure := -100
		for _, c := range Candidates(s, false) {
			sure = max(sure, c.Sure)
		}
		if sure < SureEnough {
			missed++
			t.Logf("%d %q", sure, s)
		}
	}
	if missed > len(sentences)/20 {
		t.Errorf("%d of %d are not sure", missed, len(sentences))
	}
}
