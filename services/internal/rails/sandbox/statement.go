package sandbox

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/base/money"
)

// OwnAccount is our account at the bank, which anybody can send anything to.
const OwnAccount = "1000000010"

// vfdLines is everything that moved our account: what came in, what went out, and what of that came back. told is when
// the statement has it, and copies how often.
const vfdLines = `
	SELECT coalesce(nullif(t.line_number, ''), 'sandbox-' || t.id) AS txn, CASE WHEN t.line_bare THEN '' ELSE coalesce(nullif(t.reference, ''), a.reference) END AS reference,
			CASE WHEN t.line_sessionless THEN '' ELSE t.session_id END AS session, 'CREDIT' AS kind, t.amount, 0::bigint AS fee, t.sent_at AS at, t.settles_at AS settled,
			greatest(t.settles_at, t.line_at) AS told, t.line_copies AS copies
		FROM sandbox_transfers t JOIN sandbox_accounts a USING (account_number) WHERE t.code = '00'
	UNION ALL SELECT 'sandbox-out-' || id, reference, session_id, 'DEBIT', amount, fee, sent_at, settles_at, settles_at, 1 FROM sandbox_payouts WHERE rail = 'vfd' AND code IN ('00', '26')
	UNION ALL SELECT 'sandbox-back-' || id, reference, session_id, 'CREDIT', amount, 0, reversed_at, reversed_at, reversed_at, 1 FROM sandbox_payouts WHERE rail = 'vfd' AND code IN ('00', '26') AND reversed_at IS NOT NULL`

// vfdStatement is our account's, a page at a time.
func (b *Bank) vfdStatement(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	page, pageErr := strconv.Atoi(query.Get("page"))
	size, sizeErr := strconv.Atoi(query.Get("size"))
	from, fromErr := time.ParseInLocation("2006-01-02 15:04:05", query.Get("fromDate"), lagos.Zone)
	if pageErr != nil || sizeErr != nil || fromErr != nil || page < 0 || size < 1 || size > 500 || query.Get("accountNo") != OwnAccount {
		vfdReply(w, http.StatusBadRequest, "99", "Invalid request", nil)
		return
	}
	var lines int
	err := b.pool.QueryRow(r.Context(), `SELECT coalesce(sum(copies), 0) FROM (`+vfdLines+`) l WHERE told <= $1 AND at >= $2`, b.now(), from).Scan(&lines)
	content := []map[string]any{}
	if err == nil {
		var rows pgx.Rows
		rows, err = b.pool.Query(r.Context(), `SELECT txn, reference, session, kind, amount, fee, at FROM (`+vfdLines+`) l, generate_series(1, copies) WHERE told <= $1 AND at >= $2 ORDER BY at, txn LIMIT $3 OFFSET $4`,
			b.now(), from, size, page*size)
		if err == nil {
			var txn, reference, session, kind string
			var amount, fee int64
			var at time.Time
			_, err = pgx.ForEachRow(rows, []any{&txn, &reference, &session, &kind, &amount, &fee, &at}, func() error {
				content = append(content, map[string]any{
					"txnId": txn, "reference": reference, "sessionId": session, "transactionType": kind, "amount": naira(amount), "fee": naira(fee),
					"transactionDate": at.UTC().Format(time.RFC3339Nano), "currencyCode": "NGN",
				})
				return nil
			})
		}
	}
	if err != nil {
		broken(w, r, err)
		return
	}
	vfdReply(w, http.StatusOK, "00", "Successful", map[string]any{"content": content, "number": page, "totalPages": (lines + size - 1) / size, "totalElements": lines})
}

// Holds is what the bank and the gateway hold for us by now, by provider.
func (b *Bank) Holds(ctx context.Context) (map[string]money.Kobo, error) {
	var bank, gateway money.Kobo
	err := b.pool.QueryRow(ctx, `SELECT (SELECT coalesce(sum(CASE kind WHEN 'CREDIT' THEN amount ELSE -amount END - fee), 0)::bigint FROM (`+vfdLines+`) l WHERE settled <= $1),
		`+gatewayHolds, b.now()).Scan(&bank, &gateway)
	if err != nil {
		return nil, fmt.Errorf("sandbox: holds: %w", err)
	}
	return map[string]money.Kobo{"vfd": bank, "paystack": gateway}, nil
}

