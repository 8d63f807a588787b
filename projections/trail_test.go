package projections_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/reflect/protoreflect"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/holds"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/keyframes"
	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/ledger/infra/replay"
	"adashi.ng/ledger/infra/roles"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/projections"
	"adashi.ng/projections/engine"
	"adashi.ng/projections/trail"
)

// trailed is a ledger of nearly every kind of event, folded into the trail.
type trailed struct {
	*house
	records []event.Record
}

func everyKind(t *testing.T) *trailed {
	t.Helper()
	h := setup(t)
	ledgertest.BeforeProviders(t, h.pool)
	h.store = store.Open(store.Postgres(h.pool, 0), ledger.Aggregates(), store.Options{}) // The one before has not seen them.
	t.Cleanup(h.store.Close)
	h.begin()
	h.live(150)
	for _, c := range append(ledgertest.AjoLife(time.Now()), ledgertest.AjoPoor(time.Now())...) {
		h.do(c)
	}
	now := time.Now()
	h.do(holds.Place{HoldID: "of a pool", Account: "pool:s1", Amount: 1, Purpose: "withdrawal", ExpiresAt: now.AddDate(1, 0, 0), Now: now})
	require.NoError(t, h.with(trail.Model()).CatchUp(context.Background()))
	require.NoError(t, keyframes.Migrate(context.Background(), h.pool))
	records, err := history.Read(context.Background(), h.pool, 0, 100_000)
	require.NoError(t, err)
	return &trailed{h, records}
}

func (d *trailed) reader(every int) *replay.Reader {
	r := &replay.Reader{Pool: d.pool, Trail: trail.Reader{}, Aggregates: ledger.Aggregates(), Every: every}
	if every > 0 {
		r.Keyframes = keyframes.Table{Pool: d.pool, Clock: time.Now}
	}
	return r
}

// subjects are the subjects that the events name, by the names of the fields, and all accounts.
func (d *trailed) subjects() []replay.Subject {
	found := map[replay.Subject]bool{}
	var walk func(m protoreflect.Message)
	walk = func(m protoreflect.Message) {
		m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
			note := func(v protoreflect.Value) {
				name := string(f.Name())
				switch {
				case f.Message() != nil:
					walk(v.Message())
				case f.Kind() != protoreflect.StringKind:
				case name == "group_id":
					found[replay.Subject{Group: v.String()}] = true
				case name == "ajo_id":
					found[replay.Subject{Ajo: v.String()}] = true
				case strings.Contains(name, "user") || strings.HasSuffix(name, "by") || strings.HasSuffix(name, "tor_id") || strings.HasSuffix(name, "er_ids"):
					found[replay.Subject{Member: v.String()}] = true
				}
			}
			if !f.IsList() {
				note(v)
				return true
			}
			for n := range v.List().Len() {
				note(v.List().Get(n))
			}
			return true
		})
	}
	for i := range d.records {
		m, err := d.records[i].Message()
		require.NoError(d, err)
		walk(m.ProtoReflect())
		for _, line := range d.records[i].Lines {
			found[replay.Subject{Account: line.Account}] = true
		}
	}
	return slices.SortedFunc(maps.Keys(found), func(a, b replay.Subject) int { return strings.Compare(a.String(), b.String()) })
}

// moments are the end, and some positions and times at which to stop: three of seven kinds, different ones for each
// subject.
func (d *trailed) moments() []replay.Until {
	pick := func() event.Record { return d.records[d.luck.IntN(len(d.records))] }
	all := []replay.Until{
		{Position: pick().Pos},
		{Position: pick().Pos},
		{Recorded: pick().RecordedAt},
		{Recorded: pick().RecordedAt.Add(time.Duration(d.luck.Int64N(int64(time.Second))))},
		{Effective: pick().EffectiveAt},
		{Effective: pick().EffectiveAt},
		{Effective: pick().EffectiveAt.Add(-time.Hour)},
	}
	d.luck.Shuffle(len(all), func(a, b int) { all[a], all[b] = all[b], all[a] })
	return append(all[:3], replay.Until{})
}

