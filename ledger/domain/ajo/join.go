package ajo

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/ajoaccess"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/domain/wording"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
)

// The limits of what one person may promise, and what their phone gives to the draw.
const (
	MaxRunning      = 3
	nonceBytes      = 16
	commitmentBytes = 32
	// CommitmentOfNonce is the version of a commitment of the joiner's nonce and a secret, as draw.V2 opens it.
	CommitmentOfNonce = 2
)

func lagosClock(at time.Time) string { return lagos.Clock(at) }

// Commitment is what a member has promised to one ajo.
type Commitment struct {
	Ajo     string
	Monthly money.Kobo
	Listed  bool
}

// Commitments is what a member has promised in all, by ajo.
type Commitments struct {
	Running []Commitment
	Ever    []string // Every ajo that they ever promised something to.
}

// CommitmentsOf folds what a member has promised.
var CommitmentsOf = event.Of("ajocommit", 2, func(c Commitments, e event.Happened) Commitments {
	m, ok := e.Message.(*nairav1.CommitmentCounted)
	if !ok {
		return c
	}
	if !slices.Contains(c.Ever, m.GetAjoId()) {
		c.Ever = append(slices.Clip(c.Ever), m.GetAjoId())
	}
	c.Running = slices.DeleteFunc(slices.Clone(c.Running), func(x Commitment) bool { return x.Ajo == m.GetAjoId() })
	if m.GetMonthlyKobo() != 0 {
		c.Running = append(c.Running, Commitment{m.GetAjoId(), money.Kobo(m.GetMonthlyKobo()), m.GetListed()})
	}
	if len(c.Running) == 0 {
		c.Running = nil
	}
	return c
})

// CommitStream is the stream of what a member has promised. It is one, so that two joins at once cannot pass its
// limits together.
func CommitStream(user string) string { return "ajocommit:" + user }

// BookStream is the stream of what a member deposited in an ajo, and of what they let Adashi take for it.
func BookStream(ajoID, user string) string { return "ajopaid:" + ajoID + ":" + user }

// Total is what is promised in a month.
func (c Commitments) Total() money.Kobo {
	var sum money.Kobo
	for _, x := range c.Running {
		sum += x.Monthly
	}
	return sum
}

// Of is what is promised to one ajo.
func (c Commitments) Of(ajoID string) money.Kobo {
	for _, x := range c.Running {
		if x.Ajo == ajoID {
			return x.Monthly
		}
	}
	return 0
}

// Joiner is somebody who takes hands, or takes over a place.
type Joiner struct {
	User       string
	Halves     int
	Seat       int // The seat of which they want the free half; 0 for any free seat.
	Invited    bool
	UnderAge   bool   // They are not 18 yet.
	Nonce      []byte // 16 bytes of their phone's.
	Commitment []byte // 32 bytes where phones draw; empty otherwise.
	Version    int    // Of the commitment: CommitmentOfNonce, or 0 from earlier builds.
	TermsHash  []byte // Of the terms that they read.
}

// Streams are those that May reads and writes.
func (j Joiner) Streams() []string {
	return []string{account.Stream(j.User), ajoaccess.Stream(j.User), CommitStream(j.User)}
}

