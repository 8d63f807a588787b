package app

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	contract "adashi.ng/proto/gen/httpapi"
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/payouts"
	"adashi.ng/projections/requests"
	"adashi.ng/services/internal/usecase"
)

// doubtfulAfter is how long a payout may take before somebody should look at it.
const doubtfulAfter = 10 * time.Minute

// Limits is a member's tier, what it allows and what of it is used.
func (a *App) Limits(ctx context.Context, user string) (contract.WalletLimits, error) {
	owner, err := a.AccountState(ctx, user)
	if err != nil {
		return contract.WalletLimits{}, err
	}
	state, err := a.Ledger.Load(ctx, payout.OutflowStream(user))
	if err != nil {
		return contract.WalletLimits{}, err
	}
	record, err := a.Vault.Read(ctx, user)
	if err != nil {
		return contract.WalletLimits{}, err
	}
	level, used := owner.Level(), state.(payout.Outflow).On(lagos.Day(a.Now()))
	limits := a.Tiers[level]
	view := contract.WalletLimits{
		Tier: level, Daily: usecase.Naira(limits.Daily), UsedToday: usecase.Naira(used), Left: usecase.Naira(max(0, limits.Daily-used)), Tiers: []contract.Tier{}, Needs: []string{},
	}
	if limits.Cap > 0 {
		view.BalanceCap = usecase.NairaPtr(limits.Cap)
	}
	for n := 1; n <= account.TierMax; n++ {
		tier := contract.Tier{Tier: n, Daily: usecase.Naira(a.Tiers[n].Daily), Needs: tierNeeds[n]}
		if a.Tiers[n].Cap > 0 {
			tier.BalanceCap = usecase.NairaPtr(a.Tiers[n].Cap)
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

// tierNeeds is what each tier needs, in words.
var tierNeeds = [account.TierMax + 1]string{
	"", "A verified BVN", "A verified BVN and your NIN", "A verified BVN, your NIN and a proof of your address",
}

// OpenPayouts is a page of payouts whose end is not known, of wallets and of groups, the oldest first.
func (a *App) OpenPayouts(ctx context.Context, after *string, limit int) (contract.PayoutPage, error) {
	page := contract.PayoutPage{Payouts: []contract.Payout{}}
	pos, err := usecase.Cursor(after)
	if err != nil {
		return page, err
	}
	rows, err := payouts.Open(ctx, a.Pool, pos, limit+1)
	if err != nil {
		return page, err
	}
	asked, err := requests.Standing(ctx, a.Pool, pos, limit+1, string(liquidation.Approved), string(liquidation.PayoutPending))
	if err != nil {
		return page, err
	}
	open := make([]deskPayout, 0, len(rows)+len(asked))
	for _, row := range rows {
		open = append(open, deskPayout{row, contract.PayoutKindWITHDRAWAL})
	}
	for _, r := range asked {
		open = append(open, deskPayout{asPayout(r), contract.PayoutKindLIQUIDATION})
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
	answers, err := a.asked(ctx, ids...)
	if err != nil {
		return page, err
	}
	for _, p := range open {
		page.Payouts = append(page.Payouts, a.payoutView(p, answers[p.ID]))
	}
	return page, a.inTransit(ctx, &page)
}

// inTransit sums up all payouts whose end is not known.
func (a *App) inTransit(ctx context.Context, page *contract.PayoutPage) error {
	count, amount, err := payouts.InTransit(ctx, a.Pool)
	if err != nil {
		return err
	}
	more, further, err := requests.InTransit(ctx, a.Pool)
	page.Count, page.Amount = count+more, usecase.Naira(amount+further)
	return err
}

// deskPayout is a payout of either kind, in the words of withdrawals.
type deskPayout struct {
	payouts.Payout
	Kind contract.PayoutKind
}

// deskStatus says where a request stands in the words of withdrawals.
var deskStatus = map[liquidation.Status]payout.Status{
	liquidation.Approved: payout.Requested, liquidation.PayoutPending: payout.Sent, liquidation.Paid: payout.Paid, liquidation.Reversed: payout.Reversed,
	liquidation.PayoutFailed: payout.Failed, liquidation.Released: payout.Failed,
}

func asPayout(r requests.Request) payouts.Payout {
	return payouts.Payout{
		ID: r.ID, User: r.RequestedBy, Pos: r.Pos, Status: string(deskStatus[liquidation.Status(r.Status)]), Amount: r.Amount, Fee: r.Fee, VAT: r.VAT, Duty: r.Duty,
		Channel: r.Channel, RequestedAt: r.RequestedAt, SentAt: r.SentAt, PaidAt: r.PaidAt,
	}
}

func (a *App) payoutView(p deskPayout, s asking) contract.Payout {
	open := p.Status == string(payout.Requested) || p.Status == string(payout.Sent)
	since := p.RequestedAt
	if p.Kind == contract.PayoutKindLIQUIDATION && p.SentAt != nil {
		since = *p.SentAt // People decide before.
	}
	return contract.Payout{
		Id: p.ID, Kind: &p.Kind, Status: contract.WithdrawalStatus(p.Status), Amount: usecase.Naira(p.Amount), Net: usecase.Naira(p.Net()), Rail: usecase.OrNil(payoutRail[p.Channel]),
		RequestedAt: p.RequestedAt.UTC(), SentAt: p.SentAt, LastAskedAt: s.AskedAt, NextAskAt: s.NextAt, Tries: s.Tries, Answer: usecase.OrNil(s.Answer),
		Doubtful: open && a.Now().Sub(since) > doubtfulAfter,
	}
}

// payoutRail is what the rails are called.
var payoutRail = map[nairav1.Channel]string{nairav1.Channel_CHANNEL_BANK_TRANSFER: "vfd", nairav1.Channel_CHANNEL_CARD: "paystack"}

// QueryPayout asks the bank about a payout now, and answers how it stands.
func (a *App) QueryPayout(ctx context.Context, id string) (contract.Payout, int64, error) {
	id, err := usecase.ParseID(id, "payout")
	if err != nil {
		return contract.Payout{}, 0, err
	}
	w, err := a.outgoing(ctx, id)
	if err == nil && (w.Stands == none || w.Stands == waiting && len(w.References) == 0) {
		err = fault.New(fault.NotFound, "There is no such payout.")
	}
	if err != nil {
		return contract.Payout{}, 0, err
	}
	pos, err := a.AskPayout(ctx, id)
	if err != nil {
		return contract.Payout{}, 0, err
	}
	p, err := a.deskPayout(ctx, id)
	if err != nil {
		return contract.Payout{}, 0, err
	}
	asked, err := a.asked(ctx, id)
	return a.payoutView(p, asked[id]), pos, err
}

// deskPayout reads a payout of either kind from the ledger.
func (a *App) deskPayout(ctx context.Context, id string) (deskPayout, error) {
	w, err := a.WithdrawalState(ctx, id)
	if err != nil || w.Status != payout.None {
		return deskPayout{asRow(id, w), contract.PayoutKindWITHDRAWAL}, err
	}
	l, err := a.LiquidationState(ctx, id)
	p := payouts.Payout{
		ID: id, User: l.RequestedBy, Status: string(deskStatus[l.Status]), Amount: l.Amount, Fee: l.Fee, VAT: l.VAT, Duty: l.Duty, Channel: l.Channel, RequestedAt: l.RequestedAt,
	}
	if !l.SentAt.IsZero() {
		p.SentAt = &l.SentAt
	}
	return deskPayout{p, contract.PayoutKindLIQUIDATION}, err
}

// LookUpMember answers who an e-mail belongs to. That somebody looked is recorded before it is answered.
func (a *App) LookUpMember(ctx context.Context, staff usecase.Who, email, caseID string) (contract.FinanceMember, error) {
	if err := readCase(caseID); err != nil {
		return contract.FinanceMember{}, err
	}
	user, err := a.People.Find(ctx, email)
	if err != nil {
		return contract.FinanceMember{}, err
	}
	act := account.Act{Staff: staff.User, Action: nairav1.StaffAction_STAFF_ACTION_READ_ACCOUNT, Subject: user, Case: caseID}
	if _, err := a.Record(ctx, staff, store.NewCommandID(), user, store.Fingerprint(user, caseID), act); err != nil {
		return contract.FinanceMember{}, err
	}
	return a.financeMember(ctx, user)
}

// SetMemberTier sets what a member's papers allow. Who did it, and for what case, is recorded with it.
func (a *App) SetMemberTier(ctx context.Context, staff usecase.Who, email string, tier int, caseID string) (contract.FinanceMember, int64, error) {
	if err := readCase(caseID); err != nil {
		return contract.FinanceMember{}, 0, err
	}
	user, err := a.People.Find(ctx, email)
	if err != nil {
		return contract.FinanceMember{}, 0, err
	}
	result, err := a.Record(ctx, usecase.Who{User: staff.User}, store.NewCommandID(), user, store.Fingerprint(user, tier, caseID), account.SetTier{Staff: staff.User, User: user, Case: caseID, Tier: tier})
	if err != nil {
		return contract.FinanceMember{}, 0, err
	}
	view, err := a.financeMember(ctx, user)
	return view, result.Position(), err
}

func readCase(caseID string) error {
	if n := utf8.RuneCountInString(caseID); n < 3 || n > 60 || usecase.Plain(caseID) != caseID {
		return fault.Field("case", "Give the case that this is for, in 3 to 60 characters.")
	}
	return nil
}

func (a *App) financeMember(ctx context.Context, user string) (contract.FinanceMember, error) {
	owner, err := a.AccountState(ctx, user)
	if err != nil {
		return contract.FinanceMember{}, err
	}
	cards, err := a.People.Cards(ctx, []string{user})
	if err != nil {
		return contract.FinanceMember{}, err
	}
	record, err := a.Vault.Read(ctx, user)
	return contract.FinanceMember{
		UserId: user, Name: usecase.ShortName(cards, user), Tier: owner.Level(), BvnVerified: owner.Bvn == account.Verified, UtilityBill: record.UtilityBill != "",
	}, err
}
