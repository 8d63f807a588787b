package store_test

import (
	"cmp"
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/ledgertest"
)

func TestMain(m *testing.M) { ledgertest.Main(m) }

// bench is a ledger of its own with a group that takes contributions.
type bench struct {
	*testing.T
	ground
	pool  *pgxpool.Pool // Nil where the ground is not Postgres.
	store *store.Store
}

// open starts one more process on the ledger.
func (b *bench) open() *store.Store { return b.openWith(store.Options{}) }

func (b *bench) openWith(opt store.Options) *store.Store {
	opt.Refusals = cmp.Or(opt.Refusals, 1_000_000) // Some race for an hour's worth.
	s := store.Open(b.backend(), ledger.Aggregates(), opt)
	b.Cleanup(s.Close)
	return s
}

func (b *bench) do(c event.Command) store.Result {
	b.Helper()
	result, err := b.store.Append(context.Background(), command(uuid.New(), c))
	require.NoError(b, err)
	return result
}

func command(id uuid.UUID, c event.Command) store.Command {
	return store.Command{ID: id, Hash: store.Fingerprint(c), Keyed: true, Actor: "tester", Command: c}
}

// fund gives a member money in their wallet.
func (b *bench) fund(user string, amount money.Kobo) {
	b.Helper()
	id := uuid.NewString()
	b.do(wallet.StartPayment{PaymentID: id, User: user, Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: event.Vfd, Amount: amount, ExpiresAt: time.Now().Add(time.Hour)})
	b.do(wallet.ConfirmPayment{PaymentID: id, User: user, Provider: event.Vfd, Gross: amount, ProviderRef: id, PaidAt: time.Now()})
}

// group founds an active group with a flexible sub-account "sub" and the members.
func (b *bench) group(members ...string) {
	b.Helper()
	b.do(savings.CreateGroup{GroupID: "g", Owner: "ada", Name: "Balogun Traders", Amount: 5000 * money.Naira, Capacity: 2000, StartMonth: 1, Now: time.Now()})
	if len(members) == 1 {
		members = append(members, "femi")
	}
	for _, user := range members {
		b.do(savings.JoinGroup{GroupID: "g", User: user})
		b.do(savings.ApproveMember{GroupID: "g", User: user, By: "ada"})
	}
	b.do(account.EndCheck("ada", "check", 0))
	for _, c := range ledgertest.Appointed("g", "ada", members[0], members[1]) {
		b.do(c)
	}
	b.do(savings.OpenSubAccount{
		GroupID: "g", SubAccountID: "sub", By: "ada", Name: "Welfare", Type: nairav1.PaymentType_PAYMENT_TYPE_FLEXIBLE,
		Frequency: nairav1.PaymentFrequency_PAYMENT_FREQUENCY_MONTHLY, Amount: 100 * money.Naira, Now: time.Now(),
	})
}

func contribute(user string, amount money.Kobo) dues.Contribute {
	return dues.Contribute{GroupID: "g", SubAccountID: "sub", User: user, Amount: amount, Channel: nairav1.Channel_CHANNEL_WALLET, At: time.Unix(1_800_000_000, 0)}
}

func TestManyCallersGetGapFreePositionsAndEveryKoboIsKept(t *testing.T) {
	everywhere(t, func(b *bench) {
		members := []string{"bisi", "chidi", "dayo", "efe"}
		b.group(members...)
		for _, m := range members {
			b.fund(m, 1000*money.Naira)
		}
		var wg sync.WaitGroup
		for i := range 200 {
			wg.Go(func() {
				_, err := b.store.Append(context.Background(), command(uuid.New(), contribute(members[i%4], 10*money.Naira)))
				require.NoError(b, err)
			})
		}
		wg.Wait()
		records, err := b.read(0, 10_000)
		require.NoError(b, err)
		versions := map[string]int64{}
		for i, r := range records {
			require.Equal(b, int64(i+1), r.Pos, "positions have no gap")
			versions[r.Stream]++
			require.Equal(b, versions[r.Stream], r.Version)
			decoded, err := event.DecodeRecord(r.Encode())
			require.NoError(b, err)
			require.Equal(b, r, decoded)
		}
		require.Equal(b, 200*10*money.Naira, b.balance("pool:sub"))
		require.Equal(b, 500*money.Naira, b.balance("wallet:bisi"))
	})
}

func TestFiftyWithdrawalsOfAWholeBalanceOneSucceeds(t *testing.T) {
	everywhere(t, func(b *bench) {
		b.group("bisi")
		stores := []*store.Store{b.store}
		for _, processes := range []int{1, 3} {
			for len(stores) < processes {
				stores = append(stores, b.open())
			}
			b.fund("bisi", 700*money.Naira)
			before := b.head()
			var (
				wg   sync.WaitGroup
				paid atomic.Int32
			)
			for i := range 50 {
				wg.Go(func() {
					_, err := stores[i%processes].Append(context.Background(), command(uuid.New(), contribute("bisi", 700*money.Naira)))
					if err == nil {
						paid.Add(1)
					} else if !fault.Is(err, fault.Insufficient) {
						b.Errorf("%v", err)
					}
				})
			}
			wg.Wait()
			require.EqualValues(b, 1, paid.Load(), "%d processes", processes)
			require.Equal(b, before+1, b.head(), "refusals record no event")
			require.Zero(b, b.balance("wallet:bisi"))
		}
	})
}

