package town

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/services/internal/rails/sandbox"
)

// bankActs are what the bank, the gateway and payers do, each with how likely it is.
var bankActs = []struct {
	weight int
	name   string
	do     func(t *Town, ctx context.Context, rng *rand.Rand) (string, error)
}{
	{10, "pays by transfer", (*Town).transfers},
	{6, "pays by card", (*Town).paysByCard},
	{8, "tells what came", (*Town).delivers},
	{3, "answers payouts another way", (*Town).behaves},
	{2, "a payout comes back", (*Town).sendsBack},
	{2, "takes a card payment back", (*Town).takesBack},
	{1, "a card's bank disputes", (*Town).disputes},
	{1, "a dispute ends", (*Town).endsDispute},
}

// banks has the bank do something.
func (t *Town) banks(ctx context.Context, number int, rng *rand.Rand) error {
	total := 0
	for _, a := range bankActs {
		total += a.weight
	}
	at := rng.IntN(total)
	for _, a := range bankActs {
		if at -= a.weight; at >= 0 {
			continue
		}
		r := reply{status: http.StatusOK}
		said, err := a.do(t, ctx, rng)
		switch refusal := fault.As(err); {
		case refusal != nil:
			r.status, r.Message = http.StatusConflict, refusal.Message
		case err != nil:
			return err
		case said == "":
			return nil
		}
		t.tells(number, "bank: "+a.name+" "+said, r)
		t.counts("bank: "+a.name, r.status)
		break
	}
	return t.learns(ctx)
}

// anyOf is one of some rows, in the order of their query; false where there is none.
func anyOf[T any](ctx context.Context, t *Town, rng *rand.Rand, sql string) (row T, found bool, err error) {
	rows, err := t.instance.Pool.Query(ctx, sql)
	if err != nil {
		return row, false, err
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[T])
	if err != nil || len(all) == 0 {
		return row, false, err
	}
	return all[rng.IntN(len(all))], true, nil
}

// transfers has somebody pay a payment that waits for its money: mostly as they should.
func (t *Town) transfers(ctx context.Context, rng *rand.Rand) (string, error) {
	type waits struct {
		Account string
		Amount  int64
		Expires time.Time
	}
	row, found, err := anyOf[waits](ctx, t, rng, `SELECT account_number, amount, expires_at FROM (SELECT * FROM sandbox_accounts WHERE validation = 'A0' ORDER BY created_at DESC LIMIT 12) a
		WHERE NOT EXISTS (SELECT FROM sandbox_transfers t WHERE t.account_number = a.account_number) ORDER BY reference`)
	if err != nil || !found {
		return "", err
	}
	transfer := sandbox.Transfer{Account: row.Account, Amount: money.Kobo(row.Amount), Sender: one(rng, t.people...).first + " Town"}
	said := transfer.Amount.String()
	switch rng.IntN(10) {
	case 0:
		transfer.Amount, transfer.Loose = transfer.Amount/2+1, true
		said += " in part"
	case 1:
		transfer.Amount, transfer.Loose = transfer.Amount+5000, true
		said += " and ₦50 more"
	case 2:
		transfer.Loose, transfer.Silent = true, true
		said += ", of which nobody is told"
	case 3:
		transfer.Loose, transfer.Twice, transfer.Delay = true, true, time.Duration(rng.IntN(48))*time.Hour
		said += fmt.Sprintf(", told twice after %s", transfer.Delay)
	case 4:
		transfer.Loose, transfer.HookBare, transfer.LineBare = true, true, true
		said += ", without our reference"
	case 5:
		transfer.Loose, transfer.LineLate = true, 30*time.Hour
		said += ", booked late"
	}
	return said, t.instance.Bank.Transfer(ctx, transfer)
}

func (t *Town) paysByCard(ctx context.Context, rng *rand.Rand) (string, error) {
	reference, found, err := anyOf[struct{ Text string }](ctx, t, rng, `SELECT reference FROM sandbox_charges WHERE status = 'abandoned' ORDER BY id DESC LIMIT 12`)
	if err != nil || !found {
		return "", err
	}
	telling := one(rng, sandbox.Telling{}, sandbox.Telling{}, sandbox.Telling{}, sandbox.Telling{Silent: true}, sandbox.Telling{Twice: true}, sandbox.Telling{HookBare: true})
	return fmt.Sprintf("%+v", telling), t.instance.Bank.PayCardAnd(ctx, reference.Text, time.Time{}, telling)
}

