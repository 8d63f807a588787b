package payouts

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"adashi.ng/proto/wire"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/payouts"
	"adashi.ng/services/internal/usecase"
	"adashi.ng/services/internal/vault"
)

// noteCharsMax limits the note on the member's own statement.
const noteCharsMax = 50

// QuoteWithdrawal returns the cost and the destination of a withdrawal, or the refusal that the withdrawal would get.
func (s *Service) QuoteWithdrawal(ctx context.Context, user string, amount wire.Naira) (WithdrawalQuote, error) {
	k, err := usecase.Kobo("amount", amount)
	if err != nil {
		return WithdrawalQuote{}, err
	}
	charges := payout.ChargesOn(k)
	request := s.request(store.NewCommandID().String(), user, k, k-charges.Total())
	if _, err := s.Ledger.DryRun(ctx, request); err != nil {
		return WithdrawalQuote{}, err
	}
	payee, err := s.Payee(ctx, user)
	if err != nil {
		return WithdrawalQuote{}, err
	}
	return WithdrawalQuote{
		Amount: usecase.Naira(k), Fee: usecase.Naira(charges.Fee), Vat: usecase.Naira(charges.VAT), StampDuty: usecase.Naira(charges.Duty), Charges: usecase.Naira(charges.Total()), Net: usecase.Naira(request.Net),
		FeeTable: payout.FeeTable, BankName: payee.BankName, AccountNumber: usecase.LastFour(payee.Number), AccountName: payee.AccountName,
	}, nil
}

func (s *Service) request(id, user string, amount, net money.Kobo) payout.Request {
	return payout.Request{WithdrawalID: id, User: user, Amount: amount, Net: net, Provider: s.Provider, Tiers: s.Tiers, CardHold: s.CardHold, At: s.Now()}
}

// Withdraw sets an amount of the member's wallet aside for their own bank account, and freezes the account's details
// with it. A job sends it. net is the arriving amount that the member saw.
func (s *Service) Withdraw(ctx context.Context, who usecase.Who, amount, net wire.Naira, note string) (Withdrawal, int64, error) {
	k, err := usecase.Kobo("amount", amount)
	if err != nil {
		return Withdrawal{}, 0, err
	}
	told, err := usecase.Kobo("net", net)
	if err != nil {
		return Withdrawal{}, 0, err
	}
	if note, err = readNote(note); err != nil {
		return Withdrawal{}, 0, err
	}
	command, _ := who.ID("withdraw")
	id := event.DeriveID(command, "withdrawal").String()
	then := s.at(s.Now()) // It counts towards the day of the record.
	request := then.request(id, who.User, k, told)
	if err := s.UnlessRecorded(ctx, command, func() error { return s.freeze(ctx, request, note) }); err != nil {
		return Withdrawal{}, 0, err
	}
	result, err := then.Record(ctx, who, command, id, store.Fingerprint(k, told, note), request)
	if err != nil {
		return Withdrawal{}, 0, err
	}
	w, err := s.WithdrawalState(ctx, id)
	if err != nil {
		return Withdrawal{}, 0, err
	}
	row := asRow(id, w)
	row.Pos, row.EventID = result.Records[0].Pos, result.Records[0].ID()
	views, err := s.withdrawalViews(ctx, row)
	if err != nil {
		return Withdrawal{}, 0, err
	}
	return views[0], result.Position(), nil
}

// SendOn withdraws an amount to the member's own bank account, once for each command id: the member requested it, and
// proved their identity, earlier.
func (s *Service) SendOn(ctx context.Context, user string, command uuid.UUID, amount money.Kobo) error {
	if again, err := s.Ledger.Recorded(ctx, command); err != nil || again {
		return err
	}
	id := event.DeriveID(command, "withdrawal").String()
	then := s.at(s.Now())
	request := then.request(id, user, amount, amount-payout.ChargesOn(amount).Total())
	if err := s.freeze(ctx, request, ""); err != nil {
		return err
	}
	_, err := then.Record(ctx, usecase.Who{User: user}, command, id, store.Fingerprint(amount), request)
	return err
}

