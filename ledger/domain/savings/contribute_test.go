package savings_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/posting"
)

const (
	transfer = nairav1.Channel_CHANNEL_BANK_TRANSFER
	fromWal  = nairav1.Channel_CHANNEL_WALLET
	due      = 5_000 * money.Naira
)

// funded puts money into a wallet by transfer.
func funded(user string, amount money.Kobo) []any {
	id := fmt.Sprint("pay-", user, "-", int64(amount))
	return []any{
		wallet.StartPayment{PaymentID: id, User: user, Channel: transfer, Provider: event.Vfd, Amount: amount, ExpiresAt: Epoch.AddDate(9, 0, 0)},
		wallet.ConfirmPayment{PaymentID: id, User: user, Provider: event.Vfd, Gross: amount, ProviderRef: id, PaidAt: Epoch},
	}
}

func pays(user string, amount money.Kobo, month int, at time.Time) dues.Contribute {
	return dues.Contribute{GroupID: "g", SubAccountID: "s", User: user, Amount: amount, MonthID: month, Channel: fromWal, At: at}
}

// saving is the active group with a sub-account, and bisi with money for years.
func saving(t T, kind nairav1.PaymentType, rhythm nairav1.PaymentFrequency) *World {
	return Given(t, active, opens(kind, rhythm), funded("bisi", 4_900_000*money.Naira))
}

func settled(period string, amount money.Kobo, complete bool) *nairav1.Settlement {
	return &nairav1.Settlement{Period: period, AmountKobo: int64(amount), Complete: complete}
}

func received(amount, total money.Kobo, settled ...*nairav1.Settlement) *nairav1.ContributionReceived {
	return &nairav1.ContributionReceived{
		GroupId: "g", SubAccountId: "s", UserId: "bisi", AmountKobo: int64(amount), Channel: fromWal, Settled: settled, MemberTotalKobo: int64(total),
	}
}

func TestAMonthIsPaidFromTheWalletIntoThePool(t *testing.T) {
	t.Parallel()
	outcome := Given(t, active, opens(fixed, monthly), funded("bisi", 25_000*money.Naira)).When(pays("bisi", due, 11, Epoch))
	outcome.ThenBalance("wallet:bisi", 20_000*money.Naira).ThenBalance("pool:s", due)
	outcome.Then(received(due, due, settled("2026-11-01", due, true)))
}

func TestPaymentsSettleTheOldestDueFirstInPartsAndAcrossMonths(t *testing.T) {
	t.Parallel()
	january := time.Date(2027, time.January, 10, 9, 0, 0, 0, time.UTC)
	w := saving(t, fixed, monthly)
	w = w.When(pays("bisi", 2_000*money.Naira, 0, january)).Then(received(2_000*money.Naira, 2_000*money.Naira, settled("2026-11-01", 2_000*money.Naira, false)))
	w = w.When(pays("bisi", 9_000*money.Naira, 1, january)).Then(received(9_000*money.Naira, 11_000*money.Naira,
		settled("2026-11-01", 3_000*money.Naira, true), settled("2026-12-01", due, true), settled("2027-01-01", 1_000*money.Naira, false)))
	w.When(pays("bisi", 1, 0, january)).Then(received(1, 11_000*money.Naira+1, settled("2027-01-01", 1, false)))
}

func TestTwelveMonthsMayBePaidAheadAndNoMore(t *testing.T) {
	t.Parallel()
	saving(t, fixed, monthly).When(pays("bisi", 13*due+1, 0, Epoch)).ThenField("amount")
	w := saving(t, fixed, monthly).And(pays("bisi", 13*due, 0, Epoch))
	w.When(pays("bisi", 1, 0, Epoch)).ThenFault(fault.Conflict)
	w.When(pays("bisi", due, 0, Epoch.AddDate(0, 1, 0))).ThenBalance("pool:s", 14*due)
}

func TestAMonthPaidAlreadyIsRefusedNowAndAYearLater(t *testing.T) {
	t.Parallel()
	w := saving(t, fixed, monthly).And(pays("bisi", due, 11, Epoch))
	refusal := w.When(pays("bisi", due, 11, Epoch)).ThenFault(fault.Conflict)
	require.Contains(t, refusal.Message, "November 2026")
	w.When(pays("bisi", due, 11, Epoch.AddDate(0, 1, 0))).ThenFault(fault.Conflict)
	// Eleven months on, next November would be reached for over ten open months.
	refusal = w.When(pays("bisi", due, 11, Epoch.AddDate(0, 11, 0))).ThenFault(fault.Conflict)
	require.Contains(t, refusal.Message, "November 2026")
	w.And(pays("bisi", 11*due, 0, Epoch))
	// Once a year has gone round, November is due again.
	require.NoError(t, w.When(pays("bisi", due, 11, Epoch.AddDate(1, 0, 0))).Err)
	w.When(pays("bisi", due, 11, Epoch.AddDate(1, 0, 0))).ThenFault(fault.Conflict)
}

