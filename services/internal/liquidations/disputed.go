package liquidations

import (
	"context"
	"slices"
	"time"

	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/disputed"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/projections/requests"
	"adashi.ng/services/internal/usecase"
)

// showDisputed says in views of requests that wait what others than their askers dispute of them.
func (s *Service) showDisputed(ctx context.Context, views []Liquidation, states map[string]liquidation.Liquidation) error {
	var subs []string
	for _, l := range states {
		subs = append(subs, l.SubAccount)
	}
	rows, err := requests.DisputedMoney(ctx, s.Pool, s.Now(), usecase.UniqueIDs(subs)...)
	if err != nil {
		return err
	}
	held, saved := disputed.Money{}, map[[2]string]money.Kobo{}
	for _, r := range rows {
		held[r.Dispute] = disputed.Hold{User: r.User, Liquidation: r.Request, Amount: r.Amount, Until: r.Until}
		state, err := s.Ledger.Load(ctx, dues.Stream(r.SubAccount, r.User))
		if err != nil {
			return err
		}
		saved[[2]string{r.SubAccount, r.User}] = state.(dues.State).Savings()
	}
	for i, view := range views {
		l := states[view.Id]
		sum, until := held.Against(view.Id, l.RequestedBy, s.Now(), func(user string) money.Kobo { return saved[[2]string{l.SubAccount, user}] })
		if sum == 0 || !l.Waits() {
			continue
		}
		until = until.UTC()
		views[i].DisputedUntil = &until
		if !view.AmountHidden {
			views[i].Disputed = usecase.NairaPtr(sum)
		}
	}
	return nil
}

// showHoldable says in a view of a request how much of it the user could have held in a dispute.
func (s *Service) showHoldable(ctx context.Context, user string, view *Liquidation) error {
	if !slices.Contains(view.May, DISPUTE) {
		return nil
	}
	saved, err := s.Ledger.Load(ctx, dues.Stream(view.SubAccountId, user))
	if err != nil {
		return err
	}
	held, err := s.Ledger.Load(ctx, disputed.Stream(view.SubAccountId))
	if err != nil {
		return err
	}
	most := saved.(dues.State).Savings() - held.(disputed.Money).OfPayout(view.Id, user, "", s.Now())
	if most > 0 {
		view.Holdable = usecase.NairaPtr(most)
	}
	return nil
}

// disputedUntil is a step's moment in words.
func disputedUntil(detail string) string {
	at, err := time.Parse(time.RFC3339, detail)
	if err != nil {
		return "it is decided"
	}
	return "it is decided, until " + lagos.Clock(at) + " at most"
}
