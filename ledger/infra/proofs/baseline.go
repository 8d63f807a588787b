package proofs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"adashi.ng/ledger/base/durable"
	"adashi.ng/ledger/infra/refusals"
)

const baselineKind = "/baseline"

// Baseline records a ledger at the time when its sealing began in an epoch, or when it was imported: the tree, and the
// refusals without a seal of their own. A refusal without a seal that the baseline does not count was invented.
type Baseline struct {
	Epoch    int
	Size     int64     // The ledger held positions 1 to Size.
	Root     tlog.Hash // Of the tree of that size.
	Unsealed int64     // How many refusals had no seal.
	Digest   [32]byte  // Of those refusals: see refusals.Digest.
	At       time.Time // UTC, whole seconds.
	Note     string    // The signed note.
}

// SignBaseline signs the statement. It fails without the private key.
func SignBaseline(keys Keys, b Baseline) (Baseline, error) {
	signed, err := signStatement(keys, b.text(keys.Current.Name()))
	if err != nil {
		return b, err
	}
	return parseBaseline(signed, keys.Verifiers())
}

func (b Baseline) text(name string) string {
	return fmt.Sprintf("%s%s\nepoch %d\ntree %d %s\nrefusals %d %s\nat %s\n", name, baselineKind, b.Epoch, b.Size, b.Root,
		b.Unsealed, tlog.Hash(b.Digest), b.At.UTC().Format(time.RFC3339))
}

func parseBaseline(signed string, verifiers []note.Verifier) (Baseline, error) {
	name, text, v, err := fields(signed, baselineKind, verifiers)
	if err != nil {
		return Baseline{}, err
	}
	b := Baseline{Note: signed}
	b.Epoch, _ = strconv.Atoi(v["epoch"])
	b.Size, b.Root = sized(v["tree"])
	var digest tlog.Hash
	b.Unsealed, digest = sized(v["refusals"])
	b.Digest = digest
	b.At, _ = time.Parse(time.RFC3339, v["at"])
	if b.text(name) != text {
		return Baseline{}, fmt.Errorf("%w: it does not read as a baseline", ErrStatement)
	}
	return b, nil
}

// Baselines are the baselines of a ledger, one for each epoch. They are kept in the database and in a file of their own
// beside the checkpoint file, so that an earlier build can still read the checkpoint file.
type Baselines []Baseline

// ReadBaselines reads the baselines that are kept beside a checkpoint file, if there are any. It fails on a record that
// no given key signed.
func ReadBaselines(path string, verifiers []note.Verifier) (Baselines, error) {
	raw, err := os.ReadFile(path + ".baselines")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("proofs: baselines: %w", err)
	}
	var all Baselines
	notes, _ := splitNotes(raw)
	for i, signed := range notes {
		b, err := parseBaseline(signed, verifiers)
		if err != nil {
			return nil, fmt.Errorf("proofs: record %d of %s.baselines: %w", i+1, path, err)
		}
		all = all.with(b)
	}
	return all, nil
}

// AddBaseline keeps a baseline beside a checkpoint file, and returns once it is on the disk. It changes nothing if the
// epoch has one.
func AddBaseline(path string, b Baseline, verifiers []note.Verifier) error {
	lock, err := durable.WaitLock(path+".lock", 0o600)
	if err != nil {
		return fmt.Errorf("proofs: baselines: %w", err)
	}
	defer func() { _ = lock.Close() }()
	all, err := ReadBaselines(path, verifiers)
	if err != nil {
		return err
	}
	var text []byte
	for _, one := range all.with(b) {
		text = append(append(text, one.Note...), '\n')
	}
	return durable.WriteFile(path+".baselines", text, 0o644)
}

// Stored adds the baselines in the database that a given key signed.
func (all Baselines) Stored(ctx context.Context, db querier, verifiers []note.Verifier) (Baselines, error) {
	rows, err := db.Query(ctx, "SELECT statement FROM ledger_baselines ORDER BY epoch")
	if err != nil {
		return nil, fmt.Errorf("proofs: read baselines: %w", err)
	}
	stored, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, fmt.Errorf("proofs: read baselines: %w", err)
	}
	for _, signed := range stored {
		if b, err := parseBaseline(signed, verifiers); err == nil {
			all = all.with(b)
		}
	}
	return all, nil
}

