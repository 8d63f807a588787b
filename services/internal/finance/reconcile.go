package finance

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/proofs/liabilities"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/posting"
	"adashi.ng/projections/bankbook"
	"adashi.ng/services/internal/items"
	"adashi.ng/services/internal/payments"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/reserves"
	"adashi.ng/services/internal/usecase"
)

const (
	// lookBack is how far every reconciliation looks back, because a bank may book a line a week after its day; it
	// looks further while something is open or in transit. overlap is the time before that, which it reads only to find
	// counterparts.
	lookBack = 15 * 24 * time.Hour
	overlap  = 48 * time.Hour
	// dailyAt is the time of the Lagos day at which the daily one is due.
	dailyAt = 2 * time.Hour
	// bookWait limits how long to wait for the read model of the bank accounts to reach the ledger's end.
	bookWait   = 10 * time.Second
	bookLook   = 20 * time.Millisecond // How often we look meanwhile.
	keepWithin = 5 * time.Second       // The time to store a reconciliation that ran out of time.
	steady     = 4                     // How many times we ask the banks until nothing moves meanwhile.
)

// sums are a proof of reserves, as it is stored. Amounts are kobo.
type sums struct {
	Position                                     int64
	Owed, Unmatched, Held, InTransit, Difference int64
	Rails                                        []railBalance
}

type railBalance struct {
	Provider     event.Provider
	Channel      nairav1.Channel `json:",omitempty"` // It named the provider in earlier builds.
	Bank, Ledger int64
}

// provider is the provider that holds the balance.
func (b railBalance) provider() event.Provider {
	if b.Provider == "" {
		return event.ProviderOnce(b.Channel)
	}
	return b.Provider
}

// reconciler is one comparison of the ledger with the banks.
type reconciler struct {
	*Service
	id        uuid.UUID
	trigger   ReconciliationTrigger
	startedAt time.Time
	asked     time.Time // When we asked for the statements.
	since     time.Time
	bank      []payments.BankLine
	balances  map[event.Provider]money.Kobo
	payouts   map[bankbook.Known]bankbook.Payout // The payouts that the statements name, in the ledger's latest state.
	seen      map[movement]bool                  // The payouts' lines that had no counterpart.
	found     []finding
	reserves  sums
	committed *nairav1.LiabilitiesCommitted // Recorded with the attestation; nil when there is no commitment.
}

// Reconcile compares the ledger with the banks, in both directions. It settles money that nobody reported, or puts it
// into suspense as unmatched; it lists the differences that remain unexplained. One runs at a time: a second one gets
// fault.Conflict.
func (s *Service) Reconcile(ctx context.Context, trigger ReconciliationTrigger) (out Reconciliation, err error) {
	ran, err := items.Alone(ctx, s.Pool, "reconciliation", func() error {
		out, err = s.reconcile(ctx, trigger)
		return err
	})
	if err == nil && !ran {
		err = fault.New(fault.Conflict, "A reconciliation is running already. Please look again in a moment.")
	}
	return out, err
}

func (s *Service) reconcile(ctx context.Context, trigger ReconciliationTrigger) (Reconciliation, error) {
	r := &reconciler{Service: s, id: clock.ID(s.Now()), trigger: trigger, startedAt: s.Now().UTC().Truncate(time.Microsecond), balances: map[event.Provider]money.Kobo{}}
	problem := ""
	if err := r.run(ctx); err != nil {
		slog.ErrorContext(ctx, "reconciliation", "error", err)
		problem = "We could not finish: something that we stand on did not answer."
		if refusal := fault.As(err); refusal != nil {
			problem = refusal.Message
		}
		if ctx.Err() != nil { // The desk shows it all the same.
			problem = "We could not finish in time: a bank or our own books took too long. Please try again."
			within, done := context.WithTimeout(context.WithoutCancel(ctx), keepWithin)
			defer done()
			ctx = within
		}
	}
	return r.keep(ctx, problem)
}

