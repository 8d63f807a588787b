package proofs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/mod/sumdb/tlog"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/base/guard"
)

// SealerOptions tune a sealer; the zero value seals about every second and keeps no file.
type SealerOptions struct {
	File   string                                          // Where every checkpoint is kept outside the database; nowhere when empty.
	Every  time.Duration                                   // Between looks for something new; 1 s when zero.
	Clock  clock.Clock                                     // clock.System when nil.
	Step   int64                                           // Events a transaction at most; 65,536 when zero.
	Ahead  func(ctx context.Context, epoch int, why error) // Called when the file is ahead of the database; may be nil.
	Full   int64                                           // Bytes at which a new file begins; 16 MiB, about 70,000 checkpoints, when zero.
	Beside time.Duration                                   // For how long an earlier build may run beside this one after an upgrade; 1 h when zero.
}

// Sealer puts new events into the tree and signs checkpoints. Any number of them may run, in any process: a lock in
// the database lets them take turns.
type Sealer struct {
	pool   *pgxpool.Pool
	keys   Keys
	opt    SealerOptions
	file   file
	signed Checkpoint // The last one that it signed itself.
	looked bool       // The database has every checkpoint of the file.
	epoch  int        // The ledger's epoch at the last look.
	done   at         // The end of what is sealed and in the file.
	since  time.Time  // When it first found no baseline.
	based  int        // The epoch whose baseline is in the file and in the database.
}

// at is a place in the ledger.
type at struct {
	epoch int
	pos   int64
}

// ErrInconsistent is returned when the ledger, the tiles, the checkpoints and the checkpoint file do not agree:
// something that was signed has been changed or lost. Nothing is signed until they agree again.
var ErrInconsistent = errors.New("the ledger does not agree with what was signed")

const (
	stepEvents   = 64 << 10
	batchEvents  = 8 << 10 // Read, and their tiles written, at once.
	stepTimeMax  = time.Minute
	remindEvery  = time.Minute
	fileBytesMax = 16 << 20
)

// NewSealer makes a sealer. Its current key must be a private one.
func NewSealer(pool *pgxpool.Pool, keys Keys, opt SealerOptions) (*Sealer, error) {
	if !keys.Current.CanSign() {
		return nil, errors.New("proofs: the ledger's current key must be a private one to seal with")
	}
	if opt.Every == 0 {
		opt.Every = time.Second
	}
	if opt.Clock == nil {
		opt.Clock = clock.System
	}
	if opt.Step == 0 {
		opt.Step = stepEvents
	}
	if opt.Beside == 0 {
		opt.Beside = time.Hour
	}
	if opt.Full == 0 {
		opt.Full = fileBytesMax
	}
	return &Sealer{pool: pool, keys: keys, opt: opt, file: file{path: opt.File, full: opt.Full, verifiers: keys.Verifiers()}}, nil
}

