package ajo

import (
	"context"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"time"

	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/base/money"
	rules "adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/projections/ajos"
	"adashi.ng/services/internal/ajo/terms"
	"adashi.ng/services/internal/usecase"
)

// ReadModels are the read models that lists of ajo use.
var ReadModels = []string{ajos.Name}

// rowsMax limits the ajo in a list.
const rowsMax = 100

// Available returns ajo that the caller could join, and their own, newest first.
func (s *Service) Available(ctx context.Context, user string, text *string) ([]AjoRow, error) {
	q := ""
	if text != nil {
		q = strings.TrimSpace(*text)
	}
	list, err := ajos.Available(ctx, s.Pool, user, q, 0, rowsMax)
	if err != nil {
		return nil, err
	}
	return s.rows(ctx, user, list)
}

// Own returns the caller's ajo, including those that were cancelled or that they left.
func (s *Service) Own(ctx context.Context, user string) ([]AjoRow, error) {
	list, err := ajos.EverOfUser(ctx, s.Pool, user)
	if err != nil {
		return nil, err
	}
	return s.rows(ctx, user, list)
}

func (s *Service) rows(ctx context.Context, user string, list []ajos.Ajo) ([]AjoRow, error) {
	ids := make([]string, len(list))
	for i, a := range list {
		ids[i] = a.ID
	}
	current, err := ajos.CurrentOf(ctx, s.Pool, ids)
	if err != nil {
		return nil, err
	}
	debts, err := ajos.DebtsOf(ctx, s.Pool, user)
	if err != nil {
		return nil, err
	}
	out := []AjoRow{}
	for _, a := range list {
		out = append(out, row(user, a, current[a.ID], debts))
	}
	return out, nil
}

func row(user string, a ajos.Ajo, current ajos.Cycle, debts []ajos.DebtRow) AjoRow {
	t := a.State.Terms
	r := AjoRow{
		Id: a.ID, Name: a.Name, Description: a.Description, Amount: usecase.NairaOf(t.GetAmountKobo()), Duration: int(t.GetSeats()), MemberCapacity: int(t.GetSeats()),
		Members: a.Members, StartMonth: time.Month(t.GetStartMonth()).String(), StartMonthId: int(t.GetStartMonth()), Year: int(t.GetStartYear()),
		Status: AjoStatus(a.State.Status), Type: "GROUP", IsMember: a.State.IsMember(user), Frequency: terms.Frequency(t.GetFrequency()), Order: orderKind(t.GetOrder()),
		Listed: a.State.Listed, FreeHalves: a.FreeHalves, DateCreated: a.CreatedAt.UTC(),
	}
	if !r.IsMember {
		return r
	}
	if a.Cycle > 0 {
		places, paid := a.Places(current.State)
		r.Cycle, r.Due, r.Places, r.PaidPlaces = &a.Cycle, usecase.OrNil(a.Due), &places, &paid
		var next money.Kobo
		for _, m := range a.Missing(current.State) {
			if m.User == user {
				next += m.Amount
			}
		}
		r.MyNextAmount = usecase.NairaPtr(next)
	}
	for _, seat := range a.State.SeatsOf(user) {
		if turn := a.State.Turn(seat); turn > 0 && r.MyTurn == nil {
			r.MyTurn = &turn
		}
	}
	var owed money.Kobo
	for _, d := range debts {
		if d.AjoID == a.ID && d.Debtor == user {
			owed += d.Left
		}
	}
	r.Owed = usecase.NairaPtr(owed)
	return r
}

// Contributions returns what each member has paid in, collected, and owes.
func (s *Service) Contributions(ctx context.Context, user, id string) ([]AjoContribution, error) {
	r, err := s.room(ctx, user, id)
	if err != nil {
		return nil, err
	}
	totals, err := ajos.Totals(ctx, s.Pool, r.id)
	if err != nil {
		return nil, err
	}
	ids := []string{}
	for _, t := range totals {
		ids = append(ids, t.User)
	}
	cards, err := s.names(ctx, ids)
	out := []AjoContribution{}
	for _, t := range totals {
		line := AjoContribution{UserId: t.User, Name: usecase.FullName(cards, t.User), TotalContributions: usecase.Naira(t.Contributed), Collected: usecase.Naira(t.Collected), Owed: usecase.Naira(t.Owed)}
		if seats := r.a.SeatsOf(t.User); len(seats) > 0 {
			line.Seat = seats[0]
		}
		out = append(out, line)
	}
	return out, err
}

