package ledgertest

import (
	"bytes"
	"fmt"
	"time"

	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajocard"
	"adashi.ng/ledger/domain/ajoconsent"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/domain/draw"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
)

// Hand is what a place of AjoLife pays to a cycle.
const Hand = 1000 * money.Naira

// Saver is the n-th of the three people of AjoLife, from 0.
func Saver(n int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", n+1) }

// Timed is a command with the time from which it counts.
type Timed struct {
	event.Command
	At time.Time
}

// timed adds commands that count from a moment.
func timed(all []event.Command, at time.Time, commands ...event.Command) []event.Command {
	for _, c := range commands {
		all = append(all, Timed{c, at})
	}
	return all
}

// AjoLife is the life of an ajo of three seats from now on: a full cycle that is approved, one that is short, of which
// a part is paid and the rest forgiven, and a last one whose seat freezes. Beside it another is drawn by phones, and
// two cards are filled, of which one is broken. Every command is Timed.
func AjoLife(now time.Time) []event.Command {
	const id, drawn, kept, broken = "01900000-0000-7000-8000-000000000001", "01900000-0000-7000-8000-000000000002",
		"01900000-0000-7000-8000-000000000003", "01900000-0000-7000-8000-000000000004"
	terms := ofThree(now)
	people := savers()
	first := ajo.FirstDue(terms, savings.Day(now)).Add(10 * time.Hour)
	due := func(cycle int) time.Time { return first.AddDate(0, 0, 7*(cycle-1)) }
	pays := func(n, cycle int) event.Command {
		return ajopot.Pay{
			AjoID: id, Cycle: cycle, Seat: n + 1, User: people[n], By: people[n], Amount: Hand, Channel: nairav1.Channel_CHANNEL_WALLET, At: due(cycle),
		}
	}
	fee, _ := ajo.Fee(terms, 3*Hand)
	out := timed(nil, now, funded(people, now)...)
	out = timed(out, now, listed(id, terms, people, draw.Quicknet, now)...)
	out = timed(out, now, ajoconsent.Set{AjoID: id, User: people[0], Dues: true, Sweep: true})
	out = timed(
		out, due(1), pays(0, 1), pays(2, 1), ajopot.Judge{AjoID: id, Cycle: 1, People: people, Now: due(1)},
		ajopot.RequestPayout(id, 1, people[1], nairav1.AjoDestination_AJO_DESTINATION_WALLET, 2*Hand-fee, people),
		ajopot.ApprovePayout(id, 1, people[0], people, due(1)), ajopot.ApprovePayout(id, 1, people[2], people, due(1)),
	)
	out = timed(out, due(1).AddDate(0, 0, 1), ajo.OpenPlace(id, people[0], 1, due(1).AddDate(0, 0, 1)))
	out = timed(out, due(2), pays(1, 2))
	out = timed(out, due(2).AddDate(0, 0, 6), ajopot.Judge{AjoID: id, Cycle: 2, People: people, Now: due(2).AddDate(0, 0, 6)})
	out = timed(
		out, due(9), ajopot.PaySilent(id, 2, people, due(9)),
		ajopot.PayDebt{AjoID: id, DebtID: "2.1.1.1", By: people[0], Creditor: people[2], Amount: Hand / 2, Key: "half"},
		ajopot.Forgive{AjoID: id, DebtID: "2.1.1.1", By: people[2]},
	)
	out = timed(out, due(3).AddDate(0, 0, 2), ajopot.Freeze(id, 1, []int{3}, people, due(3).AddDate(0, 0, 2)))
	terms.Order = nairav1.AjoOrder_AJO_ORDER_RANDOM
	out = timed(out, now, listed(drawn, terms, people, draw.Beacon{}, now)...)
	for _, user := range people {
		secret := PhoneSecret(user)
		out = timed(out, now, ajo.RevealPhone(drawn, user, secret[:], now))
	}
	out = timed(out, now, ajo.DrawPhones(drawn, now))
	for _, card := range []string{kept, broken} {
		out = timed(out, now, ajocard.OpenCard{
			CardID: card, User: people[2], Name: "School fees", Amount: Hand / 2, Frequency: nairav1.PaymentFrequency_PAYMENT_FREQUENCY_DAILY,
			Start: savings.Day(now), Now: now,
		}, ajocard.Fill{CardID: card, User: people[2], By: people[2], Boxes: 2, Channel: nairav1.Channel_CHANNEL_WALLET, At: now})
	}
	charge, _ := ajocard.Card{Amount: Hand / 2, Boxes: ajocard.DailyBoxes, Filled: 2, BreakCharge: ajocard.BreakCharge}.Charge()
	return timed(out, now, ajocard.End{CardID: broken, User: people[2], Break: true, Net: Hand - charge, Now: now})
}

// AjoBegun is an ajo of three seats that has started: its owner, who holds the first, collects last. Each has ₦10,000.
func AjoBegun(now time.Time) []event.Command {
	return append(funded(savers(), now), listed("01900000-0000-7000-8000-000000000001", ofThree(now), savers(), draw.Quicknet, now)...)
}

// AjoSealed is the ajo of AjoBegun whose order a chance sets, on terms that a test changes: its list is sealed.
func AjoSealed(now time.Time, beacon draw.Beacon, change func(*nairav1.AjoTerms)) []event.Command {
	terms := ofThree(now)
	terms.Order = nairav1.AjoOrder_AJO_ORDER_RANDOM
	change(terms)
	return append(funded(savers(), now), listed("01900000-0000-7000-8000-000000000001", terms, savers(), beacon, now)...)
}

// AjoPoor is an ajo of the same three people after AjoLife. Nobody pays into its first pot, and all of the second is
// set off against what its holder owes. Every command is Timed.
func AjoPoor(now time.Time) []event.Command {
	const id = "01900000-0000-7000-8000-000000000005"
	terms, people := ofThree(now), savers()
	first := ajo.FirstDue(terms, savings.Day(now)).Add(10 * time.Hour)
	late, judged := first.AddDate(0, 0, 60), first.AddDate(0, 0, 6)
	out := timed(nil, now, listed(id, terms, people, draw.Quicknet, now)...)
	out = timed(out, judged, ajopot.Judge{AjoID: id, Cycle: 1, People: people, Now: judged})
	out = timed(out, late, ajopot.PaySilent(id, 1, people, late))
	second := first.AddDate(0, 0, 7)
	out = timed(out, second, ajopot.Pay{AjoID: id, Cycle: 2, Seat: 1, User: people[0], By: people[0], Amount: Hand, Channel: nairav1.Channel_CHANNEL_WALLET, At: second})
	judged = first.AddDate(0, 0, 13)
	out = timed(out, judged, ajopot.Judge{AjoID: id, Cycle: 2, People: people, Now: judged})
	return timed(out, late, ajopot.PaySilent(id, 2, people, late))
}

func savers() []string { return []string{Saver(0), Saver(1), Saver(2)} }

// ofThree are a week's terms for three, in the order of joining: the owner's seat, the first, collects last.
func ofThree(now time.Time) *nairav1.AjoTerms {
	terms := ajo.Usual()
	terms.AmountKobo, terms.Seats, terms.StartMonth, terms.StartYear = int64(Hand), 3, int32(now.Month()), int32(now.Year())
	terms.Frequency, terms.Draw = nairav1.PaymentFrequency_PAYMENT_FREQUENCY_WEEKLY, nairav1.AjoDrawSource_AJO_DRAW_SOURCE_PHONES
	terms.Order = nairav1.AjoOrder_AJO_ORDER_JOIN_ORDER
	return terms
}

// funded gives people a verified BVN and money.
func funded(people []string, now time.Time) (out []event.Command) {
	for _, user := range people {
		id := "of " + user
		out = append(out, account.EndCheck(user, "check", 0),
			wallet.StartPayment{PaymentID: id, User: user, Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: event.Vfd, Tariff: wallet.Free, Amount: 10 * Hand, ExpiresAt: now.Add(time.Hour)},
			wallet.ConfirmPayment{PaymentID: id, User: user, Provider: event.Vfd, Gross: 10 * Hand, ProviderRef: id, PaidAt: now})
	}
	return out
}

// listed makes an ajo in which each of some people has a hand, and seals its list. Without a beacon phones draw alone.
func listed(id string, terms *nairav1.AjoTerms, people []string, beacon draw.Beacon, now time.Time) []event.Command {
	terms, hash := proto.CloneOf(terms), ajo.TermsHash(terms)
	joiner := func(user string) ajo.Joiner {
		nonce := []byte(user)[20:]
		commitment, err := draw.CommitmentOfNonce(id, [16]byte(nonce), PhoneSecret(user))
		if err != nil {
			panic(err) // Its id is good.
		}
		return ajo.Joiner{User: user, Halves: 2, Invited: true, Nonce: nonce, Commitment: commitment[:], Version: ajo.CommitmentOfNonce, TermsHash: hash[:]}
	}
	out := []event.Command{ajo.Create{AjoID: id, Name: "Balogun ajo", Terms: terms, Owner: joiner(people[0]), Now: now}}
	for _, user := range people[1:] {
		out = append(out, ajo.Join{AjoID: id, Joiner: joiner(user)})
	}
	return append(out, ajo.CloseList{AjoID: id, By: people[0], Members: people, Beacon: beacon, Salt: Salt(), Now: now})
}

// Salt is what a list is sealed with.
func Salt() []byte { return bytes.Repeat([]byte{7}, draw.SaltBytes) }

// PhoneSecret is what somebody's phone commits to.
func PhoneSecret(user string) (secret [32]byte) {
	copy(secret[:], user)
	return secret
}
