package disputes

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/base/money"
	rules "adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/projections/activity"
	"adashi.ng/projections/disputes"
	"adashi.ng/projections/unmatched"
	"adashi.ng/services/internal/usecase"
)

const (
	foundMax = 5
	// movementsMax limits how many movements around a day are read.
	movementsMax = 500
	// near is how far from the named day to look for money: banks report late.
	near = 24 * time.Hour
)

// Search looks for money that a member paid and does not see.
func (s *Service) Search(ctx context.Context, user string, form SearchMoneyRequest) (MoneyFinds, error) {
	finds := MoneyFinds{Found: []MoneyFind{}}
	amount, err := usecase.Kobo("amount", form.Amount)
	if err != nil {
		return finds, err
	}
	day, end, err := s.paidOn("day", form.Day)
	if err != nil {
		return finds, err
	}
	finds.Found, err = s.search(ctx, user, toMember, amount, day, end)
	return finds, err
}

// paidOn is the Lagos day on which a person says that they paid. It must not be in the future.
func (s *Service) paidOn(field, day string) (begin, end time.Time, err error) {
	begin, end, err = usecase.Span(&day, &day)
	if err != nil || begin.IsZero() || begin.After(s.Now()) {
		return begin, end, fault.Field(field, "Enter the day on which you paid. It cannot be later than today.")
	}
	return begin, end, nil
}

// told holds the words for the person who searches.
type told struct{ whose, asks string }

var (
	toMember = told{"your", " Is it yours?"}
	toDesk   = told{"the member's", ""}
)

// search looks through the movements of a member's wallet and payments, and through money without an owner. Of the
// latter it shows only the requested amount and the time, never a name.
func (s *Service) search(ctx context.Context, user string, to told, amount money.Kobo, from, until time.Time) ([]MoneyFind, error) {
	from, until = from.Add(-near), until.Add(near)
	found := []MoneyFind{}
	payments, err := activity.PaymentsLike(ctx, s.Pool, user, amount, from, until, foundMax)
	if err != nil {
		return found, err
	}
	for _, p := range payments {
		found = append(found, waiting(p, to))
	}
	incoming := true
	movements, err := activity.Page(ctx, s.Pool, user, activity.Filter{Incoming: &incoming, From: from, To: until}, 0, movementsMax)
	if err != nil {
		return found, err
	}
	movements = slices.DeleteFunc(movements, func(m activity.Movement) bool {
		// Such money was set aside or is a debt: it came from nowhere.
		return m.Amount != amount || m.Kind == activity.HoldEnded || m.Kind == activity.DebtOpened
	})
	for _, m := range movements[:min(len(movements), foundMax)] {
		link := "/dashboard/activity/" + m.ID.String()
		found = append(found, MoneyFind{
			What: ARRIVED, Amount: usecase.Naira(m.Amount), At: m.EffectiveAt.UTC(), Link: &link,
			Words: m.Amount.String() + " arrived in " + to.whose + " wallet on " + when(m.EffectiveAt) + ".",
		})
	}
	loose, err := unmatched.Like(ctx, s.Pool, amount, from, until, movementsMax)
	if err != nil {
		return found, err
	}
	shown := len(found) + foundMax
	for _, a := range loose {
		may, err := s.mayBe(ctx, user, a)
		if err != nil {
			return found, err
		}
		if !may || len(found) >= shown {
			continue
		}
		find := loosely(a, to)
		if to == toDesk {
			others, err := disputes.ClaimedByOthers(ctx, s.Pool, user, a.ID.String())
			if err != nil {
				return found, err
			}
			for _, c := range others {
				find.Words += " Another member says in the open dispute " + rules.Number(c.Dispute) + " that it is theirs."
			}
		}
		found = append(found, find)
	}
	return found, nil
}

// mayBe reports whether money that fits no payment may be a member's: it came neither under another member's payment
// nor back to somebody's closed account.
func (s *Service) mayBe(ctx context.Context, user string, a unmatched.Arrival) (bool, error) {
	if wallet.Returned(a.ProviderRef) {
		return false, nil
	}
	payment, err := usecase.ParseID(a.Reference, "payment")
	if err != nil {
		return true, nil //nolint:nilerr // We did not make this reference.
	}
	state, err := s.Ledger.Load(ctx, wallet.Stream(payment))
	if err != nil {
		return false, err
	}
	p := state.(wallet.Payment)
	return p.Status == wallet.None || p.User == user, nil
}

// when formats a moment as people in Lagos say it.
func when(at time.Time) string { return at.In(lagos.Zone).Format("2 January, 15:04") }

func waiting(p activity.Payment, to told) MoneyFind {
	link := "/dashboard/wallet"
	words := strings.ToUpper(to.whose[:1]) + to.whose[1:] + " payment of " + p.Amount.String() + " of " + when(p.CreatedAt)
	switch p.Status {
	case "INITIATED", "PENDING":
		words += " waits for " + to.whose + " bank. It is credited by itself as soon as the bank tells us."
	default:
		words += " ended before the bank told us of the money."
	}
	return MoneyFind{What: WAITING, Amount: usecase.Naira(p.Amount), At: p.CreatedAt.UTC(), Link: &link, Words: words}
}

func loosely(a unmatched.Arrival, to told) MoneyFind {
	id := a.ID.String()
	return MoneyFind{
		What: UNMATCHED, ArrivalId: &id, Amount: usecase.Naira(a.Amount), At: a.PaidAt.UTC(),
		Words: a.Amount.String() + " of " + when(a.PaidAt) + ", " + usecase.ByChannel(a.Channel) + ", waits here and nobody has said whose it is." + to.asks,
	}
}

// arrival checks that the search would show a member the unowned money that they claim.
func (s *Service) arrival(ctx context.Context, user, id string, amount money.Kobo) (unmatched.Arrival, error) {
	gone := fault.Field("arrivalId", "This money is somebody's by now. Please search again.")
	parsed, err := uuid.Parse(id)
	if err != nil {
		return unmatched.Arrival{}, gone
	}
	a, err := unmatched.One(ctx, s.Pool, parsed)
	switch {
	case errors.Is(err, unmatched.ErrNone), err == nil && (a.Status != "OPEN" || a.Amount != amount):
		return a, gone
	case err != nil:
		return a, err
	}
	may, err := s.mayBe(ctx, user, a)
	if err == nil && !may {
		err = gone
	}
	return a, err
}
