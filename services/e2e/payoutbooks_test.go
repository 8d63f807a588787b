package e2e

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/config"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/sandbox"
)

// payer is a desk, and a member with ₦20,000 on the rail that pays out, in a product whose jobs run when they are told
// to.
func payer(t *testing.T, rail config.PayoutRail) (books, *drawn) {
	t.Helper()
	cfg := settings(filepath.Join(t.TempDir(), "data"))
	cfg.PayoutRail, cfg.CardHold = rail, time.Nanosecond
	i, err := boot.Start(context.Background(), cfg, boot.Roles{API: true, Relay: true, Projector: true})
	require.NoError(t, err)
	t.Cleanup(i.Stop)
	d := &drawn{i: i, provider: i.App.Payouts.Provider}
	d.person, d.at = somebody(t, i, "Bisi").banked(i, "Bisi")
	if rail == config.PayoutVfd {
		d.funded(20_000)
	} else {
		card := must[object](d.person, "POST", fund, object{"amount": 20_000, "email": d.email, "channel": "CARD"})
		require.NoError(t, i.Bank.PayCard(context.Background(), card["transactionRef"].(string), time.Time{}))
		d.holds("20000.00")
	}
	d.stepsUp()
	return books{t, i, staff(t, i, "Femi", people.RoleFinanceOps)}, d
}

// as is a provider's adapter for something that it can do.
func as[C any](t testing.TB, i *boot.Instance, id event.Provider) C {
	t.Helper()
	can, err := rails.As[C](i.App.Options.Rails, id)
	require.NoError(t, err)
	return can
}

// drawn is somebody who withdraws, and their account at a bank.
type drawn struct {
	*person
	i        *boot.Instance
	at       sandbox.Person
	provider event.Provider
}

// sends withdraws ₦1,000 and has it sent to a bank that behaves so. What the gateway would tell of it is lost.
func (d *drawn) sends(m sandbox.Manner) (id string) {
	d.Helper()
	ctx := context.Background()
	m.Account = d.at.Account
	require.NoError(d, d.i.Bank.Behave(ctx, m))
	id = d.withdraws(1_000).id(d)
	require.Eventually(d, func() bool {
		require.NoError(d, d.i.App.Payouts.SendPayouts(ctx))
		return must[object](d.person, "GET", withdrawals+"/"+id, nil)["status"] != "REQUESTED"
	}, time.Minute, 20*time.Millisecond)
	_, err := d.i.Pool.Exec(ctx, "UPDATE sandbox_webhooks SET done_at = now() WHERE done_at IS NULL")
	require.NoError(d, err)
	return id
}

// reference is what the bank knows a withdrawal by.
func (d *drawn) reference(id string) string {
	return as[rails.Payer](d, d.i, d.provider).Reference(id)
}

// never has the bank say twice, 15 minutes apart, that it knows of no such payout.
func (d *drawn) never(id string) string {
	d.Helper()
	for _, later := range []time.Duration{time.Minute, 20 * time.Minute} {
		_, err := d.i.App.At(time.Now().Add(later)).Payouts.AskPayout(context.Background(), id)
		require.NoError(d, err)
	}
	d.becomes(id, "FAILED")
	return id
}

// comesBack has the receiving bank send a payout back, without a word.
func (d *drawn) comesBack(id string) string {
	d.Helper()
	ctx := context.Background()
	var row int
	require.NoError(d, d.i.Pool.QueryRow(ctx, "SELECT id FROM sandbox_payouts WHERE reference = $1", d.reference(id)).Scan(&row))
	_, err := d.i.Pool.Exec(ctx, "UPDATE sandbox_payouts SET reversed_at = now() WHERE id = $1", row)
	require.NoError(d, err)
	return id
}

// paysAnyway has the bank pay ₦989.25 under a reference, hours ago, whatever it said of it.
func (b books) paysAnyway(rail config.PayoutRail, reference string) {
	b.Helper()
	b.bank(`INSERT INTO sandbox_payouts (rail, reference, session_id, account_number, bank_code, account_name, amount, code, sent_at, settles_at)
		VALUES ($1, $2, 'after-all-000000000000000000', '1111111103', '082', 'Ada Obi', 98925, '00', now() - interval '3 hours', now() - interval '3 hours')`, string(rail), reference)
}

