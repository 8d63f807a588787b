package e2e

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/config"
)

// run is a product whose roles are processes of their own, to be killed one by one. The API has the sandbox bank in it.
type run struct {
	*testing.T
	database, bus, data, door, key string
	pool                           *pgxpool.Pool
	api                            *process
}

func newRun(t *testing.T) *run {
	t.Helper()
	r := &run{T: t, data: filepath.Join(t.TempDir(), "data"), door: port(t)}
	r.database, r.bus = servers(t, nil)
	private, public := ledgerKey(t)
	r.key = public
	r.api = r.spawn("api").ready(t, r.door)
	r.key = private
	for _, role := range []string{"relay", "projector"} {
		door := port(t)
		r.spawn(role, "ADASHI_PORT="+door).ready(t, door)
	}
	r.key = public
	var err error
	r.pool, err = pgxpool.New(context.Background(), r.database)
	require.NoError(t, err)
	t.Cleanup(r.pool.Close)
	return r
}

func (r *run) spawn(role string, settings ...string) *process {
	return spawn(r.T, role, append([]string{
		"ADASHI_LEDGER_KEY=" + r.key, "ADASHI_IDENTITY_KEY=" + identityKey, "ADASHI_VAULT_KEY=" + vaultKey, "ADASHI_DATA=" + r.data,
		"DATABASE_URL=" + r.database, "NATS_URL=" + r.bus, "ADASHI_PORT=" + r.door, "ADASHI_SANDBOX_URL=http://127.0.0.1:" + r.door,
	}, settings...)...)
}

// jobs is the role of the jobs inside this process, to be told what to do and when it is.
func (r *run) jobs() *boot.Instance {
	r.Helper()
	cfg := settings(r.data)
	cfg.DatabaseURL, cfg.NATSURL, cfg.SandboxURL = config.Secret(r.database), config.Secret(r.bus), "http://127.0.0.1:"+r.door
	cfg.LedgerKey, cfg.IdentityKey, cfg.VaultKey = config.Secret(r.key), identityKey, vaultKey
	i, err := boot.Start(context.Background(), cfg, boot.Roles{Jobs: true})
	require.NoError(r, err)
	r.Cleanup(i.Stop)
	return i
}

func (r *run) count(sql string) (n int) {
	require.NoError(r, r.pool.QueryRow(context.Background(), sql).Scan(&n))
	return n
}

const (
	ordered = `SELECT count(*) FROM sandbox_payouts`
	onWay   = `SELECT (SELECT count(*) FROM events WHERE type = 'naira.v1.WithdrawalSent') - (SELECT count(*) FROM events WHERE type IN ('naira.v1.WithdrawalPaidV2', 'naira.v1.WithdrawalFailed'))`
)

// until waits for so many orders at the bank, and for one that is being given.
func (r *run) until(orders int) {
	r.Helper()
	require.Eventually(r, func() bool { return r.count(ordered) >= orders && r.count(onWay) > 0 }, 60*time.Second, 5*time.Millisecond, "%d orders", orders)
}

// killsTheBank kills the process that the sandbox lives in, and starts it again.
func (r *run) killsTheBank(settings ...string) {
	r.Helper()
	require.NoError(r, r.api.Process.Kill())
	require.Equal(r, -1, r.api.exit(r))
	client.Transport.(interface{ CloseIdleConnections() }).CloseIdleConnections()
	r.api = r.spawn("api", settings...).ready(r, r.door)
}

// drawer signs up, is verified at the counter and has ₦20,000.
func (r *run) drawer(n int) *person {
	r.Helper()
	p := signedUp(r.T, r.api.base, fmt.Sprintf("Bisi%c", 'a'+n))
	p.known()
	return p.funded(20_000).stepsUp()
}

func TestKilledInTheMiddleOfPayoutsNoneIsPaidTwiceAndNoneIsLost(t *testing.T) {
	t.Parallel()
	const each = 8
	r, ctx := newRun(t), context.Background()
	folk := make([]*person, 5)
	for n := range folk {
		folk[n] = r.drawer(n)
		for range each {
			require.Equal(t, 200, folk[n].withdraws(1_000).status)
		}
	}
	require.Zero(t, r.count(ordered), "nobody sends yet")
	_, err := r.pool.Exec(ctx, `INSERT INTO sandbox_manners (account_number, hold_ms) VALUES ('', 250)`)
	require.NoError(t, err)

	ours := r.spawn("jobs", "ADASHI_PORT="+port(t))
	r.until(4)
	require.NoError(t, ours.Process.Kill()) // Between the record of having sent and the bank's answer.
	require.Equal(t, -1, ours.exit(t))
	doubt := r.count(onWay)
	require.Positive(t, doubt, "it was killed in the middle of one")

	i := r.jobs()
	var sending sync.WaitGroup
	for range 3 { // As many processes would.
		sending.Go(func() {
			assert.Eventually(t, func() bool {
				_ = i.App.Payouts.SendPayouts(ctx)
				return r.count(`SELECT count(*) FROM events WHERE type = 'naira.v1.WithdrawalSent'`) >= each*len(folk)
			}, 3*time.Minute, 10*time.Millisecond, "not all are sent")
		})
	}
	for _, orders := range []int{8, 16, 24} {
		r.until(orders)
		r.killsTheBank()
	}
	sending.Wait()
	t.Logf("%d of ours in doubt at the kill, %d after the bank's", doubt, r.count(onWay))
	for _, later := range []time.Duration{time.Minute, 17 * time.Minute} {
		require.NoError(t, i.App.At(time.Now().Add(later)).Payouts.AskPayouts(ctx))
	}
	r.eachOnceOrNever(folk, each)
	soundLedger(t, r.pool)
}

// eachOnceOrNever holds that every withdrawal has ended, the paid ones with one order at the bank and the failed ones
// with none, and that nobody's money is missing.
func (r *run) eachOnceOrNever(folk []*person, each int) {
	r.Helper()
	rows, err := r.pool.Query(context.Background(), `SELECT reference, orders, amount FROM sandbox_payouts`)
	require.NoError(r, err)
	var (
		reference string
		orders    int
		kobo      int64
		paid      = map[string]int64{}
	)
	_, err = pgx.ForEachRow(rows, []any{&reference, &orders, &kobo}, func() error {
		require.Equal(r, 1, orders, "%s was ordered again", reference)
		paid[reference[len(reference)-36:]] = kobo
		return nil
	})
	require.NoError(r, err)
	outcomes := map[string]int{}
	for _, p := range folk {
		left := 20_000
		page := must[object](p, "GET", withdrawals+"?limit=100", nil)["withdrawals"].([]any)
		require.Len(r, page, each)
		for _, one := range page {
			id := one.(object)["id"].(string)
			view := must[object](p, "GET", withdrawals+"/"+id, nil)
			switch status := view["status"].(string); {
			case paid[id] > 0:
				require.Equal(r, "PAID", p.becomes(id, "PAID")["status"])
				require.EqualValues(r, 989_25, paid[id])
				left -= 1_000
				outcomes["paid"]++
			default:
				require.Equal(r, "FAILED", p.becomes(id, "FAILED")["status"], status)
				outcomes["never received"]++
			}
		}
		p.holds(fmt.Sprintf("%d.00", left))
	}
	r.Logf("%v", outcomes)
	require.Equal(r, each*len(folk), outcomes["paid"]+outcomes["never received"])
}
