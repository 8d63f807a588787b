package ajopot

import (
	"slices"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/domain/wording"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
)

// approvalsNeeded is how many approve a payout, where there are so many who may.
const approvalsNeeded = 2

// SetOff is a part of a pot that pays a debt of one of its holders.
type SetOff struct {
	Debt   Debt
	Amount money.Kobo
}

// Part is what one person gets.
type Part struct {
	User   string
	Amount money.Kobo
}

// Split is how a pot is paid out. Gross is what it holds: Fee, Discounts, SetOffs and Holders make it up.
type Split struct {
	Gross, Fee, VAT, Netted money.Kobo
	SetOffs                 []SetOff
	FromDiscounts           []SetOff // What those who get a discount owe, and pay out of it.
	Discounts, Holders      []Part
	Payers                  []Part // Whose money it is.
}

// Of is what a user gets.
func (s Split) Of(user string) money.Kobo {
	for _, h := range s.Holders {
		if h.User == user {
			return h.Amount
		}
	}
	return 0
}

// SplitOf divides a pot that holds so much. The fee is of the pot with what is netted in it, and never more than it
// holds. Each holder of a seat gets half, less what they did not pay of their own and what they owe; an odd kobo is
// the first's.
func SplitOf(a ajo.Ajo, ready ajo.Ready, c Cycle, debts Debts, pot money.Kobo) Split {
	s := Split{Gross: pot}
	places, unpaid := a.Seats[ready.Seat-1].Places, map[string]money.Kobo{}
	for _, p := range places {
		unpaid[p.User] = max(0, a.DueOf(ready.Seat, p, ready.Cycle)-c.Paid(ready.Seat, p.User))
		s.Netted += unpaid[p.User]
	}
	s.Fee, s.VAT = ajo.Fee(a.Terms, pot+s.Netted)
	if s.Fee > pot {
		s.Fee, s.VAT = pot, pot*75/1_075
	}
	s.Discounts = discounts(a, ready, c, debts, min(bidOf(a, ready, pot+s.Netted), pot-s.Fee))
	rest := pot - s.Fee - total(s.Discounts)
	first := rest
	if len(places) == 2 {
		half := (rest+s.Netted+1)/2 - unpaid[places[0].User]
		if borne := min(max(-half, half-rest, 0), s.Fee/2); borne > 0 && !a.Earlier { // Nobody pays the fee of the other's half.
			s.Fee, rest = s.Fee-borne, rest+borne
			s.VAT = s.Fee * 75 / 1_075
		}
		first = min(rest, max(0, half))
	}
	for i, p := range places {
		part := []money.Kobo{first, rest - first}[i]
		for _, d := range debts.Open(p.User) {
			if off := min(part, d.Left()); off > 0 && d.Creditor != p.User {
				s.SetOffs, part = append(s.SetOffs, SetOff{d, off}), part-off
				if !a.Earlier {
					debts = debts.change(d.ID, func(x *Debt) { x.Paid += off })
				}
			}
		}
		s.Holders = append(s.Holders, Part{p.User, part})
	}
	for _, p := range s.Discounts {
		for _, d := range debts.Open(p.User) {
			if off := min(p.Amount, d.Left()); off > 0 && !a.Earlier {
				s.FromDiscounts, p.Amount = append(s.FromDiscounts, SetOff{d, off}), p.Amount-off
			}
		}
	}
	for _, p := range c.Payments {
		s.Payers = credit(s.Payers, p.By, p.Amount)
	}
	return s
}

// bidOf is what a seat bid for a pot, and no more than the terms allow of what the pot holds with what is netted in it:
// it was bid before anybody knew what is missing.
func bidOf(a ajo.Ajo, ready ajo.Ready, pot money.Kobo) money.Kobo {
	if a.Earlier {
		return ready.Discount
	}
	return min(ready.Discount, pot*money.Kobo(a.Terms.GetBidBasisPoints())/10_000)
}

// credit adds to a user's part.
func credit(parts []Part, user string, amount money.Kobo) []Part {
	for i := range parts {
		if parts[i].User == user {
			parts[i].Amount += amount
			return parts
		}
	}
	return append(parts, Part{user, amount})
}

