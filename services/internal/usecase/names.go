package usecase

import (
	"context"

	"github.com/jackc/pgx/v5"

	"adashi.ng/projections/groups"
	"adashi.ng/projections/query"
	"adashi.ng/services/internal/people"
)

// Names are the names of the groups and sub-accounts in a view.
type Names struct {
	Groups map[string]groups.Group
	Subs   map[string]groups.SubAccount
	// verified are the inviters whose name the bank has confirmed.
	Verified map[string]bool
}

// Names reads the groups and sub-accounts of these ids.
func (b *Base) Names(ctx context.Context, groupIDs, subIDs []string) (Names, error) {
	n := Names{map[string]groups.Group{}, map[string]groups.SubAccount{}, map[string]bool{}}
	batch := &pgx.Batch{}
	groups.ByIDs(groupIDs...).Queue(batch, func(gs []groups.Group) {
		for _, g := range gs {
			n.Groups[g.ID] = g
		}
	})
	groups.SubAccountsByID(subIDs...).Queue(batch, func(subs []groups.SubAccount) {
		for _, s := range subs {
			n.Subs[s.ID] = s
		}
	})
	return n, query.Send(ctx, b.Pool, batch)
}

// Sub names a sub-account: Balogun Traders · Monthly dues.
func (n Names) Sub(groupID, subID string) string {
	return n.Groups[groupID].Name + " · " + n.Subs[subID].Name
}

// someone is the name of a person who no longer has a name card.
const someone = "A former member"

// FullName returns a person's name.
func FullName(cards map[string]people.Card, id string) string {
	card, ok := cards[id]
	if !ok {
		return someone
	}
	return card.FirstName + " " + card.LastName
}

// ShortName returns a first name and the initial of the last.
func ShortName(cards map[string]people.Card, id string) string {
	card, ok := cards[id]
	last := []rune(card.LastName)
	if !ok || len(last) == 0 {
		return someone
	}
	return card.FirstName + " " + string(last[0]) + "."
}
