package savings_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
)

func TestAVoterWhoseAccountWasGivenBackKeepsTheirVote(t *testing.T) {
	t.Parallel()
	w := Given(t, roomy, verifies("femi"), verifies("chidi"), long, proposes("femi", "femi"), long.Add(time.Hour),
		event.On(account.Stream("chidi"), &nairav1.AccountGivenBack{UserId: "chidi", RemedyId: "r", Since: timestamppb.New(long), HeldUntil: timestamppb.New(long)}),
		long.Add(2*time.Hour), savings.GiveBack{GroupID: "g", User: "chidi"})
	require.Contains(t, group(w).Voters(), "chidi")
	again := votes("chidi", true)
	again.Now = long.Add(3 * time.Hour)
	w.And(long.Add(3*time.Hour), again)
}