func (b books) paidNot() {
	b.bank("DELETE FROM sandbox_payouts WHERE session_id = 'after-all-000000000000000000'")
}

// says holds what is said of the one difference of a kind.
func (b books) says(result object, kind, words string) {
	b.Helper()
	var said []string
	for _, item := range result["items"].([]any) {
		if one := item.(object); one["kind"] == kind {
			said = append(said, one["words"].(string))
		}
	}
	require.Len(b, said, 1)
	require.Contains(b, said[0], words)
}

// sums holds the reserves to the naira: what is owed, what the banks hold, what is in transit, and whether that covers
// it. What the house owes to anybody, itself included, is the banks' and what is in transit, to the kobo.
func (b books) sums(result object, owed, held, transit string, covered bool) {
	b.Helper()
	r := result["reserves"].(object)
	require.Equal(b, []any{owed, held, transit, covered}, []any{naira(b, r["owed"]), naira(b, r["held"]), naira(b, r["inTransit"]), r["covered"]})
	var liabilities int64
	require.NoError(b, b.i.Pool.QueryRow(context.Background(), "SELECT sum(balance)::bigint FROM ledger_accounts WHERE account NOT LIKE 'bank:%'").Scan(&liabilities))
	require.Equal(b, money.Kobo(liabilities).Decimal().StringFixed(2), fmt.Sprintf("%.2f", r["held"].(float64)+r["inTransit"].(float64)))
}

func TestPayoutsInEveryStateAgreeWithTheBank(t *testing.T) {
	t.Parallel()
	for rail, c := range map[config.PayoutRail]struct {
		left, held, asked string
		covered           bool
	}{
		config.PayoutVfd:      {"989.25", "18021.50", "989.25", true},
		config.PayoutPaystack: {"999.25", "17991.50", "999.25", false}, // The house bore the gateway's fee of what came back.
	} {
		t.Run(string(rail), func(t *testing.T) {
			t.Parallel()
			b, p := payer(t, rail)
			ctx := context.Background()
			p.never(p.sends(sandbox.Manner{Answer: sandbox.AnswersLost}))
			p.becomes(p.sends(sandbox.Manner{}), "PAID")
			back := p.sends(sandbox.Manner{})
			p.becomes(back, "PAID")
			b.finds(true, "0.00")
			p.comesBack(back)
			b.finds(true, "0.00", "BANK_ONLY IN 989.25")
			p.becomes(back, "REVERSED")
			b.finds(true, "0.00")
			require.Zero(t, arrivalsOf(t, b), "money that came back is nobody else's")

			doubt := p.sends(sandbox.Manner{Delay: 2 * time.Second})
			require.Equal(t, 200, p.withdraws(1_000).status) // Nobody sends it yet.
			require.Eventually(t, func() (shown bool) {
				require.NoError(t, b.i.Pool.QueryRow(ctx, "SELECT settles_at < now() - interval '3 seconds' FROM sandbox_payouts WHERE reference = $1", p.reference(doubt)).Scan(&shown))
				return shown
			}, time.Minute, 50*time.Millisecond)
			unrecorded := b.finds(true, "0.00", "IN_TRANSIT OUT "+c.left)
			b.says(unrecorded, "IN_TRANSIT", "still being asked about")
			b.sums(unrecorded, "19000.00", c.held, c.left, c.covered)

			require.NoError(t, b.i.App.At(time.Now().Add(time.Minute)).Payouts.AskPayouts(ctx))
			paid := p.becomes(doubt, "PAID")
			b.sums(b.finds(true, "0.00"), "18000.00", c.held, "0.00", c.covered)
			p.isOnTheStatement(doubt, paid["providerRef"].(string), c.left)
			soundLedger(t, b.i.Pool)
		})
	}
}

// arrivalsOf is how often money was parked as nobody's.
func arrivalsOf(t *testing.T, b books) (count int) {
	t.Helper()
	require.NoError(t, b.i.Pool.QueryRow(context.Background(), "SELECT count(*) FROM events WHERE type = 'naira.v1.UnmatchedMoneyReceivedV2'").Scan(&count))
	return count
}