// Member returns a member's places.
func (s *Service) Member(ctx context.Context, user, id, member string) (AjoMember, error) {
	r, err := s.room(ctx, user, id)
	if err != nil {
		return AjoMember{}, err
	}
	if !r.a.IsMember(member) {
		return AjoMember{}, usecase.NotThere(ajos.ErrNone, ajos.ErrNone, "member")
	}
	v, err := s.sight(ctx, r, user)
	return v.member(member), err
}

const historyMax = 50

// kindWords are the names of movements.
var kindWords = map[string]string{
	"DUE": "Contribution", "COVER": "Paid for another member", "GIFT": "Paid as a gift", "RETURNED": "Contribution returned", "DEPOSIT": "Deposit",
	"DEPOSIT_USED": "Taken from the deposit", "DEPOSIT_RETURNED": "Deposit returned", "DEBT": "Debt paid", "PAYOUT": "Pot paid out", "DISCOUNT": "Share of a bid", "PLACE": "Place taken over",
}

// History returns a page of an ajo's movements, or of the caller's own in all ajo, newest first.
func (s *Service) History(ctx context.Context, user string, form AjoHistoryRequest) (AjoHistoryPage, error) {
	page := AjoHistoryPage{Items: []AjoHistoryLine{}}
	before, err := usecase.Cursor(form.Before)
	if err != nil {
		return page, err
	}
	var list []ajos.Movement
	if form.AjoId != nil && *form.AjoId != "" {
		r, err := s.room(ctx, user, *form.AjoId)
		if err != nil {
			return page, err
		}
		if list, err = ajos.History(ctx, s.Pool, r.id, before, historyMax); err != nil {
			return page, err
		}
	} else if list, err = ajos.HistoryOf(ctx, s.Pool, user, "", before, historyMax); err != nil {
		return page, err
	}
	if page.Items, err = s.lines(ctx, list); err == nil && len(list) >= historyMax {
		page.Next = usecase.OrNil(strconv.FormatInt(list[len(list)-1].Pos, 10))
	}
	return page, err
}

func (s *Service) lines(ctx context.Context, list []ajos.Movement) ([]AjoHistoryLine, error) {
	var ids []string
	for _, m := range list {
		ids = append(ids, m.User, m.By, m.To)
	}
	cards, err := s.names(ctx, usecase.UniqueIDs(ids))
	if err != nil {
		return nil, err
	}
	out := []AjoHistoryLine{}
	for _, m := range list {
		line := AjoHistoryLine{
			Id: m.EventID.String(), AjoId: m.AjoID, AjoName: m.AjoName, Kind: AjoHistoryLineKind(m.Kind), Title: kindWords[m.Kind], Amount: usecase.Naira(m.Amount),
			UserId: m.User, Name: usecase.FullName(cards, m.User), Date: m.At.UTC(),
		}
		if m.Cycle > 0 {
			line.Cycle, line.Seat = &m.Cycle, &m.Seat
		}
		for _, other := range []string{m.By, m.To} {
			if other != "" && other != m.User {
				line.OtherName = usecase.OrNil(usecase.FullName(cards, other))
			}
		}
		out = append(out, line)
	}
	return out, nil
}

// Book returns all movements of an ajo as a table.
func (s *Service) Book(ctx context.Context, user, id string) (string, error) {
	r, err := s.room(ctx, user, id)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	text.WriteString(usecase.ByteOrderMark)
	w := csv.NewWriter(&text)
	_ = w.Write([]string{"Date", "Cycle", "Seat", "What", "Member", "Other person", "Amount (NGN)", "Event"})
	for before := int64(0); ; {
		list, err := ajos.History(ctx, s.Pool, r.id, before, 500)
		if err != nil {
			return "", err
		}
		lines, err := s.lines(ctx, list)
		if err != nil {
			return "", err
		}
		for i, l := range lines {
			other := ""
			if l.OtherName != nil {
				other = *l.OtherName
			}
			_ = w.Write([]string{
				lagos.Clock(list[i].At), fmt.Sprint(list[i].Cycle), fmt.Sprint(list[i].Seat), l.Title, usecase.Harmless(l.Name), usecase.Harmless(other),
				usecase.Decimals(list[i].Amount), l.Id,
			})
		}
		if len(list) < 500 {
			break
		}
		before = list[len(list)-1].Pos
	}
	w.Flush()
	return text.String(), w.Error()
}

