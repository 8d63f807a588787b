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
	"adashi.ng/services/internal/rails/sandbox/acts"
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
	{2, "says", (*Town).says},
	{1, "takes a transfer back", (*Town).recalls},
	{1, "renames", (*Town).renames},
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

// payer is the account that the money of somebody's payment comes from: mostly their own.
func (t *Town) payer(rng *rand.Rand, user string) (from sandbox.Account, sender string) {
	p := t.byID[user]
	if p == nil || !t.Plain && rng.IntN(6) == 0 {
		p = one(rng, t.members()...)
	}
	if !t.Plain && rng.IntN(8) == 0 {
		if rng.IntN(4) == 0 {
			return sandbox.Account{}, t.stranger.Name() // The bank does not say which account it came from.
		}
		return sandbox.Account{Bank: t.stranger.BankCode, Number: t.stranger.Account}, t.stranger.Name()
	}
	return p.account(), p.first + " Town"
}

func (p *person) account() sandbox.Account {
	return sandbox.Account{Bank: p.truth.BankCode, Number: p.truth.Account}
}

// telling is how the bank tells of money that came in, mostly at once and rightly.
func (t *Town) telling(rng *rand.Rand) (said string, how sandbox.Telling) {
	late := time.Duration(1+rng.IntN(72)) * time.Hour
	switch rng.IntN(16) {
	case 0:
		return ", of which nobody is told", sandbox.Telling{Silent: true}
	case 1:
		return ", told twice", sandbox.Telling{Twice: true}
	case 2:
		return ", without our reference", sandbox.Telling{HookBare: true, LineBare: true}
	case 3:
		return ", booked late", sandbox.Telling{LineLate: 30 * time.Hour}
	case 4:
		return fmt.Sprintf(", told %s late", late), sandbox.Telling{HookLate: late}
	case 5:
		return fmt.Sprintf(", known %s late", late), sandbox.Telling{AskedLate: late}
	case 6:
		if !t.spared("14 C2") {
			return ", booked a week late", sandbox.Telling{LineLate: 8 * 24 * time.Hour}
		}
	}
	return "", sandbox.Telling{}
}

// transfers has somebody pay a payment that waits for its money: mostly as they should.
func (t *Town) transfers(ctx context.Context, rng *rand.Rand) (string, error) {
	type waits struct {
		Account string
		Amount  int64
		User    string
	}
	row, found, err := anyOf[waits](ctx, t, rng, `SELECT account_number, a.amount, coalesce(p.user_id, '') FROM (SELECT * FROM sandbox_accounts WHERE validation = 'A0' ORDER BY created_at DESC LIMIT 12) a
		LEFT JOIN rm_payments p ON p.payment_id = a.reference WHERE NOT EXISTS (SELECT FROM sandbox_transfers t WHERE t.account_number = a.account_number) ORDER BY a.created_at, reference`)
	if err != nil || !found || t.Plain && t.byID[row.User] == nil {
		return "", err
	}
	transfer := sandbox.Transfer{Account: row.Account, Amount: money.Kobo(row.Amount), Loose: true}
	transfer.From, transfer.Sender = t.payer(rng, row.User)
	said := transfer.Amount.String() + " from " + transfer.Sender
	switch rng.IntN(12) {
	case 0:
		transfer.Amount = transfer.Amount/2 + 1
		said += " in part"
	case 1:
		transfer.Amount += 5000
		said += " and ₦50 more"
	case 2:
		transfer.Delay = time.Duration(rng.IntN(48)) * time.Hour
		said += fmt.Sprintf(", after %s", transfer.Delay)
	case 3:
		transfer.At = t.Now().Add(time.Duration(rng.IntN(96)-72) * time.Hour)
		said += fmt.Sprintf(", dated %s", transfer.At)
	case 4:
		transfer.Code = "09"
		said += ", pending for ever"
	}
	how, telling := t.telling(rng)
	transfer.Telling = telling
	return said + how, t.instance.Bank.Transfer(ctx, transfer)
}

func (t *Town) paysByCard(ctx context.Context, rng *rand.Rand) (string, error) {
	type waits struct{ Reference, User string }
	row, found, err := anyOf[waits](ctx, t, rng, `SELECT reference, coalesce(user_id, '') FROM (SELECT * FROM sandbox_charges WHERE status = 'abandoned' ORDER BY id DESC LIMIT 12) c LEFT JOIN rm_payments ON payment_id = reference ORDER BY id`)
	if err != nil || !found || t.Plain && t.byID[row.User] == nil {
		return "", err
	}
	card := sandbox.CardPayment{Reference: row.Reference}
	var sender, how string
	card.From, sender = t.payer(rng, row.User)
	how, card.Telling = t.telling(rng)
	return "with the card of " + sender + how, t.instance.Bank.PayByCard(ctx, card)
}

