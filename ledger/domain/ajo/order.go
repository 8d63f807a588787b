package ajo

import (
	"bytes"
	"encoding/hex"
	"slices"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/draw"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
)

// CloseList seals the list of an ajo, before the chance is known that orders it.
type CloseList struct {
	AjoID, By string
	Members   []string    // All who hold a place.
	Beacon    draw.Beacon // Without it phones draw by draw.V2 at the latest.
	Proposed  []int       // The order that the owner proposes, where they do.
	Salt      []byte      // draw.SaltBytes that were drawn for this ajo alone. Without it the list is one of draw.V1.
	Now       time.Time
}

// Streams implements event.Command.
func (c CloseList) Streams() []string {
	streams := []string{Stream(c.AjoID), account.Stream(c.By)}
	for _, user := range c.Members {
		streams = append(streams, account.Stream(user))
	}
	return streams
}

// Accounts implements event.Command.
func (c CloseList) Accounts() []string {
	var accounts []string
	for _, user := range c.Members {
		accounts = append(accounts, posting.Deposit(c.AjoID, user))
	}
	return accounts
}

// Decide implements event.Command.
func (c CloseList) Decide(v event.View) ([]event.Draft, error) {
	a, err := Read(v, c.AjoID, c.By)
	if err != nil {
		return nil, err
	}
	if c.By != a.Owner {
		return nil, errOwner()
	}
	if a.Status != Open {
		return nil, a.errNotOpen()
	}
	if err := standing.May(v, c.By, standing.Decide); err != nil {
		return nil, err
	}
	if err := c.complete(v, a); err != nil {
		return nil, err
	}
	if len(c.Salt) != 0 && len(c.Salt) != draw.SaltBytes {
		return nil, fault.Field("salt", "A list is sealed with %d random bytes, not %d.", draw.SaltBytes, len(c.Salt))
	}
	if len(c.Salt) == 0 && a.Terms.GetDraw() == nairav1.AjoDrawSource_AJO_DRAW_SOURCE_PHONES && a.commitsBut(0) {
		return nil, fault.Field("salt", "The phones of this list committed to a draw by pseudonyms, which needs a salt.")
	}
	if a.pseudonymous() {
		a.Closing.Salt = c.Salt
	}
	hash := TermsHash(a.Terms)
	digest, err := a.Closing.Version().RosterDigest(c.AjoID, hash, a.roster(c.AjoID))
	if err != nil {
		return nil, err
	}
	closed := &nairav1.AjoListClosedV2{AjoId: c.AjoID, RosterDigest: digest[:], Order: a.Terms.GetOrder(), TermsHash: hash[:], Salt: a.Closing.Salt}
	drawAt := c.Now.Add(time.Duration(a.Terms.GetDrawMinutes()) * time.Minute)
	switch a.Terms.GetOrder() {
	case nairav1.AjoOrder_AJO_ORDER_JOIN_ORDER:
		closed.DrawAt = timestamppb.New(c.Now)
		return drafts(c.AjoID, closed, a.start(c.AjoID, joinOrder(a), c.Now)), nil
	case nairav1.AjoOrder_AJO_ORDER_MANUAL:
		by := c.Now.Add(time.Duration(a.Terms.GetOrderHours()) * time.Hour)
		if err := a.proposed(c.Proposed); err != nil {
			return nil, err
		}
		c.seal(a, closed, by.Add(time.Duration(a.Terms.GetDrawMinutes())*time.Minute), by)
		return drafts(c.AjoID, closed,
			&nairav1.AjoOrderProposed{AjoId: c.AjoID, Order: Int32s(c.Proposed), AcceptBy: timestamppb.New(by)},
			&nairav1.AjoOrderAccepted{AjoId: c.AjoID, UserId: a.Owner}), nil
	default:
		c.seal(a, closed, drawAt, c.Now)
		return drafts(c.AjoID, closed), nil
	}
}

