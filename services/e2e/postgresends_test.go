package e2e

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/boot"
)

// The private Postgres may end by itself, as where the machine has no memory left for it. The process goes on.
func TestAPrivatePostgresThatEndsUnderLoadIsStartedAgain(t *testing.T) {
	t.Parallel()
	data, door := filepath.Join(t.TempDir(), "data"), port(t)
	p := spawn(t, "up", "ADASHI_DATA="+data, "ADASHI_PORT="+door, "ADASHI_TIER_LIMITS="+noCaps).ready(t, door)
	folk, sub := villagers(t, p.base)
	s, probe := &storm{sub: sub}, nobody(t, p.base)
	var again time.Duration
	unknown := 0
	for round, signal := range []syscall.Signal{syscall.SIGKILL, syscall.SIGQUIT} {
		over := make(chan struct{})
		paying := s.goesOn(folk, round, over)
		pg := postgresOf(t, data)
		require.NoError(t, syscall.Kill(pg, signal))
		killed := time.Now()
		require.Eventually(t, func() bool { return !alive(pg) }, time.Minute, time.Millisecond)
		require.Eventually(t, func() bool {
			return s.send(wish{who: folk[0], key: fmt.Sprintf("after round %d at %s", round, time.Since(killed)), kobo: 1}) == nil
		}, time.Minute, 10*time.Millisecond, "nothing starts it again")
		again = max(again, time.Since(killed))
		require.Eventually(t, func() bool { return probe.readiness() == http.StatusOK }, time.Minute, 20*time.Millisecond)
		close(over)
		paying.Wait()
		unknown += len(s.unanswered)
		for _, w := range s.unanswered {
			require.Equal(t, http.StatusServiceUnavailable, w.answer.status, "%s", w.answer.Message)
		}
		s.askAgain(t)
	}
	p.terminate(t)
	require.Contains(t, p.stderr.String(), "Postgres was started again")
	i, err := boot.Start(context.Background(), settings(data), boot.All)
	require.NoError(t, err)
	t.Cleanup(i.Stop)
	s.onceEach(t, i)
	soundLedger(t, i.Pool)
	streamEqualsStore(t, i)
	modelsEqualFreshFold(t, i)
	addRow(broken{"its Postgres ends under load", len(s.answered), unknown, again, "Postgres was started again and answers"})
}

// goesOn has twenty clients pay until it is over, also after a payment that is not answered. It returns once they pay.
func (s *storm) goesOn(people []*person, round int, over <-chan struct{}) *sync.WaitGroup {
	var paying, begun sync.WaitGroup
	for n := range 20 {
		begun.Add(1)
		paying.Go(func() {
			for i := 0; ; i++ {
				_ = s.send(wish{who: people[n%len(people)], key: fmt.Sprintf("going on, round %d client %d wish %d", round, n, i), kobo: 1 + (n*31+i*7)%300})
				if i == 0 {
					begun.Done()
				}
				select {
				case <-over:
					return
				default:
				}
			}
		})
	}
	begun.Wait()
	return &paying
}
