package finance

import (
	"context"
	"errors"
	"slices"

	"github.com/google/uuid"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/projections/disputes"
	"adashi.ng/projections/unmatched"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/usecase"
	"adashi.ng/services/internal/vault"
)

// origin is where money in suspense came from, and its owner.
type origin struct {
	payee vault.Payee
	user  string // The member whose payment or payout it came under; empty when we know none.
	key   string // The person under whose key the account is stored; empty when we know none.
}

var (
	errByCard        = fault.New(fault.Conflict, "Money that came by card goes back by the gateway's refund, and leaves suspense by itself then. Refund it there.")
	errNoSender      = fault.New(fault.Conflict, "The bank does not say which account this money came from, so we cannot send it back. Ask the bank to return it.")
	errGone          = fault.New(fault.Conflict, "Nothing is kept any more of the account that this money came from, so we cannot send it back. Ask the bank to return it.")
	errNoPayee       = fault.New(fault.Conflict, "Its bank no longer knows the account that this money came from, so we cannot send it back. Ask the bank to return it.")
	errRenamed       = fault.New(fault.Conflict, "The bank has another name for the account that this money came from than it told with the transfer, so we cannot send it back. Ask the bank.")
	errClaimsUnknown = fault.New(fault.Unavailable, "We cannot see just now whether a member says that this money is theirs. Nothing was done. Please try again in a minute.")
)

// ProposeSendBack proposes that money in suspense goes back to the account that it came from, by the bank's answer. A
// colleague must agree.
func (s *Service) ProposeSendBack(ctx context.Context, who usecase.Who, id string, form ProposeSendBackRequest) (Unmatched, int64, error) {
	row, state, err := s.arrival(ctx, id)
	if err == nil {
		err = state.Undecided()
	}
	if err != nil {
		return Unmatched{}, 0, err
	}
	claims, err := s.claims(ctx, row, state)
	if err != nil {
		return Unmatched{}, 0, err
	}
	reason, err := because(form.Reason, 5)
	if err != nil {
		return Unmatched{}, 0, err
	}
	from, err := s.origin(ctx, row)
	if err != nil {
		return Unmatched{}, 0, err
	}
	own, err := s.Membership.Paid(ctx, who.User, from.payee)
	if err != nil {
		return Unmatched{}, 0, err
	}
	back := uuid.NewString()
	c := payout.ProposeSendBack{
		SentMoney: payout.SentMoney{Provider: row.Provider, ProviderRef: row.ProviderRef}, ID: back, User: from.user, By: who.User, OwnMoney: own, Reason: reason,
		Claims: claims,
	}
	if _, err := s.Ledger.DryRun(ctx, c); err != nil {
		return Unmatched{}, 0, err
	}
	if from.key == "" { // We know no person: the account gets a key of its own.
		from.key = back
		if err := s.Vault.Begin(ctx, back); err != nil {
			return Unmatched{}, 0, err
		}
	}
	if err := s.Payouts.SealPayee(ctx, from.key, back, from.payee); err != nil {
		return Unmatched{}, 0, err
	}
	pos, at, err := s.decideArrival(ctx, who, row, c)
	if err != nil {
		return Unmatched{}, 0, err
	}
	row.Status, row.Back = unmatched.Proposed, back
	return s.oneArrival(ctx, who, row, pos, unmatched.SendBack{ID: back, Status: unmatched.BackProposed, Amount: row.Amount, User: from.user, ProposedBy: who.User, Reason: reason, ProposedAt: at})
}

// Leaves reports whether a return of the money is proposed, so that agreeing makes it leave Adashi.
func (s *Service) Leaves(ctx context.Context, id string) (bool, error) {
	_, state, err := s.arrival(ctx, id)
	return state.BackProposed(), err
}

// decideSendBack agrees to a colleague's proposal to send money back, in the version that the caller saw, or declines
// it.
func (s *Service) decideSendBack(ctx context.Context, who usecase.Who, row unmatched.Arrival, state wallet.Arrival, c payout.DecideSendBack) (Unmatched, int64, error) {
	c.SentMoney, c.ID, c.By = payout.SentMoney{Provider: row.Provider, ProviderRef: row.ProviderRef}, state.Back.ID, who.User
	if c.Approve {
		claims, err := s.claims(ctx, row, state)
		if err != nil {
			return Unmatched{}, 0, err
		}
		c.Claims = claims
		payee, err := s.Vault.Payee(ctx, c.ID)
		if errors.Is(err, vault.ErrGone) {
			err = errGone
		}
		if err == nil {
			c.OwnMoney, err = s.Membership.Paid(ctx, who.User, payee)
		}
		if err != nil {
			return Unmatched{}, 0, err
		}
	}
	pos, at, err := s.decideArrival(ctx, who, row, c)
	if err != nil {
		return Unmatched{}, 0, err
	}
	tries, err := unmatched.SendBacks(ctx, s.Pool, c.ID)
	if err != nil {
		return Unmatched{}, 0, err
	}
	back := tries[c.ID]
	if row.Status, row.Back, back.Status = unmatched.Open, "", unmatched.BackDropped; c.Approve {
		row.Status, row.Back, back.Status, back.ApprovedBy, back.AgreedAt = unmatched.Leaving, c.ID, unmatched.BackAgreed, who.User, &at
	}
	back.ID, back.ProposedBy, back.User, back.Amount = c.ID, state.ProposedBy, state.Back.User, state.Amount
	return s.oneArrival(ctx, who, row, pos, back)
}

