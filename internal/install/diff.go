package install

import (
	"fmt"
	"slices"
	"strings"
)

// context is how many unchanged lines stand around a change.
const context = 3

// maxEdits bounds how many lines may differ before the whole is shown as replaced: the search takes the square of it.
const maxEdits = 2000

// diff returns what turns old into new as a unified diff, as diff -u and patch have it; "" when they are equal. A nil side is
// a file that is not there.
func diff(path string, old, new []byte) string {
	if string(old) == string(new) && (old == nil) == (new == nil) {
		return ""
	}
	from, to := path, path
	if old == nil {
		from = "/dev/null"
	}
	if new == nil {
		to = "/dev/null"
	}
	a, b := lines(old), lines(new)
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", from, to)
	script := compare(a, b)
	for i := 0; i < len(script); {
		if script[i].op == ' ' {
			i++
			continue
		}
		start, end := max(0, i-context), i
		for next := i; next < len(script) && next-end <= 2*context; next++ {
			if script[next].op != ' ' {
				end = next
			}
		}
		end = min(len(script), end+1+context)
		hunk(&out, script[start:end])
		i = end
	}
	return out.String()
}

// step is one line of a comparison: ' ' is in both, '-' in the old only, '+' in the new only; a and b count the lines of each
// side before it.
type step struct {
	op   byte
	line string
	a, b int
}

func hunk(out *strings.Builder, steps []step) {
	na, nb := 0, 0
	for _, s := range steps {
		if s.op != '+' {
			na++
		}
		if s.op != '-' {
			nb++
		}
	}
	fmt.Fprintf(out, "@@ -%s +%s @@\n", extent(steps[0].a, na), extent(steps[0].b, nb))
	for _, s := range steps {
		out.WriteByte(s.op)
		out.WriteString(s.line)
		if !strings.HasSuffix(s.line, "\n") {
			out.WriteString("\n\\ No newline at end of file\n")
		}
	}
}

// extent says where n lines stand that have before lines above them.
func extent(before, n int) string {
	switch n {
	case 0:
		return fmt.Sprintf("%d,0", before)
	case 1:
		return fmt.Sprintf("%d", before+1)
	}
	return fmt.Sprintf("%d,%d", before+1, n)
}

func lines(data []byte) []string {
	if len(data) == 0 {
		return nil
	}
	all := strings.SplitAfter(string(data), "\n")
	if all[len(all)-1] == "" {
		all = all[:len(all)-1]
	}
	return all
}

// compare returns the shortest way from a to b (Myers), or, past maxEdits, one that is merely right.
func compare(a, b []string) []step {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	var script []step
	x, y := 0, 0
	add := func(op byte, n int) {
		for range n {
			s := step{op: op, a: x, b: y}
			if op == '+' {
				s.line = b[y]
			} else {
				s.line = a[x]
			}
			if op != '+' {
				x++
			}
			if op != '-' {
				y++
			}
			script = append(script, s)
		}
	}
	add(' ', head)
	for _, op := range middle(a[head:len(a)-tail], b[head:len(b)-tail]) {
		add(op, 1)
	}
	add(' ', tail)
	return script
}

// middle returns the operations from a to b.
func middle(a, b []string) []byte {
	n, m := len(a), len(b)
	reach := map[int]int{1: 0} // how far along a each diagonal got
	var trace [][]int          // the same after each number of edits
	for d := 0; d <= min(n+m, maxEdits); d++ {
		row := make([]int, 2*d+1)
		for k := -d; k <= d; k += 2 {
			x := reach[k-1] + 1
			if k == -d || k != d && reach[k-1] < reach[k+1] {
				x = reach[k+1]
			}
			for x < n && x-k < m && a[x] == b[x-k] {
				x++
			}
			reach[k], row[k+d] = x, x
			if x >= n && x-k >= m {
				return walk(append(trace, row), n, m)
			}
		}
		trace = append(trace, row)
	}
	return []byte(strings.Repeat("-", n) + strings.Repeat("+", m))
}

// walk goes back through the trace from the ends of both sides, x and y, to their beginnings.
func walk(trace [][]int, x, y int) []byte {
	var ops []byte
	for d := len(trace) - 1; d > 0; d-- {
		before := func(k int) int { return trace[d-1][k+d-1] }
		op, k := byte('-'), x-y
		if k == -d || k != d && before(k-1) < before(k+1) {
			op, k = '+', k+1
		} else {
			k--
		}
		px := before(k)
		for x > px && y > px-k {
			ops = append(ops, ' ')
			x, y = x-1, y-1
		}
		ops = append(ops, op)
		x, y = px, px-k
	}
	ops = append(ops, strings.Repeat(" ", x)...)
	slices.Reverse(ops)
	return ops
}
