package sandbox_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/sandbox"
)

const (
	day  = 24 * time.Hour
	ada  = "1111111103" // The sandbox's Ada Obi, at Keystone.
	hour = time.Hour
)

type object = map[string]any

// asks sends a raw request. It returns the HTTP status, 0 when the connection ended, and the body.
func (b *bundle) asks(t *testing.T, rail, method, path string, payload any) (int, object) {
	t.Helper()
	raw, err := json.Marshal(payload)
	require.NoError(t, err)
	url := b.base + "/sandbox/paystack" + path
	if rail == sandbox.VFD {
		url = b.base + "/sandbox/vfd/vtech-wallet/api/v2/wallet2" + path
	}
	request, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(string(raw)))
	require.NoError(t, err)
	request.Header.Set("Authorization", "Bearer sk_sandbox")
	if rail == sandbox.VFD {
		request.Header.Set("AccessToken", b.token(t))
	}
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		return 0, nil
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	var out object
	_ = json.Unmarshal(body, &out)
	return response.StatusCode, out
}

func (b *bundle) token(t *testing.T) string {
	t.Helper()
	response, err := http.Post(b.base+"/sandbox/vfd/vfd-tech/baas-portal/v1.1/baasauth/token", "application/json", strings.NewReader(`{"consumerKey":"key","consumerSecret":"secret"}`))
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	var out struct {
		Data struct {
			AccessToken string `json:"access_token"`
		}
	}
	require.NoError(t, json.NewDecoder(response.Body).Decode(&out))
	return out.Data.AccessToken
}

func (b *bundle) behaves(t *testing.T, m sandbox.Manner) {
	t.Helper()
	require.NoError(t, b.bank.Behave(t.Context(), m))
}

// heard returns the next webhook's event and data.
func (b *bundle) heard(t *testing.T) (string, object) {
	t.Helper()
	require.NoError(t, b.bank.Deliver(t.Context()))
	var told struct {
		Event string
		Data  object
	}
	require.NoError(t, json.Unmarshal(b.hook(t).body, &told))
	return told.Event, told.Data
}

// hush checks that no webhook is due.
func (b *bundle) hush(t *testing.T) {
	t.Helper()
	require.NoError(t, b.bank.Deliver(t.Context()))
	require.Empty(t, b.hooks)
}

// card makes a paid card payment.
func (b *bundle) card(t *testing.T, reference string, telling sandbox.Telling) {
	t.Helper()
	b.start(t, b.paystack, reference, 5_000*naira)
	require.NoError(t, b.bank.PayCardAnd(t.Context(), reference, b.now(), telling))
}

// paid orders a payout to Ada, and returns the bank's reference of it.
func (b *bundle) paid(t *testing.T, rail string) string {
	t.Helper()
	payer := map[string]rails.Payer{sandbox.VFD: b.vfd, sandbox.Paystack: b.paystack}[rail]
	reference, _ := b.pay(t, payer, uuid.NewString())
	return reference
}

// verifies asks the gateway, or the bank, about a payout or a payment.
func (b *bundle) verifies(t *testing.T, rail, reference string) object {
	t.Helper()
	path := "/transfer/verify/" + reference
	if rail == sandbox.VFD {
		path = "/transactions?reference=" + reference
	}
	status, told := b.asks(t, rail, "GET", path, nil)
	require.Equal(t, 200, status)
	data, _ := told["data"].(object)
	return data
}

var bothRails = []string{sandbox.VFD, sandbox.Paystack}

