package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	stream "adashi.ng/ledger/infra/relay"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/losses"
)

// kept are the tables that a backup of the database holds.
var keptTables = []string{
	"events", "commands", "refusals", "snapshots", "ledger_accounts", "ledger_settled", "ledger_gate", "ledger_epochs", "ledger_tiles", "ledger_checkpoints", "ledger_closings", "ledger_closed",
}

// backup keeps the database as it is.
func (h *installation) backup() {
	h.Helper()
	for _, table := range keptTables {
		h.sql("CREATE TABLE backup_" + table + " AS SELECT * FROM " + table)
	}
}

// restore puts the database back to the backup, and nothing else.
func (h *installation) restore() {
	h.Helper()
	require.NoError(h, pgx.BeginFunc(context.Background(), h.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(context.Background(), "SET LOCAL session_replication_role = replica"); err != nil {
			return err
		}
		for _, table := range keptTables {
			if _, err := tx.Exec(context.Background(), fmt.Sprintf("DELETE FROM %s; INSERT INTO %s SELECT * FROM backup_%s", table, table, table)); err != nil {
				return err
			}
		}
		return nil
	}))
}

func (h *installation) sql(text string, args ...any) {
	h.Helper()
	_, err := h.pool.Exec(context.Background(), text, args...)
	require.NoError(h, err)
}

func (h *installation) js() jetstream.JetStream {
	h.Helper()
	bus, err := nats.Connect(os.Getenv("NATS_URL"))
	require.NoError(h, err)
	h.Cleanup(bus.Close)
	js, err := jetstream.New(bus)
	require.NoError(h, err)
	return js
}

// pay has n members pay 1,000 naira each, and answers the first error.
func (h *installation) pay(n int) (failed error) {
	h.Helper()
	s := store.Open(store.Postgres(h.pool, 40), ledger.Aggregates(), store.Options{})
	defer s.Close()
	do := func(c event.Command) {
		if _, err := s.Append(context.Background(), store.Command{ID: uuid.New(), Actor: "tester", Command: c}); err != nil && failed == nil {
			failed = err
		}
	}
	for range n {
		id := uuid.NewString()
		do(wallet.StartPayment{PaymentID: id, User: "bisi", Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: event.Vfd, Amount: 1000 * money.Naira, ExpiresAt: time.Now().Add(time.Hour)})
		do(wallet.ConfirmPayment{PaymentID: id, User: "bisi", Provider: event.Vfd, Gross: 1000 * money.Naira, ProviderRef: id, PaidAt: time.Now()})
	}
	return failed
}

// relayed runs a relay until its ledger and the stream have been compared, and what is new is streamed.
func (h *installation) relayed() {
	h.Helper()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	js := h.js()
	go func() { ended <- stream.Run(ctx, h.pool, js, stream.Options{Poll: time.Millisecond, Clock: time.Now}) }()
	require.Eventually(h, func() bool {
		epoch, head, err := history.Head(ctx, h.pool)
		require.NoError(h, err)
		_, parted, err := history.Parted(ctx, h.pool)
		require.NoError(h, err)
		s, err := js.Stream(ctx, stream.StreamName(epoch))
		return parted || err == nil && int64(s.CachedInfo().State.LastSeq) == head
	}, time.Minute, 5*time.Millisecond)
	stop()
	require.NoError(h, <-ended)
}

// told are the losses that members were told of.
func (h *installation) told() map[string]*nairav1.RecordsLost {
	h.Helper()
	s := store.Open(store.Postgres(h.pool, 40), ledger.Aggregates(), store.Options{})
	defer s.Close()
	require.NoError(h, visit(func(ctx context.Context, v *boot.Visit) error {
		for range 2 { // Nobody is told twice.
			if err := (losses.Teller{Pool: h.pool, JS: h.js(), Keys: v.Keys, Append: s.Append, Now: time.Now}).Tell(ctx); err != nil {
				return err
			}
		}
		return nil
	}))
	records, err := history.Read(context.Background(), h.pool, 0, 10_000)
	require.NoError(h, err)
	all := map[string]*nairav1.RecordsLost{}
	for i := range records {
		m, err := records[i].Message()
		require.NoError(h, err)
		if lost, ok := m.(*nairav1.RecordsLost); ok {
			require.Nil(h, all[lost.GetUserId()], "told twice")
			all[lost.GetUserId()] = lost
		}
	}
	return all
}

