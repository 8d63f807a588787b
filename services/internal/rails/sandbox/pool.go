package sandbox

import "net/http"

// vfdAccount returns an account; without a number, the pool.
func (b *Bank) vfdAccount(w http.ResponseWriter, r *http.Request) {
	number := word(r.URL.Query().Get("accountNumber"), 20)
	if number != "" && number != OwnAccount {
		vfdReply(w, http.StatusOK, "104", "Account Not Found", nil)
		return
	}
	held, err := b.Holds(r.Context())
	if err != nil {
		broken(w, r, err)
		return
	}
	vfdReply(w, http.StatusOK, "00", "Account Details", map[string]any{
		"accountNo": OwnAccount, "accountId": "1", "client": "Adashi Pool", "clientId": "1", "bvn": "", "savingsProductName": "Corporate Current Account",
		"accountBalance": naira(int64(held[railVFD])),
	})
}