// Run seals new events until the context ends. It keeps trying through outages. When it must not sign it logs the
// reason at once and then every minute, and keeps trying: it resumes by itself once the cause is fixed.
func (s *Sealer) Run(ctx context.Context) {
	tick := time.NewTicker(s.opt.Every)
	defer tick.Stop()
	var said string
	var since clock.Watch
	for {
		err := guard.Call(func() error { return s.look(ctx) })
		if errors.Is(err, ErrAhead) && s.opt.Ahead != nil {
			s.opt.Ahead(ctx, s.epoch, err)
		}
		switch {
		case ctx.Err() != nil:
			return
		case err == nil:
			said = ""
		case err.Error() != said || since.Took() > remindEvery:
			slog.ErrorContext(ctx, "the ledger is not sealed", "error", err)
			said, since = err.Error(), clock.Start()
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// look seals if anything is new.
func (s *Sealer) look(ctx context.Context) error {
	var head at
	if err := s.pool.QueryRow(ctx, "SELECT epoch, pos FROM ledger_head").Scan(&head.epoch, &head.pos); err != nil {
		return fmt.Errorf("proofs: read the head: %w", err)
	}
	if s.epoch = head.epoch; head == s.done && !s.due(head.epoch) {
		return nil
	}
	if _, err := s.Seal(ctx); !errors.Is(err, ErrNone) {
		return err
	}
	return nil
}

// Unsealed answers how many events no checkpoint covers yet, and when the first of them was recorded; the zero time for
// none. Events are sealed about every second.
func Unsealed(ctx context.Context, pool *pgxpool.Pool) (events int64, since time.Time, err error) {
	var at *time.Time
	err = pool.QueryRow(ctx, `SELECT h.pos - c.size, (SELECT recorded_at FROM events WHERE pos = c.size + 1)
		FROM ledger_head h, (SELECT coalesce(max(size), 0) AS size FROM ledger_checkpoints) c`).Scan(&events, &at)
	if err != nil {
		return 0, since, fmt.Errorf("proofs: what is not sealed: %w", err)
	}
	if at != nil && events > 0 {
		since = at.UTC()
	}
	return max(0, events), since, nil
}

// Seal seals all events recorded by now and answers the latest checkpoint. It returns ErrNone for an empty ledger, and
// ErrInconsistent, naming the size, if signing would contradict an earlier checkpoint. A long backlog takes several
// transactions, each with a checkpoint of its own. When the context ends, Seal still finishes the current one.
func (s *Sealer) Seal(ctx context.Context) (Checkpoint, error) {
	for {
		if err := ctx.Err(); err != nil {
			return Checkpoint{}, err
		}
		latest, head, err := s.step(ctx)
		if err != nil {
			return Checkpoint{}, err
		}
		if latest.Size < head.pos {
			continue
		}
		s.done = head
		if latest.Size == 0 {
			return Checkpoint{}, ErrNone
		}
		return latest, nil
	}
}

// step seals some of the new events, in one transaction. A checkpoint is in the file before anybody can read it in the
// database, so a checkpoint in the database alone was never signed. A process that stops finishes its step. Otherwise
// the file would have a checkpoint that is missing from the database until the next start.
func (s *Sealer) step(ctx context.Context) (latest Checkpoint, head at, err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stepTimeMax)
	defer cancel()
	var lacked []Checkpoint
	based := false
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || '.ledger_tiles', 0))"); err != nil {
			return fmt.Errorf("proofs: wait for our turn: %w", err)
		}
		if head, latest, err = standing(ctx, tx, s.keys); err != nil {
			return err
		}
		if err := s.agree(ctx, tx, head, latest); err != nil {
			return err
		}
		if lacked, err = s.lacks(ctx, tx, latest); err != nil {
			return err
		}
		for _, c := range lacked {
			if latest, err = s.putBack(ctx, tx, latest, c); err != nil {
				return err
			}
		}
		based, latest, err = s.advance(ctx, tx, head, latest)
		return err
	})
	if err != nil {
		return latest, head, err
	}
	if s.looked = true; len(lacked) > 0 {
		slog.WarnContext(ctx, "the database lacked checkpoints that the checkpoint file has: they are proven and put back", "checkpoints", len(lacked), "first size", lacked[0].Size)
	}
	if s.signed = latest; based {
		s.based = head.epoch
	}
	return latest, head, nil
}

// advance signs a checkpoint of the new events, or keeps the latest one, and signs the epoch's baseline with it. It
// answers whether there is a baseline.
func (s *Sealer) advance(ctx context.Context, tx pgx.Tx, head at, latest Checkpoint) (based bool, _ Checkpoint, err error) {
	first := latest.Size == 0 && s.file.Last.Size == 0
	if head.pos == latest.Size {
		err = s.keep(ctx, tx, latest)
	} else {
		latest, err = s.extend(ctx, tx, head.epoch, latest, min(head.pos, latest.Size+s.opt.Step))
	}
	if err != nil || latest.Size == 0 {
		return false, latest, err
	}
	based, err = s.baseline(ctx, tx, head.epoch, first, latest)
	return based, latest, err
}

const selectStanding = `SELECT h.epoch, h.pos, coalesce(c.size, 0), coalesce(c.epoch, 0), c.root, coalesce(c.note, ''), coalesce(c.sealed_at, 'epoch')
FROM ledger_head h LEFT JOIN LATERAL (SELECT * FROM ledger_checkpoints ORDER BY size DESC LIMIT 1) c ON true`

// standing is the ledger's end and its latest checkpoint, verified; of size 0 when there is none.
func standing(ctx context.Context, tx pgx.Tx, keys Keys) (head at, latest Checkpoint, err error) {
	var row checkpointRow
	if err := tx.QueryRow(ctx, selectStanding).Scan(&head.epoch, &head.pos, &row.size, &row.epoch, &row.root, &row.note, &row.sealedAt); err != nil {
		return head, latest, fmt.Errorf("proofs: read the head: %w", err)
	}
	if row.size > 0 {
		latest, err = row.verify(keys)
	}
	return head, latest, err
}

