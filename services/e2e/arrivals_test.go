package e2e

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/base/money"
	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/rails/sandbox"
)

// landing is a product whose jobs run when they are told to, its desk, and a member who pays in over one rail.
type landing struct {
	books
	*person
	second  *person // Another of the desk.
	channel string
	paid    money.Kobo // In all, what is credited.
}

func newLanding(t *testing.T, channel string) *landing {
	t.Helper()
	cfg := settings(filepath.Join(t.TempDir(), "data"))
	i, err := boot.Start(context.Background(), cfg, boot.Roles{API: true, Relay: true, Projector: true})
	require.NoError(t, err)
	t.Cleanup(i.Stop)
	return &landing{
		books: books{t, i, staff(t, i, "Femi", people.RoleFinanceOps)}, person: somebody(t, i, "Bisi"), second: staff(t, i, "Sade", people.RoleAdmin), channel: channel,
	}
}

// pays starts a payment of ₦5,000 and has its money arrive, with nobody told.
func (l *landing) arrives(how sandbox.Telling) (payment string) {
	l.desk.Helper()
	ctx := context.Background()
	started := must[object](l.person, "POST", fund, object{"amount": 5000, "email": l.email, "channel": l.channel})
	payment = started["transactionRef"].(string)
	how.Silent = true
	if l.channel == "CARD" {
		require.NoError(l.desk, l.i.Bank.PayCardAnd(ctx, payment, time.Time{}, how))
		return payment
	}
	require.NoError(l.desk, l.i.Bank.Transfer(ctx, sandbox.Transfer{Account: started["accountNumber"].(string), Amount: 5_000 * money.Naira, Sender: "Bisi", Telling: how}))
	return payment
}

// bankFinds has the bank's query know of all that it has.
func (l *landing) bankFinds() {
	l.desk.Helper()
	_, err := l.i.Pool.Exec(context.Background(), "WITH t AS (UPDATE sandbox_transfers SET asked_at = NULL) UPDATE sandbox_charges SET asked_at = NULL")
	require.NoError(l.desk, err)
}

// tells tells of a payment's money once, by a door.
func (l *landing) tells(door, payment string) {
	l.desk.Helper()
	switch door {
	case "webhook":
		require.NoError(l.desk, l.i.Bank.Announce(context.Background(), payment))
		l.delivered()
	case "page":
		must[object](l.person, "POST", "/api/Payment/verifyFirstTransaction", object{"transactionRef": payment})
	default:
		l.holdsAgainstTheBank()
	}
}

// delivered waits until no webhook is on its way.
func (l *landing) delivered() {
	l.desk.Helper()
	require.Eventually(l.desk, func() (all bool) {
		require.NoError(l.desk, l.i.Pool.QueryRow(context.Background(), "SELECT NOT EXISTS (SELECT FROM sandbox_webhooks WHERE done_at IS NULL)").Scan(&all))
		return all
	}, time.Minute, 5*time.Millisecond)
}

// creditedOnce holds that one more payment is in the wallet, that nothing is left in suspense, and that the bank
// agrees.
func (l *landing) creditedOnce(how string) {
	l.desk.Helper()
	l.paid += 5_000 * money.Naira
	l.owesWhatTheBankHolds(how)
	require.Equal(l.desk, l.paid.Decimal().StringFixed(2), l.person.balance(), how)
	last := l.holdsAgainstTheBank()
	require.Empty(l.desk, last.Items, how)
	require.True(l.desk, last.Balanced, how)
}

// holdsAgainstTheBank reconciles, more often than the desk may ask for it.
func (l *landing) holdsAgainstTheBank() contract.Reconciliation {
	l.desk.Helper()
	done, err := l.i.App.Finance.Reconcile(context.Background(), contract.ReconciliationTriggerONDEMAND)
	require.NoError(l.desk, err)
	require.Nil(l.desk, done.Problem)
	return done
}

// owesWhatTheBankHolds holds that the wallet has what arrived and suspense has nothing, by the ledger.
func (l *landing) owesWhatTheBankHolds(how string) {
	l.desk.Helper()
	var wallet, suspense int64
	_, err := l.i.Pool.Exec(context.Background(), "SELECT ledger_settle()")
	require.NoError(l.desk, err)
	require.NoError(l.desk, l.i.Pool.QueryRow(context.Background(), `SELECT coalesce(sum(balance) FILTER (WHERE account = $1), 0)::bigint,
		coalesce(sum(balance) FILTER (WHERE account = 'suspense:unmatched'), 0)::bigint FROM ledger_accounts`, "wallet:"+l.person.id).Scan(&wallet, &suspense))
	require.Equal(l.desk, []int64{int64(l.paid), 0}, []int64{wallet, suspense}, "%s: what is in the wallet and in suspense", how)
	l.holds(l.paid.Decimal().StringFixed(2))
}

