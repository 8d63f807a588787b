package e2e

import (
	"bytes"
	"context"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/people"
)

const (
	invite     = "/api/GroupSavings/AddGroupMember"
	bulk       = "/api/v1/savings/members/bulk"
	deactivate = "/api/GroupSavings/DeactivateGroupMember"
	info       = "/api/GroupSavings/GetGroupSavingsInfo/"
	details    = "/api/GroupSavings/GetGroupDetails/"
)

func (c club) at(what string) string { return "/api/v1/savings/groups/" + c.group + what }

// acts gives a command that must go through and waits until views know of it.
func (p *person) acts(method, path string, body any) reply {
	p.Helper()
	r := p.ask(method, path, body)
	require.Equal(p, 200, r.status, "%s %s: %s", method, path, r.Message)
	if at := r.header.Get("X-Position"); at != "" {
		p.ask("GET", "/api/GroupSavings/GetUserGroupSavings/"+p.id, nil, "X-Min-Position", at)
	}
	return r
}

// refused holds that a call is refused so, with a sentence that says that.
func (p *person) refused(status int, says, method, path string, body any) {
	p.Helper()
	r := p.ask(method, path, body)
	require.Equal(p, status, r.status, "%s %s: %s", method, path, r.Message)
	require.Contains(p, r.Message, says)
}

func (p *person) sees(c club) object {
	p.Helper()
	return must[object](p, "GET", info+c.group, nil)
}

func (p *person) inbox() string { return p.page("/dev/inbox?to=" + url.QueryEscape(p.email)) }

func TestSomebodyIsInvitedByNameAndAnybodyElseByALetter(t *testing.T) {
	t.Parallel()
	i := product(t)
	c, dayo := found(t, i), somebody(t, i, "Dayo")
	stranger := &person{TB: t, base: i.Address, email: "nobody-" + uuid.NewString() + "@example.com"}
	known := c.approver.acts("POST", invite, object{"groupId": c.group, "email": strings.ToUpper(dayo.email)})
	unknown := c.approver.acts("POST", invite, object{"groupId": c.group, "email": stranger.email})
	require.Equal(t, known.Message, unknown.Message, "the answer does not tell who has an account")
	require.Equal(t, 200, c.owner.ask("POST", invite, object{"groupId": c.group, "email": dayo.email}).status, "nor when asked again")
	require.Contains(t, stranger.inbox(), "join-group/"+c.group)
	c.member.refused(403, "Only an approver", "POST", invite, object{"groupId": c.group, "email": stranger.email})
	c.owner.refused(409, "already", "POST", invite, object{"groupId": c.group, "email": c.member.email})
	c.owner.refused(400, "e-mail address", "POST", invite, object{"groupId": c.group, "email": "ada"})
	dayo.told("member_invited")

	invited := dayo.sees(c)
	require.Equal(t, []any{"INVITED", true, nil}, []any{invited["memberStatus"], invited["totalHidden"], invited["members"]})
	waits := must[object](c.owner, "GET", "/api/GroupSavings/pending-group-savings/"+c.group, nil)
	require.Len(t, waits["invited"], 2, "nor does the list")
	require.Empty(t, waits["members"])
	require.NotEmpty(t, waits["invited"].([]any)[0].(object)["expires"])
	dayo.acts("POST", "/api/v1/savings/invitations/"+c.group+"/decline", nil)
	dayo.refused(404, "no such group", "GET", info+c.group, nil)
	dayo.refused(404, "no invitation", "POST", "/api/v1/savings/invitations/"+c.group+"/accept", nil)
	c.owner.acts("POST", invite, object{"groupId": c.group, "email": dayo.email})
	dayo.acts("POST", "/api/v1/savings/invitations/"+c.group+"/accept", nil)
	require.Equal(t, "ACTIVE", dayo.sees(c)["memberStatus"], "who invites has approved")
	require.Eventually(t, func() bool { return strings.Contains(dayo.inbox(), "invites you to") }, time.Minute, 50*time.Millisecond)

	sent := must[object](c.owner, "POST", "/api/GroupSavings/SendSavingsInvitationLink", object{
		"groupId": c.group, "userEmail": c.owner.email, "emails": []string{stranger.email, strings.ToUpper(stranger.email)},
	})
	require.InDelta(t, 1, sent["sent"], 0)
	c.owner.refused(400, "no e-mail address", "POST", "/api/GroupSavings/SendSavingsInvitationLink", object{"groupId": c.group, "userEmail": c.owner.email, "emails": []string{"x"}})
	c.owner.refused(400, "1 to 50", "POST", "/api/GroupSavings/SendSavingsInvitationLink", object{"groupId": c.group, "userEmail": c.owner.email, "emails": []string{}})
}