// delivers sends what is due of what the bank has to tell.
func (t *Town) delivers(ctx context.Context, _ *rand.Rand) (string, error) {
	return "what is due", t.instance.Bank.Deliver(ctx)
}

func (t *Town) behaves(ctx context.Context, rng *rand.Rand) (string, error) {
	m := sandbox.Manner{}
	if rng.IntN(2) == 0 {
		back := time.Duration(rng.IntN(40*24)) * time.Hour
		m = one(rng, sandbox.Manner{Delay: 6 * time.Hour}, sandbox.Manner{Code: "51"}, sandbox.Manner{Code: "91"}, sandbox.Manner{Code: "26"}, sandbox.Manner{Code: "09"},
			sandbox.Manner{Answer: sandbox.AnswersXML}, sandbox.Manner{Answer: sandbox.AnswersExists}, sandbox.Manner{Answer: sandbox.AnswersDown}, sandbox.Manner{Twice: true},
			sandbox.Manner{Reverse: &back}, sandbox.Manner{Tells: sandbox.TellsAnother}, sandbox.Manner{Tells: sandbox.TellsPart}, sandbox.Manner{Tells: sandbox.TellsUnfinished})
	}
	return fmt.Sprintf("%+v", m), t.instance.Bank.Behave(ctx, m)
}

func (t *Town) sendsBack(ctx context.Context, rng *rand.Rand) (string, error) {
	row, found, err := anyOf[struct{ ID int64 }](ctx, t, rng, `SELECT id FROM sandbox_payouts WHERE code IN ('00', '26') AND reversed_at IS NULL ORDER BY id DESC LIMIT 12`)
	if err != nil || !found {
		return "", err
	}
	r, err := t.call(ctx, nil, "POST", fmt.Sprintf("/sandbox/payouts/%d/reverse", row.ID), nil)
	return fmt.Sprintf("%d -> %d", row.ID, r.status), err
}

// taken are the newest card payments that the gateway has.
func (t *Town) taken() string {
	if t.spared("14 A1") {
		return `SELECT reference, amount FROM sandbox_charges JOIN rm_payments ON payment_id = reference WHERE sandbox_charges.status = 'success' AND rm_payments.status = 'CONFIRMED' ORDER BY id DESC LIMIT 20`
	}
	return `SELECT reference, amount FROM sandbox_charges WHERE status = 'success' ORDER BY id DESC LIMIT 20`
}

// cardPayment is one that the gateway has.
type cardPayment struct {
	Reference string
	Amount    int64
}

func (t *Town) takesBack(ctx context.Context, rng *rand.Rand) (string, error) {
	row, found, err := anyOf[cardPayment](ctx, t, rng, t.taken())
	if err != nil || !found {
		return "", err
	}
	back := sandbox.Takeback{Reference: row.Reference, Dispute: rng.IntN(2) == 0, Twice: rng.IntN(3) == 0}
	if rng.IntN(3) == 0 {
		back.Amount = money.Kobo(row.Amount / 3)
	}
	return fmt.Sprintf("%s of %s, dispute %t", back.Amount, money.Kobo(row.Amount), back.Dispute), t.instance.Bank.TakeBack(ctx, back)
}

func (t *Town) disputes(ctx context.Context, rng *rand.Rand) (string, error) {
	row, found, err := anyOf[cardPayment](ctx, t, rng, t.taken())
	if err != nil || !found {
		return "", err
	}
	_, err = t.instance.Bank.Disputes(ctx, sandbox.CardDispute{Reference: row.Reference})
	return "all of " + money.Kobo(row.Amount).String(), err
}

func (t *Town) endsDispute(ctx context.Context, rng *rand.Rand) (string, error) {
	type open struct {
		ID       int64
		Disputed int64
		Left     int64
	}
	row, found, err := anyOf[open](ctx, t, rng, `SELECT d.id, d.amount, c.amount - coalesce((SELECT sum(r.amount) FROM sandbox_refunds r WHERE r.charge = c.id), 0)::bigint
		FROM sandbox_disputes d JOIN sandbox_charges c ON c.id = d.charge WHERE d.resolution = '' ORDER BY d.id`)
	if err != nil || !found {
		return "", err
	}
	upheld := rng.IntN(2) == 0
	if row.Disputed > row.Left && t.spared("14 A3") {
		upheld = false
	}
	return fmt.Sprintf("%d, upheld %t", row.ID, upheld), t.instance.Bank.EndDispute(ctx, row.ID, upheld)
}
