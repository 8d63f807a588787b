package notices

import (
	"testing"

	"github.com/stretchr/testify/require"

	"adashi.ng/projections/notifications"
	"adashi.ng/projections/notifications/told"
)

// What of a bid others get is not called their pot, and a debt that is forgiven not one that was paid to them.
func TestAForgivenDebtAndAPartOfABidAreCalledWhatTheyAre(t *testing.T) {
	t.Parallel()
	said := func(typ, detail string) string {
		data, ok := ajoLife(notifications.Notification{Type: typ, About: "bisi", Subject: "a", Amount: 5_000_00, Detail: detail}, "Bisi Ade", "Market", words)
		require.True(t, ok)
		return data.Title + ": " + data.Body
	}
	require.Equal(t, "You owe less: You owe Bisi Ade ₦5,000.00 less in Market. Nobody asks you for it any more.", said(told.AjoDebtPaid, notifications.Forgiven))
	require.Equal(t, "A debt is paid: Bisi Ade's debt to you in Market was paid: ₦5,000.00 is in your wallet.", said(told.AjoDebtPaid, ""))
	require.Equal(t, "Your part of a bid: ₦5,000.00 is in your wallet: your part of what was bid for the turn of cycle 3 of Market.", said(told.AjoPayoutPaid, "3 "+notifications.Discount))
	require.Equal(t, "Your pot is paid: ₦5,000.00 of cycle 3 of Market is in your wallet.", said(told.AjoPayoutPaid, "3"))
}
