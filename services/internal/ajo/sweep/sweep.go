// Package sweep uses a part of the money that comes into a member's wallet for their debts in an ajo, if they agreed to
// it.
package sweep

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/google/uuid"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	rules "adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/activity"
	"adashi.ng/projections/ajos"
	"adashi.ng/services/internal/items"
	"adashi.ng/services/internal/usecase"
)

// againFor is for how long a failed sweep of incoming money is tried again.
const againFor = 24 * time.Hour

// sweepsMost limits how many of a member's incoming payments in that time are read.
const sweepsMost = 200

// bookMost limits how many events of a member's book in an ajo are read.
const bookMost = 5000

// usersMost limits how many members are read at a time.
const usersMost = 500

// Service does the sweeps.
type Service struct{ *usecase.Base }

func commandID(reference string, d ajos.DebtRow) uuid.UUID {
	return store.CommandID("system", "sweep ajo debt", reference+d.Key())
}

// Swept uses a part of incoming money for a member's debts. reference names the money: of one reference it takes at
// most that part, however often it is called.
func (s Service) Swept(ctx context.Context, user string, amount money.Kobo, reference string) error {
	debts, err := ajos.ToSweep(ctx, s.Pool, user)
	if err != nil {
		return err
	}
	return s.swept(ctx, user, amount, reference, debts)
}

func (s Service) swept(ctx context.Context, user string, amount money.Kobo, reference string, list []ajos.DebtRow) error {
	if len(list) == 0 {
		return nil
	}
	all, err := ajos.AllDebtsOf(ctx, s.Pool, user) // Including debts that are no longer swept.
	if err != nil {
		return err
	}
	taken, done, err := s.before(ctx, reference, all)
	if err != nil {
		return err
	}
	for _, d := range list {
		if d.Left <= 0 || done[d.Key()] {
			continue
		}
		state, err := s.Ledger.Load(ctx, rules.Stream(d.AjoID))
		if err != nil {
			return err
		}
		debts, err := s.Ledger.Load(ctx, rules.DebtStream(d.AjoID))
		if err != nil {
			return err
		}
		owed, _ := debts.(ajopot.Debts).ByID(d.ID) // The list may be older than the debt's present state.
		part := min(owed.Left(), amount*money.Kobo(state.(rules.Ajo).Terms.GetSweepBasisPoints())/10_000-taken)
		if part <= 0 {
			continue
		}
		_, err = s.Record(ctx, usecase.System, commandID(reference, d), d.AjoID, store.Fingerprint(reference+d.Key()), ajopot.PayDebt{
			AjoID: d.AjoID, DebtID: d.ID, By: user, Creditor: d.Creditor, Amount: part, Taken: "sweep", Key: reference + "." + d.ID,
		})
		switch {
		case err == nil:
			taken += part
		case !fault.Is(err, fault.Conflict) && !fault.Is(err, fault.Insufficient) && !fault.Is(err, fault.Forbidden):
			return err
		}
	}
	return nil
}

// before returns how much of a reference's money was already taken, and for which debts.
func (s Service) before(ctx context.Context, reference string, debts []ajos.DebtRow) (taken money.Kobo, done map[string]bool, err error) {
	done = map[string]bool{}
	keys, ids := map[uuid.UUID]string{}, make([]uuid.UUID, len(debts))
	for i, d := range debts {
		ids[i] = commandID(reference, d)
		keys[ids[i]] = d.Key()
	}
	rows, err := s.Pool.Query(ctx, "SELECT command, pos FROM commands WHERE command = ANY($1) AND events > 0", ids)
	if err != nil {
		return 0, nil, err
	}
	defer rows.Close()
	var at []int64
	for rows.Next() {
		var id uuid.UUID
		var pos int64
		if err := rows.Scan(&id, &pos); err != nil {
			return 0, nil, err
		}
		done[keys[id]], at = true, append(at, pos)
	}
	if err := rows.Err(); err != nil || len(at) == 0 {
		return 0, done, err
	}
	records, err := history.ReadAt(ctx, s.Pool, at)
	for _, r := range records {
		m, failed := r.Message()
		if failed != nil {
			return 0, nil, failed
		}
		if paid, is := m.(*nairav1.AjoDebtPaid); is {
			taken += money.Kobo(paid.GetAmountKobo())
		}
	}
	return taken, done, err
}

// Again repeats failed sweeps: of money that came into the wallets of members who had a debt by then. It is a job.
func (s Service) Again(ctx context.Context) error {
	self := func(user string) string { return user }
	return items.EachOf(ctx, s.Job("sweep what came"), items.Pages[string, string]{
		Most: usersMost, At: self, Key: self,
		Read: func(after string, most int) ([]string, error) { return ajos.Sweepers(ctx, s.Pool, after, most) },
	}, s.again)
}

func (s Service) again(ctx context.Context, user string) error {
	debts, err := ajos.ToSweep(ctx, s.Pool, user)
	if err != nil {
		return err
	}
	came, err := activity.Page(ctx, s.Pool, user, activity.Filter{
		Kinds: []string{activity.WalletFunded, activity.UnmatchedAssigned}, From: s.Now().Add(-againFor), To: s.Now().Add(time.Minute),
	}, 0, sweepsMost)
	if err != nil {
		return err
	}
	if len(came) == 0 {
		return nil
	}
	agreed, err := s.agreed(ctx, user, debts)
	if err != nil {
		return err
	}
	for _, m := range slices.Backward(came) { // The oldest first.
		amount, err := s.sweeps(ctx, m)
		if err != nil {
			return err
		}
		owed := slices.DeleteFunc(slices.Clone(debts), func(d ajos.DebtRow) bool { return max(d.Pos, agreed[d.AjoID]) > m.Pos })
		if amount <= 0 || len(owed) == 0 {
			continue
		}
		if err := s.swept(ctx, user, amount, m.Reference, owed); err != nil {
			return err
		}
	}
	return nil
}

// agreed returns the position at which a member last set what may be taken, by the ajo of their debts; 0 for never.
func (s Service) agreed(ctx context.Context, user string, debts []ajos.DebtRow) (map[string]int64, error) {
	at := map[string]int64{}
	for _, d := range debts {
		if _, known := at[d.AjoID]; known {
			continue
		}
		records, err := history.ReadStream(ctx, s.Pool, rules.BookStream(d.AjoID, user), math.MaxInt64, bookMost)
		if err != nil {
			return nil, err
		}
		at[d.AjoID] = 0
		for _, r := range records {
			if r.Type == event.TypeOf(&nairav1.AjoConsentSet{}) {
				at[d.AjoID] = max(at[d.AjoID], r.Pos)
			}
		}
	}
	return at, nil
}

// sweeps returns how much of a movement may pay debts: money that came into the wallet for no other purpose, less the
// part that a bank took back.
func (s Service) sweeps(ctx context.Context, m activity.Movement) (money.Kobo, error) {
	if m.Kind == activity.UnmatchedAssigned {
		records, err := history.ReadAt(ctx, s.Pool, []int64{m.Pos})
		if err != nil || len(records) == 0 {
			return 0, err
		}
		state, err := s.Ledger.Load(ctx, records[0].Stream)
		if err != nil {
			return 0, err
		}
		return min(m.Amount, state.(wallet.Arrival).Amount), nil
	}
	state, err := s.Ledger.Load(ctx, wallet.Stream(m.Reference))
	if err != nil {
		return 0, err
	}
	if p := state.(wallet.Payment); p.For == nil && p.ForAjo == nil && p.Status == wallet.Confirmed {
		return min(m.Amount, p.Left()), nil
	}
	return 0, nil
}