// May says why somebody may not hold so many halves in all of an ajo, if they may not, and counts the promise.
func (j Joiner) May(v event.View, a Ajo, ajoID string, halves int) (event.Draft, error) {
	owner, access := event.StateOf[account.Account](v, account.Stream(j.User)), event.StateOf[ajoaccess.Access](v, ajoaccess.Stream(j.User))
	promised := event.StateOf[Commitments](v, CommitStream(j.User))
	others := slices.DeleteFunc(slices.Clone(promised.Running), func(c Commitment) bool { return c.Ajo == ajoID })
	monthly := Monthly(a.Terms, halves)
	total := Commitments{Running: others}.Total() + monthly
	strangers := a.Listed || slices.ContainsFunc(others, func(c Commitment) bool { return c.Listed })
	if err := standing.May(v, j.User, standing.Commit); err != nil {
		return event.Draft{}, err
	}
	switch {
	case j.UnderAge:
		return event.Draft{}, standing.Minor.May(standing.Commit)
	case owner.Bvn != account.Verified:
		return event.Draft{}, errBvn()
	case a.Listed && !access.Has && !j.Invited && j.User == a.Owner && !a.Earlier:
		return event.Draft{}, fault.New(fault.Forbidden, "An ajo with people whom you do not know needs ajo access. Ask for it first, or found one for people whom you invite.")
	case a.Listed && !access.Has && !j.Invited && j.User != a.Owner:
		return event.Draft{}, fault.New(fault.Forbidden, "Ask for ajo access first, or for an invitation.")
	case len(others) >= MaxRunning:
		return event.Draft{}, fault.New(fault.Conflict, "You are in three ajo already. You can join another when one of them is over.")
	case strangers && access.Has && total > access.Limit:
		return event.Draft{}, fault.New(fault.Conflict, "You would commit %s a month; a third of your salary is %s.", total, access.Limit)
	case strangers && access.Held > 0 && total > access.Held && !a.Earlier:
		return event.Draft{}, fault.New(fault.Conflict, "You would commit %s a month; a third of your salary was %s when you lost your access.", total, access.Held)
	case halves > MaxHalves(a.Terms):
		return event.Draft{}, fault.Field("hands", "One person holds at most %s here.", Hands(MaxHalves(a.Terms)))
	}
	return event.On(CommitStream(j.User), &nairav1.CommitmentCounted{
		UserId: j.User, AjoId: ajoID, MonthlyKobo: int64(monthly), Listed: a.Listed,
	}), nil
}

// Hands says a number of half hands.
func Hands(halves int) string {
	switch {
	case halves == 1:
		return "half a hand"
	case halves == 2:
		return "one hand"
	case halves%2 == 0:
		return fmt.Sprintf("%d hands", halves/2)
	case halves == 3:
		return "one hand and a half"
	default:
		return fmt.Sprintf("%d hands and a half", halves/2)
	}
}

// join takes hands of an ajo that is open.
func (j Joiner) join(v event.View, a Ajo, ajoID string) ([]event.Draft, error) {
	hash := TermsHash(a.Terms)
	switch {
	case a.Status != Open:
		return nil, a.errNotOpen()
	case !bytes.Equal(j.TermsHash, hash[:]):
		return nil, errTerms()
	case j.Halves < 1 || j.Halves > MaxHalves(a.Terms):
		return nil, fault.Field("hands", "Take half a hand or more, and at most %s.", Hands(MaxHalves(a.Terms)))
	case len(j.Nonce) != nonceBytes:
		return nil, fault.Field("nonce", "Your phone must send 16 random bytes for the draw. Please load the page again.")
	case a.Terms.GetDraw() == nairav1.AjoDrawSource_AJO_DRAW_SOURCE_PHONES && len(j.Commitment) != commitmentBytes:
		return nil, fault.Field("commitment", "Your phone must commit to a secret for the draw. Please load the page again.")
	case len(j.Commitment) > 0 && a.commitsBut(j.Version):
		return nil, fault.Field("commitment", "The phones of this list commit in another way. Please load the page again.")
	}
	counted, err := j.May(v, a, ajoID, a.HalvesOf(j.User)+j.Halves)
	if err != nil {
		return nil, err
	}
	out := []event.Draft{}
	for left := j.Halves; left > 0; {
		seat, halves, err := a.free(j, left)
		if err != nil {
			return nil, err
		}
		out = append(out, drafts(ajoID, &nairav1.AjoSeatTakenV2{
			AjoId: ajoID, Seat: int32(seat), UserId: j.User, Halves: int32(halves), Nonce: j.Nonce, Commitment: j.Commitment, CommitmentVersion: int32(j.Version),
			TermsHash: hash[:],
		})...)
		a.Seats = taken(a.Seats, seat, Place{User: j.User, Halves: halves})
		left -= halves
	}
	return append(out, counted), nil
}

