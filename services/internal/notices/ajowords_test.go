package notices_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/domain/draw"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/services/internal/apptest"
)

// balogunAjo is the id of ledgertest's ajos.
const balogunAjo = "01900000-0000-7000-8000-000000000001"

// heard is what somebody was told, newest first.
func heard(w *apptest.Town, user string) []contract.Notification {
	w.Helper()
	page, err := w.App.Notices.Notifications(context.Background(), user, nil, 100)
	require.NoError(w, err)
	return page.Notifications
}

// A pot that is set off against what its holder owes pays them nothing, and is no movement.
func TestNobodyIsToldOfMoneyThatDidNotComeAndEveryLinkLeadsSomewhere(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	now := time.Now()
	w.Gives(ledgertest.AjoLife(now)...)
	w.Gives(ledgertest.AjoPoor(now)...)
	for n := range 3 {
		for _, one := range heard(w, ledgertest.Saver(n)) {
			require.NotContains(t, one.Data.Body, "₦0.00", "%s", one.Type)
			if id, is := strings.CutPrefix(one.Data.Link, "/dashboard/activity/"); is {
				_, err := w.App.Activity.Movement(context.Background(), ledgertest.Saver(n), id)
				require.False(t, fault.Is(err, fault.NotFound), "%s: “%s” leads to nothing", one.Type, one.Data.Body)
			}
		}
	}
}

// A debt may be paid in full between the pot's being ready and its payout.
func TestAMemberWhoseShortPotWasMadeGoodIsNotToldThatTheyAreOwedTheRest(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	now := time.Now()
	people := []string{ledgertest.Saver(0), ledgertest.Saver(1), ledgertest.Saver(2)}
	w.Gives(ledgertest.AjoBegun(now)...)
	a, err := w.App.Ledger.Load(context.Background(), ajo.Stream(balogunAjo))
	require.NoError(t, err)
	due := savings.ParseDay(a.(ajo.Ajo).FirstDue).Add(10 * time.Hour)
	w.Gives(
		ajopot.Pay{AjoID: balogunAjo, Cycle: 1, Seat: 1, User: people[0], By: people[0], Amount: ledgertest.Hand, Channel: nairav1.Channel_CHANNEL_WALLET, At: due},
		ajopot.Judge{AjoID: balogunAjo, Cycle: 1, People: people, Now: due.AddDate(0, 0, 6)},
	)
	debts, err := w.App.Ledger.Load(context.Background(), ajo.DebtStream(balogunAjo))
	require.NoError(t, err)
	all := debts.(ajopot.Debts).All
	require.Len(t, all, 1)
	w.Gives(
		ajopot.PayDebt{AjoID: balogunAjo, DebtID: all[0].ID, By: all[0].Debtor, Creditor: all[0].Creditor, Amount: all[0].Left(), Key: "whole"},
		ajopot.PaySilent(balogunAjo, 1, people, due.AddDate(0, 0, 60)),
	)
	found := false
	for _, one := range heard(w, all[0].Creditor) {
		if strings.HasPrefix(string(one.Type), "ajo_payout_paid") || strings.HasPrefix(string(one.Type), "ajo_payout_short") {
			found = true
			require.NotContains(t, one.Data.Body, "owes you the rest", "it was paid to them before")
		}
	}
	require.True(t, found)
}

// Every seat that has not collected is frozen then: nobody gave it up.
func TestAMemberWhoseAjoEndsEarlyIsNotToldThatNobodyTookOverTheirSeat(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	w.Gives(ledgertest.AjoBegun(time.Now())...)
	w.Gives(ledgertest.Happens("ends", &nairav1.AjoTerminated{AjoId: balogunAjo}, &nairav1.AjoSeatFrozen{AjoId: balogunAjo, Seat: 3}))
	for _, one := range heard(w, ledgertest.Saver(2)) {
		require.NotContains(t, one.Data.Body, "Nobody took over", "their ajo was voted to end early")
	}
}

func TestAMemberWhoNeverDepositedIsNotToldThatTheirDepositIsBack(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	w.Gives(ledgertest.AjoBegun(time.Now())...)
	a, err := w.App.Ledger.Load(context.Background(), ajo.Stream(balogunAjo))
	require.NoError(t, err)
	require.Zero(t, a.(ajo.Ajo).Terms.GetDeposits(), "this ajo takes no deposit")
	w.Gives(ledgertest.Happens("over", &nairav1.AjoCompleted{AjoId: balogunAjo}))
	found := false
	for _, one := range heard(w, ledgertest.Saver(2)) {
		if strings.Contains(one.Data.Title, "completed") {
			found = true
			require.NotContains(t, one.Data.Body, "deposit")
		}
	}
	require.True(t, found)
}

// Who collects is settled when the pot is ready, by vote or bid.
func TestNobodyIsToldThatTheyCollectNextBeforeTheVote(t *testing.T) {
	t.Parallel()
	for _, order := range []nairav1.AjoOrder{nairav1.AjoOrder_AJO_ORDER_NEED, nairav1.AjoOrder_AJO_ORDER_BIDDING} {
		t.Run(order.String(), func(t *testing.T) {
			t.Parallel()
			w, now := apptest.Setup(t, true, false), time.Now()
			w.Gives(ledgertest.AjoSealed(now, draw.Beacon{}, func(terms *nairav1.AjoTerms) { terms.Order = order })...)
			for n := range 3 {
				secret := ledgertest.PhoneSecret(ledgertest.Saver(n))
				w.Gives(ajo.RevealPhone(balogunAjo, ledgertest.Saver(n), secret[:], now))
			}
			w.Gives(ajo.DrawPhones(balogunAjo, now.Add(time.Hour)))
			started := false
			for n := range 3 {
				for _, one := range heard(w, ledgertest.Saver(n)) {
					started = started || string(one.Type) == "ajo_started"
					require.NotEqual(t, "ajo_turn_next", string(one.Type), "%s %s", one.Data.Title, one.Data.Body)
				}
			}
			require.True(t, started)
		})
	}
}

func TestWhereTheOwnerCollectsNobodyIsToldThatTheOwnerApproves(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	w.Gives(ledgertest.AjoBegun(time.Now())...)
	w.Gives(ledgertest.Happens("asks", &nairav1.AjoCycleReady{AjoId: balogunAjo, Cycle: 1, Seat: 1, CollectedKobo: 3000_00},
		&nairav1.AjoPayoutRequested{AjoId: balogunAjo, Cycle: 1, UserId: ledgertest.Saver(0)}))
	found := false
	for _, one := range heard(w, ledgertest.Saver(1)) {
		if string(one.Type) == "ajo_payout_requested" {
			found = true
			require.NotContains(t, one.Data.Body, "The owner and one other approve", "the owner may not: it is theirs")
		}
	}
	require.True(t, found)
}
