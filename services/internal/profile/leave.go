package profile

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/activity"
	"adashi.ng/services/internal/items"
	"adashi.ng/services/internal/mail"
	"adashi.ng/services/internal/session"
)

// retentionYears is how long after a person's last transaction the law requires that we can identify them.
const retentionYears = 5

// lettersFor is how long a closing waits for letters that are being written.
const lettersFor = 3 * time.Second

// Close closes a member's account for ever, and ends the named memberships with it, whatever still ties the member to
// Adashi: package leaving checks that first. A repeated call, or a job, finishes a closing that was interrupted.
func (s *Service) Close(ctx context.Context, userID string, leave ...dues.LeaveGroup) error {
	m, err := s.People.Member(ctx, userID)
	if err != nil {
		return err
	}
	if err := s.beginClosing(ctx, userID); err != nil {
		return err
	}
	if err := s.recordClosing(ctx, userID, leave); err != nil {
		return err
	}
	if err := s.Vault.Minimise(ctx, userID, s.Now()); err != nil {
		return err
	}
	if _, err := s.Pool.Exec(ctx, `DELETE FROM typed_invitations WHERE email = $1`, m.Email); err != nil {
		return err
	}
	if err := s.People.Erase(ctx, userID); err != nil {
		return err
	}
	// A letter to somebody else may just be written, with their name. The account is closed whatever the result.
	waits, cancel := context.WithTimeout(context.WithoutCancel(ctx), lettersFor)
	defer cancel()
	forget := func() error { return mail.Forget(ctx, s.Pool, userID, m.Email) }
	if err := items.InTurn(waits, s.Pool, mail.Writing, forget); err != nil {
		slog.Warn("profile: a letter in the writing may name somebody who has left, until it is sent", "error", err)
	}
	return nil
}

// Closed reports whether the ledger has an account closed. The owner's data may still be stored, if the closing was
// interrupted.
func (s *Service) Closed(ctx context.Context, userID string) (bool, error) {
	state, err := s.Ledger.Load(ctx, account.Stream(userID))
	if err != nil {
		return false, err
	}
	return state.(account.Account).Closed, nil
}

// recordClosing is record for the one command whose refusal the caller needs.
func (s *Service) recordClosing(ctx context.Context, userID string, leave []dues.LeaveGroup) error {
	closed, err := s.Closed(ctx, userID)
	if err != nil || closed {
		return err
	}
	_, err = s.Ledger.Append(ctx, store.Command{
		ID: store.NewCommandID(), Hash: store.Fingerprint("close", userID), Actor: userID, Session: session.Of(ctx), Command: dues.CloseAccount{User: userID, Leave: leave, Now: s.Now()},
	})
	if err == nil {
		session.Acted(ctx)
	}
	if errors.Is(err, store.ErrUnknown) {
		return fmt.Errorf("%w: %w", fault.New(fault.Unavailable, "We do not know yet whether this went through. Please try again."), err)
	}
	return err
}

// ForgetClosed destroys the data keys of closed accounts, five years after the last transaction, and not before five
// years after the closing when some of the data belongs to others too. It is a job.
func (s *Service) ForgetClosed(ctx context.Context) error {
	return items.EachOf(ctx, s.job("forget closed accounts"), items.Pages[uuid.UUID, uuid.UUID]{
		Most: 100, At: func(person uuid.UUID) uuid.UUID { return person }, Key: uuid.UUID.String,
		Read: func(after uuid.UUID, most int) ([]uuid.UUID, error) { return s.Vault.Closed(ctx, after, most) },
	}, func(ctx context.Context, person uuid.UUID) error {
		last, err := s.lastTransaction(ctx, person)
		if err != nil || !s.Now().After(last.AddDate(retentionYears, 0, 0)) {
			return err
		}
		return s.Vault.Destroy(ctx, person, s.Now())
	})
}

// job returns a job that works through a list.
func (s *Service) job(name string) items.Job {
	return items.Job{Pool: s.Pool, Name: name, Now: s.Now()}
}

// lastTransaction is when a person's money last moved, or when their account was closed, if they had groups pay
// somebody or their data belongs to others too; the zero time when neither happened.
func (s *Service) lastTransaction(ctx context.Context, person uuid.UUID) (time.Time, error) {
	last, err := activity.Last(ctx, s.Pool, person.String())
	if err != nil {
		return time.Time{}, err
	}
	kept, err := s.Vault.KeptForOthers(ctx, person)
	if kept.After(last) {
		last = kept
	}
	return last, err
}

// Sweep removes uploads that were never used, and locks data keys with the newest master key. It is a job.
func (s *Service) Sweep(ctx context.Context) error {
	if err := s.Vault.Sweep(ctx, s.Now()); err != nil {
		return err
	}
	for {
		if n, err := s.Vault.Rewrap(ctx); n == 0 {
			return err // The error about keys that no master key opens, if there are any.
		}
	}
}
