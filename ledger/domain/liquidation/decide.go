package liquidation

import (
	"slices"
	"time"

	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
)

// Of is what a request is about, which never changes: whoever commands it says it.
type Of struct {
	LiquidationID, GroupID, SubAccountID, RequestedBy string
	Kind                                              nairav1.LiquidationKind
	Provider                                          event.Provider
}

// About is what a request that was made is about.
func About(id string, l Liquidation) Of {
	return Of{LiquidationID: id, GroupID: l.Group, SubAccountID: l.SubAccount, RequestedBy: l.RequestedBy, Kind: l.Kind, Provider: l.Provider}
}

// step is a command about a request that was made.
type step struct {
	Of
	by       string                                      // Whose command it is; empty for the system's own.
	act      standing.Act                                // What it is of whose command it is, beside the word of a member.
	accounts []string                                    // What it moves money of.
	ends     bool                                        // The request is over with it, or was and its money comes back.
	object   func(l Liquidation, m savings.Member) error // Refuses a member by their membership.
	says     *string                                     // Why, in the words of whose command it is; nil where they say nothing.
	decide   func(l Liquidation, g savings.Group, reason string) (m proto.Message, after Status, err error)
}

// Streams implements event.Command.
func (c step) Streams() []string {
	streams := []string{Stream(c.LiquidationID), savings.GroupStream(c.GroupID)}
	if c.by != "" {
		streams = append(streams, savings.MemberStream(c.GroupID, c.by), account.Stream(c.by))
	}
	if c.ends {
		streams = append(streams, dues.Stream(c.SubAccountID, c.RequestedBy), savings.RequestsStream(c.GroupID, c.RequestedBy))
	}
	return streams
}

// Accounts implements event.Command.
func (c step) Accounts() []string { return c.accounts }

// Decide implements event.Command.
func (c step) Decide(v event.View) ([]event.Draft, error) {
	l := event.StateOf[Liquidation](v, Stream(c.LiquidationID))
	if l.Status == None || About(c.LiquidationID, l) != c.Of {
		return nil, errNone()
	}
	if c.by != "" {
		m := event.StateOf[savings.Member](v, savings.MemberStream(c.GroupID, c.by))
		if m.Status != savings.Active && m.Status != savings.Inactive && c.by != l.RequestedBy {
			return nil, errNone()
		}
		if err := c.may(v, l, m); err != nil {
			return nil, err
		}
	}
	g := event.StateOf[savings.Group](v, savings.GroupStream(c.GroupID))
	_, before := v.(standing.Earlier)
	if !before {
		l = l.Counted(g)
	}
	reason, unfit := "", error(nil)
	if c.says != nil {
		reason, unfit = readReason(*c.says, before)
	}
	m, after, err := c.decide(l, g, reason)
	if err == nil {
		err = unfit
	}
	if err == nil && c.by != "" {
		err = standing.May(v, c.by, c.act)
	}
	if err != nil {
		return nil, err
	}
	drafts := []event.Draft{{Stream: Stream(c.LiquidationID), Message: m}}
	if after == Approved && l.Unfunded {
		fund, err := c.fund(v, l)
		if err != nil {
			return nil, err
		}
		drafts = append(fund, drafts...)
	}
	if !c.ends || slices.Contains(OpenStatuses, string(after)) {
		return drafts, nil
	}
	if l.Withdrawal() && after != Paid {
		saved := event.StateOf[dues.State](v, dues.Stream(c.SubAccountID, c.RequestedBy))
		drafts = append(drafts, drawn(c.GroupID, c.SubAccountID, c.RequestedBy, saved.Drawn-l.Amount))
	}
	if l.Open() {
		open := event.StateOf[savings.OpenRequests](v, savings.RequestsStream(c.GroupID, c.RequestedBy))
		drafts = append(drafts, counted(c.GroupID, c.RequestedBy, open, l.Kind, ""))
	}
	return drafts, nil
}

// may refuses a member by their account and by their membership.
func (c step) may(v event.View, l Liquidation, m savings.Member) error {
	if err := standing.May(v, c.by, standing.Cancel); err != nil {
		return err
	}
	if c.object != nil {
		return c.object(l, m)
	}
	return nil
}

