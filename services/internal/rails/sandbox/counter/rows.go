package counter

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"adashi.ng/ledger/base/money"
	"adashi.ng/services/internal/rails/banks"
	"adashi.ng/services/internal/rails/sandbox/acts"
)

// The queries of the counter's lists.
const (
	peopleRows = `SELECT bvn, first_name, last_name, account_number, bank_code, manner, owner FROM sandbox_people
		ORDER BY bvn LIKE '2222222222_', first_name, last_name LIMIT 60`
	accountRows = `SELECT account_number, merchant, amount, expires_at,
			EXISTS (SELECT FROM sandbox_transfers t WHERE t.account_number = a.account_number AND t.code = '00')
		FROM sandbox_accounts a WHERE validation = 'A0' ORDER BY created_at DESC LIMIT 20`
	transferRows = `SELECT t.account_number, t.amount, t.sender, t.code, t.sent_at, coalesce(nullif(t.reference, ''), a.reference), t.recalled_at
		FROM sandbox_transfers t JOIN sandbox_accounts a USING (account_number) ORDER BY t.id DESC LIMIT 20`
	payoutRows  = `SELECT id, account_number, account_name, amount, code, settles_at, reversed_at FROM sandbox_payouts ORDER BY id DESC LIMIT 20`
	disputeRows = `SELECT id, amount, due_at, answer, message FROM sandbox_disputes WHERE resolution = '' ORDER BY id`
	mannerRows  = `SELECT account_number, rail, manner FROM sandbox_manners ORDER BY account_number, rail`
)

type personRow struct{ BVN, FirstName, LastName, Account, BankCode, Manner, Owner string }

// Bank is the name of the person's bank.
func (p personRow) Bank() string {
	bank, _ := banks.New().Find(p.BankCode)
	return bank.Name
}

// Answers says how the bank answers about the BVN.
func (p personRow) Answers() string {
	return map[string]string{
		acts.Plain: "is verified at once", acts.Slow: "stays pending for 20 seconds, then is verified",
		acts.Silent: "stays pending for ever", acts.Other: "belongs to somebody else",
	}[p.Manner]
}

type accountRow struct {
	Number    string
	Merchant  string
	Amount    money.Kobo
	ExpiresAt time.Time
	Paid      bool
}

// Plain is the amount as the form takes it.
func (a accountRow) Plain() string { return a.Amount.Decimal().StringFixed(2) }

type transferRow struct {
	Account    string
	Amount     money.Kobo
	Sender     string
	Code       string
	SentAt     time.Time
	Reference  string
	RecalledAt *time.Time
}

// Came reports whether the money came and is still there.
func (t transferRow) Came() bool { return t.Code == acts.Succeeded && t.RecalledAt == nil }

// Outcome is the bank's answer in words.
func (t transferRow) Outcome() string {
	switch {
	case t.RecalledAt != nil:
		return "sent, and taken back " + lagosTime(*t.RecalledAt)
	case t.Code == acts.Succeeded:
		return "sent"
	case t.Code == "09":
		return "pending for ever"
	default:
		return "failed (" + t.Code + ")"
	}
}

type payoutRow struct {
	ID         int64
	Account    string
	Name       string
	Amount     money.Kobo
	Code       string
	SettlesAt  time.Time
	ReversedAt *time.Time
}

// Went reports whether the money left the pool, once it settled.
func (p payoutRow) Went() bool { return p.Code == acts.Succeeded || p.Code == "26" }

// Outcome is the payout's present state, as a text.
func (p payoutRow) Outcome() string {
	switch {
	case p.ReversedAt != nil:
		return "paid, and sent back " + lagosTime(*p.ReversedAt)
	case p.Went():
		return "paid (" + p.Code + "), settled " + lagosTime(p.SettlesAt)
	default:
		return "not paid (" + p.Code + ")"
	}
}

type disputeRow struct {
	ID      int64
	Amount  money.Kobo
	DueAt   time.Time
	Answer  string
	Message string
}

type mannerRow struct {
	Account, Rail string
	Manner        []byte
}

// Whom says to which account and rail the manner applies.
func (m mannerRow) Whom() string {
	whom := "To everybody"
	if m.Account != "" {
		whom = "To account " + m.Account
	}
	return whom + map[string]string{acts.VFD: ", at the bank", acts.Paystack: ", at the card gateway"}[m.Rail]
}

// How describes how the bank differs from one that works perfectly.
func (m mannerRow) How() string {
	var manner acts.Manner
	if err := json.Unmarshal(m.Manner, &manner); err != nil {
		return "in a way that cannot be read"
	}
	var out []string
	say := func(is bool, format string, args ...any) {
		if is {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	say(manner.Code != "" && manner.Code != acts.Succeeded, "payouts %s", wordsOf(acts.Outcomes, manner.Code))
	say(manner.Delay > 0, "payouts take %s", span(manner.Delay))
	say(manner.Reverse != nil, "payouts come back")
	say(manner.Keeps > 0, "%s of a return is kept", manner.Keeps)
	say(manner.Rest > 0, "what is kept comes %s later", manner.Rest)
	say(manner.ReturnAs != "", "returns come as transfers")
	say(manner.BookedBack, "unpaid payouts are booked out and in")
	say(manner.Fee > 0, "a payout costs %s", manner.Fee)
	say(manner.FeeTold != "", "fees are told of elsewhere")
	say(manner.Answer != "" && manner.Answer != acts.AnswersPlain, "orders: %s", wordsOf(answerChoices, manner.Answer))
	say(manner.Hold > 0, "answers take %s", span(manner.Hold))
	say(manner.Tells != "", "asked: %s", wordsOf(tellsChoices, manner.Tells))
	say(manner.Twice || manner.Silent || manner.HookLate > 0, "webhooks come twice, late or never")
	say(manner.AskedLate > 0, "orders are unknown for %s", span(manner.AskedLate))
	say(manner.LineLate > 0, "the statement is %s late", span(manner.LineLate))
	say(manner.Timeless || manner.ReturnTimeless, "times are left out")
	say(manner.Skew != 0, "times are %s %s", span(manner.Skew.Abs()), map[bool]string{true: "too late", false: "too early"}[manner.Skew > 0])
	say(!manner.DeadUntil.IsZero(), "away until %s", lagosTime(manner.DeadUntil))
	if len(out) == 0 {
		return "as it should"
	}
	return strings.Join(out, "; ")
}

// span is a time in its largest whole unit.
func span(d time.Duration) string {
	for _, unit := range []struct {
		of   time.Duration
		name string
	}{{24 * time.Hour, "day"}, {time.Hour, "hour"}, {time.Minute, "minute"}} {
		if n := d / unit.of; n > 0 && d%unit.of == 0 {
			return fmt.Sprintf("%d %s%s", n, unit.name, map[bool]string{true: "s"}[n > 1])
		}
	}
	return fmt.Sprintf("%g seconds", d.Seconds())
}

func wordsOf(choices []acts.Choice, value string) string {
	for _, c := range choices {
		if c.Value == value {
			return c.Words
		}
	}
	return value
}
