package membership

import (
	"context"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/letters"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/projections/groups"
	"adashi.ng/projections/query"
	"adashi.ng/services/internal/usecase"
)

// Roll is everybody in a group who owes something or may, and what they paid: for what is about all of them.
type Roll struct {
	Members []groups.Member // Active and inactive.
	Subs    []groups.SubAccount
	terms   []savings.SubAccount // As subs.
	paid    map[Payer]dues.State
	away    map[[2]string][]groups.Span
}

// Roll reads the roll of a group, for some of its sub-accounts.
func (r *Reader) Roll(ctx context.Context, groupID string, subs []groups.SubAccount) (Roll, error) {
	c, batch := NewSnapshot(savings.Day(r.Now())), &pgx.Batch{}
	groups.Members("", groupID).Queue(batch, c.takeMembers)
	groups.Contributors("", groupID).Queue(batch, c.takePaid)
	groups.Absences("", groupID).Queue(batch, c.takeAway)
	err := query.Send(ctx, r.Pool, batch)
	return rollOf(c.Members[groupID], subs, c.Paid, c.away), err
}

func rollOf(members []groups.Member, subs []groups.SubAccount, paid map[Payer]dues.State, away map[[2]string][]groups.Span) Roll {
	r := Roll{Subs: subs, terms: make([]savings.SubAccount, len(subs)), paid: paid, away: away}
	for i, s := range subs {
		r.terms[i] = TermsOf(s)
	}
	for _, m := range members {
		if m.Status == string(savings.Active) || m.Status == string(savings.Inactive) {
			r.Members = append(r.Members, m)
		}
	}
	return r
}

// Dues are a member's dues to the n-th sub-account.
func (r Roll) Dues(n int, m groups.Member) dues.Dues {
	return dues.Of(r.terms[n], memberOf(m, r.away), r.paid[Payer{m.GroupID, m.User, r.Subs[n].ID}]).Shut(shutOf(m.GroupID, r.away))
}

// Named are the members whose names contain a text, however it is written; all of them without one.
func (r *Reader) Named(ctx context.Context, members []groups.Member, q *string) ([]groups.Member, error) {
	if q == nil || strings.TrimSpace(*q) == "" {
		return members, nil
	}
	text := letters.Folded(strings.TrimSpace(*q))
	cards, err := r.People.Cards(ctx, Users(members))
	return slices.DeleteFunc(members, func(m groups.Member) bool {
		return !strings.Contains(letters.Folded(usecase.FullName(cards, m.User)), text)
	}), err
}
