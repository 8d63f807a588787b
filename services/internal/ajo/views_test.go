package ajo_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/account"
	rules "adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/usecase"
)

func TestWhoPaidAllThatIsLeftIsNotAskedForItAgain(t *testing.T) {
	t.Parallel()
	c := founded(t, nil, nil).starts()
	c.pays()
	who := c.Validator // Seat 2 collects first.
	left := c.sees(who).Me.Prepay
	require.NotNil(t, left)
	require.Equal(t, "1500", left.String())
	seat := 2
	_, err := c.App.Ajo.Pay(context.Background(), who, c.id, contract.AjoPayRequest{What: "ALL", Amount: *left, Seat: &seat, UserId: who.User})
	require.NoError(t, err)
	after := c.sees(who).Me.Prepay
	if after != nil {
		require.Fail(t, "they paid all", "%s is still asked for", after)
	}
}

func TestADepositThatIsInIsNotDue(t *testing.T) {
	t.Parallel()
	c := founded(t, nil, func(terms *nairav1.AjoTerms) { terms.Deposits = 1 }).starts()
	me := c.sees(c.Member).Me
	require.Equal(t, "500", me.Deposited.String())
	require.Equal(t, "0", me.DepositDue.String())
}

func TestWhoLeftAndOwesNothingSeesTheAjoNoMore(t *testing.T) {
	t.Parallel()
	c := founded(t, nil, nil).starts()
	was, debts := c.Outsider.User, rules.DebtStream(c.id)
	c.Gives(ledgertest.Raw{
		event.On(debts, &nairav1.AjoDebtOpened{AjoId: c.id, DebtId: "1", Kind: nairav1.AjoDebtKind_AJO_DEBT_KIND_COVER, Cycle: 1, Seat: 4, DebtorId: was, CreditorId: c.Owner.User, AmountKobo: 100}),
		event.On(debts, &nairav1.AjoDebtForgiven{AjoId: c.id, DebtId: "1", DebtorId: was, CreditorId: c.Owner.User, AmountKobo: 100}),
	})
	_, err := c.App.Ajo.View(context.Background(), was, c.id)
	require.Error(t, err, "all that members have, owe and paid")
}

func TestWhoJoinsAnAjoThatRanBeforeReadsWhatIsToCome(t *testing.T) {
	t.Parallel()
	c := founded(t, []rules.Past{{Cycle: 1, Seat: 1, Paid: []int{1, 2, 3, 4}}, {Cycle: 2, Seat: 2, Paid: []int{1, 2, 3, 4}}}, nil)
	code := c.App.Ajo.InvitationCode(c.id)
	read, err := c.App.Ajo.Data(context.Background(), c.Outsider.User, c.id, &code)
	require.NoError(t, err)
	require.Equal(t, 3, read.Preview.Calendar[0].Cycle)
	require.Len(t, read.Preview.Calendar, 2)
	second := 2
	require.Equal(t, []contract.AjoFreeSeat{{Seat: 2, Halves: 2, CollectedIn: &second}, {Seat: 3, Halves: 2}, {Seat: 4, Halves: 2}}, read.FreeSeats, "those that have collected are marked")
}

func TestAnInvitationTellsNothingOfTheMoneyOfWhoLeaves(t *testing.T) {
	t.Parallel()
	c := founded(t, nil, func(terms *nairav1.AjoTerms) { terms.Deposits = 1 }).starts()
	c.Gives(rules.OpenPlace(c.id, c.Member.User, 4, time.Now()))
	code := c.App.Ajo.InvitationCode(c.id)
	read, err := c.App.Ajo.Data(context.Background(), "", c.id, &code) // A visitor who is not logged in.
	require.NoError(t, err)
	require.Len(t, read.OpenPlaces, 1)
	holder := read.OpenPlaces[0].Holders[0]
	require.NotEqual(t, "Member Person", holder.Name, "the owner is %q here", read.OwnerName)
	require.Equal(t, "0", holder.Deposited.String())
}

func TestWhatSomebodyOwesIsTheSameOnEveryPage(t *testing.T) {
	t.Parallel()
	c := founded(t, nil, nil).starts()
	c.Gives(ledgertest.Raw{event.On(rules.DebtStream(c.id), &nairav1.AjoDebtOpened{
		AjoId: c.id, DebtId: "1", Kind: nairav1.AjoDebtKind_AJO_DEBT_KIND_REFUND, Cycle: 1, Seat: 2, DebtorId: c.Member.User, CreditorId: c.Owner.User, AmountKobo: 40_000,
	})})
	dues, err := c.App.Ajo.Dues(context.Background(), c.Member.User)
	require.NoError(t, err)
	require.Equal(t, "400", dues.Owed.String())
	for _, m := range c.sees(c.Member).Members {
		if m.IsMe {
			require.Equal(t, dues.Owed.String(), m.Owes.String())
		}
	}
}

