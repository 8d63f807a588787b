package redecide_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajocard"
	"adashi.ng/ledger/domain/ajoconsent"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/domain/ajoremind"
	"adashi.ng/ledger/domain/holds"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/redecide"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/posting"
)

const club = "01900000-0000-7000-8000-000000000001"

// hand is what each seat of the club pays to a cycle.
const hand = ledgertest.Hand

// weeks is a club of three, told up to the end: the second seat collects first, then the third, then the owner's.
//
// All pay to the first cycle, and its pot is approved. The owner does not pay to the second, and it is a debt with a
// penalty, half of which they pay a day after; its pot pays itself. To the third all pay again.
type weeks struct {
	diary
	first time.Time // Ten in the morning of the first due day.
}

func newWeeks(t *testing.T) weeks {
	t.Helper()
	now := on(3)
	w := weeks{diary: diary{book: book{T: t, pool: ledgertest.Pool(t)}, now: &now}}
	require.NoError(t, store.Migrate(context.Background(), w.pool))
	w.store = store.Open(store.Postgres(w.pool, 0), ledger.Aggregates(), store.Options{Clock: func() time.Time { return *w.now }})
	t.Cleanup(w.store.Close)
	w.do(ledgertest.AjoBegun(now)...)
	state, err := w.store.Load(context.Background(), ajo.Stream(club))
	require.NoError(t, err)
	w.first = state.(ajo.Ajo).Due(1).Add(9 * time.Hour)
	return w
}

// on gives commands so many days after the first due day.
func (w weeks) on(days float64, commands ...event.Command) {
	w.Helper()
	*w.now = w.at(days)
	w.from(*w.now, commands...)
}

func (w weeks) at(days float64) time.Time {
	return w.first.Add(time.Duration(days * 24 * float64(time.Hour)))
}

func (w weeks) due(days float64, n, cycle int) event.Command {
	user := ledgertest.Saver(n)
	return ajopot.Pay{AjoID: club, Cycle: cycle, Seat: n + 1, User: user, By: user, Amount: hand, Channel: nairav1.Channel_CHANNEL_WALLET, At: w.at(days)}
}

func everybody() []string {
	return []string{ledgertest.Saver(0), ledgertest.Saver(1), ledgertest.Saver(2)}
}

func (w weeks) judge(days float64, cycle int) event.Command {
	return ajopot.Judge{AjoID: club, Cycle: cycle, People: everybody(), Now: w.at(days)}
}

// story is the club's whole story.
func story(t *testing.T) weeks {
	t.Helper()
	w := newWeeks(t)
	people := everybody()
	fee, _ := ajo.Fee(w.ajo().Terms, 3*hand)
	w.on(0, w.due(0, 0, 1), w.due(0, 2, 1), w.judge(0, 1))
	w.on(1, ajopot.RequestPayout(club, 1, people[1], nairav1.AjoDestination_AJO_DESTINATION_WALLET, 2*hand-fee, people),
		ajopot.ApprovePayout(club, 1, people[0], people, w.at(1)), ajopot.ApprovePayout(club, 1, people[2], people, w.at(1)))
	w.on(7, w.due(7, 1, 2))
	w.on(13, w.judge(13, 2)) // After five days of grace.
	w.on(14, ajopot.PayDebt{AjoID: club, DebtID: "2.1.1.1", By: people[0], Creditor: people[2], Amount: hand / 2, Key: "half"})
	w.on(14.2, w.due(14.2, 1, 3), w.due(14.2, 2, 3), w.judge(14.2, 3))
	w.on(27.5, ajopot.PaySilent(club, 2, people, w.at(27.5)))
	return w
}

func (w weeks) ajo() ajo.Ajo {
	w.Helper()
	state, err := w.store.Load(context.Background(), ajo.Stream(club))
	require.NoError(w, err)
	return state.(ajo.Ajo)
}

