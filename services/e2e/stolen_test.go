package e2e

import (
	"fmt"
	"net/url"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/rails/sandbox"
)

const another = "Another-Naira-2026"

// thiefOf is somebody who knows a member's password, in a session of their own that has just stepped up.
func thiefOf(owner *person) *person {
	owner.Helper()
	thief := &person{TB: owner.TB, base: owner.base, email: owner.email}
	thief.logIn()
	return thief.stepsUp()
}

// letterWith waits for a letter to an address that has a link to a page, and answers the link's token.
func (p *person) letterWith(to, page string) (token string) {
	p.Helper()
	link := regexp.MustCompile(regexp.QuoteMeta(page) + `\?token=([A-Za-z0-9_-]{43})`)
	require.Eventually(p, func() bool {
		found := link.FindStringSubmatch(p.page("/dev/inbox?to=" + url.QueryEscape(to)))
		if found != nil {
			token = found[1]
		}
		return found != nil
	}, 10*time.Second, 50*time.Millisecond)
	return token
}

// bankOf is an account of a person whom only the bank knows.
func bankOf(t testing.TB, i *boot.Instance, first, last string) sandbox.Person {
	t.Helper()
	at, err := i.Bank.AddPerson(t.Context(), sandbox.Person{FirstName: first, LastName: last, BankCode: "082"})
	require.NoError(t, err)
	return at
}

func TestAThiefWithThePasswordDoesNotBecomeTheOwner(t *testing.T) {
	t.Parallel()
	i := product(t)
	owner, at := withdrawer(t, i, "Ngozi", 50_000)
	thief := thiefOf(owner)
	musa := bankOf(t, i, "Musa", "Danladi")
	must[object](thief, "POST", updateInfo, object{"email": owner.email, "bankAccountNumber": musa.Account, "bankCode": musa.BankCode})
	undo := owner.letterWith(owner.email, "/undo")
	r := thief.ask("POST", updateInfo, object{"email": owner.email, "firstName": "Musa", "lastName": "Danladi"})
	require.Equal(t, 409, r.status, r.Message)
	r = thief.ask("POST", bvnLookUp, object{"account_number": musa.Account, "bank_code": musa.BankCode, "first_name": "Musa", "last_name": "Danladi", "bvn": musa.BVN})
	require.Equal(t, 400, r.status, r.Message)
	namesake := bankOf(t, i, "Ngozi", "Test")
	must[object](thief, "POST", updateInfo, object{"email": owner.email, "bankAccountNumber": namesake.Account, "bankCode": namesake.BankCode})
	r = thief.ask("POST", bvnLookUp, object{"account_number": namesake.Account, "bank_code": namesake.BankCode, "first_name": "Ngozi", "last_name": "Test", "bvn": namesake.BVN})
	require.Equal(t, 409, r.status, r.Message)
	require.Contains(t, r.Message, "verified with another BVN")
	r = thief.ask("POST", withdrawals, object{"amount": 5000, "net": netOf(5000)})
	require.Equal(t, 409, r.status, r.Message)

	r = nobody(t, owner.base).ask("POST", "/api/v1/account/undo", object{"token": undo})
	require.Equal(t, 200, r.status, r.Message)
	owner.resets(owner.email)
	require.Equal(t, at.Account, must[object](owner, "GET", "/api/Account/GetUserInfoById/"+owner.id, nil)["bankAccountNumber"], "both changes are undone")
	require.Equal(t, "50000.00", owner.balance())
}

// resets has a member choose another password by the link in their newest letter, and log in.
func (p *person) resets(address string) {
	p.Helper()
	r := p.ask("POST", "/api/Account/ResetPassword", object{"token": p.letterWith(address, "/forgot_password"), "newPassword": another})
	require.Equal(p, 200, r.status, r.Message)
	r = p.ask("POST", "/api/Account/GetToken", object{"email": address, "password": another}, "X-Session-Binding", "header")
	require.Equal(p, 200, r.status, r.Message)
	login := r.object(p)
	p.email, p.token, p.secret = address, login["token"].(string), login["sessionSecret"].(string)
}

func TestTheOwnerTakesTheirAccountBackByTheLetterAboutItsMove(t *testing.T) {
	t.Parallel()
	i := product(t)
	owner, at := somebody(t, i, "Ngozi").banked(i, "Ngozi")
	thief, loot := thiefOf(owner), fmt.Sprintf("loot-%d@example.com", time.Now().UnixNano())
	must[any](thief, "POST", "/api/v1/account/email", object{"email": loot})
	must[any](nobody(t, owner.base), "POST", "/api/v1/account/confirm-email", object{"token": thief.letterWith(loot, "/confirm-email")})
	thief.email = loot
	thief.logIn()
	thief.stepsUp()
	musa := bankOf(t, i, "Musa", "Danladi")
	must[object](thief, "POST", updateInfo, object{"email": loot, "bankAccountNumber": musa.Account, "bankCode": musa.BankCode})

	undo := owner.letterWith(owner.email, "/undo")
	r := nobody(t, owner.base).ask("POST", "/api/v1/account/undo", object{"token": undo})
	require.Equal(t, 200, r.status, r.Message)
	thief.expired(thief.ask("GET", "/api/v1/account/sessions", nil), "the thief's session")
	r = nobody(t, owner.base).ask("POST", "/api/v1/account/undo", object{"token": undo})
	require.Equal(t, 400, r.status, "once: %s", r.Message)
	owner.resets(owner.email)
	mine := must[object](owner, "GET", "/api/Account/GetUserInfoById/"+owner.id, nil)
	require.Equal(t, []any{owner.email, at.Account}, []any{mine["email"], mine["bankAccountNumber"]})
}

func TestWhileMoneyIsFrozenTheAccountKeepsItsAddressBankAndNotices(t *testing.T) {
	t.Parallel()
	i := product(t)
	owner, _ := somebody(t, i, "Ngozi").banked(i, "Ngozi")
	thief, loot := thiefOf(owner), fmt.Sprintf("loot-%d@example.com", time.Now().UnixNano())
	must[any](thief, "POST", "/api/v1/account/email", object{"email": loot})
	confirm := thief.letterWith(loot, "/confirm-email")
	must[any](owner, "POST", "/api/v1/account/freeze", nil)
	for what, r := range map[string]reply{
		"the link of before": nobody(t, owner.base).ask("POST", "/api/v1/account/confirm-email", object{"token": confirm}),
		"another address":    thief.ask("POST", "/api/v1/account/email", object{"email": "x" + loot}),
		"another bank":       thief.ask("POST", updateInfo, object{"email": owner.email, "bankAccountNumber": bankOf(t, i, "Ngozi", "Test").Account, "bankCode": "082"}),
	} {
		require.Equal(t, 409, r.status, "%s: %s", what, r.Message)
		require.Contains(t, r.Message, "You froze your money", what)
	}
	muted := object{"email": owner.email, "settings": object{"inApp": true, "email": true, "mutedInApp": []string{}, "mutedEmail": []string{"money_thawed"}}}
	require.Equal(t, 400, thief.ask("POST", "/api/Account/UpdateUserSettings", muted).status)
	must[any](owner, "GET", "/api/v1/account/sessions", nil)
}
