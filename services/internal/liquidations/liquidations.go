package liquidations

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	nairav1 "adashi.ng/proto/gen/naira/v1"
	"adashi.ng/proto/wire"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/disputed"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/requests"
	"adashi.ng/services/internal/items"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/usecase"
	"adashi.ng/services/internal/vault"
)

// NewRequest is what a member fills in to ask for money of a group. Bank and account are the payee's, of a payment of
// the group.
type NewRequest struct {
	GroupID, SubAccountID string
	Kind                  LiquidationKind
	Amount, Net           wire.Naira
	Reason                string
	BankCode, Account     string
}

func liquidationKind(k LiquidationKind) nairav1.LiquidationKind {
	return nairav1.LiquidationKind(nairav1.LiquidationKind_value["LIQUIDATION_KIND_"+string(k)])
}

// QuoteRequest says what asking for an amount costs and whose account it would go to, or refuses as the request would
// be; but nobody is told by it what they may not know.
func (s *Service) QuoteRequest(ctx context.Context, user string, form NewRequest) (LiquidationQuote, error) {
	request, err := s.liquidationRequest(ctx, store.NewCommandID().String(), user, form)
	if err != nil {
		return LiquidationQuote{}, err
	}
	charges := payout.ChargesOn(request.Amount)
	request.Net, request.Reason = request.Amount-charges.Total(), "As a quote"
	if _, err := s.Ledger.DryRun(ctx, request); err != nil {
		return LiquidationQuote{}, err
	}
	payee, err := s.requestPayee(ctx, user, form)
	if err != nil {
		return LiquidationQuote{}, err
	}
	quote := LiquidationQuote{
		Amount: usecase.Naira(request.Amount), Fee: usecase.Naira(charges.Fee), Vat: usecase.Naira(charges.VAT), StampDuty: usecase.Naira(charges.Duty), Charges: usecase.Naira(charges.Total()),
		Net: usecase.Naira(request.Net), FeeTable: payout.FeeTable, BankName: payee.BankName, AccountNumber: usecase.LastFour(payee.Number), AccountName: payee.AccountName,
	}
	available, known, err := s.available(ctx, request)
	if known {
		quote.Available = usecase.NairaPtr(available)
	}
	return quote, err
}

// available is the most that could be asked for, if the member may know: their own savings, and what the sub-account
// has.
func (s *Service) available(ctx context.Context, r liquidation.Request) (most money.Kobo, known bool, err error) {
	g, err := s.GroupState(ctx, r.GroupID)
	if err != nil {
		return 0, false, err
	}
	sub, err := s.Ledger.Load(ctx, savings.SubStream(r.SubAccountID))
	if err != nil {
		return 0, false, err
	}
	sees := g.SeesTotal(sub.(savings.SubAccount), r.User)
	if sees {
		pools, err := requests.Pools(r.SubAccountID).Read(ctx, s.Pool)
		if err != nil || liquidationOf(r.Kind) == GROUPDISBURSEMENT {
			return pools[r.SubAccountID].Available, true, err
		}
		most = pools[r.SubAccountID].Available
	}
	saved, err := s.Ledger.Load(ctx, dues.Stream(r.SubAccountID, r.User))
	if err != nil {
		return 0, false, err
	}
	held, err := s.Ledger.Load(ctx, disputed.Stream(r.SubAccountID))
	if err != nil {
		return 0, false, err
	}
	own := max(0, saved.(dues.State).Savings()-held.(disputed.Money).Of(r.User, s.Now()))
	if sees {
		own = min(own, most)
	}
	return own, true, nil
}

func liquidationOf(k nairav1.LiquidationKind) LiquidationKind {
	return LiquidationKind(k.String()[len("LIQUIDATION_KIND_"):])
}

// liquidationRequest reads a form as a command.
func (s *Service) liquidationRequest(ctx context.Context, id, user string, form NewRequest) (liquidation.Request, error) {
	sub, err := usecase.ParseID(form.SubAccountID, "sub-account")
	if err != nil {
		return liquidation.Request{}, err
	}
	group, err := s.GroupOfSub(ctx, sub)
	if err != nil {
		return liquidation.Request{}, err
	}
	amount, err := usecase.Kobo("amount", form.Amount)
	if err != nil {
		return liquidation.Request{}, err
	}
	officers, err := s.Membership.Officers(ctx, group, vault.Payee{}, user)
	return liquidation.Request{
		LiquidationID: id, GroupID: group, SubAccountID: sub, User: user, Kind: liquidationKind(form.Kind), Amount: amount, Provider: s.Payouts.Provider, Tiers: s.Payouts.Tiers,
		Reason: form.Reason, Officers: officers, At: s.Now(),
	}, err
}

