package audit_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/ledgertest"
)

// before is a ledger of the last build whose events named no provider.
func before(t *testing.T) *book {
	t.Helper()
	ctx := context.Background()
	b := &book{TB: t, pool: ledgertest.Pool(t), file: filepath.Join(t.TempDir(), "checkpoints")}
	require.NoError(t, os.WriteFile(b.file, ledgertest.BeforeCheckpoints, 0o600))
	require.NoError(t, store.Migrate(ctx, b.pool))
	require.NoError(t, proofs.Migrate(ctx, b.pool))
	ledgertest.BeforeProviders(t, b.pool)
	key, err := proofs.ParseKey(ledgertest.BeforeProofs(t, b.pool))
	require.NoError(t, err)
	b.keys, err = proofs.NewKeys(key)
	require.NoError(t, err)
	b.sealer, err = proofs.NewSealer(b.pool, b.keys, proofs.SealerOptions{File: b.file})
	require.NoError(t, err)
	b.store = store.Open(store.Postgres(b.pool, 0), ledger.Aggregates(), store.Options{Sealing: sealing})
	t.Cleanup(b.store.Close)
	return b
}

// refuses checks that a command is refused with the code.
func (b *book) refuses(code fault.Code, c event.Command) {
	b.Helper()
	_, err := b.append(c)
	require.True(b, fault.Is(err, code), "%T: %v", c, err)
}

// balance is an account's balance by its latest line.
func (b *book) balance(account string) (total money.Kobo) {
	b.Helper()
	b.settle()
	require.NoError(b, b.pool.QueryRow(context.Background(), "SELECT coalesce(sum(balance), 0)::bigint FROM ledger_accounts WHERE account = $1", account).Scan(&total))
	return total
}

