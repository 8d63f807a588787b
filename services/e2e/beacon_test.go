package e2e

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/draw"
)

// TestTheSandboxDrawsFromABeaconOfItsOwn fetches rounds as the product does: over HTTP, from the process itself.
func TestTheSandboxDrawsFromABeaconOfItsOwn(t *testing.T) {
	t.Parallel()
	i := product(t)
	b := i.Beacon.Beacon()
	require.True(t, b.Test)
	require.NotEqual(t, draw.Quicknet.PublicKey, b.PublicKey)
	round := b.Round(i.Now())
	signature, err := i.Beacon.Fetch(t.Context(), round)
	require.NoError(t, err)
	require.NoError(t, b.Verify(round, signature))
	_, err = i.Beacon.Fetch(t.Context(), b.Round(i.Now().Add(time.Hour)))
	require.True(t, fault.Is(err, fault.Unavailable))
	require.ErrorContains(t, err, i.Address+"/sandbox/beacon: it answered 425")

	counter, err := http.Get(i.Address + "/sandbox/")
	require.NoError(t, err)
	defer counter.Body.Close()
	require.Equal(t, http.StatusOK, counter.StatusCode, "the bank stands beside it")
}
