package e2e

import (
	"context"
	"fmt"
	"regexp"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/reflect/protopath"
	"google.golang.org/protobuf/reflect/protorange"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/timestamppb"

	"adashi.ng/ledger/infra/history"
	"adashi.ng/projections/groups"
	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/demo"
	"adashi.ng/services/internal/people"
)

// ofTheMachine are the columns whose times are the machine's, and why.
var ofTheMachine = map[string]string{
	"public.job_runs.ran_at": "the queue goes by Postgres's clock, and jobs are late by it",
	"public.job_runs.since":  "as above",
}

// notOurs are tables that libraries keep for themselves: the queue's, which goes by Postgres's clock, and what was
// migrated.
var notOurs = regexp.MustCompile(`^(river_|goose_)`)

// away is how far from the machine's time the product lives here: more than a year, and no whole number of months.
const away = 410 * 24 * time.Hour

func TestEveryTimeIsTheClocks(t *testing.T) {
	t.Parallel()
	for name, from := range map[string]time.Duration{"ahead": away, "behind": -away} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			everyTimeIsTheClocks(t, from)
		})
	}
}

func everyTimeIsTheClocks(t *testing.T, from time.Duration) {
	cfg := settings(t.TempDir())
	cfg.Clock = func() time.Time { return time.Now().Add(from) }
	told, err := boot.Start(context.Background(), cfg, demo.Roles)
	require.NoError(t, err)
	_, err = demo.Seed(context.Background(), told)
	told.Stop()
	require.NoError(t, err)
	i, err := boot.Start(context.Background(), cfg, boot.All)
	require.NoError(t, err)
	t.Cleanup(i.Stop)
	shown := lives(t, i)
	ctx := context.Background()
	_, head, err := history.Head(ctx, i.Pool)
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		var least, sealed int64
		err := i.Pool.QueryRow(ctx, "SELECT (SELECT min(pos) FROM projections), (SELECT coalesce(max(size), 0) FROM ledger_checkpoints)").Scan(&least, &sealed)
		return err == nil && least >= head && sealed >= head
	}, time.Minute, 20*time.Millisecond)
	checked := columnsAreOfTheClock(t, i)
	require.Greater(t, checked, 60, "columns that hold a time")
	eventsAreOfTheClock(t, i)
	for path, text := range shown {
		for day := range 3 {
			of := time.Now().UTC().AddDate(0, 0, day-1).Format(time.DateOnly)
			require.NotContains(t, text, of, "%s shows the machine's time", path)
		}
		require.Contains(t, text, time.Now().UTC().Add(from).Format("2006"), path)
	}
}

// lives has people do what most people do, and answers what they were shown.
func lives(t *testing.T, i *boot.Instance) map[string]string {
	t.Helper()
	ctx := context.Background()
	c := found(t, i)
	stranger := nobody(t, i.Address)
	email := "new-" + uuid.NewString() + "@example.com"
	must[any](stranger, "POST", "/api/Account/Register", object{
		"email": email, "password": password, "firstName": "Dayo", "lastName": "Test", "phone": "08031234567", "dateOfBirth": "1990-01-01",
	})
	require.Equal(t, 400, stranger.ask("POST", "/api/Account/GetToken", object{"email": c.member.email, "password": "wrong"}).status)
	c.member.funded(20_000)
	require.Equal(t, 200, c.member.pays(c.sub, 5000).status)
	c.owner.told("payment_received")
	c.owner.acts("POST", invite, object{"groupId": c.group, "email": email})
	must[any](c.owner, "PATCH", "/api/Notification/all", nil)
	w, _ := withdrawer(t, i, "Efe", 10_000)
	w.becomes(w.withdraws(5_000).id(t), "PAID")
	must[object](c.member, "POST", "/api/Wallet/FundWalletVfd", object{"amount": 100, "email": c.member.email}) // It stays open.
	_, push := witnessOf(t, i)
	require.Eventually(t, func() bool { return push.Push(ctx) == nil && rowsOf(t, i, "witness_cosignatures") > 0 }, time.Minute, 100*time.Millisecond)
	require.NoError(t, i.Engine.AskRebuild(ctx, groups.Name))
	require.Eventually(t, func() bool { return rowsOf(t, i, "rebuilds WHERE ended_at IS NOT NULL") > 0 }, time.Minute, 50*time.Millisecond)
	admin := staff(t, i, "Ayo", people.RoleAdmin)
	shown := map[string]string{}
	for path, by := range map[string]*person{
		"/readyz": stranger, "/api/Operator/checks": admin, "/api/Operator/projections": admin, "/api/Account/GetUserInfoById/" + c.member.id: c.member,
		"/api/v1/account/sessions": c.member, "/api/v1/activity": c.member, "/api/Notification/all": c.owner, "/api/GroupSavings/GetGroupSavingsInfo/" + c.group: c.owner,
		"/api/v1/wallet/open-payments": c.member, "/api/Utility/GetYears": stranger,
	} {
		shown[path] = by.text(path)
	}
	return shown
}

