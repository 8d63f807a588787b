package e2e

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/ledgertest"
	activitymodel "adashi.ng/projections/activity"
	"adashi.ng/projections/groups"
)

// On a lab in which ₦5,000 came three months ago, of which nothing is found, what the wallet got today is no answer.
func TestMoneyOfTodayUndoesNoFineOfThreeMonthsAgo(t *testing.T) {
	t.Parallel()
	w := newWronged(t)
	gone := arrivals(w.femi.waiting(1))[0]["id"].(string)
	must[object](w.femi, "POST", "/api/v1/finance/unmatched/"+gone+"/propose", object{"email": w.ada.email, "reason": "She showed the slip."})
	w.femi.stands(gone, "PROPOSED") // The money that waits is another's.
	require.Empty(t, w.fromLab(w.inTime())["steps"], "nothing is found")
	w.bisi.funded(5000) // Today, by another payment.
	made := w.fromLab(w.inTime())
	require.Empty(t, made["steps"])
	require.NotContains(t, fmt.Sprint(made["events"]), "Penalty reversed")
	require.Contains(t, fmt.Sprint(made["cannot"]), "the member's wallet has not had it since")
	require.Contains(t, fmt.Sprint(made["cannot"]), "the money that would undo it was not found")
	w.fines(1, 0)
}

// refusedPlan has Support propose a correction that the product refuses, and holds what it says.
func (w wronged) refusedPlan(status int, form object, says string) {
	w.Helper()
	r := w.sade.ask("POST", w.at+"/plan", form)
	require.Equal(w, status, r.status, r.Message)
	require.Contains(w, r.Message, says)
	would := must[object](w.sade, "POST", w.at+"/plan/preview", object{"countsFrom": form["countsFrom"], "steps": form["steps"]})
	require.Contains(w, would["refused"], says)
}

// paysFrom is a correction by which the wallet pays the due, as of a time.
func (w wronged) paysFrom(from time.Time) object {
	return object{
		"countsFrom": from.UTC().Format(time.RFC3339Nano), "words": "She says that she paid it in time.",
		"steps": []object{{"kind": "PAY_DUE", "groupId": w.group, "subAccountId": w.sub, "amount": 5000}},
	}
}

func TestACorrectionPaysNothingBeforeTheWalletHadIt(t *testing.T) {
	t.Parallel()
	w := newWronged(t)
	w.bisi.funded(5000)
	w.refusedPlan(409, w.paysFrom(w.paid), "Wallet of the member lacked ₦5,000.00 of this at a time since ")
	s, err := activitymodel.StatementOf(context.Background(), w.i.Pool, w.bisi.id, w.paid.AddDate(0, 0, -10), w.paid.AddDate(0, 0, 10), 100)
	require.NoError(t, err)
	require.Zero(t, s.Closing, "the statement of three months ago")
	w.fines(1, 0)
	require.Equal(t, "APPLIED", w.approved(object{"planId": must[object](w.sade, "POST", w.at+"/plan", w.paysFrom(time.Now()))["plan"].(object)["id"]})["status"], "now it has it")
}

// What the wallet had when the correction was proposed may have been spent, by what counts, before the second approval.
func TestAnApprovedCorrectionIsStaleOnceTheWalletLackedItsMoney(t *testing.T) {
	t.Parallel()
	w := newWronged(t)
	w.bisi.funded(5000)
	from := time.Now()
	agree := object{"planId": must[object](w.sade, "POST", w.at+"/plan", w.paysFrom(from))["plan"].(object)["id"]}
	must[object](w.ayo, "POST", w.at+"/plan/approve", agree)
	longAgo(t, w.i, from.Add(time.Millisecond), moved(w, 5000, true)) // Spent for a time, and given back.
	longAgo(t, w.i, time.Now(), moved(w, 5000, false))
	w.bisi.holds("5000.00")
	stale := must[object](w.kunle, "POST", w.at+"/plan/approve", agree)["plan"].(object)
	require.Equal(t, "STALE", stale["status"])
	require.Contains(t, stale["reason"], "lacked ₦5,000.00 of this")
	require.Equal(t, "5000.00", w.bisi.balance(), "nothing was taken")
}

func TestAReversalDoesNotCountBeforeWhatItTakesBack(t *testing.T) {
	t.Parallel()
	w := newWronged(t)
	ctx := context.Background()
	w.bisi.funded(6000)
	require.Equal(t, 200, w.bisi.pays(w.sub, 5250).status) // Today, with her fine.
	var id string
	require.Eventually(t, func() bool {
		for _, m := range must[object](w.bisi, "GET", "/api/v1/activity?limit=50", nil)["transactions"].([]any) {
			if m.(object)["kind"] == "CONTRIBUTION" {
				id = m.(object)["id"].(string)
			}
		}
		return id != ""
	}, time.Minute, 20*time.Millisecond)
	before := time.Now().AddDate(0, -1, 0)
	w.refusedPlan(409, object{
		"countsFrom": before.UTC().Format(time.RFC3339), "words": "It is to go back to her wallet.", "steps": []object{{"kind": "REVERSE", "eventId": id}},
	}, "so it cannot go back before that.")
	s, err := activitymodel.StatementOf(ctx, w.i.Pool, w.bisi.id, before.AddDate(0, 0, -2), before.AddDate(0, 0, 2), 100)
	require.NoError(t, err)
	require.Zero(t, s.Closing, "the member's statement of a month ago")
	book, err := groups.BookOf(ctx, w.i.Pool, groups.Looked{Subs: []string{w.sub}, From: before.AddDate(0, 0, 2)})
	require.NoError(t, err)
	require.Equal(t, money.Kobo(0), book.Opening, "the group's book of a month ago")
}

// A slip in the year would stay for ever.
func TestACorrectionCountsFromNoTimeBeforeTheMembership(t *testing.T) {
	t.Parallel()
	w := newWronged(t)
	w.bisi.funded(5000)
	w.refusedPlan(409, w.paysFrom(time.Date(2016, 9, 1, 10, 0, 0, 0, time.UTC)), "The member is in the group since ")
	w.fines(1, 0)
}

// moved is a step of a plan that takes money out of Bisi's wallet, or pays into it.
func moved(w wronged, naira money.Kobo, leaves bool) event.Command {
	return ledgertest.Raw{event.On("correction:x", &nairav1.AdjustmentPosted{UserId: w.bisi.id, AmountKobo: int64(naira * money.Naira), TakesBack: leaves})}
}
