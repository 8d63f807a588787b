// Package account decides what happens to a member's account itself: its BVN, a guardian's consent, alerts, its end,
// and what staff did with its data.
//
//	BVN      "" ──▶ VERIFIED | FAILED      a failed one may be checked again; another bank account undoes a match
//	Account  open ──▶ closed               for ever, and only when no money is in its wallet or held
//	Money    free ──▶ frozen ──▶ thawing ──▶ free      by the member, when somebody else uses their account
//	Tier     0 to 3                        what may be held and paid out; 1 with a verified BVN unless set
//	Remedy   none ──▶ waits ──▶ done       or declined, or its time is over; see package remedy
//
// Events hold ids and kinds only: names, numbers and addresses stay in the vault.
package account

import (
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
)

// Bvn is where the check of a BVN stands.
type Bvn string

// The outcomes of a check.
const (
	Unchecked Bvn = ""
	Verified  Bvn = "VERIFIED"
	Failed    Bvn = "FAILED"
)

// Account is the state of a member's account.
type Account struct {
	Bvn       Bvn
	Check     string // The last check that ended.
	Known     bool   // A BVN of theirs was verified once: their name is the one that a bank has.
	Consented bool   // A guardian allows them to contribute.
	// ConsentedAt is when the guardian did; a consent that somebody else came by ends once the account is given back.
	ConsentedAt time.Time
	Alerts      int
	Closed      bool
	Tier        int // What FinanceOps set; see Level.
	TierGiven   bool

	Remedy     Remedy        // That waits for an Admin, or whose time is over; the zero Remedy where none does.
	Done       Remedy        // The latest that was done.
	AnotherBvn bool          // Two of our staff let another BVN in, and none was verified since.
	HeldFrom   time.Time     // What was asked for before a remedy was done, and not sent, is called off.
	HeldUntil  time.Time     // Until when no withdrawal is asked for, because of a remedy.
	HoldBegan  time.Time     // When the last proposal to give it back began that held withdrawals.
	Held       time.Duration // For how long such proposals have held them since then, but for the one that waits.
	Given      []Span        // When somebody else used the account, for each time that it was given back.

	Frozen      bool      // Nothing leaves the wallet.
	ThawAt      time.Time // When it is thawed; zero while nobody asked for that.
	FrozenHolds []FrozenHold

	WitnessKeys []DeviceKey // Of devices that watch the ledger, the oldest first.
	AttestKeys  []DeviceKey // Of devices that sign what the member attests of months, likewise.
}

// Accounts folds an account's stream.
var Accounts = event.Of("account", 14, func(a Account, e event.Happened) Account {
	switch m := e.Message.(type) {
	case *nairav1.BvnVerified:
		a.Bvn, a.Check, a.Known, a.AnotherBvn = Verified, m.GetCheckId(), true, false
	case *nairav1.BvnFailed:
		a.Bvn, a.Check = Failed, m.GetCheckId()
	case *nairav1.BvnMatchUndone:
		a.Bvn = Unchecked
	case *nairav1.GuardianConsented:
		a.Consented, a.ConsentedAt = !a.Stolen(e.EffectiveAt), e.EffectiveAt
	case *nairav1.SecurityAlertRaised, *nairav1.PasswordTried:
		a.Alerts++
	case *nairav1.AccountClosed:
		a.Closed = true
	case *nairav1.TierSet:
		a.Tier, a.TierGiven = int(m.GetTier()), true
	default:
		return keyed(frozen(remedied(a, e), e), e)
	}
	return a
})

// Stream is the stream of a member's account.
func Stream(userID string) string { return standing.Stream(userID) }

// Standing implements standing.Account.
func (a Account) Standing() standing.Standing {
	switch {
	case a.Closed:
		return standing.Closed
	case a.Frozen:
		return standing.Frozen
	}
	return standing.Open
}

// on is a command about one account that moves no money.
type on struct {
	user   string
	decide func(Account) (proto.Message, error)
}

