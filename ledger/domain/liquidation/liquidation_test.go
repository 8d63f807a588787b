package liquidation_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/posting"
)

const (
	bank       = nairav1.Channel_CHANNEL_BANK_TRANSFER
	withdrawal = nairav1.LiquidationKind_LIQUIDATION_KIND_MEMBER_WITHDRAWAL
	disburse   = nairav1.LiquidationKind_LIQUIDATION_KIND_GROUP_DISBURSEMENT
	pool, held = "pool:s", "held:pool:s"
)

// founded is a group of ada (the owner), bola and chi (approvers), vera (its validator), bisi and eve; bisi has saved
// ₦100,000 of the ₦150,000 in its sub-account s, and eve the rest.
func founded(shown bool, approvers ...string) []any {
	past := []any{
		Epoch.Add(-savings.CoolOff), // So that every office counts from the beginning.
		drafted("group:g", &nairav1.GroupCreated{GroupId: "g", OwnerId: "ada", MemberCapacity: 10, StartMonth: 11, StartYear: 2026, ShowTotalBalance: shown}),
		drafted("group:g", &nairav1.ValidatorAppointed{GroupId: "g", UserId: "vera"}),
		drafted("sub:s", &nairav1.SubAccountOpened{GroupId: "g", SubAccountId: "s", PaymentType: nairav1.PaymentType_PAYMENT_TYPE_FLEXIBLE, FirstDue: "2026-11-01", ShowTotalToMembers: true}),
	}
	for _, user := range []string{"ada", "bola", "chi", "vera", "bisi", "eve"} {
		past = append(past, drafted("member:g:"+user, &nairav1.MembershipApproved{GroupId: "g", UserId: user}))
	}
	for _, user := range approvers {
		past = append(past, drafted("group:g", &nairav1.ApproverAppointed{GroupId: "g", UserId: user}))
	}
	for _, user := range []string{"ada", "bola", "chi", "vera", "bisi", "eve"} {
		past = append(past, account.EndCheck(user, "c", nairav1.BvnFailure_BVN_FAILURE_UNSPECIFIED))
	}
	return append(past, drafted("group:g", &nairav1.GroupActivated{GroupId: "g"}), saves("bisi", 100_000), saves("eve", 50_000), Epoch)
}

// noticed is when the notice of what was asked for at Epoch is over.
var noticed = Epoch.Add(savings.DefaultNotice * time.Hour)

func sends(of liquidation.Of, reference string) event.Command {
	return liquidation.Send(of, reference, noticed)
}

func may(w *World, id, user string) []string {
	return liquidation.May(w.State(liquidation.Stream(id)).(liquidation.Liquidation), w.State("group:g").(savings.Group), w.State(savings.MemberStream("g", user)).(savings.Member), user, Epoch)
}

func drafted(stream string, m proto.Message) event.Draft {
	return event.Draft{Stream: stream, Message: m}
}

func saves(user string, naira money.Kobo) []any {
	return []any{
		drafted("payment:"+user, &nairav1.PaymentConfirmedV2{PaymentId: user, UserId: user, Channel: bank, Provider: string(event.Vfd), AmountKobo: int64(naira * money.Naira)}),
		drafted("dues:s:"+user, &nairav1.ContributionReceived{GroupId: "g", SubAccountId: "s", UserId: user, AmountKobo: int64(naira * money.Naira)}),
	}
}

func asks(id, user string, kind nairav1.LiquidationKind, naira money.Kobo) liquidation.Request {
	amount := naira * money.Naira
	return liquidation.Request{
		LiquidationID: id, GroupID: "g", SubAccountID: "s", User: user, Kind: kind, Amount: amount, Net: amount - payout.ChargesOn(amount).Total(),
		Provider: event.Vfd, Reason: "School fees", Officers: savings.Officers{Users: []string{"ada", "bola", "chi", "vera"}}, At: Epoch,
	}
}

