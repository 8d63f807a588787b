package e2e

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/ledgertest"
	beacon "adashi.ng/services/internal/beacon/sandbox"
	"adashi.ng/services/internal/boot"
)

// short is a round in which one did not pay to the first cycle by the end of its days of grace, and paid the debt that
// came of it a day later. It answers who that is.
func short(t *testing.T, i *boot.Instance) (r *round, late int) {
	t.Helper()
	none := func(*round, int) {}
	return shortWith(t, i, none, none)
}

// shortWith is one in which something happens of who is late once the order is drawn, and before they pay the debt.
func shortWith(t *testing.T, i *boot.Instance, drawn, pays func(r *round, late int)) (r *round, late int) {
	t.Helper()
	r = listed(t, i)
	r.draws()
	late = r.turn(2)[0]
	drawn(r, late)
	for n := range r.people {
		if n != late {
			if err := r.pays(2, n, n, 1, r.due(n)); err != nil { // Whose pot it is need not pay once all others have.
				require.ErrorContains(t, err, "your own due is taken out of it")
			}
		}
	}
	require.NoError(t, r.at(10.5).Advance(context.Background(), r.id), "the days of grace are over")
	pays(r, late)
	for _, d := range r.sees(late)["debts"].([]any) {
		if debt := d.(object); debt["iOwe"] == true {
			id := debt["id"].(string)
			_, err := r.at(11).Pay(context.Background(), r.who(late), r.id, contract.AjoPayRequest{What: "DEBT", Amount: amountOf(debt["left"].(float64)), DebtId: &id, UserId: r.people[late].id})
			require.NoError(t, err)
		}
	}
	r.collects(11.5, 1)
	return r, late
}

// stepOn is where the first event of a title is that names something.
func stepOn(t testing.TB, sade *person, at, title, names string) any {
	t.Helper()
	for _, step := range must[object](sade, "GET", at+"/steps?subject=AJO&limit=100", nil)["steps"].([]any) {
		if s := step.(object); s["title"] == title && strings.Contains(s["body"].(string), names) {
			return s["position"]
		}
	}
	t.Fatalf("no %s of %s", title, names)
	return nil
}

// titles are the titles of a lab's differences, as Support reads them.
func titles(found object) (out []string) {
	for _, l := range found["lines"].([]any) {
		line, text := l.(object), fmt.Sprint(l.(object)["kind"])
		for _, m := range line["was"].([]any) {
			text += " -" + m.(object)["title"].(string)
		}
		for _, m := range line["would"].([]any) {
			text += " +" + m.(object)["title"].(string)
		}
		if why, is := line["why"]; is {
			text += ": " + why.(string)
		}
		out = append(out, text)
	}
	return out
}

