package town

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
)

// The questions that guards asks of each event.
const (
	mayLeave     = "nothing leaves that may not"
	payersPay    = "what a bank takes back comes from who paid it"
	withinTheDay = "no more leaves in a day than the tier lets"
	couldPay     = "nobody pays more for a due that could not be paid"
	notTheirOwn  = "nobody decides about their own"
)

// guards reads all events in their order, and holds each to what was so when it was recorded.
type guards struct {
	frozen   map[string]bool
	owed     map[string]money.Kobo            // To Adashi, by member.
	aside    map[string]money.Kobo            // What a freeze holds of each member's.
	unsent   map[string]map[string]money.Kobo // By member: their withdrawals that no bank was told of.
	asked    map[string]outgoing              // Money of groups that was asked for.
	days     map[string]money.Kobo            // What a member takes out on a day.
	tiers    map[string]int32                 // The highest that each member ever had.
	ready    map[string]string                // By cycle of an ajo: the day on which it was closed.
	taken    map[string]string                // By seat of an ajo and its taker: the day on which they took it.
	disputed map[string]string                // By case: the group that it is about.
	members  map[string]bool                  // Streams of all memberships that there ever were.
}

// outgoing is money that somebody has leave for a bank.
type outgoing struct {
	user   string
	amount money.Kobo
	own    bool // It is their own, and goes to their bank.
}

// guarded asks the questions of guards.
func (t *Town) guarded(ctx context.Context) error {
	g := guards{
		map[string]bool{},
		map[string]money.Kobo{},
		map[string]money.Kobo{},
		map[string]map[string]money.Kobo{},
		map[string]outgoing{},
		map[string]money.Kobo{},
		map[string]int32{},
		map[string]string{},
		map[string]string{},
		map[string]string{},
		map[string]bool{},
	}
	back := newReturned()
	return t.each(ctx, func(r event.Record) error {
		m, err := event.Decode(r.Type, r.Body)
		if err != nil {
			return err
		}
		if strings.HasPrefix(r.Stream, "member:") {
			g.members[r.Stream] = true
		}
		for _, ask := range []func(proto.Message, event.Record) *Failure{g.outgoing, g.takenBack, g.ajo, g.staff, back.remedies, back.sets, back.offices} {
			if f := ask(m, r); f != nil && (t.Only == "" || t.Only == f.Question) {
				return f
			}
		}
		for _, l := range r.Lines {
			if user, is := strings.CutPrefix(l.Account, posting.Owed("")); is {
				g.owed[user] -= l.Amount
			}
		}
		return nil
	})
}

// outgoing: nothing leaves for a bank while the member who asked for it has frozen their account, or while the member
// whose money it is owes Adashi. No more of a member's money leaves in a day than their tier allows.
func (g guards) outgoing(m proto.Message, r event.Record) *Failure {
	switch m := m.(type) {
	case *nairav1.TierSet:
		g.tiers[m.GetUserId()] = max(g.tiers[m.GetUserId()], m.GetTier())
	case *nairav1.OutgoingFrozen:
		g.frozen[m.GetUserId()] = true
	case *nairav1.OutgoingThawed:
		g.frozen[m.GetUserId()] = false
	case *nairav1.LiquidationRequestedV2:
		own := m.GetKind() == nairav1.LiquidationKind_LIQUIDATION_KIND_MEMBER_WITHDRAWAL
		g.asked[m.GetLiquidationId()] = outgoing{m.GetRequestedBy(), money.Kobo(m.GetAmountKobo()), own}
	case *nairav1.LiquidationAskedV2:
		g.asked[m.GetLiquidationId()] = outgoing{m.GetRequestedBy(), money.Kobo(m.GetAmountKobo()), true}
	case *nairav1.WithdrawalRequestedV2:
		return g.counts(outgoing{m.GetUserId(), money.Kobo(m.GetAmountKobo()), true}, r.EffectiveAt)
	case *nairav1.WithdrawalFailed: // It gives back what it used of its day.
		g.days[m.GetUserId()+lagos.Day(r.EffectiveAt)] -= money.Kobo(m.GetAmountKobo())
	case *nairav1.WithdrawalSent:
		return g.leaves(outgoing{m.GetUserId(), 0, true}, r)
	case *nairav1.LiquidationSent:
		out := g.asked[m.GetLiquidationId()]
		if f := g.leaves(out, r); f != nil || !out.own {
			return f
		}
		return g.counts(out, r.EffectiveAt)
	}
	return nil
}

func (g guards) leaves(out outgoing, r event.Record) *Failure {
	switch {
	case g.frozen[out.user]:
		return &Failure{mayLeave, fmt.Sprintf("a bank was told at %d of what %s asked for, who had frozen their account", r.Pos, out.user)}
	case out.own && g.owed[out.user] > 0:
		return &Failure{mayLeave, fmt.Sprintf("a bank was told at %d of money of %s, who owed Adashi %s", r.Pos, out.user, g.owed[out.user])}
	}
	return nil
}

