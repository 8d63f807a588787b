package people

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/mail"
	"adashi.ng/services/internal/people/even"
)

// ChangeEmail mails a link to a new address and a notice to the old one; the account moves when the link is spent. An
// address that somebody has already is answered the same, and its owner is mailed instead. The caller must have
// stepped up. A newer request voids the older. While the account may not move it is refused: see Options.MayMove.
func (s *Service) ChangeEmail(ctx context.Context, caller Caller, email string) error {
	email, err := readEmail(email)
	if err != nil {
		return err
	}
	if email == caller.Email {
		return fault.Field("email", "That is your email already.")
	}
	id, err := uuid.Parse(caller.UserID)
	if err != nil {
		return err
	}
	if err := s.mayMove(ctx, caller.UserID); err != nil {
		return err
	}
	return outage("change e-mail", even.Answer(ctx, func() error {
		return enoughMail(s.changing(ctx, caller, func(tx pgx.Tx) error {
			link, err := s.newLink(ctx, tx, id, changeEmail, carried{newEmail: email})
			if err != nil {
				return err
			}
			taken, err := verifiedEmail(ctx, tx, email)
			if err != nil {
				return err
			}
			letter := mail.ConfirmNewEmail(email, caller.FirstName, link)
			if taken {
				letter = mail.AlreadyRegistered(email, s.publicURL+"/login")
			}
			// Both count alike, so that the bound does not tell them apart either.
			letter.Kind, letter.Cause = mail.KindNewEmail, caller.UserID
			if err := s.post(ctx, tx, letter); err != nil {
				return err
			}
			undo, err := s.newLink(ctx, tx, id, undoChange, carried{newEmail: caller.Email})
			if err != nil {
				return err
			}
			return mail.Queue(ctx, tx, mail.EmailChangeAsked(caller.Email, caller.FirstName, s.when(), undo), s.now())
		}))
	}))
}

func verifiedEmail(ctx context.Context, tx pgx.Tx, email string) (taken bool, err error) {
	err = tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM accounts WHERE email = $1 AND email_verified_at IS NOT NULL)`, email).Scan(&taken)
	return taken, err
}

// ConfirmEmail spends a link of ChangeEmail: the account has the new address, and every session ends. An address that
// somebody else verified meanwhile is fault.Conflict.
func (s *Service) ConfirmEmail(ctx context.Context, token string) error {
	l, err := s.link(ctx, token, changeEmail)
	if err != nil {
		return err
	}
	if err := s.mayMove(ctx, l.userID.String()); err != nil {
		return err
	}
	var over []ended
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if err := s.spend(ctx, tx, &l); err != nil {
			return err
		}
		if err := s.moveTo(ctx, tx, l); err != nil {
			return err
		}
		undo, err := s.newLink(ctx, tx, l.userID, undoChange, carried{newEmail: l.email})
		if err != nil {
			return err
		}
		if err := s.voidLinks(ctx, tx, l.userID); err != nil {
			return err
		}
		if over, err = endAll(ctx, tx, l.userID); err != nil {
			return err
		}
		return mail.Queue(ctx, tx, mail.EmailChanged(l.email, l.name, s.when(), undo), s.now())
	})
	if err != nil {
		return outage("confirm e-mail", err)
	}
	s.bus.tell(over)
	s.secured(ctx, l.userID.String(), EmailChanged)
	return nil
}

// moveTo gives the account its new address. Somebody's sign-up at that address that was never verified gives way: who
// spends the link has the mailbox.
func (s *Service) moveTo(ctx context.Context, tx pgx.Tx, l linked) error {
	if _, err := tx.Exec(ctx, `
		DELETE FROM email_links WHERE user_id = (SELECT id FROM accounts WHERE email = $1 AND email_verified_at IS NULL AND id <> $2)`, l.newEmail, l.userID); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `DELETE FROM accounts WHERE email = $1 AND email_verified_at IS NULL AND id <> $2`, l.newEmail, l.userID); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, `UPDATE accounts SET email = $2 WHERE id = $1`, l.userID, l.newEmail)
	var refused *pgconn.PgError
	if errors.As(err, &refused) && refused.Code == "23505" {
		return fault.New(fault.Conflict, "This email belongs to another account by now. Please choose another.")
	}
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `INSERT INTO earlier_emails (user_id, email, until) VALUES ($1, $2, $3)
		ON CONFLICT (user_id, email) DO UPDATE SET until = excluded.until`, l.userID, l.email, s.now()); err != nil {
		return err
	}
	return mail.Follow(ctx, tx, l.email, l.newEmail)
}

// earlierFor is how long an earlier address is told what concerns the safety of the account.
const earlierFor = 90 * 24 * time.Hour

// Earlier answers the addresses that accounts had within the last 90 days, by id, and the name that they are written to
// by.
func (s *Service) Earlier(ctx context.Context, ids ...string) (map[string][]Address, error) {
	rows, err := s.pool.Query(ctx, `SELECT a.id::text, e.email, a.first_name, e.until FROM earlier_emails e JOIN accounts a ON a.id = e.user_id
		WHERE a.id = ANY($1::uuid[]) AND e.until > $2 AND e.email <> a.email ORDER BY e.until DESC`, ids, s.now().Add(-earlierFor))
	if err != nil {
		return nil, outage("earlier addresses", err)
	}
	earlier := map[string][]Address{}
	var id string
	var a Address
	_, err = pgx.ForEachRow(rows, []any{&id, &a.Email, &a.FirstName, &a.Until}, func() error { earlier[id] = append(earlier[id], a); return nil })
	return earlier, outage("earlier addresses", err)
}

// HadBy answers whose verified accounts have an address, or had it, twenty at most.
func (s *Service) HadBy(ctx context.Context, email string) ([]string, error) {
	rows, err := s.pool.Query(ctx, `SELECT id::text FROM accounts a WHERE email_verified_at IS NOT NULL AND erased_at IS NULL
		AND (email = $1 OR EXISTS (SELECT FROM earlier_emails WHERE user_id = a.id AND email = $1)) ORDER BY id LIMIT 20`, NormaliseEmail(email))
	if err != nil {
		return nil, outage("had by", err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[string])
	return ids, outage("had by", err)
}

// mayMove refuses that an account moves to another address.
func (s *Service) mayMove(ctx context.Context, userID string) error {
	if s.moves == nil {
		return nil
	}
	return s.moves(ctx, userID)
}