// badManners are the ways in which a bank tells of money that arrived.
var badManners = map[string]sandbox.Telling{
	"at its best":                     {},
	"a line without our reference":    {LineBare: true},
	"nothing with our reference":      {LineBare: true, HookBare: true},
	"a line before it can be asked":   {LineBare: true, AskedLate: time.Hour},
	"the same, and a bare webhook":    {LineBare: true, HookBare: true, AskedLate: time.Hour},
	"a line twice":                    {LineTwice: true, LineBare: true},
	"a line under its number alone":   {LineBare: true, LineSessionless: true},
	"the number alone, and twice":     {LineBare: true, LineSessionless: true, LineTwice: true},
	"the number alone, before asking": {LineSessionless: true, AskedLate: time.Hour},
}

func TestOneArrivalIsCreditedOnceWhateverTellsOfItFirst(t *testing.T) {
	t.Parallel()
	orders := [][]string{
		{"webhook", "page", "statement"},
		{"webhook", "statement", "page"},
		{"page", "webhook", "statement"},
		{"page", "statement", "webhook"},
		{"statement", "webhook", "page"},
		{"statement", "page", "webhook"},
	}
	for _, channel := range []string{"BANK_TRANSFER", "CARD"} {
		t.Run(channel, func(t *testing.T) {
			t.Parallel()
			l := newLanding(t, channel)
			for name, how := range badManners {
				for _, order := range orders {
					if how.AskedLate > 0 && order[0] != "statement" {
						continue
					}
					payment := l.arrives(how)
					for n, door := range order {
						l.tells(door, payment)
						if n == 0 {
							l.bankFinds()
						}
					}
					l.creditedOnce(name + ", by " + strings.Join(order, ", "))
				}
			}
			soundLedger(t, l.i.Pool)
		})
	}
}

func TestManyTellingsAtOnceCreditOneArrivalOnce(t *testing.T) {
	t.Parallel()
	for _, channel := range []string{"BANK_TRANSFER", "CARD"} {
		t.Run(channel, func(t *testing.T) {
			t.Parallel()
			l := newLanding(t, channel)
			for round := range 6 {
				payment := l.arrives(sandbox.Telling{LineBare: true, HookBare: round%2 == 0, AskedLate: time.Hour})
				var telling sync.WaitGroup
				telling.Go(func() { l.holdsAgainstTheBank() })
				telling.Go(func() { l.bankFinds(); require.NoError(t, l.i.Bank.Announce(context.Background(), payment)) })
				for range 4 {
					telling.Go(func() {
						_, err := l.person.try("POST", "/api/Payment/verifyFirstTransaction", object{"transactionRef": payment})
						require.NoError(t, err)
					})
				}
				telling.Wait()
				l.delivered()
				l.tells("page", payment)
				l.tells("statement", payment)
				l.creditedOnce(fmt.Sprint("round ", round))
			}
			soundLedger(t, l.i.Pool)
		})
	}
}

func TestParkedMoneyThatTurnsOutToBeAPaymentMovesToIt(t *testing.T) {
	t.Parallel()
	for _, channel := range []string{"BANK_TRANSFER", "CARD"} {
		t.Run(channel, func(t *testing.T) {
			t.Parallel()
			l := newLanding(t, channel)
			payment := l.arrives(sandbox.Telling{LineBare: true, AskedLate: time.Hour})
			l.tells("statement", payment)
			arrival := arrivals(l.desk.waiting(1))[0]
			at := "/api/v1/finance/unmatched/" + arrival["id"].(string)
			other := somebody(t, l.i, "Chidi")
			proposed := must[object](l.desk, "POST", at+"/propose", object{"email": other.email, "reason": "He says that it is his."})
			l.bankFinds()
			l.tells("webhook", payment)
			l.creditedOnce("with a proposal open on it")
			r := l.second.ask("POST", at+"/decide", object{"approve": true, "seen": versionOf(proposed)})
			require.Equal(t, 409, r.status, r.Message)
			require.Contains(t, r.Message, "Look at what is there now")
			l.desk.waiting(0)
			require.Equal(t, "0.00", other.balance())
			l.person.told("wallet_funded")
			require.Eventually(t, func() bool {
				matched := arrivals(must[object](l.desk, "GET", "/api/v1/finance/unmatched?status=MATCHED", nil))
				return len(matched) == 1 && matched[0]["paymentId"] == payment && matched[0]["proposal"] == nil
			}, time.Minute, 20*time.Millisecond)
			soundLedger(t, l.i.Pool)
		})
	}
}

