package e2e

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/holds"
	"adashi.ng/ledger/posting"
)

func TestAnOutcomeNamesEntriesThatAreThereAndConcernTheMember(t *testing.T) {
	t.Parallel()
	w := newWronged(t)
	w.ada.funded(500)
	resolves := func(entries ...string) reply {
		return w.sade.ask("POST", w.at+"/resolve", object{"upheld": true, "words": "We have paid you back all of it.", "entries": entries})
	}
	entry := func(subject, title string) (id string) {
		for _, step := range must[object](w.sade, "GET", w.at+"/steps?subject="+subject+"&limit=100", nil)["steps"].([]any) {
			if s := step.(object); s["title"] == title {
				id = s["eventId"].(string)
			}
		}
		require.NotEmpty(t, id, title)
		return id
	}
	fine := entry("MEMBER", "Penalty applied")
	for _, wrong := range []string{uuid.NewString(), w.ada.movementOf("WALLET_FUNDED"), entry("GROUP", "Group activated")} {
		r := resolves(fine, wrong)
		require.Equal(t, 400, r.status, "%s: %s", wrong, r.Message)
		require.Contains(t, r.Message, wrong)
	}
	require.Equal(t, 200, resolves(fine).status)
}

func TestTheStoryOfACorrectionSaysWhenItWasDecided(t *testing.T) {
	t.Parallel()
	w := newWronged(t)
	began := time.Now().Add(-time.Hour)
	form := w.steps()
	form["steps"] = append(form["steps"].([]object), object{"kind": "ADJUST", "amount": 700})
	must[object](w.sade, "POST", w.at+"/plan", form)
	require.Equal(t, "APPLIED", w.approved(object{"planId": w.plan(w.sade)["id"]})["status"])
	for kind, title := range map[string]string{"UNMATCHED_ASSIGNED": "Looked into", "ADJUSTMENT_PAID": "Decided", "CONTRIBUTION": "Decided"} {
		steps := 0
		for _, s := range must[object](w.bisi, "GET", "/api/v1/activity/"+w.bisi.movementOf(kind), nil)["story"].([]any) {
			step := s.(object)
			at, err := time.Parse(time.RFC3339Nano, step["at"].(string))
			require.NoError(t, err)
			if step["title"] == title {
				steps++
				assert.True(t, at.After(began), "%s %s: %s", title, at, step["detail"])
			}
			assert.NotContains(t, fmt.Sprint(step["detail"]), "You asked to pay")
		}
		assert.Equal(t, 1, steps, kind)
	}
}

func TestWhatWasSetAsideHasNotArrived(t *testing.T) {
	t.Parallel()
	i := product(t)
	bisi := somebody(t, i, "Bisi").funded(900)
	hold, account, amount, now := uuid.NewString(), posting.Wallet(bisi.id), 321*money.Naira, time.Now()
	longAgo(t, i, now, holds.Place{HoldID: hold, Account: account, Amount: amount, Purpose: "test", Now: now, ExpiresAt: now.Add(time.Hour)}, holds.Release(hold, account, amount))
	bisi.movementOf("HOLD_ENDED")
	require.Empty(t, must[object](bisi, "POST", disputesPath+"/search", object{"amount": 321, "day": lagos.Day(now)})["found"])
}
