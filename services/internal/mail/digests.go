package mail

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Paid is how many payments of a sub-account somebody is to be written about, and how much.
type Paid struct {
	GroupID, SubAccountID string
	Payments, Kobo        int64
	First, Last           int64     // Their positions.
	GatheredAt            time.Time // The first of them.
	parts                 int64     // They were gathered at so many times.
}

// BeginDigests has digests begin with what comes after a position, unless they began before.
func BeginDigests(ctx context.Context, db DB, pos int64) error {
	_, err := db.Exec(ctx, `INSERT INTO payment_digest (position, next_at) VALUES ($1, 'epoch') ON CONFLICT (one) DO NOTHING`, pos)
	return err
}

// Gathering is what Gather adds up.
type Gathering struct {
	// Totals is a query of user_id, group_id, sub_account_id, payments, kobo, first_pos and last_pos of what came after
	// the position $1 and up to $2, and was recorded after the moment $3.
	Totals string
	To     int64 // How far there is something to read.
	Now    time.Time
	Since  time.Time     // What was recorded earlier is no news.
	Every  time.Duration // After payments were found, the next are gathered.
}

// gatheredAtOnce is how many positions are read in one transaction, so that none takes long.
const gatheredAtOnce = 1_000_000

// Gather adds up what came since the last time, once Every has passed since something did. Each payment is counted
// once, also when it is cut short.
func Gather(ctx context.Context, pool *pgxpool.Pool, g Gathering) error {
	for begun := false; ; begun = true {
		more, err := g.step(ctx, pool, begun)
		if err != nil {
			return fmt.Errorf("mail: gather payments: %w", err)
		}
		if !more {
			return nil
		}
	}
}

func (g Gathering) step(ctx context.Context, pool *pgxpool.Pool, begun bool) (more bool, err error) {
	err = pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		var pos int64
		var next time.Time
		err := tx.QueryRow(ctx, `SELECT position, next_at FROM payment_digest FOR UPDATE`).Scan(&pos, &next)
		if err != nil || pos >= g.To || !begun && g.Now.Before(next) {
			return err
		}
		to := min(g.To, pos+gatheredAtOnce)
		more = to < g.To
		found, err := tx.Exec(ctx, `INSERT INTO payment_digests AS d (user_id, group_id, sub_account_id, payments, kobo, first_pos, last_pos, gathered_at)
			SELECT n.user_id, n.group_id, n.sub_account_id, n.payments, n.kobo, n.first_pos, n.last_pos, $4 FROM (`+g.Totals+`) n
			ON CONFLICT (user_id, group_id, sub_account_id, gathered_at) DO UPDATE SET payments = d.payments + excluded.payments,
				kobo = d.kobo + excluded.kobo, last_pos = excluded.last_pos`, pos, to, g.Since, g.Now)
		if err != nil {
			return err
		}
		if found.RowsAffected() > 0 {
			next = g.Now.Add(g.Every)
		}
		_, err = tx.Exec(ctx, `UPDATE payment_digest SET position = $1, next_at = $2`, to, next)
		return err
	})
	return more, err
}

// Recipient is somebody who is to be written to, about what came from a position on.
type Recipient struct {
	User  string
	First int64
}

// Recipients are the next after a user of those who are to be written to about payments.
func Recipients(ctx context.Context, pool *pgxpool.Pool, after string, limit int) ([]Recipient, error) {
	rows, err := pool.Query(ctx, `SELECT user_id, min(first_pos) FROM payment_digests WHERE user_id > $1 GROUP BY user_id ORDER BY user_id LIMIT $2`, after, limit)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Recipient])
}

// DigestFor reads what somebody is to be written about, most payments first.
func DigestFor(ctx context.Context, pool *pgxpool.Pool, user string) ([]Paid, error) {
	rows, err := pool.Query(ctx, `SELECT group_id, sub_account_id, sum(payments)::bigint AS payments, sum(kobo)::bigint, min(first_pos), max(last_pos), min(gathered_at), count(*)
		FROM payment_digests WHERE user_id = $1 GROUP BY group_id, sub_account_id ORDER BY payments DESC, group_id, sub_account_id`, user)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (p Paid, err error) {
		err = row.Scan(&p.GroupID, &p.SubAccountID, &p.Payments, &p.Kobo, &p.First, &p.Last, &p.GatheredAt, &p.parts)
		return p, err
	})
}

// ErrMoreCame is returned when payments were added to a digest after it was read.
var ErrMoreCame = errors.New("mail: more payments came meanwhile; the letter is written again")

// QueueDigest queues the letter about what DigestFor answered and takes that out, both or neither. Without a letter it
// only takes it out. ErrMoreCame.
func QueueDigest(ctx context.Context, pool *pgxpool.Pool, user string, paid []Paid, letter *Message, now time.Time) error {
	var groups, subs []string
	var last []int64
	var parts int64
	for _, p := range paid {
		groups, subs, last, parts = append(groups, p.GroupID), append(subs, p.SubAccountID), append(last, p.Last), parts+p.parts
	}
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		taken, err := tx.Exec(ctx, `DELETE FROM payment_digests d USING unnest($2::text[], $3::text[], $4::bigint[]) AS p (group_id, sub_account_id, last_pos)
			WHERE d.user_id = $1 AND d.group_id = p.group_id AND d.sub_account_id = p.sub_account_id AND d.last_pos <= p.last_pos`, user, groups, subs, last)
		if err != nil {
			return err
		}
		if taken.RowsAffected() < parts {
			return ErrMoreCame
		}
		if letter == nil {
			return nil
		}
		return Queue(ctx, tx, *letter, now)
	})
}

// PruneDigests forgets what could not be written about for so long.
func PruneDigests(ctx context.Context, db DB, before time.Time) error {
	_, err := db.Exec(ctx, `DELETE FROM payment_digests WHERE gathered_at < $1`, before)
	return err
}

// Digest is what officials are told of payments by mail, when there were several.
type Digest struct {
	Payments, Groups int64
	Group            string   // Where there is one; empty with several.
	Newest           []string // A sentence each.
	Lines            []DigestLine
	Link             string
}

// DigestLine is what came into a sub-account: Balogun Traders · Monthly dues, 12 payments, ₦60,000.00.
type DigestLine struct{ Where, What string }

type payments struct {
	Name string
	Digest
}

func (f payments) letter() letter {
	title := fmt.Sprintf("%d payments in %s", f.Payments, f.Group)
	if f.Groups > 1 {
		title = fmt.Sprintf("%d payments in %d groups", f.Payments, f.Groups)
	}
	l := letter{
		Subject:    title,
		Greeting:   hello(f.Name),
		Paragraphs: append([]string{title + "."}, f.Newest...),
		Action:     "Open Adashi",
		Link:       f.Link,
		Footer:     "Payments of your groups come together, every ten minutes at most. You choose in your settings what comes by mail.",
	}
	switch others := f.Payments - int64(len(f.Newest)); {
	case len(f.Newest) == 0:
	case others == 1:
		l.Paragraphs = append(l.Paragraphs, "And 1 other.")
	case others > 1:
		l.Paragraphs = append(l.Paragraphs, fmt.Sprintf("And %d others.", others))
	}
	for _, line := range f.Lines {
		l.Figures = append(l.Figures, figure{line.Where, line.What})
	}
	return l
}

// Payments tells an official of several payments in one letter.
func Payments(to, firstName string, d Digest) Message { return about(to, payments{firstName, d}) }
