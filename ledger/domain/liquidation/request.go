package liquidation

import (
	"cmp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/disputed"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/domain/wording"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
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
	FeeTable              int32      // By which it was told; 0 for today's.
	Provider              event.Provider
	Reason                string
	Officers              savings.Officers
	Tiers                 account.Tiers // Savings are asked for within the day's limit; the zero Tiers limit nothing.
	OwnAccount            bool          // A payment of the group would go to the asker's own bank account; see Officers.Paid.
	At                    time.Time
}

const withdrawal = nairav1.LiquidationKind_LIQUIDATION_KIND_MEMBER_WITHDRAWAL

func (c Request) withdrawal() bool {
	return c.Kind == withdrawal
}

func (c Request) table() int32 { return cmp.Or(c.FeeTable, payout.FeeTable) }

// act is what it is of its asker: they have their own savings paid out, or ask the group to pay.
func (c Request) act() standing.Act {
	if c.withdrawal() {
		return standing.WithdrawSavings
	}
	return standing.Claim
}

// Streams implements event.Command.
func (c Request) Streams() []string {
	return append([]string{
		Stream(c.LiquidationID), savings.GroupStream(c.GroupID), savings.MemberStream(c.GroupID, c.User), savings.SubStream(c.SubAccountID),
		dues.Stream(c.SubAccountID, c.User), savings.RequestsStream(c.GroupID, c.User), account.Stream(c.User), disputed.Stream(c.SubAccountID),
	}, c.Officers.Streams()...)
}

// Accounts implements event.Command.
func (c Request) Accounts() []string {
	return []string{posting.Pool(c.SubAccountID), posting.Held(posting.Pool(c.SubAccountID)), posting.Owed(c.User)}
}

// asked is what a request is decided from.
type asked struct {
	group  savings.Group
	member savings.Member
	sub    savings.SubAccount
	saved  dues.State
	open   savings.OpenRequests
	owner  account.Account
	before bool  // An earlier build decided it.
	barred error // What their account's standing refuses.
	owes   error // Refuses to have their own savings while they owe Adashi.
	pool   money.Kobo
	held   money.Kobo // Of the member's savings, because they dispute a payout.
}

func (c Request) read(v event.View) asked {
	_, before := v.(standing.Earlier)
	return asked{
		before: before,
		group:  event.StateOf[savings.Group](v, savings.GroupStream(c.GroupID)),
		member: event.StateOf[savings.Member](v, savings.MemberStream(c.GroupID, c.User)),
		sub:    event.StateOf[savings.SubAccount](v, savings.SubStream(c.SubAccountID)),
		saved:  event.StateOf[dues.State](v, dues.Stream(c.SubAccountID, c.User)),
		open:   event.StateOf[savings.OpenRequests](v, savings.RequestsStream(c.GroupID, c.User)),
		owner:  event.StateOf[account.Account](v, account.Stream(c.User)),
		barred: standing.May(v, c.User, c.act()),
		owes:   wallet.OwesNothing(v, c.User),
		pool:   v.Balance(posting.Pool(c.SubAccountID)),
		held:   event.StateOf[disputed.Money](v, disputed.Stream(c.SubAccountID)).Of(c.User, c.At),
	}
}

// Decide implements event.Command. An amount above the sub-account's money is Insufficient to those who may know its
// total; a net that is not the amount less the charges is Conflict and says the right one.
func (c Request) Decide(v event.View) ([]event.Draft, error) {
	a := c.read(v)
	if event.StateOf[Liquidation](v, Stream(c.LiquidationID)).Status != None {
		return nil, fault.New(fault.Conflict, "This was requested already.")
	}
	reason, err := readReason(c.Reason, a.before)
	if err == nil {
		err = c.may(a)
	}
	charges := payout.ChargesBy(c.table(), c.Amount)
	if err == nil {
		err = c.judge(charges)
	}
	if err == nil {
		err = c.within(a)
	}
	if err != nil {
		return nil, err
	}
	deciders, err := c.deciders(v, a)
	if err != nil {
		return nil, err
	}
	drafts := []event.Draft{
		{Stream: Stream(c.LiquidationID), Message: c.asks(a, charges, reason)},
		{Stream: Stream(c.LiquidationID), Message: deciders},
	}
	if c.withdrawal() {
		drafts = append(drafts, drawn(c.GroupID, c.SubAccountID, c.User, a.saved.Drawn+c.Amount))
	}
	return append(drafts, counted(c.GroupID, c.User, a.open, c.Kind, c.LiquidationID)), nil
}

