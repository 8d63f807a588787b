package store_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/posting"
)

const rounds = 1000

// raced gives commands at the same time to two processes in turn, and answers which succeeded.
func (b *bench) raced(stores []*store.Store, commands ...event.Command) []bool {
	b.Helper()
	went := make([]bool, len(commands))
	var start, over sync.WaitGroup
	start.Add(1)
	for n, c := range commands {
		over.Go(func() {
			start.Wait()
			_, err := stores[n%len(stores)].Append(context.Background(), command(uuid.New(), c))
			if err != nil && fault.As(err) == nil {
				b.Errorf("%T: %v", c, err)
			}
			went[n] = err == nil
		})
	}
	start.Done()
	over.Wait()
	return went
}

// arena is a group on a real Postgres, with two processes to decide.
func arena(t *testing.T, members ...string) (*bench, []*store.Store) {
	t.Helper()
	b := setup(t)
	b.group(members...)
	return b, []*store.Store{b.store, b.open()}
}

// rounded runs rounds of a race, some at a time: each has people of its own.
func rounded(run func(n int)) {
	const together = 20
	turns := make(chan int)
	var running sync.WaitGroup
	for range together {
		running.Go(func() {
			for n := range turns {
				run(n)
			}
		})
	}
	for n := range rounds {
		turns <- n
	}
	close(turns)
	running.Wait()
}

func (b *bench) member(user string) savings.Member {
	b.Helper()
	state, err := b.store.Load(context.Background(), savings.MemberStream("g", user))
	require.NoError(b, err)
	return state.(savings.Member)
}

func TestApproveAgainstRejectHasOneOutcome(t *testing.T) {
	t.Parallel()
	b, stores := arena(t, "bisi", "femi")
	approved, rejected := make([]bool, rounds), make([]bool, rounds)
	rounded(func(n int) {
		user := fmt.Sprint("u", n)
		b.raced(stores[:1], savings.JoinGroup{GroupID: "g", User: user})
		went := b.raced(stores, savings.ApproveMember{GroupID: "g", User: user, By: "ada"}, savings.RejectMember{GroupID: "g", User: user, By: "femi"})
		approved[n], rejected[n] = went[0], went[1]
		if rejected[n] { // The seats last for all rounds.
			return
		}
		b.raced(stores[:1], dues.LeaveGroup{GroupID: "g", User: user, SubAccounts: []string{"sub"}})
	})
	both := map[[2]bool]int{}
	for n := range rounds {
		both[[2]bool{approved[n], rejected[n]}]++
		require.NotEqual(t, approved[n], rejected[n], "round %d", n)
	}
	t.Log(both)
	require.NotZero(t, both[[2]bool{true, false}], "nobody was ever approved first")
	require.NotZero(t, both[[2]bool{false, true}], "nobody was ever rejected first")
	state, err := b.store.Load(context.Background(), savings.GroupStream("g"))
	require.NoError(t, err)
	require.Equal(t, 3, state.(savings.Group).Seats, "every seat is free again")
	b.sound()
}

func TestTenJoinsForTheLastSeatFillItOnce(t *testing.T) {
	t.Parallel()
	b, stores := arena(t, "bisi", "femi")
	rounded(func(n int) {
		id := fmt.Sprint("group", n)
		b.raced(stores[:1], savings.CreateGroup{GroupID: id, Owner: "ada", Name: "One seat left", Amount: 5000 * money.Naira, Capacity: 3, StartMonth: 1, Now: time.Now()})
		b.raced(stores[:1], savings.JoinGroup{GroupID: id, User: "bisi"})
		joins := make([]event.Command, 10)
		for k := range joins {
			joins[k] = savings.JoinGroup{GroupID: id, User: fmt.Sprint("u", k)}
		}
		in := 0
		for _, went := range b.raced(stores, joins...) {
			if went {
				in++
			}
		}
		if in != 1 {
			b.Errorf("%d took the last seat of %s", in, id)
		}
	})
	b.sound()
}

