package app_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"
	"adashi.ng/proto/wire"

	"adashi.ng/projections/notifications"
	"adashi.ng/services/internal/items"
	"adashi.ng/services/internal/mail"
	"adashi.ng/services/internal/usecase"
	"adashi.ng/services/internal/vault"
)

// One bad item of a job's list stops no other, is tried again after a pause, and is seen.

// failing are the items of a job that fail.
func (w *town) failing(job string) []items.Failing {
	w.Helper()
	list, err := items.Job{Pool: w.pool, Name: job}.Last(context.Background(), 10)
	require.NoError(w, err)
	return list
}

// written are how many letters there are to somebody.
func (w *town) written(who usecase.Who) int {
	w.Helper()
	letters, err := mail.Newest(context.Background(), w.pool, "")
	require.NoError(w, err)
	n := 0
	for _, l := range letters {
		if l.To == strings.ToLower(who.Email) {
			n++
		}
	}
	return n
}

// settings are those of members; about one who is gone nobody answers.
type settings struct{ gone *string }

func (settings) Hidden(context.Context, string) ([]string, error) { return nil, nil }

func (s settings) Unmailed(_ context.Context, user string) ([]string, error) {
	if user == *s.gone {
		return nil, errors.New("nobody like gone@example.com is here")
	}
	return nil, nil
}

// letterbox has the app write letters from here on; about whose settings nobody answers it is told.
func (w *town) letterbox(gone *string) {
	w.Helper()
	w.app.Vault, w.app.Notices.Settings = w.keeps(), settings{gone}
	require.NoError(w, w.app.Notices.BeginLetters(context.Background()))
}

func TestALetterThatCannotBeWrittenStopsNoOther(t *testing.T) {
	t.Parallel()
	w, ctx := setup(t, true, false), context.Background()
	now := time.Now()
	w.app.Now = func() time.Time { return now }
	gone := w.member.User
	require.NoError(t, w.engine.CatchUp(ctx))
	w.letterbox(&gone)
	w.fund(w.member.User)
	w.fund(w.owner.User)
	require.NoError(t, w.engine.CatchUp(ctx))
	require.ErrorContains(t, w.app.Notices.MailNotifications(ctx), "nobody like")
	require.Equal(t, 1, w.written(w.owner), "it came after the bad one")
	require.NoError(t, w.app.Notices.MailNotifications(ctx), "it is not tried at once")

	letters, err := w.app.Notices.Letters(ctx)
	require.NoError(t, err)
	require.Equal(t, 1, letters.Failed)
	require.Equal(t, "nobody like (address) is here", letters.Last[0].Reason)
	tries := 1
	for range 30 {
		now = now.Add(time.Hour)
		if w.app.Notices.MailNotifications(ctx) != nil {
			tries++
		}
	}
	require.InDelta(t, 24, tries, 2)
	letters, err = w.app.Notices.Letters(ctx)
	require.NoError(t, err)
	require.Equal(t, [3]int{0, 1, 1}, [3]int{letters.Failed, letters.GivenUp, letters.Waiting}, "the owner's waits to be sent")
	require.Nil(t, letters.Last[0].NextTry)

	gone = ""
	require.NoError(t, w.app.Notices.MailNotifications(ctx))
	require.Zero(t, w.written(w.member))
	require.NoError(t, w.app.Notices.TryLettersAgain(ctx))
	require.NoError(t, w.app.Notices.MailNotifications(ctx))
	require.Equal(t, 1, w.written(w.member))
	letters, err = w.app.Notices.Letters(ctx)
	require.NoError(t, err)
	require.Equal(t, [3]int{0, 0, 2}, [3]int{letters.Failed, letters.GivenUp, letters.Waiting})
	require.Empty(t, letters.Last)
}

