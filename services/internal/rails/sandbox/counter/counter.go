// Package counter is the sandbox's page in the browser, where a person plays the payer, invents people, and chooses how
// the bank misbehaves.
package counter

import (
	"context"
	"embed"
	"html/template"
	"log/slog"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/base/money"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/banks"
	"adashi.ng/services/internal/rails/sandbox/acts"
)

//go:embed pages
var pages embed.FS

var templates = template.Must(template.New("").Funcs(template.FuncMap{"lagos": lagosTime}).ParseFS(pages, "pages/*.html"))

func lagosTime(at time.Time) string {
	return at.In(lagos.Zone).Format("2 Jan 2006, 15:04:05")
}

// Bank is the actions that the counter offers.
type Bank interface {
	Transfer(ctx context.Context, t acts.Transfer) error
	Recall(ctx context.Context, reference string) error
	AddPerson(ctx context.Context, p acts.Person) (acts.Person, error)
	Rename(ctx context.Context, account acts.Account, firstName, lastName string) error
	Behave(ctx context.Context, m acts.Manner) error
	BehaveAgain(ctx context.Context) error
	SendBack(ctx context.Context, payout int64) error
	TakeBack(ctx context.Context, t acts.Takeback) error
	Says(ctx context.Context, reference string, words ...string) error
	Disputes(ctx context.Context, d acts.CardDispute) (int64, error)
	EndDispute(ctx context.Context, dispute int64, upheld bool) error
	Holds(ctx context.Context) (map[string]money.Kobo, error)
}

type counter struct {
	pool *pgxpool.Pool
	now  clock.Clock
	bank Bank
}

// Serve registers the counter's pages under /sandbox/.
func Serve(mux *http.ServeMux, pool *pgxpool.Pool, now clock.Clock, bank Bank) {
	c := counter{pool, now, bank}
	mux.HandleFunc("GET /sandbox/style.css", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFileFS(w, r, pages, "pages/style.css")
	})
	mux.HandleFunc("GET /sandbox/{$}", c.show)
	mux.HandleFunc("POST /sandbox/send", c.sendMoney)
	mux.HandleFunc("POST /sandbox/recall", c.form("/sandbox/?sent=1", c.recall))
	mux.HandleFunc("POST /sandbox/people", c.form("/sandbox/#people", c.openAccount))
	mux.HandleFunc("POST /sandbox/names", c.form("/sandbox/#people", c.rename))
	mux.HandleFunc("POST /sandbox/manners", c.form("/sandbox/#manners", c.behave))
	mux.HandleFunc("POST /sandbox/behave-again", c.form("/sandbox/#manners", func(r *http.Request) error { return bank.BehaveAgain(r.Context()) }))
	mux.HandleFunc("POST /sandbox/payouts/{id}/reverse", c.form("/sandbox/#payouts", c.sendBack))
	mux.HandleFunc("POST /sandbox/take-back", c.form("/sandbox/?sent=1", c.takeBack))
	mux.HandleFunc("POST /sandbox/says", c.form("/sandbox/#manners", c.says))
	mux.HandleFunc("POST /sandbox/disputes", c.form("/sandbox/?sent=1", c.dispute))
	mux.HandleFunc("POST /sandbox/disputes/{id}", c.form("/sandbox/?sent=1", c.endDispute))
}

// page is the form as the person filled it in, and the lists under it.
type page struct {
	Account, Amount, Sender string
	Problem                 string
	Sent                    bool
	Banks                   []rails.Bank
	People                  []personRow
	Accounts                []accountRow
	Transfers               []transferRow
	Payouts                 []payoutRow
	Disputes                []disputeRow
	Manners                 []mannerRow
	Groups                  []group
	Tellings                group
	Words                   []words
	Holds                   map[string]money.Kobo
}

func (c counter) show(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	c.answer(w, r, http.StatusOK, page{
		Account: query.Get("account"), Amount: query.Get("amount"), Sender: query.Get("sender"), Sent: query.Get("sent") == "1",
	})
}

func (c counter) answer(w http.ResponseWriter, r *http.Request, status int, p page) {
	p.Banks, p.Groups, p.Tellings, p.Words = banks.New().All(), groups, tellings, said
	if err := c.fill(r.Context(), &p); err != nil {
		broken(w, r, err)
		return
	}
	render(w, status, "counter.html", p)
}

// fill reads the lists that the counter shows.
func (c counter) fill(ctx context.Context, p *page) (err error) {
	if p.People, err = list[personRow](ctx, c.pool, peopleRows); err != nil {
		return err
	}
	if p.Accounts, err = list[accountRow](ctx, c.pool, accountRows); err != nil {
		return err
	}
	if p.Transfers, err = list[transferRow](ctx, c.pool, transferRows); err != nil {
		return err
	}
	if p.Payouts, err = list[payoutRow](ctx, c.pool, payoutRows); err != nil {
		return err
	}
	if p.Disputes, err = list[disputeRow](ctx, c.pool, disputeRows); err != nil {
		return err
	}
	if p.Manners, err = list[mannerRow](ctx, c.pool, mannerRows); err != nil {
		return err
	}
	p.Holds, err = c.bank.Holds(ctx)
	return err
}

// list reads rows.
func list[T any](ctx context.Context, pool *pgxpool.Pool, sql string) ([]T, error) {
	rows, err := pool.Query(ctx, sql)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[T])
}

// form handles a form of the counter: it goes to a place on the page, or shows the error.
func (c counter) form(to string, act func(r *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, 64<<10)
		c.back(w, r, act(r), to, page{})
	}
}

func (c counter) back(w http.ResponseWriter, r *http.Request, err error, to string, filled page) {
	refusal := fault.As(err)
	switch {
	case refusal != nil:
		filled.Problem = refusal.Message
		c.answer(w, r, http.StatusUnprocessableEntity, filled)
	case err != nil:
		broken(w, r, err)
	default:
		http.Redirect(w, r, to, http.StatusSeeOther)
	}
}

func broken(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() == nil {
		slog.ErrorContext(r.Context(), "sandbox", "path", r.Pattern, "error", err)
	}
	http.Error(w, "System malfunction", http.StatusInternalServerError)
}

// ShowCheckout renders the card page of a gateway's charge; nil renders a page without a charge.
func ShowCheckout(w http.ResponseWriter, status int, charge any) {
	render(w, status, "checkout.html", struct {
		Charge   any
		Missing  bool
		Tellings group
	}{charge, charge == nil, cardTellings})
}

// render writes a page. A checkout form ends at the merchant's site, so forms may lead to any site.
func render(w http.ResponseWriter, status int, name string, data any) {
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Cache-Control", "no-store")
	header.Set("Content-Security-Policy", "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self' http: https:")
	w.WriteHeader(status)
	if err := templates.ExecuteTemplate(w, name, data); err != nil {
		slog.Debug("sandbox: page not sent", "error", err)
	}
}
