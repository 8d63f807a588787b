package e2e

import (
	"fmt"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// saysNothing is the message that fits everything, so that it tells a person nothing.
const saysNothing = "Operation Successful!"

// wordless are the calls that are no deed of a person's: they only look, or a page makes them by itself. Webhooks are a
// gateway's.
var wordless = []string{
	"POST /api/GroupSavings/savings-payment-history", "POST /api/v1/savings/liquidations/quote", "POST /api/v1/wallet/withdrawals/quote",
	"POST /api/v1/payment/name-enquiry", "POST /api/v1/ajo/preview", "POST /api/Ajo/ajo-payment-history",
	"POST /api/v1/account/totp", "POST /api/Payment/verifyFirstTransaction", "POST /api/v1/finance/members/look-up",
	"POST /api/file/profile",
}

var (
	mute  sync.Map // Writes of all tests that were answered with the message that says nothing.
	anyID = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}`)
)

func heard(method, path string, r reply) {
	path, _, _ = strings.Cut(path, "?")
	if call := method + " " + anyID.ReplaceAllString(path, ":id"); method != http.MethodGet && r.IsSuccessful && r.Message == saysNothing &&
		!slices.Contains(wordless, call) && !strings.Contains(path, "/Notification/") && !strings.HasPrefix(path, "/api/v1/webhooks/") {
		mute.Store(call, true)
	}
}

// allSaid reports whether every write that any test made said what it did.
func allSaid() bool {
	calls := map[string]bool{}
	mute.Range(func(call, _ any) bool { calls[call.(string)] = true; return true })
	for _, call := range slices.Sorted(maps.Keys(calls)) {
		_, _ = fmt.Fprintf(os.Stderr, "%s answers %q: say what happened\n", call, saysNothing)
	}
	return len(calls) == 0
}

func TestOnlyWhoIsInIsToldThatTheyJoined(t *testing.T) {
	t.Parallel()
	i := product(t)
	c := found(t, i)
	const join, approve = "/api/GroupSavings/JoinGroupSavings", "/api/GroupSavings/ApproveGroupMember"
	byLink := somebody(t, i, "Ladi")
	said := byLink.ask("POST", join, object{"groupId": c.group, "code": c.owner.code(c.group), "email": byLink.email})
	require.Equal(t, 200, said.status, said.Message)
	require.Contains(t, said.Message, "You asked to join ")
	require.Contains(t, said.Message, "an approver lets you in")
	require.NotContains(t, said.Message, "successfully joined")

	said = c.owner.ask("PATCH", approve, object{"groupId": c.group, "memberId": byLink.id})
	require.Equal(t, "Member added successfully", said.Message)
	must[any](c.owner, "PATCH", "/api/GroupSavings/DeactivateGroupMember", object{"groupId": c.group, "memberId": byLink.id, "reason": "away"})
	said = c.owner.ask("PATCH", approve, object{"groupId": c.group, "memberId": byLink.id})
	require.Equal(t, "The member is active again.", said.Message, "nobody was added")

	byName := somebody(t, i, "Kemi")
	said = c.owner.ask("POST", "/api/GroupSavings/AddGroupMember", object{"groupId": c.group, "email": byName.email})
	require.Equal(t, "The invitation is on its way.", said.Message, "nobody was added yet")
	said = byName.ask("POST", "/api/v1/savings/invitations/"+c.group+"/accept", nil)
	require.Equal(t, "Congratulations, you have successfully joined the group.", said.Message)
}

func TestAnAccountGoesBackAsItCame(t *testing.T) {
	t.Parallel()
	i := product(t)
	p := somebody(t, i, "Bisi")
	p.banked(i, "Bisi")
	must[object](p, "POST", updateInfo, object{
		"email": p.email, "gender": "FEMALE", "address": "1 Allen Avenue", "monthlySalaray": 250000.5, "dateForSalary": "2026-11-28",
	})
	const path = "/api/Account/GetUserInfoById/"
	before := must[object](p, "GET", path+p.id, nil)
	after := must[object](p, "POST", updateInfo, before)
	require.Equal(t, before, after)
	require.Equal(t, before, must[object](p, "GET", path+p.id, nil))

	for field, other := range map[string]any{
		"dateOfBirth": "2001-01-01", "bvnStatus": "NONE", "bankAccountName": "SOMEBODY ELSE", "bvn": "22222222222", "needsGuardian": true,
		"phoneNumberConfirmed": before["phoneNumberConfirmed"] != true, "associatedClaims": []string{"admin"}, "dateRegistered": "2020-01-01T00:00:00Z",
		"pendingEmail": "x@example.com", "settings": object{"inApp": false, "email": false, "mutedInApp": []string{}, "mutedEmail": []string{}},
		"guardian": object{"name": "N", "email": "n@example.com", "relationship": "PARENT", "status": "CONSENTED"},
	} {
		changed := maps.Clone(before)
		changed[field] = other
		r := p.ask("POST", updateInfo, changed)
		require.Equal(t, 403, r.status, "%s: %s", field, r.Message)
	}
	before["isOwner"] = true
	require.Equal(t, 400, p.ask("POST", updateInfo, before).status, "what is no field of an account is refused")
}
