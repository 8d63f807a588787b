package archive

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/klauspost/compress/zstd"
	"golang.org/x/mod/sumdb/tlog"

	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/audit"
	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/ledger/infra/store"
)

// ImportOptions say how a ledger is restored.
type ImportOptions struct {
	Keys      proofs.Keys // Of the ledger that the archive is of. Public ones are enough.
	Unsigned  bool        // Also take an archive that no checkpoint covers, and events after its checkpoint.
	Partition int64       // As in store.Postgres.
	Progress  func(done, total int64)
}

// Import restores an empty ledger from an archive that begins at position 1: every row as it was, or none. It verifies
// everything within one transaction: the chain, the root, the checkpoint's signature and root, and the rules of
// audit.Follower. It fails with ErrBroken, naming the block and the position, ErrNewer and store.ErrNotEmpty.
func Import(ctx context.Context, pool *pgxpool.Pool, opt ImportOptions, r io.Reader) (Summary, error) {
	var summary Summary
	err := store.Restore(ctx, pool, opt.Partition, func(add func([]event.Record) error) (int, error) {
		follower := audit.NewFollower()
		in, err := begins(r, opt)
		if err != nil {
			return 0, err
		}
		if in.From != 1 {
			return 0, fmt.Errorf("this archive begins at position %d: a ledger is restored from its first one", in.From)
		}
		err = in.each(func(records []event.Record) error {
			if err := follower.Add(ctx, records); err != nil {
				return in.broken("%v", err)
			}
			return add(records)
		})
		summary = in.Summary
		return in.Epoch, err
	})
	return summary, err
}

// Check verifies an archive without restoring it.
func Check(r io.Reader, opt ImportOptions) (Summary, error) {
	in, err := begins(r, opt)
	if err != nil {
		return Summary{}, err
	}
	err = in.each(func([]event.Record) error { return nil })
	return in.Summary, err
}

// incoming is an archive that is being read.
type incoming struct {
	Summary
	opt        ImportOptions
	r          *bufio.Reader
	chain      chain
	all        hash.Hash
	tree       *proofs.Tree
	whole      bool // It begins at 1, so that roots can be verified.
	checkpoint proofs.Checkpoint
	zstd       *zstd.Decoder
	next       int64 // The next position.
}

// broken reports the block and position at which the archive is damaged.
func (in *incoming) broken(format string, args ...any) error {
	return fmt.Errorf("%w at block %d, where position %d is due: %s", ErrBroken, in.Blocks+1, in.next, fmt.Sprintf(format, args...))
}

// begins reads the header.
func begins(r io.Reader, opt ImportOptions) (*incoming, error) {
	in := &incoming{opt: opt, r: bufio.NewReaderSize(r, 1<<20), chain: newChain(), all: newSum(), tree: &proofs.Tree{}}
	if in.opt.Progress == nil {
		in.opt.Progress = func(int64, int64) {}
	}
	first := make([]byte, len(magic))
	if _, err := io.ReadFull(in.r, first); err != nil || string(first) != magic {
		if strings.HasPrefix(string(first), magicPrefix) {
			return nil, ErrNewer
		}
		return nil, fmt.Errorf("%w: it does not begin as one", ErrBroken)
	}
	kind, payload, err := readFrame(in.r, &in.chain)
	if err != nil {
		return nil, fmt.Errorf("%w in its header: %w", ErrBroken, err)
	}
	if kind != kindHeader {
		return nil, fmt.Errorf("%w: it does not begin with a header", ErrBroken)
	}
	var format struct {
		Format int `json:"format"`
	}
	if json.Unmarshal(payload, &format) == nil && format.Format > Format {
		return nil, ErrNewer
	}
	if err := json.Unmarshal(payload, &in.Header, json.RejectUnknownMembers(true)); err != nil || in.Format != Format || in.From < 1 || in.To < in.From-1 {
		return nil, fmt.Errorf("%w in its header: it says nothing that can be read", ErrBroken)
	}
	in.next, in.whole = in.From, in.From == 1
	if in.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(blockBytesMax)); err != nil {
		return nil, err
	}
	return in, in.readCheckpoint()
}

