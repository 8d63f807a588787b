package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What an ajo no longer needs is in the wallet. The payment says so, and still says which ajo it was for.
func TestAPaymentForAnAjoNamesWhatItIsForWhileItIsOpenAndWhereItsMoneyWent(t *testing.T) {
	t.Parallel()
	c := joined(t, 1)
	names := func(payment object) {
		t.Helper()
		require.Equal(t, c.id, payment["ajoId"])
		require.EqualValues(t, 0, payment["cycle"], "a deposit's")
		require.Equal(t, "Balogun weekly · Deposit", payment["purpose"])
	}
	first := c.starts(c.chi, 0)
	names(first)
	var open []object
	c.shows(c.chi, "an open payment", func(object) bool {
		open = must[[]object](c.chi, "GET", "/api/v1/wallet/open-payments", nil)
		return len(open) == 1
	})
	require.Equal(t, first["transactionRef"], open[0]["transactionRef"])
	names(open[0])
	require.NotContains(t, open[0], "arrivedIn")

	other := c.byCard(c.chi, 0)
	c.deposited(c.chi, weekly)
	status := func(reference any) object {
		now := must[object](c.chi, "GET", "/api/Payment/verify-transaction/"+reference.(string), nil)
		require.Equal(t, "CONFIRMED", now["status"])
		names(now)
		return now
	}
	require.Equal(t, "AJO", status(other)["arrivedIn"])
	c.chi.paysWith(first, "8000.00")
	refused := status(first["transactionRef"])
	require.Equal(t, "WALLET", refused["arrivedIn"])
	require.NotEmpty(t, refused["reason"])
}
