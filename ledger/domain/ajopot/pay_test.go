package ajopot_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/domain/ajoremind"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
)

const (
	share    = 8_000_00
	transfer = nairav1.Channel_CHANNEL_BANK_TRANSFER
)

// five is an ajo of five seats without fee, each with one hand, that collect in order of their numbers from 2, the
// owner's last.
func five(t *testing.T, change func(*nairav1.AjoTerms)) *life {
	t.Helper()
	return begun(t, terms(5, func(x *nairav1.AjoTerms) {
		x.FeeBasisPoints = 0
		if change != nil {
			change(x)
		}
	}), funds, 2, 2, 2, 2, 2)
}

func (l *life) refuses(c event.Command, code fault.Code, sentence string) {
	l.t.Helper()
	require.Contains(l.t, l.When(c).ThenFault(code).Message, sentence)
}

// dueDay moves the clock to the current cycle's due day.
func (l *life) dueDay() *life { return l.at(morning(l.ajo().Due(l.ajo().Current()))) }

// paid pays the dues of some people on the due day of the current cycle.
func (l *life) paid(people ...int) *life {
	l.dueDay()
	for _, n := range people {
		l.do(l.pay(n))
	}
	return l
}

// over judges the current cycle on the morning after the days of grace.
func (l *life) over() *life {
	l.at(morning(l.ajo().Deadline(l.ajo().Current()).AddDate(0, 0, 1)))
	l.do(l.judge())
	return l
}

// out pays a cycle's pot out: asked for by who collects, approved by the owner and another.
func (l *life) out(k int) *life {
	ready, _ := l.ajo().ReadyOf(k)
	for _, user := range l.ajo().Seats[ready.Seat-1].Users()[:1] {
		l.do(ajopot.RequestPayout(ajoID, k, user, nairav1.AjoDestination_AJO_DESTINATION_WALLET, l.split(k).Of(user), l.people()))
	}
	for _, user := range l.ajo().Members() {
		if !l.cycle(k).PaidOut {
			_, _ = l.Do(ajopot.ApprovePayout(ajoID, k, user, l.people(), l.now))
		}
	}
	require.True(l.t, l.cycle(k).PaidOut)
	return l
}

// late is a due that was at the bank in time and is told of now.
func (l *life) late(k, n int, amount money.Kobo, at time.Time) ajopot.Pay {
	user := person(n)
	return ajopot.Pay{
		AjoID: ajoID, Cycle: k, Seat: l.ajo().SeatsOf(user)[0], User: user, By: user, Amount: amount, Channel: transfer, PaymentID: "bank",
		DebtID: l.id(), People: l.people(), Creditors: creditors(l.debts(), k, user), At: at,
	}
}

// creditors are to whom somebody owes debts of a cycle.
func creditors(debts ajopot.Debts, cycle int, user string) (owed []string) {
	for _, d := range debts.All {
		if d.Cycle == cycle && d.Debtor == user && !slices.Contains(owed, d.Creditor) {
			owed = append(owed, d.Creditor)
		}
	}
	return owed
}

func (l *life) owes(n int) money.Kobo { return l.debts().Owed(person(n)) }

// repay pays all that somebody owes.
func (l *life) repay(n int) {
	for _, d := range l.debts().Open(person(n)) {
		l.do(ajopot.PayDebt{AjoID: ajoID, DebtID: d.ID, By: person(n), Creditor: d.Creditor, Amount: d.Left(), Key: l.id()})
	}
}

