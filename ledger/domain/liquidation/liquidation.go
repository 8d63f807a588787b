// Package liquidation decides how money leaves a group: a member's own savings, or a payment of the group to somebody.
//
//	REQUESTED ──▶ VALIDATED ──▶ APPROVED ──▶ PAYOUT_PENDING ──▶ PAID ──▶ REVERSED
//	   │              │             ▲    └──────────┬───┘          ▲
//	   │              │             └─ retried ─ PAYOUT_FAILED ────┴──▶ RELEASED
//	   └──────────────┴──▶ VALIDATION_REJECTED | APPROVAL_REJECTED | CANCELLED | EXPIRED
//
//	REQUESTED | VALIDATED | APPROVED ◀──▶ ON_HOLD ──▶ APPROVAL_REJECTED | CANCELLED | EXPIRED
//
// Who may decide is fixed with the request: no later change of an office adds anybody, and nobody replaces one who
// left. A payment of the group waits for the group's notice, in which two members put it on hold; approvers answer
// them, or reject it.
//
// The amount is held from the request until it is paid or free again; but a member's own savings that the sub-account
// does not hold just then are held once they are approved, so that asking tells nothing of what it holds.
//
// PAYOUT_PENDING is recorded before the bank is told, and from then on the bank is only asked; it is sent anew only
// after the bank refused it for certain, and under another reference. A bank that pays after all, under whichever
// reference, has paid the request as long as its amount is held. Nobody acts twice on a request, and nobody on their
// own.
package liquidation

import (
	"slices"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
)

// Status is where a request stands.
type Status string

// The statuses.
const (
	None               Status = ""
	Requested          Status = "REQUESTED"
	Validated          Status = "VALIDATED"
	OnHold             Status = "ON_HOLD"  // Members objected, and approvers have not answered.
	Approved           Status = "APPROVED" // Or to be sent anew.
	PayoutPending      Status = "PAYOUT_PENDING"
	PayoutFailed       Status = "PAYOUT_FAILED"
	Paid               Status = "PAID"
	Reversed           Status = "REVERSED"
	ValidationRejected Status = "VALIDATION_REJECTED"
	ApprovalRejected   Status = "APPROVAL_REJECTED"
	Cancelled          Status = "CANCELLED"
	Expired            Status = "EXPIRED"
	Released           Status = "RELEASED"
)

// OpenStatuses are those of requests that are not over.
var OpenStatuses = []string{string(Requested), string(Validated), string(OnHold), string(Approved), string(PayoutPending), string(PayoutFailed)}

// Liquidation is the state of one request's stream.
type Liquidation struct {
	Status                 Status
	Group, SubAccount      string
	RequestedBy            string
	Kind                   nairav1.LiquidationKind
	Amount, Fee, VAT, Duty money.Kobo
	FeeTable               int32
	Provider               event.Provider // Whose bank account it goes out of.
	Reason                 string
	RequestedAt, ExpiresAt time.Time
	Deciders               Deciders
	Unfunded               bool // Its amount is not held yet.
	PayableFrom            time.Time
	Before                 Status   // Where it stood when it was put on hold.
	Objections, Answers    []string // Who objected, and who answered them.
	Answered               bool     // It was on hold and goes on.
	ValidatedBy            string
	ValidatedAt            time.Time
	Approvals              []string // Who approved it.
	ApprovedAt, AnsweredAt map[string]time.Time
	Needed                 int      // Of approvals, when one was last given.
	References             []string // Under which the bank was told, the last one last.
	Retries                int      // How often it was to be sent anew.
	SentAt                 time.Time
	PaidAt                 time.Time // The bank's.
	EndedAt                time.Time
	ProviderRef            string
	EndReason              string // Why it was refused, failed or came back.
}

// Deciders are who may decide on a request. None are fixed in a request of before they were.
type Deciders struct {
	Validators []string // Any one of them validates.
	Approvers  []string
	Needed     int  // Approvals.
	OwnAccount bool // An official asks the group to pay their own account.
	Shown      bool // Plain members saw what the sub-account held.
}

