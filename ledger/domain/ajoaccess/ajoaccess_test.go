package ajoaccess_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/ajoaccess"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
)

var (
	verified = account.EndCheck("ada", "c1", nairav1.BvnFailure_BVN_FAILURE_UNSPECIFIED)
	whole    = ajoaccess.Ask{User: "ada", AskID: "a1", Adult: true, Salary: 210_000 * money.Naira, BankStatement: true, OfferLetter: true}
	femi     = ajoaccess.Review{Staff: "femi", User: "ada", AskID: "a1"}
	grant    = ajoaccess.Grant{Review: femi}
	refuse   = ajoaccess.Refuse{Review: femi, Reason: "The statement is of another person."}
	lose     = ajoaccess.Lose("ada", "You owe seat 2 ₦21,000.", "ajo")
)

func refused(t *testing.T, w *World, c event.Command, code fault.Code, sentence string) {
	t.Helper()
	_, err := w.Do(c)
	require.True(t, fault.Is(err, code), "%v", err)
	require.Contains(t, err.Error(), sentence)
}

func access(w *World) ajoaccess.Access { return w.State(ajoaccess.Stream("ada")).(ajoaccess.Access) }

func askedAs(id string, salary money.Kobo) ajoaccess.Ask {
	ask := whole
	ask.AskID, ask.Salary = id, salary
	return ask
}

func TestWhoeverLacksSomethingIsToldWhatToDo(t *testing.T) {
	t.Parallel()
	refused(t, Given(t), whole, fault.Conflict, "Your BVN is not verified. Verify it in your profile, then ask again.")
	w := Given(t, verified)
	for sentence, lacks := range map[string]func(*ajoaccess.Ask){
		"for members of 18 or over":                                func(a *ajoaccess.Ask) { a.Adult = false },
		"monthly salary is missing. Enter it in your profile":      func(a *ajoaccess.Ask) { a.Salary = 0 },
		"bank statement is missing. Upload it in your profile":     func(a *ajoaccess.Ask) { a.BankStatement = false },
		"offer letter is missing. Upload it in your profile":       func(a *ajoaccess.Ask) { a.OfferLetter = false },
		"A third of your salary is less than one kobo. Correct it": func(a *ajoaccess.Ask) { a.Salary = 2 },
	} {
		ask := whole
		lacks(&ask)
		_, err := w.Do(ask)
		require.ErrorContains(t, err, sentence)
	}
	require.Equal(t, ajoaccess.Access{}, access(w), "a refusal leaves no trace")
	w.When(whole).Then(&nairav1.AjoAccessAsked{UserId: "ada", AskId: "a1", SalaryKobo: 210_000_00})
	refused(t, w, whole, fault.Conflict, "Wait for their answer, or withdraw the request.")
}

func TestAGrantIsAThirdOfTheSalaryInWholeKobo(t *testing.T) {
	t.Parallel()
	for salary, limit := range map[money.Kobo]money.Kobo{210_000_00: 70_000_00, 100_00: 33_33, 200_00: 66_66, 3: 1} {
		w := Given(t, verified, askedAs("a1", salary))
		require.False(t, access(w).Has)
		w.When(grant).Then(&nairav1.AjoAccessGranted{UserId: "ada", AskId: "a1", LimitKobo: int64(limit), ReviewedBy: "femi"})
		require.Equal(t, limit, access(w).Limit)
		require.True(t, access(w).Has)
	}
}

func TestWhoIsRefusedKnowsWhyAndAsksAgain(t *testing.T) {
	t.Parallel()
	w := Given(t, verified, whole)
	for _, reason := range []string{"No", "See ada@example.com", "It is account 0123456789"} {
		r := refuse
		r.Reason = reason
		w.When(r).ThenField("reason")
	}
	w.And(refuse)
	require.Equal(t, []any{ajoaccess.Refused, refuse.Reason, false}, []any{access(w).Status, access(w).Reason, access(w).Has})
	refused(t, w, grant, fault.Conflict, "decided or withdrawn")
	w.And(askedAs("a2", 90_000_00))
	require.Empty(t, access(w).Reason)
	refused(t, w, grant, fault.Conflict, "asked anew since you looked")
	grant := grant
	grant.AskID = "a2"
	w.And(grant)
	require.Equal(t, money.Kobo(30_000_00), access(w).Limit)
}

