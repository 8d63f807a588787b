package sandbox

import (
	"cmp"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/shopspring/decimal"

	"adashi.ng/ledger/base/money"
	"adashi.ng/services/internal/rails/banks"
)

const tokenValid = time.Hour

// vfdReply writes the bank's envelope. Its outer status is the call's result, never the transaction's.
func vfdReply(w http.ResponseWriter, httpStatus int, status, message string, data any) {
	reply(w, httpStatus, map[string]any{"status": status, "message": message, "data": data})
}

func (b *Bank) vfdToken(w http.ResponseWriter, r *http.Request) {
	var asked struct{ ConsumerKey, ConsumerSecret string }
	if err := readJSON(r, &asked); err != nil {
		vfdReply(w, http.StatusBadRequest, "99", "Invalid request", nil)
		return
	}
	key := subtle.ConstantTimeCompare([]byte(asked.ConsumerKey), []byte(b.options.ConsumerKey))
	secret := subtle.ConstantTimeCompare([]byte(asked.ConsumerSecret), []byte(b.options.ConsumerSecret))
	if key&secret != 1 {
		vfdReply(w, http.StatusUnauthorized, "99", "Invalid consumer key or secret", nil)
		return
	}
	vfdReply(w, http.StatusOK, "00", "Successful", map[string]any{
		"access_token": b.token(b.now()), "expires_in": int(tokenValid.Seconds()), "token_type": "Bearer",
	})
}

// token is valid for its hour and the next, in every process, without a table.
func (b *Bank) token(at time.Time) string {
	mac := hmac.New(sha256.New, []byte(b.options.ConsumerSecret))
	mac.Write([]byte("token " + strconv.FormatInt(at.Unix()/int64(tokenValid.Seconds()), 10)))
	return hex.EncodeToString(mac.Sum(nil))
}

// vfdOnly answers 403 without a valid token, as the bank does.
func (b *Bank) vfdOnly(calls string, next http.HandlerFunc) http.HandlerFunc {
	return b.alive(railVFD, calls, func(w http.ResponseWriter, r *http.Request) {
		given := []byte(r.Header.Get("AccessToken"))
		now := b.now()
		if !hmac.Equal(given, []byte(b.token(now))) && !hmac.Equal(given, []byte(b.token(now.Add(-tokenValid)))) {
			vfdReply(w, http.StatusForbidden, "403", "Invalid or expired access token", nil)
			return
		}
		next(w, r)
	})
}

// vfdVirtualAccount opens an account for one payment; the same reference and amount return the same account.
func (b *Bank) vfdVirtualAccount(w http.ResponseWriter, r *http.Request) {
	var asked struct{ Amount, MerchantName, Reference, ValidityTime, AmountValidation string }
	if err := readJSON(r, &asked); err != nil {
		vfdReply(w, http.StatusBadRequest, "99", "Invalid request", nil)
		return
	}
	naira, err := decimal.NewFromString(asked.Amount)
	amount, koboErr := money.FromNaira(naira)
	minutes, minutesErr := strconv.Atoi(asked.ValidityTime)
	asked.Reference = word(asked.Reference, 128)
	if err != nil || koboErr != nil || minutesErr != nil || amount <= 0 || minutes < 1 || minutes > 4320 || asked.Reference == "" || asked.AmountValidation != "A0" {
		vfdReply(w, http.StatusBadRequest, "99", "Invalid request", nil)
		return
	}
	now := b.now()
	var number string
	var opened int64
	err = b.pool.QueryRow(r.Context(), `
		INSERT INTO sandbox_accounts (account_number, reference, merchant, amount, validation, created_at, expires_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (reference) DO UPDATE SET reference = EXCLUDED.reference
		RETURNING account_number, amount`, accountNumber(), asked.Reference, word(asked.MerchantName, 100), int64(amount),
		asked.AmountValidation, now, now.Add(time.Duration(minutes)*time.Minute)).Scan(&number, &opened)
	switch {
	case err != nil:
		broken(w, r, err)
	case opened != int64(amount):
		vfdReply(w, http.StatusBadRequest, "99", "Duplicate reference", nil)
	default:
		vfdReply(w, http.StatusOK, "00", "Successful Creation", map[string]any{"accountNumber": number, "reference": asked.Reference})
	}
}