// requestPayee is where it would go: the member's own account, or the one that is named.
func (s *Service) requestPayee(ctx context.Context, user string, form NewRequest) (vault.Payee, error) {
	if form.Kind == MEMBERWITHDRAWAL {
		if form.Account != "" || form.BankCode != "" {
			return vault.Payee{}, fault.Field("accountNumber", "Your own savings go to the bank account in your profile. Leave the account out.")
		}
		return s.Payouts.Payee(ctx, user)
	}
	return s.Payouts.PayeeAt(ctx, form.BankCode, form.Account)
}

// RequestLiquidation asks a group for money; where it goes and who decides is frozen with it. steppedUp refuses a
// caller who has not shown again who they are; it is asked before anything is said of the request.
func (s *Service) RequestLiquidation(ctx context.Context, who usecase.Who, form NewRequest, steppedUp func() error) (Liquidation, int64, error) {
	command, _ := who.ID("request liquidation")
	id := event.DeriveID(command, "liquidation").String()
	then := s.at(s.Now())
	request, err := then.liquidationRequest(ctx, id, who.User, form)
	if err != nil {
		return Liquidation{}, 0, err
	}
	if request.GroupID != form.GroupID {
		return Liquidation{}, 0, fault.New(fault.NotFound, "There is no such sub-account.")
	}
	if request.Net, err = usecase.Kobo("net", form.Net); err != nil {
		return Liquidation{}, 0, err
	}
	err = s.UnlessRecorded(ctx, command, func() (err error) {
		request, err = then.freezePayee(ctx, request, form, steppedUp)
		return err
	})
	if err != nil {
		return Liquidation{}, 0, err
	}
	hash := store.Fingerprint(form.SubAccountID, string(form.Kind), request.Amount, request.Net, form.Reason, form.BankCode, form.Account)
	result, err := then.Record(ctx, who, command, id, hash, request)
	return s.liquidationAfter(ctx, who.User, id, result, err)
}

// freezePayee seals where a request goes, and answers it with the officials who have an interest in that.
func (s *Service) freezePayee(ctx context.Context, request liquidation.Request, form NewRequest, steppedUp func() error) (liquidation.Request, error) {
	if err := s.mayAsk(ctx, request); err != nil {
		return request, err
	}
	if err := steppedUp(); err != nil {
		return request, err
	}
	if _, err := s.Ledger.DryRun(ctx, request); err != nil {
		return request, err
	}
	payee, err := s.requestPayee(ctx, request.User, form)
	if err != nil {
		return request, err
	}
	if request.Officers, err = s.Membership.Officers(ctx, request.GroupID, payee, request.User); err != nil {
		return request, err
	}
	if form.Kind == GROUPDISBURSEMENT {
		if request.OwnAccount, err = s.Membership.Paid(ctx, request.User, payee); err != nil {
			return request, err
		}
	}
	if err := s.Vault.Begin(ctx, request.User); err != nil {
		return request, err
	}
	return request, s.Payouts.SealPayee(ctx, request.User, request.LiquidationID, payee)
}

// mayAsk refuses people outside the group, to whom a sub-account is not there, before they are asked for their
// password. Money that a bank sent back may belong to somebody who has left.
func (s *Service) mayAsk(ctx context.Context, r liquidation.Request) error {
	m, err := s.MemberState(ctx, r.GroupID, r.User)
	if err != nil || m.Status != savings.None && m.Status != savings.Invited {
		return err
	}
	saved, err := s.Ledger.Load(ctx, dues.Stream(r.SubAccountID, r.User))
	if err == nil && saved.(dues.State).Savings() <= 0 {
		err = fault.New(fault.NotFound, "There is no such sub-account.")
	}
	return err
}

