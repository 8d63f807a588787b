// Package closing closes a group that holds less than can be paid out: what is left goes to wallets.
//
//	rest of a sub-account ──▶ each one's savings there, or their share where it is less than all savings
//	                      ──▶ what is left then: to the members, by all that they have contributed there
//
// Shares are whole kobo, by the largest remainder. What a bank sends back to a group that is closed is shared out by
// Rest.
package closing

import (
	"cmp"
	"errors"
	"math/bits"
	"slices"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
)

// Group is savings.CloseGroup that also pays out what is left of a closing group, where no sub-account holds as much as
// can be asked for.
type Group struct {
	savings.CloseGroup
	Rests  []string // The sub-accounts that hold something. One that isn't among them keeps the group from being closed.
	People []string // Everybody who has a seat in the group, and people who left and have savings in Rests again.
}

// Streams implements event.Command.
func (c Group) Streams() []string {
	return append(c.CloseGroup.Streams(), sharing{c.GroupID, c.people(), ""}.streams(c.Rests...)...)
}

// Accounts implements event.Command.
func (c Group) Accounts() []string {
	return append(c.CloseGroup.Accounts(), sharing{c.GroupID, c.people(), ""}.accounts()...)
}

// people are those of the command, each once, in an order that doesn't depend on who named them.
func (c Group) people() []string { return slices.Compact(slices.Sorted(slices.Values(c.People))) }

// Decide implements event.Command.
func (c Group) Decide(v event.View) ([]event.Draft, error) {
	g := event.StateOf[savings.Group](v, savings.GroupStream(c.GroupID))
	if g.Status != savings.Closing || !c.tooLittle(v) {
		return c.CloseGroup.Decide(v)
	}
	drafts, err := c.DecideWith(v, 0)
	if err != nil {
		return nil, err
	}
	if err := settled(v, g, c.GroupID, c.people()); err != nil {
		return nil, err
	}
	for _, sub := range c.rests() {
		paid, err := sharing{c.GroupID, c.people(), ""}.pay(v, sub)
		if err != nil {
			return nil, err
		}
		drafts = append(drafts, paid...)
	}
	return drafts, nil
}

// settled refuses a list of people that lacks somebody with a seat, and a group of whose money somebody has asked for
// some: what they asked for is not among their savings until that has ended.
func settled(v event.View, g savings.Group, groupID string, people []string) error {
	seated := 0
	for _, user := range people {
		if s := event.StateOf[savings.Member](v, savings.MemberStream(groupID, user)).Status; s != savings.None && s != savings.Invited {
			seated++
		}
		if event.StateOf[savings.OpenRequests](v, savings.RequestsStream(groupID, user)).Any() {
			return fault.New(fault.Conflict, "A request for money of the group is still open. Close the group once it is decided, cancelled or over.")
		}
	}
	if seated != g.Seats {
		return fault.New(fault.Conflict, "Somebody has joined or left the group just now. Please try again.")
	}
	return nil
}

func (c Group) rests() []string { return slices.Compact(slices.Sorted(slices.Values(c.Rests))) }

// tooLittle reports whether the group holds something, and no sub-account as much as can be asked for.
func (c Group) tooLittle(v event.View) bool {
	left := false
	for _, sub := range c.SubAccounts {
		pool := v.Balance(posting.Pool(sub))
		if v.Balance(posting.Held(posting.Pool(sub))) > 0 || pool >= liquidation.Min || pool > 0 && !slices.Contains(c.Rests, sub) {
			return false
		}
		left = left || pool > 0
	}
	return left
}

// sharing is among whom what is left in a group is shared out.
type sharing struct {
	group  string
	people []string // Each once, in order.
	key    string   // Of what came back to a closed group: names that, where it goes to suspense.
}

func (s sharing) streams(subs ...string) (streams []string) {
	for _, user := range s.people {
		streams = append(streams, savings.MemberStream(s.group, user), savings.RequestsStream(s.group, user), account.Stream(user))
		for _, sub := range subs {
			streams = append(streams, dues.Stream(sub, user), wallet.ReturnStream(event.Vfd, s.parkingID(sub, user)))
		}
	}
	return streams
}

