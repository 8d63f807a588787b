package vault

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"adashi.ng/services/internal/secret"
)

// Payee is the bank account that a payout goes to. It never shows its contents in text, JSON or logs.
type Payee struct {
	BankCode, BankNIP string // The CBN's and the network's.
	BankName          string
	Number            string
	AccountName       string // As the bank says it.
	Note              string // For the member's own statement.
}

// Format hides a payee from fmt, whatever the verb.
func (Payee) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, secret.Redacted) }

// MarshalJSON hides a payee from JSON; only SealPayee writes one.
func (Payee) MarshalJSON() ([]byte, error) { return json.Marshal(secret.Redacted) }

// LogValue hides a payee from slog.
func (Payee) LogValue() slog.Value { return slog.StringValue(secret.Redacted) }

// openPayee is a payee that can be written out.
type openPayee Payee

func payeeField(withdrawal uuid.UUID) string { return "payee " + withdrawal.String() }

// Begin gives a person a data key unless they have one, or had one: a payee may be the first data of a person who asks
// a group to pay somebody.
func (v *Vault) Begin(ctx context.Context, userID string) error {
	person, err := parse(userID)
	if err == nil {
		err = v.begin(ctx, person)
	}
	if err != nil {
		return fmt.Errorf("vault: payee: %w", err)
	}
	return nil
}

// SealPayee stores a payout's destination, under its requester. The first one stays.
func (v *Vault) SealPayee(ctx context.Context, userID, withdrawalID string, p Payee, now time.Time) error {
	person, err := parse(userID)
	if err != nil {
		return err
	}
	withdrawal, err := uuid.Parse(withdrawalID)
	if err != nil {
		return fmt.Errorf("vault: payee: %w", err)
	}
	aead, err := v.aead(ctx, v.pool, person)
	if err != nil {
		return fmt.Errorf("vault: payee: %w", err)
	}
	plain, err := json.Marshal(openPayee(p))
	if err == nil {
		_, err = v.pool.Exec(ctx, `INSERT INTO payees (withdrawal, person, sealed, sealed_at) VALUES ($1, $2, $3, $4) ON CONFLICT (withdrawal) DO NOTHING`,
			withdrawal, person, seal(aead, plain, about(person, payeeField(withdrawal))), now)
	}
	if err != nil {
		return fmt.Errorf("vault: payee: %w", err)
	}
	return nil
}

// Payee returns the destination of a payout; ErrGone when it is no longer stored.
func (v *Vault) Payee(ctx context.Context, id string) (Payee, error) {
	found, err := v.Payees(ctx, id)
	if err != nil {
		return Payee{}, err
	}
	p, kept := found[id]
	if !kept {
		return Payee{}, ErrGone
	}
	return p, nil
}

// Payees returns the destinations of payouts, by their ids, in one round trip. Those that are no longer stored are
// absent.
func (v *Vault) Payees(ctx context.Context, ids ...string) (map[string]Payee, error) {
	found := make(map[string]Payee, len(ids))
	asked := make(map[uuid.UUID]string, len(ids))
	for _, id := range ids {
		if withdrawal, err := uuid.Parse(id); err == nil {
			asked[withdrawal] = id
		}
	}
	rows, err := v.pool.Query(ctx, `SELECT p.withdrawal, p.person, p.sealed, o.master, o.wrapped FROM payees p JOIN people o ON o.id = p.person
		WHERE p.withdrawal = ANY($1) AND o.wrapped IS NOT NULL`, slices.Collect(maps.Keys(asked)))
	if err != nil {
		return nil, fmt.Errorf("vault: payees: %w", err)
	}
	var (
		withdrawal, person    uuid.UUID
		sealed, name, wrapped []byte
	)
	_, err = pgx.ForEachRow(rows, []any{&withdrawal, &person, &sealed, &name, &wrapped}, func() error {
		key, err := v.keys.unwrap(name, wrapped, person.String())
		if err != nil {
			return err
		}
		plain, err := open(newAEAD(key), sealed, about(person, payeeField(withdrawal)))
		if err != nil {
			return err
		}
		var p openPayee
		err = json.Unmarshal(plain, &p)
		found[asked[withdrawal]] = Payee(p)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("vault: payees: %w", err)
	}
	return found, nil
}

// ErrUndecided means that it is not known yet whether a withdrawal's sealed destination stays.
var ErrUndecided = errors.New("vault: it is not decided yet")

// SweepPayees decides about destinations that were sealed before a moment: they stay for good when the withdrawal is
// recorded, and are removed when it was refused. It asks again the next time about one that is ErrUndecided.
func (v *Vault) SweepPayees(ctx context.Context, before time.Time, known func(ctx context.Context, withdrawalID string) (bool, error)) error {
	rows, err := v.pool.Query(ctx, `SELECT withdrawal FROM payees WHERE NOT kept AND sealed_at < $1 ORDER BY sealed_at LIMIT 500`, before)
	if err != nil {
		return fmt.Errorf("vault: payees: %w", err)
	}
	loose, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		return fmt.Errorf("vault: payees: %w", err)
	}
	var failures []error
	for _, withdrawal := range loose {
		keep, err := known(ctx, withdrawal.String())
		if errors.Is(err, ErrUndecided) {
			continue
		}
		if err != nil {
			failures = append(failures, fmt.Errorf("vault: payee of %s: %w", withdrawal, err))
			continue
		}
		statement := `DELETE FROM payees WHERE withdrawal = $1`
		if keep {
			statement = `UPDATE payees SET kept = true WHERE withdrawal = $1`
		}
		if _, err := v.pool.Exec(ctx, statement, withdrawal); err != nil {
			return fmt.Errorf("vault: payees: %w", err)
		}
	}
	return errors.Join(failures...)
}
