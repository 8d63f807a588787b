package replay_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/replay"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/ledgertest"
)

func TestMain(m *testing.M) { ledgertest.Main(m) }

type book struct {
	*testing.T
	pool  *pgxpool.Pool
	store *store.Store
	now   time.Time
}

// morning is when the ledger begins; each command comes a minute after the one before it.
var morning = time.Date(2026, time.November, 15, 9, 0, 0, 0, time.UTC)

func setup(t *testing.T) *book {
	t.Helper()
	b := &book{T: t, pool: ledgertest.Pool(t), now: morning}
	require.NoError(t, store.Migrate(context.Background(), b.pool))
	b.store = store.Open(store.Postgres(b.pool, 0), ledger.Aggregates(), store.Options{Clock: func() time.Time { return b.now }})
	t.Cleanup(b.store.Close)
	b.do(savings.CreateGroup{GroupID: "g", Owner: "ada", Name: "Balogun Traders", Amount: 5000 * money.Naira, Capacity: 100, StartMonth: 1, Now: b.now})
	for _, c := range ledgertest.Activated("g", "ada", "bisi", "femi") {
		b.do(c)
	}
	b.do(savings.OpenSubAccount{
		GroupID: "g", SubAccountID: "sub", By: "ada", Name: "Welfare", Type: nairav1.PaymentType_PAYMENT_TYPE_FLEXIBLE,
		Frequency: nairav1.PaymentFrequency_PAYMENT_FREQUENCY_MONTHLY, Amount: 100 * money.Naira, Now: b.now,
	})
	for _, user := range []string{"bisi", "chidi"} {
		id := "pay-" + user
		b.do(wallet.StartPayment{PaymentID: id, User: user, Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: event.Vfd, Amount: 1000 * money.Naira, ExpiresAt: b.now.Add(time.Hour)})
		b.do(wallet.ConfirmPayment{PaymentID: id, User: user, Provider: event.Vfd, Gross: 1000 * money.Naira, ProviderRef: id, PaidAt: b.now})
	}
	return b
}

func (b *book) do(c event.Command) store.Result { return b.doAt(c, time.Time{}) }

func (b *book) doAt(c event.Command, effective time.Time) store.Result {
	b.Helper()
	b.now = b.now.Add(time.Minute)
	result, err := b.store.Append(context.Background(), store.Command{ID: uuid.New(), Actor: "tester", Command: c, EffectiveAt: effective})
	require.NoError(b, err)
	return result
}

func contribute(amount money.Kobo) dues.Contribute {
	return dues.Contribute{GroupID: "g", SubAccountID: "sub", User: "bisi", Amount: amount, Channel: nairav1.Channel_CHANNEL_WALLET, At: morning}
}

func (b *book) replay(s replay.Subject, u replay.Until) replay.State {
	b.Helper()
	state, err := replay.Run(context.Background(), b.pool, replay.Options{Subject: s, Until: u, Aggregates: ledger.Aggregates()})
	require.NoError(b, err)
	return state
}

func TestAMemberIsReplayedToAPositionOrATime(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.do(contribute(100 * money.Naira))
	before := b.now
	second := b.doAt(contribute(200*money.Naira), morning.Add(-time.Hour))
	bisi := replay.Subject{Member: "bisi"}
	for name, c := range map[string]struct {
		until  replay.Until
		wallet money.Kobo
	}{
		"the head":                     {replay.Until{}, 700 * money.Naira},
		"the first contribution":       {replay.Until{Position: first.Position()}, 900 * money.Naira},
		"in front of it":               {replay.Until{Position: first.Position() - 1}, 1000 * money.Naira},
		"the second":                   {replay.Until{Position: second.Position()}, 700 * money.Naira},
		"as recorded before":           {replay.Until{Recorded: before}, 900 * money.Naira},
		"as effective before anything": {replay.Until{Effective: morning.Add(-time.Minute)}, -200 * money.Naira},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.wallet, b.replay(bisi, c.until).Balances["wallet:bisi"]) })
	}
	state := b.replay(bisi, replay.Until{})
	require.Equal(t, second.Position(), state.Position)
	require.NotContains(t, state.Streams, "payment:pay-chidi")
	require.Contains(t, string(state.Streams["dues:sub:bisi"].State), `{"Total":30000,"Payments":2,`)
	require.Contains(t, string(state.Streams["payment:pay-bisi"].State), "CONFIRMED")
	require.Contains(t, string(state.Streams["group:g"].State), `"Owner":"ada"`, "the group began before it concerned her")
}

