// Package bundle is the file of a dispute's evidence: one HTML page that contains the member's recorded events with
// their proofs and verifies itself, and the same check for people who trust keys of their own instead of the page.
//
//	record ──leaf──▶ path ──▶ root of one signed checkpoint     what was recorded
//	names of streams and accounts, users in records             that it is the member's
//	streams: versions without a gap                             that nothing between was left out
//	dispute: status, dates and steps, made from its events      that nothing else is said of it
//	accounts: each balance is the one before and the amount     that no movement between was left out
//	anchor: each balance is the one that was counted as owed    that none was left out up to that position
//	witnesses, phone: the root is grown from what they saw      that they were shown no other history
//
// Check and the page's scripts have the same rules. The page lists what neither can prove: that nothing came after the
// last event, that no whole stream is missing, the descriptions of hidden events, and that no witness is left out.
package bundle

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"adashi.ng/ledger/infra/proofs/liabilities"
)

const (
	// Format names the layout. A different layout gets a new name.
	Format = "adashi evidence v4"
	// formatSeen is a format whose names, titles, and steps of corrections and of answers to banks are not proven.
	formatSeen = "adashi evidence v3"
	// formatAnchored is the same without witnesses and the member's device.
	formatAnchored = "adashi evidence v2"
	// formatFirst is formatAnchored without an anchor.
	formatFirst = "adashi evidence v1"
	// EventsMost limits the events of a bundle, including hidden ones.
	EventsMost = 2000
	// LookedMost limits how many of the latest events that name the member are searched for their own.
	LookedMost = 16 * 2048
	// BytesMost limits the size of a page.
	BytesMost = 32 << 20
)

// Bundle is the content of the page. Amounts are kobo, times RFC 3339 in UTC.
type Bundle struct {
	Format     string            `json:"format"`
	Member     string            `json:"member"`          // Their id.
	MadeAt     time.Time         `json:"madeAt,omitzero"` // Only in older formats.
	Checkpoint string            `json:"checkpoint"`      // The signed note.
	Keys       []string          `json:"keys"`            // The keys that signed something here. Never trust them.
	Dispute    Dispute           `json:"dispute"`
	Earlier    bool              `json:"earlier"` // Whether events before these were left out: see LeftOut.
	Events     []Event           `json:"events"`  // By their positions.
	Hidden     []Hidden          `json:"hidden"`  // By their positions.
	Streams    []Stream          `json:"streams"`
	Accounts   []Account         `json:"accounts"`
	Anchor     *Anchor           `json:"anchor,omitempty"`
	Seen       *Seen             `json:"seen,omitempty"` // nil in the first two formats.
	Names      map[string]string `json:"names"`          // Only in older formats: accounts and streams in words, not proven. Empty.
	Hashes     []string          `json:"hashes"`         // Base64; paths refer to them by index.
}

// Dispute describes the dispute, as Derive makes it from its events.
type Dispute struct {
	ID       string     `json:"id"`
	Number   string     `json:"number"`
	Kind     string     `json:"kind"` // As in DISPUTE_KIND_…, or CARD.
	Title    string     `json:"title"`
	Status   string     `json:"status"`
	OpenedAt time.Time  `json:"openedAt"`
	DecideBy time.Time  `json:"decideBy"`
	EndedAt  *time.Time `json:"endedAt,omitempty"`
	Steps    []Step     `json:"steps"`
}

// Step is a step of the dispute. For a hidden event the kind is HIDDEN, and the rest is empty.
type Step struct {
	Position int64     `json:"position"`
	Kind     string    `json:"kind"`
	By       string    `json:"by"` // MEMBER, SUPPORT, CLOCK or BANK.
	At       time.Time `json:"at"`
	Words    string    `json:"words,omitempty"`
	Gone     bool      `json:"gone,omitempty"`   // Whether there was a text that is no longer stored.
	SHA256   string    `json:"sha256,omitempty"` // Hex: of the text, or of a file that is not here.
}

// Event is a recorded event.
type Event struct {
	Record string `json:"record"` // Base64 of event.Record.Encode.
	Path   []int  `json:"path"`   // The audit path, from the leaf up: places in Hashes.
}

