package e2e

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"

	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/holds"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/audit"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/ledger/posting"
	"adashi.ng/services/internal/disputes"
	"adashi.ng/services/internal/evidence/bundle"
)

// inTime is a lab in which Bisi's money came in time.
func (w wronged) inTime() object {
	return object{"subject": "GROUP", "edits": []object{{"kind": "PAID", "amount": 5000, "subAccountId": w.sub, "at": w.paid.UTC().Format(time.RFC3339)}}}
}

// fineAt is where Bisi's fine stands in the ledger.
func (w wronged) fineAt() (position float64) {
	w.Helper()
	for _, line := range must[object](w.sade, "POST", w.at+"/labs", w.inTime())["lines"].([]any) {
		if l := line.(object); l["kind"] == "REFUSED" {
			position = l["position"].(float64)
		}
	}
	require.NotZero(w, position)
	return position
}

// fromLab is what a lab makes of itself as a correction.
func (w wronged) fromLab(lab object) object {
	w.Helper()
	return must[object](w.sade, "POST", w.at+"/plan/from-lab", lab)
}

// stepsOf are a correction's steps as they are sent back, without their words.
func stepsOf(made object) (steps []object) {
	for _, step := range made["steps"].([]any) {
		s := step.(object)
		delete(s, "words")
		steps = append(steps, s)
	}
	return steps
}

// proposes proposes what a lab made of itself.
func (w wronged) proposes(made object) (agree object) {
	w.Helper()
	form := object{"steps": stepsOf(made), "words": "The lab shows that it was in time."}
	if from, is := made["countsFrom"]; is {
		form["countsFrom"] = from
	}
	return object{"planId": must[object](w.sade, "POST", w.at+"/plan", form)["plan"].(object)["id"]}
}

// approved has two Admins approve, and answers what it came to.
func (w wronged) approved(agree object) object {
	w.Helper()
	must[object](w.ayo, "POST", w.at+"/plan/approve", agree)
	return must[object](w.kunle, "POST", w.at+"/plan/approve", agree)["plan"].(object)
}

// verified is how often the ledger does not hold what is held of disputes and corrections.
func (w wronged) verified() int64 {
	w.Helper()
	c := &audit.Check{}
	require.NoError(w, disputes.Check(w.i.Pool).Run(context.Background(), c))
	return c.Violations
}

// labels are what a list of differences names.
func labels(list any) (all []string) {
	for _, one := range list.([]any) {
		all = append(all, one.(object)["label"].(string))
	}
	return all
}

func TestALabBecomesACorrectionWhoseOutcomeIsWhatItShows(t *testing.T) {
	t.Parallel()
	w := newWronged(t)
	made := w.fromLab(w.inTime())
	require.Nil(t, made["refused"])
	require.Empty(t, made["cannot"])
	require.Empty(t, made["differs"])
	require.Equal(t, w.paid.UTC().Truncate(time.Second).Format(time.RFC3339), made["countsFrom"])
	kinds := []any{}
	for _, step := range made["steps"].([]any) {
		kinds = append(kinds, step.(object)["kind"])
	}
	require.Equal(t, []any{"ASSIGN", "PAY_DUE"}, kinds, "the fine takes itself back")
	right := labels(made["putsRight"])
	require.Len(t, right, 2)
	require.Equal(t, "Sub-account Monthly dues", right[0])
	require.Contains(t, right[1], "Penalty of Monthly dues for ")
	require.Contains(t, fmt.Sprint(made["events"]), "Penalty reversed")
	require.Empty(t, must[object](w.sade, "GET", w.at+"/plan", nil)["plan"], "nothing is proposed by looking")
	w.fines(1, 0)

	require.Equal(t, 403, w.ayo.ask("POST", w.at+"/plan/from-lab", w.inTime()).status, "who does not have the case")
	require.Equal(t, 403, w.bisi.ask("POST", w.at+"/plan/from-lab", w.inTime()).status)
	require.Equal(t, "APPLIED", w.approved(w.proposes(made))["status"])
	w.fines(1, 1)
	require.Zero(t, eventsOf(t, w.i.Pool, w.bisi.id, "PenaltyWaived"))
	require.Equal(t, "0.00", w.bisi.balance())
	w.femi.waiting(0)
	require.Zero(t, w.verified())
	decidedAgain(t, w.i)
}

