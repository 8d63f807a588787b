package payouts

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/google/uuid"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/disputed"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/event"
	"adashi.ng/projections/payouts"
	"adashi.ng/projections/requests"
	"adashi.ng/projections/unmatched"
)

// stands is a payout's state with the bank.
type stands int

const (
	none    stands = iota // There is no such payout.
	waiting               // It must not be sent, at least not yet.
	ready                 // It may be sent.
	sent                  // The bank may have the order, so we only ask about it.
	failed                // The bank did not pay it, and its money is still set aside.
	paid
	closed // It is paid, and the member, whose own money it was, has closed their account since; their data may be destroyed.
	over
)

// outgoing is a payout of any kind: a member's withdrawal, a payment by a group, or money in suspense that goes back to
// the account that it came from.
type outgoing struct {
	ID          string
	Stands      stands
	Net         money.Kobo // The amount that arrives.
	Provider    event.Provider
	References  []string  // The references of all orders to the bank, the latest last.
	ProviderRef string    // The bank's own reference of its payment.
	Attempt     int       // How many times it was released to be sent again.
	NotBefore   time.Time // Not to be sent before; the zero time when nothing delays it.
	Note        string    // For the receiver's statement, when the member chose no other.
	SentAt      time.Time // When we last sent the order to the bank; the zero time before that.
	NoAccount   string    // The message when the account no longer exists,
	Renamed     string    // and when it has another name by now.

	proposed bool // The return to the sender is only proposed.

	stream string               // The stream of its state,
	isPaid func(state any) bool // which says whether it is paid.

	match   func(providerRef string, also []string) event.Command // Records that a transfer is its return.
	stop    event.Command                                         // Cancels it when its money may no longer leave.
	send    func(reference string, now time.Time) event.Command
	pay     func(reference string, r payout.Receipt) event.Command
	fail    func(reference, reason string) event.Command // For the reference that failed; see last.
	reverse func(providerRef, reason string) event.Command
}

// last returns the reference of the latest order to the bank; empty before the first.
func (w outgoing) last() string {
	if len(w.References) == 0 {
		return ""
	}
	return w.References[len(w.References)-1]
}

// key distinguishes a payout's attempts.
func (w outgoing) key() string {
	if w.Attempt == 0 {
		return w.ID
	}
	return w.ID + " " + strconv.Itoa(w.Attempt)
}

// attemptID is the id from which the bank's reference is made: a different one for each attempt.
func (w outgoing) attemptID() string {
	if w.Attempt == 0 {
		return w.ID
	}
	return event.DeriveID(uuid.MustParse(w.ID), "attempt "+strconv.Itoa(w.Attempt)).String()
}

// Outgoing reads a payout of any kind from the ledger.
func (s *Service) Outgoing(ctx context.Context, id string) (outgoing, error) {
	w, err := s.WithdrawalState(ctx, id)
	if err != nil || w.Status != payout.None {
		return s.orClosed(ctx, withdrawn(id, w), w.User, err)
	}
	l, err := s.LiquidationState(ctx, id)
	if err != nil {
		return outgoing{ID: id}, err
	}
	if l.Status == liquidation.None {
		return s.goingBack(ctx, id)
	}
	g, err := s.GroupState(ctx, l.Group)
	if err != nil {
		return outgoing{ID: id}, err
	}
	held, err := s.Ledger.Load(ctx, disputed.Stream(l.SubAccount))
	if err != nil {
		return outgoing{ID: id}, err
	}
	out := liquidated(id, l, g, liquidation.Limits{Tiers: s.Tiers, CardHold: s.CardHold}, held.(disputed.Money).Holders(id))
	if !l.Withdrawal() {
		return out, nil
	}
	return s.orClosed(ctx, out, l.RequestedBy, nil)
}

// orClosed returns a payout of a member's own money, even when the member has closed their account since it was paid.
func (s *Service) orClosed(ctx context.Context, w outgoing, user string, err error) (outgoing, error) {
	if err != nil || w.Stands != paid {
		return w, err
	}
	owner, err := s.AccountState(ctx, user)
	if owner.Standing().May(standing.Receive) != nil {
		w.Stands = closed
	}
	return w, err
}

