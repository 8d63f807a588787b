package e2e

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/people"
)

// wronged is a member who is fined for a due of long ago, and says that they paid it in time. Sade has their case.
type wronged struct {
	*testing.T
	i                *boot.Instance
	bisi, ada, sade  *person
	femi, ayo, kunle *person
	group, sub, at   string
	paid             time.Time
}

// longAgo has something happen in the past.
func longAgo(t testing.TB, i *boot.Instance, at time.Time, commands ...event.Command) {
	t.Helper()
	for _, c := range commands {
		_, err := i.App.Ledger.Append(context.Background(), store.Command{ID: uuid.New(), Actor: "test", EffectiveAt: at, Command: c})
		require.NoError(t, err, "%T", c)
	}
}

func newWronged(t *testing.T, before ...func(w wronged)) wronged {
	t.Helper()
	i := own(t)
	w := wronged{
		T: t, i: i, bisi: somebody(t, i, "Bisi"), ada: somebody(t, i, "Ada"), sade: staff(t, i, "Sade", people.RoleSupport), femi: staff(t, i, "Femi", people.RoleFinanceOps),
		ayo: staff(t, i, "Ayo", people.RoleAdmin).stepsUp(), kunle: staff(t, i, "Kunle", people.RoleAdmin).stepsUp(), group: uuid.NewString(), sub: uuid.NewString(),
	}
	began := time.Now().AddDate(0, -3, 0)
	w.paid = began.AddDate(0, 0, 1)
	validator, approver := somebody(t, i, "Vera"), somebody(t, i, "Tola")
	longAgo(t, i, began, savings.CreateGroup{GroupID: w.group, Owner: w.ada.id, Name: "Balogun Traders", Amount: 5000 * money.Naira, Capacity: 10, StartMonth: int(began.Month()), Now: began})
	longAgo(t, i, began, ledgertest.Activated(w.group, w.ada.id, validator.id, approver.id)...)
	longAgo(t, i, began, savings.JoinGroup{GroupID: w.group, User: w.bisi.id}, savings.ApproveMember{GroupID: w.group, User: w.bisi.id, By: w.ada.id},
		savings.OpenSubAccount{
			GroupID: w.group, SubAccountID: w.sub, By: w.ada.id, Name: "Monthly dues", Type: nairav1.PaymentType_PAYMENT_TYPE_ONE_OFF,
			Frequency: nairav1.PaymentFrequency_PAYMENT_FREQUENCY_ONE_TIME, Amount: 5000 * money.Naira, FirstDay: savings.Day(began).AddDate(0, 0, 2), Now: began,
			Late: savings.Late{GraceDays: 5, Type: nairav1.FeeType_FEE_TYPE_FLAT, Amount: 250 * money.Naira},
		})
	for _, happens := range before { // The fine.
		happens(w)
	}
	require.Eventually(t, func() bool {
		require.NoError(t, i.App.Dues.ApplyPenalties(context.Background()))
		return eventsOf(t, i.Pool, w.bisi.id, "PenaltyApplied") == 1
	}, time.Minute, 50*time.Millisecond, "nobody was fined")
	stray(t, i, 5000*money.Naira, false)
	w.femi.waiting(1)
	w.sade, w.at = caseOf(t, i, w.bisi, object{
		"kind": "FINED_IN_TIME", "words": "I paid on time by transfer, and I was fined.", "groupId": w.group, "subAccountId": w.sub, "amount": 5000, "paidOn": lagos.Day(time.Now()),
	})
	return w
}

// fines holds how many fines were applied and taken back.
func (w wronged) fines(applied, reversed int) {
	w.Helper()
	require.Equal(w, []int{applied, reversed}, []int{eventsOf(w.T, w.i.Pool, w.bisi.id, "PenaltyApplied"), eventsOf(w.T, w.i.Pool, w.bisi.id, "PenaltyReversed")})
}

// steps are what puts it right.
func (w wronged) steps() object {
	arrival := must[object](w.sade, "GET", w.at, nil)["found"].([]any)[0].(object)["arrivalId"]
	return object{
		"countsFrom": w.paid.UTC().Format(time.RFC3339), "words": "The slip shows that the bank had it in time.",
		"steps": []object{{"kind": "ASSIGN", "arrivalId": arrival}, {"kind": "PAY_DUE", "groupId": w.group, "subAccountId": w.sub, "amount": 5000}},
	}
}

func (w wronged) plan(by *person) object {
	w.Helper()
	return must[object](by, "GET", w.at+"/plan", nil)["plan"].(object)
}

