package ajo_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The owner closes their account, and so a vote to expel is carried of just whom the validator's office passes to.
func TestAnOfficeDoesNotPassToWhomTheSameStepExpels(t *testing.T) {
	t.Parallel()
	w := begun(t, terms(6)) // 2, 3, 4, 5, 6, 1.
	require.Equal(t, person(6), state(w).Validator)
	judged(w, 1, 2, 3, 4, 6)
	judged(w, 1, 2, 3, 4, 6)
	w.And(moves("m", expel, 6, 5))
	votes(w, "m", 2, 3)
	require.Empty(t, state(w).Expelled)
	closes(w, 1)
	w.And(vacate(1))
	a := state(w)
	require.Equal(t, []string{person(5)}, a.Expelled)
	require.NotContains(t, a.Expelled, a.Validator)
}
