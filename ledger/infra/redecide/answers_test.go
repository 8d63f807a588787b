package redecide_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/domain/disputed"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/ledgertest"
)

// asks is what somebody asks of the group's money once its offices count.
func asks(id, user string, kind nairav1.LiquidationKind, amount money.Kobo) (liquidation.Of, liquidation.Request) {
	return liquidation.Of{LiquidationID: id, GroupID: "g", SubAccountID: "s", RequestedBy: user, Kind: kind, Provider: event.Vfd}, liquidation.Request{
		LiquidationID: id, GroupID: "g", SubAccountID: "s", User: user, Kind: kind, Amount: amount, Net: amount - payout.ChargesOn(amount).Total(), Provider: event.Vfd,
		Reason: "A tent", Officers: savings.Officers{Users: []string{"vera", "femi", "kola", "ada"}}, At: later,
	}
}

// decides has a group with two approvers who may decide, and members to object.
func decides(t *testing.T) book {
	t.Helper()
	b := setup(t)
	b.do(account.EndCheck("femi", "c", 0), account.EndCheck("kola", "c", 0))
	for _, user := range []string{"kola", "bisi"} {
		b.do(savings.JoinGroup{GroupID: "g", User: user}, savings.ApproveMember{GroupID: "g", User: user, By: "ada"})
	}
	b.do(savings.AppointApprover{GroupID: "g", User: "kola", By: "ada"})
	return b
}

// isFound plants events of one command and holds that one of a type among them is what is found.
func (b book) isFound(says string, planted ...event.Draft) {
	b.Helper()
	_, before, err := history.Head(context.Background(), b.pool)
	require.NoError(b, err)
	b.from(later, ledgertest.Raw(planted))
	_, differs := b.again()
	require.Contains(b, differs[before+1], says)
	require.Len(b, differs, 1)
}

// isDecided holds that what is recorded is decided again, of some types too.
func (b book) isDecided(types ...proto.Message) {
	b.Helper()
	result, differs := b.again()
	require.Empty(b, differs)
	for _, m := range types {
		require.NotContains(b, result.Taken, event.TypeOf(m))
	}
}

const payment, savingsOf = nairav1.LiquidationKind_LIQUIDATION_KIND_GROUP_DISBURSEMENT, nairav1.LiquidationKind_LIQUIDATION_KIND_MEMBER_WITHDRAWAL

func TestAnAnswerToThoseWhoObjectedIsDecidedAgain(t *testing.T) {
	t.Parallel()
	of, request := asks("l", "ada", payment, 1000*money.Naira)
	stream, answers := liquidation.Stream("l"), func(by string, given int32) *nairav1.LiquidationAnswered {
		return &nairav1.LiquidationAnswered{
			LiquidationId: "l", GroupId: "g", AnsweredBy: by, Reason: "It is right.", Answers: given, Needed: 2, Stage: nairav1.LiquidationStage_LIQUIDATION_STAGE_VALIDATED,
		}
	}
	onHold := func(t *testing.T) book {
		b := decides(t)
		b.from(later, request, liquidation.Approve(of, "vera"), liquidation.Object(of, "bisi", "It is too much.", later), liquidation.Object(of, "vera", "It is too much.", later))
		return b
	}
	soon := answers("kola", 2)
	soon.PayableFrom = timestamppb.New(later.Add(time.Hour))
	for name, planted := range map[string]struct {
		before []event.Command
		m      *nairav1.LiquidationAnswered
		says   string
	}{
		"by who validated":          {nil, answers("vera", 1), "The approvers who decide on this payment answer"},
		"by who asked":              {nil, answers("ada", 1), "Nobody decides on their own request"},
		"counted twice":             {nil, answers("femi", 2), "the rules decide naira.v1.LiquidationAnswered"},
		"given twice":               {[]event.Command{liquidation.Answer(of, "femi", "It is right.", later)}, answers("femi", 2), "You have answered already"},
		"paid before anybody hears": {[]event.Command{liquidation.Answer(of, "femi", "It is right.", later)}, soon, "the rules decide naira.v1.LiquidationAnswered"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := onHold(t)
			b.from(later, planted.before...)
			b.isDecided()
			b.isFound(planted.says, event.On(stream, planted.m))
		})
	}
	b := onHold(t)
	b.from(later, liquidation.Answer(of, "femi", "It is right.", later), liquidation.Answer(of, "kola", "It is right.", later.Add(time.Minute)))
	b.isDecided(&nairav1.LiquidationAnswered{}, &nairav1.LiquidationObjected{})
}