// once are parts with those of one person in one.
func once(parts []Part) (sums []Part) {
	for _, p := range parts {
		sums = credit(sums, p.User, p.Amount)
	}
	return sums
}

func total(parts []Part) money.Kobo {
	var sum money.Kobo
	for _, p := range parts {
		sum += p.Amount
	}
	return sum
}

// discounts shares what a seat bid among the other seats that paid in time, odd kobo to the lowest, and a seat's part
// among its holders in the same way.
func discounts(a ajo.Ajo, ready ajo.Ready, c Cycle, debts Debts, bid money.Kobo) []Part {
	var timely []int
	for i, s := range a.Seats {
		if i+1 != ready.Seat && !slices.ContainsFunc(s.Places, func(p ajo.Place) bool { return !paidItself(a, c, debts, i+1, p, ready.Cycle) }) {
			timely = append(timely, i+1)
		}
	}
	if bid <= 0 || len(timely) == 0 {
		return nil
	}
	var parts []Part
	for n, seat := range timely {
		share := bid / money.Kobo(len(timely))
		if money.Kobo(n) < bid%money.Kobo(len(timely)) {
			share++
		}
		places := a.Seats[seat-1].Places
		for i, p := range places {
			part := share
			if len(places) == 2 {
				part = (share + money.Kobo(1-i)) / 2
			}
			if part > 0 {
				parts = credit(parts, p.User, part)
			}
		}
	}
	return parts
}

// paidItself reports whether a place paid its whole due to a cycle in time, and not out of its deposit.
func paidItself(a ajo.Ajo, c Cycle, debts Debts, seat int, p ajo.Place, cycle int) bool {
	due := a.DueOf(seat, p, cycle)
	for _, paid := range c.Payments {
		if paid.Seat == seat && paid.User == p.User && !paid.FromDeposit {
			due -= paid.Amount
		}
	}
	for _, d := range debts.All {
		if d.InTime && !a.Earlier && d.Kind == nairav1.AjoDebtKind_AJO_DEBT_KIND_SHORTFALL && d.Cycle == cycle && d.Seat == seat && d.Debtor == p.User {
			due -= d.Amount
		}
	}
	return due <= 0 && a.DueOf(seat, p, cycle) > 0
}

// pot is a command about the pot of one cycle.
type pot struct {
	ajoID  string
	cycle  int
	by     string
	people []string // All to whom any of it may go.
	now    time.Time
	decide func(*paying) error
}

// paying is a pot as it is decided about.
type paying struct {
	pot
	v      event.View
	a      ajo.Ajo
	ready  ajo.Ready
	c      Cycle
	debts  Debts
	drafts []event.Draft
}

// Streams implements event.Command.
func (c pot) Streams() []string {
	streams := []string{ajo.Stream(c.ajoID), CycleStream(c.ajoID, c.cycle), ajo.DebtStream(c.ajoID)}
	for _, user := range c.people {
		streams = append(streams, parking(c.key()+" got", user))
	}
	return append(streams, creditorStreams(c.people, c.key())...)
}

// key names the payout where money of it is parked.
func (c pot) key() string { return CycleStream(c.ajoID, c.cycle) }

// Accounts implements event.Command.
func (c pot) Accounts() []string {
	return append(creditorAccounts(c.people), posting.Pot(c.ajoID, c.cycle), posting.FeesAjo, posting.TaxVAT)
}