func TestAnInvitationLapses(t *testing.T) {
	t.Parallel()
	i := own(t) // The job ends every invitation that is there.
	c, dayo := found(t, i), somebody(t, i, "Dayo")
	c.owner.acts("POST", invite, object{"groupId": c.group, "email": dayo.email})
	dayo.told("member_invited")
	later := i.App.At(time.Now().Add(15 * 24 * time.Hour))
	require.NoError(t, later.Groups.LapseInvitations(context.Background()))
	require.Eventually(t, func() bool { return dayo.ask("GET", info+c.group, nil).status == 404 }, time.Minute, 10*time.Millisecond)
}

func TestManyAreLetInAtOnceAndOneRefusalKeepsNobodyBack(t *testing.T) {
	t.Parallel()
	i := product(t)
	c, dayo, efe := found(t, i), somebody(t, i, "Dayo"), somebody(t, i, "Efe")
	code := c.owner.code(c.group)
	for _, p := range []*person{dayo, efe} {
		must[any](p, "POST", join, object{"groupId": c.group, "code": code, "email": p.email})
	}
	change := func(action string, members ...string) object {
		return object{"groupId": c.group, "action": action, "memberIds": append([]string{}, members...)}
	}
	c.member.refused(403, "Only an approver", "POST", bulk, change("APPROVE", dayo.id))
	dayo.refused(403, "Only an approver", "POST", bulk, change("APPROVE", dayo.id))
	somebody(t, i, "Eve").refused(404, "no such group", "POST", bulk, change("APPROVE", dayo.id))
	c.owner.refused(400, "1 to 500", "POST", bulk, change("APPROVE"))
	done := must[object](c.approver, "POST", bulk, change("APPROVE", dayo.id, efe.id, c.member.id, uuid.NewString()))
	require.InDelta(t, 2, done["done"], 0)
	require.Len(t, done["refused"], 2)
	done = must[object](c.approver, "POST", bulk, change("DEACTIVATE", dayo.id, c.validator.id))
	require.InDelta(t, 1, done["done"], 0)
	require.Contains(t, done["refused"].([]any)[0].(object)["message"], "another member the validator first")
	require.Eventually(t, func() bool { // Before the read model has heard of it there is no such group for them.
		return strings.Contains(string(dayo.ask("GET", info+c.group, nil).ReturnedObject), `"memberStatus":"INACTIVE"`)
	}, time.Minute, 10*time.Millisecond)
	dayo.told("member_deactivated")
	resting := must[object](c.validator, "GET", "/api/GroupSavings/inactive/"+c.group, nil)
	require.InDelta(t, 1, resting["count"], 0)
	require.Equal(t, dayo.id, resting["members"].([]any)[0].(object)["userId"])
	c.member.refused(403, "Only the owner, an approver or the validator", "GET", "/api/GroupSavings/inactive/"+c.group, nil)
	dayo.funded(5000)
	require.Equal(t, 409, dayo.pays(c.sub, 5000).status)
	c.owner.acts("PATCH", admit, object{"groupId": c.group, "memberId": dayo.id})
	require.Equal(t, 200, dayo.pays(c.sub, 5000).status)
}

