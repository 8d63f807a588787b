package standingorder_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"
	"pgregory.net/rapid"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/standingorder"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/posting"
)

const (
	ada   = "ada"
	bisi  = "bisi"
	chidi = "chidi"
)

// at is noon in Lagos of a day.
func at(d string) time.Time { return day(d).Add(11 * time.Hour) }

func funded(user string, amount money.Kobo) []any {
	id := user + amount.String()
	return []any{
		wallet.StartPayment{PaymentID: id, User: user, Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: event.Vfd, Amount: amount, ExpiresAt: Epoch.AddDate(0, 0, 1)},
		wallet.ConfirmPayment{PaymentID: id, User: user, Provider: event.Vfd, Gross: amount, ProviderRef: id, PaidAt: Epoch},
	}
}

// collecting is an active group with a flexible, a fixed monthly and a one-off sub-account.
var collecting = []any{
	savings.CreateGroup{GroupID: "g", Owner: ada, Name: "Traders", Amount: 5_000_00, Capacity: 4, StartMonth: 11, Now: Epoch},
	Activated("g", ada, bisi, "femi"),
	savings.OpenSubAccount{GroupID: "g", SubAccountID: "flexible", By: ada, Name: "Welfare", Type: 2, Frequency: 5, Amount: 100_00, Now: Epoch},
	savings.OpenSubAccount{GroupID: "g", SubAccountID: "fixed", By: ada, Name: "Dues", Type: 1, Frequency: 5, Amount: 5_000_00, Now: Epoch},
	savings.OpenSubAccount{GroupID: "g", SubAccountID: "once", By: ada, Name: "Levy", Type: 3, Frequency: 1, Amount: 5_000_00, Now: Epoch},
}

var order = standingorder.Set{
	OrderID: "o", User: bisi, GroupID: "g", SubAccountID: "flexible", Amount: 1_000_00, Frequency: monthly, FirstDay: day("2026-12-31"), Now: Epoch,
}

func run(d, now string) standingorder.Run {
	return standingorder.Run{OrderID: "o", Day: d, Contribute: dues.Contribute{
		GroupID: "g", SubAccountID: "flexible", User: bisi, Amount: 1_000_00, Channel: nairav1.Channel_CHANNEL_WALLET, At: at(now),
	}}
}

func changed(c standingorder.Set, change func(*standingorder.Set)) standingorder.Set {
	change(&c)
	return c
}

func state(w *World) standingorder.Order {
	return w.State(standingorder.Stream("o")).(standingorder.Order)
}

func TestAMemberConsentsToAnOrder(t *testing.T) {
	t.Parallel()
	w := Given(t, collecting)
	w.When(order).Then(&nairav1.StandingOrderSet{
		OrderId: "o", UserId: bisi, GroupId: "g", SubAccountId: "flexible", AmountKobo: 1_000_00, Frequency: monthly, FirstDay: "2026-12-31",
	})
	w.When(order).ThenFault(fault.Conflict)
}

func TestAnOrderIsRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*standingorder.Set)
		code   fault.Code
		field  string
	}{
		"by an outsider":                   {func(c *standingorder.Set) { c.User = chidi }, fault.NotFound, ""},
		"into no sub-account":              {func(c *standingorder.Set) { c.SubAccountID = "none" }, fault.NotFound, ""},
		"into what is paid one time":       {func(c *standingorder.Set) { c.SubAccountID = "once" }, fault.Conflict, ""},
		"of nothing":                       {func(c *standingorder.Set) { c.Amount = 0 }, fault.Invalid, "amount"},
		"of more than can be contributed":  {func(c *standingorder.Set) { c.Amount = savings.MaxContribution + 1 }, fault.Invalid, "amount"},
		"at no rhythm":                     {func(c *standingorder.Set) { c.Frequency = 0 }, fault.Invalid, "frequency"},
		"from yesterday":                   {func(c *standingorder.Set) { c.FirstDay = day("2026-11-14") }, fault.Invalid, "firstDay"},
		"from a day that is years away":    {func(c *standingorder.Set) { c.FirstDay = day("2028-11-15") }, fault.Invalid, "firstDay"},
		"on the day before it is in Lagos": {func(c *standingorder.Set) { c.FirstDay, c.Now = day("2026-11-15"), day("2026-11-15").Add(23*time.Hour) }, fault.Invalid, "firstDay"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.field, Given(t, collecting).When(changed(order, c.change)).ThenFault(c.code).Field)
		})
	}
	waiting := Given(t, collecting, savings.JoinGroup{GroupID: "g", User: chidi})
	waiting.When(changed(order, func(c *standingorder.Set) { c.User = chidi })).ThenFault(fault.Conflict)
}