var givesUp = regexp.MustCompile(`(\d+) recorded positions would be given up`)

// finish does what the docs say after a restore: look, raise, acknowledge. It answers how many positions were given up.
func (h *installation) finish(epoch string) string {
	h.Helper()
	require.ErrorContains(h, h.pay(1), "put back to an earlier time", "nothing is appended before the epoch is raised")
	looked := h.says("Nothing was changed", "ledger", "epoch", "raise")
	n := givesUp.FindStringSubmatch(looked)[1]
	h.says("payments go on", "ledger", "epoch", "raise", "--reason", "The backup of 04:00 was restored.")
	require.NoError(h, h.pay(1))
	h.refuses("no statement that the ledger's key signed says so", "ledger", "checkpoint", "--seal")
	if n != "0" {
		h.refuses("not what was said to be given up", "ledger", "epoch", "acknowledge", epoch, "--reason", "Settled.")
	}
	h.says("reason Settled with the bank.", "ledger", "epoch", "acknowledge", epoch, "--gives-up", n, "--reason", "Settled with the bank.")
	h.refuses("acknowledged already", "ledger", "epoch", "acknowledge", epoch, "--gives-up", n, "--reason", "Settled with the bank.")
	h.whole()
	h.says("signed", "ledger", "epoch", "list")
	return n
}

// whole holds that the ledger is streamed and sealed to its end, and without a violation.
func (h *installation) whole() {
	h.Helper()
	h.relayed()
	h.says("adashi.ng/ledger/e", "ledger", "checkpoint", "--seal")
	h.says("", "ledger", "verify", "--no-models")
}

// restored is an installation whose database was put back behind 20 payments that were sealed and streamed.
func restored(t *testing.T) *installation {
	h := installed(t)
	h.kept()
	h.backup()
	require.NoError(h, h.pay(20))
	h.relayed()
	h.says("", "ledger", "checkpoint", "--seal")
	return h
}

// The stream and the file tell of more than the database: what was lost is known, record by record.
func TestARestoreBehindTheStream(t *testing.T) {
	h := restored(t)
	h.restore()
	h.relayed()
	require.Equal(t, "60", h.finish("2"))
	h.says("60 recorded positions", "ledger", "verify", "--no-models")
	lost := h.told()
	require.Len(t, lost, 2)
	require.EqualValues(t, 60, lost["tester"].GetRecords(), "who did it learns of it too")
	require.Zero(t, lost["tester"].GetInKobo())
	require.EqualValues(t, 40, lost["bisi"].GetRecords())
	require.EqualValues(t, 20*1000*money.Naira, lost["bisi"].GetInKobo())
	require.Len(t, lost["bisi"].GetMovements(), 20)
	require.EqualValues(t, 1000*money.Naira, lost["bisi"].GetMovements()[0].GetInKobo())
	h.whole()
}

// JetStream is lost as well: the file alone tells that something is gone, and nobody can say whose it was.
func TestARestoreWithTheStreamLost(t *testing.T) {
	h := restored(t)
	h.restore()
	require.NoError(t, h.js().DeleteStream(context.Background(), stream.StreamName(1)))
	h.starts()
	require.Equal(t, "60", h.finish("2"))
	h.late()
	lost := h.told()
	require.Contains(t, lost, "bisi")
	require.Contains(t, lost, "chidi", "everybody is told")
	require.Zero(t, lost["bisi"].GetRecords())
	h.whole()
}

// late has the first epoch's stream hold what the ledger holds now, as a relay may stream for a moment after an epoch
// was raised that it has not heard of.
func (h *installation) late() {
	h.Helper()
	ctx, js := context.Background(), h.js()
	_, err := stream.EnsureStream(ctx, js, 1, 1)
	require.NoError(h, err)
	records, err := history.Read(ctx, h.pool, 0, 10_000)
	require.NoError(h, err)
	for i := range records {
		_, err := js.Publish(ctx, stream.Subject(1, records[i].Stream), records[i].Encode())
		require.NoError(h, err)
	}
}

