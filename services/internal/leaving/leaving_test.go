package leaving_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/services/internal/ajo/closed"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/dues"
	"adashi.ng/services/internal/items"
	"adashi.ng/services/internal/leaving"
	"adashi.ng/services/internal/profile"
	"adashi.ng/services/internal/usecase"
)

func TestMain(m *testing.M) { ledgertest.Main(m) }

// desk closes accounts of a town, as boot has it.
func desk(w *apptest.Town, known func(context.Context) error) *leaving.Service {
	return &leaving.Service{
		People: w.App.People, Known: known, Groups: w.App.Groups,
		Seats:   closed.Service{Base: w.App.Base},
		Profile: profile.New(profile.Options{Pool: w.Pool, Vault: w.App.Vault, People: w.App.People, Ledger: w.App.Ledger, Now: time.Now}),
		Areas:   []leaving.Area{w.App.Activity, w.App.Payments, w.App.Groups, w.App.Liquidations, w.App.Dues, w.App.Ajo, w.App.Disputes},
	}
}

func trusting(context.Context) error { return nil }

// joins lets the outsider in.
func joins(w *apptest.Town) {
	_, _, err := w.App.Groups.JoinGroup(w.Context(), w.Outsider, w.Group, w.App.Groups.InvitationCode(w.Group))
	require.NoError(w, err)
	_, _, err = w.App.Groups.ApproveMember(w.Context(), w.Owner, w.Group, w.Outsider.User)
	require.NoError(w, err)
}

func isClosed(w *apptest.Town, who usecase.Who) bool {
	state, err := w.App.Ledger.Load(w.Context(), account.Stream(who.User))
	require.NoError(w, err)
	return state.(account.Account).Closed
}

func membership(w *apptest.Town, who usecase.Who) savings.Status {
	state, err := w.App.Ledger.Load(w.Context(), savings.MemberStream(w.Group, who.User))
	require.NoError(w, err)
	return state.(savings.Member).Status
}

// ₦9,000 were just paid into a group, and the read models are a moment behind, or paused at an event that they cannot
// take.
func TestAnAccountIsNotClosedByReadModelsThatAreBehind(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	w.Keeps()
	joins(w)
	w.Fund(w.Outsider.User)
	require.NoError(t, w.Engine.CatchUp(t.Context()))
	_, err := w.App.Dues.PayFromWallet(t.Context(), w.Outsider, w.Open, apptest.Naira(9_000), dues.Due{})
	require.NoError(t, err)
	soon, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	err = desk(w, leaving.ReadModels(w.Pool, w.App.Tracker)).Close(soon, w.Outsider.User)
	require.True(t, fault.Is(err, fault.Unavailable), "%v", err)
	require.True(t, fault.Is(desk(w, nil).Close(t.Context(), w.Outsider.User), fault.Unavailable), "nobody says that they are not")
	err = desk(w, trusting).Close(t.Context(), w.Outsider.User)
	require.Error(t, err)
	require.False(t, isClosed(w, w.Outsider), "the ledger refuses it as well")
	require.Equal(t, savings.Active, membership(w, w.Outsider))
}

// Else they hold a seat for good, owe a due each month, and others may pay for them.
func TestWhoClosesTheirAccountLeavesTheirGroups(t *testing.T) {
	t.Parallel()
	for name, rest := range map[string]func(w *apptest.Town){
		"active": func(*apptest.Town) {},
		"inactive": func(w *apptest.Town) {
			_, err := w.App.Groups.DeactivateMember(w.Context(), w.Owner, w.Group, w.Outsider.User, "Away for a year")
			require.NoError(w, err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := apptest.Setup(t, true, false)
			w.Keeps()
			joins(w)
			rest(w)
			require.NoError(t, w.Engine.CatchUp(t.Context()))
			require.NoError(t, desk(w, leaving.ReadModels(w.Pool, w.App.Tracker)).Close(t.Context(), w.Outsider.User))
			require.True(t, isClosed(w, w.Outsider))
			require.Equal(t, savings.None, membership(w, w.Outsider))
			require.NoError(t, w.Engine.CatchUp(t.Context()))
			list, err := w.App.Groups.MemberSavings(t.Context(), w.Owner.User, w.Group, nil, nil, nil, 50)
			require.NoError(t, err)
			for _, m := range list.Members {
				require.NotEqual(t, w.Outsider.User, m.UserId)
			}
		})
	}
}

// What ties somebody by then changes nothing: the account is closed.
func TestAClosingThatWasCutShortIsFinishedWhenItIsAskedForAgain(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	w.Keeps()
	w.Gives(ledgertest.Raw{event.On(account.Stream(w.Approver.User), &nairav1.AccountClosed{UserId: w.Approver.User})})
	require.NoError(t, w.Engine.CatchUp(t.Context()))
	require.NoError(t, desk(w, nil).Close(t.Context(), w.Approver.User))
	_, err := w.App.People.Member(t.Context(), w.Approver.User)
	require.True(t, fault.Is(err, fault.NotFound), "their particulars are gone: %v", err)
}