func TestStatusesComeInEveryOrder(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	b.card(t, "card-1", sandbox.Telling{Silent: true})
	require.NoError(t, b.bank.Says(ctx, "card-1", "success", "failed", "abandoned", "reversed", "pending", sandbox.Truth))
	for _, want := range []rails.State{rails.Paid, rails.Failed, rails.Pending, rails.Paid, rails.Pending, rails.Paid, rails.Paid} {
		require.Equal(t, want, b.status(t, b.paystack, "card-1").State)
	}
	require.NoError(t, b.bank.Says(ctx, "card-1", "reversed"))
	_, told := b.asks(t, sandbox.Paystack, "GET", "/transaction/verify/card-1", nil)
	require.Equal(t, "reversed", told["data"].(object)["status"])
	require.NotNil(t, told["data"].(object)["paid_at"], "with its paid time")
	lines, err := b.paystack.Statement(ctx, b.now().Add(-hour))
	require.NoError(t, err)
	require.Len(t, lines, 1, "the gateway lists it as reversed: its money came")
	require.NoError(t, b.bank.Says(ctx, "card-1"))
	require.Equal(t, rails.Paid, b.status(t, b.paystack, "card-1").State)

	for rail, words := range map[string][]string{sandbox.Paystack: {"failed", "reversed", "otp", "success"}, sandbox.VFD: {"09", sandbox.NoSuch, "91", "00"}} {
		reference := b.paid(t, rail)
		require.NoError(t, b.bank.Says(ctx, reference, words...))
		for _, want := range words {
			data := b.verifies(t, rail, reference)
			if want == sandbox.NoSuch {
				require.Nil(t, data)
				continue
			}
			require.Contains(t, []any{data["status"], data["transactionStatus"]}, want)
		}
	}
	account := b.start(t, b.vfd, "ref-1", naira).AccountNumber
	require.NoError(t, b.bank.Send(ctx, account, naira, "Bola", b.now()))
	require.NoError(t, b.bank.Says(ctx, "ref-1", "91", "01", sandbox.Truth))
	for _, want := range []rails.State{rails.Failed, rails.Pending, rails.Paid} {
		require.Equal(t, want, b.status(t, b.vfd, "ref-1").State)
	}
	requireFault(t, b.bank.Says(ctx, "card-1", "lost"), fault.Invalid, "success, failed")
	requireFault(t, b.bank.Says(ctx, "nobody", "success"), fault.NotFound, "no such payment")
}

func TestAPaymentIsPendingForEver(t *testing.T) {
	t.Parallel()
	b := setup(t)
	account := b.start(t, b.vfd, "ref-1", naira).AccountNumber
	require.NoError(t, b.bank.Transfer(t.Context(), sandbox.Transfer{Account: account, Amount: naira, Sender: "Bola", Code: "09"}))
	b.card(t, "card-1", sandbox.Telling{Silent: true})
	require.NoError(t, b.bank.Says(t.Context(), "card-1", "pending"))
	b.pass(40 * day)
	require.Equal(t, rails.Pending, b.status(t, b.vfd, "ref-1").State)
	require.Equal(t, rails.Pending, b.status(t, b.paystack, "card-1").State)
	b.hush(t)
}

func TestARefundIsToldOfBeforeItsPayment(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.card(t, "card-1", sandbox.Telling{HookLate: hour, AskedLate: hour})
	require.NoError(t, b.bank.TakeBack(t.Context(), sandbox.Takeback{Reference: "card-1", Amount: 1_000 * naira, Turns: true}))
	event, data := b.heard(t)
	require.Equal(t, []any{"refund.processed", "card-1"}, []any{event, data["transaction_reference"]})
	require.Equal(t, rails.Unknown, b.status(t, b.paystack, "card-1").State)
	b.hush(t)
	b.pass(hour)
	event, _ = b.heard(t)
	require.Equal(t, "charge.success", event)
	_, told := b.asks(t, sandbox.Paystack, "GET", "/transaction/verify/card-1", nil)
	require.Equal(t, "reversed", told["data"].(object)["status"], "however little went back")
	require.NotNil(t, told["data"].(object)["paid_at"])
}

func TestATransferIsToldOfLate(t *testing.T) {
	t.Parallel()
	b := setup(t)
	account := b.start(t, b.vfd, "ref-1", naira).AccountNumber
	require.NoError(t, b.bank.Transfer(t.Context(), sandbox.Transfer{Account: account, Amount: naira, Sender: "Bola", Telling: sandbox.Telling{HookLate: 3 * day}}))
	require.Equal(t, rails.Paid, b.status(t, b.vfd, "ref-1").State)
	b.hush(t)
	b.pass(3 * day)
	require.NoError(t, b.bank.Deliver(t.Context()))
	require.Equal(t, "/vfd/path-secret", b.hook(t).path)
}

func TestRefundsTakeTheirTime(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		back              sandbox.Takeback
		ends              string
		meanwhile, at_end int64 // The amount that left, in naira.
	}{
		"done in the end":  {sandbox.Takeback{}, "processed", 0, 1_000},
		"fails in the end": {sandbox.Takeback{Fails: true}, "failed", 0, 0},
		"leaves at once":   {sandbox.Takeback{Early: true}, "processed", 1_000, 1_000},
		"and comes back":   {sandbox.Takeback{Early: true, Fails: true}, "failed", 1_000, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.card(t, "card-1", sandbox.Telling{Silent: true})
			before, made := b.held(t, sandbox.Paystack), b.now()
			c.back.Reference, c.back.Amount, c.back.Delay = "card-1", 1_000*naira, 10*day
			require.NoError(t, b.bank.TakeBack(t.Context(), c.back))
			refund := func() object {
				_, told := b.asks(t, sandbox.Paystack, "GET", "/refund?from="+made.Add(-time.Second).Format("2006-01-02T15:04:05Z"), nil)
				return told["data"].([]any)[0].(object)
			}
			for _, want := range []string{"pending", "processing", c.ends} {
				event, _ := b.heard(t)
				require.Equal(t, "refund."+want, event)
				one := refund()
				require.Equal(t, want, one["status"])
				require.Equal(t, want == "processed", one["refunded_at"] != nil)
				require.Equal(t, made.Format(time.RFC3339Nano), one["createdAt"])
				if want != c.ends {
					require.EqualValues(t, c.meanwhile*100, before-b.held(t, sandbox.Paystack))
					b.hush(t)
					b.pass(5 * day)
				}
			}
			require.EqualValues(t, c.at_end*100, before-b.held(t, sandbox.Paystack))
		})
	}
}

