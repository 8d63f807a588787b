package sandbox_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/sandbox"
)

// held returns the money that a rail holds for us by the sandbox's books, and checks that its balance over HTTP agrees.
func (b *bundle) held(t *testing.T, rail string) money.Kobo {
	t.Helper()
	held, err := b.bank.Holds(t.Context())
	require.NoError(t, err)
	balance, err := map[string]rails.Teller{sandbox.VFD: b.vfd, sandbox.Paystack: b.paystack}[rail].Balance(t.Context())
	require.NoError(t, err)
	require.Equal(t, held[rail], balance)
	return balance
}

// lines returns a rail's statement, and checks that it adds up to the money held, once the rail reports all of it.
func (b *bundle) lines(t *testing.T, rail string) []rails.Line {
	t.Helper()
	lines, err := map[string]rails.Teller{sandbox.VFD: b.vfd, sandbox.Paystack: b.paystack}[rail].Statement(t.Context(), b.now().Add(-100*day))
	require.NoError(t, err)
	return lines
}

func (b *bundle) agrees(t *testing.T, rail string) {
	t.Helper()
	var sum money.Kobo
	for _, line := range b.lines(t, rail) {
		sum += line.Moved()
	}
	require.Equal(t, b.held(t, rail), sum)
}

// everything does each action that moves money, once on each rail.
func (b *bundle) everything(t *testing.T) {
	t.Helper()
	ctx := t.Context()
	account := b.start(t, b.vfd, uuid.NewString(), 9_000*naira).AccountNumber
	require.NoError(t, b.bank.Transfer(ctx, sandbox.Transfer{
		Account: account, Amount: 9_000 * naira, Sender: "Ada Obi", From: sandbox.Account{Bank: "082", Number: ada}, Telling: sandbox.Telling{Silent: true},
	}))
	card := uuid.NewString()
	b.start(t, b.paystack, card, 9_000*naira)
	require.NoError(t, b.bank.PayByCard(ctx, sandbox.CardPayment{Reference: card, From: sandbox.Account{Bank: "082", Number: ada}, Telling: sandbox.Telling{Silent: true}}))
	require.NoError(t, b.bank.TakeBack(ctx, sandbox.Takeback{Reference: card, Amount: 500 * naira, Silent: true}))
	for _, rail := range bothRails {
		b.paid(t, rail)
		b.comesBack(t, b.paid(t, rail))
	}
}

func TestTheBooksTheStatementAndTheBalanceAgree(t *testing.T) {
	t.Parallel()
	for name, m := range map[string]sandbox.Manner{
		"at its best": {}, "fees": {Fee: 10_75}, "fees on the line": {Fee: 10_75, FeeTold: sandbox.FeeOnLine}, "late lines": {LineLate: 7 * day},
		"fees apart": {Rail: sandbox.VFD, Fee: 10_75, FeeTold: sandbox.FeeApart}, "a bank that keeps of it": {Rail: sandbox.VFD, Keeps: 50 * naira},
		"returns as transfers": {ReturnAs: sandbox.ReturnAsTransfer, Silent: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			m.Silent = true
			b.behaves(t, m)
			b.everything(t)
			b.pass(m.LineLate)
			for _, rail := range bothRails {
				b.agrees(t, rail)
			}
			entries, err := b.bank.Entries(t.Context())
			require.NoError(t, err)
			sums := map[string]money.Kobo{}
			var all money.Kobo
			for _, e := range entries {
				require.Positive(t, e.Amount)
				sums[e.To] += e.Amount
				sums[e.From] -= e.Amount
			}
			for _, sum := range sums {
				all += sum
			}
			require.Zero(t, all)
			gains, err := b.bank.Gains(t.Context())
			require.NoError(t, err)
			require.Equal(t, map[string]money.Kobo{"22222222223": sums["082/"+ada]}, gains)
			require.Equal(t, -gains["22222222223"]-sums["fees:vfd"]-sums["fees:paystack"]-sums["kept:082"], sums["adashi:vfd"]+sums["adashi:paystack"])
		})
	}
}

