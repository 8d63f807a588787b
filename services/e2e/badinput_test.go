package e2e

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/lagos"
	"adashi.ng/services/internal/boot"
)

// bad is a request that must be refused.
type bad struct {
	as           *person
	method, path string
	body         any
	status       int
	code, says   string // says is a part of the sentence: the field, or what is wrong.
}

// scene is a club, a member with ₦6,000, and somebody outside.
type scene struct {
	club
	i        *boot.Instance
	outsider *person
	flexible string
}

func newScene(t testing.TB) scene { return newSceneIn(t, product(t)) }

func newSceneIn(t testing.TB, i *boot.Instance) scene {
	s := scene{club: found(t, i), i: i, outsider: somebody(t, i, "Eve")}
	s.member.funded(6000)
	s.flexible = s.opens("Welfare", "FLEXIBLE", "MONTHLY", 100)
	return s
}

// state is everything that a refused request must leave alone: these people's events, balances and payments.
func (s scene) state(t testing.TB) string {
	t.Helper()
	_, err := s.i.Pool.Exec(context.Background(), "SELECT ledger_settle()")
	require.NoError(t, err)
	var state string
	ids := []string{s.owner.id, s.validator.id, s.member.id, s.outsider.id}
	require.NoError(t, s.i.Pool.QueryRow(context.Background(), `
		SELECT (SELECT count(*) FROM events WHERE actor = ANY($1)) || ' ' || (SELECT count(*) FROM events WHERE correlation = ANY($2))
			|| ' ' || (SELECT coalesce(string_agg(account || balance, ' ' ORDER BY account), '') FROM ledger_accounts
				WHERE account = ANY($2) OR split_part(account, ':', 2) = ANY($1))`,
		ids, []string{s.group, "pool:" + s.sub, "pool:" + s.flexible}).Scan(&state))
	return state
}

// refused runs a table of them and holds that none changed anything.
func (s scene) refused(t *testing.T, table map[string]bad) {
	before := s.state(t)
	for name, b := range table {
		r, err := b.as.try(b.method, b.path, b.body)
		require.NoError(t, err, name)
		require.Equal(t, b.status, r.status, "%s: %s", name, r.Message)
		require.False(t, r.IsSuccessful, name)
		require.Equal(t, b.code, r.ReturnedCode, name)
		require.Contains(t, strings.ToLower(r.Message), strings.ToLower(b.says), name)
		require.Regexp(t, `^\S.*[^ ]$`, r.Message, name)
		require.NotContains(t, r.Message, "\n", name)
	}
	require.Equal(t, before, s.state(t), "a refused request changed something")
}

const (
	fund  = "/api/Wallet/FundWalletVfd"
	pay   = "/api/Wallet/make-payment-with-wallet"
	join  = "/api/GroupSavings/JoinGroupSavings"
	admit = "/api/GroupSavings/ApproveGroupMember"
	elect = "/api/GroupSavings/SetGroupValidator"
	open  = "/api/GroupSavings/CreateSubAccount"
	group = "/api/GroupSavings/CreateGroupSavings"
	rail  = "/api/GroupSavings/SubAccountPaymentVfd"
)

