package proofs_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"adashi.ng/ledger/infra/proofs"
)

func TestATailThatWasCutIsNotSignedOver(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.record(700)
	b.seal()
	b.exec("DELETE FROM events WHERE pos > 690")
	b.exec("UPDATE ledger_head SET pos = 690")
	b.refuses("a checkpoint of size 700 was signed, but the ledger ends at position 690")
}

func TestATailThatWasCutAndHasGrownAgainIsNotSignedOver(t *testing.T) {
	t.Parallel()
	for _, size := range []int64{700, 768} { // In a tile, and at the end of one.
		b := setup(t)
		b.record(size)
		b.seal()
		b.record(50)
		b.exec("UPDATE events SET leaf = sha256(leaf) WHERE pos >= $1", size)
		b.refuses("is another one than was sealed")
	}
}

func TestAGapIsNotSignedOver(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.record(700)
	b.exec("DELETE FROM events WHERE pos = 300")
	b.refuses("position 300")
	b.exec("INSERT INTO events VALUES (300, 'short')")
	b.refuses("position 300")
	b.exec("DELETE FROM events WHERE pos >= 650")
	leaf := leafOf(300)
	b.exec("UPDATE events SET leaf = $1 WHERE pos = 300", leaf[:])
	b.refuses("position 650")
}

func TestAChangedTileIsNotSignedOverAndProvesNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.record(700)
	b.seal()
	b.behindTheTriggers("UPDATE ledger_tiles SET hashes = overlay(hashes PLACING '\\x00' FROM 20) WHERE level = 0 AND n = 2")
	_, err := b.reader().Inclusion(context.Background(), 690, 700)
	require.ErrorIs(t, err, proofs.ErrInconsistent)
	b.record(1)
	b.refuses("a stored tile is not of the tree of size 700")
	b.file = "" // Without it only the checkpoint in the database guards the tiles.
	b.refuses("do not have the root of the checkpoint of size 700")
}

func TestAChangedFullTileProvesNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.record(700)
	b.seal()
	b.behindTheTriggers("UPDATE ledger_tiles SET hashes = overlay(hashes PLACING '\\x00' FROM 20) WHERE level = 0 AND n = 0")
	_, err := b.reader().Inclusion(context.Background(), 100, 700)
	require.ErrorIs(t, err, proofs.ErrInconsistent)
	_, err = b.reader().Consistency(context.Background(), 100, 700)
	require.ErrorIs(t, err, proofs.ErrInconsistent)
	b.behindTheTriggers("DELETE FROM ledger_tiles WHERE level = 0 AND n = 0")
	_, err = b.reader().Inclusion(context.Background(), 100, 700)
	require.ErrorContains(t, err, "missing")
}

func TestAChangedCheckpointIsNotBelieved(t *testing.T) {
	t.Parallel()
	for _, change := range []string{
		"root = sha256('')", "epoch = 2", "size = 699", "note = replace(note, E'\\n700\\n', E'\\n699\\n')", "note = ''",
	} {
		b := setup(t)
		b.record(700)
		b.seal()
		b.behindTheTriggers("UPDATE ledger_checkpoints SET " + change)
		_, err := b.reader().Latest(context.Background())
		require.ErrorIs(t, err, proofs.ErrInconsistent, change)
		b.record(1)
		b.refuses("stored checkpoint of size")
	}
}

