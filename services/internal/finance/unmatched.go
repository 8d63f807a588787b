package finance

import (
	"context"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/domain/seen"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/domain/wording"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/bankbook"
	"adashi.ng/projections/disputes"
	"adashi.ng/projections/unmatched"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/usecase"
	"adashi.ng/services/internal/vault"
)

// Unmatched returns a page of money that fits no payment, the oldest first: of one status, or all that has no owner
// yet.
func (s *Service) Unmatched(ctx context.Context, staff string, status *UnmatchedStatus, before *string, limit int) (UnmatchedPage, error) {
	page := UnmatchedPage{Arrivals: []Unmatched{}}
	pos, err := usecase.Cursor(before)
	if err != nil {
		return page, err
	}
	only := ""
	if status != nil {
		only = string(*status)
	}
	count, sum, err := unmatched.Waiting(ctx, s.Pool)
	if err != nil {
		return page, err
	}
	rows, err := unmatched.Page(ctx, s.Pool, only, pos, limit+1)
	if err != nil {
		return page, err
	}
	if len(rows) > limit {
		rows = rows[:limit]
		page.Next = usecase.OrNil(strconv.FormatInt(rows[limit-1].Pos, 10))
	}
	page.OpenCount, page.OpenAmount = count, usecase.Naira(sum)
	page.Arrivals, err = s.arrivals(ctx, staff, rows...)
	return page, err
}

func (s *Service) arrivals(ctx context.Context, staff string, rows ...unmatched.Arrival) ([]Unmatched, error) {
	var ids []string
	for _, r := range rows {
		if r.Back != "" {
			ids = append(ids, r.Back)
		}
	}
	backs, err := unmatched.SendBacks(ctx, s.Pool, ids...)
	if err != nil {
		return nil, err
	}
	return s.arrivalViews(ctx, staff, backs, rows...)
}

// arrivalViews shows money together with its send-backs, by the ids of the tries.
func (s *Service) arrivalViews(ctx context.Context, staff string, backs map[string]unmatched.SendBack, rows ...unmatched.Arrival) ([]Unmatched, error) {
	var who, ids, money []string
	for _, r := range rows {
		who, money = append(who, r.User, r.ProposedBy, r.ApprovedBy), append(money, r.ID.String())
	}
	claims, err := disputes.ClaimedByOthers(ctx, s.Pool, "", money...)
	if err != nil {
		return nil, err
	}
	for _, c := range claims {
		who = append(who, c.User)
	}
	for id, b := range backs {
		ids, who = append(ids, id), append(who, b.User, b.ProposedBy, b.ApprovedBy)
	}
	cards, err := s.People.Cards(ctx, slices.DeleteFunc(who, func(id string) bool { return id == "" }))
	if err != nil {
		return nil, err
	}
	payees := map[string]vault.Payee{}
	if len(ids) > 0 {
		if payees, err = s.Vault.Payees(ctx, ids...); err != nil {
			return nil, err
		}
	}
	out := make([]Unmatched, 0, len(rows))
	for _, r := range rows {
		view := arrivalView(r, staff, cards)
		view.Claims = claimViews(r, claims, cards)
		view.SendBack = backView(backs[r.Back], r.Claims, payees[r.Back], staff, cards)
		likely, failed := s.likely(ctx, r)
		if failed != nil {
			return out, failed
		}
		view.Likely = likely
		out = append(out, view)
	}
	return out, err
}

// claimViews returns the open claims on some money; nil for none.
func claimViews(r unmatched.Arrival, claims []disputes.Claim, cards map[string]people.Card) *[]MoneyClaim {
	var views []MoneyClaim
	for _, c := range claims {
		if c.Arrival == r.ID.String() {
			views = append(views, MoneyClaim{DisputeId: c.Dispute, Number: dispute.Number(c.Dispute), MemberName: usecase.FullName(cards, c.User), At: c.At.UTC()})
		}
	}
	if views == nil {
		return nil
	}
	return &views
}

