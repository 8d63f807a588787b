package sandbox

import (
	"errors"
	"net/http"
	"net/url"

	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/rails/sandbox/counter"
)

func (b *Bank) checkout(w http.ResponseWriter, r *http.Request) {
	found, err := readCharge(r.Context(), b.pool, "access_code", word(r.PathValue("code"), 64))
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		counter.ShowCheckout(w, http.StatusNotFound, nil)
	case err != nil:
		broken(w, r, err)
	default:
		counter.ShowCheckout(w, http.StatusOK, found)
	}
}

// settleCheckout handles the buttons "Pay" and "Decline". The payer goes back to the merchant, even when the charge had
// already ended: the merchant asks us for its state.
func (b *Bank) settleCheckout(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 64<<10)
	how := settlement{status: "failed", CardPayment: CardPayment{Telling: counter.Telling(r)}}
	if r.PostFormValue("action") == "pay" {
		how.status = "success"
	}
	settled, err := b.settle(r.Context(), "access_code", word(r.PathValue("code"), 64), how)
	switch {
	case fault.Is(err, fault.NotFound):
		counter.ShowCheckout(w, http.StatusNotFound, nil)
	case err != nil && !fault.Is(err, fault.Conflict):
		broken(w, r, err)
	case settled.CallbackURL == "":
		counter.ShowCheckout(w, http.StatusOK, settled)
	default:
		http.Redirect(w, r, callback(settled), http.StatusSeeOther)
	}
}

// callback adds the reference to the merchant's address, as the gateway does, under both names.
func callback(c charge) string {
	back, err := url.Parse(c.CallbackURL)
	if err != nil {
		return "/" // It was parsed when the charge was opened.
	}
	query := back.Query()
	query.Set("reference", c.Reference)
	query.Set("trxref", c.Reference)
	back.RawQuery = query.Encode()
	return back.String()
}
