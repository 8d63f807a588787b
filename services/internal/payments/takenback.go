package payments

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/usecase"
)

// errNotKnownYet refuses a report about a payment that the bank does not know when we ask, or about money that is in no
// account yet. A gateway repeats a webhook that gets no 200, and a reconciliation looks again.
var errNotKnownYet = fault.New(fault.NotFound, "There is no such payment.")

// TakenBack asks a provider for the reversals under a reference, and takes the money from the account that has it. It
// returns the position of its record, 0 when there was nothing new. It records the incoming money first.
func (s *Service) TakenBack(ctx context.Context, provider event.Provider, reference string) (pos int64, err error) {
	from, err := rails.As[rails.Reverser](s.Rails, provider)
	if err != nil {
		return 0, err
	}
	id, p, err := s.referred(ctx, provider, reference)
	if err != nil {
		return 0, err
	}
	back, err := from.Reversals(ctx, id)
	if errors.Is(err, rails.ErrNoTransaction) {
		return 0, errNotKnownYet
	}
	if err != nil || len(back) == 0 {
		return 0, unsure(err)
	}
	if err := s.takeDown(ctx, provider, id, p); err != nil {
		return 0, err
	}
	return s.goesBack(ctx, provider, id, back)
}

// takeDown records the money of a reference, which nobody may have reported yet.
func (s *Service) takeDown(ctx context.Context, provider event.Provider, id string, p wallet.Payment) error {
	if p.Status != wallet.None {
		_, err := s.Settle(ctx, id)
		return err
	}
	from, err := rails.As[rails.Collector](s.Rails, provider)
	if err != nil {
		return err
	}
	status, err := from.Status(ctx, id)
	if err == nil && status.State == rails.Paid {
		_, err = s.confirm(ctx, provider, id, p, status)
	}
	return unsure(err)
}

// cameAndWent records money of which some went back before anybody reported it. It asks for the reversals first, so
// that no money is credited while its remainder is unknown.
func (s *Service) cameAndWent(ctx context.Context, id string, p wallet.Payment, status rails.Status) (int64, error) {
	from, err := rails.As[rails.Reverser](s.Rails, p.Provider)
	if err != nil {
		return 0, err
	}
	back, err := from.Reversals(ctx, id)
	if errors.Is(err, rails.ErrNoTransaction) {
		return 0, errNotKnownYet
	}
	if err != nil {
		return 0, unsure(err)
	}
	came, err := s.confirm(ctx, p.Provider, id, p, status)
	if err != nil {
		return came, err
	}
	went, err := s.goesBack(ctx, p.Provider, id, back)
	return max(came, went), err
}

// LineTakenBack takes back the money of a statement's line, and returns the position, 0 when there was nothing new. If
// the line belongs to a payment, it asks the bank about that payment. It does not ask for the return of money that
// became a payment's: the bank knows that only by the line.
func (s *Service) LineTakenBack(ctx context.Context, line BankLine) (int64, error) {
	arrival, err := s.arrivalOf(ctx, line.Provider, line.Of)
	if err != nil {
		return 0, err
	}
	if arrival.Payment != "" && !arrival.isReturn {
		return s.TakenBack(ctx, line.Provider, arrival.Payment)
	}
	id, p, err := s.referred(ctx, line.Provider, cmp.Or(arrival.Payment, line.Of))
	if err != nil {
		return 0, err
	}
	return s.oneGoesBack(ctx, line.Provider, id, p, rails.Reversal{ProviderRef: line.ProviderRef, Of: line.Of, Gross: line.Amount, At: line.At}, false)
}

// Recalled takes back money that a bank's statement shows going out under the same name by which it came in: nothing
// else reports this. Each such line counts, because a bank may take a part at a time. It returns the position, 0 for
// any other line.
func (s *Service) Recalled(ctx context.Context, line BankLine) (int64, error) {
	arrival, err := s.arrivalOf(ctx, line.Provider, line.ProviderRef)
	if err != nil {
		return 0, err
	}
	reference := arrival.Payment
	if arrival.Status == wallet.ArrivalNone { // It may be from before money's names were recorded.
		reference = line.Reference
	}
	id, p, err := s.referred(ctx, line.Provider, reference)
	if err != nil || !arrival.ReturnsAlone() && (arrival.Payment == "" && p.ProviderRef != line.ProviderRef || p.Status == wallet.None) {
		return 0, err
	}
	return s.oneGoesBack(ctx, line.Provider, id, p, rails.Reversal{
		ProviderRef: line.Own(), Of: line.ProviderRef, Gross: line.Amount + line.Fee, At: line.At, Reason: "The bank took the transfer back.",
	}, false)
}

