package e2e

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/base/money"
	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/people"
)

const (
	disputesPath = "/api/v1/disputes"
	casesPath    = "/api/v1/support/cases"
)

// claims is a dispute about money that somebody paid today.
func claims(amount int, more object) object {
	form := object{"kind": "NOT_CREDITED", "words": "I paid by transfer at noon and it is not there.", "amount": amount, "paidOn": lagos.Day(time.Now())}
	for name, value := range more {
		form[name] = value
	}
	return form
}

// searches is what a search for money of today answers, as soon as it finds so much.
func (p *person) searches(amount, count int) (found []object) {
	p.Helper()
	require.Eventually(p, func() bool {
		found = nil
		for _, one := range must[object](p, "POST", disputesPath+"/search", object{"amount": amount, "day": lagos.Day(time.Now())})["found"].([]any) {
			found = append(found, one.(object))
		}
		return len(found) == count
	}, 30*time.Second, 200*time.Millisecond, "there never were %d", count)
	return found
}

func kindsOf(view object) (kinds []string) {
	for _, step := range view["steps"].([]any) {
		kinds = append(kinds, step.(object)["kind"].(string))
	}
	return kinds
}

func TestADisputeIsOpenedTakenAskedAnsweredDecidedAndLookedAtOnceMore(t *testing.T) {
	t.Parallel()
	i := own(t)
	bisi, other, sade, femi := somebody(t, i, "Bisi"), somebody(t, i, "Chidi"), staff(t, i, "Sade", people.RoleSupport), staff(t, i, "Femi", people.RoleFinanceOps)
	stray(t, i, 700*money.Naira, false)
	femi.waiting(1)
	loose := bisi.searches(700, 1)[0]
	require.Equal(t, "UNMATCHED", loose["what"])
	require.NotContains(t, fmt.Sprint(loose), "Ngozi", "whose name it is in is not told")
	bisi.searches(701, 0)

	opened := must[object](bisi, "POST", disputesPath, claims(700, object{"arrivalId": loose["arrivalId"]}), "Idempotency-Key", "opened-once")
	require.Equal(t, opened["id"], must[object](bisi, "POST", disputesPath, claims(700, object{"arrivalId": loose["arrivalId"]}), "Idempotency-Key", "opened-once")["id"])
	again := bisi.ask("POST", disputesPath, claims(700, nil))
	require.Equal(t, 409, again.status)
	require.Contains(t, again.Message, opened["number"])
	id := opened["id"].(string)
	require.Equal(t, 404, other.ask("GET", disputesPath+"/"+id, nil).status)
	require.Equal(t, 403, bisi.ask("GET", casesPath+"/"+id, nil).status)
	require.Equal(t, 403, femi.ask("GET", casesPath, nil).status)
	require.Equal(t, 409, bisi.ask("POST", disputesPath+"/"+id+"/answer", object{"words": "Nothing was asked."}).status)

	page := must[object](sade, "GET", casesPath, nil)
	require.EqualValues(t, 1, page["waiting"])
	row := page["cases"].([]any)[0].(object)
	require.NotContains(t, fmt.Sprint(row), "Bisi", "a case is masked")
	before := acted(t, i, sade)
	kase := must[object](sade, "GET", casesPath+"/"+id, nil)
	require.Equal(t, before+1, acted(t, i, sade), "that somebody looks is an event")
	require.Equal(t, loose["arrivalId"], kase["claimed"])
	require.Len(t, kase["found"], 1)
	require.Equal(t, 409, sade.ask("POST", casesPath+"/"+id+"/resolve", object{"upheld": true, "words": "It was found in suspense."}).status)
	require.Equal(t, 403, sade.ask("POST", casesPath+"/"+id+"/names", object{"reason": "To call her", "userIds": []any{bisi.id}}).status)
	must[object](sade, "POST", casesPath+"/"+id+"/take", nil)
	require.Equal(t, 400, sade.ask("POST", casesPath+"/"+id+"/names", object{"reason": "To write to bisi@example.com", "userIds": []any{bisi.id}}).status)
	stranger := somebody(t, i, "Uche")
	quiet := acted(t, i, sade)
	require.Equal(t, 403, sade.ask("POST", casesPath+"/"+id+"/names", object{"reason": "To call her", "userIds": []any{bisi.id, stranger.id}}).status)
	require.Equal(t, quiet, acted(t, i, sade), "one who is not in the case stops the whole list")
	names := must[[]object](sade, "POST", casesPath+"/"+id+"/names", object{"reason": "To call her", "userIds": []any{bisi.id}})
	require.Equal(t, "Bisi Test", names[0]["name"])

	must[object](sade, "POST", casesPath+"/"+id+"/ask", object{"words": "From which bank did you pay?"})
	asked := must[object](bisi, "GET", disputesPath+"/"+id, nil)
	require.Equal(t, []any{"INFO_REQUESTED", true}, []any{asked["status"], asked["mayAnswer"]})
	bisi.told("dispute_asked")
	must[object](bisi, "POST", disputesPath+"/"+id+"/answer", object{"words": "From Kuda."})
	paper := bisi.upload("document", "slip.png", picture(bisi)).object(bisi)
	must[object](bisi, "POST", disputesPath+"/"+id+"/evidence", object{"fileId": paper["id"]})
	require.Equal(t, 400, bisi.ask("POST", disputesPath+"/"+id+"/evidence", object{"fileId": opened["id"]}).status, "a file that was not uploaded")
	require.Equal(t, 404, other.ask("GET", disputesPath+"/"+id+"/papers/"+paper["id"].(string), nil).status)
	require.Equal(t, 200, sade.try200(casesPath+"/"+id+"/papers/"+paper["id"].(string)))

	decided := must[object](sade, "POST", casesPath+"/"+id+"/resolve", object{"upheld": false, "words": "This money was paid by somebody else."})
	require.Equal(t, []string{"OPENED", "TAKEN", "ASKED", "ANSWERED", "ADDED", "RESOLVED_REJECTED"}, kindsOf(decided))
	mine := must[object](bisi, "GET", disputesPath+"/"+id, nil)
	require.Equal(t, []any{"RESOLVED_REJECTED", true, false}, []any{mine["status"], mine["mayReopen"], mine["mayAdd"]})
	require.Contains(t, fmt.Sprint(mine["steps"]), "This money was paid by somebody else.")
	require.NotContains(t, fmt.Sprint(mine), "Sade", "who decided is told to nobody outside")
	bisi.told("dispute_resolved")
	must[object](bisi, "POST", disputesPath+"/"+id+"/reopen", object{"words": "Here is my slip."})
	require.Equal(t, 409, bisi.ask("POST", disputesPath+"/"+id+"/reopen", object{"words": "Once more."}).status)
	must[object](bisi, "POST", disputesPath+"/"+id+"/withdraw", nil)
	require.Equal(t, 403, sade.ask("GET", casesPath+"/"+id+"/replay?subject=MEMBER", nil).status, "no replay outside an open case")
}

