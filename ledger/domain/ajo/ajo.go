// Package ajo decides rotating savings: who takes part on which terms, in which order they collect, and how that
// changes. What is paid into and out of its pots is decided in ledger/domain/ajopot.
//
//	OPEN ──▶ ORDERING ──▶ ACTIVE ⇄ PAUSED ──▶ COMPLETED      the list is sealed, ordered, and every pot paid
//	  └──────────┴──▶ CANCELLED   └─────┴──▶ TERMINATED       by its owner and two thirds
//
// A seat is two halves, held by one person or by two: each holder has a place. There are as many seats as cycles,
// and each seat collects in exactly one. A place owes half the amount for each of its halves to every cycle. Figures
// stand in the terms, which every member has accepted by their hash.
package ajo

import (
	"slices"
	"time"

	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/draw"
	"adashi.ng/ledger/event"
)

// Status is where an ajo stands.
type Status string

// The statuses.
const (
	None       Status = ""
	Open       Status = "OPEN"
	Ordering   Status = "ORDERING"
	Active     Status = "ACTIVE"
	Paused     Status = "PAUSED"
	Completed  Status = "COMPLETED"
	Cancelled  Status = "CANCELLED"
	Terminated Status = "TERMINATED"
)

// Place is one person's part of a seat.
type Place struct {
	User       string `json:",omitempty"`
	Halves     int    `json:",omitempty"` // 1 or 2.
	Nonce      []byte `json:",omitempty"` // 16 bytes from their phone.
	Commitment []byte `json:",omitempty"` // For a draw by phones: 32 bytes.
	Version    int    `json:",omitempty"` // Of the commitment: CommitmentOfNonce, or 0 from earlier builds.
	Terms      []byte `json:",omitempty"` // The hash of the terms that they accepted last.
	TakenOver  bool   `json:",omitempty"` // The holder was not in the sealed list with this place.

	Since time.Time `json:",omitzero"` // When they took the place, or the first half of it.
}

// Seat is one hand: the places of its one or two holders. Free while it has none.
type Seat struct{ Places []Place }

// Halves are how many of a seat's halves are taken.
func (s Seat) Halves() int {
	taken := 0
	for _, p := range s.Places {
		taken += p.Halves
	}
	return taken
}

// Holds reports whether a user holds a seat, or half of it.
func (s Seat) Holds(user string) bool {
	return slices.ContainsFunc(s.Places, func(p Place) bool { return p.User == user })
}

// Users are who holds a seat.
func (s Seat) Users() []string {
	users := make([]string, len(s.Places))
	for i, p := range s.Places {
		users[i] = p.User
	}
	return users
}

// Ready is a cycle whose pot may be paid out.
type Ready struct {
	Cycle, Seat       int        `json:",omitempty"`
	Collected, Netted money.Kobo `json:",omitempty"`
	Missing, Discount money.Kobo `json:",omitempty"`
	At                time.Time  `json:",omitzero"`
}

// Frozen is a seat that pays no more.
type Frozen struct{ Seat, Paid int } // Paid is the last cycle that it paid into.

// Opening is a place whose holder leaves.
type Opening struct {
	Seat     int
	User     string
	Expelled bool
	Until    time.Time
}

// Closing is the sealed list.
type Closing struct {
	Digest    []byte                `json:",omitempty"`
	Source    nairav1.AjoDrawSource `json:",omitempty"`
	Order     nairav1.AjoOrder      `json:",omitempty"`
	Round     uint64                `json:",omitempty"`
	Chain     string                `json:",omitempty"`
	DrawAt    time.Time             `json:",omitzero"`
	TermsHash []byte                `json:",omitempty"`
	Salt      []byte                `json:",omitempty"` // Of the pseudonyms; empty in version 1 of the draw. Never public.
	At        time.Time             `json:",omitzero"`
}

// Version is the rules by which the list was sealed and is drawn.
func (c Closing) Version() draw.Version {
	switch {
	case len(c.Salt) == 0:
		return draw.V1
	case c.Source == nairav1.AjoDrawSource_AJO_DRAW_SOURCE_PHONES && c.Round > 0:
		return draw.V3
	}
	return draw.V2
}

