package payout_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"
	"pgregory.net/rapid"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/posting"
)

const (
	bank     = nairav1.Channel_CHANNEL_BANK_TRANSFER
	card     = nairav1.Channel_CHANNEL_CARD
	verified = nairav1.BvnFailure_BVN_FAILURE_UNSPECIFIED
)

// funded is bisi with money and a verified BVN.
func funded(amount money.Kobo) []any {
	return []any{
		event.Draft{Stream: "payment:p", Message: &nairav1.PaymentConfirmedV2{PaymentId: "p", UserId: "bisi", Channel: bank, Provider: string(event.Vfd), AmountKobo: int64(amount)}},
		account.EndCheck("bisi", "c", verified),
	}
}

func tier(t int) account.SetTier {
	return account.SetTier{Staff: "femi", User: "bisi", Case: "C-1", Tier: t}
}

func asks(id string, amount money.Kobo, at time.Time) payout.Request {
	return payout.Request{
		WithdrawalID: id, User: "bisi", Amount: amount, Net: amount - payout.ChargesOn(amount).Total(), Provider: event.Vfd, Tiers: account.DefaultTiers, At: at,
	}
}

func refused(t *testing.T, w *World, c event.Command, code fault.Code, sentence string) {
	t.Helper()
	_, err := w.Do(c)
	require.True(t, fault.Is(err, code), "%v", err)
	require.Contains(t, err.Error(), sentence)
}

func TestNothingIsSetAsideWhereNobodyPaysOut(t *testing.T) {
	t.Parallel()
	c := asks("w", 10_000*money.Naira, Epoch)
	c.Provider = ""
	refused(t, Given(t, funded(20_000*money.Naira)...), c, fault.Conflict, "Nobody pays out just now")
}

func TestAWithdrawalSetsAsidePaysOutAndPostsEveryCharge(t *testing.T) {
	t.Parallel()
	w := Given(t, funded(150_000*money.Naira), tier(2), asks("w", 120_000*money.Naira, Epoch))
	require.Equal(t, 30_000*money.Naira, w.Balance(posting.Wallet("bisi")))
	require.Equal(t, 120_000*money.Naira, w.Balance(posting.Held(posting.Wallet("bisi"))))
	refused(t, w, payout.Pay("w", "bisi", event.Vfd, payout.Receipt{}), fault.Conflict, "cannot be paid")
	w.And(payout.Send("w", "bisi", "ref", Epoch))
	refused(t, w, payout.Send("w", "bisi", "ref", Epoch), fault.Conflict, "cannot be sent")
	refused(t, w, payout.Pay("w", "eve", event.Vfd, payout.Receipt{}), fault.NotFound, "no such")
	refused(t, w, payout.Pay("w", "bisi", event.Paystack, payout.Receipt{}), fault.Conflict, "another account")
	refused(t, w, payout.Pay("w", "bisi", event.Vfd, payout.Receipt{Fee: 200_000 * money.Naira}), fault.Conflict, "names a fee")
	w.And(payout.Pay("w", "bisi", event.Vfd, payout.Receipt{Fee: 30 * money.Naira, ProviderRef: "s", PaidAt: Epoch}))
	require.Equal(t, map[string]money.Kobo{
		"wallet:bisi": 30_000 * money.Naira, "held:wallet:bisi": 0,
		posting.Bank(event.Vfd): -(150_000*money.Naira - 119_896_25 - 30*money.Naira),
		posting.FeesGateway:     -30 * money.Naira, posting.FeesCharged: 30 * money.Naira, posting.FeesVariance: 20 * money.Naira,
		posting.TaxVAT: 3_75, posting.TaxDuty: 50 * money.Naira,
	}, w.Balances())
	refused(t, w, payout.Fail("w", "bisi", "ref", "late"), fault.Conflict, "is paid and cannot be failed")
	w.And(payout.Reverse("w", "bisi", event.Vfd, "r", "The account is closed"))
	require.Equal(t, 150_000*money.Naira, w.Balance(posting.Wallet("bisi")), "the charges too")
	require.Zero(t, w.Balance(posting.TaxVAT))
	refused(t, w, payout.Reverse("w", "bisi", event.Vfd, "r", ""), fault.Conflict, "cannot be sent back")
}

func TestAFailedWithdrawalGivesEverythingBackTheDaysLimitToo(t *testing.T) {
	t.Parallel()
	w := Given(t, funded(60_000*money.Naira), asks("w", 50_000*money.Naira, Epoch))
	refused(t, w, asks("x", 1_000*money.Naira, Epoch), fault.Insufficient, "₦50,000.00 is used today, so you can still withdraw ₦0.00")
	w.And(payout.Send("w", "bisi", "ref", Epoch), payout.Fail("w", "bisi", "ref", "Declined"))
	require.Equal(t, 60_000*money.Naira, w.Balance(posting.Wallet("bisi")))
	require.Zero(t, w.Balance(posting.Held(posting.Wallet("bisi"))))
	refused(t, w, payout.Fail("w", "bisi", "ref", "again"), fault.Conflict, "is failed")
	w.And(asks("x", 50_000*money.Naira, Epoch))
	state := w.State(payout.Stream("w")).(payout.Withdrawal)
	require.Equal(t, "Declined", state.Reason)
	require.False(t, state.Open())
}

