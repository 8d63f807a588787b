package sim

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/relay"
	"adashi.ng/ledger/infra/store"
)

// Report is the result of a run.
type Report struct {
	Events  int
	Done    int // Wishes that were done,
	Refused int // refused,
	Failed  int // or failed since they cannot be written,
	Unknown int // or whose outcome was unknown at first.
	Crashes map[Site]int
	Types   map[string]int // Of events, by how many there are.
	Epoch   int
	History [32]byte // A digest of all that was recorded, in order: the same seed should give the same.
}

// world is the whole state of a run.
type world struct {
	seed    uint64
	disk    *Disk
	bus     *Bus
	weather *Weather
	stores  []*slot
	models  []*Model
	clients []*client
	people  []string
	subs    []string

	loyalty   int  // How often in ten a client asks the first process, which then decides ahead.
	failing   bool // There is a failover that loses commits.
	failovers atomic.Int32
	founded   int64      // The position before anything went wrong.
	mu        sync.Mutex // Guards the clients' wishes.

	stop context.CancelFunc
	over context.Context //nolint:containedctx // Ends with the run, for everything that the run started.
	wg   sync.WaitGroup
}

const (
	wishes   = 24 // A client's.
	relays   = 2
	keepers  = 2               // A model's.
	healing  = 5 * time.Minute // How long after the faults have ended everything must have caught up.
	fundings = 400 * money.Naira
)

// Run simulates processes, relays, keepers and clients on one disk and one bus, with faults drawn from the seed. It
// answers the first promise that is broken at the end. It must be called in a testing/synctest bubble: time is virtual,
// and everything that it starts ends before Run does.
func Run(seed uint64) (Report, error) {
	w, err := run(seed)
	if err == nil {
		err = w.check()
	}
	return w.report(), err
}

// run plays a seed and lets everything recover.
func run(seed uint64) (*world, error) {
	w := newWorld(seed)
	if err := w.prepare(); err != nil {
		return w, fmt.Errorf("before anything went wrong: %w", err)
	}
	w.start()
	var clients sync.WaitGroup
	for _, c := range w.clients {
		clients.Go(func() { c.run(wishes) })
	}
	if w.failing {
		clients.Go(w.failover)
	}
	clients.Wait()
	w.weather.Heal()
	err := w.askAgain()
	if err == nil {
		err = w.quiesce()
	}
	w.stop()
	w.wg.Wait()
	return w, err
}

func newWorld(seed uint64) *world {
	r := chance(seed, "weather", 0)
	w := &world{
		seed: seed, disk: NewDisk(), bus: NewBus(), people: []string{"bisi", "chidi", "dayo"}, subs: []string{"s", "t"},
		weather: &Weather{
			Seed: seed, Crash: 0.03 * r.Float64(), Outage: 0.05 * r.Float64(), Lost: 0.1 * r.Float64(),
			Stall: 0.004 * r.Float64(), Latency: time.Duration(1 + r.Int64N(int64(60*time.Millisecond))),
		},
	}
	w.loyalty, w.failing = r.IntN(11), r.IntN(5) == 0
	w.over, w.stop = context.WithCancel(context.Background())
	for range 1 + r.IntN(3) {
		w.stores = append(w.stores, &slot{})
	}
	for range 1 + r.IntN(2) {
		w.models = append(w.models, &Model{})
	}
	for n := range 3 + r.IntN(3) {
		name := fmt.Sprint("client ", n)
		w.clients = append(w.clients, &client{world: w, name: name, chance: chance(seed, name, 0), hand: newHand(n)})
	}
	return w
}

