package remedies

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/infra/store"
)

// row is what the ledger does not say of a remedy: why, and to which address an account goes. Email is empty where none
// is given back, and where another account had it when this one was.
type row struct {
	ID, User, Email, Reason string
	ProposedAt              time.Time
}

const columns = "id::text, user_id::text, coalesce(email, ''), reason, proposed_at"

// keep keeps a row ahead of its proposal. One of an earlier try that was not recorded gives way.
func (s *Service) keep(ctx context.Context, r row) error {
	_, err := s.Pool.Exec(ctx, `INSERT INTO remedies (id, user_id, email, reason, proposed_at) VALUES ($1, $2, nullif($3, ''), $4, $5)
		ON CONFLICT (id) DO UPDATE SET user_id = excluded.user_id, email = excluded.email, reason = excluded.reason, proposed_at = excluded.proposed_at`,
		r.ID, r.User, r.Email, r.Reason, r.ProposedAt)
	return wrapped(err)
}

// end notes that nothing is left to do about a remedy that was done.
func (s *Service) end(ctx context.Context, id string) error {
	_, err := s.Pool.Exec(ctx, `UPDATE remedies SET ended_at = $2 WHERE id = $1`, id, s.Now())
	return wrapped(err)
}

// forget forgets why a remedy was proposed that nobody does any more, and for which address.
func (s *Service) forget(ctx context.Context, id string) error {
	_, err := s.Pool.Exec(ctx, `DELETE FROM remedies WHERE id = $1`, id)
	return wrapped(err)
}

// one answers a remedy about which something is left to do.
func (s *Service) one(ctx context.Context, id string) (row, error) {
	rows, err := s.open(ctx, "id::text = $1", id)
	if err == nil && len(rows) == 0 {
		err = fault.New(fault.NotFound, "This waits no more: it was done or declined, or its time is over.")
	}
	if err != nil {
		return row{}, err
	}
	return rows[0], nil
}

// openMost is how many remedies are gone through at once.
const openMost = 200

// open answers the remedies about which something is left to do, the oldest first.
func (s *Service) open(ctx context.Context, where string, arg any) ([]row, error) {
	rows, err := s.Pool.Query(ctx, fmt.Sprintf(`SELECT %s FROM remedies WHERE ended_at IS NULL AND %s ORDER BY proposed_at, id LIMIT %d`, columns, where, openMost), arg)
	if err != nil {
		return nil, wrapped(err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[row])
	return list, wrapped(err)
}

func wrapped(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("remedies: %w", err)
}

// waits reports whether a remedy waits for an Admin.
func (r row) waits(a account.Account, now time.Time) bool {
	return a.Remedy.ID == r.ID && a.Waits(now) && !a.Closed
}

// forgetAfter is how old a row is when no proposal of it was recorded: its try was cut short.
const forgetAfter = 10 * time.Minute

// settle does what is left to do about a remedy, and ends it. It may be cut short anywhere, and repeated.
func (s *Service) settle(ctx context.Context, r row) error {
	a, err := s.AccountState(ctx, r.User)
	switch {
	case err != nil, r.waits(a, s.Now()):
		return err
	case a.Done.ID != r.ID:
		if a.Remedy.ID == r.ID || s.Now().Sub(r.ProposedAt) > forgetAfter {
			return s.forget(ctx, r.ID)
		}
		return nil
	case a.Closed:
		return s.end(ctx, r.ID)
	}
	if a.Done.Kind == kinds[GIVEBACK] {
		a, err = s.giveBack(ctx, r, a)
	} else {
		err = s.Profile.FollowBvn(ctx, r.User)
	}
	if err == nil { // None waits for another: what cannot be ended now leaves a thief no bank account.
		err = errors.Join(s.StopAll(ctx, r.User), s.restore(ctx, r, a))
	}
	if err != nil {
		return err
	}
	return s.end(ctx, r.ID)
}

// giveBack moves the account to its owner and ends its sessions, and answers the account once the ledger knows when.
func (s *Service) giveBack(ctx context.Context, r row, a account.Account) (account.Account, error) {
	if err := s.People.GiveBack(ctx, r.ID, a.Done.Since); err != nil {
		return a, err
	}
	var ended *time.Time // Nil where its owner's data is destroyed.
	if err := s.Pool.QueryRow(ctx, `SELECT given_at FROM remedies WHERE id = $1`, r.ID).Scan(&ended); err != nil || ended == nil {
		return a, wrapped(err)
	}
	if err := s.ended(ctx, r, store.CommandID("system", "end sessions", r.ID), account.EndSessions(r.User, r.ID, *ended)); err != nil {
		return a, err
	}
	return s.AccountState(ctx, r.User)
}

// restore puts the owner's bank account back, forgets the cards and the guardian that a thief gave the account, and
// ends what the thief set up. A bank account that the owner names once the thief's sessions have ended stays.
func (s *Service) restore(ctx context.Context, r row, a account.Account) error {
	if a.Done.Kind != kinds[GIVEBACK] {
		return nil
	}
	failures := []error{s.endAll(ctx, r, a)}
	if until, is := a.GivenBack(); is {
		failures = append(failures, s.Profile.RestoreBank(ctx, r.User, a.Done.Since, until), s.Profile.ForgetStolen(ctx, r.User))
	}
	return errors.Join(failures...)
}

// Settle does what is left to do about remedies that were agreed to, where that was cut short, and forgets those whose
// time is over. It is a job.
func (s *Service) Settle(ctx context.Context) error {
	rows, err := s.open(ctx, "proposed_at <= $1", s.Now())
	if err != nil {
		return err
	}
	var failures []error
	for _, r := range rows {
		failures = append(failures, s.settle(ctx, r))
	}
	return errors.Join(failures...)
}