// Streams implements event.Command.
func (c on) Streams() []string { return []string{Stream(c.user)} }

// Accounts implements event.Command.
func (on) Accounts() []string { return nil }

// Decide implements event.Command. A closed account takes nothing any more.
func (c on) Decide(v event.View) ([]event.Draft, error) {
	a := event.StateOf[Account](v, Stream(c.user))
	if err := standing.May(v, c.user, standing.Keep); err != nil {
		return nil, err
	}
	m, err := c.decide(a)
	if err != nil {
		return nil, err
	}
	return []event.Draft{{Stream: Stream(c.user), Message: m}}, nil
}

// EndCheck records how the check of a BVN ended; a failure of 0 is a match. Each check ends once.
func EndCheck(user, checkID string, failure nairav1.BvnFailure) event.Command {
	return on{user, func(a Account) (proto.Message, error) {
		switch {
		case a.Check == checkID:
			return nil, fault.New(fault.Conflict, "This check has ended already.")
		case a.Bvn == Verified:
			return nil, fault.New(fault.Conflict, "This BVN is verified already.")
		case failure == nairav1.BvnFailure_BVN_FAILURE_UNSPECIFIED:
			return &nairav1.BvnVerified{UserId: user, CheckId: checkID}, nil
		}
		return &nairav1.BvnFailed{UserId: user, CheckId: checkID, Failure: failure}, nil
	}}
}

// MoveBank records that another bank account takes the place of a member's. undo also undoes the match of their BVN,
// which the earlier account was matched with.
func MoveBank(user string, undo bool) event.Command {
	return moveBank{user, undo, []standing.Act{standing.Keep, standing.NameBank}}
}

// RestoreBank records that a member got their earlier bank account back by a letter's link. Unlike MoveBank it is not
// refused while their money is frozen: the freeze is against the person who changed the account.
func RestoreBank(user string, undo bool) event.Command {
	return moveBank{user, undo, []standing.Act{standing.Keep}}
}

type moveBank struct {
	user string
	undo bool
	asks []standing.Act
}

// Streams implements event.Command.
func (c moveBank) Streams() []string { return []string{Stream(c.user)} }

// Accounts implements event.Command.
func (moveBank) Accounts() []string { return nil }

// Decide implements event.Command.
func (c moveBank) Decide(v event.View) ([]event.Draft, error) {
	for _, act := range c.asks {
		if err := standing.May(v, c.user, act); err != nil {
			return nil, err
		}
	}
	drafts := []event.Draft{event.On(Stream(c.user), &nairav1.SecurityAlertRaised{UserId: c.user, Kind: nairav1.SecurityAlert_SECURITY_ALERT_BANK_ACCOUNT_CHANGED})}
	if c.undo && event.StateOf[Account](v, Stream(c.user)).Bvn == Verified {
		drafts = append(drafts, event.On(Stream(c.user), &nairav1.BvnMatchUndone{UserId: c.user}))
	}
	return drafts, nil
}

// Alert records something about the account's safety.
func Alert(user string, kind nairav1.SecurityAlert) event.Command {
	return on{user, func(Account) (proto.Message, error) {
		if kind == nairav1.SecurityAlert_SECURITY_ALERT_UNSPECIFIED {
			return nil, fault.Field("kind", "There is no such alert.")
		}
		return &nairav1.SecurityAlertRaised{UserId: user, Kind: kind}, nil
	}}
}

// PasswordTried records that many wrong passwords were tried by strangers.
func PasswordTried(user string) event.Command {
	return on{user, func(Account) (proto.Message, error) { return &nairav1.PasswordTried{UserId: user}, nil }}
}

// Loss is what an epoch lost of a member's records.
type Loss struct {
	Epoch       int
	Records     int            // 0 where nobody can tell whose they were.
	First, Last int64          // Their positions in the epoch before.
	In, Out     money.Kobo     // What they had put into the member's wallet, and taken out of it.
	Movements   []LostMovement // The first of them.
}

