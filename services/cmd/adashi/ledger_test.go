package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/keyframes"
	"adashi.ng/ledger/infra/proofs"
	stream "adashi.ng/ledger/infra/relay"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/projections"
	"adashi.ng/projections/engine"
	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/config"
)

func TestMain(m *testing.M) { ledgertest.Main(m) }

// installation is an installation whose database and NATS are named by the environment: a ledger in partitions of 40
// positions, sealed, streamed and folded.
type installation struct {
	*testing.T
	pool   *pgxpool.Pool
	public string
}

func installed(t *testing.T) *installation {
	t.Helper()
	ctx := context.Background()
	private, public, err := proofs.GenerateKey(proofs.DefaultName)
	require.NoError(t, err)
	server, err := natsserver.NewServer(&natsserver.Options{Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true})
	require.NoError(t, err)
	go server.Start()
	require.True(t, server.ReadyForConnections(10*time.Second))
	t.Cleanup(func() { server.Shutdown(); server.WaitForShutdown() })
	for name, value := range map[string]string{
		"DATABASE_URL": ledgertest.DSN(t), "NATS_URL": server.ClientURL(), "ADASHI_LEDGER_KEY": private, "ADASHI_DATA": t.TempDir(),
	} {
		t.Setenv(name, value)
	}
	h := &installation{T: t, public: public}
	cfg, err := config.Load()
	require.NoError(t, err)
	pool, err := pgxpool.New(ctx, cfg.DatabaseURL.Reveal())
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	h.pool = pool
	// What boot.Database does, but for its refusal of a database that does not wait for the disk.
	for _, step := range []func(context.Context, *pgxpool.Pool) error{store.Migrate, proofs.Migrate} {
		require.NoError(t, step(ctx, pool))
	}
	require.NoError(t, boot.GrantRoles(ctx, pool))
	return h
}

// kept has things happen, and seals, streams and folds them.
func (h *installation) kept() {
	h.Helper()
	ctx := context.Background()
	s := store.Open(store.Postgres(h.pool, 40), ledger.Aggregates(), store.Options{})
	defer s.Close()
	do := func(c event.Command) {
		h.Helper()
		_, err := s.Append(ctx, store.Command{ID: uuid.New(), Actor: "tester", Command: c})
		require.NoError(h, err)
	}
	do(savings.CreateGroup{GroupID: "g", Owner: "ada", Name: "Balogun Traders", Amount: 5000 * money.Naira, Capacity: 100, StartMonth: 1, Now: time.Now()})
	for _, c := range ledgertest.Activated("g", "ada", "bisi", "femi") {
		do(c)
	}
	do(savings.OpenSubAccount{
		GroupID: "g", SubAccountID: "sub", By: "ada", Name: "Welfare", Type: nairav1.PaymentType_PAYMENT_TYPE_FLEXIBLE,
		Frequency: nairav1.PaymentFrequency_PAYMENT_FREQUENCY_MONTHLY, Amount: 100 * money.Naira, Now: time.Now(),
	})
	do(wallet.StartPayment{PaymentID: "p", User: "bisi", Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: event.Vfd, Amount: 1000 * money.Naira, ExpiresAt: time.Now().Add(time.Hour)})
	do(wallet.ConfirmPayment{PaymentID: "p", User: "bisi", Provider: event.Vfd, Gross: 1000 * money.Naira, ProviderRef: "bank-1", PaidAt: time.Now()})
	for range 50 {
		do(dues.Contribute{GroupID: "g", SubAccountID: "sub", User: "bisi", Amount: money.Naira, Channel: nairav1.Channel_CHANNEL_WALLET, At: time.Unix(1_800_000_000, 0)})
	}
	// Somebody who paid has left it to the group.
	do(wallet.StartPayment{PaymentID: "q", User: "chidi", Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: event.Vfd, Amount: 1000 * money.Naira, ExpiresAt: time.Now().Add(time.Hour)})
	do(wallet.ConfirmPayment{PaymentID: "q", User: "chidi", Provider: event.Vfd, Gross: 1000 * money.Naira, ProviderRef: "bank-2", PaidAt: time.Now()})
	do(savings.JoinGroup{GroupID: "g", User: "chidi"})
	do(savings.ApproveMember{GroupID: "g", User: "chidi", By: "ada"})
	do(dues.Contribute{GroupID: "g", SubAccountID: "sub", User: "chidi", Amount: 8 * money.Naira, Channel: nairav1.Channel_CHANNEL_WALLET, At: time.Now()})
	do(dues.LeaveGroup{GroupID: "g", User: "chidi", Forfeit: true, SubAccounts: []string{"sub"}, Now: time.Now()})
	h.says("", "ledger", "checkpoint", "--seal")
	h.stream()
	require.NoError(h, visit(func(ctx context.Context, v *boot.Visit) error {
		e, stop, err := v.Models(ctx)
		if err != nil {
			return err
		}
		defer stop()
		owner := engine.New(engine.Options{Clock: time.Now, Pool: h.pool, Source: e.Source, Head: e.Head, Models: projections.All()})
		if err := owner.Prepare(ctx); err != nil {
			return err
		}
		if err := boot.GrantRoles(ctx, h.pool); err != nil {
			return err
		}
		return owner.CatchUp(ctx)
	}))
}