func TestADatabaseRestoredFromACopyIsNotSignedOverUntilTheEpochIsRaised(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.record(300)
	old := b.seal()
	b.record(400)
	b.seal()
	// An earlier copy: one checkpoint and its tiles.
	b.behindTheTriggers("DELETE FROM ledger_checkpoints WHERE size = 700")
	b.behindTheTriggers("UPDATE ledger_tiles SET width = 44, hashes = substr(hashes, 1, 44 * 32) WHERE level = 0 AND n = 1")
	b.behindTheTriggers("UPDATE ledger_tiles SET width = 1, hashes = substr(hashes, 1, 32) WHERE level = 1")
	b.behindTheTriggers("DELETE FROM ledger_tiles WHERE level = 0 AND n > 1")
	b.exec("DELETE FROM events WHERE pos > 350")
	b.exec("UPDATE ledger_head SET pos = 350")
	b.refuses("it has a checkpoint of size 700, and the ledger ends at position 350")
	b.exec("UPDATE ledger_head SET epoch = 2")
	b.refuses("epoch 2 has begun and no statement that the ledger's key signed says so")
	b.begin(proofs.EpochStart{Epoch: 2, From: 300, Lost: proofs.Checkpoint{Epoch: 1, Size: 700}, StreamLast: 700})
	sealed := b.seal()
	require.Equal(t, "adashi.ng/ledger/e2", sealed.Origin)
	require.Equal(t, int64(350), sealed.Size)
	proof, err := b.reader().Consistency(context.Background(), old.Size, sealed.Size)
	require.NoError(t, err)
	require.NoError(t, tlog.CheckTree(proof, sealed.Size, sealed.Root, old.Size, old.Root))
	kept, err := readFile(b.file, b.keys.Verifiers())
	require.NoError(t, err)
	require.Len(t, kept, 3)
}

func TestAnEpochThatWasLoweredIsNotSignedFor(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.begin(proofs.EpochStart{Epoch: 3})
	b.record(10)
	b.seal()
	b.record(1)
	b.exec("UPDATE ledger_head SET epoch = 2")
	b.refuses("size 10 was signed in epoch 3, but the ledger is in epoch 2")
	b.file = "" // Otherwise the file would show it too.
	b.refuses("size 10 was signed in epoch 3, but the ledger is in epoch 2")
}

func TestHistoryRewrittenInTheDatabaseAloneDoesNotFitTheFile(t *testing.T) {
	t.Parallel()
	b, forged := setup(t), setup(t)
	b.record(300)
	b.seal()
	forged.keys = b.keys // An attacker with the key and the database, but without the file.
	forged.record(300)
	forged.exec("UPDATE events SET leaf = sha256(leaf) WHERE pos = 1")
	forged.seal()
	forged.file = b.file
	forged.exec("INSERT INTO events SELECT 301, sha256('')")
	forged.exec("UPDATE ledger_head SET pos = 301")
	forged.refuses("size 300 in the checkpoint file has another root")
}

func TestATornLastRecordIsLeftOutAndWrittenAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.record(1)
	first := b.seal()
	b.record(1)
	second := b.seal()
	whole, err := os.ReadFile(b.file)
	require.NoError(t, err)
	for cut := len(first.Note) + 1; cut < len(whole); cut++ {
		for _, garbage := range []string{"", strings.Repeat("\x00", 4096)} { // As a power cut may leave it.
			require.NoError(t, os.WriteFile(b.file, append(whole[:cut:cut], garbage...), 0o644))
			kept, err := readFile(b.file, b.keys.Verifiers())
			require.NoError(t, err)
			require.Equal(t, []string{first.Note}, notes(kept), "cut at %d", cut)
			if cut%16 == 0 {
				b.seal()
				mended, err := os.ReadFile(b.file)
				require.NoError(t, err)
				require.Equal(t, first.Note+"\n"+second.Note+"\n", string(mended))
			}
		}
	}
	for _, rest := range []string{string(whole[:10]), ""} {
		require.NoError(t, os.WriteFile(b.file, []byte(rest), 0o644))
		kept, err := readFile(b.file, b.keys.Verifiers())
		require.NoError(t, err)
		require.Empty(t, kept)
		b.refuses("the checkpoint file is missing or empty")
	}
	require.NoError(t, os.Remove(b.file))
	b.refuses("the checkpoint file is missing or empty")
}