func TestALeaverIsSettledAndGone(t *testing.T) {
	t.Parallel()
	i := product(t)
	c := found(t, i)
	c.member.funded(10_000)
	leaving := func() object { return must[object](c.member, "GET", c.at("/leaving"), nil) }
	require.Equal(t, []any{false, 5000.0, 0.0}, []any{leaving()["mayLeave"], leaving()["owed"], leaving()["saved"]})
	c.member.refused(409, "You owe ₦5,000.00", "POST", c.at("/leave"), object{"forfeit": true})
	c.owner.refused(409, "Pass the group on", "POST", c.at("/leave"), object{"forfeit": false})
	c.approver.refused(409, "last approver besides the owner", "POST", c.at("/leave"), object{"forfeit": false})
	require.Equal(t, 200, c.member.pays(c.sub, 5000).status)
	now := leaving()
	require.Equal(t, []any{false, true, 5000.0, []any{}}, []any{now["mayLeave"], now["mayForfeit"], now["saved"], now["reasons"]})
	require.Equal(t, "Monthly dues", now["subAccounts"].([]any)[0].(object)["name"])
	c.member.refused(409, "₦5,000.00 saved here", "POST", c.at("/leave"), object{"forfeit": false})
	c.member.refused(409, "₦5,000.00 saved here now, not ₦4,500.00", "POST", c.at("/leave"), object{"forfeit": true, "saved": 4500})
	c.member.refused(400, "saved must be an amount", "POST", c.at("/leave"), object{"forfeit": true, "saved": 4500.001})
	c.member.acts("POST", c.at("/leave"), object{"forfeit": true, "saved": 5000})
	c.member.refused(404, "no such group", "GET", info+c.group, nil)
	c.member.refused(404, "no such group", "GET", c.at("/leaving"), nil)
	c.owner.told("member_left")
	require.Eventually(t, func() bool { return naira(t, c.owner.sees(c)["bookBalance"]) == "5000.00" }, time.Minute, 10*time.Millisecond, "what was forfeited stays")
	must[any](c.member, "POST", join, object{"groupId": c.group, "code": c.owner.code(c.group), "email": c.member.email})
	c.owner.acts("PATCH", admit, object{"groupId": c.group, "memberId": c.member.id})
	require.Equal(t, 200, c.member.pays(c.sub, 5000).status, "who comes back owes anew")
	require.Eventually(t, func() bool { return naira(t, c.member.sees(c)["userTotalSavings"]) == "5000.00" }, time.Minute, 10*time.Millisecond)
}

func TestWhoWaitsToBeLetInTakesThatBack(t *testing.T) {
	t.Parallel()
	i := product(t)
	c, dayo := found(t, i), somebody(t, i, "Dayo")
	form := object{"groupId": c.group, "code": c.owner.code(c.group), "email": dayo.email}
	dayo.acts("POST", join, form)
	require.Equal(t, "PENDING", dayo.sees(c)["memberStatus"])
	dayo.acts("POST", c.at("/leave"), object{"forfeit": false})
	dayo.refused(404, "no such group", "GET", info+c.group, nil)
	dayo.refused(404, "no such group", "POST", c.at("/leave"), object{"forfeit": false})
	c.owner.refused(404, "has not asked", "PATCH", admit, object{"groupId": c.group, "memberId": dayo.id})
	require.Zero(t, must[object](c.owner, "GET", "/api/GroupSavings/pending-group-savings/"+c.group, nil)["count"])
	dayo.acts("POST", join, form)
	c.owner.acts("PATCH", admit, object{"groupId": c.group, "memberId": dayo.id})
	require.Equal(t, "ACTIVE", dayo.sees(c)["memberStatus"])
}

func TestAGroupPassesToAnotherOwner(t *testing.T) {
	t.Parallel()
	i := product(t)
	c := found(t, i)
	c.owner.refused(409, "verified BVN", "POST", c.at("/ownership/offer"), object{"memberId": c.approver.id})
	c.approver.known()
	c.owner.acts("POST", c.at("/ownership/offer"), object{"memberId": c.approver.id})
	c.approver.told("role_changed")
	require.Equal(t, c.approver.id, must[object](c.approver, "GET", details+c.group, nil)["ownershipOfferedTo"])
	accepts := object{"accept": true, "seen": must[object](c.approver, "GET", details+c.group, nil)["ownershipOffer"]}
	c.validator.refused(403, "Only an approver", "POST", c.at("/ownership/answer"), accepts)
	c.approver.acts("POST", c.at("/ownership/answer"), accepts)
	view := c.approver.sees(c)
	require.Equal(t, []any{c.approver.id, "OWNER"}, []any{view["ownerId"], view["role"]})
	require.Equal(t, "APPROVER", c.owner.sees(c)["role"])
	c.owner.refused(403, "Only the owner", "POST", c.at("/approvers"), object{"memberId": c.member.id})
	c.approver.acts("POST", c.at("/approvers"), object{"memberId": c.member.id})
	c.approver.acts("DELETE", c.at("/approvers/"+c.owner.id), nil)
	require.Equal(t, "MEMBER", c.owner.sees(c)["role"])
}