func TestADueIsPaidWholeAndInItsCycle(t *testing.T) {
	t.Parallel()
	l := five(t, nil)
	p := l.pay(3)
	for _, amount := range []money.Kobo{share - 1, share + 1, 1, 0, -share} {
		p.Amount = amount
		l.When(p).ThenField("amount")
	}
	p.Amount, p.Cycle = share, 2
	l.refuses(p, fault.Conflict, "Cycle 2 opens on 2 December 2026.")
	p.Cycle = 6
	l.refuses(p, fault.NotFound, "There is no such cycle.")
	p.Cycle, p.Seat = 1, 4
	l.refuses(p, fault.NotFound, "There is no such place")
	p.Seat, p.By = 3, person(9)
	l.refuses(p, fault.NotFound, "There is no such ajo.")
	l.do(l.pay(3))
	l.refuses(ajopot.Pay{AjoID: ajoID, Cycle: 1, Seat: 3, User: person(3), By: person(3), Amount: share, At: l.now}, fault.Conflict, "is paid already. You have not been charged.")
	l.And(event.On("ajocycle:other:1", &nairav1.AjoContributed{AjoId: "other", Cycle: 1, PaidBy: person(4), AmountKobo: int64(l.wallet(4)) - 100}))
	l.refuses(l.pay(4), fault.Insufficient, "Your wallet has ₦1.00 and this payment needs ₦8,000.00. Add at least ₦7,999.00 to your wallet first.")
}

// A full pot moves no other money than its own, so nobody's account is read to make it ready.
func TestAFullPotIsReadyWithoutNamingAnybody(t *testing.T) {
	t.Parallel()
	l := five(t, nil)
	nameless := func() ajopot.Judge { return ajopot.Judge{AjoID: ajoID, Cycle: l.ajo().Current(), Now: l.now} }
	l.paid(1, 3, 4)
	l.refuses(nameless(), fault.Conflict, "waits until")
	l.paid(5)
	require.Len(t, nameless().Streams(), 3)
	require.Equal(t, []string{posting.Pot(ajoID, 1)}, nameless().Accounts())
	l.do(nameless())
	ready, is := l.ajo().ReadyOf(1)
	require.True(t, is)
	require.Equal(t, ajo.Ready{Cycle: 1, Seat: 2, Collected: 4 * share, Netted: share, At: ready.At}, ready)
	l.paid(1, 2, 3)
	l.at(morning(l.ajo().Deadline(2).AddDate(0, 0, 1)))
	l.refuses(nameless(), fault.Conflict, "The list has changed just now.") // The fourth is short, and their deposit is looked at.
	l.do(l.judge())
}

// The payment that fills a pot comes to the same whether it makes the pot ready itself or a Judge does after it.
func TestThePaymentThatFillsAPotMakesItReady(t *testing.T) {
	t.Parallel()
	need := func(x *nairav1.AjoTerms) { x.Order = nairav1.AjoOrder_AJO_ORDER_NEED }
	for name, c := range map[string]struct {
		change func(*nairav1.AjoTerms)
		last   func(l *life) ajopot.Pay // What comes before it is done.
		events []string
	}{
		"in the order's turn": {nil, func(l *life) ajopot.Pay {
			l.paid(1, 3, 4)
			return l.pay(5)
		}, []string{"AjoContributed", "AjoCycleReady"}},
		"as a gift": {nil, func(l *life) ajopot.Pay {
			l.paid(1, 3, 4)
			gift := l.payFor(5, person(5), person(1))
			gift.Gift = true
			return gift
		}, []string{"AjoContributed", "AjoCycleReady"}},
		"where whose turn it is owes": {nil, func(l *life) ajopot.Pay {
			l.paid(1, 4, 5).over().paid(1, 2, 3)
			return l.pay(5)
		}, []string{"AjoContributed", "AjoTurnsChanged", "AjoCycleReady"}},
		"where who needs it is chosen": {need, func(l *life) ajopot.Pay {
			for _, n := range []int{1, 2, 3, 5} {
				l.do(ajopot.VoteNeed(ajoID, 1, person(n), 4, l.now))
			}
			l.at(morning(ajopot.ChosenBy(l.ajo(), 1).AddDate(0, 0, 1)))
			for _, n := range []int{1, 2, 3} {
				l.do(l.pay(n))
			}
			return l.pay(5)
		}, []string{"AjoContributed", "AjoTurnsChanged", "AjoCycleReady"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			one, two := five(t, c.change), five(t, c.change)
			last := c.last(one)
			before := len(one.Drafts)
			last.Ready = true
			one.do(last)
			two.do(c.last(two))
			two.do(ajopot.Judge{AjoID: ajoID, Cycle: last.Cycle, Now: two.now})
			var events []string
			for i, d := range one.Drafts[before:] {
				events = append(events, strings.TrimPrefix(event.TypeOf(d.Message), "naira.v1."))
				require.True(t, proto.Equal(two.Drafts[before+i].Message, d.Message))
			}
			require.Equal(t, c.events, events)
			require.Len(t, two.Drafts, len(one.Drafts))
		})
	}
}

