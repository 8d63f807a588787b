package apptest

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/services/internal/app"
	"adashi.ng/services/internal/groups"
	"adashi.ng/services/internal/usecase"
)

// Quarter is a group with monthly dues of ₦5,000, five days of grace and ₦500 for being late, since three months.
type Quarter struct {
	*Town
	Began      time.Time // Nine o'clock on the second of its first month.
	Group, Sub string
}

// QuarterOf makes a Quarter; hide hides from members what its sub-account holds.
func QuarterOf(t *testing.T, hide bool) *Quarter {
	t.Helper()
	q := &Quarter{Town: Setup(t, true, false)}
	q.App.Vault = q.keeps()
	month := time.Now().AddDate(0, 0, 1-time.Now().Day()).AddDate(0, -3, 0)
	q.Began = time.Date(month.Year(), month.Month(), 2, 8, 0, 0, 0, time.UTC)
	ctx, then := context.Background(), q.On(0, 2)
	var err error
	q.Group, _, err = then.Groups.CreateGroup(ctx, q.Owner, groups.NewGroup{Name: "Quarter", Amount: Naira(5000), Capacity: 9, StartMonth: int(month.Month()), ShowTotal: true})
	require.NoError(t, err)
	_, err = q.book.Append(ctx, store.Command{ID: uuid.New(), Actor: q.Owner.User, Command: account.EndCheck(q.Owner.User, "another check", 0)})
	require.True(t, err == nil || fault.As(err) != nil)
	for _, who := range []usecase.Who{q.Validator, q.Approver} {
		q.Gives(account.EndCheck(who.User, "check", 0))
	}
	for _, who := range []usecase.Who{q.Validator, q.Approver, q.Member} {
		_, _, err = then.Groups.JoinGroup(ctx, who, q.Group, q.App.Groups.InvitationCode(q.Group))
		require.NoError(t, err)
		_, _, err = then.Groups.ApproveMember(ctx, q.Owner, q.Group, who.User)
		require.NoError(t, err)
	}
	_, err = then.Groups.AppointApprover(ctx, q.Owner, q.Group, q.Approver.User)
	require.NoError(t, err)
	_, err = then.Groups.AppointValidator(ctx, q.Owner, q.Group, q.Validator.User)
	require.NoError(t, err)
	fine := Naira(500)
	q.Sub, _, err = then.Groups.OpenSubAccount(ctx, q.Owner, groups.NewSubAccount{
		GroupID: q.Group, Name: "Dues", Type: "FIXED", Frequency: "MONTHLY", Amount: Naira(5000), ShowTotal: !hide,
		Late: groups.LateTerms{GraceDays: 5, Penalty: "FLAT", Amount: &fine},
	})
	require.NoError(t, err)
	for _, who := range []usecase.Who{q.Owner, q.Validator, q.Member} {
		q.Fund(who.User)
		q.Fund(who.User)
	}
	q.Caught()
	return q
}

// On is the app on a day of a month after the first.
func (q *Quarter) On(months, day int) *app.App { return q.App.At(q.Began.AddDate(0, months, day-2)) }

// Caught has the read models come to the ledger's end.
func (q *Quarter) Caught() {
	q.Helper()
	require.NoError(q, q.Engine.CatchUp(context.Background()))
}

// Owes is what somebody owes at a moment.
func (q *Quarter) Owes(when *app.App, who usecase.Who) contract.UnsettledPayments {
	q.Helper()
	q.Caught()
	view, err := when.Dues.UserUnsettled(context.Background(), who.User, q.Group, who.User)
	require.NoError(q, err)
	return view
}

// Told counts what a user was told of a type, and is the latest in words.
func (q *Quarter) Told(who usecase.Who, typ string) (n int, latest string) {
	q.Helper()
	q.Caught()
	page, err := q.App.Notices.Notifications(context.Background(), who.User, nil, 100)
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

// DueOf is the due of a period; the zero one where there is none.
func DueOf(s contract.SubAccount, period string) contract.Due {
	for _, d := range s.Dues {
		if d.Period == period {
			return d
		}
	}
	return contract.Due{}
}

// Spoilt adds a sub-account that comes first in every list and cannot be read.
func (q *Quarter) Spoilt() (id string) {
	q.Helper()
	id = uuid.NewString()
	_, err := q.Pool.Exec(context.Background(), `INSERT INTO rm_sub_accounts
		SELECT (jsonb_populate_record(s, jsonb_build_object('id', $1::text, 'pos', 0, 'first_due', 'soon'))).* FROM rm_sub_accounts s WHERE id = $2`, id, q.Sub)
	require.NoError(q, err)
	return id
}
