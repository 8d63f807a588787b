package liquidation

import (
	"math"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/account"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/fault"
	"adashi.ng/ledger/money"
	"adashi.ng/ledger/payout"
	"adashi.ng/ledger/posting"
	"adashi.ng/ledger/savings"
)

// The bounds of a request.
const (
	Open      = 14 * 24 * time.Hour // How long it waits to be approved.
	Min       = payout.MinWithdrawal
	reasonMin = 3
	reasonMax = 300
)

// Request holds an amount of a sub-account and asks the group's people to let it be paid.
type Request struct {
	LiquidationID         string
	GroupID, SubAccountID string
	User                  string
	Kind                  nairav1.LiquidationKind
	Amount, Net           money.Kobo // Net is what the member was told arrives.
	Channel               nairav1.Channel
	Reason                string
	At                    time.Time
}

func (c Request) withdrawal() bool {
	return c.Kind == nairav1.LiquidationKind_LIQUIDATION_KIND_MEMBER_WITHDRAWAL
}

// Streams implements event.Command.
func (c Request) Streams() []string {
	return []string{
		Stream(c.LiquidationID), savings.GroupStream(c.GroupID), savings.MemberStream(c.GroupID, c.User), savings.SubStream(c.SubAccountID),
		savings.DuesStream(c.SubAccountID, c.User), savings.RequestsStream(c.GroupID, c.User), account.Stream(c.User),
	}
}

// Accounts implements event.Command.
func (c Request) Accounts() []string {
	return []string{posting.Pool(c.SubAccountID), posting.Held(posting.Pool(c.SubAccountID))}
}

// asked is what a request is decided from.
type asked struct {
	group  savings.Group
	member savings.Member
	sub    savings.SubAccount
	saved  savings.Paid
	open   savings.OpenRequests
	owner  account.Account
	pool   money.Kobo
}

func (c Request) read(v event.View) asked {
	return asked{
		group:  event.StateOf[savings.Group](v, savings.GroupStream(c.GroupID)),
		member: event.StateOf[savings.Member](v, savings.MemberStream(c.GroupID, c.User)),
		sub:    event.StateOf[savings.SubAccount](v, savings.SubStream(c.SubAccountID)),
		saved:  event.StateOf[savings.Paid](v, savings.DuesStream(c.SubAccountID, c.User)),
		open:   event.StateOf[savings.OpenRequests](v, savings.RequestsStream(c.GroupID, c.User)),
		owner:  event.StateOf[account.Account](v, account.Stream(c.User)),
		pool:   v.Balance(posting.Pool(c.SubAccountID)),
	}
}

// Decide implements event.Command. What the sub-account cannot pay is Insufficient, and tells what it holds only to those
// who may know; a net that is not the amount less the charges is Conflict and says the right one.
func (c Request) Decide(v event.View) ([]event.Draft, error) {
	a := c.read(v)
	if event.StateOf[Liquidation](v, Stream(c.LiquidationID)).Status != None {
		return nil, fault.New(fault.Conflict, "This was requested already.")
	}
	reason, err := readReason(c.Reason)
	if err == nil {
		err = c.may(a)
	}
	charges := payout.ChargesOn(c.Amount)
	if err == nil {
		err = c.judge(charges)
	}
	if err == nil {
		err = c.within(a)
	}
	if err != nil {
		return nil, err
	}
	drafts := []event.Draft{{Stream: Stream(c.LiquidationID), Message: &nairav1.LiquidationRequested{
		LiquidationId: c.LiquidationID, GroupId: c.GroupID, SubAccountId: c.SubAccountID, RequestedBy: c.User, Kind: c.Kind,
		AmountKobo: int64(c.Amount), FeeKobo: int64(charges.Fee), VatKobo: int64(charges.VAT), DutyKobo: int64(charges.Duty), FeeTable: payout.FeeTable,
		Channel: c.Channel, Reason: reason, ExpiresAt: timestamppb.New(c.At.Add(Open)),
	}}}
	if c.withdrawal() {
		drafts = append(drafts, drawn(c.GroupID, c.SubAccountID, c.User, a.saved.Drawn+c.Amount))
	}
	return append(drafts, counted(c.GroupID, c.User, a.open, c.Kind, c.LiquidationID)), nil
}

// readReason cleans a reason and holds it to its bounds.
func readReason(reason string) (string, error) {
	reason = strings.Join(strings.Fields(reason), " ")
	if n := utf8.RuneCountInString(reason); n < reasonMin || n > reasonMax {
		return "", fault.Field("reason", "Say why, in %d to %d characters.", reasonMin, reasonMax)
	}
	if strings.ContainsFunc(reason, func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }) {
		return "", fault.Field("reason", "The reason has a character that cannot be shown.")
	}
	return reason, nil
}

