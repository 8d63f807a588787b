package sandbox_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/paystack"
	"adashi.ng/services/internal/rails/sandbox"
	"adashi.ng/services/internal/rails/vfd"
)

func TestMain(m *testing.M) { ledgertest.Main(m) }

// delivery is a webhook as the merchant received it.
type delivery struct {
	path   string
	header http.Header
	body   []byte
}

// bundle is the sandbox on real HTTP, both adapters, and a merchant that receives webhooks.
type bundle struct {
	bank     *sandbox.Bank
	pool     *pgxpool.Pool
	base     string
	vfd      *vfd.Client
	paystack *paystack.Client
	hooks    chan delivery
	mu       sync.Mutex
	at       time.Time
	refuse   int // How many webhooks the merchant first answers with 500.
}

func (b *bundle) now() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.at
}

func (b *bundle) pass(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.at = b.at.Add(d)
}

var migrated = ledgertest.Migrated(sandbox.Migrate)

func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{pool: migrated.Pool(t), hooks: make(chan delivery, 10), at: time.Now().UTC().Truncate(time.Microsecond)}
	merchant := httptest.NewServer(http.HandlerFunc(b.receive))
	t.Cleanup(merchant.Close)
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	b.base = server.URL
	b.bank = sandbox.New(sandbox.Options{
		Pool: b.pool, BaseURL: server.URL, ConsumerKey: "key", ConsumerSecret: "secret", PaystackKey: "sk_sandbox",
		VfdWebhookURL: merchant.URL + "/vfd/path-secret", PaystackWebhookURL: merchant.URL + "/paystack", Now: b.now,
	})
	mux.Handle("/", b.bank.Handler())
	b.vfd = vfd.New(vfd.Options{Host: server.URL + "/sandbox/vfd", ConsumerKey: "key", ConsumerSecret: "secret", WalletName: "Adashi", WebhookSecret: "path-secret", Now: b.now})
	b.paystack = paystack.New(paystack.Options{Host: server.URL + "/sandbox/paystack", SecretKey: "sk_sandbox"})
	ctx, cancel := context.WithCancel(t.Context())
	stopped := make(chan error, 1)
	go func() { stopped <- b.bank.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		require.NoError(t, <-stopped)
	})
	return b
}

func (b *bundle) receive(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.refuse > 0 {
		b.refuse--
		b.at = b.at.Add(time.Minute) // Wait for the next try.
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	b.hooks <- delivery{r.URL.Path, r.Header, body}
}

func (b *bundle) hook(t *testing.T) delivery {
	t.Helper()
	select {
	case got := <-b.hooks:
		return got
	case <-time.After(15 * time.Second):
		t.Fatal("no webhook came")
		return delivery{}
	}
}

func (b *bundle) start(t *testing.T, collector rails.Collector, reference string, amount money.Kobo) rails.Instructions {
	t.Helper()
	instructions, err := collector.Start(t.Context(), rails.StartRequest{
		Reference: reference, Amount: amount, Email: "ada@example.com",
		CallbackURL: "http://merchant.test/dashboard/wallet/?from=card", ExpiresAt: b.now().Add(time.Hour),
	})
	require.NoError(t, err)
	return instructions
}

func (b *bundle) status(t *testing.T, collector rails.Collector, reference string) rails.Status {
	t.Helper()
	status, err := collector.Status(t.Context(), reference)
	require.NoError(t, err)
	return status
}

// page posts a form as a browser that follows no redirect would.
func (b *bundle) page(t *testing.T, method, target string, form url.Values) (int, string, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, target, strings.NewReader(form.Encode()))
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := http.DefaultTransport.RoundTrip(request)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, string(body), response.Header.Get("Location")
}

func requireFault(t *testing.T, err error, code fault.Code, says string) {
	t.Helper()
	refusal := fault.As(err)
	require.NotNil(t, refusal, "%v", err)
	require.Equal(t, code, refusal.Code)
	require.Contains(t, refusal.Message, says)
}

const naira = money.Naira

