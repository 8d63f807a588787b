package audit

import (
	"context"
	"encoding/binary"
	"hash/maphash"
	"strings"
	"time"

	"github.com/google/uuid"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/audit/transitions"
	"adashi.ng/ledger/posting"
)

// key stands in for a text: 128 bits of a hash with a new random seed each time, so that nobody can prepare two alike.
type key [2]uint64

// hashing makes keys.
type hashing struct{ a, b maphash.Seed }

func newHashing() hashing { return hashing{maphash.MakeSeed(), maphash.MakeSeed()} }

func (h hashing) text(s string) key { return key{maphash.String(h.a, s), maphash.String(h.b, s)} }

// command hashes a row of the table of commands.
func (h hashing) command(id uuid.UUID, pos int64, events int) key {
	var b [26]byte
	copy(b[:], id[:])
	binary.BigEndian.PutUint64(b[16:], uint64(pos))
	binary.BigEndian.PutUint16(b[24:], uint16(events))
	return key{maphash.Bytes(h.a, b[:]), maphash.Bytes(h.b, b[:])}
}

// digest is a set of keys: its size and sum, whatever their order.
type digest struct {
	n   int64
	sum key
}

func (d *digest) add(k key) {
	d.n++
	d.sum[0] += k[0]
	d.sum[1] += k[1]
}

// streamState is everything that is kept about a stream.
type streamState struct {
	version int64
	stage   transitions.Stage
}

// account is an account's balance and the position that it comes from, at the end and as the balances were settled.
type account struct {
	balance, settled money.Kobo
	pos, settledPos  int64 // None when it was not posted to by then.
	floored          bool
}

// run is the command whose events are being read.
type run struct {
	id    uuid.UUID
	pos   int64 // Of its first event.
	n     int
	whole bool // Its first event was seen.
}

// walk goes over the events in order and checks each against those before it.
type walk struct {
	*snapshot
	hashing
	merkle   *merkle
	next     int64 // The next position.
	recorded time.Time
	last     int64 // The last position that was there.
	streams  map[key]streamState
	accounts map[string]*account
	debtors  map[string]bool // Users who owe Adashi, or did.
	settles  []string        // Those of them whose wallet or debt the current command changed.
	refs     map[key]credit
	matched  map[key]int64 // Unconfirmed payments, by the position where their money left suspense.
	run      run
	commands digest
	archived int64 // Positions that are kept elsewhere.
	closed   bool  // The balances of all accounts after those were signed.
	folding  map[key]*folding

	positions, leaves, order, versions, messages, postings, balances, machines, references, commandRuns, snapshots *Check
}

func newWalk(s *snapshot, r *Report, m *merkle) *walk {
	return &walk{
		snapshot: s, hashing: newHashing(), merkle: m, next: 1,
		streams: map[key]streamState{}, accounts: map[string]*account{}, debtors: map[string]bool{}, refs: map[key]credit{}, matched: map[key]int64{},

		positions:   r.check("positions", "every position from 1 to the head once, and none beyond"),
		leaves:      r.check("leaves", "every event's columns have the leaf hash that is stored with them"),
		order:       r.check("recorded times", "no event is recorded before the one in front of it"),
		versions:    r.check("versions", "versions 1, 2, 3 … in every stream"),
		messages:    r.check("messages", "every event can be read"),
		postings:    r.check("postings", "every event's lines are those of its message, sum to zero and are in range"),
		balances:    r.check("balances", "every line's balance follows, no floored account is ever below zero, and no wallet holds money while its owner owes Adashi"),
		machines:    r.check("transitions", "every state machine took allowed transitions only"),
		references:  r.check("bank references", "money is credited once, by whichever of its bank's references"),
		commandRuns: r.check("commands", "a command's events are beside one another, and the table of commands says where"),
		snapshots:   &Check{Name: "snapshots", Rule: "a snapshot is what its stream's events come to", max: r.max},
	}
}

