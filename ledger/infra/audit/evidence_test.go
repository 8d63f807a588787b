package audit_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/infra/audit"
	"adashi.ng/ledger/infra/epochs"
	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/ledger/infra/store"
)

func TestAnEpochIsAViolationUntilTheKeySignedThatItBegan(t *testing.T) {
	t.Parallel()
	b := kept(t)
	b.tamper("INSERT INTO ledger_epochs (epoch, from_pos, stream_last, reason, raised_at) VALUES (2, $1, $2, 'restored', now())", b.head(), b.head()+7)
	b.tamper("UPDATE ledger_gate SET epoch = 2")
	finds(t, b.verify(), "epochs", b.head()+1, "did not sign that")
	finds(t, b.verify(), "checkpoint file", 0, "no statement that the ledger's key signed")
	b.tamper("UPDATE ledger_epochs SET acknowledged = 'paid back', statement = 'signed, I swear'")
	finds(t, b.verify(), "epochs", b.head()+1, "did not sign that")
	b.acknowledge(2, 7)
	report := b.verify()
	require.Empty(t, all(report))
	require.Contains(t, strings.Join(report.Notes, " "), "7 recorded positions", "it is said for ever")
	b.tamper("UPDATE ledger_epochs SET from_pos = from_pos - 10")
	finds(t, b.verify(), "epochs", 0, "not what was signed")
	b.tamper("DELETE FROM ledger_epochs")
	finds(t, b.verify(), "epochs", 0, "the database says nothing of it")
	b.tamper("UPDATE ledger_gate SET epoch = 1")
	finds(t, b.verify(), "checkpoint file", 0, "knows of epoch 2")
}

func TestAnEpochOfTheGateAloneIsAViolation(t *testing.T) {
	t.Parallel()
	b := kept(t)
	b.tamper("UPDATE ledger_gate SET epoch = 2")
	finds(t, b.verify(), "epochs", 0, "nothing says how that began")
	finds(t, b.verify(), "checkpoint file", 0, "no statement that the ledger's key signed")
}

// acknowledge signs the start of an epoch that gives up that many positions.
func (b *book) acknowledge(epoch int, givesUp int64) {
	b.Helper()
	_, err := b.epochs().Acknowledge(context.Background(), epoch, "The backup of 04:00 was restored.", givesUp)
	require.NoError(b, err)
}

func (b *book) epochs() epochs.Ledger {
	return epochs.Ledger{Pool: b.pool, Keys: b.keys, File: b.file, JS: b.js}
}

func TestAnOldHistoryInTheCheckpointFileIsLetGoByASignatureAlone(t *testing.T) {
	t.Parallel()
	b := kept(t)
	head := b.head()
	b.cut(40)
	b.tamper("DELETE FROM ledger_checkpoints WHERE size > 40")
	b.tamper("DELETE FROM ledger_tiles")
	b.tamper("INSERT INTO ledger_epochs (epoch, from_pos, stream_last, reason, acknowledged, raised_at) VALUES (2, 40, 300, 'restored', 'paid back', now())")
	b.tamper("UPDATE ledger_gate SET epoch = 2")
	finds(t, b.verify(), "checkpoint file", 41, "events were cut off")
	_, err := b.epochs().Acknowledge(context.Background(), 2, "The backup of 04:00 was restored.", 0)
	require.ErrorIs(t, err, epochs.ErrGivesUp, "nobody gives up what they were not told of")
	b.tamper("UPDATE ledger_epochs SET from_pos = 41, stream_last = 0")
	_, err = b.epochs().Acknowledge(context.Background(), 2, "The backup of 04:00 was restored.", head-41)
	require.ErrorIs(t, err, proofs.ErrInconsistent, "its row says more than both have")
	b.tamper("UPDATE ledger_epochs SET from_pos = 40")
	b.acknowledge(2, head-40)
	require.Zero(t, b.verify().Find("checkpoint file").Violations)
}

