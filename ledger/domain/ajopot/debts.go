package ajopot

import (
	"fmt"
	"slices"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
)

// creditorStreams are what is read and written to pay debts to some people: whether they are still here, and where
// the money is parked of one who is not. key names what pays, and is used once.
func creditorStreams(people []string, key string) []string {
	var streams []string
	for _, user := range people {
		streams = append(streams, account.Stream(user), parking(key, user))
	}
	return streams
}

func creditorAccounts(people []string) []string {
	accounts := []string{posting.Losses, posting.Unmatched}
	for _, user := range people {
		accounts = append(accounts, posting.Wallet(user))
	}
	return accounts
}

// parking is the stream of money for a creditor who has closed their account.
func parking(key, user string) string { return wallet.ReturnStream(event.Vfd, parkingID(key, user)) }

func parkingID(key, user string) string { return "debt " + key + " to " + user }

// parked takes into suspense what was paid to creditors who have closed their account since: the finance desk finds
// out whose it is.
func parked(v event.View, key string, paid []Part) []event.Draft {
	return suspended(v, key, paid, "A debt of an ajo was paid to a member who has closed their account.")
}

// got takes into suspense what else an ajo paid to people who have closed their account since. Earlier builds left it
// in their wallets.
func got(v event.View, key string, parts []Part) []event.Draft {
	if _, earlier := v.(standing.Earlier); earlier {
		return nil
	}
	return suspended(v, key, parts, "An ajo paid a member who has closed their account.")
}

func suspended(v event.View, key string, paid []Part, reason string) []event.Draft {
	var out []event.Draft
	for _, p := range paid {
		if p.User != "" && p.Amount > 0 && standing.May(v, p.User, standing.Receive) != nil {
			out = append(out, wallet.ParkReturned(event.Vfd, parkingID(key, p.User), posting.Wallet(p.User), p.Amount, reason))
		}
	}
	return out
}

// returns are what some events give back of a pot or a deposit, and pay for a place, to whom, less what they paid of
// their debts with it.
func returns(drafts []event.Draft) (parts []Part) {
	for _, d := range drafts {
		switch m := d.Message.(type) {
		case *nairav1.AjoContributionReturned:
			parts = credit(parts, m.GetToUserId(), money.Kobo(m.GetAmountKobo()))
		case *nairav1.AjoDepositReturned:
			parts = credit(parts, m.GetUserId(), money.Kobo(m.GetAmountKobo()))
		case *nairav1.AjoPlaceTaken:
			parts = credit(parts, m.GetFromUserId(), money.Kobo(m.GetPriceKobo()))
		case *nairav1.AjoDebtPaid:
			if m.GetFrom() == nairav1.AjoDebtFrom_AJO_DEBT_FROM_WALLET && m.GetPaidBy() == m.GetDebtorId() {
				parts = credit(parts, m.GetDebtorId(), -money.Kobo(m.GetAmountKobo()))
			}
		}
	}
	return parts
}

// PayDebt pays a debt, or a part of it, from a wallet. Where another member pays it, the debtor owes it to them then,
// unless it is a gift.
type PayDebt struct {
	AjoID, DebtID string
	By            string // Whose wallet.
	Creditor      string // Of the debt; empty for Adashi.
	Amount        money.Kobo
	Gift          bool
	Taken         string // "due", "retry" or "sweep" when it is taken by consent.
	PaymentID     string
	Key           string // Names this payment once: a cover's debt is called by it.
}

// Streams implements event.Command.
func (c PayDebt) Streams() []string {
	streams := []string{ajo.Stream(c.AjoID), ajo.DebtStream(c.AjoID), ajo.BookStream(c.AjoID, c.By)}
	if c.Taken != "" {
		streams = append(streams, account.Stream(c.By))
	}
	return append(streams, creditorStreams(c.creditors(), c.Key)...)
}

func (c PayDebt) creditors() []string {
	if c.Creditor == "" {
		return nil
	}
	return []string{c.Creditor}
}

// Accounts implements event.Command.
func (c PayDebt) Accounts() []string {
	return append(creditorAccounts(c.creditors()), posting.Wallet(c.By))
}