func (r *reconciler) run(ctx context.Context) error {
	if err := r.begin(ctx); err != nil {
		return err
	}
	if err := r.ask(ctx); err != nil {
		return err
	}
	if err := r.learn(ctx); err != nil {
		return err
	}
	return r.compare(ctx)
}

// begin finds how far to look back.
func (r *reconciler) begin(ctx context.Context) error {
	open, err := r.kept().open(ctx)
	r.since = r.startedAt.Add(-lookBack)
	if open != nil && open.Before(r.since) {
		r.since = *open
	}
	return err
}

// ask reads balances and statements, and repeats this until no balance moved while it read the statement.
func (r *reconciler) ask(ctx context.Context) error {
	for _, adapter := range r.Rails.All() {
		teller, tells := adapter.(rails.Teller)
		if !tells {
			continue
		}
		provider := adapter.Provider().ID
		var lines []rails.Line
		for range steady {
			before, err := teller.Balance(ctx)
			if err != nil {
				return err
			}
			r.asked = r.Now()
			if lines, err = teller.Statement(ctx, r.since.Add(-overlap)); err != nil {
				return err
			}
			if r.balances[provider], err = teller.Balance(ctx); err != nil {
				return err
			}
			if r.balances[provider] == before {
				break
			}
		}
		for _, line := range charged(once(lines)) {
			r.bank = append(r.bank, payments.BankLine{Provider: provider, Line: line})
		}
	}
	return nil
}

// learn records the movements that the banks have and nobody reported.
func (r *reconciler) learn(ctx context.Context) error {
	_, book, err := r.book(ctx, nil)
	if err != nil {
		return err
	}
	pairs := match(r.moved(book), book)
	returns := unseen(pairs)
	for _, p := range pairs {
		if p.book != nil {
			if err := r.charge(ctx, p, returns); err != nil {
				return err
			}
			continue
		}
		pos, err := r.settleLine(ctx, *p.bank)
		if err != nil {
			slog.WarnContext(ctx, "reconciliation: a line could not be settled", "reference", p.bank.ProviderRef, "error", err)
			continue // It stays, and is listed.
		}
		if pos > 0 {
			f := r.finding(p.bank.Provider, p.bank.ProviderRef, p.bank.Moved(), p.bank.At)
			f.Kind, f.Words = BANKONLY, learned
			r.found = append(r.found, f)
		}
	}
	return nil
}

// settleLine records one line of a statement, and returns the position, 0 when there was nothing to record.
func (r *reconciler) settleLine(ctx context.Context, line payments.BankLine) (int64, error) {
	if p, ours := r.payouts[bankbook.Known{Provider: line.Provider, Reference: line.Reference}]; ours {
		return r.settlePayout(ctx, p, line)
	}
	if !line.Out {
		return r.Payments.Arrived(ctx, line)
	}
	if line.Of == "" {
		return r.Payments.Recalled(ctx, line)
	}
	payment, err := bankbook.PaymentOf(ctx, r.Pool, line.Provider, line.Of)
	if err != nil {
		return 0, err
	}
	if payment == "" { // It belongs to no payment, or is being recorded just now.
		return r.Payments.LineTakenBack(ctx, line)
	}
	return r.Payments.TakenBack(ctx, line.Provider, payment)
}

// book reads Adashi's bank accounts and sums as of one position. It waits until the read model's checkpoint has passed
// it. also reads at the same position.
func (r *reconciler) book(ctx context.Context, also func(pgx.Tx) error) (sums sums, book []bankbook.Line, err error) {
	if _, err := r.Pool.Exec(ctx, "SELECT ledger_settle()"); err != nil {
		return sums, nil, err
	}
	for waited := clock.Start(); ; {
		sums, book, err = r.bookNow(ctx, also)
		if !errors.Is(err, errBehind) {
			return sums, book, err
		}
		r.Tracker.WaitFor(ctx, sums.Position, bookLook, bankbook.Name)
		if ctx.Err() != nil {
			return sums, nil, ctx.Err()
		}
		if waited.Took() > bookWait {
			return sums, nil, fault.New(fault.Unavailable, "The read models are behind. Please try again shortly.")
		}
	}
}

