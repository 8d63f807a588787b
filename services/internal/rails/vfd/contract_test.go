package vfd_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/vfd"
)

const reference = "01a1fc4b-2eab-7691-8c82-525480905e41"

func fixture(t *testing.T, name string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	return string(raw)
}

func TestEveryOutcomeCodeAsTheBankWritesIt(t *testing.T) {
	t.Parallel()
	for state, codes := range map[rails.State][]string{
		rails.Paid:    {"00", "26"},
		rails.Pending: {"01", "02", "09", "25", "94", "96", "500"},
		rails.Failed:  {"51", "98", "99", "34", "35", "63", "91", "12"},
		rails.Unknown: {"108"},
	} {
		for _, code := range codes {
			client := bank(t, 200, fixture(t, "transaction-"+code+".json"))
			for _, ask := range []func() (rails.Status, error){
				func() (rails.Status, error) { return client.Status(t.Context(), reference) },
				func() (rails.Status, error) {
					return client.Arrived(t.Context(), rails.Notice{Reference: reference, ProviderRef: "090110261115100000612345678901"})
				},
			} {
				got, err := ask()
				require.NoError(t, err, code)
				require.Equal(t, state, got.State, code)
				if state == rails.Paid {
					require.Equal(t, rails.Status{
						State: rails.Paid, Reference: reference, ProviderRef: "090110261115100000612345678901", Also: []string{"vfd-8841"}, Amount: 500_000, Currency: "NGN",
						PaidAt: time.Date(2026, 11, 15, 10, 0, 0, 0, time.UTC), From: rails.Sender{Bank: "000002", Account: "1111111103"},
					}, got)
				}
				if state == rails.Failed {
					require.NotEmpty(t, got.Reason, code)
				}
			}
		}
	}
	got, err := bank(t, 500, fixture(t, "transaction-xml.xml")).Status(t.Context(), reference)
	require.NoError(t, err)
	require.Equal(t, rails.Pending, got.State)
}

// teller answers by path, with fixtures.
func teller(t *testing.T, fixtures map[string]string) *vfd.Client {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := r.URL.Path[strings.LastIndex(r.URL.Path, "/"):]
		if path == "/token" {
			_, _ = w.Write([]byte(`{"status":"00","data":{"access_token":"t","expires_in":1}}`))
			return
		}
		if path == "/transactions" {
			path += "-" + r.URL.Query().Get("page")
		}
		_, _ = w.Write([]byte(fixtures[path]))
	}))
	t.Cleanup(server.Close)
	return vfd.New(vfd.Options{Host: server.URL})
}

func TestTheStatementIsReadPageByPageToTheKobo(t *testing.T) {
	t.Parallel()
	whole := map[string]string{"/enquiry": fixture(t, "pool.json"), "/transactions-0": fixture(t, "statement-0.json"), "/transactions-1": fixture(t, "statement-1.json")}
	client := teller(t, whole)
	balance, err := client.Balance(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 1_185_050, balance)
	lines, err := client.Statement(t.Context(), time.Now())
	require.NoError(t, err)
	require.Equal(t, []rails.Line{
		{ProviderRef: "s1", Also: []string{"vfd-1"}, Reference: "r1", Amount: 500_000, At: time.Date(2026, 11, 15, 10, 0, 0, 0, time.UTC)},
		{ProviderRef: "s2", Also: []string{"vfd-2"}, Reference: "adashi-w1", Out: true, Amount: 100_000, Fee: 1_075, At: time.Date(2026, 11, 15, 10, 30, 0, 0, time.UTC)},
		{ProviderRef: "vfd-3", Nameless: true, Amount: 1, At: time.Date(2026, 11, 15, 23, 0, 0, 0, time.UTC)},
	}, lines)
	require.EqualValues(t, -101_075, lines[1].Moved())
	for path, body := range map[string]string{
		"/enquiry":        `{"status":"96","message":"System malfunction"}`,
		"/transactions-1": strings.ReplaceAll(whole["/transactions-1"], "0.01", "0.001"),
		"/transactions-0": strings.ReplaceAll(whole["/transactions-0"], "DEBIT", "REVERSAL"),
	} {
		broken := map[string]string{}
		for k, v := range whole {
			broken[k] = v
		}
		broken[path] = body
		_, err := teller(t, broken).Statement(t.Context(), time.Now())
		require.True(t, fault.Is(err, fault.Unavailable), "a statement is whole or it is none: %s", path)
	}
}