// fund holds the amount of a request that holds nothing yet, or refuses when the sub-account still has too little. Only
// approvers are told so, and they see what it holds.
func (c step) fund(v event.View, l Liquidation) ([]event.Draft, error) {
	if pool := v.Balance(posting.Pool(c.SubAccountID)); pool < l.Amount {
		return nil, fault.New(fault.Insufficient, "The sub-account has %s and this needs %s, so it cannot be approved yet. Try again once more has come in.", pool, l.Amount)
	}
	return []event.Draft{{Stream: Stream(c.LiquidationID), Message: &nairav1.LiquidationFunded{
		LiquidationId: c.LiquidationID, GroupId: c.GroupID, SubAccountId: c.SubAccountID, AmountKobo: int64(l.Amount),
	}}}, nil
}

// within are the accounts between which a request's amount is held and freed.
func (c Of) within() []string {
	return []string{posting.Pool(c.SubAccountID), posting.Held(posting.Pool(c.SubAccountID))}
}

// Approve says yes: the validator to a request, then approvers.
func Approve(of Of, by string) event.Command {
	return step{Of: of, by: by, act: standing.ApproveClaim, accounts: of.within(), decide: func(l Liquidation, g savings.Group, _ string) (proto.Message, Status, error) {
		if err := turn(l, g, by, "approved"); err != nil {
			return nil, "", err
		}
		if !g.PaysOut() {
			return nil, "", fault.New(fault.Conflict, "The group is suspended, so nothing can be approved. You may reject it, or wait until the group is resumed.")
		}
		if l.Status == Requested {
			return &nairav1.LiquidationValidated{LiquidationId: of.LiquidationID, GroupId: of.GroupID, ValidatedBy: by}, Validated, nil
		}
		after := Validated
		approvals, needed := len(l.Approvals)+1, Needed(g, l)
		if approvals >= needed {
			after = Approved
		}
		return &nairav1.LiquidationApproved{
			LiquidationId: of.LiquidationID, GroupId: of.GroupID, ApprovedBy: by, Approvals: int32(approvals), Needed: int32(needed),
		}, after, nil
	}}
}

// InTime is a decision for a request, at a moment: one whose time is over is not approved or answered for any more,
// whether or not the job that ends it has run. Earlier builds left that to the job.
func InTime(of Of, now time.Time, decision event.Command) event.Command {
	return inTime{decision, of, now}
}

type inTime struct {
	event.Command
	of  Of
	now time.Time
}

// Decide implements event.Command.
func (c inTime) Decide(v event.View) ([]event.Draft, error) {
	drafts, err := c.Command.Decide(v)
	l := event.StateOf[Liquidation](v, Stream(c.of.LiquidationID))
	if _, earlier := v.(standing.Earlier); err != nil || earlier || c.now.Before(l.ExpiresAt) {
		return drafts, err
	}
	return nil, fault.New(fault.Conflict, "This request was open until %s, and its time is over. It can be asked for again.", lagos.Clock(l.ExpiresAt))
}

// Reject says no, which ends it: the validator to a request, then any approver who may act, also to one on hold.
func Reject(of Of, by, said string) event.Command {
	return step{Of: of, by: by, says: &said, act: standing.ApproveClaim, accounts: of.within(), ends: true, decide: func(l Liquidation, g savings.Group, reason string) (proto.Message, Status, error) {
		refused := turn(l, g, by, "rejected")
		if l.Status == OnHold {
			refused = answers(l, g, by)
		}
		if refused != nil {
			return nil, "", refused
		}
		after := ApprovalRejected
		if l.Status == Requested {
			after = ValidationRejected
		}
		return &nairav1.LiquidationRejected{
			LiquidationId: of.LiquidationID, GroupId: of.GroupID, SubAccountId: of.SubAccountID, AmountKobo: int64(l.Held()), RejectedBy: by,
			InValidation: l.Status == Requested, Reason: reason,
		}, after, nil
	}}
}

