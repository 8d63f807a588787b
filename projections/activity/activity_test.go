package activity_test

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"pgregory.net/rapid"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/posting"
	"adashi.ng/projections/activity"
	"adashi.ng/projections/engine"
)

func TestMain(m *testing.M) { ledgertest.Main(m) }

var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// ledger is records in memory, posted as the store posts them.
type ledger struct {
	records  []event.Record
	balances map[string]money.Kobo
}

func (l *ledger) add(at time.Time, m proto.Message) *event.Record {
	body, err := proto.Marshal(m)
	if err != nil {
		panic(err)
	}
	r := event.Record{
		Pos: int64(len(l.records) + 1), Stream: "t:1", Version: int64(len(l.records) + 1), Type: event.TypeOf(m), Command: uuid.New(), Correlation: "c",
		EffectiveAt: at, RecordedAt: start.Add(time.Duration(len(l.records)) * time.Minute), Body: body, Lines: posting.Lines(m),
	}
	if l.balances == nil {
		l.balances = map[string]money.Kobo{}
	}
	for i := range r.Lines {
		l.balances[r.Lines[i].Account] += r.Lines[i].Amount
		r.Lines[i].Balance = l.balances[r.Lines[i].Account]
	}
	l.records = append(l.records, r)
	return &l.records[len(l.records)-1]
}

func (l *ledger) into(t *testing.T, pool *pgxpool.Pool) {
	t.Helper()
	e := engine.New(engine.Options{
		Clock: time.Now,
		Pool:  pool, Models: []engine.Model{activity.Model()},
		Source: func(_ context.Context, after int64, span int, _ []string) ([]event.Record, int64, error) {
			through := min(int(after)+span, len(l.records))
			return l.records[after:through], int64(through), nil
		},
		Head: func(context.Context) (int, int64, error) { return 1, int64(len(l.records)), nil },
	})
	require.NoError(t, e.Prepare(context.Background()))
	require.NoError(t, e.CatchUp(context.Background()))
}

// Every event moves a wallet by the amount that its member sees, or no member sees it, except for savings that were
// paid out from a group to a bank account, or sent back.
func TestEveryLineOfAWalletIsAMovementOfItsMember(t *testing.T) {
	t.Parallel()
	pool, ctx := ledgertest.Pool(t), context.Background()
	var l ledger
	users := map[string]money.Kobo{}
	for _, mt := range ledgertest.CurrentEventTypes() {
		m := ledgertest.Filled(mt).Interface()
		if to := mt.Descriptor().Fields().ByName("to_account"); to != nil {
			m.ProtoReflect().Set(to, mt.New().Get(to))
		}
		user := string(mt.Descriptor().Name())
		for _, field := range []string{"user_id", "account"} {
			if f := mt.Descriptor().Fields().ByName(protoreflect.Name(field)); f != nil {
				value := user
				if field == "account" {
					value = posting.Wallet(user)
				}
				m.ProtoReflect().Set(f, protoreflect.ValueOfString(value))
			}
		}
		for _, line := range l.add(start, m).Lines {
			if who, wallet := strings.CutPrefix(line.Account, "wallet:"); wallet {
				users[who] += line.Amount
			}
		}
	}
	// Captured money can go to another member's wallet.
	captured := l.add(start, &nairav1.HoldCaptured{HoldId: "h", Account: "pool:p", ToAccount: "wallet:captured", AmountKobo: 500})
	users["captured"] = captured.Lines[1].Amount
	l.into(t, pool)
	require.Greater(t, len(users), 10)
	for user, want := range users {
		s, err := activity.StatementOf(ctx, pool, user, start, start.AddDate(1, 0, 0), 100)
		require.NoError(t, err)
		require.Equal(t, want, s.Closing, user)
		require.NotEmpty(t, s.Movements, user)
	}
	rows, err := pool.Query(ctx, "SELECT DISTINCT user_id FROM rm_movements WHERE kind NOT IN ($1, $2)", activity.SavingsPaidOut, activity.SavingsReturned)
	require.NoError(t, err)
	shown, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.ElementsMatch(t, slices.Collect(maps.Keys(users)), shown)
}