// liquidationAfter is how a request stands after a command about it.
func (s *Service) liquidationAfter(ctx context.Context, user, id string, result store.Result, err error) (Liquidation, int64, error) {
	if err != nil {
		return Liquidation{}, 0, err
	}
	view, err := s.Liquidation(ctx, user, id)
	return view, result.Position(), err
}

// onlooker is who looks at a request, and what of it they may see.
type onlooker struct {
	usecase.Relation
	blind bool // They may not know what the sub-account holds, so no amount is told.
}

// liquidationFor is a request that a user may see: an official of its group, who asked for it, and a payment of the
// group every active member, and those whom it concerns. For everybody else it is not there.
func (s *Service) liquidationFor(ctx context.Context, user, id string) (l liquidation.Liquidation, who onlooker, err error) {
	none := fault.New(fault.NotFound, "There is no such request.")
	if l, err = s.LiquidationState(ctx, id); err != nil || l.Status == liquidation.None {
		return l, who, errors.Join(err, none)
	}
	if who.Relation, err = s.Relation(ctx, user, l.Group); err != nil || user == l.RequestedBy || who.Official() {
		return l, who, err
	}
	if l.Withdrawal() || !who.Active() && !l.Concerns(who.Member) {
		return l, who, none
	}
	sub, err := s.Ledger.Load(ctx, savings.SubStream(l.SubAccount))
	if err == nil {
		who.blind = !who.Group.SeesTotal(sub.(savings.SubAccount), user)
	}
	return l, who, err
}

// act gives a command about a request that a user may see.
func (s *Service) act(ctx context.Context, who usecase.Who, operation, id string, hash [16]byte, make func(liquidation.Of, liquidation.Liquidation) (event.Command, error)) (Liquidation, int64, error) {
	l, _, err := s.liquidationFor(ctx, who.User, id)
	if err != nil {
		return Liquidation{}, 0, err
	}
	c, err := make(liquidation.About(id, l), l)
	if err != nil {
		return Liquidation{}, 0, err
	}
	command, _ := who.ID(operation)
	result, err := s.Record(ctx, who, command, id, hash, c)
	return s.liquidationAfter(ctx, who.User, id, result, err)
}

// byLink is said of a rejection that came without a reason.
const byLink = "Rejected without a reason."

// DecideLiquidation validates, approves or rejects a request of a group, whichever is the caller's turn. Saying yes
// needs a step-up.
func (s *Service) DecideLiquidation(ctx context.Context, who usecase.Who, groupID, id string, approve bool, reason string, steppedUp func() error) (Liquidation, int64, error) {
	id, err := usecase.ParseID(id, "request")
	if err != nil {
		return Liquidation{}, 0, err
	}
	return s.act(ctx, who, deciding, id, store.Fingerprint(id, approve, cmp.Or(reason, byLink)), s.deciding(ctx, who, groupID, id, approve, reason, steppedUp))
}

// deciding is the operation of a decision.
const deciding = "decide liquidation"

// DecideByLink is DecideLiquidation for a link that decides under one key whenever it is opened. A refusal is not
// remembered under that key, so that a link which was opened too early decides once its turn comes.
func (s *Service) DecideByLink(ctx context.Context, who usecase.Who, groupID, id string, approve bool, steppedUp func() error) (Liquidation, int64, error) {
	id, err := usecase.ParseID(id, "request")
	if err != nil {
		return Liquidation{}, 0, err
	}
	decide := s.deciding(ctx, who, groupID, id, approve, "", steppedUp)
	command, _ := who.ID(deciding)
	return s.act(ctx, who, deciding, id, store.Fingerprint(id, approve, byLink), func(of liquidation.Of, l liquidation.Liquidation) (event.Command, error) {
		c, err := decide(of, l)
		if err != nil {
			return nil, err
		}
		return c, s.UnlessRecorded(ctx, command, func() error {
			_, err := s.Ledger.DryRun(ctx, c)
			return err
		})
	})
}