// turn refuses whoever it is not the turn of.
func turn(l Liquidation, g savings.Group, by, become string) error {
	validates := l.Status == Requested
	switch {
	case by == l.RequestedBy:
		return standing.Own.May(standing.ApproveClaim)
	case by != g.Validator && !g.MayApprove(by):
		return fault.New(fault.Forbidden, "Only the group's validator and its approvers can do this.")
	case slices.Contains(l.Approvals, by):
		return fault.New(fault.Conflict, "You have approved this request already.")
	case by == l.ValidatedBy:
		return fault.New(fault.Conflict, "You have validated this request already. Somebody else approves it.")
	case !validates && l.Status != Validated:
		return l.cannot(become)
	case !l.mayValidate(g, by) && !l.mayApprove(g, by):
		return fault.New(fault.Forbidden, "Those who could decide when this was asked for decide on it, and you were not one of them.")
	case validates && !l.mayValidate(g, by):
		return fault.New(fault.Conflict, "This request waits for the validator. You can decide once it is validated.")
	case !validates && !l.mayApprove(g, by):
		return fault.New(fault.Conflict, "This request is validated already and waits for the approvers.")
	}
	return nil
}

// May answers what a user of the group may do with a request at a moment: VALIDATE, APPROVE, REJECT, OBJECT, ANSWER,
// CANCEL, RETRY, RELEASE, DISPUTE.
func May(l Liquidation, g savings.Group, m savings.Member, user string, now time.Time) []string {
	may := []string{}
	l = l.Counted(g)
	switch {
	case l.Status == OnHold && answers(l, g, user) == nil:
		if !slices.Contains(l.Answers, user) {
			may = append(may, "ANSWER")
		}
		may = append(may, "REJECT")
	case (l.Status == Requested || l.Status == Validated) && turn(l, g, user, "") == nil:
		switch {
		case g.Status == savings.Suspended:
		case l.Status == Requested:
			may = append(may, "VALIDATE")
		default:
			may = append(may, "APPROVE")
		}
		may = append(may, "REJECT")
	}
	if objects(l, user, now) == nil && maySee(l, m) == nil {
		may = append(may, "OBJECT")
	}
	if !l.Withdrawal() && user != l.RequestedBy && l.Waits() && maySee(l, m) == nil {
		may = append(may, "DISPUTE")
	}
	if user == l.RequestedBy && l.cancellable() {
		may = append(may, "CANCEL")
	}
	if l.Status == PayoutFailed && g.MayApprove(user) {
		if user != l.RequestedBy && g.Status != savings.Suspended && l.mayApprove(g, user) {
			may = append(may, "RETRY")
		}
		may = append(may, "RELEASE")
	}
	return may
}

// cancellable reports whether who asked may take it back: until it is approved, and while a payment of the group waits
// for its notice.
func (l Liquidation) cancellable() bool {
	waits := l.Status == Approved && !l.PayableFrom.IsZero() && len(l.References) == 0 && l.Retries == 0
	return l.Status == Requested || l.Status == Validated || l.Status == OnHold || waits
}

// Cancel takes a request back.
func Cancel(of Of, by string) event.Command {
	return step{Of: of, by: by, accounts: of.within(), ends: true, decide: func(l Liquidation, _ savings.Group, _ string) (proto.Message, Status, error) {
		switch {
		case by != l.RequestedBy:
			return nil, "", fault.New(fault.Forbidden, "Only who asked for it can cancel it.")
		case !l.cancellable():
			return nil, "", l.cannot("cancelled")
		}
		return &nairav1.LiquidationCancelled{
			LiquidationId: of.LiquidationID, GroupId: of.GroupID, SubAccountId: of.SubAccountID, AmountKobo: int64(l.Held()),
		}, Cancelled, nil
	}}
}