// gatewayHolds is what the gateway holds for us at a time.
const gatewayHolds = `(coalesce((SELECT sum(amount - fees) FROM sandbox_charges WHERE status = 'success'), 0)
	- coalesce((SELECT sum(amount) FROM sandbox_refunds), 0)
	- coalesce((SELECT sum(CASE WHEN reversed_at IS NULL THEN amount + fee ELSE fee END) FROM sandbox_payouts WHERE rail = 'paystack' AND code IN ('00', '26') AND settles_at <= $1), 0))::bigint`

// paystackBalance is what the gateway holds for us.
func (b *Bank) paystackBalance(w http.ResponseWriter, r *http.Request) {
	var kobo int64
	if err := b.pool.QueryRow(r.Context(), `SELECT `+gatewayHolds, b.now()).Scan(&kobo); err != nil {
		broken(w, r, err)
		return
	}
	paystackReply(w, http.StatusOK, true, "Balances retrieved", []any{map[string]any{"currency": "NGN", "balance": kobo}})
}

// listing is a page of a list that was asked for.
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

// reply answers the page of what was found.
func (l listing) reply(w http.ResponseWriter, message string, all []map[string]any) {
	first := min((l.page-1)*l.size, len(all))
	reply(w, http.StatusOK, map[string]any{
		"status": true, "message": message, "data": all[first:min(first+l.size, len(all))],
		"meta": map[string]any{"total": len(all), "page": l.page, "perPage": l.size, "pageCount": (len(all) + l.size - 1) / l.size},
	})
}

// paystackList lists transactions.
func (b *Bank) paystackList(w http.ResponseWriter, r *http.Request) {
	asked, ok := readListing(r)
	if !ok {
		paystackReply(w, http.StatusBadRequest, false, "Invalid page", nil)
		return
	}
	status := r.URL.Query().Get("status")
	rows, err := b.pool.Query(r.Context(), `SELECT `+strings.Replace(chargeColumns, "reference", "CASE WHEN line_bare THEN '' ELSE reference END", 1)+`
		FROM sandbox_charges, generate_series(1, line_copies)
		WHERE ($1 = '' OR status = $1) AND coalesce(paid_at, created_at) >= $2 AND (line_at IS NULL OR line_at <= $3) ORDER BY id`, status, asked.from, b.now())
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
	rows, err := b.pool.Query(r.Context(), `SELECT id, reference, session_id, amount, fee, code, settles_at, reversed_at FROM sandbox_payouts
		WHERE rail = 'paystack' AND settles_at <= $1 AND sent_at >= $2 ORDER BY id`, b.now(), asked.from)
	all := []map[string]any{}
	if err == nil {
		var id, amount, fee int64
		var reference, session, code string
		var settles time.Time
		var reversed *time.Time
		_, err = pgx.ForEachRow(rows, []any{&id, &reference, &session, &amount, &fee, &code, &settles, &reversed}, func() error {
			one := map[string]any{
				"id": id, "reference": reference, "transfer_code": fmt.Sprintf("TRF_%s", strings.ToLower(session[min(18, len(session)):])), "amount": amount, "fee_charged": fee, "currency": "NGN",
				"status": "failed", "transferred_at": settles.UTC().Format(time.RFC3339Nano), "updatedAt": settles.UTC().Format(time.RFC3339Nano),
			}
			if code == "00" || code == "26" {
				one["status"] = "success"
			}
			if reversed != nil {
				one["status"], one["updatedAt"] = "reversed", reversed.UTC().Format(time.RFC3339Nano)
			}
			all = append(all, one)
			return nil
		})
	}
	if err != nil {
		broken(w, r, err)
		return
	}
	asked.reply(w, "Transfers retrieved", all)
}