func TestAPaymentMakesNoPotReadyForWhichOthersWouldHaveToBeNamed(t *testing.T) {
	t.Parallel()
	l := five(t, nil).paid(1, 3)
	last := l.pay(4)
	last.Ready = true
	l.do(last)
	require.Equal(t, 1, l.ajo().Current(), "one has not paid")
	cover := l.payFor(5, person(5), person(1))
	cover.Ready = true
	l.do(cover)
	require.Equal(t, 1, l.ajo().Current(), "a cover opens a debt, which may move turns")
	l.do(l.judge())
	require.Equal(t, 2, l.ajo().Current())
}

func TestTheLastMillisecondOfDayFiveIsInTime(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		after  time.Duration
		intime bool
	}{{-time.Millisecond, true}, {0, false}} {
		l := five(t, nil)
		end := l.ajo().Deadline(1).AddDate(0, 0, 1)
		at := time.Date(end.Year(), end.Month(), end.Day(), 0, 0, 0, 0, lagos.Zone).Add(c.after)
		l.paid(2, 4, 5).at(at)
		if c.intime {
			l.refuses(l.judge(), fault.Conflict, "or until all have paid")
			l.do(l.pay(3))
			continue
		}
		l.refuses(l.pay(3), fault.Conflict, "is being closed just now")
		l.do(l.judge())
		require.Equal(t, 2, len(l.debts().All), "seats 1 and 3 missed")
	}
}

func TestMoneyInTimeThatIsToldAfterThePotWasPaidUndoesThePenalty(t *testing.T) {
	t.Parallel()
	for _, meanwhile := range []string{"", "paid", "forgiven"} {
		l := five(t, nil).paid(1, 4, 5).over().out(1)
		intime := morning(l.ajo().Deadline(1))
		require.EqualValues(t, share+400_00, l.owes(3))
		before := l.wallet(2)
		d := l.debts().All[0]
		switch meanwhile {
		case "paid":
			l.repay(3)
		case "forgiven":
			l.do(ajopot.Forgive{AjoID: ajoID, DebtID: d.ID, By: person(2)})
		}
		l.refuses(l.late(1, 3, share, intime.AddDate(0, 0, 1)), fault.Conflict, "Cycle 1 is closed. What is missing of it is a debt now: pay the debt.")
		l.refuses(l.late(1, 3, 1_00, intime), fault.Invalid, "A part of it does not make it good")
		covered := l.late(1, 3, share, intime)
		covered.By = person(4)
		l.refuses(covered, fault.Conflict, "pay the debt")
		l.do(l.late(1, 3, share, intime))
		require.Zero(t, l.owes(3), meanwhile)
		switch meanwhile {
		case "":
			require.EqualValues(t, share, l.wallet(2)-before)
		case "paid":
			refund := l.debts().Open(person(2))
			require.Len(t, refund, 1)
			require.EqualValues(t, 400_00, refund[0].Left(), "who got the penalty owes it back")
			require.Equal(t, person(3), refund[0].Creditor)
			require.Zero(t, l.owes(2), "which is no sign of not paying")
		case "forgiven":
			require.Empty(t, l.debts().Open(person(2)), "nobody refunds what nobody paid")
			require.EqualValues(t, 0, l.wallet(2)-before)
		}
		l.refuses(l.late(1, 3, share, intime), fault.Conflict, "is paid already")
	}
}

