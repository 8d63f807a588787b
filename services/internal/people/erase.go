package people

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/fault"
)

// Erase makes an account anonymous for ever: its sessions end, and its address, names, phone, birth date, password and
// links are gone. The address is free for somebody to sign up with. An account that was erased is no error.
func (s *Service) Erase(ctx context.Context, userID string) error {
	id, err := uuid.Parse(userID)
	if err != nil {
		return fault.New(fault.NotFound, "There is no such account.")
	}
	var over []ended
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `UPDATE accounts SET email = 'erased:' || id::text, password = '', first_name = 'A former', last_name = 'member',
			phone = '', date_of_birth = '1900-01-01', roles = '{}', email_verified_at = NULL WHERE id = $1`, id); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `DELETE FROM email_links WHERE user_id = $1`, id); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, `DELETE FROM sessions WHERE user_id = $1 RETURNING id::text, token_hash`, id)
		if err != nil {
			return err
		}
		over, err = pgx.CollectRows(rows, collectEnded)
		return err
	})
	if err != nil {
		return outage("erase", err)
	}
	s.bus.tell(over)
	s.cards.forget(id.String())
	return nil
}
