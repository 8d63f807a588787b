package vault

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/base/fault"
)

// checksPerDay limits how many BVN checks a person may request in 24 hours.
const checksPerDay = 5

// mac is the keyed hash of a BVN: the same for the same BVN, and useless without the key.
func (v *Vault) mac(bvn string) []byte {
	hash := hmac.New(sha256.New, v.pepper)
	hash.Write([]byte("bvn v1\x00" + bvn))
	return hash.Sum(nil)
}

// BeginCheck records that a person's BVN is being checked. A BVN of another account, and one that differs from the
// earlier verified one, fail at once. It returns fault.Conflict for a second check before the first has ended, and
// fault.TooMany for the sixth in 24 hours.
func (v *Vault) BeginCheck(ctx context.Context, userID string, claim Claim, now time.Time) (Record, error) {
	return v.Update(ctx, userID, func(ctx context.Context, tx Tx) error {
		var others, another bool
		var tries int
		err := tx.tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM bvns WHERE mac = $1 AND person <> $2), EXISTS (SELECT FROM bvns WHERE mac <> $1 AND person = $2),
			(SELECT count(*) FROM checks WHERE person = $2 AND began_at > $3)`, v.mac(claim.Number), tx.person, now.Add(-24*time.Hour)).Scan(&others, &another, &tries)
		switch {
		case err != nil:
			return err
		case tx.Bvn.Status == Verified:
			return fault.New(fault.Conflict, "Your BVN is verified already.")
		case tx.Bvn.Status == Pending:
			return fault.New(fault.Conflict, "Your BVN is being checked already. We will tell you as soon as the bank has answered.")
		case tries >= checksPerDay:
			return fault.New(fault.TooMany, "You have tried %d times today. Please check your details, and try again tomorrow.", checksPerDay)
		}
		id := clock.ID(now)
		if _, err := tx.tx.Exec(ctx, `INSERT INTO checks (id, person, began_at, asked_at) VALUES ($1, $2, $3, $3)`, id, tx.person, now); err != nil {
			return err
		}
		another = another && claim.Known
		if others || another {
			// It counts as a try, so that nobody can probe which BVNs we have.
			_, err := tx.tx.Exec(ctx, `UPDATE checks SET ended_at = $2 WHERE id = $1`, id, now)
			if tx.Bvn = (Bvn{Status: Failed, Reason: ElsewhereReason}); another {
				tx.Bvn.Reason = AnotherReason
			}
			return err
		}
		tx.Bvn = Bvn{Status: Pending, Last2: claim.Number[len(claim.Number)-2:], Check: id.String(), Asked: claim}
		return nil
	})
}

// ElsewhereReason is the reason when a BVN is in use; it does not reveal its owner.
const ElsewhereReason = "This BVN is in use already. If it is yours, please contact us."

// AnotherReason is the reason when a BVN differs from the one that was verified for the member before.
const AnotherReason = "Your account was verified with another BVN, and keeps it. If that is wrong, please contact us: two of our staff must agree to another one."

// Introduced stores the gateway's name for the person of a check.
func (v *Vault) Introduced(ctx context.Context, check uuid.UUID, customer string) error {
	if _, err := v.pool.Exec(ctx, `UPDATE checks SET customer = $2 WHERE id = $1`, check, customer); err != nil {
		return fmt.Errorf("vault: check: %w", err)
	}
	return nil
}

// ClaimBvn makes a BVN a person's own, in place of another they had. It returns false when another account has it, and
// ErrClosed for a closed account.
func (v *Vault) ClaimBvn(ctx context.Context, userID, bvn string) (bool, error) {
	person, err := parse(userID)
	if err != nil {
		return false, err
	}
	err = pgx.BeginFunc(ctx, v.pool, func(tx pgx.Tx) error {
		// Two claims of one person take turns. Otherwise the second would find the first's number taken.
		var closed bool
		if err := tx.QueryRow(ctx, `SELECT closed_at IS NOT NULL FROM people WHERE id = $1 FOR UPDATE`, person).Scan(&closed); err != nil {
			return err
		}
		if closed {
			return ErrClosed
		}
		_, err := tx.Exec(ctx, `INSERT INTO bvns (mac, person) VALUES ($1, $2) ON CONFLICT (person) DO UPDATE SET mac = excluded.mac`, v.mac(bvn), person)
		return err
	})
	var taken *pgconn.PgError
	if errors.As(err, &taken) && taken.Code == "23505" {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("vault: claim: %w", err)
	}
	return true, nil
}

// EndCheck records how a check ended. It ignores a check that has already ended.
func (v *Vault) EndCheck(ctx context.Context, userID, check string, status Status, reason string, now time.Time) (Record, error) {
	return v.Update(ctx, userID, func(ctx context.Context, tx Tx) error {
		if tx.Bvn.Check != check {
			return nil
		}
		tx.Bvn = Bvn{Status: status, Last2: tx.Bvn.Last2, Reason: reason}
		if status != Verified {
			tx.Bvn.Last2 = ""
		}
		_, err := tx.tx.Exec(ctx, `UPDATE checks SET ended_at = $2 WHERE id = $1`, check, now)
		return err
	})
}

// Check is a check that has not ended.
type Check struct {
	ID       uuid.UUID
	Person   uuid.UUID
	Began    time.Time
	Customer string // The gateway's name for the person, if it gave one.
}

const checkColumns = `id, person, began_at, customer`

// DueChecks takes open checks that we last asked about before a moment; they are due again only after now.
func (v *Vault) DueChecks(ctx context.Context, before, now time.Time, limit int) ([]Check, error) {
	return v.checks(ctx, `UPDATE checks SET asked_at = $2 WHERE id IN (
		SELECT id FROM checks WHERE ended_at IS NULL AND asked_at <= $1 ORDER BY asked_at LIMIT $3 FOR UPDATE SKIP LOCKED)
		RETURNING `+checkColumns, before, now, limit)
}

// CheckUnderWay returns a person's open check, if there is one.
func (v *Vault) CheckUnderWay(ctx context.Context, userID string) (check Check, found bool, err error) {
	person, err := parse(userID)
	if err != nil {
		return Check{}, false, err
	}
	return first(v.checks(ctx, `SELECT `+checkColumns+` FROM checks WHERE person = $1 AND ended_at IS NULL`, person))
}

// CheckOf returns the open check of a gateway's customer, if there is one.
func (v *Vault) CheckOf(ctx context.Context, customer string) (check Check, found bool, err error) {
	return first(v.checks(ctx, `SELECT `+checkColumns+` FROM checks WHERE customer = $1 AND customer <> '' AND ended_at IS NULL`, customer))
}

func first(checks []Check, err error) (Check, bool, error) {
	if err != nil || len(checks) == 0 {
		return Check{}, false, err
	}
	return checks[0], true, nil
}

func (v *Vault) checks(ctx context.Context, sql string, args ...any) ([]Check, error) {
	rows, err := v.pool.Query(ctx, sql, args...)
	if err != nil {
		return nil, fmt.Errorf("vault: checks: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Check])
}