func TestDeactivationAgainstPaymentLeavesNothingPaidAfterIt(t *testing.T) {
	t.Parallel()
	b, stores := arena(t, "bisi", "femi")
	paid, paidAfter := 0, make([]bool, rounds)
	var lock sync.Mutex
	rounded(func(n int) {
		user := fmt.Sprint("u", n)
		b.raced(stores[:1], savings.JoinGroup{GroupID: "g", User: user})
		b.raced(stores[:1], savings.ApproveMember{GroupID: "g", User: user, By: "ada"})
		b.fund(user, 100*money.Naira)
		went := b.raced(stores, savings.DeactivateMember{GroupID: "g", User: user, By: "femi"}, contribute(user, 10*money.Naira))
		if !went[0] {
			b.Errorf("round %d: not deactivated", n)
		}
		lock.Lock()
		if went[1] {
			paid++
		}
		lock.Unlock()
		_, err := stores[n%2].Append(context.Background(), command(uuid.New(), contribute(user, money.Naira)))
		paidAfter[n] = err == nil
	})
	for n := range rounds {
		require.False(t, paidAfter[n], "round %d", n)
		require.Equal(t, savings.Inactive, b.member(fmt.Sprint("u", n)).Status)
	}
	t.Logf("paid first in %d of %d rounds", paid, rounds)
	require.NotZero(t, paid)
	require.Less(t, paid, rounds)
	// An inactive member's payment never comes after their deactivation.
	var late int
	require.NoError(t, b.pool.QueryRow(context.Background(), `SELECT count(*) FROM events c JOIN events d ON d.stream = 'member:g:' || split_part(c.stream, ':', 3)
		WHERE c.type = 'naira.v1.ContributionReceived' AND d.type = 'naira.v1.MemberDeactivated' AND c.pos > d.pos`).Scan(&late))
	require.Zero(t, late)
	b.sound()
}

func TestTheLastApprovalAgainstARejectionFreesOrPaysOnce(t *testing.T) {
	t.Parallel()
	b, stores := arena(t, "bisi", "femi", "hadi")
	for _, c := range []event.Command{
		savings.AppointApprover{GroupID: "g", User: "hadi", By: "ada"},
		savings.ShowGroupTotal{GroupID: "g", By: "ada", Show: true},
		savings.ShowSubAccountTotal{GroupID: "g", SubAccountID: "sub", By: "ada", Show: true},
		account.EndCheck("bisi", "c", 0), account.EndCheck("femi", "c", 0), account.EndCheck("hadi", "c", 0),
	} {
		b.do(c)
	}
	const each = 100 * money.Naira
	b.fund("femi", rounds*each)
	b.do(contribute("femi", rounds*each))
	approved := make([]bool, rounds)
	rounded(func(n int) {
		user, id := fmt.Sprint("u", n), fmt.Sprint("l", n)
		of := liquidation.Of{
			LiquidationID: id, GroupID: "g", SubAccountID: "sub", RequestedBy: user,
			Kind: nairav1.LiquidationKind_LIQUIDATION_KIND_GROUP_DISBURSEMENT, Provider: event.Vfd,
		}
		for _, c := range []event.Command{
			account.EndCheck(user, "c", 0),
			savings.JoinGroup{GroupID: "g", User: user},
			savings.ApproveMember{GroupID: "g", User: user, By: "ada"},
			liquidation.Request{
				LiquidationID: id, GroupID: "g", SubAccountID: "sub", User: user, Kind: of.Kind, Amount: each, Net: each - payout.ChargesOn(each).Total(),
				Provider: of.Provider, Reason: "Chairs", Officers: savings.Officers{Users: []string{"ada", "bisi", "femi", "hadi"}}, At: time.Now().Add(savings.CoolOff),
			},
			liquidation.Approve(of, "bisi"), liquidation.Approve(of, "ada"),
		} {
			if !b.raced(stores[:1], c)[0] {
				b.Errorf("round %d: %T was refused", n, c)
			}
		}
		went := b.raced(stores, liquidation.Approve(of, "femi"), liquidation.Reject(of, "hadi", "We have chairs"))
		if approved[n] = went[0]; went[0] == went[1] {
			b.Errorf("round %d: approved %t, rejected %t", n, went[0], went[1])
		}
	})
	held := money.Kobo(0)
	for _, ok := range approved {
		if ok {
			held += each
		}
	}
	require.NotZero(t, held, "nothing was ever approved first")
	require.Less(t, held, rounds*each, "nothing was ever rejected first")
	require.Equal(t, held, b.balance(posting.Held(posting.Pool("sub"))), "what was rejected is free, the rest is held")
	b.sound()
}