// with adds a baseline unless its epoch has one: the first counts.
func (all Baselines) with(b Baseline) Baselines {
	if _, known := all.Of(b.Epoch); known {
		return all
	}
	return append(slices.Clone(all), b)
}

// Of is an epoch's baseline, if there is one.
func (all Baselines) Of(epoch int) (Baseline, bool) {
	for _, b := range all {
		if b.Epoch == epoch {
			return b, true
		}
	}
	return Baseline{}, false
}

// Latest is the latest baseline of all epochs up to the given one, if there is any.
func (all Baselines) Latest(epoch int) (latest Baseline, ok bool) {
	for _, b := range all {
		if b.Epoch <= epoch && b.Epoch > latest.Epoch {
			latest, ok = b, true
		}
	}
	return latest, ok
}

// NewFor is how long a ledger without any checkpoint counts as new. A ledger is sealed within seconds.
const NewFor = time.Hour

// MayBegin is for a ledger that has no checkpoint, in the file or in the database. It returns nil if the sealing may
// begin at the ledger's first event. Otherwise the checkpoints were removed, and it returns an ErrInconsistent with a
// sentence. A ledger may begin while all of this holds:
//   - The database has no row that says that the epoch's sealing had begun, and no tile, unless the file has the signed
//     start of the epoch.
//   - No event is older than NewFor, but those up to a signed baseline or epoch start. For NewFor after an
//     epoch start that holds for all events.
//
// db is a transaction, now the product's time. Only baselines from outside the database count.
func (k Kept) MayBegin(ctx context.Context, db querier, outside Baselines, epoch int, now time.Time) error {
	base, vouched := outside.Of(epoch)
	start, raised := k.Start(epoch)
	begun, tiles, pos, at, err := traces(ctx, db, epoch, max(base.Size, start.From), now.Add(-NewFor))
	if err != nil {
		return fmt.Errorf("proofs: whether the ledger is new: %w", err)
	}
	const gone = "neither the checkpoint file nor the database has a checkpoint, and "
	const remedy = ": put the file back, or begin an epoch without it (adashi ledger epoch raise)"
	switch {
	case begun:
		return fmt.Errorf("%w: "+gone+"a row says that one was signed in epoch %d"+remedy, ErrInconsistent, epoch)
	case tiles && !raised:
		return fmt.Errorf("%w: "+gone+"there are tiles of the Merkle tree"+remedy, ErrInconsistent)
	case pos > 0 && now.Sub(start.At) > NewFor:
		return fmt.Errorf("%w: "+gone+"event %d was recorded at %s"+remedy, ErrInconsistent, pos, at.UTC().Format(time.RFC3339))
	case vouched:
		return sameRoot(ctx, db, base)
	}
	return nil
}

// traces looks in the database for what an earlier sealing left besides checkpoints, and for the first event after a
// position that was recorded before a time; position 0 for none. The Merkle tree needs only the position and the leaf
// of an event, so one without a time counts as new.
func traces(ctx context.Context, db querier, epoch int, after int64, before time.Time) (begun, tiles bool, pos int64, at time.Time, err error) {
	asked := `SELECT EXISTS (SELECT FROM ledger_baselines WHERE epoch = $1), EXISTS (SELECT FROM ledger_tiles),
		coalesce(min(e.pos), 0), coalesce(min(e.at), 'epoch') FROM (SELECT pos, (to_jsonb(e) ->> 'recorded_at')::timestamptz AS at FROM events e
			WHERE pos > $2 AND (to_jsonb(e) ->> 'recorded_at')::timestamptz < $3 ORDER BY pos LIMIT 1) e`
	rows, err := db.Query(ctx, asked, epoch, after, before)
	if err != nil {
		return false, false, 0, at, err
	}
	_, err = pgx.ForEachRow(rows, []any{&begun, &tiles, &pos, &at}, func() error { return nil })
	return begun, tiles, pos, at, err
}

