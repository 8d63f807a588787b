package dispute

import (
	"slices"

	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajocard"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
)

// Paid is a payment that the bank of a card disputes, with the group or the ajo that it was for; the zero Paid of every
// other dispute.
type Paid struct{ Payment, Group, Ajo string }

// PaidFor is what a payment was for.
func PaidFor(payment string, p wallet.Payment) Paid {
	return Paid{payment, p.For.GetGroupId(), p.ForAjo.GetAjoId()}
}

// Ties are what the caller knows of a case and the case does not name: the ajo or the savings card of the movement that
// it is about, and whether the person who looks or acts is the guardian of its member. Empty ids are none.
type Ties struct {
	Ajo, Card string
	Guardian  bool
}

// Matter is what a case is about, by the groups and the ajo whose people are parties to it. Empty ids are none.
type Matter struct {
	Groups, Ajos []string
	Paid         Paid
	Ties         Ties
}

func (m Matter) groups() []string { return named(append(slices.Clip(m.Groups), m.Paid.Group)) }
func (m Matter) ajos() []string   { return named(append(slices.Clip(m.Ajos), m.Paid.Ajo, m.Ties.Ajo)) }

func named(ids []string) []string {
	slices.Sort(ids)
	return slices.DeleteFunc(slices.Compact(ids), func(id string) bool { return id == "" })
}

// Streams are those that say whether a person is a party.
func (m Matter) Streams(user string) []string {
	streams := []string{ajo.CommitStream(user)}
	for _, group := range m.groups() {
		streams = append(streams, savings.MemberStream(group, user))
	}
	for _, id := range m.ajos() {
		streams = append(streams, ajo.Stream(id))
	}
	if m.Paid.Payment != "" {
		streams = append(streams, wallet.Stream(m.Paid.Payment))
	}
	if m.Ties.Card != "" {
		streams = append(streams, ajocard.Stream(m.Ties.Card))
	}
	return streams
}

// Party reports whether a person is or was in one of its groups or ajo, collects or collected for its savings card, or
// is its member's guardian. Earlier builds did not ask who had left, nor what a payment or a movement was for.
func (m Matter) Party(v event.View, user string) bool {
	_, earlier := v.(standing.Earlier)
	if earlier {
		m.Paid, m.Ties = Paid{}, Ties{}
	}
	if m.Ties.Guardian || m.Ties.Card != "" && slices.Contains(event.StateOf[ajocard.Card](v, ajocard.Stream(m.Ties.Card)).Collectors, user) {
		return true
	}
	promised := event.StateOf[ajo.Commitments](v, ajo.CommitStream(user))
	return slices.ContainsFunc(m.groups(), func(group string) bool {
		is := event.StateOf[savings.Member](v, savings.MemberStream(group, user))
		return is.Status != savings.None || is.Was && !earlier
	}) || slices.ContainsFunc(m.ajos(), func(id string) bool {
		return event.StateOf[ajo.Ajo](v, ajo.Stream(id)).IsMember(user) || slices.Contains(promised.Ever, id) && !earlier
	})
}

// Known reports whether what the caller says of a payment is so.
func (p Paid) Known(v event.View, d Dispute) bool {
	return p == Paid{} || p == PaidFor(d.Card.Payment, event.StateOf[wallet.Payment](v, wallet.Stream(p.Payment)))
}