func TestJSONIsReadStrictlyAndTheFieldIsNamed(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	b := s.member
	email := fmt.Sprintf(`"email": %q`, b.email)
	invalid := func(body, says string) bad { return bad{b, "POST", fund, body, 400, "INVALID", says} }
	s.refused(t, map[string]bad{
		"an unknown field":      invalid(`{"amount": 500, "colour": "red", `+email+`}`, "colour"),
		"a field in capitals":   invalid(`{"Amount": 500, `+email+`}`, "Amount"),
		"a field twice":         invalid(`{"amount": 500, "amount": 5, `+email+`}`, "amount"),
		"something after it":    invalid(`{"amount": 500, `+email+`}{}`, "JSON"),
		"a text for an amount":  invalid(`{"amount": "500", `+email+`}`, "amount"),
		"an object for one":     invalid(`{"amount": {}, `+email+`}`, "amount"),
		"an exponent":           invalid(`{"amount": 5e2, `+email+`}`, "amount"),
		"a negative amount":     invalid(`{"amount": -500, `+email+`}`, "amount"),
		"a third decimal":       invalid(`{"amount": 500.001, `+email+`}`, "amount"),
		"a leading zero":        invalid(`{"amount": 0500, `+email+`}`, "JSON"),
		"a huge amount":         invalid(`{"amount": 99999999999999999999, `+email+`}`, "amount"),
		"more than int64":       invalid(`{"amount": 9999999999999999.99, `+email+`}`, "amount"),
		"more than all we take": invalid(`{"amount": 1000000000.01, `+email+`}`, "amount"),
		"more than a payment":   invalid(`{"amount": 5000000.01, `+email+`}`, "amount"),
		"less than a payment":   invalid(`{"amount": 99.99, `+email+`}`, "amount"),
		"zero":                  invalid(`{"amount": 0, `+email+`}`, "amount"),
		"zero with decimals":    invalid(`{"amount": 0.00, `+email+`}`, "amount"),
		"no amount":             invalid(`{`+email+`}`, "amount"),
		"no e-mail":             invalid(`{"amount": 500}`, "email"),
		"null":                  invalid(`{"amount": null, `+email+`}`, "amount"),
		"a NUL":                 invalid(`{"amount": 500, "email": "a\u0000b@example.com"}`, "email"),
		"bad UTF-8":             invalid("{\"amount\": 500, \"email\": \"\xff\"}", "JSON"),
		"a channel we lack":     invalid(`{"amount": 500, "channel": "CASH", `+email+`}`, "channel"),
		"a list":                invalid(`[]`, "object"),
		"a bare number":         invalid(`500`, "object"),
		"half an object":        invalid(`{"amount": 500`, "JSON"),
		"deep nesting":          invalid(`{"amount": `+strings.Repeat("[", 40)+strings.Repeat("]", 40)+`}`, "deep"),
		"a month of thirteen":   {b, "POST", pay, object{"amount": 5000, "subAccountId": s.sub, "userId": b.id, "monthId": 13}, 400, "INVALID", "month"},
		"a month of zero":       {b, "POST", pay, object{"amount": 5000, "subAccountId": s.sub, "userId": b.id, "monthId": 0}, 400, "INVALID", "month"},
		"half a month":          {b, "POST", pay, object{"amount": 5000, "subAccountId": s.sub, "userId": b.id, "monthId": 1.5}, 400, "INVALID", "monthId"},
		"a sub-account number":  {b, "POST", pay, object{"amount": 5000, "subAccountId": 7, "userId": b.id}, 400, "INVALID", "subAccountId"},
		"a yes in words":        {b, "POST", open, object{"groupSavingsId": s.group, "name": "Dues", "paymentType": "FIXED", "paymentFrequency": "MONTHLY", "amountPayable": 500, "userId": b.id, "showTotalToMembers": "yes"}, 400, "INVALID", "showTotalToMembers"},
		"a rhythm we lack":      {b, "POST", open, object{"groupSavingsId": s.group, "name": "Dues", "paymentType": "FIXED", "paymentFrequency": "HOURLY", "amountPayable": 500, "userId": b.id}, 400, "INVALID", "paymentFrequency"},
	})
}

