package closing_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/closing"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/posting"
)

var everybody = []string{"ada", "bisi", "eve"}

func drafted(stream string, m proto.Message) event.Draft {
	return event.Draft{Stream: stream, Message: m}
}

// founded is an active group of ada (its owner), bisi and eve with the sub-account s.
func founded() []any {
	past := []any{
		drafted("group:g", &nairav1.GroupCreated{GroupId: "g", OwnerId: "ada", MemberCapacity: 10, StartMonth: 11, StartYear: 2026}),
		drafted("sub:s", &nairav1.SubAccountOpened{GroupId: "g", SubAccountId: "s", PaymentType: nairav1.PaymentType_PAYMENT_TYPE_FLEXIBLE, FirstDue: "2026-11-01"}),
	}
	for i, user := range everybody {
		past = append(past, drafted("group:g", &nairav1.SeatTaken{GroupId: "g", UserId: user, Seats: int32(i + 1)}), drafted("member:g:"+user, &nairav1.MembershipApproved{GroupId: "g", UserId: user}))
	}
	return append(past, drafted("group:g", &nairav1.GroupActivated{GroupId: "g"}))
}

// saves is what a member has saved, in kobo.
func saves(user string, kobo money.Kobo) []any {
	return []any{
		drafted("payment:"+user, &nairav1.PaymentConfirmedV2{PaymentId: user, UserId: user, Provider: string(event.Vfd), AmountKobo: int64(kobo)}),
		drafted("dues:s:"+user, &nairav1.ContributionReceived{GroupId: "g", SubAccountId: "s", UserId: user, AmountKobo: int64(kobo)}),
	}
}

// paidOut is what a bank has paid out of the group, in kobo: a member's savings where drawn says what of them is drawn
// then, and otherwise the group's.
func paidOut(user string, kobo, drawn money.Kobo) []any {
	past := []any{
		drafted("liquidation:"+user, &nairav1.LiquidationRequestedV2{LiquidationId: user, GroupId: "g", SubAccountId: "s", RequestedBy: user, AmountKobo: int64(kobo)}),
		drafted("liquidation:"+user, &nairav1.LiquidationPaidV2{LiquidationId: user, GroupId: "g", SubAccountId: "s", RequestedBy: user, AmountKobo: int64(kobo), Provider: string(event.Vfd)}),
	}
	if drawn > 0 {
		past = append(past, drafted("dues:s:"+user, &nairav1.SavingsDrawn{GroupId: "g", SubAccountId: "s", UserId: user, DrawnKobo: int64(drawn)}))
	}
	return past
}

var starts = savings.CloseGroup{GroupID: "g", By: "ada", Reason: "It is done", SubAccounts: []string{"s"}}

func ends(people ...string) closing.Group {
	return closing.Group{CloseGroup: starts, Rests: []string{"s"}, People: people}
}

var closed = &nairav1.GroupClosed{GroupId: "g", By: "ada"}

func rest(user string, kobo int64) proto.Message {
	return &nairav1.GroupRestPaid{GroupId: "g", SubAccountId: "s", UserId: user, AmountKobo: kobo}
}

func drawn(user string, kobo int64) proto.Message {
	return &nairav1.SavingsDrawn{GroupId: "g", SubAccountId: "s", UserId: user, DrawnKobo: kobo}
}

func TestWhatIsTooLittleToBePaidOutGoesToThoseWhoseSavingsItIs(t *testing.T) {
	t.Parallel()
	w := Given(t, founded(), saves("bisi", 100_000_00), paidOut("bisi", 99_950_00, 99_950_00), starts)
	w.When(ends(everybody...)).Then(closed, rest("bisi", 50_00), drawn("bisi", 100_000_00))
	require.Equal(t, 50*money.Naira, w.Balance(posting.Wallet("bisi")))
	require.Zero(t, w.Balance(posting.Pool("s")))
	require.Equal(t, savings.Closed, w.State("group:g").(savings.Group).Status)
	require.Zero(t, w.State("dues:s:bisi").(dues.State).Savings())
	w.When(ends(everybody...)).ThenFault(fault.Conflict)

	halves := Given(t, founded(), saves("bisi", 50_00), saves("eve", 49_99), starts)
	halves.When(ends("eve", "bisi", "ada", "eve")).Then(closed, rest("bisi", 50_00), drawn("bisi", 50_00), rest("eve", 49_99), drawn("eve", 49_99))
}

func TestSavingsThatTheGroupHasSpentGetTheirShareToTheKobo(t *testing.T) {
	t.Parallel()
	// ₦300 were saved, ₦299.98 paid to a supplier: of 2 kobo each third is two thirds of a kobo.
	w := Given(t, founded(), saves("ada", 100_00), saves("bisi", 100_00), saves("eve", 100_00), paidOut("ada", 299_98, 0), starts)
	w.When(ends(everybody...)).Then(closed, rest("ada", 1), drawn("ada", 1), rest("bisi", 1), drawn("bisi", 1))
	w = Given(t, founded(), saves("bisi", 100_00), saves("eve", 300_00), paidOut("ada", 399_99, 0), starts)
	w.When(ends(everybody...)).Then(closed, rest("eve", 1), drawn("eve", 1))
}

