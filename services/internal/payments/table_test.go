package payments_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/posting"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/payments"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/sandbox"
)

const (
	cellPays = 5_000 * money.Naira
	cellPart = 1_000 * money.Naira
)

// cell is a card payment of ₦5,000, with a payer of its own.
type cell struct {
	*apptest.Town
	id, user string
	ends     time.Time
	came     bool       // The gateway has its money.
	back     money.Kobo // The part of it that went back.
}

func (c *cell) raw(drafts ...event.Draft) {
	c.Helper()
	c.Gives(ledgertest.Raw(drafts))
}

// starts makes the gateway expect the payment, and the ledger too if it is ours.
func (c *cell) starts(ours bool) {
	c.Helper()
	from, err := rails.As[rails.Collector](c.App.Payments.Rails, event.Paystack)
	require.NoError(c, err)
	_, err = from.Start(context.Background(), rails.StartRequest{Reference: c.id, Amount: cellPays, Email: "ada@example.com", ExpiresAt: c.ends})
	require.NoError(c, err)
	if ours {
		c.raw(event.On(wallet.Stream(c.id), &nairav1.PaymentInitiatedV2{
			PaymentId: c.id, UserId: c.user, Channel: apptest.Card, Provider: string(event.Paystack), AmountKobo: int64(cellPays), ExpiresAt: timestamppb.New(c.ends),
		}))
	}
}

func (c *cell) paid(at time.Time) {
	c.Helper()
	if !c.came {
		require.NoError(c, c.Bank.PayCardAnd(context.Background(), c.id, at, sandbox.Telling{Silent: true}))
	}
	c.came = true
}

func (c *cell) returns(amount money.Kobo) {
	c.Helper()
	c.paid(time.Time{})
	require.NoError(c, c.Bank.TakeBack(context.Background(), sandbox.Takeback{Reference: c.id, Amount: amount, Loose: true, Silent: true}))
	c.back += amount
}

// heard makes the service process everything that the gateway reports so far.
func (c *cell) heard() {
	c.Helper()
	_, err := c.App.Payments.Settle(context.Background(), c.id)
	require.NoError(c, err)
	if c.back > 0 {
		_, err = c.App.Payments.TakenBack(context.Background(), event.Paystack, c.id)
		require.NoError(c, err)
	}
}

func (c *cell) spends() {
	c.raw(event.On("correction:"+c.id, &nairav1.AdjustmentPosted{UserId: c.user, AmountKobo: int64(cellPays), TakesBack: true}))
}

func (c *cell) ended(to wallet.Status, reason string) {
	c.Gives(wallet.EndPayment{PaymentID: c.id, To: to, Reason: reason, Now: c.ends})
}

// becomes brings the payment into a known state.
func (c *cell) becomes(k payments.Known) {
	c.Helper()
	c.starts(k != payments.KnowsNothing)
	switch k {
	case payments.KnowsNothing, payments.KnowsStarted:
		return
	case payments.KnowsPending:
		c.ended(wallet.Pending, "")
		return
	case payments.KnowsLapsed:
		c.ended(wallet.Expired, "")
		return
	case payments.KnowsFailed:
		c.ended(wallet.Failed, "Declined")
		return
	case payments.KnowsParked, payments.KnowsAssigned, payments.KnowsAgreed, payments.KnowsLeaving, payments.KnowsSentBack:
		c.ended(wallet.Failed, "Declined")
	}
	c.paid(time.Time{})
	c.heard()
	switch k {
	case payments.KnowsAssigned:
		c.assigned()
	case payments.KnowsAgreed, payments.KnowsLeaving, payments.KnowsSentBack:
		c.goesBack(k)
	case payments.KnowsSpent:
		c.spends()
	case payments.KnowsClosed:
		c.spends()
		c.raw(event.On(account.Stream(c.user), &nairav1.AccountClosed{UserId: c.user}))
	case payments.KnowsPartBack:
		c.returns(cellPart)
	case payments.KnowsAllBack:
		c.returns(cellPays)
	case payments.KnowsDisputed, payments.KnowsLost:
		dispute, err := c.Bank.Disputes(context.Background(), sandbox.CardDispute{Reference: c.id, Category: "chargeback"})
		require.NoError(c, err)
		if k == payments.KnowsLost {
			require.NoError(c, c.Bank.EndDispute(context.Background(), dispute, true))
			c.back = cellPays
		}
	}
	c.heard()
}

