package profile

import (
	"context"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/domain/account"
	"adashi.ng/services/internal/items"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/vault"
)

// Undo undoes the changes to an account since the letter that told its owner of a change, by the token of the letter's
// link. If it refuses the link it undoes nothing. If it accepts the link, the member's earlier bank account comes back
// next: see FinishUndos, and people.Undo for the rest.
func (s *Service) Undo(ctx context.Context, token string) error {
	var r restore
	err := s.People.Undo(ctx, token, func(tx pgx.Tx, userID string, since time.Time) error {
		r = restore{userID, since, s.Now()}
		_, err := tx.Exec(ctx, `INSERT INTO bank_restores (user_id, since) VALUES ($1, $2) ON CONFLICT DO NOTHING`, userID, since)
		return err
	})
	if err != nil {
		return err
	}
	if err := s.finish(ctx, r); err != nil {
		slog.ErrorContext(ctx, "profile: a bank account is still to be put back", "error", err) // The job tries again.
	}
	return nil
}

// restore names a member, and the moment as of which a job gives the bank account back to them. A bank account that
// replaced it after another moment stays: the account may be given back while the job runs.
type restore struct {
	User         string
	Since, Until time.Time
}

// finish puts a bank account back, unless its owner has left.
func (s *Service) finish(ctx context.Context, r restore) error {
	closed, err := s.Closed(ctx, r.User)
	if err == nil && !closed {
		err = s.RestoreBank(ctx, r.User, r.Since, r.Until)
	}
	if err == nil {
		_, err = s.Pool.Exec(ctx, `DELETE FROM bank_restores WHERE user_id = $1 AND since = $2`, r.User, r.Since)
	}
	return err
}

// FinishUndos restores bank accounts after a link was used and the restoring was interrupted. It is a job.
func (s *Service) FinishUndos(ctx context.Context) error {
	rows, err := s.Pool.Query(ctx, `SELECT user_id::text, since, $1::timestamptz FROM bank_restores ORDER BY since LIMIT 100`, s.Now())
	if err != nil {
		return err
	}
	due, err := pgx.CollectRows(rows, pgx.RowToStructByPos[restore])
	if err != nil {
		return err
	}
	return items.Each(ctx, s.job("finish undos"), due, func(r restore) string { return r.User }, s.finish)
}

// RestoreBank gives a member the bank account back that they had before a moment, or none, unless another replaced it
// after until. We send nothing there for a day. If the bank gives it another name, a match of the member's BVN is
// undone, as it is when they name such an account.
func (s *Service) RestoreBank(ctx context.Context, userID string, since, until time.Time) error {
	r, err := s.Vault.Read(ctx, userID)
	if err != nil {
		return err
	}
	before, changed := r.BankAt(since)
	if !changed || r.Bank.ChangedAt.After(until) || before.Number == r.Bank.Number && before.Code == r.Bank.Code {
		return nil
	}
	m, err := s.People.Member(ctx, userID)
	if err != nil {
		return err
	}
	undo := r.Bvn.Status == vault.Verified && !rails.SameName(before.AccountName, m.FirstName, m.LastName)
	if err := s.must(ctx, userID, "bank back "+r.Bank.ChangedAt.Format(time.RFC3339Nano), account.RestoreBank(userID, undo)); err != nil {
		return err
	}
	_, err = s.Vault.Set(ctx, userID, func(r *vault.Record) {
		bank, changed := r.BankAt(since)
		if !changed || r.Bank.ChangedAt.After(until) {
			return
		}
		bank.ChangedAt, bank.Replaced = s.Now().UTC(), true
		r.Bank = bank
		if undo {
			r.Bvn = vault.Bvn{}
		}
	})
	return err
}

// ForgetStolen deletes the cards that were saved while a thief used an account that is given back, the muted
// notices, and a guardian whose consent does not count, or who has not answered yet: the member chooses and names
// theirs again. It may be repeated: what the member has chosen since the thief's sessions ended remains.
func (s *Service) ForgetStolen(ctx context.Context, userID string) error {
	a, err := s.owner(ctx, userID)
	until, is := a.GivenBack()
	if err != nil || !is {
		return err
	}
	for _, span := range a.Given {
		if err := s.Vault.ForgetCards(ctx, userID, span.Since, span.Until); err != nil {
			return err
		}
	}
	_, err = s.Vault.Update(ctx, userID, func(ctx context.Context, tx vault.Tx) error {
		if !tx.Forgot.Before(until) {
			return nil
		}
		tx.Forgot, tx.Settings = until, vault.Settings{}
		if a.Consented {
			return nil
		}
		return tx.ForgetGuardian(ctx)
	})
	return err
}

// FollowBvn updates the vault's status of a member's BVN from the ledger: it is not verified once another one may be.
func (s *Service) FollowBvn(ctx context.Context, userID string) error {
	_, _, err := s.stands(ctx, userID)
	return err
}