func (w weeks) try(edits ...redecide.Edit) redecide.Found {
	w.Helper()
	found, err := w.lab(edits...)
	require.NoError(w, err)
	return found
}

// find is where the one event is that a test means.
func find[M proto.Message](w weeks, is func(M) bool) int64 {
	w.Helper()
	records, err := history.Read(context.Background(), w.pool, 0, 1000)
	require.NoError(w, err)
	for i := range records {
		m, err := records[i].Message()
		require.NoError(w, err)
		if m, ok := m.(M); ok && is(m) {
			return records[i].Pos
		}
	}
	w.Fatal("there is no such event")
	return 0
}

// paid is where somebody's due of a cycle is.
func (w weeks) paid(n, cycle int) int64 {
	w.Helper()
	return find(w, func(m *nairav1.AjoContributed) bool {
		return m.GetUserId() == ledgertest.Saver(n) && int(m.GetCycle()) == cycle
	})
}

// debtPaid is where the first payment of a debt is.
func (w weeks) debtPaid(id string) int64 {
	w.Helper()
	return find(w, func(m *nairav1.AjoDebtPaid) bool { return m.GetDebtId() == id })
}

// opened is where a debt was opened.
func (w weeks) opened(id string) int64 {
	w.Helper()
	return find(w, func(m *nairav1.AjoDebtOpened) bool { return m.GetDebtId() == id })
}

// days are differences with the days after the first due day on which they are.
func (w weeks) days(lines []redecide.Line) (out []string) {
	for i, text := range told(lines) {
		out = append(out, fmt.Sprintf("%.1f %s", lines[i].At.Sub(w.first).Hours()/24, text))
	}
	return out
}

func TestAnAjoIsDecidedAgainByteForByte(t *testing.T) {
	t.Parallel()
	w := story(t)
	found := w.try()
	require.Empty(t, told(found.Lines))
	require.Empty(t, found.Balances)
	require.Empty(t, found.States)
	_, differs := w.again()
	require.Empty(t, differs)
}

// The payment that fills a pot makes it ready in the same command.
func TestADueThatMadeItsPotReadyIsDecidedAgain(t *testing.T) {
	t.Parallel()
	w := newWeeks(t)
	last := w.due(0, 2, 1).(ajopot.Pay)
	last.Ready = true
	w.on(0, w.due(0, 0, 1), last)
	require.Equal(t, 2, w.ajo().Current(), "the pot is ready")
	found := w.try()
	require.Empty(t, told(found.Lines))
	require.Empty(t, found.States)
	_, differs := w.again()
	require.Empty(t, differs)

	paid := find(w, func(m *nairav1.AjoContributed) bool { return m.GetSeat() == 3 })
	found = w.try(redecide.Edit{Position: paid, Absent: true})
	require.Equal(t, []string{"0.0 EDITED -AjoContributed", "0.0 REFUSED -AjoCycleReady", "5.6 NEW +AjoDebtOpened +AjoCycleReady"}, w.days(found.Lines))
	require.Equal(t, hand, found.Balances[posting.Wallet(ledgertest.Saver(2))].Would-found.Balances[posting.Wallet(ledgertest.Saver(2))].Was)
}

// transfer is a payment by transfer for a due, of which the bank says so many days after the first due day that it came
// at another time.
func (w weeks) transfer(told, came float64, id string, n, cycle int) {
	w.Helper()
	user := ledgertest.Saver(n)
	purpose := &nairav1.AjoPurpose{AjoId: club, Cycle: int32(cycle), Seat: int32(n + 1)}
	w.on(came, wallet.StartPayment{
		PaymentID: id, User: user, Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: event.Vfd, Tariff: wallet.Free, Amount: hand, ExpiresAt: w.at(came + 1), ForAjo: purpose,
	})
	*w.now = w.at(told)
	_, err := w.store.Append(context.Background(), store.Command{ID: uuid.New(), Actor: "t", EffectiveAt: w.at(came), Command: ajopot.ByPayment{
		Confirm: wallet.ConfirmPayment{PaymentID: id, User: user, Provider: event.Vfd, Gross: hand, ProviderRef: id, PaidAt: w.at(came)}, AjoID: club, Amount: hand,
		Pay: ajopot.Pay{
			AjoID: club, Cycle: cycle, Seat: n + 1, User: user, By: user, Amount: hand, Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, PaymentID: id, DebtID: "refund." + id,
			People: everybody(), Creditors: everybody(), At: w.at(came),
		},
	}})
	require.NoError(w, err)
}