// afterReveals is how long after the last moment for phones to reveal their round comes, so that a clock that is a
// little late takes no secret of somebody who knows the round.
const afterReveals = 30 * time.Second

// seal names where the chance comes from: the round of the beacon that comes at a moment or next after it, or what
// phones reveal from a moment on, with the round that comes afterReveals.
func (c CloseList) seal(a Ajo, m *nairav1.AjoListClosedV2, drawAt, from time.Time) {
	m.Source = a.Terms.GetDraw()
	if m.Source == nairav1.AjoDrawSource_AJO_DRAW_SOURCE_PHONES {
		until := from.Add(time.Duration(a.Terms.GetRevealHours()) * time.Hour)
		if len(m.Salt) > 0 && c.Beacon.Period > 0 {
			m.Round, m.ChainHash = c.roundAt(until.Add(afterReveals)), hex.EncodeToString(c.Beacon.Chain[:])
			until = c.Beacon.At(m.Round).Add(-afterReveals)
		}
		m.DrawAt = timestamppb.New(until)
		return
	}
	m.Round, m.ChainHash = c.roundAt(drawAt), hex.EncodeToString(c.Beacon.Chain[:])
	m.DrawAt = timestamppb.New(c.Beacon.At(m.Round))
}

// roundAt is the round of the beacon that comes at a moment or next after it.
func (c CloseList) roundAt(at time.Time) uint64 {
	round := c.Beacon.Round(at)
	if c.Beacon.At(round).Before(at) {
		round++
	}
	return round
}

// complete says what a list still lacks.
func (c CloseList) complete(v event.View, a Ajo) error {
	for i, s := range a.Seats {
		switch s.Halves() {
		case 0:
			return fault.New(fault.Conflict, "Seat %d is free. Invite somebody, or give the ajo fewer seats.", i+1)
		case 1:
			return fault.New(fault.Conflict, "Seat %d has half a hand free.", i+1)
		}
	}
	if err := All(a.Members(), c.Members); err != nil {
		return err
	}
	for _, user := range a.Members() {
		seat := a.SeatsOf(user)[0]
		need, has := a.Deposit(user), v.Balance(posting.Deposit(c.AjoID, user))
		switch {
		case standing.May(v, user, standing.HoldSeat) != nil:
			return standing.May(v, user, standing.HoldSeat, seat)
		case event.StateOf[account.Account](v, account.Stream(user)).Bvn != account.Verified:
			return fault.New(fault.Conflict, "Seat %d needs a verified BVN.", seat)
		case !a.Accepted(user):
			return fault.New(fault.Conflict, "Seat %d has not accepted the new terms yet.", seat)
		case has < need:
			return fault.New(fault.Conflict, "Seat %d still has to deposit %s.", seat, need-has)
		case slices.Contains(a.Denied, user):
			return fault.New(fault.Conflict, "Seat %d says that the past was not as you told it. Correct it or leave it out.", seat)
		}
	}
	for _, p := range a.Past {
		for _, user := range a.Seats[p.Seat-1].Users() {
			if user != a.Owner && (!slices.Contains(a.Confirmed, user) || !a.Earlier && !slices.Contains(a.ConfirmedFor, SeatOf{user, p.Seat})) {
				return fault.New(fault.Conflict, "Seat %d has not confirmed yet that it collected in cycle %d.", p.Seat, p.Cycle)
			}
		}
	}
	return nil
}

// pseudonymous reports whether the list can be sealed by draw.V2. Nobody could check the secret of an earlier phone
// without its user's id, so such a list is drawn by draw.V1.
func (a Ajo) pseudonymous() bool {
	return a.Terms.GetDraw() != nairav1.AjoDrawSource_AJO_DRAW_SOURCE_PHONES || !a.EarlierPhones()
}

