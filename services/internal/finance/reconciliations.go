package finance

import (
	"context"
	"time"

	"github.com/google/uuid"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/usecase"
)

// reconciliation is one as it is stored.
type reconciliation struct {
	ID                    uuid.UUID
	StartedAt, FinishedAt time.Time
	Trigger               string
	Balanced              bool
	Problem               string
	Reserves              sums
	Items                 []finding
}

// Reconciliations returns a page of them, the latest first, without their items.
func (s *Service) Reconciliations(ctx context.Context, before *string, limit int) (ReconciliationPage, error) {
	page := ReconciliationPage{Reconciliations: []Reconciliation{}}
	from := uuid.Max
	if before != nil && *before != "" {
		var err error
		if from, err = uuid.Parse(*before); err != nil {
			return page, fault.Field("before", "This page cannot be found. Go back to the first one.")
		}
	}
	rows, err := s.kept().list(ctx, "id < $1 ORDER BY id DESC LIMIT $2", from, limit+1)
	if err != nil {
		return page, err
	}
	if len(rows) > limit {
		rows = rows[:limit]
		page.Next = usecase.OrNil(rows[limit-1].ID.String())
	}
	for _, r := range rows {
		page.Reconciliations = append(page.Reconciliations, r.view(s.Rails, s.Now(), false))
	}
	return page, nil
}

// Reconciliation returns one of them with its items.
func (s *Service) Reconciliation(ctx context.Context, id string) (Reconciliation, error) {
	id, err := usecase.ParseID(id, "reconciliation")
	if err != nil {
		return Reconciliation{}, err
	}
	rows, err := s.kept().list(ctx, "id = $1", id)
	if err == nil && len(rows) == 0 {
		err = fault.New(fault.NotFound, "There is no such reconciliation.")
	}
	if err != nil {
		return Reconciliation{}, err
	}
	return rows[0].view(s.Rails, s.Now(), true), nil
}

const (
	reservesShown    = 30
	reservesShownMax = 90
)

// Reserves returns the latest proofs of reserves, the latest first: sums of the whole ledger, never of one person.
func (s *Service) Reserves(ctx context.Context, limit *int) ([]Reserves, error) {
	most := reservesShown
	if limit != nil {
		if most = *limit; most < 1 || most > reservesShownMax {
			return nil, fault.Field("limit", "limit must be from 1 to %d.", reservesShownMax)
		}
	}
	rows, err := s.kept().list(ctx, "problem = '' ORDER BY id DESC LIMIT $1", most)
	out := make([]Reserves, 0, len(rows))
	for _, r := range rows {
		out = append(out, r.reserves(s.Rails))
	}
	return out, err
}

// settled is the banks' money once everything in transit is done: it covers what Adashi owes, and money without a known
// owner.
func (s sums) settled() int64 {
	sum := s.Difference
	for _, rail := range s.Rails {
		sum += rail.Ledger
	}
	return sum
}

func (r reconciliation) reserves(names *rails.Registry) Reserves {
	s := r.Reserves
	out := Reserves{
		Id: r.ID.String(), At: r.FinishedAt.UTC(), Position: s.Position, Owed: usecase.NairaOf(s.Owed), Unmatched: usecase.NairaOf(s.Unmatched), Held: usecase.NairaOf(s.Held),
		InTransit: usecase.NairaOf(s.InTransit), Difference: money.Kobo(s.Difference).Decimal().StringFixed(2), Covered: s.settled() >= s.Owed+s.Unmatched && r.Problem == "", Rails: []RailReserves{},
	}
	for _, rail := range s.Rails {
		out.Rails = append(out.Rails, RailReserves{Name: names.NameOf(rail.provider()), Bank: usecase.NairaOf(rail.Bank), Ledger: usecase.NairaOf(rail.Ledger)})
	}
	return out
}

func (r reconciliation) view(names *rails.Registry, now time.Time, whole bool) Reconciliation {
	out := Reconciliation{
		Id: r.ID.String(), StartedAt: r.StartedAt.UTC(), FinishedAt: r.FinishedAt.UTC(), Trigger: ReconciliationTrigger(r.Trigger), Balanced: r.Balanced,
		Problem: usecase.OrNil(r.Problem), Reserves: r.reserves(names), Items: []ReconciliationItem{},
	}
	if !whole {
		return out
	}
	for _, f := range r.Items {
		direction := ReconciliationItemDirection(f.Direction)
		out.Items = append(out.Items, ReconciliationItem{
			Kind: f.Kind, Rail: f.Rail, Reference: f.Reference, Amount: usecase.NairaOf(f.Kobo), Direction: &direction, At: f.At.UTC(),
			AgeHours: max(0, int(now.Sub(f.At).Hours())), Words: f.Words,
		})
	}
	return out
}
