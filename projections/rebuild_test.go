package projections_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/projections"
	"adashi.ng/projections/activity"
	"adashi.ng/projections/balances"
	"adashi.ng/projections/engine"
	"adashi.ng/projections/engine/recent"
	"adashi.ng/projections/groups"
	"adashi.ng/projections/notifications"
	"adashi.ng/projections/query"
	"adashi.ng/projections/requests"
	"adashi.ng/projections/statements"
)

// with is another engine over the house's ledger.
func (h *house) with(models ...engine.Model) *engine.Engine {
	opt := h.engine().Options
	opt.Models = models
	return engine.New(opt)
}

// builds counts the schemas that builds left behind.
func (h *house) builds() (n int) {
	h.Helper()
	require.NoError(h, h.pool.QueryRow(context.Background(), "SELECT count(*) FROM pg_namespace WHERE starts_with(nspname, current_schema() || '__')").Scan(&n))
	return n
}

func (h *house) exec(sql string, args ...any) {
	h.Helper()
	_, err := h.pool.Exec(context.Background(), sql, args...)
	require.NoError(h, err)
}

// reads reads every model until stop and answers how often; a failed read fails the test.
func (h *house) reads() (stop func() int64) {
	ctx, cancel := context.WithCancel(context.Background())
	var n atomic.Int64
	var wg sync.WaitGroup
	wg.Go(func() {
		for ctx.Err() == nil {
			_, err := activity.Page(context.Background(), h.pool, "ada", activity.Filter{}, 0, 10)
			_, err2 := balances.Of(context.Background(), h.pool, "ada")
			_, err3 := groups.One(context.Background(), h.pool, "g0")
			_, err4 := notifications.Unread(context.Background(), h.pool, "ada")
			_, err5 := statements.AtEffective(context.Background(), h.pool, "wallet:ada", time.Now())
			if err := errors.Join(err, err2, err3, err4, err5, h.together()); err != nil {
				h.Errorf("a read failed: %v", err)
				return
			}
			n.Add(1)
		}
	})
	return func() int64 { cancel(); wg.Wait(); return n.Load() }
}

// together reads tables of two models in one batch, as a group's page does.
func (h *house) together() error {
	batch := &pgx.Batch{}
	groups.ByIDs("g0").Queue(batch, drop)
	groups.Members("", "g0").Queue(batch, drop)
	groups.SubAccounts("g0").Queue(batch, drop)
	groups.Contributors("", "g0").Queue(batch, drop)
	groups.Months([]string{"g0"}, "2026-01", "2026-12").Queue(batch, drop)
	groups.Absences("", "g0").Queue(batch, drop)
	groups.FirstMembers("g0", "ada", 10).Queue(batch, drop)
	requests.Pools("s0").Queue(batch, drop)
	groups.Coverages("g0").Queue(batch, drop)
	return query.Send(context.Background(), h.pool, batch)
}

func drop[T any](T) {}

func TestARebuildWhileCommandsArriveFlipsWithEqualDigests(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.run()
	h.run()
	h.begin()
	h.live(100)
	h.caughtUp()
	stop := h.reads()
	writing, done := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() {
		for writing.Err() == nil {
			h.live(5)
		}
	})
	for _, m := range projections.All() {
		before := h.head()
		result, err := h.engine().Rebuild(context.Background(), m.Name, nil)
		require.NoError(t, err)
		require.True(t, result.Compared, m.Name)
		require.NotEmpty(t, result.Digest)
		require.Positive(t, result.Rows)
		require.NotZero(t, result.ComparedAt)
		require.GreaterOrEqual(t, result.Position, before, "the flip went back in time")
	}
	all, err := h.engine().RebuildAll(context.Background(), nil)
	require.NoError(t, err)
	require.Len(t, all, len(projections.All()))
	done()
	wg.Wait()
	require.NotZero(t, stop())
	h.caughtUp()
	h.equalFresh()
	require.Zero(t, h.builds())
}

