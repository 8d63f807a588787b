package audit_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/infra/audit"
	"adashi.ng/ledger/infra/epochs"
	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/ledger/infra/refusals"
	"adashi.ng/ledger/infra/store"
)

// invented is a refusal that no caller got.
const (
	inventedCommand = "INSERT INTO commands VALUES ('0198a000-0000-7000-8000-000000000001', 0, 0)"
	invented        = `INSERT INTO refusals (command, command_hash, code, message, field, recorded_at, actor, seal)
		SELECT '0198a000-0000-7000-8000-000000000001', command_hash, code, 'You asked for nothing.', field, %recorded%, actor, %seal% FROM refusals LIMIT 1`
)

// What the database's owner can do to refusals without the key that seals them.
func TestARefusalThatWasChangedOrInventedIsFound(t *testing.T) {
	t.Parallel()
	invent := func(recorded, seal string) []string {
		return []string{inventedCommand, strings.NewReplacer("%recorded%", recorded, "%seal%", seal).Replace(invented)}
	}
	for name, plant := range map[string][]string{
		"another message":                       {"UPDATE refusals SET message = 'You are not a member of this group.'"},
		"another code":                          {"UPDATE refusals SET code = 'forbidden'"},
		"another field":                         {"UPDATE refusals SET field = 'amount'"},
		"another hash of what was asked for":    {"UPDATE refusals SET command_hash = set_byte(command_hash, 0, get_byte(command_hash, 0) # 1)"},
		"another time":                          {"UPDATE refusals SET recorded_at = recorded_at - interval '1 day'"},
		"another member":                        {"UPDATE refusals SET actor = 'mallory'"},
		"another message, its seal removed":     {"UPDATE refusals SET message = 'No.', seal = ''"},
		"its seal removed, before the baseline": {"UPDATE refusals SET seal = '', recorded_at = '2020-01-01'"},
		"a seal of nobody":                      {"UPDATE refusals SET seal = sha256('x')"},
		"invented, without a seal":              invent("now()", "''"),
		"invented, of long ago":                 invent("'2020-01-01'", "''"),
		"invented, with another one's seal":     invent("recorded_at", "seal"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := kept(t)
			require.Empty(t, all(b.verify()))
			for _, sql := range plant {
				b.tamper(sql)
			}
			finds(t, b.verify(), "commands", 0, "changed")
		})
	}
}

// The baseline's copy in the database is not trusted.
func TestABaselineThatIsPutBackInTheDatabaseAllowsNoRefusal(t *testing.T) {
	t.Parallel()
	b := kept(t)
	b.tamper("DELETE FROM ledger_baselines")
	b.tamper("UPDATE refusals SET seal = ''")
	finds(t, b.verify(), "commands", 0, "they are not the 0 of the baseline")
	b.seal()
	finds(t, b.verify(), "commands", 0, "they are not the 0 of the baseline")
}

func TestWithoutTheKeyTheSealsAreSaidNotToBeVerified(t *testing.T) {
	t.Parallel()
	b := kept(t)
	opt := b.options()
	opt.Sealing = nil
	report, err := audit.Verify(context.Background(), opt)
	require.NoError(t, err)
	require.Contains(t, report.Find("commands").Said, "1 seals of refusals were not verified")
	opt.Sealing = refusals.KeyFrom([]byte("another secret"))
	report, err = audit.Verify(context.Background(), opt)
	require.NoError(t, err)
	finds(t, report, "commands", 0, "not the one that was sealed")
}

// earlier changes a book to one that an earlier build sealed: no refusal has a seal, and there is no baseline.
func (b *book) earlier() {
	b.Helper()
	b.tamper("UPDATE refusals SET seal = ''")
	b.tamper("DELETE FROM ledger_baselines")
	require.NoError(b, os.Remove(b.file+".baselines"))
}

// sealsAt seals with a sealer whose clock the test moves.
func (b *book) sealsAt(now *time.Time) *proofs.Sealer {
	b.Helper()
	s, err := proofs.NewSealer(b.pool, b.keys, proofs.SealerOptions{File: b.file, Clock: func() time.Time { return *now }})
	require.NoError(b, err)
	return s
}

