package ajo_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/cloudflare/circl/sign/bls"
	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajoaccess"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/domain/draw"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/posting"
)

const (
	phones = nairav1.AjoDrawSource_AJO_DRAW_SOURCE_PHONES
	wal    = nairav1.Channel_CHANNEL_WALLET
)

// start is a morning in Lagos.
var start = time.Date(2026, time.November, 3, 8, 0, 0, 0, time.UTC)

func id(n int) string { return fmt.Sprintf("01900000-0000-7000-8000-%012d", n) }

// person is the id of the n-th person.
func person(n int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", n) }

func verified(n int) event.Command { return account.EndCheck(person(n), "check", 0) }

func funded(n int, amount money.Kobo) event.Draft {
	return event.On("payment:of "+person(n), &nairav1.PaymentConfirmedV2{UserId: person(n), Provider: string(event.Vfd), AmountKobo: int64(amount)})
}

// salaried gives a person ajo access.
func salaried(n int, salary money.Kobo) []event.Command {
	review := ajoaccess.Review{Staff: "femi", User: person(n), AskID: "ask"}
	return []event.Command{
		ajoaccess.Ask{User: person(n), AskID: "ask", Adult: true, Salary: salary, BankStatement: true, OfferLetter: true}, ajoaccess.Grant{Review: review},
	}
}

// people are verified, with money.
func people(w *World, n int) {
	for i := range n {
		w.And(verified(i+1), funded(i+1, 1_000_000*money.Naira))
	}
}

// terms are usual ones, in the order of joining.
func terms(seats int, change ...func(*nairav1.AjoTerms)) *nairav1.AjoTerms {
	t := ajo.Usual()
	t.AmountKobo, t.Seats, t.StartMonth, t.StartYear = 8_000_00, int32(seats), 11, 2026
	t.Order, t.Draw = nairav1.AjoOrder_AJO_ORDER_JOIN_ORDER, phones
	for _, c := range change {
		c(t)
	}
	return t
}

var salt = bytes.Repeat([]byte{9}, draw.SaltBytes)

func secret(n int) [32]byte { return [32]byte([]byte(person(n))[4:36]) }

func joiner(t *nairav1.AjoTerms, ajoID string, n, halves int) ajo.Joiner {
	hash := ajo.TermsHash(t)
	nonce := []byte(person(n))[20:36]
	commitment, err := draw.CommitmentOfNonce(ajoID, [16]byte(nonce), secret(n))
	if err != nil {
		panic(err)
	}
	return ajo.Joiner{User: person(n), Halves: halves, Invited: true, Nonce: nonce, Commitment: commitment[:], Version: ajo.CommitmentOfNonce, TermsHash: hash[:]}
}

// earlier is somebody who joins with a page of an earlier build.
func earlier(j ajo.Joiner, ajoID string, n int) ajo.Joiner {
	commitment, err := draw.Commitment(ajoID, person(n), secret(n))
	if err != nil {
		panic(err)
	}
	j.Commitment, j.Version = commitment[:], 0
	return j
}

func create(t *nairav1.AjoTerms) ajo.Create {
	return ajo.Create{AjoID: id(1), Name: "Balogun ajo", Terms: t, Owner: joiner(t, id(1), 1, 2), Now: start}
}

func join(t *nairav1.AjoTerms, n, halves int) ajo.Join {
	return ajo.Join{AjoID: id(1), Joiner: joiner(t, id(1), n, halves)}
}

func state(w *World) ajo.Ajo { return w.State(ajo.Stream(id(1))).(ajo.Ajo) }

func closing(w *World) ajo.CloseList {
	return ajo.CloseList{AjoID: id(1), By: person(1), Members: state(w).Members(), Beacon: draw.Quicknet, Salt: salt, Now: start}
}

// listed is an ajo whose list holds so many, each with one hand.
func filled(t *testing.T, terms *nairav1.AjoTerms) *World {
	t.Helper()
	w := Given(t, start)
	people(w, int(terms.Seats))
	w.And(create(terms))
	for n := 2; n <= int(terms.Seats); n++ {
		w.And(join(terms, n, 2))
	}
	return w
}

// begun is one that runs, in the order of joining: seat 1, the owner's, collects last.
func begun(t *testing.T, terms *nairav1.AjoTerms) *World {
	t.Helper()
	w := filled(t, terms)
	for n := range int(terms.Seats) {
		if due := state(w).Deposit(person(n + 1)); due > 0 {
			w.And(ajopot.PayDeposit{AjoID: id(1), User: person(n + 1), Amount: due, Channel: wal})
		}
	}
	return w.And(closing(w))
}

func refused(t *testing.T, w *World, c event.Command, code fault.Code, sentence string) {
	t.Helper()
	require.Contains(t, w.When(c).ThenFault(code).Message, sentence)
}

func debts(w *World) ajopot.Debts { return w.State(ajo.DebtStream(id(1))).(ajopot.Debts) }

func all(w *World) []string {
	users := state(w).Members()
	for _, d := range debts(w).All {
		users = append(users, d.Creditor, d.Debtor)
	}
	return users
}

// pays pays a person's due of the current cycle.
func pays(w *World, n int, at time.Time) ajopot.Pay {
	a := state(w)
	return ajopot.Pay{
		AjoID: id(1), Cycle: a.Current(), Seat: a.SeatsOf(person(n))[0], User: person(n), By: person(n), Amount: 8_000_00, Channel: wal, At: at,
	}
}

// judged ends the days of grace of the current cycle, to which so many people have paid.
func judged(w *World, paid ...int) {
	a := state(w)
	k := a.Current()
	on := a.Due(k).Add(10 * time.Hour)
	w.And(on)
	for _, n := range paid {
		if a.Order[k-1] != a.SeatsOf(person(n))[0] {
			w.And(pays(w, n, on))
		}
	}
	w.And(ajopot.Judge{AjoID: id(1), Cycle: k, People: all(w), Now: a.Deadline(k).AddDate(0, 0, 1)})
}

// beacon is a chain whose key is here, and its signature of a round.
func beacon(t *testing.T) (draw.Beacon, func(uint64) []byte) {
	t.Helper()
	key, err := bls.KeyGen[bls.KeyG2SigG1]([]byte("thirty-two bytes of a test's key!"), nil, nil)
	require.NoError(t, err)
	public, err := key.PublicKey().MarshalBinary()
	require.NoError(t, err)
	b := draw.Beacon{Name: "test", PublicKey: public, Genesis: draw.Quicknet.Genesis, Period: 3, Test: true}
	b.Chain = b.ChainHash([32]byte{})
	return b, func(round uint64) []byte { return bls.Sign(key, draw.Message(round)) }
}

func wallet(w *World, n int) money.Kobo { return w.Balance(posting.Wallet(person(n))) }