// Ajo is the state of an ajo's stream. What is not there is not written down: most of it is not, most of the time.
type Ajo struct {
	Status            Status            `json:",omitempty"`
	Name, Description string            `json:",omitempty"`
	CreatedAt         time.Time         `json:",omitzero"`
	Owner, Validator  string            `json:",omitempty"`
	Listed            bool              `json:",omitempty"`
	Terms             *nairav1.AjoTerms `json:",omitempty"`
	AcceptBy          time.Time         `json:",omitzero"`  // Until when changed terms are accepted; zero unless they were changed.
	Seats             []Seat            `json:",omitempty"` // Seat n is Seats[n-1].

	Past              []Past        `json:",omitempty"`
	Confirmed, Denied []string      `json:",omitempty"` // Who answered what was told of the past.
	ConfirmedFor      []SeatOf      `json:",omitempty"` // For which seats they did.
	Closing           Closing       `json:",omitzero"`
	Revealed          []Reveal      `json:",omitempty"`
	Proposed          []int         `json:",omitempty"` // The order that the owner proposes.
	AcceptOrderBy     time.Time     `json:",omitzero"`
	AcceptedBy        []string      `json:",omitempty"` // Of the proposed order.
	Base              []int         `json:",omitempty"` // The order as it was set first, which settles ties.
	Order             []int         `json:",omitempty"` // Order[c-1] is the seat that collects in cycle c.
	FirstDue          string        `json:",omitempty"`
	FirstCycle        int           `json:",omitempty"`
	StartedAt         time.Time     `json:",omitzero"`
	Pauses            []int         `json:",omitempty"` // The cycles from which all came one period later.
	Late              []int         `json:",omitempty"` // The order before a swap of the current turn that came after its days of grace.
	Cycles            []Ready       `json:",omitempty"`
	Frozen            []Frozen      `json:",omitempty"`
	Openings          []Opening     `json:",omitempty"`
	Sealed            []draw.Seat   `json:",omitempty"` // The list as it was sealed.
	Drawn             []int         `json:",omitempty"` // The order as it was drawn; empty where nothing was.
	DrawnFrom         []draw.Reveal `json:",omitempty"`
	Signature         []byte        `json:",omitempty"` // Of the beacon's round.
	Swaps             []Swap        `json:",omitempty"`
	Motions           []Motion      `json:",omitempty"`
	Settled           bool          `json:",omitempty"` // A terminated one has paid every pot.
	Expelled          []string      `json:",omitempty"` // Members who still hold a place, and decide nothing any more.
	Closed            []string      `json:",omitempty"` // Those of whom that is so because they have closed their account.

	// Earlier is set only where history is decided again as builds decided it that had fewer rules.
	Earlier bool `json:"-"`
}

// Past is a cycle that was over before the ajo came here.
type Past struct {
	Cycle, Seat int
	Paid        []int
}

// SeatOf is a seat that somebody holds, or holds half of.
type SeatOf struct {
	User string
	Seat int
}

// ConfirmedPast reports whether a user has confirmed of each seat of theirs that it collected in the cycle that was
// told.
func (a Ajo) ConfirmedPast(user string) bool {
	for _, p := range a.Past {
		if a.Seats[p.Seat-1].Holds(user) && !slices.Contains(a.ConfirmedFor, SeatOf{user, p.Seat}) {
			return false
		}
	}
	return slices.Contains(a.Confirmed, user)
}

// Reveal is what a phone had committed to.
type Reveal struct {
	User   string
	Secret []byte
}

// Swap is a proposal that two seats change turns.
type Swap struct {
	ID         string
	By         string
	Seat, With int
	Agreed     []string
}

// Motion is something that is voted about.
type Motion struct {
	ID       string
	Kind     nairav1.AjoMotionKind
	User, By string
	Until    time.Time
	For      []string
	Against  []string
}

