package e2e

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/money"
	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/rails/sandbox"
)

// sendingBack is a desk to which a stranger sent ₦5,000.
type sendingBack struct {
	books

	femi, sade *person
	truth      sandbox.Person
	at         string // The money at the desk.
	reference  string // The bank's, that it came with.
}

func strangersMoney(t *testing.T, i *boot.Instance) *sendingBack {
	t.Helper()
	ctx := context.Background()
	s := &sendingBack{femi: staff(t, i, "Femi", people.RoleFinanceOps).stepsUp(), sade: staff(t, i, "Sade", people.RoleFinanceOps).stepsUp()}
	s.books = books{t, i, s.femi}
	var err error
	s.truth, err = i.Bank.AddPerson(ctx, sandbox.Person{FirstName: "Ngozi", LastName: "Stranger", BankCode: "058"})
	require.NoError(t, err)
	s.comes(sandbox.Account{Bank: "058", Number: s.truth.Account})
	return s
}

// comes has ₦5,000 come to our own account, from an account or from one that the bank does not name.
func (s *sendingBack) comes(from sandbox.Account) {
	s.Helper()
	require.NoError(s, s.i.Bank.Transfer(context.Background(), sandbox.Transfer{Account: sandbox.OwnAccount, Amount: 5_000 * money.Naira, Sender: s.truth.Name(), From: from}))
	arrival := arrivals(s.femi.waiting(1))[0]
	s.at, s.reference = "/api/v1/finance/unmatched/"+arrival["id"].(string), arrival["reference"].(string)
}

func (s *sendingBack) proposes() object {
	s.Helper()
	return must[object](s.femi, "POST", s.at+"/send-back", object{"reason": "Nobody here knows the sender."})["sendBack"].(object)
}

func (s *sendingBack) agreed() (id string) {
	s.Helper()
	back := s.proposes()
	must[object](s.sade, "POST", s.at+"/decide", object{"approve": true, "seen": back["version"]})
	return back["id"].(string)
}

// becomes waits until the desk lists the money so, and answers how it goes back.
func (s *sendingBack) becomes(status string) (back object) {
	s.Helper()
	require.Eventually(s, func() bool {
		for _, one := range arrivals(must[object](s.femi, "GET", "/api/v1/finance/unmatched?status="+status, nil)) {
			if s.at == "/api/v1/finance/unmatched/"+one["id"].(string) {
				back, _ = one["sendBack"].(object)
				return true
			}
		}
		return false
	}, time.Minute, 20*time.Millisecond, "it never was %s", status)
	return back
}

func TestAStrangersMoneyGoesBackThroughTwoOfTheDesk(t *testing.T) {
	t.Parallel()
	i := own(t)
	s := strangersMoney(t, i)
	member, newcomer := somebody(t, i, "Bisi"), staff(t, i, "Yemi", people.RoleFinanceOps)
	why := object{"reason": "Nobody here knows the sender."}
	for name, c := range map[string]struct {
		who    *person
		body   object
		status int
		code   string
	}{
		"a member":             {member, why, 403, ""},
		"without the password": {newcomer, why, 403, "STEP_UP"},
		"no reason":            {s.femi, object{"reason": "    "}, 400, ""},
		"an account as well":   {s.femi, object{"reason": "Nobody knows them", "accountNumber": "0123456789"}, 400, ""},
		"a number as a reason": {s.femi, object{"reason": "It is 0123456789 at GTB"}, 400, ""},
	} {
		r := c.who.ask("POST", s.at+"/send-back", c.body)
		require.Equal(t, c.status, r.status, "%s: %s", name, r.Message)
		if c.code != "" {
			require.Equal(t, c.code, r.ReturnedCode, name)
		}
	}
	back := s.proposes()
	require.Equal(t, []any{"PROPOSED", s.truth.Name(), true}, []any{back["state"], back["accountName"], back["mine"]})
	require.NotContains(t, back["accountNumber"], s.truth.Account, "the desk sees its end only")
	agrees := object{"approve": true, "seen": back["version"]}
	require.Equal(t, http.StatusForbidden, s.femi.ask("POST", s.at+"/decide", agrees).status, "nobody alone")
	require.Equal(t, "STEP_UP", newcomer.ask("POST", s.at+"/decide", agrees).ReturnedCode)
	require.Equal(t, http.StatusConflict, s.sade.ask("POST", s.at+"/propose", object{"email": member.email, "reason": "She showed the slip."}).status)
	must[object](s.sade, "POST", s.at+"/decide", object{"approve": false, "reason": "I ask the bank first."})
	require.Equal(t, http.StatusConflict, s.sade.ask("POST", s.at+"/decide", agrees).status, "it was declined")

	id := s.agreed()
	back = s.becomes("SENT_BACK")
	require.Equal(t, []any{"PAID", id, "Femi Staff", "Sade Staff"}, []any{back["state"], back["id"], back["proposerName"], back["approverName"]})
	require.NotEmpty(t, back["paidAt"])
	require.Equal(t, http.StatusConflict, s.sade.ask("POST", s.at+"/send-back", why).status, "once")
	s.finds(true, "0.00")
	var orders, kobo int64
	require.NoError(t, i.Pool.QueryRow(context.Background(), "SELECT count(*), sum(amount) FROM sandbox_payouts WHERE account_number = $1", s.truth.Account).Scan(&orders, &kobo))
	require.Equal(t, []int64{1, 5_000_00}, []int64{orders, kobo}, "the whole, once")

	// The bank recalls the transfer all the same: the loss is Adashi's, and the books agree.
	require.NoError(t, i.Bank.Recall(context.Background(), s.reference))
	s.reconcile()
	s.finds(true, "0.00")
	decidedAgain(t, i)
}