// stream relays everything.
func (h *installation) stream() {
	h.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	bus, err := nats.Connect(os.Getenv("NATS_URL"))
	require.NoError(h, err)
	defer bus.Close()
	js, err := jetstream.New(bus)
	require.NoError(h, err)
	running, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- stream.Run(running, h.pool, js, stream.Options{Poll: time.Millisecond}) }()
	_, head, err := history.Head(ctx, h.pool)
	require.NoError(h, err)
	for {
		if s, err := js.Stream(ctx, stream.StreamName(1)); err == nil && int64(s.CachedInfo().State.LastSeq) >= head {
			break
		}
		require.NoError(h, ctx.Err())
	}
	stop()
	require.NoError(h, <-ended)
}

// run runs a command as a person would type it and answers what it printed.
func (h *installation) run(args ...string) (string, error) {
	h.Helper()
	read, write, err := os.Pipe()
	require.NoError(h, err)
	stdout := os.Stdout
	os.Stdout = write
	defer func() { os.Stdout = stdout }()
	printed := make(chan string, 1)
	go func() {
		text, _ := io.ReadAll(read)
		printed <- string(text)
	}()
	var c commands
	parser, err := kong.New(&c, kong.Name("adashi"), kong.Exit(func(int) {}))
	require.NoError(h, err)
	parsed, err := parser.Parse(args)
	if err == nil {
		err = parsed.Run()
	}
	require.NoError(h, write.Close())
	return <-printed, err
}

// says holds that a command succeeds and what it prints.
func (h *installation) says(want string, args ...string) string {
	h.Helper()
	text, err := h.run(args...)
	require.NoError(h, err, strings.Join(args, " ")+"\n"+text)
	require.Contains(h, text, want)
	return text
}

// refuses holds that a command fails with a sentence.
func (h *installation) refuses(want string, args ...string) {
	h.Helper()
	text, err := h.run(args...)
	require.ErrorContains(h, err, want, text)
	require.NotContains(h, err.Error(), "\n", "an error is one line")
}

