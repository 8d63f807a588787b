package ledger

import (
	"encoding/hex"
	"slices"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajoback"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/domain/draw"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/redecide"
)

// wishAjoLife are how an ajo comes to its order, and how its members change it.
func wishAjoLife(all redecide.Wishes, beacons beacons) {
	wishAjoOrder(all, beacons)
	wishAjoList(all)
	wishAjoTurns(all)
	wishAjoVotes(all)
	wishAjoChoices(all)
}

// wishAjoOrder are the list that is sealed, and the order that is accepted or drawn.
func wishAjoOrder(all redecide.Wishes, beacons beacons) {
	wishIn(all, func(v event.View, m *nairav1.AjoListClosedV2, events []redecide.Recorded, at int) []event.Command {
		a := event.StateOf[ajo.Ajo](v, ajo.Stream(m.GetAjoId()))
		beacon, ok := beacons.of(m.GetChainHash())
		if !ok {
			return nil
		}
		c := ajo.CloseList{AjoID: m.GetAjoId(), By: a.Owner, Members: a.Members(), Beacon: beacon, Salt: m.GetSalt()}
		now, sealed := events[at].EffectiveAt, m.GetDrawAt().AsTime()
		if proposed, ok := ahead[*nairav1.AjoOrderProposed](events, at); ok {
			for _, seat := range proposed.GetOrder() {
				c.Proposed = append(c.Proposed, int(seat))
			}
			now = proposed.GetAcceptBy().AsTime().Add(-time.Duration(a.Terms.GetOrderHours()) * time.Hour)
		} else if m.GetOrder() == nairav1.AjoOrder_AJO_ORDER_JOIN_ORDER {
			now = sealed
		} else if m.GetSource() == nairav1.AjoDrawSource_AJO_DRAW_SOURCE_PHONES {
			now = sealed.Add(-time.Duration(a.Terms.GetRevealHours()) * time.Hour)
		}
		c.Now = now
		return one(c)
	})
	wish(all, func(m *nairav1.AjoOrderAccepted, e redecide.Recorded) []event.Command {
		return atEither(e, func(now time.Time) event.Command { return ajo.AcceptOrder(m.GetAjoId(), m.GetUserId(), now) })
	})
	wishIn(all, func(v event.View, m *nairav1.AjoOrderAcceptanceEnded, _ []redecide.Recorded, _ int) []event.Command {
		return wordEnds(v, m)
	})
	wish(all, func(m *nairav1.AjoPhoneRevealed, e redecide.Recorded) []event.Command {
		return atEither(e, func(now time.Time) event.Command {
			return ajo.RevealPhone(m.GetAjoId(), m.GetUserId(), m.GetSecret(), now)
		})
	})
	wishIn(all, func(v event.View, m *nairav1.AjoOrderDrawn, events []redecide.Recorded, at int) []event.Command {
		if m.GetRound() == 0 {
			return atEither(events[at], func(now time.Time) event.Command { return ajo.DrawPhones(m.GetAjoId(), now) })
		}
		b, ok := beacons.of(event.StateOf[ajo.Ajo](v, ajo.Stream(m.GetAjoId())).Closing.Chain)
		if !ok {
			return nil
		}
		return atEither(events[at], func(now time.Time) event.Command { return ajo.SubmitBeacon(m.GetAjoId(), b, m.GetSignature(), now) })
	})
}

// beacons are those whose keys are known.
type beacons []draw.Beacon

// of is the beacon of a chain, and none where nothing of it is sealed. A chain of which no key is known is compared
// with quicknet, which refuses it, but for one of a test.
func (all beacons) of(chain string) (draw.Beacon, bool) {
	test := false
	if chain == "" {
		return draw.Beacon{}, true
	}
	for _, b := range all {
		if chain == hex.EncodeToString(b.Chain[:]) {
			return b, true
		}
		test = test || b.Test
	}
	return all[0], !test
}