// Fixed reports whether they were.
func (d Deciders) Fixed() bool { return d.Needed > 0 }

// Charges are what it costs, out of the amount.
func (l Liquidation) Charges() payout.Charges {
	return payout.Charges{Fee: l.Fee, VAT: l.VAT, Duty: l.Duty}
}

// Net is what arrives.
func (l Liquidation) Net() money.Kobo { return l.Amount - l.Charges().Total() }

// Held is what is set aside for it while it is open.
func (l Liquidation) Held() money.Kobo {
	if l.Unfunded {
		return 0
	}
	return l.Amount
}

// Open reports whether it is not over.
func (l Liquidation) Open() bool { return slices.Contains(OpenStatuses, string(l.Status)) }

// Waits reports whether it is open and the bank does not have it.
func (l Liquidation) Waits() bool { return l.Open() && l.Status != PayoutPending }

// Told reports whether the bank was ever told of it under a reference.
func (l Liquidation) Told(reference string) bool { return slices.Contains(l.References, reference) }

// Last is under which the bank was told of it last; empty until it was.
func (l Liquidation) Last() string {
	if len(l.References) == 0 {
		return ""
	}
	return l.References[len(l.References)-1]
}

// Withdrawal reports whether a member asks for their own savings.
func (l Liquidation) Withdrawal() bool {
	return l.Kind == nairav1.LiquidationKind_LIQUIDATION_KIND_MEMBER_WITHDRAWAL
}

// Liquidations folds a request's stream.
var Liquidations = event.Of("liquidation", 7, func(l Liquidation, e event.Happened) Liquidation {
	switch m := e.Message.(type) {
	case *nairav1.LiquidationRequestedV2:
		return Liquidation{
			Status: Requested, Group: m.GetGroupId(), SubAccount: m.GetSubAccountId(), RequestedBy: m.GetRequestedBy(), Kind: m.GetKind(),
			Amount: money.Kobo(m.GetAmountKobo()), Fee: money.Kobo(m.GetFeeKobo()), VAT: money.Kobo(m.GetVatKobo()), Duty: money.Kobo(m.GetDutyKobo()),
			FeeTable: m.GetFeeTable(), Provider: event.Provider(m.GetProvider()), Reason: m.GetReason(), RequestedAt: e.EffectiveAt, ExpiresAt: m.GetExpiresAt().AsTime(),
		}
	case *nairav1.LiquidationAskedV2:
		return Liquidation{
			Status: Requested, Group: m.GetGroupId(), SubAccount: m.GetSubAccountId(), RequestedBy: m.GetRequestedBy(), Kind: withdrawal, Unfunded: true,
			Amount: money.Kobo(m.GetAmountKobo()), Fee: money.Kobo(m.GetFeeKobo()), VAT: money.Kobo(m.GetVatKobo()), Duty: money.Kobo(m.GetDutyKobo()),
			FeeTable: m.GetFeeTable(), Provider: event.Provider(m.GetProvider()), Reason: m.GetReason(), RequestedAt: e.EffectiveAt, ExpiresAt: m.GetExpiresAt().AsTime(),
		}
	default:
		return paid(decided(l, e), e)
	}
})