// EarlierPhones reports whether phones of this list committed to their users' ids, as all did in earlier builds.
// A phone that joins such a list commits to its user's id too, because one draw opens all commitments in one way.
func (a Ajo) EarlierPhones() bool { return a.commitsBut(CommitmentOfNonce) }

// commitsBut reports whether a phone of this list made a commitment of another version.
func (a Ajo) commitsBut(version int) bool {
	return slices.ContainsFunc(a.Seats, func(s Seat) bool {
		return slices.ContainsFunc(s.Places, func(p Place) bool { return len(p.Commitment) > 0 && p.Version != version })
	})
}

// NameOf is what the draw's public list calls a user: their id in draw.V1, their pseudonym in draw.V2. It is empty
// where an id is no UUID, which no sealed list has.
func (a Ajo) NameOf(ajoID, user string) string {
	if a.Closing.Version() == draw.V1 {
		return user
	}
	name, err := draw.Pseudonym(a.Closing.Salt, ajoID, user)
	if err != nil {
		return ""
	}
	return name
}

// roster is an ajo's list as a draw takes it.
func (a Ajo) roster(ajoID string) []draw.Seat {
	seats := make([]draw.Seat, len(a.Seats))
	for i, s := range a.Seats {
		seats[i].No = i + 1
		for _, p := range s.Places {
			h := draw.Holder{ID: a.NameOf(ajoID, p.User), Halves: p.Halves}
			copy(h.Nonce[:], p.Nonce)
			seats[i].Holders = append(seats[i].Holders, h)
		}
	}
	return seats
}

// joinOrder is the seats by number, which is as they joined, with the owner's last.
func joinOrder(a Ajo) []int {
	var order, last []int
	for i := range a.Seats {
		if slices.Contains(a.Seats[i].Users(), a.Owner) {
			last = append(last, i+1)
		} else {
			order = append(order, i+1)
		}
	}
	return append(order, last...)
}

// proposed holds a proposed order to one turn for each seat that has not collected.
func (a Ajo) proposed(order []int) error {
	sorted := slices.Sorted(slices.Values(order))
	var due []int
	for i := range a.Seats {
		if !slices.ContainsFunc(a.Past, func(p Past) bool { return p.Seat == i+1 }) {
			due = append(due, i+1)
		}
	}
	if !slices.Equal(sorted, due) {
		return fault.Field("order", "Give each seat that has not collected one turn.")
	}
	return nil
}

// start freezes an order: the cycles that are past, and then the seats of an order that have not collected yet.
func (a Ajo) start(ajoID string, order []int, now time.Time) *nairav1.AjoStarted {
	var turns []int
	for _, p := range a.Past {
		turns = append(turns, p.Seat)
	}
	for _, seat := range order {
		if !slices.Contains(turns, seat) {
			turns = append(turns, seat)
		}
	}
	return &nairav1.AjoStarted{
		AjoId: ajoID, Order: Int32s(turns), FirstCycle: int32(len(a.Past) + 1), ValidatorId: a.mostToLose(turns),
		FirstDue: FirstDue(a.Terms, savings.Day(now)).Format(time.DateOnly),
	}
}

// mostToLose is who collects last, is not the owner and was not expelled: the ajo's validator.
func (a Ajo) mostToLose(order []int) string {
	for _, seat := range slices.Backward(order) {
		for _, p := range a.Seats[seat-1].Places {
			if p.User != a.Owner && a.HasVoice(p.User) {
				return p.User
			}
		}
	}
	return ""
}

