package e2e

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/lagos"
)

// Money that a member claims is shown so at the desk, and no case of another member gets it.
func TestMoneyThatAMemberClaimsIsShownSoAndInNoPlanForAnother(t *testing.T) {
	t.Parallel()
	w := newWronged(t)
	theirs := arrivals(w.femi.waiting(1))[0]["id"].(string)
	require.Equal(t, theirs, w.fromLab(w.inTime())["steps"].([]any)[0].(object)["arrivalId"])
	claim := must[object](w.ada, "POST", disputesPath, object{
		"kind": "NOT_CREDITED", "words": "I paid this, and it is not in my wallet.", "amount": 5000, "paidOn": lagos.Day(time.Now()), "arrivalId": theirs,
	})

	shown := arrivals(w.femi.waiting(1))[0]["claims"].([]any)
	require.Len(t, shown, 1)
	require.Equal(t, []any{claim["id"], "Ada"}, []any{shown[0].(object)["disputeId"], strings.Fields(shown[0].(object)["memberName"].(string))[0]})
	for _, step := range w.fromLab(w.inTime())["steps"].([]any) {
		require.NotEqual(t, theirs, step.(object)["arrivalId"], "it is another's to claim")
	}
	r := w.sade.ask("POST", w.at+"/plan", object{"steps": []object{{"kind": "ASSIGN", "arrivalId": theirs}}, "words": "The slip shows that it was hers."})
	require.Equal(t, 400, r.status, r.Message)
	require.Contains(t, r.Message, "Another member says in the open dispute "+shown[0].(object)["number"].(string))
}