func of(id, user string, kind nairav1.LiquidationKind) liquidation.Of {
	return liquidation.Of{LiquidationID: id, GroupID: "g", SubAccountID: "s", RequestedBy: user, Kind: kind, Provider: event.Vfd}
}

func refused(t *testing.T, w *World, c event.Command, code fault.Code, sentence string) {
	t.Helper()
	require.Contains(t, w.When(c).ThenFault(code).Message, sentence)
}

func stands(t T, w *World, id string) liquidation.Liquidation {
	t.Helper()
	return w.State(liquidation.Stream(id)).(liquidation.Liquidation)
}

func saved(w *World, user string) dues.State {
	return w.State(dues.Stream("s", user)).(dues.State)
}

func TestNothingIsAskedForWhereNobodyPaysOut(t *testing.T) {
	t.Parallel()
	c := asks("l", "bisi", withdrawal, 60_000)
	c.Provider = ""
	refused(t, Given(t, founded(false, "bola", "chi")...), c, fault.Conflict, "Nobody pays out just now")
}

func TestAMembersSavingsAreHeldValidatedApprovedTwiceAndPaid(t *testing.T) {
	t.Parallel()
	mine := of("l", "bisi", withdrawal)
	w := Given(t, founded(false, "bola", "chi"), asks("l", "bisi", withdrawal, 60_000))
	require.Equal(t, 90_000*money.Naira, w.Balance(pool))
	require.Equal(t, 60_000*money.Naira, w.Balance(held))
	require.Equal(t, 40_000*money.Naira, saved(w, "bisi").Savings())
	require.True(t, w.State(savings.RequestsStream("g", "bisi")).(savings.OpenRequests).Any())
	refused(t, w, asks("m", "bisi", withdrawal, 1_000), fault.Conflict, "open already")

	refused(t, w, liquidation.Approve(mine, "bola"), fault.Conflict, "waits for the validator")
	refused(t, w, liquidation.Approve(mine, "eve"), fault.Forbidden, "Only the group's validator")
	refused(t, w, liquidation.Approve(mine, "stranger"), fault.NotFound, "no such request")
	w.When(liquidation.Approve(mine, "vera")).Then(&nairav1.LiquidationValidated{LiquidationId: "l", GroupId: "g", ValidatedBy: "vera"})
	refused(t, w, liquidation.Approve(mine, "vera"), fault.Conflict, "validated this request already")
	w.When(liquidation.Approve(mine, "bola")).Then(&nairav1.LiquidationApproved{LiquidationId: "l", GroupId: "g", ApprovedBy: "bola", Approvals: 1, Needed: 2})
	refused(t, w, liquidation.Approve(mine, "bola"), fault.Conflict, "approved this request already")
	refused(t, w, liquidation.Reject(mine, "bola", "On second thought"), fault.Conflict, "approved this request already")
	refused(t, w, sends(mine, "r"), fault.Conflict, "waits to be approved")
	w.And(liquidation.Approve(mine, "ada"))
	refused(t, w, liquidation.Cancel(mine, "bisi"), fault.Conflict, "is approved")
	refused(t, w, liquidation.Reject(mine, "chi", "Too late"), fault.Conflict, "is approved")

	w.And(sends(mine, "r"))
	refused(t, w, sends(mine, "q"), fault.Conflict, "on its way")
	refused(t, w, liquidation.Pay(mine, "other", payout.Receipt{}), fault.Conflict, "cannot be paid")
	refused(t, w, liquidation.Expire(mine, Epoch.Add(liquidation.Open)), fault.Conflict, "cannot be expired")
	w.And(liquidation.Pay(mine, "r", payout.Receipt{Fee: 10 * money.Naira, ProviderRef: "s", PaidAt: Epoch}))
	net := 60_000*money.Naira - payout.ChargesOn(60_000*money.Naira).Total()
	require.Zero(t, w.Balance(held))
	require.Equal(t, -(150_000*money.Naira - net - 10*money.Naira), w.Balance(posting.Bank(event.Vfd)))
	require.Equal(t, 40_000*money.Naira, saved(w, "bisi").Savings())
	require.False(t, w.State(savings.RequestsStream("g", "bisi")).(savings.OpenRequests).Any())

	w.And(liquidation.Reverse(mine, "x", "The account is closed"))
	require.Equal(t, 150_000*money.Naira, w.Balance(pool), "the charges too")
	require.Equal(t, 100_000*money.Naira, saved(w, "bisi").Savings())
	require.Equal(t, liquidation.Reversed, stands(t, w, "l").Status)
}