func TestWhoCollectsIsNotToldThatTheirDueIsLate(t *testing.T) {
	t.Parallel()
	c := founded(t, nil, nil).starts()
	late := c.App.At(c.ajo().Due(1).AddDate(0, 0, 2)).Ajo
	dues, err := late.Dues(context.Background(), c.Validator.User) // Seat 2 collects first.
	require.NoError(t, err)
	for _, d := range dues.Dues {
		require.NotEqual(t, contract.AjoDueLineStatus("GRACE"), d.Status, "of the pot of %s that is %s own", d.Collects, c.Validator.Email)
	}
}

func TestWhoPaysTheNextCycleDoesNotWaitForTheJob(t *testing.T) {
	t.Parallel()
	c := founded(t, nil, func(terms *nairav1.AjoTerms) { terms.Frequency = nairav1.PaymentFrequency_PAYMENT_FREQUENCY_WEEKLY }).starts()
	second, seat := 2, 4
	then := c.App.At(c.ajo().Due(2).Add(9 * time.Hour)).Ajo
	_, err := then.Pay(context.Background(), c.Member, c.id, contract.AjoPayRequest{What: "DUE", Amount: apptest.Naira(500), Cycle: &second, Seat: &seat, UserId: c.Member.User})
	require.NoError(t, err)
}

func TestTheEndOfAnAjoIsNotMovedAboutItsOwner(t *testing.T) {
	t.Parallel()
	c := founded(t, nil, func(terms *nairav1.AjoTerms) { terms.Seats = 2 })
	c.Gives(rules.Join{AjoID: c.id, Joiner: c.joiner(1)})
	c.Gives(rules.CloseList{AjoID: c.id, By: c.Owner.User, Members: c.ajo().Members(), Now: time.Now()})
	_, _, _ = c.App.Ajo.Move(context.Background(), c.Validator, c.id, contract.AjoMotionRequest{Kind: "TERMINATE", UserId: &c.Owner.User, Reason: "We move"})
	require.Equal(t, rules.Active, c.ajo().Status, "the owner did not vote")
}

func TestTheHalfOfWhoStaysIsNotOffered(t *testing.T) {
	t.Parallel()
	c := founded(t, nil, nil)
	stays, leaves := c.joiner(1), c.joiner(2)
	stays.Halves, leaves.Halves = 1, 1
	last := c.joiner(0)
	last.User = c.Outsider.User
	c.Gives(account.EndCheck(c.Outsider.User, "check", 0))
	c.Gives(rules.Join{AjoID: c.id, Joiner: stays}, rules.Join{AjoID: c.id, Joiner: leaves}, rules.Join{AjoID: c.id, Joiner: c.joiner(3)}, rules.Join{AjoID: c.id, Joiner: last})
	c.Gives(rules.CloseList{AjoID: c.id, By: c.Owner.User, Members: c.ajo().Members(), Now: time.Now()})
	c.Gives(rules.OpenPlace(c.id, c.Approver.User, 2, time.Now()))
	code := c.App.Ajo.InvitationCode(c.id)
	read, err := c.App.Ajo.Data(context.Background(), "", c.id, &code)
	require.NoError(t, err)
	require.Len(t, read.OpenPlaces, 1)
	require.Len(t, read.OpenPlaces[0].Holders, 1, "one of the two leaves")
}

func TestAnAjoThatAMemberLeftOrThatWasCancelledStaysInTheirList(t *testing.T) {
	t.Parallel()
	c, ctx := founded(t, nil, nil), context.Background()
	c.Gives(rules.Join{AjoID: c.id, Joiner: c.joiner(1)}, rules.Join{AjoID: c.id, Joiner: c.joiner(2)}, rules.Leave{AjoID: c.id, User: c.Validator.User, Now: time.Now()})
	c.Gives(rules.Cancel{AjoID: c.id, By: c.Owner.User, Members: c.ajo().Members(), Now: time.Now()})
	require.NoError(t, c.Engine.CatchUp(ctx))
	for _, who := range []string{c.Owner.User, c.Validator.User, c.Approver.User} {
		own, err := c.App.Ajo.Own(ctx, who)
		require.NoError(t, err)
		require.Len(t, own, 1)
		require.Equal(t, contract.AjoStatus("CANCELLED"), own[0].Status)
	}
}

// Excel shows Ṣẹ́gun correctly only because of this mark, by which it reads a table as UTF-8.
func TestAnAjosBookBeginsWithTheMarkOfItsLetters(t *testing.T) {
	t.Parallel()
	c := founded(t, nil, nil).starts()
	book, err := c.App.Ajo.Book(context.Background(), c.Member.User, c.id)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(book, usecase.ByteOrderMark+"Date,"), book)
}
