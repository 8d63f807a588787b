package remedies

import (
	"context"
	"errors"
	"math"
	"slices"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/stolen"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/groups"
	"adashi.ng/services/internal/usecase"
)

// undoGroups ends the memberships that a thief began in an account that is given back, if nothing is saved there. The
// member gets a notice of each, of those that stay, and of the settings of their groups that the thief changed.
func (s *Service) undoGroups(ctx context.Context, r row, a account.Account) error {
	ever, err := groups.Ever(ctx, s.Pool, r.User)
	failures := []error{wrapped(err)}
	for _, id := range ever {
		failures = append(failures, s.leave(ctx, r, a, id), s.changed(ctx, r, a, id))
	}
	return errors.Join(failures...)
}

// leave ends a membership of a group that a thief began.
func (s *Service) leave(ctx context.Context, r row, a account.Account, group string) error {
	state, err := s.Ledger.Load(ctx, savings.MemberStream(group, r.User))
	if err != nil {
		return wrapped(err)
	}
	m := state.(savings.Member)
	founded := m.Asked.IsZero() && stolen.Last(a, m.Since) // The ledger lets nobody leave what they founded.
	if m.Status == savings.None || m.Status == savings.Invited || !founded && !stolen.Last(a, m.Asked) {
		return nil
	}
	subs, err := groups.SubAccounts(group).Read(ctx, s.Pool)
	if err != nil {
		return wrapped(err)
	}
	c := stolen.LeaveGroup{LeaveGroup: dues.LeaveGroup{GroupID: group, User: r.User, Closing: true, Now: s.Now()}, RemedyID: r.ID}
	for _, sub := range subs {
		c.SubAccounts = append(c.SubAccounts, sub.ID)
	}
	return s.undone(ctx, r, c, stolen.Found{User: r.User, RemedyID: r.ID, Act: nairav1.StolenAct_STOLEN_ACT_MEMBERSHIP, GroupID: group})
}

// undone records an undo. If the ledger refuses it, the member gets a notice that the act of the thief stays.
func (s *Service) undone(ctx context.Context, r row, undo event.Command, stays stolen.Found) error {
	_, err := s.Ledger.DryRun(ctx, undo) // So that no refusal is kept.
	if err == nil {
		_, err = s.Record(ctx, usecase.System, store.NewCommandID(), r.User, store.Fingerprint(r.ID), undo)
	}
	if !fault.Is(err, fault.Conflict) && !fault.Is(err, fault.NotFound) {
		return err
	}
	return s.found(ctx, r, stays)
}

// found sends the member a notice of an act of the thief, once.
func (s *Service) found(ctx context.Context, r row, c stolen.Found) error {
	return s.ended(ctx, r, store.CommandID("system", "found", r.ID+" "+c.Act.String()+" "+c.GroupID+c.AjoID), c)
}

// undoAjos gives up the seats that a thief took in ajos whose list is open. The member gets a notice of these, and of
// the seats that stay.
func (s *Service) undoAjos(ctx context.Context, r row, a account.Account) error {
	state, err := s.Ledger.Load(ctx, ajo.CommitStream(r.User))
	if err != nil {
		return wrapped(err)
	}
	var failures []error
	for _, id := range state.(ajo.Commitments).Ever {
		state, err := s.Ledger.Load(ctx, ajo.Stream(id))
		if err != nil {
			failures = append(failures, wrapped(err))
			continue
		}
		of := state.(ajo.Ajo)
		took := slices.ContainsFunc(of.SeatsOf(r.User), func(seat int) bool {
			p, _ := of.Place(seat, r.User)
			return stolen.Last(a, p.Since)
		})
		if took && slices.Contains([]ajo.Status{ajo.Open, ajo.Ordering, ajo.Active, ajo.Paused}, of.Status) {
			c := stolen.LeaveAjo{Leave: ajo.Leave{AjoID: id, User: r.User, Stolen: true, Now: s.Now()}, RemedyID: r.ID}
			failures = append(failures, s.undone(ctx, r, c, stolen.Found{User: r.User, RemedyID: r.ID, Act: nairav1.StolenAct_STOLEN_ACT_SEATS, AjoID: id}))
		}
	}
	return errors.Join(failures...)
}

// changed sends an official a notice of the settings of their group that a thief changed in their name.
func (s *Service) changed(ctx context.Context, r row, a account.Account, group string) error {
	state, err := s.Ledger.Load(ctx, savings.GroupStream(group))
	if err != nil || !state.(savings.Group).Official(r.User) {
		return wrapped(err)
	}
	subs, err := groups.SubAccounts(group).Read(ctx, s.Pool)
	if err != nil {
		return wrapped(err)
	}
	streams := []string{savings.GroupStream(group)}
	for _, sub := range subs {
		streams = append(streams, savings.SubStream(sub.ID))
	}
	c := stolen.Found{User: r.User, RemedyID: r.ID, Act: nairav1.StolenAct_STOLEN_ACT_SETTINGS, GroupID: group}
	for _, stream := range streams {
		records, err := history.ReadStream(ctx, s.Pool, stream, math.MaxInt64, math.MaxInt32)
		if err != nil {
			return wrapped(err)
		}
		for _, e := range records {
			is := settings[e.Type]
			if is != 0 && e.Actor == r.User && stolen.Last(a, e.EffectiveAt) && !slices.Contains(c.Settings, is) {
				c.Settings = append(c.Settings, is)
			}
		}
	}
	if len(c.Settings) == 0 {
		return nil
	}
	return s.found(ctx, r, c)
}

// settings are those of a group, by the events that change them.
var settings = map[string]nairav1.GroupSetting{
	event.TypeOf(&nairav1.GroupNoticeSet{}):          nairav1.GroupSetting_GROUP_SETTING_NOTICE,
	event.TypeOf(&nairav1.GroupVisibilitySet{}):      nairav1.GroupSetting_GROUP_SETTING_TOTALS,
	event.TypeOf(&nairav1.SubAccountVisibilitySet{}): nairav1.GroupSetting_GROUP_SETTING_TOTALS,
	event.TypeOf(&nairav1.GroupSearchViewSet{}):      nairav1.GroupSetting_GROUP_SETTING_SEARCH,
	event.TypeOf(&nairav1.GroupDocumentAdded{}):      nairav1.GroupSetting_GROUP_SETTING_DOCUMENTS,
	event.TypeOf(&nairav1.GroupDocumentRemoved{}):    nairav1.GroupSetting_GROUP_SETTING_DOCUMENTS,
	event.TypeOf(&nairav1.ValidatorAppointed{}):      nairav1.GroupSetting_GROUP_SETTING_OFFICES,
	event.TypeOf(&nairav1.ApproverAppointed{}):       nairav1.GroupSetting_GROUP_SETTING_OFFICES,
	event.TypeOf(&nairav1.ApproverRemoved{}):         nairav1.GroupSetting_GROUP_SETTING_OFFICES,
	event.TypeOf(&nairav1.SubAccountOpened{}):        nairav1.GroupSetting_GROUP_SETTING_SUB_ACCOUNTS,
	event.TypeOf(&nairav1.LateTermsSet{}):            nairav1.GroupSetting_GROUP_SETTING_SUB_ACCOUNTS,
}