func TestADayPaysOnceAndNamesTheNext(t *testing.T) {
	t.Parallel()
	w := Given(t, collecting, funded(bisi, 5_000_00), order)
	w.When(run("2026-12-31", "2026-12-30")).ThenFault(fault.Conflict)
	w.When(run("2026-12-31", "2026-12-31")).Then(
		&nairav1.ContributionReceived{
			GroupId: "g", SubAccountId: "flexible", UserId: bisi, AmountKobo: 1_000_00, Channel: nairav1.Channel_CHANNEL_WALLET, MemberTotalKobo: 1_000_00,
		},
		&nairav1.StandingOrderRan{OrderId: "o", UserId: bisi, Day: "2026-12-31", NextDay: "2027-01-31"},
	)
	w.When(run("2026-12-31", "2026-12-31")).ThenFault(fault.Conflict)
	w.When(run("2027-01-31", "2026-12-31")).ThenFault(fault.Conflict)
	w.When(run("2027-01-31", "2027-01-31")).ThenBalance(posting.Pool("flexible"), 2_000_00)
	require.Equal(t, "2027-02-28", state(w).Next)
}

func TestOnlyWhatWasConsentedToIsPaid(t *testing.T) {
	t.Parallel()
	w := Given(t, collecting, funded(bisi, 5_000_00), funded(ada, 5_000_00), order)
	for _, change := range []func(*dues.Contribute){
		func(c *dues.Contribute) { c.Amount++ },
		func(c *dues.Contribute) { c.User = ada },
		func(c *dues.Contribute) { c.SubAccountID = "fixed" },
	} {
		other := run("2026-12-31", "2026-12-31")
		change(&other.Contribute)
		w.When(other).ThenFault(fault.NotFound)
	}
}

func TestTooLittleMoneyIsTriedForThreeDaysAndThenMissed(t *testing.T) {
	t.Parallel()
	w := Given(t, collecting, funded(bisi, 999_99), order)
	miss := standingorder.Miss("o", bisi, "2026-12-31", "Too little.", at("2027-01-02"))
	for _, now := range []string{"2026-12-31", "2027-01-01", "2027-01-02"} {
		w.When(run("2026-12-31", now)).ThenFault(fault.Insufficient)
	}
	w.When(miss).ThenFault(fault.Conflict)
	w.When(run("2026-12-31", "2027-01-03")).ThenFault(fault.Conflict)
	w.When(standingorder.Miss("o", bisi, "2026-12-31", "Too little.", at("2027-01-03"))).Then(&nairav1.StandingOrderMissed{
		OrderId: "o", UserId: bisi, Day: "2026-12-31", NextDay: "2027-01-31", Reason: "Too little.", AmountKobo: 1_000_00, GroupId: "g", SubAccountId: "flexible",
	})
	w.And(funded(bisi, 100_00)).When(run("2027-01-31", "2027-02-02")).ThenBalance(posting.Wallet(bisi), 99_99)
}

func TestDaysThatNobodyRanAreEachMissedAndNotMadeUpFor(t *testing.T) {
	t.Parallel()
	w := Given(t, collecting, funded(bisi, 5_000_00), changed(order, func(c *standingorder.Set) { c.Frequency = weekly }))
	o := w.When(standingorder.Miss("o", bisi, "2026-12-31", "We were away.", at("2027-01-20")))
	require.Len(t, o.Decided, 3)
	require.Equal(t, "2027-01-21", state(w).Next, "the first Thursday from then")
}