func arrivalView(r unmatched.Arrival, staff string, cards map[string]people.Card) Unmatched {
	view := Unmatched{
		Id: r.ID.String(), Status: UnmatchedStatus(r.Status), Channel: RailChannel(usecase.ChannelName(r.Channel)), Amount: usecase.Naira(r.Amount),
		Reference: r.Reference, ProviderRef: usecase.OrNil(r.ProviderRef), PaymentId: usecase.OrNil(r.Payment), Reason: r.Reason, PaidAt: r.PaidAt.UTC(), RecordedAt: r.RecordedAt.UTC(),
	}
	if r.Status == unmatched.Matched {
		view.PayoutId = usecase.OrNil(r.Payout)
	}
	if r.User == "" && r.ProposedBy == "" {
		return view
	}
	proposal := UnmatchedProposal{
		Version: string(wallet.WithClaims(wallet.ArrivalProposal(r.User, r.ProposedBy, r.ProposalReason, r.Amount), r.Claims)),
		UserId:  r.User, MemberName: usecase.FullName(cards, r.User), ProposedBy: r.ProposedBy, ProposerName: usecase.FullName(cards, r.ProposedBy),
		Mine: r.ProposedBy == staff, Reason: r.ProposalReason,
	}
	if r.Payout != "" {
		proposal.PayoutId, proposal.Version = &r.Payout, string(wallet.WithClaims(wallet.ReturnProposal(r.Payout, r.ProposedBy, r.ProposalReason, r.Amount), r.Claims))
	}
	if r.ProposedAt != nil {
		proposal.At = r.ProposedAt.UTC()
	}
	if r.ApprovedBy != "" {
		proposal.ApprovedBy, proposal.ApproverName = usecase.OrNil(r.ApprovedBy), usecase.OrNil(usecase.FullName(cards, r.ApprovedBy))
	}
	view.Proposal = &proposal
	return view
}

// arrival finds money by the id of its event, in the ledger's present state.
func (s *Service) arrival(ctx context.Context, id string) (unmatched.Arrival, wallet.Arrival, error) {
	id, err := usecase.ParseID(id, "money")
	if err != nil {
		return unmatched.Arrival{}, wallet.Arrival{}, err
	}
	row, err := unmatched.One(ctx, s.Pool, uuid.MustParse(id))
	if err != nil {
		return row, wallet.Arrival{}, usecase.NotThere(err, unmatched.ErrNone, "money")
	}
	state, err := s.Payments.ArrivalState(ctx, row.Provider, row.ProviderRef)
	return row, state, err
}

// ProposeUnmatched proposes the owner of money, by e-mail. A colleague must agree.
func (s *Service) ProposeUnmatched(ctx context.Context, who usecase.Who, id string, form ProposeUnmatchedRequest) (Unmatched, int64, error) {
	row, _, err := s.arrival(ctx, id)
	if err != nil {
		return Unmatched{}, 0, err
	}
	user, err := s.People.Find(ctx, form.Email)
	if fault.Is(err, fault.NotFound) {
		return Unmatched{}, 0, fault.Field("email", "No member has this email.")
	}
	if err != nil {
		return Unmatched{}, 0, err
	}
	reason, err := because(form.Reason, 5)
	if err != nil {
		return Unmatched{}, 0, err
	}
	c := wallet.ProposeUnmatched{ProviderRef: row.ProviderRef, Provider: row.Provider, User: user, By: who.User, Reason: reason}
	if _, err := s.Ledger.DryRun(ctx, c); err != nil {
		return Unmatched{}, 0, err
	}
	// The answer shows a member's name to staff, so this is recorded first.
	if _, err := s.Record(ctx, who, store.NewCommandID(), row.ID.String(), store.Fingerprint(user), account.Act{
		Staff: who.User, Action: nairav1.StaffAction_STAFF_ACTION_READ_ACCOUNT, Subject: user, Case: row.ID.String(),
	}); err != nil {
		return Unmatched{}, 0, err
	}
	pos, at, err := s.decideArrival(ctx, who, row, c)
	if err != nil {
		return Unmatched{}, 0, err
	}
	row.Status, row.User, row.ProposedBy, row.ProposalReason, row.ProposedAt = unmatched.Proposed, user, who.User, reason, &at
	return s.oneArrival(ctx, who, row, pos)
}