func TestEveryWayItEndsUnpaidFreesWhatWasHeld(t *testing.T) {
	t.Parallel()
	mine := of("l", "bisi", withdrawal)
	approved := []any{liquidation.Approve(mine, "vera"), liquidation.Approve(mine, "bola"), liquidation.Approve(mine, "ada")}
	for status, how := range map[liquidation.Status][]any{
		liquidation.ValidationRejected: {liquidation.Reject(mine, "vera", "Not yet")},
		liquidation.ApprovalRejected:   {liquidation.Approve(mine, "vera"), liquidation.Approve(mine, "bola"), liquidation.Reject(mine, "ada", "Not yet")},
		liquidation.Cancelled:          {liquidation.Approve(mine, "vera"), liquidation.Cancel(mine, "bisi")},
		liquidation.Expired:            {liquidation.Expire(mine, Epoch.Add(liquidation.Open))},
		liquidation.Released:           {approved, liquidation.Fail(mine, "", "No such account"), liquidation.Release(mine, "chi", "They will ask again")},
	} {
		w := Given(t, founded(false, "bola", "chi"), asks("l", "bisi", withdrawal, 60_000), how)
		require.Equal(t, status, stands(t, w, "l").Status)
		require.Equal(t, 150_000*money.Naira, w.Balance(pool), status)
		require.Zero(t, w.Balance(held), status)
		require.Equal(t, 100_000*money.Naira, saved(w, "bisi").Savings(), status)
		for _, c := range []event.Command{liquidation.Approve(mine, "chi"), liquidation.Reject(mine, "chi", "Again"), liquidation.Cancel(mine, "bisi"), sends(mine, "z"), liquidation.Retry(mine, "chi")} {
			require.NotNil(t, fault.As(w.When(c).Err), status)
		}
		w.And(asks("m", "bisi", withdrawal, 100_000)) // Another may be asked for.
	}
}

func TestOnlyACertainFailureIsSentAnewUnderAnotherReference(t *testing.T) {
	t.Parallel()
	mine := of("l", "bisi", withdrawal)
	w := Given(t, founded(false, "bola", "chi"), asks("l", "bisi", withdrawal, 60_000), liquidation.Approve(mine, "vera"), liquidation.Approve(mine, "bola"), liquidation.Approve(mine, "ada"), sends(mine, "r1"))
	refused(t, w, liquidation.Retry(mine, "bola"), fault.Conflict, "on its way to the bank")
	refused(t, w, liquidation.Release(mine, "bola", "Enough"), fault.Conflict, "on its way to the bank")
	refused(t, w, liquidation.Fail(mine, "r0", "late"), fault.Conflict, "cannot be failed")
	w.And(liquidation.Fail(mine, "r1", "Declined"))
	require.Equal(t, 60_000*money.Naira, w.Balance(held), "it stays held")
	refused(t, w, liquidation.Retry(mine, "eve"), fault.Forbidden, "Only an approver")
	w.And(liquidation.Retry(mine, "bola"))
	refused(t, w, sends(mine, "r1"), fault.Conflict, "under this reference already")
	w.And(sends(mine, "r2"))
	refused(t, w, liquidation.Pay(mine, "r3", payout.Receipt{}), fault.Conflict, "cannot be paid")
	refused(t, w, liquidation.Fail(mine, "r1", "of the first"), fault.Conflict, "cannot be failed")
	w.And(liquidation.Fail(mine, "r2", "Declined"), liquidation.Retry(mine, "bola"))
	refused(t, w, sends(mine, "r1"), fault.Conflict, "under this reference already")
	w.And(sends(mine, "r3"), liquidation.Pay(mine, "r3", payout.Receipt{ProviderRef: "s", PaidAt: Epoch}))
	require.Equal(t, []string{"r1", "r2", "r3"}, stands(t, w, "l").References)
}

