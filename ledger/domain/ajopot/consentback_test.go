package ajopot_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/ajoconsent"
	"adashi.ng/ledger/event"
)

// An account that an earlier build gave back: nothing ended its consents then, and the row of the remedy is over.
func TestWhoGotTheirAccountBackEarlierCanConsentAgain(t *testing.T) {
	t.Parallel()
	l := ordered(t, 4, nairav1.AjoOrder_AJO_ORDER_JOIN_ORDER, nil)
	victim := person(3)
	l.at(morning(l.ajo().Due(1)))
	stolen := l.now
	l.do(ajoconsent.Set{AjoID: ajoID, User: victim, Dues: true})
	l.at(l.now.Add(time.Hour))
	l.And(event.On(account.Stream(victim), &nairav1.AccountGivenBackV2{UserId: victim, RemedyId: "r", Since: timestamppb.New(stolen), HeldUntil: timestamppb.New(l.now)}))
	l.at(l.now.Add(time.Hour))
	_, err := l.Do(ajoconsent.Set{AjoID: ajoID, User: victim, Dues: true})
	require.NoError(t, err)
}