func TestTransferAtTheCounter(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.vfd.Check(t.Context()))
	account := b.start(t, b.vfd, "ref-1", 20_000*naira)
	require.Len(t, account.AccountNumber, 10)
	require.Equal(t, "Adashi", account.AccountName)
	require.Equal(t, account, b.start(t, b.vfd, "ref-1", 20_000*naira), "the same again")
	require.Equal(t, rails.Unknown, b.status(t, b.vfd, "ref-1").State)

	code, body, _ := b.page(t, "GET", b.base+"/sandbox/", nil)
	require.Equal(t, 200, code)
	for _, label := range []string{"Account number", "Amount", "Sender name", "Send money", account.AccountNumber, "₦20,000.00"} {
		require.Contains(t, body, label)
	}
	code, _, location := b.page(t, "POST", b.base+"/sandbox/send", url.Values{"account": {account.AccountNumber}, "amount": {"₦20,000.00"}, "sender": {"Bola & Sons"}})
	require.Equal(t, 303, code)
	_, body, _ = b.page(t, "GET", b.base+location, nil)
	require.Contains(t, body, "Bola &amp; Sons")
	require.Contains(t, body, "The money is on its way.")

	hook := b.hook(t)
	require.Equal(t, "/vfd/path-secret", hook.path)
	require.True(t, b.vfd.SecretIs("path-secret"))
	require.False(t, b.vfd.SecretIs("path-secreT"))
	notice, err := b.vfd.ParseWebhook(hook.header, hook.body)
	require.NoError(t, err)
	require.Equal(t, "ref-1", notice.Reference)
	require.Equal(t, 20_000*naira, notice.Amount)

	paid := b.status(t, b.vfd, "ref-1")
	require.Equal(t, rails.Status{
		State: rails.Paid, Reference: "ref-1", ProviderRef: notice.ProviderRef, Also: []string{"sandbox-1"}, Amount: 20_000 * naira, Currency: "NGN", PaidAt: b.now(),
	}, paid)
}

func TestTheBankRefuses(t *testing.T) {
	t.Parallel()
	b := setup(t)
	account := b.start(t, b.vfd, "ref-1", 5_000*naira).AccountNumber
	send := func(amount money.Kobo) error {
		return b.bank.Send(t.Context(), account, amount, "Bola", b.now())
	}
	requireFault(t, send(4_999*naira), fault.Invalid, "exactly ₦5,000.00")
	requireFault(t, send(5_001*naira), fault.Invalid, "exactly ₦5,000.00")
	requireFault(t, b.bank.Send(t.Context(), "0000000000", naira, "Bola", b.now()), fault.NotFound, "No account")
	for _, amount := range []string{"", "-5000", "5e3", "0", "5000.001", "99999999999999999999"} {
		code, body, _ := b.page(t, "POST", b.base+"/sandbox/send", url.Values{"account": {account}, "amount": {amount}, "sender": {"Bola"}})
		require.Equal(t, 422, code, amount)
		require.Contains(t, body, `role="alert"`)
	}
	require.Equal(t, rails.Unknown, b.status(t, b.vfd, "ref-1").State)
	require.NoError(t, send(5_000*naira))
	requireFault(t, send(5_000*naira), fault.Conflict, "already")

	late := b.start(t, b.vfd, "ref-2", naira).AccountNumber
	b.pass(61 * time.Minute)
	requireFault(t, b.bank.Send(t.Context(), late, naira, "Bola", b.now()), fault.Conflict, "expired")
}

func TestPastBankTimestampIsKept(t *testing.T) {
	t.Parallel()
	b := setup(t)
	account := b.start(t, b.vfd, "ref-1", naira).AccountNumber
	at := b.now().AddDate(0, -5, 0)
	require.NoError(t, b.bank.Send(t.Context(), account, naira, "Bola", at))
	require.Equal(t, at, b.status(t, b.vfd, "ref-1").PaidAt)
}

func TestUnknownReferences(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, reference := range []string{"nobody", "a/b?c=d&e", "\x00", "é"} {
		require.Equal(t, rails.Unknown, b.status(t, b.vfd, reference).State)
		require.Equal(t, rails.Unknown, b.status(t, b.paystack, reference).State)
	}
}