func TestAGroupIsReplayedWithItsPools(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.do(contribute(100 * money.Naira))
	state := b.replay(replay.Subject{Group: "g"}, replay.Until{})
	require.Equal(t, map[string]money.Kobo{"pool:sub": 100 * money.Naira}, state.Balances)
	for _, stream := range []string{"group:g", "member:g:bisi", "sub:sub", "dues:sub:bisi"} {
		require.Contains(t, state.Streams, stream)
	}
	require.NotContains(t, state.Streams, "payment:pay-bisi")
}

func TestAnAccountIsSteppedThroughEventByEvent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.do(contribute(100 * money.Naira))
	var balances []money.Kobo
	state, err := replay.Run(context.Background(), b.pool, replay.Options{
		Subject: replay.Subject{Account: "wallet:bisi"}, Aggregates: ledger.Aggregates(),
		Step: func(s replay.Step) error {
			balances = append(balances, s.Balances["wallet:bisi"])
			return nil
		},
	})
	require.NoError(t, err)
	require.Equal(t, []money.Kobo{1000 * money.Naira, 900 * money.Naira}, balances)
	require.EqualValues(t, 2, state.Events)
	require.Contains(t, string(state.Streams["payment:pay-bisi"].State), `"User":"bisi"`, "a stream is folded from its beginning, though that moved no money")
}

func TestEveryStreamIsFoldedUpToAPosition(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.do(contribute(100 * money.Naira))
	b.do(contribute(200 * money.Naira))
	all := func(to int64) (map[string]*replay.Folded, error) {
		return replay.All(context.Background(), b.pool, ledger.Aggregates(), to)
	}
	streams, err := all(first.Position())
	require.NoError(t, err)
	require.Equal(t, dues.State{Total: 100 * money.Naira, Payments: 1, Judged: savings.Day(ledgertest.Epoch)}, streams["dues:sub:bisi"].State)
	require.EqualValues(t, 1, streams["dues:sub:bisi"].Version)
	require.Contains(t, streams, "payment:pay-chidi")
	streams, err = all(first.Position() + 1)
	require.NoError(t, err)
	require.Equal(t, dues.State{Total: 300 * money.Naira, Payments: 2, Judged: savings.Day(ledgertest.Epoch)}, streams["dues:sub:bisi"].State)
	require.EqualValues(t, 2, streams["dues:sub:bisi"].Version)
	var archived *history.ArchivedError
	_, err = all(first.Position() + 2)
	require.ErrorAs(t, err, &archived)
	var bulk store.Bulk
	for n := range 600 { // More than is read at once.
		bulk = append(bulk, wallet.StartPayment{PaymentID: fmt.Sprint(n), User: "bisi", Channel: nairav1.Channel_CHANNEL_CARD, Provider: event.Paystack, Tariff: wallet.CardTariff, Amount: 100 * money.Naira, ExpiresAt: b.now.Add(time.Hour)})
	}
	b.do(bulk)
	streams, err = all(first.Position() + 601)
	require.NoError(t, err)
	for n := range 600 {
		require.EqualValues(t, 1, streams[fmt.Sprintf("payment:%d", n)].Version)
	}
}

func TestWhatNobodyKnowsIsSaidSo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	run := func(opt replay.Options) error {
		opt.Aggregates = ledger.Aggregates()
		_, err := replay.Run(context.Background(), b.pool, opt)
		return err
	}
	require.ErrorIs(t, run(replay.Options{Subject: replay.Subject{Member: "nobody"}}), replay.ErrUnknown)
	require.ErrorContains(t, run(replay.Options{}), "name one of")
	require.ErrorContains(t, run(replay.Options{Subject: replay.Subject{Member: "bisi"}, Until: replay.Until{Position: 900}}), "there is no position 900")
}
