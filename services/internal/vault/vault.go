package vault

import (
	"context"
	"crypto/cipher"
	"crypto/rand"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/migrate"
	"adashi.ng/ledger/infra/roles"
	"adashi.ng/services/internal/recent"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Role is the only database role, besides the owner, that may touch the vault's schema.
const Role = "adashi_vault"

// Vault gives access to it. It is safe for concurrent use.
type Vault struct {
	pool   *pgxpool.Pool
	keys   Keys
	pepper []byte // The key of the BVN hash.
	// avatars are ids of files by person; empty for people without one.
	avatars *recent.Cache[string]
}

// Schema is the vault's schema for a pool's own: vault, or, for any other than public, its name with _vault appended.
func Schema(ctx context.Context, beside *pgxpool.Pool) (string, error) {
	_, schema, err := schemas(ctx, beside)
	return schema, err
}

// schemas returns a pool's own schema and the vault's schema for it.
func schemas(ctx context.Context, beside *pgxpool.Pool) (home, schema string, err error) {
	if err := beside.QueryRow(ctx, "SELECT current_schema()").Scan(&home); err != nil {
		return "", "", fmt.Errorf("vault: %w", err)
	}
	if home == "public" {
		return home, "vault", nil
	}
	return home, home + "_vault", nil
}

// in returns a pool whose search_path is the vault's schema, followed by the pool's own, under a role; with an empty
// role, as the owner and with only the vault's schema.
func in(ctx context.Context, beside *pgxpool.Pool, role string, most int32) (*pgxpool.Pool, error) {
	home, schema, err := schemas(ctx, beside)
	if err != nil {
		return nil, err
	}
	config := beside.Config()
	config.ConnConfig.RuntimeParams["search_path"] = schema
	if role != "" {
		config.ConnConfig.RuntimeParams["search_path"] = schema + ", " + home
		config.ConnConfig.RuntimeParams["role"] = role
		config.ConnConfig.RuntimeParams["application_name"] = role
	}
	config.MaxConns, config.MinConns = most, 0
	return pgxpool.NewWithConfig(ctx, config)
}

// Migrate makes the schema and its tables, recorded in its own goose_vault.
func Migrate(ctx context.Context, beside *pgxpool.Pool) error {
	schema, err := Schema(ctx, beside)
	if err != nil {
		return err
	}
	if _, err := beside.Exec(ctx, "CREATE SCHEMA IF NOT EXISTS "+pgx.Identifier{schema}.Sanitize()); err != nil {
		return fmt.Errorf("vault: %w", err)
	}
	pool, err := in(ctx, beside, "", 2)
	if err != nil {
		return fmt.Errorf("vault: %w", err)
	}
	defer pool.Close()
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	return migrate.Up(ctx, pool, files, "goose_vault")
}

// Grant creates the vault's role and gives it, and no other role, the vault's tables; and the right to rename members
// and to queue letters, but not to read the letters. It does nothing for a ledger without a vault.
func Grant(ctx context.Context, beside *pgxpool.Pool) error {
	if err := roles.Create(ctx, beside, Role); err != nil {
		return err
	}
	home, name, err := schemas(ctx, beside)
	if err != nil {
		return err
	}
	schema := pgx.Identifier{name}.Sanitize()
	var there, letters, names bool
	if err := beside.QueryRow(ctx, `SELECT to_regnamespace($1) IS NOT NULL, to_regclass('mail_outbox') IS NOT NULL,
		to_regprocedure('accounts_rename(uuid, text, text, text)') IS NOT NULL`, schema).Scan(&there, &letters, &names); err != nil || !there {
		return err
	}
	statements := []string{
		"SELECT pg_advisory_xact_lock(hashtext('adashi roles'))",
		"REVOKE ALL ON SCHEMA " + schema + " FROM PUBLIC",
		"GRANT USAGE ON SCHEMA " + schema + " TO " + Role,
		"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA " + schema + " TO " + Role,
	}
	if letters {
		statements = append(statements, "GRANT USAGE ON SCHEMA "+pgx.Identifier{home}.Sanitize()+" TO "+Role,
			"GRANT INSERT, SELECT (recipient, created_at, kind, cause) ON mail_outbox TO "+Role)
	}
	if names {
		statements = append(statements, "GRANT EXECUTE ON FUNCTION accounts_rename(uuid, text, text, text) TO "+Role)
	}
	return pgx.BeginFunc(ctx, beside, func(tx pgx.Tx) error {
		for _, statement := range statements {
			if _, err := tx.Exec(ctx, statement); err != nil {
				return fmt.Errorf("vault: %w", err)
			}
		}
		return nil
	})
}

// vaultsOwn is the entry among people that stores the vault's own key.
var vaultsOwn = uuid.Nil

// Open opens the vault for a pool's schema with at most so many connections. It returns an error that says so when the
// master key is not the vault's.
func Open(ctx context.Context, beside *pgxpool.Pool, keys Keys, most int32) (*Vault, error) {
	pool, err := in(ctx, beside, Role, most)
	if err != nil {
		return nil, fmt.Errorf("vault: %w", err)
	}
	v := &Vault{pool: pool, keys: keys, avatars: recent.New[string](clock.System, avatarValid)}
	if err = v.begin(ctx, vaultsOwn); err == nil {
		v.pepper, err = v.key(ctx, pool, vaultsOwn)
	}
	switch {
	case errors.Is(err, errNoMaster):
		pool.Close()
		return nil, errNoMaster
	case err != nil:
		pool.Close()
		return nil, fmt.Errorf("vault: it cannot be opened: %w", err)
	}
	return v, nil
}

// Connections is the pool of the vault's connections, for the metrics.
func (v *Vault) Connections() *pgxpool.Pool { return v.pool }

// Close closes the connections.
func (v *Vault) Close() { v.pool.Close() }

// querier is a pool or a transaction.
type querier interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// begin gives a person a data key unless they have one, or had one.
func (v *Vault) begin(ctx context.Context, person uuid.UUID) error {
	key := make([]byte, keyBytes)
	_, _ = rand.Read(key) // rand.Read never fails.
	name, wrapped := v.keys.wrap(key, person.String())
	_, err := v.pool.Exec(ctx, `INSERT INTO people (id, master, wrapped) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING`, person, name, wrapped)
	return err
}

// ErrGone is for a person whose data key is destroyed.
var ErrGone = fault.New(fault.NotFound, "Nothing is kept of this person any more.")

// ErrClosed is for a person who has closed their account: we store nothing new about them.
var ErrClosed = fault.New(fault.NotFound, "This account is closed, so nothing more is kept in it.")

// key returns a person's data key: nil for one who has none yet, ErrGone for one whose key is destroyed.
func (v *Vault) key(ctx context.Context, db querier, person uuid.UUID) ([]byte, error) {
	var name, wrapped []byte
	err := db.QueryRow(ctx, `SELECT master, wrapped FROM people WHERE id = $1`, person).Scan(&name, &wrapped)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return nil, nil
	case err != nil:
		return nil, err
	case wrapped == nil:
		return nil, ErrGone
	}
	return v.keys.unwrap(name, wrapped, person.String())
}