func TestWhatIsGotReadyForADisputeStaysUntilItIsSentAndGoesAtOnce(t *testing.T) {
	t.Parallel()
	i := own(t)
	bisi, other, sade := somebody(t, i, "Bisi"), somebody(t, i, "Chidi"), staff(t, i, "Sade", people.RoleSupport)
	id := must[object](bisi, "POST", disputesPath, claims(700, nil))["id"].(string)
	path := disputesPath + "/" + id
	file := func(name string) object {
		return object{"id": bisi.upload("document", name, picture(bisi)).object(bisi)["id"], "name": name}
	}
	slip, letter := file("slip.png"), file("letter.png")
	six := []any{slip, letter, file("3.png"), file("4.png"), file("5.png"), file("6.png")}
	ready := object{"words": "I will look for", "files": []any{slip, letter}}
	must[object](bisi, "PUT", path+"/draft", ready)
	draft := must[object](bisi, "GET", path, nil)["draft"].(object)
	require.Equal(t, []any{"I will look for", []any{slip, letter}}, []any{draft["words"], draft["files"]})
	require.Equal(t, 404, other.ask("PUT", path+"/draft", ready).status)
	require.Equal(t, 404, other.ask("POST", path+"/submit", ready).status)
	must[object](sade, "POST", casesPath+"/"+id+"/take", nil)
	require.NotContains(t, fmt.Sprint(must[object](sade, "GET", casesPath+"/"+id, nil)), "I will look for", "a draft is its member's alone")

	for name, bad := range map[string]object{
		"nothing":                {"words": " ", "files": []any{}},
		"another's file":         {"words": "Here it is.", "files": []any{object{"id": other.upload("document", "x.png", picture(other)).object(other)["id"], "name": "x"}}},
		"a file that is no id":   {"words": "Here it is.", "files": []any{object{"id": "x", "name": "x"}}},
		"six files":              {"words": "Here it is.", "files": six},
		"a bell among the words": {"words": "Here \a it is.\a", "files": []any{}},
	} {
		status := bisi.ask("POST", path+"/submit", bad).status
		require.Contains(t, []int{400, 422}, status, name)
	}
	require.Equal(t, []string{"OPENED", "TAKEN"}, kindsOf(must[object](bisi, "GET", path, nil)), "what is refused leaves nothing")

	must[object](sade, "POST", casesPath+"/"+id+"/ask", object{"words": "From which bank did you pay?"})
	require.Equal(t, 400, bisi.ask("POST", path+"/submit", object{"words": "", "files": []any{slip}}).status, "a question is answered in words")
	send := object{"words": "From Kuda: see the slip.", "files": []any{slip, letter}}
	sent := must[object](bisi, "POST", path+"/submit", send, "Idempotency-Key", "sent-once")
	require.Equal(t, []string{"OPENED", "TAKEN", "ASKED", "ADDED", "ADDED", "ANSWERED"}, kindsOf(sent))
	require.Equal(t, []any{""}, []any{sent["draft"].(object)["words"]}, "nothing is left to send")
	require.Equal(t, kindsOf(sent), kindsOf(must[object](bisi, "POST", path+"/submit", send, "Idempotency-Key", "sent-once")), "a retry sends nothing twice")
	added := must[object](bisi, "POST", path+"/submit", object{"words": "And this.", "files": []any{}})
	require.Equal(t, "ADDED", kindsOf(added)[6])

	must[object](sade, "POST", casesPath+"/"+id+"/resolve", object{"upheld": false, "words": "This money was paid by somebody else."})
	require.Equal(t, 409, bisi.ask("PUT", path+"/draft", ready).status)
	require.Equal(t, 409, bisi.ask("POST", path+"/submit", ready).status)
	require.Nil(t, must[object](bisi, "GET", path, nil)["draft"])
}