// wishAjoTurns are swaps, and places that are given up and kept.
func wishAjoTurns(all redecide.Wishes) {
	wish(all, func(m *nairav1.AjoSwapProposed, _ redecide.Recorded) []event.Command {
		return one(ajo.ProposeSwap(m.GetAjoId(), m.GetSwapId(), m.GetProposedBy(), int(m.GetSeat()), int(m.GetWithSeat())))
	})
	wish(all, func(m *nairav1.AjoSwapAgreed, _ redecide.Recorded) []event.Command {
		return one(ajo.AgreeSwap(m.GetAjoId(), m.GetSwapId(), m.GetUserId()))
	})
	wishIn(all, func(v event.View, m *nairav1.AjoSwapEnded, _ []redecide.Recorded, _ int) []event.Command {
		if m.GetUserId() == "" {
			return nil // It ended because turns changed.
		}
		return append(one(ajo.DeclineSwap(m.GetAjoId(), m.GetSwapId(), m.GetUserId())), wordEnds(v, m)...)
	})
	wishIn(all, func(v event.View, m *nairav1.AjoPlaceOpened, _ []redecide.Recorded, _ int) []event.Command {
		if m.GetExpelled() {
			return nil // A vote's.
		}
		now := m.GetUntil().AsTime().AddDate(0, 0, -int(event.StateOf[ajo.Ajo](v, ajo.Stream(m.GetAjoId())).Terms.GetReplacementDays()))
		return one(ajo.OpenPlace(m.GetAjoId(), m.GetUserId(), int(m.GetSeat()), now))
	})
	wishIn(all, func(v event.View, m *nairav1.AjoPlaceKept, events []redecide.Recorded, at int) []event.Command {
		return append(append(judged(events, at), ajo.KeepPlace(m.GetAjoId(), m.GetUserId(), int(m.GetSeat()))), wordEnds(v, m)...)
	})
	wish(all, func(m *nairav1.AjoTermsAccepted, _ redecide.Recorded) []event.Command {
		return one(ajo.AcceptTerms(m.GetAjoId(), m.GetUserId(), m.GetTermsHash()))
	})
	wish(all, func(m *nairav1.AjoPastAnswered, _ redecide.Recorded) []event.Command {
		return one(ajo.AnswerPast(m.GetAjoId(), m.GetUserId(), m.GetConfirmed()))
	})
}

// wordEnds is that what a member said in an ajo ends, since their account was given back. Elsewhere it ends behind
// another event.
func wordEnds(v event.View, m interface {
	GetAjoId() string
	GetUserId() string
},
) []event.Command {
	if len(event.StateOf[account.Account](v, account.Stream(m.GetUserId())).Given) == 0 {
		return nil
	}
	c := ajoback.Of(event.StateOf[ajo.Ajo](v, ajo.Stream(m.GetAjoId())), m.GetAjoId(), m.GetUserId())
	if len(c.Cycles) == 0 {
		return one(c)
	}
	before := c // The current cycle may have begun once the command was made.
	before.Cycles = c.Cycles[:len(c.Cycles)-1]
	return append(one(c), before)
}

// wishAjoVotes are what members vote about.
func wishAjoVotes(all redecide.Wishes) {
	wishIn(all, func(v event.View, m *nairav1.AjoVoteEnded, _ []redecide.Recorded, _ int) []event.Command {
		return wordEnds(v, m)
	})
	wishIn(all, func(v event.View, m *nairav1.AjoBidEnded, _ []redecide.Recorded, _ int) []event.Command {
		return wordEnds(v, m)
	})
	wishIn(all, func(v event.View, m *nairav1.AjoMotionVoteEnded, _ []redecide.Recorded, _ int) []event.Command {
		return wordEnds(v, m)
	})
	wishIn(all, func(v event.View, m *nairav1.AjoMotionMade, _ []redecide.Recorded, _ int) []event.Command {
		if ajo.NamesOnlyToExpel(m.GetKind(), m.GetUserId()) != nil {
			return nil // An earlier build let every vote name a member.
		}
		now := m.GetUntil().AsTime().AddDate(0, 0, -int(event.StateOf[ajo.Ajo](v, ajo.Stream(m.GetAjoId())).Terms.GetMotionDays()))
		return one(ajo.Move{
			AjoID: m.GetAjoId(), MotionID: m.GetMotionId(), By: m.GetMadeBy(), Kind: m.GetKind(), User: m.GetUserId(), Reason: m.GetReason(), Now: now,
		})
	})
	wishIn(all, func(v event.View, m *nairav1.AjoMotionVoted, events []redecide.Recorded, at int) []event.Command {
		if _, named := namedMotion(v, m.GetAjoId(), m.GetMotionId()); named || pausedTwice(v, m.GetAjoId(), events[at:]) {
			return nil // An earlier build counted it by another rule.
		}
		vote := func(now time.Time) event.Command {
			return ajo.VoteMotion(m.GetAjoId(), m.GetMotionId(), m.GetUserId(), m.GetAgrees(), now)
		}
		if opened, ok := ahead[*nairav1.AjoPlaceOpened](events, at); ok { // It carries an expulsion.
			days := int(event.StateOf[ajo.Ajo](v, ajo.Stream(m.GetAjoId())).Terms.GetReplacementDays())
			return append(one(vote(opened.GetUntil().AsTime().AddDate(0, 0, -days))), atEither(events[at], vote)...)
		}
		return atEither(events[at], vote)
	})
}

