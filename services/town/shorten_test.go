package town

import (
	"errors"
	"maps"
	"slices"
)

// Shorten leaves acts out of a failing year as long as it still fails: first all that were refused, then halves of
// what is left, then ever smaller parts. fails plays the year once more without some acts. It answers the acts that are
// left out, and how often it played. It ends early when stop says so.
func Shorten(year *Town, fails func(without map[int]bool) bool, stop func() bool) (without map[int]bool, plays int) {
	without = map[int]bool{}
	tries := func(part []int) bool {
		fewer := maps.Clone(without)
		for _, n := range part {
			fewer[n] = true
		}
		plays++
		if !fails(fewer) {
			return false
		}
		without = fewer
		return true
	}
	tries(year.refused())
	for size := year.played / 2; size >= 1 && !stop(); size /= 2 {
		var left []int
		for n := 1; n <= year.played; n++ {
			if !without[n] {
				left = append(left, n)
			}
		}
		if size > (len(left)+1)/2 {
			continue
		}
		for part := range slices.Chunk(left, size) {
			if stop() {
				break
			}
			tries(part)
		}
	}
	return without, plays
}

// refused are the acts that came to nothing.
func (t *Town) refused() (all []int) {
	did := map[int]bool{}
	for _, line := range t.Story {
		did[line.Number] = did[line.Number] || line.Status == 200
	}
	for n := 1; n <= t.played; n++ {
		if !did[n] {
			all = append(all, n)
		}
	}
	return all
}

// Failures are what must hold and did not, of how a year ended.
func Failures(err error) (all []*Failure) {
	if many, is := err.(interface{ Unwrap() []error }); is {
		for _, one := range many.Unwrap() {
			all = append(all, Failures(one)...)
		}
		return all
	}
	var f *Failure
	if errors.As(err, &f) {
		all = append(all, f)
	}
	return all
}
