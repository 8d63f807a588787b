package ledger

import (
	"strings"
	"time"

	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/redecide"
	"adashi.ng/ledger/posting"
)

// Jobs are what jobs do by themselves about a member's dues and about an ajo. They give the commands that the jobs of
// the services give; the rules decide whether it is time. Rounds are those that ajo are drawn with.
func Jobs(rounds Rounds) redecide.Jobs {
	return redecide.Jobs{Together: together, Daily: rounds.daily, AtOnce: atOnce, Between: between}
}

// Part reports whether an event is a part of what its command came to, which a lab leaves out or changes by itself.
func Part(m proto.Message) bool {
	switch m.(type) {
	case *nairav1.AjoDebtOpened, *nairav1.AjoDepositUsed, *nairav1.AjoPenaltyReversed, *nairav1.PenaltyReversed:
		return true
	}
	return false
}

// Alike reports whether two events do the same: a payment of the same due tells beside it what others owe to the pot.
func Alike(a, b proto.Message) bool {
	x, one := a.(*nairav1.AjoContributed)
	y, other := b.(*nairav1.AjoContributed)
	if !one || !other {
		return false
	}
	x = proto.CloneOf(x)
	x.MissingKobo = y.GetMissingKobo()
	return proto.Equal(x, y)
}

// together calls all streams of an ajo by its own.
func together(stream string) string {
	category, rest, _ := strings.Cut(stream, ":")
	switch category {
	case "ajocycle", "ajodebt", "ajopaid":
		id, _, _ := strings.Cut(rest, ":")
		return ajo.Stream(id)
	}
	return stream
}

func (rounds Rounds) daily(v event.View, name string, m proto.Message, at time.Time) []event.Command {
	if id, is := strings.CutPrefix(name, ajo.Stream("")); is {
		return rounds.ajoJobs(v, id, at)
	}
	of, is := m.(interface {
		GetGroupId() string
		GetSubAccountId() string
		GetUserId() string
	})
	if !is || !strings.HasPrefix(name, "dues:") {
		return nil
	}
	return one(dues.Penalise{GroupID: of.GetGroupId(), SubAccountID: of.GetSubAccountId(), User: of.GetUserId(), Now: at})
}

// atOnce makes a pot ready that a payment filled, and takes part of what came into a wallet for debts, where their
// debtor agreed to it.
func atOnce(name string, m proto.Message, at time.Time) []event.Command {
	id, is := strings.CutPrefix(name, ajo.Stream(""))
	if !is {
		return nil
	}
	switch m := m.(type) {
	case *nairav1.AjoContributed:
		if m.GetAjoId() == id {
			return one(judge(id, int(m.GetCycle()), at))
		}
	case *nairav1.PaymentConfirmedV2:
		return one(sweeps{id, m.GetUserId(), money.Kobo(m.GetAmountKobo()), m.GetPaymentId()})
	case *nairav1.UnmatchedAssigned:
		return one(sweeps{id, m.GetUserId(), money.Kobo(m.GetAmountKobo()), m.GetProviderRef()})
	}
	return nil
}

// ajoJobs are what jobs do about an ajo on a day: before it starts about its list, and then dues by consent, the pot of
// the cycle, retries of debts, pots that nobody decided about, and what the calendar brings.
func (rounds Rounds) ajoJobs(v event.View, id string, at time.Time) (out []event.Command) {
	a := event.StateOf[ajo.Ajo](v, ajo.Stream(id))
	if !a.HasStarted() {
		return rounds.listJobs(id, a, at)
	}
	today, k := savings.Day(at), a.Current()
	if !a.Over() {
		out = append(takeDues(v, id, a, at), judge(id, k, at))
	}
	for _, r := range a.Cycles {
		if !event.StateOf[ajopot.Cycle](v, ajopot.CycleStream(id, r.Cycle)).PaidOut {
			out = append(out, paySilent(id, r.Cycle, at))
		}
	}
	out = append(out, retries(v, id, a, today)...)
	for _, o := range a.Openings {
		out = append(out, freeze(id, o.Seat, at))
	}
	for _, m := range a.Motions {
		out = append(out, terminate(id, m.ID), ajo.EndMotion(id, m.ID, at))
	}
	return append(out, ajo.Resume(id, today), complete(id))
}

// takeDues pays what is due of those who agreed to it, from the due day on.
func takeDues(v event.View, id string, a ajo.Ajo, at time.Time) (out []event.Command) {
	k, today := a.Current(), savings.Day(at)
	if today.Before(a.Opens(k)) || today.Before(a.Due(k)) || today.After(a.Deadline(k)) {
		return nil
	}
	cycle := event.StateOf[ajopot.Cycle](v, ajopot.CycleStream(id, k))
	for i, seat := range a.Seats {
		for _, p := range seat.Places {
			missing := a.DueOf(i+1, p, k) - cycle.Paid(i+1, p.User)
			if i+1 == a.Order[k-1] || missing <= 0 || !ajopot.Agreed(v, id, p.User, "due") {
				continue
			}
			out = append(out, ajopot.Pay{
				AjoID: id, Cycle: k, Seat: i + 1, User: p.User, By: p.User, Amount: missing, Channel: nairav1.Channel_CHANNEL_WALLET, At: at,
			})
		}
	}
	return out
}

// retries take debts from the wallets of debtors who agreed to it, on the days that the terms name.
func retries(v event.View, id string, a ajo.Ajo, today time.Time) (out []event.Command) {
	for _, d := range event.StateOf[ajopot.Debts](v, ajo.DebtStream(id)).All {
		for _, n := range a.Terms.GetRetryDays() {
			if day := savings.Day(d.OpenedAt).AddDate(0, 0, int(n)); day.Equal(today) {
				out = append(out, asThen{ajoStreams(id), func(v event.View) event.Command {
					now, _ := event.StateOf[ajopot.Debts](v, ajo.DebtStream(id)).ByID(d.ID)
					return taken(id, now, "retry", d.ID+today.Format(time.DateOnly), v.Balance(posting.Wallet(d.Debtor)))
				}})
			}
		}
	}
	return out
}

// sweeps takes part of what came into a wallet for its owner's debts, the oldest first.
type sweeps struct {
	ajo, user string
	amount    money.Kobo
	reference string
}

// Streams implements event.Command.
func (c sweeps) Streams() []string { return ajoStreams(c.ajo) }

// Accounts implements event.Command.
func (sweeps) Accounts() []string { return nil }

// Decide implements event.Command.
func (c sweeps) Decide(v event.View) (out []event.Draft, err error) {
	a := event.StateOf[ajo.Ajo](v, ajo.Stream(c.ajo))
	most := c.amount * money.Kobo(a.Terms.GetSweepBasisPoints()) / 10_000
	for _, d := range event.StateOf[ajopot.Debts](v, ajo.DebtStream(c.ajo)).Open(c.user) {
		part := min(d.Left(), most)
		if part <= 0 {
			break
		}
		drafts, err := taken(c.ajo, d, "sweep", c.reference+"."+d.ID, part).Decide(v)
		if err != nil {
			return nil, err
		}
		out, most = append(out, drafts...), most-part
	}
	return out, nil
}

// taken takes at most so much of a debt from its debtor's wallet, where they agreed to it.
func taken(id string, d ajopot.Debt, how, key string, most money.Kobo) event.Command {
	return ajopot.PayDebt{AjoID: id, DebtID: d.ID, By: d.Debtor, Creditor: d.Creditor, Amount: min(d.Left(), most), Taken: how, Key: key}
}
