package e2e

import (
	"context"
	"math"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/services/internal/boot"
)

// One approver approves in eight windows at once: that is one approval, and the request waits for another person's.
func TestOnePersonIsOneApprovalHoweverOftenTheyApproveAtOnce(t *testing.T) {
	t.Parallel()
	c := newChest(t, product(t))
	id := c.member.ask("POST", asksFor, c.savings(c.member, 1_000)).id(t)
	require.Equal(t, 200, c.decided(c.validator, id, "approve").status)
	var through atomic.Int32
	var clicks sync.WaitGroup
	for range 8 {
		clicks.Go(func() {
			if c.decided(c.approver, id, "approve").status == 200 {
				through.Add(1)
			}
		})
	}
	clicks.Wait()
	require.EqualValues(t, 1, through.Load())
	require.Equal(t, "VALIDATED", c.stands(id)["status"])
	require.Equal(t, 409, c.decided(c.approver, id, "approve").status)
}

// A member leaves, closes their account and votes on the group's owner at once. They leave once, and their vote counts
// only where it came first.
func TestAMemberWhoLeavesClosesAndVotesAtOnceLeavesOnceAndVotesBeforeOrNever(t *testing.T) {
	t.Parallel()
	i := product(t)
	ada, chidi, femi := somebody(t, i, "Ada"), somebody(t, i, "Chidi"), somebody(t, i, "Femi")
	began, now := time.Now().Add(-savings.AwayFor-240*time.Hour), time.Now()
	for _, p := range []*person{ada, chidi, femi} {
		longAgo(t, i, began, account.EndCheck(p.id, "check", 0))
	}
	for range 4 {
		gozie, group := somebody(t, i, "Gozie"), uuid.NewString()
		longAgo(t, i, began, account.EndCheck(gozie.id, "check", 0),
			savings.CreateGroup{GroupID: group, Owner: ada.id, Name: "Traders", Amount: 5_000_00, Capacity: 9, StartMonth: 11, Now: began})
		for _, p := range []*person{chidi, femi, gozie} {
			longAgo(t, i, began, savings.JoinGroup{GroupID: group, User: p.id}, savings.ApproveMember{GroupID: group, User: p.id, By: ada.id})
		}
		longAgo(t, i, began, savings.AppointApprover{GroupID: group, User: femi.id, By: ada.id}, savings.AppointApprover{GroupID: group, User: gozie.id, By: ada.id},
			savings.AppointValidator{GroupID: group, User: chidi.id, By: ada.id, Owner: ada.id})
		longAgo(t, i, now, savings.ProposeSuccession{
			GroupID: group, Candidate: femi.id, By: femi.id, OwnerSeen: began, Officers: savings.Officers{Users: []string{chidi.id, femi.id, gozie.id}}, Now: now,
		})
		leave := dues.LeaveGroup{GroupID: group, User: gozie.id, Now: now}
		closing := leave
		closing.Closing = true
		var left, closed, voted error
		var clicks sync.WaitGroup
		for said, c := range map[*error]event.Command{
			&left: leave, &closed: dues.CloseAccount{User: gozie.id, Leave: []dues.LeaveGroup{closing}, Now: now},
			&voted: savings.VoteSuccession{GroupID: group, Candidate: femi.id, By: gozie.id, OwnerSeen: began, Now: now},
		} {
			clicks.Go(func() {
				_, *said = i.App.Ledger.Append(context.Background(), store.Command{ID: uuid.New(), Actor: gozie.id, EffectiveAt: now, Command: c})
			})
		}
		clicks.Wait()
		require.NotEqual(t, left == nil, closed == nil, "one of both: %v, %v", left, closed)
		a, err := i.App.AccountState(t.Context(), gozie.id)
		require.NoError(t, err)
		require.Equal(t, closed == nil, a.Closed)
		gone := recordedAt(t, i, savings.MemberStream(group, gozie.id), event.TypeOf(&nairav1.MemberExited{}))
		require.Len(t, gone, 1)
		votes := recordedAt(t, i, savings.GroupStream(group), event.TypeOf(&nairav1.SuccessionVoted{}))
		require.Equal(t, voted == nil, len(votes) == 1, "%v", voted)
		if voted == nil {
			require.Less(t, votes[0], gone[0])
		} else {
			require.NotEmpty(t, fault.As(voted).Message)
		}
	}
}

// recordedAt is where events of a type are on a stream.
func recordedAt(t *testing.T, i *boot.Instance, stream, typ string) (positions []int64) {
	t.Helper()
	records, err := history.ReadStream(t.Context(), i.Pool, stream, math.MaxInt64, math.MaxInt32)
	require.NoError(t, err)
	for _, r := range records {
		if r.Type == typ {
			positions = append(positions, r.Pos)
		}
	}
	return positions
}