func TestWhatTheBankPaysAfterAllIsPaidOnceWhileItIsHeldAndNoLonger(t *testing.T) {
	t.Parallel()
	mine, receipt := of("l", "bisi", withdrawal), payout.Receipt{ProviderRef: "s", PaidAt: Epoch}
	approved := []any{founded(false, "bola", "chi"), asks("l", "bisi", withdrawal, 60_000), liquidation.Approve(mine, "vera"), liquidation.Approve(mine, "bola"), liquidation.Approve(mine, "ada")}
	unsent := Given(t, approved)
	refused(t, unsent, liquidation.Pay(mine, "", receipt), fault.Conflict, "is approved and is about to be paid")
	failed := []any{approved, sends(mine, "r1"), liquidation.Fail(mine, "r1", "The bank never received it.")}
	for name, then := range map[string][]any{"failed": nil, "to be sent anew": {liquidation.Retry(mine, "bola")}, "sent anew": {liquidation.Retry(mine, "bola"), sends(mine, "r2")}} {
		w := Given(t, failed, then)
		w.And(liquidation.Pay(mine, "r1", receipt))
		require.Zero(t, w.Balance(held), name)
		require.Equal(t, 40_000*money.Naira, saved(w, "bisi").Savings(), name)
		require.Equal(t, liquidation.Paid, stands(t, w, "l").Status, name)
		refused(t, w, liquidation.Pay(mine, "r1", receipt), fault.Conflict, "is paid")
		refused(t, w, sends(mine, "r3"), fault.Conflict, "is paid")
		refused(t, w, liquidation.Retry(mine, "bola"), fault.Conflict, "is paid")
		refused(t, w, liquidation.Release(mine, "bola", "Enough"), fault.Conflict, "is paid")
	}
	released := Given(t, failed, liquidation.Release(mine, "bola", "Enough"))
	refused(t, released, liquidation.Pay(mine, "r1", receipt), fault.Conflict, "was given up")
}

func TestTheValidatorsOwnRequestIsValidatedByAnApproverWhoThenDoesNotApprove(t *testing.T) {
	t.Parallel()
	mine := of("l", "vera", withdrawal)
	w := Given(t, founded(false, "bola"), saves("vera", 5_000), asks("l", "vera", withdrawal, 5_000))
	refused(t, w, liquidation.Approve(mine, "vera"), fault.Forbidden, "Nobody decides on their own")
	require.Equal(t, []string{"VALIDATE", "REJECT"}, may(w, "l", "ada"))
	w.And(liquidation.Approve(mine, "ada"))
	refused(t, w, liquidation.Approve(mine, "ada"), fault.Conflict, "Somebody else approves it")
	w.When(liquidation.Approve(mine, "bola")).Then(&nairav1.LiquidationApproved{LiquidationId: "l", GroupId: "g", ApprovedBy: "bola", Approvals: 1, Needed: 1})
	require.Equal(t, liquidation.Approved, stands(t, w, "l").Status)
}

func TestWhatComesBackToAGroupThatIsClosedIsStillItsMembers(t *testing.T) {
	t.Parallel()
	receipt := payout.Receipt{ProviderRef: "s", PaidAt: Epoch}
	paid := func(o liquidation.Of) []any {
		return []any{liquidation.Approve(o, "vera"), liquidation.Approve(o, "bola"), liquidation.Approve(o, "ada"), sends(o, o.LiquidationID), liquidation.Pay(o, o.LiquidationID, receipt)}
	}
	first, second, again := of("l", "bisi", withdrawal), of("m", "eve", disburse), of("n", "bisi", withdrawal)
	w := Given(t, founded(true, "bola", "chi"), asks("l", "bisi", withdrawal, 100_000), paid(first), asks("m", "eve", disburse, 50_000), paid(second))
	w.And(savings.CloseGroup{GroupID: "g", By: "ada", Reason: "It is done", SubAccounts: []string{"s"}})
	require.Equal(t, savings.Closed, w.State("group:g").(savings.Group).Status)
	refused(t, w, asks("n", "bisi", withdrawal, 1_000), fault.Insufficient, "₦0.00")
	w.And(liquidation.Reverse(first, "x", "The account is closed"), asks("n", "bisi", withdrawal, 100_000), paid(again))
	require.Zero(t, w.Balance(pool))
	require.Equal(t, liquidation.Paid, stands(t, w, "n").Status)
}

