package e2e

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAnAddressIsHeldToItsRate guesses links from one address: from there it ends in 429, from elsewhere it goes on.
// Whoever is no proxy of ours cannot say where they come from; see TestForwardedAddressesAreBelievedOfProxiesAlone.
func TestAnAddressIsHeldToItsRate(t *testing.T) {
	t.Parallel()
	eve := nobody(t, product(t).Address)
	guess := func(from string) reply {
		return eve.ask("POST", "/api/v1/account/confirm-email", object{"token": fmt.Sprintf("%043d", callers.Add(1))}, "X-Forwarded-For", from)
	}
	limited := 0
	for range 160 {
		r := guess("41.58.1.2")
		if r.status == 429 {
			require.Equal(t, "TOO_MANY", r.ReturnedCode)
			require.Equal(t, "1", r.header.Get("Retry-After"))
			limited++
			continue
		}
		require.Equal(t, 400, r.status)
		require.Equal(t, "CREDENTIALS", r.ReturnedCode)
	}
	require.Positive(t, limited)
	require.Equal(t, 400, guess("41.58.1.3").status)
}