// Weight is how much room it takes in memory, in quarters of a kilobyte.
func (a Ajo) Weight() int { return 3 + len(a.Seats) + len(a.Sealed)/2 }

// Stream is the stream of an ajo.
func Stream(ajoID string) string { return "ajo:" + ajoID }

// HasStarted reports whether its order is set and it has not ended.
func (a Ajo) HasStarted() bool {
	return a.Status == Active || a.Status == Paused || a.Status == Terminated && !a.Settled
}

// Last is the last cycle whose pot may be paid out; the past ones count.
func (a Ajo) Last() int { return len(a.Past) + len(a.Cycles) }

// Current is the cycle that is paid now. It is over when there are no more: see Over.
func (a Ajo) Current() int { return a.Last() + 1 }

// Over reports whether every cycle's pot may be paid out, or was.
func (a Ajo) Over() bool { return a.Last() >= len(a.Order) }

// Done reports whether nothing is paid any more: every pot is ready or, in an ajo that was ended early, nothing is
// due to those that are not.
func (a Ajo) Done() bool {
	if a.Over() || a.Status != Terminated || a.Earlier {
		return a.Over()
	}
	for k := a.Current(); k <= len(a.Order); k++ {
		for i, s := range a.Seats {
			for _, p := range s.Places {
				if a.DueOf(i+1, p, k) > 0 {
					return false
				}
			}
		}
	}
	return true
}

// Turn is the cycle in which a seat collects.
func (a *Ajo) Turn(seat int) int { return slices.Index(a.Order, seat) + 1 }

// HasCollected reports whether a seat's turn has come.
func (a Ajo) HasCollected(seat int) bool {
	turn := a.Turn(seat)
	return turn > 0 && turn <= a.Last()
}

// CollectedBefore is the cycle in which a seat is said to have collected before the ajo came here, if it is.
func (a Ajo) CollectedBefore(seat int) (cycle int, is bool) {
	for _, p := range a.Past {
		if p.Seat == seat {
			return p.Cycle, true
		}
	}
	return 0, false
}

// ReadyOf is a cycle whose pot may be paid out.
func (a Ajo) ReadyOf(cycle int) (Ready, bool) {
	for _, r := range a.Cycles {
		if r.Cycle == cycle {
			return r, true
		}
	}
	return Ready{}, false
}

// FrozenAt is the last cycle that a frozen seat paid into.
func (a *Ajo) FrozenAt(seat int) (cycle int, frozen bool) {
	for _, f := range a.Frozen {
		if f.Seat == seat {
			return f.Paid, true
		}
	}
	return 0, false
}

// Helped reports whether a seat paid, or was due to pay, to the turn of another, as far as it paid at all.
func (a *Ajo) helped(seat, turn, paid int) bool {
	if turn == 0 || turn > paid {
		return false
	}
	for _, p := range a.Past {
		if p.Cycle == turn {
			return slices.Contains(p.Paid, seat)
		}
	}
	return true
}

// Owes is what each half of a seat owes to the turn of another. A frozen seat owes nothing to cycles after it froze;
// to its own turn only those owe whom its money helped. The own due counts as owed, and is netted when it is not
// paid.
func (a *Ajo) Owes(seat, beneficiary, cycle int) bool {
	if cycle <= len(a.Past) {
		return false
	}
	if paid, frozen := a.FrozenAt(seat); frozen && cycle > paid {
		return false
	}
	if paid, frozen := a.FrozenAt(beneficiary); frozen {
		return seat != beneficiary && a.helped(beneficiary, a.Turn(seat), paid)
	}
	return true
}

// DueOf is what a place owes to a cycle, paid or not.
func (a *Ajo) DueOf(seat int, p Place, cycle int) money.Kobo {
	if cycle < 1 || cycle > len(a.Order) || !a.Owes(seat, a.Order[cycle-1], cycle) {
		return 0
	}
	return Share(a.Terms, p.Halves)
}

// Place is a user's place of a seat.
func (a Ajo) Place(seat int, user string) (Place, bool) {
	if seat < 1 || seat > len(a.Seats) {
		return Place{}, false
	}
	for _, p := range a.Seats[seat-1].Places {
		if p.User == user {
			return p, true
		}
	}
	return Place{}, false
}

