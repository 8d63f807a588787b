package app

import (
	"context"
	"fmt"
	"time"

	"adashi.ng/ledger/account"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/fault"
	"adashi.ng/ledger/savings"
	"adashi.ng/ledger/store"
	"adashi.ng/projections/groups"
)

// group is the state of a group.
func (a *App) group(ctx context.Context, id string) (savings.Group, error) {
	state, err := a.Ledger.Load(ctx, savings.GroupStream(id))
	if err != nil {
		return savings.Group{}, err
	}
	return state.(savings.Group), nil
}

// verifiedOwners are those with a verified BVN among the owners of groups that wait to become active.
func (a *App) verifiedOwners(ctx context.Context, gs []groups.Group) (map[string]bool, error) {
	verified := map[string]bool{}
	for _, g := range gs {
		if _, known := verified[g.Owner]; known || g.Status != string(savings.PendingApproval) {
			continue
		}
		owner, err := a.owner(ctx, g.Owner)
		if err != nil {
			return nil, err
		}
		verified[g.Owner] = owner.Bvn == account.Verified
	}
	return verified, nil
}

// AppointValidator makes a member the group's validator.
func (a *App) AppointValidator(ctx context.Context, who Who, groupID, memberID string) (int64, error) {
	id, err := parseID(groupID, "group")
	if err != nil {
		return 0, err
	}
	g, err := a.group(ctx, id)
	if err != nil {
		return 0, err
	}
	return a.onMember(ctx, who, "appoint validator", groupID, memberID, func(group, member string) event.Command {
		return savings.AppointValidator{GroupID: group, User: member, By: who.User, Owner: g.Owner}
	})
}

// AppointApprover makes a member one of the group's approvers.
func (a *App) AppointApprover(ctx context.Context, who Who, groupID, memberID string) (int64, error) {
	return a.onMember(ctx, who, "appoint approver", groupID, memberID, func(group, member string) event.Command {
		return savings.AppointApprover{GroupID: group, User: member, By: who.User}
	})
}

// activationWait is how long the read model may take to know a new owner's groups.
const activationWait = 5 * time.Second

// ActivateGroupsOf makes an owner's waiting groups active whose last need was the owner's BVN, verified just now.
// Unavailable means that it must be asked again.
func (a *App) ActivateGroupsOf(ctx context.Context, owner string) error {
	_, head, err := store.Head(ctx, a.Pool)
	if err != nil {
		return err
	}
	if at := a.Tracker.WaitFor(ctx, head, activationWait, groups.Name); at < head {
		return fault.New(fault.Unavailable, "The owner's groups are not known yet.")
	}
	waiting, err := groups.OwnedWaiting(ctx, a.Pool, owner)
	if err != nil {
		return err
	}
	for _, id := range waiting {
		command := store.NewCommandID()
		_, err := a.record(ctx, Who{User: owner}, command, id, store.Fingerprint(id), savings.Activate{GroupID: id, Owner: owner})
		if err != nil && !fault.Is(err, fault.Conflict) {
			return fmt.Errorf("activate group %s: %w", id, err)
		}
	}
	return nil
}
