package audit_test

import (
	"bytes"
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/pgchild"
	"adashi.ng/ledger/infra/audit"
)

// disk is a Postgres of its own, whose files a test can damage.
type disk struct {
	testing.TB
	dir    string
	server *pgchild.Server
	pool   *pgxpool.Pool
}

func (d *disk) start() {
	d.Helper()
	var err error
	d.server, err = pgchild.Start(context.Background(), pgchild.Options{Dir: d.dir, Settings: map[string]string{"fsync": "off", "autovacuum": "off"}})
	require.NoError(d, err)
	d.pool, err = pgxpool.New(context.Background(), d.server.URL("postgres"))
	require.NoError(d, err)
}

func (d *disk) stop() {
	d.pool.Close()
	d.server.Stop()
}

// damage overwrites a page of each table while the server is down.
func (d *disk) damage(page int64, tables ...string) {
	d.Helper()
	var files []string
	for _, table := range tables {
		var file string
		require.NoError(d, d.pool.QueryRow(context.Background(), "SELECT current_setting('data_directory') || '/' || pg_relation_filepath($1)", table).Scan(&file))
		files = append(files, file)
	}
	d.stop()
	for _, path := range files {
		file, err := os.OpenFile(path, os.O_RDWR, 0)
		require.NoError(d, err)
		size, err := file.Seek(0, 2)
		require.NoError(d, err)
		require.GreaterOrEqual(d, size, (page+1)*8192)
		_, err = file.WriteAt(bytes.Repeat([]byte{0xa5}, 8192), page*8192)
		require.NoError(d, err)
		require.NoError(d, file.Close())
	}
	d.start()
}

// onDisk is the kept ledger in a Postgres of its own.
func onDisk(t *testing.T) (*disk, *book) {
	t.Helper()
	d := &disk{TB: t, dir: filepath.Join(t.TempDir(), "pg")}
	d.start()
	t.Cleanup(func() { d.stop() })
	b := emptyIn(t, d.pool)
	b.live(t)
	b.seal()
	b.settle()
	return d, b
}

// damaged verifies the ledger after a page of some tables was overwritten.
func (d *disk) damaged(b *book, page int64, tables ...string) *audit.Report {
	d.Helper()
	b.end()
	d.damage(page, tables...)
	b.pool = d.pool
	return b.verify()
}

func TestADamagedPageIsInTheReportWithAllElseThatWasFound(t *testing.T) {
	t.Parallel()
	d, b := onDisk(t)
	b.tamper("UPDATE events SET actor = 'mallory' WHERE pos IN (20, 300)")
	b.tamper("DELETE FROM commands WHERE pos = 31")
	report := d.damaged(b, 1, "events_000001")
	finds(t, report, "leaves", 20, "one of them was changed")
	finds(t, report, "leaves", 300, "one of them was changed")
	damaged := report.Find("positions").Listed
	require.Len(t, damaged, 1, "the positions of one page")
	require.Regexp(t, "The events at the positions from [0-9]+ to [0-9]+ cannot be read, since the database is damaged: invalid page in block 1", damaged[0].Says)
	finds(t, report, "commands", 0, "the database is damaged: invalid page in block 1")
	require.Positive(t, report.Find("accounts").Looked)
}

func TestDamageOfEachTableIsInTheReport(t *testing.T) {
	t.Parallel()
	d, b := onDisk(t)
	says := func(report *audit.Report, check string) (all string) {
		for _, v := range report.Find(check).Listed {
			all += v.Says + "\n"
		}
		return all
	}
	tables := map[string]string{"ledger_accounts": "accounts", "commands": "commands", "ledger_tiles": "tiles", "snapshots": "snapshots"}
	report := d.damaged(b, 0, slices.Collect(maps.Keys(tables))...)
	for table, check := range tables {
		require.Contains(t, says(report, check), "the database is damaged: invalid page in block 0", table)
	}
	require.Equal(t, b.head(), report.Find("leaves").Looked)
	require.Empty(t, report.Find("leaves").Listed)

	report = d.damaged(b, 0, "ledger_checkpoints")
	require.Contains(t, says(report, "checkpoints"), "the database is damaged: invalid page in block 0")
	require.Equal(t, "the latest checkpoint cannot be read", report.Find("tiles").Skipped)
}
