package dispute_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
)

func told(answerIn time.Duration) dispute.TellCard {
	return dispute.TellCard{
		DisputeID: "d", User: "bisi", Payment: "p", Provider: event.Paystack, Ref: "dispute-7", Amount: 5000 * money.Naira, Reason: "fraud",
		AnswerBy: monday.Add(answerIn), Now: monday,
	}
}

var ended = dispute.EndCard{DisputeID: "d", User: "bisi", Provider: event.Paystack, Ref: "dispute-7", Upheld: true}

func TestTheBankOfACardOpensADisputeThatIsDecidedBeforeItStopsListening(t *testing.T) {
	t.Parallel()
	Given(t).When(told(48*time.Hour)).Then(
		&nairav1.CardDisputeTold{
			DisputeId: "d", UserId: "bisi", Provider: string(event.Paystack), ProviderRef: "dispute-7", PaymentId: "p", AmountKobo: 500_000, Reason: "fraud",
			AnswerBy: timestamppb.New(monday.Add(48 * time.Hour)), About: "card dispute-7",
			AcknowledgeBy: timestamppb.New(monday.Add(24 * time.Hour)), DecideBy: timestamppb.New(monday.Add(48 * time.Hour)),
		},
		&nairav1.DisputeCounted{UserId: "bisi", DisputeId: "d", About: "card dispute-7", Open: true})
	for in, by := range map[time.Duration][2]time.Duration{
		time.Hour: {time.Hour, time.Hour}, 24 * time.Hour: {24 * time.Hour, 24 * time.Hour}, 400 * time.Hour: {24 * time.Hour, 72 * time.Hour}, -time.Hour: {24 * time.Hour, 72 * time.Hour},
	} {
		d := state(Given(t, told(in)))
		require.Equal(t, [2]time.Time{monday.Add(by[0]), monday.Add(by[1])}, [2]time.Time{d.AcknowledgeBy, d.DecideBy}, "%v", in)
	}
}

func TestTheBankOfACardDoesNotAskWhetherThereIsRoom(t *testing.T) {
	t.Parallel()
	w := Given(t, event.On(account.Stream("bisi"), &nairav1.AccountClosed{UserId: "bisi"}))
	for n := range dispute.AtOnce {
		c := told(time.Hour)
		c.DisputeID, c.Ref = fmt.Sprint(n), fmt.Sprint(n)
		w.And(c)
	}
	w.And(told(time.Hour))
	w.When(told(time.Hour)).ThenFault(fault.Conflict)
}

func TestWhatTheBankOfACardDecidesIsTheEnd(t *testing.T) {
	t.Parallel()
	Given(t).When(ended).ThenFault(fault.NotFound)
	Given(t, claim("d", notCredited, "x")).When(ended).ThenFault(fault.NotFound)
	w := Given(t, told(48*time.Hour), dispute.Take(kase), dispute.Ask(kase, said, monday))
	w.When(dispute.Withdraw("d", "bisi", "")).ThenFault(fault.Conflict)
	w.When(ended).Then(&nairav1.CardDisputeEnded{DisputeId: "d", UserId: "bisi", Provider: string(event.Paystack), ProviderRef: "dispute-7", Upheld: true},
		&nairav1.DisputeCounted{UserId: "bisi", DisputeId: "d", About: "card dispute-7"})
	w.When(ended).ThenFault(fault.Conflict)
	require.Contains(t, w.When(dispute.Reopen("d", "bisi", said, monday)).ThenFault(fault.Conflict).Message, "The bank of the card decided this.")
	require.Equal(t, dispute.Upheld, state(w).Status)

	lost := ended
	lost.Upheld = false
	w = Given(t, told(48*time.Hour), dispute.Take(kase), dispute.Resolve(kase, true, said, nil, monday), lost)
	require.Equal(t, dispute.Upheld, state(w).Status, "what Support had decided stays as it was said")
	w.When(dispute.Reopen("d", "bisi", said, monday)).ThenFault(fault.Conflict)
	require.Equal(t, dispute.Rejected, state(Given(t, told(48*time.Hour), lost)).Status)
}