func TestNobodyDecidesOnThemselvesNorOnWhoSharesTheirAccount(t *testing.T) {
	t.Parallel()
	w := Given(t, verified, whole)
	own, near := femi, femi
	own.Staff, near.SharesBank = "ada", true
	for _, c := range []event.Command{ajoaccess.Grant{Review: own}, ajoaccess.Refuse{Review: own, Reason: refuse.Reason}} {
		refused(t, w, c, fault.Forbidden, "Nobody decides on their own ajo access. Ask a colleague")
	}
	refused(t, w, ajoaccess.Grant{Review: near}, fault.Forbidden, "the same bank account as this member. Ask a colleague")
	refused(t, w, ajoaccess.Refuse{Review: near, Reason: refuse.Reason}, fault.Forbidden, "the same bank account")
	w.And(grant)
}

func TestARequestIsWithdrawnWhileItWaits(t *testing.T) {
	t.Parallel()
	withdraw := ajoaccess.Withdraw{User: "ada"}
	w := Given(t, verified)
	refused(t, w, withdraw, fault.Conflict, "no request for ajo access that waits")
	w.And(whole)
	w.When(withdraw).Then(&nairav1.AjoAccessWithdrawn{UserId: "ada", AskId: "a1"})
	require.Equal(t, ajoaccess.None, access(w).Status)
	refused(t, w, grant, fault.Conflict, "decided or withdrawn")
	w.And(askedAs("a2", 90_000_00))
}

func TestAccessStandsWhileALargerOneIsAskedFor(t *testing.T) {
	t.Parallel()
	w := Given(t, verified, whole, grant)
	refused(t, w, askedAs("a2", whole.Salary), fault.Conflict, "up to ₦70,000.00 a month already. Ask again when your salary has changed.")
	raise := askedAs("a2", 300_000_00)
	w.When(raise).Then(&nairav1.AjoAccessAsked{UserId: "ada", AskId: "a2", SalaryKobo: 300_000_00, HasAccess: true})
	require.Equal(t, []any{true, money.Kobo(70_000_00)}, []any{access(w).Has, access(w).Limit})
	w.And(ajoaccess.Withdraw{User: "ada"})
	require.Equal(t, ajoaccess.Granted, access(w).Status)
	raise.AskID = "a3"
	refuse := refuse
	refuse.AskID = "a3"
	w.And(raise, refuse)
	require.Equal(t, []any{ajoaccess.Refused, true, money.Kobo(70_000_00)}, []any{access(w).Status, access(w).Has, access(w).Limit})
	raise.AskID = "a4"
	grant := grant
	grant.AskID = "a4"
	w.And(raise, grant)
	require.Equal(t, money.Kobo(100_000_00), access(w).Limit)
}

func TestAccessIsLostOnceAndAskedForAgain(t *testing.T) {
	t.Parallel()
	w := Given(t, verified, whole)
	refused(t, w, lose, fault.Conflict, "no ajo access to lose")
	w.And(grant, askedAs("a2", 300_000_00), lose)
	require.Equal(t, ajoaccess.Taken, access(w).Status, "the request that waited ends with it")
	require.Equal(t, []any{false, money.Kobo(0), "You owe seat 2 ₦21,000."}, []any{access(w).Has, access(w).Limit, access(w).Reason})
	refused(t, w, lose, fault.Conflict, "no ajo access to lose")
	w.And(askedAs("a3", whole.Salary))
}

func TestStaffReadWhoseAccountIsClosed(t *testing.T) {
	t.Parallel()
	w := Given(t, verified, askedAs("a1", 150_000*money.Naira), account.Close{User: "ada"})
	for _, c := range []event.Command{grant, refuse, account.SetTier{Staff: "femi", User: "ada", Tier: 2, Case: "1"}} {
		refused(t, w, c, fault.Conflict, "This member has closed their account, so nothing is decided about it any more.")
	}
	refused(t, w, askedAs("a2", 150_000*money.Naira), fault.Conflict, "This account is closed.")
}

func TestAVerifiedBvnAndAnOpenAccountAreNeededToTheEnd(t *testing.T) {
	t.Parallel()
	w := Given(t, verified, whole, account.MoveBank("ada", true))
	refused(t, w, grant, fault.Conflict, "BVN is not verified any more. Refuse the request")
	w.And(account.Close{User: "ada"})
	refused(t, w, refuse, fault.Conflict, "closed")
	refused(t, w, ajoaccess.Withdraw{User: "ada"}, fault.Conflict, "closed")
}
