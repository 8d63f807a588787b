package sandbox

import "net/http"

// poolParty is the account as an enquiry tells it, but for its balance.
func poolParty() map[string]any {
	return map[string]any{"accountNo": poolNumber, "accountId": "1", "client": "Adashi Pool", "clientId": "1", "bvn": "", "savingsProductName": "Corporate Current Account"}
}

// vfdAccount tells about an account; of no number, the pool.
func (b *Bank) vfdAccount(w http.ResponseWriter, r *http.Request) {
	number := word(r.URL.Query().Get("accountNumber"), 20)
	if number != "" && number != poolNumber {
		vfdReply(w, http.StatusOK, "104", "Account Not Found", nil)
		return
	}
	var kobo int64
	err := b.pool.QueryRow(r.Context(), `SELECT coalesce((SELECT sum(amount) FROM sandbox_transfers WHERE code = '00' AND settles_at <= $1), 0)::bigint
		- coalesce((SELECT sum(amount + fee) FROM sandbox_payouts WHERE rail = 'vfd' AND code IN ('00', '26') AND settles_at <= $1 AND reversed_at IS NULL), 0)::bigint`,
		b.now()).Scan(&kobo)
	if err != nil {
		broken(w, r, err)
		return
	}
	data := poolParty()
	data["accountBalance"] = naira(kobo)
	vfdReply(w, http.StatusOK, "00", "Account Details", data)
}
