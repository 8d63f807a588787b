package e2e

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/rails/sandbox"
)

// A member who spent a card payment, closed their account and disputes it would get it back if nobody answered.
func TestTheBankOfACardIsAnsweredAlsoAboutSomebodyWhoClosedTheirAccount(t *testing.T) {
	t.Parallel()
	for name, destroyed := range map[string]bool{"closed": false, "data destroyed": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, ctx := answers(t), context.Background()
			sub := a.c.opens("Welfare", "FLEXIBLE", "MONTHLY", 100)
			payment := must[object](a.c.member, "POST", fund, object{"amount": 5000, "email": a.c.member.email, "channel": "CARD"})
			a.c.member.paysWith(payment, "5000.00")
			require.Equal(t, 200, a.c.member.pays(sub, 5000).status)
			require.NoError(t, a.i.Profile.Close(ctx, a.c.member.id))
			if destroyed {
				require.NoError(t, a.i.App.Vault.Destroy(ctx, uuid.MustParse(a.c.member.id), time.Now()))
			}

			var err error
			a.id, err = a.i.Bank.Disputes(ctx, sandbox.CardDispute{Reference: payment["transactionRef"].(string), Category: "fraud"})
			require.NoError(t, err)
			require.Eventually(t, func() bool {
				return a.i.Pool.QueryRow(ctx, "SELECT dispute_id::text FROM rm_disputes WHERE user_id = $1", a.c.member.id).Scan(&a.dispute) == nil
			}, time.Minute, 20*time.Millisecond)
			a.kase = "/api/v1/support/cases/" + a.dispute
			a.path = a.kase + "/bank-answer"
			require.Equal(t, http.StatusOK, a.sade.ask("POST", a.kase+"/take", object{}).status)
			shown := must[object](a.sade, "GET", a.path, nil)
			require.Contains(t, shown["draft"], "credited to their wallet at once")
			require.Contains(t, shown["facts"], "The payer has closed their account with us since.")
			a.sade.stepsUp()
			now := must[object](a.sade, "POST", a.path, declined)
			require.Equal(t, "TAKEN", now["status"], "%v", now["reason"])
			require.Equal(t, declined["words"], now["words"])
			got, err := a.i.Bank.Answered(ctx, a.id)
			require.NoError(t, err)
			require.Equal(t, "declined", got.Resolution)
		})
	}
}