func TestALedgerWhoseRefusalsHaveNoSealGoesOnAndIsBoundedAfterAnHour(t *testing.T) {
	t.Parallel()
	ctx, b := context.Background(), kept(t)
	b.earlier()
	report := b.verify()
	require.Empty(t, all(report))
	require.Contains(t, report.Find("commands").Said, "1 refusals have no seal, and no baseline")

	now := time.Now()
	s := b.sealsAt(&now)
	_, err := s.Seal(ctx)
	require.NoError(t, err)
	require.Contains(t, b.verify().Find("commands").Said, "no baseline", "an earlier build may run beside, and refuse somebody")
	refused := store.Command{ID: uuid.New(), Hash: [16]byte{7}, Keyed: true, Actor: "tester", Command: contribute("nobody", money.Naira)}
	old := store.Open(store.Postgres(b.pool, 100), ledger.Aggregates(), store.Options{})
	_, told := old.Append(ctx, refused)
	require.Error(t, told)
	old.Close()

	now = now.Add(time.Hour)
	_, err = s.Seal(ctx)
	require.NoError(t, err)
	report = b.verify()
	require.Empty(t, all(report))
	require.Contains(t, report.Find("commands").Said, "2 refusals are from before")
	_, again := b.store.Append(ctx, refused)
	require.EqualError(t, again, told.Error(), "a retry gets the same answer")

	b.tamper("UPDATE refusals SET message = 'No.' WHERE command = $1", refused.ID)
	finds(t, b.verify(), "commands", 0, "they are not the 2 of the baseline")
	b.tamper("DELETE FROM refusals WHERE command = $1", refused.ID)
	b.tamper("DELETE FROM commands WHERE command = $1", refused.ID)
	finds(t, b.verify(), "commands", 0, "they are not the 2 of the baseline")
}

// A new epoch has a baseline of its own, which must not include refusals that came after the one before.
func TestABaselineOfANewEpochTakesInNoInventedRefusal(t *testing.T) {
	t.Parallel()
	ctx, b := context.Background(), kept(t)
	require.NoError(t, os.Remove(b.file))
	b.seals("missing or empty")
	p, err := b.epochs().Find(ctx)
	require.NoError(t, err)
	b.raise(p)
	b.tamper("UPDATE refusals SET seal = ''")
	b.seal()
	finds(t, b.verify(), "commands", 0, "they are not the 0 of the baseline")
}

func (b *book) raise(p epochs.Parting) {
	b.Helper()
	ctx := context.Background()
	did, err := b.epochs().Raise(ctx, p, "The file was lost.")
	require.NoError(b, err)
	require.True(b, did)
	_, err = b.epochs().Acknowledge(ctx, p.Next, "The file was lost.", p.GivesUp())
	require.NoError(b, err)
}

// seals checks that the sealer refuses with the message.
func (b *book) seals(says string) {
	b.Helper()
	s, err := proofs.NewSealer(b.pool, b.keys, proofs.SealerOptions{File: b.file})
	require.NoError(b, err)
	_, err = s.Seal(context.Background())
	require.ErrorIs(b, err, proofs.ErrInconsistent)
	require.ErrorContains(b, err, says)
}

func TestALedgerWithoutAnyCheckpointIsNewOnlyIfNothingWasSealed(t *testing.T) {
	t.Parallel()
	const checkpoints, tiles, row = "DELETE FROM ledger_checkpoints", "DELETE FROM ledger_tiles", "DELETE FROM ledger_baselines"
	for name, c := range map[string]struct {
		plant []string
		aged  time.Duration
		says  string
	}{
		"the checkpoints":                        {[]string{checkpoints}, 0, "a row says that one was signed"},
		"and the tiles":                          {[]string{checkpoints, tiles}, 0, "a row says that one was signed"},
		"and the row of the baseline":            {[]string{checkpoints, row}, 0, "there are tiles"},
		"and all that is left, an hour later":    {[]string{checkpoints, tiles, row}, time.Hour + time.Minute, "event 1 was recorded at"},
		"and the first event is said to be new":  {[]string{checkpoints, tiles, row, "UPDATE events SET recorded_at = now() + interval '1 day' WHERE pos = 1"}, 24 * time.Hour, "event 2 was recorded at"},
		"and all that is left, a year afterward": {[]string{checkpoints, tiles, row}, 365 * 24 * time.Hour, "event 1 was recorded at"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, b := context.Background(), kept(t)
			require.NoError(t, os.Remove(b.file))
			require.NoError(t, os.Remove(b.file+".baselines"))
			for _, sql := range c.plant {
				b.tamper(sql)
			}
			now := time.Now().Add(c.aged)
			opt := b.options()
			opt.Clock = func() time.Time { return now }
			report, err := audit.Verify(ctx, opt)
			require.NoError(t, err)
			finds(t, report, "checkpoint file", 0, c.says)
			_, err = b.sealsAt(&now).Seal(ctx)
			require.ErrorIs(t, err, proofs.ErrInconsistent)
			require.ErrorContains(t, err, c.says)
			_, err = os.Stat(b.file)
			require.ErrorIs(t, err, os.ErrNotExist, "no new file is begun")
			_, err = b.sealer.Seal(ctx)
			require.ErrorIs(t, err, proofs.ErrInconsistent, "nor by the sealer that signed the last checkpoint")
		})
	}
}