func TestAnAbsentOwnerIsFollowedAndOneWhoComesBackIsNot(t *testing.T) {
	t.Parallel()
	i := product(t)
	c, ctx := settled(t, i), context.Background()
	away := func() {
		_, err := i.Pool.Exec(ctx, "UPDATE accounts SET seen_at = now() - interval '31 days' WHERE id = $1", c.owner.id)
		require.NoError(t, err)
	}
	c.approver.refused(409, "The owner was here on", "POST", c.at("/succession"), object{"memberId": c.approver.id})
	away()
	require.NotEmpty(t, must[object](c.approver, "GET", details+c.group, nil)["ownerAwaySince"])
	c.approver.acts("POST", c.at("/succession"), object{"memberId": c.approver.id})
	open := must[object](c.validator, "GET", details+c.group, nil)["succession"].(object)
	require.Equal(t, []any{"Femi Test", 1.0, 2.0, false}, []any{open["candidateName"], open["votes"], open["needed"], open["voted"]})
	// The owner logs in: that ends it.
	c.owner.logIn()
	require.NoError(t, i.App.Groups.WatchVotes(ctx))
	c.validator.refused(409, "No such vote is open", "POST", c.at("/succession/vote"), object{"candidateId": c.approver.id, "seen": open["version"], "agrees": true})
	away()
	c.approver.acts("POST", c.at("/succession"), object{"memberId": c.approver.id})
	c.member.refused(403, "Only an approver", "POST", c.at("/succession/vote"), object{"candidateId": c.approver.id, "seen": open["version"], "agrees": true})
	c.validator.refused(409, "No such vote is open", "POST", c.at("/succession/vote"), object{"candidateId": c.member.id, "seen": open["version"], "agrees": true})
	c.validator.acts("POST", c.at("/succession/vote"), object{"candidateId": c.approver.id, "seen": open["version"], "agrees": true})
	require.Equal(t, c.approver.id, c.validator.sees(c)["ownerId"])
}

func TestATotalThatIsHiddenIsGoneFromAllThatAPlainMemberReads(t *testing.T) {
	t.Parallel()
	i := product(t)
	c := found(t, i)
	for _, p := range []*person{c.member, c.approver} {
		p.funded(5000)
		require.Equal(t, 200, p.pays(c.sub, 5000).status)
	}
	require.Eventually(t, func() bool { return naira(t, c.member.sees(c)["bookBalance"]) == "10000.00" }, time.Minute, 10*time.Millisecond)
	c.approver.refused(403, "Only the owner", "POST", "/api/GroupSavings/update-balance-display", object{"groupId": c.group, "showTotalBalance": false})
	c.owner.acts("POST", "/api/GroupSavings/update-balance-display", object{"groupId": c.group, "showTotalBalance": false})
	c.owner.refused(409, "hidden from members already", "POST", "/api/GroupSavings/update-balance-display", object{"groupId": c.group, "showTotalBalance": false})
	require.Equal(t, []any{true, nil}, []any{c.member.sees(c)["totalHidden"], c.member.sees(c)["bookBalance"]})
	require.Equal(t, "10000.00", naira(t, c.approver.sees(c)["bookBalance"]))
	c.member.told("visibility_changed")
	c.owner.acts("POST", "/api/GroupSavings/update-balance-display", object{"groupId": c.group, "showTotalBalance": true})
	c.owner.acts("POST", "/api/GroupSavings/sub-account/update-balance-display", object{"subAccountId": c.sub, "showTotalToMembers": false})
	require.Equal(t, true, c.member.sees(c)["totalHidden"], "a hidden sub-account would be told by the group's total")
	for _, path := range []string{info + c.group, details + c.group, "/api/GroupSavings/GetGroupSubAccounts/" + c.group} {
		require.NotContains(t, string(c.member.ask("GET", path, nil).ReturnedObject), "10000", path)
	}
}

