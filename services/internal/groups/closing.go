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

// CloseGroup has a group pay out what it holds, and closes it when it holds nothing. Where it is closing and holds less
// than can be asked for, what is left goes to wallets.
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

// returnedAtOnce is how many sub-accounts of closed groups are read at once.
const returnedAtOnce = 100

// ShareReturned shares out what a bank sent back to groups that are closed, where it is less than can be asked for or
// nobody is left who decides about it. It is a job.
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

// restWait is how long the read models may take to know what is left in a group, and whose it may be.
const restWait = 5 * time.Second

// rests are the sub-accounts of a group that hold something, and those whose it may be; nobody where one of them holds
// as much as can be asked for.
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
