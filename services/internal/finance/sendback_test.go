package finance_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/posting"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/banks"
	"adashi.ng/services/internal/rails/sandbox"
	"adashi.ng/services/internal/usecase"
	"adashi.ng/services/internal/vault"
)

// asksBanks asks the sandbox for an account's holder.
type asksBanks struct{ w *apptest.Town }

func (a asksBanks) Payee(context.Context, string) (vault.Payee, error) {
	return vault.Payee{}, errors.New("nobody withdraws here")
}

func (a asksBanks) PayeeAt(ctx context.Context, code, number string) (vault.Payee, error) {
	bank, _ := banks.New().Find(code)
	payer, err := rails.As[rails.Payer](a.w.App.Payouts.Rails, event.Vfd)
	if err != nil {
		return vault.Payee{}, err
	}
	name, err := payer.AccountName(ctx, bank, number)
	if errors.Is(err, rails.ErrNoAccount) {
		err = fault.Field("accountNumber", "There is no such account.")
	}
	return vault.Payee{BankCode: bank.Code, BankNIP: bank.NIP, BankName: bank.Name, Number: number, AccountName: name}, err
}

// stranger is a town to which a person without an account sent ₦5,000 under a failed payment of the outsider.
type stranger struct {
	*apptest.Town
	ctx    context.Context
	truth  sandbox.Person
	id     string // The money's id at the desk.
	ref    string // The bank's name of the money.
	beyond map[event.Provider]money.Kobo
}

func sentByAStranger(t *testing.T, change func(*sandbox.Transfer)) *stranger {
	t.Helper()
	w := &stranger{Town: apptest.Setup(t, true, false), ctx: context.Background()}
	w.PaysOut()
	w.App.Payouts.Payees = asksBanks{w.Town}
	var err error
	w.truth, err = w.Bank.AddPerson(w.ctx, sandbox.Person{FirstName: "Amaka", LastName: "Nobody", BankCode: "058"})
	require.NoError(t, err)
	w.beyond = w.Beyond(t)
	started := w.Started()
	w.Gives(wallet.EndPayment{PaymentID: started.TransactionRef, To: wallet.Failed, Reason: "Declined"})
	transfer := sandbox.Transfer{
		Account: *started.AccountNumber, Amount: 5_000 * money.Naira, Sender: w.truth.Name(), From: sandbox.Account{Bank: "058", Number: w.truth.Account}, Loose: true,
		Telling: sandbox.Telling{Silent: true},
	}
	if change != nil {
		change(&transfer)
	}
	require.NoError(t, w.Bank.Transfer(w.ctx, transfer))
	_, err = w.App.Payments.Settle(w.ctx, started.TransactionRef)
	require.NoError(t, err)
	a := w.arrival("")
	w.id, w.ref = a.Id, *a.ProviderRef
	return w
}

// arrival returns the money as the desk shows it, in the list of a status.
func (w *stranger) arrival(status contract.UnmatchedStatus) contract.Unmatched {
	w.Helper()
	require.NoError(w, w.Engine.CatchUp(w.ctx))
	only := &status
	if status == "" {
		only = nil
	}
	page, err := w.App.Finance.Unmatched(w.ctx, w.Owner.User, only, nil, 10)
	require.NoError(w, err)
	require.Len(w, page.Arrivals, 1)
	return page.Arrivals[0]
}

func (w *stranger) proposes(who usecase.Who) (contract.Unmatched, error) {
	w.Helper()
	view, _, err := w.App.Finance.ProposeSendBack(w.ctx, who, w.id, contract.ProposeSendBackRequest{Reason: "Nobody here knows the sender"})
	require.NoError(w, w.Engine.CatchUp(w.ctx))
	return view, err
}

func (w *stranger) agrees(who usecase.Who, seen *string) (contract.Unmatched, error) {
	w.Helper()
	view, _, err := w.App.Finance.DecideUnmatched(w.ctx, who, w.id, contract.DecideUnmatchedRequest{Approve: true, Seen: seen})
	require.NoError(w, w.Engine.CatchUp(w.ctx))
	return view, err
}

// agreed makes two of the desk agree, and returns the payout.
func (w *stranger) agreed() string {
	w.Helper()
	view, err := w.proposes(w.Validator)
	require.NoError(w, err)
	_, err = w.agrees(w.Approver, view.SendBack.Version)
	require.NoError(w, err)
	return view.SendBack.Id
}