// freeze stores the destination of a withdrawal, unless the ledger would refuse it or the member may not be paid.
func (s *Service) freeze(ctx context.Context, request payout.Request, note string) error {
	if _, err := s.Ledger.DryRun(ctx, request); err != nil {
		return err
	}
	payee, err := s.Payee(ctx, request.User)
	if err != nil {
		return err
	}
	payee.Note = note
	return s.SealPayee(ctx, request.User, request.WithdrawalID, payee)
}

// SealPayee stores the destination of a payout. It returns fault.Conflict when an earlier try under the same key had
// another destination: the first one stays.
func (s *Service) SealPayee(ctx context.Context, user, id string, payee vault.Payee) error {
	if err := s.Vault.SealPayee(ctx, user, id, payee, s.Present()); err != nil {
		return err
	}
	kept, err := s.Vault.Payee(ctx, id)
	if err == nil && kept != payee {
		err = fault.New(fault.Conflict, "You asked for this before, to go elsewhere. Nothing was taken. Please begin anew.")
	}
	return err
}

// readNote checks that a bank's statement can show a note.
func readNote(note string) (string, error) {
	note = strings.TrimSpace(note)
	if utf8.RuneCountInString(note) > noteCharsMax {
		return "", fault.Field("note", "A note may have at most %d characters.", noteCharsMax)
	}
	if strings.ContainsFunc(note, unicode.IsControl) {
		return "", fault.Field("note", "A note may have letters, numbers and punctuation only.")
	}
	return note, nil
}

// Withdrawals is a page of a member's withdrawals, newest first.
func (s *Service) Withdrawals(ctx context.Context, user string, before *string, limit int) (WithdrawalPage, error) {
	page := WithdrawalPage{Withdrawals: []Withdrawal{}}
	pos, err := usecase.Cursor(before)
	if err != nil {
		return page, err
	}
	rows, err := payouts.Page(ctx, s.Pool, user, pos, limit+1)
	if err != nil {
		return page, err
	}
	if len(rows) > limit {
		rows = rows[:limit]
		page.Next = usecase.OrNil(strconv.FormatInt(rows[limit-1].Pos, 10))
	}
	page.Withdrawals, err = s.withdrawalViews(ctx, rows...)
	return page, err
}

// Withdrawal returns one of the member's withdrawals and its history; somebody else's is NotFound.
func (s *Service) Withdrawal(ctx context.Context, user, id string) (Withdrawal, error) {
	id, err := usecase.ParseID(id, "withdrawal")
	if err != nil {
		return Withdrawal{}, err
	}
	row, err := payouts.One(ctx, s.Pool, id)
	if errors.Is(err, payouts.ErrNone) { // The read model may not have reached it yet.
		var w payout.Withdrawal
		w, err = s.WithdrawalState(ctx, id)
		row = asRow(id, w)
	}
	if err != nil {
		return Withdrawal{}, err
	}
	if row.User != user || row.User == "" {
		return Withdrawal{}, fault.New(fault.NotFound, "There is no such withdrawal.")
	}
	views, err := s.withdrawalViews(ctx, row)
	if err != nil {
		return Withdrawal{}, err
	}
	return views[0], nil
}

// asRow is the ledger's state of a withdrawal, in the form of the read model.
func asRow(id string, w payout.Withdrawal) payouts.Payout {
	row := payouts.Payout{
		ID: id, User: w.User, Status: string(w.Status), Amount: w.Amount, Fee: w.Fee, VAT: w.VAT, Duty: w.Duty, FeeTable: w.FeeTable, Provider: w.Provider,
		RequestedAt: w.RequestedAt, ProviderRef: w.ProviderRef, Reason: w.Reason,
	}
	for _, moment := range []struct {
		at time.Time
		to **time.Time
	}{{w.SentAt, &row.SentAt}, {w.PaidAt, &row.PaidAt}, {w.EndedAt, &row.EndedAt}} {
		if !moment.at.IsZero() {
			*moment.to = &moment.at
		}
	}
	return row
}