// namedMotion is a motion for which an earlier build recorded a member, though it expels nobody, and whether it is one.
func namedMotion(v event.View, ajoID, motionID string) (ajo.Motion, bool) {
	for _, m := range event.StateOf[ajo.Ajo](v, ajo.Stream(ajoID)).Motions {
		if m.ID == motionID {
			return m, m.User != m.About()
		}
	}
	return ajo.Motion{}, false
}

// pausedTwice reports whether some events pause an ajo that is paused: an earlier build did, after two votes at once.
func pausedTwice(v event.View, ajoID string, events []redecide.Recorded) bool {
	_, pauses := ahead[*nairav1.AjoPaused](events, 0)
	return pauses && event.StateOf[ajo.Ajo](v, ajo.Stream(ajoID)).Status == ajo.Paused
}

// namedEnded is the end of a motion of namedMotion. What ended it is taken as it is recorded, but for the end of the
// ajo: there it is decided again from the motion on.
func namedEnded(id string, motion ajo.Motion, carried bool) []event.Command {
	if !carried || motion.Kind != nairav1.AjoMotionKind_AJO_MOTION_KIND_TERMINATE {
		return nil
	}
	return one(agreedBefore{terminate(id, motion.ID), id})
}

// agreedBefore is a command that is decided as if all members had voted for what an ajo votes about.
type agreedBefore struct {
	event.Command
	ajo string
}

// Decide implements event.Command.
func (c agreedBefore) Decide(v event.View) ([]event.Draft, error) {
	return c.Command.Decide(agreedView{v, ajo.Stream(c.ajo)})
}

type agreedView struct {
	event.View
	stream string
}

// State implements event.View.
func (v agreedView) State(stream string) any {
	a, is := v.View.State(stream).(ajo.Ajo)
	if !is || stream != v.stream {
		return v.View.State(stream)
	}
	a.Motions = slices.Clone(a.Motions)
	for i := range a.Motions {
		a.Motions[i].For = a.Members()
	}
	return a
}

// wishAjoChoices are the votes and bids for who collects.
func wishAjoChoices(all redecide.Wishes) {
	wish(all, func(m *nairav1.AjoNeedVoted, e redecide.Recorded) []event.Command {
		return atEither(e, func(now time.Time) event.Command {
			return ajopot.VoteNeed(m.GetAjoId(), int(m.GetCycle()), m.GetUserId(), int(m.GetForSeat()), now)
		})
	})
	wish(all, func(m *nairav1.AjoBidCommitted, e redecide.Recorded) []event.Command {
		return atEither(e, func(now time.Time) event.Command {
			return ajopot.CommitBid(m.GetAjoId(), int(m.GetCycle()), int(m.GetSeat()), m.GetUserId(), m.GetCommitment(), now)
		})
	})
	wishIn(all, func(v event.View, m *nairav1.AjoBidRevealed, events []redecide.Recorded, at int) []event.Command {
		if _, holds := event.StateOf[ajo.Ajo](v, ajo.Stream(m.GetAjoId())).Place(int(m.GetSeat()), m.GetUserId()); !holds {
			return nil // An earlier build let a member who had sold the seat open the bid.
		}
		return atEither(events[at], func(now time.Time) event.Command {
			return ajopot.RevealBid(m.GetAjoId(), int(m.GetCycle()), int(m.GetSeat()), m.GetUserId(), money.Kobo(m.GetDiscountKobo()), m.GetSalt(), now)
		})
	})
}
