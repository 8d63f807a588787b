package sandbox

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/fault"
)

// How the bank answers an order to pay out.
const (
	AnswersPlain  = "plain"
	AnswersSilent = "silent" // It does it, and the answer is lost.
	AnswersLost   = "lost"   // The order is lost: it does nothing and answers nothing.
	AnswersXML    = "xml"    // It does it, and answers what is not JSON.
	AnswersExists = "exists" // It does it, and answers that it has this order already.
	AnswersAway   = "403"    // It does it, and answers that we may not, that we ask too often, or that it is away.
	AnswersOften  = "429"
	AnswersDown   = "503"
)

// answers are all of them.
var answers = []string{"", AnswersPlain, AnswersSilent, AnswersLost, AnswersXML, AnswersExists, AnswersAway, AnswersOften, AnswersDown}

// How the bank tells of a payout when it is asked.
const (
	TellsAnother    = "another"    // It answers about another payout.
	TellsPart       = "part"       // It has a return of half of the money.
	TellsUnfinished = "unfinished" // It has a return that it still works on. The gateway tells of none before it is done.
)

// BankAway is the code of a receiving bank that is not there, beside the HTTP statuses of Manner.Refuses.
const BankAway = 91

// Manner is how payouts to an account go wrong; of no account, all that have none of their own. The zero value is a
// bank at its best.
type Manner struct {
	Account   string
	Delay     time.Duration  // How long they are pending.
	Code      string         // The outcome in VFD's codes; "00" when empty. Paystack's words follow from it.
	Answer    string         // AnswersPlain when empty.
	Hold      time.Duration  // How long the answer takes.
	Twice     bool           // Whether webhooks come twice.
	Reverse   *time.Duration // How long after it was paid it is sent back; nil for never.
	DeadUntil time.Time      // Nobody is answered until then: about this account, or at all.
	Refuses   int            // What everybody is answered until DeadUntil instead: 403, 429, 503 or BankAway.
	Tells     string         // How it tells of payouts; empty for the truth.
	// FirstMissing is how long the bank takes to tell the first who asks about the account that there is none; it knows
	// of it again once a payout to it is ordered. It takes no time to tell all others that there is one. Zero for all
	// alike.
	FirstMissing time.Duration
}

// Behave sets how payouts go from now on.
func (b *Bank) Behave(ctx context.Context, m Manner) error {
	reverse := int64(-1)
	if m.Reverse != nil {
		reverse = m.Reverse.Milliseconds()
	}
	var dead *time.Time
	if !m.DeadUntil.IsZero() {
		dead = &m.DeadUntil
	}
	_, err := b.pool.Exec(ctx, `INSERT INTO sandbox_manners (account_number, delay_ms, code, answer, hold_ms, twice, reverse_ms, dead_until, first_missing, first_hold_ms, refuses, tells)
		VALUES ($1, $2, coalesce(nullif($3, ''), '00'), coalesce(nullif($4, ''), 'plain'), $5, $6, $7, $8, $9 > 0, $9, $10, $11)
		ON CONFLICT (account_number) DO UPDATE SET delay_ms = excluded.delay_ms, code = excluded.code, answer = excluded.answer,
			hold_ms = excluded.hold_ms, twice = excluded.twice, reverse_ms = excluded.reverse_ms, dead_until = excluded.dead_until,
			first_missing = excluded.first_missing, first_hold_ms = excluded.first_hold_ms, refuses = excluded.refuses, tells = excluded.tells`,
		m.Account, m.Delay.Milliseconds(), m.Code, m.Answer, m.Hold.Milliseconds(), m.Twice, reverse, dead, m.FirstMissing.Milliseconds(), m.Refuses, m.Tells)
	if err != nil {
		return fmt.Errorf("sandbox: manner: %w", err)
	}
	return nil
}

// manner is how payouts to an account go: its own, or everybody's.
func (b *Bank) manner(ctx context.Context, account string) (Manner, error) {
	m := Manner{Account: account, Code: succeeded, Answer: AnswersPlain}
	var delay, hold, reverse int64
	var dead *time.Time
	err := b.pool.QueryRow(ctx, `SELECT delay_ms, code, answer, hold_ms, twice, reverse_ms, dead_until, refuses, tells FROM sandbox_manners
		WHERE account_number IN ($1, '') ORDER BY account_number DESC LIMIT 1`, account).Scan(&delay, &m.Code, &m.Answer, &hold, &m.Twice, &reverse, &dead, &m.Refuses, &m.Tells)
	if errors.Is(err, pgx.ErrNoRows) {
		return m, nil
	}
	m.Delay, m.Hold = time.Duration(delay)*time.Millisecond, time.Duration(hold)*time.Millisecond
	if reverse >= 0 {
		after := time.Duration(reverse) * time.Millisecond
		m.Reverse = &after
	}
	if dead != nil {
		m.DeadUntil = *dead
	}
	return m, err
}

// missing reports whether an account is denied to who asks about it, as Manner.FirstMissing has it.
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

