package ajo_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/account"
	rules "adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajoconsent"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/posting"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/usecase"

	"github.com/google/uuid"
)

func TestWhatIsNettedIsNotTakenBeforeWhatIsDue(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	c := &club{Town: w, id: uuid.NewString(), terms: rules.Usual(), seats: []usecase.Who{w.Owner, w.Member, w.Validator, w.Approver}}
	now := time.Now()
	c.terms.AmountKobo, c.terms.Seats, c.terms.StartMonth, c.terms.StartYear = int64(hand), 6, int32(now.Month()), int32(now.Year())
	c.terms.Order = nairav1.AjoOrder_AJO_ORDER_JOIN_ORDER
	for _, who := range append(c.seats, w.Outsider) {
		if state, err := w.App.Ledger.Load(context.Background(), account.Stream(who.User)); err != nil || state.(account.Account).Bvn != account.Verified {
			w.Gives(account.EndCheck(who.User, "check", 0))
		}
		w.Fund(who.User)
	}
	w.Gives(rules.Create{AjoID: c.id, Name: "Balogun", Terms: c.terms, Owner: c.joiner(0), Now: now})
	two := c.joiner(1)
	two.Halves = 4
	last := c.joiner(0)
	last.User = w.Outsider.User
	w.Gives(rules.Join{AjoID: c.id, Joiner: two}, rules.Join{AjoID: c.id, Joiner: c.joiner(2)}, rules.Join{AjoID: c.id, Joiner: c.joiner(3)}, rules.Join{AjoID: c.id, Joiner: last})
	w.Gives(rules.CloseList{AjoID: c.id, By: w.Owner.User, Members: c.ajo().Members(), Now: now})
	require.Equal(t, 2, c.ajo().Order[0], "the member's first seat collects")
	w.Gives(ajoconsent.Set{AjoID: c.id, User: w.Member.User, Dues: true})
	spare := w.BalanceOf(posting.Wallet(w.Member.User)) - hand // They keep one contribution.
	w.Gives(ledgertest.Raw{event.On("payment:out", &nairav1.AjoDebtPaid{
		AjoId: "elsewhere", DebtId: "1", DebtorId: w.Member.User, CreditorId: w.Owner.User, PaidBy: w.Member.User, From: nairav1.AjoDebtFrom_AJO_DEBT_FROM_WALLET, AmountKobo: int64(spare),
	})})
	a := c.ajo()
	due := a.Due(1).Add(9 * time.Hour)
	require.NoError(t, w.App.At(due).Ajo.Judge(context.Background()))
	require.NoError(t, w.Engine.CatchUp(context.Background()))
	state, err := w.App.Ledger.Load(context.Background(), ajopot.CycleStream(c.id, 1))
	require.NoError(t, err)
	paid := state.(ajopot.Cycle)
	require.Equal(t, hand, paid.Paid(3, w.Member.User), "the due of seat 3; that of seat 2, which collects, got %s", paid.Paid(2, w.Member.User))
}

func TestHalfOfAPotThatComesIntoTheWalletGoesToDebts(t *testing.T) {
	t.Parallel()
	c, ctx := founded(t, nil, nil).starts(), context.Background()
	debtor, elsewhere := c.Validator.User, uuid.NewString() // Seat 2 collects first.
	c.Gives(ledgertest.Raw{
		event.On(rules.Stream(elsewhere), &nairav1.AjoCreated{AjoId: elsewhere, OwnerId: c.Owner.User, Name: "Another", Terms: c.terms}),
		event.On(rules.BookStream(elsewhere, debtor), &nairav1.AjoConsentSet{AjoId: elsewhere, UserId: debtor, Sweep: true}),
		event.On(rules.DebtStream(elsewhere), &nairav1.AjoDebtOpened{
			AjoId: elsewhere, DebtId: "1", Kind: nairav1.AjoDebtKind_AJO_DEBT_KIND_SHORTFALL, Cycle: 1, Seat: 2, DebtorId: debtor, CreditorId: c.Owner.User, AmountKobo: int64(owed),
		}),
	})
	c.pays()
	before := c.BalanceOf(posting.Wallet(debtor))
	require.NoError(t, c.App.At(time.Now().AddDate(0, 0, 20)).Ajo.PaySilent(ctx))
	require.NoError(t, c.Engine.CatchUp(ctx))
	require.Greater(t, c.BalanceOf(posting.Wallet(debtor)), before, "the pot came")
	state, err := c.App.Ledger.Load(ctx, rules.DebtStream(elsewhere))
	require.NoError(t, err)
	require.Positive(t, state.(ajopot.Debts).All[0].Paid)
}
