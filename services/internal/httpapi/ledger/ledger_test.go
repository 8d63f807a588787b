package ledger_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/labstack/echo/v5"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/tlog"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/services/internal/checks"
	"adashi.ng/services/internal/httpapi"
	"adashi.ng/services/internal/httpapi/ledger"
	"adashi.ng/services/internal/people"
)

func TestMain(m *testing.M) { ledgertest.Main(m) }

// others are the handlers that this test never calls.
type others struct{ contract.ServerInterface }

type api struct {
	others
	own ledger.Ledger
}

func (a api) GetLedgerCheckpoint(c *echo.Context) error { return a.own.GetLedgerCheckpoint(c) }
func (a api) GetLedgerKeys(c *echo.Context) error       { return a.own.GetLedgerKeys(c) }
func (a api) GetLedgerConsistency(c *echo.Context, p contract.GetLedgerConsistencyParams) error {
	return a.own.GetLedgerConsistency(c, p)
}

// book is a ledger of invented leaves, its keys and its API, without sessions.
type book struct {
	*testing.T
	pool   *pgxpool.Pool
	keys   proofs.Keys
	router http.Handler
}

func newKey(t *testing.T) proofs.Key {
	t.Helper()
	private, _, err := proofs.GenerateKey(proofs.DefaultName)
	require.NoError(t, err)
	key, err := proofs.ParseKey(private)
	require.NoError(t, err)
	return key
}

func setup(t *testing.T) *book {
	t.Helper()
	b := &book{T: t, pool: ledgertest.Pool(t)}
	require.NoError(t, proofs.Migrate(context.Background(), b.pool))
	_, err := b.pool.Exec(context.Background(), `CREATE TABLE events (pos bigint PRIMARY KEY, leaf bytea NOT NULL);
		CREATE TABLE ledger_head (epoch integer NOT NULL, pos bigint NOT NULL); INSERT INTO ledger_head VALUES (1, 0)`)
	require.NoError(t, err)
	b.keys, err = proofs.NewKeys(newKey(t), newKey(t))
	require.NoError(t, err)
	b.router = httpapi.Router(httpapi.Deps{
		Now: time.Now,
		API: api{own: ledger.Ledger{Proofs: proofs.NewReader(b.pool, b.keys)}}, Standing: func() checks.Standing { return checks.Standing{Ready: true} },
		Authenticate: func(context.Context, string, string) (people.Caller, error) {
			return people.Caller{}, errors.New("nobody")
		},
	})
	return b
}

// grows seals the ledger at a size.
func (b *book) grows(size int64) proofs.Checkpoint {
	b.Helper()
	_, err := b.pool.Exec(context.Background(), `INSERT INTO events SELECT n, sha256(n::text::bytea) FROM generate_series((SELECT pos FROM ledger_head) + 1, $1::bigint) n`, size)
	require.NoError(b, err)
	_, err = b.pool.Exec(context.Background(), `UPDATE ledger_head SET pos = $1`, size)
	require.NoError(b, err)
	sealer, err := proofs.NewSealer(b.pool, b.keys, proofs.SealerOptions{})
	require.NoError(b, err)
	sealed, err := sealer.Seal(context.Background())
	require.NoError(b, err)
	return sealed
}

func (b *book) get(path string) *httptest.ResponseRecorder {
	b.Helper()
	recorder := httptest.NewRecorder()
	b.router.ServeHTTP(recorder, httptest.NewRequest("GET", path, nil))
	return recorder
}

func TestTheLatestCheckpointIsThereForAnybodyAsText(t *testing.T) {
	t.Parallel()
	b := setup(t)
	none := b.get("/api/Ledger/checkpoint")
	require.Equal(t, 404, none.Code)
	require.Contains(t, none.Body.String(), "has not signed a checkpoint yet")
	b.grows(3)
	sealed := b.grows(300)
	got := b.get("/api/Ledger/checkpoint")
	require.Equal(t, 200, got.Code)
	require.Contains(t, got.Header().Get("Content-Type"), "text/plain")
	require.Equal(t, "300", got.Header().Get("X-Position"))
	require.Equal(t, sealed.Note, got.Body.String())
	_, err := proofs.ParseCheckpoint(got.Body.String(), b.keys.Verifiers())
	require.NoError(t, err)
}

func TestTheKeysAreThePublicOnesAndSayWhichAreRetired(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var reply struct{ ReturnedObject []contract.LedgerKey }
	got := b.get("/api/Ledger/keys")
	require.Equal(t, 200, got.Code)
	require.NoError(t, json.Unmarshal(got.Body.Bytes(), &reply))
	require.Equal(t, []contract.LedgerKey{{Key: b.keys.Current.Public()}, {Key: b.keys.Retired[0].Public(), Retired: true}}, reply.ReturnedObject)
	require.NotContains(t, got.Body.String(), "PRIVATE")
}

func TestConsistencyCanBeCheckedByAnybody(t *testing.T) {
	t.Parallel()
	b := setup(t)
	old, latest := b.grows(7), b.grows(700)
	var reply struct{ ReturnedObject contract.LedgerConsistency }
	got := b.get("/api/Ledger/consistency?from=7&to=700")
	require.Equal(t, 200, got.Code, got.Body)
	require.NoError(t, json.Unmarshal(got.Body.Bytes(), &reply))
	var proof tlog.TreeProof
	for _, text := range reply.ReturnedObject.Hashes {
		hash, err := tlog.ParseHash(text)
		require.NoError(t, err)
		proof = append(proof, hash)
	}
	require.NoError(t, tlog.CheckTree(proof, 700, latest.Root, 7, old.Root))
	require.Contains(t, b.get("/api/Ledger/consistency?from=700&to=700").Body.String(), `"hashes":[]`)
}

func TestSizesThatCannotBeAreRefusedWithTheirField(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.grows(10)
	for query, field := range map[string]string{
		"from=0&to=10": "from", "from=-1&to=10": "from", "from=5&to=4": "to", "from=1&to=11": "to",
		"to=10": "from", "from=1": "to", "from=x&to=10": "from", "from=1&to=99999999999999999999": "to", "from=1&to=2.5": "to", "from=1&to=": "to",
	} {
		got := b.get("/api/Ledger/consistency?" + query)
		var reply struct{ ReturnedObject struct{ Field string } }
		require.Equal(t, 400, got.Code, query)
		require.NoError(t, json.Unmarshal(got.Body.Bytes(), &reply))
		require.Equal(t, field, reply.ReturnedObject.Field, query)
	}
}