// scanned is the replay of the whole ledger without the trail.
func (d *trailed) scanned(s replay.Subject, until replay.Until) (replay.State, error) {
	return replay.Run(context.Background(), d.pool, replay.Options{Subject: s, Until: until, Aggregates: ledger.Aggregates()})
}

// ofTheHouse reports whether an account's events are in no trail.
func ofTheHouse(s replay.Subject) bool {
	kind, _, _ := strings.Cut(s.Account, ":")
	return slices.Contains([]string{"bank", "fees", "tax", "losses", "suspense"}, kind)
}

// equal checks that readers give the same state as a scan of the whole ledger.
func (d *trailed) equal(s replay.Subject, until replay.Until, readers ...*replay.Reader) {
	d.Helper()
	want, unknown := d.scanned(s, until)
	for n, r := range readers {
		got, err := r.At(context.Background(), s, until)
		at := fmt.Sprintf("reader %d: %s at %+v, from keyframe %d", n, s, until, got.Keyframe)
		if ofTheHouse(s) && !until.Effective.IsZero() {
			require.ErrorIs(d, err, replay.ErrHouse, at)
			continue
		}
		require.Equal(d, unknown, err, at)
		if err != nil {
			continue
		}
		require.Equal(d, want.Balances, got.Balances, at)
		require.Equal(d, want.Position, got.Position, at)
		require.True(d, want.Recorded.Equal(got.Recorded), at)
		if ofTheHouse(s) {
			continue
		}
		require.Equal(d, want.Events, got.Events, at)
		require.Equal(d, slices.Sorted(maps.Keys(want.Streams)), slices.Sorted(maps.Keys(got.Streams)), at)
		for name, stream := range want.Streams {
			require.Equal(d, stream.Version, got.Streams[name].Version, "%s: %s", at, name)
			require.Equal(d, string(stream.State), string(got.Streams[name].State), "%s: %s", at, name)
		}
	}
}

func (d *trailed) count(query string, args ...any) (n int) {
	d.Helper()
	require.NoError(d, d.pool.QueryRow(context.Background(), query, args...).Scan(&n))
	return n
}

func TestReplaysByTheTrailEqualReadingEverything(t *testing.T) {
	t.Parallel()
	d := everyKind(t)
	subjects := d.subjects()
	t.Logf("%d events, %d subjects", len(d.records), len(subjects))
	require.Greater(t, len(subjects), 60)
	plain, framed := d.reader(0), d.reader(7)
	for round := range 2 {
		for _, s := range subjects {
			if round > 0 && d.luck.IntN(4) > 0 { // Again for one in four, from keyframes that others made.
				continue
			}
			for _, until := range d.moments() {
				d.equal(s, until, plain, framed)
			}
		}
	}
	require.Greater(t, d.count("SELECT count(*) FROM replay_keyframes"), 100)
	state, err := framed.At(context.Background(), replay.Subject{Group: "g0"}, replay.Until{})
	require.NoError(t, err)
	require.Positive(t, state.Keyframe)

	// Events after the trail's end are examined one by one.
	d.live(60)
	require.Less(t, d.count("SELECT pos FROM projections WHERE name = 'trail'"), int(d.head()))
	for _, s := range subjects {
		d.equal(s, replay.Until{}, plain, framed)
		d.equal(s, replay.Until{Effective: d.records[d.luck.IntN(len(d.records))].EffectiveAt}, plain, framed)
	}
}

