package closing_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"

	nairav1 "adashi.ng/proto/gen/naira/v1"
)

const (
	own   = nairav1.LiquidationKind_LIQUIDATION_KIND_MEMBER_WITHDRAWAL
	group = nairav1.LiquidationKind_LIQUIDATION_KIND_GROUP_DISBURSEMENT
)

// Two members are left with open accounts: ada, the owner and only approver, and eve, whose savings came back.
func TestTwoWhoAreLeftDecideAboutWhatComesBackOrItIsSharedOut(t *testing.T) {
	t.Parallel()
	verified := func(u string) any { return account.EndCheck(u, "c"+u, nairav1.BvnFailure_BVN_FAILURE_UNSPECIFIED) }
	for name, office := range map[string]event.Command{
		"validator": savings.AppointValidator{GroupID: "g", User: "eve", By: "ada", Owner: "ada"},
		"approver":  savings.AppointApprover{GroupID: "g", User: "eve", By: "ada"},
		"no office": nil,
	} {
		w := back(t, 5_000_00, verified("ada"), verified("eve"), drafted("group:g", &nairav1.ValidatorAppointed{GroupId: "g", UserId: "bisi"}), goes("bisi"))
		if office != nil {
			w.And(office)
		}
		decidable := false
		for user, kinds := range map[string][]nairav1.LiquidationKind{"ada": {group}, "eve": {own, group}} {
			for _, kind := range kinds {
				amount := 1_000 * money.Naira
				asked := w.When(liquidation.Request{
					LiquidationID: "l", GroupID: "g", SubAccountID: "s", User: user, Kind: kind, Amount: amount, Net: amount - payout.ChargesOn(amount).Total(),
					Provider: event.Vfd, Reason: "what came back", At: Epoch.AddDate(0, 0, 10), Officers: savings.Officers{Users: everybody},
				})
				decidable = decidable || asked.Err == nil
			}
		}
		shared := w.When(shares(" 1", everybody...))
		require.True(t, decidable || shared.Err == nil, "%s: nobody can ask for it, and it is not shared out", name)
	}
}