func TestAFeeIsTakenBesideAPayout(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for told, want := range map[string]struct {
		answer any   // The answer of the bank's query and of the gateway's.
		lines  []int // Kobo of the bank's debits, with the fee on each.
	}{
		"":                {"10.75", []int{5_973_12, 10_75}},
		sandbox.FeeOnLine: {nil, []int{5_973_12, 10_75}},
		sandbox.FeeApart:  {nil, []int{10_75, 0, 5_973_12, 0}},
	} {
		b.behaves(t, sandbox.Manner{Fee: 10_75, FeeTold: told, Silent: true})
		bank, gateway, since := b.held(t, sandbox.VFD), b.held(t, sandbox.Paystack), len(b.lines(t, sandbox.VFD))
		reference, listed := b.paid(t, sandbox.VFD), b.paid(t, sandbox.Paystack)
		require.Equal(t, want.answer, b.verifies(t, sandbox.VFD, reference)["fee"], told)
		require.Equal(t, want.answer != nil, b.verifies(t, sandbox.Paystack, listed)["fee_charged"] == 1075.0, told)
		require.Equal(t, bank-5_983_87, b.held(t, sandbox.VFD))
		require.Equal(t, gateway-5_983_87, b.held(t, sandbox.Paystack))
		var got []int
		for _, line := range b.lines(t, sandbox.VFD)[since:] {
			got = append(got, int(line.Amount), int(line.Fee))
			require.Equal(t, int(line.Amount) == 5_973_12, line.Reference == reference)
		}
		require.Equal(t, want.lines, got, told)
		for _, line := range b.lines(t, sandbox.Paystack) {
			if line.Reference == listed {
				require.Equal(t, told != sandbox.FeeApart, line.Fee == 10_75, told)
			}
		}
		b.pass(time.Minute)
	}
}

func TestAReceivingBankKeepsSomeOfAReturn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.behaves(t, sandbox.Manner{Keeps: 50 * naira, Silent: true})
	reference := b.paid(t, sandbox.VFD)
	b.comesBack(t, reference)
	_, told := b.asks(t, sandbox.VFD, "GET", "/transactions/reversal?reference="+reference, nil)
	require.Equal(t, "5923.12", told["data"].(object)["amount"])
	require.Equal(t, -50*naira, b.held(t, sandbox.VFD))
	lines := b.lines(t, sandbox.VFD)
	require.Len(t, lines, 2)
	require.Equal(t, []int{5_923_12, 5_973_12}, []int{int(lines[0].Amount), int(lines[1].Amount)})
	b.comesBack(t, b.paid(t, sandbox.Paystack))
	require.Equal(t, -75*naira, b.held(t, sandbox.Paystack), "the gateway says nothing of it: its fee, and the ₦50")
}

func TestAReturnComesAsATransferIn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.behaves(t, sandbox.Manner{ReturnAs: sandbox.ReturnAsTransfer})
	reference := b.paid(t, sandbox.VFD)
	b.comesBack(t, reference)
	hook := b.hook(t)
	notice, err := b.vfd.ParseWebhook(hook.header, hook.body)
	require.NoError(t, err)
	require.NotContains(t, notice.Reference, reference)
	arrived, err := b.vfd.Arrived(t.Context(), notice)
	require.NoError(t, err)
	require.Equal(t, []any{rails.Paid, 5_973_12}, []any{arrived.State, int(arrived.Amount)}, "the bank tells of it as money that came")
	_, told := b.asks(t, sandbox.VFD, "GET", "/transactions/reversal?reference="+reference, nil)
	require.Equal(t, "00", told["data"].(object)["transactionStatus"], "and as a return")
	lines := b.lines(t, sandbox.VFD)
	require.Len(t, lines, 2)
	require.NotEqual(t, lines[0].Reference, lines[1].Reference)
	require.NotEqual(t, lines[0].ProviderRef, lines[1].ProviderRef)
	require.Zero(t, b.held(t, sandbox.VFD), "it came once")
}

func TestAPayoutThatIsNotPaidIsBookedOutAndIn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for code, state := range map[string]rails.State{"91": rails.Failed, "09": rails.Pending} {
		b.behaves(t, sandbox.Manner{Code: code, BookedBack: true, Delay: hour})
		reference := b.paid(t, sandbox.VFD)
		require.Equal(t, -5_973_12, int(b.held(t, sandbox.VFD)), "it is out")
		b.pass(hour)
		require.Equal(t, state, b.payout(t, b.vfd, reference).State)
		require.Zero(t, b.held(t, sandbox.VFD), "and in again")
		var out []bool
		for _, line := range b.lines(t, sandbox.VFD) {
			if line.Reference == reference {
				out = append(out, line.Out)
			}
		}
		require.Equal(t, []bool{true, false}, out)
	}
}

func TestTheStatementIsAWeekLate(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.behaves(t, sandbox.Manner{LineLate: 7 * day, Fee: 10_75, FeeTold: sandbox.FeeApart, Silent: true})
	made := b.now()
	b.comesBack(t, b.paid(t, sandbox.VFD))
	b.comesBack(t, b.paid(t, sandbox.Paystack))
	require.Equal(t, -10_75, int(b.held(t, sandbox.VFD)))
	b.pass(7*day - time.Second)
	require.Empty(t, b.lines(t, sandbox.VFD))
	require.Empty(t, b.lines(t, sandbox.Paystack))
	b.pass(time.Second)
	require.Len(t, b.lines(t, sandbox.Paystack), 2)
	lines := b.lines(t, sandbox.VFD)
	require.Len(t, lines, 3)
	for _, line := range lines {
		require.Equal(t, made, line.At, "with its true time")
	}
}