// sends sends all waiting orders to the bank.
func (w *stranger) sends(m sandbox.Manner) {
	w.Helper()
	m.Account = w.truth.Account
	require.NoError(w, w.Bank.Behave(w.ctx, m))
	require.NoError(w, w.App.Payouts.SendPayouts(w.ctx))
	require.NoError(w, w.Engine.CatchUp(w.ctx))
}

// stands checks the money in suspense, on its way back, and lost by Adashi.
func (w *stranger) stands(suspense, leaving, lost money.Kobo) {
	w.Helper()
	require.Equal(w, suspense, w.holds(posting.Unmatched), "in suspense")
	require.Equal(w, leaving, w.holds(posting.Leaving), "on its way back")
	require.Equal(w, -lost, w.holds(posting.Losses), "lost")
}

// holds returns the balance of one of Adashi's own accounts.
func (w *stranger) holds(account string) (kobo money.Kobo) {
	w.Helper()
	w.BankSays("SELECT ledger_settle()")
	require.NoError(w, w.Pool.QueryRow(w.ctx, "SELECT coalesce(sum(balance), 0)::bigint FROM ledger_accounts WHERE account = $1", account).Scan(&kobo))
	return kobo
}

func (w *stranger) refused(err error, code fault.Code, sentence string) {
	w.Helper()
	refusal := fault.As(err)
	require.NotNil(w, refusal, "%v", err)
	require.Equal(w, code, refusal.Code, refusal.Message)
	require.Contains(w, refusal.Message, sentence)
}

const sum = 5_000 * money.Naira

func TestTwoOfTheDeskSendAStrangersMoneyBackToTheAccountThatItCameFrom(t *testing.T) {
	t.Parallel()
	w := sentByAStranger(t, nil)
	view, err := w.proposes(w.Validator)
	require.NoError(t, err)
	require.Equal(t, "PROPOSED", string(view.Status))
	require.Equal(t, w.truth.Name(), *view.SendBack.AccountName)
	require.Equal(t, w.truth.Account[6:], (*view.SendBack.AccountNumber)[len(*view.SendBack.AccountNumber)-4:])
	require.NotContains(t, *view.SendBack.AccountNumber, w.truth.Account)
	require.Equal(t, view.SendBack.Version, w.arrival("PROPOSED").SendBack.Version, "the list shows what the answer showed")

	_, err = w.agrees(w.Validator, view.SendBack.Version)
	w.refused(err, fault.Forbidden, "A second person must agree")
	_, err = w.agrees(w.Outsider, view.SendBack.Version)
	w.refused(err, fault.Forbidden, "Nobody decides about money for themselves") // It came under their payment.
	_, err = w.agrees(w.Approver, nil)
	require.Equal(t, "seen", fault.As(err).Field)
	other := "another"
	_, err = w.agrees(w.Approver, &other)
	require.True(t, fault.Is(err, fault.Conflict))

	agreed, err := w.agrees(w.Approver, view.SendBack.Version)
	require.NoError(t, err)
	require.Equal(t, "LEAVING", string(agreed.Status))
	w.stands(0, sum, 0)
	open, err := w.App.Payouts.OpenPayouts(w.ctx, nil, 10)
	require.NoError(t, err)
	require.Len(t, open.Payouts, 1)
	require.Equal(t, "SEND_BACK", string(*open.Payouts[0].Kind))

	w.sends(sandbox.Manner{})
	back := w.arrival("SENT_BACK").SendBack
	require.NotNil(t, back.PaidAt)
	require.Equal(t, "PAID", string(back.State))
	w.stands(0, 0, 0)
	require.Equal(t, w.beyond, w.Beyond(t), "the bank holds what the ledger says")
	w.Follows()
	require.True(t, w.Reconciled(t).Balanced)
	asked, _, err := w.App.Payouts.QueryPayout(w.ctx, back.Id)
	require.NoError(t, err)
	require.Equal(t, "PAID", string(asked.Status))
}