// Decide implements event.Command.
func (c pot) Decide(v event.View) ([]event.Draft, error) {
	a, err := ajo.Read(v, c.ajoID, c.by)
	if err != nil {
		return nil, err
	}
	if err := running(a); err != nil {
		return nil, err
	}
	ready, is := a.ReadyOf(c.cycle)
	p := &paying{pot: c, v: v, a: a, ready: ready, c: event.StateOf[Cycle](v, CycleStream(c.ajoID, c.cycle)), debts: event.StateOf[Debts](v, ajo.DebtStream(c.ajoID))}
	switch {
	case c.cycle <= len(a.Past) || c.cycle > len(a.Order):
		return nil, fault.New(fault.NotFound, "There is no such cycle.")
	case !is && c.cycle == a.Current():
		return nil, fault.New(fault.Conflict, "This cycle waits until %s, or until all have paid.", ajo.Day(a.Deadline(c.cycle).AddDate(0, 0, 1)))
	case !is:
		return nil, fault.New(fault.Conflict, "Cycle %d opens on %s.", c.cycle, ajo.Day(a.Opens(c.cycle)))
	case p.c.PaidOut:
		return nil, fault.New(fault.Conflict, "The pot of cycle %d is paid out already.", c.cycle)
	}
	if err := c.decide(p); err != nil {
		return nil, err
	}
	return p.drafts, nil
}

// split is how the pot is divided now.
func (p *paying) split() Split {
	return SplitOf(p.a, p.ready, p.c, p.debts, p.v.Balance(posting.Pot(p.ajoID, p.cycle)))
}

func (p *paying) holds(user string) bool {
	_, holds := p.a.Place(p.ready.Seat, user)
	return holds
}

// approvers are who may approve the pot's payout, but for those who closed their account: they never will.
func (p *paying) approvers() (users []string, needed int, needs string) {
	var gone []string
	for _, user := range p.people {
		if standing.May(p.v, user, standing.BeCounted) != nil {
			gone = append(gone, user)
		}
	}
	return Approvers(p.a, p.ready.Seat, gone...)
}

// Approvers are who may approve a pot's payout: everybody who decides with a place but who collects, and but for
// some. needs is whose approval is among the needed: the owner's, or the validator's where the owner collects.
func Approvers(a ajo.Ajo, seat int, but ...string) (users []string, needed int, needs string) {
	for _, user := range a.Members() {
		if _, collects := a.Place(seat, user); !collects && a.HasVoice(user) && !slices.Contains(but, user) {
			users = append(users, user)
		}
	}
	for _, user := range []string{a.Owner, a.Validator} {
		if needs == "" && slices.Contains(users, user) {
			needs = user
		}
	}
	return users, min(approvalsNeeded, len(users)), needs
}

// Approved are the members whose approval of a seat's payout counts: those who may still give it. What somebody
// approved before they closed their account counts.
func Approved(a ajo.Ajo, seat int, c Cycle) []string {
	users, _, _ := Approvers(a, seat)
	return ajo.Without(c.Approvals, func(user string) bool {
		_, collects := a.Place(seat, user)
		before := slices.Contains(a.Closed, user) && a.Counts(user) && !collects
		return !a.Earlier && !before && !slices.Contains(users, user)
	})
}

// RequestPayout asks for a pot. net is what its asker was told they get.
func RequestPayout(ajoID string, cycle int, by string, destination nairav1.AjoDestination, net money.Kobo, people []string) event.Command {
	return pot{ajoID: ajoID, cycle: cycle, by: by, people: people, decide: func(p *paying) error {
		owner := p.split().Of(by)
		switch {
		case !p.holds(by):
			return fault.New(fault.Forbidden, "Only the person whose turn it is can ask.")
		case p.c.RequestedBy != "":
			return fault.New(fault.Conflict, "The pot of cycle %d is asked for already.", cycle)
		case destination != nairav1.AjoDestination_AJO_DESTINATION_WALLET && destination != nairav1.AjoDestination_AJO_DESTINATION_BANK:
			return fault.Field("destination", "Choose your wallet or your bank account.")
		case net != owner:
			return &fault.Fault{Code: fault.Conflict, Field: "amount", Message: "You get " + owner.String() + " of this pot, not " + net.String() + ". Please look at it again."}
		}
		p.drafts = append(p.drafts, event.On(CycleStream(ajoID, cycle), &nairav1.AjoPayoutRequested{
			AjoId: ajoID, Cycle: int32(cycle), UserId: by, Destination: destination,
		}))
		return nil
	}}
}