// free finds a seat, or half of one, for somebody who wants so many halves more. Whole hands take free seats; half a
// hand goes to a seat that has half a hand free. Nobody gets a seat that collected before the ajo came here unless they
// ask for it.
func (a Ajo) free(j Joiner, halves int) (seat, take int, err error) {
	if j.Seat != 0 {
		if j.Seat < 1 || j.Seat > len(a.Seats) || a.Seats[j.Seat-1].Halves()+min(halves, 2) > 2 {
			return 0, 0, fault.New(fault.Conflict, "Seat %d is taken. Choose another.", j.Seat)
		}
		return j.Seat, min(halves, 2), nil
	}
	spent := 0
	find := func(held int) (int, bool) {
		for i, s := range a.Seats {
			switch _, collected := a.CollectedBefore(i + 1); {
			case s.Halves() != held:
			case collected && !a.Earlier:
				spent = i + 1
			default:
				return i + 1, true
			}
		}
		return 0, false
	}
	if halves == 1 {
		if seat, found := find(1); found {
			return seat, 1, nil
		}
	}
	if seat, found := find(0); found {
		return seat, min(halves, 2), nil
	}
	if spent > 0 {
		return 0, 0, fault.Field("seat", "Only hands that have collected are free, such as seat %d. Was it you who collected? Then choose that seat: it pays what is still to come.", spent)
	}
	return 0, 0, fault.New(fault.Conflict, "This ajo has no free hand left.")
}

// Join takes hands of an ajo.
type Join struct {
	AjoID string
	Joiner
}

// Streams implements event.Command.
func (c Join) Streams() []string { return append([]string{Stream(c.AjoID)}, c.Joiner.Streams()...) }

// Accounts implements event.Command.
func (Join) Accounts() []string { return nil }

// Decide implements event.Command.
func (c Join) Decide(v event.View) ([]event.Draft, error) {
	a, err := Read(v, c.AjoID, "")
	if err != nil {
		return nil, err
	}
	return c.join(v, a, c.AjoID)
}

// Leave gives up all that a member holds while the list is open. Their deposit goes back to their wallet.
type Leave struct {
	AjoID, User string
	Unanswered  bool // They did not accept changed terms in time; Now is after it.
	Stolen      bool // Somebody else took all of it, who used the member's account.
	Now         time.Time
}

// Streams implements event.Command.
func (c Leave) Streams() []string {
	return append(depositStreams(c.AjoID, c.User), Stream(c.AjoID))
}

// Accounts implements event.Command.
func (c Leave) Accounts() []string {
	return depositAccounts(c.AjoID, c.User)
}

// Decide implements event.Command.
func (c Leave) Decide(v event.View) ([]event.Draft, error) {
	a, err := Read(v, c.AjoID, c.User)
	if err != nil {
		return nil, err
	}
	seats := a.SeatsOf(c.User)
	switch {
	case a.HasStarted():
		return nil, fault.New(fault.Conflict, "%s has begun; propose who takes it over.", Seats(seats))
	case a.Status != Open:
		return nil, a.errNotOpen()
	case c.User == a.Owner && !c.Unanswered:
		return nil, fault.New(fault.Conflict, "You made this ajo. Cancel it if it is not to take place.")
	case c.Unanswered && (a.Accepted(c.User) || a.AcceptBy.IsZero() || c.Now.Before(a.AcceptBy)):
		return nil, fault.New(fault.Conflict, "There is still time to accept the terms.")
	case len(seats) == 0:
		return nil, fault.New(fault.Conflict, "You hold no seat here.")
	case c.Stolen && !a.stolen(event.StateOf[account.Account](v, account.Stream(c.User)), c.User):
		return nil, fault.New(fault.Conflict, "The member took a seat here themselves.")
	}
	switch {
	case c.Unanswered:
		return release(v, a, c.AjoID, c.User, "terms"), nil
	case c.Stolen:
		return release(v, a, c.AjoID, c.User, "stolen"), nil
	}
	if err := standing.May(v, c.User, standing.Decide); err != nil {
		return nil, err
	}
	return release(v, a, c.AjoID, c.User, "left"), nil
}

