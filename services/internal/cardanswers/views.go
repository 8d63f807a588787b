package cardanswers

import (
	"context"
	"errors"
	"mime"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/domain/account"
	rules "adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/projections/activity"
	model "adashi.ng/projections/disputes"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/usecase"
)

// draft is what a bank could be told where the payment is right: what the ledger knows of the money. Who held the card
// it does not. It is empty where the payer has nothing for their money.
func draft(p wallet.Payment) string {
	if p.Status != wallet.Confirmed && p.Status != wallet.Reversed || p.Returned >= p.Gross() {
		return ""
	}
	given := "the money was credited to their wallet at once."
	switch {
	case p.For != nil:
		given = "the money was paid for their savings in a group at once."
	case p.ForAjo != nil:
		given = "the money was paid for their turn savings in an ajo at once."
	}
	if p.Returned > 0 {
		given += " " + p.Returned.String() + " of it has gone back to the card since."
	}
	return "This payment is right. It was made by somebody signed in to our customer's account, and what it paid for was given: " + given +
		" What our ledger knows of it, and the payment's receipt, go with this answer. We ask that the payment stands."
}

func (s *Service) view(ctx context.Context, staff string, d model.Dispute) (BankAnswer, error) {
	steps, err := model.Steps(ctx, s.Pool, d.ID) // Before the rest, which is then at least as new.
	if err != nil {
		return BankAnswer{}, err
	}
	state, err := s.Ledger.Load(ctx, rules.Stream(d.ID))
	if err != nil {
		return BankAnswer{}, err
	}
	now := state.(rules.Dispute)
	if now.Card.Ref == "" {
		return BankAnswer{}, fault.New(fault.NotFound, "No bank of a card waits for an answer in this case.")
	}
	a, err := s.answer(ctx, d.ID)
	if err != nil {
		return BankAnswer{}, err
	}
	paid, err := s.Ledger.Load(ctx, wallet.Stream(now.Card.Payment))
	if err != nil {
		return BankAnswer{}, err
	}
	view := BankAnswer{
		Disputed: usecase.Naira(d.Amount), BankReason: usecase.OrNil(d.BankReason), Gateway: s.Rails.NameOf(now.Card.Provider), AnswerBy: d.BankAnswerBy, Draft: draft(paid.(wallet.Payment)),
		Files: []BankAnswerFile{}, Ended: now.Card.Ended, StepCount: len(steps),
	}
	inTime := now.IsOpen() && now.Card.Late(s.Now()) == nil
	view.MayAnswer = inTime && a.Over() && s.takes(now.Card) && !now.Waits() && now.Staff == staff && d.User != staff
	if soon := inTime && !now.Card.AnswerBy.IsZero() && (a.Over() || a.Status == rules.AnswerProposed) && !s.Now().Before(rules.RemindFrom(now.Card.AnswerBy)); soon {
		view.Soon = &soon
	}
	if view.Facts, err = s.facts(ctx, d); err != nil {
		return view, err
	}
	for _, step := range steps {
		if step.File {
			view.Files = append(view.Files, BankAnswerFile{Id: step.Paper, At: step.At.UTC()})
		}
	}
	if a.ID == "" {
		return view, nil
	}
	return s.given(ctx, view, staff, d, a, inTime)
}

// given adds the latest answer to a view.
func (s *Service) given(ctx context.Context, view BankAnswer, staff string, d model.Dispute, a rules.CardAnswer, inTime bool) (BankAnswer, error) {
	status, at := BankAnswerStatus(a.Status), a.GivenAt.UTC()
	view.AnswerId, view.Status, view.Accepted, view.GivenAt = &a.ID, &status, &a.Accepted, &at
	view.Reason, view.File = usecase.OrNil(a.Reason), usecase.OrNil(a.File)
	if a.Accepted {
		view.Amount = usecase.NairaPtr(a.Amount)
	}
	cards, err := s.People.Cards(ctx, usecase.UniqueIDs([]string{a.Staff, a.ApprovedBy}))
	if err != nil {
		return view, err
	}
	view.StaffName = usecase.OrNil(usecase.ShortName(cards, a.Staff))
	if a.ApprovedBy != "" {
		view.ApprovedBy = usecase.OrNil(usecase.ShortName(cards, a.ApprovedBy))
	}
	said, err := s.words(ctx, d, a)
	if err != nil {
		return view, err
	}
	view.Words = usecase.OrNil(said)
	switch a.Status {
	case rules.AnswerProposed:
		admin, err := s.admin(ctx, staff)
		if err != nil {
			return view, err
		}
		view.MayAgree, view.MayDrop = admin && inTime && a.Staff != staff && d.User != staff, admin || a.Staff == staff
	case rules.AnswerGiven, rules.AnswerSent:
		asked, err := s.asks().One(ctx, a.ID)
		if err != nil {
			return view, err
		}
		view.Said = usecase.OrNil(asked.Answer)
	}
	return view, nil
}

