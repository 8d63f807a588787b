package archive

import (
	"bufio"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/klauspost/compress/zstd"
	"golang.org/x/mod/sumdb/tlog"

	"adashi.ng/ledger/base/apart"
	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/proofs"
)

// ExportOptions say which events to write.
type ExportOptions struct {
	From, To int64       // Both included; from the first position when From is 0, to the head when To is.
	Clock    clock.Clock // clock.System when nil.
	Progress func(done, total int64)
}

// Export writes events to w, in one snapshot, beside a live ledger. keys verify the checkpoint that goes with them. An
// export from a later position than 1 needs a checkpoint that covers the earlier ones: else it fails with
// proofs.ErrNotSealed. It fails with a *store.ArchivedError if events are archived.
func Export(ctx context.Context, pool *pgxpool.Pool, keys proofs.Keys, opt ExportOptions, w io.Writer) (Summary, error) {
	if opt.Clock == nil {
		opt.Clock = clock.System
	}
	if opt.Progress == nil {
		opt.Progress = func(int64, int64) {}
	}
	conn, end, err := apart.Connect(ctx, pool)
	if err != nil {
		return Summary{}, err
	}
	defer end()
	var summary Summary
	err = pgx.BeginTxFunc(ctx, conn, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		header, tree, err := begin(ctx, tx, proofs.NewReader(pool, keys), opt)
		if err != nil {
			return err
		}
		e := exporting{header: header, tree: tree, w: bufio.NewWriterSize(w, 1<<20), chain: newChain(), all: newSum(), progress: opt.Progress}
		if e.zstd, err = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false)); err != nil {
			return err
		}
		summary, err = e.run(ctx, tx.Conn())
		return err
	})
	return summary, err
}

// begin finds the archive's header, and the tree that its events continue.
func begin(ctx context.Context, tx pgx.Tx, reader *proofs.Reader, opt ExportOptions) (Header, *proofs.Tree, error) {
	h := Header{Format: Format, From: max(1, opt.From), To: opt.To, MadeAt: opt.Clock().UTC()}
	var head int64
	if err := tx.QueryRow(ctx, "SELECT epoch, pos FROM ledger_head").Scan(&h.Epoch, &head); err != nil {
		return h, nil, err
	}
	if h.To == 0 {
		h.To = head
	}
	if h.To > head || h.From > h.To+1 {
		return h, nil, fmt.Errorf("there are no positions from %d to %d: the ledger ends at %d", h.From, h.To, head)
	}
	checkpoint, err := reader.UpTo(ctx, h.To)
	if err != nil {
		return h, nil, err
	}
	h.Checkpoint = checkpoint.Note
	if h.From == 1 {
		return h, &proofs.Tree{}, nil
	}
	root, err := reader.Root(ctx, h.From-1)
	if err != nil {
		return h, nil, err
	}
	tree, err := proofs.TreeAt(ctx, tx, h.From-1)
	if err != nil {
		return h, nil, err
	}
	if ours, err := tree.Root(); err != nil || ours != root {
		return h, nil, fmt.Errorf("%w: the tiles of size %d do not have its root", proofs.ErrInconsistent, h.From-1)
	}
	h.PreviousRoot = root.String()
	return h, tree, nil
}

// exporting is a running export.
type exporting struct {
	header   Header
	tree     *proofs.Tree
	w        *bufio.Writer
	chain    chain
	all      hash.Hash
	zstd     *zstd.Encoder
	progress func(done, total int64)

	block   []byte
	records int
	buffer  []byte
	packed  []byte
	count   int64
	blocks  int
}

func (e *exporting) run(ctx context.Context, conn *pgx.Conn) (Summary, error) {
	if _, err := e.w.WriteString(magic); err != nil {
		return Summary{}, err
	}
	header, err := json.Marshal(e.header)
	if err != nil {
		return Summary{}, err
	}
	if err := writeFrame(e.w, &e.chain, kindHeader, header); err != nil {
		return Summary{}, err
	}
	if e.header.From <= e.header.To {
		if err := history.Scan(ctx, conn, e.header.From, e.header.To, e.add); err != nil {
			return Summary{}, err
		}
	}
	if err := e.flush(); err != nil {
		return Summary{}, err
	}
	return e.finish()
}

func (e *exporting) add(records []event.Record) error {
	for i := range records {
		e.buffer = records[i].AppendEncode(e.buffer[:0])
		e.all.Write(e.buffer)
		e.tree.Append(tlog.RecordHash(e.buffer))
		e.block = appendRecord(e.block, e.buffer)
		e.count++
		if e.records++; e.records == blockRecords || len(e.block) >= blockBytes {
			if err := e.flush(); err != nil {
				return err
			}
		}
	}
	e.progress(e.count, e.header.To-e.header.From+1)
	return nil
}

func (e *exporting) flush() error {
	if e.records == 0 {
		return nil
	}
	e.packed = e.zstd.EncodeAll(e.block, e.packed[:0])
	e.block, e.records = e.block[:0], 0
	e.blocks++
	return writeFrame(e.w, &e.chain, kindBlock, e.packed)
}

func (e *exporting) finish() (Summary, error) {
	root, err := rootOf(e.tree)
	if err != nil {
		return Summary{}, err
	}
	trailer, err := json.Marshal(Trailer{Count: e.count, To: e.header.To, Root: root.String(), SHA256: hex.EncodeToString(e.all.Sum(nil))})
	if err != nil {
		return Summary{}, err
	}
	if err := writeFrame(e.w, &e.chain, kindTrailer, trailer); err != nil {
		return Summary{}, err
	}
	if err := e.w.Flush(); err != nil {
		return Summary{}, fmt.Errorf("archive: write: %w", err)
	}
	return Summary{Header: e.header, Count: e.count, Root: root, Blocks: e.blocks}, nil
}

// rootOf is a tree's root; for the empty tree it is the hash of the empty string.
func rootOf(tree *proofs.Tree) (tlog.Hash, error) {
	if tree.Size() == 0 {
		return tlog.Hash(newSum().Sum(nil)), nil
	}
	return tree.Root()
}