func withdrawn(id string, w payout.Withdrawal) outgoing {
	at := map[payout.Status]stands{payout.None: none, payout.Requested: ready, payout.Sent: sent, payout.Paid: paid, payout.Failed: over, payout.Reversed: over}
	return outgoing{
		ID: id, Stands: at[w.Status], Net: w.Net(), Provider: w.Provider, References: told(w.Reference), ProviderRef: w.ProviderRef, Note: "Adashi withdrawal", NoAccount: "The bank no longer knows your account.",
		SentAt: w.SentAt, Renamed: "Your bank has another name for this account by now than when you asked. Nothing was sent.",
		stream: payout.Stream(id),
		isPaid: func(state any) bool { return state.(payout.Withdrawal).Status == payout.Paid },
		match: func(ref string, also []string) event.Command {
			return liquidation.MatchReturn(w.Provider, ref, also, w.Net(), id)
		},
		stop:    payout.Stop(id, w.User),
		send:    func(reference string, now time.Time) event.Command { return payout.Send(id, w.User, reference, now) },
		pay:     func(_ string, r payout.Receipt) event.Command { return payout.Pay(id, w.User, w.Provider, r) },
		fail:    func(reference, reason string) event.Command { return payout.Fail(id, w.User, reference, reason) },
		reverse: func(ref, reason string) event.Command { return payout.Reverse(id, w.User, w.Provider, ref, reason) },
	}
}

func liquidated(id string, l liquidation.Liquidation, g savings.Group, limits liquidation.Limits, holders []string) outgoing {
	at := map[liquidation.Status]stands{
		liquidation.Requested: waiting, liquidation.Validated: waiting, liquidation.OnHold: waiting, liquidation.Approved: ready, liquidation.PayoutPending: sent, liquidation.Paid: paid,
		liquidation.PayoutFailed: failed, liquidation.Reversed: over, liquidation.Released: over, liquidation.ValidationRejected: over,
		liquidation.ApprovalRejected: over, liquidation.Cancelled: over, liquidation.Expired: over,
	}[l.Status]
	if at == ready && g.Status == savings.Suspended {
		at = waiting
	}
	of := liquidation.About(id, l)
	return outgoing{
		ID: id, Stands: at, Net: l.Net(), Provider: l.Provider, References: l.References, ProviderRef: l.ProviderRef, Attempt: l.Retries, NotBefore: l.PayableFrom, Note: "Adashi group savings", NoAccount: "The bank no longer knows this account.",
		SentAt: l.SentAt, Renamed: "The bank has another name for this account by now than the one that was approved. Nothing was sent.",
		stream: liquidation.Stream(id),
		isPaid: func(state any) bool { return state.(liquidation.Liquidation).Status == liquidation.Paid },
		match: func(ref string, also []string) event.Command {
			return liquidation.MatchReturn(l.Provider, ref, also, l.Net(), id)
		},
		stop: liquidation.Stop(of),
		send: func(reference string, now time.Time) event.Command {
			return liquidation.SendWithin(of, reference, now, limits, holders...)
		},
		pay:     func(reference string, r payout.Receipt) event.Command { return liquidation.Pay(of, reference, r) },
		fail:    func(reference, reason string) event.Command { return liquidation.Fail(of, reference, reason) },
		reverse: func(ref, reason string) event.Command { return liquidation.Reverse(of, ref, reason) },
	}
}

// payoutsIn passes the ids of all payouts with these statuses to take, by the read models, in batches: payouts that
// wait for long do not block the others.
func (s *Service) payoutsIn(ctx context.Context, withdrawals payout.Status, liquidations liquidation.Status, back string, take func(ids []string) error) error {
	var failures []error
	for after := [3]int64{}; ctx.Err() == nil; {
		own, err := payouts.Standing(ctx, s.Pool, after[0], payoutsAtOnce, string(withdrawals))
		if err != nil {
			return err
		}
		asked, err := requests.Standing(ctx, s.Pool, after[1], payoutsAtOnce, string(liquidations))
		if err != nil {
			return err
		}
		goBack, err := unmatched.SendBacksStanding(ctx, s.Pool, after[2], payoutsAtOnce, back)
		if err != nil {
			return err
		}
		var ids []string
		for _, b := range goBack {
			ids, after[2] = append(ids, b.ID), b.Pos
		}
		for _, p := range own {
			ids, after[0] = append(ids, p.ID), p.Pos
		}
		for _, r := range asked {
			ids, after[1] = append(ids, r.ID), r.Pos
		}
		if len(ids) == 0 {
			break
		}
		failures = append(failures, take(ids))
	}
	return errors.Join(failures...)
}