func TestStrangersMeetClosedDoors(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	b, eve := s.member, s.outsider
	anonymous, garbage := nobody(t, b.base), &person{TB: t, base: b.base, token: "garbage", secret: "garbage"}
	mine := func(extra object) object { return merge(object{"amount": 500, "email": b.email}, extra) }
	s.refused(t, map[string]bad{
		"no session":               {anonymous, "POST", fund, mine(nil), 401, "UNAUTHENTICATED", "log in"},
		"a garbage session":        {garbage, "POST", fund, mine(nil), 401, "UNAUTHENTICATED", "log in"},
		"no session for live":      {anonymous, "GET", "/api/live", nil, 401, "UNAUTHENTICATED", "log in"},
		"somebody else's e-mail":   {eve, "POST", fund, mine(nil), 403, "FORBIDDEN", "your own account"},
		"somebody else's id":       {eve, "POST", pay, object{"amount": 500, "subAccountId": s.flexible, "userId": b.id}, 403, "FORBIDDEN", "your own account"},
		"somebody else's balance":  {eve, "GET", "/api/Wallet/GetWalletBalance/?email=" + url.QueryEscape(b.email), nil, 403, "FORBIDDEN", "your own account"},
		"somebody else's history":  {eve, "GET", "/api/Wallet/GetUserWalletTransactions?email=" + url.QueryEscape(b.email), nil, 403, "FORBIDDEN", "your own account"},
		"somebody else's profile":  {eve, "GET", "/api/Account/GetUserInfoById/" + b.id, nil, 403, "FORBIDDEN", "your own account"},
		"somebody else's groups":   {eve, "GET", "/api/GroupSavings/GetUserGroupSavings/" + b.id, nil, 403, "FORBIDDEN", "your own account"},
		"a group one is not in":    {eve, "GET", "/api/GroupSavings/GetGroupSavingsInfo/" + s.group, nil, 404, "NOT_FOUND", "no such group"},
		"its sub-accounts":         {eve, "GET", "/api/GroupSavings/GetGroupSubAccounts/" + s.group, nil, 404, "NOT_FOUND", "no such group"},
		"paying into it":           {eve, "POST", pay, object{"amount": 500, "subAccountId": s.flexible, "userId": eve.id}, 404, "NOT_FOUND", "no such sub-account"},
		"paying by card into it":   {eve, "POST", rail, object{"amount": 500, "subAccountId": s.flexible, "userId": eve.id, "channel": "CARD"}, 404, "NOT_FOUND", "no such sub-account"},
		"letting people in":        {eve, "PATCH", admit, object{"groupId": s.group, "memberId": eve.id}, 404, "NOT_FOUND", "no such group"},
		"choosing its validator":   {eve, "PATCH", elect, object{"groupId": s.group, "memberId": b.id}, 404, "NOT_FOUND", "no such group"},
		"collecting in it":         {eve, "POST", open, object{"groupSavingsId": s.group, "name": "Dues", "paymentType": "FIXED", "paymentFrequency": "MONTHLY", "amountPayable": 500, "userId": eve.id}, 404, "NOT_FOUND", "no such group"},
		"joining without the link": {eve, "POST", join, object{"groupId": s.group, "code": "guess", "email": eve.email}, 404, "NOT_FOUND", "invitation"},
		"a guessed invitation":     {anonymous, "GET", "/api/v1/savings/invitations/" + s.group + "?code=guess", nil, 404, "NOT_FOUND", "invitation"},
		"an unknown route":         {eve, "GET", "/api/Wallet/Nothing", nil, 404, "NOT_FOUND", "nothing at this address"},
		"an unknown post":          {anonymous, "POST", "/nothing", object{}, 404, "NOT_FOUND", "nothing at this address"},
		"another method":           {eve, "DELETE", fund, nil, 405, "INVALID", "kind of request"},
		"a sub-account that isn't": {b, "POST", pay, object{"amount": 500, "subAccountId": "s", "userId": b.id}, 404, "NOT_FOUND", "no such sub-account"},
		"an id in braces":          {b, "POST", pay, object{"amount": 500, "subAccountId": "{" + s.sub + "}", "userId": b.id}, 404, "NOT_FOUND", "no such sub-account"},
		"a group that is no id":    {b, "GET", "/api/GroupSavings/GetGroupSavingsInfo/' OR 1=1", nil, 404, "NOT_FOUND", "no such group"},
		"a movement that isn't":    {b, "GET", "/api/v1/activity/1", nil, 404, "NOT_FOUND", "no such movement"},
		"a notice that isn't":      {b, "GET", "/api/Notification/1", nil, 404, "NOT_FOUND", "no such notification"},
		"a payment that isn't":     {b, "POST", "/api/Payment/verifyFirstTransaction", object{"transactionRef": "1"}, 404, "NOT_FOUND", "no such payment"},
		"a page that isn't":        {b, "GET", "/api/v1/activity?before=x", nil, 400, "INVALID", "page"},
		"too long a page":          {b, "GET", "/api/v1/activity?limit=1000", nil, 400, "INVALID", "limit"},
		"a limit in words":         {b, "GET", "/api/v1/activity?limit=all", nil, 400, "INVALID", "request"},
	})
}

func merge(a, b object) object {
	for k, v := range b {
		a[k] = v
	}
	return a
}