// prepare creates the group and funds its members, without faults.
func (w *world) prepare() error {
	s := store.Open(w.disk.Backend(nil), ledger.Aggregates(), store.Options{Random: randomBytes(w.seed, "prepare")})
	defer s.Close()
	commands := []event.Command{savings.CreateGroup{GroupID: group, Owner: owner, Name: "Traders", Amount: 5000 * money.Naira, Capacity: 8, StartMonth: 1, Now: began}}
	for _, user := range w.people {
		commands = append(commands, savings.JoinGroup{GroupID: group, User: user}, savings.ApproveMember{GroupID: group, User: user, By: owner})
	}
	commands = append(commands, account.EndCheck(owner, "bvn", 0),
		savings.AppointApprover{GroupID: group, User: w.people[1], By: owner},
		savings.AppointValidator{GroupID: group, User: w.people[0], By: owner, Owner: owner})
	for _, sub := range w.subs {
		commands = append(commands, savings.OpenSubAccount{
			GroupID: group, SubAccountID: sub, By: owner, Name: "Welfare " + sub, Type: nairav1.PaymentType_PAYMENT_TYPE_FLEXIBLE,
			Frequency: nairav1.PaymentFrequency_PAYMENT_FREQUENCY_MONTHLY, Amount: 100 * money.Naira, Now: began,
		})
	}
	for _, user := range w.people {
		commands = append(commands,
			wallet.StartPayment{PaymentID: "p" + user, User: user, Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: collects("p" + user), Amount: fundings},
			confirm("p"+user, user, fundings))
	}
	commands = append(commands, founding(w.clients)...)
	for n, c := range commands {
		id := store.CommandID("prepare", "", fmt.Sprint(n))
		if _, err := s.Append(context.Background(), store.Command{ID: id, Actor: owner, Command: c}); err != nil {
			return fmt.Errorf("%T: %w", c, err)
		}
	}
	w.founded = w.disk.Head()
	return nil
}

// start sets everything going until w.over ends.
func (w *world) start() {
	for n, s := range w.stores {
		w.wg.Go(func() { w.append(n, s) })
	}
	for n := range relays {
		w.lives(fmt.Sprint("relay ", n), func(ctx context.Context, p *Process) {
			_ = relay.Relay(ctx, w.disk.Source(p), w.bus.Log(p), relay.Options{Poll: 200 * time.Millisecond, Batch: 4})
		})
	}
	w.keep("keeper")
	w.wg.Go(w.broker)
}

// keep starts keepers of every model.
func (w *world) keep(name string) {
	for m, model := range w.models {
		for n := range keepers {
			w.lives(fmt.Sprint(name, " ", m, " ", n), func(ctx context.Context, p *Process) {
				k := keeper{process: p, ledger: w.disk.Source(p), disk: w.disk, bus: w.bus, model: model}
				k.run(ctx)
			})
		}
	}
}

// append runs a process that appends, one life after another. Some lives end cleanly.
func (w *world) append(n int, s *slot) {
	for life := 0; w.over.Err() == nil; life++ {
		name := fmt.Sprint("store ", n, " life ", life)
		r := chance(w.seed, name, 0)
		p := NewProcess(name, w.weather)
		skew := time.Duration(r.Int64N(int64(time.Hour))) - 30*time.Minute
		running := store.Open(w.disk.Backend(p), ledger.Aggregates(), store.Options{
			Batch: 1 + r.IntN(6), Queue: 2 + r.IntN(20), Cache: 1 + r.IntN(20), Keys: 1 + r.IntN(10), Freeze: 2 + r.IntN(6),
			Settle: time.Duration(1 + r.Int64N(int64(3*time.Second))), Clock: func() time.Time { return time.Now().Add(skew) },
			Random: randomBytes(w.seed, name),
		})
		s.set(running, p)
		w.live(p, r)
		s.set(nil, nil)
		if p.alive() != nil {
			w.wg.Go(running.Close) // Nothing waits for a crashed process.
		} else {
			running.Close()
		}
		wait(w.over, time.Duration(r.Int64N(int64(3*time.Second))))
	}
}

// live waits until a life ends: by a crash, with the run, or cleanly, so that another begins.
func (w *world) live(p *Process, r *rand.Rand) {
	peace := time.NewTimer(time.Duration(1+r.Int64N(60)) * time.Second)
	defer peace.Stop()
	select {
	case <-p.crashed:
	case <-peace.C:
	case <-w.over.Done():
	}
}

