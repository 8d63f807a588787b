package usecase

import (
	"context"
	"slices"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/services/internal/vault"
)

// Relation is a user's relation to a group, by the ledger. Every call that depends on it reads it, or reads membership
// if the page uses read models.
type Relation struct {
	User   string
	Group  savings.Group
	Member savings.Member
}

// Relation reads a user's relation to a group. Neither has to exist.
func (b *Base) Relation(ctx context.Context, user, groupID string) (Relation, error) {
	r := Relation{User: user}
	var err error
	if r.Group, err = b.GroupState(ctx, groupID); err == nil {
		r.Member, err = b.MemberState(ctx, groupID, user)
	}
	return r, err
}

// Inside reports whether the user is in the group, also while inactive.
func (r Relation) Inside() bool { return InGroup(r.Member.Status) }

// Active reports whether the user is an active member.
func (r Relation) Active() bool { return r.Member.Status == savings.Active }

// Official reports whether the user is in the group as its owner, validator or an approver.
func (r Relation) Official() bool { return r.Inside() && r.Group.Official(r.User) }

// MustBeInside returns NotFound for a user who is not in the group.
func (r Relation) MustBeInside() error {
	if !r.Inside() {
		return fault.New(fault.NotFound, "There is no such group.")
	}
	return nil
}

// MustBeOfficial returns NotFound for a user who is not in the group, and Forbidden for members without an office.
func (r Relation) MustBeOfficial() error {
	if err := r.MustBeInside(); err != nil || r.Official() {
		return err
	}
	return fault.New(fault.Forbidden, "Only the group's validator, approvers and owner see this.")
}

// IsGuardian reports whether a user has, or ever had, an address that consented for a person, also where the consent
// ended since somebody else had named the guardian.
func (b *Base) IsGuardian(ctx context.Context, of vault.Record, user string) (bool, error) {
	addresses := of.FormerGuardians
	if of.Guardian.Status == vault.Consented {
		addresses = append(slices.Clone(addresses), of.Guardian.Email)
	}
	for _, address := range addresses {
		had, err := b.People.HadBy(ctx, address)
		if err != nil || slices.Contains(had, user) {
			return err == nil, err
		}
	}
	return false, nil
}
