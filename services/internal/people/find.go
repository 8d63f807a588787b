package people

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/fault"
)

// Find answers whose verified account has an address; fault.NotFound when nobody's has.
func (s *Service) Find(ctx context.Context, email string) (userID string, err error) {
	err = s.pool.QueryRow(ctx, `SELECT id::text FROM accounts WHERE email = $1 AND email_verified_at IS NOT NULL AND erased_at IS NULL`, NormaliseEmail(email)).Scan(&userID)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", fault.New(fault.NotFound, "There is no account with this e-mail.")
	}
	return userID, outage("find", err)
}
