package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAPageThatIsTooLongOrNoneAtAllIsRefused(t *testing.T) {
	t.Parallel()
	c := found(t, product(t))
	for _, path := range []string{
		"/api/GroupSavings/member-savings/" + c.group + "?limit=", "/api/GroupSavings/savings-payment-history-admin/" + c.group + "?limit=",
		"/api/GroupSavings/inactive/" + c.group + "?limit=", askedOf + c.group + "?limit=",
		c.at("/unsettled?limit="), c.at("/waivers?limit="), c.at("/grid?limit="), c.at("/grid?periods="), c.at("/charts?months="), c.at("/audit?limit="),
	} {
		for _, bad := range []string{"-1", "0", "1000000000"} {
			r := c.owner.ask("GET", path+bad, nil)
			require.Equal(t, 400, r.status, "%s%s: %s", path, bad, r.Message)
		}
		require.Equal(t, 200, c.owner.ask("GET", path+"5", nil).status, path)
	}
	for _, bad := range []int{-1, 0, 1_000_000_000} {
		r := c.owner.ask("POST", "/api/GroupSavings/savings-payment-history", object{"groupId": c.group, "limit": bad})
		require.Equal(t, 400, r.status, "%d: %s", bad, r.Message)
	}
}
