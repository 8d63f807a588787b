package savings_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
)

// givenBack is that somebody's account is given back at a moment, and that their group takes note of it.
func givenBack(user string, at time.Time) []any {
	return []any{
		at, event.On(account.Stream(user), &nairav1.AccountGivenBackV2{UserId: user, RemedyId: "r", Since: timestamppb.New(long), HeldUntil: timestamppb.New(long)}),
		at.Add(time.Minute),
		savings.GiveBack{GroupID: "g", User: user},
	}
}

func TestAVoterWhoseAccountWasGivenBackKeepsTheirVote(t *testing.T) {
	t.Parallel()
	w := Given(t, roomy, verifies("femi"), verifies("chidi"), long, proposes("femi", "femi"), givenBack("chidi", long.Add(time.Hour)))
	require.Contains(t, group(w).Voters(), "chidi")
	again := votes("chidi", true)
	again.Now = long.Add(3 * time.Hour)
	w.And(long.Add(3*time.Hour), again)
}

// Of four voters femi is for himself and a thief, as gozie, votes: the group must not pass with that vote, nor the vote
// end by it.
func TestAVoteThatAThiefGaveDoesNotCountAndIsGivenAgain(t *testing.T) {
	t.Parallel()
	later := long.Add(3 * time.Hour)
	at := func(by string, agrees bool) savings.VoteSuccession {
		vote := votes(by, agrees)
		vote.Now = later
		return vote
	}
	voted := func(by string, agrees bool) *nairav1.SuccessionVoted {
		return &nairav1.SuccessionVoted{GroupId: "g", CandidateId: "femi", UserId: by, Agrees: agrees}
	}
	over := savings.EndSuccession{GroupID: "g", Candidate: "femi", Voters: []string{"gozie", "halima", "ife"}, OwnerSeen: Epoch, Now: later}
	for _, agrees := range []bool{true, false} {
		w := Given(t, roomy, admits("gozie"), empowers("ada", "gozie"), admits("halima"), empowers("ada", "halima"), admits("ife"), empowers("ada", "ife"),
			verifies("femi"), verifies("gozie"), verifies("halima"), verifies("ife"), long, proposes("femi", "femi"), votes("gozie", agrees))
		refused(t, w, votes("gozie", agrees), fault.Conflict, "voted already")
		w.And(givenBack("gozie", long.Add(time.Hour))...)
		require.Equal(t, 1, group(w).Votes())
		require.False(t, group(w).Succession.Voted("gozie"))
		w.When(at("halima", agrees)).Then(voted("halima", agrees))
		refused(t, w, over, fault.Conflict, "waits for others")
		w.And(at("gozie", !agrees))
		refused(t, w, at("gozie", agrees), fault.Conflict, "voted already")
	}
}

// The proposal is a vote too: the thief proposes their helper, and needs one vote less.
func TestAProposalThatAThiefMadeIsNoVote(t *testing.T) {
	t.Parallel()
	w := Given(t, roomy, verifies("femi"), verifies("chidi"), long, proposes("femi", "femi"))
	w.And(givenBack("femi", long.Add(time.Hour))...)
	vote := votes("chidi", true)
	vote.Now = long.Add(3 * time.Hour)
	w.When(vote).Then(&nairav1.SuccessionVoted{GroupId: "g", CandidateId: "femi", UserId: "chidi", Agrees: true})
	require.Equal(t, "ada", group(w).Owner)
}

func TestApproversWhomAThiefAppointedLoseTheOfficeButForTheLast(t *testing.T) {
	t.Parallel()
	removed := func(user string) *nairav1.ApproverRemoved {
		return &nairav1.ApproverRemoved{GroupId: "g", UserId: user, RemovedBy: "ada"}
	}
	back := savings.GiveBack{GroupID: "g", User: "ada"}
	given := event.On(account.Stream("ada"), &nairav1.AccountGivenBackV2{UserId: "ada", RemedyId: "r", Since: timestamppb.New(long), HeldUntil: timestamppb.New(long)})
	noted := &nairav1.OfficialGivenBack{GroupId: "g", UserId: "ada"}
	later := long.Add(time.Hour)
	offers := savings.OfferOwnership{GroupID: "g", To: "gozie", By: "ada"}

	w := Given(t, roomy, admits("gozie"), verifies("gozie"), long, empowers("ada", "gozie"), offers, account.Freeze{User: "ada", HoldID: "h", Now: long}, later, given)
	w.When(back).Then(noted, removed("gozie"), &nairav1.OwnershipOfferEnded{GroupId: "g", ToUserId: "gozie", EndedBy: "ada"})
	w = Given(t, roomy, admits("gozie"), long, empowers("ada", "gozie"), dismisses("ada", "femi"), later, given)
	w.When(back).Then(noted)
	require.True(t, group(w).MayApprove("gozie"))
}