func TestMoneyThatIsHeldOnceARequestIsApprovedIsDecidedAgain(t *testing.T) {
	t.Parallel()
	bill, pays := asks("l", "ada", payment, 6000*money.Naira)
	own, wants := asks("m", "bisi", savingsOf, 3000*money.Naira)
	// The group has ₦8,300 and pays ₦6,000 of it: what bisi saved is not there until more comes in.
	lacks := func(t *testing.T) book {
		b := decides(t)
		b.funded("bisis", noon, "bisi")
		b.do(contribute("bisi", 3000*money.Naira), account.EndCheck("bisi", "c", 0))
		b.from(later, pays, liquidation.Approve(bill, "vera"), liquidation.Approve(bill, "femi"), liquidation.Approve(bill, "kola"), wants, liquidation.Approve(own, "vera"), liquidation.Approve(own, "femi"))
		return b
	}
	stream := liquidation.Stream("m")
	funded := func(kobo money.Kobo) event.Draft {
		return event.On(stream, &nairav1.LiquidationFunded{LiquidationId: "m", GroupId: "g", SubAccountId: "s", AmountKobo: int64(kobo)})
	}
	approved := event.On(stream, &nairav1.LiquidationApproved{LiquidationId: "m", GroupId: "g", ApprovedBy: "kola", Approvals: 2, Needed: 2})
	for name, c := range map[string]struct {
		comes   bool
		planted []event.Draft
		says    string
	}{
		"less than was asked":            {true, []event.Draft{funded(1000 * money.Naira), approved}, "LiquidationFunded: the rules decide naira.v1.LiquidationFunded"},
		"while the sub-account lacks it": {false, []event.Draft{funded(1000 * money.Naira), approved}, "LiquidationFunded: the rules refuse it: The sub-account has"},
		"by nobody's approval":           {true, []event.Draft{funded(3000 * money.Naira)}, "LiquidationFunded: "},
		"not at all":                     {true, []event.Draft{approved}, "LiquidationApproved: the rules decide"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := lacks(t)
			if c.comes {
				b.from(later, contribute("femi", 4000*money.Naira))
			}
			b.isDecided()
			_, before, err := history.Head(context.Background(), b.pool)
			require.NoError(t, err)
			b.from(later, ledgertest.Raw(c.planted))
			_, differs := b.again()
			require.Contains(t, differs[before+1], c.says)
		})
	}
	b := lacks(t)
	b.from(later, contribute("femi", 4000*money.Naira), liquidation.Approve(own, "kola"))
	find := 0
	records, err := history.Read(context.Background(), b.pool, 0, 1000)
	require.NoError(t, err)
	for _, r := range records {
		if r.Type == event.TypeOf(&nairav1.LiquidationFunded{}) {
			find++
		}
	}
	require.Equal(t, 1, find)
	b.isDecided(&nairav1.LiquidationFunded{}, &nairav1.LiquidationApproved{}, &nairav1.LiquidationAskedV2{})
}

func TestTheEndOfAHoldOnAPayoutIsDecidedAgain(t *testing.T) {
	t.Parallel()
	bill, request := asks("l", "ada", payment, 4000*money.Naira)
	holds := func(t *testing.T) book {
		b := decides(t)
		b.from(later, request, dispute.Claim{
			DisputeID: "d", User: "vera", Kind: nairav1.DisputeKind_DISPUTE_KIND_WRONG_AMOUNT, About: "request l", Group: "g", Sub: "s",
			Words: &nairav1.Words{PaperId: "p", Sha256: make([]byte, 32)}, Now: later,
		}, dispute.HoldPayout{DisputeID: "d", User: "vera", Of: bill, Amount: 2000 * money.Naira, Now: later})
		return b
	}
	freed := func(kobo int64, why nairav1.DisputeHoldEnd) event.Draft {
		return event.On(disputed.Stream("s"), &nairav1.DisputedMoneyFreed{
			DisputeId: "d", UserId: "vera", GroupId: "g", SubAccountId: "s", LiquidationId: "l", AmountKobo: kobo, Why: why,
		})
	}
	const expired, decided = nairav1.DisputeHoldEnd_DISPUTE_HOLD_END_EXPIRED, nairav1.DisputeHoldEnd_DISPUTE_HOLD_END_DECIDED
	week := later.Add(disputed.For)
	ticks := func(b book) { // Its own clocks run out before.
		b.from(later.Add(dispute.PaymentIn+time.Hour), dispute.Tick("d", "s", later.Add(dispute.PaymentIn+time.Hour)))
	}
	for name, c := range map[string]struct {
		at      time.Time
		planted event.Draft
		says    string
	}{
		"before its time":          {week.Add(-time.Hour), freed(200_000, expired), "No clock of this dispute has run out"},
		"of another amount":        {week, freed(100_000, expired), "the rules decide naira.v1.DisputedMoneyFreed"},
		"as if it were decided":    {week, freed(200_000, decided), "the rules decide naira.v1.DisputedMoneyFreed"},
		"of a dispute of nobody's": {week, event.On(disputed.Stream("s"), &nairav1.DisputedMoneyFreed{DisputeId: "none", UserId: "vera", GroupId: "g", SubAccountId: "s"}), "This dispute is over"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := holds(t)
			ticks(b)
			b.isDecided()
			_, before, err := history.Head(context.Background(), b.pool)
			require.NoError(t, err)
			b.from(c.at, ledgertest.Raw{c.planted})
			_, differs := b.again()
			require.Contains(t, differs[before+1], c.says)
			require.Len(t, differs, 1)
		})
	}
	b := holds(t)
	ticks(b)
	b.from(week, dispute.Tick("d", "s", week))
	b.isDecided(&nairav1.DisputedMoneyFreed{}, &nairav1.DisputedMoneyHeld{}, &nairav1.DisputeOverdue{})
}
