package activity

import (
	"context"
	"errors"
	"strings"

	"github.com/google/uuid"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/projections/activity"
	"adashi.ng/services/internal/membership"
	"adashi.ng/services/internal/usecase"
)

const withheldOthers = "This entry also says how much another member's wallet holds, which only they may know. It stands under the same signed root as every other entry."

const withheld = "This entry also says how much the sub-account holds, which is hidden from members, and its proof could tell it. It stands under the same signed root as every other entry; its proof is here as soon as the owner shows the total."

// MovementProof proves that a member's movement is in the ledger, unless the record would show a total that is hidden
// from them.
func (s *Service) MovementProof(ctx context.Context, user, id string) (Receipt, error) {
	id, err := usecase.ParseID(id, "movement")
	if err != nil {
		return Receipt{}, err
	}
	m, err := activity.One(ctx, s.Pool, user, uuid.MustParse(id))
	if err != nil {
		return Receipt{}, usecase.NotThere(err, activity.ErrNone, "movement")
	}
	reason := ""
	shown, err := s.showable(ctx, user, m)
	if err != nil {
		return Receipt{}, err
	}
	if !shown {
		if reason = withheld; m.AjoID != "" {
			reason = withheldOthers
		}
	}
	slip, err := s.Proofs.Slip(ctx, m.Pos, reason)
	if errors.Is(err, proofs.ErrNotSealed) {
		return Receipt{}, fault.New(fault.Unavailable, "This entry is not sealed yet. Please ask again in a few seconds.")
	}
	return Receipt{
		Position: slip.Position, LeafHash: usecase.OrNil(slip.LeafHash), Record: usecase.OrNil(slip.Record), Withheld: usecase.OrNil(slip.Withheld), Size: slip.Size,
		Root: slip.Root, Path: listOrNil(slip.Path), Checkpoint: slip.Checkpoint, Key: slip.Key,
	}, err
}

// listOrNil returns nil for an empty list, as the contract's optional fields require.
func listOrNil(list []string) *[]string {
	if len(list) == 0 {
		return nil
	}
	return &list
}

// showable reports whether a movement's record shows a member only what they may see.
func (s *Service) showable(ctx context.Context, user string, m activity.Movement) (bool, error) {
	accounts := make([]string, len(m.Lines))
	for i, line := range m.Lines {
		accounts[i] = line.Account
	}
	onlooker := s.Onlooker(user)
	onlooker.paid = true
	return onlooker.Sees(ctx, m.GroupID, accounts)
}

// Onlooker is a member who wants to see records. It caches what they may see, for one reply.
type Onlooker struct {
	service *Service
	user    string
	pools   map[string]bool
	paid    bool // They made the movement: if members see the total, they still see it after they have left.
}

// Onlooker makes an Onlooker.
func (s *Service) Onlooker(user string) *Onlooker {
	return &Onlooker{service: s, user: user, pools: map[string]bool{}}
}

// Sees reports whether the member may see all of a record that moves accounts, in a group or in none: its lines include
// the resulting balance of each account, even a sub-account's pool.
func (o *Onlooker) Sees(ctx context.Context, group string, accounts []string) (bool, error) {
	for _, account := range accounts {
		kind, id, _ := strings.Cut(strings.TrimPrefix(account, "held:"), ":")
		if (kind == "wallet" || kind == "deposit") && !strings.HasSuffix(account, ":"+o.user) {
			return false, nil // Another user's account.
		}
		if kind != "pool" {
			continue
		}
		seen, known := o.pools[id]
		if !known {
			var err error
			if seen, err = o.seesPool(ctx, group, id); err != nil {
				return false, err
			}
			o.pools[id] = seen
		}
		if !seen {
			return false, nil
		}
	}
	return true, nil
}

// seesPool reports whether a member may see a sub-account's balance.
func (o *Onlooker) seesPool(ctx context.Context, group, sub string) (bool, error) {
	c, g, seat, err := o.service.Membership.GroupFor(ctx, o.user, group, o.user)
	switch gone := fault.Is(err, fault.NotFound); {
	case err != nil && !gone:
		return false, err
	case gone || !seat.Active():
		if !o.paid {
			return false, nil
		}
		seat = membership.Seat{}
	}
	for _, one := range c.Subs[g.ID] {
		if one.ID == sub {
			return !membership.HidesTotal(g, one, seat), nil
		}
	}
	return false, nil
}