func TestALabWithoutTheFineWaivesIt(t *testing.T) {
	t.Parallel()
	w := newWronged(t)
	lab := object{"subject": "MEMBER", "edits": []object{{"kind": "ABSENT", "position": w.fineAt()}}}
	made := w.fromLab(lab)
	require.Len(t, made["steps"], 1)
	step := made["steps"].([]any)[0].(object)
	require.Equal(t, "WAIVE", step["kind"])
	require.Contains(t, step["words"], "The penalty of Monthly dues for ")
	require.Empty(t, made["differs"])
	state := must[object](w.sade, "GET", w.at+"/plan", nil)
	require.Len(t, state["penalties"], 1)
	require.Equal(t, "APPLIED", w.approved(w.proposes(made))["status"])
	require.Equal(t, 1, eventsOf(t, w.i.Pool, w.bisi.id, "PenaltyWaived"))
	w.fines(1, 0)
	w.bisi.told("penalty_waived")
	require.Empty(t, must[object](w.sade, "GET", w.at+"/plan", nil)["penalties"])
	require.Contains(t, w.sade.ask("POST", w.at+"/plan", object{"steps": stepsOf(made), "words": "It is to be waived once more."}).Message, "No penalty stands for this due")
	require.Zero(t, w.verified())
	decidedAgain(t, w.i)
}

func TestALabFindsTheMoneyThatTheMemberClaimed(t *testing.T) {
	t.Parallel()
	w := newWronged(t)
	stray(t, w.i, 5000*money.Naira, false)
	theirs := arrivals(w.femi.waiting(2))[1]["id"].(string)
	_, w.at = caseOf(t, w.i, w.bisi, object{
		"kind": "NOT_CREDITED", "words": "The later one of the two is mine.", "groupId": w.group, "subAccountId": w.sub, "amount": 5000, "paidOn": lagos.Day(time.Now()), "arrivalId": theirs,
	})
	takesOver(w.sade, w.at)
	made := w.fromLab(w.inTime())
	require.Equal(t, theirs, made["steps"].([]any)[0].(object)["arrivalId"])
	twice := w.inTime()
	twice["edits"] = append(twice["edits"].([]object), object{"kind": "PAID", "amount": 5000, "at": w.paid.UTC().Format(time.RFC3339)})
	given := map[any]bool{}
	for _, step := range w.fromLab(twice)["steps"].([]any) {
		if s := step.(object); s["kind"] == "ASSIGN" {
			given[s["arrivalId"]] = true
		}
	}
	require.Len(t, given, 2, "the same money is not given twice")
}

func TestALabThatComesToNothingOffersNoCorrection(t *testing.T) {
	t.Parallel()
	w := newWronged(t)
	r := w.sade.ask("POST", w.at+"/plan/from-lab", object{"subject": "MEMBER", "edits": []object{}})
	require.Equal(t, 400, r.status)
	var opened any
	for _, step := range must[object](w.sade, "GET", w.at+"/steps?subject=MEMBER&back=true&limit=100", nil)["steps"].([]any) {
		if s := step.(object); s["title"] == "Dispute opened" {
			opened = s["position"]
		}
	}
	require.NotNil(t, opened)
	r = w.sade.ask("POST", w.at+"/plan/from-lab", object{"subject": "MEMBER", "edits": []object{{"kind": "ABSENT", "position": opened}}})
	require.Equal(t, 409, r.status, r.Message)
	require.Contains(t, r.Message, "there is nothing to put right")

	// Of money that is nowhere it is said, and no fine goes by it.
	made := w.fromLab(object{"subject": "GROUP", "edits": []object{{"kind": "PAID", "amount": 7777, "subAccountId": w.sub, "at": w.paid.UTC().Format(time.RFC3339)}}})
	require.Empty(t, made["steps"])
	require.Empty(t, made["putsRight"])
	require.Contains(t, fmt.Sprint(made["cannot"]), "No money of ₦7,777.00 of that time waits here")
}

