package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The link decides under a key of its own, the same each time it is opened, and a refusal under a key stays refused:
// but a member who opened it before the validator had decided would be told for ever that it waits for the validator.
func TestALinkThatWasOpenedTooEarlyDecidesOnceItIsItsTurn(t *testing.T) {
	t.Parallel()
	c := newChest(t, product(t))
	id := c.member.ask("POST", asksFor, c.savings(c.member, 1_000)).id(t)
	opens := func() reply {
		return c.approver.ask("GET", decides+c.group+"/"+id+"/approve", nil, "Sec-Fetch-Mode", "cors", "Sec-Fetch-Dest", "empty")
	}
	early := opens()
	require.Equal(t, 409, early.status)
	require.Contains(t, early.Message, "waits for the validator")
	require.Equal(t, 200, c.decided(c.validator, id, "approve").status)
	for range 2 {
		later := opens()
		require.Equal(t, 200, later.status, later.Message)
	}
}
