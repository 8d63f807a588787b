package e2e

import (
	"crypto/ed25519"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/account"
	rules "adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/savings"
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

// A key that a thief registered signs no more, and a group that a thief offered stays.
func TestWhatAThiefSetUpInAnOfficialsAccountEndsWhenItIsGivenBack(t *testing.T) {
	t.Parallel()
	i := product(t)
	sade, uche := desk(t, i)
	c := found(t, i)
	c.approver.known()
	stolen := time.Now()
	public, private, err := ed25519.GenerateKey(nil)
	require.NoError(t, err)
	const phone = nairav1.DeviceKind_DEVICE_KIND_PHONE
	longAgo(t, i, stolen, account.RegisterAttestKey(c.owner.id, public, phone, ed25519.Sign(private, account.AttestKeyStatement(c.owner.id, public, phone))))
	must[any](c.owner.stepsUp(), "POST", c.at("/ownership/offer"), object{"memberId": c.approver.id})
	seen := must[object](c.approver, "GET", details+c.group, nil)["ownershipOffer"]
	must[object](sade, "POST", remediesDesk, giving(c.owner.id, fresh("ada-new"), stolen))
	agreed := uche.agreesTo(c.owner.id)
	require.Equal(t, 200, agreed.status, agreed.Message)
	r := c.approver.stepsUp().ask("POST", c.at("/ownership/answer"), object{"accept": true, "seen": seen})
	require.Equal(t, 409, r.status, "the thief's friend does not get the group: %s", r.Message)
	require.Contains(t, r.Message, "is not offered to anybody")
	a, err := i.App.AccountState(t.Context(), c.owner.id)
	require.NoError(t, err)
	require.True(t, a.AttestKeys[0].Revoked)
	state, err := i.App.Ledger.Load(t.Context(), savings.GroupStream(c.group))
	require.NoError(t, err)
	require.False(t, state.(savings.Group).Held(c.owner.id, stolen), "what was decided meanwhile does not count")
	require.True(t, state.(savings.Group).Held(c.owner.id, time.Now()))
}
