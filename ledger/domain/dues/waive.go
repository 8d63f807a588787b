package dues

import (
	"slices"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/seen"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/domain/wording"
	"adashi.ng/ledger/event"
)

// Waiver is the state of a wish that a due need not be paid.
type Waiver struct {
	Status                      savings.Status // Pending, Approved or Rejected.
	Group, SubAccount, User, By string
	Period                      string
	Kind                        nairav1.WaiverKind
	At                          time.Time // When it was asked for.
	Deciders                    []string  // Who may decide; nobody for one of before they were fixed.
}

// decides reports whether a user may. Of a waiver of before deciders were fixed it is who was an approver when it was
// asked for.
func (w Waiver) decides(g savings.Group, user string) bool {
	if len(w.Deciders) == 0 {
		return g.MayApprove(user) && g.InOffice(user, w.At)
	}
	return slices.Contains(w.Deciders, user) && g.Official(user)
}

// Approved is a waiver that took effect.
const Approved savings.Status = "APPROVED"

// Waivers folds a waiver's stream.
var Waivers = event.Of("waiver", 2, func(w Waiver, e event.Happened) Waiver {
	switch m := e.Message.(type) {
	case *nairav1.WaiverRequested:
		return Waiver{
			Status: savings.Pending, Group: m.GetGroupId(), SubAccount: m.GetSubAccountId(), User: m.GetUserId(), By: m.GetRequestedBy(),
			Period: m.GetPeriod(), Kind: m.GetKind(), At: e.EffectiveAt,
		}
	case *nairav1.WaiverDecidersFixed:
		w.Deciders = m.GetDeciderIds()
	case *nairav1.WaiverApproved:
		w.Status = Approved
	case *nairav1.WaiverRejected:
		w.Status = savings.Rejected
	}
	return w
})

// WaiverStream is a waiver's stream.
func WaiverStream(waiverID string) string { return "waiver:" + waiverID }

// RequestWaiver asks that what is left of a due need not be paid. Another approver decides, and where none may, the
// validator.
type RequestWaiver struct {
	WaiverID, GroupID, SubAccountID string
	User                            string // Whose due.
	Period                          string // The first day of the due's period, YYYY-MM-DD.
	Kind                            nairav1.WaiverKind
	Reason                          string
	By                              string
	Officers                        savings.Officers
	Now                             time.Time
}

// Streams implements event.Command.
func (c RequestWaiver) Streams() []string {
	return append([]string{
		WaiverStream(c.WaiverID), savings.GroupStream(c.GroupID), savings.MemberStream(c.GroupID, c.By), savings.MemberStream(c.GroupID, c.User),
		savings.SubStream(c.SubAccountID), Stream(c.SubAccountID, c.User), account.Stream(c.By), account.Stream(c.User),
	}, c.Officers.Streams()...)
}

// Accounts implements event.Command.
func (RequestWaiver) Accounts() []string { return nil }

// Decide implements event.Command.
func (c RequestWaiver) Decide(v event.View) ([]event.Draft, error) {
	g := event.StateOf[savings.Group](v, savings.GroupStream(c.GroupID))
	if err := savings.Approver(v, g, c.GroupID, c.By); err != nil {
		return nil, err
	}
	if event.StateOf[Waiver](v, WaiverStream(c.WaiverID)).Status != savings.None {
		return nil, fault.New(fault.Conflict, "This was asked for already.")
	}
	w := Waiver{Group: c.GroupID, SubAccount: c.SubAccountID, User: c.User, Period: c.Period, Kind: c.Kind}
	reason, err := wording.Text("reason", "The reason", c.Reason, savings.MinReason, savings.MaxReason)
	if err != nil {
		return nil, err
	}
	if err := w.mayBe(v, c.By); err != nil {
		return nil, err
	}
	b := openBook(v, c.GroupID, c.SubAccountID, c.User)
	if _, err := b.left(c.Period, c.Now); err != nil {
		return nil, err
	}
	deciders, err := c.deciders(v, g)
	if err != nil {
		return nil, err
	}
	stream := WaiverStream(c.WaiverID)
	return []event.Draft{
		event.On(stream, &nairav1.WaiverRequested{
			WaiverId: c.WaiverID, GroupId: c.GroupID, SubAccountId: c.SubAccountID, UserId: c.User, Period: c.Period,
			Kind: c.Kind, Reason: reason, RequestedBy: c.By,
		}),

		event.On(stream, &nairav1.WaiverDecidersFixed{WaiverId: c.WaiverID, GroupId: c.GroupID, DeciderIds: deciders}),
	}, nil
}

// deciders are the other approvers who may decide, and where there is none the validator.
func (c RequestWaiver) deciders(v event.View, g savings.Group) ([]string, error) {
	bench, err := c.Officers.Bench(v, g, c.Now, c.By, c.User)
	switch {
	case err != nil:
		return nil, err
	case len(bench.Approvers) > 0:
		return bench.Approvers, nil
	case bench.Validator != "":
		return []string{bench.Validator}, nil
	}
	return nil, fault.New(fault.Conflict, "Nobody else could decide on this yet, and nobody lets a due off alone. %s", bench.Why())
}

// stands refuses a waiver of an earlier membership, and one whose asker has lost the office since: their word was the
// first of two. Earlier builds did not ask.
func (w Waiver) stands(v event.View, g savings.Group) error {
	m := event.StateOf[savings.Member](v, savings.MemberStream(w.Group, w.User))
	_, earlier := v.(standing.Earlier)
	switch {
	case earlier:
		return nil
	case m.Readmitted(w.At):
		return fault.New(fault.Conflict, "The member has left the group and come back since this was asked for. It can be asked for again.")
	case !g.MayApprove(w.By) || !g.Held(w.By, w.At):
		return fault.New(fault.Conflict, "Who asked for this has lost their office since, or their account was given back to them, so it does not count. It can be asked for again.")
	}
	return nil
}