func TestTheBankTakesATransferBack(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	account := b.start(t, b.vfd, "ref-1", naira).AccountNumber
	requireFault(t, b.bank.Recall(ctx, "ref-1"), fault.Conflict, "only once")
	require.NoError(t, b.bank.Transfer(ctx, sandbox.Transfer{Account: account, Amount: naira, Sender: "Bola", Telling: sandbox.Telling{Silent: true}}))
	require.NoError(t, b.bank.Recall(ctx, "ref-1"))
	requireFault(t, b.bank.Recall(ctx, "ref-1"), fault.Conflict, "only once")
	require.Equal(t, rails.Paid, b.status(t, b.vfd, "ref-1").State, "the query says nothing of it")
	lines := b.lines(t, sandbox.VFD)
	require.Len(t, lines, 2)
	require.Equal(t, []bool{false, true}, []bool{lines[0].Out, lines[1].Out})
	require.Equal(t, lines[0].Reference, lines[1].Reference)
	require.Zero(t, b.held(t, sandbox.VFD))
}

func TestTheSandboxKnowsWhoTrulyHasAnAccount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	founder, err := b.bank.AddPerson(ctx, sandbox.Person{FirstName: "Femi", LastName: "Founder", BankCode: "058"})
	require.NoError(t, err)
	puppet, err := b.bank.AddPerson(ctx, sandbox.Person{FirstName: "Pere", LastName: "Puppet", BankCode: "082", Owner: founder.BVN})
	require.NoError(t, err)
	_, err = b.bank.AddPerson(ctx, sandbox.Person{FirstName: "Pere", LastName: "Puppet", BankCode: "082", Owner: "12"})
	requireFault(t, err, fault.Invalid, "eleven digits")
	at := sandbox.Account{Bank: puppet.BankCode, Number: puppet.Account}
	owner, err := b.bank.Owner(ctx, at)
	require.NoError(t, err)
	require.Equal(t, founder.BVN, owner.BVN)
	owner, err = b.bank.OwnerOfBVN(ctx, founder.BVN)
	require.NoError(t, err)
	require.Equal(t, founder.BVN, owner.BVN)
	_, err = b.bank.Owner(ctx, sandbox.Account{Bank: "058", Number: puppet.Account})
	requireFault(t, err, fault.NotFound, "does not know whose")
	name, err := b.vfd.AccountName(ctx, keystone(t), puppet.Account)
	require.NoError(t, err)
	require.Equal(t, "PUPPET PERE", name, "the product is told another name")

	account := b.start(t, b.vfd, "ref-1", 7*naira).AccountNumber
	require.NoError(t, b.bank.Transfer(ctx, sandbox.Transfer{Account: account, Amount: 7 * naira, Sender: "Pere Puppet", From: at}))
	require.Contains(t, string(b.hook(t).body), `"originator_account_number":"`+puppet.Account+`"`)
	card := b.start(t, b.paystack, "card-1", 3*naira)
	require.NotEmpty(t, card.CheckoutURL)
	require.NoError(t, b.bank.PayByCard(ctx, sandbox.CardPayment{Reference: "card-1", From: sandbox.Account{Bank: "058", Number: founder.Account}, Telling: sandbox.Telling{Silent: true}}))
	saved := b.status(t, b.paystack, "card-1").Card
	require.NoError(t, b.paystack.ChargeCard(ctx, rails.ChargeRequest{Reference: "card-2", Amount: 2 * naira, Card: *saved}))
	flows, err := b.bank.Flows(ctx)
	require.NoError(t, err)
	require.Equal(t, 7*naira, flows[at].Sent)
	require.Equal(t, 5*naira, flows[sandbox.Account{Bank: "058", Number: founder.Account}].Sent, "by the saved card too")
	gains, err := b.bank.Gains(ctx)
	require.NoError(t, err)
	require.Equal(t, map[string]money.Kobo{founder.BVN: -12 * naira}, gains, "a founder and their puppet are one person")
}

func TestAnAccountGetsAnotherName(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.bank.Rename(t.Context(), sandbox.Account{Bank: "082", Number: ada}, "Eve", "Thief"))
	for name, rail := range map[string]rails.Enquirer{"vfd": b.vfd, "paystack": b.paystack} {
		got, err := rail.AccountName(t.Context(), keystone(t), ada)
		require.NoError(t, err, name)
		require.Equal(t, "THIEF EVE", got, name)
	}
	requireFault(t, b.bank.Rename(t.Context(), sandbox.Account{Bank: "082", Number: "0"}, "Eve", "Thief"), fault.NotFound, "No account")
	requireFault(t, b.bank.Rename(t.Context(), sandbox.Account{Bank: "082", Number: ada}, " ", "Thief"), fault.Invalid, "first and a last name")
}
