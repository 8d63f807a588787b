package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/notifications"
	"adashi.ng/services/internal/activity"
	"adashi.ng/services/internal/app"
	"adashi.ng/services/internal/dues"
	"adashi.ng/services/internal/groups"
	"adashi.ng/services/internal/usecase"
)

// quarter is a group with monthly dues of ₦5,000, five days of grace and ₦500 for being late, since three months.
type quarter struct {
	*town
	began      time.Time // Nine o'clock on the second of its first month.
	group, sub string
}

func quarterOf(t *testing.T, hide bool) *quarter {
	t.Helper()
	q := &quarter{town: setup(t, true, false)}
	q.app.Vault = q.keeps()
	month := time.Now().AddDate(0, 0, 1-time.Now().Day()).AddDate(0, -3, 0)
	q.began = time.Date(month.Year(), month.Month(), 2, 8, 0, 0, 0, time.UTC)
	ctx, then := context.Background(), q.on(0, 2)
	var err error
	q.group, _, err = then.Groups.CreateGroup(ctx, q.owner, groups.NewGroup{Name: "Quarter", Amount: naira(5000), Capacity: 9, StartMonth: int(month.Month()), ShowTotal: true})
	require.NoError(t, err)
	_, err = q.book.Append(ctx, store.Command{ID: uuid.New(), Actor: q.owner.User, Command: account.EndCheck(q.owner.User, "another check", 0)})
	require.True(t, err == nil || fault.As(err) != nil)
	for _, who := range []usecase.Who{q.validator, q.approver} {
		q.gives(account.EndCheck(who.User, "check", 0))
	}
	for _, who := range []usecase.Who{q.validator, q.approver, q.member} {
		_, _, err = then.Groups.JoinGroup(ctx, who, q.group, q.app.Groups.InvitationCode(q.group))
		require.NoError(t, err)
		_, _, err = then.Groups.ApproveMember(ctx, q.owner, q.group, who.User)
		require.NoError(t, err)
	}
	_, err = then.Groups.AppointApprover(ctx, q.owner, q.group, q.approver.User)
	require.NoError(t, err)
	_, err = then.Groups.AppointValidator(ctx, q.owner, q.group, q.validator.User)
	require.NoError(t, err)
	fine := naira(500)
	q.sub, _, err = then.Groups.OpenSubAccount(ctx, q.owner, groups.NewSubAccount{
		GroupID: q.group, Name: "Dues", Type: "FIXED", Frequency: "MONTHLY", Amount: naira(5000), ShowTotal: !hide,
		Late: groups.LateTerms{GraceDays: 5, Penalty: "FLAT", Amount: &fine},
	})
	require.NoError(t, err)
	for _, who := range []usecase.Who{q.owner, q.validator, q.member} {
		q.fund(who.User)
		q.fund(who.User)
	}
	q.caught()
	return q
}

// on is the app on a day of a month after the first.
func (q *quarter) on(months, day int) *app.App { return q.app.At(q.began.AddDate(0, months, day-2)) }

func (q *quarter) caught() {
	q.Helper()
	require.NoError(q, q.engine.CatchUp(context.Background()))
}

func (q *quarter) owes(when *app.App, who usecase.Who) contract.UnsettledPayments {
	q.Helper()
	q.caught()
	view, err := when.Dues.UserUnsettled(context.Background(), who.User, q.group, who.User)
	require.NoError(q, err)
	return view
}

// told counts what a user was told of a type, and is the latest in words.
func (q *quarter) told(who usecase.Who, typ string) (n int, latest string) {
	q.Helper()
	q.caught()
	page, err := q.app.Notices.Notifications(context.Background(), who.User, nil, 100)
	require.NoError(q, err)
	for _, one := range page.Notifications {
		if string(one.Type) == typ {
			if n++; n == 1 {
				latest = one.Data.Body
			}
		}
	}
	return n, latest
}