func TestStepsByTheTrailAreThoseOfReadingEverything(t *testing.T) {
	t.Parallel()
	d := everyKind(t)
	d.live(40) // Beyond the trail.
	r := d.reader(0)
	for _, s := range d.subjects() {
		if ofTheHouse(s) {
			_, err := r.Steps(context.Background(), s, 0, 1, false)
			require.ErrorIs(t, err, replay.ErrHouse)
			continue
		}
		type step struct {
			pos      int64
			balances map[string]money.Kobo
		}
		var want []step
		_, err := replay.Run(context.Background(), d.pool, replay.Options{Subject: s, Aggregates: ledger.Aggregates(), Step: func(s replay.Step) error {
			want = append(want, step{s.Record.Pos, s.Balances})
			return nil
		}})
		require.NoError(t, err, s.String())
		read := func(from int64, limit int, back bool) (got []step) {
			steps, err := r.Steps(context.Background(), s, from, limit, back)
			require.NoError(t, err, s.String())
			for _, s := range steps {
				got = append(got, step{s.Record.Pos, s.Balances})
			}
			return got
		}
		require.Equal(t, want, read(0, 10_000, false), s.String())
		require.Equal(t, want, read(0, 10_000, true), s.String())
		n, limit := d.luck.IntN(len(want)), 1+d.luck.IntN(9)
		require.Equal(t, want[n:min(len(want), n+limit)], read(want[n].pos-1, limit, false), s.String())
		require.Equal(t, want[max(0, n+1-limit):n+1], read(want[n].pos+1, limit, true), s.String())
		var walked []step
		_, err = r.Run(context.Background(), replay.Options{Subject: s, Step: func(s replay.Step) error {
			walked = append(walked, step{s.Record.Pos, s.Balances})
			return nil
		}})
		require.NoError(t, err)
		require.Equal(t, want, walked, s.String())
	}
}

// The trail and the replay decide independently which subjects an event names.
func TestTheTrailAndTheReplayAgreeWhomEveryEventNames(t *testing.T) {
	t.Parallel()
	h := setup(t)
	ctx := context.Background()
	seen := 0
	for n, mt := range ledgertest.CurrentEventTypes() {
		m := ledgertest.Filled(mt).Interface()
		want := map[int64]bool{}
		for _, field := range texts(mt.Descriptor()) {
			for kind, s := range map[trail.Kind]replay.Subject{trail.Member: {Member: field}, trail.Group: {Group: field}, trail.Ajo: {Ajo: field}} {
				if s.NamedBy(m) {
					want[trail.Key(kind, field)] = true
				}
			}
		}
		got := map[int64]bool{}
		require.NoError(t, pgx.BeginFunc(ctx, h.pool, func(tx pgx.Tx) error {
			if _, err := trail.Model().Fold(ctx, tx, engine.Part{N: 0, Of: 1}, []engine.Event{{Record: event.Record{Pos: int64(n + 1)}, Message: m}}); err != nil {
				return err
			}
			rows, err := tx.Query(ctx, "DELETE FROM rm_trail RETURNING subject")
			if err != nil {
				return err
			}
			all, err := pgx.CollectRows(rows, pgx.RowTo[int64])
			for _, subject := range all {
				got[subject] = true
			}
			return err
		}))
		require.Equal(t, want, got, mt.Descriptor().FullName())
		seen += len(want)
		h.exec("TRUNCATE rm_trail_pools")
	}
	require.Greater(t, seen, 250)
}

// texts are the names of all fields of a message, and of its parts, that hold a text.
func texts(of protoreflect.MessageDescriptor) (names []string) {
	for i := range of.Fields().Len() {
		f := of.Fields().Get(i)
		if f.Kind() == protoreflect.StringKind {
			names = append(names, string(f.Name()))
		}
		if f.Message() != nil {
			names = append(names, texts(f.Message())...)
		}
	}
	return names
}