func TestPausedItRestsAndResumedItGoesOnFromToday(t *testing.T) {
	t.Parallel()
	w := Given(t, collecting, funded(bisi, 5_000_00), order)
	w.When(standingorder.Pause("o", chidi)).ThenFault(fault.NotFound)
	w.When(standingorder.Resume("o", bisi, at("2026-12-01"))).ThenFault(fault.Conflict)
	w.When(standingorder.Pause("o", bisi)).Then(&nairav1.StandingOrderPaused{OrderId: "o", UserId: bisi})
	w.When(standingorder.Pause("o", bisi)).ThenFault(fault.Conflict)
	w.When(run("2026-12-31", "2026-12-31")).ThenFault(fault.Conflict)
	w.When(standingorder.Resume("o", bisi, at("2027-02-10"))).Then(&nairav1.StandingOrderResumed{OrderId: "o", UserId: bisi, NextDay: "2027-02-28"})
	w.When(run("2027-02-28", "2027-02-28")).ThenBalance(posting.Pool("flexible"), 1_000_00)
	w.And(standingorder.Pause("o", bisi)).When(standingorder.Resume("o", bisi, at("2027-02-28"))).Then(&nairav1.StandingOrderResumed{OrderId: "o", UserId: bisi, NextDay: "2027-03-31"})
}

func TestEndedItIsOver(t *testing.T) {
	t.Parallel()
	w := Given(t, collecting, funded(bisi, 5_000_00), order)
	w.When(standingorder.End("o", ada, "")).ThenFault(fault.NotFound)
	w.When(standingorder.End("o", bisi, "")).Then(&nairav1.StandingOrderEnded{OrderId: "o", UserId: bisi})
	for _, c := range []event.Command{standingorder.End("o", bisi, ""), standingorder.Pause("o", bisi), standingorder.Resume("o", bisi, Epoch), run("2026-12-31", "2026-12-31")} {
		w.When(c).ThenFault(fault.Conflict)
	}
}

func TestItEndsItselfWhenThereIsNothingToPayIntoAnyMore(t *testing.T) {
	t.Parallel()
	ended := func(reason string) *nairav1.StandingOrderEnded {
		return &nairav1.StandingOrderEnded{OrderId: "o", UserId: bisi, Reason: reason}
	}
	Given(t, collecting, order, account.Close{User: bisi}).When(run("2026-12-31", "2026-12-31")).Then(ended(standingorder.AccountClosed))
	// Nobody can leave a group or close a sub-account yet: the order stands, and what it is for does not.
	set := event.Draft{Stream: standingorder.Stream("o"), Message: &nairav1.StandingOrderSet{
		OrderId: "o", UserId: bisi, GroupId: "g", SubAccountId: "flexible", AmountKobo: 1_000_00, Frequency: monthly, FirstDay: "2026-12-31",
	}}
	Given(t, set, funded(bisi, 5_000_00)).When(run("2026-12-31", "2026-12-31")).Then(ended(standingorder.NotAMember))
	for _, member := range []proto.Message{
		&nairav1.MemberInvited{GroupId: "g", UserId: bisi}, &nairav1.MembershipRequested{GroupId: "g", UserId: bisi},
	} {
		Given(t, set, event.On("member:g:"+bisi, member), funded(bisi, 5_000_00)).When(run("2026-12-31", "2026-12-31")).Then(ended(standingorder.NotAMember))
	}
	Given(t, collecting[:2], set, funded(bisi, 5_000_00)).When(run("2026-12-31", "2026-12-31")).Then(ended(standingorder.NotCollecting))
}

func TestADayOnWhichTheGroupIsSuspendedIsMissedAndTheOrderStands(t *testing.T) {
	t.Parallel()
	w := Given(t, collecting, funded(bisi, 5_000_00), order, savings.SuspendGroup("g", "admin", "Because"))
	w.When(run("2026-12-31", "2026-12-31")).Then(&nairav1.StandingOrderMissed{
		OrderId: "o", UserId: bisi, Day: "2026-12-31", NextDay: "2027-01-31", AmountKobo: 1_000_00, GroupId: "g", SubAccountId: "flexible",
		Reason: "The group is suspended, so it takes no contributions. Ask its owner, or contact us.",
	})
	w.And(savings.ResumeGroup("g", "admin", "Because")).When(run("2027-01-31", "2027-01-31")).ThenBalance(posting.Pool("flexible"), 1_000_00)
}

func TestADayThatCannotBePaidForAnotherReasonIsMissedAtOnce(t *testing.T) {
	t.Parallel()
	refused := run("2026-12-31", "2026-12-31")
	refused.Refused = "Your guardian has not agreed yet."
	w := Given(t, collecting, funded(bisi, 5_000_00), order)
	w.When(refused)
	require.Equal(t, []string{"2026-12-31", "2027-01-31"}, []string{state(w).Behind, state(w).Next})
	require.Equal(t, money.Kobo(5_000_00), w.Balance(posting.Wallet(bisi)))

	dues := changed(order, func(c *standingorder.Set) { c.SubAccountID, c.Amount = "fixed", 80_000_00 })
	tooMuch := run("2026-12-31", "2026-12-31")
	tooMuch.Contribute.SubAccountID, tooMuch.Contribute.Amount = "fixed", 80_000_00
	decided := Given(t, collecting, funded(bisi, 90_000_00), dues).When(tooMuch).Decided
	require.Contains(t, decided[0].Message.(*nairav1.StandingOrderMissed).GetReason(), "more than you can pay here")
}

