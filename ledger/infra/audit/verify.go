package audit

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go/jetstream"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/ledger/infra/refusals"
)

// Options configure a verification. Pool, Keys and Aggregates are required; it uses two connections of the pool.
type Options struct {
	Pool       *pgxpool.Pool
	Keys       proofs.Keys  // Public ones are enough.
	Sealing    refusals.Key // That sealed the refusals; without it their seals are not verified.
	Clock      clock.Clock  // clock.System when nil.
	Aggregates []event.Aggregate
	File       string              // The checkpoint file outside the database; not read when empty.
	JS         jetstream.JetStream // Nil: the stream is not read.
	NoStream   string              // Why JS is nil, in a few words.
	Listed     int                 // How many violations of each check are listed; 20 when zero.
	More       []More              // Checks of data derived from the ledger, such as its read models.
	Progress   func(done, total int64)
}

// More is a check from outside this package.
type More struct {
	Name string
	Rule string
	Run  func(ctx context.Context, c *Check) error
}

// Verify verifies a ledger. The report holds the violations; an error means that the verification did not reach the
// end, and then the report is worthless.
func Verify(ctx context.Context, opt Options) (*Report, error) {
	began := clock.Start()
	if opt.Clock == nil {
		opt.Clock = clock.System
	}
	if opt.Listed == 0 {
		opt.Listed = 20
	}
	o := openOutside(opt)
	s, err := open(ctx, opt.Pool)
	if err != nil {
		return nil, err
	}
	defer s.close()
	r := &Report{Epoch: s.epoch, Head: s.head, Sealed: s.sealed, max: opt.Listed}
	if err := verify(ctx, s, o, opt, r); err != nil {
		return nil, err
	}
	r.Took = began.Took()
	return r, nil
}

func verify(ctx context.Context, s *snapshot, o *outside, opt Options, r *Report) error {
	signed := &Check{Name: "checkpoints", Rule: "every checkpoint is signed, and its root is that of the events", max: r.max}
	o.check = &Check{Name: "checkpoint file", Rule: "the database has everything that the file outside it knows of, and with the same root", max: r.max}
	if err := s.spared(ctx, o.check, func() error { return o.against(ctx, s, opt) }); err != nil {
		return err
	}
	s.sealed = o.sealedTo(s)
	var failed error
	m := newMerkle(s, storedCheckpoints(ctx, s, opt.Keys, signed, o.row, &failed), o.source())
	w := newWalk(s, r, m)
	if err := w.begin(ctx, o, opt, r); err != nil {
		return err
	}
	if err := timed(w.positions, func() error { return pass(ctx, s, w, opt.Progress) }); err != nil {
		return err
	}
	m.finish()
	if failed != nil {
		return failed
	}
	if s.damaged != "" {
		signed.Violate(0, "", "They were not looked at to the end, since the database is damaged: %s.", s.damaged)
	} else if err := s.spared(ctx, o.check, func() error { return o.rowsMatch(ctx, opt) }); err != nil {
		return err
	}
	r.Checks = append(r.Checks, signed, o.check)
	if w.archived > 0 {
		r.note("%d events are archived outside this database. Their leaves were taken as they were sealed; versions and states begin with what is here, balances with those that were signed when they went.", w.archived)
	}
	if err := verifyTables(ctx, s, w, m, o, opt, r); err != nil {
		return err
	}
	began := r.check("epochs", "every epoch began as the ledger's key signed")
	if err := s.spared(ctx, began, func() error { return o.verifyEpochs(ctx, s, r, began) }); err != nil {
		return err
	}
	stream := r.check("stream", "message p of the stream is event p, byte for byte, and none is missing or beyond the head")
	if err := s.look(ctx, stream, func() error { return verifyStream(ctx, s, opt, stream) }); err != nil {
		return err
	}
	for _, more := range opt.More {
		c := r.check(more.Name, more.Rule)
		if err := s.look(ctx, c, func() error { return more.Run(ctx, c) }); err != nil {
			return err
		}
	}
	return nil
}

// verifyTables compares the stored tables that are derived from the events with the events.
func verifyTables(ctx context.Context, s *snapshot, w *walk, m *merkle, o *outside, opt Options, r *Report) error {
	if s.tables["ledger_checkpoints"] || s.damaged != "" {
		tiles := r.check("tiles", "every tile of the Merkle tree is that of the events")
		tried := r.check("proofs", "random inclusion and consistency proofs can be made and verified")
		if err := s.look(ctx, tiles, func() error { return m.tiles(ctx, tiles) }); err != nil {
			return err
		}
		if err := s.look(ctx, tried, func() error { return randomProofs(ctx, s, opt, tried) }); err != nil {
			return err
		}
	}
	if err := s.look(ctx, w.commandRuns, func() error { return w.verifyCommands(ctx, opt, o) }); err != nil {
		return err
	}
	accounts := r.check("accounts", "every account holds what its events come to, and no other account exists")
	if err := s.look(ctx, accounts, func() error { return w.verifyAccounts(ctx, accounts) }); err != nil {
		return err
	}
	r.Checks = append(r.Checks, w.snapshots)
	return s.look(ctx, w.snapshots, func() error { return w.verifySnapshots(ctx, w.snapshots) })
}
