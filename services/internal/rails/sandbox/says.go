package sandbox

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/rails/sandbox/acts"
)

// statuses are the tables of what has a status, how a reference $1 is found there, and the words that there are for it.
var statuses = []struct {
	table, where string
	words        []string
}{
	{"sandbox_charges", "reference = $1", acts.CardWords},
	{"sandbox_payouts", "reference = $1 AND rail = 'paystack'", acts.PayoutWords},
	{"sandbox_payouts", "reference = $1 AND rail = 'vfd'", acts.BankWords},
	{"sandbox_transfers", "coalesce(nullif(reference, ''), (SELECT a.reference FROM sandbox_accounts a WHERE a.account_number = sandbox_transfers.account_number)) = $1", acts.BankWords},
}

// Says has the bank or the gateway answer questions about a payment or a payout with these statuses, one after the
// other, whatever is true; it stays with the last one, and its list has the next one. Truth among them is the true
// status. Without any it tells the truth again. Amounts and times stay the true ones, and no webhook is sent. The
// reference is the one that the bank has. A word that the bank does not have for it is fault.Invalid.
func (b *Bank) Says(ctx context.Context, reference string, words ...string) error {
	found := false
	for _, s := range statuses {
		unknown := slices.ContainsFunc(words, func(word string) bool { return !slices.Contains(s.words, word) })
		var there bool
		err := b.pool.QueryRow(ctx, `SELECT EXISTS (SELECT FROM `+s.table+` WHERE `+s.where+`)`, word(reference, 128)).Scan(&there)
		switch {
		case err != nil:
			return fmt.Errorf("sandbox: says: %w", err)
		case !there:
			continue
		case unknown:
			return fault.Field("says", "Please choose among the words that the bank has for it: %s.", strings.Join(s.words, ", "))
		}
		found = true
		if _, err := b.pool.Exec(ctx, `UPDATE `+s.table+` SET says = coalesce($2::text[], '{}') WHERE `+s.where, word(reference, 128), words); err != nil {
			return fmt.Errorf("sandbox: says: %w", err)
		}
	}
	if !found {
		return fault.New(fault.NotFound, "There is no such payment or payout.")
	}
	return nil
}

// nextWord is the status that a row is told with now; empty for the true one. The table is one of ours, never input.
func (b *Bank) nextWord(ctx context.Context, table string, id int64) (says string, err error) {
	err = b.pool.QueryRow(ctx, `UPDATE `+table+` c SET says = CASE WHEN cardinality(c.says) > 1 THEN c.says[2:] ELSE c.says END
		FROM `+table+` was WHERE c.id = $1 AND was.id = c.id RETURNING coalesce(was.says[1], '')`, id).Scan(&says)
	if says == Truth {
		says = ""
	}
	return says, err
}
