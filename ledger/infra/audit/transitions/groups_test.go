package transitions

import (
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"
)

func TestAGroupAndAMembershipTakeOnlyAllowedTransitions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		category string
		at       Stage
		m        proto.Message
		ok       bool
	}{
		{"group", created, &nairav1.GroupCancelled{}, true},
		{"group", active, &nairav1.GroupCancelled{}, false},
		{"group", active, &nairav1.GroupRejected{}, false},
		{"group", active, &nairav1.GroupSuspended{}, true},
		{"group", created, &nairav1.GroupSuspended{}, false},
		{"group", paused, &nairav1.GroupResumed{}, true},
		{"group", active, &nairav1.GroupResumed{}, false},
		{"group", paused, &nairav1.GroupClosing{}, false},
		{"group", active, &nairav1.GroupClosed{}, false},
		{"group", closing, &nairav1.GroupClosed{}, true},
		{"group", ended, &nairav1.GroupActivated{}, false},
		{"member", Nothing, &nairav1.MemberInvited{}, true},
		{"member", active, &nairav1.MemberInvited{}, false},
		{"member", initiated, &nairav1.MembershipRequested{}, true},
		{"member", initiated, &nairav1.MembershipApproved{}, false},
		{"member", active, &nairav1.MembershipRejected{}, false},
		{"member", paused, &nairav1.MemberExited{}, false},
		{"member", active, &nairav1.MemberExited{}, true},
		{"member", pending, &nairav1.MemberDeactivatedV2{}, false},
		{"member", active, &nairav1.MemberReactivated{}, false},
	} {
		_, ok := Next(c.category, c.at, c.m)
		require.Equal(t, c.ok, ok, "%s: %T at %d", c.category, c.m, c.at)
	}
	// A member who left or declined is at Nothing, as if never invited.
	for _, m := range []proto.Message{&nairav1.MemberExited{}, &nairav1.InvitationDeclined{}, &nairav1.InvitationExpired{}, &nairav1.InvitationWithdrawn{}, &nairav1.MembershipRejected{}} {
		to, _ := Next("member", active, m)
		require.Equal(t, Nothing, to, "%T", m)
	}
}
