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

// retentionYears is how long after somebody's last transaction the law wants to be able to ask whose it was.
const retentionYears = 5

// lettersFor is how long a closing waits for letters in the writing.
const lettersFor = 3 * time.Second

// Close closes a member's account for ever, and ends the memberships that are named with it, whatever still ties them
// to Adashi: package leaving asks about that first. Asking again finishes a closing that was cut short, and so
// does a job.
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
	// A letter to somebody else may have been in the writing, with their name. The account is closed whatever comes of
	// that.
	waits, cancel := context.WithTimeout(context.WithoutCancel(ctx), lettersFor)
	defer cancel()
	forget := func() error { return mail.Forget(ctx, s.Pool, userID, m.Email) }
	if err := items.InTurn(waits, s.Pool, mail.Writing, forget); err != nil {
		slog.Warn("profile: a letter in the writing may name somebody who has left, until it is sent", "error", err)
	}
	return nil
}

// Closed reports whether the ledger has an account closed. What is kept of its owner may be there still, where the
// closing was cut short.
func (s *Service) Closed(ctx context.Context, userID string) (bool, error) {
	state, err := s.Ledger.Load(ctx, account.Stream(userID))
	if err != nil {
		return false, err
	}
	return state.(account.Account).Closed, nil
}

// recordClosing is record for the one command whose refusal must be heard.
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

// ForgetClosed destroys the data keys of those who closed their account, five years after their last transaction, and
// not before five years after the closing where something of theirs belongs to others too. It is a job.
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

// job is one of the jobs that go through a list.
func (s *Service) job(name string) items.Job {
	return items.Job{Pool: s.Pool, Name: name, Now: s.Now()}
}

// lastTransaction is when a person's money last moved, or their account was closed where they had groups pay somebody
// or left others something; the zero time when neither happened.
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

// Sweep removes uploads that were never put to use, and locks data keys with the newest master key. It is a job.
func (s *Service) Sweep(ctx context.Context) error {
	if err := s.Vault.Sweep(ctx, s.Now()); err != nil {
		return err
	}
	for {
		if n, err := s.Vault.Rewrap(ctx); n == 0 {
			return err // Of those that no key opens, when there are any.
		}
	}
}
