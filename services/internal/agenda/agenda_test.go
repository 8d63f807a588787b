package agenda_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	rules "adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/services/internal/agenda"
	"adashi.ng/services/internal/app"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/groups"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/people/invited"
	"adashi.ng/services/internal/usecase"
)

// town is a group, and what waits for its people.
type town struct{ *apptest.Town }

// waits returns the agenda of a person.
func (w town) waits(a *app.App, who usecase.Who) []agenda.Row {
	w.Helper()
	require.NoError(w, w.Engine.CatchUp(context.Background()))
	rows, err := a.Agenda.Agenda(context.Background(), people.Caller{UserID: who.User})
	require.NoError(w, err)
	return rows
}

func kinds(rows []agenda.Row) (all []agenda.Kind) {
	for _, row := range rows {
		all = append(all, row.Kind)
	}
	return all
}

// collects opens a sub-account of a group with a monthly due of ₦100.
func (w town) collects(group string) (sub string) {
	w.Helper()
	sub, _, err := w.App.Groups.OpenSubAccount(context.Background(), w.Owner, groups.NewSubAccount{
		GroupID: group, Name: "Contribution", Type: "FIXED", Frequency: "MONTHLY", Amount: apptest.Naira(100), ShowTotal: true,
	})
	require.NoError(w, err)
	return sub
}

// rotates starts an ajo of ₦500 a week in which everybody has one hand, in the order of the list.
func (w town) rotates(seats ...usecase.Who) (id string) {
	w.Helper()
	id, now, terms := uuid.NewString(), time.Now(), rules.Usual()
	terms.AmountKobo, terms.Seats, terms.StartMonth, terms.StartYear = int64(500*money.Naira), int32(len(seats)), int32(now.Month()), int32(now.Year())
	terms.Order = nairav1.AjoOrder_AJO_ORDER_JOIN_ORDER
	hash := rules.TermsHash(terms)
	joiner := func(who usecase.Who) rules.Joiner {
		return rules.Joiner{User: who.User, Halves: 2, Invited: true, Nonce: make([]byte, 16), TermsHash: hash[:]}
	}
	for _, who := range seats {
		if state, err := w.App.AccountState(context.Background(), who.User); err != nil || state.Bvn != account.Verified {
			w.Gives(account.EndCheck(who.User, "check", 0))
		}
		w.Fund(who.User)
	}
	w.Gives(rules.Create{AjoID: id, Name: "Market", Terms: terms, Owner: joiner(seats[0]), Now: now})
	for _, who := range seats[1:] {
		w.Gives(rules.Join{AjoID: id, Joiner: joiner(who)})
	}
	ajo := func() rules.Ajo {
		state, err := w.App.Ledger.Load(context.Background(), rules.Stream(id))
		require.NoError(w, err)
		return state.(rules.Ajo)
	}
	for _, who := range seats {
		if deposit := ajo().Deposit(who.User); deposit > 0 {
			w.Gives(ajopot.PayDeposit{AjoID: id, User: who.User, Amount: deposit, Channel: nairav1.Channel_CHANNEL_WALLET})
		}
	}
	w.Gives(rules.CloseList{AjoID: id, By: seats[0].User, Members: ajo().Members(), Now: now})
	return id
}

