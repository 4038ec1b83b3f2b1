package install

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
)

func TestDiff(t *testing.T) {
	t.Parallel()
	ten := "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"
	tests := []struct {
		name     string
		old, new []byte
		want     string
	}{
		{"equal", []byte(ten), []byte(ten), ""},
		{"created", nil, []byte("a\nb"), "--- /dev/null\n+++ f\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of " +
			"file\n"},
		{"deleted", []byte("a\n"), nil, "--- f\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n"},
		{"made empty", []byte("a\n"), []byte{}, "--- f\n+++ f\n@@ -1,1 +0,0 @@\n-a\n"},
		{"in the middle", []byte(ten), []byte(strings.Replace(ten, "5\n", "five\n", 1)),
			"--- f\n+++ f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"},
		{"at both ends", []byte(ten), []byte("0\n" + ten + "11\n"),
			"--- f\n+++ f\n@@ -1,3 +1,4 @@\n+0\n 1\n 2\n 3\n@@ -8,3 +9,4 @@\n 8\n 9\n 10\n+11\n"},
		{"a newline at the end", []byte("a"), []byte("a\n"),
			"--- f\n+++ f\n@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n"},
		{"CRLF", []byte("a\r\nb\r\n"), []byte("a\r\nc\r\n"), "--- f\n+++ f\n@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := fileDiff("f", tt.old, tt.new); got != tt.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, tt.want)
			}
		})
	}
}

// TestTheDiffCanBeApplied reads the diff as patch does, by the numbers in its headings.
func TestTheDiffCanBeApplied(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewSource(2))
	for range 200 {
		var a, b strings.Builder
		for i := range 40 {
			switch line := fmt.Sprintln("line", i); r.Intn(8) {
			case 0:
				a.WriteString(line)
			case 1:
				b.WriteString(line)
			default:
				a.WriteString(line)
				b.WriteString(line)
			}
		}
		shown := fileDiff("f", []byte(a.String()), []byte(b.String()))
		if got := patch(t, a.String(), shown); got != b.String() {
			t.Fatalf("%s\nmakes of:\n%s\nthis:\n%s", shown, a.String(), got)
		}
	}
}

func patch(t *testing.T, old, shown string) string {
	t.Helper()
	from := strings.SplitAfter(old, "\n")
	var out strings.Builder
	at := 0
	for _, line := range strings.SplitAfter(shown, "\n") {
		var start, n int
		switch {
		case line == "" || strings.HasPrefix(line, "---") || strings.HasPrefix(line, "+++"):
		case strings.HasPrefix(line, "@@"):
			extent, _, _ := strings.Cut(strings.TrimPrefix(line, "@@ -"), " ")
			if k, _ := fmt.Sscanf(extent, "%d,%d", &start, &n); k < 2 {
				n = 1
			}
			if n > 0 {
				start--
			}
			for ; at < start; at++ {
				out.WriteString(from[at])
			}
		case line[0] == '+':
			out.WriteString(line[1:])
		default:
			if from[at] != line[1:] {
				t.Fatalf("line %d is %q, and not %q of:\n%s", at+1, from[at], line[1:], shown)
			}
			if at++; line[0] == ' ' {
				out.WriteString(line[1:])
			}
		}
	}
	for ; at < len(from); at++ {
		out.WriteString(from[at])
	}
	return out.String()
}
