package statements

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/pgcopy"
	"adashi.ng/projections/engine"
)

// accountDay keys what an account took in on a day, UTC.
type accountDay struct {
	account string
	day     int64 // Since 1970-01-01.
}

const dayHours = 24 * time.Hour

func fold(ctx context.Context, tx pgx.Tx, part engine.Part, events []engine.Event) (engine.Changes, error) {
	days := map[accountDay]int64{}
	err := engine.Copy(ctx, tx, "rm_entries", "account, pos, n, kobo, balance_kobo, effective_at, recorded_at", func(rows *pgcopy.Rows, fields int) {
		for _, e := range events {
			day := floorDay(e.EffectiveAt)
			for n, line := range e.Lines {
				if !part.Owns(line.Account) {
					continue
				}
				rows.Row(fields)
				rows.Text(line.Account)
				rows.Bigint(e.Pos)
				rows.Smallint(int16(n))
				rows.Bigint(int64(line.Amount))
				rows.Bigint(int64(line.Balance))
				rows.Timestamptz(e.EffectiveAt)
				rows.Timestamptz(e.RecordedAt)
				days[accountDay{line.Account, day}] += int64(line.Amount)
			}
		}
	})
	if err != nil || len(days) == 0 {
		return engine.Changes{}, err
	}
	batch := &engine.Batch{}
	queueDays(batch, days)
	return engine.Changes{}, batch.Send(ctx, tx)
}

// floorDay is the day of a time, UTC.
func floorDay(t time.Time) int64 {
	return t.UTC().Truncate(dayHours).Unix() / int64(dayHours.Seconds())
}

func queueDays(batch *engine.Batch, days map[accountDay]int64) {
	keys := make([]accountDay, 0, len(days))
	for key := range days {
		keys = append(keys, key)
	}
	// In the order of the primary key, which costs its index the least.
	slices.SortFunc(keys, func(a, b accountDay) int {
		if a.account != b.account {
			if a.account < b.account {
				return -1
			}
			return 1
		}
		return int(a.day - b.day)
	})
	accounts, at, kobo := make([]string, 0, len(keys)), make([]int32, 0, len(keys)), make([]int64, 0, len(keys))
	for _, key := range keys {
		accounts, at, kobo = append(accounts, key.account), append(at, int32(key.day)), append(kobo, days[key])
	}
	const all = "(SELECT account, DATE '1970-01-01' + day AS day, kobo FROM unnest($1::text[], $2::integer[], $3::bigint[]) AS d (account, day, kobo))"
	batch.Upsert(len(keys), "UPDATE rm_account_days d SET kobo = d.kobo + n.kobo FROM "+all+" n WHERE d.account = n.account AND d.day = n.day",
		"INSERT INTO rm_account_days (account, day, kobo) SELECT * FROM "+all+" n ON CONFLICT (account, day) DO NOTHING", accounts, at, kobo)
}