func TestAMonthMustBeOneThatIsOpen(t *testing.T) {
	t.Parallel()
	w := saving(t, oneOff, oneTime)
	w.When(pays("bisi", due, 12, Epoch)).ThenField("monthId")
	require.NoError(t, w.When(pays("bisi", due, 11, Epoch)).Err)
	Given(t, active, opens(fixed, quarterly), funded("bisi", 100_000*money.Naira)).When(pays("bisi", due, 12, Epoch)).ThenField("monthId")
}

func TestAFlexibleSubAccountTakesAnyAmountAnyTime(t *testing.T) {
	t.Parallel()
	w := saving(t, flexible, monthly)
	w = w.When(pays("bisi", 1, 0, Epoch)).Then(received(1, 1))
	w = w.When(pays("bisi", 123_456, 11, Epoch)).Then(received(123_456, 123_457))
	w.When(pays("bisi", 0, 0, Epoch)).ThenField("amount")
	w.When(pays("bisi", -5, 0, Epoch)).ThenField("amount")
	w.When(pays("bisi", savings.MaxContribution+1, 0, Epoch)).ThenField("amount")
}

func TestAOneOffIsPaidOnceInPartsIfNeedBe(t *testing.T) {
	t.Parallel()
	w := saving(t, oneOff, oneTime)
	w.When(pays("bisi", due+1, 0, Epoch)).ThenField("amount")
	w.And(pays("bisi", 1_000*money.Naira, 0, Epoch), pays("bisi", 4_000*money.Naira, 0, Epoch.AddDate(3, 0, 0)))
	refusal := w.When(pays("bisi", 1, 0, Epoch.AddDate(3, 0, 0))).ThenFault(fault.Conflict)
	require.Equal(t, "You have already paid everything that can be paid here. You have not been charged.", refusal.Message)
}

func TestWhoMayContributeAndWhen(t *testing.T) {
	t.Parallel()
	w := Given(t, found, joins("bisi"), joins("femi"), approves("ada", "femi"), empowers("ada", "femi"), verified, opens(fixed, monthly), funded("bisi", due), funded("eve", due))
	w.When(pays("eve", due, 0, Epoch)).ThenFault(fault.NotFound)
	w.When(pays("bisi", due, 0, Epoch)).ThenFault(fault.Conflict) // Waits to be approved.
	w.And(approves("ada", "bisi")).When(pays("bisi", due, 0, Epoch)).ThenFault(fault.Conflict)
	w.When(changed(pays("bisi", due, 0, Epoch), func(c *dues.Contribute) { c.SubAccountID = "other" })).ThenFault(fault.NotFound)
	w.When(changed(pays("bisi", due, 0, Epoch), func(c *dues.Contribute) { c.GroupID = "other" })).ThenFault(fault.NotFound)
	w.And(appoints("ada", "bisi")).When(pays("bisi", due, 0, Epoch)).ThenBalance("wallet:bisi", 0)
}

func TestAMemberPaysOnlyWhatTheWalletHolds(t *testing.T) {
	t.Parallel()
	w := Given(t, active, opens(flexible, monthly), funded("bisi", due))
	refusal := w.When(pays("bisi", due+1, 0, Epoch)).ThenFault(fault.Insufficient)
	require.Contains(t, refusal.Message, "Add at least ₦0.01", "says how much is missing")
	w.When(pays("bisi", due, 0, Epoch)).ThenBalance("wallet:bisi", 0)
	w.When(pays("chidi", 1, 0, Epoch)).ThenFault(fault.Insufficient)
}

func TestANewMemberOwesFromThePeriodTheyCameIn(t *testing.T) {
	t.Parallel()
	february := time.Date(2027, time.February, 20, 9, 0, 0, 0, time.UTC)
	w := Given(t, changed(found, func(c *savings.CreateGroup) { c.Capacity = 9 }), active[1:], opens(fixed, monthly),
		february, joins("dayo"), approves("ada", "dayo"), funded("dayo", 4_000_000*money.Naira))
	outcome := w.When(pays("dayo", due, 0, february))
	require.NoError(t, outcome.Err)
	require.Equal(t, "2027-02-01", outcome.Decided[0].Message.(*nairav1.ContributionReceived).GetSettled()[0].GetPeriod())
	w.When(pays("dayo", due, 1, february.AddDate(0, 0, 1))).ThenBalance("pool:s", 2*due) // January 2028, a year ahead at most.
}

