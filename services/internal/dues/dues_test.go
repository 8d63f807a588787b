package dues_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	rules "adashi.ng/ledger/domain/dues"
	"adashi.ng/projections/notifications/told"
	"adashi.ng/services/internal/activity"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/dues"
	"adashi.ng/services/internal/usecase"
)

func TestADueIsLateCoveredAndPaidInTimeAfterAll(t *testing.T) {
	t.Parallel()
	q, ctx := apptest.QuarterOf(t, false), context.Background()
	late := q.On(1, 7)
	require.NoError(t, q.On(1, 5).Dues.ApplyPenalties(ctx))
	require.NoError(t, late.Dues.ApplyPenalties(ctx))
	require.NoError(t, late.Dues.ApplyPenalties(ctx), "once is enough")
	owed := q.Owes(late, q.Member)
	require.Equal(t, "10500.00", owed.Total.StringFixed(2))
	require.Equal(t, contract.DueStatusOVERDUE, owed.Dues[0].Status)
	require.Equal(t, "500.00", owed.Dues[0].Penalty.StringFixed(2))
	n, words := q.Told(q.Member, told.PenaltyApplied)
	require.Equal(t, 1, n)
	require.Contains(t, words, "₦500.00 was added to what you owe Quarter · Dues")

	receipt, err := late.Dues.Cover(ctx, q.Validator, contract.CoverRequest{SubAccountId: q.Sub, MemberId: q.Member.User, Amount: apptest.Naira(1000), UserId: q.Validator.User})
	require.NoError(t, err)
	require.Equal(t, "1000.00", receipt.Settled[0].Amount.StringFixed(2))
	_, words = q.Told(q.Member, told.PaymentReceived)
	require.Contains(t, words, "Validator Person paid ₦1,000.00 to Quarter · Dues for you.")
	_, words = q.Told(q.Owner, told.PaymentReceived)
	require.Contains(t, words, "for Member Person.")
	moves, err := q.App.Activity.Movements(ctx, q.Validator.User, activity.Wanted{}, nil, 10)
	require.NoError(t, err)
	require.Equal(t, contract.MovementKind("COVER"), moves.Transactions[0].Kind)
	history, err := late.Dues.MyHistory(ctx, q.Member.User, q.Group, false, dues.HistoryWanted{Limit: 10})
	require.NoError(t, err)
	require.Equal(t, "Validator Person", *history.Payments[0].PaidByName)

	// The bank reports money now that it had in time.
	_, err = q.On(1, 3).Dues.PayFromWallet(ctx, q.Member, q.Sub, apptest.Naira(5000), dues.Due{})
	require.NoError(t, err)
	owed = q.Owes(late, q.Member)
	require.Equal(t, "4000.00", owed.Total.StringFixed(2), "the penalty is gone, and the cover pays the next due")
	require.Nil(t, owed.Dues[0].Penalty)
	n, _ = q.Told(q.Member, told.PenaltyReversed)
	require.Equal(t, 1, n)
}