func TestAFlipNeverGoesBackBehindWhatServes(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.begin()
	ctx := context.Background()
	live := h.engine()
	require.NoError(t, live.CatchUp(ctx))
	opt := h.engine().Options
	head, asked, served := opt.Head, 0, int64(0)
	opt.Head = func(ctx context.Context) (int, int64, error) { // The serving tables advance right after the look.
		epoch, pos, err := head(ctx)
		if asked++; asked <= 6 {
			h.rich("ada")
			require.NoError(t, live.CatchUp(ctx))
			served = h.head()
		}
		return epoch, pos, err
	}
	result, err := engine.New(opt).Rebuild(ctx, balances.Name, nil)
	require.NoError(t, err)
	require.Greater(t, asked, 6)
	require.GreaterOrEqual(t, result.Position, served)
	require.NoError(t, live.CatchUp(ctx))
	report, err := live.Check(ctx, balances.Name, nil)
	require.NoError(t, err)
	require.Empty(t, report.Differences)
}

func TestARebuildThatFindsOtherRowsDoesNotFlipAndNamesTheTable(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.begin()
	h.rich("bisi")
	ctx := context.Background()
	e := h.engine()
	require.NoError(t, e.CatchUp(ctx))
	h.exec("UPDATE rm_wallets SET kobo = kobo + 1 WHERE user_id = 'bisi'")
	_, err := e.Rebuild(ctx, balances.Name, nil)
	var differs *engine.DiffersError
	require.ErrorAs(t, err, &differs)
	require.ErrorContains(t, err, "rm_wallets")
	require.Len(t, differs.Differences, 1)
	d := differs.Differences[0]
	require.EqualValues(t, []int64{1, 1}, []int64{d.Missing, d.Extra})
	require.Equal(t, "user_id=bisi", d.Examples[0].Key)
	require.Equal(t, h.head(), differs.Position)
	// The old tables still serve, and the built ones are there for inspection.
	var serving, built int64
	require.NoError(t, h.pool.QueryRow(ctx, "SELECT s.kobo, b.kobo FROM rm_wallets s, "+pgx.Identifier{differs.Schema, "rm_wallets"}.Sanitize()+" b WHERE s.user_id = 'bisi' AND b.user_id = 'bisi'").Scan(&serving, &built))
	require.Equal(t, built+1, serving)
	status, err := e.Status(ctx)
	require.NoError(t, err)
	require.Equal(t, engine.RebuildFailed, status.Models[0].Rebuild.State)
	require.Contains(t, status.Models[0].Rebuild.Error, "rm_wallets")
	// After the fix the next rebuild flips and cleans up.
	h.exec("UPDATE rm_wallets SET kobo = kobo - 1 WHERE user_id = 'bisi'")
	_, err = e.Rebuild(ctx, balances.Name, nil)
	require.NoError(t, err)
	require.Zero(t, h.builds())
}

func TestOneModelIsRebuiltByOneAtATime(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.begin()
	ctx := context.Background()
	require.NoError(t, h.engine().CatchUp(ctx))
	tried := false
	_, err := h.engine().Rebuild(ctx, balances.Name, func(int64, int64) {
		if tried {
			return
		}
		tried = true
		_, err := h.engine().Rebuild(ctx, balances.Name, nil)
		require.ErrorIs(t, err, engine.ErrBusy)
		_, err = h.engine().Rebuild(ctx, groups.Name, nil)
		require.NoError(t, err, "another model's rebuild has to wait")
	})
	require.NoError(t, err)
	require.True(t, tried)
	_, err = h.engine().Rebuild(ctx, "nonsense", nil)
	require.ErrorIs(t, err, engine.ErrNoModel)
}

func TestARebuildThatDiesIsBegunAgainByAProjector(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.begin()
	h.live(40)
	ctx := context.Background()
	require.NoError(t, h.engine().CatchUp(ctx))
	_, err := h.engine().Rebuild(ctx, groups.Name, func(int64, int64) {
		h.exec("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid IN (" + holders("rebuild "+groups.Name) + ")")
	})
	require.Error(t, err)
	require.Equal(t, 1, h.builds(), "nothing was left behind: nothing is shown")
	h.run()
	require.Eventually(t, func() bool {
		var state string
		err := h.pool.QueryRow(ctx, "SELECT state FROM rebuilds WHERE model = $1", groups.Name).Scan(&state)
		return err == nil && state == engine.RebuildDone
	}, time.Minute, 10*time.Millisecond)
	require.Zero(t, h.builds())
	h.caughtUp()
	h.equalFresh()
}