// Several clicks in one instant, several runs of the job at once, and an order whose answer is lost, pay once.
func TestMoneyIsSentBackOnce(t *testing.T) {
	t.Parallel()
	w := sentByAStranger(t, nil)
	var proposals, agreements sync.WaitGroup
	for _, who := range []usecase.Who{w.Validator, w.Approver, w.Owner} {
		proposals.Go(func() {
			_, _, err := w.App.Finance.ProposeSendBack(w.ctx, who, w.id, contract.ProposeSendBackRequest{Reason: "Nobody here knows the sender"})
			if err != nil && !fault.Is(err, fault.Conflict) {
				t.Error(err)
			}
		})
	}
	proposals.Wait()
	view := w.arrival("PROPOSED")
	for range 3 {
		for _, who := range []usecase.Who{w.Validator, w.Approver, w.Owner} {
			agreements.Go(func() {
				_, _, err := w.App.Finance.DecideUnmatched(w.ctx, who, w.id, contract.DecideUnmatchedRequest{Approve: true, Seen: view.SendBack.Version})
				if err != nil && !fault.Is(err, fault.Conflict) && !fault.Is(err, fault.Forbidden) {
					t.Error(err)
				}
			})
		}
	}
	agreements.Wait()
	require.NoError(t, w.Engine.CatchUp(w.ctx))
	require.NoError(t, w.Bank.Behave(w.ctx, sandbox.Manner{Account: w.truth.Account, Answer: sandbox.AnswersSilent}))
	var jobs sync.WaitGroup
	for range 3 {
		jobs.Go(func() {
			if err := w.App.Payouts.SendPayouts(w.ctx); err != nil {
				t.Error(err)
			}
		})
	}
	jobs.Wait()
	require.NoError(t, w.Engine.CatchUp(w.ctx))
	require.NoError(t, w.App.Payouts.SendPayouts(w.ctx))
	require.NoError(t, w.App.At(time.Now().Add(time.Hour)).Payouts.AskPayouts(w.ctx))
	w.stands(0, 0, 0)
	require.Equal(t, w.beyond, w.Beyond(t))
	var orders int
	require.NoError(t, w.Pool.QueryRow(w.ctx, "SELECT count(*) FROM sandbox_payouts WHERE account_number = $1", w.truth.Account).Scan(&orders))
	require.Equal(t, 1, orders)
}

func TestMoneyWhoseSenderTheBankDoesNotNameIsNotSentBackByUs(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*sandbox.Transfer)
		says   string
	}{
		"no account":      {func(x *sandbox.Transfer) { x.From.Number = "" }, "does not say which account"},
		"no bank":         {func(x *sandbox.Transfer) { x.From.Bank = "" }, "does not say which account"},
		"no such account": {func(x *sandbox.Transfer) { x.From.Number = "1999999990" }, "no longer knows the account"},
		"another name":    {func(x *sandbox.Transfer) { x.Sender = "Chidi Somebody" }, "another name"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := sentByAStranger(t, c.change)
			_, err := w.proposes(w.Validator)
			w.refused(err, fault.Conflict, c.says)
			w.stands(sum, 0, 0)
			require.Equal(t, "OPEN", string(w.arrival("").Status))
		})
	}
	t.Run("by card", func(t *testing.T) {
		t.Parallel()
		w := apptest.Setup(t, true, false)
		_, arrival := parked(t, w)
		_, _, err := w.App.Finance.ProposeSendBack(context.Background(), w.Validator, arrival, contract.ProposeSendBackRequest{Reason: "Nobody here knows the sender"})
		require.True(t, fault.Is(err, fault.Conflict))
		require.Contains(t, fault.As(err).Message, "by the gateway's refund")
	})
	t.Run("the bank is away", func(t *testing.T) {
		t.Parallel()
		w := sentByAStranger(t, nil)
		was := w.App.Finance.Rails
		w.App.Finance.Rails = w.RailsAt("http://127.0.0.1:1", "http://127.0.0.1:1")
		_, err := w.proposes(w.Validator)
		w.refused(err, fault.Unavailable, "cannot say just now")
		w.App.Finance.Rails = was
		_, err = w.proposes(w.Validator)
		require.NoError(t, err)
	})
}