// claims returns the disputes, also closed ones, in which a member says that the money is theirs. Earlier builds did
// not record a claim with the money, so it fails while the read model of disputes is behind the ledger.
func (s *Service) claims(ctx context.Context, row unmatched.Arrival, state wallet.Arrival) ([]string, error) {
	_, head, err := history.Head(ctx, s.Pool)
	if err == nil && s.Tracker.WaitFor(ctx, head, usecase.ReadModelWait, disputes.Name) < head {
		err = errClaimsUnknown
	}
	if err != nil {
		return nil, err
	}
	all := state.ClaimedIn()
	known, err := disputes.Claims(ctx, s.Pool, row.ID.String())
	for _, c := range known {
		if !slices.Contains(all, c.Dispute) {
			all = append(all, c.Dispute)
		}
	}
	return all, err
}

// origin finds out where money came from. For the return of a payout it is the payout's destination; for a transfer we
// ask the bank. Nobody types it, and no webhook decides it.
func (s *Service) origin(ctx context.Context, row unmatched.Arrival) (origin, error) {
	if payoutID := wallet.ReturnedOf(row.ProviderRef); payoutID != "" {
		return s.wentTo(ctx, payoutID)
	}
	if row.Channel == nairav1.Channel_CHANNEL_CARD {
		return origin{}, errByCard
	}
	from, err := s.sender(ctx, row)
	if err != nil {
		return origin{}, err
	}
	payee, err := s.Payouts.PayeeAt(ctx, from.Bank, from.Account)
	switch {
	case fault.Is(err, fault.Invalid):
		return origin{}, errNoPayee
	case err != nil:
		return origin{}, err
	case from.Name != "" && !rails.SameHolder(payee.AccountName, from.Name):
		return origin{}, errRenamed
	}
	user, err := s.payer(ctx, row)
	return origin{payee: payee, user: user}, err
}

// wentTo returns the destination of a payout that came back.
func (s *Service) wentTo(ctx context.Context, payoutID string) (origin, error) {
	payee, err := s.Vault.Payee(ctx, payoutID)
	if errors.Is(err, vault.ErrGone) {
		err = errGone
	}
	if err != nil {
		return origin{}, err
	}
	w, err := s.WithdrawalState(ctx, payoutID)
	if err != nil || w.Status != payout.None {
		return origin{payee: payee, user: w.User, key: w.User}, err
	}
	l, err := s.LiquidationState(ctx, payoutID)
	if err != nil || l.Status != liquidation.None {
		return origin{payee: payee, user: l.RequestedBy, key: l.RequestedBy}, err
	}
	_, a, _, err := s.Payouts.SendBackState(ctx, payoutID)
	return origin{payee: payee, user: a.Back.User}, err
}

// sender asks the bank for the account that a transfer came from. It ignores an answer about other money.
func (s *Service) sender(ctx context.Context, row unmatched.Arrival) (rails.Sender, error) {
	collector, err := rails.As[rails.Collector](s.Rails, row.Provider)
	if err != nil {
		return rails.Sender{}, err
	}
	for _, reference := range []string{"", row.Reference} {
		told, err := collector.Arrived(ctx, rails.Notice{Reference: reference, ProviderRef: row.ProviderRef, Amount: row.Amount, Currency: rails.Naira})
		if fault.Is(err, fault.Unavailable) {
			return rails.Sender{}, fault.New(fault.Unavailable, "The bank cannot say just now which account this money came from. Please try again shortly.")
		}
		if err == nil && told.State == rails.Paid && told.From.Known() && slices.Contains(append(told.Also, told.ProviderRef), row.ProviderRef) {
			return told.From, nil
		}
	}
	return rails.Sender{}, errNoSender
}

// payer returns the member whose payment the money came under; empty for none.
func (s *Service) payer(ctx context.Context, row unmatched.Arrival) (string, error) {
	id, err := usecase.ParseID(row.Reference, "payment")
	if err != nil {
		return "", nil //nolint:nilerr // We did not make this reference.
	}
	state, err := s.Ledger.Load(ctx, wallet.Stream(id))
	if err != nil {
		return "", err
	}
	return state.(wallet.Payment).User, nil
}

// backView shows how money goes back to the account that it came from; nil when there is no such proposal any more.
func backView(b unmatched.SendBack, claims []string, payee vault.Payee, staff string, cards map[string]people.Card) *SendBack {
	if b.ID == "" || b.Status == unmatched.BackDropped {
		return nil
	}
	view := SendBack{
		Id: b.ID, State: SendBackState(b.Status), ProposedBy: b.ProposedBy, ProposerName: usecase.FullName(cards, b.ProposedBy), Mine: b.ProposedBy == staff, Reason: b.Reason, At: b.ProposedAt.UTC(),
		BankName: usecase.OrNil(payee.BankName), AccountNumber: usecase.OrNil(usecase.LastFour(payee.Number)), AccountName: usecase.OrNil(payee.AccountName),
		SentAt: b.SentAt, PaidAt: b.PaidAt, Problem: usecase.OrNil(b.Problem),
	}
	if b.Status == unmatched.BackProposed {
		view.Version = usecase.OrNil(string(wallet.WithClaims(wallet.SendBackProposal(b.ID, b.ProposedBy, b.Reason, b.Amount), claims)))
	}
	if b.User != "" {
		view.MemberName = usecase.OrNil(usecase.FullName(cards, b.User))
	}
	if b.ApprovedBy != "" {
		view.ApprovedBy, view.ApproverName = usecase.OrNil(b.ApprovedBy), usecase.OrNil(usecase.FullName(cards, b.ApprovedBy))
	}
	return &view
}