// AcceptOrder is a member's word on the order that the owner proposed. The last one's starts the ajo.
func AcceptOrder(ajoID, user string, now time.Time) event.Command {
	return standing.Decides(user, standing.Decide, step{ajoID, user, func(a Ajo) ([]proto.Message, error) {
		switch {
		case a.Status != Ordering || len(a.Proposed) == 0:
			return nil, fault.New(fault.Conflict, "No order is proposed here.")
		case !now.Before(a.AcceptOrderBy):
			return nil, fault.New(fault.Conflict, "The time to accept this order is over, so it is drawn.")
		case slices.Contains(a.AcceptedBy, user):
			return nil, fault.New(fault.Conflict, "You have accepted this order already.")
		case len(a.SeatsOf(user)) == 0:
			return nil, fault.New(fault.Forbidden, "Only who holds a seat decides on the order.")
		}
		accepted := []proto.Message{&nairav1.AjoOrderAccepted{AjoId: ajoID, UserId: user}}
		a.AcceptedBy = append(slices.Clone(a.AcceptedBy), user)
		if !a.allAccept() {
			return accepted, nil
		}
		return append(accepted, a.start(ajoID, a.Proposed, now)), nil
	}})
}

// allAccept reports whether all whose word it needs have accepted the order that the owner proposed.
func (a Ajo) allAccept() bool {
	return !slices.ContainsFunc(a.Members(), func(user string) bool { return a.HasVoice(user) && !slices.Contains(a.AcceptedBy, user) })
}

// drawable refuses a draw where nothing is to be drawn, or not yet.
func (a Ajo) drawable(source nairav1.AjoDrawSource, now time.Time) error {
	switch {
	case a.Status != Ordering || a.Closing.Source != source:
		return fault.New(fault.Conflict, "Nothing is to be drawn here.")
	case len(a.Proposed) > 0 && now.Before(a.AcceptOrderBy):
		return fault.New(fault.Conflict, "The order that is proposed can be accepted until %s. It is drawn only if not everybody does.", lagosClock(a.AcceptOrderBy))
	}
	return nil
}

// SubmitBeacon hands in the signature of the sealed round, and draws, where phones draw too with what they revealed.
// Anybody may.
func SubmitBeacon(ajoID string, beacon draw.Beacon, signature []byte, now time.Time) event.Command {
	return step{ajoID, "", func(a Ajo) ([]proto.Message, error) {
		phones := a.Closing.Version() == draw.V3
		source := nairav1.AjoDrawSource_AJO_DRAW_SOURCE_BEACON
		if phones {
			source = nairav1.AjoDrawSource_AJO_DRAW_SOURCE_PHONES
		}
		if err := a.drawable(source, now); err != nil {
			return nil, err
		}
		if phones && now.Before(a.Closing.DrawAt) {
			return nil, fault.New(fault.Conflict, "Phones can reveal their secrets until %s. It is drawn then.", lagosClock(a.Closing.DrawAt))
		}
		if hex.EncodeToString(beacon.Chain[:]) != a.Closing.Chain {
			return nil, fault.New(fault.Conflict, "That is not the chain of beacons that was sealed.")
		}
		if err := beacon.Verify(a.Closing.Round, signature); err != nil {
			return nil, err
		}
		if phones {
			return a.drawnByPhones(ajoID, signature, now)
		}
		var digest [32]byte
		copy(digest[:], a.Closing.Digest)
		seed := a.Closing.Version().Seed(digest, signature)
		return a.drawn(ajoID, seed, draw.Order(seed, len(a.Seats)), signature, now)
	}}
}

// RevealPhone opens what a member's phone had committed to.
func RevealPhone(ajoID, user string, secret []byte, now time.Time) event.Command {
	return step{ajoID, user, func(a Ajo) ([]proto.Message, error) {
		if err := a.drawable(nairav1.AjoDrawSource_AJO_DRAW_SOURCE_PHONES, now); err != nil {
			return nil, err
		}
		if !now.Before(a.Closing.DrawAt) {
			return nil, fault.New(fault.Conflict, "The time to reveal is over.")
		}
		if slices.ContainsFunc(a.Revealed, func(r Reveal) bool { return r.User == user }) {
			return nil, fault.New(fault.Conflict, "Your phone has revealed its secret already.")
		}
		if !a.opens(ajoID, user, secret) {
			return nil, fault.Field("secret", "That is not the secret that this phone committed to. Reveal it from the phone that joined.")
		}
		return []proto.Message{&nairav1.AjoPhoneRevealed{AjoId: ajoID, UserId: user, Secret: secret}}, nil
	}}
}