// later is a desk two minutes from now, and its job.
func later(w *apptest.Town) (*leaving.Service, items.Job) {
	at := time.Now().Add(2 * time.Minute)
	d := desk(w, leaving.ReadModels(w.Pool, w.App.Tracker))
	d.Profile.Now = func() time.Time { return at }
	return d, items.Job{Pool: w.Pool, Name: "finish closings", Now: at}
}

// begun notes a closing, as is done before it is recorded.
func begun(w *apptest.Town, who usecase.Who) {
	_, err := w.Pool.Exec(w.Context(), "INSERT INTO closings (user_id, begun_at) VALUES ($1, now())", who.User)
	require.NoError(w, err)
}

func TestAJobFinishesAClosingThatWasCutShort(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	w.Keeps()
	begun(w, w.Outsider)
	begun(w, w.Member)
	w.Gives(ledgertest.Raw{event.On(account.Stream(w.Outsider.User), &nairav1.AccountClosed{UserId: w.Outsider.User})})
	require.NoError(t, w.Engine.CatchUp(t.Context()))
	d, job := later(w)
	require.NoError(t, d.Finish(t.Context(), job))
	_, err := w.App.People.Member(t.Context(), w.Outsider.User)
	require.True(t, fault.Is(err, fault.NotFound), "their particulars are gone: %v", err)
	_, err = w.App.People.Member(t.Context(), w.Member.User)
	require.NoError(t, err, "of whom nothing was recorded")
	left, err := d.Profile.Closings(t.Context(), uuid.Nil, 9)
	require.NoError(t, err)
	require.Empty(t, left)
}

// The list of memberships was read before the member was let in, or an earlier build closed the account without one.
func TestAMembershipThatAClosingLeftBehindEnds(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	w.Keeps()
	joins(w)
	d, job := later(w)
	require.NoError(t, d.Profile.Close(t.Context(), w.Outsider.User), "with an own list, of nothing")
	require.Equal(t, savings.Active, membership(w, w.Outsider))
	require.NoError(t, w.Engine.CatchUp(t.Context()))
	d.Profile.Now = func() time.Time { return job.Now.Add(2 * time.Minute) }
	require.NoError(t, d.Finish(t.Context(), job))
	require.Equal(t, savings.None, membership(w, w.Outsider))
}

// seated is a list of an ajo that the owner made, in which the outsider has a seat.
func seated(w *apptest.Town) string {
	id := uuid.NewString()
	terms := ajo.Usual()
	terms.AmountKobo, terms.Seats, terms.StartMonth, terms.StartYear = 8_000_00, 3, 1, 2099
	w.Gives(ledgertest.Raw{
		event.On(ajo.Stream(id), &nairav1.AjoCreated{AjoId: id, Name: "Balogun ajo", OwnerId: w.Owner.User, Terms: terms}),
		event.On(ajo.Stream(id), &nairav1.AjoSeatTakenV2{AjoId: id, UserId: w.Owner.User, Seat: 1, Halves: 2}),
		event.On(ajo.Stream(id), &nairav1.AjoSeatTakenV2{AjoId: id, UserId: w.Outsider.User, Seat: 2, Halves: 2}),
	})
	require.NoError(w, w.Engine.CatchUp(w.Context()))
	return id
}

// A membership of an ajo began while the account was being closed, or an earlier build closed it with one.
func TestTheSeatsOfAClosedAccountInAnAjoAreGivenUp(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	w.Keeps()
	id := seated(w)
	is := func() ajo.Ajo {
		state, err := w.App.Ledger.Load(t.Context(), ajo.Stream(id))
		require.NoError(t, err)
		return state.(ajo.Ajo)
	}
	closes := func(who usecase.Who) {
		w.Gives(ledgertest.Raw{event.On(account.Stream(who.User), &nairav1.AccountClosed{UserId: who.User})})
		begun(w, who)
		require.NoError(t, w.Engine.CatchUp(t.Context()))
		d, job := later(w)
		require.NoError(t, d.Finish(t.Context(), job))
		require.NoError(t, w.Engine.CatchUp(t.Context()))
	}
	closes(w.Outsider)
	require.Zero(t, is().HalvesOf(w.Outsider.User))
	require.Equal(t, ajo.Open, is().Status)
	closes(w.Owner)
	require.Equal(t, ajo.Cancelled, is().Status)
	d, _ := later(w)
	left, err := d.Profile.Closings(t.Context(), uuid.Nil, 9)
	require.NoError(t, err)
	require.Empty(t, left, "nothing is left to be done")
}
