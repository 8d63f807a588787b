// Package sandbox is a bank and a card gateway of our own. It speaks VFD's and Paystack's dialects over real HTTP,
// checks their credentials, sends their webhooks (signed or not, late, or twice) and has a counter and a checkout
// page where a person plays the payer. So the adapters are exercised, and not mocks. No real money is near it.
//
//	/sandbox/                  the counter: send money, make somebody up, choose how the bank misbehaves
//	/sandbox/checkout/{code}   the card page
//	/sandbox/vfd/…             the bank's API: give vfd.Options.Host {base}/sandbox/vfd
//	/sandbox/paystack/…        the gateway's API: give paystack.Options.Host {base}/sandbox/paystack
package sandbox

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"net/http"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/base/migrate"
	"adashi.ng/services/internal/rails/sandbox/acts"
	"adashi.ng/services/internal/rails/sandbox/books"
	"adashi.ng/services/internal/rails/sandbox/counter"
	"adashi.ng/services/internal/rails/sandbox/uploads"
	"adashi.ng/services/internal/rails/sandbox/webhooks"
)

//go:embed migrations/*.sql
var files embed.FS

// Migrate makes the sandbox_ tables, recorded in goose_sandbox.
func Migrate(ctx context.Context, pool *pgxpool.Pool) error {
	migrations, err := fs.Sub(files, "migrations")
	if err != nil {
		return err
	}
	return migrate.Up(ctx, pool, migrations, "goose_sandbox")
}

// Options configures the sandbox. All but Now are required.
type Options struct {
	Pool               *pgxpool.Pool
	BaseURL            string // The address at which payers reach this process, without a trailing slash.
	ConsumerKey        string // vfd.Options signs in with it.
	ConsumerSecret     string
	PaystackKey        string      // paystack.Options calls with it; it also signs the webhooks.
	VfdWebhookURL      string      // The whole address, with the secret part of its path.
	PaystackWebhookURL string      // The whole address.
	Now                clock.Clock // clock.System when nil.
}

// Bank is the sandbox. Serve Handler, and call Run: without it no webhook is sent. Its Books hold the truth about the
// money.
type Bank struct {
	books.Books
	options Options
	pool    *pgxpool.Pool
	now     clock.Clock
	hooks   *webhooks.Sender
}

// New makes the sandbox.
func New(options Options) *Bank {
	if options.Now == nil {
		options.Now = clock.System
	}
	options.BaseURL = strings.TrimRight(options.BaseURL, "/")
	hooks := webhooks.New(webhooks.Options{
		Pool: options.Pool, VFDURL: options.VfdWebhookURL, PaystackURL: options.PaystackWebhookURL, PaystackKey: options.PaystackKey, Now: options.Now,
	})
	return &Bank{Books: books.Books{Pool: options.Pool, Now: options.Now}, options: options, pool: options.Pool, now: options.Now, hooks: hooks}
}

// Run delivers webhooks, and makes receiving banks send payouts back when due, until the context ends; then it returns
// nil. Any number of processes may run it.
func (b *Bank) Run(ctx context.Context) error { return b.hooks.Run(ctx, b.sendBack) }

// Deliver does one round of Run: it sends back the payouts that are due, and tries the webhooks that are due. A process
// that calls it does not call Run.
func (b *Bank) Deliver(ctx context.Context) error {
	if err := b.sendBack(ctx); err != nil {
		return err
	}
	return b.hooks.Deliver(ctx)
}