// Decide implements event.Command. A debt outlives the ajo, and who left it can still pay.
func (c PayDebt) Decide(v event.View) ([]event.Draft, error) {
	a, debts := event.StateOf[ajo.Ajo](v, ajo.Stream(c.AjoID)), event.StateOf[Debts](v, ajo.DebtStream(c.AjoID))
	d, known := debts.ByID(c.DebtID)
	involved := a.IsMember(c.By) || d.Debtor == c.By
	switch {
	case !known || !involved || d.Creditor != c.Creditor:
		return nil, errNoDebt()
	case d.Left() <= 0:
		return nil, fault.New(fault.Conflict, "This debt is paid already. You have not been charged.")
	case c.By == d.Creditor:
		return nil, fault.New(fault.Conflict, "This is owed to you. Forgive it if you want no more of it.")
	case c.Taken != "" && (c.By != d.Debtor || !Agreed(v, c.AjoID, c.By, c.Taken)):
		return nil, fault.New(fault.Forbidden, "The debtor has not agreed to this.")
	}
	paid, err := payOff(c.AjoID, d, c.Amount, payer{from: nairav1.AjoDebtFrom_AJO_DEBT_FROM_WALLET, by: c.By, taken: c.Taken, payment: c.PaymentID})
	if err != nil {
		return nil, err
	}
	if err := wallet.Enough(v, c.By, c.Amount); err != nil {
		return nil, err
	}
	out := append([]event.Draft{paid}, parked(v, c.Key, []Part{{d.Creditor, c.Amount}})...)
	if c.By != d.Debtor && !c.Gift {
		out = append(out, opened(c.AjoID, Debt{
			ID: c.Key, Kind: nairav1.AjoDebtKind_AJO_DEBT_KIND_COVER, Cycle: d.Cycle, Seat: d.Seat, Debtor: d.Debtor, Creditor: c.By, Amount: c.Amount,
		}))
	}
	return out, nil
}

func errNoDebt() error { return fault.New(fault.NotFound, "There is no such debt.") }

// Agreed reports whether a member lets Adashi take something, a "due", a "retry" or a "sweep". Once an account is given
// back, what was agreed to while somebody else used it does not count. Earlier builds did not ask when.
func Agreed(v event.View, ajoID, user, what string) bool {
	b := event.StateOf[Book](v, ajo.BookStream(ajoID, user))
	if _, earlier := v.(standing.Earlier); !earlier && event.StateOf[account.Account](v, account.Stream(user)).Stolen(b.SetAt) {
		return false
	}
	switch what {
	case "due":
		return b.Dues
	case "retry", "sweep":
		return b.Sweep
	}
	return false
}

// Forgive lets a debtor off what is left of a debt. Only its creditor can.
type Forgive struct{ AjoID, DebtID, By string }

// Streams implements event.Command.
func (c Forgive) Streams() []string {
	return []string{ajo.DebtStream(c.AjoID), account.Stream(c.By)}
}

// Accounts implements event.Command.
func (Forgive) Accounts() []string { return nil }

// Decide implements event.Command.
func (c Forgive) Decide(v event.View) ([]event.Draft, error) {
	d, known := event.StateOf[Debts](v, ajo.DebtStream(c.AjoID)).ByID(c.DebtID)
	switch {
	case !known || d.Creditor != c.By && d.Debtor != c.By:
		return nil, errNoDebt()
	case d.Creditor != c.By:
		return nil, fault.New(fault.Forbidden, "Only the person you owe can forgive it.")
	case d.Left() <= 0:
		return nil, fault.New(fault.Conflict, "Nothing is left of this debt.")
	}
	if err := standing.May(v, c.By, standing.Decide); err != nil {
		return nil, err
	}
	return []event.Draft{forgiven(c.AjoID, d, d.Left())}, nil
}

func forgiven(ajoID string, d Debt, off money.Kobo) event.Draft {
	return event.On(ajo.DebtStream(ajoID), &nairav1.AjoDebtForgiven{
		AjoId: ajoID, DebtId: d.ID, DebtorId: d.Debtor, CreditorId: d.Creditor, AmountKobo: int64(off),
	})
}

// WaivePenalty undoes the penalty of a debt by a correction, as the rules do where the money had come in time. What was
// paid of it is owed back by who got it: nothing is taken from a pot or a wallet.
type WaivePenalty struct {
	AjoID, DebtID     string
	User              string // Whose penalty it is.
	DisputeID, PlanID string // The correction; no plan where it is only tried.
}

// Streams implements event.Command.
func (c WaivePenalty) Streams() []string { return []string{ajo.DebtStream(c.AjoID)} }

// Accounts implements event.Command.
func (WaivePenalty) Accounts() []string { return nil }

// Decide implements event.Command.
func (c WaivePenalty) Decide(v event.View) ([]event.Draft, error) {
	d, known := event.StateOf[Debts](v, ajo.DebtStream(c.AjoID)).ByID(c.DebtID)
	switch {
	case !known || d.Debtor != c.User:
		return nil, errNoDebt()
	case d.Penalty <= 0:
		return nil, fault.New(fault.Conflict, "No penalty stands for this debt, so there is none to waive.")
	}
	out := []event.Draft{event.On(ajo.DebtStream(c.AjoID), &nairav1.AjoPenaltyWaived{
		AjoId: c.AjoID, DebtId: d.ID, DebtorId: d.Debtor, CreditorId: d.Creditor, AmountKobo: int64(d.Penalty), DisputeId: c.DisputeID, PlanId: c.PlanID,
	})}
	return append(out, refund(c.AjoID, d.ID+".waived", d)...), nil
}