// lives runs a process that is started again after each crash.
func (w *world) lives(name string, run func(context.Context, *Process)) {
	w.wg.Go(func() {
		for life := 0; w.over.Err() == nil; life++ {
			p := NewProcess(fmt.Sprint(name, " life ", life), w.weather)
			ctx, kill := context.WithCancel(w.over)
			done := make(chan struct{})
			go func() {
				defer close(done)
				run(ctx, p)
			}()
			select {
			case <-p.crashed:
			case <-w.over.Done():
			}
			kill()
			<-done
			wait(w.over, time.Second)
		}
	})
}

// broker syncs the bus once in a while, and makes it crash and lose everything.
func (w *world) broker() {
	for n := uint64(0); w.over.Err() == nil; n++ {
		r := chance(w.seed, "broker", n)
		wait(w.over, time.Duration(r.Int64N(int64(4*time.Second))))
		switch luck := r.IntN(12); {
		case w.weather.healed.Load() || luck > 3:
			w.bus.Sync()
		case luck == 0:
			w.bus.Wipe()
		default:
			w.bus.Crash(r)
		}
	}
}

// failover makes a standby without the last commits take over, up to three times. Most processes continue with their
// memory.
func (w *world) failover() {
	for n := range 3 {
		r := chance(w.seed, "failover", uint64(n))
		wait(w.over, time.Duration(1+r.Int64N(int64(20*time.Second))))
		w.disk.Lose(1+r.IntN(1+r.IntN(12)), w.founded)
		w.forget()
		if _, life := w.stores[0].get(); life != nil && r.IntN(3) == 0 {
			life.crash("failover")
		}
		if r.IntN(2) == 0 {
			return
		}
	}
}

// forget makes clients drop answers that the failover lost.
func (w *world) forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.failovers.Add(1)
	for _, c := range w.clients {
		for _, one := range c.wishes {
			one.forget(w.disk)
		}
	}
}

// quiesce waits until the stream and every model have reached the ledger's end.
func (w *world) quiesce() error {
	err := w.until(func(head int64) string {
		if got := len(w.bus.Messages(w.disk.Epoch(), 0, int(head)+1)); int64(got) != head {
			return fmt.Sprintf("the stream holds %d messages", got)
		}
		return ""
	})
	if err != nil {
		return err
	}
	if w.failing {
		// Models of a lost history are built again: see the relay.
		time.Sleep(10 * time.Second)
		for _, m := range w.models {
			m.Reset()
		}
		w.keep("rebuilding keeper")
	}
	return w.until(func(head int64) string {
		for n, m := range w.models {
			if m.At() != head {
				return fmt.Sprintf("model %d stands at %d", n, m.At())
			}
		}
		return ""
	})
}

// until waits until nothing is behind the ledger's end.
func (w *world) until(behind func(head int64) string) error {
	for began := time.Now(); ; {
		time.Sleep(time.Second)
		head := w.disk.Head()
		what := behind(head)
		if what == "" {
			return nil
		}
		if time.Since(began) > healing {
			return fmt.Errorf("%s after all faults ended, of %d: %s", healing, head, what)
		}
	}
}

// askAgain asks for the outcomes that clients do not know, after the faults have ended.
func (w *world) askAgain() error {
	for _, c := range w.clients {
		for _, one := range c.wishes {
			for tries := 0; one.command.Keyed && !one.settled(); tries++ {
				result, err := w.stores[0].ask(0, one.command)
				one.hear(result, false, err)
				if !one.settled() {
					time.Sleep(time.Second) // The process may still be on its way back.
				}
				if tries == 100 {
					return fmt.Errorf("%s cannot be settled: %w", one, err)
				}
				time.Sleep(100 * time.Millisecond)
			}
		}
	}
	return nil
}