// parked returns the gateway's name of the payment's money in suspense.
func (c *cell) parked() (ref string) {
	c.Helper()
	require.NoError(c, c.Pool.QueryRow(context.Background(), "SELECT id::text FROM sandbox_charges WHERE reference = $1", c.id).Scan(&ref))
	return ref
}

func (c *cell) assigned() {
	c.Helper()
	a := wallet.ProposeUnmatched{ProviderRef: c.parked(), Provider: event.Paystack, User: c.user, By: c.Validator.User, Reason: "She showed the slip"}
	c.Gives(a, wallet.DecideUnmatched{ProviderRef: a.ProviderRef, Provider: a.Provider, User: a.User, By: c.Approver.User, Approve: true})
}

// goesBack makes two of the staff agree that the money goes back, and sends and pays the order, as far as the state
// needs.
func (c *cell) goesBack(k payments.Known) {
	c.Helper()
	of, back := payout.SentMoney{Provider: event.Paystack, ProviderRef: c.parked()}, uuid.NewString()
	c.Gives(
		payout.ProposeSendBack{SentMoney: of, ID: back, User: c.user, By: c.Validator.User, Reason: "Nobody knows the sender"},
		payout.DecideSendBack{SentMoney: of, ID: back, By: c.Approver.User, Approve: true},
	)
	if k == payments.KnowsAgreed {
		return
	}
	payer, err := rails.As[rails.Payer](c.App.Payments.Rails, event.Paystack)
	require.NoError(c, err)
	reference := payer.Reference(back)
	c.Gives(payout.SendMoneyBack(of, back, reference))
	if k == payments.KnowsSentBack {
		c.Gives(payout.PayMoneyBack(of, back, c.pays(payer, reference)))
	}
}

// pays makes the gateway pay the parked money to somebody's account.
func (c *cell) pays(payer rails.Payer, reference string) payout.Receipt {
	c.Helper()
	ctx := context.Background()
	to, err := c.Bank.AddPerson(ctx, sandbox.Person{FirstName: "Amaka", LastName: "Nobody", BankCode: "058"})
	require.NoError(c, err)
	arrival, err := c.App.Payments.ArrivalState(ctx, event.Paystack, c.parked())
	require.NoError(c, err)
	send, err := payer.Prepare(ctx, rails.Payout{Reference: reference, Amount: arrival.Amount, Account: to.Account, Name: to.Name(), Bank: rails.Bank{Code: "058", NIP: to.NIP}})
	require.NoError(c, err)
	send(ctx)
	paid, err := payer.PayoutStatus(ctx, reference)
	require.NoError(c, err)
	require.Equal(c, rails.Paid, paid.State)
	return payout.Receipt{Fee: paid.Fee, ProviderRef: paid.ProviderRef, PaidAt: paid.PaidAt}
}

// hears makes the gateway say a word, and returns whether we accepted it.
func (c *cell) hears(k payments.Known, word payments.Word) error {
	c.Helper()
	ctx, at, restore := context.Background(), time.Now(), func() {}
	switch word {
	case payments.SaysPaid:
		c.paid(time.Time{})
	case payments.SaysLate:
		c.paid(c.ends.Add(time.Hour))
		at = c.ends.Add(2 * time.Hour)
	case payments.SaysOther:
		c.BankSays("UPDATE sandbox_charges SET amount = amount - 100 WHERE reference = $1", c.id)
		c.paid(time.Time{})
	case payments.SaysFailed:
		require.NoError(c, c.Bank.Says(ctx, c.id, "failed"))
	case payments.SaysPending, payments.SaysPending3:
		require.NoError(c, c.Bank.Says(ctx, c.id, "pending"))
	case payments.SaysUnknown, payments.SaysUnknown3:
		c.BankSays("UPDATE sandbox_charges SET asked_at = now() + interval '1 year' WHERE reference = $1", c.id)
	case payments.SaysNothing:
		registry := c.App.Payments.Rails
		c.App.Payments.Rails = c.RailsAt("http://127.0.0.1:1", "http://127.0.0.1:1")
		restore = func() { c.App.Payments.Rails = registry }
	case payments.TookPart, payments.TookAll, payments.TookMore:
		c.takes(word)
		_, err := c.App.Payments.TakenBack(ctx, event.Paystack, c.id)
		return err
	}
	defer restore()
	if word == payments.SaysPending3 {
		at = c.ends.Add(72*time.Hour + time.Minute)
	}
	if word == payments.SaysUnknown3 {
		at = c.ends.Add(time.Hour + time.Minute)
	}
	if k == payments.KnowsNothing {
		n := rails.Notice{Reference: c.id, Amount: cellPays, Currency: rails.Naira}
		require.NoError(c, c.Pool.QueryRow(ctx, "SELECT id::text FROM sandbox_charges WHERE reference = $1", c.id).Scan(&n.ProviderRef))
		return c.App.Payments.Webhook(ctx, event.Paystack, n)
	}
	later := c.App.At(at).Payments
	later.Rails = c.App.Payments.Rails
	_, err := later.Settle(ctx, c.id)
	return err
}