func TestMoreGoesBackThanCameIn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	b.card(t, "card-1", sandbox.Telling{Silent: true})
	dispute, err := b.bank.Disputes(ctx, sandbox.CardDispute{Reference: "card-1", Amount: 4_000 * naira, Silent: true})
	require.NoError(t, err)
	require.NoError(t, b.bank.TakeBack(ctx, sandbox.Takeback{Reference: "card-1", Silent: true}))
	requireFault(t, b.bank.TakeBack(ctx, sandbox.Takeback{Reference: "card-1", Amount: naira}), fault.Conflict, "₦0.00")
	require.NoError(t, b.bank.EndDispute(ctx, dispute, true))
	require.NoError(t, b.bank.TakeBack(ctx, sandbox.Takeback{Reference: "card-1", Amount: 7 * naira, Loose: true}))
	back, err := b.paystack.Reversals(ctx, "card-1")
	require.NoError(t, err)
	require.Len(t, back, 3)
	require.Equal(t, -175*naira-4_007*naira, b.held(t, sandbox.Paystack), "the fee, and what went back beyond the payment")
	kinds := map[string]int{}
	entries, err := b.bank.Entries(ctx)
	require.NoError(t, err)
	for _, e := range entries {
		kinds[e.Kind]++
	}
	require.Equal(t, map[string]int{"in": 1, "fee": 1, "refund": 2, "chargeback": 1}, kinds)
	gains, err := b.bank.Gains(ctx)
	require.NoError(t, err)
	require.Equal(t, 4_007*naira, gains[""], "by a card that nobody knows")
	_, err = b.bank.Disputes(ctx, sandbox.CardDispute{Reference: "card-1", Amount: 5_001 * naira})
	requireFault(t, err, fault.Invalid, "₦5,000.00")
}

func TestTheBankTellsOfReturnsAsItLikes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	reference := b.paid(t, sandbox.VFD)
	reversal := func() object {
		status, told := b.asks(t, sandbox.VFD, "GET", "/transactions/reversal?reference="+reference, nil)
		require.Equal(t, 200, status)
		return told
	}
	require.Equal(t, "108", reversal()["status"])
	for tells, want := range map[string]any{
		sandbox.TellsList: []any{}, sandbox.TellsNothing: object{},
		sandbox.TellsUnfinished:    []string{reference, "5973.12", "09"},
		sandbox.TellsUndone:        []string{reference, "5973.12", "99"},
		sandbox.TellsNaira:         []string{reference, "1.00", "00"},
		sandbox.TellsPart:          []string{reference, "2986.56", "00"},
		sandbox.TellsAnotherReturn: []string{"another-" + reference, "5973.12", "00"},
	} {
		b.behaves(t, sandbox.Manner{Tells: tells})
		got := reversal()
		require.Equal(t, "00", got["status"], tells)
		if words, is := want.([]string); is {
			data := got["data"].(object)
			require.Equal(t, []any{words[0], words[1], words[2]}, []any{data["reference"], data["amount"], data["transactionStatus"]}, tells)
			require.Equal(t, reference, b.verifies(t, sandbox.VFD, reference)["reference"], tells)
			continue
		}
		require.Equal(t, want, got["data"], tells)
	}
	require.Equal(t, -5_973_12, int(b.held(t, sandbox.VFD)), "nothing moved by it")
	b.comesBack(t, reference)
	b.behaves(t, sandbox.Manner{Tells: sandbox.TellsNoReturn})
	require.Equal(t, "108", reversal()["status"])
	require.Zero(t, b.held(t, sandbox.VFD), "it is back all the same")
	require.NoError(t, b.bank.BehaveAgain(t.Context()))
	require.Equal(t, "00", reversal()["status"])
}

