package vfd

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/base/money"
	"adashi.ng/services/internal/rails"
)

var _ rails.Teller = (*Client)(nil)

const (
	pageSize = 500
	pagesMax = 400
)

// pool is our own account, behind all virtual ones.
type pool struct {
	Number  string `json:"accountNo"`
	Balance string `json:"accountBalance"`
}

func (c *Client) pool(ctx context.Context) (pool, error) {
	var p pool
	if err := c.ask(ctx, "/account/enquiry", &p); err != nil {
		return p, c.caller.Unavailable(fmt.Errorf("the account enquiry: %w", err))
	}
	return p, nil
}

// Balance returns the pool's balance at the bank.
func (c *Client) Balance(ctx context.Context) (money.Kobo, error) {
	p, err := c.pool(ctx)
	if err != nil {
		return 0, err
	}
	balance, err := readNaira(p.Balance)
	if err != nil {
		return 0, c.caller.Unavailable(fmt.Errorf("a balance of %q", p.Balance))
	}
	return balance, nil
}

// posted is a line of the pool's statement.
type posted struct {
	Reference string `json:"reference"`
	SessionID string `json:"sessionId"`
	TxnID     string `json:"txnId"`
	Kind      string `json:"transactionType"` // CREDIT or DEBIT.
	Amount    string `json:"amount"`
	Fee       string `json:"fee"` // For a debit, on top of the amount; may be absent.
	Date      string `json:"transactionDate"`
}

func (p posted) read() (rails.Line, error) {
	line := rails.Line{ProviderRef: p.SessionID, Reference: p.Reference, Out: p.Kind == "DEBIT"}
	switch {
	case line.ProviderRef == "":
		line.ProviderRef, line.Nameless = p.TxnID, true
	case p.TxnID != "":
		line.Also = []string{p.TxnID}
	}
	var err error
	if line.Amount, err = readNaira(p.Amount); err != nil || line.Amount <= 0 || line.ProviderRef == "" || p.Kind != "DEBIT" && p.Kind != "CREDIT" {
		return line, fmt.Errorf("a line %q of %q %q", p.TxnID, p.Kind, p.Amount)
	}
	if p.Fee != "" {
		if line.Fee, err = readNaira(p.Fee); err != nil || line.Fee < 0 {
			return line, fmt.Errorf("a fee of %q", p.Fee)
		}
	}
	if session, charge := strings.CutPrefix(p.SessionID, "F"); charge && line.Out && strings.HasPrefix(p.Reference, commission) {
		line.ChargeOf = session
	}
	line.At, err = readTime(p.Date)
	return line, err
}

// commission begins the references of the bank's own charges; their session is the payout's, after an F.
const commission = "COMM/"

// Statement returns the pool's statement, page by page.
func (c *Client) Statement(ctx context.Context, since time.Time) ([]rails.Line, error) {
	p, err := c.pool(ctx)
	if err != nil {
		return nil, err
	}
	var lines []rails.Line
	for page := range pagesMax {
		var data struct {
			Content []posted `json:"content"`
			Pages   int      `json:"totalPages"`
		}
		query := url.Values{
			"accountNo": {p.Number}, "fromDate": {since.In(lagos.Zone).Format("2006-01-02 15:04:05")}, "page": {strconv.Itoa(page)}, "size": {strconv.Itoa(pageSize)},
		}
		if err := c.ask(ctx, "/account/transactions?"+query.Encode(), &data); err != nil {
			return nil, c.caller.Unavailable(fmt.Errorf("the statement: %w", err))
		}
		for _, one := range data.Content {
			line, err := one.read()
			if err != nil {
				return nil, c.caller.Unavailable(fmt.Errorf("the statement: %w", err))
			}
			lines = append(lines, line)
		}
		if page+1 >= data.Pages {
			return lines, nil
		}
	}
	return nil, c.caller.Unavailable(fmt.Errorf("the statement has more than %d pages", pagesMax))
}