// byCard is a payment of bisi's for the sub-account.
func byCard() (start wallet.StartPayment, whole dues.ContributeByPayment) {
	card := nairav1.Channel_CHANNEL_CARD
	start = wallet.StartPayment{
		PaymentID: "p", User: "bisi", Channel: card, Provider: event.Paystack, Tariff: wallet.CardTariff, Amount: due, ExpiresAt: Epoch.AddDate(0, 0, 1),
		For: &nairav1.ContributionPurpose{GroupId: "g", SubAccountId: "s", MonthId: 11},
	}
	whole = dues.ContributeByPayment{
		Confirm: wallet.ConfirmPayment{PaymentID: "p", User: "bisi", Provider: event.Paystack, Gross: due + 17_767, Fee: 17_767, ProviderRef: "ref", PaidAt: Epoch},
		Contribute: dues.Contribute{
			GroupID: "g", SubAccountID: "s", User: "bisi", Amount: due, MonthID: 11, Channel: card, PaymentID: "p", At: Epoch,
		},
	}
	return start, whole
}

func TestAPaymentForASubAccountGoesStraightThere(t *testing.T) {
	t.Parallel()
	start, whole := byCard()
	outcome := Given(t, active, opens(fixed, monthly), start).When(whole)
	outcome.ThenBalance("wallet:bisi", 0).ThenBalance("pool:s", due).ThenBalance(posting.Bank(event.Paystack), -due)
	require.Len(t, outcome.Decided, 3)
}

func TestWhenTheGroupRefusesByThenTheMoneyWaitsInTheWallet(t *testing.T) {
	t.Parallel()
	start, whole := byCard()
	w := Given(t, active, opens(fixed, monthly), funded("bisi", due), start, pays("bisi", due, 11, Epoch))
	outcome := w.When(whole)
	outcome.ThenBalance("wallet:bisi", due).ThenBalance("pool:s", due)
	require.Len(t, outcome.Decided, 3)
	refused := outcome.Decided[2].Message.(*nairav1.ContributionRefused)
	require.Equal(t, "You have already paid for November 2026.", refused.GetReason(), "and not that they were not charged")
	require.EqualValues(t, due, refused.GetAmountKobo())
	outcome.When(whole).ThenFault(fault.Conflict)
}

func TestAPaymentThatAThiefBeganPaysTheWalletAlone(t *testing.T) {
	t.Parallel()
	start, whole := byCard()
	given := event.On(account.Stream("bisi"), &nairav1.AccountGivenBackV2{
		UserId: "bisi", RemedyId: "r", Since: timestamppb.New(Epoch.Add(-time.Hour)), HeldUntil: timestamppb.New(Epoch.Add(time.Hour)),
	})
	w := Given(t, active, opens(fixed, monthly), start, Epoch.Add(time.Minute), given)
	outcome := w.When(whole)
	outcome.ThenBalance("wallet:bisi", due).ThenBalance("pool:s", 0)
	refused := outcome.Decided[len(outcome.Decided)-1].Message.(*nairav1.ContributionRefused)
	require.Equal(t, "Somebody else used your account when this payment was begun, so nothing is paid with it.", refused.GetReason())
	require.True(t, w.State("payment:p").(wallet.Payment).Refused)
}

func TestAProspectAsksAsIfTheMoneyWereThere(t *testing.T) {
	t.Parallel()
	w := Given(t, active, opens(fixed, monthly))
	require.NoError(t, prospect(w, pays("bisi", due, 11, Epoch)))
	require.NoError(t, prospect(w, pays("bisi", due, 6, Epoch)), "June is within a year")
	require.True(t, fault.Is(prospect(w, pays("bisi", 14*due, 0, Epoch)), fault.Invalid))
	require.True(t, fault.Is(prospect(w, pays("eve", due, 0, Epoch)), fault.NotFound))
}

func prospect(w *World, c dues.Contribute) error {
	_, err := dues.Prospect{Contribute: c}.Decide(w)
	return err
}

var _ event.View = (*World)(nil)

// One click is decided just before midnight in Lagos, the other a millisecond later, in whichever order they come.
func TestTwoClicksInOneMillisecondOnBothSidesOfMidnightPayADueOnce(t *testing.T) {
	t.Parallel()
	midnight := savings.Midnight(time.Date(2026, time.December, 1, 0, 0, 0, 0, time.UTC))
	for _, clicks := range [][2]time.Time{{midnight.Add(-500_000), midnight.Add(500_000)}, {midnight.Add(500_000), midnight.Add(-500_000)}} {
		w := saving(t, fixed, monthly).And(clicks[0], pays("bisi", due, 11, clicks[0]), clicks[1])
		refused(t, w, pays("bisi", due, 11, clicks[1]), fault.Conflict, "You have already paid for November")
		w.And(pays("bisi", due, 12, clicks[1]))
	}
}
