package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/fault"
	"adashi.ng/ledger/money"
)

// Transfer is money that somebody sends to a virtual account.
type Transfer struct {
	Account string
	Amount  money.Kobo
	Sender  string
	At      time.Time     // The bank's timestamp; now when zero.
	Delay   time.Duration // How long the bank takes: the query says pending and the webhook waits.
	Code    string        // The outcome; "00" when empty. Nothing is sent for a failure.
	Twice   bool          // Whether the webhook is sent twice.
	Loose   bool          // The bank takes any amount, late or again: its own check fails.
	Silent  bool          // No webhook is sent at all.
}

// Send is a transfer that went through at once, with that bank timestamp, and its webhook. What the bank refuses is
// a fault, as in Transfer.
func (b *Bank) Send(ctx context.Context, account string, amount money.Kobo, sender string, at time.Time) error {
	return b.Transfer(ctx, Transfer{Account: account, Amount: amount, Sender: sender, At: at})
}

// Transfer records the transfer and queues its webhooks in one transaction. The bank refuses an unknown account
// (fault.NotFound), one that has expired or been paid (fault.Conflict) and any amount but the exact one (fault.Invalid).
func (b *Bank) Transfer(ctx context.Context, t Transfer) error {
	if t.At.IsZero() {
		t.At = b.now()
	}
	if t.Code == "" {
		t.Code = "00"
	}
	if t.Sender = word(t.Sender, 100); t.Sender == "" {
		return fault.Field("sender", "Please enter the sender's name.")
	}
	err := pgx.BeginFunc(ctx, b.pool, func(tx pgx.Tx) error {
		reference, err := b.admit(ctx, tx, t)
		if err != nil {
			return err
		}
		return b.record(ctx, tx, t, reference)
	})
	if err != nil {
		return fmt.Errorf("sandbox: transfer: %w", err)
	}
	b.nudge()
	return nil
}

// admit locks the account and answers the reference that it collects for.
func (b *Bank) admit(ctx context.Context, tx pgx.Tx, t Transfer) (string, error) {
	var reference string
	var exact money.Kobo
	var expires time.Time
	var paid bool
	err := tx.QueryRow(ctx, `
		SELECT reference, amount, expires_at, EXISTS (SELECT FROM sandbox_transfers t WHERE t.account_number = a.account_number AND t.code = '00')
		FROM sandbox_accounts a WHERE account_number = $1 FOR UPDATE`, word(t.Account, 20)).Scan(&reference, &exact, &expires, &paid)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return "", fault.New(fault.NotFound, "No account at this bank has that number.")
	case err != nil:
		return "", err
	case t.Loose || t.Account == OwnAccount:
		return reference, nil
	case paid:
		return "", fault.New(fault.Conflict, "This account has received its money already.")
	case t.At.After(expires):
		return "", fault.New(fault.Conflict, "This account has expired. Start the payment again.")
	case t.Amount != exact:
		return "", fault.Field("amount", "The bank refused it: this account takes exactly %s.", exact)
	}
	return reference, nil
}

func (b *Bank) record(ctx context.Context, tx pgx.Tx, t Transfer, reference string) error {
	session, settles, own := sessionID(t.At), b.now().Add(t.Delay), ""
	if t.Account == OwnAccount {
		reference = "VFD" + session
		own = reference
	}
	_, err := tx.Exec(ctx, `
		INSERT INTO sandbox_transfers (session_id, account_number, amount, sender, code, sent_at, settles_at, reference)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`, session, t.Account, int64(t.Amount), t.Sender, t.Code, t.At, settles, own)
	if err != nil || t.Code != "00" || t.Silent {
		return err
	}
	body, err := json.Marshal(map[string]any{
		"reference": reference, "amount": naira(int64(t.Amount)), "account_number": t.Account,
		"originator_account_number": "1111111103", "originator_account_name": t.Sender, "originator_bank": "000002",
		"originator_narration": "Transfer from " + t.Sender, "timestamp": t.At.UTC().Format(time.RFC3339Nano),
		"transaction_channel": "NIP", "session_id": session, "initialCreditRequest": false,
	})
	if err != nil {
		return err
	}
	return queueWebhook(ctx, tx, "vfd", body, settles, t.Twice)
}
