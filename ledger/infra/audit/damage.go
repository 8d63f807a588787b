package audit

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"adashi.ng/ledger/infra/history"
)

// damage says why Postgres cannot read its own data, such as a corrupt page. It is empty for every other error.
func damage(err error) string {
	var pg *pgconn.PgError
	if errors.As(err, &pg) && (strings.HasPrefix(pg.Code, "XX") || strings.HasPrefix(pg.Code, "58")) {
		return pg.Message
	}
	return ""
}

// spare runs f in a transaction that continues if f fails because of damage, and returns that damage.
func spare(ctx context.Context, conn *pgx.Conn, f func() error) (why string, err error) {
	if _, err := conn.Exec(ctx, "savepoint spared"); err != nil {
		return "", err
	}
	after := "release savepoint spared"
	if err = f(); err != nil {
		if why = damage(err); why == "" {
			return "", err
		}
		after = "rollback to savepoint spared"
	}
	_, err = conn.Exec(ctx, after)
	return why, err
}

// spared runs a part of a check. Damage is a violation of the check, so that the verification continues.
func (s *snapshot) spared(ctx context.Context, c *Check, f func() error) error {
	why, err := spare(ctx, s.side, f)
	if why != "" {
		c.Violate(0, "", "It was not looked at to the end, since the database is damaged: %s.", why)
	}
	return err
}

// look is spared for a whole check, and measures its time.
func (s *snapshot) look(ctx context.Context, c *Check, f func() error) error {
	return timed(c, func() error { return s.spared(ctx, c, f) })
}

// unreadMost is how many unreadable positions in a row are tried one by one before the rest of a table is given up.
const unreadMost = 1024

// unread are positions that Postgres cannot read. It is safe for concurrent use.
type unread struct {
	mu    sync.Mutex
	spans []span
}

type span struct {
	from, to int64
	why      string
}

func (u *unread) note(from, to int64, why string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if n := len(u.spans); n > 0 && u.spans[n-1].to == from-1 {
		u.spans[n-1].to = to
		return
	}
	u.spans = append(u.spans, span{from, to, why})
}

// of says why some of the positions cannot be read; empty when all can.
func (u *unread) of(from, to int64) string {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, s := range u.spans {
		if s.from <= to && from <= s.to {
			return s.why
		}
	}
	return ""
}

// readAround reads the rows of a table of events between two positions, and leaves out those that Postgres cannot read.
func (s *snapshot) readAround(ctx context.Context, table string, from, to int64, each func(history.Chunk) error) error {
	width, failed := int64(0), 0 // How many positions are read at once, all when 0, and how many failed in a row.
	for from <= to {
		upto := to
		if width > 0 && from <= to-width {
			upto = from + width - 1
		}
		var last *history.Chunk
		why, err := spare(ctx, s.scan, func() error {
			return history.ScanChunks(ctx, s.scan, table, from, upto, func(c history.Chunk) error {
				last = &c
				return each(c)
			})
		})
		switch {
		case err != nil:
			return err
		case why == "" && upto == to:
			return nil
		case why == "":
			from, width, failed = upto+1, 2*min(width, 1<<61), 0
			continue
		}
		if from, err = after(last, max(from, 1)); err != nil {
			return err
		}
		switch {
		case width == 1 && failed == unreadMost:
			s.unread.note(from, to, why)
			return nil
		case width == 1:
			s.unread.note(from, from, why)
			from, failed = from+1, failed+1
		case width == 0:
			width = unreadMost
		default:
			width /= 2
		}
	}
	return nil
}

// after is the position after a chunk's last row; from when there is no chunk.
func after(c *history.Chunk, from int64) (int64, error) {
	if c == nil {
		return from, nil
	}
	rows, err := c.Rows()
	if err != nil || len(rows) == 0 {
		return from, err
	}
	return rows[len(rows)-1].Pos + 1, nil
}

// missingSays is the violation for positions without a row, or with one that cannot be read.
func (s *snapshot) missingSays(from, to int64) string {
	says := fmt.Sprintf("There are no events at the positions from %d to %d.", from, to)
	if from == to {
		says = "There is no event at this position."
	}
	if why := s.unread.of(from, to); why != "" {
		says = fmt.Sprintf("The events at the positions from %d to %d cannot be read, since the database is damaged: %s.", from, to, why)
	}
	return says
}
