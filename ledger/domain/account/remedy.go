package account

import (
	"slices"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/event"
)

// RemedyWaits is how long a remedy waits for an Admin.
const RemedyWaits = 14 * 24 * time.Hour

// ProposalHolds is for how long nothing leaves an account for a bank once one of our staff proposes to give it back,
// so that a thief takes nothing out before an Admin decides. All such proposals hold it for that long together, until
// none has held anything for ProposalsRest: nobody of our staff freezes a stranger for long, and a proposal that was
// declined leaves the next what is left.
const (
	ProposalHolds = 72 * time.Hour
	ProposalsRest = 30 * 24 * time.Hour
)

// Remedy is what one of our staff proposes to do for a member whose account somebody else used.
type Remedy struct {
	ID, By, Case string
	Kind         nairav1.RemedyKind
	Since        time.Time // What was set up in the account since then ends; zero where it is not given back.
	At           time.Time // When it was proposed.
	HoldsUntil   time.Time // Until when nothing leaves the account for a bank while it waits; zero where it is not given back.
}

// Waits reports whether a remedy waits for an Admin.
func (a Account) Waits(now time.Time) bool {
	return a.Remedy.ID != "" && now.Before(a.Remedy.At.Add(RemedyWaits))
}

// MayAskOut refuses to let a member ask for money to a bank of theirs for some time after a remedy.
func (a Account) MayAskOut(now time.Time) error {
	if now.Before(a.HeldUntil) {
		return fault.New(fault.Conflict, "Two of our staff changed who this account belongs to, or with which BVN, so nothing leaves it for a bank until %s. Nothing was taken.",
			lagos.Clock(a.HeldUntil)+" (Lagos)")
	}
	return nil
}

// Proposed refuses to have money leave for a bank while one of our staff proposes to give the account back.
func (a Account) Proposed(now time.Time) error {
	if now.Before(a.Remedy.HoldsUntil) {
		return fault.New(fault.Conflict, "One of our staff proposes to give this account to a person who says that it is theirs, so nothing leaves it for a bank until %s, or until that is declined. Nothing was taken.",
			lagos.Clock(a.Remedy.HoldsUntil)+" (Lagos)")
	}
	return nil
}

// CalledOff refuses to send what was asked for before a remedy was done: it may have been asked for by somebody else.
func (a Account) CalledOff(asked time.Time) error {
	if asked.Before(a.HeldFrom) {
		return fault.New(fault.Conflict, "Two of our staff changed the account since this was asked for, so it is called off.")
	}
	return nil
}

// Span is a time in which somebody else used an account: until it was given back and every session had ended. Until is
// zero as long as sessions may be open.
type Span struct{ Since, Until time.Time }

// has reports whether a moment lies in the span. The zero time does not.
func (s Span) has(at time.Time) bool {
	return !at.Before(s.Since) && (s.Until.IsZero() || at.Before(s.Until))
}

// Stolen reports whether a moment lies in a time in which somebody else used the account. The zero time does not.
func (a Account) Stolen(at time.Time) bool {
	return slices.ContainsFunc(a.Given, func(s Span) bool { return s.has(at) })
}

// GivenBack answers when the account was last given back with every session ended. It is false for an account that
// never was, and while the sessions may be open.
func (a Account) GivenBack() (at time.Time, is bool) {
	if len(a.Given) == 0 || a.SessionsOpen() {
		return time.Time{}, false
	}
	return a.Given[len(a.Given)-1].Until, true
}

// UndoFor is for how long after that the owner undoes what somebody else joined in their name.
const UndoFor = 30 * 24 * time.Hour

// MayUndo reports whether the owner may undo now what somebody joined in their name at a moment. The time counts from
// the end of the first theft that has the moment: a later one renews it for nothing. Nobody undoes anything while the
// sessions of somebody else may be open.
func (a Account) MayUndo(at, now time.Time) bool {
	first := slices.IndexFunc(a.Given, func(s Span) bool { return s.has(at) })
	return first >= 0 && !a.SessionsOpen() && now.Before(a.Given[first].Until.Add(UndoFor))
}

// SessionsOpen reports whether the account is given back and somebody else's sessions may still be open.
func (a Account) SessionsOpen() bool {
	return len(a.Given) > 0 && a.Given[len(a.Given)-1].Until.IsZero()
}

// EndSessions records when the last session of an account that a remedy gives back ended.
func EndSessions(user, remedyID string, ended time.Time) event.Command {
	return on{user, func(a Account) (proto.Message, error) {
		last := len(a.Given) - 1
		if last < 0 || a.Done.ID != remedyID || a.Done.Kind != nairav1.RemedyKind_REMEDY_KIND_GIVE_BACK || !a.Given[last].Until.IsZero() {
			return nil, fault.New(fault.Conflict, "No sessions of an account that is given back are to be ended.")
		}
		return &nairav1.AccountSessionsEnded{UserId: user, RemedyId: remedyID, EndedAt: timestamppb.New(ended)}, nil
	}}
}

// remedied is an account after an event about a remedy.
func remedied(a Account, e event.Happened) Account {
	switch m := e.Message.(type) {
	case *nairav1.AccountRemedyProposed:
		a = a.freed(e.EffectiveAt)
		a.Remedy = Remedy{ID: m.GetRemedyId(), By: m.GetProposedBy(), Case: m.GetCaseId(), Kind: m.GetKind(), At: e.EffectiveAt}
		if m.GetSince() != nil {
			a.Remedy.Since = m.GetSince().AsTime()
			if !e.EffectiveAt.Before(a.HoldBegan.Add(ProposalsRest)) {
				a.Held = 0
			}
			if a.Held < ProposalHolds {
				a.HoldBegan = e.EffectiveAt
			}
			a.Remedy.HoldsUntil = e.EffectiveAt.Add(ProposalHolds - a.Held)
		}
	case *nairav1.AccountRemedyDeclined:
		a = a.freed(e.EffectiveAt)
	case *nairav1.AccountGivenBackV2:
		span := Span{m.GetSince().AsTime(), e.EffectiveAt}
		if m.GetUntilSessionsEnd() {
			span.Until = time.Time{}
		}
		a.Given = append(slices.Clip(a.Given), span)
		a.Consented = a.Consented && !a.Stolen(a.ConsentedAt)
		return a.done(e, m.GetHeldUntil().AsTime())
	case *nairav1.AccountSessionsEnded:
		if a.Given = slices.Clone(a.Given); len(a.Given) > 0 {
			a.Given[len(a.Given)-1].Until = m.GetEndedAt().AsTime()
		}
	case *nairav1.AnotherBvnLetIn:
		a.Bvn, a.AnotherBvn, a.Tier, a.TierGiven = Unchecked, true, 0, false
		return a.done(e, m.GetHeldUntil().AsTime())
	}
	return a
}

// freed is an account whose remedy waits no more: for how long that held withdrawals counts.
func (a Account) freed(at time.Time) Account {
	if at.After(a.Remedy.HoldsUntil) {
		at = a.Remedy.HoldsUntil
	}
	if at.After(a.Remedy.At) {
		a.Held += at.Sub(a.Remedy.At)
	}
	a.Remedy = Remedy{}
	return a
}

// done is an account after a remedy. A longer hold of an earlier one stays.
func (a Account) done(e event.Happened, until time.Time) Account {
	a.Done, a.HeldFrom = a.Remedy, e.EffectiveAt
	a = a.freed(e.EffectiveAt)
	if until.After(a.HeldUntil) {
		a.HeldUntil = until
	}
	return a
}
