package projections_test

import (
	"context"
	"maps"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"adashi.ng/projections/engine"
	"adashi.ng/projections/statements"
)

// parted is the statements in four parts.
func parted() engine.Model {
	m := statements.Model()
	m.Partitions = 4
	return m
}

// ownerOf answers the session that owns a part of the statements; 0 when there is none.
func (h *house) ownerOf(part string) (pid int) {
	h.Helper()
	rows, err := h.pool.Query(context.Background(), holders("part "+statements.Name+" "+part))
	require.NoError(h, err)
	pids, err := pgx.CollectRows(rows, pgx.RowTo[int])
	require.NoError(h, err)
	require.LessOrEqual(h, len(pids), 1, "two own one part")
	if len(pids) == 1 {
		pid = pids[0]
	}
	return pid
}

// owners counts the parts by their owner.
func (h *house) owners() map[int]int {
	h.Helper()
	n := map[int]int{}
	for _, part := range []string{"0", "1", "2", "3"} {
		n[h.ownerOf(part)]++
	}
	return n
}

// projector runs an engine until stop or the test's end.
func (h *house) projector(pool *pgxpool.Pool, models ...engine.Model) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	opt := h.engine().Options
	opt.Pool, opt.Models = pool, models
	done := make(chan struct{})
	go func() { defer close(done); engine.New(opt).Run(ctx, nil, nil) }()
	stop = sync.OnceFunc(func() { cancel(); <-done })
	h.Cleanup(stop)
	return stop
}

// shared waits until this many processes own the four parts in equal shares. They get there one part after another.
func (h *house) shared(processes int) {
	h.Helper()
	want := slices.Repeat([]int{4 / processes}, processes)
	require.Eventually(h, func() bool {
		n := h.owners()
		return n[0] == 0 && slices.Equal(want, slices.Collect(maps.Values(n)))
	}, time.Minute, 10*time.Millisecond, "the parts are not shared")
}

// apart rebuilds the statements in four parts.
func (h *house) apart(m engine.Model) {
	h.Helper()
	h.exec("DROP TABLE rm_entries, rm_account_days")
	h.exec("DELETE FROM projections WHERE name = $1", statements.Name)
	require.NoError(h, h.with(m).Prepare(context.Background()))
}

func TestPartsKilledAndTakenOverEqualASingleFold(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.begin()
	h.apart(parted())
	first := h.projector(h.pool, parted())
	stop := h.projector(h.pool, parted())
	h.shared(2)
	for range 6 {
		h.live(25)
		h.exec("SELECT pg_terminate_backend(pid) FROM (" + holders("part statements 0") + ") o")
		h.live(25)
		stop()
		stop = h.projector(h.pool, parted())
	}
	h.shared(2)
	head := h.head()
	require.Eventually(t, func() bool {
		var least, parts int64
		err := h.pool.QueryRow(context.Background(), "SELECT min(pos), count(*) FROM projections WHERE name = $1", statements.Name).Scan(&least, &parts)
		return err == nil && least == head && parts == 4
	}, time.Minute, 10*time.Millisecond)
	report, err := h.with(parted()).Check(context.Background(), statements.Name, nil) // Folded as a whole.
	require.NoError(t, err)
	require.Empty(t, report.Differences)
	require.Greater(t, report.Rows, int64(100))
	var letters int
	require.NoError(t, h.pool.QueryRow(context.Background(), "SELECT count(*) FROM dead_letters").Scan(&letters))
	require.Zero(t, letters, "a part was applied twice")
	first()
	stop()
	// A rebuild makes another number of parts. Processes with the earlier number would rebuild it to theirs.
	_, err = h.engine().Rebuild(context.Background(), statements.Name, nil)
	require.NoError(t, err)
	require.NoError(t, h.engine().CatchUp(context.Background()))
	h.equalFresh()
}

