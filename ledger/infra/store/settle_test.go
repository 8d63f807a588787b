package store_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/posting"
)

func TestBalancesAreSettledBehindTheEventsAndNobodyDecidesOnOldOnes(t *testing.T) {
	everywhere(t, func(b *bench) {
		// The store drops what it does not need, and settles nothing before the test is over.
		b.store = b.openWith(store.Options{Settle: time.Hour, Cache: 2})
		b.group("bisi", "chidi")
		_, err := b.backend().Settle(context.Background())
		require.NoError(b, err)
		settled := b.head()
		for _, user := range []string{"bisi", "chidi"} {
			b.fund(user, 100*money.Naira)
			b.do(contribute(user, 60*money.Naira))
		}
		account := store.Need{Accounts: []string{"wallet:bisi"}}
		before, err := b.backend().Load(context.Background(), account)
		require.NoError(b, err)
		require.Equal(b, settled, before.Settled)
		require.Zero(b, before.Balances["wallet:bisi"])
		account.Now = true
		now, err := b.backend().Load(context.Background(), account)
		require.NoError(b, err)
		require.Equal(b, 40*money.Naira, now.Balances["wallet:bisi"])

		for _, s := range []*store.Store{b.store, b.openWith(store.Options{Settle: time.Hour})} {
			_, err = s.Append(context.Background(), command(uuid.New(), contribute("bisi", 60*money.Naira)))
			require.True(b, fault.Is(err, fault.Insufficient), "%v", err)
			_, err = s.DryRun(context.Background(), contribute("bisi", 40*money.Naira))
			require.NoError(b, err)
		}
		pos, err := b.backend().Settle(context.Background())
		require.NoError(b, err)
		require.Equal(b, b.head(), pos)
		after, err := b.backend().Load(context.Background(), store.Need{Accounts: account.Accounts})
		require.NoError(b, err)
		require.Equal(b, now.Balances, after.Balances)
	})
}

func TestACommitIsSettledSoonByItself(t *testing.T) {
	everywhere(t, func(b *bench) {
		b.store = b.openWith(store.Options{Settle: time.Millisecond})
		b.fund("bisi", 100*money.Naira)
		require.Eventually(b, func() bool {
			found, err := b.backend().Load(context.Background(), store.Need{})
			return err == nil && found.Settled == b.head()
		}, time.Minute, time.Millisecond)
	})
}

func TestNothingIsPaidOnBalancesThatAreInDoubt(t *testing.T) {
	t.Parallel()
	for name, tampered := range map[string]struct{ harm, mend []string }{
		"a balance was changed": {
			[]string{"UPDATE ledger_accounts SET balance = balance + 1 WHERE account = 'wallet:bisi'"},
			[]string{"UPDATE ledger_accounts SET balance = balance - 1 WHERE account = 'wallet:bisi'"},
		},
		"events that were settled are lost": {
			[]string{"UPDATE ledger_settled SET pos = pos + 100"},
			[]string{"UPDATE ledger_settled SET pos = pos - 100"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.store = b.openWith(store.Options{Settle: time.Millisecond})
			b.group("bisi")
			b.fund("bisi", 1000*money.Naira)
			_, err := b.backend().Settle(context.Background())
			require.NoError(t, err)
			run := func(statements []string) {
				for _, statement := range statements {
					_, err := b.pool.Exec(context.Background(), statement)
					require.NoError(t, err)
				}
			}
			pay := func(s *store.Store) error {
				_, err := s.Append(context.Background(), command(uuid.New(), contribute("bisi", money.Naira)))
				return err
			}
			run(tampered.harm)
			_ = pay(b.store) // It may still have had the balance in memory.
			_, err = b.backend().Settle(context.Background())
			require.ErrorIs(t, err, store.ErrUnsettled)
			require.Eventually(t, func() bool { return fault.Is(pay(b.store), fault.Unavailable) }, time.Minute, time.Millisecond)
			other := b.open()
			require.True(t, fault.Is(pay(other), fault.Unavailable), "who was just started knows nothing better")
			run(tampered.mend)
			require.NoError(t, pay(other))
			require.Eventually(t, func() bool { return pay(b.store) == nil }, time.Minute, time.Millisecond)
			b.sound()
		})
	}
}

func TestTheDatabaseHoldsTheFloorsOfTheChartOfAccounts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, account := range []string{
		posting.Wallet("u"), posting.Pool("s"), posting.Unmatched, "held:" + posting.Wallet("u"),
		posting.Bank(event.Paystack), posting.Bank(event.Vfd), posting.FeesGateway, posting.FeesCharged, posting.FeesVariance,
	} {
		for _, balance := range []int64{-1, 0, 1} {
			var holds bool
			require.NoError(t, b.pool.QueryRow(context.Background(), "SELECT ledger_floors_hold(ARRAY[$1], ARRAY[$2::bigint])", account, balance).Scan(&holds))
			require.Equal(t, balance >= 0 || !posting.Floored(account), holds, "%s at %d", account, balance)
		}
	}
}