func TestADueThatIsLetOffIsOwedNoMore(t *testing.T) {
	t.Parallel()
	q, ctx := apptest.QuarterOf(t, false), context.Background()
	now := q.On(2, 20)
	period := q.Began.AddDate(0, 1, -1).Format(time.DateOnly)
	ask := contract.WaiverRequest{SubAccountId: q.Sub, MemberId: q.Member.User, Period: period, Kind: "WRITTEN_OFF", Reason: "Was in hospital"}
	_, _, err := now.Dues.RequestWaiver(ctx, q.Outsider, ask)
	require.True(t, fault.Is(err, fault.NotFound))
	_, _, err = now.Dues.RequestWaiver(ctx, q.Member, ask)
	require.True(t, fault.Is(err, fault.Forbidden))
	id, _, err := now.Dues.RequestWaiver(ctx, q.Owner, ask)
	require.NoError(t, err)
	q.Caught()
	page, err := now.Dues.Waivers(ctx, q.Approver.User, q.Group, nil, 10)
	require.NoError(t, err)
	require.Equal(t, contract.WaiverStatus("OPEN"), page.Waivers[0].Status)
	require.Equal(t, "5000.00", page.Waivers[0].Amount.StringFixed(2))
	require.True(t, page.Waivers[0].MayDecide)
	agree := contract.DecideWaiverRequest{Approve: true, Seen: &page.Waivers[0].Version}
	_, err = now.Dues.DecideWaiver(ctx, q.Owner, id, agree)
	require.True(t, fault.Is(err, fault.Forbidden), "who asks does not decide")
	_, err = now.Dues.DecideWaiver(ctx, q.Outsider, id, agree)
	require.True(t, fault.Is(err, fault.NotFound))
	less := string(rules.WaiverShown(id, 1_000*money.Naira))
	_, err = now.Dues.DecideWaiver(ctx, q.Approver, id, contract.DecideWaiverRequest{Approve: true, Seen: &less})
	require.True(t, fault.Is(err, fault.Conflict), "less was left when they looked")
	_, err = now.Dues.DecideWaiver(ctx, q.Approver, id, contract.DecideWaiverRequest{Approve: true})
	require.True(t, fault.Is(err, fault.Invalid), "they do not say what they saw")
	_, err = now.Dues.DecideWaiver(ctx, q.Approver, id, agree)
	require.NoError(t, err)
	require.Equal(t, "10000.00", q.Owes(now, q.Member).Total.StringFixed(2), "two of three months are left")
	view, err := now.Dues.SubAccount(ctx, q.Owner.User, q.Sub, q.Member.User)
	require.NoError(t, err)
	require.Equal(t, contract.DueStatusWRITTENOFF, apptest.DueOf(view, period).Status)
	n, _ := q.Told(q.Member, told.DueWaived)
	require.Equal(t, 1, n)
}

func TestAGroupsPageCountsWhoOwesAsOfTheLastThingThatHappened(t *testing.T) {
	t.Parallel()
	q, ctx := apptest.QuarterOf(t, false), context.Background()
	now, m := q.On(2, 20), q.Member.User
	must := func(_ any, err error) { require.NoError(t, err) }
	count := func(due, paid, unsettled int, after string) {
		t.Helper()
		q.Caught()
		page, err := now.Groups.Group(ctx, q.Owner.User, q.Group)
		require.NoError(t, err)
		details, err := now.Groups.GroupDetails(ctx, q.Owner.User, q.Group)
		require.NoError(t, err)
		list, err := now.Groups.Groups(ctx, q.Owner.User)
		require.NoError(t, err)
		for _, view := range []contract.Group{page, details.Group, list[0]} {
			require.Equal(t, q.Group, view.Id)
			require.Equal(t, []int{due, paid, unsettled}, []int{view.DueThisMonth, view.PaidThisMonth, *view.Unsettled}, after)
		}
	}
	waive := func(month int) {
		id, _, err := now.Dues.RequestWaiver(ctx, q.Owner, contract.WaiverRequest{
			SubAccountId: q.Sub, MemberId: m, Period: q.Began.AddDate(0, month, -1).Format(time.DateOnly), Kind: "WAIVED", Reason: "Was in hospital",
		})
		require.NoError(t, err)
		q.Caught()
		page, err := now.Dues.Waivers(ctx, q.Approver.User, q.Group, nil, 10)
		require.NoError(t, err)
		require.Equal(t, id, page.Waivers[0].Id)
		must(now.Dues.DecideWaiver(ctx, q.Approver, id, contract.DecideWaiverRequest{Approve: true, Seen: &page.Waivers[0].Version}))
	}
	count(4, 0, 4, "three months that nobody paid")
	must(now.Dues.PayFromWallet(ctx, q.Validator, q.Sub, apptest.Naira(11_000), dues.Due{}))
	count(4, 0, 3, "the two months before are paid, and their penalties")
	must(now.Dues.PayFromWallet(ctx, q.Validator, q.Sub, apptest.Naira(5000), dues.Due{}))
	count(4, 1, 3, "and this one")
	must(now.Groups.DeactivateMember(ctx, q.Owner, q.Group, m, "Travels"))
	count(3, 1, 3, "who rests owes what they owed")
	_, _, err := now.Groups.ChangeMembers(ctx, q.Owner, contract.BulkMembersRequest{GroupId: q.Group, MemberIds: []string{m}, Action: "REACTIVATE"})
	require.NoError(t, err)
	count(4, 1, 3, "and is back")
	waive(2)
	count(3, 1, 3, "nothing is due this month of whom it is waived for")
	waive(0)
	count(3, 1, 3, "one month is still overdue")
	waive(1)
	count(3, 1, 2, "and now none")
	next, err := q.On(3, 20).Groups.Group(ctx, q.Owner.User, q.Group)
	require.NoError(t, err)
	require.Equal(t, []int{4, 0, 2}, []int{next.DueThisMonth, next.PaidThisMonth, *next.Unsettled}, "another day is counted anew")
	count(3, 1, 2, "and so is this one again")
}