// Hidden is an event whose record is not in the bundle. Its leaf and path prove that it is in the ledger. They are
// absent for an event that was recorded without random bytes, and in older formats. Its stream and lines are not
// proven, except that they leave no gap in the streams and accounts of the bundle.
type Hidden struct {
	Position int64  `json:"position"`
	Leaf     string `json:"leaf,omitempty"`    // Base64.
	Path     []int  `json:"path,omitempty"`    // As in Event.
	Stream   string `json:"stream,omitempty"`  // Empty when the bundle does not contain the stream.
	Version  int64  `json:"version,omitempty"` // 0 when the bundle does not contain the stream.
	Lines    []Line `json:"lines,omitempty"`   // Only on the member's own accounts.
}

// Line is a line of a double entry.
type Line struct {
	Account string `json:"account"`
	Amount  int64  `json:"amount"`
	Balance int64  `json:"balance"`
}

// Stream is a stream of the member's own; every version in its range is here.
type Stream struct {
	Name string `json:"name"`
	From int64  `json:"from"`
	To   int64  `json:"to"`
}

// Account is an account of the member's own; every line of it is here.
type Account struct {
	Name    string `json:"name"`
	Lines   int    `json:"lines"`
	Opening int64  `json:"opening"`
	Closing int64  `json:"closing"`
}

// Anchor is a record in which the ledger says what Adashi owed: the accounts must have had that balance then. Such a
// count omits empty accounts.
type Anchor struct {
	Counted Event            `json:"counted"` // LiabilitiesCommitted.
	Owed    liabilities.File `json:"owed"`
}

// Add adds an event with its path.
func (b *Bundle) Add(encoded []byte, path tlog.RecordProof, places map[tlog.Hash]int) {
	b.Events = append(b.Events, b.Proven(encoded, path, places))
}

// Proven returns an event with its path, and adds the path's hashes.
func (b *Bundle) Proven(encoded []byte, path tlog.RecordProof, places map[tlog.Hash]int) Event {
	return Event{Record: base64.StdEncoding.EncodeToString(encoded), Path: b.place(path, places)}
}

// InTree returns a hidden event with its leaf and its path, and adds the path's hashes.
func (b *Bundle) InTree(h Hidden, leaf tlog.Hash, path tlog.RecordProof, places map[tlog.Hash]int) Hidden {
	h.Leaf, h.Path = leaf.String(), b.place(path, places)
	return h
}

// Grows adds the proof that the bundle's tree continues the one of a smaller size.
func (b *Bundle) Grows(size int64, proof tlog.TreeProof, places map[tlog.Hash]int) {
	b.Seen.Proofs = append(b.Seen.Proofs, Grown{Size: size, Path: b.place(proof, places)})
}

// place returns the indexes of hashes in Hashes. It adds the missing ones.
func (b *Bundle) place(hashes []tlog.Hash, places map[tlog.Hash]int) []int {
	path := make([]int, len(hashes))
	for i, hash := range hashes {
		at, known := places[hash]
		if !known {
			at = len(b.Hashes)
			places[hash] = at
			b.Hashes = append(b.Hashes, hash.String())
		}
		path[i] = at
	}
	return path
}

const (
	opens  = `<script type="application/json" id="evidence">`
	closes = `</script>`
)

// LeftOut is the reason why events before the first one are not in a bundle; "" when none are missing. FULL means that
// it has no room for more, LOOKED that only the latest LookedMost events that name the member were searched.
func (b *Bundle) LeftOut() string {
	switch {
	case !b.Earlier:
		return ""
	case len(b.Events)+len(b.Hidden) == EventsMost:
		return "FULL"
	default:
		return "LOOKED"
	}
}

// ErrBundle is returned for a file that is not a bundle, or that does not verify.
var ErrBundle = errors.New("the evidence does not verify")

// Read reads the bundle from a page. It verifies nothing: see Check.
func Read(page []byte) (Bundle, error) {
	var b Bundle
	_, rest, found := bytes.Cut(page, []byte(opens))
	raw, _, ends := bytes.Cut(rest, []byte(closes))
	if !found || !ends || len(page) > BytesMost || bytes.Count(page, []byte(opens)) != 1 {
		return b, fmt.Errorf("%w: this is not a file of evidence that Adashi wrote", ErrBundle)
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&b); err != nil {
		return Bundle{}, fmt.Errorf("%w: what it carries cannot be read: %w", ErrBundle, err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return Bundle{}, fmt.Errorf("%w: what it carries does not end where it should", ErrBundle)
	}
	if again, err := json.Marshal(b); b.Format == Format && (err != nil || !bytes.Equal(again, raw)) {
		return Bundle{}, fmt.Errorf("%w: what it carries is not written as Adashi writes it", ErrBundle)
	}
	return b, nil
}
