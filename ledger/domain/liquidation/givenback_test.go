package liquidation_test

import (
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/domain/savings"
	. "adashi.ng/ledger/ledgertest"
)

func TestAPaymentThatAThiefDecidedOnDoesNotLeaveAndIsCalledOff(t *testing.T) {
	t.Parallel()
	bill := of("l", "bisi", disburse)
	for _, thief := range []string{"vera", "bola"} { // Who validated it, and the second who approved it.
		givenBack := drafted(account.Stream(thief), &nairav1.AccountGivenBackV2{UserId: thief, RemedyId: "r", Since: timestamppb.New(Epoch), HeldUntil: timestamppb.New(Epoch)})
		decided := []any{
			founded(true, "bola", "chi"), asks("l", "bisi", disburse, 100_000),
			liquidation.Approve(bill, "vera"), liquidation.Approve(bill, "chi"), liquidation.Approve(bill, "bola"),
		}
		w := Given(t, decided...)
		w.When(liquidation.Stop(bill)).ThenFault(fault.Conflict)

		w = Given(t, append(decided, Epoch.Add(time.Minute), givenBack, Epoch.Add(2*time.Minute), savings.GiveBack{GroupID: "g", User: thief})...)
		w.When(sends(bill, "ref")).ThenFault(fault.Conflict)
		w.When(liquidation.Stop(bill)).ThenBalance("held:pool:s", 0)
	}
}