func TestWhatAnAjoAndItsJobsDoIsDecidedAgain(t *testing.T) {
	t.Parallel()
	w := newWeeks(t)
	people := everybody()
	w.on(-1, ajoconsent.Set{AjoID: club, User: people[0], Dues: true, Sweep: true}, ajoremind.Remind{AjoID: club, Cycle: 1, Now: w.at(-1)})
	w.transfer(-0.5, -0.5, "intime", 0, 1)
	w.on(0, ajopot.Pay{AjoID: club, Cycle: 1, Seat: 3, User: people[2], By: people[1], Amount: hand, Channel: nairav1.Channel_CHANNEL_WALLET, DebtID: "cover", At: w.at(0)}, w.judge(0, 1))
	w.on(0.4, ajopot.PayDebt{AjoID: club, DebtID: "cover", By: people[2], Creditor: people[1], Amount: hand / 4, Key: "part"}, ajopot.Forgive{AjoID: club, DebtID: "cover", By: people[1]})
	w.on(0.5, ajopot.RefusePayout(club, 1, people[2], nairav1.AjoRefusal_AJO_REFUSAL_DISPUTE, "It is disputed.", w.at(0.5)))
	w.on(1, ajo.Move{AjoID: club, MotionID: "pause", By: people[1], Kind: nairav1.AjoMotionKind_AJO_MOTION_KIND_PAUSE, Reason: "It is a feast.", Now: w.at(1)})
	w.on(14, ajopot.PaySilent(club, 1, people, w.at(14)))
	w.on(14.1, w.judge(14.1, 2)) // Nobody paid to the second.
	w.transfer(14.2, 7, "late", 0, 2)
	w.transfer(14.3, 14.3, "closed", 1, 2) // Its days are over, so it waits in the wallet.
	owes := ajopot.PayDebt{AjoID: club, DebtID: "2.2.1.1", By: people[1], Creditor: people[2], Amount: 100, Key: "own"}
	w.on(14.4, owes, ajopot.PayDebt{AjoID: club, DebtID: "2.2.1.1", By: people[0], Creditor: people[2], Amount: 100, Key: "others"},
		ajopot.PayDebt{AjoID: club, DebtID: "2.2.1.1", By: people[0], Creditor: people[2], Amount: 100, Key: "gift", Gift: true},
		ajoconsent.Set{AjoID: club, User: people[1], Sweep: true})
	owes.Taken, owes.Amount = "sweep", 200
	w.on(14.5, owes)
	owes.Taken, owes.Amount = "retry", hand/2
	w.on(14.6, owes)
	w.on(29, ajo.EndMotion(club, "pause", w.at(29)), w.judge(29, 3), ajopot.PaySilent(club, 2, people, w.at(29)))
	card := ajocard.OpenCard{CardID: "card", User: people[2], Name: "School fees", Amount: hand / 2, Frequency: nairav1.PaymentFrequency_PAYMENT_FREQUENCY_DAILY, Start: savings.Day(w.at(30)), Now: w.at(30)}
	w.on(30, card, ajocard.Fill{CardID: "card", User: people[2], By: people[2], Boxes: 2, Channel: nairav1.Channel_CHANNEL_WALLET, At: w.at(30)},
		holds.Place{HoldID: "h", Account: posting.Wallet(people[1]), Amount: hand, Purpose: "test", Now: w.at(30), ExpiresAt: w.at(40)},
		holds.Release("h", posting.Wallet(people[1]), 100), holds.Capture("h", posting.Wallet(people[1]), posting.Wallet(people[2]), 100, w.at(30)))
	w.on(41, holds.Expire("h", posting.Wallet(people[1]), w.at(41)))
	charge, _ := ajocard.Card{Amount: hand / 2, Boxes: ajocard.DailyBoxes, Filled: 2, BreakCharge: ajocard.BreakCharge}.Charge()
	w.on(31, ajocard.End{CardID: "card", User: people[2], Break: true, Net: hand - charge, Now: w.at(31)})
	w.on(44, ajopot.PaySilent(club, 3, people, w.at(44)), ajopot.Complete(club, []int{1, 2, 3}, people))
	result, differs := w.again()
	require.Empty(t, differs)
	require.Empty(t, result.Taken)
	require.Empty(t, told(w.try().Lines))
}

