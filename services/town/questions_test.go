package town

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/shopspring/decimal"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/apart"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/redecide"
	"adashi.ng/ledger/posting"
	"adashi.ng/projections/activity"
)

// The questions, by the names that failures have. Some are asked of each provider or read model.
const (
	bankAgrees    = "the bank agrees: "
	nothingWaits  = "nothing waits for ever"
	nobodyGains   = "nobody gains by a trick"
	enoughDecide  = "no decision without the number"
	woundUp       = "everything can be wound up"
	ajoIsEven     = "an ajo comes out even"
	saidAndTrue   = "said and true"
	liveIsRebuilt = "live equals rebuilt: "
	decidedAgain  = "a year decided again is the same year"
)

// read decodes what was answered.
func (r reply) read(into any) error { return json.Unmarshal(r.ReturnedObject, into) }

// asks are the questions of each day: said and true, of two people and one group.
func (t *Town) asks(ctx context.Context, rng *rand.Rand) error {
	if t.Only != "" {
		return nil
	}
	for range 2 {
		if err := t.addsUp(ctx, one(rng, t.members()...)); err != nil {
			return err
		}
	}
	if rng.IntN(10) == 0 {
		return t.rebuilt(ctx, t.instance.Engine.Models[rng.IntN(len(t.instance.Engine.Models))].Name)
	}
	return nil
}

// questions are those of the year's end.
func (t *Town) questions(ctx context.Context) error {
	var failed []error
	asked := func(question string, ask func() error) {
		if t.Only == "" || t.Only == question {
			failed = append(failed, ask())
		}
	}
	for _, provider := range []event.Provider{event.Vfd, event.Paystack} {
		asked(bankAgrees+string(provider), func() error { return t.bankAgrees(ctx, provider) })
	}
	asked(nothingWaits, func() error { return t.nothingWaits(ctx) })
	for _, p := range t.members() {
		asked(saidAndTrue, func() error { return t.addsUp(ctx, p) })
	}
	for _, group := range t.memory.known["group"] {
		asked(saidAndTrue, func() error { return t.groupTotals(ctx, group) })
	}
	for _, m := range t.instance.Engine.Models {
		asked(liveIsRebuilt+m.Name, func() error { return t.rebuilt(ctx, m.Name) })
	}
	asked(decidedAgain, func() error { return t.decidedAgain(ctx) })
	asked(isTold, func() error { return t.told(ctx) })
	asked(isByTable, func() error { return t.toldByTable(ctx) })
	asked(enoughDecide, func() error { return t.enough(ctx) })
	if t.WindUp {
		asked(woundUp, func() error { return t.windsUp(ctx) })
	}
	if t.WindUp && t.Plain && failed[len(failed)-1] == nil {
		asked(nobodyGains, func() error { return t.nobodyGains(ctx) })
	}
	asked(ajoIsEven, func() error { return t.even(ctx) })
	failed = append(failed, t.guarded(ctx))
	return errors.Join(failed...)
}

// bankAgrees: what the bank's own books hold for us is what the ledger says that we have there.
func (t *Town) bankAgrees(ctx context.Context, provider event.Provider) error {
	held, err := t.instance.Bank.Holds(ctx)
	if err != nil {
		return err
	}
	has, err := t.balance(ctx, posting.Bank(provider))
	if err != nil {
		return err
	}
	if held[string(provider)] != -has {
		only, err := t.onlyOneHas(ctx, provider)
		return errors.Join(err, &Failure{bankAgrees + string(provider), fmt.Sprintf("%s holds %s, and the ledger has %s there: %s", provider, held[string(provider)], -has, only)})
	}
	return nil
}

