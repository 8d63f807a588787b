package sandbox

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/rails/sandbox/acts"
)

// statuses are the tables whose rows have a status, how to find a reference $1 in each, and its valid words.
var statuses = []struct {
	table, where string
	words        []string
}{
	{"sandbox_charges", "reference = $1", acts.CardWords},
	{"sandbox_payouts", "reference = $1 AND rail = 'paystack'", acts.PayoutWords},
	{"sandbox_payouts", "reference = $1 AND rail = 'vfd'", acts.BankWords},
	{"sandbox_transfers", "coalesce(nullif(reference, ''), (SELECT a.reference FROM sandbox_accounts a WHERE a.account_number = sandbox_transfers.account_number)) = $1", acts.BankWords},
}

// Says makes the bank or the gateway answer questions about a payment or a payout with these statuses, one after the
// other, whatever is true; it stays with the last one, and its list shows the next one. Truth among them means the true
// status. Without any words it reports the truth again. Amounts and times stay true, and no webhook is sent. The
// reference is the bank's own. It returns fault.Invalid for a word that the bank does not have.
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

// nextWord is the status that the bank reports for a row now; empty for the true one. table is always our constant,
// never input.
func (b *Bank) nextWord(ctx context.Context, table string, id int64) (says string, err error) {
	err = b.pool.QueryRow(ctx, `UPDATE `+table+` c SET says = CASE WHEN cardinality(c.says) > 1 THEN c.says[2:] ELSE c.says END
		FROM `+table+` was WHERE c.id = $1 AND was.id = c.id RETURNING coalesce(was.says[1], '')`, id).Scan(&says)
	if says == Truth {
		says = ""
	}
	return says, err
}
