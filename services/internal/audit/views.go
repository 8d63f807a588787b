package audit

import (
	"context"
	"strconv"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/reviews"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/projections/bankbook"
	"adashi.ng/projections/groups"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/usecase"
	"adashi.ng/services/internal/vault"
)

// auditViews returns payments of groups as an official of them sees them, with the evidence of the bank and the ledger.
func (s *Service) auditViews(ctx context.Context, user string, of func(group string) savings.Group, again rechecks, rows []groups.Payment) ([]AuditPayment, error) {
	views := []AuditPayment{}
	var subIDs, userIDs, paymentIDs []string
	for _, p := range rows {
		subIDs, userIDs, paymentIDs = append(subIDs, p.SubAccount), append(userIDs, p.User, p.PaidBy, p.MarkedBy), append(paymentIDs, p.PaymentID)
	}
	n, err := s.Names(ctx, nil, usecase.UniqueIDs(subIDs))
	if err != nil {
		return views, err
	}
	cards, err := s.People.Cards(ctx, usecase.UniqueIDs(userIDs))
	if err != nil {
		return views, err
	}
	paymentIDs = usecase.UniqueIDs(paymentIDs)
	atTheBank, err := bankbook.About(ctx, s.Pool, paymentIDs)
	if err != nil {
		return views, err
	}
	payees, err := s.Vault.Payees(ctx, paymentIDs...)
	if err != nil {
		return views, err
	}
	paidTo := s.paidTo()
	for _, p := range rows {
		to, err := paidTo(ctx, p.Group, payees[p.PaymentID], p.User)
		if err != nil {
			return views, err
		}
		view := auditView(p, n.Subs[p.SubAccount], cards)
		g, review := of(p.Group), again.review(p.Pos, p.Mark, p.MarkedBy)
		view.MayMark = p.Mark != nairav1.Mark_MARK_RESOLVED &&
			reviews.MayMarkNow(g, reviews.Payment{Group: p.Group, SubAccount: p.SubAccount, User: p.User, PaidBy: p.PaidBy, PaidTo: to}, review, user)
		showRecheck(&view, review, g.Owner, user)
		show := func(label, value string) {
			view.Evidence = append(view.Evidence, Evidence{Label: label, Value: value})
		}
		showEvidence(p, atTheBank[p.PaymentID], payees[p.PaymentID], show)
		views = append(views, view)
	}
	return views, nil
}

type paidTo func(ctx context.Context, group string, payee vault.Payee, asker string) ([]string, error)

// paidTo returns a function that finds the officials whom a payout of a group concerns: those who own the payee's bank
// account, and those who share an account with them or with the requester. If that leaves nobody to mark the payout, it
// returns only the owners. It asks once about each.
func (s *Service) paidTo() paidTo {
	type about struct{ group, bank, number, asker string }
	known := map[about][]string{}
	return func(ctx context.Context, group string, payee vault.Payee, asker string) ([]string, error) {
		of := about{group, payee.BankCode, payee.Number, asker}
		to, is := known[of]
		if payee.Number == "" || is {
			return to, nil
		}
		officers, err := s.Membership.Officers(ctx, group, payee, asker)
		known[of] = officers.Concerned(asker)
		return known[of], err
	}
}

// oddities are the kinds of unusual payments, as texts.
var oddities = []struct {
	odd   groups.Odd
	words string
}{
	{groups.Refunded, "The bank took back what it was paid with"},
	{groups.Twice, "Within ten minutes of another payment of theirs"},
	{groups.Unlike, "Another amount than the member's others"},
	{groups.PaidByAnother, "Paid by another member"},
	{groups.Late, "Paid after its due date"},
}

func auditView(p groups.Payment, sub groups.SubAccount, cards map[string]people.Card) AuditPayment {
	pos := p.Pos
	view := AuditPayment{
		Id: p.Event.String(), Kind: AuditPaymentKind(p.Kind), UserId: p.User, Name: usecase.FullName(cards, p.User), SubAccountId: p.SubAccount,
		SubAccountName: sub.Name, Amount: usecase.Naira(p.Amount), Date: p.At.UTC(), Channel: Channel(usecase.ChannelName(p.Channel)), Mark: usecase.MarkOf(p.Mark),
		Reason: usecase.OrNil(p.Reason), Position: &pos, Oddities: []string{},
		Answered: p.Answered,
	}
	if p.PaidBy != "" {
		view.PaidByName = usecase.OrNil(usecase.FullName(cards, p.PaidBy))
	}
	if p.MarkedAt != nil {
		at := p.MarkedAt.UTC()
		view.MarkedAt, view.MarkedByName = &at, usecase.OrNil(usecase.FullName(cards, p.MarkedBy))
	}
	for _, o := range oddities {
		if p.Odd&o.odd != 0 {
			view.Oddities = append(view.Oddities, o.words)
		}
	}
	if parts := p.Parts(); len(parts) > 0 {
		settled := []Settlement{}
		for _, part := range parts {
			settled = append(settled, usecase.SettlementOf(usecase.ScheduleOf(sub), part.Period, money.Kobo(part.Kobo)))
		}
		view.Settled = &settled
	}
	return view
}

// showEvidence shows the evidence of the bank and the ledger about a payment. For money that left the group it shows
// the destination: the bank and the last four digits.
func showEvidence(p groups.Payment, lines []bankbook.Line, payee vault.Payee, show func(label, value string)) {
	payout := p.Kind == groups.PaidOut || p.Kind == groups.CameBack
	clock := func(t time.Time) string { return lagos.Clock(t) + " (Lagos)" }
	for _, l := range lines {
		switch {
		case l.Moved > 0 && payout:
			show("Came back to our bank account", l.Moved.String()+", "+clock(l.At))
		case l.Moved > 0:
			show("Received by the bank", l.Moved.String()+", "+clock(l.At))
		case payout:
			show("Left our bank account", (-l.Moved).String()+", "+clock(l.At))
		default:
			show("Taken back by the bank", (-l.Moved).String()+", "+clock(l.At))
		}
		show("The bank's reference", l.ProviderRef)
	}
	switch {
	case payout:
		if payee.Number != "" {
			show("Paid to", payee.AccountName+", "+payee.BankName+", account ending "+usecase.LastFour(payee.Number))
		}
	case p.Kind == groups.Undone:
		show("Went back to", "The member's wallet, by two people's decision")
	case len(lines) == 0:
		show("Paid from", "A wallet that held the money already")
	}
	show("Ledger entry", strconv.FormatInt(p.Pos, 10))
}