// asks is the event of the request itself: one that holds the amount, or does not because the sub-account has too
// little.
func (c Request) asks(a asked, charges payout.Charges, reason string) proto.Message {
	expires := timestamppb.New(c.At.Add(Open))
	if a.pool < c.Amount {
		return &nairav1.LiquidationAskedV2{
			LiquidationId: c.LiquidationID, GroupId: c.GroupID, SubAccountId: c.SubAccountID, RequestedBy: c.User,
			AmountKobo: int64(c.Amount), FeeKobo: int64(charges.Fee), VatKobo: int64(charges.VAT), DutyKobo: int64(charges.Duty), FeeTable: c.table(),
			Provider: string(c.Provider), Reason: reason, ExpiresAt: expires,
		}
	}
	return &nairav1.LiquidationRequestedV2{
		LiquidationId: c.LiquidationID, GroupId: c.GroupID, SubAccountId: c.SubAccountID, RequestedBy: c.User, Kind: c.Kind,
		AmountKobo: int64(c.Amount), FeeKobo: int64(charges.Fee), VatKobo: int64(charges.VAT), DutyKobo: int64(charges.Duty), FeeTable: c.table(),
		Provider: string(c.Provider), Reason: reason, ExpiresAt: expires,
	}
}

// deciders fixes who decides: the validator and two approvers, or the only one. Where the validator asks or may not
// decide, an approver validates, and does not approve. Fewer approvals are never enough because somebody may not
// decide. A payment of the group to an official's own account takes all approvers who may decide.
func (c Request) deciders(v event.View, a asked) (*nairav1.LiquidationDecidersFixed, error) {
	bench, err := c.Officers.Bench(v, a.group, c.At, c.User)
	if err != nil {
		return nil, err
	}
	validators, able := []string{bench.Validator}, len(bench.Approvers)
	if bench.Validator == "" {
		validators, able = bench.Approvers, able-1
	}
	if able < 1 || bench.Short() && !a.before {
		return nil, errUndecidable(a.group, bench)
	}
	fixed := &nairav1.LiquidationDecidersFixed{
		LiquidationId: c.LiquidationID, GroupId: c.GroupID, ValidatorIds: validators, ApproverIds: bench.Approvers, ApprovalsNeeded: int32(min(ApprovalsMost, able)),
	}
	if c.withdrawal() {
		return fixed, nil
	}
	fixed.PayableFrom, fixed.Shown = timestamppb.New(c.At.Add(a.group.Notice.At(c.At))), a.group.ShowTotal && a.sub.ShowTotal
	if c.OwnAccount && a.group.Official(c.User) || len(c.Officers.Paid) > 0 {
		fixed.OwnAccount, fixed.ApprovalsNeeded = true, int32(able)
	}
	return fixed, nil
}

// errUndecidable says what is missing for somebody to decide.
func errUndecidable(g savings.Group, bench savings.Bench) error {
	switch {
	case g.Validator == "":
		return fault.New(fault.Conflict, "The group has no validator, so nobody could validate this. Ask an approver to appoint one first.")
	case bench.Why() == "":
		return fault.New(fault.Conflict, "Nobody else could approve this: nobody decides on their own request. Ask the owner to appoint another approver first.")
	}
	return fault.New(fault.Conflict, "Too few people can decide on this yet, so nothing was taken. %s Another approver must be appointed first.", bench.Why())
}

