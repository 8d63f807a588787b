package ledgertest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
)

// T is what a World needs of a test: *testing.T, *testing.B and *rapid.T all have it.
type T interface {
	require.TestingT
	Helper()
}

// World is a ledger in memory: states and balances, folded and posted as the store does it.
type World struct {
	t        T
	folds    map[string]event.Aggregate
	states   map[string]any
	balances map[string]money.Kobo
	now      time.Time
	quick    bool
	Drafts   []event.Draft // All that happened, in order.
}

// Epoch is when a World begins: noon in Lagos on Sunday, 15 November 2026.
var Epoch = time.Date(2026, time.November, 15, 11, 0, 0, 0, time.UTC)

// Given makes a World with a past: commands that must succeed, events as event.Draft, and moments (time.Time) at
// which what follows takes effect.
//
//	Given(t, opened, paid(bisi)).When(Contribute{…}).ThenFault(fault.Conflict)
func Given(t T, past ...any) *World {
	t.Helper()
	w := &World{t: t, folds: map[string]event.Aggregate{}, states: map[string]any{}, balances: map[string]money.Kobo{}, now: Epoch}
	for _, a := range ledger.Aggregates() {
		w.folds[a.Category] = a
	}
	return w.And(past...)
}

// And goes on with the past.
func (w *World) And(past ...any) *World {
	w.t.Helper()
	for _, p := range past {
		switch p := p.(type) {
		case []any:
			w.And(p...)
		case []event.Command:
			for _, c := range p {
				w.And(c)
			}
		case time.Time:
			w.now = p
		case event.Draft:
			require.NoError(w.t, w.record([]event.Draft{p}, posted(p)))
		case event.Command:
			_, err := w.Do(p)
			require.NoError(w.t, err, "%T", p)
		default:
			require.Failf(w.t, "no past", "%T", p)
		}
	}
	return w
}

func posted(d event.Draft) (accounts []string) {
	for _, line := range posting.Lines(d.Message) {
		accounts = append(accounts, line.Account)
	}
	return accounts
}

// Do decides a command and records what it drafts. A refusal changes nothing.
func (w *World) Do(c event.Command) ([]event.Draft, error) {
	w.t.Helper()
	seen := sight{w, c.Streams(), c.Accounts()}
	before := w.told(seen)
	drafts, err := c.Decide(seen)
	if err == nil {
		for _, d := range drafts {
			holds(w.t, seen.streams, d.Stream, "%T writes to a stream that it does not name", c)
		}
		err = w.record(drafts, c.Accounts())
	}
	if err != nil {
		require.NotNil(w.t, fault.As(err), "%T: %v", c, err)
		require.Equal(w.t, before, w.told(seen), "a refused %T changed something", c)
		return nil, err
	}
	require.NotEmpty(w.t, drafts, "%T decided nothing and did not say why", c)
	return drafts, nil
}

// record posts drafts to balances, refusing what the store would, and folds them.
func (w *World) record(drafts []event.Draft, named []string) error {
	after := map[string]money.Kobo{}
	for _, d := range drafts {
		var sum money.Kobo
		for _, line := range posting.Lines(d.Message) {
			holds(w.t, named, line.Account, "%s posts to an account that its command does not name", event.TypeOf(d.Message))
			if _, ok := after[line.Account]; !ok {
				after[line.Account] = w.balances[line.Account]
			}
			after[line.Account] += line.Amount
			if line.Amount < 0 && after[line.Account] < 0 && posting.Floored(line.Account) {
				return fault.New(fault.Insufficient, "%s would fall to %s.", line.Account, after[line.Account])
			}
			require.False(w.t, posting.Capped(line.Account) && after[line.Account] > 0, "%s would rise to %s", line.Account, after[line.Account])
			sum += line.Amount
		}
		require.Zero(w.t, sum, "%s is out of balance", event.TypeOf(d.Message))
	}
	for account, balance := range after {
		w.balances[account] = balance
	}
	for _, d := range drafts {
		w.states[d.Stream] = w.fold(d.Stream).Evolve(w.state(d.Stream), event.Happened{Message: proto.Clone(d.Message), EffectiveAt: w.now, RecordedAt: w.now})
	}
	w.Drafts = append(w.Drafts, drafts...)
	return nil
}