// gone is money that went back, by a bank's report.
type gone struct {
	wallet.Arrival

	name     string // The name by which we know it.
	isReturn bool   // The money that the bank took back is the return of a payout.
}

// mostHops limits how many times money may be the return of money that is itself a return.
const mostHops = 8

// arrivalOf finds money by any of a bank's names for it, and returns it under the bank's own. When the money was
// recorded as the return of a payout, it returns the money that is in suspense instead: the return, or the money that
// we had sent back.
func (s *Service) arrivalOf(ctx context.Context, provider event.Provider, name string) (gone, error) {
	arrival, err := s.ArrivalState(ctx, provider, name)
	if err == nil && arrival.Status == wallet.ArrivalNamed {
		name = arrival.As
		arrival, err = s.ArrivalState(ctx, provider, name)
	}
	known := gone{arrival, name, arrival.Returns()}
	for hops := 0; err == nil && known.Payout != "" && hops < mostHops; hops++ {
		var state any
		if state, err = s.Ledger.Load(ctx, payout.SendBackStream(known.Payout)); err != nil {
			break
		}
		waits := state.(payout.SentMoney).ProviderRef
		if waits == "" {
			waits = wallet.ReturnRef(known.Payout)
			if arrival, err = s.ArrivalState(ctx, provider, waits); err != nil || !arrival.CameBack {
				break
			}
		} else if arrival, err = s.ArrivalState(ctx, provider, waits); err != nil {
			break
		}
		known.Arrival, known.name = arrival, waits
	}
	return known, err
}

// goesBack takes back all reversals that a bank reports for a reference.
func (s *Service) goesBack(ctx context.Context, provider event.Provider, id string, back []rails.Reversal) (pos int64, err error) {
	_, p, err := s.referred(ctx, provider, id)
	if err != nil {
		return 0, err
	}
	asked, err := s.askedFor(ctx, provider, id)
	if err != nil {
		return 0, err
	}
	for _, r := range back {
		now, err := s.oneGoesBack(ctx, provider, id, p, r, asked)
		if err != nil {
			return pos, err
		}
		pos = max(pos, now)
	}
	return pos, nil
}

// oneGoesBack takes one reversal from the account that has its money: the payment's, suspense, or the wallet of the
// member to whom it was assigned.
func (s *Service) oneGoesBack(ctx context.Context, provider event.Provider, id string, p wallet.Payment, r rails.Reversal, asked bool) (int64, error) {
	arrival, err := s.arrivalOf(ctx, provider, r.Of)
	if err != nil {
		return 0, err
	}
	switch {
	case arrival.ReturnsAlone():
		return s.parkedGoesBack(ctx, provider, r, arrival)
	case p.Status == wallet.Confirmed || p.Status == wallet.Reversed:
		at := s.notAhead(r.At)
		reversal := wallet.ReversePayment{
			PaymentID: id, User: p.User, Provider: provider, Gross: r.Gross, FeeBack: r.FeeBack, ProviderRef: r.ProviderRef,
			Reason: usecase.Plain(r.Reason), AskedFor: asked, At: at,
		}
		var c event.Command = reversal
		if p.ForAjo != nil {
			c = s.Ajo.TakenBack(reversal, p)
		}
		return s.takeBack(ctx, takingBack{at: at, id: takeBackID(provider, r), about: id, hash: store.Fingerprint(id, r.Gross), make: func(context.Context) (event.Command, string, error) {
			return c, p.User, nil
		}})
	default:
		return 0, errNotKnownYet
	}
}

