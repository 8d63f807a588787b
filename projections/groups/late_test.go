package groups

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/savings"
)

func TestADueIsLateWhenTheLedgerSaysItsPeriodIsOver(t *testing.T) {
	t.Parallel()
	for number := range nairav1.PaymentFrequency_name {
		frequency := nairav1.PaymentFrequency(number)
		if frequency == nairav1.PaymentFrequency_PAYMENT_FREQUENCY_UNSPECIFIED {
			continue
		}
		schedule := savings.Schedule{First: time.Date(2027, 12, 1, 0, 0, 0, 0, time.UTC), Frequency: frequency}
		for k := range 30 {
			if frequency == nairav1.PaymentFrequency_PAYMENT_FREQUENCY_ONE_TIME && k > 0 {
				break
			}
			over := dueOver(schedule.Start(k).Format(time.DateOnly), frequency)
			require.Equal(t, schedule.Due(k), savings.Day(over.Add(-time.Second)), "%s %d", frequency, k)
			require.Equal(t, schedule.Due(k).AddDate(0, 0, 1), savings.Day(over), "%s %d", frequency, k)
		}
	}
}
