package httpapi

import (
	"fmt"
	"sync"
	"testing"
	"time"

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
