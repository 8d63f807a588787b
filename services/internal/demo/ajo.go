package demo

import (
	"context"
	"fmt"
	"time"

	contract "adashi.ng/proto/gen/httpapi"
	"adashi.ng/proto/wire"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/app"
	"adashi.ng/services/internal/usecase"
)

// The demo's ajo: who takes part, and what each pays a week.
const (
	ajoSeats = 5
	ajoNaira = 2_000
)

// ajo tells of an ajo of five in its third week, drawn by the beacon, with one who missed the second, and of a card
// that is half stamped.
func (s *seeder) ajo() {
	today := time.Date(s.now.Year(), s.now.Month(), s.now.Day(), 8, 0, 0, 0, time.UTC)
	first := today.AddDate(0, 0, -14)
	at := func(days, hours int) time.Time {
		return first.AddDate(0, 0, days).Add(time.Duration(hours) * time.Hour)
	}
	a := &demoAjo{seeder: s}
	s.on(at(-6, 0), s.users[0], a.found(first))
	for n := 1; n < ajoSeats; n++ {
		s.on(at(-6, n), s.users[n], a.join)
	}
	s.on(at(-5, 1), s.users[0], func(ctx context.Context, then *app.App, by usecase.Who) error {
		_, _, err := then.Ajo.CloseList(ctx, by, a.id, nil)
		return err
	})
	s.on(at(-5, 2), s.users[0], a.advance)
	for n := range ajoSeats {
		s.on(at(-2, n), s.users[n], a.pay(1))
		s.on(at(6, n), s.users[n], a.pay(2))
	}
	s.on(at(1, 0), s.users[0], a.payOut(1))
	s.on(at(13, 0), s.users[0], a.advance)
	s.on(at(13, 1), s.users[0], a.payOut(2))
	for n := range 3 {
		s.on(at(13, 2+n), s.users[n], a.pay(3))
	}
	s.card(today)
}

// demoAjo is the ajo as far as it was told.
type demoAjo struct {
	*seeder
	id     string
	debtor string // Who misses the second week.
}

// unless lets pass what the ledger has decided already.
func unless(err error) error {
	if fault.Is(err, fault.Conflict) || fault.Is(err, fault.Insufficient) {
		return nil
	}
	return err
}

func (a *demoAjo) found(first time.Time) deed {
	return func(ctx context.Context, then *app.App, by usecase.Who) error {
		weekly, due, start := contract.AjoFrequency("WEEKLY"), first.Day(), first
		view, _, err := then.Ajo.Create(ctx, by, contract.CreateAjoRequest{
			Name: "Yaba weekly ajo", Description: "Five friends, one pot a week.", Type: "GROUP", Amount: amount(ajoNaira), Duration: ajoSeats, MemberCapacity: ajoSeats,
			StartMonthId: int(start.Month()), Year: start.Year(), Frequency: &weekly, DueDay: &due, Email: by.Email,
		})
		a.id = view.Id
		return err
	}
}

func (a *demoAjo) join(ctx context.Context, then *app.App, by usecase.Who) error {
	code := then.Ajo.InvitationCode(a.id)
	data, err := then.Ajo.Data(ctx, by.User, a.id, &code)
	if err != nil {
		return err
	}
	_, _, err = then.Ajo.Join(ctx, by, contract.JoinAjoRequest{
		AjoId: a.id, Code: &code, Hands: "1", TermsHash: data.TermsHash, Nonce: fmt.Sprintf("%032x", []byte(by.User)[:16]), Email: by.Email,
	})
	return unless(err)
}

func (a *demoAjo) advance(ctx context.Context, then *app.App, _ usecase.Who) error {
	return then.Ajo.Advance(ctx, a.id)
}

// pay pays a member's due of a cycle. In the second, somebody whose turn comes late misses theirs.
func (a *demoAjo) pay(cycle int) deed {
	return func(ctx context.Context, then *app.App, by usecase.Who) error {
		view, err := then.Ajo.View(ctx, by.User, a.id)
		if err != nil {
			return err
		}
		if len(view.Me.Seats) == 0 || view.CurrentAjoCyle == nil {
			return nil
		}
		turn := view.Members[0].Turns
		for _, m := range view.Members {
			if m.IsMe {
				turn = m.Turns
			}
		}
		if cycle == 2 && a.debtor == "" && !view.Me.IsOwner && len(turn) > 0 && turn[0] > 3 {
			a.debtor = by.User
		}
		if by.User == a.debtor {
			return nil
		}
		_, err = then.Ajo.Pay(ctx, by, a.id, contract.AjoPayRequest{
			What: "DUE", Amount: amount(ajoNaira), Cycle: &cycle, Seat: &view.Me.Seats[0], UserId: by.User,
		})
		return unless(err)
	}
}

// payOut has who collects ask, and the owner and one other approve.
func (a *demoAjo) payOut(cycle int) deed {
	return func(ctx context.Context, then *app.App, by usecase.Who) error {
		for _, who := range a.users[:ajoSeats] {
			p, err := then.Ajo.Payout(ctx, who.User, a.id, cycle)
			if err != nil {
				return unless(err)
			}
			if !p.MayRequest || p.Mine == nil {
				continue
			}
			who.Key = fmt.Sprintf("%s asks for %d", by.Key, cycle)
			_, _, err = then.Ajo.RequestPayout(ctx, who, contract.AjoPayoutRequest{
				AjoId: a.id, Cycle: cycle, Amount: *p.Mine, Destination: "WALLET", UserId: who.User,
			}, func() error { return nil })
			if err := unless(err); err != nil {
				return err
			}
		}
		for n, who := range a.users[:ajoSeats] {
			p, err := then.Ajo.Payout(ctx, who.User, a.id, cycle)
			if err != nil || p.Status == "PAID" {
				return unless(err)
			}
			if who.Key = fmt.Sprintf("%s approves %d %d", by.Key, cycle, n); !p.MayApprove {
				continue
			}
			if _, _, err := then.Ajo.ApprovePayout(ctx, who, a.id, fmt.Sprint(cycle)); unless(err) != nil {
				return err
			}
		}
		return nil
	}
}

// card is Fatima's, of which 16 of 31 boxes are stamped.
func (s *seeder) card(today time.Time) {
	const fatima, days = 5, 15
	opened, id := today.AddDate(0, 0, -days), ""
	s.on(opened, s.users[fatima], func(ctx context.Context, then *app.App, by usecase.Who) error {
		view, _, err := then.Ajo.OpenCard(ctx, by, contract.OpenAjoCardRequest{Name: "School fees", Amount: wire.FromKobo(500_00), Frequency: "DAILY"})
		id = view.Id
		return err
	})
	for day := range days + 1 {
		s.on(opened.AddDate(0, 0, day).Add(time.Minute), s.users[fatima], func(ctx context.Context, then *app.App, by usecase.Who) error {
			_, _, err := then.Ajo.FillCard(ctx, by, id, 1)
			return unless(err)
		})
	}
}
