package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/rails/sandbox/acts"
)

// Behave sets how payouts go from now on. It returns fault.Invalid for a value that no bank here knows.
func (b *Bank) Behave(ctx context.Context, m Manner) error {
	if wrong := m.Wrong(); wrong != "" {
		return fault.Field(wrong, "Please choose a way to behave that the bank knows.")
	}
	whole, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("sandbox: manner: %w", err)
	}
	var dead *time.Time
	if !m.DeadUntil.IsZero() {
		dead = &m.DeadUntil
	}
	_, err = b.pool.Exec(ctx, `INSERT INTO sandbox_manners (account_number, rail, manner, hold_ms, dead_until, calls, refuses, first_missing, first_hold_ms)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8 > 0, $8)
		ON CONFLICT (account_number, rail) DO UPDATE SET manner = excluded.manner, hold_ms = excluded.hold_ms, dead_until = excluded.dead_until,
			calls = excluded.calls, refuses = excluded.refuses, first_missing = excluded.first_missing, first_hold_ms = excluded.first_hold_ms`,
		m.Account, m.Rail, whole, m.Hold.Milliseconds(), dead, m.Calls, m.Refuses, m.FirstMissing.Milliseconds())
	if err != nil {
		return fmt.Errorf("sandbox: manner: %w", err)
	}
	return nil
}

// BehaveAgain makes the bank and the gateway work well for everybody from now on, and report the truth about all
// payments and payouts. It does not undo what they did to money before.
func (b *Bank) BehaveAgain(ctx context.Context) error {
	err := pgx.BeginFunc(ctx, b.pool, func(tx pgx.Tx) error {
		for _, sql := range []string{
			`DELETE FROM sandbox_manners`, `UPDATE sandbox_disputes SET manner = 'plain' WHERE manner <> 'plain'`, `UPDATE sandbox_charges SET says = '{}' WHERE says <> '{}'`,
			`UPDATE sandbox_payouts SET says = '{}' WHERE says <> '{}'`, `UPDATE sandbox_transfers SET says = '{}' WHERE says <> '{}'`,
		} {
			if _, err := tx.Exec(ctx, sql); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("sandbox: behave again: %w", err)
	}
	return nil
}

// manners are all manners that were set, by account and rail.
type manners map[[2]string]Manner

func readManners(ctx context.Context, db querier) (manners, error) {
	rows, err := db.Query(ctx, `SELECT account_number, rail, manner, hold_ms FROM sandbox_manners`)
	if err != nil {
		return nil, err
	}
	all := manners{}
	var account, rail string
	var whole []byte
	var hold int64
	_, err = pgx.ForEachRow(rows, []any{&account, &rail, &whole, &hold}, func() error {
		var m Manner
		if err := json.Unmarshal(whole, &m); err != nil {
			return err
		}
		m.Hold = time.Duration(hold) * time.Millisecond
		all[[2]string{account, rail}] = m
		return nil
	})
	return all, err
}

// of returns the manner for a rail's payouts to an account: its own, or the general one.
func (all manners) of(rail, account string) Manner {
	m := Manner{}
	for _, key := range [][2]string{{account, rail}, {account, ""}, {"", rail}, {"", ""}} {
		if found, ok := all[key]; ok {
			m = found
			break
		}
	}
	if m.Code == "" {
		m.Code = succeeded
	}
	return m
}

// manner returns the manner for a rail's payouts to an account.
func manner(ctx context.Context, db querier, rail, account string) (Manner, error) {
	all, err := readManners(ctx, db)
	return all.of(rail, account), err
}

// missing reports whether the bank denies an account to the person who asks about it; see Manner.FirstMissing.
func (b *Bank) missing(ctx context.Context, account string) (bool, error) {
	var hold int64
	err := b.pool.QueryRow(ctx, `UPDATE sandbox_manners SET first_missing = false WHERE account_number = $1 AND first_missing RETURNING first_hold_ms`, account).Scan(&hold)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	until := time.NewTimer(time.Duration(hold) * time.Millisecond)
	defer until.Stop()
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	for ordered := false; err == nil && !ordered; {
		select {
		case <-ctx.Done():
			return true, ctx.Err()
		case <-until.C:
			return true, nil
		case <-look.C:
			err = b.pool.QueryRow(ctx, `SELECT EXISTS (SELECT FROM sandbox_payouts WHERE account_number = $1)`, account).Scan(&ordered)
		}
	}
	return true, err
}

// away drops or refuses a call while the bank is down: for an account or, when account is empty, for all. It reports
// whether it did.
func (b *Bank) away(w http.ResponseWriter, r *http.Request, rail, calls, account string) bool {
	var refuses int
	err := b.pool.QueryRow(r.Context(), `SELECT refuses FROM sandbox_manners WHERE account_number = $1 AND rail IN ('', $2) AND calls IN ('', $3) AND dead_until > $4
		ORDER BY rail DESC, calls DESC LIMIT 1`, account, rail, calls, b.now()).Scan(&refuses)
	if err != nil {
		return false
	}
	if refuses == 0 {
		hangUp()
	}
	refuse(w, rail, refuses)
	return true
}

// refused is away for questions about an account, which a bank answers even while it takes no orders for it.
func (b *Bank) refused(w http.ResponseWriter, r *http.Request, rail, account string) bool {
	m, err := manner(r.Context(), b.pool, rail, account)
	return err == nil && (m.Refuses != 0 || m.Calls == acts.CallsNames) && b.away(w, r, rail, acts.CallsNames, account)
}

// refuse writes an answer that says nothing about the question.
func refuse(w http.ResponseWriter, rail string, with int) {
	words, status := http.StatusText(with), with
	switch with {
	case BankAway:
		words, status = failure("91"), http.StatusOK
	case http.StatusNotFound:
		words = "Integration not found" // The message is about our account with the gateway, not about the question.
	}
	if rail == railVFD {
		vfdReply(w, status, strconv.Itoa(with), words, nil)
		return
	}
	if with == BankAway {
		status = http.StatusBadRequest
	}
	paystackReply(w, status, false, words, nil)
}

// alive drops or refuses every call while the bank is down.
func (b *Bank) alive(rail, calls string, next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !b.away(w, r, rail, calls, "") {
			next(w, r)
		}
	}
}

// hangUp closes the connection without an answer.
func hangUp() { panic(http.ErrAbortHandler) }

// failure is a code's reason in words.
func failure(code string) string {
	for _, o := range acts.Outcomes {
		if words, fails := strings.CutPrefix(o.Words, "fail: "); fails && o.Value == code {
			words, _, _ = strings.Cut(words, " (")
			return strings.ToUpper(words[:1]) + words[1:]
		}
	}
	return "Failed"
}