// text is what a page answers.
func (p *person) text(path string) string {
	p.Helper()
	raw, response := p.file(path)
	require.Equal(p, 200, response.StatusCode, path)
	return string(raw)
}

func rowsOf(t *testing.T, i *boot.Instance, of string) (n int) {
	t.Helper()
	require.NoError(t, i.Pool.QueryRow(context.Background(), "SELECT count(*) FROM "+of).Scan(&n))
	return n
}

// columnsAreOfTheClock holds that no column of the product has a time within a day of the machine's. It answers how
// many hold a time at all.
func columnsAreOfTheClock(t *testing.T, i *boot.Instance) (some int) {
	t.Helper()
	ctx, now := context.Background(), time.Now().UTC()
	rows, err := i.Pool.Query(ctx, `SELECT table_schema, table_name, column_name FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
		WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema') AND (data_type LIKE 'timestamp%' OR data_type = 'date') ORDER BY 1, 2, 3`)
	require.NoError(t, err)
	columns, err := pgx.CollectRows(rows, pgx.RowToStructByPos[struct{ Schema, Table, Column string }])
	require.NoError(t, err)
	for _, c := range columns {
		name := c.Schema + "." + c.Table + "." + c.Column
		if notOurs.MatchString(c.Table) {
			continue
		}
		column := pgx.Identifier{c.Column}.Sanitize()
		var all, machine int
		require.NoError(t, i.Pool.QueryRow(ctx, fmt.Sprintf("SELECT count(%[1]s), count(*) FILTER (WHERE %[1]s BETWEEN $1::timestamptz - interval '1 day' AND $1::timestamptz + interval '1 day') FROM %[2]s",
			column, pgx.Identifier{c.Schema, c.Table}.Sanitize()), now).Scan(&all, &machine))
		if all > 0 {
			some++
		}
		if _, excepted := ofTheMachine[name]; machine > 0 && !excepted {
			t.Errorf("%s: %d of %d rows have the machine's time", name, machine, all)
		}
	}
	return some
}

// eventsAreOfTheClock holds the same of the times that events tell of.
func eventsAreOfTheClock(t *testing.T, i *boot.Instance) {
	t.Helper()
	now := time.Now()
	records, err := history.Read(context.Background(), i.Pool, 0, 10_000)
	require.NoError(t, err)
	told := 0
	for _, r := range records {
		m, err := r.Message()
		require.NoError(t, err)
		require.NoError(t, protorange.Range(m.ProtoReflect(), func(p protopath.Values) error {
			value, is := p.Index(-1).Value.Interface().(protoreflect.Message)
			if !is {
				return nil
			}
			if at, is := value.Interface().(*timestamppb.Timestamp); is {
				told++
				require.Greater(t, at.AsTime().Sub(now).Abs(), 24*time.Hour, "%d %s: %s", r.Pos, r.Type, p.Path)
			}
			return nil
		}))
	}
	require.NotZero(t, told)
}