func TestALabFollowsTheJobsOfAnAjo(t *testing.T) {
	t.Parallel()
	const waits, none = "This cycle waits until 14 November 2026, or until all have paid.", "There is no such debt."
	for name, c := range map[string]struct {
		edit  func(w weeks) redecide.Edit
		lines []string
		whys  []string // Of those that are refused.
	}{
		"a due that was never paid": {
			func(w weeks) redecide.Edit { return redecide.Edit{Position: w.paid(2, 1), Absent: true} },
			[]string{
				"0.0 EDITED -AjoContributed", "0.0 REFUSED -AjoCycleReady", "1.0 REFUSED -AjoPayoutRequested", "1.0 REFUSED -AjoPayoutApproved",
				"1.0 REFUSED -AjoPayoutApproved -AjoPaid", "5.6 NEW +AjoDebtOpened +AjoCycleReady",
				"13.0 OTHERWISE -AjoDebtOpened -AjoCycleReady +AjoTurnsChanged +AjoDebtOpened +AjoCycleReady", "14.0 REFUSED -AjoDebtPaid",
				"14.2 REFUSED -AjoCycleReady", "19.6 NEW +AjoDebtOpened +AjoCycleReady", "19.6 NEW +AjoPaid",
				"27.5 OTHERWISE -AjoPaid +AjoDebtPaid +AjoPaid",
			},
			[]string{waits, waits, waits, waits, none, "This cycle waits until 28 November 2026, or until all have paid."},
		},
		"a due that was paid two days later": {
			func(w weeks) redecide.Edit { return redecide.Edit{Position: w.paid(2, 1), At: w.at(2)} },
			[]string{
				"0.0 REFUSED -AjoCycleReady", "1.0 REFUSED -AjoPayoutRequested", "1.0 REFUSED -AjoPayoutApproved", "1.0 REFUSED -AjoPayoutApproved -AjoPaid",
				"2.0 EDITED +AjoContributed", "2.0 NEW +AjoCycleReady", "16.6 NEW +AjoPaid",
			},
			[]string{waits, waits, waits, waits},
		},
		"a debt that was a due in time": {
			func(w weeks) redecide.Edit { return redecide.Edit{Position: w.debtPaid("2.1.1.1"), At: w.at(7.2)} },
			[]string{
				"7.2 EDITED +AjoContributed", "7.2 NEW +AjoCycleReady", "13.0 REFUSED -AjoDebtOpened -AjoCycleReady", "21.6 NEW +AjoPaid", "27.5 REFUSED -AjoPaid",
			},
			[]string{"Cycle 2 is not the one that is paid now.", "The pot of cycle 2 is paid out already."},
		},
		"a debt that was paid a day later": {
			func(w weeks) redecide.Edit { return redecide.Edit{Position: w.debtPaid("2.1.1.1"), At: w.at(15)} },
			[]string{"15.0 EDITED +AjoDebtPaid"},
			nil,
		},
		"a debt that was never opened": {
			func(w weeks) redecide.Edit { return redecide.Edit{Position: w.opened("2.1.1.1"), Absent: true} },
			[]string{"13.0 EDITED -AjoDebtOpened", "14.0 REFUSED -AjoDebtPaid"},
			[]string{none},
		},
		"half of a debt": {
			func(w weeks) redecide.Edit { return redecide.Edit{Position: w.opened("2.1.1.1"), Amount: hand / 2} },
			[]string{"13.0 EDITED -AjoDebtOpened +AjoDebtOpened", "14.0 OTHERWISE -AjoDebtPaid +AjoDebtPaid"},
			nil,
		},
		"a pot that was never made ready": {
			func(w weeks) redecide.Edit {
				return redecide.Edit{Position: find(w, func(m *nairav1.AjoCycleReady) bool { return m.GetCycle() == 2 }), Absent: true}
			},
			[]string{"13.0 EDITED -AjoDebtOpened -AjoCycleReady", "13.6 NEW +AjoDebtOpened +AjoCycleReady", "27.5 REFUSED -AjoPaid"},
			[]string{"This pot pays itself on 6 December 2026, 00:00."},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := story(t)
			found := w.try(c.edit(w))
			require.Equal(t, c.lines, w.days(found.Lines))
			require.Equal(t, c.whys, refused(found))
			var sum money.Kobo
			for _, b := range found.Balances {
				sum += b.Would - b.Was
			}
			require.Zero(t, sum, "no money comes of nothing")
		})
	}
}