func TestAMembersSavingsThatTheBankSentBackAreAMovementOfTheirs(t *testing.T) {
	t.Parallel()
	ctx, pool := context.Background(), ledgertest.Pool(t)
	var l ledger
	paid := func(id, user string, kind nairav1.LiquidationKind) *nairav1.LiquidationPaidV2 {
		return &nairav1.LiquidationPaidV2{LiquidationId: id, GroupId: "g", SubAccountId: "s", RequestedBy: user, Kind: kind, AmountKobo: 500_00, FeeKobo: 10_00, Provider: "vfd"}
	}
	back := func(id string) *nairav1.LiquidationReversedV3 {
		return &nairav1.LiquidationReversedV3{LiquidationId: id, GroupId: "g", SubAccountId: "s", AmountKobo: 500_00, Provider: "vfd"}
	}
	savings, bill := nairav1.LiquidationKind_LIQUIDATION_KIND_MEMBER_WITHDRAWAL, nairav1.LiquidationKind_LIQUIDATION_KIND_GROUP_DISBURSEMENT
	for _, m := range []proto.Message{paid("l", "ada", savings), back("l"), paid("m", "ada", bill), back("m"), paid("n", "ada", savings)} {
		l.add(start, m)
	}
	l.into(t, pool)
	rows, err := pool.Query(ctx, "SELECT kind || ' ' || reference FROM rm_movements WHERE user_id = 'ada' ORDER BY pos")
	require.NoError(t, err)
	shown, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Equal(t, []string{"SAVINGS_PAID_OUT l", "SAVINGS_RETURNED l", "SAVINGS_PAID_OUT n"}, shown)
}

var channels = []nairav1.Channel{nairav1.Channel_CHANNEL_CARD, nairav1.Channel_CHANNEL_BANK_TRANSFER}

// drawn are movements of one member of every kind, mixed with those of others.
func drawn(t *rapid.T) ledger {
	var l ledger
	for n := range rapid.IntRange(1, 60).Draw(t, "events") {
		at := start.Add(time.Duration(rapid.IntRange(0, 90*24).Draw(t, "hour")) * time.Hour)
		user, id := rapid.SampledFrom([]string{"ada", "ada", "ada", "bisi"}).Draw(t, "user"), fmt.Sprintf("Ref-%d", n)
		amount, channel := rapid.Int64Range(1, 20).Draw(t, "naira")*100, rapid.SampledFrom(channels).Draw(t, "channel")
		group := rapid.SampledFrom([]string{"g1", "g2"}).Draw(t, "group")
		l.add(at, rapid.SampledFrom([]proto.Message{
			&nairav1.PaymentConfirmedV2{PaymentId: id, UserId: user, Channel: channel, Provider: string(event.ProviderOnce(channel)), AmountKobo: amount},
			&nairav1.PaymentReversedV3{PaymentId: id, UserId: user, Channel: channel, Provider: string(event.ProviderOnce(channel)), AmountKobo: amount + 100, ShortfallKobo: 100},
			&nairav1.ContributionReceived{GroupId: group, SubAccountId: group + "s", UserId: user, AmountKobo: amount, PaymentId: id},
			&nairav1.ContributionReversed{GroupId: group, SubAccountId: group + "s", UserId: user, AmountKobo: amount, EventId: id},
			&nairav1.WithdrawalRequestedV2{WithdrawalId: id, UserId: user, AmountKobo: amount, FeeKobo: 10},
			&nairav1.WithdrawalFailed{WithdrawalId: id, UserId: user, AmountKobo: amount},
			&nairav1.UnmatchedAssigned{ProviderRef: id, UserId: user, AmountKobo: amount, Channel: channel},
		}).Draw(t, "event"))
	}
	return l
}

func wanted(t *rapid.T) activity.Filter {
	var f activity.Filter
	maybe := func(label string) bool { return rapid.IntRange(0, 2).Draw(t, label) == 0 }
	if maybe("by kind") {
		f.Kinds = rapid.SliceOfN(rapid.SampledFrom([]string{activity.WalletFunded, activity.Contribution, activity.Withdrawal, activity.UnmatchedAssigned}), 1, 3).Draw(t, "kinds")
	}
	if maybe("by direction") {
		in := rapid.Bool().Draw(t, "in")
		f.Incoming = &in
	}
	if maybe("by channel") {
		f.Channel = rapid.SampledFrom(channels).Draw(t, "of channel")
	}
	if maybe("by group") {
		f.GroupID = "g1"
	}
	if maybe("by day") {
		f.From = start.AddDate(0, 0, rapid.IntRange(0, 80).Draw(t, "from"))
		f.To = f.From.AddDate(0, 0, rapid.IntRange(1, 60).Draw(t, "days"))
	}
	if maybe("by words") {
		f.Search = activity.Search{Text: "ref-1", Subs: []string{"g2s"}, Groups: []string{"none"}, From: 500, To: 599}
	}
	return f
}