func TestALedgerIsVerifiedFromTheCommandLine(t *testing.T) {
	h := installed(t)
	h.kept()
	var report struct {
		Head   int64
		Checks []struct {
			Name       string
			Looked     int64
			Violations int64
			Skipped    string
		}
	}
	require.NoError(t, json.Unmarshal([]byte(h.says("", "ledger", "verify", "--json")), &report))
	require.Greater(t, len(report.Checks), 20)
	for _, c := range report.Checks {
		require.Zero(t, c.Violations, c.Name)
		if !slices.Contains([]string{"epochs", "payment instructions", "witnesses"}, c.Name) { // Of what is not here.
			require.Empty(t, c.Skipped, c.Name)
		}
	}
	h.says("read model balances", "ledger", "verify")

	// A row of a read model that is changed is found, and so is the figure that it spoils.
	_, err := h.pool.Exec(context.Background(), "UPDATE rm_sub_accounts SET total_kobo = total_kobo + 1")
	require.NoError(t, err)
	text, err := h.run("ledger", "verify")
	require.EqualError(t, err, "the ledger has 5 violations")
	require.Contains(t, text, "rm_sub_accounts id=sub")
	require.Contains(t, text, "kobo, less what was paid out of it 5801, and its pool has 5800")
	require.Contains(t, text, "The group's total is 5800 kobo, its sub-accounts have 5801")
	h.says("", "ledger", "verify", "--no-models", "--no-stream")
	h.refuses("differs from a fold of the ledger", "ledger", "replay", "--model", "groups")

	// And so are officials who would be told of a payment twice.
	_, err = h.pool.Exec(context.Background(), `INSERT INTO rm_notified_terms (group_id, role, from_pos, to_pos, user_id, told)
		SELECT group_id, 'validator', from_pos + 1, to_pos, user_id, true FROM rm_notified_terms WHERE role = 'owner'`)
	require.NoError(t, err)
	_, err = h.pool.Exec(context.Background(), `INSERT INTO rm_notifications (user_id, pos, type, created_at, event_id, about_id, group_id, sub_account_id, kobo, detail, subject_id, recorded_at)
		SELECT t.user_id, c.pos, 1, now(), c.id, c.user_id, c.group_id, c.sub_account_id, c.kobo, '', '', now() FROM rm_contributions c JOIN rm_notified_terms t USING (group_id)
		WHERE t.role = 'owner' AND c.kind = 'CONTRIBUTION' AND c.user_id <> t.user_id LIMIT 1`)
	require.NoError(t, err)
	text, err = h.run("ledger", "verify")
	require.Error(t, err)
	require.Contains(t, text, "of payments one is told too often")
	require.Contains(t, text, "They were told twice of the payment")

	// And so is money in ajo that no account has.
	_, err = h.pool.Exec(context.Background(), `INSERT INTO rm_ajo_balances (user_id, kobo) VALUES ('bisi', 7);
		INSERT INTO rm_ajo_members (ajo_id, user_id, seats, halves, has_left, deposit) VALUES ('a', 'bisi', '{1}', 2, false, 9)`)
	require.NoError(t, err)
	text, err = h.run("ledger", "verify")
	require.Error(t, err)
	require.Contains(t, text, "Members have 7 kobo in ajo, and pots, deposits and cards hold 9.")
	require.Contains(t, text, "deposit:a:bisi")
	require.Contains(t, text, "It is shown with 9 kobo and its history sums to 0.")
}

func TestTheLedgersCommandsSayWhatTheyDid(t *testing.T) {
	h := installed(t)
	h.kept()
	folder := t.TempDir()
	h.says("wallet:bisi", "ledger", "show", "19")
	h.says(`"leaf"`, "ledger", "show", "19", "--json")
	h.refuses("there is no event at position 900", "ledger", "show", "900")
	h.says("₦999.00", "ledger", "replay", "--member", "bisi", "--at-position", "19")
	h.says("₦950.00", "ledger", "replay", "--account", "wallet:bisi", "--step")
	h.says(`"pool:sub": 5800`, "ledger", "replay", "--group", "g", "--json")
	h.refuses("no event up to there is about nobody", "ledger", "replay", "--member", "nobody")
	h.refuses("no event up to there is about nobody", "ledger", "replay", "--ajo", "nobody")
	h.says("bank:transfer", "ledger", "replay", "--account", "bank:transfer")
	h.says("-₦2,000.00", "ledger", "replay", "--account", "bank:transfer", "--step")
	same := func(args ...string) {
		h.Helper()
		args = append([]string{"ledger", "replay", "--json"}, args...)
		require.JSONEq(h, h.says("", append(args, "--all-events")...), h.says("", args...))
	}
	for range 2 { // The second time with the table of keyframes.
		same("--group", "g")
		same("--group", "g", "--at-position", "30", "--step")
		same("--member", "bisi", "--effective", "2027-01-15T08:00:00Z")
		same("--account", "pool:sub", "--at", time.Now().Format(time.RFC3339Nano))
		require.NoError(t, keyframes.Migrate(t.Context(), h.pool))
	}
	_, err := h.pool.Exec(t.Context(), "UPDATE projections SET paused = 'an event' WHERE name = 'trail'")
	require.NoError(t, err)
	same("--group", "g") // By reading everything.
	_, err = h.pool.Exec(t.Context(), "UPDATE projections SET paused = '' WHERE name = 'trail'")
	require.NoError(t, err)
	h.says("was rebuilt up to position", "ledger", "replay", "--model", "balances")
	h.says("adashi.ng/ledger/e1\n", "ledger", "checkpoint")
	h.says(`"inclusion"`, "ledger", "prove", "19")
	h.says(`"consistency"`, "ledger", "prove", "--from", "19", "--to", "40")
	h.refuses("not sealed yet", "ledger", "prove", "900")

	receipt := filepath.Join(folder, "receipt.json")
	h.says("", "ledger", "receipt", "19", "-o", receipt)
	keys := filepath.Join(folder, "keys")
	require.NoError(t, os.WriteFile(keys, []byte("# ours\n"+h.public+"\n"), 0o600))
	h.says("The receipt holds", "ledger", "receipt", "verify", receipt, "--keys", keys)
	h.says("PRIVATE+KEY+example.ng/ledger", "ledger", "keys", "new", "--name", "example.ng/ledger")
	h.refuses("epoch 2 is not one that waits", "ledger", "epoch", "acknowledge", "2", "--reason", "paid")
	h.refuses("agree with the ledger", "ledger", "epoch", "raise")

	file := filepath.Join(folder, "ledger.adashi")
	h.says("", "ledger", "export", file)
	h.refuses("exists already", "ledger", "export", file)
	h.says("events are whole", "ledger", "import", "--check", file, "--key", h.public)
	raw, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, raw[:len(raw)-200], 0o600))
	h.refuses("the archive is broken at block", "ledger", "import", "--check", file, "--key", h.public)
}

