package audit_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/holds"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/audit"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/relay"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/posting"
)

// planted are violations that a superuser could plant, and the check and the position that must find each.
var planted = []struct {
	name  string
	plant []string
	check string
	pos   int64
	says  string
}{
	{"a removed row in the middle", []string{"DELETE FROM events WHERE pos = 30"}, "positions", 30, "no event"},
	{"several removed rows", []string{"DELETE FROM events WHERE pos BETWEEN 30 AND 40"}, "positions", 30, "from 30 to 40"},
	{"a swapped pair", []string{"UPDATE events SET pos = 5001 WHERE pos = 30", "UPDATE events SET pos = 30 WHERE pos = 31", "UPDATE events SET pos = 31 WHERE pos = 5001"}, "leaves", 31, ""},
	{"an event moved beyond the head", []string{"UPDATE events SET pos = 5001 WHERE pos = 30"}, "positions", 371, "no events at the positions"},
	{"a time that goes back", []string{"UPDATE events SET recorded_at = recorded_at - interval '1 hour' WHERE pos = 30"}, "recorded times", 30, ""},
	{"a version left out", []string{"UPDATE events SET version = version + 5000 WHERE stream = 'dues:sub:bisi' AND version > 20"}, "versions", 0, "Version 5021 follows version 20"},
	{"a body of nothing", []string{"UPDATE events SET body = '\\xff' WHERE pos = 30"}, "messages", 30, ""},
	{"a type of nobody", []string{"UPDATE events SET type = 'naira.v1.Nobody' WHERE pos = 30"}, "messages", 30, ""},
	{"another account", []string{"UPDATE events SET accounts[1] = 'wallet:mallory' WHERE pos = 30"}, "postings", 30, "wallet:mallory"},
	{"other amounts", []string{"UPDATE events SET amounts = ARRAY[amounts[1] - 5, amounts[2] + 5] WHERE pos = 30"}, "postings", 30, "Line 1 moves"},
	{"another balance", []string{"UPDATE events SET balances[2] = balances[2] + 5 WHERE pos = 30"}, "balances", 30, ""},
	{"a contribution of a failed payment's stream", []string{"UPDATE events SET stream = 'payment:x' WHERE pos = 30"}, "transitions", 30, "cannot come here"},
	{"a command torn apart", []string{"UPDATE events SET command = gen_random_uuid() WHERE pos = 100"}, "commands", 100, "not beside"},
	{"a changed commands row", []string{"UPDATE commands SET pos = 41 WHERE pos = 40"}, "commands", 40, "does not say"},
	{"a commands row of fewer events", []string{"UPDATE commands SET events = 100 WHERE events = 240"}, "commands", 0, "fewer events"},
	{"a removed commands row", []string{"DELETE FROM commands WHERE pos = 40"}, "commands", 40, "does not say"},
	{"a commands row without events", []string{"INSERT INTO commands VALUES (gen_random_uuid(), 30, 1)"}, "commands", 30, "they do not"},
	{"a refusal that was removed", []string{"DELETE FROM refusals"}, "commands", 0, "there is no refusal"},
	{"a refused command that was recorded", []string{"UPDATE refusals SET command = (SELECT command FROM events WHERE pos = 30)"}, "commands", 0, "It was refused"},
	{"a changed balance", []string{"UPDATE ledger_accounts SET balance = balance + 1 WHERE account = 'wallet:bisi'"}, "accounts", 0, "wallet:bisi"},
	{"an invented account", []string{"INSERT INTO ledger_accounts VALUES ('wallet:mallory', 5)"}, "accounts", 0, "no event is posted"},
	{"a removed account", []string{"DELETE FROM ledger_accounts WHERE account = 'wallet:chidi'"}, "accounts", 0, "not in the table"},
	{"a tampered snapshot", []string{`UPDATE snapshots SET state = '{"Total":1,"Payments":256}'`}, "snapshots", 0, "dues:sub:bisi"},
	{"a snapshot of the future", []string{"UPDATE snapshots SET version = 9000"}, "snapshots", 0, "ends at version"},
	{"balances of a time before", []string{"UPDATE ledger_settled SET pos = pos - 1"}, "accounts", 0, "after its last event"},
	{"balances of events that are gone", []string{"UPDATE ledger_settled SET pos = pos + 1"}, "positions", 0, "no event"},
	{"a tampered leaf of a tile", []string{"UPDATE ledger_tiles SET hashes = set_byte(hashes, 29 * 32, get_byte(hashes, 29 * 32) # 1) WHERE level = 0 AND n = 0"}, "tiles", 30, "another one than was sealed"},
	{"a tampered last tile", []string{"UPDATE ledger_tiles SET hashes = set_byte(hashes, 64, get_byte(hashes, 64) # 1) WHERE level = 0 AND n = 1"}, "tiles", 259, "another one"},
	{"a tampered tile above", []string{"UPDATE ledger_tiles SET hashes = set_byte(hashes, 0, get_byte(hashes, 0) # 1) WHERE level = 1"}, "tiles", 1, "positions from 1 to 256"},
	{"a removed tile", []string{"DELETE FROM ledger_tiles WHERE level = 0 AND n = 0"}, "tiles", 1, "missing"},
	{"a tampered tile and a proof", []string{"UPDATE ledger_tiles SET hashes = set_byte(hashes, 0, get_byte(hashes, 0) # 1)"}, "proofs", 0, "not proven"},
	{"a forged checkpoint", []string{"UPDATE ledger_checkpoints SET root = sha256('x'), note = replace(note, encode(root, 'base64'), encode(sha256('x'), 'base64')) WHERE size = (SELECT min(size) FROM ledger_checkpoints)"}, "checkpoints", 0, "not what was signed"},
	{"a checkpoint's root of its own", []string{"UPDATE ledger_checkpoints SET root = sha256('x')"}, "checkpoints", 0, "something else than its note"},
}

