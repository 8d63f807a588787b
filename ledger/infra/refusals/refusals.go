// Package refusals seals the rows of the table refusals: the answers to commands that were refused. A refusal is no
// event, so no leaf of the Merkle tree covers it.
//
// The appender seals each row with a MAC over all its columns. The key of the MAC is not in the database, so the
// database's owner can neither change a row, nor invent one, nor put one row's seal on another. Rows that an earlier
// build wrote have no seal. The sealer counts and hashes those once, in a statement that the ledger's key signs: see
// proofs.Baseline.
package refusals

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Row is a row of the table of refusals.
type Row struct {
	Command    uuid.UUID
	Hash       []byte // Fingerprint of the request.
	Code       string
	Message    string
	Field      string
	RecordedAt time.Time // Whole microseconds, as Postgres keeps them.
	Actor      string
	Seal       []byte // Empty in a row that an earlier build wrote, or a process without a key.
}

// Key makes seals. An empty one makes none.
type Key []byte

// KeyFrom derives the key from a secret that every appending process has and the database does not. Nil without one.
func KeyFrom(secret []byte) Key {
	if len(secret) == 0 {
		return nil
	}
	sum := hmac.New(sha256.New, secret)
	sum.Write([]byte("adashi refusals v1"))
	return sum.Sum(nil)
}

// Seal is the seal of a row; nil for an empty key.
func (k Key) Seal(r Row) []byte {
	if len(k) == 0 {
		return nil
	}
	sum := hmac.New(sha256.New, k)
	r.write(sum)
	return sum.Sum(nil)
}

// Made reports whether the key made the row's seal.
func (k Key) Made(r Row) bool { return len(k) > 0 && hmac.Equal(r.Seal, k.Seal(r)) }

// write writes all columns of a row except its seal, each after its length.
func (r Row) write(to hash.Hash) {
	field := func(text []byte) {
		to.Write(binary.BigEndian.AppendUint64(nil, uint64(len(text))))
		to.Write(text)
	}
	field(r.Command[:])
	field(r.Hash)
	for _, text := range []string{r.Code, r.Message, r.Field, r.Actor} {
		field([]byte(text))
	}
	field(binary.BigEndian.AppendUint64(nil, uint64(r.RecordedAt.UnixMicro())))
}

// Digest counts and hashes rows, sorted by command.
type Digest struct {
	sum hash.Hash
	n   int64
}

// NewDigest begins one.
func NewDigest() *Digest {
	d := &Digest{sum: sha256.New()}
	d.sum.Write([]byte("adashi unsealed refusals v1"))
	return d
}

// Add adds the next row.
func (d *Digest) Add(r Row) {
	d.n++
	r.write(d.sum)
}

// Sum is how many rows were added, and their hash.
func (d *Digest) Sum() (n int64, hash [32]byte) { return d.n, [32]byte(d.sum.Sum(nil)) }

// querier is a connection, a pool or a transaction.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

const (
	selectRows     = "SELECT command, command_hash, code, message, field, recorded_at, actor, seal FROM refusals ORDER BY command"
	selectUnsealed = "SELECT command, command_hash, code, message, field, recorded_at, actor, seal FROM refusals WHERE seal = '' ORDER BY command"
)

// Each calls do with every row, in the order of their commands.
func Each(ctx context.Context, db querier, do func(Row)) error { return each(ctx, db, selectRows, do) }

// There reports whether the table has seals: an earlier build's has none before this one has migrated it.
func There(ctx context.Context, db querier) (there bool, err error) {
	rows, err := db.Query(ctx, "SELECT EXISTS (SELECT FROM pg_attribute WHERE attrelid = to_regclass('refusals') AND attname = 'seal' AND NOT attisdropped)")
	if err != nil {
		return false, err
	}
	_, err = pgx.ForEachRow(rows, []any{&there}, func() error { return nil })
	return there, err
}

// Unsealed is the digest of the rows without a seal.
func Unsealed(ctx context.Context, db querier) (n int64, hash [32]byte, err error) {
	d := NewDigest()
	err = each(ctx, db, selectUnsealed, d.Add)
	n, hash = d.Sum()
	return n, hash, err
}

func each(ctx context.Context, db querier, sql string, do func(Row)) error {
	rows, err := db.Query(ctx, sql)
	if err != nil {
		return err
	}
	var r Row
	_, err = pgx.ForEachRow(rows, []any{&r.Command, &r.Hash, &r.Code, &r.Message, &r.Field, &r.RecordedAt, &r.Actor, &r.Seal}, func() error {
		do(r)
		return nil
	})
	return err
}
