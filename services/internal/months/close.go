package months

import (
	"context"
	"encoding/hex"
	"errors"
	"time"

	"github.com/google/uuid"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/sampling"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/months"
	"adashi.ng/services/internal/items"
	"adashi.ng/services/internal/usecase"
)

// record gives a member's command, and returns the months after it.
func (s *Service) record(ctx context.Context, who usecase.Who, operation string, p place, hash [16]byte, c event.Command) (Months, int64, error) {
	id, _ := who.ID(operation)
	result, err := s.Record(ctx, who, id, p.ID(), hash, c)
	if err != nil {
		return Months{}, 0, err
	}
	s.Tracker.WaitFor(ctx, result.Position(), usecase.ReadModelWait, ReadModels...)
	view, err := s.Months(ctx, who.User, p.ID())
	return view, result.Position(), err
}

// mine returns a place for the person who closes its months.
func (s *Service) mine(ctx context.Context, user, id string) (place, error) {
	p, err := s.place(ctx, user, id)
	if err == nil && user != p.closer {
		err = sampling.ErrNotCloser()
	}
	return p, err
}

// Close seals the list of a month and names the round that draws from it.
func (s *Service) Close(ctx context.Context, who usecase.Who, id string, form CloseMonthRequest) (Months, int64, error) {
	p, err := s.mine(ctx, who.User, id)
	if err != nil {
		return Months{}, 0, err
	}
	if err := s.caughtUp(ctx); err != nil {
		return Months{}, 0, err
	}
	state, err := s.state(ctx, p)
	if err != nil {
		return Months{}, 0, err
	}
	list, err := s.open(ctx, p, state, form.Month)
	if err != nil {
		return Months{}, 0, err
	}
	c := sampling.Close{Place: p.Place, By: who.User, Margin: form.MarginPercent * 100, Beacon: s.Beacon.Beacon(), Now: s.Now()}
	if c.List, c.Unsealed = list.Seal(p.ID()); c.Unsealed != nil {
		c.List.Month = form.Month
	}
	return s.record(ctx, who, "close month", p, store.Fingerprint(p.ID(), form.Month, form.MarginPercent), c)
}

// notYet is the error for a month that the read model does not show yet.
func notYet(err error) error {
	if errors.Is(err, months.ErrNone) {
		return fault.New(fault.Unavailable, "This month cannot be shown just now. Please try again.")
	}
	return err
}

// Submit takes the signature of the named round. It verifies the signature before it reads the list, so that wrong ones
// cannot keep the product busy.
func (s *Service) Submit(ctx context.Context, who usecase.Who, id, signature string) (Months, int64, error) {
	p, err := s.place(ctx, who.User, id)
	if err != nil {
		return Months{}, 0, err
	}
	raw, err := hex.DecodeString(signature)
	if err != nil || len(raw) > 96 {
		return Months{}, 0, fault.Field("signature", "Enter the beacon's signature in hex.")
	}
	state, err := s.state(ctx, p)
	if err != nil {
		return Months{}, 0, err
	}
	c := sampling.Draw{Place: p.Place, Month: state.Last, Beacon: s.Beacon.Beacon(), Signature: raw, Now: s.Now()}
	if state.Drawable(c.Month, c.Beacon, c.Now) == nil {
		if err := c.Beacon.Verify(state.Open.Round, raw); err != nil {
			return Months{}, 0, err
		}
		if err := s.choose(ctx, p, &c); err != nil {
			return Months{}, 0, err
		}
	}
	return s.record(ctx, who, "draw sample", p, store.Fingerprint(p.ID(), signature), c)
}

// DrawDue draws the samples whose rounds have come.
func (s *Service) DrawDue(ctx context.Context) error {
	due, err := months.ToDraw(ctx, s.Pool, s.Now(), drawnAtOnce)
	if err != nil {
		return err
	}
	return items.Each(ctx, s.Job("draw samples"), due, func(m months.Month) string { return m.Place + " " + m.Month }, func(ctx context.Context, m months.Month) error {
		signature, err := s.Beacon.Fetch(ctx, uint64(m.Round))
		if err != nil {
			return err
		}
		p := byID(m)
		c := sampling.Draw{Place: p.Place, Month: m.Month, Beacon: s.Beacon.Beacon(), Signature: signature, Now: s.Now()}
		if err := s.choose(ctx, p, &c); err != nil {
			return err
		}
		id := store.CommandID("system", "draw sample", m.Place+" "+m.Month)
		_, err = s.Record(ctx, usecase.System, id, m.Place, store.Fingerprint(m.Place, m.Month), c)
		return usecase.UnlessConflict(err) // Somebody submitted the round.
	})
}

const drawnAtOnce = 100

// choose adds the sample that a round's signature draws to the command. The list must equal the sealed one.
func (s *Service) choose(ctx context.Context, p place, c *sampling.Draw) error {
	state, err := s.state(ctx, p)
	if err != nil {
		return err
	}
	m, err := months.One(ctx, s.Pool, p.ID(), c.Month)
	if err != nil {
		return notYet(err)
	}
	if state.Open == nil || state.Last != c.Month {
		return nil // The rules refuse it.
	}
	list, rows, err := s.sealed(ctx, p, m)
	if err != nil {
		return err
	}
	sealed, err := list.Seal(p.ID())
	if err != nil {
		return err
	}
	if sealed.Digest != [32]byte(state.Open.Digest) {
		return errors.New("months: the list of " + p.ID() + " in " + c.Month + " is not the one that was sealed")
	}
	_, ranks := state.Open.Ranks(c.Signature)
	ids := map[int64]uuid.UUID{}
	for _, r := range rows {
		ids[r.Pos] = r.Event
	}
	for _, pos := range list.Sample(ranks) {
		c.Positions, c.Events = append(c.Positions, pos), append(c.Events, ids[pos])
	}
	return nil
}

// When returns a Service at a moment, for the demo's history or a test.
func (s *Service) When(moment time.Time) *Service {
	then := *s
	then.Base = s.At(moment)
	return &then
}
