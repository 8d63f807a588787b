package losses

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/event"
)

func TestALostRecordConcernsWhoseItIsAndWhoseActItWas(t *testing.T) {
	t.Parallel()
	for name, lost := range map[string]struct {
		message proto.Message
		actor   string
		concern []string
	}{
		"an approval":                  {&nairav1.LiquidationApproved{LiquidationId: "l", ApprovedBy: "ada"}, "ada", []string{"ada"}},
		"an objection":                 {&nairav1.LiquidationObjected{LiquidationId: "l", ObjectedBy: "bisi"}, "bisi", []string{"bisi"}},
		"a payout of a group":          {&nairav1.LiquidationPaidV2{LiquidationId: "l", RequestedBy: "chidi"}, "system", []string{"chidi"}},
		"a payment for another member": {&nairav1.ContributionCovered{UserId: "dayo", PaidBy: "ada"}, "ada", []string{"ada", "dayo"}},
		"a job's own":                  {&nairav1.ReservesAttestedV2{}, "system", nil},
	} {
		body, err := proto.Marshal(lost.message)
		require.NoError(t, err)
		r := event.Record{Type: event.TypeOf(lost.message), Actor: lost.actor, Command: uuid.New(), Body: body}
		require.Equal(t, lost.concern, concerned(&r), name)
	}
}
