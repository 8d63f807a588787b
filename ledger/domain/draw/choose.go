package draw

import "slices"

// Choose answers n of the numbers 0 to of−1, in order; all of them where there are no more. Each choice of n is as
// likely as the other. They are the first n of a Fisher–Yates shuffle: with i from 0 up, number i changes places with i
// plus the next word modulo of−i. The words are those of Order.
func Choose(seed [32]byte, of, n int) []int {
	n = max(0, min(n, of))
	chosen, moved := make([]int, n), map[int]int{} // Only what was moved is kept: of may be much more than n.
	at := func(i int) int {
		if number, is := moved[i]; is {
			return number
		}
		return i
	}
	from := words{seed: seed}
	for i := range chosen {
		j := i + int(from.below(uint64(of-i)))
		chosen[i], moved[j] = at(j), at(i)
	}
	slices.Sort(chosen)
	return chosen
}
