package payout_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
)

// claims is that a member says in a dispute that the stray money is theirs.
func claims(id, user string) dispute.Claim {
	return dispute.Claim{
		DisputeID: id, User: user, Kind: nairav1.DisputeKind_DISPUTE_KIND_NOT_CREDITED, About: "money " + id, Amount: 700 * money.Naira, Arrival: "arrival",
		Money: wallet.Named{Provider: event.Vfd, ProviderRef: "ref"}, Words: &nairav1.Words{PaperId: "p"}, Now: Epoch,
	}
}

func TestMoneyThatAMemberClaimsDoesNotGoBackBeforeThatIsDecided(t *testing.T) {
	t.Parallel()
	propose, agree, send := back, agreeBack, payout.SendMoneyBack(strays, "b", "Adashi-b", "d")
	propose.Claims, agree.Claims = []string{"d"}, []string{"d"}

	w := Given(t, came)
	w.When(claims("d", "tayo")).Then(
		w.Drafts[len(w.Drafts)-3].Message, w.Drafts[len(w.Drafts)-2].Message,
		&nairav1.MoneyClaimed{ProviderRef: "ref", Provider: "vfd", DisputeId: "d", UserId: "tayo"},
	)
	w.When(back).ThenFault(fault.Unavailable)
	w.When(propose).ThenFault(fault.Conflict)
	require.NoError(t, w.When(dispute.Withdraw("d", "tayo", "")).Err)
	require.NoError(t, w.When(propose).Err, "nobody claims it any more")

	w = Given(t, came, back, claims("d", "tayo"))
	w.When(agreeBack).ThenFault(fault.Unavailable)
	w.When(agree).ThenFault(fault.Conflict)
	require.NoError(t, w.When(noTo).Err)

	for name, steps := range map[string][]any{"once it is agreed": {back, agreeBack}, "once the bank is told": {back, agreeBack, tellsBank}, "once it is paid": {back, agreeBack, tellsBank, paysBack}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			Given(t, append([]any{came}, steps...)...).When(claims("d", "tayo")).ThenField("arrivalId")
		})
	}

	decided := []any{came, claims("d", "tayo"), dispute.Take(dispute.Case{DisputeID: "d", User: "tayo", Staff: "femi"})}
	decided = append(decided, dispute.Resolve(dispute.Case{DisputeID: "d", User: "tayo", Staff: "femi"}, false, &nairav1.Words{PaperId: "q"}, nil, Epoch), propose, agree)
	w = Given(t, decided...)
	w.When(payout.CallOffMoneyBack(strays, "b", "d")).ThenFault(fault.Conflict)
	require.NoError(t, w.When(dispute.Reopen("d", "tayo", &nairav1.Words{PaperId: "r"}, Epoch)).Err)
	w.When(send).ThenFault(fault.Conflict)
	require.NoError(t, w.When(payout.CallOffMoneyBack(strays, "b", "d")).Err)
	stands(t, w, 700*money.Naira, 0, 0)
	stands(t, Given(t, append(decided, send)...), 0, 700*money.Naira, 0)
}

// What two of us agree to they agree to knowing who claims the money.
func TestAnAgreementAboutMoneyNamesTheClaimsThatWereSeen(t *testing.T) {
	t.Parallel()
	propose := wallet.ProposeUnmatched{ProviderRef: "ref", Provider: event.Vfd, User: "chidi", By: "femi", Reason: "She showed the slip."}
	agree := wallet.DecideUnmatched{ProviderRef: "ref", Provider: event.Vfd, User: "chidi", By: "sade", Approve: true}
	agree.Seen = wallet.ArrivalProposal("chidi", "femi", propose.Reason, 700*money.Naira)
	require.NoError(t, Given(t, came, propose).When(agree).Err)
	w := Given(t, came, propose, claims("d", "tayo"))
	w.When(agree).ThenFault(fault.Conflict)
	agree.Seen = wallet.WithClaims(agree.Seen, []string{"d"})
	require.NoError(t, w.When(agree).Err)
}