func TestAChangedCheckpointFileIsFound(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.record(1)
	b.seal()
	b.record(1)
	b.seal()
	whole, err := os.ReadFile(b.file)
	require.NoError(t, err)
	half := len(whole) / 2 // Two records of equal length.
	for name, text := range map[string]string{
		"another size":  strings.Replace(string(whole), "\n1\n", "\n3\n", 1),
		"another order": string(whole[half:]) + string(whole[:half]),
		"another file":  "hello\n\nworld\n\n",
	} {
		require.NotEqual(t, string(whole), text, name)
		require.NoError(t, os.WriteFile(b.file, []byte(text), 0o644))
		_, err := readFile(b.file, b.keys.Verifiers())
		require.Error(t, err, name)
	}
	require.NoError(t, os.WriteFile(b.file, []byte("hello\n\nworld\n\n"), 0o644))
	b.record(1)
	_, err = b.sealer().Seal(context.Background())
	require.ErrorIs(t, err, proofs.ErrCheckpoint)
}

func TestAFullFileMakesRoomAndTheOneBeforeIsKept(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var all []string
	for range 300 {
		b.record(1)
		s, err := proofs.NewSealer(b.pool, b.keys, proofs.SealerOptions{File: b.file, Full: 40_000})
		require.NoError(t, err)
		sealed, err := s.Seal(context.Background())
		require.NoError(t, err)
		all = append(all, sealed.Note)
	}
	old, err := os.Stat(b.file + ".old")
	require.NoError(t, err)
	require.Less(t, old.Size(), int64(41_000))
	kept, err := readFile(b.file, b.keys.Verifiers())
	require.NoError(t, err)
	require.Equal(t, all[len(all)-len(kept):], notes(kept))
	require.Greater(t, len(kept), 190)
	require.NoError(t, os.Remove(b.file)) // As after a crash between the two.
	kept, err = readFile(b.file, b.keys.Verifiers())
	require.NoError(t, err)
	require.NotEmpty(t, kept)
	b.seal()
	kept, err = readFile(b.file, b.keys.Verifiers())
	require.NoError(t, err)
	require.Equal(t, all[len(all)-len(kept):], notes(kept), "what the new file lacks follows on the old one")
}

func TestAfterARotationOldCheckpointsVerifyAndFollowersCanWalkOver(t *testing.T) {
	t.Parallel()
	b := setup(t)
	old := b.keys.Current
	b.record(10)
	first := b.seal()

	b.keys = keys(t, publicOf(t, newKey(t)))
	b.record(1)
	b.refuses("size 10")

	b.keys = keys(t, old)
	walk := b.seal()
	require.Equal(t, []string{b.keys.Current.ID(), old.ID()}, walk.SignedBy)
	b.record(1)
	third := b.seal()
	require.Equal(t, []string{b.keys.Current.ID()}, third.SignedBy)

	onlyOld, onlyNew := proofs.Keys{Current: publicOf(t, old)}, proofs.Keys{Current: b.keys.Current}
	for _, c := range []proofs.Checkpoint{first, walk} {
		_, err := proofs.ParseCheckpoint(c.Note, onlyOld.Verifiers())
		require.NoError(t, err)
	}
	_, err := proofs.ParseCheckpoint(walk.Note, onlyNew.Verifiers())
	require.NoError(t, err)
	_, err = proofs.ParseCheckpoint(third.Note, onlyOld.Verifiers())
	require.ErrorIs(t, err, proofs.ErrCheckpoint)
	_, err = proofs.ParseCheckpoint(first.Note, onlyNew.Verifiers())
	require.ErrorIs(t, err, proofs.ErrCheckpoint)
	kept, err := readFile(b.file, b.keys.Verifiers())
	require.NoError(t, err)
	require.Len(t, kept, 3)
}

func TestARotationWithThePublicHalfAloneIsSignedByTheNewKeyAlone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.record(10)
	b.seal()
	b.keys = keys(t, publicOf(t, b.keys.Current))
	b.record(1)
	require.Equal(t, []string{b.keys.Current.ID()}, b.seal().SignedBy)
}