var errBehind = errors.New("finance: the read model of the bank's book is behind the sums")

func (r *reconciler) bookNow(ctx context.Context, also func(pgx.Tx) error) (sums sums, book []bankbook.Line, err error) {
	err = pgx.BeginTxFunc(ctx, r.Pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		if sums, err = r.sums(ctx, tx); err != nil {
			return err
		}
		var behind bool
		if err := tx.QueryRow(ctx, "SELECT coalesce(min(pos), 0) < $2 FROM projections WHERE name = $1", bankbook.Name, sums.Position).Scan(&behind); err != nil {
			return err
		}
		if behind {
			return errBehind
		}
		if book, err = bankbook.Since(ctx, tx, r.since.Add(-overlap), sums.Position); err != nil {
			return err
		}
		if r.payouts, err = bankbook.Payouts(ctx, tx, r.references(), sums.Position); err != nil || also == nil {
			return err
		}
		return also(tx)
	})
	return sums, book, err
}

// sums returns the sums of the whole ledger, and each bank account's balance with its bank's. Nothing proves money in
// the account of a provider that we cannot ask, so without that provider there is no reconciliation.
func (r *reconciler) sums(ctx context.Context, tx pgx.Tx) (sums sums, err error) {
	var accounts []string
	var held []int64
	if err := tx.QueryRow(ctx, `SELECT (SELECT pos FROM ledger_settled),
		coalesce(sum(balance) FILTER (WHERE split_part(account, ':', 1) IN ('wallet', 'pool', 'held', 'pot', 'deposit', 'card')), 0)::bigint,
		coalesce(sum(balance) FILTER (WHERE account IN ($1, $2)), 0)::bigint,
		coalesce(array_agg(account) FILTER (WHERE account LIKE 'bank:%'), '{}'), coalesce(array_agg(-balance) FILTER (WHERE account LIKE 'bank:%'), '{}')
		FROM ledger_accounts`, posting.Unmatched, posting.Leaving).Scan(&sums.Position, &sums.Owed, &sums.Unmatched, &accounts, &held); err != nil {
		return sums, err
	}
	ledger := map[event.Provider]int64{}
	for i, account := range accounts {
		provider, _ := event.ProviderOf(account)
		if _, asked := r.balances[provider]; !asked && held[i] != 0 {
			return sums, fault.New(fault.Unavailable, "The ledger has money at %s, and nobody is set up to ask there. Set that rail up again.", provider)
		}
		ledger[provider] = held[i]
	}
	for _, adapter := range r.Rails.All() {
		provider := adapter.Provider().ID
		if bank, asked := r.balances[provider]; asked {
			sums.Rails = append(sums.Rails, railBalance{Provider: provider, Bank: int64(bank), Ledger: ledger[provider]})
			sums.Held += int64(bank)
		}
	}
	return sums, nil
}

// references are all references on the statements.
func (r *reconciler) references() []string {
	var all []string
	for _, line := range r.bank {
		if line.Reference != "" {
			all = append(all, line.Reference)
		}
	}
	return all
}

// compare lists the differences, and sums up.
func (r *reconciler) compare(ctx context.Context) error {
	var owed []liabilities.Account
	sums, book, err := r.book(ctx, func(tx pgx.Tx) (err error) {
		owed, err = reserves.Accounts(ctx, tx)
		return err
	})
	if err != nil {
		return err
	}
	if r.committed, err = r.Liabilities.Commit(ctx, r.id, sums.Position, sums.Owed, owed); err != nil {
		return err
	}
	sums.Difference = sums.Held
	for _, rail := range sums.Rails {
		sums.Difference -= rail.Ledger
	}
	var transit money.Kobo
	r.seen = map[movement]bool{}
	for _, p := range match(r.moved(book), book) {
		f, differs := r.judge(p)
		if !differs || f.At.Before(r.since) {
			continue
		}
		if f.Kind == INTRANSIT {
			transit += p.transit()
		}
		r.found = append(r.found, f)
	}
	sums.Difference -= int64(transit)
	sums.InTransit = int64(size(transit))
	oldestFirst(r.found)
	r.reserves = sums
	return nil
}