// away breaks a call off or refuses it while the bank is away: for an account or, of none, at all. It reports whether
// it did.
func (b *Bank) away(w http.ResponseWriter, r *http.Request, rail, account string) bool {
	var refuses int
	err := b.pool.QueryRow(r.Context(), `SELECT refuses FROM sandbox_manners WHERE account_number = $1 AND dead_until > $2`, account, b.now()).Scan(&refuses)
	if err != nil {
		return false
	}
	if refuses == 0 {
		hangUp()
	}
	refuse(w, rail, refuses)
	return true
}

// refused is away for questions about an account, which a bank answers that takes no orders for it.
func (b *Bank) refused(w http.ResponseWriter, r *http.Request, rail, account string) bool {
	m, err := b.manner(r.Context(), account)
	return err == nil && m.Refuses != 0 && b.away(w, r, rail, account)
}

// refuse answers what says nothing about the question.
func refuse(w http.ResponseWriter, rail string, with int) {
	words, status := http.StatusText(with), with
	if with == BankAway {
		words, status = failure("91"), http.StatusOK
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

// alive breaks every call off, or refuses it, while the bank is away.
func (b *Bank) alive(rail string, next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !b.away(w, r, rail, "") {
			next(w, r)
		}
	}
}

// hangUp ends the connection without an answer.
func hangUp() { panic(http.ErrAbortHandler) }

// unlisted is a code that the bank does not publish.
const unlisted = "77"

// outcomes are the codes that the counter offers for payouts, in words.
var outcomes = []struct{ Code, Words string }{
	{succeeded, "are paid"},
	{"26", "are paid (26)"},
	{"09", "stay pending for ever (09)"},
	{"01", "stay pending for ever (01)"},
	{"02", "stay pending for ever (02)"},
	{"25", "stay pending for ever (25)"},
	{"94", "stay pending for ever (94)"},
	{"96", "stay pending for ever (96)"},
	{"500", "stay pending for ever (500)"},
	{"51", "fail: insufficient funds (51)"},
	{"98", "fail: limit reached (98)"},
	{"99", "fail: not carried out (99)"},
	{"34", "fail: suspected fraud (34)"},
	{"35", "fail: contact the bank (35)"},
	{"63", "fail: security violation (63)"},
	{"91", "fail: the other bank did not answer (91)"},
	{"07", "fail: invalid account (07)"},
	{unlisted, "end with a code that the bank does not publish (77)"},
}

// failure is a code's reason in words.
func failure(code string) string {
	for _, o := range outcomes {
		if words, fails := strings.CutPrefix(o.Words, "fail: "); fails && o.Code == code {
			words, _, _ = strings.Cut(words, " (")
			return strings.ToUpper(words[:1]) + words[1:]
		}
	}
	return "Failed"
}

// behave is the counter's form: label "Let payouts go so".
func (b *Bank) behave(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 64<<10)
	seconds := func(field string) time.Duration {
		n, _ := strconv.Atoi(r.PostFormValue(field))
		return time.Duration(min(max(n, 0), 24*3600)) * time.Second
	}
	m := Manner{
		Account: strings.ReplaceAll(word(r.PostFormValue("payee"), 20), " ", ""), Delay: seconds("payout_delay"), Code: r.PostFormValue("code"),
		Answer: r.PostFormValue("answer"), Hold: seconds("hold"), Twice: r.PostFormValue("payout_twice") != "", Tells: r.PostFormValue("tells"),
	}
	if r.PostFormValue("reverse") != "" {
		after := seconds("reverse")
		m.Reverse = &after
	}
	if dead := seconds("dead"); dead > 0 {
		m.DeadUntil = b.now().Add(dead)
		m.Refuses, _ = strconv.Atoi(r.PostFormValue("refuses"))
	}
	known := m.Code == ""
	for _, o := range outcomes {
		known = known || o.Code == m.Code
	}
	var err error
	switch {
	case !known:
		err = fault.Field("code", "Please choose how payouts end.")
	case !slices.Contains(answers, m.Answer):
		err = fault.Field("answer", "Please choose how the bank answers.")
	case !slices.Contains([]string{"", TellsAnother, TellsPart, TellsUnfinished}, m.Tells):
		err = fault.Field("tells", "Please choose what the bank says when it is asked.")
	case !slices.Contains([]int{0, BankAway, http.StatusForbidden, http.StatusTooManyRequests, http.StatusServiceUnavailable}, m.Refuses):
		err = fault.Field("refuses", "Please choose what a bank that is away answers.")
	default:
		err = b.Behave(r.Context(), m)
	}
	b.back(w, r, err, "/sandbox/#payouts")
}

// back answers a form of the counter: to a place on it, or with what is wrong.
func (b *Bank) back(w http.ResponseWriter, r *http.Request, err error, to string) {
	refusal := fault.As(err)
	switch {
	case refusal != nil:
		b.showCounter(w, r, http.StatusUnprocessableEntity, counterPage{Problem: refusal.Message})
	case err != nil:
		broken(w, r, err)
	default:
		http.Redirect(w, r, to, http.StatusSeeOther)
	}
}
