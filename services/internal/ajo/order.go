package ajo

import (
	"context"
	"encoding/hex"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	rules "adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/services/internal/usecase"
)

func (s *Service) today() time.Time { return savings.Day(s.Now()) }

// SubmitBeacon takes the signature of the sealed round. It verifies it before it asks the ledger, so that wrong ones
// cannot keep the ledger busy.
func (s *Service) SubmitBeacon(ctx context.Context, who usecase.Who, id, signature string) (Ajo, int64, error) {
	raw, err := hex.DecodeString(signature)
	if err != nil || len(raw) > 96 {
		return Ajo{}, 0, fault.Field("signature", "Enter the beacon's signature in hex.")
	}
	return s.one(ctx, who, "submit ajo beacon", id, func(r room) (event.Command, error) {
		if r.a.Status == rules.Ordering && r.a.Closing.Round > 0 {
			if err := s.Beacon.Beacon().Verify(r.a.Closing.Round, raw); err != nil {
				return nil, err
			}
		}
		return rules.SubmitBeacon(r.id, s.Beacon.Beacon(), raw, s.Now()), nil
	}, signature)
}

// Reveal opens the commitment of the caller's phone. The last one draws the order, unless the list names a round to
// wait for.
func (s *Service) Reveal(ctx context.Context, who usecase.Who, id, secret string) (Ajo, int64, error) {
	raw, err := unhex("secret", secret, 32)
	if err != nil {
		return Ajo{}, 0, err
	}
	round := uint64(0)
	view, pos, err := s.one(ctx, who, "reveal ajo secret", id, func(r room) (event.Command, error) {
		round = r.a.Closing.Round
		return rules.RevealPhone(r.id, who.User, raw, s.Now()), nil
	}, secret)
	if err != nil || round > 0 {
		return view, pos, err
	}
	if result, drawn := s.Record(ctx, usecase.System, systemID("draw ajo by phones", view.Id), view.Id, store.Fingerprint(view.Id), rules.DrawPhones(view.Id, s.Now())); drawn == nil {
		pos = result.Position()
		view, err = s.View(ctx, who.User, view.Id)
	}
	return view, pos, err
}

// AcceptOrder accepts the order that the owner proposed.
func (s *Service) AcceptOrder(ctx context.Context, who usecase.Who, id string) (Ajo, int64, error) {
	return s.one(ctx, who, "accept ajo order", id, func(r room) (event.Command, error) { return rules.AcceptOrder(r.id, who.User, s.Now()), nil })
}

// ProposeSwap proposes that two seats change turns.
func (s *Service) ProposeSwap(ctx context.Context, who usecase.Who, id string, form AjoSwapRequest) (Ajo, int64, error) {
	command, _ := who.ID("propose ajo swap " + id)
	swap := event.DeriveID(command, "swap").String()
	if who.Key == "" {
		swap = store.NewCommandID().String()
	}
	return s.one(ctx, who, "propose ajo swap", id, func(r room) (event.Command, error) {
		return rules.ProposeSwap(r.id, swap, who.User, form.Seat, form.WithSeat), nil
	}, form.Seat, form.WithSeat)
}

// AgreeSwap agrees to a swap.
func (s *Service) AgreeSwap(ctx context.Context, who usecase.Who, id, swap string) (Ajo, int64, error) {
	return s.one(ctx, who, "agree ajo swap "+swap, id, func(r room) (event.Command, error) { return rules.AgreeSwap(r.id, swap, who.User), nil })
}

// DeclineSwap ends a proposed swap.
func (s *Service) DeclineSwap(ctx context.Context, who usecase.Who, id, swap string) (Ajo, int64, error) {
	return s.one(ctx, who, "decline ajo swap "+swap, id, func(r room) (event.Command, error) { return rules.DeclineSwap(r.id, swap, who.User), nil })
}

// Vote casts a secret vote for the seat that needs the pot next.
func (s *Service) Vote(ctx context.Context, who usecase.Who, id string, form AjoVote) (Ajo, int64, error) {
	return s.one(ctx, who, "vote ajo need", id, func(r room) (event.Command, error) {
		return ajopot.VoteNeed(r.id, form.Cycle, who.User, form.ForSeat, s.Now()), nil
	}, form.Cycle, form.ForSeat)
}

// Bid submits a sealed bid.
func (s *Service) Bid(ctx context.Context, who usecase.Who, id string, form AjoBid) (Ajo, int64, error) {
	raw, err := unhex("commitment", form.Commitment, 32)
	if err != nil {
		return Ajo{}, 0, err
	}
	return s.one(ctx, who, "bid ajo", id, func(r room) (event.Command, error) {
		return ajopot.CommitBid(r.id, form.Cycle, form.Seat, who.User, raw, s.Now()), nil
	}, form.Cycle, form.Seat, form.Commitment)
}