// fits is the filter in plain Go.
func fits(f activity.Filter, m activity.Movement) bool {
	s := f.Search
	return (f.Kinds == nil || slices.Contains(f.Kinds, m.Kind)) && (f.Incoming == nil || *f.Incoming == activity.Incoming(m.Kind)) &&
		(f.Channel == 0 || f.Channel == m.Channel) && (f.GroupID == "" || f.GroupID == m.GroupID) &&
		(f.From.IsZero() || !m.EffectiveAt.Before(f.From)) && (f.To.IsZero() || m.EffectiveAt.Before(f.To)) &&
		(s.Text == "" || strings.Contains(strings.ToLower(m.Reference), s.Text) || slices.Contains(s.Subs, m.SubAccountID) || m.Amount >= s.From && m.Amount <= s.To)
}

func TestAFilterLetsThroughWhatItSaysPageByPageBothWays(t *testing.T) {
	t.Parallel()
	pool, ctx, seen := ledgertest.Pool(t), context.Background(), 0
	(&ledger{}).into(t, pool)
	rapid.Check(t, func(rt *rapid.T) {
		_, err := pool.Exec(ctx, "TRUNCATE rm_movements, rm_payments; UPDATE projections SET pos = 0")
		require.NoError(rt, err)
		l := drawn(rt)
		l.into(t, pool)
		all, err := activity.Page(ctx, pool, "ada", activity.Filter{}, 0, 1000)
		require.NoError(rt, err)
		for range 4 {
			f, size := wanted(rt), rapid.IntRange(1, 7).Draw(rt, "a page")
			var want, newest, oldest []int64
			for _, m := range all {
				if fits(f, m) {
					want = append(want, m.Pos)
				}
			}
			before, after := int64(0), int64(0)
			for {
				page, err := activity.Page(ctx, pool, "ada", f, before, size)
				require.NoError(rt, err)
				for _, m := range page {
					newest, before = append(newest, m.Pos), m.Pos
				}
				if len(page) < size {
					break
				}
			}
			for {
				page, err := activity.After(ctx, pool, "ada", f, after, 0, size)
				require.NoError(rt, err)
				for _, m := range page {
					oldest, after = append(oldest, m.Pos), m.Pos
				}
				if len(page) < size {
					break
				}
			}
			require.Equal(rt, want, newest)
			slices.Reverse(oldest)
			require.Equal(rt, want, oldest)
			seen += len(want)
		}
	})
	require.Greater(t, seen, 500)
}

func TestAStatementIsTheSumOfTheLedgersOwnLines(t *testing.T) {
	t.Parallel()
	pool, ctx := ledgertest.Pool(t), context.Background()
	(&ledger{}).into(t, pool)
	rapid.Check(t, func(rt *rapid.T) {
		_, err := pool.Exec(ctx, "TRUNCATE rm_movements, rm_payments; UPDATE projections SET pos = 0")
		require.NoError(rt, err)
		l := drawn(rt)
		l.into(t, pool)
		from := start.AddDate(0, 0, rapid.IntRange(0, 90).Draw(rt, "from"))
		to := from.AddDate(0, 0, rapid.IntRange(1, 90).Draw(rt, "days"))
		sum := func(counts func(time.Time) bool, sign money.Kobo) (kobo money.Kobo) {
			for _, r := range l.records {
				for _, line := range r.Lines {
					if line.Account == "wallet:ada" && counts(r.EffectiveAt) && (sign == 0 || line.Amount*sign > 0) {
						kobo += line.Amount
					}
				}
			}
			return kobo
		}
		within := func(at time.Time) bool { return !at.Before(from) && at.Before(to) }
		s, err := activity.StatementOf(ctx, pool, "ada", from, to, 1000)
		require.NoError(rt, err)
		require.Equal(rt, sum(func(at time.Time) bool { return at.Before(from) }, 0), s.Opening)
		require.Equal(rt, sum(func(at time.Time) bool { return at.Before(to) }, 0), s.Closing)
		require.Equal(rt, sum(within, 1), s.In)
		require.Equal(rt, -sum(within, -1), s.Out)
		require.Equal(rt, int64(len(l.records)), s.Position)
		if len(s.Movements) > 0 {
			_, err = activity.StatementOf(ctx, pool, "ada", from, to, len(s.Movements)-1)
			require.ErrorIs(rt, err, activity.ErrTooMany)
		}
		months, err := activity.Flows(ctx, pool, "ada", from)
		require.NoError(rt, err)
		var flow activity.Flow
		for _, m := range months {
			flow.In, flow.Out = flow.In+m.In, flow.Out+m.Out
		}
		require.Equal(rt, sum(func(at time.Time) bool { return !at.Before(from) }, 0), flow.In-flow.Out)
	})
}

