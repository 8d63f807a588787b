package e2e

import (
	"context"
	"encoding/hex"
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/base/lagos"
	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/usecase"
)

const monthsPath = "/api/v1/months/"

// closed are the closed months of a group as somebody sees them, the newest first.
func (c chest) closed(p *person) []any {
	c.owner.Helper()
	return must[object](p, "GET", monthsPath+c.group, nil)["months"].([]any)
}

func TestAMonthIsClosedByADrawThatNobodyChooses(t *testing.T) {
	t.Parallel()
	i, err := boot.Start(context.Background(), settings(t.TempDir()), boot.All)
	require.NoError(t, err)
	t.Cleanup(i.Stop)
	c, ctx := newChest(t, i), context.Background()
	require.Equal(t, 200, c.validator.funded(500).pays(c.sub, 500).status) // Which the owner marks.
	request := c.member.ask("POST", asksFor, c.savings(c.member, 1_000)).id(t)
	c.approved(request)
	c.becomes(request, "PAID")
	month := lagos.Month(time.Now())
	asks := func(p *person, what string, form object) reply { return p.ask("POST", monthsPath+c.group+what, form) }
	closes := object{"month": month, "marginPercent": 5}

	running := asks(c.validator, "", closes)
	require.Equal(t, http.StatusConflict, running.status)
	require.Contains(t, running.Message, "is not over. It can be closed from 1 ")
	for _, form := range []object{{"month": "x", "marginPercent": 5}, {"month": "2026-13", "marginPercent": 5}, {"month": "2020-01"}, {}} {
		require.Equal(t, http.StatusBadRequest, asks(c.validator, "", form).status, "%v", form)
	}
	require.Equal(t, http.StatusConflict, asks(c.validator, "", object{"month": "2020-01", "marginPercent": 5}).status, "it has no payments")
	require.Equal(t, http.StatusConflict, asks(c.validator, "/attest", object{"month": month}).status)
	require.Equal(t, http.StatusConflict, asks(c.validator, "/beacon", object{"signature": "ab"}).status)
	for _, p := range []*person{c.owner, c.approver, c.member} {
		require.Equal(t, http.StatusForbidden, asks(p, "", closes).status)
		require.Equal(t, http.StatusForbidden, asks(p, "/attest", object{"month": month}).status)
	}
	for _, what := range []string{"", "/attest", "/beacon"} {
		form := map[string]object{"": closes, "/attest": {"month": month}, "/beacon": {"signature": "ab"}}[what]
		require.Equal(t, http.StatusNotFound, asks(c.outsider, what, form).status)
	}
	require.Equal(t, http.StatusNotFound, c.outsider.ask("GET", monthsPath+c.group, nil).status)
	require.Equal(t, http.StatusNotFound, c.outsider.ask("GET", monthsPath+c.group+"/draw?month="+month, nil).status)
	require.Equal(t, http.StatusNotFound, c.validator.ask("GET", monthsPath+uuid.NewString(), nil).status)
	require.Equal(t, http.StatusNotFound, c.validator.ask("GET", monthsPath+c.group+"/draw?month="+month, nil).status, "nothing is drawn")

	// The month is over.
	y, m, _ := time.Now().In(lagos.Zone).Date()
	over := time.Date(y, m+1, 1, 0, 0, 0, 0, lagos.Zone)
	who := usecase.Who{User: c.validator.id, Email: c.validator.email, Key: "close"}
	form := contract.CloseMonthRequest{Month: month, MarginPercent: 5}
	_, first, err := i.App.At(over).Months.Close(ctx, who, c.group, form)
	require.NoError(t, err)
	_, again, err := i.App.At(over).Months.Close(ctx, who, c.group, form)
	require.NoError(t, err)
	require.Equal(t, first, again, "the same key closes once")
	named := c.closed(c.member)[0].(object)
	require.Equal(t, []any{"NAMED", 4.0, 1.0, true}, []any{named["status"], named["payments"], named["always"], named["test"]})
	round := i.TestBeacon.Sign(uint64(named["round"].(float64)))
	early := asks(c.member, "/beacon", object{"signature": hex.EncodeToString(round)})
	require.Equal(t, http.StatusConflict, early.status)
	require.Contains(t, early.Message, "The round that draws comes on")
	_, _, err = i.App.At(over.Add(10*time.Minute)).Months.Submit(ctx, usecase.Who{User: c.member.id, Email: c.member.email}, c.group, hex.EncodeToString(round))
	require.NoError(t, err)
	c.validator.told("sample_drawn")

	page := c.validator.audits("?queue=SAMPLE", 3)
	require.Equal(t, 3.0, counted(page)["SAMPLE"])
	require.Equal(t, lagosLabel(month), page["payments"].([]any)[0].(object)["sampleOf"])
	require.Len(t, c.audits(c.owner, "?sample=true&state=UNREVIEWED")["payments"], 4)
	var theirs []string
	for _, p := range page["payments"].([]any) {
		theirs = append(theirs, p.(object)["id"].(string))
	}
	seen := func(pos float64) reply {
		marks := []object{{"id": theirs[1], "mark": "VALIDATED"}}
		return c.validator.ask("POST", "/api/v1/savings/groups/"+c.group+"/audit", object{"marks": marks, "seenPosition": pos})
	}
	require.Equal(t, http.StatusBadRequest, seen(-1).status)
	require.Equal(t, http.StatusBadRequest, seen(1e9).status, "nobody has read so far")
	require.Equal(t, http.StatusConflict, seen(1).status, "the screen had not read the payment")
	require.Equal(t, 200, seen(page["position"].(float64)).status)
	require.Equal(t, 200, c.marks(c.validator, "VALIDATED", "", theirs[2:]...).status)
	require.Equal(t, 200, c.marks(c.validator, "QUERIED", "For which month?", theirs[0]).status)
	missing := asks(c.validator, "/attest", object{"month": month})
	require.Equal(t, http.StatusConflict, missing.status)
	require.Equal(t, "One payment of the sample is not marked yet. Validate or query it first.", missing.Message)
	for _, p := range c.audits(c.owner, "?sample=true&state=UNREVIEWED")["payments"].([]any) {
		require.Equal(t, 200, c.marks(c.owner, "VALIDATED", "", p.(object)["id"].(string)).status)
	}
	attested := asks(c.validator, "/attest", object{"month": month})
	require.Equal(t, 200, attested.status, attested.Message)
	done := c.closed(c.eve)[0].(object)
	require.Equal(t, []any{"ATTESTED", "All 4 looked at, 1 queried.", 3.0, 1.0, 0.0}, []any{done["status"], done["sentence"], done["validated"], done["queried"], done["changedSince"]})
	require.Empty(t, c.validator.audits("?queue=SAMPLE", 0)["payments"])
	proof := must[object](c.eve, "GET", monthsPath+c.group+"/draw?month="+month, nil)
	require.Len(t, proof["positions"], 4)
	require.Equal(t, hex.EncodeToString(round), proof["signature"])

	taken := decidedAgain(t, i)
	require.NotContains(t, taken, "naira.v1.MonthSampleNamed")
	require.NotContains(t, taken, "naira.v1.PeriodAttested")
}

