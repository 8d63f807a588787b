package finance

import (
	"context"
	"unicode/utf8"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/services/internal/usecase"
)

// LookUpMember returns the member with an e-mail. It records who looked before it answers.
func (s *Service) LookUpMember(ctx context.Context, staff usecase.Who, email, caseID string) (FinanceMember, error) {
	if err := readCase(caseID); err != nil {
		return FinanceMember{}, err
	}
	user, err := s.People.Find(ctx, email)
	if err != nil {
		return FinanceMember{}, err
	}
	act := account.Act{Staff: staff.User, Action: nairav1.StaffAction_STAFF_ACTION_READ_ACCOUNT, Subject: user, Case: caseID}
	if _, err := s.Record(ctx, staff, store.NewCommandID(), user, store.Fingerprint(user, caseID), act); err != nil {
		return FinanceMember{}, err
	}
	return s.financeMember(ctx, user)
}

// SetMemberTier sets the tier of the member whom the caller looked up, as their papers allow. It records the colleague
// and the case.
func (s *Service) SetMemberTier(ctx context.Context, staff usecase.Who, form SetMemberTierRequest) (FinanceMember, int64, error) {
	if err := readCase(form.Case); err != nil {
		return FinanceMember{}, 0, err
	}
	saw, err := usecase.Saw(&form.Seen, true)
	if err != nil {
		return FinanceMember{}, 0, err
	}
	user, err := s.People.Find(ctx, form.Email)
	if err != nil {
		return FinanceMember{}, 0, err
	}
	result, err := s.Record(ctx, usecase.Who{User: staff.User}, store.NewCommandID(), user, store.Fingerprint(user, form.Tier, form.Case), account.SetTier{
		Staff: staff.User, User: user, Seen: saw, Case: form.Case, Tier: form.Tier,
	})
	if err != nil {
		return FinanceMember{}, 0, err
	}
	view, err := s.financeMember(ctx, user)
	return view, result.Position(), err
}

func readCase(caseID string) error {
	if n := utf8.RuneCountInString(caseID); n < 3 || n > 60 || usecase.Plain(caseID) != caseID {
		return fault.Field("case", "Give the case that this is for, in 3 to 60 characters.")
	}
	return nil
}

func (s *Service) financeMember(ctx context.Context, user string) (FinanceMember, error) {
	owner, err := s.AccountState(ctx, user)
	if err != nil {
		return FinanceMember{}, err
	}
	cards, err := s.People.Cards(ctx, []string{user})
	if err != nil {
		return FinanceMember{}, err
	}
	record, err := s.Vault.Read(ctx, user)
	return FinanceMember{
		Version: string(owner.TierShown(user)), UserId: user, Name: usecase.ShortName(cards, user), Tier: owner.Level(), BvnVerified: owner.Bvn == account.Verified, UtilityBill: record.UtilityBill != "",
	}, err
}
