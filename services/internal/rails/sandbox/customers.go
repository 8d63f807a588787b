package sandbox

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/jackc/pgx/v5"

	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/sandbox/acts"
	"adashi.ng/services/internal/rails/sandbox/webhooks"
)

// paystackCustomer makes a customer; the same e-mail returns the same one.
func (b *Bank) paystackCustomer(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Email string `json:"email"`
	}
	if err := readJSON(r, &asked); err != nil || asked.Email == "" {
		paystackReply(w, http.StatusBadRequest, false, "Invalid request", nil)
		return
	}
	var code string
	var identified bool
	err := b.pool.QueryRow(r.Context(), `INSERT INTO sandbox_customers (code, email) VALUES ($1, $2)
		ON CONFLICT (email) DO UPDATE SET email = excluded.email RETURNING code, identified`,
		"CUS_"+strings.ToLower(rand.Text()[:15]), word(asked.Email, 320)).Scan(&code, &identified)
	if err != nil {
		broken(w, r, err)
		return
	}
	paystackReply(w, http.StatusOK, true, "Customer created", map[string]any{"customer_code": code, "identified": identified})
}

func (b *Bank) paystackShowCustomer(w http.ResponseWriter, r *http.Request) {
	var identified bool
	err := b.pool.QueryRow(r.Context(), `SELECT identified FROM sandbox_customers WHERE code = $1`, word(r.PathValue("code"), 40)).Scan(&identified)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		paystackReply(w, http.StatusNotFound, false, "Customer not found", nil)
	case err != nil:
		broken(w, r, err)
	default:
		paystackReply(w, http.StatusOK, true, "Customer retrieved", map[string]any{"customer_code": r.PathValue("code"), "identified": identified})
	}
}

// identification is the data that identifies a customer.
type identification struct {
	Country, Type string
	Account       string `json:"account_number"`
	BVN           string `json:"bvn"`
	BankCode      string `json:"bank_code"`
	FirstName     string `json:"first_name"`
	LastName      string `json:"last_name"`
}

// paystackIdentify decides at once and reports by webhook, as the gateway does; a slow one reports later, a silent one
// never.
func (b *Bank) paystackIdentify(w http.ResponseWriter, r *http.Request) {
	var asked identification
	if err := readJSON(r, &asked); err != nil || asked.Type != "bank_account" || !elevenDigits.MatchString(asked.BVN) || !tenDigits.MatchString(asked.Account) {
		paystackReply(w, http.StatusBadRequest, false, "Invalid identification", nil)
		return
	}
	err := b.identify(r.Context(), word(r.PathValue("code"), 40), asked)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		paystackReply(w, http.StatusNotFound, false, "Customer not found", nil)
	case err != nil:
		broken(w, r, err)
	default:
		paystackReply(w, http.StatusAccepted, true, "Customer Identification in progress", nil)
		b.hooks.Nudge()
	}
}

func (b *Bank) identify(ctx context.Context, code string, asked identification) error {
	p, ready, err := b.asked(ctx, asked.BVN)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return err
	}
	same := err == nil && p.Account == asked.Account && p.BankCode == asked.BankCode && rails.SameName(p.Name(), asked.FirstName, asked.LastName)
	at, event, reason := b.now(), "customeridentification.success", ""
	if p.Manner == Slow && !ready {
		at = p.AskedAt.Add(acts.SlowFor)
	}
	if !same {
		event, reason = "customeridentification.failed", "Account number or BVN is incorrect"
	}
	return pgx.BeginFunc(ctx, b.pool, func(tx pgx.Tx) error {
		var email string
		// A caller who asks before the webhook has come only learns it sooner.
		err := tx.QueryRow(ctx, `UPDATE sandbox_customers SET identified = $2 WHERE code = $1 RETURNING email`, code, same && ready).Scan(&email)
		if err != nil || p.Manner == Silent {
			return err
		}
		body, err := json.Marshal(map[string]any{"event": event, "data": map[string]any{
			"customer_code": code, "email": email, "reason": reason, "identification": map[string]string{
				"country": "NG", "type": "bank_account", "bvn": asked.BVN[:3] + "*****" + asked.BVN[8:], "account_number": asked.Account, "bank_code": asked.BankCode,
			},
		}})
		if err != nil {
			return err
		}
		return webhooks.Queue(ctx, tx, webhooks.Paystack, body, at, false)
	})
}