// holders is a query for the sessions that hold one of the engine's locks, by its name.
func holders(lock string) string {
	return `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
		AND (classid::bigint << 32) | objid::bigint = hashtextextended('adashi projections ' || current_schema() || ' ` + lock + `', 0)`
}

func TestTheOldVersionServesUntilTheNewOneIsThere(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.begin()
	h.rich("ada")
	h.live(40)
	ctx := context.Background()
	require.NoError(t, h.engine().CatchUp(ctx))
	newer := balances.Model()
	newer.Version++
	newer.Schema = strings.Replace(newer.Schema, "held bigint NOT NULL DEFAULT 0)", "held bigint NOT NULL DEFAULT 0, colour text NOT NULL DEFAULT 'green')", 1)
	fold := newer.Fold
	newer.Fold = func(ctx context.Context, tx pgx.Tx, part engine.Part, events []engine.Event) (engine.Changes, error) {
		changes, err := fold(ctx, tx, part, events)
		b, readErr := balances.Of(ctx, h.pool, "ada") // While the new tables are being filled.
		require.NoError(t, errors.Join(readErr, err))
		require.NotZero(t, b.Savings+b.Wallet)
		return changes, err
	}
	e := h.with(newer)
	require.NoError(t, e.Prepare(ctx))
	require.ErrorContains(t, e.Serving(ctx), "being rebuilt")
	serves := newer
	serves.Serves = newer.Version - 1
	require.NoError(t, h.with(serves).Serving(ctx), "a build that can read the old tables need not wait")
	running, stop := context.WithCancel(ctx)
	h.Cleanup(stop)
	h.wg.Go(func() { e.Run(running, nil, nil) })
	h.Cleanup(stop)
	require.NoError(t, e.AwaitServing(ctx))
	var colour string
	require.NoError(t, h.pool.QueryRow(ctx, "SELECT DISTINCT colour FROM rm_wallets").Scan(&colour))
	require.Equal(t, "green", colour)
	// The earlier build does not touch the tables, and says how to go back.
	require.ErrorContains(t, h.engine().CatchUp(ctx), "not the one that stands")
	require.ErrorContains(t, h.engine().AwaitServing(ctx), "newer than this build's")
	stop()
	// The new tables serve a little before their rebuild ends, and before a session that was cut off ends.
	var err error
	require.Eventually(t, func() bool {
		_, err = h.engine().Rebuild(ctx, balances.Name, nil)
		return !errors.Is(err, engine.ErrBusy)
	}, time.Minute, 10*time.Millisecond)
	require.NoError(t, err)
	require.NoError(t, h.engine().AwaitServing(ctx))
	require.NoError(t, h.engine().CatchUp(ctx))
	h.equalFresh()
}

func TestACheckpointBeyondTheLedgersEndIsRebuilt(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.begin()
	h.live(40)
	ctx := context.Background()
	require.NoError(t, h.engine().CatchUp(ctx))
	// As if the ledger had been restored to an earlier time: the tables include events that no longer exist.
	h.exec("UPDATE projections SET pos = pos + 1000; UPDATE rm_wallets SET kobo = kobo + 7; DELETE FROM rm_movements")
	_, err := h.engine().Check(ctx, balances.Name, nil)
	require.ErrorContains(t, err, "rebuild it")
	h.run()
	h.caughtUp()
	h.equalFresh()
}

