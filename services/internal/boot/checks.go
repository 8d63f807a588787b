package boot

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/engine"
	"adashi.ng/services/internal/checks"
	"adashi.ng/services/internal/items"
	"adashi.ng/services/internal/jobs"
	"adashi.ng/services/internal/mail"
)

// What is looked at. Payments alone are needed: while the bus is away, or a read model stands still, money is taken and
// answered for all the same, and whoever sends people elsewhere would send them to processes that fare no better.

const (
	tellsFor   = 5 * time.Second // How long what the last payment came to says how the next would fare.
	probeEvery = 2 * time.Second
	lateAfter  = time.Minute // From when on it is an alarm that something is behind.
	diskLeast  = 1 << 30
)

func (i *Instance) addChecks() {
	i.checks.Add(
		checks.Check{Name: "process", Needed: true, Look: func(context.Context) checks.Verdict {
			return checks.Verdict{OK: i.ready.Load(), Says: map[bool]string{true: "It serves.", false: "starting or stopping"}[i.ready.Load()]}
		}},
		checks.Check{Name: "payments", Needed: true, Look: i.lookAtPayments},
		checks.Check{Name: "history", Needed: true, Look: i.lookAtHistory},
		checks.Check{Name: "clock", Needed: true, Look: func(context.Context) checks.Verdict { return i.clocks.Load().Verdict() }},
		checks.Check{Name: "otherClocks", Look: func(context.Context) checks.Verdict { return i.clocks.Load().Others() }},
		checks.Check{Name: "payouts", Lacks: true, Look: i.lookAtPayouts},
		checks.Check{Name: "sealing", Look: i.lookAtSealing},
		checks.Check{Name: "messageBus", Look: func(context.Context) checks.Verdict {
			if !i.bus.IsConnected() {
				return checks.Wrong("NATS is not connected. Payments go on; live updates and read models of other processes wait for it.")
			}
			return checks.Well("NATS is connected.")
		}},
		checks.Check{Name: "relay", Look: (&behind{}).of(i.relayLag)},
		checks.Check{Name: "disk", Look: i.lookAtDisk},
		checks.Check{Name: "letters", Look: i.lookAtLetters},
		checks.Check{Name: "jobs", Look: i.lookAtJobs},
	)
	if i.ownBus != nil {
		i.checks.Add(checks.Check{Name: "streamFiles", Look: i.lookAtOwnStream})
	}
	stands := &statusShared{of: i.Engine}
	for _, m := range i.Engine.Models {
		i.checks.Add(checks.Check{Name: "readModel." + m.Name, Look: func(ctx context.Context) checks.Verdict { return stands.look(ctx, m.Name) }})
	}
}

// taken remembers what the last commands came to.
type taken struct {
	good, bad moment // When one was recorded, and when one could not be.

	mu     sync.Mutex
	probed clock.Watch
	probe  error
}

// moment is when something was last so; it never was when it is zero.
type moment struct{ watch atomic.Pointer[clock.Watch] }

func (m *moment) now() {
	w := clock.Start()
	m.watch.Store(&w)
}

// ago is how long ago that was.
func (m *moment) ago() time.Duration {
	if w := m.watch.Load(); w != nil {
		return w.Took()
	}
	return math.MaxInt64
}

// note hears what a command of the ledger came to. A refusal was decided and written nothing: it tells nothing.
func (t *taken) note(err error) {
	switch {
	case err == nil:
		t.good.now()
	case errors.Is(err, context.Canceled), errors.Is(err, store.ErrUndecided): // Which says something of one command alone.
	case fault.Is(err, fault.Unavailable), errors.Is(err, store.ErrUnknown), fault.As(err) == nil:
		t.bad.now()
	}
}

// lookAtPayments says whether a payment can be taken and answered: the database answers, and the last one was recorded;
// or, where none was tried of late, something else that takes room and must be on the disk.
func (i *Instance) lookAtPayments(ctx context.Context) checks.Verdict {
	if err := i.Pool.Ping(ctx); err != nil {
		return checks.Wrong("the database does not answer")
	}
	switch good, bad := i.taken.good.ago(), i.taken.bad.ago(); {
	case good < tellsFor && good < bad:
		return checks.Well("Payments are taken.")
	case bad < tellsFor:
		return checks.Wrong("the last command could not be recorded")
	}
	if err := i.probe(ctx); err != nil {
		return checks.Wrong(whyNoWrite(err))
	}
	return checks.Well("The database takes writes.")
}

