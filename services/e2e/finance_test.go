package e2e

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/paystack"
	"adashi.ng/services/internal/rails/sandbox"
	"adashi.ng/services/internal/rails/vfd"
)

const reconciliations = "/api/v1/finance/reconciliations"

// staff is somebody with a role who is logged in.
func staff(t testing.TB, i *boot.Instance, name, role string) *person {
	t.Helper()
	p := &person{TB: t, base: i.Address, email: fmt.Sprintf("%s-%d@staff.example.com", strings.ToLower(name), serial.Add(1))}
	_, err := i.People.CreateVerified(context.Background(), people.Registration{
		Email: p.email, Password: password, FirstName: name, LastName: "Staff", Phone: "08031234567", DateOfBirth: "1990-01-01",
	}, role)
	require.NoError(t, err)
	p.logIn()
	return p
}

// own is a product that nobody else uses.
func own(t testing.TB) *boot.Instance {
	t.Helper()
	i, err := boot.Start(context.Background(), settings(t.TempDir()), boot.All)
	require.NoError(t, err)
	t.Cleanup(i.Stop)
	return i
}

// stray sends money to our own account, which belongs to nobody.
func stray(t testing.TB, i *boot.Instance, amount money.Kobo, silent bool) {
	t.Helper()
	require.NoError(t, i.Bank.Transfer(context.Background(), sandbox.Transfer{Account: sandbox.OwnAccount, Amount: amount, Sender: "Ngozi Eze", Telling: sandbox.Telling{Silent: silent}}))
}

// waiting is what nobody has got yet, as soon as the desk sees so many.
func (p *person) waiting(count int) (page object) {
	p.Helper()
	require.Eventually(p, func() bool {
		page = must[object](p, "GET", "/api/v1/finance/unmatched", nil)
		return page["openCount"].(float64) == float64(count)
	}, time.Minute, 20*time.Millisecond, "there never were %d", count)
	return page
}

// stands waits until the desk sees an arrival stand so.
func (p *person) stands(arrival, status string) {
	p.Helper()
	require.Eventually(p, func() bool {
		for _, one := range arrivals(must[object](p, "GET", "/api/v1/finance/unmatched", nil)) {
			if one["id"] == arrival {
				return one["status"] == status
			}
		}
		return false
	}, time.Minute, 20*time.Millisecond, "it never was %s", status)
}

func arrivals(page object) []object {
	var out []object
	for _, a := range page["arrivals"].([]any) {
		out = append(out, a.(object))
	}
	return out
}

func TestUnmatchedMoneyReachesItsMemberThroughTwoPeople(t *testing.T) {
	t.Parallel()
	i := own(t)
	femi, sade, member := staff(t, i, "Femi", people.RoleFinanceOps), staff(t, i, "Sade", people.RoleAdmin), somebody(t, i, "Bisi")
	stray(t, i, 700*money.Naira, false)
	page := femi.waiting(1)
	require.Equal(t, "700.00", naira(t, page["openAmount"]))
	arrival := arrivals(page)[0]
	require.Equal(t, "OPEN", arrival["status"])
	require.Equal(t, "No payment of ours has this reference.", arrival["reason"])
	at := "/api/v1/finance/unmatched/" + arrival["id"].(string)
	proposal := object{"email": strings.ToUpper(member.email), "reason": "She showed the slip of it."}
	for name, c := range map[string]struct {
		who    *person
		path   string
		body   object
		status int
	}{
		"a member":              {member, at + "/propose", proposal, 403},
		"nobody has that email": {femi, at + "/propose", object{"email": "nobody@example.com", "reason": "She showed the slip."}, 400},
		"no reason":             {femi, at + "/propose", object{"email": member.email, "reason": "     "}, 400},
		"an email as a reason":  {femi, at + "/propose", object{"email": member.email, "reason": "It is bisi@example.com's"}, 400},
		"for oneself":           {femi, at + "/propose", object{"email": femi.email, "reason": "It is mine."}, 403},
		"money that is not":     {femi, "/api/v1/finance/unmatched/00000000-0000-8000-8000-000000000000/propose", proposal, 404},
		"before any proposal":   {sade, at + "/decide", object{"approve": true, "seen": "another"}, 409},
		"no version":            {sade, at + "/decide", object{"approve": true}, 400},
	} {
		r := c.who.ask("POST", c.path, c.body)
		require.Equal(t, c.status, r.status, "%s: %s", name, r.Message)
	}
	proposed := must[object](femi, "POST", at+"/propose", proposal)["proposal"].(object)
	var read int
	require.NoError(t, i.Pool.QueryRow(context.Background(), "SELECT count(*) FROM events WHERE type = 'naira.v1.StaffActed' AND actor = $1", femi.id).Scan(&read))
	require.Positive(t, read, "that staff saw whose account it is")
	require.Equal(t, []any{"Bisi Test", "Femi Staff", true}, []any{proposed["memberName"], proposed["proposerName"], proposed["mine"]})
	agrees := object{"approve": true, "seen": proposed["version"]}
	alone := femi.ask("POST", at+"/decide", agrees)
	require.Equal(t, 403, alone.status)
	require.Contains(t, alone.Message, "A second person must agree")
	require.Equal(t, 400, sade.ask("POST", at+"/decide", object{"approve": false}).status, "declined without a reason")
	must[object](sade, "POST", at+"/decide", object{"approve": false, "reason": "The names differ."})
	again := must[object](sade, "POST", at+"/propose", proposal)
	require.Equal(t, "0.00", member.balance())
	require.Equal(t, 409, femi.ask("POST", at+"/decide", agrees).status, "another proposal is there than they saw")
	agrees["seen"] = versionOf(again)
	require.Equal(t, "0.00", member.balance())
	assigned := must[object](femi, "POST", at+"/decide", agrees)
	require.Equal(t, "ASSIGNED", assigned["status"])
	require.Equal(t, "Femi Staff", assigned["proposal"].(object)["approverName"])
	member.holds("700.00")
	member.told("wallet_funded")
	require.Equal(t, 409, sade.ask("POST", at+"/decide", agrees).status, "once")
	femi.waiting(0)
	require.Eventually(t, func() bool {
		return len(arrivals(must[object](femi, "GET", "/api/v1/finance/unmatched?status=ASSIGNED", nil))) == 1
	}, time.Minute, 20*time.Millisecond)
}

