package payouts_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/sandbox"
)

// leaves closes the member's account and, on request, destroys their data.
func (d doubted) leaves(erased bool) {
	d.Helper()
	d.Gives(ledgertest.Raw{event.On(account.Stream(d.Member.User), &nairav1.AccountClosed{UserId: d.Member.User})})
	if erased {
		require.NoError(d, d.App.Vault.Destroy(d.ctx, uuid.MustParse(d.Member.User), time.Now()))
		require.NoError(d, d.App.People.Erase(d.ctx, d.Member.User))
	}
}

// A member leaves after the bank paid their withdrawal, and then the bank reports something about it. Each row is a
// cell of the table.
func TestWhatABankSaysOfAPayoutWhoseMemberHasLeft(t *testing.T) {
	t.Parallel()
	type records struct{ reversed, parked, received int }
	says := func(words ...string) func(d doubted, _ string) {
		return func(d doubted, _ string) {
			var reference string
			require.NoError(d, d.Pool.QueryRow(d.ctx, "SELECT reference FROM sandbox_payouts").Scan(&reference))
			require.NoError(d, d.Bank.Says(d.ctx, reference, words...))
		}
	}
	line := func(amount money.Kobo) func(d doubted, id string) {
		return func(d doubted, id string) {
			_, err := d.App.Payouts.CameBack(d.ctx, id, rails.Line{ProviderRef: "line", Reference: "ours", Amount: amount, At: time.Now()})
			require.NoError(d, err)
		}
	}
	cells := map[string]struct {
		tells func(d doubted, id string)
		took  records
		ends  string
	}{
		"nothing": {func(d doubted, _ string) {
			d.behaves(sandbox.Manner{DeadUntil: time.Now().Add(time.Hour), Calls: "queries"})
		}, records{}, "PAID"},
		"pending":                     {says("09", "09"), records{}, "PAID"},
		"that it has none":            {says("108", "108"), records{}, "PAID"},
		"failed":                      {says("51", "51"), records{}, "PAID"},
		"paid":                        {says("00"), records{}, "PAID"},
		"another payout":              {func(d doubted, _ string) { d.behaves(sandbox.Manner{Tells: sandbox.TellsAnother}) }, records{}, "PAID"},
		"a part came back":            {func(d doubted, _ string) { d.behaves(sandbox.Manner{Tells: sandbox.TellsPart}) }, records{}, "PAID"},
		"the whole came back":         {func(d doubted, _ string) { d.BankSays("UPDATE sandbox_payouts SET reversed_at = now()") }, records{reversed: 1, parked: 1}, "REVERSED"},
		"on its statement, the whole": {line(989_25), records{reversed: 1, parked: 1}, "REVERSED"},
		"on its statement, a part":    {line(500_00), records{received: 1}, "PAID"},
	}
	for name, cell := range cells {
		for leaving, erased := range map[string]bool{"closed": false, "erased": true} {
			t.Run(name+", "+leaving, func(t *testing.T) {
				t.Parallel()
				d := doubts(t, event.Vfd)
				id := d.withdraws()
				require.Equal(t, "PAID", d.asked(id, time.Minute))
				d.leaves(erased)
				before := d.wallet()
				cell.tells(d, id)
				require.Equal(t, cell.ends, d.asked(id, time.Hour, 8*time.Hour))
				require.Equal(t, cell.took, records{d.events("WithdrawalReversedV2"), d.events("ReturnedMoneyParkedV2"), d.events("UnmatchedMoneyReceivedV2")})
				require.Equal(t, before, d.wallet(), "nothing goes to the account that is closed")
				require.Zero(t, d.events("WithdrawalFailed"))
			})
		}
	}
}