// agree compares the database with the checkpoint file and with what this sealer signed: the database may have been
// restored from an old copy, or rewritten.
func (s *Sealer) agree(ctx context.Context, tx pgx.Tx, head at, latest Checkpoint) error {
	if head.pos < latest.Size {
		return fmt.Errorf("%w: a checkpoint of size %d was signed, but the ledger ends at position %d", ErrInconsistent, latest.Size, head.pos)
	}
	if head.epoch < latest.Epoch {
		return fmt.Errorf("%w: the checkpoint of size %d was signed in epoch %d, but the ledger is in epoch %d", ErrInconsistent, latest.Size, latest.Epoch, head.epoch)
	}
	if s.opt.File != "" {
		if err := s.file.follow(); err != nil {
			return err
		}
		if err := s.statements(ctx, tx, head.epoch); err != nil {
			return err
		}
		if wrong := s.file.Against(head.epoch, head.pos, latest); len(wrong) > 0 {
			return wrong[0]
		}
		if err := s.mayBegin(ctx, tx, head, latest); err != nil {
			return err
		}
	}
	for _, known := range []Checkpoint{s.file.Last, s.signed} {
		if !s.file.Stands(known) {
			continue
		}
		if known.Size > head.pos || known.Epoch > head.epoch {
			return fmt.Errorf("%w: size %d of epoch %d was signed, but the ledger ends at position %d in epoch %d", ErrInconsistent, known.Size, known.Epoch, head.pos, head.epoch)
		}
		if known.Size > latest.Size || known.Size == 0 {
			continue // It is put back if possible.
		}
		root, err := tlog.TreeHash(known.Size, hashes(ctx, tx, latest.Size, latest.Root))
		if err != nil {
			return err
		}
		if root != known.Root {
			return fmt.Errorf("%w: the checkpoint of size %d in the checkpoint file has another root than the tree", ErrInconsistent, known.Size)
		}
	}
	return nil
}

// extend appends the events up to a position to the tree and signs it.
func (s *Sealer) extend(ctx context.Context, tx pgx.Tx, epoch int, latest Checkpoint, upto int64) (Checkpoint, error) {
	tree, err := s.grow(ctx, tx, latest, upto)
	if err != nil {
		return Checkpoint{}, err
	}
	return s.sign(ctx, tx, epoch, latest, tree)
}

// grow appends the events up to a position to the tree and writes its tiles.
func (s *Sealer) grow(ctx context.Context, tx pgx.Tx, latest Checkpoint, upto int64) (*Tree, error) {
	tree, err := resume(ctx, tx, latest)
	if err != nil {
		return nil, err
	}
	var pending pendingTiles
	tree.full = pending.add
	for tree.size < upto {
		if err := leaves(ctx, tx, tree.size, min(upto, tree.size+batchEvents), func(_ int64, leaf tlog.Hash) error {
			tree.Append(leaf)
			return nil
		}); err != nil {
			return nil, err
		}
		if err := pending.write(ctx, tx); err != nil {
			return nil, fmt.Errorf("proofs: write tiles at size %d: %w", tree.size, err)
		}
	}
	for _, tile := range edgeTiles(tree.size) {
		if tree.size>>(height*tile.L) != latest.Size>>(height*tile.L) {
			pending.add(tile, tree.edges[tile.L])
		}
	}
	if err := pending.write(ctx, tx); err != nil {
		return nil, fmt.Errorf("proofs: write tiles at size %d: %w", tree.size, err)
	}
	return tree, nil
}

// resume is the tree as it was last sealed. It fails unless the stored tiles have the root that was signed and hold
// the leaves of the ledger's last events.
func resume(ctx context.Context, tx pgx.Tx, latest Checkpoint) (*Tree, error) {
	tiles := edgeTiles(latest.Size)
	data, err := readTiles(ctx, tx, tiles)
	if err != nil {
		return nil, err
	}
	tree, err := treeFrom(latest.Size, tiles, data)
	if err != nil || latest.Size == 0 {
		return tree, err
	}
	root, err := tree.Root()
	if err != nil {
		return nil, err
	}
	if root != latest.Root {
		return nil, fmt.Errorf("%w: the stored tiles do not have the root of the checkpoint of size %d", ErrInconsistent, latest.Size)
	}
	return tree, sameTail(ctx, tx, latest.Size)
}

