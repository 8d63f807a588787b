package town

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/event"
)

// inOfficeFor is how long somebody must have held an office before they decide on money.
const inOfficeFor = 72 * time.Hour

// office is what the town remembers of a group: who holds an office since when.
type office map[string]time.Time

// decided is how one payout of a group came about.
type decided struct {
	group    string
	asker    string          // Nobody decides on what they asked for.
	officers []string        // Those who had held an office for long enough when it was asked for, and whose BVN is known.
	by       map[string]bool // Those who validated or approved it.
	sent     []string        // The references under which it went to the bank.
	askedAt  time.Time
	sentAt   time.Time
}

// deciders reads the events of groups in their order, and gathers who decided on each payout.
type deciders struct {
	offices  map[string]office
	verified map[string]bool
	payouts  map[string]*decided
	askers   map[string]string // By payout.
}

func (d *deciders) holds(group, user string, since time.Time) {
	if d.offices[group] == nil {
		d.offices[group] = office{}
	}
	if _, already := d.offices[group][user]; !already {
		d.offices[group][user] = since
	}
}

func (d *deciders) by(liquidation, user string) {
	if p := d.payouts[liquidation]; p != nil {
		p.by[user] = true
	}
}

// take takes in an event.
func (d *deciders) take(r event.Record) error {
	message, err := event.Decode(r.Type, r.Body)
	if err != nil {
		return err
	}
	switch m := message.(type) {
	case *nairav1.GroupCreated:
		d.holds(m.GetGroupId(), m.GetOwnerId(), r.RecordedAt)
	case *nairav1.ApproverAppointed:
		d.holds(m.GetGroupId(), m.GetUserId(), r.RecordedAt)
	case *nairav1.ValidatorAppointed:
		d.holds(m.GetGroupId(), m.GetUserId(), r.RecordedAt)
	case *nairav1.ApproverRemoved:
		delete(d.offices[m.GetGroupId()], m.GetUserId())
	case *nairav1.BvnVerified:
		d.verified[m.GetUserId()] = true
	case *nairav1.BvnMatchUndone:
		delete(d.verified, m.GetUserId())
	case *nairav1.AccountClosed:
		delete(d.verified, m.GetUserId())
	case *nairav1.LiquidationRequestedV2:
		d.askers[m.GetLiquidationId()] = m.GetRequestedBy()
	case *nairav1.LiquidationAskedV2:
		d.askers[m.GetLiquidationId()] = m.GetRequestedBy()
	case *nairav1.LiquidationDecidersFixed:
		p := &decided{group: m.GetGroupId(), asker: d.askers[m.GetLiquidationId()], by: map[string]bool{}, askedAt: r.RecordedAt}
		for user, since := range d.offices[p.group] {
			if d.verified[user] && r.RecordedAt.Sub(since) >= inOfficeFor {
				p.officers = append(p.officers, user)
			}
		}
		d.payouts[m.GetLiquidationId()] = p
	case *nairav1.LiquidationSent:
		if p := d.payouts[m.GetLiquidationId()]; p != nil {
			p.sent, p.sentAt = append(p.sent, m.GetReference()), r.RecordedAt
		}
	case *nairav1.LiquidationValidated:
		d.by(m.GetLiquidationId(), m.GetValidatedBy())
	case *nairav1.LiquidationApproved:
		d.by(m.GetLiquidationId(), m.GetApprovedBy())
	}
	return nil
}

// enough: on each payout of a group that the bank has, as many people decided as could, up to a validator and two
// approvers; none of them truly owns the account that it was paid to; and that still has the name that they saw.
func (t *Town) enough(ctx context.Context) error {
	d := &deciders{map[string]office{}, map[string]bool{}, map[string]*decided{}, map[string]string{}}
	if err := t.each(ctx, d.take); err != nil {
		return err
	}
	for _, liquidation := range slices.Sorted(maps.Keys(d.payouts)) {
		payees, err := t.paidTo(ctx, d.payouts[liquidation].sent)
		if err != nil {
			return err
		}
		if said := d.payouts[liquidation].wrong(t, payees); said != "" {
			return &Failure{enoughDecide, "payout " + liquidation + ": " + said}
		}
	}
	return nil
}

// wrong says what is wrong with a decision, given who truly owns the accounts that the money went to.
func (p *decided) wrong(t *Town, payees []*person) string {
	if len(payees) == 0 {
		return ""
	}
	for _, payee := range payees {
		if at := t.renamed[payee]; at.After(p.askedAt) && at.Before(p.sentAt) {
			return fmt.Sprintf("the account of %s got another name after it was approved, and before it was paid", payee)
		}
	}
	ties := func(user string) bool { return slices.Contains(payees, t.byID[user]) }
	may := func(user string) bool { return user != p.asker && !ties(user) }
	for user := range p.by {
		if ties(user) {
			return fmt.Sprintf("%s decided on money that went to an account of their own", t.byID[user])
		}
	}
	could := len(slices.DeleteFunc(slices.Clone(p.officers), func(user string) bool { return !may(user) }))
	if len(p.by) < min(3, could) {
		var by []string
		for user := range p.by {
			by = append(by, t.byID[user].String())
		}
		slices.Sort(by)
		return fmt.Sprintf("%d of %d people decided who could: %s", len(by), could, strings.Join(by, ", "))
	}
	return ""
}

// paidTo are the people who truly own the accounts to which the bank paid under some references.
func (t *Town) paidTo(ctx context.Context, references []string) (payees []*person, err error) {
	rows, err := t.instance.Pool.Query(ctx, `SELECT DISTINCT account_number FROM sandbox_payouts WHERE reference = ANY($1) ORDER BY account_number`, references)
	if err != nil {
		return nil, err
	}
	accounts, err := pgx.CollectRows(rows, pgx.RowTo[string])
	for _, p := range t.people {
		if slices.Contains(accounts, p.truth.Account) {
			payees = append(payees, p)
		}
	}
	return payees, err
}