func (c *cell) takes(word payments.Word) {
	left := cellPays - c.back
	if left == 0 {
		left = cellPays
	}
	if word == payments.TookPart {
		c.returns(min(cellPart, left))
		return
	}
	c.returns(left)
	if word == payments.TookMore {
		c.returns(cellPart)
	}
}

// ofPayments returns the events that the table names.
func ofPayments() (names []string) {
	for _, row := range payments.Table {
		for _, o := range row {
			names = append(names, o.Records...)
		}
	}
	return append(names, "PaymentPending", "UnmatchedMatchedV2", "DebtWrittenOff")
}

// recorded returns the event types after a position that the table could name, once each.
func (c *cell) recorded(after int64) (names []string) {
	records, err := history.Read(context.Background(), c.Pool, after, 100)
	require.NoError(c, err)
	for _, r := range records {
		name := strings.TrimPrefix(r.Type, "naira.v1.")
		if slices.Contains(ofPayments(), name) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// losses is the sum of Adashi's losses so far.
func (c *cell) losses() (kobo money.Kobo) {
	_, err := c.Pool.Exec(context.Background(), "SELECT ledger_settle()")
	require.NoError(c, err)
	require.NoError(c, c.Pool.QueryRow(context.Background(), "SELECT coalesce(sum(-balance), 0)::bigint FROM ledger_accounts WHERE account = $1", posting.Losses).Scan(&kobo))
	return kobo
}

func TestEveryCellOfTheTableOfPaymentsIsSo(t *testing.T) {
	t.Parallel()
	require.Len(t, payments.Table, len(payments.Knowns))
	for _, known := range payments.Knowns {
		require.Len(t, payments.Table[known], len(payments.Words), known)
		t.Run(string(known), func(t *testing.T) {
			t.Parallel()
			w := apptest.Setup(t, true, false)
			before := w.Beyond(t)[event.Paystack]
			for n, word := range payments.Words {
				want := payments.Table[known][n]
				c := &cell{Town: w, id: uuid.NewString(), user: uuid.NewString(), ends: time.Now().Add(24 * time.Hour)}
				c.becomes(known)
				_, head, err := history.Head(context.Background(), w.Pool)
				require.NoError(t, err)
				losses := c.losses()
				err = c.hears(known, word)
				if want.Refused {
					refusal := fault.As(err)
					require.NotNil(t, refusal, "%s: %v", word, err)
					require.True(t, refusal.Code == fault.NotFound || refusal.Code == fault.Unavailable, "%s: %v", word, err)
				} else {
					require.NoError(t, err, word)
				}
				require.ElementsMatch(t, want.Records, c.recorded(head), word)
				require.Equal(t, strings.Contains(want.Loss, "Adashi"), c.losses() > losses, "%s: who bears it", word)
				require.Equal(t, slices.Contains(want.Records, "DebtOpened"), strings.Contains(want.Loss, "payer"), word)
				if word != payments.SaysOther { // In that case the test changed the gateway's books by hand.
					require.Equal(t, before, w.Beyond(t)[event.Paystack], "%s: the ledger has what the gateway has", word)
				}
				before = w.Beyond(t)[event.Paystack]
			}
		})
	}
}