// counts takes in what somebody takes out on a day.
func (g guards) counts(out outgoing, at time.Time) *Failure {
	day, most := out.user+lagos.Day(at), account.DefaultTiers[max(1, g.tiers[out.user])].Daily
	if g.days[day] += out.amount; g.days[day] > most {
		return &Failure{withinTheDay, fmt.Sprintf("%s took %s out on %s, and %s may leave in a day", out.user, g.days[day], lagos.Day(at), most)}
	}
	return nil
}

// takenBack: Adashi bears no loss of what a bank takes back of a member's payment. A member who owes it afterwards has
// nothing set aside, and no payout of theirs waits to be sent.
func (g guards) takenBack(m proto.Message, r event.Record) *Failure {
	switch m := m.(type) {
	case *nairav1.FrozenMoneyHeld:
		g.aside[m.GetUserId()] += money.Kobo(m.GetAmountKobo())
	case *nairav1.FrozenMoneyTaken:
		g.aside[m.GetUserId()] -= money.Kobo(m.GetAmountKobo())
	case *nairav1.OutgoingThawed:
		g.aside[m.GetUserId()] = 0
	case *nairav1.WithdrawalRequestedV2:
		if g.unsent[m.GetUserId()] == nil {
			g.unsent[m.GetUserId()] = map[string]money.Kobo{}
		}
		g.unsent[m.GetUserId()][m.GetWithdrawalId()] = money.Kobo(m.GetAmountKobo())
	case *nairav1.WithdrawalSent:
		delete(g.unsent[m.GetUserId()], m.GetWithdrawalId())
	case *nairav1.WithdrawalFailed:
		delete(g.unsent[m.GetUserId()], m.GetWithdrawalId())
	case *nairav1.PaymentReversedV3:
		if i := slices.IndexFunc(r.Lines, func(l event.Line) bool { return l.Account == posting.Losses }); i >= 0 {
			return &Failure{payersPay, fmt.Sprintf("a bank took a payment of %s back at %d, and Adashi lost %s", m.GetUserId(), r.Pos, -r.Lines[i].Amount)}
		}
	case *nairav1.DebtOpened:
		aside := g.aside[m.GetUserId()]
		for amount := range maps.Values(g.unsent[m.GetUserId()]) {
			aside += amount
		}
		if aside > 0 {
			return &Failure{payersPay, fmt.Sprintf("%s came to owe %s at %d, while %s of theirs was set aside", m.GetUserId(), money.Kobo(m.GetAmountKobo()), r.Pos, aside)}
		}
	}
	return nil
}

// ajo: who owes a penalty had a day at least between the closing of the cycle before, or their coming to the seat, and
// that of the cycle that they missed.
func (g guards) ajo(m proto.Message, r event.Record) *Failure {
	today := lagos.Day(r.RecordedAt)
	switch m := m.(type) {
	case *nairav1.AjoCycleReady:
		g.ready[fmt.Sprint(m.GetAjoId(), m.GetCycle())] = today
	case *nairav1.AjoPlaceTaken:
		g.taken[fmt.Sprint(m.GetAjoId(), m.GetSeat(), m.GetToUserId())] = today
	case *nairav1.AjoDebtOpened:
		closed, came := g.ready[fmt.Sprint(m.GetAjoId(), m.GetCycle()-1)], g.taken[fmt.Sprint(m.GetAjoId(), m.GetSeat(), m.GetDebtorId())]
		if m.GetPenaltyKobo() > 0 && slices.Contains([]string{closed, came}, today) {
			return &Failure{couldPay, fmt.Sprintf("%s owes %s more for cycle %d at %d, and could pay it since that day only", m.GetDebtorId(), money.Kobo(m.GetPenaltyKobo()), m.GetCycle(), r.Pos)}
		}
	}
	return nil
}

// staff: nobody takes a case, or decides it, of a group that they are or were in.
func (g guards) staff(m proto.Message, r event.Record) *Failure {
	var id, staff string
	switch m := m.(type) {
	case *nairav1.DisputeOpened:
		g.disputed[m.GetDisputeId()] = m.GetGroupId()
	case *nairav1.DisputeTaken:
		id, staff = m.GetDisputeId(), m.GetStaffId()
	case *nairav1.DisputeResolved:
		id, staff = m.GetDisputeId(), m.GetStaffId()
	}
	if group := g.disputed[id]; group != "" && staff != "" && g.members[savings.MemberStream(group, staff)] {
		return &Failure{notTheirOwn, fmt.Sprintf("%s works at %d on a case of group %s, in which they are or were", staff, r.Pos, group)}
	}
	return nil
}