func TestALabOfAnAjoShowsWhatItsJobsWouldHaveDone(t *testing.T) {
	t.Parallel()
	i := jobless(t)
	r, late := short(t, i)
	sade, at := caseOf(t, i, r.people[late], object{
		"kind": "FINED_IN_TIME", "words": "I paid in time, and my ajo fined me.", "ajoId": r.id, "amount": 8000, "paidOn": lagos.Day(time.Now()),
	})
	tries := func(edits ...object) object {
		return must[object](sade, "POST", at+"/labs", object{"subject": "AJO", "edits": append([]object{}, edits...)})
	}
	require.Empty(t, tries()["lines"], "the rules come to what is recorded")

	// Their money came in time: the pot is full then, and there is no debt and no penalty.
	intime := object{"kind": "MOVED", "position": stepOn(t, sade, at, "Ajo debt paid", r.people[late].id), "at": r.began.Add(3 * 24 * time.Hour).UTC().Format(time.RFC3339)}
	found := tries(intime)
	const paidOtherwise = "OTHERWISE -Ajo payout approved -Ajo paid +Ajo payout approved +Ajo paid"
	creditors := len(r.turn(1)) // Each is owed their part by a debt of its own.
	want := []string{"EDITED +Ajo contributed", "NEW +Ajo cycle ready", "REFUSED" + strings.Repeat(" -Ajo debt opened", creditors) + " -Ajo cycle ready: Cycle 1 is not the one that is paid now."}
	for range creditors - 1 {
		want = append(want, "REFUSED -Ajo debt paid: There is no such debt.")
	}
	require.Equal(t, append(want, paidOtherwise), titles(found))
	require.InDelta(t, r.due(late)/20, byOf(found, "wallet:"+r.people[late].id), 0.001, "the penalty was theirs")

	// As a correction the penalty is waived. What was paid of it is owed back, and is told as what still differs.
	made := must[object](sade, "POST", at+"/plan/from-lab", object{"subject": "AJO", "edits": []object{intime}})
	require.Len(t, made["steps"], creditors)
	for _, step := range made["steps"].([]any) {
		require.Equal(t, "WAIVE", step.(object)["kind"])
	}
	require.Nil(t, made["refused"])
	require.Len(t, made["putsRight"], creditors)
	require.Len(t, made["differs"], creditors+1, "the wallets of who collected, and the member's")
	require.Len(t, made["cannot"], creditors-1, "what followed of the debt is not told as what cannot be: %v", made["cannot"])

	// Another's due never came: they owe it too, and the pot is short of it.
	other := r.turn(4)[0]
	found = tries(object{"kind": "ABSENT", "position": stepOn(t, sade, at, "Ajo contributed", r.people[other].id)})
	require.Equal(t, []string{
		"EDITED -Ajo contributed",
		"OTHERWISE" + strings.Repeat(" -Ajo debt opened", creditors) + " -Ajo cycle ready" + strings.Repeat(" +Ajo debt opened", 2*creditors) + " +Ajo cycle ready",
		paidOtherwise,
	}, titles(found), "those after it do as they did, and only say that more is missing")
	require.Negative(t, byOf(found, "wallet:"+r.people[r.turn(1)[0]].id), "the pot was short")

	// Each night ajo are decided again, and what the rules would not have decided is told.
	ctx := context.Background()
	require.NoError(t, i.App.TimeMachine.DecideAgain(ctx))
	longAgo(t, i, time.Now(), ledgertest.Raw{event.On(ajo.DebtStream(r.id), &nairav1.AjoDebtForgiven{AjoId: r.id, DebtId: "none", CreditorId: r.people[late].id, AmountKobo: 1})})
	require.ErrorContains(t, i.App.TimeMachine.DecideAgain(ctx), "the rules of today come to something else at position")
}

// byOf is by how much a lab's account would hold more.
func byOf(found object, account string) float64 {
	for _, one := range found["accounts"].([]any) {
		if a := one.(object); a["account"] == account {
			return a["by"].(float64)
		}
	}
	return 0
}

func TestALabDrawsAnAjoWithTheRoundThatWouldHaveBeenSealed(t *testing.T) {
	t.Parallel()
	i := jobless(t)
	r := listed(t, i)
	r.draws()
	sade, at := caseOf(t, i, r.people[1], object{"kind": "TURN", "words": "The list was sealed too early.", "ajoId": r.id})
	lab := object{"subject": "AJO", "edits": []object{{
		"kind": "MOVED", "position": stepOn(t, sade, at, "Ajo list closed", r.id), "at": r.began.Add(12 * time.Hour).UTC().Format(time.RFC3339),
	}}}
	found := must[object](sade, "POST", at+"/labs", lab)
	require.Equal(t, []string{
		"REFUSED -Ajo order drawn -Ajo started: Nothing is to be drawn here.", "EDITED +Ajo list closed", "NEW +Ajo order drawn +Ajo started",
	}, titles(found))
	i.TestBeacon.Behave(beacon.Manner{Down: true})
	require.Equal(t, 503, sade.ask("POST", at+"/labs", lab).status, "no draw is told that no beacon made")
}
