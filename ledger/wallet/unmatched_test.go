package wallet_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/fault"
	. "adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/money"
	"adashi.ng/ledger/posting"
	"adashi.ng/ledger/wallet"
)

var (
	arrived  = wallet.ReceiveUnmatched{ProviderRef: "ref", Channel: transfer, Amount: 700 * money.Naira, Reference: "p", Reason: "No such payment.", PaidAt: Epoch}
	proposed = wallet.ProposeUnmatched{ProviderRef: "ref", Channel: transfer, User: "bisi", By: "femi", Reason: "She showed the slip."}
	agreed   = wallet.DecideUnmatched{ProviderRef: "ref", Channel: transfer, User: "bisi", By: "sade", Approve: true}
	declined = wallet.DecideUnmatched{ProviderRef: "ref", Channel: transfer, User: "bisi", By: "sade", Reason: "Another name."}
)

func TestTwoPeopleGiveUnmatchedMoneyToItsMember(t *testing.T) {
	t.Parallel()
	outcome := Given(t, arrived, proposed).When(agreed)
	outcome.ThenBalance("wallet:bisi", 700*money.Naira).ThenBalance(posting.Unmatched, 0)
	outcome.Then(&nairav1.UnmatchedAssigned{
		ProviderRef: "ref", UserId: "bisi", AmountKobo: 70_000, Channel: transfer, ProposedBy: "femi", ApprovedBy: "sade",
	})
}

func TestNobodyGivesUnmatchedMoneyAlone(t *testing.T) {
	t.Parallel()
	alone, herself := agreed, agreed
	alone.By, herself.By = "femi", "bisi"
	Given(t, arrived, proposed).When(alone).ThenFault(fault.Forbidden)
	Given(t, arrived, proposed).When(herself).ThenFault(fault.Forbidden)
	own := proposed
	own.By = "bisi"
	Given(t, arrived).When(own).ThenFault(fault.Forbidden)
	own.By = ""
	Given(t, arrived).When(own).ThenFault(fault.Forbidden)
}

func TestAProposalStandsAsItWasMadeAndOnce(t *testing.T) {
	t.Parallel()
	other, unsaid, another := proposed, proposed, agreed
	other.User, unsaid.Reason, another.User = "chidi", " ", "chidi"
	Given(t).When(proposed).ThenFault(fault.NotFound)
	Given(t).When(agreed).ThenFault(fault.NotFound)
	Given(t, arrived).When(unsaid).ThenField("reason")
	Given(t, arrived).When(agreed).ThenFault(fault.Conflict)
	Given(t, arrived, proposed).When(other).ThenFault(fault.Conflict)
	Given(t, arrived, proposed).When(another).ThenFault(fault.Conflict)
	Given(t, arrived, proposed, agreed).When(agreed).ThenFault(fault.Conflict)
	Given(t, arrived, proposed, agreed).When(proposed).ThenFault(fault.Conflict)
	Given(t, arrived, proposed, agreed).When(declined).ThenFault(fault.Conflict)
}

func TestADeclinedProposalLeavesTheMoneyForAnother(t *testing.T) {
	t.Parallel()
	unsaid := declined
	unsaid.Reason = ""
	Given(t, arrived, proposed).When(unsaid).ThenField("reason")
	w := Given(t, arrived, proposed, declined)
	require.Equal(t, 700*money.Naira, w.Balance(posting.Unmatched))
	w.When(agreed).ThenFault(fault.Conflict)
	back := declined
	back.By = "femi"
	require.NoError(t, Given(t, arrived, proposed).When(back).Err, "who proposed it may take it back")
	require.NoError(t, Given(t, arrived, proposed, declined).When(proposed).Err)
}

func TestAReconciliationIsAttestedOnce(t *testing.T) {
	t.Parallel()
	c := wallet.AttestReserves{Attested: &nairav1.ReservesAttested{ReconciliationId: "r", OwedKobo: 5}}
	Given(t).When(c).Then(c.Attested)
	Given(t, c).When(c).ThenFault(fault.Conflict)
}
