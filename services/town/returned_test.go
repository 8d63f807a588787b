package town

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/event"
)

// The questions about accounts that are given back see what a rule let through. Events come an hour after each other.
func TestTheTownSeesWhatAThiefSetUpAndWhatLeftMeanwhile(t *testing.T) {
	const ada = "ada"
	hour := func(n int) time.Time { return begins.Add(time.Duration(n) * time.Hour) }
	proposed := &nairav1.AccountRemedyProposed{UserId: ada, Kind: nairav1.RemedyKind_REMEDY_KIND_GIVE_BACK}
	given := &nairav1.AccountGivenBackV2{UserId: ada, Since: timestamppb.New(hour(0)), HeldUntil: timestamppb.New(hour(9))}
	declined := &nairav1.AccountRemedyDeclined{UserId: ada}
	asked, left := &nairav1.WithdrawalRequestedV2{UserId: ada}, &nairav1.WithdrawalSent{UserId: ada}
	set, ran := &nairav1.StandingOrderSet{OrderId: "o", UserId: ada}, &nairav1.StandingOrderRan{OrderId: "o", UserId: ada}
	consents, taken := &nairav1.AjoConsentSet{AjoId: "a", UserId: ada}, &nairav1.AjoDebtPaid{AjoId: "a", PaidBy: ada, Taken: "sweep"}
	offers, passed := &nairav1.OwnershipOffered{GroupId: "g", OfferedBy: ada}, &nairav1.OwnershipPassed{GroupId: "g", FromUserId: ada}
	needs := &nairav1.LiquidationDecidersFixed{LiquidationId: "l", ApprovalsNeeded: 1}
	validated := &nairav1.LiquidationValidated{LiquidationId: "l", ValidatedBy: "vera"}
	approved, paid := &nairav1.LiquidationApproved{LiquidationId: "l", ApprovedBy: ada}, &nairav1.LiquidationSent{LiquidationId: "l"}
	waives, waived := &nairav1.WaiverRequested{WaiverId: "w", RequestedBy: ada}, &nairav1.WaiverApproved{WaiverId: "w"}
	for what, c := range map[string]struct {
		question string
		events   []proto.Message
	}{
		"a withdrawal is sent meanwhile":         {heldBack, []proto.Message{asked, proposed, left}},
		"a withdrawal is asked for meanwhile":    {heldBack, []proto.Message{proposed, asked}},
		"it is asked for too early afterwards":   {heldBack, []proto.Message{proposed, given, asked}},
		"nothing waits once it is declined":      {"", []proto.Message{proposed, declined, asked, left}},
		"no second proposal begins it again":     {"", []proto.Message{proposed, declined, proposed, asked}},
		"an order runs":                          {theftIs, []proto.Message{set, given, ran}},
		"an order of the owner's own runs":       {"", []proto.Message{given, set, ran}},
		"a debt is taken by a consent":           {theftIs, []proto.Message{consents, given, taken}},
		"a debt is taken by a consent of since":  {"", []proto.Message{consents, given, consents, taken}},
		"a group passes":                         {theftIs, []proto.Message{offers, given, passed}},
		"a payment is sent that they approved":   {theftIs, []proto.Message{needs, validated, approved, given, paid}},
		"a payment that they approve again":      {"", []proto.Message{needs, validated, approved, given, approved, paid}},
		"it is sent again, and was sent before":  {"", []proto.Message{needs, validated, approved, paid, given, paid}},
		"a due is let off that they asked about": {theftIs, []proto.Message{waives, given, waived}},
		"they decide again":                      {"", []proto.Message{waives, given, waives, waived}},
	} {
		b, found := newReturned(), ""
		for n, m := range c.events {
			for _, ask := range []func(proto.Message, event.Record) *Failure{b.remedies, b.sets, b.offices} {
				if f := ask(m, event.Record{RecordedAt: hour(n + 1)}); f != nil {
					found = f.Question
				}
			}
		}
		require.Equal(t, c.question, found, what)
	}
}