// The account gets another name between the agreement and the order, or its bank refuses the order: nothing was sent,
// the desk reads why, and decides again.
func TestMoneyThatCouldNotBeSentBackIsInSuspenseAgainAndTheDeskReadsWhy(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		spoil func(w *stranger)
		how   sandbox.Manner
		says  string
	}{
		"renamed": {func(w *stranger) {
			require.NoError(w, w.Bank.Rename(w.ctx, sandbox.Account{Bank: "058", Number: w.truth.Account}, "Chidi", "Somebody"))
		}, sandbox.Manner{}, "another name"},
		"refused": {func(*stranger) {}, sandbox.Manner{Code: "51"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := sentByAStranger(t, nil)
			w.agreed()
			c.spoil(w)
			w.sends(c.how)
			require.NoError(t, w.App.At(time.Now().Add(time.Hour)).Payouts.AskPayouts(w.ctx))
			w.stands(sum, 0, 0)
			a := w.arrival("OPEN")
			require.Equal(t, "FAILED", string(a.SendBack.State))
			require.NotEmpty(t, *a.SendBack.Problem)
			require.Contains(t, *a.SendBack.Problem, c.says)
			require.Equal(t, w.beyond, w.Beyond(t))
			_, _, err := w.App.Finance.ProposeUnmatched(w.ctx, w.Validator, w.id, contract.ProposeUnmatchedRequest{Email: w.Member.Email, Reason: "She showed the slip"})
			require.NoError(t, err, "the desk may decide otherwise")
		})
	}
}

func TestMoneyThatComesBackAfterItWasSentBackIsDecidedAgain(t *testing.T) {
	t.Parallel()
	for name, how := range map[string]sandbox.Manner{"it says so": {}, "as a transfer": {ReturnAs: sandbox.ReturnAsTransfer}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := sentByAStranger(t, nil)
			first := w.agreed()
			at := time.Duration(0)
			how.Reverse = &at
			w.sends(how)
			w.Follows()
			require.NoError(t, w.Bank.Deliver(w.ctx))
			_, err := w.App.At(time.Now().Add(time.Minute)).Payouts.AskPayout(w.ctx, first)
			require.NoError(t, err)
			w.Reconciled(t)
			w.Reconciled(t)
			w.stands(sum, 0, 0)
			require.Equal(t, "RETURNED", string(w.arrival("OPEN").SendBack.State))
			require.Equal(t, w.beyond, w.Beyond(t))

			second := w.agreed()
			require.NotEqual(t, first, second)
			w.sends(sandbox.Manner{})
			w.stands(0, 0, 0)
			require.Equal(t, "SENT_BACK", string(w.arrival("SENT_BACK").Status))
			require.True(t, w.Reconciled(t).Balanced)
			asked, _, err := w.App.Payouts.QueryPayout(w.ctx, first)
			require.NoError(t, err)
			require.Equal(t, "REVERSED", string(asked.Status), "an earlier try is over")
		})
	}
}

// The sender's bank recalls the transfer at each moment while we send it back. Once our bank has the order, the loss is
// Adashi's; Adashi never pays twice for money that came in once.
func TestARecallWhileMoneyIsSentBackIsBorneOnceAndRecorded(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		play  func(w *stranger)
		left  money.Kobo
		lost  money.Kobo
		stays contract.UnmatchedStatus
	}{
		"while it is proposed": {func(w *stranger) {
			_, err := w.proposes(w.Validator)
			require.NoError(w, err)
			w.recalled()
		}, 0, 0, "RETURNED"},
		"before the bank is told": {func(w *stranger) {
			w.agreed()
			w.recalled()
			w.sends(sandbox.Manner{})
		}, 0, 0, "RETURNED"},
		"while the bank is at work on it": {func(w *stranger) {
			w.agreed()
			w.sends(sandbox.Manner{Delay: time.Hour})
			w.recalled()
			w.BankSays("UPDATE sandbox_payouts SET settles_at = now()")
			require.NoError(w, w.App.At(time.Now().Add(time.Hour)).Payouts.AskPayouts(w.ctx))
		}, 0, sum, "SENT_BACK"},
		"after it is paid": {func(w *stranger) {
			w.agreed()
			w.sends(sandbox.Manner{})
			w.recalled()
		}, 0, sum, "SENT_BACK"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := sentByAStranger(t, nil)
			w.Follows()
			c.play(w)
			w.stands(c.left, 0, c.lost)
			require.Equal(t, c.stays, w.arrival(c.stays).Status)
			require.Equal(t, w.beyond, w.Beyond(t))
			last := w.Reconciled(t)
			require.True(t, last.Balanced, "%+v", last)
		})
	}
}

func (w *stranger) recalled() {
	w.Helper()
	var reference string
	require.NoError(w, w.Pool.QueryRow(w.ctx, "SELECT a.reference FROM sandbox_transfers t JOIN sandbox_accounts a USING (account_number) WHERE t.session_id = $1", w.ref).Scan(&reference))
	require.NoError(w, w.Bank.Recall(w.ctx, reference))
	w.Reconciled(w)
}