func TestMoneyThatTheDeskHasAssignedIsNotCreditedAgain(t *testing.T) {
	t.Parallel()
	for _, channel := range []string{"BANK_TRANSFER", "CARD"} {
		t.Run(channel, func(t *testing.T) {
			t.Parallel()
			l := newLanding(t, channel)
			payment := l.arrives(sandbox.Telling{LineBare: true, AskedLate: time.Hour})
			l.tells("statement", payment)
			at := "/api/v1/finance/unmatched/" + arrivals(l.desk.waiting(1))[0]["id"].(string)
			proposed := must[object](l.desk, "POST", at+"/propose", object{"email": l.email, "reason": "She showed the slip of it."})
			must[object](l.second, "POST", at+"/decide", object{"approve": true, "seen": versionOf(proposed)})
			l.bankFinds()
			for _, door := range []string{"webhook", "page", "statement", "webhook"} {
				l.tells(door, payment)
			}
			ended := must[object](l.person, "POST", "/api/Payment/verifyFirstTransaction", object{"transactionRef": payment})
			require.Equal(t, "FAILED", ended["status"])
			require.Contains(t, ended["reason"], "our finance desk")
			l.creditedOnce("assigned")
			soundLedger(t, l.i.Pool)
		})
	}
}

// A line under a number of the statement's own says of nothing else that it is it: a person does.
func TestMoneyOfWhichNothingSaysWhetherWeHaveItIsHeldForAPerson(t *testing.T) {
	t.Parallel()
	l := newLanding(t, "BANK_TRANSFER")
	ctx := context.Background()
	alone := func(number string) sandbox.Telling {
		return sandbox.Telling{LineBare: true, LineSessionless: true, LineNumber: number}
	}
	payment := l.arrives(alone("line-1"))
	l.tells("statement", payment)
	held := arrivals(l.desk.waiting(1))[0]
	require.Equal(t, []any{"HELD", "line-1"}, []any{held["status"], held["providerRef"]})
	require.Empty(t, held["likely"])
	l.owesWhatTheBankHolds("nothing is posted")
	at := "/api/v1/finance/unmatched/" + held["id"].(string)
	because := object{"reason": "The bank's letter says so."}
	for name, c := range map[string]struct {
		who    *person
		path   string
		body   object
		status int
	}{
		"a member":           {l.person, "/settle", because, 403},
		"without a reason":   {l.desk, "/settle", object{"reason": "    "}, 400},
		"proposed unsettled": {l.desk, "/propose", object{"email": l.email, "reason": "Her slip."}, 409},
		"not credited":       {l.desk, "/settle", object{"paymentId": payment, "reason": "The bank's letter."}, 400},
	} {
		require.Equal(t, c.status, c.who.ask("POST", at+c.path, c.body).status, name)
	}
	// The payment is told of; the line is a person's to know still.
	l.tells("webhook", payment)
	l.paid += 5_000 * money.Naira
	l.owesWhatTheBankHolds("by webhook")
	require.Eventually(t, func() bool {
		likely, _ := arrivals(l.desk.waiting(1))[0]["likely"].([]any)
		return len(likely) == 1 && likely[0].(object)["paymentId"] == payment
	}, time.Minute, 20*time.Millisecond)
	require.False(t, l.holdsAgainstTheBank().Balanced)
	settled := must[object](l.desk, "POST", at+"/settle", object{"paymentId": payment, "reason": "The bank's letter says so."})
	require.Equal(t, []any{"MATCHED", payment}, []any{settled["status"], settled["paymentId"]})
	require.Equal(t, 409, l.second.ask("POST", at+"/settle", because).status, "once")
	l.desk.waiting(0)
	last := l.holdsAgainstTheBank()
	require.True(t, last.Balanced, "%+v", last.Items)
	l.owesWhatTheBankHolds("settled")

	// Money of which nobody told us at all.
	require.NoError(t, l.i.Bank.Transfer(ctx, sandbox.Transfer{Account: sandbox.OwnAccount, Amount: 300 * money.Naira, Sender: "Ngozi", Telling: func() sandbox.Telling { how := alone("line-2"); how.Silent = true; return how }()}))
	l.holdsAgainstTheBank()
	at = "/api/v1/finance/unmatched/" + arrivals(l.desk.waiting(1))[0]["id"].(string)
	require.Equal(t, "OPEN", must[object](l.desk, "POST", at+"/settle", because)["status"])
	proposed := must[object](l.desk, "POST", at+"/propose", object{"email": l.email, "reason": "She showed the slip of it."})
	must[object](l.second, "POST", at+"/decide", object{"approve": true, "seen": versionOf(proposed)})
	l.paid += 300 * money.Naira
	last = l.holdsAgainstTheBank()
	require.True(t, last.Balanced, "%+v", last.Items)
	l.owesWhatTheBankHolds("assigned")
	soundLedger(t, l.i.Pool)
}