func TestBothHoldersOfASeatDefault(t *testing.T) {
	t.Parallel()
	l := begun(t, terms(3, func(x *nairav1.AjoTerms) { x.FeeBasisPoints = 0 }), funds, 2, 2, 1, 1) // Seats 1, 2, 3 of two.
	l.paid(1).over()
	for _, n := range []int{3, 4} {
		require.EqualValues(t, share/2+200_00, l.owes(n))
		require.Equal(t, person(2), l.debts().Open(person(n))[0].Creditor)
	}
	require.EqualValues(t, share, l.split(1).Of(person(2)))
	l.paid(2).over()
	require.Equal(t, []int{2, 1, 3}, l.ajo().Order, "the seat collects last")
}

func TestHalfHandsShareWhatIsShort(t *testing.T) {
	t.Parallel()
	l := begun(t, terms(3, func(x *nairav1.AjoTerms) { x.FeeBasisPoints = 0 }), funds, 2, 1, 1, 2) // Seat 2 of two collects first.
	l.paid(1, 2).over()
	require.EqualValues(t, 8_000_00, l.split(1).Of(person(2)), "half of the pot with what is netted: paid its own")
	require.EqualValues(t, 4_000_00, l.split(1).Of(person(3)), "netted")
	for n := range 2 {
		d := l.debts().Open(person(4))[n]
		require.EqualValues(t, 4_000_00, d.Amount)
		require.Equal(t, person(2+n), d.Creditor)
	}
}

func TestWhoCollectsAndIsOwnerAndDelinquentIsSetOff(t *testing.T) {
	t.Parallel()
	l := five(t, nil)
	l.paid(3, 4, 5).over().out(1) // The owner misses.
	for k := 2; k <= 4; k++ {
		l.paid(1, 2, 3, 4, 5).over().out(k)
	}
	require.Equal(t, 1, l.ajo().Order[4])
	before := l.wallet(2)
	l.paid(2, 3, 4, 5).over()
	s := l.split(5)
	require.EqualValues(t, share+400_00, s.SetOffs[0].Amount)
	require.EqualValues(t, 3*share-400_00, s.Of(person(1)))
	l.out(5)
	require.Zero(t, l.owes(1))
	require.EqualValues(t, share+400_00-share, l.wallet(2)-before)
}

func TestWhereEverybodyOwesWhoOwesLeastCollects(t *testing.T) {
	t.Parallel()
	l := five(t, nil)
	l.over() // Nobody pays; all owe seat 2 but itself.
	require.Zero(t, l.split(1).Gross)
	l.do(ajopot.PayDebt{AjoID: ajoID, DebtID: l.debts().Open(person(4))[0].ID, By: person(4), Creditor: person(2), Amount: 100_00, Key: "k"})
	l.over()
	require.Equal(t, 4, l.ajo().Order[1])
	for k := 3; k <= 5; k++ {
		l.over()
	}
	require.True(t, l.ajo().Over())
	for k := 1; k <= 5; k++ {
		l.do(ajopot.PaySilent(ajoID, k, l.people(), l.now.AddDate(0, 0, 30)))
	}
	l.do(ajopot.Complete(ajoID, []int{1, 2, 3, 4, 5}, l.people()))
	require.Equal(t, ajo.Completed, l.ajo().Status)
}

func TestADebtPaidToWhoHasClosedTheirAccountIsParked(t *testing.T) {
	t.Parallel()
	l := five(t, nil)
	l.paid(1, 3, 4, 5).over().out(1)
	l.paid(1, 4, 5).over().out(2) // Seat 2 has collected, and misses the turn of seat 3.
	for k := 3; k <= 5; k++ {
		l.paid(1, 2, 3, 4, 5).over().out(k)
	}
	l.do(ajopot.Complete(ajoID, []int{1, 2, 3, 4, 5}, l.people()))
	l.And(event.On("ajocycle:other:1", &nairav1.AjoContributed{AjoId: "other", Cycle: 1, PaidBy: person(3), AmountKobo: int64(l.wallet(3))}))
	l.And(event.On(account.Stream(person(3)), &nairav1.AccountClosed{UserId: person(3)}))
	before := l.Balance(posting.Unmatched)
	l.repay(2)
	require.Zero(t, l.wallet(3), "nothing enters a closed account")
	require.EqualValues(t, share+400_00, l.Balance(posting.Unmatched)-before)
}

