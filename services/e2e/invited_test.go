package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestAnAddressThatIsTypedIsTurnedIntoNoNameAndNoPicture before its owner says yes, and nothing tells whether somebody
// has it: neither the answer nor the lists, where it is shown as it was typed.
func TestAnAddressThatIsTypedIsTurnedIntoNoNameAndNoPicture(t *testing.T) {
	t.Parallel()
	i := product(t)
	c := found(t, i)
	known, unknown := somebody(t, i, "Zainab"), fmt.Sprintf("nobody-%d@example.com", time.Now().UnixNano())
	file := known.upload("profile", "a.png", picture(t)).object(t)["id"].(string)
	must[any](known, "POST", "/api/Account/ChangeAvatar", object{"image": file, "email": known.email})
	for _, email := range []string{strings.ToUpper(known.email), unknown} {
		r := c.owner.ask("POST", "/api/GroupSavings/AddGroupMember", object{"groupId": c.group, "email": email})
		require.Equal(t, 200, r.status, r.Message)
		require.Empty(t, r.header.Get("X-Position"))
	}
	require.Eventually(t, func() bool { return known.ask("GET", info+c.group, nil).status == 200 }, 10*time.Second, 50*time.Millisecond)
	lists := []string{"/api/GroupSavings/pending-group-savings/" + c.group, "/api/GroupSavings/GetGroupDetails/" + c.group, "/api/GroupSavings/member-savings/" + c.group, "/api/GroupSavings/member-savings/" + c.group + "?status=INVITED"}
	for n, list := range lists {
		said := string(c.owner.ask("GET", list, nil).ReturnedObject)
		for _, trace := range []string{"Zainab", known.id, file} {
			require.NotContains(t, said, trace, list)
		}
		if n == 0 || n == 3 {
			require.Contains(t, said, known.email)
			require.Contains(t, said, unknown)
		}
	}
	require.EqualValues(t, 2, must[object](c.owner, "GET", lists[1], nil)["invited"])
	require.Equal(t, 404, c.member.ask("GET", "/api/v1/files/"+file, nil).status)

	for _, one := range must[object](c.owner, "GET", lists[0], nil)["invited"].([]any) {
		taken := object{"groupId": c.group, "reason": "The group is full", "memberId": one.(object)["member"].(object)["userId"]}
		require.Equal(t, 403, c.member.ask("POST", "/api/v1/savings/members/reject", taken).status)
		require.Equal(t, 200, c.owner.ask("POST", "/api/v1/savings/members/reject", taken).status)
	}
	require.Eventually(t, func() bool {
		return len(must[object](c.owner, "GET", lists[0], nil)["invited"].([]any)) == 0 && known.ask("GET", info+c.group, nil).status == 404
	}, 15*time.Second, 100*time.Millisecond)

	// Both are told who withdrew it and why: one in the app, the other by a letter, as they were invited.
	letters := lettersTo(t, i, unknown, "The invitation to % was withdrawn")
	require.Len(t, letters, 1)
	require.Contains(t, letters[0], " Test withdrew")
	require.Contains(t, letters[0], "The group is full")
	require.Eventually(t, func() bool {
		for _, n := range must[object](known, "GET", "/api/Notification/all", nil)["notifications"].([]any) {
			data := n.(object)["data"].(object)
			if data["title"] == "An invitation was withdrawn" {
				body := data["body"].(string)
				return strings.Contains(body, " Test withdrew") && strings.Contains(body, "The group is full")
			}
		}
		return false
	}, 15*time.Second, 100*time.Millisecond, "the member is told")
}