// stolen reports whether somebody else, who used a member's account, took all that the member holds.
func (a Ajo) stolen(owner account.Account, user string) bool {
	return !slices.ContainsFunc(a.SeatsOf(user), func(seat int) bool {
		p, _ := a.Place(seat, user)
		return !owner.Stolen(p.Since)
	})
}

// release frees a member's places, gives back their deposit and ends their promise and their consent to dues.
func release(v event.View, a Ajo, ajoID, user, reason string) []event.Draft {
	var out []event.Draft
	for _, seat := range a.SeatsOf(user) {
		p, _ := a.Place(seat, user)
		out = append(out, drafts(ajoID, &nairav1.AjoSeatFreed{AjoId: ajoID, Seat: int32(seat), UserId: user, Halves: int32(p.Halves), Reason: reason})...)
	}
	if held := v.Balance(posting.Deposit(ajoID, user)); held > 0 {
		out = append(out, event.On(BookStream(ajoID, user), &nairav1.AjoDepositReturned{AjoId: ajoID, UserId: user, AmountKobo: int64(held)}))
		out = append(out, depositParked(v, ajoID, user, held)...)
	}
	if v.State(BookStream(ajoID, user)).(Consents).TakesDues() {
		out = append(out, event.On(BookStream(ajoID, user), &nairav1.AjoConsentSet{AjoId: ajoID, UserId: user}))
	}
	return append(out, Uncounted(user, ajoID))
}

// Consents is what a member lets Adashi take by itself.
type Consents interface{ TakesDues() bool }

// Uncounted is the draft that ends a promise.
func Uncounted(user, ajoID string) event.Draft {
	return event.On(CommitStream(user), &nairav1.CommitmentCounted{UserId: user, AjoId: ajoID})
}

// Why an ajo is cancelled by itself.
const (
	Lapsed       = "The list was not full in time."
	NoneRevealed = "No phone revealed its secret in time."
	NoneCame     = "The public draw did not come in time."
)

// Cancel ends an ajo before its order is set. Deposits go back.
type Cancel struct {
	AjoID  string
	By     string // Its owner, or empty when its time is over.
	Reason string
	// All who hold a place.
	Members []string
	Now     time.Time
}

// Streams implements event.Command.
func (c Cancel) Streams() []string {
	streams := []string{Stream(c.AjoID)}
	if c.By != "" {
		streams = append(streams, account.Stream(c.By))
	}
	for _, user := range c.Members {
		streams = append(streams, depositStreams(c.AjoID, user)...)
	}
	return streams
}

// Accounts implements event.Command.
func (c Cancel) Accounts() []string {
	var accounts []string
	for _, user := range c.Members {
		accounts = append(accounts, depositAccounts(c.AjoID, user)...)
	}
	return accounts
}