func TestWhatTheTrailSaysOfOthersChangesNothing(t *testing.T) {
	t.Parallel()
	d := everyKind(t)
	// As if all subjects shared a key.
	for _, s := range []int64{trail.Key(trail.Member, "bisi"), trail.Key(trail.Group, "g0"), trail.Key(trail.Ajo, "01900000-0000-7000-8000-000000000001")} {
		d.exec("INSERT INTO rm_trail (subject, mark) SELECT $1, 2 * pos + (effective_at <> recorded_at)::int FROM events ON CONFLICT DO NOTHING", s)
	}
	for _, s := range []replay.Subject{{Member: "bisi"}, {Group: "g0"}, {Account: "pool:s0"}, {Ajo: "01900000-0000-7000-8000-000000000001"}} {
		for _, until := range append(d.moments(), d.moments()...) {
			d.equal(s, until, d.reader(0), d.reader(11))
		}
	}
}

func TestAKeyframeIsNotBelievedBlindly(t *testing.T) {
	t.Parallel()
	d := everyKind(t)
	s, ctx := replay.Subject{Group: "g0"}, context.Background()
	r := d.reader(10)
	d.equal(s, replay.Until{}, r)
	for what, statement := range map[string]string{
		"it is of another history": "UPDATE replay_keyframes SET leaf = '\\x00'",
		"it is cut off":            "UPDATE replay_keyframes SET body = substr(body, 1, length(body) - 9)",
		"a bit of it is changed":   "UPDATE replay_keyframes SET body = set_byte(body, length(body) / 2, get_byte(body, length(body) / 2) # 1)",
		"it is of other folds":     "UPDATE replay_keyframes SET folds = 'older'",
		"it is no keyframe at all": "UPDATE replay_keyframes SET body = ''",
	} {
		t.Run(what, func(*testing.T) {
			d.exec("TRUNCATE replay_keyframes")
			d.equal(s, replay.Until{}, r)
			require.Positive(d, d.count("SELECT count(*) FROM replay_keyframes"))
			d.exec(statement)
			d.equal(s, replay.Until{}, r)
			state, err := r.At(ctx, s, replay.Until{})
			require.NoError(d, err)
			require.True(d, state.Keyframe == 0 || what == "it is of other folds")
		})
	}
}

func TestNoRoleOfTheLedgerTouchesKeyframes(t *testing.T) {
	t.Parallel()
	d := everyKind(t)
	ctx := context.Background()
	require.NoError(t, proofs.Migrate(ctx, d.pool))
	require.NoError(t, roles.Ensure(ctx, d.pool, projections.Tables()))
	for _, role := range []string{roles.Appender, roles.Relay, roles.Projector} {
		pool, err := roles.Pool(ctx, d.pool, role, 1)
		require.NoError(t, err)
		for _, statement := range []string{
			"SELECT count(*) FROM replay_keyframes", "DELETE FROM replay_keyframes", "UPDATE replay_keyframes SET body = ''",
			"INSERT INTO replay_keyframes (subject, folds, pos, leaf, since, earliest, latest, body, made_at) VALUES ('', '', 1, '', 0, now(), now(), '', now())",
		} {
			_, err := pool.Exec(ctx, statement)
			require.ErrorContains(t, err, "permission denied", "%s: %s", role, statement)
		}
		pool.Close()
	}
}

func TestWithoutATrailItIsSaidWhy(t *testing.T) {
	t.Parallel()
	d := everyKind(t)
	ctx, s := context.Background(), replay.Subject{Member: "bisi"}
	at := func(until replay.Until) error {
		_, err := d.reader(0).At(ctx, s, until)
		return err
	}
	require.NoError(t, at(replay.Until{}))
	require.ErrorContains(t, at(replay.Until{Position: 90_000}), "there is no position 90000")
	_, err := d.reader(0).At(ctx, replay.Subject{Member: "nobody"}, replay.Until{})
	require.ErrorIs(t, err, replay.ErrUnknown)
	_, err = d.reader(0).At(ctx, replay.Subject{}, replay.Until{})
	require.ErrorContains(t, err, "name one of")
	require.ErrorIs(t, at(replay.Until{Recorded: time.Unix(1, 0)}), replay.ErrUnknown)

	var none *replay.NoTrailError
	d.exec("UPDATE projections SET paused = 'an event' WHERE name = 'trail'")
	require.ErrorAs(t, at(replay.Until{}), &none)
	require.ErrorContains(t, none, "the trail is paused")
	d.exec("UPDATE projections SET paused = '', version = 9 WHERE name = 'trail'")
	require.ErrorAs(t, at(replay.Until{}), &none)
	require.ErrorContains(t, none, "the trail is of version 9")
	d.exec("DELETE FROM projections WHERE name = 'trail'; DROP TABLE rm_trail")
	require.ErrorAs(t, at(replay.Until{}), &none)
	require.ErrorContains(t, none, "the trail is not made here yet")
}