func TestTheGatewayTellsOfReturnsAsItLikes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	reference := b.paid(t, sandbox.Paystack)
	for tells, want := range map[string][]any{
		sandbox.TellsNothing: {nil, nil, nil}, sandbox.TellsNaira: {reference, "reversed", 100.0}, sandbox.TellsPart: {reference, "reversed", 298656.0},
		sandbox.TellsAnotherReturn: {"another-" + reference, "success", 597312.0},
	} {
		b.behaves(t, sandbox.Manner{Tells: tells})
		data := b.verifies(t, sandbox.Paystack, reference)
		require.Equal(t, want, []any{data["reference"], data["status"], data["amount"]}, tells)
	}
	b.behaves(t, sandbox.Manner{Tells: sandbox.TellsList})
	_, told := b.asks(t, sandbox.Paystack, "GET", "/transfer/verify/"+reference, nil)
	require.Equal(t, []any{}, told["data"])
	b.comesBack(t, reference)
	b.behaves(t, sandbox.Manner{Tells: sandbox.TellsNoReturn})
	require.Equal(t, "success", b.verifies(t, sandbox.Paystack, reference)["status"])
}

// comesBack makes the receiving bank send a payout back.
func (b *bundle) comesBack(t *testing.T, reference string) {
	t.Helper()
	var id int64
	require.NoError(t, b.pool.QueryRow(t.Context(), `SELECT id FROM sandbox_payouts WHERE reference = $1`, reference).Scan(&id))
	require.NoError(t, b.bank.SendBack(t.Context(), id))
	requireFault(t, b.bank.SendBack(t.Context(), id), fault.Conflict, "only once")
}

func TestTimesAreLeftOutOrWrong(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, rail := range bothRails {
		reference := b.paid(t, rail)
		times := func() []any {
			data := b.verifies(t, rail, reference)
			if rail == sandbox.VFD {
				return []any{data["transactionDate"]}
			}
			_, told := b.asks(t, rail, "GET", "/transfer", nil)
			return []any{data["transferred_at"], told["data"].([]any)[0].(object)["transferred_at"]}
		}
		all := func(at any) []any { return append([]any{at}, times()[1:]...) }
		right := b.now().Format(time.RFC3339Nano)
		require.Equal(t, right, times()[0])
		b.behaves(t, sandbox.Manner{Skew: 3 * 365 * day})
		require.Equal(t, b.now().Add(3*365*day).Format(time.RFC3339Nano), times()[0])
		b.behaves(t, sandbox.Manner{Timeless: true})
		require.Equal(t, all(nil), times())
		b.behaves(t, sandbox.Manner{ReturnTimeless: true})
		require.Equal(t, right, times()[0], "it did not come back yet")
		b.comesBack(t, reference)
		if rail == sandbox.VFD {
			_, told := b.asks(t, rail, "GET", "/transactions/reversal?reference="+reference, nil)
			require.Equal(t, "00", told["data"].(object)["transactionStatus"])
			require.NotContains(t, told["data"], "transactionDate")
			continue
		}
		data := b.verifies(t, rail, reference)
		require.Equal(t, []any{"reversed", nil}, []any{data["status"], data["transferred_at"]})
		require.Equal(t, []any{nil, nil}, times())
	}
	b.behaves(t, sandbox.Manner{Skew: -7 * 365 * day})
	lines, err := b.vfd.Statement(t.Context(), b.now().Add(-hour))
	require.NoError(t, err)
	require.Equal(t, b.now().Add(-7*365*day), lines[0].At)
	account := b.start(t, b.vfd, "ref-1", naira).AccountNumber
	require.NoError(t, b.bank.Send(t.Context(), account, naira, "Bola", b.now().Add(1000*day)))
	require.Equal(t, b.now().Add(1000*day), b.status(t, b.vfd, "ref-1").PaidAt, "money that comes can be dated in the future too")
}

func TestAnOrderIsUnknownForAWhile(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.behaves(t, sandbox.Manner{AskedLate: 20 * time.Minute})
	for rail, payer := range map[string]rails.Payer{sandbox.VFD: b.vfd, sandbox.Paystack: b.paystack} {
		reference := b.paid(t, rail)
		require.Equal(t, rails.Unknown, b.payout(t, payer, reference).State, rail)
		b.pass(20 * time.Minute)
		require.Equal(t, rails.Paid, b.payout(t, payer, reference).State, rail)
	}
}

func TestWebhooksAboutPayoutsComeLateOrNever(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.behaves(t, sandbox.Manner{HookLate: 2 * day})
	b.paid(t, sandbox.Paystack)
	b.behaves(t, sandbox.Manner{Silent: true})
	b.paid(t, sandbox.Paystack)
	b.hush(t)
	b.pass(2 * day)
	event, _ := b.heard(t)
	require.Equal(t, "transfer.success", event)
	b.hush(t)
}