func TestALabWhoseEditEmptiesAPoolSaysWhatCannotBe(t *testing.T) {
	t.Parallel()
	w := newWronged(t)
	w.bisi.funded(6000)
	require.Equal(t, 200, w.bisi.pays(w.sub, 5250).status)
	var pos int64
	require.NoError(t, w.i.Pool.QueryRow(context.Background(), "SELECT max(pos) FROM events WHERE type = 'naira.v1.ContributionReceived'").Scan(&pos))
	// A plan reads the member's movements.
	must[any](w.bisi, "GET", "/api/Wallet/GetUserWalletTransactions?email="+url.QueryEscape(w.bisi.email), nil, "X-Min-Position", fmt.Sprint(pos))
	paid, err := history.ReadAt(context.Background(), w.i.Pool, []int64{pos})
	require.NoError(t, err)
	longAgo(t, w.i, time.Now(), dues.ReverseContribution{Original: paid[0], By: w.femi.id, ApprovedBy: w.sade.id, Reason: "It was another's.", At: time.Now()})
	lab := object{"subject": "GROUP", "edits": []object{{"kind": "AMOUNT", "position": pos, "amount": 1000}}}
	require.Contains(t, fmt.Sprint(must[object](w.sade, "POST", w.at+"/labs", lab)["lines"]), "₦4,250.00 would be missing for it.")
	made := w.fromLab(lab)
	require.Contains(t, fmt.Sprint(made["cannot"]), "Contribution reversed has happened, and would have been refused: ₦4,250.00 would be missing for it.")
	require.Contains(t, made["refused"], "This contribution was reversed already.")
	require.Empty(t, made["putsRight"])
	require.NotEmpty(t, made["differs"])
	r := w.sade.ask("POST", w.at+"/plan", object{"steps": stepsOf(made), "words": "It had another amount than this."})
	require.Equal(t, 409, r.status, r.Message)
}

func TestACorrectionOfALabIsStaleOnceSomethingHasHappened(t *testing.T) {
	t.Parallel()
	w := newWronged(t)
	agree := w.proposes(w.fromLab(w.inTime()))
	must[object](w.ayo, "POST", w.at+"/plan/approve", agree)
	arrival := arrivals(w.femi.waiting(1))[0]["id"].(string)
	must[object](w.femi, "POST", "/api/v1/finance/unmatched/"+arrival+"/propose", object{"email": w.bisi.email, "reason": "She showed the slip."})
	w.femi.stands(arrival, "PROPOSED")
	made := w.fromLab(w.inTime()) // The money is no longer anybody's to give.
	require.Empty(t, made["steps"], "no fine is undone by money that is not there")
	require.Contains(t, fmt.Sprint(made["cannot"]), "The penalty of ₦250.00 stays: the money that would undo it was not found.")
	require.Len(t, made["differs"], 2)
	stale := must[object](w.kunle, "POST", w.at+"/plan/approve", agree)["plan"].(object)
	require.Equal(t, "STALE", stale["status"])
	w.fines(1, 0)

	must[object](w.femi, "POST", "/api/v1/finance/unmatched/"+arrival+"/decide", object{"approve": false, "reason": "A correction gives it."})
	w.femi.stands(arrival, "OPEN")
	require.Equal(t, "APPLIED", w.approved(w.proposes(w.fromLab(w.inTime())))["status"])
	earlier := must[object](w.ayo, "GET", w.at+"/plan", nil)["earlier"].([]any)
	require.Len(t, earlier, 1)
	require.Equal(t, "STALE", earlier[0].(object)["status"])
}

// adjusts is a correction that pays so much, or takes it back.
func adjusts(amount float64, back bool) object {
	return object{"steps": []object{{"kind": "ADJUST", "amount": amount, "takesBack": back}}, "words": "Adashi bears what this cost her."}
}