// Stop takes back what somebody asked for who has frozen their account since, or whose account two of our staff have
// changed, decided on or not, unless the bank may have been told. The same becomes of what is Doubtful.
func Stop(of Of) event.Command {
	return stopped{step{Of: of, accounts: of.within(), ends: true, decide: func(l Liquidation, _ savings.Group, _ string) (proto.Message, Status, error) {
		if l.Status != Approved && !l.cancellable() {
			return nil, "", l.cannot("stopped")
		}
		return &nairav1.LiquidationCancelled{
			LiquidationId: of.LiquidationID, GroupId: of.GroupID, SubAccountId: of.SubAccountID, AmountKobo: int64(l.Held()),
		}, Cancelled, nil
	}}}
}

// stopped is a step that follows from a freeze, or from a remedy.
type stopped struct{ step }

// Streams implements event.Command.
func (c stopped) Streams() []string { return append(c.step.Streams(), account.Stream(c.RequestedBy)) }

// Decide implements event.Command.
func (c stopped) Decide(v event.View) ([]event.Draft, error) {
	l := event.StateOf[Liquidation](v, Stream(c.LiquidationID))
	calledOff := event.StateOf[account.Account](v, account.Stream(c.RequestedBy)).CalledOff(l.RequestedAt) != nil
	if standing.Of(v, c.RequestedBy) != standing.Frozen && !calledOff && !l.Doubtful(event.StateOf[savings.Group](v, savings.GroupStream(c.GroupID))) {
		return nil, fault.New(fault.Conflict, "Who asked for it has not frozen their account, and nobody has changed it.")
	}
	return c.step.Decide(v)
}

// Expire ends a request that nobody approved in time.
func Expire(of Of, now time.Time) event.Command {
	return step{Of: of, accounts: of.within(), ends: true, decide: func(l Liquidation, _ savings.Group, _ string) (proto.Message, Status, error) {
		switch {
		case l.Status != Requested && l.Status != Validated && l.Status != OnHold:
			return nil, "", l.cannot("expired")
		case now.Before(l.ExpiresAt):
			return nil, "", fault.New(fault.Conflict, "This request has not expired yet.")
		}
		return &nairav1.LiquidationExpired{
			LiquidationId: of.LiquidationID, GroupId: of.GroupID, SubAccountId: of.SubAccountID, AmountKobo: int64(l.Held()),
		}, Expired, nil
	}}
}

// approver refuses those who may not do what an approver may.
func approver(g savings.Group, by string) error {
	if !g.MayApprove(by) {
		return fault.New(fault.Forbidden, "Only an approver of the group can do this.")
	}
	return nil
}

// Retry has one that the bank refused for certain sent anew.
func Retry(of Of, by string) event.Command {
	return step{Of: of, by: by, act: standing.SendAgain, decide: func(l Liquidation, g savings.Group, _ string) (proto.Message, Status, error) {
		switch err := approver(g, by); {
		case err != nil:
			return nil, "", err
		case by == l.RequestedBy:
			return nil, "", standing.Own.May(standing.SendAgain)
		case !l.mayApprove(g, by):
			return nil, "", fault.New(fault.Forbidden, "Those who could decide when this was asked for decide on it, and you were not one of them. You may release it.")
		case l.Status != PayoutFailed:
			return nil, "", l.cannot("sent anew")
		case g.Status == savings.Suspended:
			return nil, "", fault.New(fault.Conflict, "The group is suspended, so nothing is paid out of it. You may release it, or wait until the group is resumed.")
		}
		return &nairav1.LiquidationRetried{LiquidationId: of.LiquidationID, GroupId: of.GroupID, RetriedBy: by}, Approved, nil
	}}
}

// Release gives one up that the bank refused for certain: its money is free again.
func Release(of Of, by, said string) event.Command {
	return step{Of: of, by: by, says: &said, act: standing.Decide, accounts: of.within(), ends: true, decide: func(l Liquidation, g savings.Group, reason string) (proto.Message, Status, error) {
		switch err := approver(g, by); {
		case err != nil:
			return nil, "", err
		case l.Status != PayoutFailed:
			return nil, "", l.cannot("released")
		}
		return &nairav1.LiquidationReleased{
			LiquidationId: of.LiquidationID, GroupId: of.GroupID, SubAccountId: of.SubAccountID, AmountKobo: int64(l.Amount), ReleasedBy: by, Reason: reason,
		}, Released, nil
	}}
}
