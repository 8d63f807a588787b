// Package agenda answers what waits for a person in every area, in one list: dues, pots, debts, people and requests to
// decide on, questions, invitations and steps that are missing. It decides nothing: each area says what its commands
// would let the person do, and a row leaves the list by the command that its button leads to.
package agenda

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/projections/ajos"
	"adashi.ng/projections/debts"
	"adashi.ng/projections/disputes"
	"adashi.ng/projections/groups"
	"adashi.ng/projections/months"
	"adashi.ng/projections/requests"
	"adashi.ng/services/internal/ajo"
	"adashi.ng/services/internal/audit"
	groupsarea "adashi.ng/services/internal/groups"
	"adashi.ng/services/internal/liquidations"
	"adashi.ng/services/internal/membership"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/people/invited"
	"adashi.ng/services/internal/usecase"
)

// Service reads the agenda.
type Service struct {
	*usecase.Base
	Membership   *membership.Reader
	Ajo          *ajo.Service
	Audit        *audit.Service
	Liquidations *liquidations.Service
	Groups       *groupsarea.Service
	Invited      invited.Store
}

// ReadModels are the read models of the agenda.
var ReadModels = []string{ajos.Name, debts.Name, disputes.Name, groups.Name, months.Name, requests.Name}

// daysAhead is how many days before its last day a due is shown.
const daysAhead = 7

// class says how much it costs to miss a row: the lower, the more.
type class int

const (
	late class = iota
	collecting
	dueSoon
	owed
	deciding
	answering
	asked
	missing
)

// kinds says for each kind its class, unless it is late, and what its button does. A row is left out for a person whose
// standing refuses that.
var kinds = map[Kind]struct {
	class class
	act   standing.Act
}{
	GroupDue: {dueSoon, standing.PayDues}, AjoDue: {dueSoon, standing.Pay}, AjoDeposit: {dueSoon, standing.Pay},
	Pot:  {collecting, standing.Speak},
	Debt: {owed, standing.Pay}, DebtToMe: {owed, standing.Read}, AdashiDebt: {owed, standing.Pay},
	Join: {deciding, standing.Decide}, Request: {deciding, standing.ApproveClaim}, PotRequest: {deciding, standing.ApprovePot},
	Waiver: {deciding, standing.Waive}, Correction: {deciding, standing.Correct}, Case: {deciding, standing.HandleCase},
	Ownership: {deciding, standing.Speak}, Succession: {deciding, standing.Decide}, Swap: {deciding, standing.Speak},
	Vote: {deciding, standing.Decide}, Terms: {deciding, standing.Commit}, Order: {deciding, standing.Decide},
	PhoneDraw: {deciding, standing.Speak}, Bid: {deciding, standing.Decide}, Past: {deciding, standing.Speak},
	Question: {answering, standing.Speak}, Audit: {answering, standing.Audit}, Sample: {answering, standing.Audit},
	Dispute: {answering, standing.Speak}, DisputeNews: {answering, standing.Read},
	Invitation: {asked, standing.Speak},
	GroupSetup: {missing, standing.Decide}, AjoSetup: {missing, standing.Decide}, Verify: {missing, standing.Keep},
	Thaw: {missing, standing.Mind},
}

// Kinds are all kinds of rows.
func Kinds() []Kind { return slices.Collect(maps.Keys(kinds)) }

// reading is the agenda of one person while it is read.
type reading struct {
	*Service
	caller people.Caller
	now    time.Time
	today  time.Time // The day in Lagos, as dues have it.
	rows   []row
	owned  []place // The groups and ajo that they own.
}

// row is a row with what it is sorted by.
type row struct {
	Row
	amount money.Kobo
}

// Agenda returns what waits for a person, sorted by what it costs to miss it, then by day, then by amount.
func (s *Service) Agenda(ctx context.Context, caller people.Caller) ([]Row, error) {
	now := s.Now()
	r := &reading{Service: s, caller: caller, now: now, today: savings.Day(now)}
	for _, read := range []func(context.Context) error{r.groups, r.ajos, r.debts, r.cases, r.questions, r.desks, r.invitations, r.own} {
		if err := read(ctx); err != nil {
			return nil, err
		}
	}
	account, err := s.AccountState(ctx, caller.UserID)
	if err != nil {
		return nil, err
	}
	r.rows = slices.DeleteFunc(r.rows, func(w row) bool { return account.Standing().May(kinds[w.Kind].act) != nil })
	slices.SortStableFunc(r.rows, r.before)
	out := make([]Row, len(r.rows))
	for i, w := range r.rows {
		out[i] = w.Row
	}
	return out, nil
}

func (r *reading) before(a, b row) int {
	return cmp.Or(
		cmp.Compare(a.class(), b.class()),
		cmp.Compare(a.day(), b.day()),
		cmp.Compare(b.amount, a.amount),
		cmp.Compare(a.Id, b.Id),
	)
}

func (w row) class() class {
	if of := kinds[w.Kind].class; !w.Late || of != dueSoon {
		return of
	}
	return late
}

// day is the last day for a row; one that has none comes after all others.
func (w row) day() string {
	if w.Due == nil {
		return "~"
	}
	return *w.Due
}

// add adds a row. by is its last day in Lagos, YYYY-MM-DD, or empty; of is its amount, or 0.
func (r *reading) add(w Row, of money.Kobo, by string) {
	if w.Due = usecase.OrNil(by); by != "" {
		w.Late = by < r.today.Format(time.DateOnly)
	}
	if of > 0 {
		w.Amount = usecase.NairaPtr(of)
	}
	r.rows = append(r.rows, row{w, of})
}

// day is the day of a moment in Lagos; empty for the zero time.
func day(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return lagos.Day(at)
}

func dayOf(at *time.Time) string {
	if at == nil {
		return ""
	}
	return day(*at)
}
