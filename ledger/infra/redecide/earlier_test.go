package redecide_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/domain/draw"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/ledgertest"
)

// onClub are events of the club's own stream, by one command.
func onClub(messages ...proto.Message) (r ledgertest.Raw) {
	for _, m := range messages {
		r = append(r, event.On(ajo.Stream(club), m))
	}
	return r
}

func TestAVoteThatNamedItsOwnerBeforeItMightNotStaysAsItWasDecided(t *testing.T) {
	t.Parallel()
	people := []string{ledgertest.Saver(0), ledgertest.Saver(1), ledgertest.Saver(2)}
	made := func(id string, kind nairav1.AjoMotionKind) proto.Message {
		return &nairav1.AjoMotionMade{AjoId: club, MotionId: id, Kind: kind, UserId: people[0], MadeBy: people[2], Reason: "Because of it", Until: timestamppb.New(noon.AddDate(0, 0, 7))}
	}
	voted := func(id string, user int) proto.Message {
		return &nairav1.AjoMotionVoted{AjoId: club, MotionId: id, UserId: people[user], Agrees: true, Halves: 2}
	}
	w := ledgertest.Given(t, ledgertest.AjoBegun(noon))
	require.Equal(t, people[2], w.State(ajo.Stream(club)).(ajo.Ajo).Validator)
	w.And(
		ajo.Move{AjoID: club, MotionID: "t", By: people[0], Kind: nairav1.AjoMotionKind_AJO_MOTION_KIND_TERMINATE, Reason: "Because of it", Now: noon},
		ajo.VoteMotion(club, "t", people[1], true, noon),
	)
	ended, err := w.Do(ajopot.Terminate(club, "t", []int{1}, people))
	require.NoError(t, err)

	b := setup(t)
	b.do(ledgertest.AjoBegun(noon)...)
	b.do(onClub(made("p", nairav1.AjoMotionKind_AJO_MOTION_KIND_PAUSE), voted("p", 2)),
		onClub(voted("p", 1), &nairav1.AjoMotionEnded{AjoId: club, MotionId: "p", Carried: true}, &nairav1.AjoPaused{AjoId: club, FromCycle: 2}),
		onClub(made("t", nairav1.AjoMotionKind_AJO_MOTION_KIND_TERMINATE), voted("t", 2)), onClub(voted("t", 1)), ledgertest.Raw(ended))
	_, differs := b.again()
	require.Empty(t, differs)
}

// biddingClub is the club of three, whose turns are bid for, and somebody who may take a place of it.
func biddingClub() (past []any, taker string) {
	past, taker = nil, ledgertest.Saver(3)
	for _, c := range ledgertest.AjoSealed(noon, draw.Beacon{}, func(terms *nairav1.AjoTerms) { terms.Order = nairav1.AjoOrder_AJO_ORDER_BIDDING }) {
		past = append(past, c)
	}
	for n := range 3 {
		secret := ledgertest.PhoneSecret(ledgertest.Saver(n))
		past = append(past, ajo.RevealPhone(club, ledgertest.Saver(n), secret[:], noon))
	}
	return append(past, ajo.DrawPhones(club, noon), account.EndCheck(taker, "c", 0)), taker
}

