package sim

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/posting"
)

// wish is a command that a client wants done, with all answers to it.
type wish struct {
	command store.Command
	moves   map[string]money.Kobo // Its effect on each account if it is done; nil when that depends.
	mu      sync.Mutex
	done    []event.Record // The events in the answer; nil until there is one.
	refused *fault.Fault   // For good.
	unknown bool           // A try may have done it.
	wrong   error          // An answer that contradicts an earlier one.
	bad     bool           // The tables refuse it: see unwritable.
	failed  bool           // The client got that answer.
}

// unwritable is the correlation of commands that the tables refuse for no reason that a store could know.
const unwritable = "unwritable"

// hear records an answer. An answer from before a failover may have been lost in it.
func (w *wish) hear(result store.Result, stale bool, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f := fault.As(err)
	switch {
	case stale:
		w.unknown = true
	case w.bad && errors.Is(err, store.ErrUndecided):
		w.failed = true
	case err == nil && w.bad:
		w.wrong = fmt.Errorf("%s was done, which cannot be written", w)
	case err == nil && w.refused != nil:
		w.wrong = fmt.Errorf("%s was done after it was refused: %w", w, w.refused)
	case err == nil && w.done != nil && !same(w.done, result.Records):
		w.wrong = fmt.Errorf("%s was answered twice, not alike", w)
	case err == nil:
		w.done = result.Records
	case errors.Is(err, store.ErrUndecided), f == nil && !errors.Is(err, store.ErrUnknown) && !errors.Is(err, errGone):
		w.wrong = fmt.Errorf("%s met a bug: %w", w, err)
	case f == nil:
		w.unknown = true
	case f.Code == fault.Unavailable, f.Code == fault.TooMany:
		// Nothing was taken; it may be tried again.
	case w.done != nil:
		w.wrong = fmt.Errorf("%s was refused after it was done: %w", w, err)
	case w.refused != nil && *w.refused != *f && w.command.Keyed:
		w.wrong = fmt.Errorf("%s was refused twice, not alike: %w, then %w", w, w.refused, f)
	default:
		w.refused = f
	}
}

// forget drops answers that a failover has lost.
func (w *wish) forget(d *Disk) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.done != nil && !d.Done(w.command.ID) {
		w.done, w.unknown = nil, true
	}
	if w.refused != nil && w.command.Keyed && !d.Refused(w.command.ID) {
		w.refused, w.unknown = nil, true
	}
}

// settled reports whether the client knows the outcome.
func (w *wish) settled() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.done != nil || w.refused != nil || w.wrong != nil || w.failed
}

func (w *wish) String() string { return fmt.Sprintf("%T %s", w.command.Command, w.command.ID) }

func same(a, b []event.Record) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if string(a[i].Encode()) != string(b[i].Encode()) {
			return false
		}
	}
	return true
}

// client is a person with an app that retries.
type client struct {
	*world
	name   string
	chance *rand.Rand
	hand   *hand
	wishes []*wish
	others []error // Errors of commands under another's key.
}

// run makes the client wish for things, one after another.
func (c *client) run(wishes int) {
	for n := range wishes {
		w := c.draw(n)
		c.wish(w)
		c.pursue(w)
		if w.settled() && !w.bad && w.command.Keyed && c.chance.IntN(6) == 0 && !c.failing {
			c.reuse(w)
		}
		time.Sleep(time.Duration(c.chance.Int64N(int64(300 * time.Millisecond))))
	}
}

func (c *client) wish(w *wish) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wishes = append(c.wishes, w)
}

// pursue tries until the client knows the outcome of its wish, or gives up. Once in a while it clicks twice.
func (c *client) pursue(w *wish) {
	for try := 0; try < 12 && !w.settled(); try++ {
		var second sync.WaitGroup
		if w.command.Keyed && c.chance.IntN(8) == 0 {
			click := c.ask(w.command)
			second.Go(func() { w.hear(click()) })
		}
		w.hear(c.ask(w.command)())
		second.Wait()
		if !w.command.Keyed || c.chance.IntN(12) == 0 {
			return
		}
		time.Sleep(time.Duration(c.chance.Int64N(int64(2 * time.Second))))
	}
}

// reuse sends another command under the key of a settled wish: it must be refused.
func (c *client) reuse(w *wish) {
	other := w.command
	other.Command = wallet.StartPayment{PaymentID: "reused " + c.name, User: c.name, Channel: nairav1.Channel_CHANNEL_CARD, Provider: event.Paystack, Tariff: wallet.CardTariff, Amount: 500 * money.Naira}
	other.Hash = store.Fingerprint(other.Command)
	_, _, err := c.ask(other)()
	if f := fault.As(err); err == nil || f != nil && f.Code != fault.Unavailable && f.Code != fault.TooMany && f.Code != fault.Conflict {
		c.others = append(c.others, fmt.Errorf("another payload under the key of %s: %w", w, errors.Join(err, errors.New("not refused as it should"))))
	}
}

// ask makes a request to some process. The way there and back takes time.
func (c *client) ask(command store.Command) func() (store.Result, bool, error) {
	at, patience := c.stores[c.chance.IntN(len(c.stores))], c.patience()
	if c.chance.IntN(10) < c.loyalty {
		at = c.stores[0]
	}
	there, back := time.Duration(1+c.chance.Int64N(int64(5*time.Millisecond))), time.Duration(1+c.chance.Int64N(int64(5*time.Millisecond)))
	return func() (store.Result, bool, error) {
		time.Sleep(there)
		before := c.failovers.Load()
		result, err := at.ask(patience, command)
		time.Sleep(back)
		return result, c.failovers.Load() != before, err
	}
}