func TestTheGroupsRulesHoldOverHTTP(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	a, b := s.owner, s.member
	code := a.code(s.group)
	sub := func(extra object) object {
		return merge(object{"groupSavingsId": s.group, "name": "Dues", "paymentType": "FIXED", "paymentFrequency": "MONTHLY", "amountPayable": 500, "userId": a.id}, extra)
	}
	club := func(extra object) object {
		return merge(object{"name": "Traders", "amount": 5000, "memberCapacity": 5, "startMonthId": 1, "userEmail": a.email}, extra)
	}
	s.refused(t, map[string]bad{
		"joining twice":            {b, "POST", join, object{"groupId": s.group, "code": code, "email": b.email}, 409, "CONFLICT", "already"},
		"joining one's own":        {a, "POST", join, object{"groupId": s.group, "code": code, "email": a.email}, 409, "CONFLICT", "already"},
		"approving oneself":        {a, "PATCH", admit, object{"groupId": s.group, "memberId": a.id}, 403, "FORBIDDEN", "yourself"},
		"a member who approves":    {b, "PATCH", admit, object{"groupId": s.group, "memberId": b.id}, 403, "FORBIDDEN", "approver"},
		"approving again":          {a, "PATCH", admit, object{"groupId": s.group, "memberId": b.id}, 409, "CONFLICT", "already"},
		"approving who never came": {a, "PATCH", admit, object{"groupId": s.group, "memberId": s.outsider.id}, 404, "NOT_FOUND", "has not asked"},
		"the owner as validator":   {a, "PATCH", elect, object{"groupId": s.group, "memberId": a.id}, 409, "CONFLICT", "validator"},
		"a member who elects":      {b, "PATCH", elect, object{"groupId": s.group, "memberId": b.id}, 403, "FORBIDDEN", "approver"},
		"a short name":             {a, "POST", group, club(object{"name": "ab"}), 400, "INVALID", "name"},
		"a long name":              {a, "POST", group, club(object{"name": strings.Repeat("a", 61)}), 400, "INVALID", "name"},
		"a group of two":           {a, "POST", group, club(object{"memberCapacity": 2}), 400, "INVALID", "members"},
		"a crowd":                  {a, "POST", group, club(object{"memberCapacity": 10001}), 400, "INVALID", "members"},
		"a month of thirteen":      {a, "POST", group, club(object{"startMonthId": 13}), 400, "INVALID", "month"},
		"too small a contribution": {a, "POST", group, club(object{"amount": 49.99}), 400, "INVALID", "amount"},
		"another's e-mail":         {a, "POST", group, club(object{"userEmail": b.email}), 403, "FORBIDDEN", "your own"},
		"a one-off every month":    {a, "POST", open, sub(object{"paymentType": "ONE_OFF"}), 400, "INVALID", "one-off"},
		"a fixed one, once":        {a, "POST", open, sub(object{"paymentFrequency": "ONE_TIME"}), 400, "INVALID", "fixed"},
		"more than is due":         {b, "POST", pay, object{"amount": 65000.01, "subAccountId": s.sub, "userId": b.id}, 400, "INVALID", "more than you can pay"},
		"more than a wallet has":   {b, "POST", pay, object{"amount": 6000.01, "subAccountId": s.flexible, "userId": b.id}, 422, "INSUFFICIENT", "₦0.01"},
		"a month not due":          {b, "POST", pay, object{"amount": 5000, "subAccountId": s.quarterly(), "userId": b.id, "monthId": lagosMonth()%12 + 1}, 400, "INVALID", "due"},
	})
}

// quarterly opens a sub-account for which next month is not due.
func (s scene) quarterly() string { return s.opens("Quarterly levy", "FIXED", "QUARTERLY", 5000) }

func TestSignUpNamesTheField(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	good := object{"email": "new@example.com", "password": password, "firstName": "New", "lastName": "Person", "phone": "08031234567", "dateOfBirth": "1990-01-01"}
	table := map[string]bad{}
	for field, values := range map[string][]any{
		"email":       {"", "new", "new@", "@example.com", "nëw@example.com", strings.Repeat("a", 320) + "@example.com", 5, nil},
		"password":    {"short", strings.Repeat("x", 129), "password"},
		"firstName":   {"", "R2D2", "   ", strings.Repeat("a", 61)},
		"lastName":    {"<script>", 5},
		"phone":       {"12345", "+44 20 7946 0958"},
		"dateOfBirth": {"1990-13-01", "01/01/1990", "2999-01-01", time.Now().In(lagos.Zone).AddDate(-15, 0, 1).Format(time.DateOnly)},
	} {
		for n, value := range values {
			body := merge(merge(object{}, good), object{field: value})
			says := map[string]string{"firstName": "first", "lastName": "last", "dateOfBirth": "date of birth"}[field]
			switch {
			case says == "":
				says = field
			case field == "dateOfBirth" && n == 3:
				says = "15 years"
			}
			table[fmt.Sprint(field, n)] = bad{nobody(t, s.owner.base), "POST", "/api/Account/Register", body, 400, "INVALID", says}
		}
	}
	s.refused(t, table)
	for name, body := range map[string]object{
		"an unknown e-mail": {"email": "nobody@example.com", "password": password},
		"a wrong password":  {"email": s.member.email, "password": "wrong-password"},
	} {
		r := s.member.ask("POST", "/api/Account/GetToken", body)
		require.Equal(t, 400, r.status, name)
		require.Equal(t, "CREDENTIALS", r.ReturnedCode, name)
	}
}

func TestATenMegabyteBodyIsRefusedAndNotRead(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	before := s.state(t)
	for _, path := range []string{fund, "/api/Account/Register", "/api/v1/webhooks/paystack"} {
		request, err := http.NewRequest("POST", s.member.base+path, bytes.NewReader(bytes.Repeat([]byte(" "), 10<<20)))
		require.NoError(t, err)
		request.Header.Set("Content-Type", "application/json")
		s.member.shows(request)
		request.Header.Set("Expect", "100-continue") // So that the answer is read before the body is refused.
		r, err := send(request)
		require.NoError(t, err)
		require.Equal(t, 413, r.status, path)
		require.Equal(t, "TOO_LARGE", r.ReturnedCode)
	}
	require.Equal(t, before, s.state(t))
}
