package sentence

import "testing"

// A later sentence that changes the speaker's mind, or says the contrary of the same thing, takes the earlier one back.
func TestTakesBack(t *testing.T) {
	for _, tt := range []struct {
		earlier, later string
		want           bool
	}{
		{"Add a dark mode to the settings page.", "After all, no dark mode.", true},
		{"Cache the exchange rates for an hour", "on second thought, don't cache the exchange rates", true},
		{"never use semicolons in the scripts", "actually do use semicolons", true},
		{"Listen on port 3000", "Actually use port 4100", true},
		{"send a mail to the owner", "remove the mail to the owner", true},
		{"Bau einen Export als PDF ein", "Den Export als PDF doch nicht", true},
		{"Adicione um modo escuro nas configurações", "pensando bem, não quero modo escuro", true},
		{"Añade notificaciones por correo", "al final sin notificaciones por correo", true},
		{"Ajoute un mode sombre", "finalement pas de mode sombre", true},
		{"設定画面にダークモードを追加してください", "やっぱりダークモードはなしで", true},
		{"ログインにキャプチャを入れて", "キャプチャはいらないです", true},
		{"설정 화면에 다크 모드를 추가해 줘", "역시 다크 모드는 빼 줘", true},
		{"给设置页面加上深色模式", "算了,不要深色模式", true},
		{"ayarlara karanlık mod ekle", "aslında karanlık mod istemiyorum", true},
		{"добавь тёмную тему", "на самом деле тёмную тему не надо", true},

		{"Add a dark mode to the settings page.", "Add a light mode to the settings page.", false},
		{"Add a dark mode", "never push to main", false},
		{"No jQuery in the widgets", "no jQuery in the admin pages either", false},
		{"Add a dark mode", "never mind", false},
		{"Add the agent's name to the log", "no, the agent's name stands in the log", false},
		{"設定画面にダークモードを追加して", "テストを追加して", false},
	} {
		if got := stanceOf(tt.later).takesBack(stanceOf(tt.earlier)); got != tt.want {
			t.Errorf("%q takes back %q: %v, want %v", tt.later, tt.earlier, got, tt.want)
		}
	}
}

// A rule that names nothing itself points at the sentence before it.
func TestPointsBack(t *testing.T) {
	for words, want := range map[string]bool{
		"so let's not do that again":      true,
		"do it like this from now on":     true,
		"Always do it that way.":          true,
		"never do that":                   true,
		"mach das nicht noch mal":         true,
		"ab jetzt immer so":               true,
		"não faça isso de novo":           true,
		"hazlo así de ahora en adelante":  true,
		"ne fais plus ça":                 true,
		"bundan sonra böyle yap":          true,
		"больше так не делай":             true,
		"今後はこうしてください":                     true,
		"앞으로는 이렇게 해 줘":                    true,
		"以后都这样做":                          true,
		"never push to main":              false,
		"don't touch this repository":     false,
		"use tabs in the generated files": false,
		"so the exporter must not block":  false,
		"why did you do that?":            false,
		"今後はコミットメッセージを日本語で書いてください":              false,
		"always run the linter before a commit": false,
	} {
		if got := PointsBack(words); got != want {
			t.Errorf("PointsBack(%q) = %v, want %v", words, got, want)
		}
	}
}