// books is a desk that reconciles, and a bank whose books are changed behind everybody's back.
type books struct {
	*testing.T
	i    *boot.Instance
	desk *person
}

func (b books) reconcile() object { return must[object](b.desk, "POST", reconciliations, nil) }

// finds holds that a reconciliation lists exactly these, by kind and amount, and answers it.
func (b books) finds(balanced bool, difference string, items ...string) object {
	b.Helper()
	result := b.reconcile()
	found := []string{}
	for _, item := range result["items"].([]any) {
		one := item.(object)
		found = append(found, fmt.Sprint(one["kind"], " ", one["direction"], " ", naira(b, one["amount"])))
	}
	require.ElementsMatch(b, items, found, "%v", result["items"])
	require.Equal(b, balanced, result["balanced"])
	require.Equal(b, difference, result["reserves"].(object)["difference"])
	return result
}

func (b books) bank(sql string, args ...any) {
	b.Helper()
	tag, err := b.i.Pool.Exec(context.Background(), sql, args...)
	require.NoError(b, err)
	require.EqualValues(b, 1, tag.RowsAffected())
}

func TestReconciliationFindsWhatDoesNotAgreeAndComesOutBalanced(t *testing.T) {
	t.Parallel()
	i := own(t)
	b := books{t, i, staff(t, i, "Femi", people.RoleFinanceOps)}
	member := somebody(t, i, "Bisi").funded(6000)
	member.paysByCard(must[object](member, "POST", fund, object{"amount": 5000, "email": member.email, "channel": "CARD"}))
	first := b.finds(true, "0.00")
	sums := first["reserves"].(object)
	require.Equal(t, []string{"11000.00", "11000.00", "0.00", "0.00"}, []string{naira(t, sums["owed"]), naira(t, sums["held"]), naira(t, sums["unmatched"]), naira(t, sums["inTransit"])})
	require.Equal(t, true, sums["covered"])

	// Money that nobody told us of: for nobody, and for a payment that had ended.
	stray(t, i, 300*money.Naira, true)
	ended := must[object](member, "POST", fund, object{"amount": 400, "email": member.email})
	_, err := i.App.Ledger.Append(context.Background(), store.Command{ID: store.NewCommandID(), Actor: "system", Command: wallet.EndPayment{
		PaymentID: ended["transactionRef"].(string), To: wallet.Failed, Reason: "Declined",
	}})
	require.NoError(t, err)
	require.NoError(t, i.Bank.Transfer(context.Background(), sandbox.Transfer{Account: ended["accountNumber"].(string), Amount: 400 * money.Naira, Sender: "Bisi", Telling: sandbox.Telling{Silent: true}}))
	b.finds(true, "0.00", "BANK_ONLY IN 300.00", "BANK_ONLY IN 400.00")
	require.Equal(t, "700.00", naira(t, b.desk.waiting(2)["openAmount"]), "parked")
	b.finds(true, "0.00")

	// A card payment that had ended: what the gateway kept of it is nobody's.
	late := must[object](member, "POST", fund, object{"amount": 5000, "email": member.email, "channel": "CARD"})
	_, err = i.App.Ledger.Append(context.Background(), store.Command{ID: store.NewCommandID(), Actor: "system", Command: wallet.EndPayment{
		PaymentID: late["transactionRef"].(string), To: wallet.Failed, Reason: "Declined",
	}})
	require.NoError(t, err)
	require.NoError(t, i.Bank.PayCard(context.Background(), late["transactionRef"].(string), time.Time{}))
	require.Equal(t, "5700.00", naira(t, b.desk.waiting(3)["openAmount"]))
	b.finds(true, "0.00")

	// A line of the bank's without an event.
	b.bank(`INSERT INTO sandbox_payouts (rail, reference, session_id, account_number, bank_code, account_name, amount, code, sent_at, settles_at)
		VALUES ('vfd', 'nobody-ordered-it', 'gone', '1111111103', '082', 'Ada Obi', 25000, '00', now() - interval '3 hours', now() - interval '3 hours')`)
	b.finds(false, "-250.00", "BANK_ONLY OUT 250.00")
	require.Equal(t, "BANK_ONLY", b.reconcile()["items"].([]any)[0].(object)["kind"], "it stays until somebody sees to it")
	b.bank("DELETE FROM sandbox_payouts WHERE reference = 'nobody-ordered-it'")
	b.finds(true, "0.00")

	// An event without a line of the bank's.
	_, err = i.App.Ledger.Append(context.Background(), store.Command{ID: store.NewCommandID(), Actor: "system", Command: wallet.ReceiveUnmatched{
		ProviderRef: "ghost", Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: event.Vfd, Amount: 150 * money.Naira, Reference: "ghost", Reason: "A test.", PaidAt: time.Now().Add(-2 * time.Hour),
	}})
	require.NoError(t, err)
	require.Eventually(t, func() (known bool) { // What was recorded a moment ago may be on its way.
		require.NoError(t, i.Pool.QueryRow(context.Background(), "SELECT EXISTS (SELECT FROM rm_bank_lines WHERE provider_ref = 'ghost' AND recorded_at < now() - interval '2 seconds')").Scan(&known))
		return known
	}, time.Minute, 50*time.Millisecond)
	b.finds(false, "-150.00", "LEDGER_ONLY IN 150.00")
	b.bank("INSERT INTO sandbox_transfers (session_id, account_number, amount, sender, code, sent_at, settles_at, reference) VALUES ('ghost', $1, 15000, 'x', '00', now() - interval '2 hours', now(), 'ghost')", sandbox.OwnAccount)
	b.finds(true, "0.00")

	// Another amount.
	b.bank("UPDATE sandbox_transfers SET amount = amount + 1 WHERE session_id = 'ghost'")
	b.finds(false, "0.01", "AMOUNT_DIFFERS IN 150.01")
	b.bank("UPDATE sandbox_transfers SET amount = amount - 1 WHERE session_id = 'ghost'")
	last := b.finds(true, "0.00")

	b.keptAndShown(member, last)
	// A bank that cannot be asked is no proof of anything.
	gone := httptest.NewServer(nil)
	gone.Close()
	i.App.Finance.Rails, err = rails.NewRegistry(vfd.New(vfd.Options{Host: gone.URL}), as[*paystack.Client](t, i, event.Paystack))
	require.NoError(t, err)
	unasked := b.reconcile()
	require.Equal(t, false, unasked["balanced"])
	require.Contains(t, unasked["problem"], "cannot be reached")
	b.keptAndShown(member, last)
}