func TestABidThatWasPassedOnBeforeItEndedStaysAsItWasDecided(t *testing.T) {
	t.Parallel()
	past, taker := biddingClub()
	w := ledgertest.Given(t, noon, past)
	a := w.State(ajo.Stream(club)).(ajo.Ajo)
	seat, salt, discount := a.Order[2], []byte("salt"), 200*money.Naira
	seller, hash := a.Seats[seat-1].Places[0].User, ajopot.BidHash(1, seat, discount, salt)
	due := a.Due(1).Add(9 * time.Hour)
	bids := []event.Command{ajopot.CommitBid(club, 1, seat, seller, hash[:], due), ajo.OpenPlace(club, seller, seat, due)}
	take := ajopot.TakePlace{
		AjoID: club, Seat: seat, From: seller, To: ajo.Joiner{User: taker, Invited: true, TermsHash: a.Seats[seat-1].Places[0].Terms}, Cycles: []int{1}, People: append(a.Members(), taker),
	}.Command()
	w.And(due, bids)
	taken, err := w.Do(take)
	require.NoError(t, err)
	without := slices.DeleteFunc(slices.Clone(taken), func(d event.Draft) bool { _, ends := d.Message.(*nairav1.AjoBidEnded); return ends })
	require.Len(t, without, len(taken)-1)

	b := setup(t)
	for _, c := range past {
		b.do(c.(event.Command))
	}
	b.from(due, bids...)
	b.from(due, ledgertest.Raw(without), ledgertest.Raw{event.On(ajopot.CycleStream(club, 1), &nairav1.AjoBidRevealed{
		AjoId: club, Cycle: 1, Seat: int32(seat), UserId: seller, DiscountKobo: int64(discount), Salt: salt,
	})})
	for _, other := range a.Order[:2] {
		user := a.Seats[other-1].Places[0].User
		b.from(due, ajopot.Pay{AjoID: club, Cycle: 1, Seat: other, User: user, By: user, Amount: hand, Channel: nairav1.Channel_CHANNEL_WALLET, At: due})
	}
	b.from(a.Deadline(1).AddDate(0, 0, 1), onClub(ajo.Turns(club, a.Sooner(seat), nairav1.AjoTurnReason_AJO_TURN_REASON_CHOSEN, "", seat), &nairav1.AjoCycleReady{
		AjoId: club, Cycle: 1, Seat: int32(seat), CollectedKobo: int64(2 * hand), NettedKobo: int64(hand), DiscountKobo: int64(discount),
	}))
	_, differs := b.again()
	require.Empty(t, differs)
}

func TestABidThatEndsWithItsPlaceIsDecidedAgain(t *testing.T) {
	t.Parallel()
	past, taker := biddingClub()
	b := setup(t)
	for _, c := range past {
		b.do(c.(event.Command))
	}
	state, err := b.store.Load(t.Context(), ajo.Stream(club))
	require.NoError(t, err)
	a := state.(ajo.Ajo)
	seller, hash, due := a.Seats[0].Places[0].User, ajopot.BidHash(1, 1, 0, nil), a.Due(1).Add(9*time.Hour)
	b.from(due, ajopot.CommitBid(club, 1, 1, seller, hash[:], due), ajo.OpenPlace(club, seller, 1, due), ajopot.TakePlace{
		AjoID: club, Seat: 1, From: seller, To: ajo.Joiner{User: taker, Invited: true, TermsHash: a.Seats[0].Places[0].Terms}, Cycles: []int{1}, People: append(a.Members(), taker),
	}.Command())
	result, differs := b.again()
	require.Empty(t, differs)
	require.NotContains(t, result.Taken, "naira.v1.AjoBidEnded")
	b.isFound("it comes behind another event", event.On(ajopot.CycleStream(club, 1), &nairav1.AjoBidEnded{AjoId: club, Cycle: 1, Seat: 1, UserId: seller}))
}