func (w *World) fold(stream string) event.Aggregate {
	category, _, _ := strings.Cut(stream, ":")
	a, ok := w.folds[category]
	require.True(w.t, ok, "no aggregate folds %q", stream)
	return a
}

func (w *World) state(stream string) any {
	if state, ok := w.states[stream]; ok {
		return state
	}
	return w.fold(stream).Zero
}

// State is a stream's state, typed by the caller.
func (w *World) State(stream string) any { return w.state(stream) }

// Balance is an account's balance.
func (w *World) Balance(account string) money.Kobo { return w.balances[account] }

// Balances is every account that was ever posted to.
func (w *World) Balances() map[string]money.Kobo { return w.balances }

// String tells the whole world, for comparing.
func (w *World) String() string { return fmt.Sprintf("%v %v %d", w.states, w.balances, len(w.Drafts)) }

// sight is the world as a command may see it: only what it named.
type sight struct {
	*World
	streams, accounts []string
}

// Quick leaves out, from now on, to hold that a refusal changes nothing of what its command may see. It is for tests
// that live long.
func (w *World) Quick() *World {
	w.quick = true
	return w
}

func (w *World) told(seen sight) string {
	if w.quick {
		return ""
	}
	return seen.String()
}

// String tells all that a command may see, which is all that it could change.
func (s sight) String() string {
	var text strings.Builder
	fmt.Fprint(&text, len(s.Drafts))
	for _, stream := range s.streams {
		fmt.Fprintf(&text, " %v", s.state(stream))
	}
	for _, account := range s.accounts {
		fmt.Fprintf(&text, " %d", s.balances[account])
	}
	return text.String()
}

func (s sight) State(stream string) any {
	holds(s.t, s.streams, stream, "a command reads a stream that it does not name")
	return s.state(stream)
}

func (s sight) Balance(account string) money.Kobo {
	holds(s.t, s.accounts, account, "a command reads an account that it does not name")
	return s.balances[account]
}

// holds is require.Contains without reflection: lives of thousands of commands ask it millions of times.
func holds(t require.TestingT, names []string, name string, msgAndArgs ...any) {
	if !slices.Contains(names, name) {
		require.Contains(t, names, name, msgAndArgs...)
	}
}

// Outcome is what a command came to.
type Outcome struct {
	*World
	Decided []event.Draft
	Err     error
}

// When gives a command.
func (w *World) When(c event.Command) *Outcome {
	w.t.Helper()
	drafts, err := w.Do(c)
	return &Outcome{w, drafts, err}
}

// Then holds that exactly these events were decided, in this order.
func (o *Outcome) Then(want ...proto.Message) *World {
	o.t.Helper()
	require.NoError(o.t, o.Err)
	require.Len(o.t, o.Decided, len(want), "%v", o.Decided)
	for i, d := range o.Decided {
		require.True(o.t, proto.Equal(want[i], d.Message), "event %d\nwant %s %v\ngot  %s %v",
			i, event.TypeOf(want[i]), want[i], event.TypeOf(d.Message), d.Message)
	}
	return o.World
}

// ThenFault holds that the command was refused so. It answers the refusal.
func (o *Outcome) ThenFault(code fault.Code) *fault.Fault {
	o.t.Helper()
	f := fault.As(o.Err)
	require.NotNil(o.t, f, "not refused; decided %v", o.Decided)
	require.Equal(o.t, code, f.Code, f.Message)
	require.Regexp(o.t, `^\S.*[.?]( .*)?$`, f.Message, "a refusal is a sentence")
	return f
}

// ThenField holds that the command was refused as Invalid because of that field.
func (o *Outcome) ThenField(field string) {
	o.t.Helper()
	require.Equal(o.t, field, o.ThenFault(fault.Invalid).Field)
}

// ThenBalance holds that it went through and left an account so.
func (o *Outcome) ThenBalance(account string, want money.Kobo) *Outcome {
	o.t.Helper()
	require.NoError(o.t, o.Err)
	require.Equal(o.t, want.String(), o.balances[account].String(), account)
	return o
}

var _ T = testing.TB(nil)