func TestReplaysAreRightWhileTheTrailIsPutInPlaceOfAnother(t *testing.T) {
	t.Parallel()
	d := everyKind(t)
	s := replay.Subject{Group: "g0"}
	want, err := d.scanned(s, replay.Until{})
	require.NoError(t, err)
	done := make(chan error, 1)
	go func() {
		for range 6 {
			if _, err := d.with(trail.Model()).Rebuild(context.Background(), trail.Name, nil); err != nil {
				done <- err
				return
			}
		}
		close(done)
	}()
	for n := 0; ; n++ {
		select {
		case err := <-done:
			require.NoError(t, err)
			t.Logf("%d replays meanwhile", n)
			return
		default:
		}
		got, err := d.reader(0).At(context.Background(), s, replay.Until{})
		require.NoError(t, err)
		require.Equal(t, want.Balances, got.Balances)
		require.Equal(t, want.Events, got.Events)
	}
}

func TestAReplayThatNeedsArchivedEventsSaysWhich(t *testing.T) {
	t.Parallel()
	h := setup(t)
	ctx := context.Background()
	h.store = store.Open(store.Postgres(h.pool, 40), ledger.Aggregates(), store.Options{})
	t.Cleanup(h.store.Close)
	h.exec("SELECT ledger_extend(1, 40)")
	h.begin()
	h.live(30)
	require.NoError(t, h.with(trail.Model()).CatchUp(ctx))
	require.NoError(t, keyframes.Migrate(ctx, h.pool))
	d := &trailed{house: h}
	r, s := d.reader(5), replay.Subject{Group: "g0"}
	want, err := r.At(ctx, s, replay.Until{})
	require.NoError(t, err)
	_, err = h.pool.Exec(ctx, "SELECT ledger_settle()")
	require.NoError(t, err)
	require.NoError(t, store.Detach(ctx, h.pool, ledger.Aggregates(), "events_000001", nil))
	var archived *history.ArchivedError
	for _, until := range []replay.Until{{Position: 30}, {Position: 60}, {Effective: time.Unix(1_700_000_000, 0)}} {
		_, err = d.reader(0).At(ctx, s, until)
		require.ErrorAs(t, err, &archived, "%+v", until)
		require.Equal(t, history.ArchivedError{From: 1, To: 40}, *archived)
	}
	_, err = d.reader(0).Steps(ctx, s, 0, 5, false)
	require.ErrorAs(t, err, &archived)
	steps, err := d.reader(0).Steps(ctx, s, 0, 5, true)
	require.NoError(t, err)
	require.Len(t, steps, 5)
	got, err := r.At(ctx, s, replay.Until{})
	require.NoError(t, err, "a keyframe is of after them")
	require.Positive(t, got.Keyframe)
	require.Equal(t, want.Streams, got.Streams)
	require.Equal(t, want.Balances, got.Balances)
}