func TestAPartitionGoesAndComesBackFromTheCommandLine(t *testing.T) {
	h := installed(t)
	h.kept()
	h.says("attached", "ledger", "partitions")
	h.refuses("is sealed up to", "ledger", "partitions", "detach", "events_000002")
	h.refuses("there is no partition", "ledger", "partitions", "detach", "events_000009")
	h.says("is detached", "ledger", "partitions", "detach", "events_000001")
	h.says("detached, its table is here", "ledger", "partitions", "list")
	h.says(`"inclusion"`, "ledger", "prove", "19")
	h.refuses("not here", "ledger", "receipt", "19")
	h.says("", "ledger", "verify", "--no-models")

	_, err := h.pool.Exec(context.Background(), "CREATE TABLE was AS SELECT * FROM events_000001; ALTER TABLE events_000001 DISABLE TRIGGER USER; UPDATE events_000001 SET actor = 'mallory' WHERE pos = 30")
	require.NoError(t, err)
	h.refuses("position 30 was changed", "ledger", "partitions", "attach", "events_000001")
	_, err = h.pool.Exec(context.Background(), "UPDATE events_000001 SET actor = 'tester' WHERE pos = 30")
	require.NoError(t, err)
	h.says("every row is what was sealed", "ledger", "partitions", "attach", "events_000001")
	h.says("", "ledger", "receipt", "19")
	h.says("", "ledger", "verify")
}

func TestAReadModelThatLagsHoldsAPartition(t *testing.T) {
	h := installed(t)
	h.kept()
	_, err := h.pool.Exec(context.Background(), "UPDATE projections SET pos = 7 WHERE name = 'groups'")
	require.NoError(t, err)
	h.refuses("the read model groups stands at 7 only", "ledger", "partitions", "detach", "events_000001")
}

func TestACommandThatFindsNoLedgerSaysSo(t *testing.T) {
	t.Setenv("ADASHI_DATA", filepath.Join(t.TempDir(), "nothing"))
	h := &installation{T: t}
	for _, args := range [][]string{{"verify"}, {"show", "1"}, {"partitions"}} {
		h.refuses("there is no ledger in", append([]string{"ledger"}, args...)...)
	}
	require.NoDirExists(t, os.Getenv("ADASHI_DATA"), "nothing is made by looking")
}

func TestEveryLedgerCommandHasHelp(t *testing.T) {
	h := &installation{T: t}
	var c commands
	parser, err := kong.New(&c, kong.Name("adashi"))
	require.NoError(t, err)
	for _, leaf := range parser.Model.Leaves(true) {
		if path := leaf.Path(); strings.Contains(path, " ledger ") {
			require.NotEmpty(t, leaf.Help, path)
			if !strings.HasSuffix(path, "list") {
				require.Contains(t, leaf.Detail, "adashi ledger", fmt.Sprint(path, " shows no example"))
			}
		}
	}
	h.refuses("name a position, or --from a size", "ledger", "prove")
}
