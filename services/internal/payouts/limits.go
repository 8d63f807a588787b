package payouts

import (
	"context"

	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/services/internal/usecase"
)

// Limits returns a member's tier, its limits and how much of each is used.
func (s *Service) Limits(ctx context.Context, user string) (WalletLimits, error) {
	owner, err := s.AccountState(ctx, user)
	if err != nil {
		return WalletLimits{}, err
	}
	state, err := s.Ledger.Load(ctx, payout.OutflowStream(user))
	if err != nil {
		return WalletLimits{}, err
	}
	record, err := s.Vault.Read(ctx, user)
	if err != nil {
		return WalletLimits{}, err
	}
	level, used := owner.Level(), state.(payout.Outflow).On(lagos.Day(s.Now()))
	limits := s.Tiers[level]
	view := WalletLimits{
		Tier: level, Daily: usecase.Naira(limits.Daily), UsedToday: usecase.Naira(used), Left: usecase.Naira(max(0, limits.Daily-used)), Tiers: []Tier{}, Needs: []string{},
	}
	if limits.Cap > 0 {
		view.BalanceCap = usecase.NairaPtr(limits.Cap)
	}
	for n := 1; n <= account.TierMax; n++ {
		tier := Tier{Tier: n, Daily: usecase.Naira(s.Tiers[n].Daily), Needs: tierNeeds[n]}
		if s.Tiers[n].Cap > 0 {
			tier.BalanceCap = usecase.NairaPtr(s.Tiers[n].Cap)
		}
		view.Tiers = append(view.Tiers, tier)
	}
	if owner.Bvn != account.Verified {
		view.Needs = append(view.Needs, "Verify your BVN in your profile.")
		return view, nil
	}
	switch {
	case level == 0:
		view.Needs = append(view.Needs, "Contact us: your account is being looked at.")
	case level == 1:
		view.Needs = append(view.Needs, "Send us your NIN; our staff check it and tell you.")
	case level == 2 && record.UtilityBill == "":
		view.Needs = append(view.Needs, "Upload a utility bill that shows your address, in your profile.")
	case level == 2:
		view.Needs = append(view.Needs, "Nothing more of you: our staff check your utility bill.")
	}
	return view, nil
}

// tierNeeds are the requirements of each tier, as texts.
var tierNeeds = [account.TierMax + 1]string{
	"", "A verified BVN", "A verified BVN and your NIN", "A verified BVN, your NIN and a proof of your address",
}
