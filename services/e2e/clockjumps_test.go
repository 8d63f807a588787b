package e2e

import (
	"context"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/config"
)

// jumping is a machine's clock that somebody sets. The monotonic clock goes on.
type jumping struct{ by atomic.Int64 }

func (j *jumping) to(by time.Duration) { j.by.Store(int64(by)) }

func (j *jumping) settings(data string) config.Config {
	cfg := settings(data)
	cfg.Clock = func() time.Time { return time.Now().Add(time.Duration(j.by.Load())).Truncate(time.Microsecond) }
	cfg.WatchClock = true
	return cfg
}

const clockInDoubt = "We are making sure that our clock is right. Nothing was taken. Please try again shortly."

// asksToPay starts a payment into the wallet, and answers the status and what was said.
func (p *person) asksToPay() (int, string) {
	p.Helper()
	r := p.ask("POST", "/api/Wallet/FundWalletVfd", object{"amount": 100, "email": p.email})
	return r.status, r.Message
}

// takesAgain waits until a payment is taken and the process says that it is ready.
func (p *person) takesAgain() {
	p.Helper()
	require.Eventually(p, func() bool { return p.readiness() == http.StatusOK }, time.Minute, 20*time.Millisecond)
	status, said := p.asksToPay()
	require.Equal(p, http.StatusOK, status, said)
}

// takesNothing holds that nothing is taken, that this is said, and that people can look.
func (p *person) takesNothing(why string) {
	p.Helper()
	status, said := p.asksToPay()
	require.Equal(p, http.StatusServiceUnavailable, status)
	require.Equal(p, clockInDoubt, said)
	require.Eventually(p, func() bool { return p.readiness() == http.StatusServiceUnavailable }, time.Minute, 20*time.Millisecond)
	require.Contains(p, p.check("clock")["says"], why)
	require.NotEmpty(p, p.balance())
}

func TestAClockThatJumpsRecordsNothingUntilItIsRightOrConfirmed(t *testing.T) {
	t.Parallel()
	for name, by := range map[string]time.Duration{"ahead": 20 * time.Hour, "back": -time.Hour} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := &jumping{}
			cfg := j.settings(t.TempDir())
			i, err := boot.Start(context.Background(), cfg, boot.All)
			require.NoError(t, err)
			t.Cleanup(i.Stop)
			bisi, _ := withdrawer(t, i, "Bisi", 50_000)
			j.to(by)
			bisi.takesNothing("the machine's clock jumped by " + by.String())
			j.to(0)
			right := time.Now()
			bisi.takesAgain()
			again := time.Since(right)
			var ahead int
			require.NoError(t, i.Pool.QueryRow(context.Background(), "SELECT count(*) FROM events WHERE recorded_at > $1", time.Now().Add(time.Minute)).Scan(&ahead))
			require.Zero(t, ahead, "an event of a time that has not come")
			withdrawn := bisi.withdraws(20_000).id(t)
			require.Eventually(t, func() bool {
				return must[object](bisi, "GET", withdrawals+"/"+withdrawn, nil)["status"] == "PAID"
			}, time.Minute, 50*time.Millisecond, "jobs run again")

			j.to(by)
			bisi.takesNothing("jumped")
			_, err = boot.ConfirmClock(cfg)
			require.NoError(t, err)
			bisi.takesAgain()
			addRow(broken{"a clock that jumps " + name, 2, 2, again, clockInDoubt})
		})
	}
}

func TestAClockInDoubtStaysInDoubtOverARestart(t *testing.T) {
	t.Parallel()
	j, data := &jumping{}, t.TempDir()
	cfg := j.settings(data)
	i, err := boot.Start(context.Background(), cfg, boot.All)
	require.NoError(t, err)
	bisi := somebody(t, i, "Bisi")
	j.to(20 * time.Hour)
	bisi.takesNothing("jumped")
	i.Stop()
	i, err = boot.Start(context.Background(), cfg, boot.All)
	require.NoError(t, err)
	t.Cleanup(func() { i.Stop() })
	bisi.base = i.Address
	bisi.takesNothing("jumped")
	j.to(0)
	_, err = boot.ConfirmClock(cfg)
	require.NoError(t, err)
	bisi.takesAgain()
}

func TestAStartByAClockThatCannotBeRightWaitsForTheOperator(t *testing.T) {
	t.Parallel()
	j, data := &jumping{}, t.TempDir()
	cfg := j.settings(data)
	i, err := boot.Start(context.Background(), cfg, boot.All)
	require.NoError(t, err)
	bisi := somebody(t, i, "Bisi")
	bisi.takesAgain()
	i.Stop()
	for name, c := range map[string]struct {
		at  time.Time
		why string
	}{
		"two hours back": {time.Now().Add(-2 * time.Hour), "and the last event was recorded at"},
		"1970":           {time.Unix(0, 0), "the machine's clock says 1970-01-01T"},
		"2099":           {time.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC), "more than a year before"},
	} {
		t.Log(name)
		j.to(time.Until(c.at))
		i, err = boot.Start(context.Background(), cfg, boot.All)
		require.NoError(t, err, name)
		bisi.base = i.Address
		require.Eventually(t, func() bool { return bisi.readiness() == http.StatusServiceUnavailable }, time.Minute, 20*time.Millisecond)
		require.Contains(t, bisi.check("clock")["says"], c.why, name)
		_, err := i.App.Ledger.Append(context.Background(), store.Command{ID: store.NewCommandID(), Actor: "bisi", Command: wallet.EndPayment{PaymentID: "none", To: wallet.Failed}})
		require.ErrorContains(t, err, clockInDoubt, name)
		j.to(0)
		require.Eventually(t, func() bool { return bisi.readiness() == http.StatusOK }, time.Minute, 20*time.Millisecond, name)
		i.Stop()
	}

	j.to(-2 * time.Hour)
	i, err = boot.Start(context.Background(), cfg, boot.All)
	require.NoError(t, err)
	t.Cleanup(func() { i.Stop() })
	bisi.base = i.Address
	bisi.takesNothing("and the last event was recorded at")
	_, err = boot.ConfirmClock(cfg)
	require.NoError(t, err)
	bisi.takesAgain()
}