// mayBe refuses a waiver for a person who is not in the group or by themselves, and of a kind that is none.
func (w Waiver) mayBe(v event.View, by string) error {
	m := event.StateOf[savings.Member](v, savings.MemberStream(w.Group, w.User))
	switch {
	case event.StateOf[savings.SubAccount](v, savings.SubStream(w.SubAccount)).Group != w.Group:
		return errNoSub()
	case m.Status != savings.Active && m.Status != savings.Inactive:
		return fault.New(fault.NotFound, "There is no such member.")
	case w.User == by:
		return standing.Own.May(standing.Waive)
	case standing.May(v, w.User, standing.BeGiven) != nil:
		return standing.May(v, w.User, standing.BeGiven)
	case w.Kind == nairav1.WaiverKind_WAIVER_KIND_UNSPECIFIED:
		return fault.Field("kind", "Choose waived or written off.")
	}
	return nil
}

// WaiverShown is the version of a waiver: which it is, and what is left of the due. That grows where a payment is taken
// back.
func WaiverShown(waiverID string, left money.Kobo) seen.Version { return seen.Of(waiverID, left) }

// DecideWaiver approves or rejects a waiver. The group, sub-account and member are those that it is about.
type DecideWaiver struct {
	WaiverID, GroupID, SubAccountID, User string
	Seen                                  seen.Version // What they decide on; empty not to ask.
	By                                    string
	Approve                               bool
	Reason                                string // Why it is rejected; may be empty.
	Now                                   time.Time
}

// Streams implements event.Command.
func (c DecideWaiver) Streams() []string {
	return RequestWaiver{WaiverID: c.WaiverID, GroupID: c.GroupID, SubAccountID: c.SubAccountID, User: c.User, By: c.By}.Streams()
}

// Accounts implements event.Command.
func (DecideWaiver) Accounts() []string { return nil }

// Decide implements event.Command.
func (c DecideWaiver) Decide(v event.View) ([]event.Draft, error) {
	g := event.StateOf[savings.Group](v, savings.GroupStream(c.GroupID))
	if err := savings.Official(v, g, c.GroupID, c.By); err != nil {
		return nil, err
	}
	w := event.StateOf[Waiver](v, WaiverStream(c.WaiverID))
	switch {
	case w.Status == savings.None || w.Group != c.GroupID || w.SubAccount != c.SubAccountID || w.User != c.User:
		return nil, fault.New(fault.NotFound, "There is no such waiver.")
	case w.Status == Approved:
		return nil, fault.New(fault.Conflict, "This was approved already, and the due need not be paid.")
	case w.Status == savings.Rejected:
		return nil, fault.New(fault.Conflict, "This was rejected already. It can be asked for again.")
	case w.By == c.By:
		return nil, fault.New(fault.Forbidden, "You asked for this, so another approver decides.")
	case w.User == c.By:
		return nil, standing.Own.May(standing.Waive)
	case !w.decides(g, c.By):
		return nil, fault.New(fault.Forbidden, "Those who could decide when this was asked for decide on it, and you were not one of them.")
	}
	reason, err := wording.Text("reason", "The reason", c.Reason, 0, savings.MaxReason)
	if err != nil {
		return nil, err
	}
	if !c.Approve {
		return []event.Draft{event.On(WaiverStream(c.WaiverID), &nairav1.WaiverRejected{WaiverId: c.WaiverID, GroupId: c.GroupID, RejectedBy: c.By, Reason: reason})}, nil
	}
	if err := w.stands(v, g); err != nil {
		return nil, err
	}
	if err := w.mayBe(v, c.By); err != nil {
		return nil, err
	}
	b := openBook(v, c.GroupID, c.SubAccountID, c.User)
	left, err := b.left(w.Period, c.Now)
	if err != nil {
		return nil, err
	}
	if err := c.Seen.IfSaid(WaiverShown(c.WaiverID, left)); err != nil {
		return nil, err
	}
	return b.waive(c.WaiverID, w, left, c.By), nil
}

// left is what is left to be paid of a due that may be waived.
func (b *book) left(period string, now time.Time) (money.Kobo, error) {
	day, err := time.Parse(time.DateOnly, period)
	if err != nil || b.dues.Flexible() {
		return 0, fault.Field("period", "There is no such due.")
	}
	k := b.dues.Schedule.At(day)
	if k < b.dues.From || k > b.dues.Last(savings.Day(now)) || !b.dues.Schedule.Start(k).Equal(day) {
		return 0, fault.Field("period", "There is no such due.")
	}
	if left := b.dues.Owed(k) - b.dues.Paid(k); left > 0 {
		return left, nil
	}
	return 0, fault.New(fault.Conflict, "Nothing is left to be paid for %s.", b.dues.Schedule.Label(k))
}

// waive lets a due off, for as much as is left of it.
func (b *book) waive(id string, w Waiver, left money.Kobo, by string) []event.Draft {
	b.drafts = append(b.drafts,
		event.On(WaiverStream(id), &nairav1.WaiverApproved{WaiverId: id, GroupId: b.group, ApprovedBy: by, AmountKobo: int64(left)}),
		event.On(b.stream(), &nairav1.DueWaived{
			GroupId: b.group, SubAccountId: b.sub, UserId: b.user, Period: w.Period, AmountKobo: int64(left), Kind: w.Kind, WaiverId: id,
		}),
	)
	b.dues = b.dues.with(b.dues.paid.waive(w.Period, left, w.Kind == nairav1.WaiverKind_WAIVER_KIND_WRITTEN_OFF))
	b.makeGood(0, b.dues.paid.Judged)
	return b.drafts
}