// accountNumber returns ten digits that begin like VFD's virtual accounts. A collision is practically impossible here.
func accountNumber() string {
	n, err := rand.Int(rand.Reader, big.NewInt(100_000_000))
	if err != nil {
		panic(err) // crypto/rand never fails.
	}
	return fmt.Sprintf("46%08d", n)
}

// vfdTransactions is the status query: by session it returns that one transfer, by reference the first that went
// through, else the last.
func (b *Bank) vfdTransactions(w http.ResponseWriter, r *http.Request) {
	reference, session := word(r.URL.Query().Get("reference"), 128), word(r.URL.Query().Get("sessionId"), 128)
	var id, amount int64
	var code, account, sender string
	var from Account
	var sent, settles time.Time
	err := b.pool.QueryRow(r.Context(), `
		SELECT a.account_number, coalesce(nullif(t.reference, ''), a.reference), t.id, t.session_id, t.amount, t.code, t.sent_at, t.settles_at, t.sender, t.sender_bank, t.sender_account
		FROM sandbox_accounts a JOIN sandbox_transfers t USING (account_number)
		WHERE coalesce(t.asked_at <= $3, true) AND ($1 <> '' AND t.reference = '' AND a.reference = $1 OR $1 <> '' AND t.reference = $1 OR $2 <> '' AND t.session_id = $2)
		ORDER BY t.code = '00' DESC, CASE t.code WHEN '00' THEN t.id ELSE -t.id END LIMIT 1`, reference, session, b.now()).Scan(
		&account, &reference, &id, &session, &amount, &code, &sent, &settles, &sender, &from.Bank, &from.Number)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		vfdReply(w, http.StatusOK, "108", "No Transaction!", nil)
		return
	case err != nil:
		broken(w, r, err)
		return
	}
	says, err := b.nextWord(r.Context(), "sandbox_transfers", id)
	switch {
	case err != nil:
		broken(w, r, err)
		return
	case says == NoSuch:
		vfdReply(w, http.StatusOK, NoSuch, "No Transaction!", nil)
		return
	case b.now().Before(settles) && says == "":
		vfdReply(w, http.StatusOK, "00", "Successful", map[string]any{"reference": reference, "accountNo": account, "transactionStatus": "01"})
		return
	}
	code = cmp.Or(says, code)
	message := "Successful"
	if code != succeeded {
		message = cmp.Or(reasons[code], failure(code))
	}
	data := map[string]any{
		"reference": reference, "accountNo": account, "txnId": fmt.Sprintf("sandbox-%d", id), "sessionId": session,
		"amount": naira(amount), "transactionStatus": code, "transactionDate": sent.UTC().Format(time.RFC3339Nano),
	}
	if bank, known := banks.New().Find(from.Bank); known && from.Number != "" {
		data["fromAccountNo"], data["fromBank"], data["fromAccountName"] = from.Number, bank.NIP, sender
	}
	vfdReply(w, http.StatusOK, "00", message, data)
}

// naira formats kobo as the bank does.
func naira(kobo int64) string { return money.Kobo(kobo).Decimal().StringFixed(2) }

// reasons are the texts for the results of transfers that are not paid.
var reasons = map[string]string{"51": "Insufficient funds", "91": "The other bank did not answer", "09": "Transaction in progress"}

// sessionID is unique to a transfer: the bank's own code, the moment and a random suffix, as NIBSS builds them.
func sessionID(at time.Time) string {
	return "090110" + at.UTC().Format("060102150405") + strings.ToUpper(rand.Text()[:12])
}
