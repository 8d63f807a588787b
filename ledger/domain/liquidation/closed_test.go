package liquidation_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
)

// "What comes back to a group that is closed is still its members'." The only other approver has changed banks since.
func TestWhatComesBackToAClosedGroupCanBeDecidedOn(t *testing.T) {
	t.Parallel()
	receipt := payout.Receipt{ProviderRef: "s", PaidAt: Epoch}
	paid := func(o liquidation.Of, approvers ...string) (all []any) {
		all = append(all, liquidation.Approve(o, "vera"))
		for _, a := range approvers {
			all = append(all, liquidation.Approve(o, a))
		}
		return append(all, sends(o, o.LiquidationID), liquidation.Pay(o, o.LiquidationID, receipt))
	}
	first, second, mine := of("l", "bisi", withdrawal), of("m", "eve", disburse), of("n", "ada", withdrawal)
	w := Given(t, founded(true, "bola"), saves("ada", 20_000), asks("l", "bisi", withdrawal, 100_000), paid(first, "bola", "ada"),
		asks("m", "eve", disburse, 50_000), paid(second, "bola", "ada"), asks("n", "ada", withdrawal, 20_000), paid(mine, "bola"))
	w.And(savings.CloseGroup{GroupID: "g", By: "ada", Reason: "It is done", SubAccounts: []string{"s"}}, account.MoveBank("bola", true),
		liquidation.Reverse(mine, "x", "The account is closed"))
	require.Equal(t, savings.Closed, w.State("group:g").(savings.Group).Status)
	again := asks("o", "ada", withdrawal, 20_000)
	refused(t, w, again, fault.Conflict, "Another approver must be appointed first.")
	w.And(savings.AppointApprover{GroupID: "g", User: "chi", By: "ada"})
	again.At = Epoch.Add(2 * savings.CoolOff)
	w.And(again.At, again)
	w.And(paid(of("o", "ada", withdrawal), "chi"))
}

// It goes to every member in our own notices.
func TestWhatIsSaidOfARequestCarriesNoAddressAndNothingUnseen(t *testing.T) {
	t.Parallel()
	bill := of("l", "ada", disburse)
	for _, said := range []string{"Your money is safe at http://adashi.example.evil/claim", "Ask at evil.com", "Sch\u200bool fees", "Say", "No"} {
		fit := said == "Say"
		w := Given(t, founded(true, "bola", "chi"))
		asked := asks("l", "ada", disburse, 5_000)
		asked.Reason = said
		if _, err := w.Do(asked); fit {
			require.NoError(t, err)
			continue
		}
		refused(t, w, asked, fault.Invalid, "The reason")
		asked.Reason = "School fees"
		w.And(asked)
		for _, c := range []event.Command{liquidation.Object(bill, "bisi", said, Epoch), liquidation.Reject(bill, "vera", said)} {
			refused(t, w, c, fault.Invalid, "The reason")
		}
		w.And(liquidation.Object(bill, "bisi", "What is it for?", Epoch), liquidation.Object(bill, "eve", "What is it for?", Epoch))
		refused(t, w, liquidation.Answer(bill, "bola", said, Epoch), fault.Invalid, "The reason")
	}
}