// patience is how long the client waits for an answer; zero for as long as it takes.
func (c *client) patience() time.Duration {
	if c.chance.IntN(3) > 0 {
		return 0
	}
	return time.Duration(1 + c.chance.Int64N(int64(400*time.Millisecond)))
}

// The group that everybody pays into.
const (
	group = "g"
	owner = "ada"
)

// draw is the client's n-th wish. Wallets are small, so some must be refused.
func (c *client) draw(n int) *wish {
	w := &wish{command: store.Command{
		ID: store.CommandID(c.name, "wish", fmt.Sprint(n)), Keyed: c.chance.IntN(5) > 0, Actor: c.name,
	}}
	user, sub := c.people[c.chance.IntN(len(c.people))], c.subs[c.chance.IntN(len(c.subs))]
	amount := money.Kobo(1 + c.chance.Int64N(int64(60*money.Naira)))
	switch c.chance.IntN(16) {
	case 0:
		w.command.Command = c.payment(fmt.Sprint(c.name, n/3), n%3)
	case 1:
		w.command.Command = savings.JoinGroup{GroupID: group, User: fmt.Sprint("guest", c.chance.IntN(6))}
	case 2:
		w.command.Command = savings.ApproveMember{GroupID: group, User: fmt.Sprint("guest", c.chance.IntN(6)), By: owner}
	case 3:
		w.command.Command, w.moves = c.bulk()
	case 4, 5, 6, 7, 8, 9:
		w.command.Command, w.moves = c.saving()
		w.command.Hash = store.Fingerprint(c.hand.id, n) // Some of these hold functions, which have no hash.
		return w
	default:
		w.command.Command, w.moves = pay(user, sub, amount), map[string]money.Kobo{posting.Wallet(user): -amount, posting.Pool(sub): amount}
		if w.bad = c.chance.IntN(20) == 0; w.bad {
			w.command.Correlation = unwritable
		}
	}
	w.command.Hash = store.Fingerprint(w.command.Command)
	return w
}

// payment starts a payment, has it pend, or confirms it.
func (c *client) payment(id string, step int) event.Command {
	user := c.people[len(id)%len(c.people)]
	amount := 100 * money.Naira
	switch step {
	case 0:
		return wallet.StartPayment{PaymentID: id, User: user, Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: collects(id), Amount: amount}
	case 1:
		return wallet.EndPayment{PaymentID: id, To: wallet.Pending}
	default:
		return dues.ContributeByPayment{Confirm: confirm(id, user, amount), Contribute: pay(user, c.subs[0], 70*money.Naira)}
	}
}

// bulk is some contributions that succeed or fail together.
func (c *client) bulk() (store.Bulk, map[string]money.Kobo) {
	var bulk store.Bulk
	moves := map[string]money.Kobo{}
	for range 2 + c.chance.IntN(3) {
		user, sub := c.people[c.chance.IntN(len(c.people))], c.subs[c.chance.IntN(len(c.subs))]
		amount := money.Kobo(1 + c.chance.Int64N(int64(30*money.Naira)))
		bulk = append(bulk, pay(user, sub, amount))
		moves[posting.Wallet(user)] -= amount
		moves[posting.Pool(sub)] += amount
	}
	return bulk, moves
}

func pay(user, sub string, amount money.Kobo) dues.Contribute {
	return dues.Contribute{GroupID: group, SubAccountID: sub, User: user, Amount: amount, Channel: nairav1.Channel_CHANNEL_WALLET, At: began}
}

func confirm(id, user string, amount money.Kobo) wallet.ConfirmPayment {
	return wallet.ConfirmPayment{PaymentID: id, User: user, Provider: collects(id), Gross: amount, ProviderRef: id, PaidAt: began}
}

// collects is the provider that collects a payment: one of the first two, or a further one.
func collects(id string) event.Provider {
	return []event.Provider{event.Vfd, event.Paystack, "further"}[id[len(id)-1]%3]
}

// began is a moment for commands that carry one.
var began = time.Date(2026, time.November, 15, 11, 0, 0, 0, time.UTC)

// slot is a process that appends; when it has crashed, another one starts in its place.
type slot struct {
	mu    sync.Mutex
	store *store.Store // Nil while it is down.
	life  *Process
}

func (s *slot) set(running *store.Store, life *Process) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.store, s.life = running, life
}

func (s *slot) get() (*store.Store, *Process) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.store, s.life
}

// errGone is the client's error when the process it asked has crashed.
var errGone = errors.New("sim: the connection was lost")

// ask sends a command to a process. If the process crashes on the way, its answer does not reach the client.
func (s *slot) ask(patience time.Duration, c store.Command) (store.Result, error) {
	running, life := s.get()
	if running == nil {
		return store.Result{}, fault.New(fault.Unavailable, "Nobody listens.")
	}
	ctx := context.Background()
	if patience > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, patience)
		defer cancel()
	}
	type answer struct {
		result store.Result
		err    error
	}
	answered := make(chan answer, 1)
	go func() {
		result, err := running.Append(ctx, c)
		answered <- answer{result, err}
	}()
	select {
	case <-life.crashed:
		return store.Result{}, errGone
	case a := <-answered:
		if life.alive() != nil {
			return store.Result{}, errGone
		}
		return a.result, a.err
	}
}