func TestWhatCostsMostToMissComesFirst(t *testing.T) {
	t.Parallel()
	w, ctx := town{apptest.Setup(t, true, false)}, context.Background()
	sub, ajo := w.collects(w.Group), w.rotates(w.Owner, w.Validator, w.Approver, w.Member)
	_, _, err := w.App.Groups.CreateGroup(ctx, w.Owner, groups.NewGroup{Name: "Kano Tailors", Amount: apptest.Naira(100), Capacity: 9, StartMonth: int(time.Now().Month())})
	require.NoError(t, err)
	_, _, err = w.App.Groups.JoinGroup(ctx, w.Outsider, w.Group, w.App.Groups.InvitationCode(w.Group))
	require.NoError(t, err)
	state, err := w.App.Ledger.Load(ctx, rules.Stream(ajo))
	require.NoError(t, err)
	due := state.(rules.Ajo).Due(1).Add(9 * time.Hour)

	rows := w.waits(w.App.At(due.AddDate(0, 0, -2)), w.Owner)
	require.Equal(t, []agenda.Kind{agenda.GroupDue, agenda.AjoDue, agenda.Join, agenda.GroupSetup}, kinds(rows))
	require.True(t, rows[0].Late)
	require.False(t, rows[1].Late)
	require.Contains(t, rows[0].Link, sub)
	require.Equal(t, "100", rows[0].Amount.String())
	require.Equal(t, w.Group, rows[0].Place.Id)
	require.Equal(t, "Outsider Person asks to join", rows[2].Title)

	rows = w.waits(w.App.At(due.AddDate(0, 0, 1)), w.Owner)
	require.Equal(t, []agenda.Kind{agenda.GroupDue, agenda.AjoDue, agenda.Join, agenda.GroupSetup}, kinds(rows), "by day")
	require.True(t, rows[1].Late)
}

func TestAnInvitationWaitsUntilItIsAnswered(t *testing.T) {
	t.Parallel()
	w, ctx := town{apptest.Setup(t, true, false)}, context.Background()
	require.NoError(t, w.App.Groups.AddMember(ctx, w.Owner, w.Group, w.Outsider.Email))
	require.Equal(t, []agenda.Kind{agenda.Invitation, agenda.Verify}, kinds(w.waits(w.App, w.Outsider)))
	_, err := w.App.Groups.DeclineInvitation(ctx, w.Outsider, w.Group)
	require.NoError(t, err)
	require.Equal(t, []agenda.Kind{agenda.Verify}, kinds(w.waits(w.App, w.Outsider)))
}

// TestALinkThatAPersonCameByWaitsUntilTheyAreIn, or its code no longer opens anything.
func TestALinkThatAPersonCameByWaitsUntilTheyAreIn(t *testing.T) {
	t.Parallel()
	w, ctx := town{apptest.Setup(t, true, false)}, context.Background()
	code, yaba := w.App.Groups.InvitationCode(w.Group), w.rotates(w.Owner, w.Member)
	kept := w.App.Agenda.Invited
	for _, place := range []invited.Place{
		{Kind: invited.Savings, ID: w.Group, Code: code},
		{Kind: invited.Savings, ID: uuid.NewString(), Code: code},
		{Kind: invited.Ajo, ID: yaba, Code: w.App.Ajo.InvitationCode(yaba)},
	} {
		require.NoError(t, kept.Keep(ctx, w.Outsider.User, place))
	}
	rows := w.waits(w.App, w.Outsider)
	require.Equal(t, []agenda.Kind{agenda.Invitation, agenda.Verify}, kinds(rows), "neither a place that is not there nor a list that is closed")
	require.Equal(t, "/savings/join-group/"+w.Group+"?code="+code, rows[0].Link)
	require.NoError(t, kept.Keep(ctx, w.Outsider.User, invited.Place{Kind: invited.Savings, ID: w.Group, Code: "another"}))
	require.Equal(t, []agenda.Kind{agenda.Verify}, kinds(w.waits(w.App, w.Outsider)))
	require.NoError(t, kept.Keep(ctx, w.Outsider.User, invited.Place{Kind: invited.Savings, ID: w.Group, Code: code}))
	_, _, err := w.App.Groups.JoinGroup(ctx, w.Outsider, w.Group, code)
	require.NoError(t, err)
	require.Equal(t, []agenda.Kind{agenda.Verify}, kinds(w.waits(w.App, w.Outsider)))
}