// probe commits a table that is gone with the commit: like a payment it takes room on the disk, and waits for it.
func (i *Instance) probe(ctx context.Context) error {
	i.taken.mu.Lock()
	defer i.taken.mu.Unlock()
	if i.taken.probed.Took() < probeEvery {
		return i.taken.probe
	}
	_, err := i.Pool.Exec(ctx, "CREATE TEMPORARY TABLE adashi_probe ON COMMIT DROP AS SELECT repeat('x', 1000) FROM generate_series(1, 32)")
	i.taken.probed, i.taken.probe = clock.Start(), err
	return err
}

func whyNoWrite(err error) string {
	var refused *pgconn.PgError
	if !errors.As(err, &refused) {
		return "the database does not answer"
	}
	switch refused.Code {
	case "53100":
		return "the database's disk is full"
	case "25006":
		return "the database is read-only"
	}
	return "the database takes no writes (" + refused.Code + ")"
}

// lookAtHistory says whether appends are stopped because the stream or the checkpoint file tells of more than the
// database holds.
func (i *Instance) lookAtHistory(ctx context.Context) checks.Verdict {
	seen, parted, err := history.Parted(ctx, i.Pool)
	switch {
	case err != nil:
		return checks.Wrong("the database does not answer")
	case parted:
		return checks.Wrong("nothing is appended until an operator has raised the epoch: " + seen.Why)
	}
	if why := i.unknown.Load(); why != nil {
		return checks.Wrong("nothing is appended until NATS has said whether its stream tells of more than the database holds, and no other database is in use: " + *why)
	}
	return checks.Well("The database has all that was told of it.")
}

// sendingJobs are the jobs without which no payout leaves, or nobody learns what became of it.
var sendingJobs = []string{"send payouts", "ask about payouts"}

// lookAtPayouts says whether withdrawals leave. A load balancer goes on sending payments here while they do not: while
// a bank is down no other process fares better.
func (i *Instance) lookAtPayouts(ctx context.Context) checks.Verdict {
	if i.doubted() { // Jobs are called, and do nothing.
		return checks.Wrong("withdrawals are not sent: the machine's clock is in doubt")
	}
	runs, err := jobs.Runs(ctx, i.Pool)
	if err != nil {
		return checks.Wrong("whether withdrawals are sent can't be learnt: the database does not answer")
	}
	for _, r := range runs {
		if r.Late && slices.Contains(sendingJobs, r.Name) {
			return checks.Wrong("withdrawals are not sent: the job “" + r.Name + "” does not run")
		}
	}
	if i.App == nil { // This process has neither the API nor the jobs.
		return checks.Well("The jobs that send withdrawals run.")
	}
	count, err := i.App.Payouts.NotSent(ctx)
	switch {
	case err != nil:
		return checks.Wrong("whether withdrawals are sent can't be learnt: the database does not answer")
	case count > 0:
		return checks.Wrong(fmt.Sprintf("withdrawals were tried and are not sent, %d of them", count))
	}
	return checks.Well("Withdrawals are sent.")
}

// lookAtSealing says whether what is recorded gets under a signed checkpoint. It does within seconds.
func (i *Instance) lookAtSealing(ctx context.Context) checks.Verdict {
	events, since, err := proofs.Unsealed(ctx, i.Pool)
	switch {
	case err != nil:
		return checks.Wrong("the database does not answer")
	case events == 0:
		return checks.Well("Every event is sealed.")
	}
	says := fmt.Sprintf("%d events are not sealed, the first of them recorded at %s.", events, since.Format(time.RFC3339))
	epoch, _, err := history.Head(ctx, i.Pool)
	if err == nil && epoch > 1 {
		says += fmt.Sprintf(" Was the start of epoch %d acknowledged? adashi ledger epoch list", epoch)
	}
	return checks.Verdict{OK: i.Now().Sub(since) < lateAfter, Says: says}
}

// relayLag is how many events the stream lacks.
func (i *Instance) relayLag(ctx context.Context) (int64, error) {
	if !i.bus.IsConnected() {
		return 0, errors.New("how far the stream is can't be learnt: NATS is not connected")
	}
	last, err := i.relaySequence(ctx)
	if err != nil {
		return 0, errors.New("how far the stream is can't be learnt: NATS does not answer, or nobody has made the stream yet")
	}
	_, head, err := history.Head(ctx, i.Pool)
	if err != nil {
		return 0, errors.New("the database does not answer")
	}
	return max(0, head-int64(last)), nil
}

// behind says that something is behind once it was for a while: a moment behind is how it always is.
type behind struct{ since *clock.Watch }