// refund has who got more of a debt than it was, without its penalty, owe that back. What was forgiven nobody paid.
func refund(ajoID, id string, d Debt) []event.Draft {
	over := d.Paid - d.Amount
	if over <= 0 {
		return nil
	}
	return []event.Draft{opened(ajoID, Debt{
		ID: id, Kind: nairav1.AjoDebtKind_AJO_DEBT_KIND_REFUND, Cycle: d.Cycle, Seat: d.Seat, Debtor: d.Creditor, Creditor: d.Debtor, Amount: over,
	})}
}

// Reverse takes out of an ajo what a payment put in, because the bank takes it back: out of the pot while that is not
// paid out, so that the due is open again, and out of the deposit. What went to others already, in a pot or for a debt,
// is lent to the payer's wallet as far as that lacks it: they owe it. It is part of a TakenBack.
type Reverse struct {
	AjoID     string
	Cycle     int // 0 for a deposit.
	PaymentID string
	User      string // Whose payment it was.
	DebtID    string
}

// Streams are what it reads and writes.
func (c Reverse) Streams() []string {
	streams := []string{ajo.Stream(c.AjoID), ajo.DebtStream(c.AjoID), ajo.BookStream(c.AjoID, c.User)}
	if c.Cycle > 0 {
		streams = append(streams, CycleStream(c.AjoID, c.Cycle))
	}
	return streams
}

// Accounts are what it reads and moves.
func (c Reverse) Accounts() []string {
	accounts := []string{posting.Deposit(c.AjoID, c.User), posting.Wallet(c.User)}
	if c.Cycle > 0 {
		accounts = append(accounts, posting.Pot(c.AjoID, c.Cycle))
	}
	return accounts
}

// contributed is what the payment put into the pot of its cycle.
func (c Reverse) contributed(v event.View) (p Payment, paidOut bool) {
	if c.Cycle == 0 {
		return p, false
	}
	cycle := event.StateOf[Cycle](v, CycleStream(c.AjoID, c.Cycle))
	if i := slices.IndexFunc(cycle.Payments, func(p Payment) bool { return p.PaymentID == c.PaymentID && p.By == c.User }); i >= 0 {
		p = cycle.Payments[i]
	}
	return p, cycle.PaidOut
}

// takes is what goes back to the payer's wallet of what the payment put in, and how much that is. Earlier builds took
// out whole contributions, and nothing else.
func (c Reverse) takes(v event.View, most money.Kobo) (out []event.Draft, back money.Kobo) {
	a := event.StateOf[ajo.Ajo](v, ajo.Stream(c.AjoID))
	if p, paidOut := c.contributed(v); p.Amount > 0 && !paidOut {
		if !a.Earlier {
			p.Amount = min(p.Amount, most)
		}
		if p.Amount <= 0 {
			return nil, 0 // All of the payment went back before, and this is beyond it.
		}
		return c.fromPot(v, a, p), p.Amount
	}
	back = min(event.StateOf[Book](v, ajo.BookStream(c.AjoID, c.User)).By(c.PaymentID), v.Balance(posting.Deposit(c.AjoID, c.User)), most)
	if back <= 0 || a.Earlier {
		return nil, 0
	}
	return []event.Draft{event.On(ajo.BookStream(c.AjoID, c.User), &nairav1.AjoDepositReturned{AjoId: c.AjoID, UserId: c.User, AmountKobo: int64(back)})}, back
}

// fromPot takes some of a contribution out of its pot. Where the pot is ready it is missing there: the payer's deposit
// first, then a debt. Of a cover it is a debt of the member whose due it paid.
func (c Reverse) fromPot(v event.View, a ajo.Ajo, p Payment) []event.Draft {
	out := c.back(v, p)
	ready, is := a.ReadyOf(c.Cycle)
	if !is || p.Seat == ready.Seat {
		return out // Still open, or netted.
	}
	used := money.Kobo(0)
	if p.User == c.User {
		used = min(p.Amount, v.Balance(posting.Deposit(c.AjoID, c.User)))
	}
	if used > 0 && !a.Earlier {
		p.Amount -= used
		out = append(out, event.On(CycleStream(c.AjoID, c.Cycle), &nairav1.AjoDepositUsed{
			AjoId: c.AjoID, UserId: p.User, Cycle: int32(c.Cycle), Seat: int32(p.Seat), AmountKobo: int64(used),
		}))
	}
	return append(out, shortfalls(c.AjoID, a, ready.Seat, Debt{ID: c.DebtID, Cycle: c.Cycle, Seat: p.Seat, Debtor: p.User, Amount: p.Amount})...)
}