func TestAPersonWithMuchReadsItInFewRoundTrips(t *testing.T) {
	t.Parallel()
	w := town{apptest.Setup(t, true, false)}
	for range 3 {
		w.collects(w.Group)
		w.rotates(w.Owner, w.Validator, w.Approver, w.Member)
	}
	a, trips := w.Counted()
	w.waits(a, w.Owner) // The name cards are cached from here on.
	before := trips.N.Load()
	w.waits(a, w.Owner)
	require.LessOrEqual(t, trips.N.Load()-before, int64(15))
}

func TestWhoIsNotInAGroupAnyMoreHasNothingOfIt(t *testing.T) {
	t.Parallel()
	w := town{apptest.Setup(t, true, false)}
	w.collects(w.Group)
	require.Contains(t, kinds(w.waits(w.App, w.Member)), agenda.GroupDue)
	_, err := w.App.Groups.DeactivateMember(context.Background(), w.Owner, w.Group, w.Member.User, "They are away for a year.")
	require.NoError(t, err)
	require.Equal(t, []agenda.Kind{agenda.Verify}, kinds(w.waits(w.App, w.Member)), "an inactive member owes nothing now")
	_, _, err = w.App.Groups.JoinGroup(context.Background(), w.Outsider, w.Group, w.App.Groups.InvitationCode(w.Group))
	require.NoError(t, err)
	require.Equal(t, []agenda.Kind{agenda.Verify}, kinds(w.waits(w.App, w.Outsider)), "a person who waits can only wait")
	require.Contains(t, kinds(w.waits(w.App, w.Owner)), agenda.Join)
	require.NotContains(t, kinds(w.waits(w.App, w.Validator)), agenda.Join, "approvers let people in")
}

func TestWhoFrozeTheirMoneyIsShownWhatTheyMayStillDo(t *testing.T) {
	t.Parallel()
	w := town{apptest.Setup(t, true, false)}
	w.collects(w.Group)
	_, _, err := w.App.Groups.JoinGroup(context.Background(), w.Outsider, w.Group, w.App.Groups.InvitationCode(w.Group))
	require.NoError(t, err)
	require.Equal(t, []agenda.Kind{agenda.GroupDue, agenda.Join}, kinds(w.waits(w.App, w.Owner)))
	w.Gives(account.Freeze{User: w.Owner.User, Now: time.Now()})
	require.Equal(t, []agenda.Kind{agenda.GroupDue, agenda.Thaw}, kinds(w.waits(w.App, w.Owner)), "they pay dues and approve nothing")
}

func TestAnOwnerIsLedThroughTheStepsOfAGroup(t *testing.T) {
	t.Parallel()
	w, ctx := town{apptest.Setup(t, true, false)}, context.Background()
	id, _, err := w.App.Groups.CreateGroup(ctx, w.Outsider, groups.NewGroup{Name: "Kano Tailors", Amount: apptest.Naira(100), Capacity: 9, StartMonth: int(time.Now().Month())})
	require.NoError(t, err)
	title := func() string { return w.waits(w.App, w.Outsider)[0].Title }
	require.Equal(t, "Invite people to your group", title())
	for _, who := range []usecase.Who{w.Member, w.Approver} {
		_, _, err = w.App.Groups.JoinGroup(ctx, who, id, w.App.Groups.InvitationCode(id))
		require.NoError(t, err)

		_, _, err = w.App.Groups.ApproveMember(ctx, w.Outsider, id, who.User)
		require.NoError(t, err)
	}
	require.Equal(t, "Appoint a validator", title())
	_, err = w.App.Groups.AppointValidator(ctx, w.Outsider, id, w.Member.User)
	require.NoError(t, err)
	require.Equal(t, "Appoint an approver", title())
	_, err = w.App.Groups.AppointApprover(ctx, w.Outsider, id, w.Approver.User)
	require.NoError(t, err)
	require.Equal(t, []agenda.Kind{agenda.Verify}, kinds(w.waits(w.App, w.Outsider)))
}
