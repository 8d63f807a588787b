package savings_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
)

// recorded is a draft as the ledger would hold it.
func recorded(t *testing.T, d event.Draft) event.Record {
	t.Helper()
	body, err := proto.Marshal(d.Message)
	require.NoError(t, err)
	return event.Record{Pos: 7, Stream: d.Stream, Type: event.TypeOf(d.Message), Command: uuid.MustParse("7f6c1a52-9d1e-8a43-b0a5-3c1f5d2e9b01"), Body: body, EffectiveAt: Epoch, RecordedAt: Epoch}
}

// recordedAt is the n-th of many.
func recordedAt(t *rapid.T, d event.Draft, n int) event.Record {
	body, err := proto.Marshal(d.Message)
	require.NoError(t, err)
	return event.Record{Pos: int64(n), Stream: d.Stream, Type: event.TypeOf(d.Message), Command: uuid.MustParse("7f6c1a52-9d1e-8a43-b0a5-3c1f5d2e9b01"), Seq: n, Body: body}
}

func TestAContributionIsReversedOnceByTwoPeople(t *testing.T) {
	t.Parallel()
	w := Given(t, active, opens(flexible, monthly), funded("bisi", 10_000*money.Naira))
	paid := w.When(pays("bisi", 4_000*money.Naira, 0, Epoch))
	require.NoError(t, paid.Err)
	reverse := dues.ReverseContribution{Original: recorded(t, paid.Decided[0]), By: "support", ApprovedBy: "admin", Reason: "Paid twice"}
	id := reverse.Original.ID().String()

	alone := reverse
	alone.ApprovedBy = alone.By
	w.When(alone).ThenFault(fault.Forbidden)
	silent := reverse
	silent.Reason = " "
	w.When(silent).ThenField("reason")

	w.When(reverse).ThenBalance("wallet:bisi", 10_000*money.Naira).ThenBalance("pool:s", 0).Then(
		&nairav1.EventReversed{EventId: id, Position: 7, By: "support", ApprovedBy: "admin", Reason: "Paid twice"},
		&nairav1.ContributionReversed{GroupId: "g", SubAccountId: "s", UserId: "bisi", AmountKobo: 4_000_00, EventId: id, Reason: "Paid twice"},
	)
	w.When(reverse).ThenFault(fault.Conflict)
	// Money that came in since is not touched by another try.
	w.And(pays("bisi", 4_000*money.Naira, 0, Epoch)).When(reverse).ThenFault(fault.Conflict)
}

func TestOnlyAContributionThatIsThereIsReversed(t *testing.T) {
	t.Parallel()
	by := dues.ReverseContribution{By: "support", ApprovedBy: "admin", Reason: "Paid twice"}
	for name, m := range map[string]proto.Message{
		"another kind of event": &nairav1.GroupActivated{GroupId: "g"},
		"one never made":        &nairav1.ContributionReceived{GroupId: "g", SubAccountId: "s", UserId: "bisi", AmountKobo: 1},
	} {
		c := by
		c.Original = recorded(t, event.Draft{Stream: "x", Message: m})
		require.NotNil(t, fault.As(Given(t, active, opens(flexible, monthly)).When(c).Err), name)
	}
}

func TestWhatOnePaidForAnotherIsNotReversed(t *testing.T) {
	t.Parallel()
	cover := dues.Cover{GroupID: "g", SubAccountID: "s", User: "bisi", By: "ada", Amount: 5_000 * money.Naira, At: Epoch}
	w := Given(t, active, opens(fixed, monthly), funded("ada", 5_000*money.Naira))
	covered := w.When(cover)
	require.NoError(t, covered.Err)
	refused := w.When(dues.ReverseContribution{Original: recorded(t, covered.Decided[0]), By: "support", ApprovedBy: "admin", Reason: "Wrong member"}).ThenFault(fault.Conflict)
	require.Equal(t, "One member paid this for another. Such a payment cannot be reversed. Nothing was taken.", refused.Message)
}

func TestAReversedDueIsOpenAgain(t *testing.T) {
	t.Parallel()
	w := Given(t, active, opens(fixed, monthly), funded("bisi", 20_000*money.Naira))
	paid := w.When(pays("bisi", 5_000*money.Naira, 0, Epoch))
	require.NoError(t, paid.Err)
	period := paid.Decided[0].Message.(*nairav1.ContributionReceived).GetSettled()[0].GetPeriod()
	w.And(dues.ReverseContribution{Original: recorded(t, paid.Decided[0]), By: "support", ApprovedBy: "admin", Reason: "Wrong month"})
	again := w.When(pays("bisi", 5_000*money.Naira, 0, Epoch))
	require.Equal(t, period, again.Decided[0].Message.(*nairav1.ContributionReceived).GetSettled()[0].GetPeriod())
}

func TestWhatWasPaidBeforeSomebodyLeftIsNotReversed(t *testing.T) {
	t.Parallel()
	w := Given(t, roomy, opens(flexible, monthly), funded("bisi", 20_000*money.Naira))
	paid := w.When(pays("bisi", 5_000*money.Naira, 0, Epoch))
	require.NoError(t, paid.Err)
	later := Epoch.AddDate(0, 1, 0)
	w.And(changed(leaves("bisi"), func(c *dues.LeaveGroup) { c.Forfeit = true })).And(joins("bisi"), later, approves("ada", "bisi"), pays("bisi", 6_000*money.Naira, 0, later))
	reverse := dues.ReverseContribution{Original: recorded(t, paid.Decided[0]), By: "support", ApprovedBy: "admin", Reason: "Paid twice", At: later}
	refused(t, w, reverse, fault.Conflict, "left the group and come back")
}

func TestWhetherSomebodyLeftSinceTheyPaidGoesByTheLedgersOrderAndNotByTheBanksClock(t *testing.T) {
	t.Parallel()
	later := Epoch.AddDate(0, 1, 0)
	back := []any{changed(leaves("bisi"), func(c *dues.LeaveGroup) { c.Forfeit = true }), joins("bisi"), later, approves("ada", "bisi")}
	reversal := func(paid *Outcome, effective, recordedAt time.Time) dues.ReverseContribution {
		require.NoError(t, paid.Err)
		original := recorded(t, paid.Decided[0])
		original.EffectiveAt, original.RecordedAt = effective, recordedAt
		return dues.ReverseContribution{Original: original, By: "support", ApprovedBy: "admin", Reason: "Paid twice", At: later}
	}
	// The bank's clock was ahead, so that what was paid before they left looks as if it had come after they were back.
	w := Given(t, roomy, opens(flexible, monthly), funded("bisi", 20_000*money.Naira))
	before := reversal(w.When(pays("bisi", 5_000*money.Naira, 0, Epoch)), later.AddDate(0, 1, 0), Epoch)
	w.And(back...).And(pays("bisi", 6_000*money.Naira, 0, later))
	refused(t, w, before, fault.Conflict, "left the group and come back")
	// Money that came before they left, by the bank's clock, and was told of once they were back, is of their new
	// savings.
	w = Given(t, roomy, opens(flexible, monthly), funded("bisi", 20_000*money.Naira)).And(pays("bisi", 5_000*money.Naira, 0, Epoch)).And(back...)
	since := reversal(w.When(pays("bisi", 6_000*money.Naira, 0, Epoch)), Epoch.Add(-time.Hour), later.Add(time.Hour))
	require.NoError(t, w.When(since).Err)
}