// sameTail compares the last sealed events, up to a tile of them, with the tree: a ledger that was cut and has grown
// again has different ones.
func sameTail(ctx context.Context, tx pgx.Tx, size int64) error {
	n := (size - 1) / tileWidth
	first := n * tileWidth
	stored, err := readTiles(ctx, tx, []tlog.Tile{{H: height, L: 0, N: n, W: int(size - first)}})
	if err != nil {
		return err
	}
	return leaves(ctx, tx, first, size, func(pos int64, leaf tlog.Hash) error {
		if at := (pos - 1 - first) * tlog.HashSize; !bytes.Equal(stored[0][at:at+tlog.HashSize], leaf[:]) {
			return fmt.Errorf("%w: a checkpoint of size %d was signed, but the event at position %d is another one than was sealed", ErrInconsistent, size, pos)
		}
		return nil
	})
}

// leaves calls each with the leaves after a position, up to another and including it. It fails on a gap.
func leaves(ctx context.Context, tx querier, after, upto int64, each func(pos int64, leaf tlog.Hash) error) error {
	rows, err := tx.Query(ctx, "SELECT pos, leaf FROM events WHERE pos > $1 AND pos <= $2 ORDER BY pos", after, upto)
	if err != nil {
		return fmt.Errorf("proofs: read leaves after %d: %w", after, err)
	}
	expected := after
	var pos int64
	var leaf []byte
	if _, err := pgx.ForEachRow(rows, []any{&pos, &leaf}, func() error {
		if expected++; pos != expected || len(leaf) != tlog.HashSize {
			return fmt.Errorf("%w: there is no leaf for position %d", ErrInconsistent, expected)
		}
		return each(pos, tlog.Hash(leaf))
	}); err != nil {
		return fmt.Errorf("proofs: read leaves after %d: %w", after, err)
	}
	if expected != upto {
		return fmt.Errorf("%w: there is no event at position %d", ErrInconsistent, expected+1)
	}
	return nil
}

// sign checks from the stored tiles that the new tree continues the old one, signs it and records it.
func (s *Sealer) sign(ctx context.Context, tx pgx.Tx, epoch int, latest Checkpoint, tree *Tree) (Checkpoint, error) {
	root, err := tree.Root()
	if err != nil {
		return Checkpoint{}, err
	}
	if latest.Size > 0 {
		proof, err := tlog.ProveTree(tree.size, latest.Size, hashes(ctx, tx, tree.size, root))
		if err != nil {
			return Checkpoint{}, fmt.Errorf("proofs: sizes %d and %d: %w", latest.Size, tree.size, err)
		}
		if err := tlog.CheckTree(proof, tree.size, root, latest.Size, latest.Root); err != nil {
			return Checkpoint{}, fmt.Errorf("%w: a tree of size %d does not continue the checkpoint of size %d: %w", ErrInconsistent, tree.size, latest.Size, err)
		}
	}
	signed, err := sign(s.keys, latest.SignedBy, epoch, tree.size, root)
	if err != nil {
		return Checkpoint{}, err
	}
	signed.SealedAt = s.opt.Clock().UTC().Truncate(time.Microsecond)
	if err := s.keep(ctx, tx, latest, signed); err != nil {
		return Checkpoint{}, err
	}
	return signed, insertCheckpoint(ctx, tx, signed)
}

func insertCheckpoint(ctx context.Context, tx pgx.Tx, c Checkpoint) error {
	_, err := tx.Exec(ctx, "INSERT INTO ledger_checkpoints (size, epoch, root, note, sealed_at) VALUES ($1, $2, $3, $4, $5)", c.Size, c.Epoch, c.Root[:], c.Note, c.SealedAt)
	if err != nil {
		return fmt.Errorf("proofs: record the checkpoint of size %d: %w", c.Size, err)
	}
	return nil
}

// keep brings the checkpoint file up to the database, whose latest checkpoint may be another process's, and adds the
// checkpoints signed just now.
func (s *Sealer) keep(ctx context.Context, tx pgx.Tx, latest Checkpoint, signed ...Checkpoint) error {
	if s.opt.File == "" {
		return nil
	}
	var missing []Checkpoint
	if last := s.file.Last; latest.after(last) {
		query := "SELECT " + checkpointColumns + " FROM ledger_checkpoints WHERE (epoch, size) > ($1, $2) ORDER BY size"
		var err error
		if missing, err = checkpoints(ctx, tx, s.keys, query, last.Epoch, last.Size); err != nil {
			return err
		}
	}
	if missing = append(missing, signed...); len(missing) == 0 {
		return nil
	}
	return s.file.add(missing)
}
