package e2e

import (
	"context"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/boot"
)

func (p *person) finds(q string) []object {
	p.Helper()
	return must[[]object](p, "GET", "/api/v1/savings/search?q="+url.QueryEscape(q), nil)
}

// foundAs is a club by a name that no other test uses.
func foundAs(t *testing.T, i *boot.Instance, name string) club {
	t.Helper()
	c := club{owner: somebody(t, i, "Ada"), validator: somebody(t, i, "Chidi"), approver: somebody(t, i, "Femi"), member: somebody(t, i, "Bisi")}
	c.owner.known()
	c.group = c.owner.founds(name)
	c.admitsAll(c.validator, c.approver, c.member)
	c.appoints()
	c.sub = c.opens("Monthly dues", "FIXED", "MONTHLY", 5000)
	return c
}

// shown waits until a stranger's search says so.
func shown(t *testing.T, p *person, q string, want func(rows []object) bool, says string) []object {
	t.Helper()
	var rows []object
	require.Eventually(t, func() bool { rows = p.finds(q); return want(rows) }, time.Minute, 10*time.Millisecond, says)
	return rows
}

// TestAStrangerSeesOfAGroupWhatItsOwnerShows: totals only when the owner says so, and then everybody in it is told.
func TestAStrangerSeesOfAGroupWhatItsOwnerShows(t *testing.T) {
	t.Parallel()
	i := product(t)
	c := foundAs(t, i, "Kaura Namoda Weavers")
	stranger := somebody(t, i, "Eve")
	c.member.funded(5000)
	require.Equal(t, 200, c.member.pays(c.sub, 5000).status)
	own := shown(t, c.member, "namoda", func(rows []object) bool { return len(rows) == 1 && rows[0]["totalSaved"] == 5000.0 }, "a member sees it")
	require.Equal(t, []any{false, false, true}, []any{own[0]["termsHidden"], own[0]["totalsHidden"], own[0]["isMember"]})

	rows := stranger.finds("namoda")
	require.Len(t, rows, 1)
	row := rows[0]
	require.NotContains(t, row, "totalSaved", "the owner has not said that strangers may see it")
	require.NotContains(t, row, "growthPercent")
	require.Equal(t, true, row["totalsHidden"])
	require.Equal(t, []any{"Kaura Namoda Weavers", 4.0, 5000.0, false}, []any{row["name"], row["memberCount"], row["amount"], row["termsHidden"]})
	require.Contains(t, row, "nextPayment")

	set := func(view object) reply {
		return c.owner.ask("POST", "/api/v1/savings/groups/"+c.group+"/search-view", view)
	}
	require.Equal(t, 409, set(object{"findable": true, "showTerms": true, "showTotals": false}).status)
	require.Equal(t, 200, set(object{"findable": true, "showTerms": false, "showTotals": true}).status)
	row = shown(t, stranger, "namoda", func(rows []object) bool { return rows[0]["totalSaved"] == 5000.0 }, "now they may")[0]
	require.NotContains(t, row, "amount")
	require.NotContains(t, row, "nextPayment")
	require.Equal(t, true, row["termsHidden"])
	view := must[object](c.owner, "GET", "/api/GroupSavings/GetGroupSavingsInfo/"+c.group, nil)["searchView"]
	require.Equal(t, object{"findable": true, "showTerms": false, "showTotals": true}, view)
	require.Eventually(t, func() bool {
		for _, n := range must[object](c.member, "GET", "/api/Notification/all", nil)["notifications"].([]any) {
			if n := n.(object); n["type"] == "visibility_changed" {
				return strings.Contains(n["data"].(object)["body"].(string), "people outside Kaura Namoda Weavers")
			}
		}
		return false
	}, time.Minute, 10*time.Millisecond, "members are told")

	require.Equal(t, 200, set(object{"findable": false, "showTerms": true, "showTotals": true}).status)
	shown(t, stranger, "namoda", func(rows []object) bool { return len(rows) == 0 }, "it is not to be found")
	require.Len(t, c.member.finds("namoda"), 1, "but by those who are in it")
}

