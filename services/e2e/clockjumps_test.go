package e2e

import (
	"context"
	"net/http"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/clocks"
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

// watched is the product by a clock that somebody sets, until the test ends.
func watched(t *testing.T) (*jumping, config.Config, *boot.Instance) {
	t.Helper()
	j := &jumping{}
	cfg := j.settings(t.TempDir())
	i, err := boot.Start(context.Background(), cfg, boot.All)
	require.NoError(t, err)
	t.Cleanup(i.Stop)
	return j, cfg, i
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
			j, cfg, i := watched(t)
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
			_, err := clocks.Confirm(cfg)
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
	_, err = clocks.Confirm(cfg)
	require.NoError(t, err)
	bisi.takesAgain()
}

// A bank that does not know of a payout is believed after a while. A wrong clock does not make that while longer or
// shorter.
func TestAClockInDoubtMovesNoTimeOfAnAnswer(t *testing.T) {
	t.Parallel()
	j, ctx := &jumping{}, context.Background()
	cfg := j.settings(t.TempDir())
	i, err := boot.Start(ctx, cfg, boot.All)
	require.NoError(t, err)
	somebody(t, i, "Bisi").takesAgain()
	heard := time.Now().UTC().Truncate(time.Microsecond)
	_, err = i.Pool.Exec(ctx, "INSERT INTO asks (kind, id, tries, asked_at, next_at, unknown_since, answer, version) VALUES ('payout', 'x', 1, $1, $2, $1, '', 1)", heard, heard.Add(time.Hour))
	require.NoError(t, err)
	i.Stop()
	j.to(-2 * time.Hour)
	i, err = boot.Start(ctx, cfg, boot.All)
	require.NoError(t, err)
	t.Cleanup(i.Stop)
	require.Contains(t, nobody(t, i.Address).check("clock")["says"], "and the last event was recorded at")
	var since time.Time
	require.NoError(t, i.Pool.QueryRow(ctx, "SELECT unknown_since FROM asks WHERE id = 'x'").Scan(&since))
	require.Equal(t, heard, since.UTC())
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
	_, err = clocks.Confirm(cfg)
	require.NoError(t, err)
	bisi.takesAgain()
}

func TestALedgerThatNobodyUsedForAYearIsConfirmedOnce(t *testing.T) {
	t.Parallel()
	j := &jumping{}
	cfg := j.settings(t.TempDir())
	i, err := boot.Start(context.Background(), cfg, boot.All)
	require.NoError(t, err)
	somebody(t, i, "Bisi").takesAgain()
	i.Stop()
	j.to(400 * 24 * time.Hour)
	i, err = boot.Start(context.Background(), cfg, boot.All)
	require.NoError(t, err)
	t.Cleanup(func() { i.Stop() })
	p := nobody(t, i.Address)
	require.Equal(t, http.StatusServiceUnavailable, p.readiness())
	require.Contains(t, p.check("clock")["says"], "more than a year before")
	_, err = clocks.Confirm(cfg)
	require.NoError(t, err)
	require.Eventually(t, func() bool { return p.readiness() == http.StatusOK }, time.Minute, 20*time.Millisecond, "it was confirmed")
	i.Stop()
	i, err = boot.Start(context.Background(), cfg, boot.All)
	require.NoError(t, err)
	p.base = i.Address
	require.Equal(t, true, p.check("clock")["ok"], "also over a restart before anything was recorded")
}

func TestASandboxThatLivesYearsBackIsNoClockInDoubt(t *testing.T) {
	t.Parallel()
	j := &jumping{}
	cfg := plain(t.TempDir())
	cfg.Clock, cfg.WatchClock, cfg.SandboxClock = j.settings(t.TempDir()).Clock, true, -2*366*24*time.Hour
	i, err := boot.Start(context.Background(), cfg, boot.All)
	require.NoError(t, err)
	t.Cleanup(func() { i.Stop() })
	somebody(t, i, "Bisi").takesAgain()
	i.Stop()
	i, err = boot.Start(context.Background(), cfg, boot.All)
	require.NoError(t, err)
	require.Equal(t, true, nobody(t, i.Address).check("clock")["ok"])
}

func TestWhileTheClockIsInDoubtTheSameKeyIsAnsweredAsBefore(t *testing.T) {
	t.Parallel()
	j, _, i := watched(t)
	bisi := somebody(t, i, "Bisi")
	pays := func(key string) reply {
		return bisi.ask("POST", "/api/Wallet/FundWalletVfd", object{"amount": 100, "email": bisi.email}, "Idempotency-Key", key)
	}
	const key = "before the clock was in doubt"
	require.Equal(t, http.StatusOK, pays(key).status)
	j.to(20 * time.Hour)
	bisi.takesNothing("jumped")
	require.Equal(t, http.StatusOK, pays(key).status, "it was taken")
	require.Eventually(t, func() bool { return bisi.check("payouts")["ok"] == false }, time.Minute, 20*time.Millisecond, "no job runs")
	require.Equal(t, clockInDoubt, pays("in doubt").Message)
}

func TestWhoStepsUpByAClockThatIsAheadIsNotSteppedUpOnceItIsRight(t *testing.T) {
	t.Parallel()
	j, _, i := watched(t)
	bisi, _ := withdrawer(t, i, "Bisi", 50_000)
	j.to(20 * time.Hour)
	bisi.takesNothing("jumped")
	bisi.stepsUp()
	j.to(0)
	bisi.takesAgain()
	require.Equal(t, http.StatusForbidden, bisi.withdraws(20_000).status)
	require.Equal(t, http.StatusOK, bisi.stepsUp().withdraws(20_000).status)
}

func TestAMachineWhoseClockIsAheadStopsNoneThatIsRight(t *testing.T) {
	t.Parallel()
	database, bus := servers(t, nil)
	data := filepath.Join(t.TempDir(), "data")
	start := func(by time.Duration, roles boot.Roles) *boot.Instance {
		j := &jumping{}
		j.to(by)
		cfg := plain(data)
		cfg.Clock, cfg.WatchClock = j.settings(t.TempDir()).Clock, true
		cfg.DatabaseURL, cfg.NATSURL, cfg.VaultKey = config.Secret(database), config.Secret(bus), vaultKey
		i, err := boot.Start(context.Background(), cfg, roles)
		require.NoError(t, err)
		t.Cleanup(i.Stop)
		return i
	}
	right := start(0, boot.All)
	bisi := somebody(t, right, "Bisi")
	bisi.takesAgain()
	ada := somebody(t, start(10*time.Minute, boot.Roles{API: true}), "Ada")
	status, said := ada.asksToPay()
	require.Equal(t, http.StatusOK, status, said)
	require.Eventually(t, func() bool { return bisi.check("otherClocks")["ok"] == false }, time.Minute, 20*time.Millisecond)
	require.Contains(t, bisi.check("otherClocks")["says"], "Another machine records by a clock that is ahead")
	bisi.takesAgain()
}
