package wallet

import (
	"strings"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/seen"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
)

// Debt is the state of the stream of what a member owes Adashi. How much it is, their posting.Owed account says.
//
//	"" ──▶ opened ⇄ proposed to be written off ──▶ written off     two of FinanceOps decide
//
// A proposal is about all that is owed: it ends when that changes.
type Debt struct {
	Proposal   string     // That it be written off; empty where nothing is proposed.
	Amount     money.Kobo // That it is about.
	ProposedBy string
	Reason     string
}

// Debts folds the stream of what a member owes.
var Debts = event.Of("debt", 1, func(_ Debt, e event.Happened) Debt {
	switch m := e.Message.(type) {
	case *nairav1.WriteOffProposed:
		return Debt{m.GetProposalId(), money.Kobo(m.GetAmountKobo()), m.GetProposedBy(), m.GetReason()}
	default: // What is owed changed, or it was decided.
		return Debt{}
	}
})

// DebtStream is the stream of what a member owes.
func DebtStream(userID string) string { return "debt:" + userID }

// OwedBy is what a member owes Adashi. The command that asks must name their posting.Owed account.
func OwedBy(v event.View, user string) money.Kobo { return -v.Balance(posting.Owed(user)) }

// OwesNothing refuses to let money leave for a bank while its member owes Adashi.
func OwesNothing(v event.View, user string) error {
	if owed := OwedBy(v, user); owed > 0 {
		return fault.New(fault.Conflict, "%s is owed to Adashi, because a bank took back a payment after its money was used. "+
			"Nothing goes to a bank until that is paid: add %s to the wallet, and it is paid at once. Nothing was taken.", owed, owed)
	}
	return nil
}

// lend opens a debt for what a wallet lacks.
func lend(user, paymentID string, amount money.Kobo) event.Draft {
	return event.On(DebtStream(user), &nairav1.DebtOpened{UserId: user, PaymentId: paymentID, AmountKobo: int64(amount)})
}

// Settled pays a part of what a member owes out of their wallet.
func Settled(user string, owed, pays money.Kobo) event.Draft {
	return event.On(DebtStream(user), &nairav1.DebtSettled{UserId: user, AmountKobo: int64(pays), LeftKobo: int64(owed - pays)})
}

// Lent is what some events lend a member.
func Lent(drafts []event.Draft) (sum money.Kobo) {
	for _, d := range drafts {
		if m, is := d.Message.(*nairav1.DebtOpened); is {
			sum += money.Kobo(m.GetAmountKobo())
		}
	}
	return sum
}

// ProposeWriteOff says that Adashi should bear what a member owes. Nobody proposes it for themselves.
type ProposeWriteOff struct {
	User, ProposalID, By, Reason string
}

// Streams implements event.Command.
func (c ProposeWriteOff) Streams() []string {
	return []string{DebtStream(c.User), account.Stream(c.By)}
}

// Accounts implements event.Command.
func (c ProposeWriteOff) Accounts() []string { return []string{posting.Owed(c.User)} }

// Decide implements event.Command.
func (c ProposeWriteOff) Decide(v event.View) ([]event.Draft, error) {
	d, owed := event.StateOf[Debt](v, DebtStream(c.User)), OwedBy(v, c.User)
	switch {
	case owed == 0:
		return nil, fault.New(fault.Conflict, "This member owes nothing.")
	case d.Proposal != "":
		return nil, fault.New(fault.Conflict, "A write-off is proposed already. Decide on that one first.")
	case strings.TrimSpace(c.Reason) == "":
		return nil, fault.Field("reason", "Say why Adashi should bear this.")
	case c.By == "" || c.By == c.User:
		return nil, standing.Own.May(standing.Credit)
	}
	if err := standing.May(v, c.By, standing.Credit); err != nil {
		return nil, err
	}
	return []event.Draft{event.On(DebtStream(c.User), &nairav1.WriteOffProposed{
		UserId: c.User, ProposalId: c.ProposalID, AmountKobo: int64(owed), ProposedBy: c.By, Reason: c.Reason,
	})}, nil
}

// DecideWriteOff agrees to somebody else's proposal, which writes the debt off, or declines it. It names the proposal
// that its giver saw. The proposer may take it back.
type DecideWriteOff struct {
	User, By string
	Seen     seen.Version // The proposal that they decide on.
	Approve  bool
	Reason   string // Needed to decline.
}

// Streams implements event.Command.
func (c DecideWriteOff) Streams() []string {
	return []string{DebtStream(c.User), account.Stream(c.By)}
}

// Accounts implements event.Command.
func (c DecideWriteOff) Accounts() []string {
	return []string{posting.Owed(c.User), posting.Losses}
}

// Decide implements event.Command.
func (c DecideWriteOff) Decide(v event.View) ([]event.Draft, error) {
	d := event.StateOf[Debt](v, DebtStream(c.User))
	switch {
	case c.Seen.Still(seen.Version(d.Proposal)) != nil:
		return nil, c.Seen.Still(seen.Version(d.Proposal))
	case !c.Approve && strings.TrimSpace(c.Reason) == "":
		return nil, fault.Field("reason", "Say why the proposal is declined.")
	case c.By == "" || c.By == c.User:
		return nil, standing.Own.May(standing.Credit)
	case !c.Approve:
		return []event.Draft{event.On(DebtStream(c.User), &nairav1.WriteOffDeclined{
			UserId: c.User, ProposalId: d.Proposal, DeclinedBy: c.By, Reason: c.Reason,
		})}, nil
	case c.By == d.ProposedBy:
		return nil, fault.New(fault.Forbidden, "You proposed this yourself. A second person must agree.")
	}
	if err := standing.May(v, c.By, standing.Credit); err != nil {
		return nil, err
	}
	return []event.Draft{event.On(DebtStream(c.User), &nairav1.DebtWrittenOff{
		UserId: c.User, ProposalId: d.Proposal, AmountKobo: int64(d.Amount), ProposedBy: d.ProposedBy, ApprovedBy: c.By, Reason: d.Reason,
	})}, nil
}