// try200 is the status of a file that is fetched.
func (p *person) try200(path string) int {
	p.Helper()
	r, err := p.try("GET", path, nil)
	require.NoError(p, err)
	return r.status
}

func TestBadDisputesAreRefusedAndNothingIsKept(t *testing.T) {
	t.Parallel()
	i := own(t)
	bisi, other := somebody(t, i, "Bisi").funded(500), found(t, i)
	require.Equal(t, "ARRIVED", bisi.searches(500, 1)[0]["what"])
	bisi.searches(499, 0)
	movement := must[object](bisi, "GET", "/api/v1/activity", nil)["transactions"].([]any)[0].(object)["id"]
	for name, c := range map[string]struct {
		form   object
		status int
	}{
		"no such kind":              {claims(5, object{"kind": "NONSENSE"}), 400},
		"few words":                 {claims(5, object{"words": "   short   "}), 400},
		"a bell in the words":       {claims(5, object{"words": "I paid by \a transfer at noon."}), 400},
		"no amount and no day":      {object{"kind": "TWICE", "words": "It was taken twice from me."}, 400},
		"a day to come":             {claims(5, object{"paidOn": lagos.Day(time.Now().AddDate(0, 0, 1))}), 400},
		"a day that is none":        {claims(5, object{"paidOn": "2026-02-30"}), 400},
		"another's group":           {claims(5, object{"groupId": other.group}), 404},
		"a movement that is not":    {claims(5, object{"movementId": other.group}), 404},
		"a suspense that is not":    {claims(5, object{"arrivalId": other.group}), 400},
		"an ajo that is not":        {claims(5, object{"ajoId": other.group}), 404},
		"a file that is not":        {claims(5, object{"files": []any{other.group}}), 400},
		"more than there is":        {claims(5, object{"amount": 99999999999999}), 400},
		"a field that nobody knows": {claims(5, object{"staff": "me"}), 400},
	} {
		r := bisi.ask("POST", disputesPath, c.form)
		require.Equal(t, c.status, r.status, "%s: %s", name, r.Message)
		require.Regexp(t, `[.?]$`, r.Message, name)
	}
	require.Empty(t, must[object](bisi, "GET", disputesPath, nil)["disputes"])
	opened := must[object](bisi, "POST", disputesPath, object{"kind": "WRONG_AMOUNT", "words": "I paid more than this.", "movementId": movement})
	require.Equal(t, "500.00", naira(t, opened["amount"]))
	must[object](bisi, "POST", "/api/v1/account/step-up", object{"password": password})
	require.Contains(t, bisi.ask("POST", "/api/v1/account/close", object{"email": bisi.email}).Message, "A dispute of yours is open")
}

