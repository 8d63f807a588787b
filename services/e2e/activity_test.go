package e2e

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ledongthuc/pdf"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/lagos"
)

// file is a download, whole.
func (p *person) file(path string) ([]byte, *http.Response) {
	p.Helper()
	request, err := http.NewRequest("GET", p.base+path, nil)
	require.NoError(p, err)
	p.shows(request)
	request.Header.Set("X-Forwarded-For", fromAnywhere())
	response, err := client.Do(request)
	require.NoError(p, err)
	defer func() { _ = response.Body.Close() }()
	raw, err := io.ReadAll(response.Body)
	require.NoError(p, err)
	return raw, response
}

// moves are those of a person's movements that a query lets through.
func (p *person) moves(query string) (out []object) {
	p.Helper()
	for _, m := range must[object](p, "GET", "/api/v1/activity"+query, nil)["transactions"].([]any) {
		out = append(out, m.(object))
	}
	return out
}

// saver is a member who brought ₦20,000 in and paid ₦5,000 to each of two sub-accounts.
func saver(t *testing.T) (club, *person) {
	t.Helper()
	c := found(t, product(t))
	p := c.member.funded(20_000)
	hidden := must[object](c.owner, "POST", "/api/GroupSavings/CreateSubAccount", object{
		"groupSavingsId": c.group, "name": "=1+1 Welfare", "paymentType": "FLEXIBLE", "paymentFrequency": "MONTHLY", "amountPayable": 100, "userId": c.owner.id, "showTotalToMembers": false,
	})["id"].(string)
	for _, sub := range []string{c.sub, hidden} {
		require.Equal(t, 200, p.pays(sub, 5000).status)
	}
	p.holds("10000.00")
	// Movements and names are of two read models.
	require.Eventually(t, func() bool { return len(p.moves("")) == 3 && len(p.moves("?search=welfare")) == 1 }, time.Minute, 10*time.Millisecond)
	return c, p
}

func TestActivityIsFilteredSearchedAndExported(t *testing.T) {
	t.Parallel()
	c, p := saver(t)
	today := lagos.Day(time.Now())
	for query, want := range map[string]int{
		"": 3, "?kind=CONTRIBUTION": 2, "?kind=CONTRIBUTION&kind=WALLET_FUNDED": 3, "?direction=IN": 1, "?channel=WALLET": 2, "?groupId=" + c.group: 2,
		"?search=monthly": 1, "?search=" + url.QueryEscape("MỌ́NTHLY"): 1, "?search=" + url.QueryEscape("'"): 0, "?search=" + url.QueryEscape("₦20,000"): 1, "?search=balogun&direction=OUT": 2, "?from=" + today + "&to=" + today: 3, "?to=2020-01-01": 0,
		"?limit=2": 2,
	} {
		require.Len(t, p.moves(query), want, query)
	}
	for _, query := range []string{"?kind=GIFT", "?direction=UP", "?from=yesterday", "?from=2026-02-02&to=2026-02-01", "?search=" + strings.Repeat("x", 101)} {
		require.Equal(t, 400, p.ask("GET", "/api/v1/activity"+query, nil).status, query)
		require.Equal(t, 400, p.ask("GET", "/api/v1/activity/export.csv"+query, nil).status, query)
	}
	raw, response := p.file("/api/v1/activity/export.csv?kind=CONTRIBUTION")
	require.Equal(t, "text/csv; charset=utf-8", response.Header.Get("Content-Type"))
	require.Contains(t, response.Header.Get("Content-Disposition"), "attachment")
	rows, err := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(raw, []byte("\ufeff")))).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 3)
	require.Contains(t, string(raw), "'=1+1 Welfare")
	months := must[[]object](p, "GET", "/api/v1/activity/months?months=2", nil)
	require.Equal(t, []string{"20000.00", "10000.00"}, []string{naira(t, months[1]["moneyIn"]), naira(t, months[1]["moneyOut"])})
}

