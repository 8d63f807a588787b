package notices

import (
	"testing"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/money"
	"adashi.ng/projections/notifications"
	"adashi.ng/projections/notifications/told"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/usecase"
)

// Before the bank sent it back, people were told that it was paid.
func TestAPayoutThatTheBankSentBackIsNotSaidNeverToHaveBeenPaid(t *testing.T) {
	t.Parallel()
	said := func(typ, detail string) string {
		r := notifications.Notification{Type: typ, About: "bisi", Amount: money.Kobo(5_000_00), Detail: detail}
		data := Sentence(notifications.Told{Notification: r, User: "bisi"}, map[string]people.Card{"bisi": {FirstName: "Bisi", LastName: "Ade"}}, usecase.Names{}, "")
		return data.Title + ": " + data.Body
	}
	require.Equal(t, "Withdrawal not paid: ₦5,000.00 is back in your wallet, the charges too. Unknown account.", said(told.WithdrawalFailed, "Unknown account."))
	require.Equal(t, "Your withdrawal came back: The bank sent it back. ₦5,000.00 is in your wallet again, the charges too. Unknown account.",
		said(told.WithdrawalFailed, notifications.CameBack+" Unknown account."))
	require.Equal(t, "Your withdrawal came back: The bank sent it back. ₦5,000.00 is in your wallet again, the charges too.", said(told.WithdrawalFailed, notifications.CameBack))
}