func TestNobodyIsToldAgainByARebuildAndMarksStay(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.begin()
	h.live(60)
	ctx := context.Background()
	e := h.engine()
	require.NoError(t, e.CatchUp(ctx))
	before, err := notifications.Page(ctx, h.pool, "ada", 0, 1000)
	require.NoError(t, err)
	require.Greater(t, len(before), 3)
	require.NoError(t, notifications.MarkRead(ctx, h.pool, "ada", before[1].ID, time.Now()))
	require.NoError(t, notifications.Clear(ctx, h.pool, "bisi", time.Now()))
	before, err = notifications.Page(ctx, h.pool, "ada", 0, 1000)
	require.NoError(t, err)
	changed, reached := make(chan *nats.Msg, 10_000), make(chan *nats.Msg, 10_000)
	_, err = h.bus.ChanSubscribe(engine.ChangedSubject, changed)
	require.NoError(t, err)
	_, err = h.bus.ChanSubscribe(engine.ReachedSubject, reached)
	require.NoError(t, err)
	require.NoError(t, h.bus.Flush())
	result, err := e.Rebuild(ctx, notifications.Name, nil)
	require.NoError(t, err)
	require.NotZero(t, result.Rows)
	require.NoError(t, h.bus.Flush())
	after, err := notifications.Page(ctx, h.pool, "ada", 0, 1000)
	require.NoError(t, err)
	require.Equal(t, before, after, "a rebuild gave somebody other notifications, or lost what they did with them")
	cleared, err := notifications.Page(ctx, h.pool, "bisi", 0, 1000)
	require.NoError(t, err)
	require.Empty(t, cleared)
	require.Empty(t, changed)
	require.Len(t, reached, 1, "a rebuild tells where the model stands, once")
	require.Equal(t, fmt.Sprintln(notifications.Name, 0, result.Position), string((<-reached).Data))
}

func TestCheckFindsATamperedRowAndLeavesEverythingAsItIs(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.begin()
	h.rich("ada")
	h.live(60)
	ctx := context.Background()
	e := h.engine()
	require.NoError(t, e.CatchUp(ctx))
	for _, m := range projections.All() {
		report, err := e.Check(ctx, m.Name, nil)
		require.NoError(t, err)
		require.Empty(t, report.Differences, m.Name)
		require.Equal(t, h.head(), report.Position)
		require.Positive(t, report.Rows)
	}
	eve := statements.Key("wallet:eve").String()
	for name, c := range map[string]struct {
		model, tamper, mend, table, key string
		missing, extra                  int64
	}{
		"changed": {balances.Name, "UPDATE rm_wallets SET kobo = kobo + 1 WHERE user_id = 'ada'", "UPDATE rm_wallets SET kobo = kobo - 1 WHERE user_id = 'ada'", "rm_wallets", "user_id=ada", 1, 1},
		"removed": {groups.Name, "DELETE FROM rm_members WHERE group_id = 'g0' AND user_id = 'bisi'", "", "rm_members", "group_id=g0 user_id=bisi", 1, 0},
		"added": {
			statements.Name, "INSERT INTO rm_entries VALUES ('" + eve + "', 3, 0, 1, 1, now(), now())", "DELETE FROM rm_entries WHERE account = '" + eve + "'",
			"rm_entries", "account=" + eve + " pos=3 n=0", 0, 1,
		},
	} {
		h.exec(c.tamper)
		report, err := e.Check(ctx, c.model, nil)
		require.NoError(t, err)
		require.Len(t, report.Differences, 1, name)
		d := report.Differences[0]
		require.Equal(t, c.table, d.Table, name)
		require.Equal(t, []int64{c.missing, c.extra}, []int64{d.Missing, d.Extra}, name)
		require.Equal(t, c.key, d.Examples[0].Key, name)
		require.JSONEq(t, d.Examples[0].Row, d.Examples[0].Row)
		h.exec(c.mend)
	}
	require.Zero(t, h.builds())
}

