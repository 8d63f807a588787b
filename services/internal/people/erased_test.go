package people_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/people"
)

// An erased row has a placeholder for an address, with which nobody signs up.
func TestAStrangerCannotSignUpAsAnErasedMember(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id, err := b.CreateVerified(b.ctx, ada())
	require.NoError(t, err)
	require.NoError(t, b.Erase(b.ctx, id))
	before, err := b.Cards(b.ctx, []string{id})
	require.NoError(t, err)
	require.Equal(t, people.Card{FirstName: "A former", LastName: "member"}, before[id])

	stranger := ada()
	stranger.Email, stranger.FirstName, stranger.LastName = id+"@erased.invalid", "Ngozi", "Bello"
	requireField(t, b.Register(b.ctx, stranger), fault.Invalid, "email")

	after, err := b.process(t, nil).Cards(b.ctx, []string{id})
	require.NoError(t, err)
	require.Equal(t, people.Card{FirstName: "A former", LastName: "member"}, after[id], "the erased member has the stranger's name in everybody's lists")
}

// A change of details that was under way when the account was erased is not written any more.
func TestANameDoesNotComeBackAfterErasing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id, err := b.CreateVerified(b.ctx, ada())
	require.NoError(t, err)
	m, err := b.Member(b.ctx, id) // As profile.Update reads it before it asks the bank.
	require.NoError(t, err)
	require.NoError(t, b.Erase(b.ctx, id))
	requireFault(t, b.Rename(b.ctx, id, m.FirstName, m.LastName, m.Phone), fault.NotFound, "no such account") // As profile.Update writes it after.
	after, err := b.process(t, nil).Cards(b.ctx, []string{id})
	require.NoError(t, err)
	require.Equal(t, people.Card{FirstName: "A former", LastName: "member"}, after[id], "the name is back, for ever")
}