// delivers sends what is due of what the bank has to tell.
func (t *Town) delivers(ctx context.Context, _ *rand.Rand) (string, error) {
	return "what is due", t.instance.Bank.Deliver(ctx)
}

// behaves has the bank behave in one way for a while.
func (t *Town) behaves(ctx context.Context, rng *rand.Rand) (string, error) {
	m := sandbox.Manner{}
	if rng.IntN(2) == 0 {
		m = t.manner(rng)
	}
	return fmt.Sprintf("%+v", m), t.instance.Bank.Behave(ctx, m)
}

// manner is one way of going wrong. What open issues say about some of them is in spares_test.go.
func (t *Town) manner(rng *rand.Rand) (m sandbox.Manner) {
	back := time.Duration(rng.IntN(40*24)) * time.Hour
	some := time.Duration(1+rng.IntN(72)) * time.Hour
	ways := []struct {
		item string // The open issue that says what we make of it; empty for none.
		way  sandbox.Manner
	}{
		{"", sandbox.Manner{Delay: some}},
		{"", sandbox.Manner{Code: one(rng, acts.Outcomes...).Value}},
		{"", sandbox.Manner{Answer: one(rng, acts.AnswersSilent, acts.AnswersLost, acts.AnswersXML, acts.AnswersExists, acts.AnswersDown, acts.AnswersOften)}},
		{"14 A6", sandbox.Manner{Answer: one(rng, acts.AnswersAway, acts.AnswersMissing)}},
		{"", sandbox.Manner{Reverse: &back}},
		{"14 A4", sandbox.Manner{Tells: one(rng, acts.Tells...), Reverse: &back}},
		{"", sandbox.Manner{Twice: true}},
		{"", sandbox.Manner{Silent: true}},
		{"", sandbox.Manner{HookLate: some}},
		{"14 A6", sandbox.Manner{AskedLate: some}},
		{"14 C2", sandbox.Manner{LineLate: 8 * 24 * time.Hour}},
		{"14 A9", sandbox.Manner{Fee: 7500, FeeTold: one(rng, acts.FeesTold...)}},
		{"14 A4", sandbox.Manner{Keeps: 50 * money.Naira, Reverse: &back}},
		{"14 A4", sandbox.Manner{Keeps: 500 * money.Naira, Rest: some, Reverse: &back}},
		{"14 A5", sandbox.Manner{ReturnAs: acts.ReturnAsTransfer, Reverse: &back}},
		{"14 A5", sandbox.Manner{Timeless: true, ReturnTimeless: true, Reverse: &back}},
		{"14 C3", sandbox.Manner{BookedBack: true, Code: one(rng, "91", "09"), Fee: one[money.Kobo](rng, 0, 7500)}},
		{"14 A10", sandbox.Manner{Skew: time.Duration(one(rng, -8, 2)*365*24) * time.Hour}},
		{"14 A7", sandbox.Manner{DeadUntil: t.Now().Add(some), Calls: one(rng, acts.Calls...), Refuses: one(rng, acts.Refusals...)}},
	}
	way := one(rng, ways...)
	for tries := 0; t.Item != "" && way.item != t.Item && tries < 2*len(ways); tries++ { // It is what the year is played for.
		way = one(rng, ways...)
	}
	if way.item != "" && t.spared(way.item) {
		return sandbox.Manner{Delay: some}
	}
	return way.way
}

// says has the bank tell of a payment or a payout with some statuses, one after the other, before the true one.
func (t *Town) says(ctx context.Context, rng *rand.Rand) (string, error) {
	kinds := []struct {
		sql   string
		words []string
	}{
		{`SELECT reference FROM sandbox_charges ORDER BY id DESC LIMIT 12`, acts.CardWords},
		{`SELECT reference FROM sandbox_payouts WHERE rail = 'paystack' ORDER BY id DESC LIMIT 12`, acts.PayoutWords},
		{`SELECT reference FROM sandbox_payouts WHERE rail = 'vfd' ORDER BY id DESC LIMIT 12`, acts.BankWords},
	}
	kind := one(rng, kinds...)
	row, found, err := anyOf[struct{ Text string }](ctx, t, rng, kind.sql)
	if err != nil || !found {
		return "", err
	}
	words := []string{one(rng, kind.words...), one(rng, kind.words...), acts.Truth}
	return fmt.Sprintf("%v", words), t.instance.Bank.Says(ctx, row.Text, words...)
}