func TestFrozenMoneyStaysUntilItsOwnerThawsIt(t *testing.T) {
	t.Parallel()
	i := own(t)
	bisi := somebody(t, i, "Bisi").funded(500)
	opened := must[object](bisi, "POST", disputesPath, object{"kind": "NOT_ME", "words": "Somebody else is in my account.", "freeze": true})
	require.Equal(t, "NOT_ME", opened["kind"])
	bisi.holds("0.00")
	bisi.told("money_frozen")
	require.Equal(t, "500.00", naira(t, must[object](bisi, "GET", "/api/v1/account/freeze", nil)["held"]))
	payment := must[object](bisi, "POST", "/api/Wallet/FundWalletVfd", object{"amount": 200, "email": bisi.email})
	require.Equal(t, 303, bisi.sends(payment, "200").StatusCode)
	require.Eventually(t, func() bool {
		require.NoError(t, i.App.Disputes.KeepClocks(context.Background()))
		return naira(t, must[object](bisi, "GET", "/api/v1/account/freeze", nil)["held"]) == "700.00"
	}, time.Minute, 50*time.Millisecond, "what comes in is frozen too")
	require.Equal(t, 409, bisi.ask("POST", "/api/v1/account/freeze", nil).status)
	require.Equal(t, "STEP_UP", bisi.ask("POST", "/api/v1/account/thaw", nil).ReturnedCode)
	moved := bisi.ask("POST", updateInfo, object{"email": bisi.email, "bankAccountNumber": "0010246780", "bankCode": "044"})
	require.Equal(t, 409, moved.status)
	require.Contains(t, moved.Message, "You froze your money", "no bank account takes the place of another meanwhile")
	must[object](bisi, "POST", "/api/v1/account/step-up", object{"password": password})
	thaw := must[object](bisi, "POST", "/api/v1/account/thaw", nil)
	at, err := time.Parse(time.RFC3339, thaw["thawAt"].(string))
	require.NoError(t, err)
	require.WithinDuration(t, time.Now().Add(24*time.Hour), at, time.Minute)
	require.NoError(t, i.App.Disputes.KeepClocks(context.Background()))
	bisi.holds("0.00")
	require.NoError(t, i.App.At(at.Add(time.Second)).Disputes.KeepClocks(context.Background()))
	bisi.holds("700.00")
	require.Equal(t, false, must[object](bisi, "GET", "/api/v1/account/freeze", nil)["frozen"])
}

// caseOf is a case that somebody of Support has.
func caseOf(t testing.TB, i *boot.Instance, member *person, form object) (sade *person, at string) {
	t.Helper()
	sade = staff(t, i, "Sade", people.RoleSupport)
	id := must[object](member, "POST", disputesPath, form)["id"].(string)
	must[object](sade, "POST", casesPath+"/"+id+"/take", nil)
	return sade, casesPath + "/" + id
}

// takesOver has one of Support take a case that somebody else has, as they see it.
func takesOver(p *person, kase string) {
	p.Helper()
	seen := must[object](p, "GET", kase, nil)
	must[object](p, "POST", fmt.Sprintf("%s/take?version=%v", kase, seen["version"]), nil)
}