func TestMoneyToldAfterTheEndPaysWhatIsOwedAndNoClosedAccount(t *testing.T) {
	t.Parallel()
	for _, closed := range []bool{false, true} {
		l := five(t, nil)
		l.paid(1, 3, 4, 5).over().out(1)
		l.paid(1, 4, 5).over().out(2) // Seat 2 has collected, and misses the turn of seat 3.
		intime := morning(l.ajo().Deadline(2))
		for k := 3; k <= 5; k++ {
			l.paid(1, 2, 3, 4, 5).over().out(k)
		}
		l.do(ajopot.Complete(ajoID, []int{1, 2, 3, 4, 5}, l.people()))
		if closed {
			l.And(event.On("ajocycle:other:1", &nairav1.AjoContributed{AjoId: "other", Cycle: 1, PaidBy: person(3), AmountKobo: int64(l.wallet(3))}))
			l.And(event.On(account.Stream(person(3)), &nairav1.AccountClosed{UserId: person(3)}))
		}
		parked, before := l.Balance(posting.Unmatched), l.wallet(3)
		stale := l.late(2, 2, share, intime)
		stale.Creditors = nil
		l.do(wallet.StartPayment{PaymentID: "bank", User: person(2), Channel: transfer, Provider: event.Vfd, Amount: share, ExpiresAt: l.now.AddDate(1, 0, 0)})
		confirm := wallet.ConfirmPayment{PaymentID: "bank", User: person(2), Provider: event.Vfd, Gross: share, ProviderRef: "p", PaidAt: intime}
		l.refuses(ajopot.ByPayment{Confirm: confirm, AjoID: ajoID, Amount: share, Pay: stale}, fault.Unavailable, "The cycle was closed just now.")
		l.do(l.late(2, 2, share, intime))
		require.Zero(t, l.owes(2), "the penalty is undone")
		if closed {
			require.Zero(t, l.wallet(3))
			require.EqualValues(t, share, l.Balance(posting.Unmatched)-parked)
		} else {
			require.EqualValues(t, share, l.wallet(3)-before)
		}
	}
}

func TestMembersAreRemindedOfWhatTheyHaveNotPaid(t *testing.T) {
	t.Parallel()
	l := five(t, nil).paid(1) // Seat 2 collects.
	due, deadline := l.ajo().Due(1), l.ajo().Deadline(1)
	remind := func(at time.Time) ajoremind.Remind { return ajoremind.Remind{AjoID: ajoID, Cycle: 1, Now: at} }
	told := func(at time.Time, kind nairav1.ReminderKind, users ...string) {
		t.Helper()
		out, err := l.Do(remind(at))
		require.NoError(t, err)
		l.refuses(remind(at.Add(time.Hour)), fault.Conflict, "has been reminded already")
		m := out[0].Message.(*nairav1.AjoDuesReminded)
		require.Equal(t, kind, m.GetKind())
		require.Equal(t, users, m.GetUserIds())
	}
	l.refuses(remind(morning(due.AddDate(0, 0, -ajoremind.SoonDays-1))), fault.Conflict, "Nobody is to be reminded today.")
	told(morning(due.AddDate(0, 0, -ajoremind.SoonDays)), nairav1.ReminderKind_REMINDER_KIND_SOON, person(3), person(4), person(5))
	l.paid(4)
	told(morning(due), nairav1.ReminderKind_REMINDER_KIND_TODAY, person(3), person(5))
	told(morning(due.AddDate(0, 0, 1)), nairav1.ReminderKind_REMINDER_KIND_OVERDUE, person(3), person(5))
	l.refuses(remind(morning(deadline.AddDate(0, 0, 1))), fault.Conflict, "Nobody is to be reminded today.")
	l.refuses(ajoremind.Remind{AjoID: ajoID, Cycle: 2, Now: morning(due)}, fault.Conflict, "is not being paid now")
}