func TestWhateverHappensADayIsPaidOnceAndMoneyOnlyByWhatRan(t *testing.T) {
	t.Parallel()
	paid := 0
	rapid.Check(t, func(t *rapid.T) {
		w := Given(t, collecting, funded(bisi, money.Kobo(rapid.Int64Range(1_500_00, 9_000_00).Draw(t, "funds"))), changed(order, func(c *standingorder.Set) {
			c.FirstDay, c.Frequency = day("2026-11-15").AddDate(0, 0, rapid.IntRange(0, 60).Draw(t, "first")), rapid.SampledFrom([]nairav1.StandingFrequency{weekly, monthly}).Draw(t, "frequency")
		}))
		now := Epoch
		for range 40 {
			now = now.AddDate(0, 0, rapid.IntRange(0, 9).Draw(t, "days on"))
			next := state(w).Next
			if next == "" {
				next = "2026-12-31"
			}
			if due := at(next); due.After(now) && rapid.Bool().Draw(t, "until it is due") {
				now = due
			}
			try := run(next, now.Format(time.DateOnly))
			_, _ = w.Do(rapid.SampledFrom([]event.Command{
				try, try, try, try, try, try, standingorder.Miss("o", bisi, next, "Too late.", now), standingorder.Pause("o", bisi), standingorder.Resume("o", bisi, now),
			}).Draw(t, "command"))
		}
		var ran []string
		var missed int
		for _, d := range w.Drafts {
			switch m := d.Message.(type) {
			case *nairav1.StandingOrderRan:
				ran = append(ran, m.GetDay())
			case *nairav1.StandingOrderMissed:
				missed++
				require.NotContains(t, ran, m.GetDay(), "it ran and was missed")
			}
		}
		require.True(t, slices.IsSorted(ran))
		require.Equal(t, ran, slices.Compact(slices.Clone(ran)), "a day ran twice")
		for _, d := range ran {
			require.True(t, belongs(state(w).Schedule(), day(d)))
		}
		require.Equal(t, money.Kobo(len(ran))*1_000_00, w.Balance(posting.Pool("flexible")))
		paid += len(ran)
	})
	require.Greater(t, paid, 50)
}

func TestAnOrderThatAThiefSetOrResumedPaysNothingOnceTheAccountIsGivenBack(t *testing.T) {
	t.Parallel()
	given := func(since time.Time) event.Draft {
		return event.On(account.Stream(bisi), &nairav1.AccountGivenBackV2{
			UserId: bisi, RemedyId: "r", ProposedBy: "sade", ApprovedBy: "uche",
			Since: timestamppb.New(since), HeldUntil: timestamppb.New(Epoch.AddDate(0, 0, 3)),
		})
	}
	end := func(w *World) {
		w.Do(run("2026-12-31", "2026-12-31"))
		require.Zero(t, w.Balance(posting.Pool("flexible")), "the thief's order takes nothing")
		require.Equal(t, standingorder.GivenBack, w.State(standingorder.Stream("o")).(standingorder.Order).Reason)
	}
	w := Given(t, collecting, funded(bisi, 5_000_00), order, Epoch.Add(time.Minute), given(Epoch.Add(-time.Hour)))
	end(w)
	w = Given(t, collecting, funded(bisi, 5_000_00), order, standingorder.Pause("o", bisi), Epoch.Add(time.Hour),
		standingorder.Resume("o", bisi, Epoch.Add(time.Hour)), Epoch.Add(2*time.Hour), given(Epoch.Add(time.Minute)))
	end(w)
	w = Given(t, collecting, funded(bisi, 5_000_00), order, Epoch.Add(time.Hour), given(Epoch.Add(time.Minute)))
	w.Do(run("2026-12-31", "2026-12-31"))
	require.NotZero(t, w.Balance(posting.Pool("flexible")), "the owner's own order goes on")
}
