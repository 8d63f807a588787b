package groups_test

import (
	"context"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/usecase"
)

const nobody = "nobody@example.com"

// inviting is a group whose owner invites the outsider, who has an account, and an address without one.
type inviting struct {
	*apptest.Town
	now time.Time
}

func invites(t *testing.T) *inviting {
	t.Helper()
	w := &inviting{Town: apptest.Setup(t, true, false), now: time.Now()}
	w.App.Now = func() time.Time { return w.now }
	return w
}

// invite returns the owner's error; an empty key makes each call a new one.
func (w *inviting) invite(email, key string) error {
	who := w.Owner
	who.Key = key
	return w.App.Groups.AddMember(context.Background(), who, w.Group, email)
}

func (w *inviting) letters(to string) (n int) {
	w.Helper()
	require.NoError(w, w.Pool.QueryRow(context.Background(), `SELECT count(*) FROM mail_outbox WHERE recipient = $1 AND form = 'invitation'`, to).Scan(&n))
	return n
}

func (w *inviting) refused(email string) string {
	w.Helper()
	err := w.invite(email, "")
	require.True(w, fault.Is(err, fault.TooMany), "%v", err)
	return err.Error()
}

// withdraws makes the owner take back the only invitation in the list.
func (w *inviting) withdraws(key string) {
	w.Helper()
	ctx := context.Background()
	require.NoError(w, w.Engine.CatchUp(ctx))
	var id string
	require.NoError(w, w.Pool.QueryRow(ctx, `SELECT id::text FROM typed_invitations`).Scan(&id))
	who := w.Owner
	who.Key = key
	_, err := w.App.Groups.RejectMember(ctx, who, w.Group, id, "The group is full")
	require.NoError(w, err)
	require.NoError(w, w.Engine.CatchUp(ctx))
}

func TestInvitationsAtOnceAreNoMoreThanTheLimit(t *testing.T) {
	t.Parallel()
	w := invites(t)
	for name, invite := range map[string]func() error{
		"one": func() error { return w.invite(nobody, "") },
		"some": func() error {
			_, err := w.App.Groups.SendInvitations(context.Background(), w.Owner, w.Group, []string{"some-" + nobody})
			return err
		},
		"a member": func() error { return w.invite(w.Outsider.Email, "") },
	} {
		said := make([]error, 20)
		var all sync.WaitGroup
		for n := range said {
			all.Go(func() { said[n] = invite() })
		}
		all.Wait()
		refused := 0
		for _, err := range said {
			if err != nil {
				require.True(t, fault.Is(err, fault.TooMany), "%s: %v", name, err)
				refused++
			}
		}
		require.Equal(t, map[string]int{"one": 17, "some": 0, "a member": 17}[name], refused, name)
	}
	require.Equal(t, 3, w.letters(nobody))
	require.Equal(t, 3, w.letters("some-"+nobody))
}

func TestAnAddressIsInvitedToAGroupThreeTimesInThirtyDays(t *testing.T) {
	t.Parallel()
	w := invites(t)
	first := w.now
	for _, email := range []string{w.Outsider.Email, nobody} {
		for range 3 {
			require.NoError(t, w.invite(email, ""))
		}
	}
	require.Equal(t, w.refused(nobody), w.refused(w.Outsider.Email), "nothing tells who has an account")
	w.now = first.Add(30*24*time.Hour - time.Minute)
	require.Equal(t, w.refused(nobody), w.refused(w.Outsider.Email))
	w.now = first.Add(30 * 24 * time.Hour)
	for _, email := range []string{w.Outsider.Email, nobody} {
		require.NoError(t, w.invite(email, ""))
	}
	require.Equal(t, 4, w.letters(nobody))
}

func TestAfterARefusalAnAddressIsInvitedOnceMore(t *testing.T) {
	t.Parallel()
	for name, email := range map[string]string{"withdrawn": nobody, "withdrawn from a member": "", "declined": ""} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := invites(t)
			if email == "" {
				email = w.Outsider.Email
			}
			end := w.withdraws
			if name == "declined" {
				end = func(key string) {
					who := w.Outsider
					who.Key = key
					_, err := w.App.Groups.DeclineInvitation(context.Background(), who, w.Group)
					require.NoError(t, err)
				}
			}
			for n := range 2 {
				require.NoError(t, w.invite(email, ""))
				w.now = w.now.Add(time.Minute)
				end(strconv.Itoa(n))
				w.now = w.now.Add(time.Minute)
			}
			w.refused(email)
			w.now = w.now.Add(30 * 24 * time.Hour)
			require.NoError(t, w.invite(email, ""))
		})
	}
}

func TestARetryOfAnInvitationCountsOnce(t *testing.T) {
	t.Parallel()
	w := invites(t)
	for _, email := range []string{w.Outsider.Email, nobody} {
		for _, key := range []string{"a", "a", "a", "a", "b", "b", "c", "a"} {
			require.NoError(t, w.invite(email, email+key))
		}
		w.refused(email)
	}
	require.Equal(t, 3, w.letters(nobody))
	for _, email := range []string{"other-" + nobody, w.Approver.Email} {
		require.True(t, fault.Is(w.invite(email, nobody+"a"), fault.Conflict), "a key is of one invitation")
	}
	who := w.Owner
	who.Key = "many"
	for range 4 {
		_, err := w.App.Groups.SendInvitations(context.Background(), who, w.Group, []string{"x-" + nobody, "y-" + nobody})
		require.NoError(t, err)
	}
	require.Equal(t, []int{1, 1}, []int{w.letters("x-" + nobody), w.letters("y-" + nobody)})
}

func TestAnInvitationThatIsRefusedCountsNowhere(t *testing.T) {
	t.Parallel()
	w := invites(t)
	for _, c := range []struct {
		by    usecase.Who
		group string
		to    string
	}{{w.Member, w.Group, nobody}, {w.Outsider, w.Group, nobody}, {w.Owner, uuid.NewString(), nobody}, {w.Owner, w.Group, w.Member.Email}} {
		require.Error(t, w.App.Groups.AddMember(context.Background(), c.by, c.group, c.to))
	}
	ctx, again := context.Background(), w.Owner // The ledger remembers its refusal, though the invitation is possible by now.
	again.Key = "again"
	_, _, err := w.App.Groups.JoinGroup(ctx, w.Outsider, w.Group, w.App.Groups.InvitationCode(w.Group))
	require.NoError(t, err)
	command, _ := again.ID("invite member")
	_, err = w.App.Groups.Record(ctx, again, command, w.Group, store.Fingerprint(w.Group, w.Outsider.Email), savings.InviteMember{GroupID: w.Group, User: w.Outsider.User, By: w.Owner.User, Now: w.now})
	require.True(t, fault.Is(err, fault.Conflict), "%v", err)
	_, err = w.App.Groups.RejectMember(ctx, w.Owner, w.Group, w.Outsider.User, "Not yet")
	require.NoError(t, err)
	require.True(t, fault.Is(w.invite(w.Outsider.Email, "again"), fault.Conflict))
	var n int
	require.NoError(t, w.Pool.QueryRow(ctx, `SELECT count(*) FROM invited_addresses`).Scan(&n))
	require.Zero(t, n)
	require.NoError(t, w.invite(w.Outsider.Email, ""))
}
