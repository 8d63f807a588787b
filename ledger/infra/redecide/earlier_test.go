package redecide_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/ledgertest"
)

// onClub are events of the club's own stream, by one command.
func onClub(messages ...proto.Message) (r ledgertest.Raw) {
	for _, m := range messages {
		r = append(r, event.On(ajo.Stream(club), m))
	}
	return r
}

func TestAVoteThatNamedItsOwnerBeforeItMightNotStaysAsItWasDecided(t *testing.T) {
	t.Parallel()
	people := []string{ledgertest.Saver(0), ledgertest.Saver(1), ledgertest.Saver(2)}
	made := func(id string, kind nairav1.AjoMotionKind) proto.Message {
		return &nairav1.AjoMotionMade{AjoId: club, MotionId: id, Kind: kind, UserId: people[0], MadeBy: people[2], Reason: "Because of it", Until: timestamppb.New(noon.AddDate(0, 0, 7))}
	}
	voted := func(id string, user int) proto.Message {
		return &nairav1.AjoMotionVoted{AjoId: club, MotionId: id, UserId: people[user], Agrees: true, Halves: 2}
	}
	w := ledgertest.Given(t, ledgertest.AjoBegun(noon))
	require.Equal(t, people[2], w.State(ajo.Stream(club)).(ajo.Ajo).Validator)
	w.And(
		ajo.Move{AjoID: club, MotionID: "t", By: people[0], Kind: nairav1.AjoMotionKind_AJO_MOTION_KIND_TERMINATE, Reason: "Because of it", Now: noon},
		ajo.VoteMotion(club, "t", people[1], true, noon),
	)
	ended, err := w.Do(ajopot.Terminate(club, "t", []int{1}, people))
	require.NoError(t, err)

	b := setup(t)
	b.do(ledgertest.AjoBegun(noon)...)
	b.do(onClub(made("p", nairav1.AjoMotionKind_AJO_MOTION_KIND_PAUSE), voted("p", 2)),
		onClub(voted("p", 1), &nairav1.AjoMotionEnded{AjoId: club, MotionId: "p", Carried: true}, &nairav1.AjoPaused{AjoId: club, FromCycle: 2}),
		onClub(made("t", nairav1.AjoMotionKind_AJO_MOTION_KIND_TERMINATE), voted("t", 2)), onClub(voted("t", 1)), ledgertest.Raw(ended))
	_, differs := b.again()
	require.Empty(t, differs)
}