func TestADueIsLateCoveredAndPaidInTimeAfterAll(t *testing.T) {
	t.Parallel()
	q, ctx := quarterOf(t, false), context.Background()
	late := q.on(1, 7)
	require.NoError(t, q.on(1, 5).Dues.ApplyPenalties(ctx))
	require.NoError(t, late.Dues.ApplyPenalties(ctx))
	require.NoError(t, late.Dues.ApplyPenalties(ctx), "once is enough")
	owed := q.owes(late, q.member)
	require.Equal(t, "10500.00", owed.Total.StringFixed(2))
	require.Equal(t, contract.DueStatusOVERDUE, owed.Dues[0].Status)
	require.Equal(t, "500.00", owed.Dues[0].Penalty.StringFixed(2))
	n, words := q.told(q.member, notifications.PenaltyApplied)
	require.Equal(t, 1, n)
	require.Contains(t, words, "₦500.00 was added to what you owe Quarter · Dues")

	receipt, err := late.Dues.Cover(ctx, q.validator, contract.CoverRequest{SubAccountId: q.sub, MemberId: q.member.User, Amount: naira(1000), UserId: q.validator.User})
	require.NoError(t, err)
	require.Equal(t, "1000.00", receipt.Settled[0].Amount.StringFixed(2))
	_, words = q.told(q.member, notifications.PaymentReceived)
	require.Contains(t, words, "Validator Person paid ₦1,000.00 to Quarter · Dues for you.")
	_, words = q.told(q.owner, notifications.PaymentReceived)
	require.Contains(t, words, "for Member Person.")
	moves, err := q.app.Activity.Movements(ctx, q.validator.User, activity.Wanted{}, nil, 10)
	require.NoError(t, err)
	require.Equal(t, contract.MovementKind("COVER"), moves.Transactions[0].Kind)
	history, err := late.Dues.MyHistory(ctx, q.member.User, q.group, false, dues.HistoryWanted{Limit: 10})
	require.NoError(t, err)
	require.Equal(t, "Validator Person", *history.Payments[0].PaidByName)

	// The bank tells now of money that it had in time.
	_, err = q.on(1, 3).Dues.PayFromWallet(ctx, q.member, q.sub, naira(5000), dues.Due{})
	require.NoError(t, err)
	owed = q.owes(late, q.member)
	require.Equal(t, "4000.00", owed.Total.StringFixed(2), "the penalty is gone, and the cover pays the next due")
	require.Nil(t, owed.Dues[0].Penalty)
	n, _ = q.told(q.member, notifications.PenaltyReversed)
	require.Equal(t, 1, n)
}

func TestADueThatIsLetOffIsOwedNoMore(t *testing.T) {
	t.Parallel()
	q, ctx := quarterOf(t, false), context.Background()
	now := q.on(2, 20)
	period := q.began.AddDate(0, 1, -1).Format(time.DateOnly)
	ask := contract.WaiverRequest{SubAccountId: q.sub, MemberId: q.member.User, Period: period, Kind: "WRITTEN_OFF", Reason: "Was in hospital"}
	_, _, err := now.Dues.RequestWaiver(ctx, q.outsider, ask)
	require.True(t, fault.Is(err, fault.NotFound))
	_, _, err = now.Dues.RequestWaiver(ctx, q.member, ask)
	require.True(t, fault.Is(err, fault.Forbidden))
	id, _, err := now.Dues.RequestWaiver(ctx, q.owner, ask)
	require.NoError(t, err)
	q.caught()
	page, err := now.Dues.Waivers(ctx, q.approver.User, q.group, nil, 10)
	require.NoError(t, err)
	require.Equal(t, contract.WaiverStatus("OPEN"), page.Waivers[0].Status)
	require.Equal(t, "5000.00", page.Waivers[0].Amount.StringFixed(2))
	require.True(t, page.Waivers[0].MayDecide)
	_, err = now.Dues.DecideWaiver(ctx, q.owner, id, true, "")
	require.True(t, fault.Is(err, fault.Forbidden), "who asks does not decide")
	_, err = now.Dues.DecideWaiver(ctx, q.outsider, id, true, "")
	require.True(t, fault.Is(err, fault.NotFound))
	_, err = now.Dues.DecideWaiver(ctx, q.approver, id, true, "")
	require.NoError(t, err)
	require.Equal(t, "10000.00", q.owes(now, q.member).Total.StringFixed(2), "two of three months are left")
	view, err := now.Dues.SubAccount(ctx, q.owner.User, q.sub, q.member.User)
	require.NoError(t, err)
	require.Equal(t, contract.DueStatusWRITTENOFF, dueOf(view, period).Status)
	n, _ := q.told(q.member, notifications.DueWaived)
	require.Equal(t, 1, n)
}

func dueOf(s contract.SubAccount, period string) contract.Due {
	for _, d := range s.Dues {
		if d.Period == period {
			return d
		}
	}
	return contract.Due{}
}

