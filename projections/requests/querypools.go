package requests

import (
	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/money"
	"adashi.ng/projections/query"
)

// Pool is a sub-account's money, in kobo.
type Pool struct {
	Available money.Kobo
	Held      money.Kobo // For example for requests that are not over.
}

// Book is the sum of both.
func (p Pool) Book() money.Kobo { return p.Available + p.Held }

// Pools reads the money of sub-accounts, by their ids; one that never had money is absent.
func Pools(subAccountIDs ...string) query.Of[map[string]Pool] {
	where, arg := query.In("sub_account_id", subAccountIDs)
	return query.New(pools, "SELECT sub_account_id, kobo, held FROM rm_pools WHERE "+where, arg)
}

func pools(rows pgx.Rows) (map[string]Pool, error) {
	pools := map[string]Pool{}
	var sub string
	var p Pool
	_, err := pgx.ForEachRow(rows, []any{&sub, &p.Available, &p.Held}, func() error { pools[sub] = p; return nil })
	return pools, err
}
