package payments_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	rules "adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/rails/sandbox"
)

// between is a ledger's database that runs something just before the next write.
type between struct {
	store.Backend
	once sync.Once
	do   func()
}

func (b *between) happens() {
	if b.do != nil {
		b.once.Do(b.do)
	}
}

func (b *between) Write(ctx context.Context, from store.Tip, w store.Writes) error {
	b.happens()
	return b.Backend.Write(ctx, from, w)
}

func (b *between) Lock(ctx context.Context, n store.Need) (store.Locked, store.Found, error) {
	b.happens()
	return b.Backend.Lock(ctx, n)
}

// The ledger then refuses it with a retry: nothing is confirmed, and the bank's next report pays the debt that opened
// meanwhile.
func TestADueThatIsToldOfWhileItsCycleIsClosedIsToldAgainAndNotParked(t *testing.T) {
	t.Parallel()
	w, id := apptest.Setup(t, true, false), uuid.NewString()
	ctx := context.Background()
	terms := rules.Usual()
	terms.AmountKobo, terms.Seats = int64(10_000*money.Naira), 3
	today := savings.Day(time.Now())
	due := today.AddDate(0, 1, 1-today.Day()).Format(time.DateOnly) // The first of next month, so that it is paid in time.
	made := ledgertest.Raw{event.On(rules.Stream(id), &nairav1.AjoCreated{AjoId: id, OwnerId: w.Owner.User, Name: "Balogun", Terms: terms})}
	for i, user := range []string{w.Owner.User, w.Member.User, w.Validator.User} {
		made = append(made, event.On(rules.Stream(id), &nairav1.AjoSeatTaken{AjoId: id, Seat: int32(i + 1), UserId: user, Halves: 2}))
	}
	w.Gives(append(made, event.On(rules.Stream(id), &nairav1.AjoStarted{AjoId: id, Order: []int32{1, 2, 3}, FirstDue: due, FirstCycle: 1, ValidatorId: w.Validator.User})))

	cycle, seat := 1, 2
	begun, _, err := w.App.Payments.GenerateReference(ctx, w.Member, contract.GenerateReferenceRequest{Amount: apptest.Naira(10_000), AjoId: &id, Cycle: &cycle, Seat: &seat})
	require.NoError(t, err)
	started, _, err := w.App.Payments.MakePayment(ctx, w.Member, contract.MakePaymentRequest{TransactionRef: begun.TransactionRef, Amount: begun.Total})
	require.NoError(t, err)
	require.NoError(t, w.Bank.Transfer(ctx, sandbox.Transfer{Account: *started.AccountNumber, Amount: 10_000 * money.Naira, Sender: "Ada Obi", Telling: sandbox.Telling{Silent: true}}))

	other := w.App.Ledger
	backend := &between{Backend: store.Postgres(w.Pool, 0), do: func() {
		_, err := other.Append(ctx, store.Command{ID: uuid.New(), Actor: "system", Command: ledgertest.Raw{
			event.On(rules.Stream(id), &nairav1.AjoCycleReady{AjoId: id, Cycle: 1, Seat: 1, MissingKobo: int64(10_000 * money.Naira)}),
			event.On(rules.DebtStream(id), &nairav1.AjoDebtOpened{
				AjoId: id, DebtId: "1", Kind: nairav1.AjoDebtKind_AJO_DEBT_KIND_SHORTFALL, Cycle: 1, Seat: 2, DebtorId: w.Member.User, CreditorId: w.Owner.User,
				AmountKobo: int64(10_000 * money.Naira), PenaltyKobo: int64(500 * money.Naira),
			}),
		}})
		require.NoError(t, err)
	}}
	book := store.Open(backend, ledger.Aggregates(), store.Options{})
	t.Cleanup(book.Close)
	w.App.Ledger = book
	_, err = w.App.Payments.Settle(ctx, started.TransactionRef)
	require.True(t, fault.Is(err, fault.Unavailable), "it is told again: %v", err)
	_, err = w.App.Payments.Settle(ctx, started.TransactionRef)
	require.NoError(t, err)
	suspense, _ := w.Suspense()
	require.Zero(t, suspense, "the member's due is not money of nobody")
	state, err := book.Load(ctx, wallet.Stream(started.TransactionRef))
	require.NoError(t, err)
	require.Equal(t, wallet.Confirmed, state.(wallet.Payment).Status)
}
