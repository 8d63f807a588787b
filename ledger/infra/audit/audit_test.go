package audit_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/holds"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/audit"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/ledger/infra/refusals"
	"adashi.ng/ledger/infra/relay"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/ledgertest"
)

func TestMain(m *testing.M) { ledgertest.Main(m) }

// book is a ledger that real deciders made, in partitions of 100 positions.
type book struct {
	testing.TB
	pool   *pgxpool.Pool
	store  *store.Store
	end    func() // Closes the store.
	keys   proofs.Keys
	sealer *proofs.Sealer
	file   string
	js     jetstream.JetStream
}

// sealing seals the refusals of every book.
var sealing = refusals.KeyFrom([]byte("a secret of the tests that is not in the database"))

// empty is a ledger without events.
func empty(t testing.TB) *book {
	t.Helper()
	return emptyIn(t, ledgertest.Pool(t))
}

// emptyIn is an empty ledger in a database.
func emptyIn(t testing.TB, pool *pgxpool.Pool) *book {
	t.Helper()
	ctx := context.Background()
	b := &book{TB: t, pool: pool, file: filepath.Join(t.TempDir(), "checkpoints")}
	require.NoError(t, store.Migrate(ctx, b.pool))
	require.NoError(t, proofs.Migrate(ctx, b.pool))
	b.store = store.Open(store.Postgres(b.pool, 100), ledger.Aggregates(), store.Options{Sealing: sealing})
	b.end = sync.OnceFunc(b.store.Close)
	t.Cleanup(b.end)
	private, _, err := proofs.GenerateKey(proofs.DefaultName)
	require.NoError(t, err)
	key, err := proofs.ParseKey(private)
	require.NoError(t, err)
	b.keys, err = proofs.NewKeys(key)
	require.NoError(t, err)
	b.sealer, err = proofs.NewSealer(b.pool, b.keys, proofs.SealerOptions{File: b.file})
	require.NoError(t, err)
	return b
}

// kept is a ledger of about 350 events of every kind, sealed twice on the way and once at its end.
func kept(t testing.TB) *book {
	t.Helper()
	b := empty(t)
	b.live(t)
	b.seal()
	b.settle()
	return b
}

// settle brings the balances to the ledger's end.
func (b *book) settle() {
	b.Helper()
	_, err := store.Postgres(b.pool, 0).Settle(context.Background())
	require.NoError(b, err)
}

func (b *book) seal() proofs.Checkpoint {
	b.Helper()
	c, err := b.sealer.Seal(context.Background())
	require.NoError(b, err)
	return c
}

func (b *book) append(c event.Command) (store.Result, error) {
	timed, _ := c.(ledgertest.Timed) // Other commands have no At, so they count from now.
	return b.store.Append(context.Background(), store.Command{ID: uuid.New(), Hash: store.Fingerprint(c), Keyed: true, Actor: "tester", EffectiveAt: timed.At, Command: c})
}

func (b *book) do(c event.Command) store.Result {
	b.Helper()
	result, err := b.append(c)
	require.NoError(b, err)
	return result
}

func contribute(user string, amount money.Kobo) dues.Contribute {
	return dues.Contribute{GroupID: "g", SubAccountID: "sub", User: user, Amount: amount, Channel: nairav1.Channel_CHANNEL_WALLET, At: time.Unix(1_800_000_000, 0)}
}

// pay starts and confirms a payment of 1,000 naira.
func (b *book) pay(user, ref string) string {
	b.Helper()
	id := uuid.NewString()
	b.do(wallet.StartPayment{PaymentID: id, User: user, Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: event.Vfd, Tariff: wallet.Free, Amount: 1000 * money.Naira, ExpiresAt: time.Now().Add(time.Hour)})
	b.do(wallet.ConfirmPayment{PaymentID: id, User: user, Provider: event.Vfd, Gross: 1000 * money.Naira, ProviderRef: ref, PaidAt: time.Now()})
	return id
}

