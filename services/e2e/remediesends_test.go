package e2e

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	rules "adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/event"
)

func TestWhatAThiefLetAnAjoTakeEndsWhenTheAccountIsGivenBack(t *testing.T) {
	t.Parallel()
	i := jobless(t)
	sade, uche := desk(t, i)
	r := listed(t, i)
	owner, stolen, mine := r.people[1], time.Now(), fresh("bola-new")
	thief := thiefOf(owner)
	must[object](thief, "POST", "/api/v1/ajo/"+r.id+"/consent", object{"dues": true, "sweep": true})
	must[object](sade, "POST", remediesDesk, giving(owner.id, mine, stolen))
	agreed := uche.agreesTo(owner.id)
	require.Equal(t, 200, agreed.status, agreed.Message)
	last := r.lastOn(rules.BookStream(r.id, owner.id))
	require.Equal(t, event.TypeOf(&nairav1.AjoConsentEnded{}), last.Type)

	owner.resets(mine)
	require.Eventually(t, func() bool {
		me := r.sees(1)["me"].(object)
		return me["consentDues"] == false && me["consentSweep"] == false
	}, 10*time.Second, 20*time.Millisecond)
	require.Eventually(t, func() bool {
		for _, n := range must[object](owner, "GET", "/api/Notification/all", nil)["notifications"].([]any) {
			if data := n.(object)["data"].(object); data["link"] == "/ajo/"+r.id && strings.Contains(data["body"].(string), "Somebody else used this account when it let us take") {
				return true
			}
		}
		return false
	}, 10*time.Second, 20*time.Millisecond, "the owner learns that it ended")
}