func TestWhatIsPlantedIsFoundWhereItIs(t *testing.T) {
	t.Parallel()
	for _, p := range planted {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			b := kept(t)
			for _, sql := range p.plant {
				if strings.Contains(sql, "5001") {
					b.wide()
				}
				b.tamper(sql)
			}
			finds(t, b.verify(), p.check, p.pos, p.says)
		})
	}
}

// This test's ledger has no rules around its commands: money that comes in pays no debt.
func TestAWalletWithMoneyWhoseOwnerOwesIsFound(t *testing.T) {
	t.Parallel()
	b := kept(t)
	payment := b.pay("zainab", "one")
	b.do(holds.Place{HoldID: "apart", Account: posting.Wallet("zainab"), Amount: 400 * money.Naira, Purpose: "withdrawal", Now: time.Now(), ExpiresAt: time.Now().Add(time.Hour)})
	b.do(wallet.ReversePayment{PaymentID: payment, User: "zainab", Provider: event.Vfd, Gross: 1000 * money.Naira, ProviderRef: "back", Reason: "disputed"})
	b.settle()
	require.Empty(t, all(b.verify()), "what is held apart is not in the wallet")
	b.pay("zainab", "two")
	b.settle()
	finds(t, b.verify(), "balances", b.head()-1, "while its owner owes Adashi ₦400.00")
}

func TestAnEventOfNoMoneyIsFoundUnlessItIsAPot(t *testing.T) {
	t.Parallel()
	b := kept(t)
	ctx := context.Background()
	records, err := history.Read(ctx, b.pool, 0, 1000)
	require.NoError(t, err)
	empty, planted := 0, false
	for i := range records {
		message, err := records[i].Message()
		require.NoError(t, err)
		switch m := message.(type) {
		case *nairav1.AjoPaid:
			if m.GetAmountKobo() == 0 {
				empty++
			}
		case *nairav1.AjoContributed:
			if planted {
				continue
			}
			planted, m.AmountKobo = true, 0
			body, err := proto.Marshal(m)
			require.NoError(t, err)
			b.tamper("UPDATE events SET body = $2, amounts = ARRAY[0, 0]::bigint[] WHERE pos = $1", records[i].Pos, body)
			defer func() { finds(t, b.verify(), "postings", records[i].Pos, "an amount is from ₦0.01") }()
		}
	}
	require.True(t, planted)
	require.Equal(t, 2, empty, "the ledger holds one pot that nobody paid into, and one of which all was set off")
}