func TestAStatementIsReadBackAndItsCodeCheckedByAStranger(t *testing.T) {
	t.Parallel()
	_, p := saver(t)
	today := lagos.Day(time.Now())
	raw, response := p.file("/api/v1/activity/statement.pdf?from=" + today + "&to=" + today)
	require.Equal(t, "application/pdf", response.Header.Get("Content-Type"))
	r, err := pdf.NewReader(bytes.NewReader(raw), int64(len(raw)))
	require.NoError(t, err)
	require.Equal(t, 1, r.NumPage())
	text, err := r.Page(1).GetPlainText(nil)
	require.NoError(t, err)
	text = strings.ReplaceAll(text, "\n", "")
	for _, want := range []string{
		"Opening balance₦0.00", "Money in₦20,000.00", "Money out₦10,000.00", "Closing balance₦10,000.00", "₦20,000.00₦20,000.00", "₦5,000.00₦15,000.00", "₦5,000.00₦10,000.00", "Bisi Test",
	} {
		require.Contains(t, text, want)
	}
	_, code, _ := strings.Cut(text, "Verification code ")
	code = code[:19]
	stranger := nobody(t, p.base)
	facts := must[object](stranger, "GET", "/api/v1/statements/"+code, nil)
	sum := sha256.Sum256(raw)
	require.Equal(t, []any{code, "Bisi T.", today, hex.EncodeToString(sum[:]), 3.0}, []any{facts["code"], facts["holder"], facts["from"], facts["sha256"], facts["movements"]})
	for name, want := range map[string]string{"opening": "0.00", "closing": "10000.00", "moneyIn": "20000.00", "moneyOut": "10000.00"} {
		require.Equal(t, want, naira(t, facts[name]), name)
	}
	require.Equal(t, 404, stranger.ask("GET", "/api/v1/statements/"+strings.Repeat("0000-", 3)+"0000", nil).status)
	require.Equal(t, 400, p.ask("GET", "/api/v1/activity/statement.pdf?from="+today+"&to=2020-01-01", nil).status)
	require.Equal(t, 401, stranger.ask("GET", "/api/v1/activity/statement.pdf?from="+today+"&to="+today, nil).status)
}

func TestAReceiptOfTheAppIsVerifiedByTheCommandLineOffline(t *testing.T) {
	t.Parallel()
	c, p := saver(t)
	key := must[[]object](p, "GET", "/api/Ledger/keys", nil)[0]["key"].(string)
	binary, err := built()
	require.NoError(t, err)
	records := 0
	for _, m := range p.moves("") {
		path := "/api/v1/activity/" + m["id"].(string) + "/receipt"
		require.Eventually(t, func() bool { return p.ask("GET", path, nil).status == 200 }, time.Minute, 50*time.Millisecond, "it is never sealed")
		receipt := must[object](p, "GET", path, nil)
		_, told := receipt["record"]
		require.Equal(t, m["subAccountName"] != "=1+1 Welfare", told)
		raw, err := json.Marshal(receipt)
		require.NoError(t, err)
		kept := filepath.Join(t.TempDir(), "receipt.json")
		require.NoError(t, os.WriteFile(kept, raw, 0o600))
		says, err := exec.CommandContext(within(t, time.Minute), binary, "ledger", "receipt", "verify", kept, "--key", key).CombinedOutput()
		require.NoError(t, err, string(says))
		if told {
			require.Contains(t, string(says), "The receipt holds")
			records++
		} else {
			require.Contains(t, string(says), "withheld")
			require.NotContains(t, receipt, "leafHash")
		}
		_, other := ledgerKey(t)
		_, err = exec.CommandContext(within(t, time.Minute), binary, "ledger", "receipt", "verify", kept, "--key", other).CombinedOutput()
		require.Error(t, err, "another's key")
		require.Equal(t, 404, c.owner.ask("GET", path, nil).status, "another's movement")
	}
	require.Equal(t, 2, records)
}