func TestAFailureOfAnotherDayLeavesTodaysLimitAlone(t *testing.T) {
	t.Parallel()
	tomorrow := Epoch.Add(24 * time.Hour)
	w := Given(t, funded(200_000*money.Naira), asks("w", 50_000*money.Naira, Epoch), tomorrow, asks("x", 50_000*money.Naira, tomorrow), payout.Fail("w", "bisi", "", "late"))
	refused(t, w, asks("y", 1_000*money.Naira, tomorrow), fault.Insufficient, "is used today")
}

func TestTheDayIsThatOfLagosAndNeverGoesBack(t *testing.T) {
	t.Parallel()
	lastMinute := time.Date(2026, 11, 15, 22, 59, 0, 0, time.UTC)
	w := Given(t, funded(200_000*money.Naira), asks("w", 50_000*money.Naira, lastMinute))
	refused(t, w, asks("x", 1_000*money.Naira, lastMinute.Add(50*time.Second)), fault.Insufficient, "used today")
	w.And(asks("x", 50_000*money.Naira, lastMinute.Add(time.Minute)))
	refused(t, w, asks("y", 1_000*money.Naira, lastMinute), fault.Insufficient, "used today") // From a clock that is behind.
	refused(t, w, asks("y", 1_000*money.Naira, lastMinute.Add(2*time.Minute)), fault.Insufficient, "used today")
}

func TestRefusalsNameWhatTheyAreAbout(t *testing.T) {
	t.Parallel()
	w := Given(t, funded(60_000*money.Naira))
	changed := asks("w", 20_000*money.Naira, Epoch)
	changed.Net++
	for _, c := range []struct {
		command  payout.Request
		code     fault.Code
		sentence string
	}{
		{asks("w", 99_99, Epoch), fault.Invalid, "smallest amount you can withdraw is ₦100.00"},
		{asks("w", money.Max+1, Epoch), fault.Invalid, "too large"},
		{changed, fault.Conflict, "you receive ₦19,923.12, not ₦19,923.13"},
		{asks("w", 60_000_01, Epoch), fault.Insufficient, "Your wallet holds ₦60,000.00 and this needs ₦60,000.01"},
		{asks("w", 50_000_01, Epoch), fault.Insufficient, "At tier 1 up to ₦50,000.00 may leave for your bank in a day"},
	} {
		refused(t, w, c.command, c.code, c.sentence)
	}
	w.And(asks("w", 50_000*money.Naira, Epoch))
	refused(t, w, asks("w", 50_000*money.Naira, Epoch), fault.Conflict, "already")
	refused(t, w, asks("x", 20_000*money.Naira, Epoch), fault.Insufficient, "₦50,000.00 of your wallet is set aside")
}

func TestOnlyAVerifiedOpenAccountWithdrawsAndItsTierDecidesHowMuch(t *testing.T) {
	t.Parallel()
	money0 := funded(9_000_000 * money.Naira)[:1]
	w := Given(t, money0)
	refused(t, w, asks("w", 1_000*money.Naira, Epoch), fault.Conflict, "verify your BVN")
	refused(t, w, tier(2), fault.Conflict, "not verified")
	w.And(account.EndCheck("bisi", "c", verified))
	refused(t, w, tier(4), fault.Invalid, "from 0 to 3")
	refused(t, w, account.SetTier{Staff: "bisi", User: "bisi", Case: "C", Tier: 3}, fault.Forbidden, "Nobody sets their own tier")
	for level, daily := range map[int]money.Kobo{0: 0, 2: 200_000 * money.Naira, 3: 5_000_000 * money.Naira} {
		w := Given(t, funded(9_000_000*money.Naira), tier(level))
		refused(t, w, tier(level), fault.Conflict, "already")
		refused(t, w, asks("w", daily+payout.MinWithdrawal, Epoch), fault.Insufficient, "may leave for your bank in a day")
		if daily > 0 {
			w.And(asks("w", daily, Epoch))
		}
		require.Equal(t, level, w.State(account.Stream("bisi")).(account.Account).Level())
		w.And(account.MoveBank("bisi", true))
		require.Zero(t, w.State(account.Stream("bisi")).(account.Account).Level())
	}
}