// keptAndShown holds that the latest proof is kept, attested in the ledger and seen by members.
func (b books) keptAndShown(member *person, last object) {
	b.Helper()
	one := must[object](b.desk, "GET", reconciliations+"/"+last["id"].(string), nil)
	require.Equal(b, last["reserves"], one["reserves"])
	page := must[object](b.desk, "GET", reconciliations+"?limit=2", nil)
	require.Len(b, page["reconciliations"], 2)
	next := must[object](b.desk, "GET", reconciliations+"?limit=2&before="+page["next"].(string), nil)
	require.NotEqual(b, page["reconciliations"], next["reconciliations"])
	shown := must[[]object](member, "GET", "/api/v1/reserves", nil)
	require.Equal(b, last["reserves"], any(shown[0]))
	var attested, kept int
	require.NoError(b, b.i.Pool.QueryRow(context.Background(), `SELECT (SELECT count(*) FROM events WHERE type = 'naira.v1.ReservesAttestedV2'),
		(SELECT count(*) FROM reconciliations WHERE problem = '')`).Scan(&attested, &kept))
	require.Equal(b, kept, attested)
	require.Equal(b, 403, member.ask("POST", reconciliations, nil).status)
	require.Equal(b, 404, b.desk.ask("GET", reconciliations+"/00000000-0000-8000-8000-000000000000", nil).status)
}

func TestTheDailyReconciliationRunsOnceADay(t *testing.T) {
	t.Parallel()
	i := own(t)
	somebody(t, i, "Bisi").funded(500)
	ctx := context.Background()
	count := func() (n int) {
		require.NoError(t, i.Pool.QueryRow(ctx, "SELECT count(*) FROM reconciliations WHERE trigger = 'DAILY'").Scan(&n))
		return n
	}
	require.NoError(t, i.App.Finance.ReconcileDaily(ctx))
	require.Zero(t, count(), "everything is of today")
	for day := 1; day <= 2; day++ {
		for range 2 {
			require.NoError(t, i.App.At(time.Now().AddDate(0, 0, day)).Finance.ReconcileDaily(ctx))
		}
		require.Equal(t, day, count())
	}
}

// versionOf is the version of what is proposed about money, as the desk shows it.
func versionOf(arrival object) any { return arrival["proposal"].(object)["version"] }