func TestAnOrderThatCannotBeRunStopsNoOther(t *testing.T) {
	t.Parallel()
	w, ctx := startOn(t, "2027-01-31"), context.Background()
	w.order(1_000, "MONTHLY", "2027-01-31")
	for _, who := range []usecase.Who{w.owner} {
		w.fund(who.User)
		_, _, err := w.app.StandingOrders.SetStandingOrder(ctx, who, contract.CreateStandingOrderRequest{
			SubAccountId: w.open, Amount: naira(500), Frequency: "MONTHLY", FirstDay: "2027-01-31", Consent: true,
		})
		require.NoError(t, err)
	}
	bad := w.member.User
	w.app.Dues.MayContribute = func(_ context.Context, user string) error {
		if user == bad {
			panic("a record that nobody can read")
		}
		return nil
	}
	require.NoError(t, w.engine.CatchUp(ctx))
	require.ErrorContains(t, w.app.StandingOrders.RunStandingOrders(ctx), "nobody can read")
	require.NoError(t, w.engine.CatchUp(ctx))
	require.Equal(t, "8223", w.wallet())
	var paid int
	require.NoError(t, w.pool.QueryRow(ctx, "SELECT count(*) FROM events WHERE type = 'naira.v1.StandingOrderRan'").Scan(&paid))
	require.Equal(t, 1, paid)
	require.Len(t, w.failing("standing orders"), 1)
	bad = ""
	at := w.app.Now().Add(31 * time.Second)
	w.app.Now = func() time.Time { return at }
	w.runs()
	require.Equal(t, "7223", w.wallet())
	require.Empty(t, w.failing("standing orders"))
}

// spoilt adds a sub-account that comes first in every list and cannot be read.
func (q *quarter) spoilt() (id string) {
	q.Helper()
	id = uuid.NewString()
	_, err := q.pool.Exec(context.Background(), `INSERT INTO rm_sub_accounts
		SELECT (jsonb_populate_record(s, jsonb_build_object('id', $1::text, 'pos', 0, 'first_due', 'soon'))).* FROM rm_sub_accounts s WHERE id = $2`, id, q.sub)
	require.NoError(q, err)
	return id
}

func TestASubAccountThatCannotBeReadStopsNoOthersPenalties(t *testing.T) {
	t.Parallel()
	q, ctx := quarterOf(t, false), context.Background()
	bad := q.spoilt()
	require.ErrorContains(t, q.on(1, 7).Dues.ApplyPenalties(ctx), "soon")
	n, _ := q.told(q.member, notifications.PenaltyApplied)
	require.Equal(t, 1, n, "the other's late dues")
	require.Equal(t, bad, q.failing("apply penalties")[0].Item)
}

func TestASubAccountThatCannotBeReadStopsNoOthersReminders(t *testing.T) {
	t.Parallel()
	q, ctx := quarterOf(t, false), context.Background()
	bad := q.spoilt()
	day := q.began.AddDate(0, 1, -3) // The last but one of the first month: what is due on the last is due soon.
	require.ErrorContains(t, q.app.At(time.Date(day.Year(), day.Month(), day.Day(), 9, 0, 0, 0, time.UTC)).Dues.SendReminders(ctx), "soon")
	n, _ := q.told(q.member, notifications.ContributionDue)
	require.Equal(t, 1, n)
	require.Equal(t, bad, q.failing("send reminders")[0].Item)
}

func TestAPayoutThatCannotBeReadStopsNoOther(t *testing.T) {
	t.Parallel()
	w, ctx := setup(t, true, false), context.Background()
	w.paysOut()
	var bad string
	for n := range 2 {
		made, _, err := w.app.Payouts.Withdraw(ctx, w.member, naira(1_000), wire.FromKobo(989_25), "")
		require.NoError(t, err)
		if n == 0 {
			bad = made.Id
		}
	}
	schema, err := vault.Schema(ctx, w.pool)
	require.NoError(t, err)
	payees := pgx.Identifier{schema, "payees"}.Sanitize()
	var sealed []byte
	require.NoError(t, w.pool.QueryRow(ctx, "UPDATE "+payees+` p SET sealed = '\x00' FROM (SELECT withdrawal, sealed FROM `+payees+` WHERE withdrawal = $1) AS was
		WHERE p.withdrawal = was.withdrawal RETURNING was.sealed`, bad).Scan(&sealed))
	require.NoError(t, w.engine.CatchUp(ctx))
	require.Error(t, w.app.Payouts.SendPayouts(ctx))
	orders := func() (n int) {
		require.NoError(t, w.pool.QueryRow(ctx, `SELECT count(*) FROM sandbox_payouts`).Scan(&n))
		return n
	}
	require.Equal(t, 1, orders(), "it came after the bad one")
	require.Equal(t, bad, w.failing("send payouts")[0].Item)
	require.NoError(t, w.app.Payouts.SendPayouts(ctx), "it is not tried at once")
	_, err = w.pool.Exec(ctx, "UPDATE "+payees+` SET sealed = $2 WHERE withdrawal = $1`, bad, sealed)
	require.NoError(t, err)
	at := time.Now().Add(31 * time.Second)
	w.app.Now = func() time.Time { return at }
	require.NoError(t, w.app.Payouts.SendPayouts(ctx))
	require.Equal(t, 2, orders())
	require.Empty(t, w.failing("send payouts"))
}