// Raising an epoch changes no event's position: a replay continues across its beginning.
func TestReplaysGoAcrossAnEpoch(t *testing.T) {
	t.Parallel()
	d, ctx := everyKind(t), context.Background()
	_, head, err := history.Head(ctx, d.pool)
	require.NoError(t, err)
	parted, err := history.Part(ctx, d.pool, 1, history.Parting{Why: "a test", From: head, Next: 2, At: time.Now()})
	require.NoError(t, err)
	require.True(t, parted)
	raised, err := history.RaiseEpoch(ctx, d.pool, 1, history.Epoch{Number: 2, From: head, Reason: "A test.", RaisedAt: time.Now()})
	require.NoError(t, err)
	require.True(t, raised)
	d.live(30)
	require.NoError(t, d.with(trail.Model()).CatchUp(ctx))
	epoch, last, err := history.Head(ctx, d.pool)
	require.NoError(t, err)
	require.Equal(t, 2, epoch)
	require.Greater(t, last, head)
	for _, s := range []replay.Subject{{Group: "g0"}, {Member: users[0]}, {Account: "pool:s1"}} {
		for _, pos := range []int64{head - 1, head, head + 1, last} {
			d.equal(s, replay.Until{Position: pos}, d.reader(0), d.reader(5))
		}
	}
}

func TestKeyframesAreMadeAheadAndCheckedAgainstTheEvents(t *testing.T) {
	t.Parallel()
	d := everyKind(t)
	ctx, s := context.Background(), replay.Subject{Group: "g0"}
	r := d.reader(10)
	made, err := r.Warm(ctx, s)
	require.NoError(t, err)
	require.Greater(t, made, 3)
	require.Equal(t, made, d.count("SELECT count(*) FROM replay_keyframes"))
	again, err := r.Warm(ctx, s)
	require.NoError(t, err)
	require.Zero(t, again, "none is due")

	// Each keyframe is ten of the group's events after the one before.
	require.Zero(t, d.count(`SELECT count(*) FROM replay_keyframes k
		WHERE (SELECT count(*) FROM rm_trail WHERE subject = $1 AND mark / 2 > k.since AND mark / 2 <= k.pos) <> 10`, trail.Key(trail.Group, "g0")))

	// Put a wrong keyframe in the place of one.
	folds := replay.FoldsOf(ledger.Aggregates())
	frames, err := keyframes.Table{Pool: d.pool, Clock: time.Now}.Of(ctx, s.String(), folds)
	require.NoError(t, err)
	require.Len(t, frames, made)
	for n := range frames {
		require.NoError(t, r.Check(ctx, s, &frames[n]))
	}
	planted := frames[made-1]
	planted.Body = frames[made-2].Body
	d.exec("UPDATE replay_keyframes SET body = $2 WHERE pos = $1", planted.Pos, planted.Body)
	var wrong *replay.WrongKeyframeError
	require.ErrorAs(t, r.Check(ctx, s, &planted), &wrong)
	_, err = r.Warm(ctx, s)
	require.ErrorAs(t, err, &wrong)
	require.Equal(t, planted.Pos, wrong.Pos)
	require.Equal(t, made-1, d.count("SELECT count(*) FROM replay_keyframes"), "the wrong one is dropped")
	once, err := r.Warm(ctx, s)
	require.NoError(t, err)
	require.Equal(t, 1, once)
	d.equal(s, replay.Until{}, r)
}

func TestNobodyWaitsForWhoeverHearsOfSteps(t *testing.T) {
	t.Parallel()
	d := everyKind(t)
	heard := 0
	_, err := d.reader(0).Run(context.Background(), replay.Options{Subject: replay.Subject{Group: "g0"}, Step: func(replay.Step) error {
		if heard++; heard > 1 {
			return nil
		}
		_, err := d.pool.Exec(context.Background(), "SET lock_timeout = '1s'; ALTER TABLE rm_trail OWNER TO CURRENT_USER; ALTER TABLE projections OWNER TO CURRENT_USER; RESET lock_timeout")
		return err
	}})
	require.NoError(t, err, "as a process does that starts")
	require.Greater(t, heard, 20)
}
