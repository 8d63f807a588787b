package liquidation_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/domain/savings"
	. "adashi.ng/ledger/ledgertest"
)

// What somebody asked for before two of our staff gave their account back may have been asked for by a thief.
func TestWhatWasAskedForBeforeAnAccountWasGivenBackIsCalledOff(t *testing.T) {
	t.Parallel()
	later, free := Epoch.Add(time.Hour), Epoch.Add(72*time.Hour)
	own, bill := of("own", "bisi", withdrawal), of("bill", "bisi", disburse)
	past := []any{founded(true, "bola", "chi"), asks("own", "bisi", withdrawal, 10_000), asks("bill", "bisi", disburse, 5_000)}
	for _, by := range []string{"vera", "bola", "ada"} {
		past = append(past, liquidation.Approve(own, by), liquidation.Approve(bill, by))
	}
	refused(t, Given(t, past...), liquidation.Stop(own), fault.Conflict, "nobody has changed it")
	w := Given(t, append(past, later, drafted(account.Stream("bisi"), &nairav1.AccountGivenBackV2{UserId: "bisi", RemedyId: "r", HeldUntil: timestamppb.New(free)}))...)
	for _, asked := range []liquidation.Of{own, bill} {
		refused(t, w, liquidation.Send(asked, "ref", Epoch.Add(48*time.Hour)), fault.Conflict, "called off")
		w.And(liquidation.Stop(asked))
		require.Equal(t, liquidation.Cancelled, stands(t, w, asked.LiquidationID).Status)
	}
	more := asks("more", "bisi", withdrawal, 1_000)
	more.At = free.Add(-time.Second)
	refused(t, w, more, fault.Conflict, "nothing leaves it for a bank until")
	w.And(asks("vendor", "bisi", disburse, 1_000)) // A payment of the group to somebody else is the group's to decide.
	more.At = free
	w.And(more)
}

// What a member asked for waits while one of our staff proposes to give their account back, and goes on once that is
// declined or three days are over.
func TestWhatWasAskedForWaitsWhileItIsProposedToGiveTheAccountBack(t *testing.T) {
	t.Parallel()
	own, bill, held := of("own", "bisi", withdrawal), of("bill", "bisi", disburse), Epoch.Add(48*time.Hour)
	past := []any{founded(true, "bola", "chi"), asks("own", "bisi", withdrawal, 10_000), asks("bill", "bisi", disburse, 5_000)}
	for _, by := range []string{"vera", "bola", "ada"} {
		past = append(past, liquidation.Approve(own, by), liquidation.Approve(bill, by))
	}
	proposed := drafted(account.Stream("bisi"), &nairav1.AccountRemedyProposed{
		UserId: "bisi", RemedyId: "r", Kind: nairav1.RemedyKind_REMEDY_KIND_GIVE_BACK, ProposedBy: "sade", CaseId: "C-1", Since: timestamppb.New(Epoch.Add(-time.Hour)),
	})
	w := Given(t, append(past, proposed)...)
	for _, asked := range []liquidation.Of{own, bill} {
		refused(t, w, liquidation.Send(asked, "ref", held), fault.Conflict, "One of our staff proposes to give this account")
		refused(t, w, liquidation.Stop(asked), fault.Conflict, "nobody has changed it")
	}
	w = Given(t, append(past, proposed)...)
	w.And(liquidation.Send(own, "ref", Epoch.Add(account.ProposalHolds)), liquidation.Send(bill, "ref", Epoch.Add(account.ProposalHolds)))
	more := asks("more", "bisi", withdrawal, 1_000)
	more.At = held
	refused(t, Given(t, founded(true, "bola", "chi"), proposed), more, fault.Conflict, "One of our staff proposes to give this account")
}

// What a thief approved in an official's account does not count once that is given back: the owner approves again.
func TestAnApprovalOfAnOfficialWhoseAccountWasGivenBackDoesNotCount(t *testing.T) {
	t.Parallel()
	bill, back := of("l", "bisi", disburse), savings.GiveBack{GroupID: "g", User: "bola"}
	given := drafted(account.Stream("bola"), &nairav1.AccountGivenBackV2{UserId: "bola", RemedyId: "r", Since: timestamppb.New(Epoch), HeldUntil: timestamppb.New(Epoch)})
	past := []any{founded(true, "bola", "chi"), asks("l", "bisi", disburse, 100_000), liquidation.Approve(bill, "vera"), liquidation.Approve(bill, "bola"), Epoch.Add(time.Minute)}
	refused(t, Given(t, past...), back, fault.Conflict, "was not given back")
	w := Given(t, append(past, given, Epoch.Add(2*time.Minute), back)...)
	refused(t, w, back, fault.Conflict, "was not given back since this was recorded last")
	w.And(liquidation.Approve(bill, "chi"))
	require.Equal(t, liquidation.Validated, stands(t, w, "l").Status, "chi alone has approved")
	require.Contains(t, may(w, "l", "bola"), "APPROVE")
	w.And(liquidation.Approve(bill, "bola"))
	require.Equal(t, liquidation.Approved, stands(t, w, "l").Status)
	refused(t, w, savings.GiveBack{GroupID: "g", User: "bisi"}, fault.Conflict, "holds no office")
}
