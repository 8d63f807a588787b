package payouts

import (
	"context"
	"time"

	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/projections/unmatched"
)

// goingBack reads a payout of suspense from the ledger: money that goes back to the account that it came from.
func (s *Service) goingBack(ctx context.Context, id string) (outgoing, error) {
	of, a, stream, err := s.SendBackState(ctx, id)
	if err != nil || of.ProviderRef == "" {
		return outgoing{ID: id}, err
	}
	return goesBack(id, of, a, stream), nil
}

// SendBackState returns the money that a payout of suspense sends back, its state, and its stream. There is no such
// payout when the money has no name.
func (s *Service) SendBackState(ctx context.Context, id string) (of payout.SentMoney, a wallet.Arrival, stream string, err error) {
	state, err := s.Ledger.Load(ctx, payout.SendBackStream(id))
	if err != nil {
		return of, a, "", err
	}
	if of = state.(payout.SentMoney); of.ProviderRef == "" {
		return of, a, "", nil
	}
	states := map[string]any{}
	for _, stream := range wallet.ArrivalStreams(of.Provider, of.ProviderRef) {
		if states[stream], err = s.Ledger.Load(ctx, stream); err != nil {
			return of, a, "", err
		}
	}
	stream, a = wallet.ArrivalAt(func(stream string) any { return states[stream] }, of.Provider, of.ProviderRef)
	return of, a, stream, nil
}

func goesBack(id string, of payout.SentMoney, a wallet.Arrival, stream string) outgoing {
	w := outgoing{
		ID: id, Stands: over, Net: a.Amount, Provider: of.Provider, Note: "Money returned",
		NoAccount: "The bank no longer knows the account that it came from. Nothing was sent.",
		Renamed:   "The bank has another name for the account that it came from than the one that was agreed to. Nothing was sent.",
		stream:    stream,
		isPaid:    func(state any) bool { return goesPaid(state.(wallet.Arrival), id) },
		stop:      payout.CallOffMoneyBack(of, id, a.ClaimedIn()...),
		send: func(reference string, _ time.Time) event.Command {
			return payout.SendMoneyBack(of, id, reference, a.ClaimedIn()...)
		},
		pay:     func(_ string, r payout.Receipt) event.Command { return payout.PayMoneyBack(of, id, r) },
		fail:    func(reference, reason string) event.Command { return payout.FailMoneyBack(of, id, reference, reason) },
		reverse: func(ref, reason string) event.Command { return payout.ReturnMoneyBack(of, id, ref, reason) },
	}
	w.match = func(ref string, also []string) event.Command { return payout.MatchMoneyBack(of, id, ref, also, w.Net) }
	switch ended := a.EndedTry(id); {
	case ended.ID == id:
		w.Net, w.SentAt, w.ProviderRef, w.References = ended.Amount, ended.SentAt, ended.BankRef, told(ended.Reference)
		return w
	case a.Back.ID != id: // It was declined, or its bank took the money first.
		w.Stands = none
		return w
	case a.BackProposed():
		w.Stands, w.proposed = waiting, true
	case goesPaid(a, id):
		w.Stands = paid
	case a.Back.Reference != "":
		w.Stands = sent
	default:
		w.Stands = ready
	}
	w.SentAt, w.ProviderRef, w.References = a.Back.SentAt, a.Back.BankRef, told(a.Back.Reference)
	return w
}

// told returns the references of a payout that has only one order.
func told(reference string) []string {
	if reference == "" {
		return nil
	}
	return []string{reference}
}

func goesPaid(a wallet.Arrival, id string) bool {
	return a.Status == wallet.ArrivalSentBack && a.Back.ID == id
}

// deskSendBack is a payout of suspense in the words of withdrawals.
func deskSendBack(b unmatched.SendBack) deskPayout {
	p := deskPayout{Kind: PayoutKindSENDBACK}
	p.ID, p.User, p.Pos, p.Status, p.Amount, p.Provider, p.SentAt, p.PaidAt, p.Reason = b.ID, b.User, b.Pos, string(backStatus[b.Status]), b.Amount, b.Provider, b.SentAt, b.PaidAt, b.Problem
	p.RequestedAt = b.ProposedAt
	if b.AgreedAt != nil {
		p.RequestedAt = *b.AgreedAt
	}
	p.Since = latest(p.RequestedAt, p.SentAt)
	return p
}

// backStatus translates the status of money that goes back to the words of withdrawals.
var backStatus = map[string]payout.Status{
	unmatched.BackAgreed: payout.Requested, unmatched.BackSent: payout.Sent, unmatched.BackPaid: payout.Paid, unmatched.BackFailed: payout.Failed,
	unmatched.BackReturned: payout.Reversed,
}

// sendBackAsRow is the ledger's state of a payout of suspense, in the form of the read model.
func sendBackAsRow(id string, a wallet.Arrival, of payout.SentMoney) unmatched.SendBack {
	row := unmatched.SendBack{ID: id, Amount: a.Amount, Provider: of.Provider, User: a.Back.User, Status: unmatched.BackFailed}
	back := a.Back
	switch ended := a.EndedTry(id); {
	case ended.ID == id:
		back, row.Amount = ended.SendBack, ended.Amount
		if ended.Returned {
			row.Status = unmatched.BackReturned
		}
	case goesPaid(a, id):
		row.Status = unmatched.BackPaid
	case back.Reference != "":
		row.Status = unmatched.BackSent
	default:
		row.Status = unmatched.BackAgreed
	}
	row.User, row.ProposedAt, row.AgreedAt = back.User, back.AgreedAt, &back.AgreedAt
	if !back.SentAt.IsZero() {
		row.SentAt = &back.SentAt
	}
	if !back.PaidAt.IsZero() {
		row.PaidAt = &back.PaidAt
	}
	return row
}
