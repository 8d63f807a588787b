package witnesses

import (
	"context"
	"encoding/base64"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/infra/proofs/witness"
)

// keptMost is how many cosignatures of a key are kept. The latest covers every record that an earlier one did.
const keptMost = 20

// signed is a cosignature as it is kept.
type signed struct {
	Public    []byte
	Name      string // Of an outsider.
	User      string // Of a device.
	Origin    string
	Size      int64
	Root      []byte
	Signature []byte
}

const columns = "public_key, name, user_id, origin, size, root, signature"

// text is what was signed, but for the line of the time.
func (s signed) text() string {
	return fmt.Sprintf("%s\n%d\n%s\n", s.Origin, s.Size, base64.StdEncoding.EncodeToString(s.Root))
}

// right reports whether the signature is the key's.
func (s signed) right() bool {
	v, err := witness.NewVerifier("device", s.Public)
	return err == nil && v.Verify([]byte(s.text()), s.Signature)
}

func (s signed) at() time.Time { return witness.TimeOf(s.Signature) }

// keep keeps a cosignature, unless the key has signed a later tree; kept is whether it is there now.
func keep(ctx context.Context, pool *pgxpool.Pool, s signed, now time.Time) (kept bool, err error) {
	err = pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock(hashtextextended('witness' || encode($1::bytea, 'hex'), 0))", s.Public); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `INSERT INTO witness_cosignatures (`+columns+`, kept_at) SELECT $1, $2, $3, $4, $5::bigint, $6, $7, $8
			WHERE NOT EXISTS (SELECT FROM witness_cosignatures WHERE public_key = $1 AND origin = $4 AND size > $5::bigint) ON CONFLICT DO NOTHING`,
			s.Public, s.Name, s.User, s.Origin, s.Size, s.Root, s.Signature, now.UTC()); err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, "SELECT EXISTS (SELECT FROM witness_cosignatures WHERE public_key = $1 AND origin = $2 AND size = $3 AND root = $4)",
			s.Public, s.Origin, s.Size, s.Root).Scan(&kept); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `DELETE FROM witness_cosignatures WHERE public_key = $1 AND origin = $2 AND size <
			(SELECT min(size) FROM (SELECT size FROM witness_cosignatures WHERE public_key = $1 AND origin = $2 ORDER BY size DESC LIMIT $3) latest)`, s.Public, s.Origin, keptMost)
		return err
	})
	return kept, err
}

func list(ctx context.Context, pool *pgxpool.Pool, query string, args ...any) ([]signed, error) {
	rows, err := pool.Query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[signed])
}

// latestOf answers the latest of each key that is of at least a size, among trees that the ledger goes on from.
func latestOf(ctx context.Context, pool *pgxpool.Pool, of []held, size int64) ([]signed, error) {
	origins, upto := make([]string, len(of)), make([]int64, len(of))
	for i, h := range of {
		origins[i], upto[i] = h.origin, h.upto
	}
	return list(ctx, pool, `SELECT * FROM (SELECT DISTINCT ON (public_key) `+columns+` FROM witness_cosignatures
			JOIN unnest($1::text[], $2::bigint[]) AS h (of, upto) ON origin = h.of AND size <= h.upto
		WHERE size >= $3 ORDER BY public_key, size DESC, origin DESC) latest ORDER BY name = '', size DESC, public_key`, origins, upto, size)
}

// ofUser answers the latest of each key of a user.
func ofUser(ctx context.Context, pool *pgxpool.Pool, user string) ([]signed, error) {
	return list(ctx, pool, "SELECT DISTINCT ON (public_key) "+columns+" FROM witness_cosignatures WHERE user_id = $1 ORDER BY public_key, kept_at DESC, size DESC", user)
}
