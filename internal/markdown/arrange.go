package markdown

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Arrange returns the keys for which has is set in an order for a merged list: the base's keys in the base's order,
// then the new ones. New keys of one side keep their order. The order of the two sides does not matter, nor in which
// order the lists of three machines are merged: a new key stands below the last one before it that is greater, and
// those that stand below the same key are sorted. So a key does not stand behind the base's key that it followed, since
// a third machine may not see that one.
func Arrange(base, local, remote []string, has map[string]bool) (out []string) {
	old := map[string]bool{}
	for _, k := range base {
		if has[k] && !old[k] {
			out = append(out, k)
		}
		old[k] = true
	}
	const none = "\x00" // less than every key above another, since no file holds a NUL
	below := map[string]string{}
	for _, side := range [2][]string{local, remote} {
		var greater []string // keys, each less than the one before
		for _, k := range side {
			if old[k] || !has[k] {
				continue
			}
			for len(greater) > 0 && greater[len(greater)-1] <= k {
				greater = greater[:len(greater)-1]
			}
			parent := none
			if len(greater) > 0 {
				parent = greater[len(greater)-1]
			}
			greater = append(greater, k)
			if was, seen := below[k]; !seen || parent < was {
				below[k] = parent
			}
		}
	}
	children := map[string][]string{}
	for _, k := range slices.Backward(slices.Sorted(maps.Keys(below))) {
		children[below[k]] = append(children[below[k]], k)
	}
	for todo := children[none]; len(todo) > 0; {
		k := todo[len(todo)-1]
		todo = append(todo[:len(todo)-1], children[k]...)
		out = append(out, k)
	}
	return out
}

// ArrangeBody is Arrange for the keys of a body's slots: what stands below a heading of the first level stays there,
// and a heading that stands there a second time follows the first.
func ArrangeBody(base, local, remote []string, has map[string]bool) (out []string) {
	for _, k := range slices.Collect(maps.Keys(has)) { // a part needs the heading above it, and the one before it
		for k = before(k); k != "" && !has[k]; k = before(k) {
			has[k] = true
		}
	}
	const parts = "\x00" // the group of the headings of the first level; a group is the key above else
	group := func(k string) string {
		parent, line := parentOf(k)
		if parent == "" && !strings.HasPrefix(line, "##") {
			return parts
		}
		return parent
	}
	groups := map[string]*[4][]string{}
	lists := [4][]string{base, local, remote, slices.Sorted(maps.Keys(has))}
	for i, list := range lists {
		for _, k := range list {
			if k == "" || number(k) > 1 {
				continue
			}
			g := group(k)
			if groups[g] == nil {
				groups[g] = &[4][]string{}
			}
			groups[g][i] = append(groups[g][i], k)
		}
	}
	arrange := func(g string, each func(k string)) {
		in := groups[g]
		if in == nil {
			return
		}
		present := map[string]bool{}
		for _, k := range in[3] {
			present[k] = true
		}
		for _, k := range Arrange(in[0], in[1], in[2], present) {
			for n := 1; has[numbered(k, n)]; n++ {
				out = append(out, numbered(k, n))
				each(numbered(k, n))
			}
		}
	}
	if has[""] {
		out = append(out, "")
	}
	none := func(string) {}
	arrange("", none)
	arrange(parts, func(part string) { arrange(part, none) })
	return out
}

// number returns which one of several equal headings a key names.
func number(key string) int {
	_, line := parentOf(key)
	_, digits, _ := strings.Cut(line, again)
	n, _ := strconv.Atoi(digits)
	return max(1, n)
}

// numbered returns the key of the nth heading that equals the one of key.
func numbered(key string, n int) string {
	if n == 1 {
		return key
	}
	return key + again + strconv.Itoa(n)
}

// before returns the key without which key cannot stand: of the equal heading before it, or of the heading above.
func before(key string) string {
	parent, line := parentOf(key)
	if n := number(key); n > 1 {
		line, _, _ = strings.Cut(line, again)
		if parent != "" {
			line = parent + under + line
		}
		return numbered(line, n-1)
	}
	return parent
}
