package cli

import "hash/fnv"

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

// withNumber returns of what the command look lists the one with the number n, or the n-th.
func withNumber[T any](list []T, whole func(T) int, n int, look string) (found T, err error) {
	if n < firstNumber {
		if n > len(list) {
			return found, hinted(look, "there is no number %d; %s has %d", n, look, len(list))
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
			return found, hinted(look, "several lines have the number %d; %s shows longer ones", n, look)
		}
		found, was = one, number
	}
	if was == 0 {
		return found, hinted(look, "there is no number %d in %s", n, look)
	}
	return found, nil
}
