package reserves

import (
	"context"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/infra/proofs/liabilities"
	"adashi.ng/ledger/posting"
)

// Owed reports whether an account is owed to somebody: all that may never fall below zero, but for money of nobody
// known.
func Owed(account string) bool {
	return posting.Floored(account) && !strings.HasPrefix(account, "suspense:")
}

// Accounts reads what is owed to everybody, as of the position that the transaction sees the ledger's accounts at.
func Accounts(ctx context.Context, tx pgx.Tx) (all []liabilities.Account, err error) {
	rows, err := tx.Query(ctx, "SELECT account, balance FROM ledger_accounts WHERE balance <> 0")
	if err != nil {
		return nil, err
	}
	var a liabilities.Account
	_, err = pgx.ForEachRow(rows, []any{&a.Name, &a.Kobo}, func() error {
		if Owed(a.Name) {
			all = append(all, a)
		}
		return nil
	})
	return all, err
}

// Commit makes the tree over the accounts of a position, keeps what proofs are made of, and answers the event that says
// its root. It refuses when the accounts do not come to what the proof of reserves says that is owed. The proofs can be
// asked for once the event is Recorded. Without a key there is nothing to commit with, and no event.
func (s *Service) Commit(ctx context.Context, id uuid.UUID, position, owed int64, accounts []liabilities.Account) (*nairav1.LiabilitiesCommitted, error) {
	if len(s.Key) == 0 {
		return nil, nil
	}
	planned, err := liabilities.Plan(accounts)
	if err != nil {
		return nil, err
	}
	tree, err := liabilities.Build(liabilities.SecretOf(s.Key, id.String()), planned)
	if err != nil {
		return nil, err
	}
	root := tree.Root()
	if root.Kobo != owed {
		return nil, fault.New(fault.Unavailable, "What the accounts hold does not come to what is owed. The ledger must be verified first.")
	}
	m := &nairav1.LiabilitiesCommitted{
		ReconciliationId: id.String(), Position: position, Root: root.Hash[:], SumKobo: root.Kobo, Leaves: tree.Leaves(), KeyId: liabilities.KeyID(s.Key),
	}
	return m, s.kept().add(ctx, id, m, s.Now().UTC(), planned, tree)
}

// Recorded opens the proofs of a commitment, and of those before it, whose events the ledger has.
func (s *Service) Recorded(ctx context.Context, id uuid.UUID) error {
	return s.kept().recorded(ctx, id)
}
