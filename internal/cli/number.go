package cli

import (
	"fmt"
	"hash/fnv"
)

// A number that a list shows has six digits. Two that share those six are shown with three more. A number below
// firstNumber counts from the beginning of the list.
const (
	firstNumber = 100_000
	moreDigits  = 1_000
)

// number returns all nine digits of the number of what has these parts. It is a hash, so that the number stays whatever
// else the list gains and loses.
func number(parts ...string) int {
	h := fnv.New64a()
	for _, part := range parts {
		h.Write([]byte(part + "\x00"))
	}
	return firstNumber*moreDigits + int(h.Sum64()%(9*firstNumber*moreDigits))
}

// shownNumbers returns numbers as a person sees them: six digits, or nine where six are shared.
func shownNumbers(whole []int) []int {
	out, others := make([]int, len(whole)), map[int]int{}
	for _, n := range whole {
		if other, ok := others[n/moreDigits]; ok && other != n {
			others[n/moreDigits] = 0 // shared
		} else {
			others[n/moreDigits] = n
		}
	}
	for i, n := range whole {
		if out[i] = n; others[n/moreDigits] == n {
			out[i] = n / moreDigits
		}
	}
	return out
}

// withNumber returns of a list, which the command look prints, the entry with the number n, or the n-th. thing is what
// an entry is called.
func withNumber[T any](list []T, whole func(T) int, n int, thing, look string) (found T, err error) {
	if n < firstNumber {
		if n > len(list) {
			return found, hinted(upTo(look, len(list)), "no %s %d", thing, n)
		}
		return list[n-1], nil
	}
	was := 0
	for _, one := range list {
		number := whole(one)
		if number != n && number/moreDigits != n {
			continue
		}
		if was != 0 && was != number {
			return found, hinted(look+" shows longer numbers", "more than one %s has the number %d", thing, n)
		}
		found, was = one, number
	}
	if was == 0 {
		return found, hinted(look, "no %s %d", thing, n)
	}
	return found, nil
}

// upTo is the hint that the command look lists n entries, which count from 1.
func upTo(look string, n int) string {
	switch n {
	case 0:
		return look + " lists none"
	case 1:
		return look + " lists 1"
	}
	return fmt.Sprintf("%s lists 1 to %d", look, n)
}