func TestARequestThatNobodyCouldDecideIsRefusedAtOnce(t *testing.T) {
	t.Parallel()
	alone := Given(t, founded(false))
	refused(t, alone, asks("l", "ada", disburse, 1_000), fault.Conflict, "Nobody else could approve this")
	refused(t, alone, asks("l", "vera", disburse, 1_000), fault.Conflict, "Nobody else could approve this") // ada would validate it.
	alone.And(asks("l", "bisi", withdrawal, 1_000))                                                         // One approval is enough where only one may give it.
	alone.And(liquidation.Approve(of("l", "bisi", withdrawal), "vera")).
		When(liquidation.Approve(of("l", "bisi", withdrawal), "ada")).Then(&nairav1.LiquidationApproved{LiquidationId: "l", GroupId: "g", ApprovedBy: "ada", Approvals: 1, Needed: 1})
}

func TestWhoMayAskAndForHowMuch(t *testing.T) {
	t.Parallel()
	w := Given(t, founded(false, "bola"), account.MoveBank("eve", true))
	wrong := asks("l", "bisi", withdrawal, 60_000)
	wrong.Net++
	short := asks("l", "bisi", withdrawal, 60_000)
	short.Reason = " "
	elsewhere := asks("l", "bisi", withdrawal, 60_000)
	elsewhere.GroupID = "h"
	for _, c := range []struct {
		command  liquidation.Request
		code     fault.Code
		sentence string
	}{
		{asks("l", "stranger", withdrawal, 1_000), fault.NotFound, "no such sub-account"},
		{elsewhere, fault.NotFound, "no such sub-account"},
		{asks("l", "bisi", disburse, 1_000), fault.Forbidden, "may see what this sub-account holds"},
		{asks("l", "bisi", withdrawal, 99), fault.Invalid, "₦100.00"},
		{asks("l", "bisi", withdrawal, 100_001), fault.Insufficient, "You have ₦100,000.00 here"},
		{asks("l", "eve", withdrawal, 1_000), fault.Conflict, "verify your BVN"},
		{asks("l", "ada", disburse, 150_001), fault.Insufficient, "₦150,000.00 of this sub-account is available"},
		{wrong, fault.Conflict, "arrives, not"},
		{short, fault.Invalid, "The reason needs 3 to 300 characters"},
	} {
		refused(t, w, c.command, c.code, c.sentence)
	}
	Given(t, founded(true, "bola"), asks("l", "bisi", disburse, 150_000)) // Members see the total.

	inactive := Given(t, founded(true, "bola"), drafted("member:g:bisi", &nairav1.MemberDeactivatedV2{GroupId: "g", UserId: "bisi"}))
	refused(t, inactive, asks("l", "bisi", disburse, 1_000), fault.Conflict, "your own savings only")
	inactive.And(asks("l", "bisi", withdrawal, 1_000))

	left := Given(t, founded(true, "bola"), asks("l", "bisi", withdrawal, 100_000), liquidation.Approve(of("l", "bisi", withdrawal), "vera"),
		liquidation.Approve(of("l", "bisi", withdrawal), "bola"), liquidation.Approve(of("l", "bisi", withdrawal), "ada"), sends(of("l", "bisi", withdrawal), "r"),
		liquidation.Pay(of("l", "bisi", withdrawal), "r", payout.Receipt{PaidAt: Epoch}),
		drafted("dues:s:bisi", &nairav1.SavingsClosed{GroupId: "g", SubAccountId: "s", UserId: "bisi"}), drafted("member:g:bisi", &nairav1.MemberExited{GroupId: "g", UserId: "bisi"}))
	refused(t, left, asks("m", "bisi", withdrawal, 100_000), fault.NotFound, "no such sub-account")
	left.And(liquidation.Reverse(of("l", "bisi", withdrawal), "x", "Closed"), asks("m", "bisi", withdrawal, 100_000)) // What came back is theirs still.
}