func TestWhatIsNobodysSavingsGoesToTheMembersByWhatTheyContributed(t *testing.T) {
	t.Parallel()
	w := Given(t, founded(), saves("ada", 100_00), saves("bisi", 200_00), saves("femi", 30_00), drafted("dues:s:femi", &nairav1.SavingsClosed{SubAccountId: "s", UserId: "femi"}),
		paidOut("ada", 100_00, 100_00), paidOut("bisi", 199_00, 199_00), starts)
	w.When(ends(everybody...)).Then(closed, rest("ada", 10_00), rest("bisi", 21_00), drawn("bisi", 200_00))
	left := Given(t, founded(), saves("femi", 50_00), drafted("dues:s:femi", &nairav1.SavingsClosed{SubAccountId: "s", UserId: "femi"}), starts)
	left.When(ends(everybody...)).Then(closed, rest("ada", 16_67), rest("bisi", 16_67), rest("eve", 16_66))
}

func TestSavingsOfAPersonWhoLeftAreTheirsWhenTheGroupCloses(t *testing.T) {
	t.Parallel()
	w := Given(t, founded(), saves("femi", 60_00), starts)
	w.When(ends(append(everybody, "femi")...)).Then(closed, rest("femi", 60_00), drawn("femi", 60_00))
}

func TestSavingsOfAClosedAccountGoToSuspenseWhenTheGroupCloses(t *testing.T) {
	t.Parallel()
	w := Given(t, founded(), saves("bisi", 20_00), saves("eve", 30_00), drafted("account:bisi", &nairav1.AccountClosed{UserId: "bisi"}), starts)
	w.And(ends(everybody...))
	require.Equal(t, 20*money.Naira, w.Balance(posting.Unmatched))
	require.Zero(t, w.Balance(posting.Wallet("bisi")))
	require.Equal(t, 30*money.Naira, w.Balance(posting.Wallet("eve")))
	require.Zero(t, w.Balance(posting.Pool("s")))
	// What is nobody's savings is not shared with a closed account.
	w = Given(t, founded(), saves("bisi", 200_00), saves("eve", 100_00), paidOut("bisi", 200_00, 200_00), paidOut("eve", 50_00, 100_00), drafted("account:bisi", &nairav1.AccountClosed{UserId: "bisi"}), starts)
	w.When(ends(everybody...)).Then(closed, rest("eve", 50_00))
}

func TestAFrozenMembersShareComesIntoTheirWallet(t *testing.T) {
	t.Parallel()
	w := Given(t, founded(), saves("bisi", 20_00), drafted("account:bisi", &nairav1.OutgoingFrozen{UserId: "bisi"}), starts)
	w.When(ends(everybody...)).Then(closed, rest("bisi", 20_00), drawn("bisi", 20_00))
}

func TestAGroupThatHoldsMoreOrWhoseMoneyIsAskedForIsNotSharedOut(t *testing.T) {
	t.Parallel()
	w := Given(t, founded(), saves("bisi", 50_00))
	w.When(ends(everybody...)).Then(&nairav1.GroupClosing{GroupId: "g", By: "ada", Reason: "It is done"}) // It begins to close first.
	says := func(w *World, c event.Command, sentence string) {
		require.Contains(t, w.When(c).ThenFault(fault.Conflict).Message, sentence)
	}
	says(w, ends("ada", "bisi"), "Somebody has joined or left the group just now.")
	says(w, closing.Group{CloseGroup: starts, People: everybody}, "still holds ₦50.00")
	by := ends(everybody...)
	by.By = "bisi"
	w.When(by).ThenFault(fault.Forbidden)
	w.And(drafted(savings.RequestsStream("g", "eve"), &nairav1.RequestsCounted{GroupId: "g", UserId: "eve", WithdrawalId: "l"}))
	says(w, ends(everybody...), "A request for money of the group is still open.")
	w = Given(t, founded(), saves("bisi", 50_00), starts, savings.SuspendGroup("g", "admin", "It is disputed"))
	says(w, ends(everybody...), "The group is suspended.")
	says(Given(t, founded(), saves("bisi", 100_00), starts), ends(everybody...), "still holds ₦100.00")
	held := Given(t, founded(), saves("bisi", 150_00), drafted("liquidation:l", &nairav1.LiquidationRequestedV2{LiquidationId: "l", GroupId: "g", SubAccountId: "s", AmountKobo: 100_00}), starts)
	says(held, ends(everybody...), "still holds ₦150.00")
}

func TestWhateverWasSavedAndSpentAllThatIsLeftIsSharedOut(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		past, in := founded(), money.Kobo(0)
		for n, user := range everybody {
			least := int64(0)
			if n == len(everybody)-1 && in == 0 {
				least = 1 // A group that holds nothing closes at once.
			}
			if kobo := money.Kobo(rapid.Int64Range(least, 1_000_000_000_00).Draw(t, user)); kobo > 0 {
				past, in = append(past, saves(user, kobo)...), in+kobo
			}
		}
		left := min(in, money.Kobo(rapid.Int64Range(1, 99_99).Draw(t, "left")))
		if spent := in - left; spent > 0 {
			past = append(past, paidOut("ada", spent, 0)...)
		}
		w := Given(t, past, starts)
		w.And(ends(everybody...))
		sum := money.Kobo(0)
		for _, user := range everybody {
			got, saved := w.Balance(posting.Wallet(user)), w.State("dues:s:"+user).(dues.State)
			require.Equal(t, got, saved.Drawn)
			require.GreaterOrEqual(t, saved.Savings(), money.Kobo(0))
			sum += got
		}
		require.Equal(t, left, sum)
		require.Zero(t, w.Balance(posting.Pool("s")))
		require.Equal(t, savings.Closed, w.State("group:g").(savings.Group).Status)
	})
}