// The file outside is part of the evidence: a file that is missing, cut or another ledger's is as bad as a changed row.
func TestAFileThatIsMissingCutOrForeignIsAViolation(t *testing.T) {
	t.Parallel()
	b, other := kept(t), kept(t)
	whole, err := os.ReadFile(b.file)
	require.NoError(t, err)
	foreign, err := os.ReadFile(other.file)
	require.NoError(t, err)
	kept, err := proofs.ReadFile(b.file, b.keys.Verifiers())
	require.NoError(t, err)
	first, second := len(kept.Checkpoints[0].Note)+1, len(kept.Checkpoints[1].Note)+1
	for name, c := range map[string]struct {
		text string
		says string
	}{
		"cut at the end":    {string(whole[:first]), "it was shortened"},
		"cut in the middle": {string(whole[:first]) + string(whole[first+second:]), "it was shortened"},
		"empty":             {"", "missing or empty"},
		"foreign":           {string(foreign), "cannot be believed"},
	} {
		require.NoError(t, os.WriteFile(b.file, []byte(c.text), 0o600), name)
		finds(t, b.verify(), "checkpoint file", 0, c.says)
	}
	require.NoError(t, os.Remove(b.file))
	finds(t, b.verify(), "checkpoint file", 0, "missing or empty")
	require.NoError(t, os.WriteFile(b.file, whole, 0o600))
	require.Empty(t, all(b.verify()))
}

// If somebody empties the evidence in the database, the file shows that it is missing.
func TestEvidenceThatIsRemovedIsAViolation(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		plant       []string
		check, says string
	}{
		"every checkpoint":           {[]string{"DELETE FROM ledger_checkpoints"}, "checkpoint file", "it was removed"},
		"a checkpoint in the middle": {[]string{"DELETE FROM ledger_checkpoints WHERE size = (SELECT size FROM ledger_checkpoints ORDER BY size OFFSET 1 LIMIT 1)"}, "checkpoint file", "it was removed"},
		"the last checkpoint":        {[]string{"DELETE FROM ledger_checkpoints WHERE size = (SELECT max(size) FROM ledger_checkpoints)"}, "checkpoint file", "it was removed"},
		"every tile":                 {[]string{"DELETE FROM ledger_tiles"}, "tiles", "missing"},
		"tiles and checkpoints":      {[]string{"DELETE FROM ledger_tiles", "DELETE FROM ledger_checkpoints"}, "tiles", "missing"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := kept(t)
			for _, sql := range c.plant {
				b.tamper(sql)
			}
			finds(t, b.verify(), c.check, 0, c.says)
		})
	}
}

// An attacker owns the database and not the key. They rewrite an event with its leaf, or cut the tail, remove
// everything sealed, and invent an epoch in which the history was always so.
func TestHistoryThatWasRewrittenUnderAnInventedEpochIsNeitherSignedNorPassed(t *testing.T) {
	t.Parallel()
	for name, attack := range map[string]func(b *book){
		"rewritten": func(b *book) { b.rewrite(lined, "actor", "mallory") },
		"cut":       func(b *book) { b.cut(b.head() - 250) },
	} {
		for _, epoch := range []bool{false, true} {
			t.Run(fmt.Sprint(name, " with an epoch ", epoch), func(t *testing.T) {
				t.Parallel()
				b := kept(t)
				before, err := os.ReadFile(b.file)
				require.NoError(t, err)
				attack(b)
				b.tamper("DELETE FROM ledger_tiles")
				b.tamper("DELETE FROM ledger_checkpoints")
				if epoch {
					b.tamper("INSERT INTO ledger_epochs (epoch, from_pos, stream_last, reason, acknowledged, raised_at) VALUES (2, 0, 0, 'nothing was lost', 'by Ngozi', now())")
					b.tamper("UPDATE ledger_gate SET epoch = 2")
				}
				for range 2 { // The running sealer, and a new one.
					_, err := b.sealer.Seal(context.Background())
					require.ErrorIs(t, err, proofs.ErrInconsistent)
					b.sealer, err = proofs.NewSealer(b.pool, b.keys, proofs.SealerOptions{File: b.file})
					require.NoError(t, err)
				}
				after, err := os.ReadFile(b.file)
				require.NoError(t, err)
				require.Equal(t, string(before), string(after), "nothing is signed into the file outside")
				require.NotEmpty(t, all(b.verify()))
				finds(t, b.verify(), "checkpoint file", 0, "")
			})
		}
	}
}

// A verification of a young ledger reads the file, and then the database.
func TestTheFirstCheckpointMayComeWhileALedgerIsVerified(t *testing.T) {
	t.Parallel()
	b := empty(t)
	b.do(account.PasswordTried("ada"))
	config := b.pool.Config()
	sealed := sync.OnceValue(b.seal)
	config.ConnConfig.AfterConnect = func(context.Context, *pgconn.PgConn) error { sealed(); return nil }
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	opt := b.options()
	opt.Pool = pool
	report, err := audit.Verify(t.Context(), opt)
	require.NoError(t, err)
	require.Positive(t, report.Sealed)
	require.Empty(t, report.Find("checkpoint file").Listed)
	require.NoError(t, os.Remove(b.file))
	finds(t, b.verify(), "checkpoint file", 0, "is missing or empty")
}