// onlyOneHas are the amounts that moved at a bank by its own books more or less often than by the ledger, with what
// they belonged to. A payout and its charge are one amount.
func (t *Town) onlyOneHas(ctx context.Context, provider event.Provider) (string, error) {
	rows, err := t.instance.Pool.Query(ctx, `WITH bank AS (
			SELECT sum(CASE WHEN to_account = $1 THEN amount ELSE -amount END) AS kobo, source || ' ' || min(reference) || ' ' || string_agg(kind, '+') AS what
			FROM sandbox_journal WHERE $1 IN (from_account, to_account) AND booked_at <= $3 GROUP BY source, booked_at
		), ledger AS (
			SELECT -sum(amount) AS kobo, type || ' ' || stream AS what
			FROM events, unnest(accounts, amounts) AS line (account, amount) WHERE account = $2 GROUP BY pos, type, stream
		), b AS (SELECT kobo, count(*) AS n, string_agg(what, ', ') AS what FROM bank GROUP BY kobo),
		l AS (SELECT kobo, count(*) AS n, string_agg(what, ', ') AS what FROM ledger GROUP BY kobo)
		SELECT kobo || ' kobo: ' || coalesce(b.n, 0) || ' at the bank (' || coalesce(b.what, '') || '), ' || coalesce(l.n, 0) || ' in the ledger (' || coalesce(l.what, '') || ')'
		FROM b FULL JOIN l USING (kobo) WHERE b.n IS DISTINCT FROM l.n AND kobo <> 0 ORDER BY kobo`, "adashi:"+string(provider), posting.Bank(provider), t.Now())
	if err != nil {
		return "", err
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	return strings.Join(lines, "\n"), err
}

// nothingWaits: once the bank has behaved for days and all jobs have run, no payment and no payout is under way but
// those that the bank itself left open.
func (t *Town) nothingWaits(ctx context.Context) error {
	rows, err := t.instance.Pool.Query(ctx, `
		SELECT 'the payment ' || payment_id || ' of ' || created_at FROM rm_payments WHERE status IN ('INITIATED', 'PENDING')
		UNION ALL SELECT 'the withdrawal ' || withdrawal_id || ' of ' || requested_at FROM rm_payouts r WHERE ended_at IS NULL AND paid_at IS NULL
			AND NOT EXISTS (SELECT FROM sandbox_payouts p WHERE p.reference LIKE '%' || r.withdrawal_id || '%' AND p.code NOT IN ('00', '26', '51', '91'))
		ORDER BY 1`)
	if err != nil {
		return err
	}
	open, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || len(open) == 0 {
		return err
	}
	return &Failure{nothingWaits, strings.Join(open, "; ")}
}

// balance is what the ledger has on some accounts.
func (t *Town) balance(ctx context.Context, accounts ...string) (kobo money.Kobo, err error) {
	if _, err := t.instance.Pool.Exec(ctx, "SELECT ledger_settle()"); err != nil {
		return 0, err
	}
	err = t.instance.Pool.QueryRow(ctx, "SELECT coalesce(sum(balance), 0)::bigint FROM ledger_accounts WHERE account = ANY($1)", accounts).Scan(&kobo)
	return kobo, err
}

// addsUp: somebody's lines of activity add up to what their wallet holds, and the wallet shows what the ledger has.
func (t *Town) addsUp(ctx context.Context, p *person) error {
	r, err := t.does(ctx, p, "GET", "/api/Wallet/GetWalletBalance/?email="+url.QueryEscape(p.email), nil)
	if err != nil || r.status != http.StatusOK {
		return err // Who cannot log in is shown nothing.
	}
	var shown struct{ Balance decimal.Decimal }
	if err := r.read(&shown); err != nil {
		return err
	}
	kobo, err := t.balance(ctx, posting.Wallet(p.id))
	if err != nil {
		return err
	}
	if !shown.Balance.Equal(kobo.Decimal()) {
		return &Failure{saidAndTrue, fmt.Sprintf("%s is shown ₦%s, and the ledger has %s", p, shown.Balance, kobo)}
	}
	total := decimal.Zero
	for before := ""; ; {
		var page struct {
			Transactions []struct {
				Kind, Direction string
				Amount          decimal.Decimal
			}
			Next string
		}
		r, err := t.does(ctx, p, "GET", "/api/Wallet/GetUserWalletTransactions?email="+url.QueryEscape(p.email)+"&limit=100&before="+url.QueryEscape(before), nil)
		if err != nil || r.status != http.StatusOK {
			return err
		}
		if err := r.read(&page); err != nil {
			return err
		}
		for _, line := range page.Transactions {
			switch {
			case activity.BesideWallet(line.Kind):
				continue
			case line.Direction == "OUT":
				line.Amount = line.Amount.Neg()
			}
			total = total.Add(line.Amount)
		}
		if before = page.Next; before == "" {
			break
		}
	}
	if !total.Equal(shown.Balance) {
		return &Failure{saidAndTrue, fmt.Sprintf("%s's lines add up to ₦%s, and the wallet holds ₦%s", p, total, shown.Balance)}
	}
	return t.months(ctx, p, shown.Balance)
}

// months: what came in and went out by month adds up to what the wallet holds.
func (t *Town) months(ctx context.Context, p *person, balance decimal.Decimal) error {
	r, err := t.does(ctx, p, "GET", "/api/v1/activity/months?months=36", nil)
	if err != nil || r.status != http.StatusOK {
		return err
	}
	var months []struct{ MoneyIn, MoneyOut decimal.Decimal }
	if err := r.read(&months); err != nil {
		return err
	}
	total := decimal.Zero
	for _, m := range months {
		total = total.Add(m.MoneyIn).Sub(m.MoneyOut)
	}
	if !total.Equal(balance) {
		return &Failure{saidAndTrue, fmt.Sprintf("%s's months add up to ₦%s, and the wallet holds ₦%s", p, total, balance)}
	}
	return nil
}

// groupTotals: the total that a group's owner is shown is what the ledger has in its sub-accounts.
func (t *Town) groupTotals(ctx context.Context, group string) error {
	state, err := t.load(ctx, savings.GroupStream(group))
	if err != nil {
		return err
	}
	owner := t.byID[state.(savings.Group).Owner]
	if owner == nil {
		return nil
	}
	r, err := t.does(ctx, owner, "GET", "/api/GroupSavings/GetGroupDetails/"+group, nil)
	if err != nil || r.status != http.StatusOK {
		return err
	}
	var page struct {
		Group struct{ BookBalance *decimal.Decimal }
	}
	if err := r.read(&page); err != nil || page.Group.BookBalance == nil {
		return err
	}
	var pools []string
	for _, sub := range t.memory.near("sub account", group) {
		pools = append(pools, posting.Pool(sub), posting.Held(posting.Pool(sub)))
	}
	kobo, err := t.balance(ctx, pools...)
	if err != nil {
		return err
	}
	if !page.Group.BookBalance.Equal(kobo.Decimal()) {
		return &Failure{saidAndTrue, fmt.Sprintf("group %s shows ₦%s, and the ledger has %s", group, page.Group.BookBalance, kobo)}
	}
	return nil
}

// rebuilt: a read model is what its events say from the beginning.
func (t *Town) rebuilt(ctx context.Context, model string) error {
	report, err := t.instance.Engine.Check(ctx, model, nil)
	if err != nil {
		return err
	}
	if len(report.Differences) > 0 {
		return &Failure{liveIsRebuilt + model, fmt.Sprintf("%s differs at %d: %+v", model, report.Position, report.Differences)}
	}
	return nil
}

// decidedAgain: the rules come to every event again.
func (t *Town) decidedAgain(ctx context.Context) error {
	conn, end, err := apart.Connect(ctx, t.instance.Pool)
	if err != nil {
		return err
	}
	defer end()
	actors, err := t.actors(ctx)
	if err != nil {
		return err
	}
	var differs []string
	_, err = redecide.Run(ctx, conn, t.memory.at, redecide.Options{
		Aggregates: ledger.Aggregates(), Wishes: ledger.Wishes(t.instance.Beacon.Beacon()), Behind: ledger.Behind, Read: history.At(ctx, t.instance.Pool),
		Again:   (&cells{t: t, actors: actors}).again,
		Differs: func(pos int64, why string) { differs = append(differs, fmt.Sprintf("%d: %s", pos, why)) },
	})
	if err != nil {
		return err
	}
	if len(t.wrong) > 0 {
		return &Failure{asStanding, strings.Join(t.wrong, "; ")}
	}
	if len(differs) > 0 {
		return &Failure{decidedAgain, strings.Join(differs, "; ")}
	}
	return nil
}