func (t *Town) sendsBack(ctx context.Context, rng *rand.Rand) (string, error) {
	row, found, err := anyOf[struct{ ID int64 }](ctx, t, rng, `SELECT id FROM sandbox_payouts WHERE code IN ('00', '26') AND reversed_at IS NULL ORDER BY id DESC LIMIT 12`)
	if err != nil || !found {
		return "", err
	}
	return fmt.Sprint(row.ID), t.instance.Bank.SendBack(ctx, row.ID)
}

// recalls has the bank take a transfer back, or a part of it: a payer's, or the return of a payout.
func (t *Town) recalls(ctx context.Context, rng *rand.Rand) (string, error) {
	if t.Plain {
		return "", nil
	}
	type came struct {
		Reference string
		Amount    int64
	}
	row, found, err := anyOf[came](ctx, t, rng, `SELECT coalesce(nullif(t.reference, ''), a.reference), t.amount FROM sandbox_transfers t JOIN sandbox_accounts a USING (account_number) WHERE t.code = '00' AND t.recalled_at IS NULL ORDER BY t.id DESC LIMIT 12`)
	if err != nil || !found {
		return "", err
	}
	if rng.IntN(3) == 0 {
		part := money.Kobo(row.Amount/3 + 1)
		return part.String() + " of a transfer", t.instance.Bank.RecallPart(ctx, row.Reference, part)
	}
	return "a transfer", t.instance.Bank.Recall(ctx, row.Reference)
}

// renames has somebody's account get another name.
func (t *Town) renames(ctx context.Context, rng *rand.Rand) (string, error) {
	if t.spared("14 A11") {
		return "", nil
	}
	p := one(rng, t.members()...)
	t.renamed[p] = t.Now()
	return "the account of " + p.String(), t.instance.Bank.Rename(ctx, p.account(), "Stranger", one(rng, "Town", "Ville"))
}

// taken are the newest card payments that the gateway has.
func (t *Town) taken() string {
	return `SELECT reference, amount FROM sandbox_charges WHERE status = 'success' ORDER BY id DESC LIMIT 20`
}

// cardPayment is one that the gateway has.
type cardPayment struct {
	Reference string
	Amount    int64
}

func (t *Town) takesBack(ctx context.Context, rng *rand.Rand) (string, error) {
	if t.Plain {
		return "", nil
	}
	row, found, err := anyOf[cardPayment](ctx, t, rng, t.taken())
	if err != nil || !found {
		return "", err
	}
	back := sandbox.Takeback{Reference: row.Reference, Dispute: rng.IntN(2) == 0, Twice: rng.IntN(3) == 0}
	if rng.IntN(3) == 0 {
		back.Amount = money.Kobo(row.Amount / 3)
	}
	back.Turns, back.Early = rng.IntN(4) == 0, rng.IntN(4) == 0
	back.Delay, back.HookLate = time.Duration(rng.IntN(3)*rng.IntN(240))*time.Hour, time.Duration(rng.IntN(2)*rng.IntN(48))*time.Hour
	back.Fails = back.Delay > 0 && rng.IntN(3) == 0
	back.Loose = rng.IntN(6) == 0
	return fmt.Sprintf("%+v of %s", back, money.Kobo(row.Amount)), t.instance.Bank.TakeBack(ctx, back)
}

func (t *Town) disputes(ctx context.Context, rng *rand.Rand) (string, error) {
	if t.Plain {
		return "", nil
	}
	row, found, err := anyOf[cardPayment](ctx, t, rng, t.taken())
	if err != nil || !found {
		return "", err
	}
	_, err = t.instance.Bank.Disputes(ctx, sandbox.CardDispute{Reference: row.Reference})
	return "all of " + money.Kobo(row.Amount).String(), err
}

func (t *Town) endsDispute(ctx context.Context, rng *rand.Rand) (string, error) {
	row, found, err := anyOf[struct{ ID int64 }](ctx, t, rng, `SELECT id FROM sandbox_disputes WHERE resolution = '' ORDER BY id`)
	if err != nil || !found {
		return "", err
	}
	upheld := rng.IntN(2) == 0
	return fmt.Sprintf("%d, upheld %t", row.ID, upheld), t.instance.Bank.EndDispute(ctx, row.ID, upheld)
}
