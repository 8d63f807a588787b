package mail

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/event"
)

// How many letters of invitation an address is mailed in a day, and how many that one was withdrawn: those of one
// member, and all.
const (
	invitationsADay    = 3
	invitationsADayMax = 30
)

// How often an address is invited to one group or ajo in so long: at all, and after it refused or an invitation was
// withdrawn.
const (
	invitedFor   = 30 * 24 * time.Hour
	invitedMost  = 3
	invitedAgain = 1
)

// Inviter is who invites: their name, and whether the bank knows them by it.
type Inviter struct {
	User, Name string
	Verified   bool
}

// Place is a group or an ajo to which people are invited. Link opens the invitation.
type Place struct{ ID, Name, Link string }

// Invited is one invitation, whether or not somebody has the address.
type Invited struct {
	ID      uuid.UUID // A retry has the same.
	Place   string    // The id of the group or ajo.
	Address string    // As it was typed, normalised.
}

// Invitation is the letter with the link to a place.
func (from Inviter) Invitation(to string, place Place) *Message {
	letter := Invitation(to, from.Name, from.Verified, place.Name, place.Link)
	letter.Cause, letter.About = from.User, []string{from.User}
	return &letter
}

// Invite queues the invitation to a group or an ajo to each address. One that had many invitations is left in peace. A
// retry has the same command, and writes to nobody again.
func Invite(ctx context.Context, pool *pgxpool.Pool, from Inviter, to []string, place Place, command uuid.UUID, now time.Time) error {
	for _, address := range to {
		i := Invited{event.DeriveID(command, "invitation of "+address), place.ID, address}
		if err := Ask(ctx, pool, i, from.Invitation(address, place), now); err != nil && !fault.Is(err, fault.TooMany) {
			return err
		}
	}
	return nil
}

// Ask counts an invitation and queues its letter, if it has one, or refuses it with TooMany where the address was
// invited to the place often enough. The letter is not queued to an address that had many letters today. A retry
// counts once. Of calls at once for one address, one asks after the other.
func Ask(ctx context.Context, pool *pgxpool.Pool, i Invited, letter *Message, now time.Time) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		if err := alone(ctx, tx, i.Address); err != nil {
			return err
		}
		again, err := i.asked(ctx, tx)
		if err != nil || again {
			return err
		}
		if err := i.often(ctx, tx, now); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `INSERT INTO invited_addresses (id, address, place, invited_at) VALUES ($1, $2, $3, $4)`, i.ID, i.Address, i.Place, now); err != nil {
			return fmt.Errorf("mail: invite: %w", err)
		}
		if letter == nil {
			return nil
		}
		all, own, err := CountSince(ctx, tx, i.Address, KindInvitation, letter.Cause, now.Add(-24*time.Hour))
		if err != nil || own >= invitationsADay || all >= invitationsADayMax {
			return err
		}
		return Queue(ctx, tx, *letter, now)
	})
}

// alone has others who invite an address, or end its invitations, wait until the transaction is over.
func alone(ctx context.Context, tx pgx.Tx, address string) error {
	if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock(hashtextextended('invitations of ' || $1, 0))`, address); err != nil {
		return fmt.Errorf("mail: invite: %w", err)
	}
	return nil
}

// asked reports whether this is a retry, and refuses another invitation under the same key.
func (i Invited) asked(ctx context.Context, tx pgx.Tx) (bool, error) {
	var same bool
	err := tx.QueryRow(ctx, `SELECT address = $2 AND place = $3 FROM invited_addresses WHERE id = $1`, i.ID, i.Address, i.Place).Scan(&same)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("mail: invite: %w", err)
	case !same:
		return false, fault.New(fault.Conflict, "This was already used to invite somebody else. Please try again.")
	}
	return true, nil
}

// often refuses an address that was invited to the place often enough, or since its refusal.
func (i Invited) often(ctx context.Context, tx pgx.Tx, now time.Time) error {
	var all, since int
	var ended bool
	err := tx.QueryRow(ctx, `SELECT count(*) FILTER (WHERE invited_at > $3), count(*) FILTER (WHERE invited_at > e.first), count(e.first) > 0
		FROM invited_addresses, (SELECT min(ended_at) AS first FROM invited_addresses WHERE address = $1 AND place = $2 AND ended_at > $3) e
		WHERE address = $1 AND place = $2`, i.Address, i.Place, now.Add(-invitedFor)).Scan(&all, &since, &ended)
	if err != nil {
		return fmt.Errorf("mail: invite: %w", err)
	}
	if all >= invitedMost || ended && since >= invitedAgain {
		return fault.New(fault.TooMany, "This address was invited often enough for now. Please wait 30 days before you invite it again.")
	}
	return nil
}

// TakeBack forgets that an invitation was asked for: the ledger refused it.
func TakeBack(ctx context.Context, db DB, id uuid.UUID) error {
	if _, err := db.Exec(ctx, `DELETE FROM invited_addresses WHERE id = $1`, id); err != nil {
		return fmt.Errorf("mail: invite: %w", err)
	}
	return nil
}

// EndInvitations notes that an address refused its invitations to a place, or that they were withdrawn.
func EndInvitations(ctx context.Context, tx pgx.Tx, place, address string, now time.Time) error {
	if err := alone(ctx, tx, address); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `UPDATE invited_addresses SET ended_at = $3 WHERE place = $1 AND address = $2 AND ended_at IS NULL`, place, address, now); err != nil {
		return fmt.Errorf("mail: invite: %w", err)
	}
	return nil
}

// Withdraw ends the invitations of an address to a place and queues the letter that says so, unless the address had
// many of its kind today. Of calls at once for one address, one acts after the other.
func Withdraw(ctx context.Context, tx pgx.Tx, place string, letter Message, now time.Time) error {
	if err := EndInvitations(ctx, tx, place, letter.To, now); err != nil {
		return err
	}
	all, own, err := CountSince(ctx, tx, letter.To, letter.Kind, letter.Cause, now.Add(-24*time.Hour))
	if err != nil || own >= invitationsADay || all >= invitationsADayMax {
		return err
	}
	return Queue(ctx, tx, letter, now)
}
