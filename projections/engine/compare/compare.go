// Package compare compares tables of one schema with those of another.
package compare

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Sum is the digest of a model's tables.
type Sum struct {
	Rows int64
	Hex  string
}

// Digest is a checksum of a schema's tables. It does not depend on the order of rows: for each table it takes the
// number of rows and two sums of 64-bit hashes of each row's text, under two seeds, and hashes them all. Two different
// sets of rows have the same digest by chance once in 2^127 or so. The row hash is not cryptographic: a person who may
// write the tables could make a collision on purpose. Differences compares row by row and cannot be deceived so.
func Digest(ctx context.Context, tx pgx.Tx, schema string, tables []string) (Sum, error) {
	// A time's text depends on the zone.
	if _, err := tx.Exec(ctx, "SET LOCAL timezone TO 'UTC'; SET LOCAL datestyle TO 'ISO, YMD'; SET LOCAL intervalstyle TO 'postgres'"); err != nil {
		return Sum{}, err
	}
	var total Sum
	lot := sha256.New()
	for _, table := range tables {
		var (
			rows int64
			a, b string
		)
		err := tx.QueryRow(ctx, `SELECT count(*), coalesce(sum(hashtextextended(t::text, 1)), 0)::text, coalesce(sum(hashtextextended(t::text, 2)), 0)::text
			FROM `+quoted(schema, table)+" t").Scan(&rows, &a, &b)
		if err != nil {
			return Sum{}, err
		}
		total.Rows += rows
		fmt.Fprintf(lot, "%s\x00%d\x00%s\x00%s\x00", table, rows, a, b)
	}
	total.Hex = hex.EncodeToString(lot.Sum(nil)[:16])
	return total, nil
}

// Difference says how a serving table differs from a fold of the ledger.
type Difference struct {
	Table   string
	Missing int64 // Rows of the fold that the table lacks.
	Extra   int64 // Rows of the table that the fold lacks. A changed row counts on both sides.
	// Examples are the first few of either side, by key.
	Examples []Example
}

// Example is a row that only one side has.
type Example struct {
	Missing bool   // From the fold, missing in the table; else the table's own.
	Key     string // The primary key: column=value, and so on.
	Row     string // The whole row as JSON.
}

const examplesMax = 5

// Differences compares every table row by row, both ways.
func Differences(ctx context.Context, tx pgx.Tx, fold, serving string, tables []string) ([]Difference, error) {
	var found []Difference
	for _, table := range tables {
		d := Difference{Table: table}
		key, err := primaryKey(ctx, tx, serving, table)
		if err != nil {
			return nil, err
		}
		if d.Missing, err = sideOf(ctx, tx, &d, key, fold, serving, true); err != nil {
			return nil, err
		}
		if d.Extra, err = sideOf(ctx, tx, &d, key, serving, fold, false); err != nil {
			return nil, err
		}
		if d.Missing+d.Extra > 0 {
			found = append(found, d)
		}
	}
	return found, nil
}

// sideOf counts the rows that are in one schema's table and not in the other's, and takes the first few as examples.
func sideOf(ctx context.Context, tx pgx.Tx, d *Difference, key []string, has, lacks string, missing bool) (n int64, err error) {
	columns := strings.Join(key, ", ")
	rows, err := tx.Query(ctx, fmt.Sprintf(`WITH x AS MATERIALIZED (TABLE %s EXCEPT ALL TABLE %s)
		SELECT (SELECT count(*) FROM x), ARRAY[%s::text], to_jsonb(x)::text FROM x ORDER BY %s LIMIT %d`,
		quoted(has, d.Table), quoted(lacks, d.Table), strings.Join(key, "::text, "), columns, examplesMax))
	if err != nil {
		return 0, err
	}
	var (
		values []string
		row    string
	)
	_, err = pgx.ForEachRow(rows, []any{&n, &values, &row}, func() error {
		named := make([]string, 0, len(key))
		for i, column := range key {
			named = append(named, column+"="+values[i])
		}
		d.Examples = append(d.Examples, Example{Missing: missing, Key: strings.Join(named, " "), Row: row})
		return nil
	})
	return n, err
}

// primaryKey answers the columns of a table's primary key, quoted.
func primaryKey(ctx context.Context, tx pgx.Tx, schema, table string) ([]string, error) {
	rows, err := tx.Query(ctx, `SELECT quote_ident(a.attname) FROM pg_constraint c, unnest(c.conkey) WITH ORDINALITY AS k (num, n), pg_attribute a
		WHERE c.conrelid = $1::text::regclass AND c.contype = 'p' AND a.attrelid = c.conrelid AND a.attnum = k.num ORDER BY k.n`, quoted(schema, table))
	if err != nil {
		return nil, err
	}
	key, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err == nil && len(key) == 0 {
		err = fmt.Errorf("%s has no primary key", table)
	}
	return key, err
}

func quoted(names ...string) string { return pgx.Identifier(names).Sanitize() }