// ApprovePayout approves a pot's payout. The last approval that is needed pays it at once.
func ApprovePayout(ajoID string, cycle int, by string, people []string, now time.Time) event.Command {
	return standing.Decides(by, standing.ApprovePot, pot{ajoID: ajoID, cycle: cycle, by: by, people: people, now: now, decide: func(p *paying) error {
		users, needed, needs := p.approvers()
		approved := Approved(p.a, p.ready.Seat, p.c)
		switch {
		case p.holds(by):
			return standing.Own.May(standing.ApprovePot)
		case !slices.Contains(users, by):
			return fault.New(fault.Forbidden, "Only who holds a seat approves payouts.")
		case slices.Contains(approved, by):
			return fault.New(fault.Conflict, "The owner and one other approve; you have.")
		case p.c.RequestedBy == "":
			return fault.New(fault.Conflict, "This pot has not been asked for yet.")
		}
		approvals := append(approved, by)
		p.drafts = append(p.drafts, event.On(CycleStream(ajoID, cycle), &nairav1.AjoPayoutApproved{
			AjoId: ajoID, Cycle: int32(cycle), UserId: by, Approvals: int32(len(approvals)), Needed: int32(needed),
		}))
		held := slices.ContainsFunc(p.c.Refusals, func(r Refusal) bool { return r.User != by && r.Until.After(now) })
		if held || len(approvals) < needed || needs != "" && !slices.Contains(approvals, needs) {
			return nil
		}
		return p.pay(false)
	}})
}

// RefusePayout holds a pot's payout for some days. Each member may once, so that nobody can sit on a pot.
func RefusePayout(ajoID string, cycle int, by string, why nairav1.AjoRefusal, reason string, now time.Time) event.Command {
	return standing.Decides(by, standing.HoldPot, pot{ajoID: ajoID, cycle: cycle, by: by, now: now, decide: func(p *paying) error {
		reason, err := wording.Text("reason", "The reason", reason, 3, 300)
		users, _, _ := Approvers(p.a, p.ready.Seat)
		switch {
		case err != nil:
			return err
		case p.holds(by):
			return standing.Own.May(standing.HoldPot)
		case !slices.Contains(users, by):
			return fault.New(fault.Forbidden, "Only who holds a seat decides on payouts.")
		case why == nairav1.AjoRefusal_AJO_REFUSAL_UNSPECIFIED:
			return fault.Field("refusal", "Say whether it is the wrong person, a dispute or a debt. A payout cannot be held for anything else.")
		case slices.ContainsFunc(p.c.Refusals, func(r Refusal) bool { return r.User == by }):
			return fault.New(fault.Conflict, "You have held this payout once. Nobody can hold it twice.")
		case p.v.Balance(posting.Pot(ajoID, cycle)) == 0:
			return fault.New(fault.Conflict, "There is nothing in this pot that could be held.")
		case len(p.c.Refusals) >= maxRefusals:
			return fault.New(fault.Conflict, "This payout was held twice already, and cannot be held again.")
		}
		p.drafts = append(p.drafts, event.On(CycleStream(ajoID, cycle), &nairav1.AjoPayoutRefused{
			AjoId: ajoID, Cycle: int32(cycle), UserId: by, Refusal: why, Reason: reason,
			Until: timestamppb.New(now.AddDate(0, 0, int(p.a.Terms.GetHoldDays()))),
		}))
		return nil
	}})
}

// maxRefusals is how often a payout can be held in all.
const maxRefusals = 2

// enough reports whether those whose approval a pot needs have approved it.
func enough(a ajo.Ajo, ready ajo.Ready, c Cycle) bool {
	_, needed, needs := Approvers(a, ready.Seat)
	approved := Approved(a, ready.Seat, c)
	return c.RequestedBy != "" && len(approved) >= needed && (needs == "" || slices.Contains(approved, needs)) && !a.Earlier
}

