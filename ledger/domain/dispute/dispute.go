// Package dispute decides disputes: a member says that something about their money is wrong, and Support finds out.
//
//	OPEN ──▶ INVESTIGATING ◀──▶ INFO_REQUESTED
//	  │            └──────┬───────────┘
//	  │                   ├──▶ RESOLVED_UPHELD | RESOLVED_REJECTED ──▶ REOPENED, once, within 14 days
//	  └───────────────────┴──▶ WITHDRAWN, by who opened it
//
// REOPENED goes on as OPEN does. A dispute moves no money: what puts things right is a command of its own. Who took a
// case decides it, and nobody of Support looks at or takes one of their own, or one to which they are a party
// (Matter.Party).
//
// Clocks: somebody takes the case within 24 hours; it is decided within 72 hours where a transfer or a card is
// concerned, and within 14 days otherwise. While the member is asked something the second clock stands still, for at
// most seven days in all. The first figures are those of the Central Bank of Nigeria for electronic channels.
package dispute

import (
	"encoding/base32"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
)

// Status is where a dispute stands.
type Status string

// The statuses.
const (
	None          Status = ""
	Open          Status = "OPEN"
	Investigating Status = "INVESTIGATING"
	InfoRequested Status = "INFO_REQUESTED"
	Upheld        Status = "RESOLVED_UPHELD"
	Rejected      Status = "RESOLVED_REJECTED"
	Reopened      Status = "REOPENED"
	Withdrawn     Status = "WITHDRAWN"
)

// The times that Adashi gives itself, and its members.
const (
	AcknowledgeIn = 24 * time.Hour
	PaymentIn     = 72 * time.Hour      // A transfer or a card.
	OtherIn       = 14 * 24 * time.Hour // Everything else.
	AnswerIn      = 7 * 24 * time.Hour
	ReopenIn      = 14 * 24 * time.Hour
)

// Dispute is the state of one dispute's stream.
type Dispute struct {
	Status                  Status
	User                    string
	Kind                    nairav1.DisputeKind // None of a dispute that the bank of a card has.
	Group, SubAccount, Ajo  string
	Event                   string
	Amount                  money.Kobo
	About                   string
	Staff                   string // Who has the case.
	Version                 int    // Another each time that somebody takes it, or nobody has it any more.
	OpenedAt                time.Time
	AcknowledgeBy, DecideBy time.Time
	AskedAt, AnswerBy       time.Time     // Since when the member is asked something; zero while they are not.
	Stood                   time.Duration // For how long in all the clock stood still while they were.
	ResolvedAt, ReopenUntil time.Time
	WasReopened             bool
	LateToTake, LateToEnd   bool // Which clocks ran out.
	Papers                  int
	Hold                    Hold
	Card                    Card
}

// Card is what the bank of a card disputes; the zero Card of every other dispute.
type Card struct {
	Ref      string // The gateway's.
	Provider event.Provider
	Payment  string    // The payment that it is about.
	AnswerBy time.Time // Until when the gateway takes our answer; zero where it did not say.
	Reminded bool      // Support was reminded of it.
	Ended    bool
}

// Hold is what a member wants to stay in a sub-account while it is looked into.
type Hold struct {
	Liquidation string // The payout of the sub-account that was asked for; empty for no hold.
	Amount      money.Kobo
	Until       time.Time // Zero while Support has to allow it.
	Extended    bool
}

