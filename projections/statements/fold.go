package statements

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/pgcopy"
	"adashi.ng/projections/engine"
	"adashi.ng/projections/engine/write"
)

// accountDay is the key of an account's sum on a day, UTC.
type accountDay struct {
	account uuid.UUID // Its Key.
	day     int64     // Since 1970-01-01.
}

// dayTotal is the sum of a day, and the positions of the first and the last entry of a batch that counts on that day.
type dayTotal struct{ kobo, first, last int64 }

// Key is the account's key in rows: the first 16 bytes of the SHA-256 of its name. It is a third as long as the name,
// and an index compares it faster.
func Key(account string) uuid.UUID {
	sum := sha256.Sum256([]byte(account))
	return uuid.UUID(sum[:16])
}

const dayHours = 24 * time.Hour

func fold(ctx context.Context, tx pgx.Tx, part engine.Part, events []engine.Event) (engine.Changes, error) {
	days := map[accountDay]dayTotal{}
	err := write.Copy(ctx, tx, "rm_entries", "account, pos, n, kobo, balance_kobo, effective_at, recorded_at", func(rows *pgcopy.Rows, fields int) {
		for _, e := range events {
			day := floorDay(e.EffectiveAt)
			for n, line := range e.Lines {
				if !part.Owns(line.Account) {
					continue
				}
				key := Key(line.Account)
				rows.Row(fields)
				rows.Bytes(key[:])
				rows.Bigint(e.Pos)
				rows.Smallint(int16(n))
				rows.Bigint(int64(line.Amount))
				rows.Bigint(int64(line.Balance))
				rows.Timestamptz(e.EffectiveAt)
				rows.Timestamptz(e.RecordedAt)
				total, known := days[accountDay{key, day}]
				if !known {
					total.first = e.Pos
				}
				days[accountDay{key, day}] = dayTotal{total.kobo + int64(line.Amount), total.first, e.Pos}
			}
		}
	})
	if err != nil || len(days) == 0 {
		return engine.Changes{}, err
	}
	batch := &write.Batch{}
	queueDays(batch, days)
	return engine.Changes{}, batch.Send(ctx, tx)
}

// floorDay is the day of a time, UTC.
func floorDay(t time.Time) int64 {
	return t.UTC().Truncate(dayHours).Unix() / int64(dayHours.Seconds())
}

func queueDays(batch *write.Batch, days map[accountDay]dayTotal) {
	// In the order of the primary key, which costs its index the least.
	keys := slices.SortedFunc(maps.Keys(days), func(a, b accountDay) int {
		return cmp.Or(bytes.Compare(a.account[:], b.account[:]), cmp.Compare(a.day, b.day))
	})
	var (
		accounts = make([][16]byte, len(keys))
		at       = make([]int32, len(keys))
		kobo     = make([]int64, len(keys))
		first    = make([]int64, len(keys))
		last     = make([]int64, len(keys))
	)
	for i, key := range keys {
		total := days[key]
		accounts[i], at[i], kobo[i], first[i], last[i] = key.account, int32(key.day), total.kobo, total.first, total.last
	}
	const all = `(SELECT account, DATE '1970-01-01' + day AS day, kobo, first_pos, last_pos
		FROM unnest($1::uuid[], $2::integer[], $3::bigint[], $4::bigint[], $5::bigint[]) AS d (account, day, kobo, first_pos, last_pos))`
	batch.Upsert(len(keys), "UPDATE rm_account_days d SET kobo = d.kobo + n.kobo, last_pos = n.last_pos FROM "+all+" n WHERE d.account = n.account AND d.day = n.day",
		"INSERT INTO rm_account_days (account, day, kobo, first_pos, last_pos) SELECT * FROM "+all+" n ON CONFLICT (account, day) DO NOTHING", accounts, at, kobo, first, last)
}