func TestAnOrderIsAnsweredWithWhatSaysNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, rail := range bothRails {
		for answer, says := range map[string]string{
			sandbox.AnswersMissing: "HTTP 404", sandbox.AnswersAway: "HTTP 403", sandbox.AnswersOften: "HTTP 429", sandbox.AnswersExists: "xist",
		} {
			b.behaves(t, sandbox.Manner{Answer: answer})
			payer := map[string]rails.Payer{sandbox.VFD: b.vfd, sandbox.Paystack: b.paystack}[rail]
			reference, answered := b.pay(t, payer, uuid.NewString())
			require.Contains(t, answered.Answer, says, rail)
			if answer == sandbox.AnswersMissing {
				require.Contains(t, answered.Answer, "Integration not found", rail)
			}
			require.Equal(t, rails.Paid, b.payout(t, payer, reference).State, "it did it")
		}
	}
}

func TestTheBankIsAwayForSomeCalls(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.card(t, "card-1", sandbox.Telling{Silent: true})
	calls := map[string]map[string][]string{ // The calls, by rail.
		sandbox.CallsNames:   {sandbox.VFD: {"GET /client?bvn=22222222223", "GET /transfer/recipient?accountNo=1111111103&bank=000002&transfer_type=inter"}, sandbox.Paystack: {"GET /bank/resolve?account_number=1111111103&bank_code=082"}},
		sandbox.CallsOrders:  {sandbox.VFD: {"POST /transfer"}, sandbox.Paystack: {"POST /transfer"}},
		sandbox.CallsQueries: {sandbox.VFD: {"GET /transactions?reference=x", "GET /transactions/reversal?reference=x"}, sandbox.Paystack: {"GET /transaction/verify/card-1", "GET /transfer/verify/x"}},
		sandbox.CallsBooks:   {sandbox.VFD: {"GET /account/enquiry"}, sandbox.Paystack: {"GET /balance", "GET /transaction", "GET /refund", "GET /transfer", "GET /dispute"}},
	}
	for chosen := range calls {
		for refuses, words := range map[int]string{0: "", 91: "The other bank did not answer", 404: "Integration not found", 408: "", 429: "", 503: "", 504: ""} {
			require.NoError(t, b.bank.BehaveAgain(t.Context()))
			b.behaves(t, sandbox.Manner{Rail: sandbox.Paystack, DeadUntil: b.now().Add(20 * time.Minute), Calls: chosen, Refuses: refuses})
			for kind, asked := range calls {
				for rail, questions := range asked {
					for _, q := range questions {
						method, path, _ := strings.Cut(q, " ")
						status, told := b.asks(t, rail, method, path, object{})
						if kind != chosen || rail != sandbox.Paystack {
							require.NotContains(t, []int{0, 408, 429, 503, 504}, status, "%s while it is away for %s", q, chosen)
							continue
						}
						require.Equal(t, map[int]int{91: 400}[refuses]+map[bool]int{true: refuses}[refuses != 91], status, q)
						if words != "" {
							require.Equal(t, words, told["message"], q)
						}
					}
				}
			}
		}
	}
	b.pass(20 * time.Minute)
	status, _ := b.asks(t, sandbox.Paystack, "GET", "/balance", nil)
	require.Equal(t, 200, status)
}

func TestOnlyAnAccountsOwnBankIsAway(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.behaves(t, sandbox.Manner{Account: ada, DeadUntil: b.now().Add(hour), Calls: sandbox.CallsNames})
	for name, rail := range map[string]rails.Enquirer{"vfd": b.vfd, "paystack": b.paystack} {
		_, err := rail.AccountName(t.Context(), keystone(t), ada)
		require.Error(t, err, name)
		_, err = rail.AccountName(t.Context(), keystone(t), "1111111111")
		require.NoError(t, err, name)
	}
}

func TestABankKnowsNoOtherManners(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for field, m := range map[string]sandbox.Manner{
		"code": {Code: "nonsense"}, "answer": {Answer: "404"}, "tells": {Tells: "lies"}, "refuses": {Refuses: 200}, "calls": {Calls: "none"}, "fee_told": {FeeTold: "never"},
		"return_as": {ReturnAs: "cash"}, "rail": {Rail: "post"}, "fee": {Fee: -1},
	} {
		err := b.bank.Behave(t.Context(), m)
		requireFault(t, err, fault.Invalid, "Please choose")
		require.Equal(t, field, fault.As(err).Field)
	}
}