// Aggregate folds a dispute's stream.
var Aggregate = event.Of("dispute", 6, func(d Dispute, e event.Happened) Dispute {
	switch m := e.Message.(type) {
	case *nairav1.DisputeOpened:
		return Dispute{
			Status: Open, Version: 1, User: m.GetUserId(), Kind: m.GetKind(), Group: m.GetGroupId(), SubAccount: m.GetSubAccountId(), Ajo: m.GetAjoId(), Event: m.GetEventId(),
			Amount: money.Kobo(m.GetAmountKobo()), About: m.GetAbout(), OpenedAt: e.EffectiveAt, AcknowledgeBy: m.GetAcknowledgeBy().AsTime(), DecideBy: m.GetDecideBy().AsTime(),
		}
	case *nairav1.DisputeTaken:
		d.Status, d.Staff, d.Version = Investigating, m.GetStaffId(), d.Version+1
	case *nairav1.DisputeAsked:
		d.Status, d.AskedAt, d.AnswerBy = InfoRequested, e.EffectiveAt, m.GetAnswerBy().AsTime()
	case *nairav1.DisputeAnswered:
		by := m.GetDecideBy().AsTime()
		d.Status, d.AskedAt, d.AnswerBy, d.DecideBy, d.Stood = Investigating, time.Time{}, time.Time{}, by, d.Stood+by.Sub(d.DecideBy)
	case *nairav1.DisputeEvidenceAdded:
		d.Papers++
	case *nairav1.DisputeHoldAsked:
		d.Hold = Hold{Liquidation: m.GetLiquidationId(), Amount: money.Kobo(m.GetAmountKobo())}
		if m.GetUntil() != nil {
			d.Hold.Until = m.GetUntil().AsTime()
		}
	case *nairav1.DisputeHoldAllowed:
		d.Hold.Extended = !d.Hold.Until.IsZero()
		d.Hold.Until = m.GetUntil().AsTime()
	case *nairav1.CardDisputeTold:
		d = Dispute{
			Status: Open, Version: 1, User: m.GetUserId(), Event: m.GetEventId(), Amount: money.Kobo(m.GetAmountKobo()), About: m.GetAbout(), OpenedAt: e.EffectiveAt,
			AcknowledgeBy: m.GetAcknowledgeBy().AsTime(), DecideBy: m.GetDecideBy().AsTime(), Card: Card{Ref: m.GetProviderRef(), Provider: event.Provider(m.GetProvider()), Payment: m.GetPaymentId()},
		}
		if m.GetAnswerBy() != nil {
			d.Card.AnswerBy = m.GetAnswerBy().AsTime()
		}
	case *nairav1.CardAnswerDue:
		d.Card.Reminded = true
	case *nairav1.CardDisputeEnded:
		d.Card.Ended, d.ReopenUntil = true, time.Time{}
		if d.IsOpen() {
			d.AskedAt, d.AnswerBy, d.ResolvedAt = time.Time{}, time.Time{}, e.EffectiveAt
			if d.Status = Rejected; m.GetUpheld() {
				d.Status = Upheld
			}
		}
	case *nairav1.DisputeResolved:
		if d.Status = Rejected; m.GetUpheld() {
			d.Status = Upheld
		}
		d.ResolvedAt = e.EffectiveAt
		if m.GetReopenUntil() != nil {
			d.ReopenUntil = m.GetReopenUntil().AsTime()
		}
	case *nairav1.DisputeReopened:
		d.Status, d.WasReopened, d.Staff, d.Version, d.LateToTake, d.LateToEnd = Reopened, true, "", d.Version+1, false, false
		d.AcknowledgeBy, d.DecideBy, d.ReopenUntil = m.GetAcknowledgeBy().AsTime(), m.GetDecideBy().AsTime(), time.Time{}
	case *nairav1.DisputeWithdrawn:
		d.Status, d.AskedAt, d.AnswerBy = Withdrawn, time.Time{}, time.Time{}
	case *nairav1.DisputeOverdue:
		d.LateToTake = d.LateToTake || m.GetClock() == nairav1.DisputeClock_DISPUTE_CLOCK_ACKNOWLEDGE
		d.LateToEnd = d.LateToEnd || m.GetClock() == nairav1.DisputeClock_DISPUTE_CLOCK_DECIDE
	}
	return d
})

// IsOpen reports whether a dispute is not over.
func (d Dispute) IsOpen() bool {
	switch d.Status {
	case Open, Investigating, InfoRequested, Reopened:
		return true
	default:
		return false
	}
}

// aboutPayout is how what a dispute is about begins where that is a payout which is asked of a group.
const aboutPayout = "request "