func TestACoverMovesNobodysTurnBeforeTheyCouldRepay(t *testing.T) {
	t.Parallel()
	l := five(t, nil)
	l.dueDay()
	l.do(l.payFor(2, person(2), person(5))) // Seat 2 collects now; another pays its due unasked.
	l.paid(1, 3, 4, 5)
	l.do(l.judge())
	require.Equal(t, 2, l.ajo().Order[0])
	require.EqualValues(t, 4*share, l.split(1).Of(person(2)), "the cover is set off")
	l.out(1)
	l.dueDay()
	l.do(l.payFor(4, person(4), person(5)))
	l.paid(1, 2, 3, 5)
	l.do(l.judge())
	l.paid(1, 2, 3, 5).over()
	require.Equal(t, []int{2, 3, 5, 1, 4}, l.ajo().Order, "who did not repay by the next cycle owes")
}

func TestADueComesAfterOldDebtsOnceItsDayIsOver(t *testing.T) {
	t.Parallel()
	l := five(t, nil)
	l.paid(1, 3, 5).over()
	l.dueDay().at(l.now.AddDate(0, 0, 1))
	l.refuses(l.pay(4), fault.Conflict, "so what you owe of cycle 1 comes first: ₦8,400.00")
	l.repay(4)
	l.do(l.pay(4))
}

func TestTheDepositFillsTheGap(t *testing.T) {
	t.Parallel()
	l := five(t, func(x *nairav1.AjoTerms) { x.Deposits = 1 })
	l.paid(1, 4, 5).over()
	require.Empty(t, l.debts().All)
	require.Zero(t, l.Balance(posting.Deposit(ajoID, person(3))))
	l.do(l.late(1, 3, share, morning(l.ajo().Deadline(1))))
	require.EqualValues(t, share, l.Balance(posting.Deposit(ajoID, person(3))), "money in time that is told late refills it")
	l.paid(1, 2, 4, 5).over() // Seat 3 collects.
	l.paid(1, 2, 5).over()
	require.Zero(t, l.owes(3), "the deposit again")
	l.paid(1, 2, 4).over()
	require.EqualValues(t, share+400_00, l.owes(3))
}

func TestAnExpiredCycleIsNotPrepaid(t *testing.T) {
	t.Parallel()
	l := five(t, nil)
	l.paid(1, 3, 4, 5)
	l.do(l.judge())
	pre := ajopot.Prepay{AjoID: ajoID, Seat: 2, User: person(2), Amount: 4 * share, Cycles: []int{2, 3, 4, 5}, At: morning(l.ajo().Deadline(2).AddDate(0, 0, 1))}
	l.refuses(pre, fault.Conflict, "is being closed just now")
	pre.At, pre.Amount = l.now, 3*share
	l.refuses(pre, fault.Invalid, "What is still due of seat 2 is ₦32,000.00")
	pre.Amount = 4 * share
	l.do(pre)
	l.refuses(pre, fault.Conflict, "is paid already")
	pre.Seat, pre.User = 3, person(3)
	l.refuses(pre, fault.Conflict, "Seat 3 has not collected yet.")
}