// settled reports whether a finding was dealt with, or is only a matter of time.
func (f finding) settled() bool {
	return f.Kind == INTRANSIT || f.Kind == TIMEAHEAD || f.Words == learned
}

// learned is the text of a finding that the ledger recorded during the reconciliation.
const learned = "Nobody had told us of it. It is in the ledger now."

// oldest is the time of the oldest finding that the next reconciliation must see: open, or in transit.
func (r *reconciler) oldest() *time.Time {
	for _, f := range r.found { // They are sorted, the oldest first.
		if f.Words != learned && f.Kind != TIMEAHEAD {
			return &f.At
		}
	}
	return nil
}

// keep stores the result, attests it in the ledger, and returns it.
func (r *reconciler) keep(ctx context.Context, problem string) (Reconciliation, error) {
	balanced := problem == "" && r.reserves.Difference == 0 && !slices.ContainsFunc(r.found, func(f finding) bool { return !f.settled() })
	oldest := r.oldest()
	if problem == "" {
		if err := r.attest(ctx); err != nil {
			return Reconciliation{}, err
		}
	}
	r.found = r.found[:min(len(r.found), itemsMax)]
	if r.found == nil {
		r.found = []finding{}
	}
	result := reconciliation{
		ID: r.id, StartedAt: r.startedAt, FinishedAt: r.Now().UTC().Truncate(time.Microsecond), Trigger: string(r.trigger), Balanced: balanced, Problem: problem, Reserves: r.reserves, Items: r.found,
	}
	if err := r.kept().add(ctx, result, oldest); err != nil {
		return Reconciliation{}, err
	}
	if !balanced {
		slog.ErrorContext(ctx, "reconciliation: the ledger and the banks do not agree", "reconciliation", r.id, "items", len(r.found), "difference", r.reserves.Difference, "problem", problem)
	}
	return result.view(r.Rails, r.Now(), true), nil
}

// attest records the sums in the ledger, together with the commitment.
func (r *reconciler) attest(ctx context.Context) error {
	m := &nairav1.ReservesAttestedV2{
		ReconciliationId: r.id.String(), Position: r.reserves.Position, OwedKobo: r.reserves.Owed, UnmatchedKobo: r.reserves.Unmatched,
		InTransitKobo: r.reserves.InTransit, DifferenceKobo: r.reserves.Difference,
	}
	for _, rail := range r.reserves.Rails {
		m.Rails = append(m.Rails, &nairav1.RailBalanceV2{Provider: string(rail.Provider), BankKobo: rail.Bank, LedgerKobo: rail.Ledger})
	}
	_, err := r.Record(ctx, usecase.System, store.CommandID("system", "reconciliation", r.id.String()), r.id.String(), store.Fingerprint(r.id), wallet.AttestReserves{Attested: m, Committed: r.committed})
	if err != nil || r.committed == nil {
		return err
	}
	return r.Liabilities.Recorded(ctx, r.id)
}

// ReconcileDaily reconciles once a Lagos day, from two in the morning on, when the ledger has anything from the day
// before. It is a job; after a problem the next run tries again.
func (s *Service) ReconcileDaily(ctx context.Context) error {
	now := s.Now().In(lagos.Zone)
	due := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, lagos.Zone).Add(dailyAt)
	if now.Before(due) {
		due = due.AddDate(0, 0, -1)
	}
	if done, began, err := s.kept().daily(ctx, due); err != nil || done || !began {
		return err
	}
	_, err := s.Reconcile(ctx, ReconciliationTriggerDAILY)
	if fault.Is(err, fault.Conflict) {
		return nil // Another process runs one.
	}
	return err
}