func TestALedgerOfBeforeEventsNamedTheirProviderVerifiesAndGoesOn(t *testing.T) {
	t.Parallel()
	ctx, b := context.Background(), before(t)
	was, err := history.Read(ctx, b.pool, 0, 1_000)
	require.NoError(t, err)
	written := map[string]bool{}
	for _, r := range was {
		written[r.Type] = true
	}
	// Positions before it and after it.
	elsewhere := []string{
		"naira.v1.PaymentReversed", "naira.v1.CorrectionProposed", "naira.v1.PaymentMarked", "naira.v1.AjoPaymentMarked", "naira.v1.PeriodAttested",
		"naira.v1.AjoSeatTaken", "naira.v1.AjoListClosed", "naira.v1.LiquidationReversedV2", "naira.v1.QuestionAsked", "naira.v1.MemberDeactivated", "naira.v1.AccountGivenBack",
	}
	for _, superseded := range event.Superseded() {
		require.True(t, written[superseded] || slices.Contains(elsewhere, superseded), "%s is not in the ledger that was left", superseded)
	}
	require.Empty(t, all(b.verify()))
	bank, gateway := b.balance("bank:transfer"), b.balance("bank:card")

	now := time.Now()
	arrives := func(id, user string, by event.Provider, gross money.Kobo, ref string) wallet.ConfirmPayment {
		return wallet.ConfirmPayment{PaymentID: id, User: user, Provider: by, Gross: gross * money.Naira, ProviderRef: ref, PaidAt: now}
	}
	byCard := func(ref string) wallet.ConfirmPayment {
		c := arrives("checkout", "chidi", event.Paystack, 0, ref)
		c.Gross = 5_000*money.Naira + wallet.CardTariff.Charge(5_000*money.Naira)
		return c
	}

	// Open payments can end only through the provider with which they began.
	b.refuses(fault.NotFound, arrives("open", "bisi", event.Paystack, 5_000, "new-1"))
	b.refuses(fault.Conflict, arrives("open", "bisi", event.Vfd, 5_000, "nip-1"))  // The build before credited it.
	b.refuses(fault.Unavailable, arrives("open", "bisi", event.Vfd, 5_000, "n-1")) // Another name for the same.
	b.do(arrives("open", "bisi", event.Vfd, 5_000, "new-1"))
	b.do(arrives("pending", "chidi", event.Vfd, 5_000, "101")) // The other gateway has this reference for other money.
	b.refuses(fault.Conflict, byCard("101"))
	b.do(byCard("102"))
	b.do(wallet.ReversePayment{PaymentID: "carded", User: "bisi", Provider: event.Paystack, ProviderRef: "r-2", Reason: "The rest of it"})

	// The same holds for unmatched money.
	b.do(wallet.StartPayment{PaymentID: "late", User: "chidi", Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: event.Vfd, Amount: 700 * money.Naira, ExpiresAt: now})
	require.IsType(t, &nairav1.UnmatchedMatchedV2{}, decoded(t, b.do(arrives("late", "chidi", event.Vfd, 700, "stray"))))
	b.refuses(fault.NotFound, wallet.ProposeUnmatched{ProviderRef: "7", Provider: event.Vfd, User: "bisi", By: "sade", Reason: "Her slip."})
	b.do(wallet.ProposeUnmatched{ProviderRef: "7", Provider: event.Paystack, User: "bisi", By: "sade", Reason: "Her slip."})
	b.do(wallet.DecideUnmatched{ProviderRef: "proposed", Provider: event.Vfd, User: "bisi", By: "tola", Approve: true})
	b.do(wallet.SettleHeld{ProviderRef: "held", Provider: event.Vfd, By: "sade", Reason: "The bank's letter.", PaidAt: now})
	b.do(wallet.ProposeUnmatched{ProviderRef: "return of w-gone", Provider: event.Paystack, User: "chidi", By: "sade", Reason: "They are back."})

	// The same holds for payouts.
	receipt := payout.Receipt{ProviderRef: "s", PaidAt: now}
	b.do(payout.Send("w-asked", "bisi", "ref w-asked", now))
	b.do(payout.Pay("w-asked", "bisi", event.Vfd, receipt))
	b.do(payout.Pay("w-sent", "bisi", event.Vfd, receipt))
	b.refuses(fault.Conflict, payout.Pay("w-card", "bisi", event.Vfd, receipt))
	b.do(payout.Pay("w-card", "bisi", event.Paystack, receipt))
	b.do(payout.Reverse("w-paid-card", "bisi", event.Paystack, "back", "Closed"))
	requested := func(id string, kind nairav1.LiquidationKind) liquidation.Of {
		return liquidation.Of{LiquidationID: id, GroupID: "g", SubAccountID: "sub", RequestedBy: "bisi", Kind: kind, Provider: event.Vfd}
	}
	b.do(liquidation.Pay(requested("l-sent", nairav1.LiquidationKind_LIQUIDATION_KIND_MEMBER_WITHDRAWAL), "ref l-sent", receipt))
	b.do(liquidation.Reverse(requested("l-paid", nairav1.LiquidationKind_LIQUIDATION_KIND_MEMBER_WITHDRAWAL), "back", "Closed"))
	b.do(liquidation.Cancel(requested("l-asked", nairav1.LiquidationKind_LIQUIDATION_KIND_GROUP_DISBURSEMENT), "bisi"))

	// A further provider starts beside them.
	b.do(wallet.StartPayment{PaymentID: "third", User: "bisi", Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: "third", Amount: 900 * money.Naira, ExpiresAt: now})
	b.do(arrives("third", "bisi", "third", 900, "nip-1"))
	require.Equal(t, -900*money.Naira, b.balance("bank:third"))
	net := 1_000*money.Naira - payout.ChargesOn(1_000*money.Naira).Total()
	require.Equal(t, bank-(5_000+5_000+300)*money.Naira+3*net-net, b.balance("bank:transfer"), "two payments and what was held; three paid out and one back")
	left := 19_000*money.Naira + wallet.CardTariff.Charge(20_000*money.Naira)
	require.Equal(t, gateway-byCard("").Gross+left, b.balance("bank:card"), "one payment, what was left of another, and one paid out as one came back")

	b.seal()
	require.Empty(t, all(b.verify()))
	is, err := history.Read(ctx, b.pool, 0, 1_000)
	require.NoError(t, err)
	require.Equal(t, was, is[:len(was)], "what is recorded stays as it was")
	for _, r := range is[len(was):] {
		require.NotContains(t, event.Superseded(), r.Type)
	}
}

// decoded is the first event of a result.
func decoded(t *testing.T, r store.Result) any {
	t.Helper()
	m, err := r.Records[0].Message()
	require.NoError(t, err)
	return m
}

// A retry of a key from the build before gets the same answer.
func TestACommandThatTheBuildBeforeRecordedIsRepeatedByThisOne(t *testing.T) {
	t.Parallel()
	ctx, b := context.Background(), before(t)
	records, err := history.Read(ctx, b.pool, 0, 1_000)
	require.NoError(t, err)
	for _, r := range records {
		if r.Type != "naira.v1.PaymentInitiated" {
			continue
		}
		again, err := b.store.Append(ctx, store.Command{ID: r.Command, Hash: r.CommandHash, Keyed: true, Actor: r.Actor, Command: wallet.StartPayment{
			PaymentID: uuid.NewString(), User: "bisi", Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: "third", Amount: money.Naira,
		}})
		require.NoError(t, err)
		require.True(t, again.Repeated)
		require.Equal(t, r.Body, again.Records[0].Body)
	}
}
