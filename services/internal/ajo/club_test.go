package ajo_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	rules "adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/usecase"
)

const (
	hand = 500 * money.Naira
	wal  = nairav1.Channel_CHANNEL_WALLET
)

// club is an ajo of four among a town's people, in the order owner, validator, approver, member; it started today.
type club struct {
	*apptest.Town
	id    string
	terms *nairav1.AjoTerms
	seats []usecase.Who
}

func (c *club) joiner(n int) rules.Joiner {
	hash := rules.TermsHash(c.terms)
	return rules.Joiner{User: c.seats[n].User, Halves: 2, Invited: true, Nonce: make([]byte, 16), TermsHash: hash[:]}
}

func founded(t *testing.T, past []rules.Past, change func(*nairav1.AjoTerms)) *club {
	t.Helper()
	w := apptest.Setup(t, true, false)
	c := &club{Town: w, id: uuid.NewString(), terms: rules.Usual(), seats: []usecase.Who{w.Owner, w.Validator, w.Approver, w.Member}}
	now := time.Now()
	c.terms.AmountKobo, c.terms.Seats, c.terms.StartMonth, c.terms.StartYear = int64(hand), 4, int32(now.Month()), int32(now.Year())
	c.terms.Order = nairav1.AjoOrder_AJO_ORDER_JOIN_ORDER
	if change != nil {
		change(c.terms)
	}
	for _, who := range c.seats {
		if state, err := w.App.Ledger.Load(context.Background(), account.Stream(who.User)); err != nil || state.(account.Account).Bvn != account.Verified {
			w.Gives(account.EndCheck(who.User, "check", 0))
		}
		w.Fund(who.User)
	}
	w.Gives(rules.Create{AjoID: c.id, Name: "Balogun", Terms: c.terms, Past: past, Owner: c.joiner(0), Now: now})
	return c
}

func (c *club) starts() *club {
	for n := range 3 {
		c.Gives(rules.Join{AjoID: c.id, Joiner: c.joiner(n + 1)})
	}
	for n := range 4 {
		if d := c.ajo().Deposit(c.seats[n].User); d > 0 {
			c.Gives(ajopot.PayDeposit{AjoID: c.id, User: c.seats[n].User, Amount: d, Channel: wal})
		}
	}
	c.Gives(rules.CloseList{AjoID: c.id, By: c.Owner.User, Members: c.ajo().Members(), Now: time.Now()})
	return c
}

func (c *club) ajo() rules.Ajo {
	c.Helper()
	state, err := c.App.Ledger.Load(context.Background(), rules.Stream(c.id))
	require.NoError(c, err)
	return state.(rules.Ajo)
}

func (c *club) sees(who usecase.Who) contract.Ajo {
	c.Helper()
	view, err := c.App.Ajo.View(context.Background(), who.User, c.id)
	require.NoError(c, err)
	return view
}

// pays pays the dues of the current cycle, except the collector's; the last of them makes the pot ready.
func (c *club) pays() {
	c.Helper()
	a := c.ajo()
	k := a.Current()
	for i, who := range c.seats {
		if seat := i + 1; a.Order[k-1] != seat {
			_, err := c.App.Ajo.Pay(context.Background(), who, c.id, contract.AjoPayRequest{What: "DUE", Amount: apptest.Naira(500), Cycle: &k, Seat: &seat, UserId: who.User})
			require.NoError(c, err)
		}
	}
	require.NoError(c, c.Engine.CatchUp(context.Background()))
}
