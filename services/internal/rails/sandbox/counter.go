package sandbox

import (
	"context"
	"embed"
	"html/template"
	"log/slog"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/shopspring/decimal"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/base/money"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/banks"
)

//go:embed pages
var pages embed.FS

var templates = template.Must(template.New("").Funcs(template.FuncMap{"lagos": lagosTime}).ParseFS(pages, "pages/*.html"))

// delayMax is the longest that a transfer may be on its way, in seconds: thirty days.
const delayMax = 30 * 24 * 3600

func lagosTime(at time.Time) string {
	return at.In(lagos.Zone).Format("2 Jan 2006, 15:04:05")
}

// accountRow and transferRow are what the counter lists.
type accountRow struct {
	Number    string
	Merchant  string
	Amount    money.Kobo
	ExpiresAt time.Time
	Paid      bool
}

// Plain is the amount as the form takes it.
func (a accountRow) Plain() string { return a.Amount.Decimal().StringFixed(2) }

type transferRow struct {
	Account string
	Amount  money.Kobo
	Sender  string
	Code    string
	SentAt  time.Time
}

// Outcome is the bank's answer in words.
func (t transferRow) Outcome() string {
	if t.Code == "00" {
		return "sent"
	}
	return "failed: " + reasons[t.Code]
}

// counterPage is the form as it was filled in, and what is listed under it.
type counterPage struct {
	Account, Amount, Sender string
	Problem                 string
	Sent                    bool
	Banks                   []rails.Bank
	People                  []Person
	Accounts                []accountRow
	Transfers               []transferRow
	Payouts                 []payout
	Disputes                []bankDispute
	Outcomes                []struct{ Code, Words string }
}

func (b *Bank) counter(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	b.showCounter(w, r, http.StatusOK, counterPage{
		Account: query.Get("account"), Amount: query.Get("amount"), Sender: query.Get("sender"), Sent: query.Get("sent") == "1",
	})
}

func (b *Bank) showCounter(w http.ResponseWriter, r *http.Request, status int, page counterPage) {
	page.Banks = banks.New().All()
	if err := b.fill(r.Context(), &page); err != nil {
		broken(w, r, err)
		return
	}
	page.Outcomes = outcomes
	show(w, status, "counter.html", page)
}

// fill reads what the counter shows.
func (b *Bank) fill(ctx context.Context, page *counterPage) (err error) {
	if page.People, err = list(ctx, b.pool, scanPerson, `SELECT `+personColumns+` FROM sandbox_people ORDER BY bvn LIKE '2222222222_', first_name, last_name LIMIT 60`); err != nil {
		return err
	}
	if page.Accounts, err = list(ctx, b.pool, pgx.RowToStructByPos[accountRow], `
		SELECT account_number, merchant, amount, expires_at,
			EXISTS (SELECT FROM sandbox_transfers t WHERE t.account_number = a.account_number AND t.code = '00')
		FROM sandbox_accounts a WHERE validation = 'A0' ORDER BY created_at DESC LIMIT 20`); err != nil {
		return err
	}
	if page.Transfers, err = list(ctx, b.pool, pgx.RowToStructByPos[transferRow],
		`SELECT account_number, amount, sender, code, sent_at FROM sandbox_transfers ORDER BY id DESC LIMIT 20`); err != nil {
		return err
	}
	if page.Payouts, err = list(ctx, b.pool, pgx.RowToStructByPos[payout], `SELECT `+payoutColumns+` FROM sandbox_payouts ORDER BY id DESC LIMIT 20`); err != nil {
		return err
	}
	page.Disputes, err = b.disputes(ctx, "true")
	return err
}

// list reads rows, each as scan makes of it.
func list[T any](ctx context.Context, pool *pgxpool.Pool, scan pgx.RowToFunc[T], sql string) ([]T, error) {
	rows, err := pool.Query(ctx, sql)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, scan)
}

// sendMoney is the counter's form: label "Send money".
func (b *Bank) sendMoney(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 64<<10)
	page := counterPage{Account: r.PostFormValue("account"), Amount: r.PostFormValue("amount"), Sender: r.PostFormValue("sender")}
	amount, err := readAmount(page.Amount)
	if err == nil {
		delay, _ := strconv.Atoi(r.PostFormValue("delay"))
		transfer := Transfer{
			Account: strings.ReplaceAll(word(page.Account, 40), " ", ""), Amount: amount, Sender: page.Sender,
			Delay: time.Duration(min(max(delay, 0), delayMax)) * time.Second, Loose: r.PostFormValue("loose") != "",
			Telling: Telling{
				Twice: r.PostFormValue("twice") != "", Silent: r.PostFormValue("silent") != "", HookBare: r.PostFormValue("hook_bare") != "",
				LineBare: r.PostFormValue("line_bare") != "", LineSessionless: r.PostFormValue("line_sessionless") != "", LineTwice: r.PostFormValue("line_twice") != "",
			},
		}
		if code := r.PostFormValue("fail"); reasons[code] != "" {
			transfer.Code = code
		}
		err = b.Transfer(r.Context(), transfer)
	}
	refusal := fault.As(err)
	switch {
	case refusal != nil:
		page.Problem = refusal.Message
		b.showCounter(w, r, http.StatusUnprocessableEntity, page)
	case err != nil:
		broken(w, r, err)
	default:
		http.Redirect(w, r, "/sandbox/?sent=1", http.StatusSeeOther)
	}
}

// openAccount is the counter's form for somebody made up: label "Open account".
func (b *Bank) openAccount(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 64<<10)
	_, err := b.AddPerson(r.Context(), Person{
		FirstName: r.PostFormValue("first_name"), LastName: r.PostFormValue("last_name"), BankCode: r.PostFormValue("bank"),
		Account: r.PostFormValue("account"), BVN: r.PostFormValue("bvn"), Manner: r.PostFormValue("manner"),
	})
	b.back(w, r, err, "/sandbox/#people")
}

var plainAmount = regexp.MustCompile(`^[0-9]{1,10}(\.[0-9]{1,2})?$`)

// readAmount takes naira as people write them: 5000, 5,000.00 or ₦5,000.
func readAmount(text string) (money.Kobo, error) {
	plain := strings.NewReplacer(",", "", "₦", "", " ", "").Replace(text)
	if !plainAmount.MatchString(plain) {
		return 0, fault.Field("amount", "Please enter an amount in naira, such as 5000 or 5,177.67.")
	}
	amount, err := money.FromNaira(decimal.RequireFromString(plain))
	if err != nil || amount <= 0 || amount > money.Max {
		return 0, fault.Field("amount", "Please enter an amount from ₦0.01 to %s.", money.Max)
	}
	return amount, nil
}

// show renders a page. A checkout form ends at the merchant's site, so forms may lead anywhere.
func show(w http.ResponseWriter, status int, name string, data any) {
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Cache-Control", "no-store")
	header.Set("Content-Security-Policy", "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self' http: https:")
	w.WriteHeader(status)
	if err := templates.ExecuteTemplate(w, name, data); err != nil {
		slog.Debug("sandbox: page not sent", "error", err)
	}
}