// plan is a node of an explained query.
type plan struct {
	Node    string `json:"Node Type"`
	Index   string `json:"Index Name"`
	Fetches int    `json:"Heap Fetches"`
	Hit     int    `json:"Shared Hit Blocks"`
	Read    int    `json:"Shared Read Blocks"`
	Plans   []plan
}

func (p plan) all() []plan {
	list := []plan{p}
	for _, below := range p.Plans {
		list = append(list, below.all()...)
	}
	return list
}

// A member has 100,000 movements, among three times as many of others: every search uses one index, and reads no more
// rows than it shows.
func TestWhateverIsLookedForAmongAHundredThousandIsFoundInOneIndex(t *testing.T) {
	t.Parallel()
	pool, ctx := ledgertest.Pool(t), context.Background()
	(&ledger{}).into(t, pool)
	_, err := pool.Exec(ctx, `INSERT INTO rm_movements SELECT n, gen_random_uuid(), CASE n % 4 WHEN 0 THEN 'ada' ELSE 'user ' || n % 1000 END,
		CASE WHEN n % 20000 = 0 THEN 'WITHDRAWAL' WHEN n % 3 = 0 THEN 'WALLET_FUNDED' ELSE 'CONTRIBUTION' END, 100 + n, n % 3 = 0, 0, 0,
		TIMESTAMPTZ '2020-01-01' + n * INTERVAL '10 minutes', TIMESTAMPTZ '2020-01-01' + n * INTERVAL '10 minutes', gen_random_uuid()::text, 1 + n % 3,
		'group ' || n % 40, 'sub ' || n % 80, '[]', '[{"account": "wallet:ada", "kobo": 1}, {"account": "bank:transfer", "kobo": -1}]', '\x00'
		FROM generate_series(1, 400000) n`)
	require.NoError(t, err)
	require.Eventually(t, func() bool { // Open transactions of other tests hold a vacuum back.
		_, err = pool.Exec(ctx, "VACUUM ANALYZE rm_movements")
		require.NoError(t, err)
		var whole bool
		require.NoError(t, pool.QueryRow(ctx, "SELECT relallvisible >= relpages FROM pg_class WHERE oid = 'rm_movements'::regclass").Scan(&whole))
		return whole
	}, 60*time.Second, 100*time.Millisecond)
	in := true
	for name, f := range map[string]activity.Filter{
		"everything":        {},
		"a rare kind":       {Kinds: []string{activity.Withdrawal}},
		"a kind of no rows": {Kinds: []string{activity.UnmatchedAssigned}},
		"a direction":       {Incoming: &in},
		"a group's":         {GroupID: "group 4"},
		"an old week":       {From: time.Date(2020, 2, 1, 0, 0, 0, 0, time.UTC), To: time.Date(2020, 2, 8, 0, 0, 0, 0, time.UTC)},
		"no such reference": {Search: activity.Search{Text: "nowhere"}},
		"an amount":         {Search: activity.Search{Text: "2,001", From: 2001_00, To: 2001_99}},
		"several at once":   {Incoming: &in, Channel: nairav1.Channel_CHANNEL_CARD, GroupID: "group 12", Search: activity.Search{Text: "a", Subs: []string{"sub 12"}}},
	} {
		for _, before := range []int64{0, 20_000} {
			raw, err := activity.Explain(ctx, pool, "ada", f, before, 51)
			require.NoError(t, err)
			var explained []struct{ Plan plan }
			require.NoError(t, json.Unmarshal(raw, &explained))
			found := false
			for _, node := range explained[0].Plan.all() {
				require.NotContains(t, node.Node, "Seq Scan", name)
				if node.Node == "Index Only Scan" && node.Index == "rm_movements_found" {
					found = true
					require.Zero(t, node.Fetches, name)
				}
			}
			require.True(t, found, "%s: %s", name, raw)
			// The whole of the member's part of the index and a page of rows; the table has four times as many blocks.
			require.Less(t, explained[0].Plan.Hit+explained[0].Plan.Read, 4_000, name)
			t.Logf("%s before %d: %d blocks", name, before, explained[0].Plan.Hit+explained[0].Plan.Read)
		}
	}
}
