package savings_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/savings"
	. "adashi.ng/ledger/ledgertest"
)

// Of four voters femi is for himself and gozie against him; the others are never here again.
func TestAVoteThatNobodyFinishesEndsAndMakesWayForAnother(t *testing.T) {
	t.Parallel()
	open := func() *World {
		return Given(t, roomy, admits("gozie"), empowers("ada", "gozie"), admits("halima"), empowers("ada", "halima"), admits("ife"), empowers("ada", "ife"),
			verifies("femi"), verifies("gozie"), verifies("halima"), verifies("ife"), long, proposes("femi", "femi"), votes("gozie", false))
	}
	at := func(after time.Duration) savings.EndSuccession {
		return savings.EndSuccession{GroupID: "g", Candidate: "femi", OwnerSeen: Epoch, Now: long.Add(after)}
	}
	over := &nairav1.SuccessionEnded{GroupId: "g", CandidateId: "femi", Reason: "It was not decided within 14 days."}
	refused(t, open(), at(savings.VoteFor-time.Second), fault.Conflict, "waits for others")
	open().When(at(savings.VoteFor)).Then(over)

	again := proposes("gozie", "gozie")
	again.Now = long.Add(savings.VoteFor - time.Second)
	refused(t, open(), again, fault.Conflict, "open already")
	again.Now = long.Add(savings.VoteFor)
	late := votes("halima", true)
	late.Now = again.Now
	refused(t, open(), late, fault.Conflict, "This vote was open until 29 December 2026")
	w := open().When(again).Then(over, &nairav1.SuccessionProposed{GroupId: "g", CandidateId: "gozie", ProposedBy: "gozie", OwnerSeenAt: timestamppb.New(Epoch)},
		&nairav1.VotersFixed{GroupId: "g", CandidateId: "gozie", VoterIds: []string{"femi", "gozie", "halima", "ife"}})
	require.Equal(t, []string{"gozie"}, group(w).Succession.For)
}

// The only approver appoints a friend as validator while the owner is away, and the two vote.
func TestAValidatorWhomAnApproverAppointedWhileTheOwnerWasAwayDoesNotVote(t *testing.T) {
	t.Parallel()
	w := Given(t, roomy, verifies("femi"), verifies("bisi"), verifies("chidi"), Epoch.Add(time.Hour), appoints("femi", "bisi"), long)
	refused(t, w, proposes("femi", "femi"), fault.Conflict, "nobody gives a group away alone. The validator was appointed while the owner was away, and does not vote.")
	held := proposes("femi", "femi")
	held.OwnerSeen, held.Now = Epoch.Add(time.Hour), long.Add(time.Hour)
	w.When(held) // Appointed before the owner went.
	Given(t, roomy, verifies("femi"), verifies("chidi"), long, proposes("femi", "femi"))
}

// "No later appointment adds anybody": an office that is taken up again does not bring the vote back.
func TestAVoterWhoLostTheirOfficeVotesNoMore(t *testing.T) {
	t.Parallel()
	w := Given(t, roomy, verifies("femi"), verifies("chidi"), long, proposes("femi", "femi"), appoints("femi", "bisi"), long.Add(time.Hour), appoints("femi", "chidi"))
	refused(t, w, votes("chidi", true), fault.Forbidden, "The approvers besides the owner vote")
	require.Equal(t, []string{"femi"}, group(w).Voters())
}