// Whatever is withdrawn, net, fee, tax and duty are the amount to the kobo, and every posting is in balance, which the
// World itself holds.
func TestAnyAmountIsAllAccountedFor(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		amount := money.Kobo(rapid.OneOf(
			rapid.Int64Range(int64(payout.MinWithdrawal), 10_000_000_00), rapid.Int64Range(4_999_90, 5_000_10), rapid.Int64Range(9_999_90, 10_000_10), rapid.Int64Range(49_999_90, 50_000_10),
		).Draw(t, "amount"))
		took := money.Kobo(rapid.Int64Range(0, 60_00).Draw(t, "the gateway's fee"))
		tiers := account.DefaultTiers
		tiers[1].Daily = money.Max
		ask := asks("w", amount, Epoch)
		ask.Tiers = tiers
		w := Given(t, funded(amount), ask, payout.Send("w", "bisi", "r", Epoch))
		state := w.State(payout.Stream("w")).(payout.Withdrawal)
		require.Equal(t, amount, state.Net()+state.Fee+state.VAT+state.Duty)
		require.Positive(t, state.Net())
		if rapid.Bool().Draw(t, "fails") {
			w.And(payout.Fail("w", "bisi", "r", "no"))
			require.Equal(t, amount, w.Balance("wallet:bisi"))
		} else {
			w.And(payout.Pay("w", "bisi", event.Vfd, payout.Receipt{Fee: min(took, state.Net()), ProviderRef: "s", PaidAt: Epoch}))
			require.Equal(t, -(amount - state.Net() - min(took, state.Net())), w.Balance(posting.Bank(event.Vfd)), "the net and the gateway's fee left the bank")
			require.Zero(t, w.Balance("wallet:bisi"))
			if rapid.Bool().Draw(t, "sent back") {
				w.And(payout.Reverse("w", "bisi", event.Vfd, "r", "x"))
				require.Equal(t, amount, w.Balance("wallet:bisi"))
			}
		}
		require.Zero(t, w.Balance("held:wallet:bisi"))
		var sum money.Kobo
		for _, balance := range w.Balances() {
			sum += balance
		}
		require.Zero(t, sum)
	})
}

func TestTheBanksTimeIsKept(t *testing.T) {
	t.Parallel()
	at := Epoch.Add(time.Hour)
	w := Given(t, funded(1_000*money.Naira), asks("w", 1_000*money.Naira, Epoch), payout.Send("w", "bisi", "r", Epoch))
	drafts, err := w.Do(payout.Pay("w", "bisi", event.Vfd, payout.Receipt{ProviderRef: "s", PaidAt: at}))
	require.NoError(t, err)
	require.Equal(t, timestamppb.New(at), drafts[0].Message.(*nairav1.WithdrawalPaidV2).GetPaidAt())
	require.Equal(t, at, w.State(payout.Stream("w")).(payout.Withdrawal).PaidAt)
}

func TestAFailureOfWhatWasNotSentDoesNotFailWhatWasSentSince(t *testing.T) {
	t.Parallel()
	w := Given(t, funded(5_000*money.Naira), asks("w", 1_000*money.Naira, Epoch))
	unsent := payout.Fail("w", "bisi", "", "No such account")
	refused(t, w, payout.Fail("w", "bisi", "ref", "Declined"), fault.Conflict, "is requested")
	require.NoError(t, Given(t, funded(5_000*money.Naira), asks("w", 1_000*money.Naira, Epoch)).When(unsent).Err)
	w.And(payout.Send("w", "bisi", "ref", Epoch))
	refused(t, w, unsent, fault.Conflict, "is on its way")
	refused(t, w, payout.Fail("w", "bisi", "another", "Declined"), fault.Conflict, "is on its way")
	w.And(payout.Pay("w", "bisi", event.Vfd, payout.Receipt{ProviderRef: "s", PaidAt: Epoch}))
}

func TestWhatComesBackToAClosedAccountWaitsInSuspense(t *testing.T) {
	t.Parallel()
	w := Given(t, funded(1_000*money.Naira), asks("w", 1_000*money.Naira, Epoch), payout.Send("w", "bisi", "ref", Epoch),
		payout.Pay("w", "bisi", event.Vfd, payout.Receipt{ProviderRef: "s", PaidAt: Epoch}), account.Close{User: "bisi"})
	back := w.When(payout.Reverse("w", "bisi", event.Vfd, "s", "The account is closed"))
	back.ThenBalance(posting.Wallet("bisi"), 0).ThenBalance(posting.Unmatched, 1_000*money.Naira)
	ref := "return of w"
	w.When(wallet.ProposeUnmatched{ProviderRef: ref, Provider: event.Vfd, User: "bisi", By: "femi", Reason: "It is hers"}).ThenFault(fault.Conflict)
	w.And(wallet.ProposeUnmatched{ProviderRef: ref, Provider: event.Vfd, User: "bisi2", By: "femi", Reason: "Her new account"})
	w.When(wallet.DecideUnmatched{ProviderRef: ref, Provider: event.Vfd, User: "bisi2", By: "sade", Approve: true}).ThenBalance(posting.Wallet("bisi2"), 1_000*money.Naira)
}
