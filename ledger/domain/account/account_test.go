package account_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/posting"
)

const (
	matched  = nairav1.BvnFailure_BVN_FAILURE_UNSPECIFIED
	mismatch = nairav1.BvnFailure_BVN_FAILURE_MISMATCH
)

func refused(t *testing.T, w *World, c event.Command, code fault.Code, sentence string) {
	t.Helper()
	_, err := w.Do(c)
	require.True(t, fault.Is(err, code), "%v", err)
	require.Contains(t, err.Error(), sentence)
}

func TestACheckOfABvnEndsOnceAndAFailedOneMayBeTriedAgain(t *testing.T) {
	t.Parallel()
	w := Given(t, account.EndCheck("ada", "c1", mismatch))
	refused(t, w, account.EndCheck("ada", "c1", matched), fault.Conflict, "ended already")
	w.And(account.EndCheck("ada", "c2", matched))
	require.Equal(t, account.Verified, w.State(account.Stream("ada")).(account.Account).Bvn)
	refused(t, w, account.EndCheck("ada", "c3", mismatch), fault.Conflict, "verified already")
}

func TestAMatchIsUndoneByAnotherBankAccount(t *testing.T) {
	t.Parallel()
	moved := &nairav1.SecurityAlertRaised{UserId: "ada", Kind: nairav1.SecurityAlert_SECURITY_ALERT_BANK_ACCOUNT_CHANGED}
	w := Given(t)
	w.When(account.MoveBank("ada", true)).Then(moved)
	w.And(account.EndCheck("ada", "c1", matched))
	w.When(account.MoveBank("ada", false)).Then(moved)
	w.When(account.MoveBank("ada", true)).Then(moved, &nairav1.BvnMatchUndone{UserId: "ada"})
	require.True(t, w.State(account.Stream("ada")).(account.Account).Known, "it was verified once")
	require.Equal(t, account.Unchecked, w.State(account.Stream("ada")).(account.Account).Bvn)
	w.And(account.EndCheck("ada", "c2", matched))
}

func TestAnAccountWithMoneyIsNotClosed(t *testing.T) {
	t.Parallel()
	paid := event.Draft{Stream: "payment:p", Message: &nairav1.PaymentConfirmedV2{
		PaymentId: "p", UserId: "ada", Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: string(event.Vfd), AmountKobo: 5_000_00,
	}}
	held := event.Draft{Stream: "hold:h", Message: &nairav1.HoldPlaced{HoldId: "h", Account: posting.Wallet("ada"), AmountKobo: 5_000_00}}
	gone := event.Draft{Stream: "hold:h", Message: &nairav1.HoldCaptured{HoldId: "h", Account: posting.Wallet("ada"), ToAccount: posting.Bank(event.Vfd), AmountKobo: 5_000_00}}
	w := Given(t, paid)
	refused(t, w, account.Close{User: "ada"}, fault.Conflict, "still has ₦5,000.00")
	w.And(held)
	refused(t, w, account.Close{User: "ada"}, fault.Conflict, "is set aside")
	w.And(gone, account.Close{User: "ada"})
	refused(t, w, account.Close{User: "ada"}, fault.Conflict, "closed")
	refused(t, w, account.EndCheck("ada", "c", matched), fault.Conflict, "closed")
	refused(t, w, account.Alert("ada", nairav1.SecurityAlert_SECURITY_ALERT_NEW_DEVICE), fault.Conflict, "closed")
	refused(t, w, account.Consent("ada", "r"), fault.Conflict, "closed")
}

func TestAGuardianConsentsOnce(t *testing.T) {
	t.Parallel()
	w := Given(t, account.Consent("bisi", "r"))
	require.True(t, w.State(account.Stream("bisi")).(account.Account).Consented)
	refused(t, w, account.Consent("bisi", "r"), fault.Conflict, "already")
}

func TestAlertsAndActsOfStaffSayWhatTheyAre(t *testing.T) {
	t.Parallel()
	w := Given(t, account.Alert("ada", nairav1.SecurityAlert_SECURITY_ALERT_PASSWORD_CHANGED))
	require.Equal(t, 1, w.State(account.Stream("ada")).(account.Account).Alerts)
	refused(t, w, account.Alert("ada", 0), fault.Invalid, "no such alert")
	w.When(account.PasswordTried("ada")).Then(&nairav1.PasswordTried{UserId: "ada"})
	act := account.Act{Staff: "sam", Action: nairav1.StaffAction_STAFF_ACTION_READ_ACCOUNT, Subject: "ada", Case: "C-1"}
	w.And(act)
	require.Equal(t, 1, w.State(account.StaffStream("sam")).(account.Conduct).Acts)
	act.Case = ""
	refused(t, w, act, fault.Invalid, "case")
	refused(t, w, account.Act{Staff: "sam", Case: "C-1"}, fault.Invalid, "what is to be done")
}
