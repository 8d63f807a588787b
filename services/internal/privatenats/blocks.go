package privatenats

import (
	"bufio"
	"context"
	"encoding/binary"
	"io"
	"log/slog"
	"os"
	"path/filepath"

	"adashi.ng/ledger/infra/relay"
)

// A record of a block begins with its length and the number of its message, little-endian. The top bits say more.
const (
	recordHead  = 22
	lengthBits  = 1<<31 - 1
	numberBits  = 1<<62 - 1
	widestLeap  = 1 << 24 // A stream of ours has no gap: nothing is deleted from it.
	shortestLen = recordHead + 8
)

// setLeapsAside sets blocks aside in which the number of a message leaps far ahead, as after a wrong bit. NATS 2.15
// keeps four bytes for each number between, and would take all memory. What the stream lacks then is filled in from
// the database.
func setLeapsAside(ctx context.Context, dir string) error {
	blocks, err := filepath.Glob(filepath.Join(streams(dir), "*", "msgs", "*.blk"))
	if err != nil {
		return err
	}
	for _, block := range blocks {
		stream := filepath.Base(filepath.Dir(filepath.Dir(block)))
		if _, ours := relay.StreamEpoch(stream); !ours {
			continue
		}
		leaps, err := leapsIn(block)
		if err != nil { // NATS says what it makes of it.
			slog.WarnContext(ctx, "a block of a stream cannot be read", "block", block, "error", err)
		}
		if !leaps {
			continue
		}
		aside, err := setAside(dir, stream, filepath.Join(stream, "msgs", filepath.Base(block)))
		if err != nil {
			return err
		}
		slog.WarnContext(ctx, "a block of a stream is damaged: it is set aside, and what the stream lacks is filled in from the database", "stream", stream, "damaged files", aside)
	}
	return nil
}

// leapsIn reports whether the number of a message in a block is far from the one before. Of a block whose records do
// not follow each other NATS finds by itself what is wrong.
func leapsIn(block string) (bool, error) {
	file, err := os.Open(block)
	if err != nil {
		return false, err
	}
	defer func() { _ = file.Close() }()
	in, last, head := bufio.NewReaderSize(file, 1<<16), uint64(0), make([]byte, recordHead)
	for {
		if _, err := io.ReadFull(in, head); err != nil {
			return false, nil // The end, or a record that was cut.
		}
		length, number := int(binary.LittleEndian.Uint32(head)&lengthBits), binary.LittleEndian.Uint64(head[4:])&numberBits
		if length < shortestLen {
			return false, nil
		}
		if last > 0 && (number > last+widestLeap || last > number+widestLeap) {
			return true, nil
		}
		last = number
		if _, err := in.Discard(length - recordHead); err != nil {
			return false, nil // As above.
		}
	}
}
