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

// memory is what the appender knows without asking, bounded. It is right as long as the ledger ends where it ends; a
// failed transaction or another writer empties it.
type memory struct {
	valid     bool // It stands for head; an empty one that knows nothing does not.
	Tip            // The ledger's end that it stands for.
	streams   recent.Map[string, stream]
	accounts  recent.Map[string, money.Kobo]
	unsettled map[string]posted   // Balances that may be newer than those in the database.
	settled   int64               // The position that the balances in the database stood for, when they were last read.
	dropped   int64               // The position up to which they were last dropped from unsettled.
	keys      map[uuid.UUID]known // Commands of this and recent batches.
	older     map[uuid.UUID]known
	limit     int
	keysKept  int        // At least, unless their records take more than keyBytes.
	held      int        // Bytes of the records of keys.
	snapshots []Snapshot // Taken by the batch in hand.
	undo      []undone   // What the command in hand has changed.
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

// posted is a balance as an event left it.
type posted struct {
	balance money.Kobo
	pos     int64
}

// known is what a command came to before.
type known struct {
	hash     [16]byte
	records  []byte // Encoded, each with its length before it: few are ever asked for, and thousands are kept.
	err      error
	archived bool // It was recorded; its records are not at hand.
}

// roomFor answers a slice that records fit into without a byte to spare.
func roomFor(records []event.Record) []byte {
	n := 0
	for i := range records {
		n += 4 + records[i].EncodedLen()
	}
	return make([]byte, 0, n)
}

// keep takes in a record and answers its encoding.
func (k *known) keep(r *event.Record) []byte {
	at := len(k.records)
	k.records = r.AppendEncode(append(slices.Grow(k.records, 4+r.EncodedLen()), 0, 0, 0, 0))
	encoded := k.records[at+4:]
	binary.BigEndian.PutUint32(k.records[at:], uint32(len(encoded)))
	return encoded
}

// all are the records that were kept.
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

// keyBytes bounds the records that keys holds, and those that older holds: a command in bulk has a hundred records, and
// ten thousand such commands would take a gigabyte. Who repeats one that was dropped is answered from the database.
const keyBytes = 8 << 20

// forget empties it, as after a failed transaction.
func (m *memory) forget() { *m = newMemory(m.limit, m.keysKept) }

// keep settles it on a batch that was written.
func (m *memory) keep(tip Tip) {
	m.Tip, m.valid = tip, true
	m.snapshots = nil
	m.turn()
}

// turn drops what is too much, before a batch is decided behind one that is on its way. A stream that a batch changed
// is not dropped before the batch is committed: dropping takes two turns, and the second comes after that commit.
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

// snapshot has a stream's state written down. Nothing depends on one being there.
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

// post takes in the balances that an event leaves, whoever wrote it.
func (m *memory) post(r *event.Record) {
	for _, line := range r.Lines {
		m.unsettled[line.Account] = posted{line.Balance, r.Pos}
		m.accounts.Put(line.Account, line.Balance)
	}
}

// balance is what an account holds at the memory's end, if it knows.
func (m *memory) balance(account string) (money.Kobo, bool) {
	if p, ok := m.unsettled[account]; ok {
		return p.balance, true
	}
	return m.accounts.Get(account)
}

// heavy is a state that takes the room of several: of ones that take about a quarter of a kilobyte with their names, as
// most do. A cache that counted them alike would take gigabytes.
type heavy interface{ Weight() int }

// dear is how much more than its room a heavy state counts: near the heap's soft limit, to look at its many parts in
// every collection takes more time than to read again the few that are asked for once more.
const dear = 2

func weighStream(e stream) int {
	if h, is := e.state.(heavy); is {
		return dear * h.Weight()
	}
	return 1
}

func weighBalance(money.Kobo) int { return 1 }
