package transitions

import (
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger"
	"adashi.ng/ledger/ledgertest"
)

func TestEveryEventTypeHasItsPlaceInAStateMachine(t *testing.T) {
	t.Parallel()
	for _, mt := range ledgertest.CurrentEventTypes() {
		message, placed := mt.New().Interface(), 0
		for _, a := range ledger.Aggregates() {
			if Knows(a.Category, message) {
				placed++
			}
		}
		require.Equal(t, 1, placed, "%s: add its transition to ledger/infra/audit/transitions", mt.Descriptor().FullName())
	}
}

func TestEveryAggregateHasAStateMachine(t *testing.T) {
	t.Parallel()
	for _, a := range ledger.Aggregates() {
		found := false
		for _, mt := range ledgertest.CurrentEventTypes() {
			message := mt.New().Interface()
			found = found || Knows(a.Category, message)
		}
		require.True(t, found, a.Category)
	}
}

func TestAPaymentTakesOnlyAllowedTransitions(t *testing.T) {
	t.Parallel()
	types := map[string]int{}
	for i, mt := range ledgertest.CurrentEventTypes() {
		types[string(mt.Descriptor().Name())] = i
	}
	for _, c := range []struct {
		at   Stage
		name string
		ok   bool
	}{
		{Nothing, "PaymentInitiatedV2", true},
		{initiated, "PaymentInitiatedV2", false},
		{initiated, "PaymentConfirmedV2", true},
		{pending, "PaymentConfirmedV2", true},
		{confirmed, "PaymentConfirmedV2", false},
		{failed, "PaymentConfirmedV2", true},
		{expired, "PaymentConfirmedV2", true},
		{reversed, "PaymentLossBorne", true},
		{confirmed, "PaymentLossBorne", false},
		{Nothing, "PaymentConfirmedV2", false},
		{confirmed, "PaymentReversedV3", true},
		{reversed, "PaymentReversedV3", true},
		{reversed, "PaymentConfirmedV2", false},
		{confirmed, "ContributionRefused", true},
		{pending, "ContributionRefused", false},
		{pending, "PaymentReversedV3", false},
		{initiated, "PaymentExpired", true},
		{pending, "PaymentExpired", false},
		{Archived, "PaymentReversedV3", true},
		{Nothing, "HoldPlaced", false},
	} {
		_, ok := Next("payment", c.at, ledgertest.CurrentEventTypes()[types[c.name]].New().Interface())
		require.Equal(t, c.ok, ok, "%s at %d", c.name, c.at)
	}
}

func TestAWithdrawalIsSentBeforeItIsPaidAndEndsOnce(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		category string
		at       Stage
		m        proto.Message
		ok       bool
	}{
		{"withdrawal", Nothing, &nairav1.WithdrawalRequestedV2{}, true},
		{"withdrawal", Nothing, &nairav1.WithdrawalSent{}, false},
		{"withdrawal", initiated, &nairav1.WithdrawalSent{}, true},
		{"withdrawal", pending, &nairav1.WithdrawalSent{}, false},
		{"withdrawal", failed, &nairav1.WithdrawalSent{}, false},
		{"withdrawal", initiated, &nairav1.WithdrawalPaidV2{}, false},
		{"withdrawal", pending, &nairav1.WithdrawalPaidV2{}, true},
		{"withdrawal", failed, &nairav1.WithdrawalPaidV2{}, false},
		{"withdrawal", initiated, &nairav1.WithdrawalFailed{}, true},
		{"withdrawal", pending, &nairav1.WithdrawalFailed{}, true},
		{"withdrawal", confirmed, &nairav1.WithdrawalFailed{}, false},
		{"withdrawal", confirmed, &nairav1.WithdrawalReversedV2{}, true},
		{"withdrawal", pending, &nairav1.WithdrawalReversedV2{}, false},
		{"withdrawal", reversed, &nairav1.WithdrawalReversedV2{}, false},
		{"payment", Nothing, &nairav1.WithdrawalRequestedV2{}, false},
		{"outflow", Nothing, &nairav1.WithdrawalsCounted{}, true},
		{"account", active, &nairav1.TierSet{}, true},
		{"account", ended, &nairav1.TierSet{}, false},
	} {
		_, ok := Next(c.category, c.at, c.m)
		require.Equal(t, c.ok, ok, "%s: %T at %d", c.category, c.m, c.at)
	}
}