// LostMovement is what one lost record had put into the member's wallet, taken out of it, or both at once.
type LostMovement struct {
	RecordedAt time.Time
	In, Out    money.Kobo
}

// movementsMax is how many lost movements are named.
const movementsMax = 20

// Add counts a record that is lost, and what it moved.
func (l *Loss) Add(position int64, m LostMovement) {
	if l.Records++; l.First == 0 {
		l.First = position
	}
	l.Last = position
	l.In, l.Out = l.In+m.In, l.Out+m.Out
	if moved := m.In > 0 || m.Out > 0; moved && len(l.Movements) < movementsMax {
		l.Movements = append(l.Movements, m)
	}
}

// TellLoss records that a member is told of what an epoch lost of theirs.
func TellLoss(user string, l Loss) event.Command {
	return on{user, func(Account) (proto.Message, error) {
		lost := &nairav1.RecordsLost{
			UserId: user, Epoch: int32(l.Epoch), Records: int32(l.Records),
			FirstPosition: l.First, LastPosition: l.Last, InKobo: int64(l.In), OutKobo: int64(l.Out),
		}
		for _, m := range l.Movements {
			lost.Movements = append(lost.Movements, &nairav1.LostMovement{
				RecordedAt: timestamppb.New(m.RecordedAt), InKobo: int64(m.In), OutKobo: int64(m.Out),
			})
		}
		return lost, nil
	}}
}

// Consent records that a guardian allows the member to contribute.
func Consent(user, requestID string) event.Command {
	return on{user, func(a Account) (proto.Message, error) {
		if a.Consented {
			return nil, fault.New(fault.Conflict, "This consent was given already.")
		}
		return &nairav1.GuardianConsented{UserId: user, RequestId: requestID}, nil
	}}
}

// Close ends an account for ever. It is refused while its wallet has money, money of it is held, or its owner owes
// Adashi, and while a proposal to give it back holds it: a thief could close what they emptied. Earlier builds did not
// ask that.
type Close struct {
	User string
	Now  time.Time
}

// Streams implements event.Command.
func (c Close) Streams() []string { return []string{Stream(c.User)} }

// Accounts implements event.Command.
func (c Close) Accounts() []string {
	return []string{posting.Wallet(c.User), posting.Held(posting.Wallet(c.User)), posting.Owed(c.User)}
}

// Decide implements event.Command.
func (c Close) Decide(v event.View) ([]event.Draft, error) {
	wallet := v.Balance(posting.Wallet(c.User))
	a := event.StateOf[Account](v, Stream(c.User))
	_, earlier := v.(standing.Earlier)
	held, owed := v.Balance(posting.Held(posting.Wallet(c.User))), -v.Balance(posting.Owed(c.User))
	switch {
	case standing.May(v, c.User, standing.Keep) != nil:
		return nil, standing.May(v, c.User, standing.Keep)
	case !earlier && a.Proposed(c.Now) != nil:
		return nil, fault.New(fault.Conflict, "One of our staff proposes to give this account to a person who says that it is theirs, so nobody closes it until %s, or until that is declined.",
			lagos.Clock(a.Remedy.HoldsUntil)+" (Lagos)")
	case wallet != 0:
		return nil, fault.New(fault.Conflict, "Your wallet still has %s. Use it or take it out first.", wallet)
	case held != 0:
		return nil, fault.New(fault.Conflict, "%s of yours is set aside for something that has not ended yet. Please wait for it first.", held)
	case owed != 0:
		return nil, fault.New(fault.Conflict, "You owe Adashi %s, because a bank took back a payment after its money was used. Add it to your wallet first, and it is paid at once.", owed)
	}
	return []event.Draft{{Stream: Stream(c.User), Message: &nairav1.AccountClosed{UserId: c.User}}}, nil
}