// starts does what a process does before it appends.
func (h *installation) starts() {
	h.Helper()
	require.NoError(h, visit(func(ctx context.Context, v *boot.Visit) error {
		return boot.Agree(ctx, h.pool, h.js(), v.Keys, v.Config.CheckpointFile(), time.Now)
	}))
}

// JetStream alone was put back: there is nothing for an operator to do.
func TestAStaleStreamIsFilledAgain(t *testing.T) {
	h := restored(t)
	ctx, js := context.Background(), h.js()
	require.NoError(t, js.DeleteStream(ctx, stream.StreamName(1)))
	h.starts()
	h.refuses("agree with the ledger", "ledger", "epoch", "raise")
	require.NoError(t, h.pay(1))
	h.whole()
}

// The API ran alone after the restore, and appended past where the stream and the file end: an epoch begins where the
// histories part, and not at the head when that was noticed.
func TestARestoreAfterWhichTheAPIRanAlone(t *testing.T) {
	h := restored(t)
	h.restore()
	_, from, err := history.Head(context.Background(), h.pool)
	require.NoError(t, err)
	require.NoError(t, h.pay(30)) // Without the look that boot takes, as a build of before would.
	h.starts()
	require.Equal(t, "60", h.finish("2"))
	_, text := from, h.says("", "ledger", "epoch", "list")
	require.Regexp(t, fmt.Sprintf(`2\s+%d\s`, from), text)
	require.EqualValues(t, 40, h.told()["bisi"].GetRecords())
	h.whole()
}

// The file outside is lost: a new one says so, and begins with what the database has.
func TestACheckpointFileThatIsLost(t *testing.T) {
	h := restored(t)
	file := filepath.Join(os.Getenv("ADASHI_DATA"), "checkpoints")
	require.NoError(t, os.Remove(file))
	h.refuses("missing or empty", "ledger", "checkpoint", "--seal")
	_, err := h.run("ledger", "verify", "--no-models")
	require.ErrorContains(t, err, "violations")
	require.Equal(t, "0", h.finishes("2"))
}

// finishes is finish where appends were never stopped.
func (h *installation) finishes(epoch string) string {
	h.Helper()
	looked := h.says("There is no checkpoint file", "ledger", "epoch", "raise")
	n := givesUp.FindStringSubmatch(looked)[1]
	h.says("payments go on", "ledger", "epoch", "raise", "--reason", "The file's disk was lost.")
	h.says("reason Nothing else was lost.", "ledger", "epoch", "acknowledge", epoch, "--gives-up", n, "--reason", "Nothing else was lost.")
	require.NoError(h, h.pay(1))
	h.whole()
	return n
}

// A file of another ledger is not believed: it is moved away and kept, and what follows is as if it was lost.
func TestACheckpointFileOfAnotherLedger(t *testing.T) {
	other := restored(t)
	foreign, err := os.ReadFile(filepath.Join(os.Getenv("ADASHI_DATA"), "checkpoints"))
	require.NoError(t, err)
	_ = other
	h := restored(t)
	file := filepath.Join(os.Getenv("ADASHI_DATA"), "checkpoints")
	require.NoError(t, os.WriteFile(file, foreign, 0o600))
	h.refuses("not a checkpoint that a known key signed", "ledger", "checkpoint", "--seal")
	h.refuses("move it away", "ledger", "epoch", "raise")
	require.NoError(t, os.Rename(file, file+".foreign"))
	require.Equal(t, "0", h.finishes("2"))
}

// Two restores, the second before the first was acknowledged: one signature covers both.
func TestASecondRestoreBeforeTheFirstWasAcknowledged(t *testing.T) {
	h := restored(t)
	h.restore()
	h.relayed()
	h.says("payments go on", "ledger", "epoch", "raise", "--reason", "The backup of 04:00 was restored.")
	require.NoError(t, h.pay(2))
	h.relayed()
	h.restore()
	h.relayed()
	require.Equal(t, "60", h.finish("3"))
	h.refuses("not one that waits", "ledger", "epoch", "acknowledge", "2", "--gives-up", "60", "--reason", "Settled.")
}
