// Package invited keeps the invitations that a person came for, on their account: somebody who opens a link, signs up,
// and reads their mail on another phone or days later still finds it. It owns the table kept_invitations.
//
// An invitation is kept until it is used (its holder is in, or asked to be), put aside by its holder, or 60 days old.
// Whether its link still works is known by the group or ajo alone.
package invited

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/base/fault"
)

// Kind is what an invitation leads to.
type Kind string

// The kinds, in the words of the addresses of their links.
const (
	Savings Kind = "savings"
	Ajo     Kind = "ajo"
)

// Place is what one invitation link is for.
type Place struct {
	Kind Kind   `json:"kind"`
	ID   string `json:"id"`   // Of the group or ajo.
	Code string `json:"code"` // From the link; empty for an ajo that everybody may read.
}

// Path is the address of the screen that the link opens, below the app's own.
func (p Place) Path() string {
	path := "/" + string(p.Kind) + "/join-group/" + p.ID
	if p.Code == "" {
		return path
	}
	return path + "?code=" + p.Code
}

// How many invitations a person has at most, the newest, and for how long.
const (
	most  = 20
	stays = 60 * 24 * time.Hour
)

// Read answers the place that the fields of a request name: nil for none. A group and an ajo at once, what is no id,
// and what cannot be a code are fault.Invalid.
func Read(savingsID, ajoID, code string) (*Place, error) {
	p := Place{Kind: Savings, ID: savingsID, Code: code}
	field := "savingsId"
	switch {
	case savingsID == "" && ajoID == "":
		return nil, nil //nolint:nilnil // No invitation is none.
	case savingsID != "" && ajoID != "":
		return nil, fault.Field("ajoId", "An invitation is for a group or for an ajo, not for both.")
	case ajoID != "":
		p.Kind, p.ID, field = Ajo, ajoID, "ajoId"
	}
	id, err := uuid.Parse(p.ID)
	if err != nil || len(p.ID) != 36 {
		return nil, fault.Field(field, "This is not an invitation of ours. Open the link again.")
	}
	p.ID = id.String()
	for _, c := range code {
		if c != '-' && c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return nil, fault.Field("invitationCode", "This is not an invitation of ours. Open the link again.")
		}
	}
	if len(code) > 64 {
		return nil, fault.Field("invitationCode", "This is not an invitation of ours. Open the link again.")
	}
	return &p, nil
}

// DB is a transaction or a pool.
type DB interface {
	Exec(ctx context.Context, sql string, arguments ...any) (pgconn.CommandTag, error)
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// Keep puts an invitation on an account, as the newest; nil is none.
func Keep(ctx context.Context, db DB, userID string, p *Place, now time.Time) error {
	if p == nil {
		return nil
	}
	if _, err := db.Exec(ctx, `
		INSERT INTO kept_invitations (user_id, kind, place, code, kept_at) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (user_id, kind, place) DO UPDATE SET code = EXCLUDED.code, kept_at = EXCLUDED.kept_at`,
		userID, p.Kind, p.ID, p.Code, now); err != nil {
		return err
	}
	_, err := db.Exec(ctx, `
		DELETE FROM kept_invitations WHERE user_id = $1 AND (kept_at < $2 OR (kind, place) IN (
			SELECT kind, place FROM kept_invitations WHERE user_id = $1 ORDER BY kept_at DESC, place OFFSET $3))`,
		userID, now.Add(-stays), most)
	return err
}

// Store is the door to the kept invitations. Both fields are required.
type Store struct {
	Pool *pgxpool.Pool
	Now  clock.Clock
}

// Keep puts an invitation on an account, as the newest.
func (s Store) Keep(ctx context.Context, userID string, p Place) error {
	return Keep(ctx, s.Pool, userID, &p, s.Now())
}

// Forget ends an invitation that was used or put aside. One that is not there is no error.
func (s Store) Forget(ctx context.Context, userID string, kind Kind, place string) error {
	_, err := s.Pool.Exec(ctx, `DELETE FROM kept_invitations WHERE user_id = $1 AND kind = $2 AND place::text = $3`, userID, kind, place)
	return err
}

// Used forgets an invitation that led its holder in. Where that fails it is only offered once more.
func (s Store) Used(ctx context.Context, userID string, kind Kind, place string) {
	_ = s.Forget(ctx, userID, kind, place)
}

// List answers the invitations of an account, the newest first.
func (s Store) List(ctx context.Context, userID string) ([]Place, error) {
	rows, err := s.Pool.Query(ctx, `
		SELECT kind, place::text, code FROM kept_invitations WHERE user_id = $1 AND kept_at >= $2 ORDER BY kept_at DESC, place`,
		userID, s.Now().Add(-stays))
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Place])
}
