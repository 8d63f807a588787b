package sandbox

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/base/money"
)

// charge is one card payment.
type charge struct {
	ID          int64
	Reference   string
	AccessCode  string
	Email       string
	Amount      money.Kobo
	Fees        money.Kobo
	CallbackURL string
	Status      string // abandoned (not paid yet), success or failed.
	Reason      string
	CreatedAt   time.Time
	PaidAt      *time.Time
	Again       string // The authorization that charged it; empty when a person paid it.
}

const chargeColumns = `id, reference, access_code, email, amount, fees, callback_url, status, reason, created_at, paid_at, authorization_code`

func paystackReply(w http.ResponseWriter, httpStatus int, ok bool, message string, data any) {
	reply(w, httpStatus, map[string]any{"status": ok, "message": message, "data": data})
}

func (b *Bank) paystackOnly(calls string, next http.HandlerFunc) http.HandlerFunc {
	return b.alive(railPaystack, calls, func(w http.ResponseWriter, r *http.Request) {
		if !hmac.Equal([]byte(r.Header.Get("Authorization")), []byte("Bearer "+b.options.PaystackKey)) {
			paystackReply(w, http.StatusUnauthorized, false, "Invalid key", nil)
			return
		}
		next(w, r)
	})
}

// paystackInitialize opens a checkout page; the same reference, amount and e-mail return the same page.
func (b *Bank) paystackInitialize(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Email       string `json:"email"`
		Amount      int64  `json:"amount"`
		Reference   string `json:"reference"`
		CallbackURL string `json:"callback_url"`
	}
	if err := readJSON(r, &asked); err != nil || asked.Amount <= 0 || money.Kobo(asked.Amount) > money.Max || !strings.Contains(asked.Email, "@") {
		paystackReply(w, http.StatusBadRequest, false, "Invalid Amount or Email Sent", nil)
		return
	}
	back, err := url.Parse(asked.CallbackURL)
	asked.Reference = word(asked.Reference, 128)
	if err != nil || asked.CallbackURL != "" && back.Scheme != "http" && back.Scheme != "https" || asked.Reference == "" {
		paystackReply(w, http.StatusBadRequest, false, "Invalid callback_url or reference", nil)
		return
	}
	rows, err := b.pool.Query(r.Context(), `
		INSERT INTO sandbox_charges (reference, access_code, email, amount, callback_url, status, created_at)
		VALUES ($1, $2, $3, $4, $5, 'abandoned', $6)
		ON CONFLICT (reference) DO UPDATE SET reference = EXCLUDED.reference RETURNING `+chargeColumns,
		asked.Reference, strings.ToLower(rand.Text()), word(asked.Email, 320), asked.Amount, asked.CallbackURL, b.now())
	var opened charge
	if err == nil {
		opened, err = pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[charge])
	}
	switch {
	case err != nil:
		broken(w, r, err)
	case int64(opened.Amount) != asked.Amount || opened.Email != asked.Email:
		paystackReply(w, http.StatusBadRequest, false, "Duplicate Transaction Reference", nil)
	default:
		paystackReply(w, http.StatusOK, true, "Authorization URL created", map[string]any{
			"authorization_url": b.options.BaseURL + "/sandbox/checkout/" + opened.AccessCode,
			"access_code":       opened.AccessCode, "reference": opened.Reference,
		})
	}
}

func (b *Bank) paystackVerify(w http.ResponseWriter, r *http.Request) {
	b.answerCharge(w, r, "reference", word(r.PathValue("reference"), 128))
}

// paystackFetch is verification by the gateway's own number.
func (b *Bank) paystackFetch(w http.ResponseWriter, r *http.Request) {
	b.answerCharge(w, r, "id::text", word(r.PathValue("id"), 20))
}

func (b *Bank) answerCharge(w http.ResponseWriter, r *http.Request, column, value string) {
	found, err := readCharge(r.Context(), b.pool, column, value)
	var unknown bool
	if err == nil {
		err = b.pool.QueryRow(r.Context(), `SELECT coalesce(asked_at > $2, false) FROM sandbox_charges WHERE id = $1`, found.ID, b.now()).Scan(&unknown)
	}
	if err == nil && !unknown {
		var says string
		says, err = b.nextWord(r.Context(), "sandbox_charges", found.ID)
		found.Status = cmp.Or(says, found.Status)
	}
	switch {
	case errors.Is(err, pgx.ErrNoRows), unknown:
		paystackReply(w, http.StatusBadRequest, false, "Transaction reference not found.", nil)
	case err != nil:
		broken(w, r, err)
	default:
		paystackReply(w, http.StatusOK, true, "Verification successful", found.data())
	}
}

// data is the transaction as verification and webhooks give it.
func (c charge) data() map[string]any {
	data := map[string]any{
		"id": c.ID, "domain": "test", "status": c.Status, "reference": c.Reference, "amount": int64(c.Amount),
		"requested_amount": int64(c.Amount), "currency": "NGN", "channel": "card", "gateway_response": c.Reason,
		"created_at": c.CreatedAt.UTC().Format(time.RFC3339Nano), "paid_at": nil, "fees": nil,
		"customer": map[string]any{"email": c.Email},
	}
	if c.PaidAt != nil {
		authorization := c.Again
		if authorization == "" {
			authorization = "AUTH_" + c.AccessCode
		}
		data["fees"], data["paid_at"] = int64(c.Fees), c.PaidAt.UTC().Format(time.RFC3339Nano)
		data["authorization"] = map[string]any{
			"authorization_code": authorization, "last4": "4081", "exp_month": "12", "exp_year": "2030",
			"brand": "visa", "bank": "SANDBOX BANK", "reusable": true,
		}
	}
	return data
}

// querier is a pool or a transaction.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

var _ querier = (*pgxpool.Pool)(nil)

// readCharge finds a charge by reference, access_code or number. column is always our constant, never input.
func readCharge(ctx context.Context, db querier, column, value string) (charge, error) {
	rows, err := db.Query(ctx, `SELECT `+chargeColumns+` FROM sandbox_charges WHERE `+column+` = $1`, value)
	if err != nil {
		return charge{}, err
	}
	return pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[charge])
}