// parkedGoesBack takes back money that fits no payment. Some of it may already have been taken from suspense, before we
// knew that it is a payout's return.
func (s *Service) parkedGoesBack(ctx context.Context, provider event.Provider, r rails.Reversal, known gone) (int64, error) {
	id := takeBackID(provider, r)
	if known.isReturn {
		id = event.DeriveID(id, "of a return")
	}
	return s.takeBack(ctx, takingBack{at: s.notAhead(r.At), id: id, about: r.Of, hash: store.Fingerprint(r.Of, r.Gross), make: func(ctx context.Context) (event.Command, string, error) {
		arrival, err := s.arrivalOf(ctx, provider, r.Of)
		if err != nil {
			return nil, "", err
		}
		c := wallet.TakeBackArrival{ProviderRef: arrival.name, Provider: provider, Gross: r.Gross, BackRef: r.ProviderRef, Reason: usecase.Plain(r.Reason)}
		switch {
		case arrival.Payout != "":
			c = liquidation.TakeBackReturn(c, arrival.Payout)
			c.User, err = s.whoseReturn(ctx, c)
		case arrival.Status == wallet.ArrivalAssigned:
			c.User = arrival.For
		default:
			c.Parts, err = s.partsOf(ctx, provider, arrival.Arrival)
		}
		return c, c.User, err
	}})
}

// partsOf returns the names of the returned parts of money that was sent back.
func (s *Service) partsOf(ctx context.Context, provider event.Provider, a wallet.Arrival) ([]string, error) {
	var failed error
	parts := wallet.PartsOf(func(stream string) any {
		state, err := s.Ledger.Load(ctx, stream)
		if err != nil {
			failed = err
			return wallet.Arrival{}
		}
		return state
	}, provider, a)
	return parts, failed
}

// whoseReturn returns the member whose withdrawal a return belongs to; empty for a group's payout.
func (s *Service) whoseReturn(ctx context.Context, c wallet.TakeBackArrival) (string, error) {
	states := map[string]any{}
	for _, stream := range c.Paid {
		state, err := s.Ledger.Load(ctx, stream)
		if err != nil {
			return "", err
		}
		states[stream] = state
	}
	return c.Whose(func(stream string) any { return states[stream] }), nil
}

// takeBackID is the command id of a bank's reversal, whichever account had the money.
func takeBackID(provider event.Provider, r rails.Reversal) uuid.UUID {
	return store.CommandID("system", "take back "+provider.Stored(), r.ProviderRef)
}

// takeBackTries limits how often a reversal is decided again because its facts changed meanwhile.
const takeBackTries = 3

// takingBack is a bank's reversal.
type takingBack struct {
	at    time.Time
	id    uuid.UUID
	about string // The id that it is recorded about.
	hash  [16]byte
	// make returns the command for the present state, and the user whose wallet has the money; empty while it is in
	// suspense.
	make func(context.Context) (event.Command, string, error)
}

// takeBack records a bank's reversal, and also uses held money of the wallet for it.
func (s *Service) takeBack(ctx context.Context, t takingBack) (pos int64, err error) {
	for range takeBackTries {
		c, user, failed := t.make(ctx)
		if failed == nil && user != "" {
			c, failed = s.outOfHolds(ctx, c, user)
		}
		if failed != nil {
			return 0, failed
		}
		var result store.Result
		result, err = s.Base.At(t.at).Record(ctx, usecase.System, t.id, t.about, t.hash, c)
		if err == nil {
			return result.Position(), nil
		}
		if !fault.Is(err, fault.Unavailable) {
			return 0, err
		}
	}
	return 0, err
}

// outOfHolds turns a command that takes money from a member into one that also uses their held money.
func (s *Service) outOfHolds(ctx context.Context, c event.Command, user string) (event.Command, error) {
	owner, err := s.AccountState(ctx, user)
	if err != nil {
		return nil, err
	}
	unsent, err := s.Unsent(ctx, user)
	return payout.TakenBack{Command: c, User: user, Frozen: owner.FrozenHolds, Unsent: unsent}, err
}

// askedFor reports whether money went back because the member requested it, and not because a card's bank took it.
func (s *Service) askedFor(ctx context.Context, provider event.Provider, reference string) (bool, error) {
	disputer, err := rails.As[rails.CardDisputer](s.Rails, provider)
	if err != nil {
		return false, nil //nolint:nilerr // It reports no disputes.
	}
	all, err := disputer.CardDisputesOf(ctx, reference)
	return !slices.ContainsFunc(all, func(d rails.CardDispute) bool { return d.Upheld }), unsure(err)
}