// Decide implements event.Command.
func (c Cancel) Decide(v event.View) ([]event.Draft, error) {
	a, err := Read(v, c.AjoID, c.By)
	if err != nil {
		return nil, err
	}
	switch {
	case c.By != "" && c.By != a.Owner:
		return nil, errOwner()
	case a.Status == Ordering && c.By != "" && !a.undrawn(c.Now) && !a.Silent(c.Now):
		return nil, fault.New(fault.Conflict, "The chance that orders the list is known already, so it cannot be cancelled any more.")
	case a.Status == Ordering && c.By == "" && !a.Silent(c.Now):
		return nil, fault.New(fault.Conflict, "The order can still be drawn.")
	case a.Status != Open && a.Status != Ordering:
		return nil, fault.New(fault.Conflict, "The order is set, so it cannot be cancelled. Two thirds and the owner can end it early.")
	case a.Status == Open && c.By == "" && c.Now.Before(a.Lapses()) && !(c.Reason == OwnerClosed && c.ownerClosed(v, a)):
		return nil, fault.New(fault.Conflict, "There is still time to fill the list.")
	case c.By != "":
		if err := standing.May(v, c.By, standing.Decide); err != nil {
			return nil, err
		}
	}
	if err := All(a.Members(), c.Members); err != nil {
		return nil, err
	}
	var out []event.Draft
	for _, user := range a.Members() {
		out = append(out, release(v, a, c.AjoID, user, "cancelled")...)
	}
	reason, err := wording.Text("reason", "The reason", c.Reason, 0, maxReason)
	if err != nil {
		return nil, err
	}
	return append(out, drafts(c.AjoID, &nairav1.AjoCancelled{AjoId: c.AjoID, CancelledBy: c.By, Reason: reason})...), nil
}

// ownerClosed reports whether the owner has closed their account.
func (c Cancel) ownerClosed(v event.View, a Ajo) bool {
	return slices.Contains(c.Members, a.Owner) && standing.May(v, a.Owner, standing.HoldSeat) != nil
}

// undrawn reports whether nobody can know yet which order a sealed list gets: its owner could cancel one that they do
// not like.
func (a Ajo) undrawn(now time.Time) bool {
	if a.Closing.Round == 0 { // Phones alone.
		return len(a.Revealed) == 0
	}
	return now.Before(a.Closing.DrawAt)
}

// Silent reports whether there is nothing to draw from: the phones of a draw had their time and none revealed, or the
// round of the beacon did not come for so many days as an open list waits.
func (a Ajo) Silent(now time.Time) bool {
	if a.Closing.Round > 0 && !now.Before(a.Closing.DrawAt.AddDate(0, 0, int(a.Terms.GetCancelDays()))) {
		return true
	}
	return a.Closing.Source != nairav1.AjoDrawSource_AJO_DRAW_SOURCE_BEACON && len(a.Revealed) == 0 && !now.Before(a.Closing.DrawAt) && a.drawable(nairav1.AjoDrawSource_AJO_DRAW_SOURCE_PHONES, now) == nil
}

// Lapses is when an ajo without a full list is cancelled: so many days after the first due day of its first month, and
// at least half as many after it was made. Earlier builds did not ask when, and cancelled a list of late in a month at
// once.
func (a Ajo) Lapses() time.Time {
	t := a.Terms
	lapses := clipped(int(t.GetStartYear()), time.Month(t.GetStartMonth()), int(t.GetDueDay())).AddDate(0, 0, int(t.GetCancelDays()))
	if least := savings.Day(a.CreatedAt).AddDate(0, 0, int(t.GetCancelDays()/2)); least.After(lapses) && !a.Earlier {
		return least
	}
	return lapses
}

// ErrUnnamed is answered to a command that does not name everybody it concerns.
var ErrUnnamed = fault.New(fault.Conflict, "The list has changed just now. Please look at it and try again.")

// All refuses a command that does not name everybody it concerns: somebody came meanwhile.
func All(concerned, named []string) error {
	for _, user := range concerned {
		if !slices.Contains(named, user) {
			return ErrUnnamed
		}
	}
	return nil
}

// Seats names seats: Seat 4, or Seats 4 and 5.
func Seats(seats []int) string {
	if len(seats) == 1 {
		return fmt.Sprintf("Seat %d", seats[0])
	}
	text := "Seats"
	for i, seat := range seats {
		switch {
		case i == 0:
			text += fmt.Sprintf(" %d", seat)
		case i == len(seats)-1:
			text += fmt.Sprintf(" and %d", seat)
		default:
			text += fmt.Sprintf(", %d", seat)
		}
	}
	return text
}