// live makes a group, payments with every outcome, contributions, a hold, reversals, the life of an ajo, and refusals.
func (b *book) live(t testing.TB) {
	t.Helper()
	b.do(savings.CreateGroup{GroupID: "g", Owner: "ada", Name: "Balogun Traders", Amount: 5000 * money.Naira, Capacity: 100, StartMonth: 1, Now: time.Now()})
	for _, c := range ledgertest.Activated("g", "ada", "bisi", "chidi") {
		b.do(c)
	}
	b.do(savings.OpenSubAccount{
		GroupID: "g", SubAccountID: "sub", By: "ada", Name: "Welfare", Type: nairav1.PaymentType_PAYMENT_TYPE_FLEXIBLE,
		Frequency: nairav1.PaymentFrequency_PAYMENT_FREQUENCY_MONTHLY, Amount: 100 * money.Naira, Now: time.Now(),
	})
	b.pay("bisi", "bank-1")
	b.pay("chidi", "bank-2")
	b.seal()
	taken := b.pay("chidi", "bank-3")
	b.do(wallet.ReversePayment{PaymentID: taken, User: "chidi", Provider: event.Vfd, ProviderRef: "back-1", Reason: "disputed"})
	late := uuid.NewString()
	b.do(wallet.StartPayment{PaymentID: late, User: "bisi", Channel: nairav1.Channel_CHANNEL_CARD, Provider: event.Paystack, Tariff: wallet.CardTariff, Amount: 1000 * money.Naira, ExpiresAt: time.Now().Add(time.Hour)})
	b.do(wallet.EndPayment{PaymentID: late, To: wallet.Pending})
	b.do(wallet.EndPayment{PaymentID: late, To: wallet.Failed, Reason: "declined"})
	b.do(wallet.ReceiveUnmatched{ProviderRef: "bank-4", Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: event.Vfd, Amount: 50 * money.Naira, PaidAt: time.Now()})
	first := b.do(contribute("bisi", 10*money.Naira))
	b.do(dues.ReverseContribution{Original: first.Records[0], By: "ada", ApprovedBy: "bisi", Reason: "twice"})
	b.do(holds.Place{HoldID: "h", Account: "wallet:bisi", Amount: 20 * money.Naira, Purpose: "withdrawal", ExpiresAt: time.Now().Add(time.Hour), Now: time.Now()})
	b.do(holds.Release("h", "wallet:bisi", 20*money.Naira))
	b.seal()
	b.do(store.Bulk{contribute("bisi", money.Naira), contribute("chidi", money.Naira)})
	for range 20 {
		b.do(contribute("bisi", money.Naira))
	}
	many := make(store.Bulk, 240) // Past version 256 of the stream, where a snapshot is taken.
	for i := range many {
		many[i] = contribute("bisi", money.Naira)
	}
	b.do(many)
	for _, c := range append(ledgertest.AjoLife(time.Now()), ledgertest.AjoPoor(time.Now())...) {
		b.do(c)
	}
	_, err := b.append(contribute("nobody", money.Naira))
	require.NotNil(t, fault.As(err))
}

func (b *book) head() int64 {
	b.Helper()
	_, head, err := history.Head(context.Background(), b.pool)
	require.NoError(b, err)
	return head
}

func (b *book) options() audit.Options {
	return audit.Options{Pool: b.pool, Keys: b.keys, Sealing: sealing, Aggregates: ledger.Aggregates(), File: b.file, JS: b.js, NoStream: "this test has none", Listed: 1000}
}

func (b *book) verify() *audit.Report {
	b.Helper()
	report, err := audit.Verify(context.Background(), b.options())
	require.NoError(b, err)
	return report
}

// tamper runs SQL as a superuser who turns the triggers off.
func (b *book) tamper(sql string, args ...any) {
	b.Helper()
	require.NoError(b, pgx.BeginFunc(context.Background(), b.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(context.Background(), "SET LOCAL session_replication_role = replica"); err != nil {
			return err
		}
		tag, err := tx.Exec(context.Background(), sql, args...)
		if err == nil && !strings.HasPrefix(sql, "ALTER") {
			require.Positive(b, tag.RowsAffected(), "nothing was tampered with: %s", sql)
		}
		return err
	}))
}

// all are a report's violations.
func all(r *audit.Report) (list []string) {
	for _, c := range r.Checks {
		for _, v := range c.Listed {
			list = append(list, c.Name+": "+v.String())
		}
	}
	return list
}

// finds checks that the named check reports a violation at a position, or about a subject.
func finds(t testing.TB, r *audit.Report, check string, position int64, says string) {
	t.Helper()
	c := r.Find(check)
	require.NotNil(t, c, check)
	for _, v := range c.Listed {
		if (position == 0 || v.Position == position) && strings.Contains(v.String(), says) {
			return
		}
	}
	require.Failf(t, "not found", "%s at position %d, saying %q, among:\n%s", check, position, says, strings.Join(all(r), "\n"))
}