func TestWhatAFrozenAccountDecidedBeforeItMightNotStaysAsItWasDecided(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.do(account.EndCheck("femi", "c", 0), account.Freeze{User: "ada", HoldID: "h", Now: noon}, account.Freeze{User: "vera", HoldID: "i", Now: noon})
	b.do(
		ledgertest.Raw{event.On(savings.GroupStream("g"), &nairav1.GroupVisibilitySet{GroupId: "g", ShowTotalBalance: true, SetBy: "ada"})},
		ledgertest.Raw{event.On(savings.GroupStream("g"), &nairav1.OwnershipOffered{GroupId: "g", ToUserId: "femi", OfferedBy: "ada"})},
		ledgertest.Raw{event.On(savings.GroupStream("g"), &nairav1.OwnershipPassed{GroupId: "g", FromUserId: "ada", ToUserId: "femi"})},
		ledgertest.Raw{event.On(account.Stream("ada"), &nairav1.AccountClosed{UserId: "ada"})},
		ledgertest.Raw{event.On(dues.Stream("s", "ada"), &nairav1.ContributionCovered{
			GroupId: "g", SubAccountId: "s", UserId: "ada", PaidBy: "femi", AmountKobo: 100_00, MemberTotalKobo: 100_00, Settled: []*nairav1.Settlement{{Period: "2026-11-01", AmountKobo: 100_00}},
		})},
	)
	result, differs := b.again()
	require.Empty(t, differs)
	for _, typ := range []string{"GroupVisibilitySet", "OwnershipPassed", "ContributionCovered"} {
		require.NotContains(t, result.Taken, "naira.v1."+typ)
	}
	b.funded("more", noon, "vera")
	charges := payout.ChargesOn(100 * money.Naira)
	b.isFound("You froze your money", event.On(payout.Stream("w9"), &nairav1.WithdrawalRequestedV2{
		WithdrawalId: "w9", UserId: "vera", AmountKobo: 100_00, FeeKobo: int64(charges.Fee), VatKobo: int64(charges.VAT), DutyKobo: int64(charges.Duty),
		FeeTable: payout.FeeTable, Provider: string(event.Vfd),
	}))
}

// Earlier builds let a person without a verified BVN ask a group to pay, and took one approval where a second
// approver had an interest.
func TestARequestThatTooFewDecidedStaysAsItWasDecided(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.do(savings.JoinGroup{GroupID: "g", User: "kola"}, savings.ApproveMember{GroupID: "g", User: "kola", By: "ada"}, savings.AppointApprover{GroupID: "g", User: "kola", By: "ada"},
		account.EndCheck("kola", "c", 0))
	amount := 1000 * money.Naira
	charges := payout.ChargesOn(amount)
	b.from(later, ledgertest.Raw{
		event.On(liquidation.Stream("l"), &nairav1.LiquidationRequestedV2{
			LiquidationId: "l", GroupId: "g", SubAccountId: "s", RequestedBy: "femi", Kind: nairav1.LiquidationKind_LIQUIDATION_KIND_GROUP_DISBURSEMENT, AmountKobo: int64(amount),
			FeeKobo: int64(charges.Fee), VatKobo: int64(charges.VAT), DutyKobo: int64(charges.Duty), FeeTable: payout.FeeTable, Provider: string(event.Vfd), Reason: "A tent",
			ExpiresAt: timestamppb.New(later.Add(liquidation.Open)),
		}),
		event.On(liquidation.Stream("l"), &nairav1.LiquidationDecidersFixed{
			LiquidationId: "l", GroupId: "g", ValidatorIds: []string{"vera"}, ApproverIds: []string{"ada"}, ApprovalsNeeded: 1, PayableFrom: timestamppb.New(later.Add(24 * time.Hour)),
		}),
		event.On(savings.RequestsStream("g", "femi"), &nairav1.RequestsCounted{GroupId: "g", UserId: "femi", DisbursementId: "l"}),
	})
	_, differs := b.again()
	require.Empty(t, differs)
}

// Earlier builds let a person who had left a group take its case.
func TestACaseThatAFormerMemberTookStaysAsItWasDecided(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.do(savings.JoinGroup{GroupID: "g", User: "sade"}, savings.ApproveMember{GroupID: "g", User: "sade", By: "ada"})
	b.funded("saved", noon, "sade")
	b.do(contribute("sade", 5000*money.Naira), dues.LeaveGroup{GroupID: "g", User: "sade", Forfeit: true, SubAccounts: []string{"s"}, Now: noon},
		dispute.Claim{DisputeID: "d", User: "vera", Kind: nairav1.DisputeKind_DISPUTE_KIND_NOT_CREDITED, About: "x", Group: "g", Words: &nairav1.Words{PaperId: "w"}, Now: noon},
		ledgertest.Raw{event.On(dispute.Stream("d"), &nairav1.DisputeTaken{DisputeId: "d", UserId: "vera", StaffId: "sade"})})
	_, differs := b.again()
	require.Empty(t, differs)
}

