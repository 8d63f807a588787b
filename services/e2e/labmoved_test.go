package e2e

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/holds"
	"adashi.ng/ledger/posting"
	"adashi.ng/services/internal/people"
)

// paidLate has Bisi pay her due with its fine from money that came later. It answers the lab in which she did so in
// time.
func (w wronged) paidLate() object {
	w.Helper()
	w.bisi.funded(6000)
	require.Equal(w, 200, w.bisi.pays(w.sub, 5250).status)
	var pos int64
	require.NoError(w, w.i.Pool.QueryRow(context.Background(), "SELECT max(pos) FROM events WHERE type = 'naira.v1.ContributionReceived'").Scan(&pos))
	return object{"subject": "GROUP", "edits": []object{{"kind": "MOVED", "position": pos, "at": w.paid.UTC().Format(time.RFC3339)}}}
}

// stepKinds are the kinds of a correction's steps.
func stepKinds(made object) (kinds []any) {
	for _, step := range made["steps"].([]any) {
		kinds = append(kinds, step.(object)["kind"])
	}
	return kinds
}

func TestADueThatShouldHaveCountedEarlierIsPaidByTheMoneyThatWaits(t *testing.T) {
	t.Parallel()
	w := newWronged(t)
	lab := w.paidLate()
	refused := must[object](w.sade, "POST", w.at+"/labs", lab)["lines"].([]any)[0].(object)
	require.Equal(t, "REFUSED", refused["kind"], "her wallet had nothing then")
	made := w.fromLab(lab)
	require.Nil(t, made["refused"])
	require.Empty(t, made["cannot"])
	require.Equal(t, []any{"ASSIGN", "WAIVE"}, stepKinds(made), "what was paid late stays")
	require.Len(t, made["putsRight"], 1, "the fine")
	require.Equal(t, []string{"Sub-account Monthly dues", "Wallet of the member"}, labels(made["differs"]), "by the fine that was paid: it is her credit in the group")
	require.Equal(t, []any{-250.0, 250.0}, []any{made["differs"].([]any)[0].(object)["amount"], made["differs"].([]any)[1].(object)["amount"]})
	require.Len(t, must[[]object](w.sade, "GET", w.at+"/labs", nil), 1, "the lab that looks for the money is not kept")
	require.Equal(t, "APPLIED", w.approved(w.proposes(made))["status"])
	w.fines(1, 0)
	require.Equal(t, 1, eventsOf(t, w.i.Pool, w.bisi.id, "PenaltyWaived"))
	w.bisi.holds("5750.00")
	w.femi.waiting(0)
	require.Zero(t, w.verified())
	decidedAgain(t, w.i)

	// Of money that waits nowhere it is said, and nothing is undone by it.
	other := newWronged(t)
	gone := arrivals(other.femi.waiting(1))[0]["id"].(string)
	must[object](other.femi, "POST", "/api/v1/finance/unmatched/"+gone+"/propose", object{"email": other.ada.email, "reason": "She showed the slip."})
	other.femi.stands(gone, "PROPOSED")
	made = other.fromLab(other.paidLate())
	require.Empty(t, made["steps"])
	require.Contains(t, made["cannot"], "No money of ₦5,250.00 of that time waits here that would have paid it then. Find it first.")
}

func TestADueThatTheWalletCouldHavePaidTakesNoMoneyOfNobody(t *testing.T) {
	t.Parallel()
	w := newWronged(t, func(w wronged) { w.bisi.funded(6000) })
	require.Equal(t, 200, w.bisi.pays(w.sub, 5250).status)
	var pos int64
	require.NoError(t, w.i.Pool.QueryRow(context.Background(), "SELECT max(pos) FROM events WHERE type = 'naira.v1.ContributionReceived'").Scan(&pos))
	lab := object{"subject": "GROUP", "edits": []object{{"kind": "MOVED", "position": pos, "at": w.paid.UTC().Format(time.RFC3339)}}}
	lines := must[object](w.sade, "POST", w.at+"/labs", lab)["lines"].([]any)
	require.Contains(t, lines[0].(object)["why"], "That is more than you can pay here", "with the fine, which was not owed then")
	made := w.fromLab(lab)
	require.Equal(t, []any{"WAIVE"}, stepKinds(made), "%v", made)
	require.Empty(t, made["cannot"])
}

func TestMoneyOfNobodyIsNotGivenForADueThatTheWalletHadPaid(t *testing.T) {
	t.Parallel()
	w := newWronged(t)
	w.bisi.funded(6000)
	funded := time.Now()
	require.Equal(t, 200, w.bisi.pays(w.sub, 5250).status)
	theirs := arrivals(w.femi.waiting(1))[0]["id"].(string)
	var pos int64
	require.NoError(t, w.i.Pool.QueryRow(context.Background(), "SELECT max(pos) FROM events WHERE type = 'naira.v1.ContributionReceived'").Scan(&pos))
	lab := object{"subject": "GROUP", "edits": []object{{"kind": "MOVED", "position": pos, "at": funded.UTC().Format(time.RFC3339Nano)}}}
	require.Equal(t, []string{"EDITED"}, otherwise(must[object](w.sade, "POST", w.at+"/labs", lab)))
	r := w.sade.ask("POST", w.at+"/plan/from-lab", lab)
	require.Contains(t, r.Message, "there is nothing to put right", "another's money is none of hers")
	_, w.at = caseOf(t, w.i, w.bisi, object{
		"kind": "NOT_CREDITED", "words": "That money is mine.", "groupId": w.group, "subAccountId": w.sub, "amount": 5000, "paidOn": lagos.Day(time.Now()), "arrivalId": theirs,
	})
	takesOver(w.sade, w.at)
	made := w.fromLab(lab)
	require.Equal(t, "ASSIGN", stepKinds(made)[0])
	require.Equal(t, theirs, made["steps"].([]any)[0].(object)["arrivalId"])
}