// refused are the sentences of what would have been refused.
func refused(found redecide.Found) (whys []string) {
	for _, l := range found.Lines {
		if l.Kind == redecide.Refused {
			whys = append(whys, l.Why)
		}
	}
	return whys
}

func TestTwoDebtsOfOneCommandAreEditedTogether(t *testing.T) {
	t.Parallel()
	w := newWeeks(t)
	w.on(6, w.judge(6, 1)) // Nobody paid.
	w.on(7, ajopot.PayDebt{AjoID: club, DebtID: "1.1.1.1", By: everybody()[0], Creditor: everybody()[1], Amount: hand, Key: "own"})
	first, second := w.opened("1.1.1.1"), w.opened("1.3.1.1")
	found := w.try(redecide.Edit{Position: first, Absent: true}, redecide.Edit{Position: second, Amount: hand / 2})
	require.Equal(t, []string{"6.0 EDITED -AjoDebtOpened", "6.0 EDITED -AjoDebtOpened +AjoDebtOpened", "7.0 REFUSED -AjoDebtPaid"}, w.days(found.Lines))
	require.Equal(t, []int64{first, second}, []int64{found.Lines[0].Position, found.Lines[1].Position})
	both := w.try(redecide.Edit{Position: first, Absent: true}, redecide.Edit{Position: second, Absent: true})
	require.Equal(t, []string{"6.0 EDITED -AjoDebtOpened", "6.0 EDITED -AjoDebtOpened", "7.0 REFUSED -AjoDebtPaid"}, w.days(both.Lines))
	left := func(found redecide.Found) (ids []string) {
		var debts ajopot.Debts
		require.NoError(t, json.Unmarshal(found.States[ajo.DebtStream(club)].Would, &debts))
		for _, d := range debts.All {
			ids = append(ids, d.ID)
		}
		return ids
	}
	require.Empty(t, left(both))
	require.Equal(t, []string{"1.1.1.1"}, left(w.try(redecide.Edit{Position: second, Absent: true})))
	require.NotContains(t, both.States, ajo.Stream(club), "the pot is ready as it was")
	_, err := w.lab(redecide.Edit{Position: first, At: w.at(1)})
	require.ErrorContains(t, err, "came of another, so it cannot have come at another time")
}
