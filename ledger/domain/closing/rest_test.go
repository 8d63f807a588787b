package closing_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/closing"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/posting"
)

// returned is that a bank sent a payment of the group back, after that was closed.
func returned(user string, kobo money.Kobo) []any {
	return []any{
		drafted("liquidation:"+user, &nairav1.LiquidationReversedV3{LiquidationId: user, GroupId: "g", SubAccountId: "s", AmountKobo: int64(kobo), Provider: string(event.Vfd)}),
	}
}

// back is a closed group of which so much was paid to a supplier that came back.
func back(t *testing.T, kobo money.Kobo, more ...any) *World {
	w := Given(t, founded(), saves("bisi", kobo), saves("eve", kobo), paidOut("ada", 2*kobo, 0), starts)
	require.Equal(t, savings.Closed, w.State("group:g").(savings.Group).Status)
	return w.And(returned("ada", 2*kobo)).And(more...)
}

func shares(key string, people ...string) closing.Rest {
	return closing.Rest{GroupID: "g", SubAccountID: "s", People: people, Key: key}
}

func goes(user string) any {
	return drafted("account:"+user, &nairav1.AccountClosed{UserId: user})
}

func TestWhatComesBackToAClosedGroupAndIsTooLittleToBePaidOutIsSharedOut(t *testing.T) {
	t.Parallel()
	w := back(t, 40_00)
	w.When(shares(" 1", everybody...)).Then(rest("bisi", 40_00), drawn("bisi", 40_00), rest("eve", 40_00), drawn("eve", 40_00))
	require.Zero(t, w.Balance(posting.Pool("s")))
	w.When(shares(" 1", everybody...)).ThenFault(fault.Conflict)
	require.Contains(t, back(t, 50_00).When(shares(" 1", everybody...)).ThenFault(fault.Conflict).Message, "The group's officials decide")
	require.Contains(t, back(t, 40_00).When(shares(" 1", "bisi", "eve")).ThenFault(fault.Conflict).Message, "Somebody has joined or left")
	require.Contains(t, Given(t, founded(), saves("bisi", 40_00), starts).When(shares(" 1", everybody...)).ThenFault(fault.Conflict).Message, "The group is not closed.")
}

func TestWhatComesBackTwiceIsSharedOutTwice(t *testing.T) {
	t.Parallel()
	w := back(t, 20_00, goes("bisi"), shares(" 1", everybody...))
	require.Equal(t, 20*money.Naira, w.Balance(posting.Unmatched))
	w.And(saves("femi", 10_00)...).And(drafted("dues:s:femi", &nairav1.SavingsClosed{SubAccountId: "s", UserId: "femi"}))
	w.And(drafted("account:eve", &nairav1.OutgoingFrozen{UserId: "eve"}), shares(" 2", everybody...))
	require.Zero(t, w.Balance(posting.Pool("s")))
	require.Equal(t, 20*money.Naira, w.Balance(posting.Unmatched), "nothing more goes to a closed account that has no savings")
}

// The owner was the only approver.
func TestWhatComesBackToAGroupWhoseApproversHaveClosedTheirAccountsIsSharedOutWhateverItIs(t *testing.T) {
	t.Parallel()
	w := back(t, 5_000_00, goes("ada"))
	w.When(shares(" 1", everybody...)).Then(rest("bisi", 5_000_00), drawn("bisi", 5_000_00), rest("eve", 5_000_00), drawn("eve", 5_000_00))
	// An approver is left, and nobody who could let the money out that they ask for.
	w = back(t, 5_000_00, goes("eve"), goes("bisi"), shares(" 1", everybody...))
	require.Equal(t, 10_000*money.Naira, w.Balance(posting.Unmatched))
	// Nobody is left.
	w = back(t, 5_000_00, goes("ada"), goes("eve"), goes("bisi"), shares(" 1", everybody...))
	require.Equal(t, 10_000*money.Naira, w.Balance(posting.Unmatched))
	require.Zero(t, w.Balance(posting.Wallet("bisi")))
	w = back(t, 5_000_00, drafted("account:ada", &nairav1.OutgoingFrozen{UserId: "ada"}))
	w.When(shares(" 1", everybody...)).ThenFault(fault.Conflict) // They may thaw it.
}

func TestWhatIsNobodysSavingsInAGroupWithoutAnOpenAccountGoesToSuspense(t *testing.T) {
	t.Parallel()
	gone := []any{goes("ada"), goes("eve"), goes("bisi")}
	w := back(t, 5_000_00, drafted("dues:s:bisi", &nairav1.SavingsClosed{SubAccountId: "s", UserId: "bisi"}), drafted("dues:s:eve", &nairav1.SavingsClosed{SubAccountId: "s", UserId: "eve"})).And(gone...)
	w.And(shares(" 1", everybody...))
	require.Equal(t, 10_000*money.Naira, w.Balance(posting.Unmatched))
	require.Zero(t, w.Balance(posting.Pool("s")))
}
