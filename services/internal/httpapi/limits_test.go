package httpapi

import (
	"fmt"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/labstack/echo/v5"
	"github.com/stretchr/testify/require"

	"adashi.ng/proto/gen/access"
)

func TestABucketEmptiesAndFills(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 10, 9, 0, 0, 0, time.UTC)
	l := newLimiter(func() time.Time { return now })
	three := access.Limit{Class: "three", Burst: 3, PerSecond: 0.5}
	for range 3 {
		require.Zero(t, l.take(three, "a"))
	}
	require.Equal(t, 2*time.Second, l.take(three, "a"))
	require.Zero(t, l.take(three, "b"), "somebody else has their own")
	require.Zero(t, l.take(access.Limit{Class: "other", Burst: 1, PerSecond: 1}, "a"), "another class too")
	now = now.Add(1999 * time.Millisecond)
	require.Equal(t, time.Second, l.take(three, "a"), "it answers whole seconds at least")
	now = now.Add(time.Millisecond)
	require.Zero(t, l.take(three, "a"))
	require.NotZero(t, l.take(three, "a"))
	now = now.Add(time.Hour)
	for range 3 {
		require.Zero(t, l.take(three, "a"))
	}
	require.NotZero(t, l.take(three, "a"), "it holds no more than it may")
}

// Two expensive calls of one caller run at a time, and another caller's beside them; each counts against the limit by
// the time that it took.
func TestCallsThatTakeLongAreLimitedByTheirCost(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(time.Now)
		of := access.Limit{Class: weighed, Burst: 100, PerSecond: 1, ByCaller: true}
		var running, most atomic.Int32
		call := func(who string) {
			require.Zero(t, l.take(of, who))
			_ = l.weigh(of, who, echo.NewContext(httptest.NewRequest("GET", "/", nil), httptest.NewRecorder()), func(*echo.Context) error {
				now := running.Add(1)
				for was := most.Load(); now > was && !most.CompareAndSwap(was, now); was = most.Load() {
				}
				time.Sleep(100 * time.Millisecond)
				running.Add(-1)
				return nil
			})
		}
		var all sync.WaitGroup
		for range 16 {
			all.Go(func() { call("ada") })
		}
		all.Wait()
		require.EqualValues(t, weighedAtOnce, most.Load())
		require.NotZero(t, l.take(of, "ada"), "sixteen of 100 ms are more than she has")
		call("bisi")
		require.Empty(t, l.lanes.all)
	})
}

func TestTheLimiterStaysBounded(t *testing.T) {
	t.Parallel()
	l := newLimiter(time.Now)
	var wait sync.WaitGroup
	for n := range 4 {
		wait.Go(func() {
			for i := range 50_000 {
				l.take(accessOf("POST /api/Account/GetToken").Limit, fmt.Sprint(n, "-", i))
			}
		})
	}
	wait.Wait()
	for n := range l.shards {
		require.LessOrEqual(t, len(l.shards[n].buckets), bucketsMax)
	}
}

func TestASubscriberIsAnAddressOrAnIPv6Network(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"102.89.1.2": "102.89.1.2", "::ffff:102.89.1.2": "102.89.1.2", "2c0f:f5c0:1:2:3:4:5:6": "2c0f:f5c0:1:2::/64", "fe80::1%eth0": "fe80::/64", "junk": "junk",
	} {
		require.Equal(t, want, subscriber(address))
	}
}

func TestEveryRowOfTheTableIsWhole(t *testing.T) {
	t.Parallel()
	for _, row := range Permissions() {
		require.Len(t, row.Verdicts, len(Kinds), row.Path)
		for kind, verdict := range row.Verdicts {
			require.Contains(t, []Verdict{Allow, Self, Masked, Deny}, verdict, "%s %s for %s", row.Method, row.Path, kind)
		}
	}
	require.PanicsWithValue(t, "httpapi: the contract does not say who may call GET /api/nothing: give it an x-access and run ./scripts/gen", func() { accessOf("GET /api/nothing") })
	require.Equal(t, []string{"Support", "FinanceOps", "Admin"}, staffRoles(accessOf("GET /api/Operator/checks")))
	require.Equal(t, []string{"Admin"}, staffRoles(accessOf("POST /api/Operator/letters/retry")))
	require.Nil(t, staffRoles(accessOf("GET /api/v1/activity")))
}

func BenchmarkLimit(b *testing.B) {
	l := newLimiter(time.Now)
	b.ReportAllocs()
	for b.Loop() {
		l.take(accessOf("GET /api/v1/activity").Limit, "0199a000-0000-7000-8000-000000000001")
	}
}