// opens reports whether a secret is the one that a member's phone committed to.
func (a Ajo) opens(ajoID, user string, secret []byte) bool {
	p, holds := a.committing(user)
	if !holds || len(secret) != commitmentBytes {
		return false
	}
	made, err := draw.Commitment(ajoID, user, [32]byte(secret))
	if a.Closing.Version() != draw.V1 {
		var nonce [16]byte
		copy(nonce[:], p.Nonce)
		made, err = draw.CommitmentOfNonce(ajoID, nonce, [32]byte(secret))
	}
	return err == nil && bytes.Equal(made[:], p.Commitment)
}

// committing is the place whose commitment counts: that of a member's first seat.
func (a Ajo) committing(user string) (Place, bool) {
	for _, s := range a.Seats {
		for _, p := range s.Places {
			if p.User == user {
				return p, true
			}
		}
	}
	return Place{}, false
}

// DrawPhones draws from what phones revealed, once all have or the time is over, where the list names no round: such
// lists were sealed by earlier builds. The seats of those who withheld collect last.
func DrawPhones(ajoID string, now time.Time) event.Command {
	return step{ajoID, "", func(a Ajo) ([]proto.Message, error) {
		if err := a.drawable(nairav1.AjoDrawSource_AJO_DRAW_SOURCE_PHONES, now); err != nil {
			return nil, err
		}
		if len(a.Revealed) < len(a.Members()) && now.Before(a.Closing.DrawAt) {
			return nil, fault.New(fault.Conflict, "Not every phone has revealed its secret yet.")
		}
		if a.Closing.Round > 0 {
			return nil, fault.New(fault.Conflict, "The round of the beacon that this list names has not come yet.")
		}
		return a.drawnByPhones(ajoID, nil, now)
	}}
}

// drawnByPhones is the order that follows from what phones revealed, and from the signature of the round since draw.V3.
func (a Ajo) drawnByPhones(ajoID string, signature []byte, now time.Time) ([]proto.Message, error) {
	var digest [32]byte
	copy(digest[:], a.Closing.Digest)
	reveals := a.reveals(ajoID)
	seed, err := a.Closing.Version().SeedOfPhones(ajoID, digest, signature, reveals...)
	if err != nil {
		return nil, err
	}
	order, err := draw.OrderOfPhones(seed, a.roster(ajoID), reveals...)
	if err != nil {
		return nil, err
	}
	return a.drawn(ajoID, seed, order, signature, now)
}

// reveals are what phones committed to and revealed, as a draw takes it.
func (a Ajo) reveals(ajoID string) []draw.Reveal {
	var reveals []draw.Reveal
	for _, user := range a.Members() {
		p, _ := a.committing(user)
		r := draw.Reveal{ID: a.NameOf(ajoID, user)}
		if a.Closing.Version() != draw.V1 {
			copy(r.Nonce[:], p.Nonce)
		}
		copy(r.Commitment[:], p.Commitment)
		for _, revealed := range a.Revealed {
			if revealed.User == user {
				secret := [32]byte{}
				copy(secret[:], revealed.Secret)
				r.Secret = &secret
			}
		}
		reveals = append(reveals, r)
	}
	return reveals
}

func (a Ajo) drawn(ajoID string, seed [32]byte, order []int, signature []byte, now time.Time) ([]proto.Message, error) {
	return []proto.Message{&nairav1.AjoOrderDrawn{
		AjoId: ajoID, Source: a.Closing.Source, Round: a.Closing.Round, Signature: signature, Seed: seed[:], Order: Int32s(order),
	}, a.start(ajoID, order, now)}, nil
}