func TestAGroupsPageCountsWhoOwesAsOfTheLastThingThatHappened(t *testing.T) {
	t.Parallel()
	q, ctx := quarterOf(t, false), context.Background()
	now, m := q.on(2, 20), q.member.User
	must := func(_ any, err error) { require.NoError(t, err) }
	count := func(due, paid, unsettled int, after string) {
		t.Helper()
		q.caught()
		page, err := now.Groups.Group(ctx, q.owner.User, q.group)
		require.NoError(t, err)
		details, err := now.Groups.GroupDetails(ctx, q.owner.User, q.group)
		require.NoError(t, err)
		list, err := now.Groups.Groups(ctx, q.owner.User)
		require.NoError(t, err)
		for _, view := range []contract.Group{page, details.Group, list[0]} {
			require.Equal(t, q.group, view.Id)
			require.Equal(t, []int{due, paid, unsettled}, []int{view.DueThisMonth, view.PaidThisMonth, *view.Unsettled}, after)
		}
	}
	waive := func(month int) {
		id, _, err := now.Dues.RequestWaiver(ctx, q.owner, contract.WaiverRequest{
			SubAccountId: q.sub, MemberId: m, Period: q.began.AddDate(0, month, -1).Format(time.DateOnly), Kind: "WAIVED", Reason: "Was in hospital",
		})
		require.NoError(t, err)
		must(now.Dues.DecideWaiver(ctx, q.approver, id, true, ""))
	}
	count(4, 0, 4, "three months that nobody paid")
	must(now.Dues.PayFromWallet(ctx, q.validator, q.sub, naira(11_000), dues.Due{}))
	count(4, 0, 3, "the two months before are paid, and their penalties")
	must(now.Dues.PayFromWallet(ctx, q.validator, q.sub, naira(5000), dues.Due{}))
	count(4, 1, 3, "and this one")
	must(now.Groups.DeactivateMember(ctx, q.owner, q.group, m, "Travels"))
	count(3, 1, 3, "who rests owes what they owed")
	_, _, err := now.Groups.ChangeMembers(ctx, q.owner, contract.BulkMembersRequest{GroupId: q.group, MemberIds: []string{m}, Action: "REACTIVATE"})
	require.NoError(t, err)
	count(4, 1, 3, "and is back")
	waive(2)
	count(3, 1, 3, "nothing is due this month of whom it is waived for")
	waive(0)
	count(3, 1, 3, "one month is still overdue")
	waive(1)
	count(3, 1, 2, "and now none")
	next, err := q.on(3, 20).Groups.Group(ctx, q.owner.User, q.group)
	require.NoError(t, err)
	require.Equal(t, []int{4, 0, 2}, []int{next.DueThisMonth, next.PaidThisMonth, *next.Unsettled}, "another day is counted anew")
	count(3, 1, 2, "and so is this one again")
}

func TestRemindersComeThreeDaysBeforeAndOnTheDayAndTheDayAfterOnce(t *testing.T) {
	t.Parallel()
	q, ctx := quarterOf(t, false), context.Background()
	_, err := q.on(0, 3).Dues.PayFromWallet(ctx, q.owner, q.sub, naira(5000), dues.Due{})
	require.NoError(t, err)
	last := q.began.AddDate(0, 1, -2) // The last day of the month.
	for _, c := range []struct{ days, due, overdue int }{{-4, 0, 0}, {-3, 1, 0}, {-2, 1, 0}, {0, 2, 0}, {1, 2, 1}, {2, 2, 1}, {5, 2, 1}} {
		when := q.app.At(last.AddDate(0, 0, c.days))
		for range 2 {
			q.caught()
			require.NoError(t, when.Dues.SendReminders(ctx))
		}
		due, _ := q.told(q.member, notifications.ContributionDue)
		overdue, _ := q.told(q.member, notifications.ContributionOverdue)
		require.Equal(t, []int{c.due, c.overdue}, []int{due, overdue}, "%d days after the due date", c.days)
	}
	due, _ := q.told(q.owner, notifications.ContributionDue)
	require.Zero(t, due, "the owner has paid")

	when := q.on(1, 20)
	_, _, err = when.Dues.RemindMembers(ctx, q.member, q.group, nil)
	require.True(t, fault.Is(err, fault.Forbidden))
	n, _, err := when.Dues.RemindMembers(ctx, q.owner, q.group, nil)
	require.NoError(t, err)
	require.Equal(t, 3, n)
	again, _, err := when.Dues.RemindMembers(ctx, q.validator, q.group, []string{q.member.User})
	require.NoError(t, err)
	require.Zero(t, again, "once a day")
	q.caught()
	page, err := when.Dues.Unsettled(ctx, q.owner.User, q.group, nil, nil, nil, 10)
	require.NoError(t, err)
	require.Equal(t, 4, page.Count)
	require.Equal(t, "10000.00", page.Members[0].Outstanding.StringFixed(2))
	require.True(t, *page.Members[0].RemindedToday)
}

