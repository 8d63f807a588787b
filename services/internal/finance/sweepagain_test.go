package finance_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	rules "adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/posting"
	"adashi.ng/projections/ajos"
	"adashi.ng/services/internal/apptest"
)

func owes(w *apptest.Town, id string, amount money.Kobo) ledgertest.Raw {
	terms := rules.Usual()
	terms.AmountKobo, terms.Seats = int64(10_000*money.Naira), 3
	return ledgertest.Raw{
		event.On(rules.Stream(id), &nairav1.AjoCreated{AjoId: id, OwnerId: w.Owner.User, Name: "Balogun " + id[:4], Terms: terms}),
		event.On(rules.BookStream(id, w.Member.User), &nairav1.AjoConsentSet{AjoId: id, UserId: w.Member.User, Sweep: true}),
		event.On(rules.DebtStream(id), &nairav1.AjoDebtOpened{
			AjoId: id, DebtId: "1", Kind: nairav1.AjoDebtKind_AJO_DEBT_KIND_SHORTFALL, Cycle: 1, Seat: 2, DebtorId: w.Member.User, CreditorId: w.Owner.User, AmountKobo: int64(amount),
		}),
	}
}

func assigned(w *apptest.Town, ref string) []event.Command {
	return []event.Command{
		wallet.ReceiveUnmatched{ProviderRef: ref, Provider: event.Vfd, Channel: apptest.Transfer, Amount: 5_000 * money.Naira, Reason: "No reference", PaidAt: time.Now()},
		wallet.ProposeUnmatched{ProviderRef: ref, Provider: event.Vfd, User: w.Member.User, By: w.Validator.User, Reason: "They showed the slip"},
		wallet.DecideUnmatched{ProviderRef: ref, Provider: event.Vfd, User: w.Member.User, By: w.Approver.User, Approve: true},
	}
}

// Half of the money went to a debt in one ajo. Then the member withdraws the consent there: no more of it goes to
// another debt.
func TestNoMoreThanTheHalfIsSweptAfterAConsentIsTakenBack(t *testing.T) {
	t.Parallel()
	w, one, two, ref := apptest.Setup(t, true, false), uuid.NewString(), uuid.NewString(), uuid.NewString()
	w.Follows()
	ctx := context.Background()
	w.Fund(w.Member.User)
	w.Gives(owes(w, one, 30_000*money.Naira), owes(w, two, 30_000*money.Naira))
	w.Gives(assigned(w, ref)...)
	require.NoError(t, w.Engine.CatchUp(ctx))
	owner := w.BalanceOf(posting.Wallet(w.Owner.User))
	for range 2 {
		require.NoError(t, w.App.Ajo.SweepAgain(ctx))
		require.NoError(t, w.Engine.CatchUp(ctx))
	}
	require.Equal(t, owner+2_500*money.Naira, w.BalanceOf(posting.Wallet(w.Owner.User)), "half of it")
	w.Gives(ledgertest.Raw{event.On(rules.BookStream(one, w.Member.User), &nairav1.AjoConsentSet{AjoId: one, UserId: w.Member.User, Sweep: false})})
	require.NoError(t, w.Engine.CatchUp(ctx))
	require.NoError(t, w.App.Ajo.SweepAgain(ctx))
	require.Equal(t, owner+2_500*money.Naira, w.BalanceOf(posting.Wallet(w.Owner.User)), "no more than half of it")
}

// A sweep's list of debts may be older than a consent. Money that one debt refuses goes to the next.
func TestWhatASweepIsRefusedForOneDebtGoesToTheNext(t *testing.T) {
	t.Parallel()
	w, one, two, ref := apptest.Setup(t, true, false), uuid.NewString(), uuid.NewString(), uuid.NewString()
	ctx := context.Background()
	w.Fund(w.Member.User)
	w.Gives(owes(w, one, 30_000*money.Naira), owes(w, two, 30_000*money.Naira))
	w.Gives(assigned(w, ref)...)
	require.NoError(t, w.Engine.CatchUp(ctx))
	first, err := ajos.ToSweep(ctx, w.Pool, w.Member.User)
	require.NoError(t, err)
	require.Len(t, first, 2)
	_, err = w.App.Ledger.Append(ctx, store.Command{ID: uuid.New(), Actor: "system", Command: ledgertest.Raw{
		event.On(rules.BookStream(first[0].AjoID, w.Member.User), &nairav1.AjoConsentSet{AjoId: first[0].AjoID, UserId: w.Member.User}),
	}})
	require.NoError(t, err)
	owner := w.BalanceOf(posting.Wallet(w.Owner.User))
	for range 2 {
		require.NoError(t, w.App.Ajo.Swept(ctx, w.Member.User, 5_000*money.Naira, ref))
		require.Equal(t, owner+2_500*money.Naira, w.BalanceOf(posting.Wallet(w.Owner.User)), "half of what came, once")
	}
}

// Assigned money that the bank took back is not swept afterwards.
func TestAssignedMoneyThatWentBackIsNotSwept(t *testing.T) {
	t.Parallel()
	w, one, ref := apptest.Setup(t, true, false), uuid.NewString(), uuid.NewString()
	w.Follows()
	ctx := context.Background()
	w.Fund(w.Member.User)
	w.Gives(owes(w, one, 30_000*money.Naira))
	w.Gives(assigned(w, ref)...)
	w.Gives(wallet.TakeBackArrival{ProviderRef: ref, Provider: event.Vfd, User: w.Member.User, Gross: 5_000 * money.Naira, BackRef: "back " + ref, Reason: "The bank took the transfer back."})
	require.NoError(t, w.Engine.CatchUp(ctx))
	owner := w.BalanceOf(posting.Wallet(w.Owner.User))
	require.NoError(t, w.App.Ajo.SweepAgain(ctx))
	require.Equal(t, owner, w.BalanceOf(posting.Wallet(w.Owner.User)), "nothing came that stayed")
}

// A member agrees today that half of incoming money pays their debts. Money that came earlier is not swept.
func TestMoneyThatCameBeforeTheConsentIsNotSwept(t *testing.T) {
	t.Parallel()
	w, one, ref := apptest.Setup(t, true, false), uuid.NewString(), uuid.NewString()
	w.Follows()
	ctx := context.Background()
	owing := owes(w, one, 30_000*money.Naira)
	w.Gives(ledgertest.Raw{owing[0], owing[2]})
	w.Gives(assigned(w, ref)...)
	require.NoError(t, w.Engine.CatchUp(ctx))
	owner := w.BalanceOf(posting.Wallet(w.Owner.User))
	require.NoError(t, w.App.Ajo.SweepAgain(ctx))
	require.Equal(t, owner, w.BalanceOf(posting.Wallet(w.Owner.User)), "nobody agreed")
	w.Gives(ledgertest.Raw{owing[1]})
	require.NoError(t, w.Engine.CatchUp(ctx))
	require.NoError(t, w.App.Ajo.SweepAgain(ctx))
	require.Equal(t, owner, w.BalanceOf(posting.Wallet(w.Owner.User)), "it came before they agreed")
}
