package store

import (
	"cmp"
	"encoding/binary"
	"log/slog"
	"maps"
	"slices"

	"github.com/google/uuid"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/guard"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store/recent"
)

// memory is the appender's cache, bounded. It is right while the ledger ends at its Tip; a failed transaction or
// another process's write empties it.
type memory struct {
	valid     bool // It matches the ledger at Tip; an empty memory that knows nothing does not.
	Tip            // The ledger's end that it matches.
	streams   recent.Map[string, stream]
	accounts  recent.Map[string, money.Kobo]
	unsettled map[string]posted   // Balances that may be newer than those in the database.
	settled   int64               // The position that the balances in the database included when they were last read.
	dropped   int64               // The position up to which balances were last dropped from unsettled.
	keys      map[uuid.UUID]known // Commands of this and recent batches.
	older     map[uuid.UUID]known
	limit     int
	keysKept  int        // At least, unless their records take more than keyBytes.
	held      int        // Size in bytes of the records in keys.
	snapshots []Snapshot // Taken by the current batch.
	undo      []undone   // What the current command has changed.
}

type stream struct {
	version int64
	state   any
	broken  error // Why it cannot be folded.
}

// undone is a stream as it was before a command.
type undone struct {
	name string
	was  stream
}

// posted is a balance after an event.
type posted struct {
	balance money.Kobo
	pos     int64
}

// known is the remembered outcome of a command.
type known struct {
	hash     [16]byte
	records  []byte // Encoded, each after its length: thousands are kept and few are ever read.
	err      error
	archived bool // It was recorded; its records are archived.
}

// roomFor returns a slice with exactly the capacity that the records need.
func roomFor(records []event.Record) []byte {
	n := 0
	for i := range records {
		n += 4 + records[i].EncodedLen()
	}
	return make([]byte, 0, n)
}

// keep adds a record and returns its encoding.
func (k *known) keep(r *event.Record) []byte {
	at := len(k.records)
	k.records = r.AppendEncode(append(slices.Grow(k.records, 4+r.EncodedLen()), 0, 0, 0, 0))
	encoded := k.records[at+4:]
	binary.BigEndian.PutUint32(k.records[at:], uint32(len(encoded)))
	return encoded
}

// all decodes the records that were kept.
func (k *known) all() (records []event.Record, err error) {
	for rest := k.records; len(rest) > 0 && err == nil; {
		end := 4 + binary.BigEndian.Uint32(rest)
		var r event.Record
		r, err = event.DecodeRecord(rest[4:end])
		records, rest = append(records, r), rest[end:]
	}
	return records, err
}

func (k known) repeat(c Command) answer {
	if k.archived {
		return answer{err: fault.New(fault.Conflict, "This was done before, long ago: its record is archived. Nothing more was taken.")}
	}
	if !event.SameWish(k.hash, c.Hash) {
		return answer{err: fault.New(fault.Conflict, "This request was sent before with other details. Start again from the form.")}
	}
	records, err := k.all()
	return answer{result: Result{Records: records, Repeated: true}, err: cmp.Or(k.err, err)}
}

func newMemory(limit, keysKept int) memory {
	return memory{
		limit: limit, keysKept: keysKept, streams: recent.New[string](limit, weighStream), accounts: recent.New[string](limit, weighBalance),
		unsettled: map[string]posted{}, keys: map[uuid.UUID]known{}, older: map[uuid.UUID]known{},
	}
}

// keyBytes bounds the size of the records in keys, and of those in older: a command in bulk has a hundred records, and
// ten thousand such commands would take a gigabyte. The database answers a repeat of a command that was dropped.
const keyBytes = 8 << 20

// forget empties the memory, as after a failed transaction.
func (m *memory) forget() { *m = newMemory(m.limit, m.keysKept) }

// keep moves the memory's end past a batch that was written.
func (m *memory) keep(tip Tip) {
	m.Tip, m.valid = tip, true
	m.snapshots = nil
	m.turn()
}

// turn drops what exceeds the limits, before the appender decides a batch behind one in flight. A stream that a batch
// changed stays until the batch is committed: dropping takes two turns, and the second comes after that commit.
func (m *memory) turn() {
	if m.settled > m.dropped {
		maps.DeleteFunc(m.unsettled, func(_ string, p posted) bool { return p.pos <= m.settled })
		m.dropped = m.settled
	}
	m.streams.Turn()
	m.accounts.Turn()
	if len(m.keys) > m.keysKept || m.held > keyBytes {
		m.older, m.keys, m.held = m.keys, map[uuid.UUID]known{}, 0
	}
}

func (m *memory) key(id uuid.UUID) (known, bool) {
	if k, ok := m.keys[id]; ok {
		return k, true
	}
	k, ok := m.older[id]
	return k, ok
}

func (m *memory) remember(id uuid.UUID, k known) {
	m.held += cap(k.records) - cap(m.keys[id].records)
	m.keys[id] = k
}

// snapshot freezes a stream's state for the next write. Nothing depends on a snapshot being there.
func (m *memory) snapshot(a event.Aggregate, name string, e stream) {
	var state []byte
	err := guard.Call(func() (err error) {
		state, err = a.Freeze(e.state)
		return err
	})
	if err != nil {
		slog.Error("ledger: the state of a stream was not written down", "stream", name, "version", e.version, "error", err)
		return
	}
	m.snapshots = append(m.snapshots, Snapshot{Stream: name, Fold: a.Fold, Version: e.version, State: state})
}

// post applies the balances that an event leaves, from this process or another.
func (m *memory) post(r *event.Record) {
	for _, line := range r.Lines {
		m.unsettled[line.Account] = posted{line.Balance, r.Pos}
		m.accounts.Put(line.Account, line.Balance)
	}
}

// balance is an account's balance at the memory's end, if the memory has it.
func (m *memory) balance(account string) (money.Kobo, bool) {
	if p, ok := m.unsettled[account]; ok {
		return p.balance, true
	}
	return m.accounts.Get(account)
}

// heavy is a state that takes several times the usual room. Most states take about a quarter of a kilobyte with their
// names. A cache that counted all alike would take gigabytes.
type heavy interface{ Weight() int }

// dear is the factor by which a heavy state counts more than its size. Near the heap's soft limit every garbage
// collection scans its many parts, which takes more time than reading the few states that are asked for again.
const dear = 2

func weighStream(e stream) int {
	if h, is := e.state.(heavy); is {
		return dear * h.Weight()
	}
	return 1
}

func weighBalance(money.Kobo) int { return 1 }
