package ajo

import (
	"context"
	"slices"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	rules "adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/services/internal/usecase"
)

func (v sight) payoutStatus(c ajopot.Cycle) AjoPayoutStatus {
	switch {
	case c.PaidOut:
		return "PAID"
	case !c.Held(v.now).IsZero():
		return "ON_HOLD"
	case c.RequestedBy != "":
		return "PAYOUT_REQUESTED"
	default:
		return "READY"
	}
}

// Payout shows how the pot of a cycle is or would be paid out.
func (s *Service) Payout(ctx context.Context, user, id string, k int) (AjoPayout, error) {
	r, err := s.room(ctx, user, id)
	if err != nil {
		return AjoPayout{}, err
	}
	ready, is := r.a.ReadyOf(k)
	if !is {
		_, err := s.Ledger.DryRun(ctx, ajopot.RequestPayout(r.id, k, user, nairav1.AjoDestination_AJO_DESTINATION_WALLET, 0, r.people()))
		return AjoPayout{}, usecase.OrErr(err, rules.ErrNone())
	}
	v, err := s.sight(ctx, r, user)
	if err != nil {
		return AjoPayout{}, err
	}
	out := v.payout(ready)
	if r.cycles[k].PaidOut {
		v.paidOut(&out)
	}
	return out, nil
}

func (v sight) payout(ready rules.Ready) AjoPayout {
	k := ready.Cycle
	c := v.cycles[k]
	split := ajopot.SplitOf(v.a, ready, c, v.debts, v.pots[k])
	users, needed, needs := ajopot.Approvers(v.a, ready.Seat)
	approved := c.Approvals
	if !c.PaidOut {
		approved = ajopot.Approved(v.a, ready.Seat, c)
	}
	out := AjoPayout{
		AjoId: v.id, Cycle: k, Seat: ready.Seat, Status: v.payoutStatus(c), Gross: usecase.Naira(split.Gross), Fee: usecase.Naira(split.Fee), Vat: usecase.Naira(split.VAT),
		Netted: usecase.Naira(split.Netted), Missing: usecase.Naira(ready.Missing), Approvals: v.names(approved), Needed: needed, SetOffs: []AjoSetOffLine{},
		Holders: []AjoShareLine{}, Refusals: []AjoRefusalLine{},
	}
	var discount money.Kobo
	for _, d := range split.Discounts {
		discount += d.Amount
	}
	out.Discount = usecase.Naira(discount)
	for _, o := range split.SetOffs {
		out.SetOffs = append(out.SetOffs, AjoSetOffLine{DebtId: o.Debt.ID, To: v.name(o.Debt.Creditor), From: v.name(o.Debt.Debtor), Amount: usecase.Naira(o.Amount)})
	}
	for _, h := range split.Holders {
		if out.Holders = append(out.Holders, AjoShareLine{UserId: h.User, Name: v.name(h.User), Amount: usecase.Naira(h.Amount)}); h.User == v.user {
			out.Mine = usecase.NairaPtr(h.Amount)
		}
	}
	if needs != "" {
		out.Needs = usecase.OrNil(v.name(needs))
	}
	v.progress(&out, ready, c)
	_, holds := v.a.Place(ready.Seat, v.user)
	may := slices.Contains(users, v.user) && !c.PaidOut
	refused := slices.ContainsFunc(c.Refusals, func(r ajopot.Refusal) bool { return r.User == v.user })
	out.MayRequest = holds && c.RequestedBy == "" && !c.PaidOut
	out.MayApprove = may && c.RequestedBy != "" && !slices.Contains(approved, v.user)
	out.MayRefuse = may && !refused && len(c.Refusals) < 2 && split.Gross > 0
	return out
}

// progress adds the progress of a payout.
func (v sight) progress(out *AjoPayout, ready rules.Ready, c ajopot.Cycle) {
	moment := func(at time.Time) *time.Time {
		at = at.UTC()
		return &at
	}
	for _, r := range c.Refusals {
		out.Refusals = append(out.Refusals, AjoRefusalLine{Name: v.name(r.User), Refusal: AjoRefusalKind(r.Why.String()[len("AJO_REFUSAL_"):]), Reason: r.Reason, Until: r.Until.UTC()})
	}
	if c.RequestedBy != "" {
		destination := AjoDestinationKind(c.Destination.String()[len("AJO_DESTINATION_"):])
		out.RequestedBy, out.RequestedAt, out.Destination = usecase.OrNil(v.name(c.RequestedBy)), moment(c.RequestedAt), &destination
	}
	if c.PaidOut {
		out.PaidAt = moment(c.PaidAt)
		return
	}
	out.PaysItselfAt = moment(ajopot.PayByItself(v.a, ready, c))
	if held := c.Held(v.now); !held.IsZero() {
		out.HeldUntil = moment(held)
	}
}

// paidOut adds the amounts that were really paid.
func (v sight) paidOut(out *AjoPayout) {
	c := v.cycles[out.Cycle]
	out.Gross, out.Fee, out.Vat = usecase.Naira(c.Paying.Gross), usecase.Naira(c.Paying.Fee), usecase.Naira(c.Paying.VAT)
	out.Discount, out.Netted = usecase.Naira(c.Paying.Discount), usecase.Naira(c.Paying.Netted)
	out.Holders, out.SetOffs, out.Mine = []AjoShareLine{}, []AjoSetOffLine{}, nil
	for _, h := range c.Paying.Holders {
		if out.Holders = append(out.Holders, AjoShareLine{UserId: h.User, Name: v.name(h.User), Amount: usecase.Naira(h.Amount)}); h.User == v.user {
			out.Mine = usecase.NairaPtr(h.Amount)
		}
	}
	if c.Paying.SetOff > 0 {
		out.SetOffs = append(out.SetOffs, AjoSetOffLine{To: "Those it was owed to", From: joined(v.names(v.a.Seats[out.Seat-1].Users())), Amount: usecase.Naira(c.Paying.SetOff)})
	}
}