// sameRoot checks that the events up to a baseline have the signed root.
func sameRoot(ctx context.Context, db querier, base Baseline) error {
	tree := NewTree(nil)
	for tree.Size() < base.Size {
		if err := leaves(ctx, db, tree.Size(), min(base.Size, tree.Size()+batchEvents), func(_ int64, leaf tlog.Hash) error {
			tree.Append(leaf)
			return nil
		}); err != nil {
			return err
		}
	}
	if root, err := tree.Root(); base.Size > 0 && (err != nil || root != base.Root) {
		return errors.Join(err, fmt.Errorf("%w: the tree of size %d has another root than the baseline beside the checkpoint file", ErrInconsistent, base.Size))
	}
	return nil
}

// mayBegin is Kept.MayBegin for a sealer that finds no checkpoint.
func (s *Sealer) mayBegin(ctx context.Context, tx pgx.Tx, head at, latest Checkpoint) error {
	if s.opt.File == "" || latest.Size > 0 || s.file.Last.Size > 0 || head.pos == 0 {
		return nil
	}
	if s.signed.Size > 0 && s.file.Stands(s.signed) {
		return fmt.Errorf("%w: the checkpoint of size %d was signed, and it is gone from the checkpoint file and the database", ErrInconsistent, s.signed.Size)
	}
	outside, err := ReadBaselines(s.opt.File, s.keys.Verifiers())
	if err != nil {
		return err
	}
	return s.file.MayBegin(ctx, tx, outside, head.epoch, s.opt.Clock())
}

// due reports whether the sealer must now sign the baseline that it put off.
func (s *Sealer) due(epoch int) bool {
	return s.based != epoch && !s.since.IsZero() && s.opt.Clock().Sub(s.since) >= s.opt.Beside
}

// baseline signs the epoch's baseline unless one is signed, and answers whether there is one now. A ledger that an
// earlier build sealed gets its first baseline only after Beside: that build may still run, and writes refusals without
// a seal. first says that no checkpoint was ever signed before.
func (s *Sealer) baseline(ctx context.Context, tx pgx.Tx, epoch int, first bool, latest Checkpoint) (bool, error) {
	if s.opt.File == "" || s.based == epoch {
		return s.based == epoch, nil
	}
	outside, err := ReadBaselines(s.opt.File, s.keys.Verifiers())
	if err != nil {
		return false, err
	}
	all, err := outside.Stored(ctx, tx, s.keys.Verifiers())
	if err != nil {
		return false, err
	}
	base, known := all.Of(epoch)
	if !known {
		now := s.opt.Clock().UTC()
		if s.since.IsZero() {
			s.since = now
		}
		if !first && len(all) == 0 && now.Sub(s.since) < s.opt.Beside {
			return false, nil
		}
		if there, err := refusals.There(ctx, tx); err != nil || !there {
			return false, err
		}
		base = Baseline{Epoch: epoch, Size: latest.Size, Root: latest.Root, At: now.Truncate(time.Second)}
		if base.Unsealed, base.Digest, err = refusals.Unsealed(ctx, tx); err != nil {
			return false, fmt.Errorf("proofs: read the refusals without a seal: %w", err)
		}
		if earlier, known := all.Latest(epoch); known && base.Unsealed > earlier.Unsealed {
			return true, nil // A restore adds no refusals. The earlier baseline still counts, and verify reports these.
		}
		if base, err = SignBaseline(s.keys, base); err != nil {
			return false, err
		}
	}
	if err := AddBaseline(s.opt.File, base, s.keys.Verifiers()); err != nil {
		return false, err
	}
	if _, err := tx.Exec(ctx, "INSERT INTO ledger_baselines (epoch, statement) VALUES ($1, $2) ON CONFLICT DO NOTHING", epoch, base.Note); err != nil {
		return false, fmt.Errorf("proofs: record the baseline of epoch %d: %w", epoch, err)
	}
	return true, nil
}