// An attacker without the key can leave only the statement that sealing began.
func TestALedgerOfWhichOnlyTheBaselineIsLeftIsFound(t *testing.T) {
	t.Parallel()
	ctx, b := context.Background(), kept(t)
	require.NoError(t, os.Remove(b.file))
	for _, sql := range []string{"DELETE FROM ledger_checkpoints", "DELETE FROM ledger_tiles", "DELETE FROM ledger_baselines"} {
		b.tamper(sql)
	}
	now := time.Now().Add(2 * time.Hour)
	opt := b.options()
	opt.Clock = func() time.Time { return now }
	report, err := audit.Verify(ctx, opt)
	require.NoError(t, err)
	finds(t, report, "checkpoint file", 0, "was recorded at")
	_, err = b.sealsAt(&now).Seal(ctx)
	require.ErrorContains(t, err, "was recorded at")
}

// An imported ledger has old events and no checkpoint. The import signs where its sealing begins.
func TestAnImportedLedgerBeginsWhereItsBaselineSays(t *testing.T) {
	t.Parallel()
	ctx, b := context.Background(), kept(t)
	last := b.seal()
	require.NoError(t, os.Remove(b.file))
	require.NoError(t, os.Remove(b.file+".baselines"))
	for _, sql := range []string{"DELETE FROM ledger_checkpoints", "DELETE FROM ledger_tiles", "DELETE FROM ledger_baselines"} {
		b.tamper(sql)
	}
	now := time.Now().Add(24 * time.Hour)
	begins := func(root [32]byte) error {
		base := proofs.Baseline{Epoch: 1, Size: last.Size, Root: root, At: now}
		base.Unsealed, base.Digest = refusals.NewDigest().Sum()
		base, err := proofs.SignBaseline(b.keys, base)
		require.NoError(t, err)
		_ = os.Remove(b.file + ".baselines")
		require.NoError(t, proofs.AddBaseline(b.file, base, b.keys.Verifiers()))
		_, err = b.sealsAt(&now).Seal(ctx)
		return err
	}
	require.ErrorContains(t, begins([32]byte{1}), "another root than the baseline")
	require.NoError(t, begins(last.Root))
	require.Empty(t, all(b.verify()))
}

func TestALedgerWithoutAnyCheckpointGoesOnInAnEpochThatIsSigned(t *testing.T) {
	t.Parallel()
	ctx, b := context.Background(), kept(t)
	require.NoError(t, os.Remove(b.file))
	b.tamper("DELETE FROM ledger_checkpoints")
	b.seals("neither the checkpoint file nor the database")
	p, err := b.epochs().Find(ctx)
	require.NoError(t, err)
	require.True(t, p.NoFile)
	b.raise(p)
	b.sealer = b.sealsAt(new(time.Now()))
	require.Equal(t, b.head(), b.seal().Size)
	require.Empty(t, all(b.verify()))
}

func TestANewLedgerBegins(t *testing.T) {
	t.Parallel()
	b := empty(t)
	require.Empty(t, all(b.verify()))
	b.pay("bisi", "bank-1")
	report := b.verify()
	require.Empty(t, all(report))
	require.Equal(t, "nothing is sealed yet", report.Find("checkpoint file").Skipped)
	b.seal()
	require.Empty(t, all(b.verify()))
}
