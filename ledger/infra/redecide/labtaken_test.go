package redecide_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/ajoconsent"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/domain/holds"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/redecide"
	"adashi.ng/ledger/posting"
)

func TestALabTakesWhatMembersAgreedTo(t *testing.T) {
	t.Parallel()
	owner := everybody()[0]
	for name, c := range map[string]struct {
		consent ajoconsent.Set
		lines   []string
		paid    []money.Kobo
	}{
		"nothing": {ajoconsent.Set{}, []string{"5.6 NEW +AjoDebtOpened +AjoCycleReady"}, nil},
		"dues":    {ajoconsent.Set{Dues: true}, []string{"0.6 NEW +AjoContributed", "0.6 NEW +AjoCycleReady"}, nil},
		"debts": {
			ajoconsent.Set{Sweep: true},
			[]string{"5.6 NEW +AjoDebtOpened +AjoCycleReady", "8.0 NEW +AjoDebtPaid", "10.6 NEW +AjoDebtPaid"},
			[]money.Kobo{hand / 4, hand + hand/20 - hand/4}, // Half of what came, and after five days all that is left, with the penalty.
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWeeks(t)
			if c.consent != (ajoconsent.Set{}) {
				c.consent.AjoID, c.consent.User = club, owner
				w.on(-1, c.consent)
			}
			w.on(0, w.due(0, 0, 1), w.due(0, 2, 1), w.judge(0, 1))
			w.on(8, wallet.StartPayment{PaymentID: "more", User: owner, Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: event.Vfd, Tariff: wallet.Free, Amount: hand / 2, ExpiresAt: w.at(9)},
				wallet.ConfirmPayment{PaymentID: "more", User: owner, Provider: event.Vfd, Gross: hand / 2, ProviderRef: "more", PaidAt: w.at(8)})
			*w.now = w.at(12)
			found := w.try(redecide.Edit{Position: w.paid(0, 1), Absent: true})
			require.Equal(t, append([]string{"0.0 EDITED -AjoContributed", "0.0 REFUSED -AjoCycleReady"}, c.lines...), w.days(found.Lines))
			var paid []money.Kobo
			for _, l := range found.Lines {
				for _, d := range l.Would {
					if m, is := d.Message.(*nairav1.AjoDebtPaid); is {
						paid = append(paid, money.Kobo(m.GetAmountKobo()))
					}
				}
			}
			require.Equal(t, c.paid, paid)
		})
	}
}

func TestADebtThatIsTriedAgainTakesWhatTheWalletWouldHave(t *testing.T) {
	t.Parallel()
	w := newWeeks(t)
	owner := everybody()[0]
	w.on(-1, ajoconsent.Set{AjoID: club, User: owner, Sweep: true})
	w.on(0, w.due(0, 2, 1))
	w.on(6, w.judge(6, 1))
	w.on(10, holds.Place{HoldID: "h", Account: posting.Wallet(owner), Amount: 10*hand - 200, Purpose: "test", Now: w.at(10), ExpiresAt: w.at(90)})
	w.on(11, ajopot.PayDebt{AjoID: club, DebtID: "1.1.1.1", By: owner, Creditor: everybody()[1], Amount: 200, Taken: "retry", Key: "retry"})
	require.Empty(t, told(w.try().Lines))
	found := w.try(redecide.Edit{Position: find(w, func(*nairav1.HoldPlaced) bool { return true }), Absent: true})
	require.Equal(t, []string{"10.0 EDITED -HoldPlaced", "11.0 OTHERWISE -AjoDebtPaid +AjoDebtPaid"}, w.days(found.Lines))
	require.EqualValues(t, hand+hand/20, found.Lines[1].Would[0].Message.(*nairav1.AjoDebtPaid).GetAmountKobo())
}

func TestMoneyOfAnAjoThatWasToldLateIsTriedAtOtherTimes(t *testing.T) {
	t.Parallel()
	w := newWeeks(t)
	w.on(0, w.due(0, 2, 1))
	w.on(6, w.judge(6, 1))
	w.transfer(6.5, 1, "late", 0, 1) // It undoes the penalty.
	require.Empty(t, told(w.try().Lines))
	reversed := find(w, func(*nairav1.AjoPenaltyReversed) bool { return true })
	found := w.try(redecide.Edit{Position: reversed, Absent: true})
	require.Equal(t, []string{"1.0 EDITED -AjoPenaltyReversed"}, w.days(found.Lines)[:1])
	confirmed := find(w, func(m *nairav1.PaymentConfirmedV2) bool { return m.GetPaymentId() == "late" })
	found = w.try(redecide.Edit{Position: confirmed, Absent: true})
	require.Equal(t, []string{"Its payment has not come."}, refused(found))
	// After the days of grace it pays nothing: it waits in the wallet.
	found = w.try(redecide.Edit{Position: confirmed, At: w.at(7)}, redecide.Edit{Position: reversed + 1, At: w.at(7)})
	require.Contains(t, fmt.Sprint(w.days(found.Lines)), "7.0 EDITED +AjoContributionRefused")
}
