package dues

import (
	"context"
	"slices"
	"strconv"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/groups"
	"adashi.ng/services/internal/membership"
	"adashi.ng/services/internal/usecase"
	"adashi.ng/services/internal/vault"
)

// RequestWaiver requests that the member need not pay the rest of a due. It returns the waiver's id.
func (s *Service) RequestWaiver(ctx context.Context, who usecase.Who, form WaiverRequest) (id string, pos int64, err error) {
	sub, err := usecase.ParseID(form.SubAccountId, "sub-account")
	if err != nil {
		return "", 0, err
	}
	member, err := usecase.ParseID(form.MemberId, "member")
	if err != nil {
		return "", 0, err
	}
	group, err := s.GroupOfSub(ctx, sub)
	if err != nil {
		return "", 0, err
	}
	officers, err := s.Membership.Officers(ctx, group, vault.Payee{}, who.User, member)
	if err != nil {
		return "", 0, err
	}
	command, _ := who.ID("request waiver")
	id = event.DeriveID(command, "waiver").String()
	result, err := s.Record(ctx, who, command, group, store.Fingerprint(sub, member, form.Period, form.Kind, form.Reason), dues.RequestWaiver{
		WaiverID: id, GroupID: group, SubAccountID: sub, User: member, Period: form.Period, By: who.User, Reason: form.Reason, Officers: officers, Now: s.Now(),
		Kind: nairav1.WaiverKind(nairav1.WaiverKind_value["WAIVER_KIND_"+string(form.Kind)]),
	})
	return id, result.Position(), err
}

// DecideWaiver approves a waiver, in the version that the caller saw, or rejects it.
func (s *Service) DecideWaiver(ctx context.Context, who usecase.Who, id string, form DecideWaiverRequest) (int64, error) {
	id, err := usecase.ParseID(id, "waiver")
	if err != nil {
		return 0, err
	}
	state, err := s.Ledger.Load(ctx, dues.WaiverStream(id))
	if err != nil {
		return 0, err
	}
	w := state.(dues.Waiver)
	if w.Status == savings.None {
		return 0, fault.New(fault.NotFound, "There is no such waiver.")
	}
	saw, err := usecase.Saw(form.Seen, form.Approve)
	if err != nil {
		return 0, err
	}
	reason := ""
	if form.Reason != nil {
		reason = *form.Reason
	}
	command, _ := who.ID("decide waiver")
	result, err := s.Record(ctx, who, command, w.Group, store.Fingerprint(id, form.Approve, reason), dues.DecideWaiver{
		WaiverID: id, GroupID: w.Group, SubAccountID: w.SubAccount, User: w.User, Seen: saw, By: who.User, Approve: form.Approve, Reason: reason, Now: s.Now(),
	})
	if fault.Is(err, fault.NotFound) {
		return 0, fault.New(fault.NotFound, "There is no such waiver.") // Outsiders do not see the waiver.
	}
	return result.Position(), err
}

// Waivers returns a page of a group's waivers, for its officials: open ones first, then the latest.
func (s *Service) Waivers(ctx context.Context, user, groupID string, before *string, limit int) (WaiverPage, error) {
	out := WaiverPage{Waivers: []Waiver{}}
	c, g, _, err := s.Membership.Official(ctx, user, groupID)
	if err != nil {
		return out, err
	}
	offset, err := usecase.Cursor(before)
	if err != nil {
		return out, err
	}
	rows, err := groups.Waivers(ctx, s.Pool, g.ID, int(offset), limit+1)
	if err != nil {
		return out, err
	}
	if len(rows) > limit {
		rows = rows[:limit]
		out.Next = usecase.OrNil(strconv.Itoa(int(offset) + limit))
	}
	var users []string
	for _, w := range rows {
		users = append(users, w.User, w.RequestedBy, w.DecidedBy)
	}
	cards, err := s.People.Cards(ctx, users)
	if err != nil {
		return out, err
	}
	among, err := s.Membership.Among(ctx, c, g, users)
	if err != nil {
		return out, err
	}
	for _, w := range rows {
		view := waiver(among, g, w)
		view.Name, view.RequestedByName = usecase.FullName(cards, w.User), usecase.FullName(cards, w.RequestedBy)
		if w.DecidedBy != "" {
			view.DecidedByName = usecase.OrNil(usecase.FullName(cards, w.DecidedBy))
		}
		deciders := w.Deciders
		if len(deciders) == 0 { // From before the deciders were fixed.
			deciders = g.Approvers
		}
		view.MayDecide = w.Status == groups.WaiverOpen && slices.Contains(deciders, user) && user != w.User && user != w.RequestedBy
		out.Waivers = append(out.Waivers, view)
	}
	return out, nil
}

// waiver is a waiver without names. An open one covers the unpaid part of the due.
func waiver(c membership.Snapshot, g groups.Group, w groups.Waiver) Waiver {
	view := Waiver{
		Id: w.ID, SubAccountId: w.SubAccountID, MemberId: w.User, Kind: WaiverKind(w.Kind.String()[len("WAIVER_KIND_"):]), Reason: w.Reason,
		RequestedBy: w.RequestedBy, Status: WaiverStatus(w.Status), DateCreated: w.CreatedAt.UTC(), Amount: usecase.Naira(w.Amount), Version: string(dues.WaiverShown(w.ID, w.Amount)),
	}
	i := slices.IndexFunc(c.Subs[g.ID], func(s groups.SubAccount) bool { return s.ID == w.SubAccountID })
	if i < 0 {
		return view
	}
	sub := c.Subs[g.ID][i]
	k := usecase.ScheduleOf(sub).At(savings.ParseDay(w.Period))
	view.SubAccountName, view.Due = sub.Name, usecase.ScheduleOf(sub).Label(k)
	if w.Status != groups.WaiverOpen {
		return view
	}
	for _, m := range c.Members[g.ID] {
		if m.User == w.User {
			d := c.DuesOf(sub, m)
			left := max(money.Kobo(0), d.Owed(k)-d.Paid(k))
			view.Amount, view.Version = usecase.Naira(left), string(dues.WaiverShown(w.ID, left))
		}
	}
	return view
}
