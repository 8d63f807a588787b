package archive

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"time"

	"golang.org/x/mod/sumdb/tlog"
)

const (
	// Format is the version of the format that is written, and the newest that is read.
	Format = 1

	magic         = "adashi archive v1\n"
	magicPrefix   = "adashi archive v"
	blockRecords  = 8192
	blockBytes    = 4 << 20  // Of records, uncompressed, after which a block ends.
	blockBytesMax = 64 << 20 // Of records that a reader takes in one block.
	frameBytesMax = 64 << 20
)

// The kinds of frames.
const (
	kindHeader  = 'H'
	kindBlock   = 'B'
	kindTrailer = 'T'
)

// Header describes the archive.
type Header struct {
	Format       int       `json:"format"`
	Epoch        int       `json:"epoch"`
	From         int64     `json:"from"`                   // The first position.
	To           int64     `json:"to"`                     // The last.
	PreviousRoot string    `json:"previousRoot,omitempty"` // Base64: the root of the tree of size From - 1; empty from 1 on.
	Checkpoint   string    `json:"checkpoint,omitempty"`   // The latest signed note of a size up to To; empty when there is none.
	MadeAt       time.Time `json:"madeAt"`
}

// Trailer holds the totals over all records.
type Trailer struct {
	Count  int64  `json:"count"`
	To     int64  `json:"to"`
	Root   string `json:"root"`   // Base64: the root of the tree of size To.
	SHA256 string `json:"sha256"` // Hexadecimal: of all records' encodings, one after another.
}

// Summary describes a whole archive.
type Summary struct {
	Header
	Count  int64
	Root   tlog.Hash
	Blocks int
	Signed int64 // How many positions the signed checkpoint covers; 0 when there is none, or no keys were given.
}

// ErrBroken is returned for a file that differs from the one that Export wrote.
var ErrBroken = errors.New("the archive is broken")

// ErrNewer is returned for a file of a newer format than this build reads.
var ErrNewer = errors.New("the archive is of a newer format than this build reads")

// chain is the running hash over frames.
type chain struct{ sum [32]byte }

func newChain() chain { return chain{sha256.Sum256([]byte(magic))} }

func (c *chain) next(kind byte, payload []byte) [32]byte {
	h := sha256.New()
	h.Write(c.sum[:])
	h.Write(frameHead(kind, len(payload)))
	h.Write(payload)
	c.sum = [32]byte(h.Sum(nil))
	return c.sum
}

func frameHead(kind byte, length int) []byte {
	return binary.BigEndian.AppendUint32([]byte{kind}, uint32(length))
}

func writeFrame(w io.Writer, c *chain, kind byte, payload []byte) error {
	if len(payload) > frameBytesMax {
		return fmt.Errorf("archive: a frame of %d bytes", len(payload))
	}
	sum := c.next(kind, payload)
	for _, part := range [][]byte{frameHead(kind, len(payload)), payload, sum[:]} {
		if _, err := w.Write(part); err != nil {
			return fmt.Errorf("archive: write: %w", err)
		}
	}
	return nil
}

// readFrame reads a frame and verifies its chain.
func readFrame(r io.Reader, c *chain) (kind byte, payload []byte, err error) {
	var head [5]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, nil, short(err)
	}
	length := binary.BigEndian.Uint32(head[1:])
	if length > frameBytesMax {
		return 0, nil, errors.New("a frame says that it is longer than any is")
	}
	payload = make([]byte, length)
	if _, err := io.ReadFull(r, payload); err != nil {
		return 0, nil, short(err)
	}
	var sum [32]byte
	if _, err := io.ReadFull(r, sum[:]); err != nil {
		return 0, nil, short(err)
	}
	if sum != c.next(head[0], payload) {
		return 0, nil, errors.New("it was altered, or is not where it was")
	}
	return head[0], payload, nil
}

// short explains an end of the file in the middle of something. Other errors are the disk's.
func short(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the file ends here: it was cut short")
	}
	return err
}

// appendRecord appends a record to a block.
func appendRecord(block, record []byte) []byte {
	return append(binary.BigEndian.AppendUint32(block, uint32(len(record))), record...)
}

func newSum() hash.Hash { return sha256.New() }