func TestKeysThatDoNotBelongTogetherAreRefused(t *testing.T) {
	t.Parallel()
	current := newKey(t)
	private, _, err := proofs.GenerateKey("example.com/other")
	require.NoError(t, err)
	other, err := proofs.ParseKey(private)
	require.NoError(t, err)
	for _, retired := range [][]proofs.Key{{current}, {publicOf(t, current)}, {other}, {newKey(t), newKey(t), publicOf(t, current)}} {
		_, err := proofs.NewKeys(current, retired...)
		require.ErrorIs(t, err, proofs.ErrKeyName)
	}
	_, err = proofs.NewSealer(nil, proofs.Keys{Current: publicOf(t, current)}, proofs.SealerOptions{})
	require.ErrorContains(t, err, "private")
}

func TestAKeyComesBackFromItsTextAndNeverShowsItsSecret(t *testing.T) {
	t.Parallel()
	for range 200 { // Some have a + in their base64.
		private, public, err := proofs.GenerateKey(proofs.DefaultName)
		require.NoError(t, err)
		key, err := proofs.ParseKey(" " + private + "\n")
		require.NoError(t, err)
		require.Equal(t, public, key.Public())
		require.True(t, key.CanSign())
		require.Equal(t, public, key.String())
		back, err := proofs.ParseKey(public)
		require.NoError(t, err)
		require.False(t, back.CanSign())
		require.Equal(t, key.ID(), back.ID())
		for _, broken := range []string{"", "hunter2", private[:len(private)-2], public[1:], "PRIVATE+KEY+" + public, strings.ToUpper(public)} {
			_, err := proofs.ParseKey(broken)
			require.ErrorIs(t, err, proofs.ErrKey, broken)
		}
	}
}

func TestANoteThatIsNoCheckpointOfTheLedgerIsRefusedHoweverWellItIsSigned(t *testing.T) {
	t.Parallel()
	private, public, err := proofs.GenerateKey(proofs.DefaultName)
	require.NoError(t, err)
	signer, err := note.NewSigner(private)
	require.NoError(t, err)
	key, err := proofs.ParseKey(public)
	require.NoError(t, err)
	root := leafOf(1).String()
	parse := func(text string) error {
		signed, err := note.Sign(&note.Note{Text: text}, signer)
		require.NoError(t, err)
		_, err = proofs.ParseCheckpoint(string(signed), proofs.Keys{Current: key}.Verifiers())
		return err
	}
	require.NoError(t, parse("adashi.ng/ledger/e1\n10\n"+root+"\n"))
	for _, text := range []string{
		"example.com/e1\n10\n" + root + "\n", "adashi.ng/ledger\n10\n" + root + "\n", "adashi.ng/ledger/e-1\n10\n" + root + "\n",
		"adashi.ng/ledger/e01\n10\n" + root + "\n", "adashi.ng/ledger/e1\n010\n" + root + "\n", "adashi.ng/ledger/e1\n+10\n" + root + "\n",
		"adashi.ng/ledger/e1\n0\n" + root + "\n", "adashi.ng/ledger/e1\n99999999999999999999\n" + root + "\n", "adashi.ng/ledger/e1\n10\nAAAA\n",
		"adashi.ng/ledger/e1\n10\n" + root + "\nmore\n", "adashi.ng/ledger/e1\n10\n", "\n",
	} {
		require.ErrorIs(t, parse(text), proofs.ErrCheckpoint, text)
	}
}

func TestACheckpointWithAnyByteChangedIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.record(10)
	signed := b.seal().Note
	for i := range len(signed) {
		for _, flip := range []byte{1, 0x20, 0x80} {
			changed := []byte(signed)
			changed[i] ^= flip
			_, err := proofs.ParseCheckpoint(string(changed), b.keys.Verifiers())
			require.ErrorIs(t, err, proofs.ErrCheckpoint, "%q", changed)
		}
	}
	for _, changed := range []string{"", signed + "\n", "\n" + signed, signed[:len(signed)-1], signed + strings.Repeat("— x aGVsbG8gd29ybGQ=\n", 1000)} {
		_, err := proofs.ParseCheckpoint(changed, b.keys.Verifiers())
		require.ErrorIs(t, err, proofs.ErrCheckpoint)
	}
}

