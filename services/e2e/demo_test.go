package e2e

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/demo"
)

func TestTheDemoHasWorkForEverybody(t *testing.T) {
	t.Parallel()
	i := own(t)
	lines, err := demo.Seed(context.Background(), i)
	require.NoError(t, err)
	printed := strings.Join(lines, "\n")
	as := func(email string) *person {
		require.Contains(t, printed, email)
		p := &person{TB: t, base: i.Address, email: email}
		r := p.ask("POST", "/api/Account/GetToken", object{"email": email, "password": demo.Password}, "X-Session-Binding", "header")
		require.Equal(t, 200, r.status, r.Message)
		login := r.object(t)
		p.id, p.token, p.secret = login["id"].(string), login["token"].(string), login["sessionSecret"].(string)
		return p
	}
	desk := as("tunde@demo.adashi.example")
	page := desk.waiting(1)
	require.Equal(t, "7500.00", naira(t, page["openAmount"]))
	runs := must[object](desk, "GET", reconciliations, nil)["reconciliations"].([]any)
	require.Len(t, runs, 1)
	require.Empty(t, runs[0].(object)["problem"])

	arrival := "/api/v1/finance/unmatched/" + arrivals(page)[0]["id"].(string)
	must[object](desk, "POST", arrival+"/propose", object{"email": "dayo@demo.adashi.example", "reason": "The slip was shown to us."})
	must[object](as("uche@demo.adashi.example"), "POST", arrival+"/decide", object{"approve": true})
	must[object](as("sade@demo.adashi.example"), "GET", "/api/Operator/projections", nil)

	amaka := as("amaka@demo.adashi.example")
	reserves := must[[]object](amaka, "GET", "/api/v1/reserves", nil)
	require.Len(t, reserves, 1)
	require.Equal(t, true, reserves[0]["covered"])

	validator := as("bisi@demo.adashi.example")
	waits := 0
	for _, group := range must[[]object](validator, "GET", "/api/GroupSavings/GetUserGroupSavings/"+validator.id, nil) {
		list := must[object](validator, "GET", "/api/GroupSavings/get-savings-liquidation-request-list/"+group["id"].(string), nil)
		for _, one := range list["requests"].([]any) {
			if slices.Contains(one.(object)["may"].([]any), any("VALIDATE")) {
				waits++
			}
		}
	}
	require.Equal(t, 1, waits)
}