// add takes the next rows.
func (w *walk) add(ctx context.Context, rows []judged) error {
	for i := range rows {
		j := &rows[i]
		if err := w.position(ctx, j); err != nil {
			return err
		}
		if err := w.merkle.append(ctx, j.Pos, j.leaf); err != nil {
			return err
		}
		w.columns(j)
		w.command(j)
		w.stream(j)
		w.money(j)
		w.reference(j)
	}
	return nil
}

// position checks that the row has the next position, and handles those missing before it.
func (w *walk) position(ctx context.Context, j *judged) error {
	w.positions.Looked++
	switch {
	case j.Pos < w.next:
		w.positions.Violate(j.Pos, "", "This event is out of place: %d was due.", w.next)
		return nil
	case j.Pos > w.next:
		if err := w.missing(ctx, w.next, j.Pos-1); err != nil {
			return err
		}
	}
	w.next, w.last = j.Pos+1, j.Pos
	return nil
}

// missing handles positions without a row.
func (w *walk) missing(ctx context.Context, from, to int64) error {
	for _, p := range w.parts {
		first, last := max(from, p.from), min(to, p.to)
		switch {
		case first > last:
			continue
		case p.table == "":
			w.archived += last - first + 1
		default:
			w.positions.Violate(first, "", "%s", w.missingSays(first, last))
		}
	}
	if w.absent(from) {
		w.recorded = time.Time{}
	}
	return w.spared(ctx, w.positions, func() error { return w.merkle.skip(ctx, from, to) })
}

// columns compares the row with its own leaf, and its time with the one before.
func (w *walk) columns(j *judged) {
	w.leaves.Looked++
	switch {
	case j.Malformed != "":
		w.leaves.Violate(j.Pos, "", "The row is not what the store writes: %s.", j.Malformed)
	case string(j.leaf[:]) != string(j.Leaf):
		w.leaves.Violate(j.Pos, "", "The columns do not have the leaf hash that is stored with them: one of them was changed.")
	}
	w.order.Looked++
	if j.RecordedAt.Before(w.recorded) {
		w.order.Violate(j.Pos, "", "It is recorded at %s, before the event in front of it at %s.", j.RecordedAt.Format(time.RFC3339Nano), w.recorded.Format(time.RFC3339Nano))
	}
	w.recorded = j.RecordedAt
	w.messages.Looked++
	if j.unread != nil {
		w.messages.Violate(j.Pos, j.Type, "The event cannot be read: %v.", j.unread)
	}
}

// command checks that the events of a command are consecutive.
func (w *walk) command(j *judged) {
	w.commandRuns.Looked++
	if j.Command == w.run.id && w.run.n > 0 {
		if j.Seq != w.run.n || j.Pos != w.run.pos+int64(w.run.n) {
			w.commandRuns.Violate(j.Pos, j.Command.String(), "Event number %d of its command is not beside the one before it.", j.Seq)
		}
		w.run.n++
		return
	}
	w.ended()
	w.run = run{id: j.Command, pos: j.Pos, n: 1, whole: true}
	if j.Seq == 0 {
		return
	}
	if w.absent(j.Pos - int64(j.Seq)) { // It began in an archived partition.
		w.run = run{id: j.Command, pos: j.Pos - int64(j.Seq), n: j.Seq + 1}
		return
	}
	w.commandRuns.Violate(j.Pos, j.Command.String(), "Event number %d of its command is not beside the one before it.", j.Seq)
}

// ended notes the row that the table of commands must have for the command that was read.
func (w *walk) ended() {
	w.owing()
	if w.run.whole {
		w.commands.add(w.hashing.command(w.run.id, w.run.pos, w.run.n))
	}
	w.run = run{}
}