// Handler answers everything under /sandbox, by full path.
func (b *Bank) Handler() http.Handler {
	mux := http.NewServeMux()
	counter.Serve(mux, b.pool, b.now, b)
	mux.HandleFunc("GET /sandbox/checkout/{code}", b.checkout)
	mux.HandleFunc("POST /sandbox/checkout/{code}", b.settleCheckout)
	const wallet = "/sandbox/vfd/vtech-wallet/api/v2/wallet2"
	mux.HandleFunc("POST /sandbox/vfd/vfd-tech/baas-portal/v1.1/baasauth/token", b.vfdToken)
	mux.HandleFunc("POST "+wallet+"/virtualaccount", b.vfdOnly("", b.vfdVirtualAccount))
	mux.HandleFunc("GET "+wallet+"/transactions", b.vfdOnly(acts.CallsQueries, b.vfdTransaction))
	mux.HandleFunc("GET "+wallet+"/transactions/reversal", b.vfdOnly(acts.CallsQueries, b.vfdReversal))
	mux.HandleFunc("GET "+wallet+"/account/enquiry", b.vfdOnly(acts.CallsBooks, b.vfdAccount))
	mux.HandleFunc("POST "+wallet+"/transfer", b.vfdOnly(acts.CallsOrders, b.vfdTransfer))
	mux.HandleFunc("GET "+wallet+"/account/transactions", b.vfdOnly(acts.CallsBooks, b.vfdStatement))
	mux.HandleFunc("GET "+wallet+"/transfer/recipient", b.vfdOnly(acts.CallsNames, b.vfdRecipient))
	mux.HandleFunc("GET "+wallet+"/client", b.vfdOnly(acts.CallsNames, b.vfdClient))
	mux.HandleFunc("GET "+wallet+"/bank", b.vfdOnly("", b.vfdBanks))
	mux.HandleFunc("GET /sandbox/paystack/bank", b.paystackOnly("", b.paystackBanks))
	mux.HandleFunc("GET /sandbox/paystack/bank/resolve", b.paystackOnly(acts.CallsNames, b.paystackResolve))
	mux.HandleFunc("POST /sandbox/paystack/customer", b.paystackOnly(acts.CallsNames, b.paystackCustomer))
	mux.HandleFunc("GET /sandbox/paystack/customer/{code}", b.paystackOnly(acts.CallsNames, b.paystackShowCustomer))
	mux.HandleFunc("POST /sandbox/paystack/customer/{code}/identification", b.paystackOnly(acts.CallsNames, b.paystackIdentify))
	mux.HandleFunc("POST /sandbox/paystack/transferrecipient", b.paystackOnly(acts.CallsNames, b.paystackRecipient))
	mux.HandleFunc("POST /sandbox/paystack/transfer", b.paystackOnly(acts.CallsOrders, b.paystackTransfer))
	mux.HandleFunc("GET /sandbox/paystack/transfer/verify/{reference}", b.paystackOnly(acts.CallsQueries, b.paystackVerifyTransfer))
	mux.HandleFunc("GET /sandbox/paystack/transaction", b.paystackOnly(acts.CallsBooks, b.paystackList))
	mux.HandleFunc("GET /sandbox/paystack/balance", b.paystackOnly(acts.CallsBooks, b.paystackBalance))
	mux.HandleFunc("GET /sandbox/paystack/refund", b.paystackOnly(acts.CallsBooks, b.paystackRefunds))
	mux.HandleFunc("GET /sandbox/paystack/dispute", b.paystackOnly(acts.CallsBooks, b.paystackDisputes))
	mux.HandleFunc("GET /sandbox/paystack/dispute/{id}", b.paystackOnly("", b.paystackDispute))
	mux.HandleFunc("POST /sandbox/paystack/dispute/{id}/evidence", b.paystackOnly("", b.paystackEvidence))
	mux.HandleFunc("GET /sandbox/paystack/dispute/{id}/upload_url", b.paystackOnly("", b.paystackUploadURL))
	mux.HandleFunc("PUT /sandbox/paystack/dispute/{id}/resolve", b.paystackOnly("", b.paystackResolveDispute))
	mux.Handle("PUT "+uploads.Path+"{name}", b.uploads())
	mux.HandleFunc("GET /sandbox/paystack/transfer", b.paystackOnly(acts.CallsBooks, b.paystackTransfers))
	mux.HandleFunc("POST /sandbox/paystack/transaction/charge_authorization", b.paystackOnly("", b.paystackChargeAgain))
	mux.HandleFunc("POST /sandbox/paystack/transaction/initialize", b.paystackOnly("", b.paystackInitialize))
	mux.HandleFunc("GET /sandbox/paystack/transaction/verify/{reference}", b.paystackOnly(acts.CallsQueries, b.paystackVerify))
	mux.HandleFunc("GET /sandbox/paystack/transaction/{id}", b.paystackOnly(acts.CallsQueries, b.paystackFetch))
	return mux
}

// reply writes JSON; the value is ours and always encodes.
func reply(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(value); err != nil {
		slog.Debug("sandbox: reply not sent", "error", err)
	}
}

// broken answers 500 and logs the error: we are this bank's developers.
func broken(w http.ResponseWriter, r *http.Request, err error) {
	if !errors.Is(err, context.Canceled) {
		slog.ErrorContext(r.Context(), "sandbox", "path", r.Pattern, "error", err)
	}
	reply(w, http.StatusInternalServerError, map[string]any{"status": "500", "message": "System malfunction"})
}

func readJSON(r *http.Request, into any) error {
	return json.NewDecoder(http.MaxBytesReader(nil, r.Body, 64<<10)).Decode(into)
}

// word keeps the part of a text that a text column can store, cut to so many bytes.
func word(text string, bytesMax int) string {
	text = strings.ToValidUTF8(strings.ReplaceAll(strings.TrimSpace(text), "\x00", ""), "")
	if len(text) > bytesMax {
		text = strings.ToValidUTF8(text[:bytesMax], "")
	}
	return text
}