func TestASuspendedGroupPaysNothingOut(t *testing.T) {
	t.Parallel()
	mine := of("l", "bisi", withdrawal)
	suspended := drafted("group:g", &nairav1.GroupSuspended{GroupId: "g"})
	w := Given(t, founded(false, "bola"), asks("l", "bisi", withdrawal, 60_000), suspended)
	refused(t, w, asks("m", "ada", disburse, 1_000), fault.Conflict, "is suspended")
	refused(t, w, liquidation.Approve(mine, "vera"), fault.Conflict, "is suspended")
	w = Given(t, founded(false, "bola"), asks("l", "bisi", withdrawal, 60_000), liquidation.Approve(mine, "vera"), liquidation.Approve(mine, "bola"), liquidation.Approve(mine, "ada"), suspended)
	refused(t, w, sends(mine, "r"), fault.Conflict, "is suspended")
	w.And(drafted("group:g", &nairav1.GroupResumed{GroupId: "g"}), sends(mine, "r"))
}

func TestAskingTellsNothingOfAHiddenTotal(t *testing.T) {
	t.Parallel()
	asked := Given(t, founded(false, "bola", "chi"), asks("d", "ada", disburse, 140_000)) // ₦10,000 is left.
	mine := of("l", "bisi", withdrawal)
	for _, naira := range []money.Kobo{9_999, 10_000, 10_001, 100_000} {
		w := Given(t, founded(false, "bola", "chi"), asks("d", "ada", disburse, 140_000), asks("l", "bisi", withdrawal, naira))
		l := stands(t, w, "l")
		require.Equal(t, []any{liquidation.Requested, naira * money.Naira}, []any{l.Status, l.Amount}, "the same whatever there is")
		w.And(liquidation.Cancel(mine, "bisi"))
		require.Equal(t, 10_000*money.Naira, w.Balance(pool))
	}
	refused(t, asked, asks("m", "bola", disburse, 50_000), fault.Insufficient, "₦10,000.00 of this sub-account is available") // He sees it.

	w := asked.And(asks("l", "bisi", withdrawal, 50_000), liquidation.Approve(mine, "vera"), liquidation.Approve(mine, "bola"))
	require.Equal(t, 140_000*money.Naira, w.Balance(held), "nothing is held for it yet")
	refused(t, w, liquidation.Approve(mine, "chi"), fault.Insufficient, "The sub-account has ₦10,000.00")
	w.And(liquidation.Cancel(of("d", "ada", disburse), "ada"), liquidation.Approve(mine, "chi"))
	require.Equal(t, 50_000*money.Naira, w.Balance(held))
	w.And(sends(mine, "r"), liquidation.Pay(mine, "r", payout.Receipt{ProviderRef: "p", PaidAt: Epoch}))
	require.Zero(t, w.Balance(held))
}

func TestThatAMomentBeforeItsTimeItHasNotExpired(t *testing.T) {
	t.Parallel()
	w := Given(t, founded(false, "bola"), asks("l", "bisi", withdrawal, 60_000))
	refused(t, w, liquidation.Expire(of("l", "bisi", withdrawal), Epoch.Add(liquidation.Open-time.Second)), fault.Conflict, "not expired")
	stranger := of("l", "eve", withdrawal)
	refused(t, w, liquidation.Cancel(stranger, "eve"), fault.NotFound, "no such request")
	refused(t, w, liquidation.Cancel(of("l", "bisi", withdrawal), "ada"), fault.Forbidden, "Only who asked")
}
