package payouts

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/projections/payouts"
	"adashi.ng/projections/requests"
	"adashi.ng/projections/unmatched"
	"adashi.ng/services/internal/asks"
	"adashi.ng/services/internal/usecase"
)

// doubtfulAfter is how long a payout may take before somebody should look at it.
const doubtfulAfter = 10 * time.Minute

// OpenPayouts returns a page of payouts without a final result, of wallets, groups and suspense, the oldest first.
func (s *Service) OpenPayouts(ctx context.Context, after *string, limit int) (PayoutPage, error) {
	page := PayoutPage{Payouts: []Payout{}}
	pos, err := usecase.Cursor(after)
	if err != nil {
		return page, err
	}
	rows, err := payouts.Open(ctx, s.Pool, pos, limit+1)
	if err != nil {
		return page, err
	}
	asked, err := requests.Standing(ctx, s.Pool, pos, limit+1, string(liquidation.Approved), string(liquidation.PayoutPending))
	if err != nil {
		return page, err
	}
	backs, err := unmatched.SendBacksStanding(ctx, s.Pool, pos, limit+1, unmatched.BackAgreed, unmatched.BackSent)
	if err != nil {
		return page, err
	}
	open := make([]deskPayout, 0, len(rows)+len(asked)+len(backs))
	for _, b := range backs {
		open = append(open, deskSendBack(b))
	}
	for _, row := range rows {
		open = append(open, deskPayout{row, PayoutKindWITHDRAWAL, row.RequestedAt})
	}
	for _, r := range asked {
		open = append(open, deskPayout{asPayout(r), PayoutKindLIQUIDATION, latest(r.RequestedAt, r.ApprovedAt, r.PayableFrom, r.SentAt)})
	}
	slices.SortFunc(open, func(a, b deskPayout) int { return cmp.Compare(a.Pos, b.Pos) })
	if len(open) > limit {
		open = open[:limit]
		page.Next = usecase.OrNil(strconv.FormatInt(open[limit-1].Pos, 10))
	}
	ids := make([]string, len(open))
	for i, p := range open {
		ids[i] = p.ID
	}
	answers, err := s.asks().Of(ctx, ids...)
	if err != nil {
		return page, err
	}
	for _, p := range open {
		page.Payouts = append(page.Payouts, s.payoutView(p, answers[p.ID]))
	}
	return page, s.inTransit(ctx, &page)
}

// inTransit sums up all payouts without a final result.
func (s *Service) inTransit(ctx context.Context, page *PayoutPage) error {
	count, amount, err := payouts.InTransit(ctx, s.Pool)
	if err != nil {
		return err
	}
	more, further, err := requests.InTransit(ctx, s.Pool)
	if err != nil {
		return err
	}
	backs, back, err := unmatched.InTransit(ctx, s.Pool)
	page.Count, page.Amount = count+more+backs, usecase.Naira(amount+further+back)
	return err
}

// deskPayout is a payout of any kind, in the words of withdrawals.
type deskPayout struct {
	payouts.Payout
	Kind  PayoutKind
	Since time.Time // From when it could be paid: people decide on a request first, and members get notice of it.
}

func latest(at time.Time, others ...*time.Time) time.Time {
	for _, other := range others {
		if other != nil && other.After(at) {
			at = *other
		}
	}
	return at
}

// deskPayout reads a payout of any kind from the ledger.
func (s *Service) deskPayout(ctx context.Context, id string) (deskPayout, error) {
	w, err := s.WithdrawalState(ctx, id)
	if err != nil || w.Status != payout.None {
		row := asRow(id, w)
		return deskPayout{row, PayoutKindWITHDRAWAL, row.RequestedAt}, err
	}
	l, err := s.LiquidationState(ctx, id)
	if err != nil {
		return deskPayout{}, err
	}
	if l.Status == liquidation.None {
		of, a, _, err := s.SendBackState(ctx, id)
		if err != nil || of.ProviderRef != "" {
			return deskSendBack(sendBackAsRow(id, a, of)), err
		}
	}
	p := payouts.Payout{
		ID: id, User: l.RequestedBy, Status: string(deskStatus[l.Status]), Amount: l.Amount, Fee: l.Fee, VAT: l.VAT, Duty: l.Duty, Provider: l.Provider, RequestedAt: l.RequestedAt,
	}
	if !l.SentAt.IsZero() {
		p.SentAt = &l.SentAt
	}
	since := latest(l.RequestedAt, &l.PayableFrom, &l.SentAt)
	for _, at := range l.ApprovedAt {
		since = latest(since, &at)
	}
	return deskPayout{p, PayoutKindLIQUIDATION, since}, err
}

// deskStatus translates a request's status to the words of withdrawals.
var deskStatus = map[liquidation.Status]payout.Status{
	liquidation.Approved: payout.Requested, liquidation.PayoutPending: payout.Sent, liquidation.Paid: payout.Paid, liquidation.Reversed: payout.Reversed,
	liquidation.PayoutFailed: payout.Failed, liquidation.Released: payout.Failed,
}

func asPayout(r requests.Request) payouts.Payout {
	return payouts.Payout{
		ID: r.ID, User: r.RequestedBy, Pos: r.Pos, Status: string(deskStatus[liquidation.Status(r.Status)]), Amount: r.Amount, Fee: r.Fee, VAT: r.VAT, Duty: r.Duty,
		Provider: r.Provider, RequestedAt: r.RequestedAt, SentAt: r.SentAt, PaidAt: r.PaidAt,
	}
}

func (s *Service) payoutView(p deskPayout, asked asks.Asking) Payout {
	open := p.Status == string(payout.Requested) || p.Status == string(payout.Sent)
	return Payout{
		Id: p.ID, Kind: &p.Kind, Status: WithdrawalStatus(p.Status), Amount: usecase.Naira(p.Amount), Net: usecase.Naira(p.Net()), Rail: usecase.OrNil(string(p.Provider)),
		RequestedAt: p.RequestedAt.UTC(), SentAt: p.SentAt, LastAskedAt: asked.AskedAt, NextAskAt: asked.NextAt, Tries: asked.Tries, Answer: usecase.OrNil(asked.Answer),
		Doubtful: open && s.Now().Sub(p.Since) > doubtfulAfter,
	}
}

// QueryPayout asks the bank about a payout now, and returns its status.
func (s *Service) QueryPayout(ctx context.Context, id string) (Payout, int64, error) {
	id, err := usecase.ParseID(id, "payout")
	if err != nil {
		return Payout{}, 0, err
	}
	w, err := s.Outgoing(ctx, id)
	if err == nil && (w.Stands == none || w.Stands == waiting && len(w.References) == 0) {
		err = fault.New(fault.NotFound, "There is no such payout.")
	}
	if err != nil {
		return Payout{}, 0, err
	}
	pos, err := s.AskPayout(ctx, id)
	if err != nil {
		return Payout{}, 0, err
	}
	p, err := s.deskPayout(ctx, id)
	if err != nil {
		return Payout{}, 0, err
	}
	asked, err := s.asks().Of(ctx, id)
	return s.payoutView(p, asked[id]), pos, err
}