// isOnTheStatement holds that the bank's statement has a payout once, under both references, with what it took.
func (d *drawn) isOnTheStatement(id, providerRef, left string) {
	d.Helper()
	lines, err := as[rails.Teller](d, d.i, d.provider).Statement(context.Background(), time.Now().Add(-time.Hour))
	require.NoError(d, err)
	var found []rails.Line
	for _, line := range lines {
		if line.Reference == d.reference(id) {
			found = append(found, line)
		}
	}
	require.Len(d, found, 1)
	require.Equal(d, providerRef, found[0].ProviderRef)
	require.Equal(d, "-"+left, found[0].Moved().Decimal().StringFixed(2))
}

func TestABankThatPaysWhatFailedOrPaysTwiceIsFound(t *testing.T) {
	t.Parallel()
	for _, rail := range []config.PayoutRail{config.PayoutVfd, config.PayoutPaystack} {
		t.Run(string(rail), func(t *testing.T) {
			t.Parallel()
			b, p := payer(t, rail)
			failed := p.never(p.sends(sandbox.Manner{Answer: sandbox.AnswersLost}))
			once := p.sends(sandbox.Manner{})
			p.becomes(once, "PAID")
			b.finds(true, "0.00")

			b.paysAnyway(rail, p.reference(failed))
			b.says(b.finds(false, "-989.25", "BANK_ONLY OUT 989.25"), "BANK_ONLY", "We had recorded that this payout failed")
			after := b.finds(false, "-989.25", "BANK_ONLY OUT 989.25")["reserves"].(object)
			require.Equal(t, []any{false, "0.00"}, []any{after["covered"], naira(t, after["inTransit"])})
			b.paidNot()
			b.finds(true, "0.00")

			doubt := p.sends(sandbox.Manner{Code: "09"})                                                                                    // The bank does not say how it ended.
			_, err := b.i.Pool.Exec(context.Background(), "ALTER TABLE sandbox_payouts DROP CONSTRAINT sandbox_payouts_rail_reference_key") // It pays a reference once, as long as that holds.
			require.NoError(t, err)
			b.paysAnyway(rail, p.reference(once))
			b.says(b.finds(false, "-989.25", "BANK_ONLY OUT 989.25"), "BANK_ONLY", "a second time")
			b.paidNot()
			b.paysAnyway(rail, p.reference(doubt))
			b.says(b.finds(true, "0.00", "IN_TRANSIT OUT 989.25"), "IN_TRANSIT", "still being asked about")
			b.bank(`INSERT INTO sandbox_payouts (rail, reference, session_id, account_number, bank_code, account_name, amount, code, sent_at, settles_at)
				SELECT rail, reference, 'again-0000000000000000000000', account_number, bank_code, account_name, amount, code, sent_at, settles_at FROM sandbox_payouts WHERE session_id LIKE 'after-all-%'`)
			b.says(b.finds(false, "-989.25", "IN_TRANSIT OUT 989.25", "BANK_ONLY OUT 989.25"), "BANK_ONLY", "a second time")
			b.bank("DELETE FROM sandbox_payouts WHERE session_id LIKE 'again-%'")
			b.bank("UPDATE sandbox_payouts SET amount = amount + 1 WHERE session_id LIKE 'after-all-%'")
			b.says(b.finds(false, "-989.26", "BANK_ONLY OUT 989.26"), "BANK_ONLY", "another amount")
			require.Zero(t, arrivalsOf(t, b))
		})
	}
}

func TestAPersonUnder18DoesNotWithdraw(t *testing.T) {
	t.Parallel()
	i := product(t)
	p, at := withdrawer(t, i, "Bisi", 5_000)
	_, err := i.Pool.Exec(context.Background(), "UPDATE accounts SET date_of_birth = $2 WHERE id = $1", p.id, savings.Day(time.Now()).AddDate(-18, 0, 1))
	require.NoError(t, err)
	for path, body := range map[string]object{withdrawals: {"amount": 1_000, "net": netOf(1_000)}, withdrawals + "/quote": {"amount": 1_000}} {
		r := p.ask("POST", path, body)
		require.Equal(t, 403, r.status, "%s: %s", path, r.Message)
		require.Contains(t, r.Message, "from the age of 18 on. Nothing was taken.")
	}
	require.Zero(t, eventsOf(t, i.Pool, p.id, "WithdrawalRequestedV2"))
	require.Equal(t, "5000.00", p.balance())
	orders, _ := atTheBank(t, i.Pool, at.Account)
	require.Zero(t, orders)
}