func TestRemindersComeThreeDaysBeforeAndOnTheDayAndTheDayAfterOnce(t *testing.T) {
	t.Parallel()
	q, ctx := apptest.QuarterOf(t, false), context.Background()
	_, err := q.On(0, 3).Dues.PayFromWallet(ctx, q.Owner, q.Sub, apptest.Naira(5000), dues.Due{})
	require.NoError(t, err)
	last := q.Began.AddDate(0, 1, -2) // The last day of the month.
	for _, c := range []struct{ days, due, overdue int }{{-4, 0, 0}, {-3, 1, 0}, {-2, 1, 0}, {0, 2, 0}, {1, 2, 1}, {2, 2, 1}, {5, 2, 1}} {
		when := q.App.At(last.AddDate(0, 0, c.days))
		for range 2 {
			q.Caught()
			require.NoError(t, when.Dues.SendReminders(ctx))
		}
		due, _ := q.Told(q.Member, told.ContributionDue)
		overdue, _ := q.Told(q.Member, told.ContributionOverdue)
		require.Equal(t, []int{c.due, c.overdue}, []int{due, overdue}, "%d days after the due date", c.days)
	}
	due, _ := q.Told(q.Owner, told.ContributionDue)
	require.Zero(t, due, "the owner has paid")

	when := q.On(1, 20)
	_, _, err = when.Dues.RemindMembers(ctx, q.Member, q.Group, nil)
	require.True(t, fault.Is(err, fault.Forbidden))
	n, _, err := when.Dues.RemindMembers(ctx, q.Owner, q.Group, nil)
	require.NoError(t, err)
	require.Equal(t, 3, n)
	again, _, err := when.Dues.RemindMembers(ctx, q.Validator, q.Group, []string{q.Member.User})
	require.NoError(t, err)
	require.Zero(t, again, "once a day")
	q.Caught()
	page, err := when.Dues.Unsettled(ctx, q.Owner.User, q.Group, nil, nil, nil, 10)
	require.NoError(t, err)
	require.Equal(t, 4, page.Count)
	require.Equal(t, "10000.00", page.Members[0].Outstanding.StringFixed(2))
	require.True(t, *page.Members[0].RemindedToday)
}

func TestOfficialsHaveGridChartsAndBook(t *testing.T) {
	t.Parallel()
	q, ctx := apptest.QuarterOf(t, false), context.Background()
	for month, who := range []usecase.Who{q.Member, q.Owner} {
		_, err := q.On(month, 3).Dues.PayFromWallet(ctx, who, q.Sub, apptest.Naira(5000), dues.Due{})
		require.NoError(t, err)
	}
	q.Caught()
	now := q.On(1, 20)
	text := "member"
	grid, err := now.Dues.Grid(ctx, q.Owner.User, q.Group, dues.GridWanted{Query: &text, Periods: 3, Limit: 10})
	require.NoError(t, err)
	require.Equal(t, 1, grid.Count)
	require.Len(t, grid.Periods, 3)
	states := []string{}
	for _, cell := range grid.Rows[0].Cells {
		states = append(states, string(cell.Status))
	}
	require.Equal(t, []string{"PAID", "DUE", "SCHEDULED"}, states)

	charts, err := now.Dues.Charts(ctx, q.Member.User, q.Group, 2)
	require.NoError(t, err)
	require.Equal(t, "5000.00", charts.Months[0].Contributed.StringFixed(2))
	require.Len(t, charts.Members, 2)

	var book bytes.Buffer
	require.NoError(t, now.Dues.ExportBook(ctx, q.Validator.User, q.Group, &q.Sub, nil, nil, func() io.Writer { return &book }))
	require.Contains(t, book.String(), "Member Person")
	require.Contains(t, book.String(), ",5000.00,,10000.00,,", "the balance after the second")
	pdf, err := now.Dues.Book(ctx, q.Owner.User, q.Group, nil, nil, nil)
	require.NoError(t, err)
	require.Equal(t, "%PDF", string(pdf[:4]))
	_, err = now.Dues.Book(ctx, q.Member.User, q.Group, nil, nil, nil)
	require.True(t, fault.Is(err, fault.Forbidden))
}

