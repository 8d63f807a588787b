package sandbox

import (
	"cmp"
	"crypto/rand"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/money"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/sandbox/acts"
)

// The gateway's words for the states of a transfer.
const (
	statusPending  = "pending"
	statusSuccess  = "success"
	statusFailed   = "failed"
	statusReversed = "reversed"
)

// payoutFee is the gateway's fee for a transfer: ₦10 to ₦5,000, ₦25 to ₦50,000, ₦50 above.
func payoutFee(amount money.Kobo) money.Kobo {
	switch {
	case amount <= 5_000*money.Naira:
		return 10 * money.Naira
	case amount <= 50_000*money.Naira:
		return 25 * money.Naira
	default:
		return 50 * money.Naira
	}
}

// paystackRecipient makes a receiver; the same account returns the same one.
func (b *Bank) paystackRecipient(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Type    string `json:"type"`
		Account string `json:"account_number"`
		Bank    string `json:"bank_code"`
	}
	if err := readJSON(r, &asked); err != nil || asked.Type != "nuban" {
		paystackReply(w, http.StatusBadRequest, false, "Invalid recipient", nil)
		return
	}
	if b.refused(w, r, railPaystack, word(asked.Account, 20)) {
		return
	}
	missing, err := b.missing(r.Context(), word(asked.Account, 20))
	var p Person
	if err == nil && !missing {
		p, err = b.person(r.Context(), "account_number = $1 AND bank_code = $2", word(asked.Account, 20), word(asked.Bank, 10))
	}
	if missing || errors.Is(err, pgx.ErrNoRows) {
		paystackReply(w, http.StatusBadRequest, false, "Account details are invalid", nil)
		return
	}
	var code string
	if err == nil {
		err = b.pool.QueryRow(r.Context(), `INSERT INTO sandbox_recipients (code, account_number, bank_code, account_name) VALUES ($1, $2, $3, $4)
			ON CONFLICT (account_number, bank_code) DO UPDATE SET account_name = excluded.account_name RETURNING code`,
			"RCP_"+strings.ToLower(rand.Text()[:15]), p.Account, p.BankCode, p.Name()).Scan(&code)
	}
	if err != nil {
		broken(w, r, err)
		return
	}
	paystackReply(w, http.StatusCreated, true, "Transfer recipient created successfully", map[string]any{
		"recipient_code": code, "type": "nuban", "currency": rails.Naira, "active": true,
		"details": map[string]any{"account_number": p.Account, "account_name": p.Name(), "bank_code": p.BankCode},
	})
}

// paystackTransfer pays out; it pays a reference once.
func (b *Bank) paystackTransfer(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Source    string `json:"source"`
		Amount    int64  `json:"amount"`
		Recipient string `json:"recipient"`
		Reference string `json:"reference"`
		Reason    string `json:"reason"`
	}
	if err := readJSON(r, &asked); err != nil || asked.Source != "balance" || asked.Amount <= 0 || len(asked.Reference) < 16 {
		paystackReply(w, http.StatusBadRequest, false, "Invalid transfer", nil)
		return
	}
	to := payout{Rail: railPaystack, Reference: asked.Reference, Amount: money.Kobo(asked.Amount), Fee: payoutFee(money.Kobo(asked.Amount)), Remark: asked.Reason}
	err := b.pool.QueryRow(r.Context(), `SELECT account_number, bank_code, account_name FROM sandbox_recipients WHERE code = $1`,
		word(asked.Recipient, 40)).Scan(&to.Account, &to.BankCode, &to.Name)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		paystackReply(w, http.StatusBadRequest, false, "Recipient specified is invalid", nil)
		return
	case err != nil:
		broken(w, r, err)
		return
	case b.away(w, r, railPaystack, acts.CallsOrders, to.Account):
		return
	}
	made, m, err := b.order(r.Context(), to)
	if err != nil && !errors.Is(err, errTwice) {
		broken(w, r, err)
		return
	}
	if errors.Is(err, errTwice) {
		m.Answer = AnswersExists
	}
	answer(w, r, railPaystack, m, func() {
		paystackReply(w, http.StatusOK, true, "Transfer has been queued", made.dated(m).transferData(b.now()))
	})
}

// paystackVerifyTransfer returns the state of a transfer.
func (b *Bank) paystackVerifyTransfer(w http.ResponseWriter, r *http.Request) {
	p, err := b.payout(r.Context(), railPaystack, r.PathValue("reference"))
	switch {
	case errors.Is(err, pgx.ErrNoRows), err == nil && b.unknown(p):
		paystackReply(w, http.StatusNotFound, false, "Transfer not found", nil)
		return
	case err != nil:
		broken(w, r, err)
		return
	case b.away(w, r, railPaystack, acts.CallsQueries, p.Account):
		return
	}
	p, back, err := b.told(r.Context(), p)
	var says string
	if err == nil {
		says, err = b.nextWord(r.Context(), "sandbox_payouts", p.ID)
	}
	switch {
	case err != nil:
		broken(w, r, err)
	case back.Empty == TellsList:
		paystackReply(w, http.StatusOK, true, "Transfer retrieved", []any{})
	case back.Empty == TellsNothing:
		paystackReply(w, http.StatusOK, true, "Transfer retrieved", map[string]any{})
	default:
		data := p.transferData(b.now())
		data["status"] = cmp.Or(says, data["status"].(string))
		paystackReply(w, http.StatusOK, true, "Transfer retrieved", data)
	}
}

// pendingCodes are the bank's codes for a result that is not known yet.
var pendingCodes = map[string]bool{"01": true, "02": true, "09": true, "25": true, "94": true, "96": true, "500": true, acts.Unlisted: true}

// transferData is the transfer as verification and webhooks give it, at a moment.
func (p payout) transferData(at time.Time) map[string]any {
	data := map[string]any{
		"id": p.ID, "domain": "test", "reference": p.Reference, "transfer_code": "TRF_" + strings.ToLower(p.Session[min(18, len(p.Session)):]), "source": "balance",
		"amount": int64(p.Amount), "fee_charged": int64(p.Fee), "currency": rails.Naira, "reason": p.Remark, "failures": nil, "gateway_response": nil,
		"createdAt": p.at(p.SentAt), "updatedAt": p.at(p.SettlesAt), "transferred_at": nil,
		"recipient": map[string]any{"type": "nuban", "name": p.Name, "details": map[string]any{"account_number": p.Account, "account_name": p.Name, "bank_code": p.BankCode}},
	}
	if p.FeeTold != "" {
		data["fee_charged"] = 0
	}
	switch {
	case at.Before(p.SettlesAt) || pendingCodes[p.Code]:
		data["status"], data["fee_charged"] = statusPending, 0
	case !p.Went():
		data["status"], data["fee_charged"], data["gateway_response"] = statusFailed, 0, failure(p.Code)
	case p.ReversedAt != nil:
		data["status"], data["transferred_at"], data["gateway_response"] = statusReversed, p.at(p.SettlesAt), "The receiving bank sent it back"
		data["updatedAt"] = p.at(*p.ReversedAt)
	default:
		data["status"], data["transferred_at"] = statusSuccess, p.at(p.SettlesAt)
	}
	if p.Timeless || p.ReturnTimeless && p.ReversedAt != nil {
		data["transferred_at"] = nil
	}
	return data
}