// decided is a request after what people said of it.
func decided(l Liquidation, e event.Happened) Liquidation {
	switch m := e.Message.(type) {
	case *nairav1.LiquidationDecidersFixed:
		l.Deciders = Deciders{Validators: m.GetValidatorIds(), Approvers: m.GetApproverIds(), Needed: int(m.GetApprovalsNeeded()), OwnAccount: m.GetOwnAccount(), Shown: m.GetShown()}
		if m.GetPayableFrom() != nil {
			l.PayableFrom = m.GetPayableFrom().AsTime()
		}
	case *nairav1.LiquidationFunded:
		l.Unfunded = false
	case *nairav1.LiquidationObjected:
		if m.GetObjectedBy() != "" { // Nobody objects where a case was decided for its member.
			l.Objections = append(slices.Clip(l.Objections), m.GetObjectedBy())
		}
		if m.GetObjections() >= m.GetNeeded() {
			l.Before, l.Status, l.Answers, l.AnsweredAt = l.Status, OnHold, nil, nil
		}
	case *nairav1.LiquidationAnswered:
		l = l.AnsweredBy(m.GetAnsweredBy(), e.EffectiveAt)
		if m.GetAnswers() >= m.GetNeeded() {
			l.Status, l.Before, l.Answered, l.PayableFrom = l.Before, None, true, m.GetPayableFrom().AsTime()
		}
	case *nairav1.LiquidationValidated:
		l.Status, l.ValidatedBy, l.ValidatedAt = Validated, m.GetValidatedBy(), e.EffectiveAt
	case *nairav1.LiquidationApproved:
		if l.Needed = int(m.GetNeeded()); m.GetApprovedBy() != "" {
			l = l.ApprovedBy(m.GetApprovedBy(), e.EffectiveAt)
		}
		if m.GetApprovals() >= m.GetNeeded() {
			l.Status = Approved
		}
	case *nairav1.LiquidationRejected:
		l.Status = ApprovalRejected
		if m.GetInValidation() {
			l.Status = ValidationRejected
		}
		l.EndedAt, l.EndReason = e.EffectiveAt, m.GetReason()
	case *nairav1.LiquidationCancelled:
		l.Status, l.EndedAt = Cancelled, e.EffectiveAt
	case *nairav1.LiquidationExpired:
		l.Status, l.EndedAt = Expired, e.EffectiveAt
	}
	return l
}

// paid is a request after what was told to the bank and by it.
func paid(l Liquidation, e event.Happened) Liquidation {
	switch m := e.Message.(type) {
	case *nairav1.LiquidationSent:
		l.Status, l.References, l.SentAt = PayoutPending, append(slices.Clip(l.References), m.GetReference()), e.EffectiveAt
	case *nairav1.LiquidationPaidV2:
		l.Status, l.ProviderRef, l.PaidAt, l.EndReason = Paid, m.GetProviderRef(), m.GetPaidAt().AsTime(), ""
	case *nairav1.LiquidationFailed:
		l.Status, l.EndReason = PayoutFailed, m.GetReason()
	case *nairav1.LiquidationRetried:
		l.Status, l.Retries = Approved, l.Retries+1
	case *nairav1.LiquidationReleased:
		l.Status, l.EndedAt, l.EndReason = Released, e.EffectiveAt, m.GetReason()
	case *nairav1.LiquidationReversedV3:
		l.Status, l.EndedAt, l.EndReason = Reversed, e.EffectiveAt, m.GetReason()
	}
	return l
}

// Stream is the stream of a request.
func Stream(liquidationID string) string { return "liquidation:" + liquidationID }

// ApprovalsMost is how many approvals a request needs where enough people may give them.
const ApprovalsMost = 2

// ObjectionsNeeded is how many members put a payment of the group on hold.
const ObjectionsNeeded = 2

// mayValidate reports whether a user is one who validates a request. Of a request of before deciders were fixed it is
// the validator, and where the validator asks an approver, if they held the office when it was made.
func (l Liquidation) mayValidate(g savings.Group, user string) bool {
	switch {
	case l.Deciders.Fixed():
		return slices.Contains(l.Deciders.Validators, user) && g.Official(user)
	case l.RequestedBy == g.Validator:
		return g.MayApprove(user) && g.InOffice(user, l.RequestedAt)
	default:
		return user == g.Validator && g.InOffice(user, l.RequestedAt)
	}
}