// ProposeReturn proposes that money which came as a transfer is the return of a payout. A colleague must agree.
func (s *Service) ProposeReturn(ctx context.Context, who usecase.Who, id string, form ProposeReturnRequest) (Unmatched, int64, error) {
	row, state, err := s.arrival(ctx, id)
	if err != nil {
		return Unmatched{}, 0, err
	}
	reason, err := because(form.Reason, 5)
	if err != nil {
		return Unmatched{}, 0, err
	}
	if form.PayoutId == "" {
		return Unmatched{}, 0, fault.Field("payoutId", "Enter the payout's id, or the reference under which the bank was told of it.")
	}
	payoutID, err := bankbook.PayoutOf(ctx, s.Pool, row.Provider, form.PayoutId)
	if err != nil {
		return Unmatched{}, 0, err
	}
	if payoutID == "" {
		if payoutID, err = usecase.ParseID(form.PayoutId, "payout"); err != nil {
			return Unmatched{}, 0, fault.Field("payoutId", "There is no such payout.")
		}
	}
	match, err := s.returnOf(ctx, row, state, payoutID)
	if err != nil {
		return Unmatched{}, 0, err
	}
	pos, at, err := s.decideArrival(ctx, who, row, liquidation.ProposeReturn(match, who.User, reason))
	if err != nil {
		return Unmatched{}, 0, err
	}
	row.Status, row.Payout, row.ProposedBy, row.ProposalReason, row.ProposedAt = unmatched.Proposed, payoutID, who.User, reason, &at
	return s.oneArrival(ctx, who, row, pos)
}

// returnOf is the command to record that money is the return of a payout of any kind.
func (s *Service) returnOf(ctx context.Context, row unmatched.Arrival, state wallet.Arrival, payoutID string) (event.Command, error) {
	amount := state.Amount + state.Returned
	of, _, _, err := s.Payouts.SendBackState(ctx, payoutID)
	if err == nil && of.ProviderRef != "" && of.Provider == row.Provider {
		return payout.MatchMoneyBack(of, payoutID, row.ProviderRef, nil, amount), nil
	}
	return liquidation.MatchReturn(row.Provider, row.ProviderRef, nil, amount, payoutID), err
}

// agreeReturn agrees that money is the return of a payout. If the bank has not reported that return yet, it records the
// payout's return together with it: both or neither.
func (s *Service) agreeReturn(ctx context.Context, who usecase.Who, row unmatched.Arrival, state wallet.Arrival, saw seen.Version) (Unmatched, int64, error) {
	payoutID := state.ForReturn
	match, err := s.returnOf(ctx, row, state, payoutID)
	if err != nil {
		return Unmatched{}, 0, err
	}
	if _, err := s.Ledger.DryRun(ctx, liquidation.AgreeReturn(match, saw, who.User, true)); err != nil {
		return Unmatched{}, 0, err
	}
	back, err := s.Payouts.CameBackAs(ctx, payoutID, row.ProviderRef)
	if err != nil {
		return Unmatched{}, 0, err
	}
	agreed := store.Bulk{liquidation.AgreeReturn(match, saw, who.User, false)}
	if back != nil {
		agreed = store.Bulk{back, agreed[0]}
	}
	pos, _, err := s.decideArrival(ctx, who, row, agreed)
	if err != nil {
		return Unmatched{}, 0, err
	}
	row.Status, row.Payout, row.ProposedBy = unmatched.Matched, payoutID, ""
	return s.oneArrival(ctx, who, row, pos)
}

// DecideUnmatched agrees to a colleague's proposal, in the version that the caller saw, or declines it.
func (s *Service) DecideUnmatched(ctx context.Context, who usecase.Who, id string, form DecideUnmatchedRequest) (Unmatched, int64, error) {
	row, state, err := s.arrival(ctx, id)
	if err != nil {
		return Unmatched{}, 0, err
	}
	saw, err := usecase.Saw(form.Seen, form.Approve)
	if err != nil {
		return Unmatched{}, 0, err
	}
	if form.Approve && state.ForReturn != "" {
		return s.agreeReturn(ctx, who, row, state, saw)
	}
	reason := ""
	if !form.Approve {
		given := ""
		if form.Reason != nil {
			given = *form.Reason
		}
		if reason, err = because(given, 1); err != nil {
			return Unmatched{}, 0, err
		}
	}
	if state.BackProposed() {
		return s.decideSendBack(ctx, who, row, state, payout.DecideSendBack{Seen: saw, Approve: form.Approve, Reason: reason})
	}
	c := wallet.DecideUnmatched{ProviderRef: row.ProviderRef, Provider: row.Provider, User: state.For, Seen: saw, By: who.User, Approve: form.Approve, Reason: reason}
	pos, _, err := s.decideArrival(ctx, who, row, c)
	if err != nil {
		return Unmatched{}, 0, err
	}
	if form.Approve {
		if err := s.Payments.Ajo.Swept(ctx, c.User, state.Amount, row.ProviderRef); err != nil {
			slog.WarnContext(ctx, "finance: debts were not paid out of what was assigned", "arrival", id, "error", err) // The job tries again.
		}
		row.Status, row.User, row.ProposedBy, row.ApprovedBy = unmatched.Assigned, c.User, state.ProposedBy, who.User
	} else {
		row.Status, row.User, row.Payout, row.ProposedBy = unmatched.Open, "", "", ""
	}
	return s.oneArrival(ctx, who, row, pos)
}