func (b *behind) of(lag func(context.Context) (int64, error)) func(context.Context) checks.Verdict {
	return func(ctx context.Context) checks.Verdict {
		events, err := lag(ctx)
		switch {
		case err != nil:
			return checks.Wrong(err.Error())
		case events == 0:
			b.since = nil
			return checks.Well("The stream has every event.")
		case b.since == nil:
			began := clock.Start()
			b.since = &began
		}
		return checks.Verdict{OK: b.since.Took() < lateAfter, Says: fmt.Sprintf("The stream lacks %d events.", events)}
	}
}

func (i *Instance) lookAtDisk(context.Context) checks.Verdict {
	var stat syscall.Statfs_t
	if err := syscall.Statfs(i.Config.Data, &stat); err != nil {
		return checks.Wrong("how much room the data folder has can't be learnt")
	}
	free := int64(stat.Bavail) * int64(stat.Bsize) //nolint:unconvert // Its type hangs on the system.
	return checks.Verdict{OK: free >= diskLeast, Says: fmt.Sprintf("%d MB are free where the data folder is.", free>>20)}
}

// statusShared reads where the read models stand once for all checks of them.
type statusShared struct {
	of     *engine.Engine
	mu     sync.Mutex
	at     clock.Watch
	status engine.Status
	err    error
}

func (s *statusShared) look(ctx context.Context, model string) checks.Verdict {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.at.Took() > time.Second/2 {
		s.status, s.err = s.of.Status(ctx)
		s.at = clock.Start()
	}
	if s.err != nil {
		return checks.Wrong("where it stands can't be learnt: the database does not answer")
	}
	for _, m := range s.status.Models {
		if m.Name != model {
			continue
		}
		for _, p := range m.Parts {
			if p.Paused != "" {
				return checks.Wrong(fmt.Sprintf("It is paused after position %d: the next event cannot be taken. See the dead letters.", p.Pos))
			}
		}
		return checks.Verdict{OK: m.Lag < lateAfter, Says: fmt.Sprintf("It is at position %d of %d.", m.Pos, s.status.Head)}
	}
	return checks.Wrong("nothing has made it here yet")
}

// Standing is how everything stands that is looked at.
func (i *Instance) Standing() checks.Standing { return i.checks.Standing() }

// AddCheck has one more thing looked at, at /readyz, in /metrics and on the operator's page.
func (i *Instance) AddCheck(check checks.Check) { i.checks.Add(check) }

// lookAtLetters is no alarm while letters wait: without a mail server they all stay in the inbox.
func (i *Instance) lookAtLetters(ctx context.Context) checks.Verdict {
	counts, err := mail.Count(ctx, i.Pool)
	if err != nil {
		return checks.Wrong("how letters stand can't be learnt: the database does not answer")
	}
	if i.Config.SMTPURL == "" {
		return checks.Verdict{OK: true, Says: fmt.Sprintf("No mail server is set: %d letters can be read at /dev/inbox, and none is sent.", counts.Queued)}
	}
	says := fmt.Sprintf("%d letters wait, %d of them were tried in vain; %d were given up.", counts.Queued, counts.Failed, counts.GivenUp)
	return checks.Verdict{OK: counts.GivenUp == 0, Says: says}
}

// lookAtJobs names the jobs that do not run when they should, and those of which items fail again and again.
func (i *Instance) lookAtJobs(ctx context.Context) checks.Verdict {
	counts, err := items.Counts(ctx, i.Pool)
	if err != nil {
		return checks.Wrong("how the jobs fare can't be learnt: the database does not answer")
	}
	runs, err := jobs.Runs(ctx, i.Pool)
	if err != nil {
		return checks.Wrong("when the jobs ran can't be learnt: the database does not answer")
	}
	var says []string
	for _, r := range runs {
		switch {
		case r.Late && r.Ago == nil:
			says = append(says, fmt.Sprintf("%s: it should run every %s and has not run yet", r.Name, r.Every))
		case r.Late:
			says = append(says, fmt.Sprintf("%s: it should run every %s and last ran %s ago", r.Name, r.Every, r.Ago.Round(time.Second)))
		}
	}
	for _, c := range counts {
		says = append(says, fmt.Sprintf("%s: %d fail and are tried again, %d were given up, since %s", c.Job, c.Failing, c.GivenUp, c.Since.UTC().Format(time.RFC3339)))
	}
	if len(says) == 0 {
		return checks.Well("Every job ran when it should, and nothing that a job tried failed.")
	}
	return checks.Wrong(strings.Join(says, "; ") + ".")
}