func TestAdashiPutsRightWithItsOwnMoneyAndTakesBackWhatItPaidWrongly(t *testing.T) {
	t.Parallel()
	w := newWronged(t)
	for name, c := range map[string]struct {
		form   object
		status int
		says   string
	}{
		"beyond the limit":   {adjusts(100_000.01, false), 400, "An adjustment is ₦100,000.00 at most, and this one is ₦100,000.01."},
		"nothing":            {adjusts(0, false), 400, ""},
		"more than is there": {adjusts(1, true), 409, "The member's wallet has ₦0.00, so ₦1.00 cannot be taken back."},
		"two of them":        {object{"steps": []object{{"kind": "ADJUST", "amount": 1}, {"kind": "ADJUST", "amount": 2}}, "words": "Twice, to come around the limit."}, 400, "A correction adjusts once."},
		"no penalty":         {object{"steps": []object{{"kind": "WAIVE", "debtId": "x"}}, "words": "There is no ajo here at all."}, 400, "This case is about no ajo"},
	} {
		r := w.sade.ask("POST", w.at+"/plan", c.form)
		require.Equal(t, c.status, r.status, "%s: %s", name, r.Message)
		require.Contains(t, r.Message, c.says, name)
	}
	propose := func(form object) object {
		return object{"planId": must[object](w.sade, "POST", w.at+"/plan", form)["plan"].(object)["id"]}
	}
	require.Equal(t, "APPLIED", w.approved(propose(adjusts(100_000, false)))["status"])
	w.bisi.holds("100000.00")
	w.bisi.told("adjustment_paid")
	moved := w.bisi.moves("?kind=ADJUSTMENT_PAID")
	require.Len(t, moved, 1)
	require.Equal(t, []any{"Put right by Adashi", "IN"}, []any{moved[0]["title"], moved[0]["direction"]})
	one := must[object](w.bisi, "GET", "/api/v1/activity/"+moved[0]["id"].(string), nil)
	require.Contains(t, fmt.Sprint(one["entries"]), "Our own account")
	require.Contains(t, fmt.Sprint(one["story"]), "two others approved it")

	// What is owed grows with it, and the banks do not have it: the count says so.
	run := must[object](w.femi, "POST", reconciliations, nil)
	require.Equal(t, true, run["balanced"], "the banks' own figures agree")
	require.Equal(t, []any{"100000.00", false}, []any{naira(t, run["reserves"].(object)["owed"]), run["reserves"].(object)["covered"]})

	page, response := w.bisi.file(disputesPath + w.at[len(casesPath):] + "/bundle")
	require.Equal(t, 200, response.StatusCode)
	b, err := bundle.Read(page)
	require.NoError(t, err)
	key, err := proofs.ParseKey(must[[]object](w.bisi, "GET", "/api/Ledger/keys", nil)[0]["key"].(string))
	require.NoError(t, err)
	checked, err := bundle.Check(b, []note.Verifier{key.Verifier()})
	require.NoError(t, err)
	require.True(t, slices.ContainsFunc(checked.Records, func(r event.Record) bool { return r.Type == "naira.v1.AdjustmentPosted" }))

	agree := propose(adjusts(100_000, true))
	must[object](w.ayo, "POST", w.at+"/plan/approve", agree)
	require.Equal(t, 200, w.bisi.pays(w.sub, 5250).status)
	late := must[object](w.kunle, "POST", w.at+"/plan/approve", agree)["plan"].(object)
	require.Equal(t, "STALE", late["status"])
	require.Contains(t, late["reason"], "The member's wallet has ₦94,750.00")
	require.Equal(t, "94750.00", w.bisi.balance(), "all or none")
	require.Equal(t, "APPLIED", w.approved(propose(adjusts(94_750, true)))["status"])
	w.bisi.holds("0.00")
	w.bisi.told("adjustment_taken")
	require.Zero(t, w.verified())
	decidedAgain(t, w.i)

	longAgo(t, w.i, time.Now(), account.Close{User: w.bisi.id})
	r := w.sade.ask("POST", w.at+"/plan", adjusts(1, false))
	require.Equal(t, 409, r.status)
	require.Contains(t, r.Message, "has closed their account")
}

func TestACorrectionIsDoneWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	w := newWronged(t)
	pays := object{"planId": must[object](w.sade, "POST", w.at+"/plan", adjusts(1000, false))["plan"].(object)["id"]}
	require.Equal(t, "APPLIED", w.approved(pays)["status"])
	waives := must[object](w.sade, "GET", w.at+"/plan", nil)["penalties"].([]any)[0].(object)
	delete(waives, "words")
	form := object{"steps": []object{waives, {"kind": "ADJUST", "amount": 1000, "takesBack": true}}, "words": "It was paid to her by mistake."}
	agree := object{"planId": must[object](w.sade, "POST", w.at+"/plan", form)["plan"].(object)["id"]}
	must[object](w.ayo, "POST", w.at+"/plan/approve", agree)
	longAgo(t, w.i, time.Now(), holds.Place{ // Of what the plan names nothing has moved: her wallet has less.
		HoldID: uuid.NewString(), Account: posting.Wallet(w.bisi.id), Amount: money.Kobo(1), Purpose: "test", Now: time.Now(), ExpiresAt: time.Now().Add(time.Hour),
	})
	stale := must[object](w.kunle, "POST", w.at+"/plan/approve", agree)["plan"].(object)
	require.Equal(t, "STALE", stale["status"])
	require.Contains(t, stale["reason"], "The member's wallet has ₦999.99, so ₦1,000.00 cannot be taken back.")
	require.Equal(t, []int{0, 1}, []int{eventsOf(t, w.i.Pool, w.bisi.id, "PenaltyWaived"), eventsOf(t, w.i.Pool, w.bisi.id, "AdjustmentPosted")})
	require.Equal(t, "999.99", w.bisi.balance())
	require.Zero(t, w.verified())
}