// mayApprove reports whether a user is one who approves it.
func (l Liquidation) mayApprove(g savings.Group, user string) bool {
	if l.Deciders.Fixed() {
		return slices.Contains(l.Deciders.Approvers, user) && g.MayApprove(user)
	}
	return g.MayApprove(user) && g.InOffice(user, l.RequestedAt)
}

// Approvers are those who may approve a request besides those who have: not who asked for it, nor who validated it.
func Approvers(g savings.Group, l Liquidation) []string {
	may := []string{}
	for _, user := range g.Approvers {
		if l.mayApprove(g, user) && user != l.RequestedBy && user != l.ValidatedBy && !slices.Contains(l.Approvals, user) {
			may = append(may, user)
		}
	}
	return may
}

// Counted is a request with the approvals and answers that count: those of approvers who have held the office since
// they gave them. An approver who lost it and is one again may give theirs again.
func (l Liquidation) Counted(g savings.Group) Liquidation {
	lost := func(given map[string]time.Time) func(user string) bool {
		return func(user string) bool { return !g.MayApprove(user) || !g.Held(user, given[user]) }
	}
	l.Approvals = slices.DeleteFunc(slices.Clone(l.Approvals), lost(l.ApprovedAt))
	l.Answers = slices.DeleteFunc(slices.Clone(l.Answers), lost(l.AnsweredAt))
	return l
}

// Doubtful reports whether somebody validated or approved a request whose account was given back to them since: it may
// have been the person who had taken it over.
func (l Liquidation) Doubtful(g savings.Group) bool {
	return g.GivenBack[l.ValidatedBy].After(l.ValidatedAt) ||
		slices.ContainsFunc(l.Approvals, func(user string) bool { return g.GivenBack[user].After(l.ApprovedAt[user]) })
}

// ApprovedBy is a request after somebody approved it, for the first time or again.
func (l Liquidation) ApprovedBy(user string, at time.Time) Liquidation {
	l.Approvals, l.ApprovedAt = given(l.Approvals, l.ApprovedAt, user, at)
	return l
}

// AnsweredBy is a request after somebody answered those who objected, for the first time or again.
func (l Liquidation) AnsweredBy(user string, at time.Time) Liquidation {
	l.Answers, l.AnsweredAt = given(l.Answers, l.AnsweredAt, user, at)
	return l
}

func given(by []string, when map[string]time.Time, user string, at time.Time) ([]string, map[string]time.Time) {
	all := map[string]time.Time{user: at}
	for _, other := range by {
		if other != user {
			all[other] = when[other]
		}
	}
	return append(slices.DeleteFunc(slices.Clone(by), func(b string) bool { return b == user }), user), all
}

// Needed is how many approvals a request needs in all. It is fixed with the request. One of before it was needs two, or
// as many as there are people who may give them; where the validator asks, an approver validates, and does not approve.
func Needed(g savings.Group, l Liquidation) int {
	if l.Deciders.Fixed() {
		return l.Deciders.Needed
	}
	able := len(Approvers(g, l)) + len(l.Approvals)
	if l.Status == Requested && l.RequestedBy == g.Validator {
		able--
	}
	return min(ApprovalsMost, able)
}

// became says in words what has become of a request, and what may be done.
var became = map[Status]string{
	Requested: "waits to be validated", Validated: "is validated and waits to be approved", Approved: "is approved and is about to be paid",
	OnHold: "is on hold because members objected, until approvers answer them", PayoutPending: "is on its way to the bank", PayoutFailed: "was not paid by the bank, so an approver may send it anew or release it",
	Paid: "is paid", Reversed: "was paid and sent back", ValidationRejected: "was rejected by the validator", ApprovalRejected: "was rejected by an approver",
	Cancelled: "was cancelled", Expired: "has expired", Released: "was given up and its money is with the group again",
}

func (l Liquidation) cannot(become string) error {
	return fault.New(fault.Conflict, "This request %s, so it cannot be %s.", became[l.Status], become)
}

func errNone() error { return fault.New(fault.NotFound, "There is no such request.") }