// deciding makes the command of a decision.
func (s *Service) deciding(ctx context.Context, who usecase.Who, groupID, id string, approve bool, reason string, steppedUp func() error) func(liquidation.Of, liquidation.Liquidation) (event.Command, error) {
	return func(of liquidation.Of, l liquidation.Liquidation) (event.Command, error) {
		if of.GroupID != groupID {
			return nil, fault.New(fault.NotFound, "There is no such request.")
		}
		if !approve {
			return liquidation.Reject(of, who.User, cmp.Or(reason, byLink)), nil
		}
		if err := steppedUp(); err != nil {
			return nil, err
		}
		return liquidation.InTime(of, s.Now(), liquidation.Approve(of, who.User)), s.notToThemselves(ctx, who.User, id, l)
	}
}

// CancelLiquidation takes a request back.
func (s *Service) CancelLiquidation(ctx context.Context, who usecase.Who, id string) (Liquidation, int64, error) {
	id, err := usecase.ParseID(id, "request")
	if err != nil {
		return Liquidation{}, 0, err
	}
	return s.act(ctx, who, "cancel liquidation", id, store.Fingerprint(id), func(of liquidation.Of, _ liquidation.Liquidation) (event.Command, error) {
		return liquidation.Cancel(of, who.User), nil
	})
}

// RetryLiquidation has a payout sent anew that the bank refused for certain.
func (s *Service) RetryLiquidation(ctx context.Context, who usecase.Who, id string, steppedUp func() error) (Liquidation, int64, error) {
	id, err := usecase.ParseID(id, "request")
	if err != nil {
		return Liquidation{}, 0, err
	}
	return s.act(ctx, who, "retry liquidation", id, store.Fingerprint(id), func(of liquidation.Of, l liquidation.Liquidation) (event.Command, error) {
		if err := steppedUp(); err != nil {
			return nil, err
		}
		return liquidation.Retry(of, who.User), s.notToThemselves(ctx, who.User, id, l)
	})
}

// ReleaseLiquidation gives a payout up that the bank refused for certain.
func (s *Service) ReleaseLiquidation(ctx context.Context, who usecase.Who, id, reason string) (Liquidation, int64, error) {
	id, err := usecase.ParseID(id, "request")
	if err != nil {
		return Liquidation{}, 0, err
	}
	return s.act(ctx, who, "release liquidation", id, store.Fingerprint(id, reason), func(of liquidation.Of, l liquidation.Liquidation) (event.Command, error) {
		release := liquidation.Release(of, who.User, reason)
		if l.Status != liquidation.PayoutFailed {
			return release, nil
		}
		if _, err := s.Ledger.DryRun(ctx, release); err != nil {
			return nil, err
		}
		return release, s.notOnItsWay(ctx, id)
	})
}

// notOnItsWay asks the bank once more about a payout that failed, and refuses where the bank may be at work on it after
// all. What it has paid is recorded.
func (s *Service) notOnItsWay(ctx context.Context, id string) error {
	w, err := s.Payouts.Outgoing(ctx, id)
	if err != nil {
		return err
	}
	said, err := s.Payouts.WhatBankSays(ctx, w)
	switch {
	case fault.Is(err, fault.Unavailable):
		return fmt.Errorf("%w: %w", fault.New(fault.Unavailable, "The bank cannot be reached just now, and it must be asked once more before this is released. Nothing was changed."), err)
	case err != nil:
		return err
	case said.Reference != "":
		_, err = s.Payouts.AskPayout(ctx, id)
		return err
	case said.State == rails.Pending && len(w.References) > 0:
		return fault.New(fault.Conflict, "The bank may be at work on it after all, so it cannot be released yet. Please try again later.")
	}
	return nil
}

const requestsAtOnce = 200

// ExpireRequests ends requests that nobody approved in time, and frees what is held for them. It is a job.
func (s *Service) ExpireRequests(ctx context.Context) error {
	over, err := requests.Overdue(ctx, s.Pool, s.Now(), requestsAtOnce)
	if err != nil {
		return err
	}
	return items.Each(ctx, s.Job("expire requests"), over, func(r requests.Request) string { return r.ID }, func(ctx context.Context, r requests.Request) error {
		l, err := s.LiquidationState(ctx, r.ID)
		if err == nil {
			_, err = s.Record(ctx, usecase.Who{User: "system"}, store.CommandID("system", "expire liquidation", r.ID), r.ID, store.Fingerprint(r.ID), liquidation.Expire(liquidation.About(r.ID, l), s.Now()))
		}
		return usecase.UnlessRefused(err) // Refused: it was decided just now.
	})
}