// may refuses those who may not ask, a group that pays nothing now, and a request that nobody could decide.
func (c Request) may(a asked) error {
	// Money that a bank sent back may belong to somebody who has left.
	theirs := c.withdrawal() && a.saved.Savings() > 0
	switch {
	case a.sub.Status == savings.None || a.sub.Group != c.GroupID:
		return fault.New(fault.NotFound, "There is no such sub-account.")
	case !theirs && (a.member.Status == savings.None || a.member.Status == savings.Invited):
		return fault.New(fault.NotFound, "There is no such sub-account.")
	case c.Kind == nairav1.LiquidationKind_LIQUIDATION_KIND_UNSPECIFIED:
		return fault.Field("kind", "Choose whether it is your own savings or a payment of the group.")
	case a.member.Status == savings.Pending:
		return fault.New(fault.Conflict, "You wait to be approved by the group. You can ask for money once you are a member.")
	case !c.withdrawal() && a.member.Status != savings.Active:
		return fault.New(fault.Conflict, "You are inactive in this group, so you can ask for your own savings only.")
	case !c.withdrawal() && !a.group.SeesTotal(a.sub, c.User):
		return fault.New(fault.Forbidden, "Only those who may see what this sub-account holds can ask the group to pay somebody.")
	case a.group.Status == savings.Suspended:
		return fault.New(fault.Conflict, "The group is suspended, so nothing can be paid out of it. You can ask again once it is resumed.")
	case !a.group.PaysOut():
		return fault.New(fault.Conflict, "The group is not active, so nothing can be paid out of it.")
	case c.withdrawal() && a.open.Withdrawal != "", !c.withdrawal() && a.open.Disbursement != "":
		return fault.New(fault.Conflict, "You have a request like this open already. Wait until it is decided, or cancel it first.")
	}
	return c.decidable(a)
}

// decidable refuses a request that too few people are there to decide.
func (c Request) decidable(a asked) error {
	l := Liquidation{Status: Requested, RequestedBy: c.User}
	switch {
	case a.group.Validator == "":
		return fault.New(fault.Conflict, "The group has no validator, so nobody could validate this. Ask an approver to appoint one first.")
	case Needed(a.group, l) < 1:
		return fault.New(fault.Conflict, "Nobody else could approve this: nobody decides on their own request. Ask the owner to appoint another approver first.")
	}
	if !c.withdrawal() {
		return nil
	}
	switch {
	case a.owner.Closed:
		return fault.New(fault.Conflict, "This account is closed.")
	case a.owner.Bvn != account.Verified:
		return fault.New(fault.Conflict, "Please verify your BVN in your profile first: savings leave Adashi only for their owner's own account. Nothing was taken.")
	}
	return nil
}

// judge is what can be said of an amount without the ledger.
func (c Request) judge(charges payout.Charges) error {
	switch net := c.Amount - charges.Total(); {
	case c.Amount < Min:
		return fault.Field("amount", "The smallest amount that can be paid out is %s.", Min)
	case c.Amount > money.Max:
		return fault.Field("amount", "The amount is too large.")
	case c.Net != net:
		return &fault.Fault{Code: fault.Conflict, Field: "net", Message: "Of " + c.Amount.String() + " " + net.String() + " arrives, not " +
			c.Net.String() + ". Nothing was taken. Please look at the charges again."}
	}
	return nil
}

// within holds the amount to what the member has saved and to what the sub-account has.
func (c Request) within(a asked) error {
	switch {
	case c.withdrawal() && a.saved.Savings() < c.Amount:
		return fault.New(fault.Insufficient, "You have %s here that you can ask for, and this needs %s. Nothing was taken.", max(0, a.saved.Savings()), c.Amount)
	case a.pool < c.Amount && !a.group.SeesTotal(a.sub, c.User):
		return fault.New(fault.Insufficient, "The group cannot pay this out of this sub-account just now. Nothing was taken. Please talk to its owner.")
	case a.pool < c.Amount:
		return fault.New(fault.Insufficient, "%s of this sub-account is available, and this needs %s. Nothing was taken.", a.pool, c.Amount)
	}
	return nil
}

// Prospect is a request as it would be decided. It is for asking what one would cost: whoever may not know what the
// sub-account holds is told nothing of it, however often they ask.
type Prospect struct{ Request }

// Decide implements event.Command.
func (c Prospect) Decide(v event.View) ([]event.Draft, error) {
	if a := c.read(v); !a.group.SeesTotal(a.sub, c.User) {
		v = blind{v, posting.Pool(c.SubAccountID)}
	}
	return c.Request.Decide(v)
}

// blind is a view in which an account has enough of everything.
type blind struct {
	event.View
	account string
}

func (b blind) Balance(account string) money.Kobo {
	if account == b.account {
		return math.MaxInt64
	}
	return b.View.Balance(account)
}

// drawn is what of a member's savings is drawn from now on.
func drawn(groupID, subAccountID, user string, all money.Kobo) event.Draft {
	return event.Draft{Stream: savings.DuesStream(subAccountID, user), Message: &nairav1.SavingsDrawn{
		GroupId: groupID, SubAccountId: subAccountID, UserId: user, DrawnKobo: int64(all),
	}}
}

// counted is what a member has open of a group from now on; id is the open request of that kind, empty when it is over.
func counted(groupID, user string, open savings.OpenRequests, kind nairav1.LiquidationKind, id string) event.Draft {
	if kind == nairav1.LiquidationKind_LIQUIDATION_KIND_MEMBER_WITHDRAWAL {
		open.Withdrawal = id
	} else {
		open.Disbursement = id
	}
	return event.Draft{Stream: savings.RequestsStream(groupID, user), Message: &nairav1.RequestsCounted{
		GroupId: groupID, UserId: user, WithdrawalId: open.Withdrawal, DisbursementId: open.Disbursement,
	}}
}
