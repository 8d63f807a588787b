package audit

import (
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/lagos"
	rules "adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/reviews"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/ajos"
	"adashi.ng/projections/bankbook"
	"adashi.ng/projections/groups"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/usecase"
	"adashi.ng/services/internal/vault"
)

// WhichOfAjo filters the payments of an ajo; empty means all.
type WhichOfAjo struct {
	Narrowing
	State  *State
	Cycle  *int
	Sample *bool // Only payments of a sample that is drawn and not attested.
}

func (w WhichOfAjo) read(drawn draws) (which ajos.Which, err error) {
	if _, which.Narrowing, err = w.Narrowing.read(); err != nil {
		return which, err
	}
	if w.Cycle != nil {
		which.Cycle = *w.Cycle
	}
	which.Mark, which.Answered, which.Places, err = drawn.in(w.State, w.Sample)
	return which, err
}

// ajo returns an ajo for a member of it.
func (s *Service) ajo(ctx context.Context, user, id string) (ajos.Ajo, error) {
	id, err := usecase.ParseID(id, "ajo")
	if err != nil {
		return ajos.Ajo{}, err
	}
	a, err := ajos.ByID(ctx, s.Pool, id)
	if err == nil && !a.State.IsMember(user) {
		err = ajos.ErrNone
	}
	return a, usecase.NotThere(err, ajos.ErrNone, "ajo")
}

// Ajo returns a page of an ajo's payments with their marks, the oldest first. Every member may look.
func (s *Service) Ajo(ctx context.Context, user, id string, wanted WhichOfAjo, before *string, limit int) (AuditPage, error) {
	page := AuditPage{Payments: []AuditPayment{}}
	a, err := s.ajo(ctx, user, id)
	if err != nil {
		return page, err
	}
	drawn, err := s.draws(ctx, a.ID)
	if err != nil {
		return page, err
	}
	which, err := wanted.read(drawn)
	if err != nil {
		return page, err
	}
	after, err := usecase.Cursor(before)
	if err != nil {
		return page, err
	}
	rows, err := ajos.Payments(ctx, s.Pool, a, which, after, limit+1)
	if err != nil {
		return page, err
	}
	if len(rows) > limit {
		rows = rows[:limit]
		page.Next = usecase.OrNil(strconv.FormatInt(rows[limit-1].Pos, 10))
	}
	if page.Payments, err = s.ajoViews(ctx, user, a, drawn.rechecks, rows); err != nil {
		return page, err
	}
	page.Rechecks = len(drawn.rechecks.places())
	if err = s.showDraws(ctx, a.ID, drawn, page.Payments); err != nil {
		return page, err
	}
	page.Position = s.stands(page.Payments, AjoReadModels)
	page.Coverage, err = s.ajoCoverage(ctx, a.ID)
	return page, err
}

func (s *Service) ajoCoverage(ctx context.Context, id string) (AuditCoverage, error) {
	rows, err := ajos.Coverages(ctx, s.Pool, id)
	if err != nil {
		return AuditCoverage{}, err
	}
	months := make([]groups.Coverage, len(rows))
	for i, row := range rows {
		months[i] = groups.Coverage(row)
	}
	return covered(months)
}

// MarkAjo validates, queries or resolves payments of an ajo: all of them, or none.
func (s *Service) MarkAjo(ctx context.Context, who usecase.Who, id string, list []Marking) (AuditCoverage, int64, error) {
	a, err := s.ajo(ctx, who.User, id)
	if err != nil {
		return AuditCoverage{}, 0, err
	}
	ids, err := idsOf(list)
	if err != nil {
		return AuditCoverage{}, 0, err
	}
	places, err := ajos.Places(ctx, s.Pool, a.ID, ids)
	if err != nil {
		return AuditCoverage{}, 0, err
	}
	command := reviews.MarkAjo{AjoID: a.ID, By: who.User, Now: s.Now(), Nonce: nonce()}
	if command.List, err = s.recorded(ctx, list, ids, places); err != nil {
		return AuditCoverage{}, 0, err
	}
	operation, _ := who.ID("mark ajo payments")
	result, err := s.Record(ctx, who, operation, a.ID, store.Fingerprint(a.ID, fmt.Sprint(list)), command)
	if err != nil {
		return AuditCoverage{}, 0, err
	}
	s.Tracker.WaitFor(ctx, result.Position(), usecase.ReadModelWait, AjoReadModels...)
	view, err := s.ajoCoverage(ctx, a.ID)
	return view, result.Position(), err
}

// ExportAjo returns an ajo's payments and their marks as CSV: at most one for each place and cycle, and a few more.
func (s *Service) ExportAjo(ctx context.Context, user, id string, wanted WhichOfAjo) (string, error) {
	a, err := s.ajo(ctx, user, id)
	if err != nil {
		return "", err
	}
	drawn, err := s.draws(ctx, a.ID)
	if err != nil {
		return "", err
	}
	which, err := wanted.read(drawn)
	if err != nil {
		return "", err
	}
	rows, err := ajos.Payments(ctx, s.Pool, a, which, 0, math.MaxInt32)
	if err != nil {
		return "", err
	}
	views, err := s.ajoViews(ctx, user, a, drawn.rechecks, rows)
	if err != nil {
		return "", err
	}
	if err := s.showDraws(ctx, a.ID, drawn, views); err != nil {
		return "", err
	}
	text := strings.Builder{}
	text.WriteString(usecase.ByteOrderMark)
	file := csv.NewWriter(&text)
	file.UseCRLF = true
	lines := [][]string{AuditColumns}
	for _, v := range views {
		lines = append(lines, auditRow(v))
	}
	err = file.WriteAll(lines)
	return text.String(), err
}

