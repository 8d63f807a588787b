package ajos

import (
	"errors"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/domain/ajopot"
)

func TestAMemoDecodesATextOfLateOnceAndKeepsABoundedNumber(t *testing.T) {
	t.Parallel()
	var m memo[int]
	decoded := 0
	decode := func(text []byte) (int, error) {
		decoded++
		return strconv.Atoi(string(text))
	}
	m.put("7", 7)
	for range 3 {
		for _, text := range []string{"7", "8"} {
			n, err := m.of([]byte(text), decode)
			require.NoError(t, err)
			require.Equal(t, meant[int]{text, int(text[0] - '0')}, n)
		}
	}
	require.Equal(t, 1, decoded)
	for n := range 10 * memoMost {
		m.put(strconv.Itoa(n), n)
		require.LessOrEqual(t, len(m.young)+len(m.old), 2*memoMost)
	}
	for range 2 { // A failure is not remembered.
		_, err := m.of([]byte("x"), decode)
		require.Error(t, err)
	}
	require.Equal(t, 3, decoded)
	_, err := m.of([]byte("x"), func([]byte) (int, error) { return 0, errors.New("this text") })
	require.ErrorContains(t, err, "this text")
}

func TestACycleIsReadAsItIsWritten(t *testing.T) {
	t.Parallel()
	due := ajopot.Payment{Seat: 2, User: "ada", By: `o,b{]}i`, Amount: 500, Day: time.Date(2026, 11, 25, 0, 0, 0, 0, time.UTC), Gift: true, PaymentID: "p"}
	for _, c := range []ajopot.Cycle{
		{}, {Payments: []ajopot.Payment{due}}, {Payments: []ajopot.Payment{due, {Seat: 1}}, RequestedBy: "ada", Approvals: []string{"},{"}},
	} {
		state, payments := cycleTexts(c)
		read, err := cycleOf([]byte(state + payments))
		require.NoError(t, err)
		require.Equal(t, c, read)
		// Appending comes to the same as writing all of it.
		more := c
		more.Payments = append(slices.Clone(c.Payments), due)
		_, all := cycleTexts(more)
		require.Equal(t, all, payments+paymentsText(more.Payments[len(c.Payments):]))
	}
	state, _ := cycleTexts(ajopot.Cycle{Payments: []ajopot.Payment{due}})
	require.Equal(t, "{}", state, "as the row of a cycle begins into which a due is paid")
	_, err := cycleOf([]byte(`{},{"Seat":`))
	require.Error(t, err)
}