// stream checks the version and the state machine of the event's stream.
func (w *walk) stream(j *judged) {
	w.versions.Looked++
	k := w.text(j.Stream)
	s, known := w.streams[k]
	if !known && w.archived > 0 && j.Version > 1 {
		s = streamState{version: j.Version - 1, stage: transitions.Archived} // Its earlier events are archived.
	}
	if j.Version != s.version+1 {
		w.versions.Violate(j.Pos, j.Stream, "Version %d follows version %d.", j.Version, s.version)
	}
	s.version = j.Version
	if j.message != nil {
		s.stage = w.machine(j, s.stage)
	}
	w.streams[k] = s
	if f := w.folding[k]; f != nil {
		f.add(j)
	}
}

func (w *walk) machine(j *judged, at transitions.Stage) transitions.Stage {
	w.machines.Looked++
	to, ok := transitions.Next(categoryOf(j.Stream), at, j.message)
	if !ok {
		w.machines.Violate(j.Pos, j.Stream, "%s cannot come here.", event.TypeOf(j.message))
	}
	return to
}

// money checks the lines, and each account's balance after each of them.
func (w *walk) money(j *judged) {
	w.postings.Looked++
	if j.lines != "" {
		w.postings.Violate(j.Pos, "", "%s", j.lines)
	}
	for i := range j.Lines {
		line := &j.Lines[i]
		w.balances.Looked++
		a := w.accounts[line.Account]
		if a == nil {
			a = &account{floored: posting.Floored(line.Account)}
			if w.archived > 0 && !w.closed { // Its balance before is archived, and not signed.
				a.balance = line.Balance - line.Amount
				a.settled, a.settledPos = a.balance, w.settled
			}
			w.accounts[strings.Clone(line.Account)] = a
		}
		want, err := a.balance.Add(line.Amount)
		switch {
		case err != nil:
			w.balances.Violate(j.Pos, line.Account, "Its balance leaves the range of money.")
		case want != line.Balance:
			w.balances.Violate(j.Pos, line.Account, "Its balance is %s, and %s after position %d makes it %s.", line.Balance, line.Amount, a.pos, want)
		case want < 0 && a.floored:
			w.balances.Violate(j.Pos, line.Account, "Its balance falls to %s, and it may never be below zero.", want)
		case want > 0 && posting.Capped(line.Account):
			w.balances.Violate(j.Pos, line.Account, "Its balance rises to %s, and it may never be above zero.", want)
		}
		w.debtor(line.Account)
		a.balance, a.pos = line.Balance, j.Pos
		if j.Pos <= w.settled {
			a.settled, a.settledPos = a.balance, a.pos
		}
	}
}

// debtor notes a user who owes Adashi and whose wallet or debt changes.
func (w *walk) debtor(account string) {
	user, owes := strings.CutPrefix(account, "owed:")
	if owes && !w.debtors[user] {
		w.debtors[strings.Clone(user)] = true
	}
	if !owes && len(w.debtors) > 0 {
		user = strings.TrimPrefix(account, "wallet:")
	}
	if w.debtors[user] {
		w.settles = append(w.settles, strings.Clone(user))
	}
}

// owing checks that all money that came into the wallets of users who owe Adashi paid their debts.
func (w *walk) owing() {
	for _, user := range w.settles {
		wallet, owed := w.accounts[posting.Wallet(user)], w.accounts[posting.Owed(user)]
		if wallet != nil && owed != nil && wallet.balance > 0 && owed.balance < 0 {
			w.balances.Violate(w.run.pos, posting.Wallet(user), "It holds %s while its owner owes Adashi %s.", wallet.balance, -owed.balance)
		}
	}
	w.settles = w.settles[:0]
}

// finish checks what can be known only at the end of the ledger.
func (w *walk) finish(ctx context.Context) error {
	w.ended()
	for _, pos := range w.matched {
		w.references.Violate(pos, "", "Money left suspense for a payment that was not confirmed then.")
	}
	if w.next <= w.head {
		if err := w.missing(ctx, w.next, w.head); err != nil {
			return err
		}
	}
	return nil
}

func categoryOf(stream string) string {
	category, _, _ := strings.Cut(stream, ":")
	return category
}