func (s sharing) accounts() []string {
	accounts := []string{posting.Unmatched}
	for _, user := range s.people {
		accounts = append(accounts, posting.Wallet(user))
	}
	return accounts
}

// pay shares out what is left in a sub-account. What is a closed account's goes on to suspense.
func (s sharing) pay(v event.View, sub string) (drafts []event.Draft, err error) {
	people, rest := s.people, v.Balance(posting.Pool(sub))
	for i, share := range s.shares(v, sub, people, rest) {
		if rest -= share; share == 0 {
			continue
		}
		user := people[i]
		saved := event.StateOf[dues.State](v, dues.Stream(sub, user))
		drafts = append(drafts, event.On(dues.Stream(sub, user), &nairav1.GroupRestPaid{
			GroupId: s.group, SubAccountId: sub, UserId: user, AmountKobo: int64(share),
		}))
		if own := min(share, saved.Savings()); own > 0 {
			drafts = append(drafts, event.On(dues.Stream(sub, user), &nairav1.SavingsDrawn{
				GroupId: s.group, SubAccountId: sub, UserId: user, DrawnKobo: int64(saved.Drawn + own),
			}))
		}
		if standing.May(v, user, standing.Receive) != nil {
			drafts = append(drafts, wallet.ParkReturned(event.Vfd, s.parkingID(sub, user), posting.Wallet(user), share,
				"A group closed, and a member whose savings were left in it has closed their account."))
		}
	}
	if rest != 0 {
		return nil, errors.New("closing: the shares are not what is left")
	}
	return drafts, nil
}

func (s sharing) parkingID(sub, user string) string { return ParkingID(sub, user) + s.key }

// ParkingID is how what is left of a sub-account is named in suspense that was a closed account's: the key of a Rest
// follows.
func ParkingID(sub, user string) string { return "rest of " + sub + " to " + user }

// shares are what each of some people gets of what is left in a sub-account.
func (s sharing) shares(v event.View, sub string, people []string, rest money.Kobo) []money.Kobo {
	own, weights := make([]money.Kobo, len(people)), make([]money.Kobo, len(people))
	nobody := opened(v, s.group, people) == 0 // Then what is nobody's savings goes to suspense in the members' names.
	saved, contributed, members := money.Kobo(0), money.Kobo(0), make([]money.Kobo, len(people))
	for i, user := range people {
		paid, m := event.StateOf[dues.State](v, dues.Stream(sub, user)), event.StateOf[savings.Member](v, savings.MemberStream(s.group, user))
		own[i] = max(0, paid.Savings())
		saved += own[i]
		if (m.Status == savings.Active || m.Status == savings.Inactive) && (nobody || standing.May(v, user, standing.Receive) == nil) {
			members[i], weights[i] = 1, max(0, paid.Total)
			contributed += weights[i]
		}
	}
	if saved >= rest {
		return portions(rest, own)
	}
	if contributed == 0 { // Nobody who is still a member has ever paid into it.
		weights = members
	}
	for i, more := range portions(rest-saved, weights) {
		own[i] += more
	}
	return own
}

// portions divides an amount by weights to the kobo: what is left after rounding down goes to the largest remainders,
// and of equal ones to the first.
func portions(amount money.Kobo, weights []money.Kobo) []money.Kobo {
	out, order, remainders, sum := make([]money.Kobo, len(weights)), []int{}, make([]uint64, len(weights)), money.Kobo(0)
	for _, weight := range weights {
		sum += weight
	}
	if sum == 0 {
		return out
	}
	left := amount
	for i, weight := range weights {
		high, low := bits.Mul64(uint64(amount), uint64(weight))
		whole, remainder := bits.Div64(high, low, uint64(sum))
		out[i], remainders[i] = money.Kobo(whole), remainder
		if left -= out[i]; remainder > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(remainders[b], remainders[a]) })
	for _, i := range order[:left] {
		out[i]++
	}
	return out
}
