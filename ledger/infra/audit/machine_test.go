package audit

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
			if _, ok := allowed(a.Category, message); ok || keeps(a.Category, message) {
				placed++
			}
		}
		require.Equal(t, 1, placed, "%s: add its transition to machine.go", mt.Descriptor().FullName())
	}
}

func TestEveryAggregateHasAStateMachine(t *testing.T) {
	t.Parallel()
	for _, a := range ledger.Aggregates() {
		found := false
		for _, mt := range ledgertest.CurrentEventTypes() {
			message := mt.New().Interface()
			_, ok := allowed(a.Category, message)
			found = found || ok
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
		at   stage
		name string
		ok   bool
	}{
		{nothing, "PaymentInitiated", true},
		{initiated, "PaymentInitiated", false},
		{initiated, "PaymentConfirmed", true},
		{pending, "PaymentConfirmed", true},
		{confirmed, "PaymentConfirmed", false},
		{failed, "PaymentConfirmed", false},
		{expired, "PaymentConfirmed", false},
		{nothing, "PaymentConfirmed", false},
		{confirmed, "PaymentReversedV2", true},
		{reversed, "PaymentReversedV2", true},
		{reversed, "PaymentConfirmed", false},
		{confirmed, "ContributionRefused", true},
		{pending, "ContributionRefused", false},
		{pending, "PaymentReversedV2", false},
		{initiated, "PaymentExpired", true},
		{pending, "PaymentExpired", false},
		{elsewhere, "PaymentReversedV2", true},
		{nothing, "HoldPlaced", false},
	} {
		_, ok := next("payment", c.at, ledgertest.CurrentEventTypes()[types[c.name]].New().Interface())
		require.Equal(t, c.ok, ok, "%s at %d", c.name, c.at)
	}
}

func TestAWithdrawalIsSentBeforeItIsPaidAndEndsOnce(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		category string
		at       stage
		m        proto.Message
		ok       bool
	}{
		{"withdrawal", nothing, &nairav1.WithdrawalRequested{}, true},
		{"withdrawal", nothing, &nairav1.WithdrawalSent{}, false},
		{"withdrawal", initiated, &nairav1.WithdrawalSent{}, true},
		{"withdrawal", pending, &nairav1.WithdrawalSent{}, false},
		{"withdrawal", failed, &nairav1.WithdrawalSent{}, false},
		{"withdrawal", initiated, &nairav1.WithdrawalPaid{}, false},
		{"withdrawal", pending, &nairav1.WithdrawalPaid{}, true},
		{"withdrawal", failed, &nairav1.WithdrawalPaid{}, false},
		{"withdrawal", initiated, &nairav1.WithdrawalFailed{}, true},
		{"withdrawal", pending, &nairav1.WithdrawalFailed{}, true},
		{"withdrawal", confirmed, &nairav1.WithdrawalFailed{}, false},
		{"withdrawal", confirmed, &nairav1.WithdrawalReversed{}, true},
		{"withdrawal", pending, &nairav1.WithdrawalReversed{}, false},
		{"withdrawal", reversed, &nairav1.WithdrawalReversed{}, false},
		{"payment", nothing, &nairav1.WithdrawalRequested{}, false},
		{"outflow", nothing, &nairav1.WithdrawalsCounted{}, true},
		{"account", active, &nairav1.TierSet{}, true},
		{"account", ended, &nairav1.TierSet{}, false},
	} {
		_, ok := next(c.category, c.at, c.m)
		require.Equal(t, c.ok, ok, "%s: %T at %d", c.category, c.m, c.at)
	}
}
