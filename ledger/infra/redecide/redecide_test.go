package redecide_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/draw"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/redecide"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/ledgertest"
)

func TestMain(m *testing.M) { ledgertest.Main(m) }

type book struct {
	*testing.T
	pool  *pgxpool.Pool
	store *store.Store
}

// noon is when everything takes effect.
var noon = time.Date(2026, 11, 15, 11, 0, 0, 0, time.UTC)

func setup(t *testing.T) book {
	t.Helper()
	b := book{T: t, pool: ledgertest.Pool(t)}
	require.NoError(t, store.Migrate(context.Background(), b.pool))
	b.store = store.Open(store.Postgres(b.pool, 0), ledger.Aggregates(), store.Options{Clock: func() time.Time { return noon }})
	t.Cleanup(b.store.Close)
	b.do(savings.CreateGroup{GroupID: "g", Owner: "ada", Name: "Traders", Amount: 5000 * money.Naira, Capacity: 10, StartMonth: 11, Now: noon})
	b.do(ledgertest.Activated("g", "ada", "vera", "femi")...)
	b.do(savings.OpenSubAccount{
		GroupID: "g", SubAccountID: "s", By: "ada", Name: "Dues", Type: nairav1.PaymentType_PAYMENT_TYPE_FIXED, Frequency: nairav1.PaymentFrequency_PAYMENT_FREQUENCY_MONTHLY,
		Amount: 5000 * money.Naira, Now: noon,
	})
	for n, user := range []string{"vera", "femi"} {
		channel, provider, tariff := nairav1.Channel_CHANNEL_BANK_TRANSFER, event.Vfd, wallet.Free
		if n == 1 {
			channel, provider, tariff = nairav1.Channel_CHANNEL_CARD, event.Paystack, wallet.CardTariff
		}
		gross := 9000*money.Naira + tariff.Charge(9000*money.Naira)
		b.do(wallet.StartPayment{PaymentID: "p" + user, User: user, Channel: channel, Provider: provider, Tariff: tariff, Amount: 9000 * money.Naira, ExpiresAt: noon.Add(time.Hour)},
			wallet.ConfirmPayment{PaymentID: "p" + user, User: user, Provider: provider, Gross: gross, ProviderRef: "ref" + user, Also: []string{"other" + user}, PaidAt: noon})
	}
	b.do(contribute("vera", 5000*money.Naira), account.EndCheck("vera", "c", 0))
	amount := 1000 * money.Naira
	b.do(payout.Request{WithdrawalID: "w", User: "vera", Amount: amount, Net: amount - payout.ChargesOn(amount).Total(), Provider: event.Vfd, Tiers: account.DefaultTiers, At: noon},
		payout.Send("w", "vera", "out", noon), payout.Fail("w", "vera", "out", "Declined"))
	b.do(store.Bulk{contribute("femi", 100*money.Naira), contribute("femi", 200*money.Naira)})
	return b
}

func contribute(user string, amount money.Kobo) dues.Contribute {
	return dues.Contribute{GroupID: "g", SubAccountID: "s", User: user, Amount: amount, Channel: nairav1.Channel_CHANNEL_WALLET, At: noon}
}

func (b book) do(commands ...event.Command) {
	b.Helper()
	for _, c := range commands {
		_, err := b.store.Append(context.Background(), store.Command{ID: uuid.New(), Actor: "t", Command: c})
		require.NoError(b, err, "%T", c)
	}
}

// from gives commands that count from a time.
func (b book) from(at time.Time, commands ...event.Command) {
	b.Helper()
	for _, c := range commands {
		_, err := b.store.Append(context.Background(), store.Command{ID: uuid.New(), Actor: "t", EffectiveAt: at, Command: c})
		require.NoError(b, err, "%T", c)
	}
}

// again decides the ledger again, and answers the positions that differ, and why.
func (b book) again(beacons ...draw.Beacon) (redecide.Result, map[int64]string) {
	b.Helper()
	conn, err := b.pool.Acquire(context.Background())
	require.NoError(b, err)
	defer conn.Release()
	_, head, err := history.Head(context.Background(), b.pool)
	require.NoError(b, err)
	differs := map[int64]string{}
	result, err := redecide.Run(context.Background(), conn.Conn(), head, redecide.Options{
		Aggregates: ledger.Aggregates(), Wishes: ledger.Wishes(beacons...), Behind: ledger.Behind, Read: history.At(context.Background(), b.pool), Differs: func(pos int64, why string) { differs[pos] = why },
	})
	require.NoError(b, err)
	require.Equal(b, head, result.Events)
	return result, differs
}

func TestTheRulesComeToEveryEventAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.do(account.Act{Staff: "sade", Action: nairav1.StaffAction_STAFF_ACTION_READ_ACCOUNT, Subject: "vera", Case: "1"})
	result, differs := b.again()
	require.Empty(t, differs)
	for _, typ := range []string{"ContributionReceived", "PaymentInitiatedV2", "PaymentConfirmedV2", "WithdrawalRequestedV2", "WithdrawalsCounted", "WithdrawalFailed", "MembershipRequested", "BvnVerified", "GroupCreated", "MembershipApproved", "ApproverAppointed", "ValidatorAppointed", "SubAccountOpened"} {
		require.NotContains(t, result.Taken, "naira.v1."+typ)
	}
	require.Contains(t, result.Taken, "naira.v1.StaffActed", "what no wish is known for is said")
}

func TestAReversalThatTakesFrozenMoneyIsDecidedAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	amount := 1000 * money.Naira
	b.do(account.EndCheck("femi", "c", 0),
		payout.Request{WithdrawalID: "unsent", User: "femi", Amount: amount, Net: amount - payout.ChargesOn(amount).Total(), Provider: event.Vfd, Tiers: account.DefaultTiers, At: noon},
		account.Freeze{User: "femi", HoldID: "frozen", Now: noon},
		payout.TakenBack{
			Command: wallet.ReversePayment{
				PaymentID: "pfemi", User: "femi", Provider: event.Paystack, Gross: 9000*money.Naira + wallet.CardTariff.Charge(9000*money.Naira), ProviderRef: "back", Reason: "Charged back", At: noon,
			},
			User: "femi", Frozen: []account.FrozenHold{{ID: "frozen", Amount: 7700 * money.Naira}}, Unsent: []string{"unsent"},
		})
	_, differs := b.again()
	require.Empty(t, differs)
}

func TestWhatTheRulesWouldNotHaveAllowedIsFound(t *testing.T) {
	t.Parallel()
	plant := func(m *nairav1.ContributionReceived) event.Command {
		return ledgertest.Raw{event.On(dues.Stream(m.GetSubAccountId(), m.GetUserId()), m)}
	}
	paid := func() *nairav1.ContributionReceived {
		return &nairav1.ContributionReceived{
			GroupId: "g", SubAccountId: "s", UserId: "vera", AmountKobo: 100_00, Channel: nairav1.Channel_CHANNEL_WALLET, MemberTotalKobo: 5100_00,
			Settled: []*nairav1.Settlement{{Period: "2026-12-01", AmountKobo: 100_00}},
		}
	}
	for name, c := range map[string]struct {
		planted func() event.Command
		why     string
	}{
		"nothing wrong": {func() event.Command { return plant(paid()) }, ""},
		"on somebody else's dues": {func() event.Command {
			m := paid()
			m.UserId = "femi"
			return ledgertest.Raw{event.On(dues.Stream("s", "vera"), m)}
		}, "the rules record naira.v1.ContributionReceived on dues:s:femi and it is on dues:s:vera"},
		"a total that is not": {func() event.Command {
			m := paid()
			m.MemberTotalKobo++
			return plant(m)
		}, "the rules decide naira.v1.ContributionReceived"},
		"another due than the oldest": {func() event.Command {
			m := paid()
			m.Settled[0].Period = "2027-03-01"
			return plant(m)
		}, "the rules"},
		"a withdrawal that is paid twice": {func() event.Command {
			return ledgertest.Raw{event.On(payout.Stream("w"), &nairav1.WithdrawalSent{WithdrawalId: "w", UserId: "vera", Reference: "again"})}
		}, "the rules refuse it: This withdrawal is failed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			_, before, err := history.Head(context.Background(), b.pool)
			require.NoError(t, err)
			b.do(c.planted())
			_, differs := b.again()
			if c.why == "" {
				require.Empty(t, differs)
				return
			}
			require.Len(t, differs, 1, "%v", differs)
			require.Contains(t, differs[before+1], c.why)
		})
	}
}

func TestWhatPeopleDecideAboutGroupsIsDecidedAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.do(savings.SuspendGroup("g", "sade", "It is looked at."), savings.ResumeGroup("g", "sade", "All is well."),
		savings.JoinGroup{GroupID: "g", User: "bisi"}, savings.RejectMember{GroupID: "g", User: "bisi", By: "ada", Reason: "Nobody knows them."})
	b.do(savings.CreateGroup{GroupID: "h", Owner: "ada", Name: "Weavers", Amount: 5000 * money.Naira, Capacity: 10, StartMonth: 11, Now: noon}, savings.CancelGroup("h", "ada", "Nobody came."))
	result, differs := b.again()
	require.Empty(t, differs)
	for _, typ := range []string{"GroupSuspended", "GroupResumed", "MembershipRejected", "GroupCancelled"} {
		require.NotContains(t, result.Taken, "naira.v1."+typ)
	}
}

