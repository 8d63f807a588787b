package sandbox

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/lagos"
)

// OwnAccount is our account at the bank; anybody can send money to it.
const OwnAccount = "1000000010"

// vfdStatement returns our account's statement, a page at a time.
func (b *Bank) vfdStatement(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	page, pageErr := strconv.Atoi(query.Get("page"))
	size, sizeErr := strconv.Atoi(query.Get("size"))
	from, fromErr := time.ParseInLocation("2006-01-02 15:04:05", query.Get("fromDate"), lagos.Zone)
	if pageErr != nil || sizeErr != nil || fromErr != nil || page < 0 || size < 1 || size > 500 || query.Get("accountNo") != OwnAccount {
		vfdReply(w, http.StatusBadRequest, "99", "Invalid request", nil)
		return
	}
	lines, total, err := b.Statement(r.Context(), from, page, size)
	content := []map[string]any{}
	var all manners
	if err == nil {
		all, err = readManners(r.Context(), b.pool)
	}
	for _, line := range lines {
		if line.Payee != "" {
			line.At = line.At.Add(all.of(railVFD, line.Payee).Skew)
		}
		content = append(content, map[string]any{
			"txnId": line.Txn, "reference": line.Reference, "sessionId": line.Session, "transactionType": line.Kind,
			"amount": naira(int64(line.Amount)), "fee": naira(int64(line.Fee)), "transactionDate": line.At.UTC().Format(time.RFC3339Nano), "currencyCode": "NGN",
		})
	}
	if err != nil {
		broken(w, r, err)
		return
	}
	vfdReply(w, http.StatusOK, "00", "Successful", map[string]any{"content": content, "number": page, "totalPages": (total + size - 1) / size, "totalElements": total})
}

// paystackBalance returns the money that the gateway holds for us.
func (b *Bank) paystackBalance(w http.ResponseWriter, r *http.Request) {
	held, err := b.Holds(r.Context())
	if err != nil {
		broken(w, r, err)
		return
	}
	paystackReply(w, http.StatusOK, true, "Balances retrieved", []any{map[string]any{"currency": "NGN", "balance": int64(held[railPaystack])}})
}

// listing is a request for a page of a list.
type listing struct {
	from time.Time
	page int
	size int
}

func readListing(r *http.Request) (listing, bool) {
	query := r.URL.Query()
	l := listing{page: 1, size: 50}
	var err error
	for name, to := range map[string]*int{"page": &l.page, "perPage": &l.size} {
		if text := query.Get(name); text != "" && err == nil {
			*to, err = strconv.Atoi(text)
		}
	}
	if text := query.Get("from"); text != "" && err == nil {
		l.from, err = time.Parse(time.RFC3339, text)
	}
	return l, err == nil && l.page > 0 && l.size > 0 && l.size <= 100
}

// reply writes the requested page of the rows found.
func (l listing) reply(w http.ResponseWriter, message string, all []map[string]any) {
	first := min((l.page-1)*l.size, len(all))
	reply(w, http.StatusOK, map[string]any{
		"status": true, "message": message, "data": all[first:min(first+l.size, len(all))],
		"meta": map[string]any{"total": len(all), "page": l.page, "perPage": l.size, "pageCount": (len(all) + l.size - 1) / l.size},
	})
}

// paystackList lists transactions, each with the status that the gateway reports.
func (b *Bank) paystackList(w http.ResponseWriter, r *http.Request) {
	asked, ok := readListing(r)
	if !ok {
		paystackReply(w, http.StatusBadRequest, false, "Invalid page", nil)
		return
	}
	status := r.URL.Query().Get("status")
	columns := strings.NewReplacer("reference", "CASE WHEN line_bare THEN '' ELSE reference END", "status", "coalesce(nullif(nullif(says[1], ''), 'truth'), status) AS said").Replace(chargeColumns)
	rows, err := b.pool.Query(r.Context(), `SELECT `+columns+`
		FROM sandbox_charges, generate_series(1, line_copies)
		WHERE ($1 = '' OR coalesce(nullif(nullif(says[1], ''), 'truth'), status) = $1) AND coalesce(paid_at, created_at) >= $2 AND (line_at IS NULL OR line_at <= $3) ORDER BY id`,
		status, asked.from, b.now())
	var charges []charge
	if err == nil {
		charges, err = pgx.CollectRows(rows, pgx.RowToStructByPos[charge])
	}
	if err != nil {
		broken(w, r, err)
		return
	}
	all := []map[string]any{}
	for _, c := range charges {
		all = append(all, c.data())
	}
	asked.reply(w, "Transactions retrieved", all)
}

// paystackTransfers lists transfers that we sent.
func (b *Bank) paystackTransfers(w http.ResponseWriter, r *http.Request) {
	asked, ok := readListing(r)
	if !ok {
		paystackReply(w, http.StatusBadRequest, false, "Invalid page", nil)
		return
	}
	how, err := readManners(r.Context(), b.pool)
	var sent []payout
	if err == nil {
		sent, err = b.transfersSince(r.Context(), asked.from)
	}
	if err != nil {
		broken(w, r, err)
		return
	}
	all := []map[string]any{}
	for _, p := range sent {
		all = append(all, p.dated(how.of(railPaystack, p.Account)).listed(b.now()))
	}
	asked.reply(w, "Transfers retrieved", all)
}

// transfersSince returns the listed transfers since a moment.
func (b *Bank) transfersSince(ctx context.Context, from time.Time) ([]payout, error) {
	rows, err := b.pool.Query(ctx, `SELECT `+payoutColumns+` FROM sandbox_payouts
		WHERE rail = 'paystack' AND settles_at + line_late_ms * interval '1 ms' <= $1 AND sent_at >= $2 ORDER BY id`, b.now(), from)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[payout])
}

// listed is the transfer as the list has it; unlike other answers, it names the fee.
func (p payout) listed(at time.Time) map[string]any {
	data := p.transferData(at)
	if len(p.Says) > 0 && p.Says[0] != Truth {
		data["status"] = p.Says[0]
	}
	if p.Went() && p.FeeTold == FeeOnLine {
		data["fee_charged"] = int64(p.Fee)
	}
	return data
}