// ajoKinds are the audit's names for the kinds of ajo payments.
var ajoKinds = map[string]AuditPaymentKind{
	ajos.Due: "CONTRIBUTION", ajos.Cover: "COVER", ajos.Gift: "COVER", ajos.Returned: "REVERSAL", ajos.Payout: "PAYOUT",
}

// ajoViews returns payments of an ajo as a member of it sees them, with the evidence of the bank and the ledger.
func (s *Service) ajoViews(ctx context.Context, user string, a ajos.Ajo, again rechecks, rows []ajos.Payment) ([]AuditPayment, error) {
	views := []AuditPayment{}
	var userIDs, paymentIDs []string
	for _, p := range rows {
		userIDs, paymentIDs = append(append(userIDs, p.MarkedBy), p.Users()...), append(paymentIDs, p.PaymentID)
	}
	cycles, err := ajos.Cycles(ctx, s.Pool, a.ID)
	if err != nil {
		return views, err
	}
	pots := map[int]ajos.Cycle{}
	for _, c := range cycles {
		pots[c.Cycle] = c
		userIDs = append(userIDs, c.State.Approvals...)
	}
	cards, err := s.People.Cards(ctx, usecase.UniqueIDs(userIDs))
	if err != nil {
		return views, err
	}
	atTheBank, err := bankbook.About(ctx, s.Pool, usecase.UniqueIDs(paymentIDs))
	if err != nil {
		return views, err
	}
	for _, p := range rows {
		view := ajoView(a.State, p, cards)
		review := again.review(p.Pos, p.Mark, p.MarkedBy)
		view.MayMark = p.Mark != nairav1.Mark_MARK_RESOLVED && reviews.MayMarkAjoNow(a.State, reviews.AjoPayment{Ajo: a.ID, Users: p.Users(), Payer: p.PaidBy}, review, user)
		showRecheck(&view, review, a.State.Owner, user)
		show := func(label, value string) {
			view.Evidence = append(view.Evidence, Evidence{Label: label, Value: value})
		}
		switch p.Kind {
		case ajos.Payout:
			showPot(p, pots[p.Cycle], cards, show)
		case ajos.Returned:
			show("Went back to", "The wallet of "+usecase.FullName(cards, p.To))
			show("Ledger entry", strconv.FormatInt(p.Pos, 10))
		default:
			showEvidence(groups.Payment{Pos: p.Pos}, atTheBank[p.PaymentID], vault.Payee{}, show)
		}
		views = append(views, view)
	}
	return views, nil
}

func ajoView(a rules.Ajo, p ajos.Payment, cards map[string]people.Card) AuditPayment {
	pos := p.Pos
	view := AuditPayment{
		Id: p.Event.String(), Kind: ajoKinds[p.Kind], UserId: p.User, Name: usecase.FullName(cards, p.User), SubAccountId: p.AjoID,
		SubAccountName: fmt.Sprintf("Cycle %d, seat %d", p.Cycle, p.Seat), Amount: usecase.Naira(p.Amount), Date: p.At.UTC(), Channel: "WALLET",
		Mark: usecase.MarkOf(p.Mark), Reason: usecase.OrNil(p.Reason), Position: &pos, Oddities: []string{},
		Answered: p.Answered,
	}
	if p.Channel != nairav1.Channel_CHANNEL_UNSPECIFIED {
		view.Channel = Channel(usecase.ChannelName(p.Channel))
	}
	if p.And != "" {
		view.Name += " and " + usecase.FullName(cards, p.And)
	}
	if p.MarkedAt != nil {
		at := p.MarkedAt.UTC()
		view.MarkedAt, view.MarkedByName = &at, usecase.OrNil(usecase.FullName(cards, p.MarkedBy))
	}
	if p.PaidBy != "" && p.PaidBy != p.User {
		view.PaidByName = usecase.OrNil(usecase.FullName(cards, p.PaidBy))
		view.Oddities = append(view.Oddities, "Paid by another member")
	}
	if due := slices.Contains([]string{ajos.Due, ajos.Cover, ajos.Gift}, p.Kind); due && lagos.Day(p.At) > a.Due(p.Cycle).Format(time.DateOnly) {
		view.Oddities = append(view.Oddities, "Paid after its due date")
	}
	if p.Returned {
		view.Oddities = append(view.Oddities, "It was given back later")
	}
	return view
}

// showPot shows how a pot was paid out, and who decided it.
func showPot(p ajos.Payment, c ajos.Cycle, cards map[string]people.Card, show func(label, value string)) {
	show("The pot held", c.Gross.String())
	if c.Missing > 0 {
		show("Missing in it", c.Missing.String())
	}
	if c.Fee > 0 {
		show("Adashi's fee", c.Fee.String())
	}
	if c.SetOff > 0 {
		show("Paid debts out of it", c.SetOff.String())
	}
	if c.ByItself {
		show("Decided by", "Nobody in time, so it paid itself")
	} else {
		var names []string
		for _, user := range c.State.Approvals {
			names = append(names, usecase.FullName(cards, user))
		}
		show("Approved by", strings.Join(names, ", "))
	}
	show("Paid to", "The wallet of "+usecase.FullName(cards, p.User))
	if p.And != "" {
		show("And to", "The wallet of "+usecase.FullName(cards, p.And)+", "+c.OtherNet.String())
	}
	show("Ledger entry", strconv.FormatInt(p.Pos, 10))
}
