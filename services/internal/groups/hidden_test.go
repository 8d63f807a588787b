package groups_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/projections/engine"
	groupsmodel "adashi.ng/projections/groups"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/groups"
	"adashi.ng/services/internal/usecase"
)

func TestOfficialsSeeTheTotalsThatAreHiddenFromPlainMembers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ showGroup, hideOne bool }{
		"the group's total is hidden":  {false, false},
		"one sub-account's is hidden":  {true, true},
		"both the group's and its own": {false, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := apptest.Setup(t, c.showGroup, c.hideOne)
			for _, official := range []usecase.Who{w.Owner, w.Validator} {
				group, subs, row, _ := w.Sees(official)
				require.False(t, group.TotalHidden)
				require.Equal(t, "5098", group.BookBalance.String())
				require.Equal(t, "5098", row.TotalSaved.String())
				require.Equal(t, "5098", subs.SubAccounts[1].TotalAmountContributed.String())
				require.Len(t, subs.SubAccounts[1].MemberPayments, 2)
			}
			w.Hidden()
		})
	}
}

func TestShownTotalsAreShownToMembersAndHiddenOnesNotToOutsiders(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	group, subs, row, _ := w.Sees(w.Member)
	require.Equal(t, "5098", group.BookBalance.String())
	require.Equal(t, "5098", row.TotalSaved.String())
	require.Equal(t, 2, *subs.SubAccounts[1].NumberOfPayments)
	ctx := context.Background()
	_, err := w.App.Groups.Group(ctx, w.Outsider.User, w.Group)
	require.True(t, fault.Is(err, fault.NotFound))
	_, err = w.App.Dues.SubAccounts(ctx, w.Outsider.User, w.Group)
	require.True(t, fault.Is(err, fault.NotFound))
	hidden := apptest.Setup(t, false, false)
	none, err := hidden.App.Groups.Search(ctx, hidden.Outsider.User, "’")
	require.NoError(t, err)
	require.Empty(t, none)
	some, err := hidden.App.Groups.Search(ctx, hidden.Outsider.User, " ")
	require.NoError(t, err)
	require.Len(t, some, 1, "before anything is typed, it says whether there is a group")
	rows, err := hidden.App.Groups.Search(ctx, hidden.Outsider.User, "BÁLÓGUN")
	require.NoError(t, err)
	require.Len(t, rows, 1, "however it is written")
	require.Nil(t, rows[0].TotalSaved)
	require.False(t, rows[0].IsMember)
	view, err := hidden.App.Groups.Invitation(ctx, "", hidden.Group, hidden.App.Groups.InvitationCode(hidden.Group))
	require.NoError(t, err)
	told, err := json.Marshal(view)
	require.NoError(t, err)
	for _, figure := range apptest.Telling {
		require.NotContains(t, string(told), figure)
	}
}

func TestAWaitingPersonSeesNoMoney(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	_, _, err := w.App.Groups.JoinGroup(context.Background(), w.Outsider, w.Group, w.App.Groups.InvitationCode(w.Group))
	require.NoError(t, err)
	require.NoError(t, w.Engine.CatchUp(context.Background()))
	group, subs, row, _ := w.Sees(w.Outsider)
	require.True(t, group.TotalHidden)
	require.Nil(t, group.BookBalance)
	require.Nil(t, group.Members)
	require.Empty(t, subs.SubAccounts)
	require.False(t, row.IsMember)
	for who, hears := range map[usecase.Who][]string{w.Outsider: {}, w.Member: {w.Group}} {
		heard, err := groupsmodel.Heard(context.Background(), w.Pool, who.User)
		require.NoError(t, err)
		require.Equal(t, hears, heard)
	}
}

func TestHidingATotalIsToldToEverybodysOpenStream(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	bus, _ := ledgertest.NATS(t)
	told, err := bus.SubscribeSync(engine.ChangedSubject)
	require.NoError(t, err)
	_, _, err = w.App.Groups.OpenSubAccount(context.Background(), w.Owner, groups.NewSubAccount{
		GroupID: w.Group, Name: "Surprise", Type: "FLEXIBLE", Frequency: "MONTHLY", Amount: apptest.Naira(100), ShowTotal: false,
	})
	require.NoError(t, err)
	opt := w.Engine.Options
	opt.Bus = bus
	require.NoError(t, engine.New(opt).CatchUp(context.Background()))
	for {
		msg, err := told.NextMsg(5 * time.Second)
		require.NoError(t, err)
		var changed engine.Changed
		require.NoError(t, json.Unmarshal(msg.Data, &changed))
		if changed.Model != groupsmodel.Name {
			continue
		}
		for _, who := range []usecase.Who{w.Owner, w.Validator, w.Member} {
			require.Contains(t, changed.Users[who.User], "groups", "so that their stream asks again what it may hear")
		}
		return
	}
}