// owed is what the payer's wallet lacks of a contribution to a pot that is paid out: in earlier builds they owed it to
// Adashi in the ajo.
func (c Reverse) owed(v event.View, short money.Kobo) []event.Draft {
	p, paidOut := c.contributed(v)
	if !paidOut || p.Amount == 0 {
		return nil
	}
	return []event.Draft{opened(c.AjoID, Debt{
		ID: c.DebtID, Kind: nairav1.AjoDebtKind_AJO_DEBT_KIND_REVERSAL, Cycle: c.Cycle, Seat: p.Seat, Debtor: c.User, Amount: short,
	})}
}

// back returns a payment to who paid it, for the bank takes it from them. What they got for a cover since they owe
// back.
func (c Reverse) back(v event.View, p Payment) []event.Draft {
	debts := event.StateOf[Debts](v, ajo.DebtStream(c.AjoID))
	out := []event.Draft{event.On(CycleStream(c.AjoID, c.Cycle), &nairav1.AjoContributionReturned{
		AjoId: c.AjoID, Cycle: int32(c.Cycle), Seat: int32(p.Seat), UserId: p.User, PaidBy: p.By, AmountKobo: int64(p.Amount), Reason: tookBack, ToUserId: p.By,
	})}
	rest := p.Amount
	for _, d := range debts.All {
		if d.Kind != nairav1.AjoDebtKind_AJO_DEBT_KIND_COVER || d.Cycle != c.Cycle || d.Seat != p.Seat || d.Debtor != p.User || d.Creditor != p.By {
			continue
		}
		if off := min(rest, d.Left()); off > 0 {
			out, rest = append(out, forgiven(c.AjoID, d, off)), rest-off
		}
		id := c.DebtID + ".refund." + d.ID
		if event.StateOf[ajo.Ajo](v, ajo.Stream(c.AjoID)).Earlier {
			id = c.DebtID + ".refund"
		}
		if off := min(rest, d.Paid); off > 0 {
			rest -= off
			out = append(out, opened(c.AjoID, Debt{
				ID: id, Kind: nairav1.AjoDebtKind_AJO_DEBT_KIND_REFUND, Cycle: c.Cycle, Seat: p.Seat, Debtor: p.By, Creditor: p.User, Amount: off,
			}))
		}
	}
	return out
}

const tookBack = "The bank took the payment back."

// shortfalls are the debts for what is missing of a pot to each who collects it, with the penalty. Nobody owes
// themselves.
func shortfalls(ajoID string, a ajo.Ajo, beneficiary int, missing Debt) []event.Draft {
	var out []event.Draft
	creditors, left := a.Seats[beneficiary-1].Places, missing.Amount
	for n, creditor := range creditors {
		part := missing.Amount * money.Kobo(creditor.Halves) / 2
		if n == len(creditors)-1 {
			part = left
		}
		if left -= part; part <= 0 || creditor.User == missing.Debtor {
			continue
		}
		d := missing
		d.ID, d.Kind = fmt.Sprintf("%s.%d", missing.ID, n+1), nairav1.AjoDebtKind_AJO_DEBT_KIND_SHORTFALL
		d.Creditor, d.Amount, d.Penalty = creditor.User, part, ajo.Penalty(a.Terms, part)
		out = append(out, opened(ajoID, d))
	}
	return out
}

// lapse pays what a member owes out of their deposit, but for what they still have to deposit, and returns the rest of
// it. It answers what it paid to whom.
func lapse(v event.View, ajoID, user string, debts Debts, keep money.Kobo) (out []event.Draft, paid []Part, err error) {
	held := max(0, v.Balance(posting.Deposit(ajoID, user))-keep)
	for _, d := range debts.Open(user) {
		part := min(held, d.Left())
		if part <= 0 {
			continue
		}
		draft, err := payOff(ajoID, d, part, payer{from: nairav1.AjoDebtFrom_AJO_DEBT_FROM_DEPOSIT, by: user})
		if err != nil {
			return nil, nil, err
		}
		out, held, paid = append(out, draft), held-part, credit(paid, d.Creditor, part)
	}
	if held > 0 {
		out = append(out, event.On(ajo.BookStream(ajoID, user), &nairav1.AjoDepositReturned{AjoId: ajoID, UserId: user, AmountKobo: int64(held)}))
	}
	return out, paid, nil
}