func TestWhatWasAskedForByAnEarlierTableOfChargesKeepsThem(t *testing.T) {
	t.Parallel()
	b := setup(t)
	amount := 5_000 * money.Naira
	first := payout.ChargesBy(1, amount)
	require.NotEqual(t, payout.ChargesOn(amount), first)
	b.do(account.EndCheck("femi", "c", 0), payout.Request{
		WithdrawalID: "first", User: "femi", Amount: amount, Net: amount - first.Total(), FeeTable: 1, Provider: event.Vfd, Tiers: account.DefaultTiers, At: noon,
	})
	_, differs := b.again()
	require.Empty(t, differs)
}

func TestARequestThatWasApprovedAfterItsTimeStaysAsItWasDecided(t *testing.T) {
	t.Parallel()
	b := setup(t)
	kind, later := nairav1.LiquidationKind_LIQUIDATION_KIND_GROUP_DISBURSEMENT, noon.AddDate(0, 0, 4)
	of := liquidation.Of{LiquidationID: "l", GroupID: "g", SubAccountID: "s", RequestedBy: "ada", Kind: kind, Provider: event.Vfd}
	b.do(account.EndCheck("femi", "c", 0))
	b.from(later, liquidation.Request{
		LiquidationID: "l", GroupID: "g", SubAccountID: "s", User: "ada", Kind: kind, Amount: 1000_00, Net: 1000_00 - payout.ChargesOn(1000_00).Total(), Provider: event.Vfd,
		Reason: "A tent", Officers: savings.Officers{Users: []string{"vera", "femi", "ada"}}, At: later,
	}, liquidation.Approve(of, "vera"))
	over := later.Add(liquidation.Open)
	_, err := b.store.Append(t.Context(), store.Command{ID: uuid.New(), Actor: "t", EffectiveAt: over, Command: liquidation.InTime(of, over, liquidation.Approve(of, "femi"))})
	require.True(t, fault.Is(err, fault.Conflict), "%v", err)
	b.from(over, liquidation.Approve(of, "femi"))
	_, differs := b.again()
	require.Empty(t, differs)
}

// The first builds noted of no bank reference that its money was credited.
func TestAPaymentThatTheFirstBuildsConfirmedIsDecidedAgainAsTheyDid(t *testing.T) {
	t.Parallel()
	for first, differ := range map[bool]int{true: 0, false: 1} {
		b := setup(t)
		b.do(wallet.StartPayment{PaymentID: "p", User: "vera", Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: event.Vfd, Tariff: wallet.Free, Amount: 500 * money.Naira, ExpiresAt: noon.Add(time.Hour)})
		confirmed := &nairav1.PaymentConfirmedV2{
			PaymentId: "p", UserId: "vera", Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: string(event.Vfd), AmountKobo: 500_00, ProviderRef: "ref", PaidAt: timestamppb.New(noon),
		}
		b.do(ledgertest.Raw{event.On(wallet.Stream("p"), confirmed)})
		if first {
			body, err := proto.Marshal(&nairav1.PaymentConfirmed{
				PaymentId: "p", UserId: "vera", Channel: confirmed.GetChannel(), AmountKobo: 500_00, ProviderRef: "ref", PaidAt: confirmed.GetPaidAt(),
			})
			require.NoError(t, err)
			tx, err := b.pool.Begin(t.Context())
			require.NoError(t, err)
			_, err = tx.Exec(t.Context(), "SET LOCAL session_replication_role = replica")
			require.NoError(t, err)
			_, err = tx.Exec(t.Context(), "UPDATE events SET type = 'naira.v1.PaymentConfirmed', body = $1 WHERE stream = 'payment:p' AND type = 'naira.v1.PaymentConfirmedV2'", body)
			require.NoError(t, err)
			require.NoError(t, tx.Commit(t.Context()))
		}
		_, differs := b.again()
		require.Len(t, differs, differ, "%v", differs)
	}
}