func TestNobodyDecidesAboutMoneyThatCameFromTheirOwnAccount(t *testing.T) {
	t.Parallel()
	w := sentByAStranger(t, nil)
	_, err := w.App.Vault.Set(w.ctx, w.Validator.User, func(r *vault.Record) { r.Bank.Code, r.Bank.Number = "058", w.truth.Account })
	require.NoError(t, err)
	_, err = w.proposes(w.Validator)
	w.refused(err, fault.Forbidden, "Nobody decides about money for themselves")
	view, err := w.proposes(w.Owner)
	require.NoError(t, err)
	_, err = w.agrees(w.Validator, view.SendBack.Version)
	w.refused(err, fault.Forbidden, "Nobody decides about money for themselves")
}

// The return of a withdrawal to a closed account goes to the bank account that the withdrawal had gone to.
func TestWhatCameBackToAClosedAccountGoesToWhereItHadGone(t *testing.T) {
	t.Parallel()
	w := withdraws(t, event.Vfd)
	id := w.sends(sandbox.Manner{})
	require.Equal(t, payout.Paid, w.stands(id))
	w.Gives(ledgertest.Raw{event.On(account.Stream(w.Member.User), &nairav1.AccountClosed{UserId: w.Member.User})})
	w.BankSays("UPDATE sandbox_payouts SET reversed_at = now() WHERE account_number = $1", w.account)
	require.Equal(t, payout.Reversed, w.asked(id))
	parked := 1_000 * money.Naira
	require.Equal(t, parked, w.BalanceOf(posting.Unmatched))
	require.NoError(t, w.Engine.CatchUp(w.ctx))
	page, err := w.App.Finance.Unmatched(w.ctx, w.Owner.User, nil, nil, 10)
	require.NoError(t, err)
	view, _, err := w.App.Finance.ProposeSendBack(w.ctx, w.Validator, page.Arrivals[0].Id, contract.ProposeSendBackRequest{Reason: "The account is closed"})
	require.NoError(t, err)
	require.NotNil(t, view.SendBack.MemberName)
	require.NoError(t, w.Engine.CatchUp(w.ctx))
	_, _, err = w.App.Finance.DecideUnmatched(w.ctx, w.Member, page.Arrivals[0].Id, contract.DecideUnmatchedRequest{Approve: true, Seen: view.SendBack.Version})
	require.True(t, fault.Is(err, fault.Forbidden), "it was theirs: %v", err)
	_, _, err = w.App.Finance.DecideUnmatched(w.ctx, w.Approver, page.Arrivals[0].Id, contract.DecideUnmatchedRequest{Approve: true, Seen: view.SendBack.Version})
	require.NoError(t, err)
	require.NoError(t, w.Engine.CatchUp(w.ctx))
	require.NoError(t, w.App.Payouts.SendPayouts(w.ctx))
	require.Zero(t, w.BalanceOf(posting.Unmatched)+w.BalanceOf(posting.Leaving))
	var paid int64
	require.NoError(t, w.Pool.QueryRow(w.ctx, "SELECT sum(amount) FROM sandbox_payouts WHERE account_number = $1 AND reversed_at IS NULL", w.account).Scan(&paid))
	require.Equal(t, int64(parked), paid)
	require.True(t, w.Reconciled(t).Balanced)
}

// A claim counts even before the read models know it.
func TestMoneyThatAMemberClaimsIsNotSentBackWhateverTheReadModelsKnow(t *testing.T) {
	t.Parallel()
	w := sentByAStranger(t, nil)
	amount, day := apptest.Naira(5000), lagos.Day(time.Now())
	// It is recorded; its answer waits for the read model.
	_, _, _ = w.App.Disputes.Open(w.ctx, w.Outsider, contract.OpenDisputeRequest{
		Kind: contract.DisputeKindNOTCREDITED, Amount: &amount, PaidOn: &day, ArrivalId: &w.id, Words: "I paid this, and it is not in my wallet.",
	})
	_, _, err := w.App.Finance.ProposeSendBack(w.ctx, w.Validator, w.id, contract.ProposeSendBackRequest{Reason: "Nobody here knows the sender"})
	require.Error(t, err)
	require.NoError(t, w.Engine.CatchUp(w.ctx))
	_, _, err = w.App.Finance.ProposeSendBack(w.ctx, w.Validator, w.id, contract.ProposeSendBackRequest{Reason: "Nobody here knows the sender"})
	require.ErrorContains(t, err, "A member says in an open dispute that this money is theirs.")
}