func TestTheSameKeyIsRecordedOnce(t *testing.T) {
	everywhere(t, func(b *bench) {
		b.group("bisi")
		b.fund("bisi", 1000*money.Naira)
		id := uuid.New()
		first, err := b.store.Append(context.Background(), command(id, contribute("bisi", 100*money.Naira)))
		require.NoError(b, err)
		// From this process's memory, and from another process that has to look it up.
		for _, s := range []*store.Store{b.store, b.open()} {
			again, err := s.Append(context.Background(), command(id, contribute("bisi", 100*money.Naira)))
			require.NoError(b, err)
			require.True(b, again.Repeated)
			require.Equal(b, first.Records, again.Records)
			_, err = s.Append(context.Background(), command(id, contribute("bisi", 200*money.Naira)))
			require.True(b, fault.Is(err, fault.Conflict), "another payload under the same key: %v", err)
		}
		require.Equal(b, 900*money.Naira, b.balance("wallet:bisi"))
	})
}

func TestARefusalUnderAKeyStaysRefused(t *testing.T) {
	everywhere(t, func(b *bench) {
		b.group("bisi")
		id := uuid.New()
		_, refused := b.store.Append(context.Background(), command(id, contribute("bisi", 100*money.Naira)))
		require.True(b, fault.Is(refused, fault.Insufficient))
		b.fund("bisi", 1000*money.Naira)
		for _, s := range []*store.Store{b.store, b.open()} {
			_, err := s.Append(context.Background(), command(id, contribute("bisi", 100*money.Naira)))
			require.Equal(b, refused.Error(), err.Error())
		}
		require.Equal(b, 1000*money.Naira, b.balance("wallet:bisi"))
	})
}

func TestOneRefusalInABatchLeavesItsNeighboursAlone(t *testing.T) {
	everywhere(t, func(b *bench) {
		b.group("bisi", "chidi")
		b.fund("bisi", 1000*money.Naira)
		var wg sync.WaitGroup
		for i := range 100 {
			user := []string{"bisi", "chidi"}[i%2]
			wg.Go(func() {
				_, err := b.store.Append(context.Background(), command(uuid.New(), contribute(user, 10*money.Naira)))
				if user == "bisi" {
					require.NoError(b, err)
				} else {
					require.True(b, fault.Is(err, fault.Insufficient), "%v", err)
				}
			})
		}
		wg.Wait()
		require.Equal(b, 500*money.Naira, b.balance("pool:sub"))
	})
}

func TestTheDatabaseItselfRefusesWhatMustNotBe(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.group("bisi")
	b.fund("bisi", 1000*money.Naira)
	_, err := b.backend().Settle(context.Background())
	require.NoError(t, err)
	for name, statement := range map[string]string{
		"an event changed":                         "UPDATE events SET actor = 'x' WHERE pos = 1",
		"an event removed":                         "DELETE FROM events WHERE pos = 1",
		"the events emptied":                       "TRUNCATE events",
		"a wallet below zero":                      "UPDATE ledger_accounts SET balance = -1 WHERE account = 'wallet:bisi'",
		"a version used twice":                     "INSERT INTO events SELECT pos + 1000, stream, version, type, gen_random_uuid(), seq, command_hash, actor, correlation, effective_at, recorded_at, body, accounts, amounts, balances, leaf FROM events WHERE pos = 1",
		"a command recorded twice":                 "INSERT INTO commands SELECT command, pos + 1000, 1 FROM events WHERE pos = 1",
		"a partition emptied":                      "TRUNCATE events_000001",
		"a partition changed":                      "UPDATE events_000001 SET actor = 'x' WHERE pos = 1",
		"an event that leaves a wallet below zero": "INSERT INTO events SELECT pos + 1000, stream, version + 1000, type, gen_random_uuid(), seq, command_hash, actor, correlation, effective_at, recorded_at, body, '{wallet:a,bank:b}', '{-1,1}', '{-1,1}', leaf FROM events WHERE pos = 1",
		"lines out of balance":                     "INSERT INTO events SELECT pos + 1000, stream, version + 1000, type, gen_random_uuid(), seq, command_hash, actor, correlation, effective_at, recorded_at, body, '{a,b}', '{1,-2}', '{1,-2}', leaf FROM events WHERE pos = 1",
	} {
		_, err := b.pool.Exec(context.Background(), statement)
		require.Error(t, err, name)
	}
}

func TestARecordedKeyIsAnsweredAlthoughItWouldBeRefusedNow(t *testing.T) {
	everywhere(t, func(b *bench) {
		b.group("bisi", "chidi")
		b.fund("bisi", 100*money.Naira)
		b.fund("chidi", 1000*money.Naira)
		id := uuid.New()
		first, err := b.store.Append(context.Background(), command(id, contribute("bisi", 100*money.Naira)))
		require.NoError(b, err)
		other := b.open()
		// At first another process decides under the lock; after enough commands of its own it decides ahead.
		for range 40 {
			_, err := other.Append(context.Background(), command(uuid.New(), contribute("chidi", money.Naira)))
			require.NoError(b, err)
		}
		again, err := other.Append(context.Background(), command(id, contribute("bisi", 100*money.Naira)))
		require.NoError(b, err)
		require.True(b, again.Repeated)
		require.Equal(b, first.Records, again.Records)
	})
}
