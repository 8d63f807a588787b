package e2e

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/vault"
)

const (
	ajoAccess = "/api/v1/ajo/access"
	ajoDesk   = "/api/v1/finance/ajo-access"
)

// papers uploads a document and puts it in its place.
func (p *person) papers(place string) {
	p.Helper()
	document := p.upload("document", "paper.png", picture(p)).object(p)
	must[object](p, "POST", "/api/Account/"+place, object{"document": document["id"], "email": p.email})
}

func (p *person) earns(naira float64) {
	p.Helper()
	must[object](p, "POST", updateInfo, object{"email": p.email, "monthlySalaray": naira})
}

// colleague is a member who is of the desk too.
func colleague(t testing.TB, i *boot.Instance, name string) *person {
	t.Helper()
	p := somebody(t, i, name)
	require.NoError(t, people.GrantRole(context.Background(), i.Pool, p.email, people.RoleFinanceOps))
	p.logIn()
	return p
}

// queue is whose requests the desk sees, once it sees so many.
func (p *person) queue(count int) (ids []string) {
	p.Helper()
	require.Eventually(p, func() bool {
		page := must[object](p, "GET", ajoDesk, nil)
		ids = nil
		for _, row := range page["asks"].([]any) {
			ids = append(ids, row.(object)["userId"].(string))
		}
		return page["count"].(float64) == float64(count) && len(ids) == count
	}, time.Minute, 20*time.Millisecond, "there never were %d", count)
	return ids
}

// hasAjo is what their account and the call of its own say of their access.
func (p *person) hasAjo(want bool, status string) object {
	p.Helper()
	require.Equal(p, want, must[object](p, "GET", "/api/Account/GetUserInfoById/"+p.id, nil)["hasAjoAccess"])
	access := must[object](p, "GET", ajoAccess, nil)
	require.Equal(p, []any{want, status}, []any{access["hasAccess"], access["status"]})
	return access
}

// lacks are what asking still needs.
func (p *person) lacks() (what []string) {
	p.Helper()
	for _, need := range must[object](p, "GET", ajoAccess, nil)["checklist"].([]any) {
		if one := need.(object); one["done"] != true {
			what = append(what, one["what"].(string))
		}
	}
	return what
}

// acted counts what staff did, in the ledger.
func acted(t testing.TB, i *boot.Instance, by *person) (n int) {
	t.Helper()
	require.NoError(t, i.Pool.QueryRow(context.Background(), "SELECT count(*) FROM events WHERE type = 'naira.v1.StaffActed' AND actor = $1", by.id).Scan(&n))
	return n
}

// asksForAjo gets all that asking needs, and asks.
func (p *person) asksForAjo(i *boot.Instance, name string) *person {
	p.Helper()
	p.banked(i, name)
	p.earns(210_000)
	p.papers("SaveBankStatement")
	p.papers("SaveOfferLetter")
	must[object](p, "POST", ajoAccess, nil)
	return p
}