// facts are what the ledger knows of the payment that is disputed. They name nobody.
func (s *Service) facts(ctx context.Context, d model.Dispute) ([]string, error) {
	m, err := s.movement(ctx, d)
	if err != nil || m.Pos == 0 {
		return []string{}, err
	}
	facts := []string{
		(m.Amount + m.Charge).String() + " was paid by card on " + lagos.Clock(m.EffectiveAt) + " Lagos time, under our reference " + m.Reference + ".",
		m.Amount.String() + " of it was credited to the payer then. It is entry " + strconv.FormatInt(m.Pos, 10) + " of our ledger.",
	}
	state, err := s.Ledger.Load(ctx, wallet.Stream(m.Reference))
	if err != nil {
		return facts, err
	}
	switch p := state.(wallet.Payment); {
	case p.For != nil:
		n, err := s.Names(ctx, []string{p.For.GetGroupId()}, nil)
		if err != nil {
			return facts, err
		}
		facts = append(facts, "It was paid for the payer’s savings in the group "+n.Groups[p.For.GetGroupId()].Name+".")
	case p.ForAjo != nil:
		facts = append(facts, "It was paid for the payer’s turn savings in an ajo.")
	}
	if p := state.(wallet.Payment); p.Returned > 0 {
		facts = append(facts, p.Returned.String()+" of what was paid has gone back to the card since.")
	}
	who, err := s.People.Member(ctx, d.User)
	if fault.Is(err, fault.NotFound) {
		return append(facts, "The payer has closed their account with us since."), nil
	}
	if err != nil {
		return facts, err
	}
	since := "The payer has had an account with us since " + lagos.Date(who.Registered)
	owner, err := s.AccountState(ctx, d.User)
	if owner.Bvn == account.Verified {
		since += ", and their bank confirmed who they are by their BVN"
	}
	return append(facts, since+"."), err
}

// movement is the payment's arrival; the zero movement where it is not known.
func (s *Service) movement(ctx context.Context, d model.Dispute) (activity.Movement, error) {
	id, err := uuid.Parse(d.Event)
	if err != nil {
		return activity.Movement{}, nil //nolint:nilerr // None was known when the dispute was told.
	}
	m, err := activity.One(ctx, s.Pool, d.User, id)
	if errors.Is(err, activity.ErrNone) {
		err = nil
	}
	return m, err
}

// grounds are what an answer stands on: the facts, and a file of the case or the payment's receipt.
func (s *Service) grounds(ctx context.Context, d model.Dispute, a rules.CardAnswer, order *rails.CardAnswer) error {
	facts, err := s.facts(ctx, d)
	if err != nil {
		return err
	}
	order.Facts = strings.Join(append(facts, "Our case: "+rules.Number(d.ID)+"."), "\n")
	if a.File != "" {
		kept, data, err := s.Vault.File(ctx, a.File)
		if err != nil {
			return err
		}
		order.File = rails.CardFile{Name: "evidence" + ending(kept.ContentType), ContentType: kept.ContentType, Data: data}
		return nil
	}
	receipt, err := s.Activity.ReceiptFile(ctx, d.User, d.Event, false)
	if err != nil {
		return err
	}
	order.Facts += "\nReceipt " + receipt.Code + " is with this. Anybody can check it at " + s.Activity.PublicURL + "/verify-statement/" + receipt.Code + "."
	order.File = rails.CardFile{Name: "receipt-" + receipt.Code + ".pdf", ContentType: "application/pdf", Data: receipt.File}
	return nil
}

// ending is what the names of files of a type end with.
func ending(contentType string) string {
	switch contentType {
	case "application/pdf":
		return ".pdf"
	case "image/jpeg":
		return ".jpg"
	default:
		if all, err := mime.ExtensionsByType(contentType); err == nil && len(all) > 0 {
			return all[0]
		}
		return ""
	}
}