// aead returns the cipher of a person's data key; ErrGone when they have none.
func (v *Vault) aead(ctx context.Context, db querier, person uuid.UUID) (cipher.AEAD, error) {
	key, err := v.key(ctx, db, person)
	if err != nil {
		return nil, err
	}
	if key == nil {
		return nil, ErrGone
	}
	return newAEAD(key), nil
}

// rewrapMax limits how many data keys one Rewrap takes.
const rewrapMax = 500

// Rewrap relocks data keys that an earlier master key locked with the one in use, some at a time, and returns how many.
func (v *Vault) Rewrap(ctx context.Context) (int, error) {
	rows, err := v.pool.Query(ctx, `SELECT id, master, wrapped FROM people WHERE master <> $1 AND wrapped IS NOT NULL LIMIT $2`, v.keys.current.name, rewrapMax)
	if err != nil {
		return 0, fmt.Errorf("vault: rewrap: %w", err)
	}
	type locked struct {
		ID            uuid.UUID
		Name, Wrapped []byte
	}
	old, err := pgx.CollectRows(rows, pgx.RowToStructByPos[locked])
	if err != nil {
		return 0, fmt.Errorf("vault: rewrap: %w", err)
	}
	done := 0
	var failures []error
	for _, l := range old {
		key, err := v.keys.unwrap(l.Name, l.Wrapped, l.ID.String())
		if err != nil {
			failures = append(failures, fmt.Errorf("vault: rewrap %s: %w", l.ID, err))
			continue
		}
		name, wrapped := v.keys.wrap(key, l.ID.String())
		// Not a key that was destroyed or relocked in the meantime.
		if _, err := v.pool.Exec(ctx, `UPDATE people SET master = $2, wrapped = $3 WHERE id = $1 AND wrapped = $4`, l.ID, name, wrapped, l.Wrapped); err != nil {
			return done, fmt.Errorf("vault: rewrap: %w", err)
		}
		done++
	}
	return done, errors.Join(failures...)
}