func (s *Service) withdrawalViews(ctx context.Context, rows ...payouts.Payout) ([]Withdrawal, error) {
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = row.ID
	}
	payees, err := s.Vault.Payees(ctx, ids...)
	views := make([]Withdrawal, len(rows))
	for i, row := range rows {
		views[i] = withdrawalView(row, payees[row.ID])
	}
	return views, err
}

func withdrawalView(p payouts.Payout, payee vault.Payee) Withdrawal {
	view := Withdrawal{
		Id: p.ID, Status: WithdrawalStatus(p.Status), Amount: usecase.Naira(p.Amount), Fee: usecase.Naira(p.Fee), Vat: usecase.Naira(p.VAT), StampDuty: usecase.Naira(p.Duty),
		Charges: usecase.Naira(p.Charges()), Net: usecase.Naira(p.Net()), FeeTable: int(p.FeeTable), BankName: payee.BankName, AccountNumber: usecase.LastFour(payee.Number),
		AccountName: payee.AccountName, DateCreated: p.RequestedAt.UTC(), Reason: usecase.OrNil(p.Reason), ProviderRef: usecase.OrNil(p.ProviderRef), Story: payoutStory(p, payee.BankName),
	}
	if p.Pos > 0 {
		view.ActivityId = usecase.OrNil(p.EventID.String())
	}
	if p.PaidAt != nil {
		at := p.PaidAt.UTC()
		view.DatePaid = &at
	}
	return view
}

// WithdrawalSteps returns the history of a withdrawal; nothing when the read model has not reached it yet.
func (s *Service) WithdrawalSteps(ctx context.Context, id string) ([]StoryStep, error) {
	p, err := payouts.One(ctx, s.Pool, id)
	if errors.Is(err, payouts.ErrNone) {
		return nil, nil
	}
	return payoutStory(p, "your bank"), err
}

// payoutStory is the history of a withdrawal, as texts.
func payoutStory(p payouts.Payout, bank string) []StoryStep {
	steps := []StoryStep{}
	tell := func(step StoryStepStep, at time.Time, pos int64, title, detail string) {
		s := StoryStep{Step: step, Title: title, Detail: detail, At: at.UTC()}
		if pos > 0 {
			s.Position = &pos
		}
		steps = append(steps, s)
	}
	tell(StoryStepStepINITIATED, p.RequestedAt, p.Pos, "You asked for it", p.Amount.String()+" was set aside in your wallet. With charges of "+p.Charges().String()+" out of it, "+p.Net().String()+" goes to your bank account.")
	if p.SentAt != nil {
		tell(StoryStepStepSENT, *p.SentAt, p.SentPos, "Sent to your bank", p.Net().String()+" is on its way to "+bank+". It is never sent twice.")
	}
	if p.PaidAt != nil {
		tell(StoryStepStepCONFIRMED, *p.PaidAt, p.PaidPos, "Confirmed by the bank", p.Net().String()+" is in your account. The bank's reference is "+p.ProviderRef+".")
	}
	switch payout.Status(p.Status) {
	case payout.Failed:
		tell(StoryStepStepFAILED, *p.EndedAt, p.EndedPos, "Not paid", "The bank did not pay it. "+p.Reason)
		tell(StoryStepStepRETURNED, *p.EndedAt, p.EndedPos, "Back in your wallet", p.Amount.String()+", the charges too. You have not been charged.")
	case payout.Reversed:
		tell(StoryStepStepRETURNED, *p.EndedAt, p.EndedPos, "Sent back by the receiving bank", p.Amount.String()+" is in your wallet again, the charges too. "+p.Reason)
	}
	return steps
}
