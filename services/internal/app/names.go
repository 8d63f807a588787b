package app

import (
	"context"

	"github.com/jackc/pgx/v5"

	"adashi.ng/projections/groups"
	"adashi.ng/projections/query"
	"adashi.ng/services/internal/people"
)

// names are the groups and sub-accounts that a view speaks of.
type names struct {
	groups map[string]groups.Group
	subs   map[string]groups.SubAccount
	// verified are those of the inviters whom the bank knows by their name.
	verified map[string]bool
}

func (a *App) names(ctx context.Context, groupIDs, subIDs []string) (names, error) {
	n := names{map[string]groups.Group{}, map[string]groups.SubAccount{}, map[string]bool{}}
	batch := &pgx.Batch{}
	groups.ByIDs(groupIDs...).Queue(batch, func(gs []groups.Group) {
		for _, g := range gs {
			n.groups[g.ID] = g
		}
	})
	groups.SubAccountsByID(subIDs...).Queue(batch, func(subs []groups.SubAccount) {
		for _, s := range subs {
			n.subs[s.ID] = s
		}
	})
	return n, query.Send(ctx, a.Pool, batch)
}

// sub is a sub-account in words: Balogun Traders · Monthly dues.
func (n names) sub(groupID, subID string) string {
	return n.groups[groupID].Name + " · " + n.subs[subID].Name
}

// someone is how a person is called who has no card any more.
const someone = "A former member"

func fullName(cards map[string]people.Card, id string) string {
	card, ok := cards[id]
	if !ok {
		return someone
	}
	return card.FirstName + " " + card.LastName
}