func TestAFineIsTakenBackByACorrectionThatTwoAdminsApprove(t *testing.T) {
	t.Parallel()
	w := newWronged(t)
	form := w.steps()
	would := must[object](w.sade, "POST", w.at+"/plan/preview", object{"countsFrom": form["countsFrom"], "steps": form["steps"]})
	require.Nil(t, would["refused"])
	require.Contains(t, fmt.Sprint(would["events"]), "Penalty reversed")
	w.fines(1, 0)
	arrival, half := form["steps"].([]object)[0], object{"kind": "PAY_DUE", "groupId": w.group, "subAccountId": w.sub, "amount": 2500}
	halves := must[object](w.sade, "POST", w.at+"/plan/preview", object{"countsFrom": form["countsFrom"], "steps": []object{arrival, half, half}})
	require.Contains(t, fmt.Sprint(halves["events"]), "Penalty reversed", "both count from then")
	proposed := must[object](w.sade, "POST", w.at+"/plan", form)["plan"].(object)
	require.Equal(t, []any{"PROPOSED", true, false}, []any{proposed["status"], proposed["isMine"], proposed["mayApprove"]})
	require.Equal(t, 409, w.sade.ask("POST", w.at+"/plan", form).status, "one at a time")
	require.Len(t, must[object](w.ayo, "GET", "/api/v1/support/plans", nil)["cases"], 1)
	agree := object{"planId": proposed["id"]}
	require.Equal(t, 403, w.sade.ask("POST", w.at+"/plan/approve", agree).status, "Support does not approve")
	require.Equal(t, 403, w.femi.ask("POST", w.at+"/plan/approve", agree).status)
	require.Equal(t, 409, w.ayo.ask("POST", w.at+"/plan/approve", object{"planId": uuid.NewString()}).status, "another plan than was looked at")
	require.Equal(t, "PROPOSED", must[object](w.ayo, "POST", w.at+"/plan/approve", agree)["plan"].(object)["status"])
	require.Equal(t, 409, w.ayo.ask("POST", w.at+"/plan/approve", agree).status, "nobody approves twice")
	w.fines(1, 0)
	applied := must[object](w.kunle, "POST", w.at+"/plan/approve", agree)["plan"].(object)
	require.Equal(t, "APPLIED", applied["status"], applied["reason"])
	w.fines(1, 1)
	w.femi.waiting(0)
	require.Equal(t, "0.00", w.bisi.balance())
	require.Equal(t, 409, w.kunle.ask("POST", w.at+"/plan/approve", agree).status)

	mine := must[object](w.bisi, "GET", disputesPath+w.at[len(casesPath):], nil)
	kinds := fmt.Sprint(kindsOf(mine))
	require.Contains(t, kinds, "PLAN_APPLIED")
	require.NotContains(t, kinds, "PLAN_PROPOSED")
	require.NotContains(t, fmt.Sprint(mine), "The slip shows", "what staff write to each other is theirs")
}

// Who takes a case over looks at it for themselves: what another proposed in it is not agreed to any more.
func TestAProposalEndsWhenAnotherPersonTakesTheCaseOver(t *testing.T) {
	t.Parallel()
	w := newWronged(t)
	form := w.steps()
	proposed := must[object](w.sade, "POST", w.at+"/plan", form)["plan"].(object)
	yemi := staff(t, w.i, "Yemi", people.RoleSupport)
	seen := must[object](yemi, "GET", w.at, nil)
	must[object](yemi, "POST", fmt.Sprintf("%s/take?version=%v", w.at, seen["version"]), nil)
	require.Equal(t, "DECLINED", w.plan(w.ayo)["status"])
	require.Equal(t, 409, w.ayo.ask("POST", w.at+"/plan/approve", object{"planId": proposed["id"]}).status)
	require.Equal(t, 403, w.sade.ask("POST", w.at+"/plan", form).status, "she has not got the case")
	again := must[object](yemi, "POST", w.at+"/plan", form)["plan"].(object)
	require.Equal(t, "PROPOSED", again["status"])
	must[object](w.ayo, "POST", w.at+"/plan/approve", object{"planId": again["id"]})
}

func TestACorrectionIsStaleWhenSomethingHasHappenedBetweenTwoApprovals(t *testing.T) {
	t.Parallel()
	w := newWronged(t)
	plan := must[object](w.sade, "POST", w.at+"/plan", w.steps())["plan"].(object)
	must[object](w.ayo, "POST", w.at+"/plan/approve", object{"planId": plan["id"]})
	arrival := arrivals(w.femi.waiting(1))[0]["id"].(string)
	must[object](w.femi, "POST", "/api/v1/finance/unmatched/"+arrival+"/propose", object{"email": w.bisi.email, "reason": "She showed the slip."})
	stale := must[object](w.kunle, "POST", w.at+"/plan/approve", object{"planId": plan["id"]})["plan"].(object)
	require.Equal(t, "STALE", stale["status"])
	require.Contains(t, stale["reason"], "Something has happened here since")
	w.fines(1, 0)
	w.femi.waiting(1)
	require.NoError(t, w.i.App.Corrections.ApplyApproved(context.Background()))
	require.Equal(t, "STALE", w.plan(w.ayo)["status"])
}

