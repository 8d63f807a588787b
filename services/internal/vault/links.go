package vault

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/base/fault"
)

const guardianValid = 14 * 24 * time.Hour

// AskGuardian makes the link for a guardian's answer, in place of an earlier one, and returns its token. Only the
// token's hash is stored.
func (tx Tx) AskGuardian(ctx context.Context, now time.Time) (token, request string, err error) {
	raw := make([]byte, 32)
	_, _ = rand.Read(raw) // rand.Read never fails.
	token = base64.RawURLEncoding.EncodeToString(raw)
	hash := sha256.Sum256([]byte(token))
	id := clock.ID(now)
	if _, err := tx.tx.Exec(ctx, `DELETE FROM guardian_links WHERE person = $1`, tx.person); err != nil {
		return "", "", err
	}
	_, err = tx.tx.Exec(ctx, `INSERT INTO guardian_links (token_hash, person, request, expires_at) VALUES ($1, $2, $3, $4)`, hash[:], tx.person, id, now.Add(guardianValid))
	return token, id.String(), err
}

// ForgetGuardian removes a person's guardian, and keeps the address of one who had consented. The guardian's link no
// longer works.
func (tx Tx) ForgetGuardian(ctx context.Context) error {
	if tx.Guardian.Status == Consented {
		tx.FormerGuardians = append(tx.FormerGuardians, tx.Guardian.Email)
	}
	tx.Guardian = Guardian{}
	_, err := tx.tx.Exec(ctx, `DELETE FROM guardian_links WHERE person = $1`, tx.person)
	return err
}

// GuardianOf returns the person whose guardian has a link's token. It returns fault.Credentials for an unknown,
// replaced or expired token.
func (v *Vault) GuardianOf(ctx context.Context, token string, now time.Time) (userID string, err error) {
	hash := sha256.Sum256([]byte(token))
	err = v.pool.QueryRow(ctx, `SELECT person::text FROM guardian_links WHERE token_hash = $1 AND expires_at > $2`, hash[:], now).Scan(&userID)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", fault.New(fault.Credentials, "This link has expired, or a newer one took its place. Ask for it to be sent again.")
	}
	if err != nil {
		return "", fmt.Errorf("vault: guardian: %w", err)
	}
	return userID, nil
}

// Mailed returns the position up to which letters about notifications were queued; start when they never began.
func (v *Vault) Mailed(ctx context.Context, start int64) (int64, error) {
	var pos int64
	err := v.pool.QueryRow(ctx, `INSERT INTO letters (position) VALUES ($1) ON CONFLICT (one) DO UPDATE SET one = true RETURNING position`, start).Scan(&pos)
	if err != nil {
		return 0, fmt.Errorf("vault: letters: %w", err)
	}
	return pos, nil
}

// Queued returns when all letters were last queued, but never a time after now; now when they never were.
func (v *Vault) Queued(ctx context.Context, now time.Time) (at time.Time, err error) {
	err = v.pool.QueryRow(ctx, `SELECT least(coalesce(queued_at, $1), $1) FROM letters`, now).Scan(&at)
	return at, err
}

// SetQueued records that all letters are queued.
func (v *Vault) SetQueued(ctx context.Context, at time.Time) error {
	_, err := v.pool.Exec(ctx, `UPDATE letters SET queued_at = $1`, at)
	return err
}

// SetMailed records that position; it never moves it back.
func (v *Vault) SetMailed(ctx context.Context, pos int64) error {
	_, err := v.pool.Exec(ctx, `UPDATE letters SET position = greatest(position, $1)`, pos)
	return err
}
