// Package leaving is how a member closes their account: every area is asked whether something still ties them to
// Adashi, and the profile closes it when nothing does.
package leaving

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/projections/ajos"
	"adashi.ng/projections/balances"
	"adashi.ng/projections/debts"
	"adashi.ng/projections/engine"
	"adashi.ng/projections/groups"
	"adashi.ng/projections/requests"
	"adashi.ng/services/internal/items"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/profile"
)

// Area is asked what still ties a member to Adashi.
type Area interface {
	// Ties says it in sentences; none means that they may leave as far as the area knows.
	Ties(ctx context.Context, user string) ([]string, error)
}

// Groups says which memberships end with an account.
type Groups interface {
	Leaves(ctx context.Context, user string) ([]dues.LeaveGroup, error)
}

// Seats gives up what somebody still holds in an ajo once their account is closed.
type Seats interface {
	// Vacate says whether they hold something yet that is given up later.
	Vacate(ctx context.Context, user string) (later bool, err error)
}

// Service closes accounts.
type Service struct {
	People  *people.Service
	Profile *profile.Service
	Known   func(ctx context.Context) error // Refuses while what the areas ask is behind the ledger: see ReadModels.
	Groups  Groups
	Seats   Seats
	Areas   []Area // In the order that their ties are told in.
}

// catchUp is how long the read models that the areas ask may take to know all that is recorded.
const catchUp = 5 * time.Second

// asked are those read models.
var asked = []string{balances.Name, groups.Name, requests.Name, ajos.Name, debts.Name}

// Close closes a member's account for ever. It is Conflict, with every reason, while money of theirs is in it or in a
// group, or a group depends on them, and Unavailable while that cannot be known. Asking again finishes a closing that
// was cut short, whatever ties them by then.
func (s *Service) Close(ctx context.Context, user string) error {
	if _, err := s.People.Member(ctx, user); err != nil {
		return err
	}
	closed, err := s.Profile.Closed(ctx, user)
	if err != nil {
		return err
	}
	if closed {
		return s.Profile.Close(ctx, user)
	}
	if err := s.known(ctx); err != nil {
		return err
	}
	var ties []string
	for _, area := range s.Areas {
		more, err := area.Ties(ctx, user)
		if err != nil {
			return err
		}
		ties = append(ties, more...)
	}
	if len(ties) > 0 {
		return fault.New(fault.Conflict, "Your account cannot be closed yet. %s", strings.Join(ties, " "))
	}
	leave, err := s.Groups.Leaves(ctx, user)
	if err != nil {
		return err
	}
	return s.Profile.Close(ctx, user, leave...)
}

// finishedAtOnce is how many closings are read at once.
const finishedAtOnce = 100

// Finish finishes the closings that were cut short, and ends the memberships that a closing left behind because the
// read models that named them did not know them yet. A membership that cannot end, as with an office, stays as it is.
// Seats in an ajo are given up. It is a job.
func (s *Service) Finish(ctx context.Context, job items.Job) error {
	return items.EachOf(ctx, job, items.Pages[uuid.UUID, uuid.UUID]{
		Most: finishedAtOnce, At: func(user uuid.UUID) uuid.UUID { return user }, Key: uuid.UUID.String,
		Read: func(after uuid.UUID, most int) ([]uuid.UUID, error) { return s.Profile.Closings(ctx, after, most) },
	}, func(ctx context.Context, user uuid.UUID) error { return s.finish(ctx, user.String()) })
}

func (s *Service) finish(ctx context.Context, user string) error {
	closed, err := s.Profile.Closed(ctx, user)
	if err != nil {
		return err
	}
	if closed {
		if err := s.known(ctx); err != nil {
			return err
		}
		leave, err := s.Groups.Leaves(ctx, user)
		if err != nil {
			return err
		}
		for _, membership := range leave {
			if err := s.Profile.Finish(ctx, user, membership); err != nil && !fault.Is(err, fault.Conflict) {
				return err
			}
		}
		if err := s.Profile.Finish(ctx, user); err != nil {
			return err
		}
		if later, err := s.Seats.Vacate(ctx, user); err != nil || later {
			return err
		}
	}
	return s.Profile.EndClosing(ctx, user)
}

func (s *Service) known(ctx context.Context) error {
	if s.Known == nil {
		return errUnknown
	}
	return s.Known(ctx)
}

var errUnknown = fault.New(fault.Unavailable, "We cannot see just now whether something still ties you to Adashi. Nothing was closed. Please try again in a few minutes.")

// ReadModels refuses while a read model that the areas ask is behind the ledger: it could miss what ties somebody.
func ReadModels(pool *pgxpool.Pool, tracker *engine.Tracker) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		_, head, err := history.Head(ctx, pool)
		if err == nil && tracker.WaitFor(ctx, head, catchUp, asked...) < head {
			err = errUnknown
		}
		return err
	}
}