func TestWhatLeavesAGroupAndMoneyOfNobodyAreDecidedAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	kind, later := nairav1.LiquidationKind_LIQUIDATION_KIND_GROUP_DISBURSEMENT, noon.AddDate(0, 0, 4) // Offices count by then.
	of := liquidation.Of{LiquidationID: "l", GroupID: "g", SubAccountID: "s", RequestedBy: "ada", Kind: kind, Provider: event.Vfd}
	other := of
	other.LiquidationID = "m"
	b.do(account.EndCheck("femi", "c", 0))
	officers := savings.Officers{Users: []string{"vera", "femi", "ada"}}
	asks := liquidation.Request{
		LiquidationID: "l", GroupID: "g", SubAccountID: "s", User: "ada", Kind: kind, Amount: 1000_00, Net: 1000_00 - payout.ChargesOn(1000_00).Total(), Provider: event.Vfd,
		Reason: "A tent", Officers: officers, At: later,
	}
	receipt := payout.Receipt{Fee: 10_00, ProviderRef: "bank", PaidAt: noon}
	b.from(later, asks, liquidation.Approve(of, "vera"), liquidation.Approve(of, "femi"))
	b.from(later.AddDate(0, 0, 7), liquidation.Send(of, "one", later.AddDate(0, 0, 7)), liquidation.Fail(of, "one", "Declined"), liquidation.Retry(of, "femi"),
		liquidation.Send(of, "two", later.AddDate(0, 0, 7)), liquidation.Pay(of, "two", receipt), liquidation.Reverse(of, "back", "Closed"))
	asks.LiquidationID = "m"
	b.from(later, asks, liquidation.Reject(other, "vera", "Not now"))
	b.do(wallet.ReceiveUnmatched{ProviderRef: "stray", Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: event.Vfd, Amount: 70_00, Reference: "stray", PaidAt: noon})
	b.do(wallet.ProposeUnmatched{ProviderRef: "stray", Provider: event.Vfd, User: "vera", By: "sade", Reason: "She showed the slip"},
		wallet.DecideUnmatched{ProviderRef: "stray", Provider: event.Vfd, User: "vera", By: "ayo", Reason: "It is another's"},
		wallet.ProposeUnmatched{ProviderRef: "stray", Provider: event.Vfd, User: "vera", By: "sade", Reason: "She showed the slip"},
		wallet.DecideUnmatched{ProviderRef: "stray", Provider: event.Vfd, User: "vera", By: "ayo", Approve: true})
	b.do(payout.PostCharge{PayoutID: "l", Provider: event.Vfd, Reference: "two", ProviderRef: "bank", Amount: 5_00},
		payout.PostCharge{PayoutID: "l", Provider: event.Vfd, Reference: "two", ProviderRef: "bank", Posted: 5_00, Amount: 2_00},
		wallet.ReceiveUnmatched{ProviderRef: "back again", Also: []string{"other"}, Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: event.Vfd, Amount: asks.Net, PaidAt: noon},
		liquidation.MatchReturn(event.Vfd, "back again", nil, asks.Net, "l"),
		liquidation.TakeBackReturn(wallet.TakeBackArrival{ProviderRef: "back again", Provider: event.Vfd, Gross: 100_00, BackRef: "gone again", Reason: "A recall"}, "l"),
		liquidation.TakeBackReturn(wallet.TakeBackArrival{ProviderRef: "back again", Provider: event.Vfd, Gross: 50_00, BackRef: "gone at last", Reason: "A recall"}, "l"))
	result, differs := b.again()
	require.Empty(t, differs)
	for typ := range result.Taken {
		require.False(t, strings.Contains(typ, "Liquidation") || strings.Contains(typ, "Unmatched") || strings.Contains(typ, "Returned") || strings.Contains(typ, "Charge"), typ)
	}
	b.do(ledgertest.Raw{event.On(liquidation.Stream("m"), &nairav1.LiquidationSent{LiquidationId: "m", GroupId: "g", Reference: "three"})})
	_, differs = b.again()
	require.Len(t, differs, 1)
	require.Contains(t, fmt.Sprint(differs), "the rules refuse it: This request was rejected by the validator")
}

// A provider brings its own tariff, and the card gateway may publish another table.
func TestAPaymentByAnotherTariffIsDecidedAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	next := wallet.Tariff{Table: 2, PerMille: 14, Cap: 2_000 * money.Naira}
	b.do(wallet.StartPayment{
		PaymentID: "third", User: "vera", Channel: nairav1.Channel_CHANNEL_CARD, Provider: "third", Tariff: next, Amount: 9000 * money.Naira, ExpiresAt: noon.Add(time.Hour),
	})
	_, differs := b.again()
	require.Empty(t, differs)
}
