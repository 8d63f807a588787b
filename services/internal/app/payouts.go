package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/bankbook"
	"adashi.ng/services/internal/items"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/usecase"
	"adashi.ng/services/internal/vault"
)

// How a bank is asked: soon at first, then less and less often, and for ever.
const (
	askFirst = 5 * time.Second
	askMost  = 10 * time.Minute
	// unknownTwice is how far apart two answers must be that the bank knows of no such payout before it is called failed.
	unknownTwice = 15 * time.Minute
	// sendWithin is how long after it was recorded as sent a payout may still be sent; far less than unknownTwice.
	sendWithin    = time.Minute
	payoutsAtOnce = 100
)

// askAfterPaid is when a payout that was paid is asked about again: the receiving bank may send it back.
var askAfterPaid = []time.Duration{10 * time.Minute, 6 * time.Hour, 24 * time.Hour, 72 * time.Hour}

// asking is how far a payout has been asked about.
type asking struct {
	Tries        int
	AskedAt      *time.Time
	NextAt       *time.Time
	UnknownSince *time.Time
	Answer       string
}

func (a *App) asking(ctx context.Context, id string) (asking, error) {
	var s asking
	err := a.Pool.QueryRow(ctx, `INSERT INTO payout_asks (withdrawal_id) VALUES ($1) ON CONFLICT (withdrawal_id) DO UPDATE SET tries = payout_asks.tries
		RETURNING tries, asked_at, next_at, unknown_since, answer`, id).Scan(&s.Tries, &s.AskedAt, &s.NextAt, &s.UnknownSince, &s.Answer)
	return s, err
}

// asked reads how far payouts have been asked about, by id; those that nobody came to yet are absent.
func (a *App) asked(ctx context.Context, ids ...string) (map[string]asking, error) {
	rows, err := a.Pool.Query(ctx, "SELECT withdrawal_id, tries, asked_at, next_at, unknown_since, answer FROM payout_asks WHERE withdrawal_id = ANY($1)", ids)
	if err != nil {
		return nil, err
	}
	found := make(map[string]asking, len(ids))
	var (
		id string
		s  asking
	)
	_, err = pgx.ForEachRow(rows, []any{&id, &s.Tries, &s.AskedAt, &s.NextAt, &s.UnknownSince, &s.Answer}, func() error { found[id] = s; return nil })
	return found, err
}

func (a *App) noted(ctx context.Context, id string, s asking) error {
	_, err := a.Pool.Exec(ctx, `UPDATE payout_asks SET tries = $2, asked_at = $3, next_at = $4, unknown_since = $5, answer = $6 WHERE withdrawal_id = $1`,
		id, s.Tries, s.AskedAt, s.NextAt, s.UnknownSince, usecase.Plain(s.Answer))
	return err
}

// again notes an answer and when to ask again.
func (s asking) again(now time.Time, answer string) asking {
	wait := min(askFirst<<min(s.Tries, 10), askMost)
	next := now.Add(wait)
	s.Tries, s.AskedAt, s.NextAt, s.Answer = s.Tries+1, &now, &next, answer
	return s
}

// over notes that nothing is to be asked any more.
func (s asking) over(now time.Time, answer string) asking {
	s.Tries, s.AskedAt, s.NextAt, s.Answer = s.Tries+1, &now, nil, answer
	return s
}

func (s asking) due(now time.Time) bool { return s.NextAt == nil || !now.Before(*s.NextAt) }

// SendPayouts sends what was requested. It is a job: however many processes run it, each payout is sent by one.
func (a *App) SendPayouts(ctx context.Context) error {
	return a.payoutsIn(ctx, payout.Requested, liquidation.Approved, func(ids []string) error {
		tried, err := a.asked(ctx, ids...)
		if err != nil {
			return err
		}
		ids = slices.DeleteFunc(ids, func(id string) bool { s, before := tried[id]; return before && !s.due(a.Now()) })
		return items.Each(ctx, a.Job("send payouts"), ids, itself, func(ctx context.Context, id string) error {
			return a.ownPayout(ctx, id, func() error { return a.sendPayout(ctx, id) })
		})
	})
}

