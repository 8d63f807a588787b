package ajo

import (
	"errors"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/clock"
)

func TestAJobComesToAllOfALongListOnceThoughSomeFail(t *testing.T) {
	t.Parallel()
	all := []int{1, 2, 3, 4, 5, 6, 7}
	var done []int
	read := func(without []string) ([]int, error) {
		left := slices.DeleteFunc(slices.Clone(all), func(n int) bool { return slices.Contains(without, strconv.Itoa(n)) })
		return left[:min(3, len(left))], nil
	}
	bad := errors.New("the second batch fails")
	err := through(clock.Start(), strconv.Itoa, read, func(some []int) error {
		if done = append(done, some...); some[0] == 4 {
			return bad
		}
		return nil
	})
	require.ErrorIs(t, err, bad)
	require.Equal(t, all, done)
	require.ErrorIs(t, through(clock.Start(), strconv.Itoa, func([]string) ([]int, error) { return nil, bad }, nil), bad)
}