func TestNoneOfTheDuesViewsTellsAPlainMemberWhatIsHidden(t *testing.T) {
	t.Parallel()
	q, ctx := apptest.QuarterOf(t, true), context.Background()
	for who, amount := range map[usecase.Who]int64{q.Owner: 4321, q.Member: 777} {
		_, err := q.On(0, 3).Dues.PayFromWallet(ctx, who, q.Sub, apptest.Naira(amount), dues.Due{})
		require.NoError(t, err)
	}
	q.Caught()
	now, m := q.On(0, 20), q.Member.User
	own, err := now.Dues.MyHistory(ctx, m, q.Group, false, dues.HistoryWanted{Limit: 50})
	require.NoError(t, err)
	charts, err := now.Dues.Charts(ctx, m, q.Group, 3)
	require.NoError(t, err)
	members, err := now.Groups.MemberSavings(ctx, m, q.Group, nil, nil, nil, 50)
	require.NoError(t, err)
	sub, err := now.Dues.SubAccount(ctx, m, q.Sub, m)
	require.NoError(t, err)
	group, err := now.Groups.Group(ctx, m, q.Group)
	require.NoError(t, err)
	all, err := json.Marshal([]any{own, charts, members, sub, group})
	require.NoError(t, err)
	require.Contains(t, string(all), "777.00")
	for _, secret := range apptest.Telling {
		require.NotContains(t, string(all), secret)
	}
	for what, refusal := range map[string]func() error{
		"everybody's payments": func() error {
			_, err := now.Dues.MyHistory(ctx, m, q.Group, true, dues.HistoryWanted{Limit: 50})
			return err
		},
		"all history": func() error {
			_, err := now.Dues.AllHistory(ctx, m, q.Group, nil, dues.HistoryWanted{Limit: 50})
			return err
		},
		"what another owes": func() error { _, err := now.Dues.Coverable(ctx, m, q.Sub, q.Owner.User); return err },
		"another's dues":    func() error { _, err := now.Dues.SubAccount(ctx, m, q.Sub, q.Owner.User); return err },
		"unsettled":         func() error { _, err := now.Dues.Unsettled(ctx, m, q.Group, nil, nil, nil, 10); return err },
		"the grid": func() error {
			_, err := now.Dues.Grid(ctx, m, q.Group, dues.GridWanted{Periods: 3, Limit: 10})
			return err
		},
		"the book": func() error { return now.Dues.ExportBook(ctx, m, q.Group, nil, nil, nil, nil) },
		"waivers":  func() error { _, err := now.Dues.Waivers(ctx, m, q.Group, nil, 10); return err },
		"paying for another": func() error {
			_, err := now.Dues.Cover(ctx, q.Member, contract.CoverRequest{SubAccountId: q.Sub, MemberId: q.Owner.User, Amount: apptest.Naira(1), UserId: m})
			return err
		},
	} {
		require.True(t, fault.Is(refusal(), fault.Forbidden), what)
	}
	_, err = now.Dues.Charts(ctx, q.Outsider.User, q.Group, 3)
	require.True(t, fault.Is(err, fault.NotFound))
	_, err = now.Dues.SubAccount(ctx, q.Outsider.User, q.Sub, q.Outsider.User)
	require.True(t, fault.Is(err, fault.NotFound))
}