// AboutPayout is what a dispute is about that is about a payout.
func AboutPayout(liquidationID string) string { return aboutPayout + liquidationID }

// Payout is the payout of a group that it is about; empty for none.
func (d Dispute) Payout() string {
	if d.Hold.Liquidation != "" {
		return d.Hold.Liquidation
	}
	payout, _ := strings.CutPrefix(d.About, aboutPayout)
	if payout == d.About {
		return ""
	}
	return payout
}

// Waits reports whether nobody has the case.
func (d Dispute) Waits() bool { return d.Status == Open || d.Status == Reopened }

// Stream is the stream of a dispute.
func Stream(disputeID string) string { return "dispute:" + disputeID }

// Disputes are a member's.
type Disputes struct {
	Open     map[string]string // The disputes that are open, by what they are about.
	Rejected []time.Time       // When a hold of theirs turned out to be for nothing.
}

// OfMember folds a member's disputes.
var OfMember = event.Of("disputes", 2, func(all Disputes, e event.Happened) Disputes {
	switch m := e.Message.(type) {
	case *nairav1.DisputeCounted:
		open := make(map[string]string, len(all.Open)+1)
		for about, id := range all.Open {
			if about != m.GetAbout() {
				open[about] = id
			}
		}
		if m.GetOpen() {
			open[m.GetAbout()] = m.GetDisputeId()
		}
		all.Open = open
	case *nairav1.DisputeHoldRejected:
		all.Rejected = append(slices.Clip(all.Rejected), e.EffectiveAt)
	}
	return all
})

// MemberStream is the stream of a member's disputes.
func MemberStream(userID string) string { return "disputes:" + userID }

var letters = base32.NewEncoding("ABCDEFGHJKLMNPQRSTUVWXYZ23456789").WithPadding(base32.NoPadding)

// Number is the tracking number of a dispute, which people read to each other: no letter of it looks like a digit.
func Number(disputeID string) string {
	id, err := uuid.Parse(disputeID)
	if err != nil {
		return ""
	}
	text := letters.EncodeToString(id[:5])
	return "AD-" + text[:4] + "-" + text[4:]
}

// titles are the kinds in the member's words; without a kind it is the dispute of a card's bank.
var titles = map[nairav1.DisputeKind]string{
	nairav1.DisputeKind_DISPUTE_KIND_NOT_CREDITED:  "I paid and it is not there",
	nairav1.DisputeKind_DISPUTE_KIND_TWICE:         "It was taken twice",
	nairav1.DisputeKind_DISPUTE_KIND_WRONG_AMOUNT:  "The amount is wrong",
	nairav1.DisputeKind_DISPUTE_KIND_WRONG_MONTH:   "It went to the wrong due",
	nairav1.DisputeKind_DISPUTE_KIND_FINED_IN_TIME: "I was fined though I paid in time",
	nairav1.DisputeKind_DISPUTE_KIND_NOT_PAID_OUT:  "A payout did not arrive",
	nairav1.DisputeKind_DISPUTE_KIND_NOT_ME:        "It was not me",
	nairav1.DisputeKind_DISPUTE_KIND_TURN:          "A turn is wrong",
	nairav1.DisputeKind_DISPUTE_KIND_UNSPECIFIED:   "Your bank disputes a card payment",
}

// Title is what a dispute of a kind is about, in the member's words.
func Title(kind nairav1.DisputeKind) string { return titles[kind] }

// deadline is by when a dispute of a kind is decided that begins at a moment.
func deadline(kind nairav1.DisputeKind, at time.Time) time.Time {
	switch kind {
	case nairav1.DisputeKind_DISPUTE_KIND_UNSPECIFIED, nairav1.DisputeKind_DISPUTE_KIND_NOT_CREDITED, nairav1.DisputeKind_DISPUTE_KIND_TWICE, nairav1.DisputeKind_DISPUTE_KIND_WRONG_AMOUNT:
		return at.Add(PaymentIn)
	default:
		return at.Add(OtherIn)
	}
}

func errNone() error { return fault.New(fault.NotFound, "There is no such dispute.") }
