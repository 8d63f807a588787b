// Package ajoaccess is how members ask for access to ajo with people whom they do not know, and the desk of FinanceOps
// that looks at their papers and decides.
package ajoaccess

import (
	"context"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	access "adashi.ng/ledger/domain/ajoaccess"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	asks "adashi.ng/projections/ajoaccess"
	"adashi.ng/services/internal/membership"
	"adashi.ng/services/internal/usecase"
	"adashi.ng/services/internal/vault"
)

// Service is both sides of it.
type Service struct {
	*usecase.Base
	Membership *membership.Reader
	// Adult reports whether somebody is 18 or older; where it is nil everybody is.
	Adult func(ctx context.Context, user string) (bool, error)
}

// ReadModels are the read models that the desk's queue stands on.
var ReadModels = []string{asks.Name}

// state is a member's access by the ledger.
func (s *Service) state(ctx context.Context, user string) (access.Access, error) {
	state, err := s.Ledger.Load(ctx, access.Stream(user))
	if err != nil {
		return access.Access{}, err
	}
	return state.(access.Access), nil
}

// Own is how a member's access stands, and what is missing for asking.
func (s *Service) Own(ctx context.Context, user string) (AjoAccess, error) {
	a, err := s.state(ctx, user)
	if err != nil {
		return AjoAccess{}, err
	}
	ask, err := s.askOf(ctx, user)
	if err != nil {
		return AjoAccess{}, err
	}
	owner, err := s.AccountState(ctx, user)
	if err != nil {
		return AjoAccess{}, err
	}
	view := AjoAccess{
		Status: AjoAccessStatus(a.Status), HasAccess: a.Has, Reason: usecase.OrNil(a.Reason),
		Checklist: checklist(ask, owner), MayAsk: a.Status != access.Asked && (!a.Has || a.Base != ask.Salary),
	}
	if a.Status == access.None {
		view.Status = AjoAccessStatusNONE
	}
	if a.Has {
		view.Limit = usecase.NairaPtr(a.Limit)
	}
	if a.Salary > 0 {
		view.Salary = usecase.NairaPtr(a.Salary)
	}
	if !a.Since.IsZero() {
		since := a.Since.UTC()
		view.Since = &since
	}
	for _, need := range view.Checklist {
		view.MayAsk = view.MayAsk && need.Done
	}
	return view, nil
}

// checklist is what asking needs, and where in the app it is done.
func checklist(ask access.Ask, owner account.Account) []AjoNeed {
	bank, documents := "/dashboard/profile/edit#bank", "/dashboard/profile/edit#documents"
	return []AjoNeed{
		{What: AGE, Done: ask.Adult},
		{What: BVN, Done: owner.Bvn == account.Verified, Link: &bank},
		{What: SALARY, Done: ask.Salary > 0, Link: &documents},
		{What: BANKSTATEMENT, Done: ask.BankStatement, Link: &documents},
		{What: OFFERLETTER, Done: ask.OfferLetter, Link: &documents},
	}
}

// askOf is what a member would ask with now.
func (s *Service) askOf(ctx context.Context, user string) (access.Ask, error) {
	record, err := s.Vault.Read(ctx, user)
	if err != nil {
		return access.Ask{}, err
	}
	ask := access.Ask{
		User: user, Adult: true, Salary: record.MonthlySalary, BankStatement: record.BankStatement != "", OfferLetter: record.OfferLetter != "",
	}
	if s.Adult != nil {
		ask.Adult, err = s.Adult(ctx, user)
	}
	return ask, err
}

// Ask asks for access with what a member's profile has.
func (s *Service) Ask(ctx context.Context, who usecase.Who) (AjoAccess, int64, error) {
	ask, err := s.askOf(ctx, who.User)
	if err != nil {
		return AjoAccess{}, 0, err
	}
	command, _ := who.ID("ask ajo access")
	ask.AskID = event.DeriveID(command, "ask").String()
	result, err := s.Record(ctx, who, command, who.User, store.Fingerprint(), ask)
	return s.answer(ctx, who.User, result, err)
}

// Withdraw takes a member's request back.
func (s *Service) Withdraw(ctx context.Context, who usecase.Who) (AjoAccess, int64, error) {
	result, err := s.Record(ctx, who, store.NewCommandID(), who.User, store.Fingerprint(), access.Withdraw{User: who.User})
	return s.answer(ctx, who.User, result, err)
}

func (s *Service) answer(ctx context.Context, user string, result store.Result, err error) (AjoAccess, int64, error) {
	if err != nil {
		return AjoAccess{}, 0, err
	}
	view, err := s.Own(ctx, user)
	return view, result.Position(), err
}

// papers are those that a request stands on, and where the vault keeps each.
var papers = map[AjoPaper]func(vault.Record) string{
	BankStatement: func(r vault.Record) string { return r.BankStatement },
	OfferLetter:   func(r vault.Record) string { return r.OfferLetter },
}

func noPaper() error {
	return fault.New(fault.NotFound, "This paper is not on file. Refuse the request, and ask for it.")
}