// ownPayout has one process at a time send a payout: what others may hold of it meanwhile is left to that one, however long
// it takes. Should it die, Postgres lets go of the payout with its connection.
func (a *App) ownPayout(ctx context.Context, id string, send func() error) error {
	conn, err := a.Pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	const key = "hashtextextended('adashi payout ' || current_schema() || ' ' || $1, 0)"
	var mine bool
	if err := conn.QueryRow(ctx, "SELECT pg_try_advisory_lock("+key+")", id).Scan(&mine); err != nil || !mine {
		return err
	}
	defer func() {
		_, _ = conn.Exec(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock("+key+")", id)
	}()
	return send()
}

// sendPayout tells the bank about a payout, once. What must be asked before is asked before it is recorded as sent, so
// that a bank that is down finds it still unsent.
func (a *App) sendPayout(ctx context.Context, id string) error {
	w, err := a.outgoing(ctx, id)
	if err != nil || w.Stands != ready && w.Stands != waiting || a.Now().Before(w.NotBefore) {
		return err
	}
	s, err := a.asking(ctx, id)
	if err != nil || !s.due(a.Now()) {
		return err
	}
	if w.Stands == waiting {
		return a.noted(ctx, id, s.again(a.Now(), "The group is suspended. Nothing was sent yet."))
	}
	if clear, err := a.cleared(ctx, w, s); err != nil || !clear {
		return err
	}
	payer := a.Payouts.Rails[w.Channel]
	reference := payer.Reference(w.attemptID())
	send, err := a.prepare(ctx, payer, reference, w)
	switch {
	case errors.Is(err, rails.ErrNoAccount), errors.Is(err, vault.ErrGone):
		_, err = a.payoutFailed(ctx, w, w.last(), w.NoAccount)
		return err
	case fault.Is(err, fault.Unavailable):
		return a.noted(ctx, id, s.again(a.Now(), "The bank cannot be reached. Nothing was sent yet."))
	case err != nil:
		return err
	}
	next := a.Now().Add(askFirst)
	if err := a.noted(ctx, id, asking{NextAt: &next, Answer: "Sent, and not asked about yet."}); err != nil {
		return err
	}
	result, err := a.Record(ctx, usecase.System, store.CommandID("system", "send payout", w.key()), id, store.Fingerprint(id, reference), w.send(reference, a.Now()))
	if err != nil || result.Repeated {
		return usecase.UnlessConflict(err) // Somebody else sends it, or nobody knows whether it was recorded: it is asked about.
	}
	// Once it may have been called failed, it must no longer be sent, however long this process was held up.
	within, cancel := context.WithDeadline(ctx, result.Records[0].RecordedAt.Add(sendWithin))
	defer cancel()
	return a.sent(ctx, w, reference, send(within))
}

// cleared reports whether a payout may be sent. What the bank was told of before under other references it is asked about
// again: what it has paid after all is recorded instead, and what it may be at work on is not sent beside it.
func (a *App) cleared(ctx context.Context, w outgoing, s asking) (bool, error) {
	if len(w.References) == 0 {
		return true, nil
	}
	said, err := a.whatBankSays(ctx, w)
	if fault.Is(err, fault.Unavailable) {
		return false, a.noted(ctx, w.ID, s.again(a.Now(), "The bank cannot be asked about what it was told before. Nothing was sent anew yet."))
	}
	if err != nil {
		return false, err
	}
	if said.reference != "" {
		_, err := a.heard(ctx, w, s, said)
		return false, err
	}
	s = s.told(a.Now(), said.State)
	if said.State == rails.Failed || s.unknown(a.Now()) {
		return true, nil
	}
	return false, a.noted(ctx, w.ID, s.again(a.Now(), "Not sent anew, for of what it was told before the bank says: "+said.Answer))
}

// prepare gathers what the bank must be told.
func (a *App) prepare(ctx context.Context, payer rails.Payer, reference string, w outgoing) (rails.Send, error) {
	payee, err := a.Vault.Payee(ctx, w.ID)
	if err != nil {
		return nil, err
	}
	return payer.Prepare(ctx, rails.Payout{
		Reference: reference, Amount: w.Net, Account: payee.Number, Name: payee.AccountName, Note: cmp.Or(payee.Note, w.Note),
		Bank: rails.Bank{Code: payee.BankCode, NIP: payee.BankNIP, Name: payee.BankName},
	})
}

// sent takes the answer to the order. Only that the bank refused it is believed at once; the rest it is asked about.
func (a *App) sent(ctx context.Context, w outgoing, reference string, answered rails.PayoutStatus) error {
	if answered.State == rails.Failed {
		_, err := a.payoutFailed(ctx, w, reference, answered.Reason)
		now := a.Now() // It does not know of what it refused, from now on.
		return errors.Join(err, a.noted(ctx, w.ID, asking{UnknownSince: &now}.over(now, answered.Answer)))
	}
	_, err := a.AskPayout(ctx, w.ID)
	if fault.Is(err, fault.Unavailable) {
		return nil // The job asks on.
	}
	return err
}

// AskPayouts asks the bank about what was sent and is due to be asked about. It never sends anything. It is a job.
func (a *App) AskPayouts(ctx context.Context) error {
	err := a.payoutsIn(ctx, payout.Sent, liquidation.PayoutPending, func(ids []string) error { // Whoever sent one may have died before it was noted.
		_, err := a.Pool.Exec(ctx, `INSERT INTO payout_asks (withdrawal_id, next_at) SELECT id, $2 FROM unnest($1::text[]) AS id
			ON CONFLICT (withdrawal_id) DO UPDATE SET next_at = excluded.next_at WHERE payout_asks.next_at IS NULL`, ids, a.Now())
		return err
	})
	if err != nil {
		return err
	}
	due, err := a.dueAsks(ctx)
	if err != nil {
		return err
	}
	return items.Each(ctx, a.Job("ask about payouts"), due, itself, func(ctx context.Context, id string) error {
		if _, err := a.AskPayout(ctx, id); !fault.Is(err, fault.Unavailable) {
			return err
		}
		return nil // It is noted when the bank is asked again.
	})
}

func itself(id string) string { return id }

func (a *App) dueAsks(ctx context.Context) ([]string, error) {
	rows, err := a.Pool.Query(ctx, `SELECT withdrawal_id FROM payout_asks WHERE next_at <= $1 ORDER BY next_at LIMIT $2`, a.Now(), payoutsAtOnce)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// bankSays is what a bank says of a payout, and under which reference it has paid it, if it has.
type bankSays struct {
	rails.PayoutStatus
	reference string
}

// whatBankSays asks the bank about a payout under every reference that it was told. That it has paid one counts, or is at
// work on one; else what it says of the last.
func (a *App) whatBankSays(ctx context.Context, w outgoing) (says bankSays, err error) {
	for i, reference := range slices.Backward(w.References) {
		status, err := a.Payouts.Rails[w.Channel].PayoutStatus(ctx, reference)
		switch {
		case err != nil:
			return says, err
		case status.State == rails.Paid && (w.Stands != paid || status.ProviderRef == w.ProviderRef):
			return bankSays{status, reference}, nil
		case i == len(w.References)-1, status.State == rails.Pending:
			says.PayoutStatus = status
		}
	}
	return says, nil
}

// AskPayout asks the bank how a payout stands and records what it says; it never sends it. It answers the position of
// what it recorded, 0 when there was nothing new. A bank that cannot be reached is Unavailable.
func (a *App) AskPayout(ctx context.Context, id string) (int64, error) {
	w, err := a.outgoing(ctx, id)
	if err != nil || len(w.References) == 0 && w.Stands != over {
		return 0, err // Nobody was told of it yet: that is for SendPayouts.
	}
	s, err := a.asking(ctx, id)
	if err != nil {
		return 0, err
	}
	if w.Stands == over {
		return 0, a.noted(ctx, id, s.over(a.Now(), s.Answer))
	}
	said, err := a.whatBankSays(ctx, w)
	if err != nil {
		noted := a.noted(ctx, id, s.again(a.Now(), "The bank could not be asked."))
		if fault.Is(err, fault.Unavailable) {
			err = fmt.Errorf("%w: %w", fault.New(fault.Unavailable, "The bank cannot be reached just now. It is asked again by itself; nothing is sent twice."), err)
		}
		return 0, errors.Join(err, noted)
	}
	return a.heard(ctx, w, s, said)
}

// told notes since when the bank knows of no such payout, by its latest answer.
func (s asking) told(now time.Time, state rails.State) asking {
	switch {
	case state != rails.Unknown:
		s.UnknownSince = nil
	case s.UnknownSince == nil:
		s.UnknownSince = &now
	}
	return s
}

// unknown reports whether the bank has known of no such payout for so long that it never will.
func (s asking) unknown(now time.Time) bool {
	return s.UnknownSince != nil && now.Sub(*s.UnknownSince) >= unknownTwice
}

// heard records what the bank said of a payout that it was told.
func (a *App) heard(ctx context.Context, w outgoing, s asking, said bankSays) (pos int64, err error) {
	now := a.Now()
	s = s.told(now, said.State).again(now, said.Answer)
	switch {
	case said.reference != "":
		pos, s, err = a.heardPaid(ctx, w, s, said)
	case w.Stands == paid: // Pending, unknown or failed after it was paid: nothing follows from that.
		slog.Error("payouts: the bank says otherwise of what it has paid", "payout", w.ID, "answer", said.State)
	case w.Stands == ready: // SendPayouts asks for itself, and notes it.
		return 0, nil
	case w.Stands == failed:
		s.NextAt = nil
	case w.Stands == waiting:
	case said.State == rails.Failed:
		pos, err = a.payoutFailed(ctx, w, w.last(), said.Reason)
		s.NextAt = nil
	case s.unknown(now):
		pos, err = a.payoutFailed(ctx, w, w.last(), "The bank never received it.")
		s.NextAt = nil
	}
	if said.State == rails.Unknown && s.NextAt != nil {
		if last := s.UnknownSince.Add(unknownTwice); last.After(now) && s.NextAt.After(last) {
			s.NextAt = &last
		}
	}
	return pos, errors.Join(err, a.noted(ctx, w.ID, s))
}

// heardPaid records that a payout was paid, and that it came back if it did.
func (a *App) heardPaid(ctx context.Context, w outgoing, s asking, said bankSays) (pos int64, _ asking, err error) {
	if said.Amount != w.Net || said.Currency != rails.Naira {
		slog.Error("payouts: the bank paid another amount than it was told to; left for FinanceOps", "payout", w.ID)
		s.Answer = fmt.Sprintf("The bank names %s %s, and %s was sent. %s", said.Currency, said.Amount, w.Net, s.Answer)
		return 0, s, nil
	}
	if w.Stands != paid {
		receipt := payout.Receipt{Fee: said.Fee, ProviderRef: said.ProviderRef, PaidAt: said.PaidAt}
		if pos, err = a.payoutMoved(ctx, "pay payout", w, w.pay(said.reference, receipt)); err != nil {
			return pos, s, err
		}
	}
	if said.Reversed {
		s.NextAt = nil
		pos, err = a.payoutMoved(ctx, "reverse payout", w, w.reverse(said.ProviderRef, usecase.Plain(said.Reason)))
		return pos, s, err
	}
	s.NextAt = afterPaid(said.PaidAt, a.Now())
	return pos, s, nil
}

// afterPaid is when a payout is to be asked about once it is paid; nil when no more.
func afterPaid(paid, now time.Time) *time.Time {
	for _, after := range askAfterPaid {
		if at := paid.Add(after); at.After(now) {
			return &at
		}
	}
	return nil
}

// payoutFailed records that the bank did not pay what it was told of under a reference, or, where that is empty, will not
// be told. What was sent since under another is not failed by it.
func (a *App) payoutFailed(ctx context.Context, w outgoing, reference, reason string) (int64, error) {
	if reason = usecase.Plain(reason); reason == "" {
		reason = "The bank did not pay it out."
	}
	return a.payoutMoved(ctx, "fail payout", w, w.fail(reference, reason))
}

// payoutMoved records what became of a payout; once, whoever hears of it.
func (a *App) payoutMoved(ctx context.Context, operation string, w outgoing, c event.Command) (int64, error) {
	result, err := a.Record(ctx, usecase.System, store.CommandID("system", operation, w.key()), w.ID, store.Fingerprint(operation, w.ID), c)
	return result.Position(), usecase.UnlessConflict(err)
}

// PayoutNotice takes a gateway's word that a payout moved. The word alone records nothing: it is held against the payout,
// and the gateway is asked. One that is none of ours is NotFound, another amount Conflict.
func (a *App) PayoutNotice(ctx context.Context, n rails.PayoutNotice) error {
	id, err := usecase.ParseID(n.Reference[max(0, len(n.Reference)-36):], "payout")
	if err != nil {
		return err
	}
	w, err := a.outgoing(ctx, id)
	if err == nil && w.Stands == none { // One that was sent anew goes by another id.
		if id, err = bankbook.PayoutOf(ctx, a.Pool, n.Reference); err == nil && id != "" {
			w, err = a.outgoing(ctx, id)
		}
	}
	switch {
	case err != nil:
		return err
	case !slices.Contains(w.References, n.Reference):
		return fault.New(fault.NotFound, "There is no such payout.")
	case n.Currency != rails.Naira || n.Amount != w.Net:
		slog.Warn("payouts: a webhook names another amount than its payout", "payout", id)
		return fault.New(fault.Conflict, "This payout is of %s.", w.Net)
	}
	_, err = a.AskPayout(ctx, id)
	return err
}

// SweepPayees forgets where payouts that were refused would have gone. It is a job.
func (a *App) SweepPayees(ctx context.Context) error {
	return a.Vault.SweepPayees(ctx, a.Present().Add(-time.Hour), func(ctx context.Context, id string) (bool, error) {
		w, err := a.outgoing(ctx, id)
		return w.Stands != none, err
	})
}
