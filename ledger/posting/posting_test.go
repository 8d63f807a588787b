package posting_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"pgregory.net/rapid"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/posting"
)

func TestEveryEventHasItsCaseAndItsLinesSumToNothing(t *testing.T) {
	t.Parallel()
	types := ledgertest.CurrentEventTypes()
	require.GreaterOrEqual(t, len(types), 13)
	for _, mt := range types {
		t.Run(string(mt.Descriptor().Name()), func(t *testing.T) {
			t.Parallel()
			// A message without a case panics here, and names itself.
			lines := posting.Lines(ledgertest.Filled(mt).Interface())
			balanced(t, lines)
			moves := proto.GetExtension(mt.Descriptor().Options(), nairav1.E_Money)
			require.Equal(t, moves == nairav1.Money_MONEY_MOVES, len(lines) > 0, "its schema says %s", moves)
		})
	}
}

func balanced(t require.TestingT, lines []event.Line) {
	var sum money.Kobo
	accounts := map[string]bool{}
	for _, line := range lines {
		sum += line.Amount
		require.False(t, accounts[line.Account], "%s twice in one event", line.Account)
		accounts[line.Account] = true
		require.NotContains(t, line.Account, ",")
	}
	require.Zero(t, sum)
	require.LessOrEqual(t, len(lines), 8, "the table holds eight lines an event")
}

func TestAMessageThatIsNoEventIsNeverTakenForOneThatMovesNothing(t *testing.T) {
	t.Parallel()
	require.PanicsWithValue(t, "posting: no case for naira.v1.Settlement", func() { posting.Lines(&nairav1.Settlement{}) })
}

func TestMoneyEventsBalanceWhateverTheirFigures(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		amount := func(label string) int64 { return rapid.Int64Range(0, int64(money.Max)).Draw(t, label) }
		channel := nairav1.Channel(rapid.IntRange(1, 3).Draw(t, "channel"))
		confirmed := &nairav1.PaymentConfirmedV2{UserId: "u", Channel: channel, Provider: string(event.ProviderOnce(channel)), AmountKobo: amount("amount"), ChargeKobo: amount("charge"), GatewayFeeKobo: amount("fee")}
		for _, m := range []protoreflect.ProtoMessage{
			confirmed,
			&nairav1.UnmatchedMoneyReceivedV2{Channel: channel, Provider: string(event.ProviderOnce(channel)), AmountKobo: amount("unmatched")},
			&nairav1.ContributionReceived{UserId: "u", SubAccountId: "s", AmountKobo: amount("contribution")},
		} {
			balanced(t, posting.Lines(m))
		}
	})
}

func TestOnlyWhatTheHouseOwesIsFloored(t *testing.T) {
	t.Parallel()
	for account, floored := range map[string]bool{
		posting.Wallet("u"): true, posting.Pool("s"): true, posting.Unmatched: true,
		posting.Bank(event.Paystack): false, posting.Bank(event.Vfd): false, posting.FeesGateway: false, posting.FeesCharged: false, posting.FeesVariance: false,
	} {
		require.Equal(t, floored, posting.Floored(account), account)
	}
}