func TestReferenceIsNotReusedForAnotherAmount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.start(t, b.vfd, "ref-1", naira)
	_, err := b.vfd.Start(t.Context(), rails.StartRequest{Reference: "ref-1", Amount: 2 * naira, ExpiresAt: b.now().Add(time.Hour)})
	require.Error(t, err)
	b.start(t, b.paystack, "ref-2", naira)
	_, err = b.paystack.Start(t.Context(), rails.StartRequest{Reference: "ref-2", Amount: 2 * naira, Email: "ada@example.com"})
	requireFault(t, err, fault.Conflict, "started already")
}

func TestSlowBankIsPendingUntilItIsDone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	account := b.start(t, b.vfd, "ref-1", naira).AccountNumber
	code, _, _ := b.page(t, "POST", b.base+"/sandbox/send", url.Values{"account": {account}, "amount": {"1"}, "sender": {"Bola"}, "delay": {"600"}})
	require.Equal(t, 303, code)
	require.Equal(t, rails.Pending, b.status(t, b.vfd, "ref-1").State)
	require.Empty(t, b.hooks)
	b.pass(601 * time.Second)
	require.Equal(t, rails.Paid, b.status(t, b.vfd, "ref-1").State)
	require.Equal(t, "/vfd/path-secret", b.hook(t).path)
}

func TestFailedTransferFails(t *testing.T) {
	t.Parallel()
	b := setup(t)
	account := b.start(t, b.vfd, "ref-1", naira).AccountNumber
	b.page(t, "POST", b.base+"/sandbox/send", url.Values{"account": {account}, "amount": {"1"}, "sender": {"Bola"}, "fail": {"51"}})
	status := b.status(t, b.vfd, "ref-1")
	require.Equal(t, rails.Failed, status.State)
	require.Equal(t, "Insufficient funds", status.Reason)
	require.NoError(t, b.bank.Send(t.Context(), account, naira, "Bola", b.now()), "and may be tried again")
	require.Equal(t, rails.Paid, b.status(t, b.vfd, "ref-1").State)
}

func TestCardAtTheCheckout(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.paystack.Check(t.Context()))
	const gross = 517_767 // ₦5,177.67, for ₦5,000 net.
	checkout := b.start(t, b.paystack, "ref-1", gross).CheckoutURL
	require.Equal(t, checkout, b.start(t, b.paystack, "ref-1", gross).CheckoutURL, "the same again")
	require.Equal(t, rails.Pending, b.status(t, b.paystack, "ref-1").State)
	_, body, _ := b.page(t, "GET", checkout, nil)
	for _, label := range []string{"₦5,177.67", "Adashi", ">Pay<", ">Decline<"} {
		require.Contains(t, body, label)
	}
	code, _, location := b.page(t, "POST", checkout, url.Values{"action": {"pay"}, "twice": {"1"}})
	require.Equal(t, 303, code)
	require.Equal(t, "http://merchant.test/dashboard/wallet/?from=card&reference=ref-1&trxref=ref-1", location)

	first, second := b.hook(t), b.hook(t)
	require.Equal(t, first.body, second.body)
	notice, err := b.paystack.ParseWebhook(first.header, first.body)
	require.NoError(t, err)
	paid := b.status(t, b.paystack, "ref-1")
	require.NotNil(t, paid.Card)
	require.Equal(t, "4081 visa SANDBOX BANK 12/2030 [redacted]", fmt.Sprintf("%s %s %s %d/%d %s", paid.Card.Last4, paid.Card.Brand, paid.Card.Bank, paid.Card.ExpMonth, paid.Card.ExpYear, paid.Card.Token))
	require.Equal(t, rails.Status{
		State: rails.Paid, Reference: "ref-1", ProviderRef: notice.ProviderRef, Amount: gross, Fee: 17_767, Currency: "NGN", PaidAt: b.now(), Card: paid.Card,
	}, paid)
	require.Equal(t, rails.Notice{Reference: "ref-1", ProviderRef: notice.ProviderRef, Amount: gross, Currency: "NGN"}, notice)

	code, _, location = b.page(t, "POST", checkout, url.Values{"action": {"decline"}})
	require.Equal(t, 303, code, "a second press changes nothing and leads back")
	require.Contains(t, location, "reference=ref-1")
	require.Equal(t, rails.Paid, b.status(t, b.paystack, "ref-1").State)
}

