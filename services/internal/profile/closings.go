package profile

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/infra/store"
)

// closingFor is how long a closing has until the job checks whether it was interrupted.
const closingFor = time.Minute

// beginClosing records that an account is being closed, before anything of it is in the ledger.
func (s *Service) beginClosing(ctx context.Context, userID string) error {
	_, err := s.Pool.Exec(ctx, `INSERT INTO closings (user_id, begun_at) VALUES ($1, $2) ON CONFLICT (user_id) DO UPDATE SET begun_at = $2`, userID, s.Now())
	return err
}

// Closings returns some of the accounts after one, in the order of ids, whose closing began at least a minute ago and
// was not finished or retried since.
func (s *Service) Closings(ctx context.Context, after uuid.UUID, most int) ([]uuid.UUID, error) {
	rows, err := s.Pool.Query(ctx, `SELECT user_id FROM closings WHERE begun_at <= $1 AND user_id > $2 ORDER BY user_id LIMIT $3`, s.Now().Add(-closingFor), after, most)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
}

// Finish finishes the closing of an account that the ledger has closed: it ends the named memberships, and removes the
// owner's stored data.
func (s *Service) Finish(ctx context.Context, userID string, leave ...dues.LeaveGroup) error {
	for _, membership := range leave {
		_, err := s.Ledger.Append(ctx, store.Command{
			ID: store.CommandID(userID, "left behind", membership.GroupID), Hash: store.Fingerprint(membership.GroupID), Actor: "system", Command: membership,
		})
		if err != nil {
			return err
		}
	}
	err := s.Close(ctx, userID)
	if fault.Is(err, fault.NotFound) {
		err = nil // It was removed before.
	}
	return err
}

// EndClosing records that a closing is finished.
func (s *Service) EndClosing(ctx context.Context, userID string) error {
	_, err := s.Pool.Exec(ctx, `DELETE FROM closings WHERE user_id = $1`, userID)
	return err
}
