package notices

import (
	"testing"

	"github.com/stretchr/testify/require"

	"adashi.ng/projections/notifications"
	"adashi.ng/projections/notifications/told"
)

// A part of a bid is not called a pot, nor a debt that is forgiven one that was paid.
func TestWhatBecomesOfAnAjoIsCalledWhatItIs(t *testing.T) {
	t.Parallel()
	said := func(typ, detail string) string {
		data, ok := ajoLife(notifications.Notification{Type: typ, About: "bisi", Subject: "a", Amount: 5_000_00, Detail: detail}, "Bisi Ade", "Market", words)
		require.True(t, ok)
		return data.Title + ": " + data.Body
	}
	require.Equal(t, "You owe less: You owe Bisi Ade ₦5,000.00 less in Market. Nobody asks you for it any more.", said(told.AjoDebtPaid, notifications.Forgiven))
	require.Equal(t, "You owe less: As you agreed, ₦5,000.00 was taken from your wallet for what you owe Bisi Ade in Market.", said(told.AjoDebtPaid, notifications.Taken))
	require.Equal(t, "A debt is paid: Bisi Ade's debt to you in Market was paid: ₦5,000.00 is in your wallet.", said(told.AjoDebtPaid, ""))
	require.Equal(t, "Your part of a bid: ₦5,000.00 is in your wallet: your part of what was bid for the turn of cycle 3 of Market.", said(told.AjoPayoutPaid, "3 "+notifications.Discount))
	require.Equal(t, "Your place is taken over: Bisi Ade took over seat 2 of Market. They paid ₦5,000.00 for it.", said(told.AjoPlaceTaken, "2 "+notifications.Sold))
	require.Equal(t, "A place is taken over: Bisi Ade took over seat 2 of Market.", said(told.AjoPlaceTaken, "2"))
	require.Equal(t, "Your deposit was used: ₦5,000.00 of your deposit paid what you owed for cycle 3 of Market.", said(told.AjoDepositUsed, "3"))
	require.Equal(t, "Waits for you: a vote: Bisi Ade proposes in Market that it ends early. See it and vote.", said(told.AjoMotionMade, "TERMINATE"))
	require.Equal(t, "An office has passed on: Bisi Ade is now the owner of Market, because the one before lost their place.", said(told.AjoOfficesPassed, ""))
	require.Equal(t, "Your ajo pauses: The members of Market voted that it pauses. The payments and payouts from cycle 4 on come one period later.", said(told.AjoPaused, "4"))
	require.Equal(t, "Somebody paid for you: Bisi Ade paid ₦5,000.00 for you in cycle 3 of Market. It is a gift: you do not owe it.", said(told.AjoGift, "3"))
	require.Equal(t, "You collect for a card: Bisi Ade made you the collector of their card. On your rounds you fill it from your wallet.", said(told.AjoCardCollector, ""))
	require.Equal(t, "Your card has a collector: Bisi Ade is the collector of your card now. Besides you, only they can fill it.", said(told.AjoCardCollector, notifications.CollectorNamed))
	require.Equal(t, "Your card has no collector: Bisi Ade no longer collects for your card. Only you can fill it now.", said(told.AjoCardCollector, notifications.CollectorNone))
	require.Equal(t, "You no longer collect for a card: Another member is the collector of Bisi Ade's card now. You cannot fill it any more.", said(told.AjoCardCollector, notifications.CollectorReplaced))
	require.Equal(t, "You no longer collect for a card: You are not the collector of Bisi Ade's card any more, and cannot fill it. If you earned a commission on it, you get it when the card ends.", said(told.AjoCardCollector, notifications.CollectorEnded))
	require.Equal(t, "Your pot is paid: ₦5,000.00 of cycle 3 of Market is in your wallet.", said(told.AjoPayoutPaid, "3"))
}