// readReason cleans a reason and holds it to its bounds. Every member reads it in a notice, so it carries no address
// and nothing that cannot be seen. Earlier builds refused neither.
func readReason(reason string, before bool) (string, error) {
	if !before {
		return wording.Text("reason", "The reason", reason, reasonMin, reasonMax)
	}
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
	theirs, is := c.withdrawal() && a.saved.Savings() > 0, a.member.Standing()
	switch {
	case !c.Provider.Valid():
		return fault.New(fault.Conflict, "Nobody pays out just now. Please try again later.")
	case a.sub.Status == savings.None || a.sub.Group != c.GroupID:
		return fault.New(fault.NotFound, "There is no such sub-account.")
	case !theirs && (is == standing.Stranger || is == standing.Invited):
		return is.May(c.act())
	case c.Kind == nairav1.LiquidationKind_LIQUIDATION_KIND_UNSPECIFIED:
		return fault.Field("kind", "Choose whether it is your own savings or a payment of the group.")
	case (is == standing.Waiting || is == standing.Inactive) && is.May(c.act()) != nil:
		return is.May(c.act())
	case !c.withdrawal() && !a.group.SeesTotal(a.sub, c.User):
		return fault.New(fault.Forbidden, "Only those who may see what this sub-account holds can ask the group to pay somebody.")
	case a.barred != nil:
		return a.barred
	case a.group.Status == savings.Suspended:
		return fault.New(fault.Conflict, "The group is suspended, so nothing can be paid out of it. You can ask again once it is resumed.")
	case !a.group.PaysOut():
		return fault.New(fault.Conflict, "The group is not active, so nothing can be paid out of it.")
	case c.withdrawal() && a.open.Withdrawal != "", !c.withdrawal() && a.open.Disbursement != "":
		return fault.New(fault.Conflict, "You have a request like this open already. Wait until it is decided, or cancel it first.")
	}
	switch held, proposed := a.owner.MayAskOut(c.At), a.owner.Proposed(c.At); {
	case (c.withdrawal() || c.OwnAccount) && held != nil:
		return held
	case (c.withdrawal() || c.OwnAccount) && proposed != nil && !a.before:
		return proposed
	case c.withdrawal() && a.owes != nil:
		return a.owes
	case a.owner.Bvn == account.Verified:
		return nil
	case c.withdrawal():
		return fault.New(fault.Conflict, "Please verify your BVN in your profile first: savings leave Adashi only for their owner's own account. Nothing was taken.")
	case a.before:
		return nil
	}
	return fault.New(fault.Conflict, "Please verify your BVN in your profile first: who asks a group to pay somebody must be known to a bank. Nothing was taken.")
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

// within holds the amount to what the member has saved and to what the sub-account has. Who may not know what it has is
// answered the same whatever that is: see asks.
func (c Request) within(a asked) error {
	switch {
	case c.withdrawal() && c.Tiers != (account.Tiers{}) && c.Amount > c.Tiers[a.owner.Level()].Daily:
		return fault.New(fault.Insufficient, "At tier %d up to %s may leave for your bank in a day. Ask for that at most. Nothing was taken.", a.owner.Level(), c.Tiers[a.owner.Level()].Daily)
	case c.withdrawal() && a.saved.Savings() < c.Amount:
		return fault.New(fault.Insufficient, "You have %s here that you can ask for, and this needs %s. Nothing was taken.", max(0, a.saved.Savings()), c.Amount)
	case c.withdrawal() && a.saved.Savings()-a.held < c.Amount:
		return fault.New(fault.Insufficient, "You hold %s here, because you dispute a payout. Ask for %s at most, or take the dispute back first. Nothing was taken.", a.held, max(0, a.saved.Savings()-a.held))
	case a.pool < c.Amount && a.group.SeesTotal(a.sub, c.User):
		return fault.New(fault.Insufficient, "%s of this sub-account is available, and this needs %s. Nothing was taken.", a.pool, c.Amount)
	}
	return nil
}

// drawn is what of a member's savings is drawn from now on.
func drawn(groupID, subAccountID, user string, all money.Kobo) event.Draft {
	return event.Draft{Stream: dues.Stream(subAccountID, user), Message: &nairav1.SavingsDrawn{
		GroupId: groupID, SubAccountId: subAccountID, UserId: user, DrawnKobo: int64(all),
	}}
}

// counted is what a member has open of a group from now on; id is the open request of that kind, empty when it is over.
func counted(groupID, user string, open savings.OpenRequests, kind nairav1.LiquidationKind, id string) event.Draft {
	if kind == withdrawal {
		open.Withdrawal = id
	} else {
		open.Disbursement = id
	}
	return event.Draft{Stream: savings.RequestsStream(groupID, user), Message: &nairav1.RequestsCounted{
		GroupId: groupID, UserId: user, WithdrawalId: open.Withdrawal, DisbursementId: open.Disbursement,
	}}
}