func TestCardDeclined(t *testing.T) {
	t.Parallel()
	b := setup(t)
	checkout := b.start(t, b.paystack, "ref-1", naira).CheckoutURL
	code, _, _ := b.page(t, "POST", checkout, url.Values{"action": {"decline"}})
	require.Equal(t, 303, code)
	status := b.status(t, b.paystack, "ref-1")
	require.Equal(t, rails.Failed, status.State)
	require.Equal(t, "Declined", status.Reason)
	requireFault(t, b.bank.PayCard(t.Context(), "ref-1", b.now()), fault.Conflict, "ended already")
	code, _, _ = b.page(t, "GET", b.base+"/sandbox/checkout/nobody", nil)
	require.Equal(t, 404, code)
}

func TestWebhookSignature(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.start(t, b.paystack, "ref-1", naira)
	require.NoError(t, b.bank.PayCard(t.Context(), "ref-1", b.now()))
	hook := b.hook(t)
	tampered := bytes.Replace(hook.body, []byte(`"amount":100`), []byte(`"amount":900`), 1)
	require.NotEqual(t, hook.body, tampered)
	_, err := b.paystack.ParseWebhook(hook.header, tampered)
	requireFault(t, err, fault.Forbidden, "signature")
	for _, signature := range []string{"", "zz", "00", strings.Repeat("0", 128)} {
		_, err := b.paystack.ParseWebhook(http.Header{"X-Paystack-Signature": {signature}}, hook.body)
		requireFault(t, err, fault.Forbidden, "signature")
	}
	_, err = paystack.New(paystack.Options{SecretKey: "another"}).ParseWebhook(hook.header, hook.body)
	requireFault(t, err, fault.Forbidden, "signature")
}

func TestWebhookIsTriedUntilItIsAnswered(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.refuse = 3
	b.start(t, b.paystack, "ref-1", naira)
	require.NoError(t, b.bank.PayCard(t.Context(), "ref-1", b.now()))
	require.Equal(t, "/paystack", b.hook(t).path)
	require.Eventually(t, func() bool {
		var attempts int
		err := b.pool.QueryRow(context.Background(), `SELECT attempts FROM sandbox_webhooks WHERE done_at IS NOT NULL`).Scan(&attempts)
		return err == nil && attempts == 4
	}, time.Minute, 5*time.Millisecond)
}

func TestCredentialsAreChecked(t *testing.T) {
	t.Parallel()
	b := setup(t)
	wrong := vfd.New(vfd.Options{Host: b.base + "/sandbox/vfd", ConsumerKey: "key", ConsumerSecret: "wrong", Now: b.now})
	require.ErrorContains(t, wrong.Check(t.Context()), "VFD_CONSUMER_KEY")
	require.ErrorContains(t, paystack.New(paystack.Options{Host: b.base + "/sandbox/paystack", SecretKey: "wrong"}).Check(t.Context()), "PAYSTACK_SECRET_KEY")
}

func TestTokenIsRefreshed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.start(t, b.vfd, "ref-1", naira)
	b.pass(3 * time.Hour)
	require.Equal(t, rails.Unknown, b.status(t, b.vfd, "ref-1").State)
}

func TestUnreachableRailIsUnavailable(t *testing.T) {
	t.Parallel()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	for _, collector := range []rails.Collector{
		vfd.New(vfd.Options{Host: gone.URL}), paystack.New(paystack.Options{Host: gone.URL}),
	} {
		_, err := collector.Start(t.Context(), rails.StartRequest{Reference: "r", Amount: naira, ExpiresAt: time.Now()})
		requireFault(t, err, fault.Unavailable, "cannot be reached just now")
		_, err = collector.Status(t.Context(), "r")
		requireFault(t, err, fault.Unavailable, "Nothing was taken")
	}
}