// The auditor cannot derive the event's postings, reports that, and continues.
func TestADebtThatIsPaidOutOfNothingIsFound(t *testing.T) {
	t.Parallel()
	b := kept(t)
	records, err := history.Read(context.Background(), b.pool, 0, 1000)
	require.NoError(t, err)
	for i := range records {
		message, err := records[i].Message()
		require.NoError(t, err)
		m, is := message.(*nairav1.AjoDebtPaid)
		if !is {
			continue
		}
		m.From = nairav1.AjoDebtFrom_AJO_DEBT_FROM_UNSPECIFIED
		body, err := proto.Marshal(m)
		require.NoError(t, err)
		b.tamper("UPDATE events SET body = $2 WHERE pos = $1", records[i].Pos, body)
		finds(t, b.verify(), "messages", records[i].Pos, "paid out of nothing")
		return
	}
	t.Fatal("the ledger holds no debt that is paid")
}

// wide makes a partition for position 5001.
func (b *book) wide() {
	_, err := b.pool.Exec(context.Background(), "SELECT ledger_extend(5001, 5000)")
	require.NoError(b, err)
}

func TestAnEventRewrittenWithItsLeafIsAnotherOneThanWasSealed(t *testing.T) {
	t.Parallel()
	b := kept(t)
	b.rewrite(lined, "actor", "mallory")
	report := b.verify()
	require.Zero(t, report.Find("leaves").Violations, "the leaf was made to fit")
	finds(t, report, "tiles", lined, "another one than was sealed")
	finds(t, report, "checkpoints", 0, "has another root")
	finds(t, report, "checkpoint file", 0, "has another root")
	finds(t, report, "checkpoints", b.head(), "has another root")
}

// rewrite changes a text column and the leaf with it.
func (b *book) rewrite(pos int64, column, value string) {
	b.Helper()
	b.tamper(fmt.Sprintf("UPDATE events SET %s = $2 WHERE pos = $1", column), pos, value)
	records, err := history.Read(context.Background(), b.pool, pos-1, 1)
	require.NoError(b, err)
	leaf := records[0].Leaf()
	b.tamper("UPDATE events SET leaf = $2 WHERE pos = $1", pos, leaf[:])
}

// cut removes the last events, and their rows in the tables that go with them.
func (b *book) cut(to int64) {
	b.Helper()
	b.tamper("DELETE FROM events WHERE pos > $1", to)
	b.tamper("DELETE FROM commands WHERE pos > $1", to)
	b.tamper("UPDATE ledger_settled SET pos = least(pos, $1)", to)
}

func TestATailThatWasCutIsFoundByTheCheckpoints(t *testing.T) {
	t.Parallel()
	b := kept(t)
	b.cut(40)
	report := b.verify()
	finds(t, report, "checkpoints", 41, "events were cut off")
	finds(t, report, "checkpoint file", 41, "events were cut off")
	// Database and checkpoints are cut together: only the file has the rest.
	b.tamper("DELETE FROM ledger_checkpoints WHERE size > 40")
	report = b.verify()
	require.Zero(t, report.Find("checkpoints").Violations)
	finds(t, report, "checkpoint file", 41, "events were cut off")
}

func TestAForgedCheckpointFileIsFound(t *testing.T) {
	t.Parallel()
	b := kept(t)
	text, err := os.ReadFile(b.file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(b.file, []byte(strings.Replace(string(text), "ledger/e1\n", "ledger/e2\n", 1)), 0o600))
	finds(t, b.verify(), "checkpoint file", 0, "cannot be believed")
}

func TestABankReferenceCreditedTwiceIsFound(t *testing.T) {
	t.Parallel()
	b := empty(t)
	b.pay("bisi", "bank-1")
	b.pay("bisi", "bank-2") // The store refuses bank-1.
	b.instead(5, "bank-2", "bank-1")
	finds(t, b.verify(), "bank references", 5, "at position 2")
}