func TestALedgerThatWasKeptWellHasNoViolation(t *testing.T) {
	t.Parallel()
	b := kept(t)
	b.relay()
	report := b.verify()
	require.Empty(t, all(report))
	require.Equal(t, b.head(), report.Head)
	require.Equal(t, b.head(), report.Sealed)
	for _, c := range report.Checks {
		if c.Name == "epochs" {
			continue
		}
		require.Empty(t, c.Skipped, c.Name)
		require.Positive(t, c.Looked, c.Name)
	}
	require.EqualValues(t, b.head(), report.Find("stream").Looked)
	require.EqualValues(t, 3, report.Find("checkpoints").Looked)
	require.EqualValues(t, 3, report.Find("checkpoint file").Looked)
}

func TestAnEmptyLedgerHasNoViolation(t *testing.T) {
	t.Parallel()
	require.Empty(t, all(empty(t).verify()))
}

// relay fills a stream and waits until it has everything.
func (b *book) relay() {
	b.Helper()
	_, b.js = ledgertest.NATS(b)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	running, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() {
		ended <- relay.Run(running, b.pool, b.js, relay.Options{Poll: time.Millisecond, Clock: time.Now})
	}()
	for {
		if stream, err := b.js.Stream(ctx, relay.StreamName(1)); err == nil && int64(stream.CachedInfo().State.LastSeq) >= b.head() {
			break
		}
		require.NoError(b, ctx.Err())
	}
	stop()
	require.NoError(b, <-ended)
}

// lined is a position in the middle whose event has lines, and bare one whose event has none.
const lined, bare = 30, 24

// mutations change one column of the event at $1 as little as possible.
var mutations = map[string]string{
	"stream":              "stream = stream || 'x'",
	"version":             "version = version + 1000",
	"type":                "type = 'naira.v1.PaymentPending'",
	"a type of nobody":    "type = 'naira.v1.Nothing'",
	"command":             "command = gen_random_uuid()",
	"seq":                 "seq = seq + 1",
	"command_hash":        "command_hash = set_byte(command_hash, 15, get_byte(command_hash, 15) # 1)",
	"command_hash longer": "command_hash = command_hash || '\\x00'",
	"actor":               "actor = actor || ' '",
	"correlation":         "correlation = 'y' || correlation",
	"effective_at":        "effective_at = effective_at + interval '1 microsecond'",
	"recorded_at":         "recorded_at = recorded_at - interval '1 microsecond'",
	"body":                "body = set_byte(body, octet_length(body) - 1, get_byte(body, octet_length(body) - 1) # 1)",
	"body shorter":        "body = substr(body, 1, octet_length(body) - 1)",
	"accounts":            "accounts[1] = accounts[1] || 'x'",
	"accounts numbered":   "accounts = ('[2:3]={' || accounts[1] || ',' || accounts[2] || '}')::text[]",
	"amounts":             "amounts[1] = amounts[1] + 1",
	"amounts in balance":  "amounts = ARRAY[amounts[1] - 1, amounts[2] + 1]",
	"balances":            "balances[2] = balances[2] + 1",
	"balances one more":   "balances = balances || 7::bigint",
	"leaf":                "leaf = set_byte(leaf, 31, get_byte(leaf, 31) # 128)",
	"leaf shorter":        "leaf = substr(leaf, 1, 31)",
}

// unbound drops the constraints that would stop even a superuser.
func (b *book) unbound() {
	b.tamper("ALTER TABLE events DROP CONSTRAINT events_balanced, DROP CONSTRAINT events_lines")
}

func TestAOneByteChangeInAnyColumnIsFoundAtItsPosition(t *testing.T) {
	t.Parallel()
	b := kept(t)
	b.unbound()
	for column, change := range mutations {
		t.Run(column, func(t *testing.T) {
			defer b.tampered("UPDATE events SET "+change+" WHERE pos = $1", lined)()
			finds(t, b.verify(), "leaves", lined, "")
		})
	}
	require.Empty(t, all(b.verify()), "everything is as it was again")
}

// tampered changes the event at a position and answers the function that restores it.
func (b *book) tampered(sql string, pos int64) (restore func()) {
	b.Helper()
	const keep = "CREATE TABLE was AS SELECT * FROM events WHERE pos = $1"
	_, err := b.pool.Exec(context.Background(), strings.Replace(keep, "$1", fmt.Sprint(pos), 1))
	require.NoError(b, err)
	b.tamper(sql, pos)
	return func() {
		b.tamper(fmt.Sprintf("DELETE FROM events WHERE pos IN (%d, 5000)", pos))
		b.tamper("INSERT INTO events SELECT * FROM was")
		_, err := b.pool.Exec(context.Background(), "DROP TABLE was")
		require.NoError(b, err)
	}
}