// Dues returns all that a member has to pay, owes, is owed and may collect, over all their ajo.
func (s *Service) Dues(ctx context.Context, user string) (AjoDues, error) {
	out := AjoDues{Dues: []AjoDueLine{}, Debts: []AjoDebt{}, Collecting: []AjoCollecting{}, Deposits: []AjoDueLine{}}
	sights, err := s.sights(ctx, user)
	if err != nil {
		return out, err
	}
	for _, v := range sights {
		v.owes(&out)
	}
	return out, s.debtsOf(ctx, user, &out)
}

// debtsOf adds a member's debts, and debts to them, including those in ajo that have ended.
func (s *Service) debtsOf(ctx context.Context, user string, out *AjoDues) error {
	debts, err := ajos.DebtsOf(ctx, s.Pool, user)
	if err != nil {
		return err
	}
	var ids []string
	for _, d := range debts {
		ids = append(ids, d.Debtor, d.Creditor)
	}
	cards, err := s.names(ctx, usecase.UniqueIDs(ids))
	if err != nil {
		return err
	}
	var owed, toMe money.Kobo
	for _, d := range debts {
		creditor := "Adashi"
		if d.Creditor != "" {
			creditor = usecase.FullName(cards, d.Creditor)
		}
		if d.Debtor == user {
			owed += d.Left
		} else {
			toMe += d.Left
		}
		out.Debts = append(out.Debts, AjoDebt{
			Id: d.ID, Kind: AjoDebtKind(d.Kind.String()[len("AJO_DEBT_KIND_"):]), AjoId: d.AjoID, AjoName: d.AjoName, Cycle: d.Cycle, Seat: d.Seat, DebtorId: d.Debtor,
			Debtor: usecase.FullName(cards, d.Debtor), CreditorId: usecase.OrNil(d.Creditor), Creditor: creditor, Amount: usecase.Naira(d.Amount), Penalty: usecase.Naira(d.Penalty),
			Left: usecase.Naira(d.Left), IOwe: d.Debtor == user, OwedToMe: d.Creditor == user, DateCreated: d.OpenedAt.UTC(),
		})
	}
	out.Owed, out.OwedToMe = usecase.Naira(owed), usecase.Naira(toMe)
	return nil
}

// owes adds what the member has to pay in the ajo, and may collect.
func (v sight) owes(out *AjoDues) {
	if missing := v.a.Deposit(v.user) - v.deposits[v.user]; missing > 0 && v.a.Status == rules.Open {
		out.Deposits = append(out.Deposits, AjoDueLine{
			AjoId: v.id, AjoName: v.a.Name, Seat: v.a.SeatsOf(v.user)[0], Amount: usecase.Naira(missing), AmountWithCharge: usecase.Naira(missing + wallet.CardTariff.Charge(missing)), Status: "DUE",
		})
	}
	for _, ready := range v.a.Cycles {
		if _, mine := v.a.Place(ready.Seat, v.user); mine && !v.cycles[ready.Cycle].PaidOut {
			p := v.payout(ready)
			out.Collecting = append(out.Collecting, AjoCollecting{AjoId: v.id, AjoName: v.a.Name, Cycle: ready.Cycle, Amount: *p.Mine, Status: p.Status})
		}
	}
	if !v.a.HasStarted() || v.a.Over() {
		return
	}
	for k := v.a.Current(); k <= min(v.a.Current()+1, len(v.a.Order)); k++ {
		if k == v.a.Current() || !v.today.Before(v.a.Opens(k)) {
			v.dues(k, out)
		}
	}
}

// dues adds the member's own dues of a cycle.
func (v sight) dues(k int, out *AjoDues) {
	c := v.cycle(k)
	collects := v.collects(k)
	for _, seat := range v.a.SeatsOf(v.user) {
		p, _ := v.a.Place(seat, v.user)
		due, paid := v.a.DueOf(seat, p, k), v.cycles[k].Paid(seat, v.user)
		if due == 0 {
			continue
		}
		line := AjoDueLine{
			AjoId: v.id, AjoName: v.a.Name, Cycle: k, Seat: seat, Amount: usecase.Naira(due), AmountWithCharge: usecase.Naira(due + wallet.CardTariff.Charge(due)),
			Due: c.Due, Deadline: c.Deadline, Collects: c.Names,
		}
		switch {
		case paid >= due:
			line.Status = "PAID"
		case c.Status == "UPCOMING" || c.Status == "GRACE" && seat != collects:
			line.Status = AjoDueLineStatus(c.Status)
		default:
			line.Status = "DUE"
		}
		out.Dues = append(out.Dues, line)
	}
}
