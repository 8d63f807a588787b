package event

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"
)

// Three shipped messages stand in for three versions of one event.
var (
	seats = upcast(func(old *nairav1.GroupActivated) *nairav1.SeatTaken {
		return &nairav1.SeatTaken{GroupId: old.GroupId, Seats: 1}
	})
	member = upcast(func(old *nairav1.SeatTaken) *nairav1.MembershipRequested {
		return &nairav1.MembershipRequested{GroupId: old.GroupId, UserId: "somebody"}
	})
	back = upcast(func(old *nairav1.MembershipRequested) *nairav1.GroupActivated {
		return &nairav1.GroupActivated{GroupId: old.GroupId}
	})
)

func TestAnOldVersionIsUpcastStepByStepToTheCurrentOne(t *testing.T) {
	t.Parallel()
	c, err := chainOf(member, seats)
	require.NoError(t, err)
	old := &nairav1.GroupActivated{GroupId: "g"}
	want := &nairav1.MembershipRequested{GroupId: "g", UserId: "somebody"}
	for _, version := range []proto.Message{old, &nairav1.SeatTaken{GroupId: "g", Seats: 9}, want} {
		require.True(t, proto.Equal(want, c.current(version)), "%T", version)
	}
	require.True(t, proto.Equal(&nairav1.GroupActivated{GroupId: "g"}, old), "an upcaster changed what it was given")
	other := &nairav1.GroupCreated{GroupId: "g"}
	require.Same(t, other, c.current(other))
}

func TestDecodeUpcastsAndDecodeRecordedDoesNot(t *testing.T) { //nolint:paralleltest // It swaps the registry.
	kept := upcasters
	t.Cleanup(func() { upcasters = kept })
	upcasters = mustChain(seats, member)
	body, err := proto.Marshal(&nairav1.GroupActivated{GroupId: "g"})
	require.NoError(t, err)
	record := Record{Type: "naira.v1.GroupActivated", Body: body}
	current, err := record.Message()
	require.NoError(t, err)
	require.Equal(t, "naira.v1.MembershipRequested", TypeOf(current))
	recorded, err := DecodeRecorded(record.Type, record.Body)
	require.NoError(t, err)
	require.Equal(t, "naira.v1.GroupActivated", TypeOf(recorded))
	require.Equal(t, []string{"naira.v1.GroupActivated", "naira.v1.SeatTaken"}, Superseded())
	others := Others(&nairav1.MembershipRequested{})
	require.Contains(t, others, "naira.v1.MembershipApproved")
	for _, read := range []string{"naira.v1.MembershipRequested", "naira.v1.GroupActivated", "naira.v1.SeatTaken"} {
		require.NotContains(t, others, read, "what reads as one of them now is not another")
	}
}

func TestUpcastersThatNeverEndAreRefused(t *testing.T) {
	t.Parallel()
	itself := upcast(func(old *nairav1.SeatTaken) *nairav1.SeatTaken { return old })
	for says, list := range map[string][]upcaster{
		"in a cycle":    {seats, member, back},
		"in a cycle ":   {itself},
		"two upcasters": {seats, seats},
	} {
		_, err := chainOf(list...)
		require.ErrorContains(t, err, strings.TrimSpace(says))
		require.Panics(t, func() { mustChain(list...) })
	}
}
