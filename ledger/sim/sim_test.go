package sim_test

import (
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/sim"
)

var (
	seeds = flag.Int("seeds", 500, "how many seeds to simulate; 100 with -short unless set")
	seed  = flag.Uint64("seed", 0, "simulate this seed alone, with the log")
)

func TestMain(m *testing.M) {
	flag.Parse()
	if *seed == 0 {
		slog.SetDefault(slog.New(slog.NewTextHandler(io.Discard, nil)))
	}
	os.Exit(m.Run())
}

// run simulates one seed. A bubble in which everybody waits for ever panics; that is a failure of its seed too.
func run(t *testing.T, seed uint64) (report sim.Report, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	synctest.Test(t, func(*testing.T) { report, err = sim.Run(seed) })
	return report, err
}

func TestNoSeedBreaksAPromise(t *testing.T) {
	t.Parallel()
	first, count := uint64(1), *seeds
	switch {
	case *seed != 0:
		first, count = *seed, 1
	case testing.Short() && count == 500:
		count = 100
	}
	var (
		mu    sync.Mutex
		total sim.Report
	)
	total.Crashes, total.Types = map[sim.Site]int{}, map[string]int{}
	const lanes = 4
	t.Run("seeds", func(t *testing.T) {
		for lane := range min(lanes, count) {
			t.Run(fmt.Sprint("lane ", lane), func(t *testing.T) {
				t.Parallel()
				for n := lane; n < count; n += lanes {
					s := first + uint64(n)
					report, err := run(t, s)
					if err != nil {
						t.Errorf("seed %d: %v\nagain with: go test ./sim -run TestNoSeedBreaksAPromise -seed %d -v", s, err, s)
						return
					}
					mu.Lock()
					total.Add(report)
					mu.Unlock()
				}
			})
		}
	})
	t.Logf("%d seeds: %d events, %d wishes done, %d refused, %d unknown at first; %d epochs raised; crashes %v; %v", count, total.Events, total.Done, total.Refused, total.Unknown, total.Epoch, total.Crashes, total.Types)
	if count < 100 {
		return
	}
	require.Positive(t, total.Failed, "nothing was met that cannot be written")
	require.Positive(t, total.Epoch, "no stream was ahead of its ledger")
	for _, of := range []string{
		"AjoCreated", "AjoSeatTakenV2", "AjoListClosedV2", "AjoOrderDrawn", "AjoStarted", "AjoContributed", "AjoCycleReady", "AjoDebtOpened",
		"AjoTurnsChanged", "AjoPayoutRequested", "AjoPayoutApproved", "AjoPaid", "AjoPlaceOpened", "AjoSeatFrozen",
	} {
		require.Positive(t, total.Types["naira.v1."+of], "nobody's ajo came to %s", of)
	}
	for _, site := range sim.Sites {
		require.Positive(t, total.Crashes[site], "no process crashed %s", site)
	}
}

func TestASeedTellsTheSameHistoryAgain(t *testing.T) {
	const tried = 30
	alike := 0
	for s := uint64(1); s <= tried; s++ {
		first, err := run(t, s)
		require.NoError(t, err)
		second, err := run(t, s)
		require.NoError(t, err)
		if first.History == second.History {
			alike++
		}
	}
	require.GreaterOrEqual(t, alike, tried*9/10, "of %d", tried)
}