// SeatsOf are the seats that a user holds, or holds half of.
func (a Ajo) SeatsOf(user string) []int {
	var seats []int
	for i, s := range a.Seats {
		if s.Holds(user) {
			seats = append(seats, i+1)
		}
	}
	return seats
}

// HalvesOf is how many half hands a user holds.
func (a Ajo) HalvesOf(user string) int {
	halves := 0
	for _, s := range a.Seats {
		for _, p := range s.Places {
			if p.User == user {
				halves += p.Halves
			}
		}
	}
	return halves
}

// PayingHalves is how many half hands a user holds of seats that are not frozen.
func (a Ajo) PayingHalves(user string) int {
	halves := 0
	for _, seat := range a.SeatsOf(user) {
		if _, frozen := a.FrozenAt(seat); !frozen {
			p, _ := a.Place(seat, user)
			halves += p.Halves
		}
	}
	return halves
}

// Members are who holds a place, each once, by seat.
func (a Ajo) Members() []string {
	var users []string
	for _, s := range a.Seats {
		for _, p := range s.Places {
			if !slices.Contains(users, p.User) {
				users = append(users, p.User)
			}
		}
	}
	return users
}

// HasVoice reports whether a user holds a place and may decide with it. An expelled member decides nothing, nor does
// who has closed their account.
func (a *Ajo) HasVoice(user string) bool { return a.Counts(user) && !slices.Contains(a.Closed, user) }

// Counts reports whether what a user has decided counts: also what somebody did before they closed their account.
func (a *Ajo) Counts(user string) bool {
	return a.HalvesOf(user) > 0 && (a.Earlier || !slices.Contains(a.Expelled, user))
}

// IsLeft reports whether a holder of a seat has closed their account. It collects after all others.
func (a *Ajo) IsLeft(seat int) bool {
	return slices.ContainsFunc(a.Closed, a.Seats[seat-1].Holds)
}

// IsMember reports whether a user holds a place, or made the ajo.
func (a Ajo) IsMember(user string) bool {
	return a.Status != None && (user == a.Owner || slices.ContainsFunc(a.Seats, func(s Seat) bool { return s.Holds(user) }))
}

// Deposit is what a user has to deposit, for the hands that pay. Earlier builds counted those that are frozen too.
func (a Ajo) Deposit(user string) money.Kobo {
	halves := a.PayingHalves(user)
	if a.Earlier {
		halves = a.HalvesOf(user)
	}
	return Share(a.Terms, halves) * money.Kobo(a.Terms.GetDeposits())
}

// ErrNone says that there is no such ajo, also to those who may not know of it.
func ErrNone() error { return fault.New(fault.NotFound, "There is no such ajo.") }

// Read is the ajo of a command by one of its members. An empty user is the system.
func Read(v event.View, ajoID, user string) (Ajo, error) {
	a := event.StateOf[Ajo](v, Stream(ajoID))
	if a.Status == None || user != "" && !a.IsMember(user) {
		return a, ErrNone()
	}
	return a, nil
}

// step is a command about one ajo that reads nothing else and moves no money.
type step struct {
	ajo, by string
	decide  func(Ajo) ([]proto.Message, error)
}

// Streams implements event.Command.
func (c step) Streams() []string { return []string{Stream(c.ajo)} }

// Accounts implements event.Command.
func (step) Accounts() []string { return nil }

// Decide implements event.Command.
func (c step) Decide(v event.View) ([]event.Draft, error) {
	a, err := Read(v, c.ajo, c.by)
	if err != nil {
		return nil, err
	}
	messages, err := c.decide(a)
	if err != nil {
		return nil, err
	}
	return drafts(c.ajo, messages...), nil
}

func drafts(ajoID string, messages ...proto.Message) []event.Draft {
	out := make([]event.Draft, len(messages))
	for i, m := range messages {
		out[i] = event.On(Stream(ajoID), m)
	}
	return out
}