// readCheckpoint verifies the archive's signature.
func (in *incoming) readCheckpoint() error {
	if in.Checkpoint == "" {
		if !in.opt.Unsigned && in.To > 0 {
			return fmt.Errorf("%w: no checkpoint is in it, so that nobody vouches for it", proofs.ErrNotSealed)
		}
		return nil
	}
	var err error
	if in.checkpoint, err = proofs.ParseCheckpoint(in.Checkpoint, in.opt.Keys.Verifiers()); err != nil {
		return fmt.Errorf("the archive's checkpoint: %w", err)
	}
	if in.checkpoint.Size < in.To && !in.opt.Unsigned {
		return fmt.Errorf("%w: the archive ends at position %d, and its checkpoint covers positions up to %d only", proofs.ErrNotSealed, in.To, in.checkpoint.Size)
	}
	return nil
}

// each passes on every block, verified, and then checks the trailer.
func (in *incoming) each(take func([]event.Record) error) error {
	defer in.zstd.Close()
	for {
		kind, payload, err := readFrame(in.r, &in.chain)
		if err != nil {
			return in.broken("%v", err)
		}
		switch kind {
		case kindBlock:
			records, err := in.block(payload)
			if err != nil {
				return err
			}
			if err := take(records); err != nil {
				return err
			}
			in.Blocks++
			in.opt.Progress(in.Count, in.To-in.From+1)
		case kindTrailer:
			return in.trailer(payload)
		default:
			return in.broken("it holds a frame of an unknown kind")
		}
	}
}

// block reads the records of a block.
func (in *incoming) block(packed []byte) ([]event.Record, error) {
	raw, err := in.zstd.DecodeAll(packed, nil)
	if err != nil || len(raw) > blockBytesMax {
		return nil, in.broken("it cannot be unpacked")
	}
	var records []event.Record
	for len(raw) > 0 {
		if len(raw) < 4 || uint64(len(raw)-4) < uint64(binary.BigEndian.Uint32(raw)) {
			return nil, in.broken("a record is cut short")
		}
		n := int(binary.BigEndian.Uint32(raw))
		encoded := raw[4 : 4+n]
		raw = raw[4+n:]
		r, err := event.DecodeRecord(encoded)
		if err != nil || r.Pos != in.next {
			return nil, in.broken("what is there is not the record of that position")
		}
		if err := in.hash(encoded); err != nil {
			return nil, err
		}
		records = append(records, r)
		in.next++
		in.Count++
	}
	return records, nil
}

// hash adds a record to the sums, and checks the root at the signed checkpoint's size.
func (in *incoming) hash(encoded []byte) error {
	in.all.Write(encoded)
	if !in.whole {
		return nil
	}
	in.tree.Append(tlog.RecordHash(encoded))
	if in.tree.Size() != in.checkpoint.Size {
		return nil
	}
	root, err := in.tree.Root()
	if err != nil {
		return err
	}
	if root != in.checkpoint.Root {
		return in.broken("the events up to here are not those that were signed")
	}
	in.Signed = in.checkpoint.Size
	return nil
}

// trailer compares the archive's own totals with the ones read.
func (in *incoming) trailer(payload []byte) error {
	var t Trailer
	if err := json.Unmarshal(payload, &t, json.RejectUnknownMembers(true)); err != nil {
		return in.broken("its trailer cannot be read")
	}
	root, err := rootOf(in.tree)
	if err != nil {
		return err
	}
	in.Root = root
	switch {
	case t.Count != in.Count || t.To != in.To || in.next != in.To+1:
		return in.broken("its trailer counts %d events up to position %d, and there are %d", t.Count, t.To, in.Count)
	case in.whole && t.Root != root.String():
		return in.broken("its trailer has another root than its events")
	case t.SHA256 != hex.EncodeToString(in.all.Sum(nil)):
		return in.broken("its trailer has another SHA-256 than its events")
	case in.whole && in.Checkpoint != "" && in.Signed == 0:
		return in.broken("its checkpoint of size %d is not of its events", in.checkpoint.Size)
	}
	if _, err := in.r.ReadByte(); !errors.Is(err, io.EOF) {
		return in.broken("something follows its trailer")
	}
	return nil
}