func TestOfficialsHaveGridChartsAndBook(t *testing.T) {
	t.Parallel()
	q, ctx := quarterOf(t, false), context.Background()
	for month, who := range []usecase.Who{q.member, q.owner} {
		_, err := q.on(month, 3).Dues.PayFromWallet(ctx, who, q.sub, naira(5000), dues.Due{})
		require.NoError(t, err)
	}
	q.caught()
	now := q.on(1, 20)
	text := "member"
	grid, err := now.Dues.Grid(ctx, q.owner.User, q.group, dues.GridWanted{Query: &text, Periods: 3, Limit: 10})
	require.NoError(t, err)
	require.Equal(t, 1, grid.Count)
	require.Len(t, grid.Periods, 3)
	states := []string{}
	for _, cell := range grid.Rows[0].Cells {
		states = append(states, string(cell.Status))
	}
	require.Equal(t, []string{"PAID", "DUE", "SCHEDULED"}, states)

	charts, err := now.Dues.Charts(ctx, q.member.User, q.group, 2)
	require.NoError(t, err)
	require.Equal(t, "5000.00", charts.Months[0].Contributed.StringFixed(2))
	require.Len(t, charts.Members, 2)

	var book bytes.Buffer
	require.NoError(t, now.Dues.ExportBook(ctx, q.validator.User, q.group, &q.sub, nil, nil, func() io.Writer { return &book }))
	require.Contains(t, book.String(), "Member Person")
	require.Contains(t, book.String(), ",5000.00,,10000.00,,", "the balance after the second")
	pdf, err := now.Dues.Book(ctx, q.owner.User, q.group, nil, nil, nil, 7)
	require.NoError(t, err)
	require.Equal(t, "%PDF", string(pdf[:4]))
	_, err = now.Dues.Book(ctx, q.member.User, q.group, nil, nil, nil, 7)
	require.True(t, fault.Is(err, fault.Forbidden))
}

func TestNoneOfTheDuesViewsTellsAPlainMemberWhatIsHidden(t *testing.T) {
	t.Parallel()
	q, ctx := quarterOf(t, true), context.Background()
	for who, amount := range map[usecase.Who]int64{q.owner: 4321, q.member: 777} {
		_, err := q.on(0, 3).Dues.PayFromWallet(ctx, who, q.sub, naira(amount), dues.Due{})
		require.NoError(t, err)
	}
	q.caught()
	now, m := q.on(0, 20), q.member.User
	own, err := now.Dues.MyHistory(ctx, m, q.group, false, dues.HistoryWanted{Limit: 50})
	require.NoError(t, err)
	charts, err := now.Dues.Charts(ctx, m, q.group, 3)
	require.NoError(t, err)
	members, err := now.Groups.MemberSavings(ctx, m, q.group, nil, nil, nil, 50)
	require.NoError(t, err)
	sub, err := now.Dues.SubAccount(ctx, m, q.sub, m)
	require.NoError(t, err)
	group, err := now.Groups.Group(ctx, m, q.group)
	require.NoError(t, err)
	all, err := json.Marshal([]any{own, charts, members, sub, group})
	require.NoError(t, err)
	require.Contains(t, string(all), "777.00")
	for _, secret := range telling {
		require.NotContains(t, string(all), secret)
	}
	for what, refusal := range map[string]func() error{
		"everybody's payments": func() error {
			_, err := now.Dues.MyHistory(ctx, m, q.group, true, dues.HistoryWanted{Limit: 50})
			return err
		},
		"all history": func() error {
			_, err := now.Dues.AllHistory(ctx, m, q.group, nil, dues.HistoryWanted{Limit: 50})
			return err
		},
		"what another owes": func() error { _, err := now.Dues.Coverable(ctx, m, q.sub, q.owner.User); return err },
		"another's dues":    func() error { _, err := now.Dues.SubAccount(ctx, m, q.sub, q.owner.User); return err },
		"unsettled":         func() error { _, err := now.Dues.Unsettled(ctx, m, q.group, nil, nil, nil, 10); return err },
		"the grid": func() error {
			_, err := now.Dues.Grid(ctx, m, q.group, dues.GridWanted{Periods: 3, Limit: 10})
			return err
		},
		"the book": func() error { return now.Dues.ExportBook(ctx, m, q.group, nil, nil, nil, nil) },
		"waivers":  func() error { _, err := now.Dues.Waivers(ctx, m, q.group, nil, 10); return err },
		"paying for another": func() error {
			_, err := now.Dues.Cover(ctx, q.member, contract.CoverRequest{SubAccountId: q.sub, MemberId: q.owner.User, Amount: naira(1), UserId: m})
			return err
		},
	} {
		require.True(t, fault.Is(refusal(), fault.Forbidden), what)
	}
	_, err = now.Dues.Charts(ctx, q.outsider.User, q.group, 3)
	require.True(t, fault.Is(err, fault.NotFound))
	_, err = now.Dues.SubAccount(ctx, q.outsider.User, q.sub, q.outsider.User)
	require.True(t, fault.Is(err, fault.NotFound))
}