func TestPartsAreComparedEachAtItsOwnPosition(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.begin()
	ctx := context.Background()
	var held atomic.Int64 // Part 2 does not get past this position.
	slow := parted()
	fold := slow.Fold
	slow.Fold = func(ctx context.Context, tx pgx.Tx, part engine.Part, events []engine.Event) (engine.Changes, error) {
		if part.Of == 4 && part.N == 2 && held.Load() > 0 && events[len(events)-1].Pos > held.Load() {
			return engine.Changes{}, &engine.Refusal{Reason: "held"}
		}
		return fold(ctx, tx, part, events)
	}
	e := h.with(slow)
	h.apart(slow)
	require.NoError(t, e.CatchUp(ctx))
	held.Store(h.head() + 3)
	h.live(60)
	h.projector(h.pool, slow)
	require.Eventually(t, func() bool {
		status, err := e.Status(ctx)
		return err == nil && status.Models[0].State == engine.Paused && status.Models[0].Pos == held.Load() && status.Models[0].Parts[3].Pos == h.head()
	}, time.Minute, 10*time.Millisecond)
	report, err := h.with(parted()).Check(ctx, statements.Name, nil)
	require.NoError(t, err)
	require.Equal(t, held.Load(), report.Position)
	require.Empty(t, report.Differences)
	result, err := h.with(parted()).Rebuild(ctx, statements.Name, nil)
	require.NoError(t, err)
	require.True(t, result.Compared)
	require.Equal(t, h.head(), result.Position, "what is paused comes to the head by a rebuild with a fold that can take the event")
}

func TestAnotherTakesOverWithinTwoSecondsWhenTheOwnerDies(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.begin()
	h.apart(parted())
	h.projector(h.pool, parted())
	h.projector(h.pool, parted())
	h.shared(2)
	owner, began := h.ownerOf("0"), time.Now()
	h.exec("SELECT pg_terminate_backend($1)", owner)
	require.Eventually(t, func() bool { now := h.ownerOf("0"); return now != 0 && now != owner }, time.Minute, 5*time.Millisecond)
	took := time.Since(began)
	t.Logf("taken over after %s", took)
	require.Less(t, took, 2*time.Second)
}

// stuck is a connection whose writes wait while the process hangs.
type stuck struct {
	net.Conn
	hang *atomic.Pointer[chan struct{}]
}

func (s stuck) Write(b []byte) (int, error) {
	if until := s.hang.Load(); until != nil {
		<-*until
	}
	return s.Conn.Write(b)
}

func TestAnotherTakesOverFromAProcessThatHangs(t *testing.T) {
	t.Parallel()
	t.Run("between two batches", func(t *testing.T) { t.Parallel(); hangs(t, false) })
	t.Run("in the middle of a batch", func(t *testing.T) { t.Parallel(); hangs(t, true) })
}

func hangs(t *testing.T, folding bool) {
	h := setup(t)
	h.begin()
	h.apart(parted())
	var hang atomic.Pointer[chan struct{}]
	var armed atomic.Bool
	until := make(chan struct{})
	config := h.pool.Config()
	dial := config.ConnConfig.DialFunc
	config.ConnConfig.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		return stuck{conn, &hang}, err
	}
	hanging, err := pgxpool.NewWithConfig(context.Background(), config)
	require.NoError(t, err)
	t.Cleanup(hanging.Close)
	model := parted()
	fold := model.Fold
	model.Fold = func(ctx context.Context, tx pgx.Tx, part engine.Part, events []engine.Event) (engine.Changes, error) {
		if armed.Load() {
			hang.Store(&until)
		}
		return fold(ctx, tx, part, events)
	}
	h.projector(hanging, model)
	h.shared(1)
	h.projector(h.pool, parted())
	h.shared(2)
	t.Cleanup(func() { hang.Store(nil); close(until) })
	if folding {
		armed.Store(true)
		require.Eventually(t, func() bool { h.live(3); return hang.Load() != nil }, time.Minute, 5*time.Millisecond)
	} else {
		hang.Store(&until)
	}
	began := time.Now()
	require.Eventually(t, func() bool { n := h.owners(); return n[0] == 0 && len(n) == 1 }, time.Minute, 5*time.Millisecond)
	t.Logf("taken over after %s", time.Since(began))
	h.live(5)
	require.Eventually(t, func() bool {
		var least int64
		err := h.pool.QueryRow(context.Background(), "SELECT min(pos) FROM projections WHERE name = $1", statements.Name).Scan(&least)
		return err == nil && least == h.head()
	}, time.Minute, 10*time.Millisecond)
}