func TestAPausedModelGoesOnAfterARetryAndNothingIsSkipped(t *testing.T) {
	t.Parallel()
	h := setup(t)
	var mended atomic.Bool
	var poison atomic.Int64
	broken := groups.Model()
	fold := broken.Fold
	broken.Fold = func(ctx context.Context, tx pgx.Tx, part engine.Part, events []engine.Event) (engine.Changes, error) {
		for _, e := range events {
			if e.Pos == poison.Load() && !mended.Load() {
				return engine.Changes{}, &engine.Refusal{Reason: "a bug"}
			}
		}
		return fold(ctx, tx, part, events)
	}
	e := h.with(balances.Model(), broken)
	h.begin()
	poison.Store(h.head() - 2)
	running, stop := context.WithCancel(context.Background())
	h.wg.Go(func() { e.Run(running, nil, nil) })
	h.Cleanup(stop)
	ctx := context.Background()
	model := func(n int) engine.ModelStatus {
		status, err := e.Status(ctx)
		require.NoError(t, err)
		return status.Models[n]
	}
	require.Eventually(t, func() bool { return model(1).State == engine.Paused && model(0).Pos == h.head() }, time.Minute, 10*time.Millisecond)
	require.Equal(t, poison.Load()-1, model(1).Pos)
	require.Contains(t, model(1).Parts[0].Paused, "a bug")
	require.Equal(t, 1, model(1).DeadLetters)
	require.NotZero(t, model(1).Lag)
	letters, err := e.DeadLetters(ctx)
	require.NoError(t, err)
	require.Len(t, letters, 1)
	require.Equal(t, poison.Load(), letters[0].Pos)
	records, err := history.Read(ctx, h.pool, poison.Load()-1, 1)
	require.NoError(t, err)
	require.Equal(t, records[0].Type, letters[0].Type)
	require.Contains(t, string(letters[0].Event), `"lines":[`)
	require.Contains(t, string(letters[0].Event), records[0].Stream)
	// Retried without a fix, it pauses again, later than before.
	require.NoError(t, e.Retry(ctx, groups.Name))
	require.Eventually(t, func() bool {
		again, err := e.DeadLetters(ctx)
		return err == nil && again[0].At.After(letters[0].At) && model(1).State == engine.Paused
	}, time.Minute, 10*time.Millisecond)
	mended.Store(true)
	began := time.Now()
	require.NoError(t, h.with(balances.Model(), broken).Retry(ctx, groups.Name), "another process may say it")
	require.Eventually(t, func() bool { return model(1).Pos == h.head() }, time.Minute, 5*time.Millisecond)
	t.Logf("noticed after %s", time.Since(began))
	require.Eventually(t, func() bool { return model(1).DeadLetters == 0 }, time.Minute, 10*time.Millisecond)
	require.Equal(t, engine.Following, model(1).State)
	letters, err = e.DeadLetters(ctx)
	require.NoError(t, err)
	require.NotNil(t, letters[0].ResolvedAt)
	report, err := h.engine().Check(ctx, groups.Name, nil)
	require.NoError(t, err)
	require.Empty(t, report.Differences)
	require.ErrorIs(t, e.Retry(ctx, "nonsense"), engine.ErrNoModel)
}

func TestARebuildThatIsAskedForIsDoneByAProjectorAndShowsItsProgress(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.begin()
	ctx := context.Background()
	e := h.engine()
	require.NoError(t, e.CatchUp(ctx))
	require.NoError(t, e.AskRebuild(ctx, balances.Name))
	status, err := e.Status(ctx)
	require.NoError(t, err)
	require.Equal(t, engine.Rebuilding, status.Models[0].State)
	require.Equal(t, engine.RebuildAsked, status.Models[0].Rebuild.State)
	h.run()
	require.Eventually(t, func() bool {
		status, err := e.Status(ctx)
		return err == nil && status.Models[0].State == engine.Following && status.Models[0].Rebuild.State == engine.RebuildDone
	}, time.Minute, 10*time.Millisecond)
	require.ErrorIs(t, e.AskRebuild(ctx, "nonsense"), engine.ErrNoModel)
}

func TestAnEventThatNobodyCanReadIsShownAsBytes(t *testing.T) {
	t.Parallel()
	raw, err := recent.JSON(event.Record{Pos: 7, Type: "naira.v1.Nonsense", Body: []byte{1, 2}, Lines: []event.Line{{Account: "wallet:ada", Amount: -5, Balance: 10}}})
	require.NoError(t, err)
	require.Contains(t, string(raw), `"body":"AQI="`)
	require.Contains(t, string(raw), "unknown type")
	require.Contains(t, string(raw), `{"account":"wallet:ada","amountKobo":-5,"balanceKobo":10}`)
}