// likelyWithin is how far apart a bank's two reports of the same money may be.
const likelyWithin = 24 * time.Hour

// likely returns the payments that held money may belong to.
func (s *Service) likely(ctx context.Context, r unmatched.Arrival) (*[]LikelyPayment, error) {
	if r.Status != unmatched.Held {
		return nil, nil
	}
	found, err := bankbook.LikelyFor(ctx, s.Pool, r.Provider, r.Amount, r.PaidAt, likelyWithin)
	views := make([]LikelyPayment, 0, len(found))
	for _, p := range found {
		views = append(views, LikelyPayment{PaymentId: p.Payment, ProviderRef: p.ProviderRef, PaidAt: p.At.UTC()})
	}
	return &views, err
}

// SettleHeld decides about held money: it belongs to a payment, or is other money, which becomes unmatched.
func (s *Service) SettleHeld(ctx context.Context, who usecase.Who, id string, form SettleHeldRequest) (Unmatched, int64, error) {
	row, _, err := s.arrival(ctx, id)
	if err != nil {
		return Unmatched{}, 0, err
	}
	c := wallet.SettleHeld{ProviderRef: row.ProviderRef, Provider: row.Provider, Reference: row.Reference, PaidAt: row.PaidAt, By: who.User}
	if form.PaymentId != nil && *form.PaymentId != "" {
		if c.PaymentID, err = usecase.ParseID(*form.PaymentId, "payment"); err != nil {
			return Unmatched{}, 0, fault.Field("paymentId", "There is no such payment.")
		}
	}
	if c.Reason, err = because(form.Reason, 5); err != nil {
		return Unmatched{}, 0, err
	}
	pos, _, err := s.decideArrival(ctx, who, row, c)
	if err != nil {
		return Unmatched{}, 0, err
	}
	if row.Status, row.Payment = unmatched.Matched, c.PaymentID; c.PaymentID == "" {
		row.Status = unmatched.Open
	}
	return s.oneArrival(ctx, who, row, pos)
}

// because reads a reason in words.
func because(text string, least int) (string, error) {
	text = usecase.Plain(strings.TrimSpace(text))
	if len([]rune(text)) < least {
		return "", fault.Field("reason", "Say why, in a few words.")
	}
	if wording.Particulars(text) {
		return "", fault.Field("reason", "This is kept for ever. Please leave emails and account numbers out.")
	}
	return text, nil
}

func (s *Service) decideArrival(ctx context.Context, who usecase.Who, row unmatched.Arrival, c event.Command) (int64, time.Time, error) {
	result, err := s.Record(ctx, who, store.NewCommandID(), row.ID.String(), store.Fingerprint(row.ProviderRef), c)
	if err != nil {
		return 0, time.Time{}, err
	}
	return result.Position(), result.Records[0].RecordedAt, nil
}

// oneArrival shows money in its present state, with the try to send it back that the read model may not have yet.
func (s *Service) oneArrival(ctx context.Context, who usecase.Who, row unmatched.Arrival, pos int64, backs ...unmatched.SendBack) (Unmatched, int64, error) {
	tries := map[string]unmatched.SendBack{}
	for _, b := range backs {
		tries[b.ID] = b
	}
	views, err := s.arrivalViews(ctx, who.User, tries, row)
	if err != nil {
		return Unmatched{}, 0, err
	}
	return views[0], pos, nil
}
