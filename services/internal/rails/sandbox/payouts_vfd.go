package sandbox

import (
	"cmp"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"

	"github.com/jackc/pgx/v5"
	"github.com/shopspring/decimal"

	"adashi.ng/ledger/base/money"
	"adashi.ng/services/internal/rails/sandbox/acts"
)

// vfdTransferOrder is an order to pay out.
type vfdTransferOrder struct {
	FromAccount, ToAccount, ToBank, ToClient, ToSession, ToSavingsID string
	Signature, Amount, Remark, TransferType, Reference               string
}

func (o vfdTransferOrder) signedRight() bool {
	sum := sha512.Sum512([]byte(o.FromAccount + o.ToAccount))
	return o.Signature == hex.EncodeToString(sum[:])
}

// vfdTransfer pays out. It pays a reference once, and answers a wrong signature with 02.
func (b *Bank) vfdTransfer(w http.ResponseWriter, r *http.Request) {
	var asked vfdTransferOrder
	if err := readJSON(r, &asked); err != nil {
		vfdReply(w, http.StatusBadRequest, "99", "Invalid request", nil)
		return
	}
	if b.away(w, r, railVFD, acts.CallsOrders, word(asked.ToAccount, 20)) {
		return
	}
	inside := asked.TransferType == "intra"
	nip := asked.ToBank
	if inside {
		nip = "090110"
	}
	decimalNaira, err := decimal.NewFromString(asked.Amount)
	amount, koboErr := money.FromNaira(decimalNaira)
	to, personErr := b.person(r.Context(), "account_number = $1 AND nip_code = $2", word(asked.ToAccount, 20), word(nip, 10))
	switch {
	case asked.FromAccount != OwnAccount || err != nil || koboErr != nil || amount <= 0 || asked.Reference == "" ||
		!inside && asked.ToSession == "" || inside && (asked.ToSavingsID == "" || asked.ToBank != "999999"):
		vfdReply(w, http.StatusBadRequest, "99", "Invalid request", nil)
		return
	case !asked.signedRight():
		vfdReply(w, http.StatusOK, "02", "Transaction Pending", nil)
		return
	case errors.Is(personErr, pgx.ErrNoRows):
		vfdReply(w, http.StatusOK, "07", failure("07"), nil)
		return
	case personErr != nil:
		broken(w, r, personErr)
		return
	}
	made, m, err := b.order(r.Context(), payout{
		Rail: railVFD, Reference: asked.Reference, Account: to.Account, BankCode: to.BankCode, Name: to.Name(), Amount: amount, Remark: asked.Remark,
	})
	if err != nil && !errors.Is(err, errTwice) {
		broken(w, r, err)
		return
	}
	if errors.Is(err, errTwice) {
		m.Answer = AnswersExists
	}
	answer(w, r, railVFD, m, func() { b.answerTransfer(w, made) })
}

func (b *Bank) answerTransfer(w http.ResponseWriter, made payout) {
	data := map[string]any{"txnId": made.txnID(), "sessionId": made.Session, "reference": made.Reference}
	if made.Fee > 0 && made.FeeTold == "" {
		data["fee"] = naira(int64(made.Fee))
	}
	switch {
	case b.now().Before(made.SettlesAt):
		vfdReply(w, http.StatusOK, "09", "Transaction in progress", data)
	case made.Went():
		vfdReply(w, http.StatusOK, made.Code, "Successful Transfer", data)
	default:
		vfdReply(w, http.StatusOK, made.Code, failure(made.Code), data)
	}
}

func (p payout) txnID() string { return fmt.Sprintf("sandbox-out-%d", p.ID) }

// vfdTransaction is the status query: of a payout, else of an incoming transfer.
func (b *Bank) vfdTransaction(w http.ResponseWriter, r *http.Request) {
	p, err := b.payout(r.Context(), railVFD, r.URL.Query().Get("reference"))
	switch {
	case errors.Is(err, pgx.ErrNoRows), err == nil && b.unknown(p):
		b.vfdTransactions(w, r)
		return
	case err != nil:
		broken(w, r, err)
		return
	case b.away(w, r, railVFD, acts.CallsQueries, p.Account):
		return
	}
	told, _, err := b.told(r.Context(), p)
	var says string
	if err == nil {
		says, err = b.nextWord(r.Context(), "sandbox_payouts", p.ID)
	}
	if err != nil {
		broken(w, r, err)
		return
	}
	status, message := p.Code, "Successful"
	if b.now().Before(p.SettlesAt) {
		status = "09"
	} else if !p.Went() {
		message = failure(p.Code)
	}
	status = cmp.Or(says, status)
	if status == NoSuch {
		vfdReply(w, http.StatusOK, NoSuch, "No Transaction!", nil)
		return
	}
	data := map[string]any{
		"reference": told.Reference, "accountNo": OwnAccount, "toAccountNo": p.Account, "toBank": p.BankCode, "txnId": p.txnID(), "sessionId": p.Session,
		"amount": naira(int64(p.Amount)), "transactionStatus": status,
	}
	if !told.Timeless {
		data["transactionDate"] = told.at(p.SentAt)
	}
	if p.Fee > 0 && p.FeeTold == "" {
		data["fee"] = naira(int64(p.Fee))
	}
	vfdReply(w, http.StatusOK, "00", message, data)
}

// vfdReversal says whether a payout came back.
func (b *Bank) vfdReversal(w http.ResponseWriter, r *http.Request) {
	p, err := b.payout(r.Context(), railVFD, r.URL.Query().Get("reference"))
	var back giveback
	if err == nil {
		p, back, err = b.told(r.Context(), p)
	}
	switch {
	case err != nil && !errors.Is(err, pgx.ErrNoRows):
		broken(w, r, err)
	case back.Empty == TellsList:
		vfdReply(w, http.StatusOK, "00", "Successful", []any{})
	case back.Empty == TellsNothing:
		vfdReply(w, http.StatusOK, "00", "Successful", map[string]any{})
	case back.At == nil:
		vfdReply(w, http.StatusOK, "108", "No Transaction!", nil)
	default:
		data := map[string]any{"reference": back.Reference, "amount": naira(int64(back.Amount)), "transactionStatus": back.Status}
		if !p.ReturnTimeless {
			data["transactionDate"] = p.at(*back.At)
		}
		vfdReply(w, http.StatusOK, "00", "Successful", data)
	}
}