// TestAGroupsNameIsNoLinkAndIsMarkedWhereItLooksLikeAnothers, and an invitation says whose name the bank knows.
func TestAGroupsNameIsNoLinkAndIsMarkedWhereItLooksLikeAnothers(t *testing.T) {
	t.Parallel()
	i := product(t)
	eve := somebody(t, i, "Eve")
	for name, says := range map[string]string{
		"Claim 50k at http://evil.example": "web or mail address", "Claim at bit.ly/50k": "web or mail address", "Gusau \u200bDyers": "cannot be shown", "Gusau\u00ad Dyers": "cannot be shown",
	} {
		r := eve.ask("POST", "/api/GroupSavings/CreateGroupSavings", object{"name": name, "amount": 5000, "memberCapacity": 10, "startMonthId": lagosMonth(), "userEmail": eve.email})
		require.Equal(t, 400, r.status, name)
		require.Contains(t, r.Message, says, name)
	}
	first := foundAs(t, i, "Gusau Dyers of Zuru")
	second := foundAs(t, i, "Gusаu Dyеrs dyers of Zuru") // With Cyrillic letters.
	third := foundAs(t, i, "GUSAU Dуers of Zuru")
	rows := shown(t, eve, "of zuru", func(rows []object) bool { return len(rows) == 3 }, "all are there")
	marked := map[string]any{}
	for _, row := range rows {
		marked[row["id"].(string)] = row["lookAlike"]
	}
	require.Equal(t, []any{false, false, true}, []any{marked[first.group], marked[second.group], marked[third.group]})

	unknown := somebody(t, i, "Uche")
	group := unknown.founds("Sokoto Potters")
	unknown.code(group)
	for _, sender := range []struct {
		*person
		group, says string
	}{{first.owner, first.group, "The bank has confirmed that Ada Test is the sender's name."}, {unknown, group, "Nobody has verified that name yet"}} {
		to := "guest-" + sender.id + "@example.com"
		must[any](sender.person, "POST", "/api/GroupSavings/AddGroupMember", object{"groupId": sender.group, "email": to})
		letters := lettersTo(t, i, to, "%invites you to%")
		require.Len(t, letters, 1)
		require.Contains(t, letters[0], sender.says)
	}
}

// TestInvitationsOfOneMemberOrOtherLettersDenyNobodyElses keeps each to their own.
func TestInvitationsOfOneMemberOrOtherLettersDenyNobodyElses(t *testing.T) {
	t.Parallel()
	i := product(t)
	guest := "busy-guest@example.com"
	inviters := []*person{somebody(t, i, "Ada"), somebody(t, i, "Bisi")}
	groups := make([]string, len(inviters))
	for n, p := range inviters {
		groups[n] = p.founds("Zaria Tanners")
		p.code(groups[n])
	}
	for range 12 {
		must[any](inviters[0], "POST", "/api/GroupSavings/SendSavingsInvitationLink", object{"groupId": groups[0], "emails": []string{guest}, "userEmail": inviters[0].email})
	}
	require.Len(t, lettersTo(t, i, guest, "%invites you to%"), 3, "one member writes to a guest three times a day")
	must[any](inviters[1], "POST", "/api/GroupSavings/AddGroupMember", object{"groupId": groups[1], "email": guest})
	require.Len(t, lettersTo(t, i, guest, "Somebody who calls themselves Bisi % invites you to%"), 1)
}

// TestAnInvitationTooManyIsRefusedInTheSameWordsWhetherOrNotThereIsAnAccount to the byte, headers and all.
func TestAnInvitationTooManyIsRefusedInTheSameWordsWhetherOrNotThereIsAnAccount(t *testing.T) {
	t.Parallel()
	i := product(t)
	p, known := somebody(t, i, "Ada"), somebody(t, i, "Bisi")
	group := p.founds("Zaria Weavers")
	p.code(group)
	for n := range 5 {
		var said [2]reply
		for k, email := range []string{known.email, "not-" + known.email} {
			said[k] = p.ask("POST", "/api/GroupSavings/AddGroupMember", object{"groupId": group, "email": email})
			for _, own := range []string{"Date", "X-Request-Id"} {
				said[k].header.Del(own)
			}
		}
		require.Equal(t, said[0], said[1])
		require.Equal(t, n < 3, said[0].status == 200, said[0].Message)
		require.Equal(t, n >= 3, said[0].status == 429, said[0].Message)
	}
}

func TestAPersonUnder18FoundsNoGroup(t *testing.T) {
	t.Parallel()
	i := product(t)
	p := somebody(t, i, "Bisi")
	born := func(at time.Time) {
		_, err := i.Pool.Exec(context.Background(), "UPDATE accounts SET date_of_birth = $2 WHERE id = $1", p.id, at)
		require.NoError(t, err)
	}
	form := object{"name": "School savers", "amount": 5000, "memberCapacity": 10, "startMonthId": lagosMonth(), "userEmail": p.email}
	born(time.Now().AddDate(-18, 0, 2))
	r := p.ask("POST", "/api/GroupSavings/CreateGroupSavings", form)
	require.Equal(t, 403, r.status, r.Message)
	require.Contains(t, r.Message, "You can found a group from the age of 18 on.")
	require.Zero(t, eventsOf(t, i.Pool, p.id, "GroupCreated"))
	born(time.Now().AddDate(-18, 0, -2))
	require.Equal(t, 200, p.ask("POST", "/api/GroupSavings/CreateGroupSavings", form).status)
}