func TestSupportSeesAnyMomentOfAnOpenCase(t *testing.T) {
	t.Parallel()
	i := own(t)
	c := found(t, i)
	c.member.funded(20_000)
	require.Equal(t, 200, c.member.pays(c.sub, 5000).status)
	c.member.holds("15000.00")
	sade, at := caseOf(t, i, c.member, object{"kind": "WRONG_MONTH", "words": "It went to the wrong month.", "groupId": c.group, "subAccountId": c.sub})
	now := must[object](sade, "GET", at+"/replay?subject=MEMBER", nil)
	require.Equal(t, "15000.00", walletIn(t, now, c.member))
	steps := must[object](sade, "GET", at+"/steps?subject=MEMBER&limit=100", nil)["steps"].([]any)
	var paid object
	for _, s := range steps {
		if s.(object)["title"] == "Contribution received" {
			paid = s.(object)
		}
	}
	require.NotNil(t, paid)
	position := int64(paid["position"].(float64))
	require.Equal(t, "20000.00", walletIn(t, must[object](sade, "GET", fmt.Sprintf("%s/replay?subject=MEMBER&position=%d", at, position-1), nil), c.member))
	require.Equal(t, "15000.00", walletIn(t, must[object](sade, "GET", fmt.Sprintf("%s/replay?subject=MEMBER&position=%d", at, position), nil), c.member))
	group := must[object](sade, "GET", at+"/replay?subject=GROUP", nil)
	require.Contains(t, fmt.Sprint(group["accounts"]), "Monthly dues")
	require.NotContains(t, fmt.Sprint(group), "Bisi Test", "names are masked")
	require.Eventually(t, func() bool {
		named := sade.ask("POST", at+"/names", object{"reason": "To ask who validates", "userIds": []any{c.member.id, c.validator.id}})
		return named.status == 200 && strings.Contains(string(named.ReturnedObject), "Chidi Test")
	}, time.Minute, 10*time.Millisecond, "those of the group are people of the case")
	back := must[object](sade, "GET", at+"/steps?subject=GROUP&back=true&limit=1", nil)
	require.Len(t, back["steps"], 1)
	require.NotNil(t, back["next"])

	openings := acted(t, i, sade)
	must[object](sade, "GET", at+"/replay?subject=MEMBER", nil)
	require.Equal(t, openings, acted(t, i, sade), "one opening is one event")
	for name, c := range map[string]struct {
		query  string
		status int
	}{
		"beyond the head":     {"/replay?subject=MEMBER&position=999999999", 400},
		"two moments":         {"/replay?subject=MEMBER&position=1&recorded=2026-11-01T00:00:00Z", 400},
		"no such subject":     {"/replay?subject=HOUSE", 400},
		"a position of none":  {"/replay?subject=MEMBER&position=0", 400},
		"no time":             {"/replay?subject=MEMBER&recorded=yesterday", 400},
		"a case of no ajo":    {"/replay?subject=AJO", 404},
		"steps from beyond":   {"/steps?subject=MEMBER&from=999999999", 400},
		"steps of no subject": {"/steps?subject=", 400},
	} {
		r := sade.ask("GET", at+c.query, nil)
		require.Equal(t, c.status, r.status, "%s: %s", name, r.Message)
	}
	before := must[object](sade, "GET", at+"/replay?subject=MEMBER&recorded=2020-01-01T00:00:00Z", nil)
	require.Zero(t, before["events"])
	other := staff(t, i, "Ayo", people.RoleSupport)
	require.Equal(t, 403, other.ask("GET", at+"/replay?subject=MEMBER", nil).status, "only who has the case sees")
}

// walletIn is what a replay says that a member's wallet held.
func walletIn(t testing.TB, replay object, of *person) string {
	t.Helper()
	for _, a := range replay["accounts"].([]any) {
		if account := a.(object); account["account"] == "wallet:"+of.id {
			return naira(t, account["balance"])
		}
	}
	return ""
}

func TestASupporterDoesNotTakeTheirOwnCaseOrThatOfTheirGroup(t *testing.T) {
	t.Parallel()
	i := own(t)
	c := found(t, i)
	require.NoError(t, people.GrantRole(context.Background(), i.Pool, c.approver.email, people.RoleSupport))
	c.approver.logIn()
	theirs := must[object](c.approver, "POST", disputesPath, claims(900, nil))["id"].(string)
	for _, call := range []struct{ method, path string }{{"GET", ""}, {"POST", "/take"}} {
		require.Equal(t, 403, c.approver.ask(call.method, casesPath+"/"+theirs+call.path, nil).status)
	}
	ofGroup := must[object](c.member, "POST", disputesPath, object{"kind": "WRONG_MONTH", "words": "It went to the wrong month.", "groupId": c.group})["id"].(string)
	r := c.approver.ask("POST", casesPath+"/"+ofGroup+"/take", nil)
	require.Equal(t, 403, r.status)
	require.True(t, strings.Contains(r.Message, "in this group"), r.Message)
}