// OpenBid opens a bid.
func (s *Service) OpenBid(ctx context.Context, who usecase.Who, id string, form AjoBidOpened) (Ajo, int64, error) {
	salt, err := hex.DecodeString(form.Salt)
	if err != nil || len(salt) > 64 {
		return Ajo{}, 0, fault.Field("salt", "Use the phone with which you bid.")
	}
	discount, err := money.FromNaira(form.Discount.Decimal)
	if err != nil {
		return Ajo{}, 0, fault.Field("discount", "Enter your bid in naira.")
	}
	return s.one(ctx, who, "open ajo bid", id, func(r room) (event.Command, error) {
		return ajopot.RevealBid(r.id, form.Cycle, form.Seat, who.User, discount, salt, s.Now()), nil
	}, form.Cycle, form.Seat, discount)
}

// Move starts a vote.
func (s *Service) Move(ctx context.Context, who usecase.Who, id string, form AjoMotionRequest) (Ajo, int64, error) {
	motion := store.NewCommandID().String()
	if who.Key != "" {
		command, _ := who.ID("move in ajo " + id)
		motion = event.DeriveID(command, "motion").String()
	}
	about := ""
	if form.UserId != nil {
		about = *form.UserId
	}
	kind := nairav1.AjoMotionKind(nairav1.AjoMotionKind_value["AJO_MOTION_KIND_"+string(form.Kind)])
	if err := rules.NamesOnlyToExpel(kind, about); err != nil {
		return Ajo{}, 0, err
	}
	_, pos, err := s.one(ctx, who, "move in ajo", id, func(r room) (event.Command, error) {
		return rules.Move{AjoID: r.id, MotionID: motion, By: who.User, Kind: kind, User: about, Reason: form.Reason, Now: s.Now()}, nil
	}, string(form.Kind), about, form.Reason)
	if err != nil {
		return Ajo{}, 0, err
	}
	return s.carried(ctx, who, id, motion, pos)
}

// VoteMotion votes. When a vote to end the ajo is carried, the ajo ends at once.
func (s *Service) VoteMotion(ctx context.Context, who usecase.Who, id, motion string, agrees bool) (Ajo, int64, error) {
	_, pos, err := s.one(ctx, who, "vote ajo motion "+motion, id, func(r room) (event.Command, error) {
		return rules.VoteMotion(r.id, motion, who.User, agrees, s.Now()), nil
	}, agrees)
	if err != nil {
		return Ajo{}, 0, err
	}
	return s.carried(ctx, who, id, motion, pos)
}

// carried ends an ajo when that vote was carried.
func (s *Service) carried(ctx context.Context, who usecase.Who, id, motion string, pos int64) (Ajo, int64, error) {
	r, err := s.room(ctx, who.User, id)
	if err != nil {
		return Ajo{}, 0, err
	}
	for _, m := range r.a.Motions {
		if m.ID != motion || m.Kind != nairav1.AjoMotionKind_AJO_MOTION_KIND_TERMINATE || !r.a.Carried(m) {
			continue
		}
		ended, err := s.terminate(ctx, r, motion)
		if err != nil {
			return Ajo{}, 0, err
		}
		pos = ended
	}
	view, err := s.View(ctx, who.User, r.id)
	return view, pos, err
}

func (s *Service) terminate(ctx context.Context, r room, motion string) (int64, error) {
	result, err := s.Record(ctx, usecase.System, systemID("terminate ajo", r.id+motion), r.id, store.Fingerprint(r.id, motion),
		ajopot.Terminate(r.id, motion, []int{r.a.Current()}, r.people()))
	return result.Position(), err
}

// OpenPlace gives up a place, so that somebody else may take it over.
func (s *Service) OpenPlace(ctx context.Context, who usecase.Who, id string, seat int) (Ajo, int64, error) {
	return s.one(ctx, who, "open ajo place", id, func(r room) (event.Command, error) { return rules.OpenPlace(r.id, who.User, seat, s.Now()), nil }, seat)
}

// KeepPlace takes that back: the holder keeps the place.
func (s *Service) KeepPlace(ctx context.Context, who usecase.Who, id string, seat int) (Ajo, int64, error) {
	return s.one(ctx, who, "keep ajo place", id, func(r room) (event.Command, error) { return rules.KeepPlace(r.id, who.User, seat), nil }, seat)
}