// unsealed shrinks the tables of tiles and checkpoints to a size of less than a tile's leaves, and keeps the events.
func (b *book) unsealed(size int64) {
	b.Helper()
	b.behindTheTriggers("DELETE FROM ledger_checkpoints WHERE size > $1", size)
	b.behindTheTriggers("DELETE FROM ledger_tiles WHERE level > 0 OR n > 0")
	b.behindTheTriggers("UPDATE ledger_tiles SET width = $1::int, hashes = substr(hashes, 1, $1::int * 32)", size)
}

func TestACheckpointThatACrashKeptOutOfTheDatabaseIsPutBackIfTheEventsProveIt(t *testing.T) {
	t.Parallel()
	for _, more := range []int64{0, 50} {
		b := setup(t)
		b.record(200)
		b.seal()
		b.record(500)
		kept := b.seal()
		text, err := os.ReadFile(b.file)
		require.NoError(t, err)
		b.unsealed(200)
		b.record(more)
		b.seal()
		var note string
		require.NoError(t, b.pool.QueryRow(context.Background(), "SELECT note FROM ledger_checkpoints WHERE size = 700").Scan(&note))
		require.Equal(t, kept.Note, note)
		after, err := os.ReadFile(b.file)
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(string(after), string(text)), "nothing is signed twice")
		_, err = b.reader().Inclusion(context.Background(), 690, 700)
		require.NoError(t, err)

		b.unsealed(200)
		b.exec("UPDATE events SET leaf = sha256(leaf) WHERE pos = 650")
		b.refuses("has another root than the events")
	}
}

func TestEveryCheckpointThatTheFileHasIsPutBack(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for range 5 {
		b.record(40)
		b.seal()
	}
	b.behindTheTriggers("DELETE FROM ledger_checkpoints WHERE size IN (80, 160)")
	b.seal()
	require.Equal(t, 5, b.count("ledger_checkpoints"))
	b.behindTheTriggers("DELETE FROM ledger_checkpoints")
	b.behindTheTriggers("DELETE FROM ledger_tiles")
	b.seal()
	require.Equal(t, 5, b.count("ledger_checkpoints"))
}

func TestStatementsOutliveTheFilesThatTheyWereWrittenTo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.record(5)
	b.seal()
	b.begin(proofs.EpochStart{Epoch: 2, From: 5})
	closing, err := proofs.SignClosing(b.keys, proofs.Closing{Pos: 3, Accounts: 7})
	require.NoError(t, err)
	require.NoError(t, proofs.AddStatement(b.file, closing.Note, b.keys.Verifiers()))
	for range 60 {
		b.record(1)
		s, err := proofs.NewSealer(b.pool, b.keys, proofs.SealerOptions{File: b.file, Full: 4_000})
		require.NoError(t, err)
		_, err = s.Seal(context.Background())
		require.NoError(t, err)
	}
	for _, name := range []string{b.file, b.file + ".old"} {
		kept, err := proofs.ReadFile(name, b.keys.Verifiers())
		require.NoError(t, err)
		require.Len(t, kept.Epochs, 1, name)
		require.Equal(t, []proofs.Closing{closing}, kept.Closings, name)
	}
}

// Each relay has a file of its own; a statement that an operator signed into one reaches the others too.
func TestAStatementReachesTheFilesOfOtherProcesses(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ours := b.file
	theirs := ours + "-theirs"
	b.record(5)
	b.seal()
	b.file = theirs
	b.refuses("missing or empty") // A new relay is given a copy.
	text, err := os.ReadFile(ours)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(theirs, text, 0o600))
	b.seal()
	b.file = ours
	e := b.begin(proofs.EpochStart{Epoch: 2, From: 5})
	b.record(5)
	b.file = theirs
	b.exec("INSERT INTO ledger_epochs VALUES (2, 'signed, I swear')")
	b.refuses("no statement that the ledger's key signed")
	b.exec("UPDATE ledger_epochs SET statement = $1", e.Note)
	b.seal()
	kept, err := proofs.ReadFile(theirs, b.keys.Verifiers())
	require.NoError(t, err)
	require.Equal(t, []proofs.EpochStart{e}, kept.Epochs)
}