// instead replaces one word of an event by another of the same length.
func (b *book) instead(pos int64, word, other string) {
	b.tamper(`UPDATE events SET body = decode(replace(encode(body, 'hex'), encode($2::text::bytea, 'hex'), encode($3::text::bytea, 'hex')), 'hex') WHERE pos = $1`, pos, word, other)
}

func TestMoneyThatLeavesSuspenseForAPaymentIsCreditedOnceAndToIt(t *testing.T) {
	t.Parallel()
	b := empty(t)
	park := func(ref string, also ...string) int64 {
		return b.do(wallet.ReceiveUnmatched{ProviderRef: ref, Also: also, Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: event.Vfd, Amount: 1000 * money.Naira, PaidAt: time.Now()}).Records[0].Pos
	}
	park("bank-1", "line-1")
	payment := b.pay("bisi", "bank-1")
	require.Empty(t, all(b.verify()))

	other := park("bank-2", "line-2") // Its references are bank-2, and line-2 as a second one.
	b.instead(other, "bank-2", "bank-1")
	finds(t, b.verify(), "bank references", other, "credited before")
	b.instead(other, "bank-1", "bank-2")
	b.instead(other+1, "line-2", "line-1")
	finds(t, b.verify(), "bank references", other+1, "credited before")
	b.instead(other+1, "line-1", "line-2")
	require.Empty(t, all(b.verify()))

	matched := int64(4) // After the arrival, its other name and the payment's start.
	b.instead(matched, payment, strings.Repeat("x", len(payment)))
	finds(t, b.verify(), "bank references", matched, "not confirmed then")
}

func TestAFlooredAccountBelowZeroIsFound(t *testing.T) {
	t.Parallel()
	b := empty(t)
	b.pay("bisi", "bank-1")
	b.do(savings.CreateGroup{GroupID: "g", Owner: "ada", Name: "Balogun Traders", Amount: 5000 * money.Naira, Capacity: 100, StartMonth: 1, Now: time.Now()})
	for _, c := range ledgertest.Activated("g", "ada", "bisi", "femi") {
		b.do(c)
	}
	b.do(savings.OpenSubAccount{
		GroupID: "g", SubAccountID: "sub", By: "ada", Name: "Welfare", Type: nairav1.PaymentType_PAYMENT_TYPE_FLEXIBLE,
		Frequency: nairav1.PaymentFrequency_PAYMENT_FREQUENCY_MONTHLY, Amount: 100 * money.Naira, Now: time.Now(),
	})
	// A store that lost its floor believes that the account has more than it has.
	b.settle()
	b.tamper("UPDATE ledger_accounts SET balance = 900000 WHERE account = 'wallet:bisi'")
	fresh := store.Open(store.Postgres(b.pool, 100), ledger.Aggregates(), store.Options{})
	t.Cleanup(fresh.Close)
	b.store = fresh
	last := b.do(contribute("bisi", 5000*money.Naira)).Position()
	finds(t, b.verify(), "balances", last, "wallet:bisi")
}

func TestADeletedAndAnAlteredMessageAreFound(t *testing.T) {
	t.Parallel()
	b := kept(t)
	ctx := context.Background()
	_, b.js = ledgertest.NATS(t)
	stream, err := b.js.CreateStream(ctx, jetstream.StreamConfig{Name: relay.StreamName(1), Subjects: []string{"ledger.e1.>"}, Storage: jetstream.MemoryStorage})
	require.NoError(t, err)
	records, err := history.Read(ctx, b.pool, 0, 100)
	require.NoError(t, err)
	for i := range records {
		data := records[i].Encode()
		subject := relay.Subject(1, records[i].Stream)
		switch records[i].Pos {
		case 20:
			data[len(data)-1] ^= 1
		case 40:
			subject = "ledger.e1.nothing"
		}
		_, err := b.js.Publish(ctx, subject, data)
		require.NoError(t, err)
	}
	for _, seq := range []uint64{1, 30, 100} {
		require.NoError(t, stream.DeleteMsg(ctx, seq))
	}
	report := b.verify()
	finds(t, report, "stream", 20, "byte for byte")
	finds(t, report, "stream", 40, "instead of ledger.e1.")
	for _, pos := range []int64{1, 30, 100} {
		finds(t, report, "stream", pos, "deleted")
	}
	require.EqualValues(t, 5, report.Find("stream").Violations)
}