func TestADueOfAnAjoThatShouldHaveCountedEarlierFindsItsMoney(t *testing.T) {
	t.Parallel()
	i := jobless(t)
	hold := uuid.NewString()
	const all = 100_000 * money.Naira
	r, late := shortWith(t, i, func(r *round, n int) { // Their wallet has nothing until they pay the debt.
		longAgo(t, i, time.Now(), holds.Place{HoldID: hold, Account: posting.Wallet(r.people[n].id), Amount: all, Purpose: "test", Now: time.Now(), ExpiresAt: time.Now().Add(time.Hour)})
	}, func(r *round, n int) {
		longAgo(t, i, time.Now(), holds.Release(hold, posting.Wallet(r.people[n].id), all))
	})
	due := int(r.due(late))
	stray(t, i, money.Kobo(due)*money.Naira, false)
	staff(t, i, "Femi", people.RoleFinanceOps).waiting(1)
	sade, at := caseOf(t, i, r.people[late], object{
		"kind": "FINED_IN_TIME", "words": "I paid in time, and my ajo fined me.", "ajoId": r.id, "amount": due, "paidOn": lagos.Day(time.Now()),
	})
	intime := object{"kind": "MOVED", "position": stepOn(t, sade, at, "Ajo debt paid", r.people[late].id), "at": r.began.Add(3 * 24 * time.Hour).UTC().Format(time.RFC3339)}
	lab := object{"subject": "AJO", "edits": []object{intime}}
	require.Equal(t, "REFUSED", must[object](sade, "POST", at+"/labs", lab)["lines"].([]any)[0].(object)["kind"])
	made := must[object](sade, "POST", at+"/plan/from-lab", lab)
	require.Equal(t, "ASSIGN", stepKinds(made)[0])
	require.False(t, slices.ContainsFunc(stepKinds(made)[1:], func(kind any) bool { return kind != "WAIVE" }), "and the penalties of the debts that came of it: %v", made["steps"])
	require.Len(t, stepKinds(made), 1+len(r.turn(1)))
	require.Nil(t, made["refused"])
	require.NotContains(t, fmt.Sprint(made["cannot"]), "Find it first.")
}

func TestALabSupposesThatADueOfAnAjoWasPaid(t *testing.T) {
	t.Parallel()
	i := jobless(t)
	r, late := short(t, i)
	due := r.due(late)
	sade, at := caseOf(t, i, r.people[late], object{
		"kind": "FINED_IN_TIME", "words": "I paid in time, and my ajo fined me.", "ajoId": r.id, "amount": due, "paidOn": lagos.Day(time.Now()),
	})
	var dues []object
	for _, one := range must[object](sade, "GET", at, nil)["ajoDues"].([]any) {
		dues = append(dues, one.(object))
	}
	first := dues[len(dues)-1]
	require.Equal(t, []any{1.0, float64(r.seat(late)), due}, []any{first["cycle"], first["seat"], first["amount"]})
	paid := object{"kind": "PAID", "cycle": first["cycle"], "seat": first["seat"], "amount": due, "at": r.began.Add(3 * 24 * time.Hour).UTC().Format(time.RFC3339)}
	lab := object{"subject": "AJO", "edits": []object{paid}}
	lines := titles(must[object](sade, "POST", at+"/labs", lab))
	require.Equal(t, []string{"EDITED +Payment confirmed +Ajo contributed", "NEW +Ajo cycle ready"}, lines[:2])
	require.Contains(t, lines[2], "REFUSED -Ajo debt opened")
	made := must[object](sade, "POST", at+"/plan/from-lab", lab)
	require.Len(t, made["steps"], len(r.turn(1)))
	require.Equal(t, "WAIVE", stepKinds(made)[0])
	require.Contains(t, made["cannot"], "No step of a correction pays a due of an ajo. The penalty that came of it is undone, and what is still owed of it the member pays as a debt.")

	after := object{"kind": "PAID", "cycle": first["cycle"], "seat": first["seat"], "amount": due, "at": r.began.Add(10*24*time.Hour + 18*time.Hour).UTC().Format(time.RFC3339)}
	lines = titles(must[object](sade, "POST", at+"/labs", object{"subject": "AJO", "edits": []object{after}}))
	require.Contains(t, lines[0], "EDITED +Payment confirmed +Ajo debt paid", "once the pot is ready its debts are paid")
	for name, edit := range map[string]object{
		"no seat":            {"kind": "PAID", "cycle": 1, "amount": due, "at": paid["at"]},
		"a group's due too":  {"kind": "PAID", "cycle": 1, "seat": 1, "amount": due, "at": paid["at"], "subAccountId": r.id},
		"a cycle before any": {"kind": "PAID", "cycle": 0, "seat": 1, "amount": due, "at": paid["at"]},
	} {
		require.Equal(t, 400, sade.ask("POST", at+"/labs", object{"subject": "AJO", "edits": []object{edit}}).status, name)
	}
	none := object{"kind": "PAID", "cycle": 99, "seat": first["seat"], "amount": due, "at": paid["at"]}
	require.Equal(t, []string{"REFUSED +Payment confirmed: There is no such cycle."}, titles(must[object](sade, "POST", at+"/labs", object{"subject": "AJO", "edits": []object{none}})))

	w := newWronged(t)
	r2 := w.sade.ask("POST", w.at+"/labs", object{"subject": "MEMBER", "edits": []object{paid}})
	require.Equal(t, 400, r2.status)
	require.Contains(t, r2.Message, "This case is about no ajo.")
}