func TestABankThatTakesAPaymentBack(t *testing.T) {
	t.Parallel()
	for _, when := range []string{"open", "ready", "paid", "part"} {
		l := five(t, nil)
		l.paid(1, 4, 5)
		l.do(wallet.StartPayment{PaymentID: "p", User: person(3), Channel: transfer, Provider: event.Vfd, Amount: share, ExpiresAt: l.now.AddDate(1, 0, 0)})
		confirm := wallet.ConfirmPayment{PaymentID: "p", User: person(3), Provider: event.Vfd, Gross: share, ProviderRef: "p", PaidAt: l.now}
		pay := l.pay(3)
		pay.PaymentID, pay.Channel = "p", transfer
		l.do(ajopot.ByPayment{Confirm: confirm, AjoID: ajoID, Amount: share, Pay: pay})
		require.EqualValues(t, funds, l.wallet(3))
		back := ajopot.TakenBack{
			Reversal: wallet.ReversePayment{PaymentID: "p", User: person(3), Provider: event.Vfd, ProviderRef: "r", Reason: "Taken back"},
			Pot:      ajopot.Reverse{AjoID: ajoID, Cycle: 1, PaymentID: "p", User: person(3), DebtID: "reversal.r"},
		}
		switch when {
		case "open":
			l.do(back)
			require.Zero(t, l.owes(3))
			l.do(l.pay(3)) // Open again.
		case "ready":
			l.do(l.judge())
			l.do(ajopot.RequestPayout(ajoID, 1, person(2), nairav1.AjoDestination_AJO_DESTINATION_WALLET, 4*share, l.people()))
			l.do(back)
			require.EqualValues(t, share+400_00, l.owes(3))
			require.EqualValues(t, 3*share, l.split(1).Of(person(2)))
		case "paid":
			l.do(l.judge())
			l.out(1)
			l.And(event.On("ajocycle:other:1", &nairav1.AjoContributed{AjoId: "other", Cycle: 1, PaidBy: person(3), AmountKobo: int64(l.wallet(3)) - 1_000_00}))
			l.do(back)
			require.Zero(t, l.owes(3), "in the ajo")
			require.EqualValues(t, 1_000_00-share, l.Balance(posting.Owed(person(3))), "to Adashi")
		case "part":
			back.Reversal.Gross = 1_000_00
			l.do(back)
			require.EqualValues(t, share, l.cycle(1).Paid(3, person(3)), "the contribution stands")
			require.EqualValues(t, funds-1_000_00, l.wallet(3))
		}
	}
}

func TestAPaymentThatTheAjoRefusesWaitsInTheWallet(t *testing.T) {
	t.Parallel()
	l := five(t, nil)
	l.paid(3)
	l.do(wallet.StartPayment{PaymentID: "p", User: person(3), Channel: transfer, Provider: event.Vfd, Amount: share, ExpiresAt: l.now.AddDate(1, 0, 0)})
	pay := l.pay(3)
	pay.PaymentID, pay.Amount = "p", share
	confirm := wallet.ConfirmPayment{PaymentID: "p", User: person(3), Provider: event.Vfd, Gross: share, ProviderRef: "p", PaidAt: l.now}
	l.do(ajopot.ByPayment{Confirm: confirm, AjoID: ajoID, Amount: share, Pay: pay})
	require.EqualValues(t, funds, l.wallet(3))
	require.Contains(t, l.Drafts[len(l.Drafts)-1].Message.(*nairav1.AjoContributionRefused).GetReason(), "is paid already.")
}

func TestForgivingIsTheCreditorsOnly(t *testing.T) {
	t.Parallel()
	l := five(t, nil)
	l.paid(1, 4, 5).over()
	d := l.debts().All[0].ID
	l.refuses(ajopot.Forgive{AjoID: ajoID, DebtID: d, By: person(3)}, fault.Forbidden, "Only the person you owe can forgive it.")
	l.refuses(ajopot.Forgive{AjoID: ajoID, DebtID: d, By: person(4)}, fault.NotFound, "There is no such debt.")
	pay := ajopot.PayDebt{AjoID: ajoID, DebtID: d, By: person(3), Creditor: person(2), Amount: share + 400_01, Key: "k"}
	l.refuses(pay, fault.Invalid, "That is more than is owed here: ₦8,400.00 is left.")
	pay.Amount, pay.Taken = 1_00, "sweep"
	l.refuses(pay, fault.Forbidden, "The debtor has not agreed to this.")
	pay.Taken, pay.By = "", person(2)
	l.refuses(pay, fault.Conflict, "This is owed to you.")
	l.do(ajopot.Forgive{AjoID: ajoID, DebtID: d, By: person(2)})
	l.refuses(ajopot.Forgive{AjoID: ajoID, DebtID: d, By: person(2)}, fault.Conflict, "Nothing is left")
}