func TestMoneyThatCouldNotGoBackIsForTheDeskAgain(t *testing.T) {
	t.Parallel()
	i, ctx := own(t), context.Background()
	s := strangersMoney(t, i)

	// The account has another name by the time that the bank is to be told: nothing is sent, and the desk reads why.
	back := s.proposes()
	require.NoError(t, i.Bank.Rename(ctx, sandbox.Account{Bank: "058", Number: s.truth.Account}, "Chidi", "Other"))
	must[object](s.sade, "POST", s.at+"/decide", object{"approve": true, "seen": back["version"]})
	require.Eventually(t, func() bool { return s.becomes("OPEN")["state"] == "FAILED" }, time.Minute, 20*time.Millisecond)
	require.Contains(t, s.becomes("OPEN")["problem"], "another name")
	r := s.femi.ask("POST", s.at+"/send-back", object{"reason": "Once more, please."})
	require.Equal(t, http.StatusConflict, r.status)
	require.Contains(t, r.Message, "another name")
	require.NoError(t, i.Bank.Rename(ctx, sandbox.Account{Bank: "058", Number: s.truth.Account}, s.truth.FirstName, s.truth.LastName))

	// It is paid and comes back: the desk decides again, and it goes out under another reference.
	at := time.Duration(0)
	require.NoError(t, i.Bank.Behave(ctx, sandbox.Manner{Account: s.truth.Account, Reverse: &at}))
	first := s.agreed()
	require.Eventually(t, func() bool {
		s.femi.ask("POST", "/api/v1/finance/payouts/"+first+"/query", nil)
		list := arrivals(must[object](s.femi, "GET", "/api/v1/finance/unmatched?status=OPEN", nil))
		return len(list) == 1 && list[0]["sendBack"].(object)["state"] == "RETURNED"
	}, time.Minute, 200*time.Millisecond)
	require.NoError(t, i.Bank.Behave(ctx, sandbox.Manner{Account: s.truth.Account}))
	require.NotEqual(t, first, s.agreed())
	require.Equal(t, "PAID", s.becomes("SENT_BACK")["state"])

	// Of other money the bank names no account: the desk reads that, and the money waits.
	s.comes(sandbox.Account{})
	r = s.femi.ask("POST", s.at+"/send-back", object{"reason": "Nobody here knows the sender."})
	require.Equal(t, http.StatusConflict, r.status)
	require.Contains(t, r.Message, "does not say which account")
	require.Nil(t, s.becomes("OPEN"))
	s.finds(true, "0.00")
	decidedAgain(t, i)
}