func TestAdashiSuspendsAndResumesAndAnOwnerClosesOrGivesUp(t *testing.T) {
	t.Parallel()
	i := product(t)
	c, admin := found(t, i), somebody(t, i, "Ayo")
	require.NoError(t, people.GrantRole(context.Background(), i.Pool, admin.email, people.RoleAdmin))
	admin.logIn()
	why := object{"reason": "Members have complained"}
	c.member.funded(5000)
	c.owner.refused(403, "", "POST", "/api/Operator/groups/"+c.group+"/suspend", why)
	admin.acts("POST", "/api/Operator/groups/"+c.group+"/suspend", why)
	c.member.told("group_changed")
	require.Equal(t, 409, c.member.pays(c.sub, 5000).status)
	require.Equal(t, "Members have complained", must[object](c.member, "GET", details+c.group, nil)["statusReason"])
	admin.refused(409, "The group is suspended.", "POST", "/api/Operator/groups/"+c.group+"/suspend", why)
	admin.refused(404, "no such group", "POST", "/api/Operator/groups/"+uuid.NewString()+"/suspend", why)
	admin.acts("POST", "/api/Operator/groups/"+c.group+"/resume", why)
	require.Equal(t, 200, c.member.pays(c.sub, 5000).status)
	c.owner.refused(409, "The group is active.", "POST", c.at("/cancel"), why)
	admin.refused(409, "The group is active.", "POST", "/api/Operator/groups/"+c.group+"/reject", why)
	c.owner.acts("POST", c.at("/close"), why)
	require.Equal(t, "CLOSING", c.member.sees(c)["status"])
	c.owner.refused(409, "still holds ₦5,000.00", "POST", c.at("/close"), why)

	for what, p := range map[string]*person{"/api/Operator/groups/%/reject": admin, "/api/v1/savings/groups/%/cancel": c.owner} {
		group := c.owner.founds("Never active")
		c.owner.code(group)
		p.acts("POST", strings.Replace(what, "%", group, 1), why)
		c.owner.refused(409, "before it became active", "POST", "/api/v1/savings/groups/"+group+"/approvers", object{"memberId": c.member.id})
	}
	empty := found(t, i)
	empty.owner.acts("POST", empty.at("/close"), why)
	require.Equal(t, "CLOSED", empty.member.sees(empty)["status"])
}

// keeps sends a document for a group.
func (p *person) keeps(group, name string, data []byte) reply {
	p.Helper()
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	for field, value := range map[string]string{"groupId": group, "userId": p.id, "name": name} {
		require.NoError(p, w.WriteField(field, value))
	}
	part, err := w.CreateFormFile("file", "x.pdf")
	require.NoError(p, err)
	_, err = part.Write(data)
	require.NoError(p, err)
	require.NoError(p, w.Close())
	request, err := http.NewRequest("POST", p.base+"/api/GroupSavings/save-group-document", &form)
	require.NoError(p, err)
	request.Header.Set("Content-Type", w.FormDataContentType())
	request.Header.Set("X-Forwarded-For", fromAnywhere())
	p.shows(request)
	r, err := send(request)
	require.NoError(p, err)
	return r
}

var paper = []byte("%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n")

func TestAGroupsDocumentsAreItsMembersToRead(t *testing.T) {
	t.Parallel()
	i := product(t)
	c, eve := found(t, i), somebody(t, i, "Eve")
	saved := c.validator.keeps(c.group, "Our constitution", paper)
	require.Equal(t, 200, saved.status, saved.Message)
	require.Equal(t, 403, c.member.keeps(c.group, "Our constitution", paper).status)
	require.Equal(t, 404, eve.keeps(c.group, "Our constitution", paper).status)
	require.Equal(t, 400, c.owner.keeps(c.group, "ab", paper).status)
	require.Equal(t, 400, c.owner.keeps(c.group, "Not a paper", []byte("<html></html>")).status)
	require.Equal(t, 413, c.owner.keeps(c.group, "Too large", bytes.Repeat([]byte("x"), 5<<20+1)).status)
	var list []object
	require.Eventually(t, func() bool {
		list = must[[]object](c.member, "GET", "/api/GroupSavings/get-group-documents/"+c.group, nil)
		return len(list) == 1
	}, time.Minute, 10*time.Millisecond)
	document := list[0]
	require.Equal(t, []any{"Our constitution", "application/pdf", "Chidi Test", false}, []any{document["name"], document["type"], document["uploadedBy"], document["canRemove"]})
	link := document["link"].(string)
	require.Equal(t, 200, c.member.ask("GET", link, nil).status)
	require.Equal(t, 404, eve.ask("GET", link, nil).status)
	require.Len(t, must[[]object](c.owner, "GET", "/api/v1/savings/documents", nil), 1)
	eve.refused(404, "no such group", "GET", "/api/GroupSavings/get-group-documents/"+c.group, nil)
	eve.refused(404, "no such document", "DELETE", "/api/v1/savings/documents/"+document["id"].(string), nil)
	c.validator.refused(403, "Only an approver", "DELETE", "/api/v1/savings/documents/"+document["id"].(string), nil)
	c.approver.acts("DELETE", "/api/v1/savings/documents/"+document["id"].(string), nil)
	require.Equal(t, 404, c.member.ask("GET", link, nil).status)
	require.Equal(t, 404, c.validator.ask("GET", link, nil).status, "who saved it too")
	require.NoError(t, i.App.Groups.SweepDocuments(context.Background()))
	_, _, err := i.Vault.File(context.Background(), document["id"].(string))
	require.Error(t, err, "it is destroyed")
}