// A sealer also remembers what it signed itself, even if no file is kept.
func TestASealerDoesNotSignAgainstItsOwnLastCheckpoint(t *testing.T) {
	t.Parallel()
	b := empty(t)
	b.file = ""
	var err error
	b.sealer, err = proofs.NewSealer(b.pool, b.keys, proofs.SealerOptions{})
	require.NoError(t, err)
	b.live(t)
	b.seal()
	b.rewrite(30, "actor", "mallory")
	b.tamper("DELETE FROM ledger_tiles")
	b.tamper("DELETE FROM ledger_checkpoints")
	_, err = b.sealer.Seal(context.Background())
	require.ErrorIs(t, err, proofs.ErrInconsistent)
}

func TestPartitionsThatAreNotDividedAsTheirRowsSayAreFound(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ plant, says string }{
		{"UPDATE ledger_partitions SET to_pos = to_pos - 10 WHERE from_pos = 1", "Postgres divides it otherwise"},
		{"UPDATE ledger_partitions SET from_pos = from_pos + 10 WHERE from_pos > 1", "the one before ends at"},
		{"DELETE FROM ledger_partitions WHERE from_pos = 1", "a partition that no row tells of"},
	} {
		b := kept(t)
		b.tamper(c.plant)
		finds(t, b.verify(), "partitions", 0, c.says)
	}
}

// An account that an archive is said to have paid into is found before anything is paid out of it.
func TestAWalletThatAnArchiveNeverHadIsFound(t *testing.T) {
	t.Parallel()
	b := kept(t)
	ctx := context.Background()
	b.closeOff()
	b.away("events_000001")
	require.Empty(t, all(b.verify()))
	b.tamper("INSERT INTO ledger_accounts VALUES ('wallet:mallory', 500000), ('bank:mallory', -500000)")
	finds(t, b.verify(), "accounts", 0, "wallet:mallory")
	b.tamper("INSERT INTO ledger_closings SELECT max(pos), 'wallet:mallory', 500000 FROM ledger_closings")
	finds(t, b.verify(), "partitions", 0, "not those that were signed")
	b.tamper("DELETE FROM ledger_closings WHERE account = 'wallet:mallory'")
	b.tamper("DELETE FROM ledger_accounts WHERE account LIKE '%:mallory'")
	b.tamper("UPDATE ledger_accounts SET balance = balance + CASE account WHEN 'wallet:chidi' THEN 5 ELSE -5 END WHERE account IN ('wallet:chidi', 'wallet:bisi')")
	finds(t, b.verify(), "accounts", 0, "wallet:chidi")
	_, err := b.pool.Exec(ctx, "DELETE FROM ledger_closings")
	require.ErrorContains(t, err, "never changed or removed")
}

// closeOff detaches the first partition as the command line does.
func (b *book) closeOff() {
	b.Helper()
	ctx := context.Background()
	require.NoError(b, audit.Close(ctx, b.pool, b.keys, b.file, b.partition(0), time.Now()))
	require.NoError(b, store.Detach(ctx, b.pool, ledger.Aggregates(), b.partition(0).Name, nil))
}

// The docs say that nobody finds this; when that changes, this test fails and the docs must change.
func TestARefusalThatIsRemovedWithItsCommandIsNotFound(t *testing.T) {
	t.Parallel()
	b := kept(t)
	b.tamper("DELETE FROM commands WHERE events = 0")
	b.tamper("DELETE FROM refusals")
	require.Empty(t, all(b.verify()))
}

// If a partition is kept elsewhere, histories are compared by its sealed tiles.
func TestAnEpochBeginsWhereHistoriesPartAlsoBehindAnArchive(t *testing.T) {
	t.Parallel()
	b := kept(t)
	last := b.head()
	b.do(contribute("bisi", money.Naira))
	b.seal()
	b.settle()
	head := b.head()
	b.closeOff()
	b.away("events_000001")
	_, err := b.epochs().Find(context.Background())
	require.ErrorIs(t, err, epochs.ErrTogether)
	b.cut(last)
	p, err := b.epochs().Find(context.Background())
	require.NoError(t, err)
	require.Equal(t, [2]int64{head, last}, [2]int64{p.Lost.Size, p.From})
}
