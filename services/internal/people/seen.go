package people

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/fault"
)

// SeenAt answers when somebody was last here, to the hour, by Options.Clock: when they logged in or used a session.
func (s *Service) SeenAt(ctx context.Context, userID string) (seen time.Time, err error) {
	err = s.pool.QueryRow(ctx, `SELECT seen_at FROM accounts WHERE id = $1`, userID).Scan(&seen)
	if errors.Is(err, pgx.ErrNoRows) {
		return seen, fault.New(fault.NotFound, "There is no such account.")
	}
	return seen, outage("seen", err)
}