func TestAStreamAheadOfTheLedgerIsFound(t *testing.T) {
	t.Parallel()
	b := kept(t)
	b.relay()
	b.cut(40)
	finds(t, b.verify(), "stream", 41, "the ledger ends at 40")
}

func TestACheckThatSomebodyBringsIsRun(t *testing.T) {
	t.Parallel()
	b := empty(t)
	opt := b.options()
	opt.More = []audit.More{{Name: "moon", Rule: "it is full", Run: func(_ context.Context, c *audit.Check) error {
		c.Looked++
		c.Violate(0, "moon", "It is not full.")
		return nil
	}}}
	report, err := audit.Verify(context.Background(), opt)
	require.NoError(t, err)
	finds(t, report, "moon", 0, "not full")
	require.EqualValues(t, 1, report.Violations())
}

func TestAnotherLedgersKeysVerifyNothing(t *testing.T) {
	t.Parallel()
	b, other := kept(t), empty(t)
	b.keys = other.keys
	report := b.verify()
	finds(t, report, "checkpoints", 0, "not what was signed")
	finds(t, report, "checkpoint file", 0, "cannot be believed")
}

func TestDetachedPartitionsAreVerifiedWhileTheyAreHereAndToldOfWhenNot(t *testing.T) {
	t.Parallel()
	b := kept(t)
	ctx := context.Background()
	require.NoError(t, store.Detach(ctx, b.pool, ledger.Aggregates(), "events_000001", nil))
	report := b.verify()
	require.Empty(t, all(report))
	require.Equal(t, b.head(), report.Find("leaves").Looked)

	b.away("events_000001")
	finds(t, b.verify(), "partitions", 100, "was not signed")
	b.back("events_000001")
	require.NoError(t, audit.Close(ctx, b.pool, b.keys, b.file, b.partition(0), time.Now()))
	b.away("events_000001")
	report = b.verify()
	require.Empty(t, all(report))
	require.Equal(t, b.head()-100, report.Find("leaves").Looked)
	require.Contains(t, strings.Join(report.Notes, " "), "100 events are archived outside this database")
	require.EqualValues(t, 3, report.Find("checkpoints").Looked, "the roots stand on the sealed leaves")

	// A change planted in the remaining events is found all the same.
	b.rewrite(150, "actor", "mallory")
	finds(t, b.verify(), "tiles", 150, "another one than was sealed")
	b.tamper("UPDATE events SET balances[1] = balances[1] + 1 WHERE pos = 200")
	finds(t, b.verify(), "balances", 200, "")
	b.tamper("DELETE FROM events WHERE pos = 120")
	finds(t, b.verify(), "positions", 120, "no event")
	b.tamper("UPDATE ledger_tiles SET hashes = set_byte(hashes, 0, get_byte(hashes, 0) # 1) WHERE level = 0 AND n = 0")
	finds(t, b.verify(), "checkpoints", 0, "has another root")
}

// away hides a detached partition, as if its table were kept elsewhere.
func (b *book) away(table string) {
	b.Helper()
	_, err := b.pool.Exec(context.Background(), fmt.Sprintf("DO $$ BEGIN EXECUTE format('CREATE SCHEMA %%I', current_schema() || '_away'); EXECUTE format('ALTER TABLE %s SET SCHEMA %%I', current_schema() || '_away'); END $$", table))
	require.NoError(b, err)
}

// back undoes away.
func (b *book) back(table string) {
	b.Helper()
	_, err := b.pool.Exec(context.Background(), fmt.Sprintf("DO $$ BEGIN EXECUTE format('ALTER TABLE %%I.%s SET SCHEMA %%I', current_schema() || '_away', current_schema()); EXECUTE format('DROP SCHEMA %%I', current_schema() || '_away'); END $$", table))
	require.NoError(b, err)
}

