package text

import "testing"

func FuzzFolds(f *testing.F) {
	f.Add("Don't  push\n", "don't PUSH")
	f.Add(" \"größer\" ", "GRÖSSER")
	f.Add("a b", "a")
	f.Add("a", "a b")
	f.Add(" ", "")
	f.Add("\xff\xfe", "\ufffd\ufffd")
	f.Add("İ", "i̇")
	f.Fuzz(func(t *testing.T, s, other string) {
		if !Folds(s, Fold(s)) {
			t.Errorf("%q is not %q", s, Fold(s))
		}
		if got, want := Folds(s, Fold(other)), Fold(s) == Fold(other); got != want {
			t.Errorf("%q as %q: %v, want %v", s, other, got, want)
		}
	})
}