// PayByItself is when a pot pays itself, as it stands: some days after it was asked for, or more after it was ready,
// and never while it is held. One that was approved meanwhile pays itself when its hold ends,
// or at once where it was not held.
func PayByItself(a ajo.Ajo, ready ajo.Ready, c Cycle) time.Time {
	at := ready.At.AddDate(0, 0, int(a.Terms.GetUnrequestedDays()))
	if c.RequestedBy != "" {
		if asked := c.RequestedAt.AddDate(0, 0, int(a.Terms.GetRequestedDays())); asked.Before(at) {
			at = asked
		}
	}
	if enough(a, ready, c) {
		at = ready.At // It was approved while it was held, or nobody waits any more for an account that was closed.
	}
	for _, r := range c.Refusals {
		if r.Until.After(at) {
			at = r.Until
		}
	}
	return at
}

// PaySilent pays a pot that nobody decided about in time.
func PaySilent(ajoID string, cycle int, people []string, now time.Time) event.Command {
	return pot{ajoID: ajoID, cycle: cycle, people: people, now: now, decide: func(p *paying) error {
		if at := PayByItself(p.a, p.ready, p.c); now.Before(at) {
			return fault.New(fault.Conflict, "This pot pays itself on %s.", lagos.Clock(at))
		}
		return p.pay(true)
	}}
}

// pay pays the pot out whole.
func (p *paying) pay(byItself bool) error {
	s := p.split()
	concerned := p.a.Seats[p.ready.Seat-1].Users()
	for _, d := range s.Discounts {
		concerned = append(concerned, d.User)
	}
	for _, o := range slices.Concat(s.SetOffs, s.FromDiscounts) {
		if o.Debt.Creditor != "" {
			concerned = append(concerned, o.Debt.Creditor)
		}
	}
	if err := ajo.All(concerned, p.people); err != nil {
		return err
	}
	var setOff money.Kobo
	var paid []Part
	for _, o := range s.SetOffs {
		draft, err := payOff(p.ajoID, o.Debt, o.Amount, payer{from: nairav1.AjoDebtFrom_AJO_DEBT_FROM_POT, by: o.Debt.Debtor, cycle: p.cycle})
		if err != nil {
			return err
		}
		p.drafts, setOff, paid = append(p.drafts, draft), setOff+o.Amount, credit(paid, o.Debt.Creditor, o.Amount)
	}
	for _, d := range s.Discounts {
		p.drafts = append(p.drafts, event.On(CycleStream(p.ajoID, p.cycle), &nairav1.AjoDiscountPaid{
			AjoId: p.ajoID, Cycle: int32(p.cycle), Seat: int32(p.ready.Seat), UserId: d.User, AmountKobo: int64(d.Amount),
		}))
	}
	gets := append(slices.Clone(s.Discounts), s.Holders...)
	for _, o := range s.FromDiscounts {
		draft, err := payOff(p.ajoID, o.Debt, o.Amount, payer{from: nairav1.AjoDebtFrom_AJO_DEBT_FROM_WALLET, by: o.Debt.Debtor, cycle: p.cycle})
		if err != nil {
			return err
		}
		p.drafts, paid, gets = append(p.drafts, draft), credit(paid, o.Debt.Creditor, o.Amount), credit(gets, o.Debt.Debtor, -o.Amount)
	}
	p.drafts = append(p.drafts, parked(p.v, p.key(), paid)...)
	m := &nairav1.AjoPaid{
		AjoId: p.ajoID, Cycle: int32(p.cycle), Seat: int32(p.ready.Seat), GrossKobo: int64(s.Gross), FeeKobo: int64(s.Fee), VatKobo: int64(s.VAT),
		NettedKobo: int64(s.Netted), UserId: s.Holders[0].User, AmountKobo: int64(s.Holders[0].Amount), SetOffKobo: int64(setOff),
		DiscountKobo: int64(total(s.Discounts)), Destination: p.c.Destination, ByItself: byItself,
	}
	if len(s.Holders) == 2 {
		m.OtherUserId, m.OtherAmountKobo = s.Holders[1].User, int64(s.Holders[1].Amount)
	}
	for _, payer := range s.Payers {
		m.Payers = append(m.Payers, &nairav1.AjoShare{UserId: payer.User, AmountKobo: int64(payer.Amount)})
	}
	p.drafts = append(append(p.drafts, event.On(CycleStream(p.ajoID, p.cycle), m)), got(p.v, p.key()+" got", once(gets))...)
	return nil
}
