package bankbook

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
)

// Line is one movement on a bank account, by the ledger.
type Line struct {
	Pos         int64
	Provider    event.Provider
	Moved       money.Kobo // Above zero for money that came in.
	ProviderRef string
	Reference   string    // Our reference at the bank, if we gave it one.
	At          time.Time // By the bank's clock.
	RecordedAt  time.Time
	Also        []string   // The bank's other references for it.
	About       string     // The payment or payout; empty for money whose owner is unknown.
	Charged     money.Kobo // The bank's posted charges for that order of the payout, beside the payout's own event.
	Return      bool       // It came back of a payout.
}

// Since reads the movements since a moment, up to a position, in the ledger's order. A bank's charge for a payout is in
// the payout's line; it has one of its own only if the payout never left.
func Since(ctx context.Context, tx pgx.Tx, at time.Time, upTo int64) ([]Line, error) {
	rows, err := tx.Query(ctx, `SELECT pos, provider, kobo + (SELECT coalesce(sum(kobo), 0)::bigint FROM rm_bank_lines c WHERE c.charge_of = l.pos AND c.pos <= $2), provider_ref, reference, at, recorded_at, also, about,
			(SELECT coalesce(-sum(kobo), 0)::bigint FROM rm_bank_lines c WHERE c.charge AND (c.charge_of = l.pos OR c.pos = l.pos) AND c.pos <= $2),
			kobo > 0 AND EXISTS (SELECT FROM rm_bank_payouts WHERE withdrawal_id = l.about)
		FROM rm_bank_lines l WHERE at >= $1 AND pos <= $2 AND coalesce(undone > $2, true) AND charge_of IS NULL ORDER BY pos`, at, upTo)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Line])
}

// noPayout leaves out money that came back of payouts.
const noPayout = "NOT EXISTS (SELECT FROM rm_bank_payouts WHERE withdrawal_id = about)"

// PaymentOf answers the payment for which money came under a bank's own reference; empty when there is none.
func PaymentOf(ctx context.Context, pool *pgxpool.Pool, provider event.Provider, providerRef string) (payment string, err error) {
	err = pool.QueryRow(ctx, "SELECT about FROM rm_bank_lines WHERE provider = $1 AND provider_ref = $2 AND kobo > 0 AND about <> '' AND "+noPayout+" LIMIT 1", string(provider), providerRef).Scan(&payment)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", nil
	}
	return payment, err
}

// About reads the banks' movements for payments and payouts, by their ids, in the ledger's order.
func About(ctx context.Context, pool *pgxpool.Pool, ids []string) (map[string][]Line, error) {
	rows, err := pool.Query(ctx, "SELECT about, pos, provider, kobo, provider_ref, reference, at, recorded_at FROM rm_bank_lines WHERE about <> '' AND undone IS NULL AND NOT charge AND about = ANY($1) ORDER BY pos", ids)
	if err != nil {
		return nil, err
	}
	lines := map[string][]Line{}
	var about string
	var l Line
	_, err = pgx.ForEachRow(rows, []any{&about, &l.Pos, &l.Provider, &l.Moved, &l.ProviderRef, &l.Reference, &l.At, &l.RecordedAt}, func() error {
		lines[about] = append(lines[about], l)
		return nil
	})
	return lines, err
}

// PayoutOf answers the payout that the bank has under a reference; empty when there is none.
func PayoutOf(ctx context.Context, pool *pgxpool.Pool, provider event.Provider, reference string) (id string, err error) {
	err = pool.QueryRow(ctx, "SELECT withdrawal_id FROM rm_bank_payouts WHERE reference = $1 AND provider = $2 ORDER BY pos DESC LIMIT 1", reference, string(provider)).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", nil
	}
	return id, err
}

// Stray is money in suspense.
type Stray struct {
	ProviderRef string
	Also        []string
	TakenBack   bool // Its bank has reversed it, or a part of it.
}

// Strays are the arrivals of an amount that are in suspense, or were until the bank reversed them, under the bank's own
// references and none of ours, which hold a UUID. They came after a payout was sent and at most so long after its
// return. The oldest come first.
func Strays(ctx context.Context, pool *pgxpool.Pool, provider event.Provider, amount money.Kobo, payout string, sent time.Time, within time.Duration, limit int) ([]Stray, error) {
	rows, err := pool.Query(ctx, `SELECT l.provider_ref, l.also, u.status = 'RETURNED' OR u.kobo < l.kobo FROM rm_bank_lines l JOIN rm_unmatched u USING (provider_ref, provider)
		WHERE l.at >= $1 AND provider = $2 AND l.kobo = $3 AND l.about = '' AND l.undone IS NULL AND u.status IN ('OPEN', 'PROPOSED', 'RETURNED')
		AND provider_ref NOT LIKE 'return of %' AND l.reference !~ '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}'
		AND l.at <= (SELECT max(at) FROM rm_bank_lines WHERE about = $4 AND provider = $2 AND kobo = $3) + $5::interval ORDER BY l.at, l.pos LIMIT $6`,
		sent, string(provider), int64(amount), payout, within, limit)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Stray])
}

// Payout is a payout that the bank has.
type Payout struct {
	Withdrawal string     // Its id, or that of a group's payout.
	Net        money.Kobo // The amount to pay.
	Status     Status
}

// Known is a bank's reference for a payout. Two banks may use one reference for different payouts.
type Known struct {
	Provider  event.Provider
	Reference string
}

// Payouts are the payouts with some references at the banks, with their status at a position.
func Payouts(ctx context.Context, tx pgx.Tx, references []string, upTo int64) (map[Known]Payout, error) {
	rows, err := tx.Query(ctx, `SELECT DISTINCT ON (provider, reference) provider, reference, withdrawal_id, net, status FROM rm_bank_payouts
		WHERE reference = ANY($1) AND pos <= $2 ORDER BY provider, reference, pos DESC`, references, upTo)
	if err != nil {
		return nil, err
	}
	sent := map[Known]Payout{}
	var by Known
	var p Payout
	_, err = pgx.ForEachRow(rows, []any{&by.Provider, &by.Reference, &p.Withdrawal, &p.Net, &p.Status}, func() error { sent[by] = p; return nil })
	return sent, err
}

// Likely is a payment that may be the same money as some that a bank reported under another reference.
type Likely struct {
	Payment, ProviderRef string
	At                   time.Time
}

// likelyMost is the largest number of such payments.
const likelyMost = 10

// LikelyFor are payments of an amount near a moment, by their bank's clock, the nearest first.
func LikelyFor(ctx context.Context, pool *pgxpool.Pool, provider event.Provider, amount money.Kobo, at time.Time, within time.Duration) ([]Likely, error) {
	rows, err := pool.Query(ctx, `SELECT about, provider_ref, at FROM rm_bank_lines
		WHERE at BETWEEN $1 AND $2 AND provider = $3 AND kobo = $4 AND about <> '' AND undone IS NULL AND `+noPayout+` ORDER BY abs(extract(epoch FROM at - $5)) LIMIT $6`,
		at.Add(-within), at.Add(within), string(provider), int64(amount), at, likelyMost)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Likely])
}
