package groups

import (
	"context"
	"time"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/closing"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/groups"
	"adashi.ng/projections/requests"
	"adashi.ng/services/internal/items"
	"adashi.ng/services/internal/usecase"
)

// CloseGroup makes a group pay out its money, and closes it when it has none. If the group is closing and has less than
// the smallest request, the rest goes to wallets.
func (s *Service) CloseGroup(ctx context.Context, who usecase.Who, groupID, reason string) (int64, error) {
	g, err := s.named(ctx, groupID)
	if err != nil {
		return 0, err
	}
	subs, err := s.subAccountsOf(ctx, groupID)
	if err != nil {
		return 0, err
	}
	c := closing.Group{CloseGroup: savings.CloseGroup{By: who.User, Reason: reason, SubAccounts: subs}}
	if g.Status == savings.Closing {
		if c.Rests, c.People, err = s.rests(ctx, groupID, subs); err != nil {
			return 0, err
		}
	}
	return s.onGroup(ctx, who, "close group", groupID, store.Fingerprint(groupID, reason), func(group string) event.Command {
		c.GroupID = group
		return c
	})
}

// returnedAtOnce limits how many sub-accounts of closed groups are read at once.
const returnedAtOnce = 100

// ShareReturned distributes money that a bank sent back to closed groups, if it is less than the smallest request or
// nobody is left to decide about it. It is a job.
func (s *Service) ShareReturned(ctx context.Context) error {
	return items.EachOf(ctx, s.Job("share returned"), items.Pages[groups.Returned, string]{
		Most: returnedAtOnce, At: func(r groups.Returned) string { return r.SubAccountID }, Key: func(r groups.Returned) string { return r.SubAccountID },
		Read: func(after string, most int) ([]groups.Returned, error) {
			return groups.AllReturned(ctx, s.Pool, after, most)
		},
	}, func(ctx context.Context, r groups.Returned) error {
		people, err := groups.Sharing(ctx, s.Pool, r.GroupID, []string{r.SubAccountID})
		if err != nil {
			return err
		}
		key := " " + s.Now().UTC().Format(time.RFC3339Nano)
		_, err = s.Record(ctx, usecase.System, store.CommandID("system", "share returned", r.SubAccountID+key), r.GroupID, store.Fingerprint(key),
			closing.Rest{GroupID: r.GroupID, SubAccountID: r.SubAccountID, People: people, Key: key})
		return usecase.UnlessConflict(err)
	})
}

// restWait is how long the read models may take to know the rest of a group's money, and its possible owners.
const restWait = 5 * time.Second

// rests returns the sub-accounts of a group that still have money, and the people whose it may be; no people when a
// sub-account has enough for a request.
func (s *Service) rests(ctx context.Context, group string, subs []string) (rests, people []string, err error) {
	_, head, err := history.Head(ctx, s.Pool)
	if err != nil {
		return nil, nil, err
	}
	if at := s.Tracker.WaitFor(ctx, head, restWait, groups.Name, requests.Name); at < head {
		return nil, nil, fault.New(fault.Unavailable, "We are still writing down what happened in this group. Please try again in a few seconds.")
	}
	pools, err := requests.Pools(subs...).Read(ctx, s.Pool)
	for sub, pool := range pools {
		if pool.Held > 0 || pool.Available >= liquidation.Min {
			return nil, nil, nil
		}
		if pool.Available > 0 {
			rests = append(rests, sub)
		}
	}
	if err != nil || len(rests) == 0 {
		return nil, nil, err
	}
	people, err = groups.Sharing(ctx, s.Pool, group, rests)
	return rests, people, err
}