func TestAMemberIsRefusedCorrectsAndIsGrantedAjoAccess(t *testing.T) {
	t.Parallel()
	i := own(t)
	femi, sade := colleague(t, i, "Femi"), staff(t, i, "Sade", people.RoleSupport)
	bisi := somebody(t, i, "Bisi")
	require.Equal(t, []string{"BVN", "SALARY", "BANK_STATEMENT", "OFFER_LETTER"}, bisi.lacks())
	for _, step := range []struct {
		says string
		does func()
	}{
		{"Your BVN is not verified", func() { bisi.banked(i, "Bisi") }},
		{"Your monthly salary is missing", func() { bisi.earns(900_000) }},
		{"Your bank statement is missing", func() { bisi.papers("SaveBankStatement") }},
		{"Your offer letter is missing", func() { bisi.papers("SaveOfferLetter") }},
	} {
		bisi.refused(409, step.says, "POST", ajoAccess, nil)
		step.does()
	}
	require.Empty(t, bisi.lacks())
	require.Equal(t, true, bisi.hasAjo(false, "NONE")["mayAsk"])
	key := uuid.NewString()
	for range 2 { // A double click is one request.
		asked := must[object](bisi, "POST", ajoAccess, nil, "Idempotency-Key", key)
		require.Equal(t, []any{"ASKED", false}, []any{asked["status"], asked["mayAsk"]})
	}
	bisi.refused(409, "You have asked already", "POST", ajoAccess, nil)
	require.Equal(t, []string{bisi.id}, femi.queue(1))

	at := ajoDesk + "/" + bisi.id
	for _, path := range []string{ajoDesk, at, at + "/papers/bank-statement"} {
		require.Equal(t, 403, sade.ask("GET", path, nil).status, path)
		require.Equal(t, 403, bisi.ask("GET", path, nil).status, path)
	}
	before := acted(t, i, femi)
	ask := must[object](femi, "GET", at, nil)
	require.Equal(t, []any{"Bisi Test", "900000.00", "300000.00", true}, []any{ask["name"], naira(t, ask["salary"]), naira(t, ask["limit"]), ask["bvnVerified"]})
	require.Len(t, ask["papers"], 2)
	for _, paper := range ask["papers"].([]any) {
		data, response := femi.file(paper.(object)["link"].(string))
		require.Equal(t, 200, response.StatusCode)
		require.NotEmpty(t, data)
	}
	require.Equal(t, before+3, acted(t, i, femi), "each look is recorded")
	femi.refused(404, "not on file", "GET", at+"/papers/utility-bill", nil)

	decision := object{"askId": ask["askId"], "reason": "The statement shows ₦210,000 a month."}
	for _, what := range []string{"/grant", "/refuse"} {
		require.Equal(t, 403, sade.ask("POST", at+what, decision).status)
	}
	femi.refused(400, "Leave account numbers", "POST", at+"/refuse", object{"askId": ask["askId"], "reason": "Account 0123456789 is another's."})
	femi.refused(400, "", "POST", at+"/refuse", object{"askId": ask["askId"]})
	must[any](femi, "POST", at+"/refuse", decision)
	femi.refused(404, "Go back to the list", "GET", at, nil)
	require.Equal(t, decision["reason"], bisi.hasAjo(false, "REFUSED")["reason"])
	bisi.told("ajo_access_refused")
	require.Contains(t, bisi.heard("Ajo access not granted"), "₦210,000 a month.” Correct it in your profile, then ask again.")

	bisi.earns(210_000)
	must[object](bisi, "POST", ajoAccess, nil)
	femi.refused(409, "asked anew since you looked", "POST", at+"/grant", object{"askId": ask["askId"]})
	ask = must[object](femi, "GET", at, nil)
	bisi.earns(990_000) // What is decided on is what was asked with.
	said := femi.ask("POST", at+"/grant", object{"askId": ask["askId"]})
	require.Equal(t, []any{200, "Granted. The member is told."}, []any{said.status, said.Message})
	require.Equal(t, "70000.00", naira(t, bisi.hasAjo(true, "GRANTED")["limit"]))
	bisi.told("ajo_access_granted")
	require.Eventually(t, func() bool {
		letters := bisi.inbox()
		return strings.Contains(letters, "Ajo access granted") && strings.Contains(letters, "Ajo access not granted")
	}, time.Minute, 50*time.Millisecond)
	require.Empty(t, femi.queue(0))

	must[object](bisi, "POST", ajoAccess, nil)
	require.Equal(t, "70000.00", naira(t, bisi.hasAjo(true, "ASKED")["limit"]), "it stands while more is asked for")
	must[object](bisi, "DELETE", ajoAccess, nil)
	bisi.refused(409, "no request for ajo access that waits", "DELETE", ajoAccess, nil)
	require.Empty(t, femi.queue(0))
	bisi.hasAjo(true, "GRANTED")
	exported, _ := bisi.exports(i)
	require.Equal(t, []any{"GRANTED", true, int64(7_000_000)}, []any{exported.Ajo.Access.Status, exported.Ajo.Access.HasAccess, exported.Ajo.Access.LimitKobo})
	require.Equal(t, 403, bisi.ask("POST", updateInfo, object{"email": bisi.email, "hasAjoAccess": false}).status)
	verified(t, i, i.Config.Data) // The auditor's transitions allow all of it.
}

func TestNobodyOfTheDeskLooksAtTheirOwnRequestOrAtOnePaidToTheirAccount(t *testing.T) {
	t.Parallel()
	i := own(t)
	femi, tola := colleague(t, i, "Femi"), colleague(t, i, "Tola")
	first := somebody(t, i, "Ada").asksForAjo(i, "Ada")
	femi.asksForAjo(i, "Femi")
	require.Equal(t, []string{first.id, femi.id}, tola.queue(2), "the oldest first")
	page := must[object](tola, "GET", ajoDesk+"?limit=1", nil)
	next := must[object](tola, "GET", ajoDesk+"?limit=1&before="+page["next"].(string), nil)
	require.Equal(t, []any{first.id, femi.id}, []any{page["asks"].([]any)[0].(object)["userId"], next["asks"].([]any)[0].(object)["userId"]})
	require.Nil(t, next["next"])

	at := ajoDesk + "/" + femi.id
	ask := must[object](tola, "GET", at, nil)
	decision := object{"askId": ask["askId"], "reason": "The letter is old."}
	before := acted(t, i, femi)
	for _, call := range [][2]string{{"GET", ""}, {"GET", "/papers/offer-letter"}, {"POST", "/grant"}, {"POST", "/refuse"}} {
		var body any
		if call[0] == "POST" {
			body = object{"askId": ask["askId"]}
			if call[1] == "/refuse" {
				body = decision
			}
		}
		femi.refused(403, "Nobody decides on their own ajo access. Ask a colleague", call[0], at+call[1], body)
	}
	require.Equal(t, before, acted(t, i, femi), "nothing was looked at")

	account := must[object](femi, "GET", "/api/Account/GetUserInfoById/"+femi.id, nil)
	must[object](tola, "POST", updateInfo, object{"email": tola.email, "bankAccountNumber": account["bankAccountNumber"], "bankCode": account["bankCode"]})
	must[object](tola, "GET", at, nil) // Anybody may name an account: only the bank says whose it is.
	_, err := i.App.Vault.Set(t.Context(), tola.id, func(r *vault.Record) { r.Bank.AccountName = "TOLA TEST" })
	require.NoError(t, err)
	tola.refused(403, "the same bank account as this member. Ask a colleague", "GET", at, nil)
	tola.refused(403, "the same bank account", "POST", at+"/grant", object{"askId": ask["askId"]})
	femi.hasAjo(false, "ASKED")
}
