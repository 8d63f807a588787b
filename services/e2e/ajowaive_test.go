package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/lagos"
	"adashi.ng/services/internal/people"
)

// waives has somebody's penalties in the ajo undone by a correction that a lab makes of itself.
func (r *round) waives(n int) {
	r.Helper()
	t := r.TB.(*testing.T)
	owed := func() (sum float64) {
		for _, d := range r.sees(n)["debts"].([]any) {
			if debt := d.(object); debt["iOwe"] == true {
				sum += debt["left"].(float64)
			}
		}
		return sum
	}
	before := owed()
	sade, at := caseOf(r, r.i, r.people[n], object{
		"kind": "FINED_IN_TIME", "words": "I paid in time, and my ajo fined me.", "ajoId": r.id, "amount": 8000, "paidOn": lagos.Day(time.Now()),
	})
	penalties := must[object](sade, "GET", at+"/plan", nil)["penalties"].([]any)
	require.NotEmpty(r, penalties)
	require.Equal(r, "A penalty in the ajo is undone.", penalties[0].(object)["words"])
	var edits []object
	for _, step := range must[object](sade, "GET", at+"/steps?subject=AJO&back=true&limit=100", nil)["steps"].([]any) {
		for _, p := range penalties {
			s := step.(object)
			if s["title"] == "Ajo debt opened" && strings.Contains(s["body"].(string), p.(object)["debtId"].(string)) {
				edits = append(edits, object{"kind": "ABSENT", "position": s["position"]})
			}
		}
	}
	require.Len(r, edits, len(penalties))
	// Whose turn it was holds half a hand beside another: both are owed, by one command.
	lab := object{"subject": "AJO", "edits": edits}
	require.Len(r, otherwise(must[object](sade, "POST", at+"/labs", lab)), len(edits), "the pot is ready as it was")
	made := must[object](sade, "POST", at+"/plan/from-lab", lab)
	require.Empty(r, made["differs"], "%v", made)
	steps := stepsOf(made)
	require.Len(r, steps, len(penalties))
	form := object{"steps": steps, "words": "The slip of the bank shows it."}
	other := object{"steps": []object{{"kind": "WAIVE", "debtId": uuid.NewString()}}, "words": form["words"]}
	require.Equal(r, 409, sade.ask("POST", at+"/plan", other).status, "a debt that is not")

	holder := r.people[r.turn(2)[0]]
	plan := must[object](sade, "POST", at+"/plan", form)["plan"].(object)
	require.NoError(r, people.GrantRole(t.Context(), r.i.Pool, holder.email, people.RoleAdmin))
	holder.logIn()
	holder.stepsUp()
	refused := holder.ask("POST", at+"/plan/approve", object{"planId": plan["id"]})
	require.Equal(r, 403, refused.status, "who is in the ajo is a party")
	require.Contains(r, refused.Message, "You have a part in this")
	ayo, kunle := staff(t, r.i, "Ayo", people.RoleAdmin).stepsUp(), staff(t, r.i, "Kunle", people.RoleAdmin).stepsUp()
	must[object](ayo, "POST", at+"/plan/approve", object{"planId": plan["id"]})
	done := must[object](kunle, "POST", at+"/plan/approve", object{"planId": plan["id"]})["plan"].(object)
	require.Equal(r, "APPLIED", done["status"], done["reason"])
	r.people[n].told("ajo_penalty_waived")
	require.Empty(r, must[object](sade, "GET", at+"/plan", nil)["penalties"])
	require.Less(r, owed(), before, fmt.Sprint(penalties))
	must[object](sade, "POST", at+"/resolve", object{"upheld": true, "words": "The penalty is undone."})
}
