package sim

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/domain/draw"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/posting"
)

// Each client has an ajo of three seats. Clients with an even number create it during the run; the others' are already
// running.
const (
	handAmount = 500 * money.Naira
	savers     = 5 // Each of them is in three ajo at most.
)

func saver(n int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", n%savers) }

// hand is the ajo of a client.
type hand struct {
	id    string
	users []string // By seat; the first is the owner.
	drawn bool     // By phones; otherwise its order is that of joining.
	step  int
}

func newHand(n int) *hand {
	return &hand{
		id:    fmt.Sprintf("01900000-0000-7000-8000-%012d", n),
		users: []string{saver(n), saver(n + 1), saver(n + 2)}, drawn: n%4 >= 2,
	}
}

func (h *hand) terms() *nairav1.AjoTerms {
	t := ajo.Usual()
	t.AmountKobo, t.Seats, t.StartMonth, t.StartYear = int64(handAmount), 3, int32(began.Month()), int32(began.Year())
	t.Frequency = nairav1.PaymentFrequency_PAYMENT_FREQUENCY_WEEKLY
	t.Order, t.Draw = nairav1.AjoOrder_AJO_ORDER_JOIN_ORDER, nairav1.AjoDrawSource_AJO_DRAW_SOURCE_PHONES
	if h.drawn {
		t.Order = nairav1.AjoOrder_AJO_ORDER_RANDOM
	}
	return t
}

func (h *hand) joiner(user string) ajo.Joiner {
	hash := ajo.TermsHash(h.terms())
	nonce := []byte(user)[20:]
	commitment, err := draw.CommitmentOfNonce(h.id, [16]byte(nonce), secretOf(user))
	if err != nil {
		panic(err) // Its id is good.
	}
	return ajo.Joiner{User: user, Halves: 2, Invited: true, Nonce: nonce, Commitment: commitment[:], Version: ajo.CommitmentOfNonce, TermsHash: hash[:]}
}

func secretOf(user string) (secret [32]byte) {
	copy(secret[:], user)
	return secret
}

// found makes the ajo and fills its list; seal seals the list, and order sets the order if it is drawn.
func (h *hand) found() store.Bulk {
	return store.Bulk{
		ajo.Create{AjoID: h.id, Name: "Balogun ajo", Terms: h.terms(), Owner: h.joiner(h.users[0]), Now: began},
		ajo.Join{AjoID: h.id, Joiner: h.joiner(h.users[1])},
		ajo.Join{AjoID: h.id, Joiner: h.joiner(h.users[2])},
	}
}

func (h *hand) seal() event.Command {
	return ajo.CloseList{AjoID: h.id, By: h.users[0], Members: h.users, Salt: bytes.Repeat([]byte{7}, draw.SaltBytes), Now: began}
}

func (h *hand) order() store.Bulk {
	var bulk store.Bulk
	for _, user := range h.users {
		secret := secretOf(user)
		bulk = append(bulk, ajo.RevealPhone(h.id, user, secret[:], began))
	}
	return append(bulk, ajo.DrawPhones(h.id, began))
}

// founding are the commands that give the savers money and start the ajo that run from the beginning.
func founding(clients []*client) []event.Command {
	var commands []event.Command
	for n := range savers {
		id := fmt.Sprint("saving", n)
		commands = append(commands, account.EndCheck(saver(n), "bvn", 0),
			wallet.StartPayment{PaymentID: id, User: saver(n), Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: collects(id), Amount: 5 * handAmount},
			confirm(id, saver(n), 5*handAmount))
	}
	for n, c := range clients {
		if n%2 == 0 {
			continue
		}
		if commands = append(commands, c.hand.found(), c.hand.seal()); c.hand.drawn {
			commands = append(commands, c.hand.order())
		}
		c.hand.step = len(script) - living
	}
	return commands
}

// script is what a client does with its ajo, one step for each wish. The last `living` steps come after the ajo's
// start. Many of these are refused, since the person who pays, asks or approves is drawn at random.
var script = []func(*client, *hand) (event.Command, map[string]money.Kobo){
	func(_ *client, h *hand) (event.Command, map[string]money.Kobo) { return h.found(), nil },
	func(_ *client, h *hand) (event.Command, map[string]money.Kobo) { return h.seal(), nil },
	func(_ *client, h *hand) (event.Command, map[string]money.Kobo) { return h.order(), nil },
	due(1), due(1), judge(1), payout(1), due(2), leave, judge(2), payout(2), freeze,
}

const living = 9

// saving is the next step of the client's ajo, or once in a while another one.
func (c *client) saving() (event.Command, map[string]money.Kobo) {
	at := min(c.hand.step, len(script)-1)
	if c.chance.IntN(5) == 0 {
		at = c.chance.IntN(len(script))
	} else {
		c.hand.step++
	}
	return script[at](c, c.hand)
}

// in is a moment at which a cycle is paid; the order was set when everything began.
func in(cycle int) time.Time { return began.AddDate(0, 0, 1+7*cycle) }

// over is a moment at which a cycle's days of grace are over.
func over(cycle int) time.Time { return in(cycle).AddDate(0, 0, 7) }

// due pays the due of somebody in a cycle, once in a while with another's money.
func due(cycle int) func(*client, *hand) (event.Command, map[string]money.Kobo) {
	return func(c *client, h *hand) (event.Command, map[string]money.Kobo) {
		seat := c.chance.IntN(len(h.users))
		user := h.users[seat]
		by := user
		if c.chance.IntN(6) == 0 {
			by = h.users[c.chance.IntN(len(h.users))]
		}
		pay := ajopot.Pay{
			AjoID: h.id, Cycle: cycle, Seat: seat + 1, User: user, By: by, Amount: handAmount, Channel: nairav1.Channel_CHANNEL_WALLET,
			DebtID: fmt.Sprint("cover ", h.step), Ready: c.chance.IntN(2) == 0, At: in(cycle),
		}
		return pay, map[string]money.Kobo{posting.Wallet(by): -handAmount, posting.Pot(h.id, cycle): handAmount}
	}
}

// judge makes a pot ready, when its full sum is there or when grace is over: missing dues become debts.
func judge(cycle int) func(*client, *hand) (event.Command, map[string]money.Kobo) {
	return func(_ *client, h *hand) (event.Command, map[string]money.Kobo) {
		return ajopot.Judge{AjoID: h.id, Cycle: cycle, People: h.users, Now: over(cycle)}, nil
	}
}

// payout asks for a pot of one due and has it approved at once, or pays it because nobody decided.
func payout(cycle int) func(*client, *hand) (event.Command, map[string]money.Kobo) {
	return func(c *client, h *hand) (event.Command, map[string]money.Kobo) {
		if c.chance.IntN(3) == 0 {
			return ajopot.PaySilent(h.id, cycle, h.users, over(cycle).AddDate(0, 1, 0)), nil
		}
		asks, in := h.users[c.chance.IntN(len(h.users))], money.Kobo(1+c.chance.IntN(2))*handAmount
		fee, _ := ajo.Fee(h.terms(), in+handAmount)
		bulk := store.Bulk{ajopot.RequestPayout(h.id, cycle, asks, nairav1.AjoDestination_AJO_DESTINATION_WALLET, in-fee, h.users)}
		for _, user := range h.users {
			if user != asks {
				bulk = append(bulk, ajopot.ApprovePayout(h.id, cycle, user, h.users, over(cycle)))
			}
		}
		return bulk, nil
	}
}

// leave gives up a place, and freeze ends the search for a member to take it.
func leave(c *client, h *hand) (event.Command, map[string]money.Kobo) {
	seat := c.chance.IntN(len(h.users))
	return ajo.OpenPlace(h.id, h.users[seat], seat+1, in(1)), nil
}

func freeze(c *client, h *hand) (event.Command, map[string]money.Kobo) {
	return ajopot.Freeze(h.id, 1+c.chance.IntN(len(h.users)), []int{1, 2, 3}, h.users, over(2)), nil
}

// checkAjos compares the pots and the turns of every ajo with its streams.
func (w *world) checkAjos(records []event.Record) error {
	states := map[string]any{}
	for i := range records {
		for _, of := range []event.Aggregate{ajo.Ajos, ajopot.Cycles} {
			if !strings.HasPrefix(records[i].Stream, of.Category+":") {
				continue
			}
			message, err := records[i].Message()
			if err != nil {
				return err
			}
			state, known := states[records[i].Stream]
			if !known {
				state = of.Zero
			}
			state = of.Evolve(state, event.Happened{Message: message, EffectiveAt: records[i].EffectiveAt, RecordedAt: records[i].RecordedAt})
			if a, is := state.(ajo.Ajo); is && len(a.Order) > 0 && !slices.Equal(slices.Sorted(slices.Values(a.Order)), []int{1, 2, 3}) {
				return fmt.Errorf("position %d leaves the order %v", records[i].Pos, a.Order)
			}
			states[records[i].Stream] = state
		}
	}
	for _, c := range w.clients {
		for k := range c.hand.users {
			cycle, _ := states[ajopot.CycleStream(c.hand.id, k+1)].(ajopot.Cycle)
			var sum money.Kobo
			for _, p := range cycle.Payments {
				sum += p.Amount
			}
			if cycle.PaidOut {
				sum = 0
			}
			if pot := w.disk.balances[posting.Pot(c.hand.id, k+1)]; pot != sum {
				return fmt.Errorf("the pot of cycle %d of the ajo %s holds %d and should hold %d", k+1, c.hand.id, pot, sum)
			}
		}
	}
	return nil
}