func TestEverySnapshotIsFoldedButThoseThatNothingReads(t *testing.T) {
	t.Parallel()
	b := kept(t)
	require.NoError(t, store.Detach(context.Background(), b.pool, ledger.Aggregates(), "events_000001", nil))
	report := b.verify()
	require.Empty(t, all(report))
	b.tamper("INSERT INTO snapshots SELECT stream, 99, version, state FROM snapshots")
	require.Regexp(t, "^([0-9]+) of [0-9]+, [0-9]+ are of folds that nothing reads$", b.verify().Find("snapshots").Said)
	b.tamper("DELETE FROM snapshots WHERE fold = 99")
	var n int64
	require.NoError(t, b.pool.QueryRow(context.Background(), "SELECT count(*) FROM snapshots").Scan(&n))
	require.Greater(t, n, int64(10))
	require.Equal(t, n, report.Find("snapshots").Looked)
}

func TestWhileTheLedgerIsWrittenToItVerifies(t *testing.T) {
	t.Parallel()
	b := kept(t)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for ctx.Err() == nil {
			_, _ = b.append(contribute("bisi", 1))
		}
	}()
	for range 5 {
		require.Empty(t, all(b.verify()))
	}
	cancel()
	<-ended
}

func TestARandomChangeOfARandomEventIsAlwaysFound(t *testing.T) {
	t.Parallel()
	b := kept(t)
	b.unbound()
	head := int(b.head())
	columns := []string{"stream", "type", "actor", "correlation"}
	rapid.Check(t, func(rt *rapid.T) {
		pos := int64(rapid.IntRange(1, head).Draw(rt, "position"))
		change := ""
		switch kind := rapid.IntRange(0, 6).Draw(rt, "kind"); kind {
		case 0:
			column := rapid.SampledFrom(columns).Draw(rt, "column")
			at := rapid.IntRange(1, 4).Draw(rt, "at")
			change = fmt.Sprintf("%[1]s = overlay(%[1]s PLACING chr((ascii(substr(%[1]s, %[2]d, 1)) %% 120) + 1) FROM %[2]d FOR 1)", column, at)
		case 1:
			column := rapid.SampledFrom([]string{"body", "leaf", "command_hash"}).Draw(rt, "column")
			bit := rapid.IntRange(0, 127).Draw(rt, "bit")
			change = fmt.Sprintf("%[1]s = set_bit(%[1]s, %[2]d %% (octet_length(%[1]s) * 8), 1 - get_bit(%[1]s, %[2]d %% (octet_length(%[1]s) * 8)))", column, bit)
		case 2:
			column := rapid.SampledFrom([]string{"version", "seq"}).Draw(rt, "column")
			change = fmt.Sprintf("%[1]s = %[1]s + %[2]d", column, rapid.IntRange(1000, 2000).Draw(rt, "by")) // Versions are unique.
		case 3:
			column := rapid.SampledFrom([]string{"effective_at", "recorded_at"}).Draw(rt, "column")
			change = fmt.Sprintf("%[1]s = %[1]s + interval '%[2]d microseconds'", column, rapid.Int32Range(1, 1<<30).Draw(rt, "by"))
		case 4:
			change = "command = gen_random_uuid()"
		case 5:
			column := rapid.SampledFrom([]string{"amounts", "balances"}).Draw(rt, "column")
			change = fmt.Sprintf("%[1]s[1] = coalesce(%[1]s[1], 0) + %[2]d", column, rapid.Int64Range(1, 1<<40).Draw(rt, "by"))
		case 6:
			change = "accounts[1] = coalesce(accounts[1], '') || 'x'"
		}
		restore := b.tampered("UPDATE events SET "+change+" WHERE pos = $1", pos)
		report := b.verify()
		restore()
		for _, c := range report.Checks {
			for _, v := range c.Listed {
				if v.Position == pos {
					return
				}
			}
		}
		rt.Fatalf("%s at position %d was not found: %v", change, pos, all(report))
	})
}
