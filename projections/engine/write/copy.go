package write

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/pgcopy"
)

// JSON encodes a fold's values, such as texts and numbers, whose encoding never fails.
func JSON(v any) []byte {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return raw
}

// buffers are reused for rows: those of a batch take hundreds of kilobytes.
var buffers = sync.Pool{New: func() any { return &pgcopy.Rows{} }}

// Copy writes a batch's rows into a table with COPY. each is called once to write them, each with a field for each of
// the columns, which are separated by commas.
func Copy(ctx context.Context, tx pgx.Tx, table, columns string, each func(rows *pgcopy.Rows, fields int)) error {
	rows := buffers.Get().(*pgcopy.Rows)
	defer buffers.Put(rows)
	rows.Reset()
	each(rows, strings.Count(columns, ",")+1)
	if rows.Len() == 0 {
		return nil
	}
	_, err := tx.Conn().PgConn().CopyFrom(ctx, bytes.NewReader(rows.End()), "COPY "+pgx.Identifier{table}.Sanitize()+" ("+columns+") FROM STDIN (FORMAT binary)")
	return err
}
