package evidence_test

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/evidence/bundle"
)

// payers pay concurrently, to make the test fast.
const payers = 16

func TestAMemberOfManyEventsGetsTheLatest(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		payments, events int
		earlier          bool
	}{"500": {256, 500, false}, "2000": {1024, bundle.EventsMost, true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := disputed(t, false, func(w *apptest.Town) {
				var all sync.WaitGroup
				for range payers {
					all.Go(func() {
						for range c.payments / payers {
							w.Fund(w.Member.User)
						}
					})
				}
				all.Wait()
				require.NoError(w, w.Engine.CatchUp(context.Background()))
			})
			s := &watched{desk: d}
			latest, err := d.App.Activity.Proofs.Latest(context.Background())
			require.NoError(t, err)
			for i := range int64(20) { // Each saw a different tree, far into the member's events.
				size := latest.Size - 1 - 7*i
				s.signs(newSigner(t, fmt.Sprintf("witness.example/w%d", i)), "", text(latest.Origin, size, s.root(size)))
			}
			oldest := s.signed(text(latest.Origin, 11, s.root(11)))
			began := time.Now()
			page, err := s.asks(oldest)
			took := time.Since(began)
			require.NoError(t, err)
			b, err := bundle.Read(page)
			require.NoError(t, err)
			began = time.Now()
			checked, err := bundle.Check(b, d.keys)
			require.NoError(t, err)
			require.Len(t, checked.Witnesses, 20)
			t.Logf("%d events: made in %v, checked in %v, %d KB, %d hashes", len(b.Events), took, time.Since(began), len(page)>>10, len(b.Hashes))
			require.GreaterOrEqual(t, len(b.Events), c.events)
			require.LessOrEqual(t, len(b.Events), bundle.EventsMost)
			require.Equal(t, c.earlier, b.Earlier)
			if keep := os.Getenv("EVIDENCE_PAGE"); keep != "" {
				require.NoError(t, os.WriteFile(keep+name, page, 0o600))
			}
			class, says := shows(t, page)
			require.Equal(t, "good", class, says)
		})
	}
}