func TestBadCorrectionsAreRefusedAndNothingMoves(t *testing.T) {
	t.Parallel()
	w := newWronged(t)
	form := w.steps()
	with := func(field string, value any) object {
		changed := object{}
		for name, was := range form {
			changed[name] = was
		}
		changed[field] = value
		return changed
	}
	for name, c := range map[string]struct {
		form   object
		status int
	}{
		"a time to come":                {with("countsFrom", time.Now().Add(time.Hour).UTC().Format(time.RFC3339)), 400},
		"no steps":                      {with("steps", []object{}), 400},
		"no such step":                  {with("steps", []object{{"kind": "GIFT"}}), 400},
		"money that is not":             {with("steps", []object{{"kind": "ASSIGN", "arrivalId": w.group}}), 404},
		"more than the wallet has":      {with("steps", []object{{"kind": "PAY_DUE", "groupId": w.group, "subAccountId": w.sub, "amount": 5000}}), 409},
		"another's contribution":        {with("steps", []object{{"kind": "REVERSE", "eventId": w.group}}), 404},
		"too few words":                 {with("words", "short"), 400},
		"the same money given two ways": {with("steps", append(form["steps"].([]object), form["steps"].([]object)[0])), 409},
	} {
		r := w.sade.ask("POST", w.at+"/plan", c.form)
		require.Equal(t, c.status, r.status, "%s: %s", name, r.Message)
	}
	require.Equal(t, 403, w.ayo.ask("POST", w.at+"/plan", form).status, "who does not have the case")
	require.Empty(t, must[object](w.sade, "GET", w.at+"/plan", nil)["plan"])
	w.fines(1, 0)

	plan := must[object](w.sade, "POST", w.at+"/plan", form)["plan"].(object)
	require.Equal(t, 403, w.bisi.ask("POST", w.at+"/plan/approve", object{"planId": plan["id"]}).status)
	require.NoError(t, people.GrantRole(context.Background(), w.i.Pool, w.ada.email, people.RoleAdmin))
	w.ada.logIn()
	w.ada.stepsUp()
	r := w.ada.ask("POST", w.at+"/plan/approve", object{"planId": plan["id"]})
	require.Equal(t, 403, r.status, "the owner of the group is a party")
	require.Contains(t, r.Message, "You have a part in this")
	declined := must[object](w.ayo, "POST", w.at+"/plan/decline", object{"planId": plan["id"], "words": "The slip is of another month."})["plan"].(object)
	require.Equal(t, "DECLINED", declined["status"])
}

// Admins are written to about what waits for them and what is late, once each; who proposed it, and whose case it is,
// are not.
func TestAdminsAreWrittenToAboutWhatWaitsForThemAndWhatIsLate(t *testing.T) {
	t.Parallel()
	w := newWronged(t)
	tells := func() {
		for range 3 {
			require.NoError(t, w.i.App.Disputes.TellAdmins(context.Background()))
		}
	}
	written := func(p *person, title string) (letters int) {
		require.NoError(t, w.i.Pool.QueryRow(context.Background(), "SELECT count(*) FROM mail_outbox WHERE recipient = $1 AND said LIKE '%' || $2 || '%'", p.email, title).Scan(&letters))
		return letters
	}
	tells() // It begins with what happens from now on.
	must[object](w.sade, "POST", w.at+"/plan", w.steps())
	own := must[object](w.kunle, "POST", disputesPath, object{"kind": "NOT_ME", "words": "Somebody else is in my account."})
	require.Eventually(t, func() bool {
		require.NoError(t, w.i.App.At(time.Now().Add(25*time.Hour)).Disputes.KeepClocks(context.Background()))
		tells()
		return written(w.ayo, "Nobody took a case in time") > 0
	}, time.Minute, 20*time.Millisecond)
	require.Equal(t, 1, written(w.ayo, "Nobody took a case in time: "+own["number"].(string)))
	require.Zero(t, written(w.kunle, "Nobody took a case in time"), "it is their own")
	for p, letters := range map[*person]int{w.ayo: 1, w.kunle: 1, w.sade: 0, w.femi: 0, w.bisi: 0} {
		require.Equal(t, letters, written(p, "A correction waits for two Admins: "))
	}
}