func lagosLabel(month string) string {
	at, err := time.Parse("2006-01", month)
	if err != nil {
		return ""
	}
	return at.Format("January 2006")
}

// closesMonths has the validator of an ajo close its first month, whose payments are all marked.
func (r *round) closesMonths() {
	r.Helper()
	ctx, validator := context.Background(), 0
	for n := range r.people {
		if r.sees(n)["me"].(object)["isValidator"] == true {
			validator = n
		}
	}
	path := monthsPath + r.id
	require.Equal(r, http.StatusNotFound, somebody(r, r.i, "Outside").ask("GET", path, nil).status)
	open := must[object](r.people[validator], "GET", path, nil)["toClose"].([]any)
	require.NotEmpty(r, open)
	first := open[len(open)-1].(object)
	month := first["month"].(string)
	form := object{"month": month, "marginPercent": 2}
	require.Equal(r, http.StatusForbidden, r.people[(validator+1)%len(r.people)].ask("POST", path, form).status)
	_, _, err := r.i.App.At(time.Now().Add(-10*time.Minute)).Months.Close(ctx, r.who(validator), r.id, contract.CloseMonthRequest{Month: month, MarginPercent: 2})
	require.NoError(r, err)
	require.NoError(r, r.i.App.Months.DrawDue(ctx))
	require.Eventually(r, func() bool {
		return must[object](r.people[0], "GET", path, nil)["months"].([]any)[0].(object)["status"] == "DRAWN"
	}, time.Minute, 20*time.Millisecond)
	require.Equal(r, 1, r.told(validator, "sample_drawn"))
	attested := r.people[validator].ask("POST", path+"/attest", object{"month": month})
	require.Equal(r, http.StatusOK, attested.status, attested.Message)
	done := must[object](r.people[1], "GET", path, nil)["months"].([]any)[0].(object)
	require.Equal(r, []any{"ATTESTED", first["payments"], first["payments"], 0.0, 0.0}, []any{done["status"], done["payments"], done["sample"], done["unreviewed"], done["changedSince"]})
	proof := must[object](r.people[1], "GET", path+"/draw?month="+month, nil)
	payouts := map[float64]bool{}
	for _, one := range must[object](r.people[1], "GET", "/api/v1/ajo/"+r.id+"/audit?limit=100", nil)["payments"].([]any) {
		if p := one.(object); p["kind"] == "PAYOUT" || len(p["oddities"].([]any)) > 0 {
			payouts[p["position"].(float64)] = true
		}
	}
	for _, pos := range proof["always"].([]any) {
		require.True(r, payouts[pos.(float64)])
		delete(payouts, pos.(float64))
	}
	for _, pos := range proof["positions"].([]any) {
		require.False(r, payouts[pos.(float64)], "every payout and all that is unusual is looked at")
	}
}
