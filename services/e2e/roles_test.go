package e2e

import (
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/pgchild"
	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/services/internal/people"
)

// servers is a Postgres and a NATS that no role runs itself.
func servers(t *testing.T, settings map[string]string) (database, bus string) {
	t.Helper()
	pg, err := pgchild.Start(context.Background(), pgchild.Options{Dir: t.TempDir(), Settings: settings})
	require.NoError(t, err)
	t.Cleanup(pg.Stop)
	s, err := natsserver.NewServer(&natsserver.Options{Host: "127.0.0.1", Port: natsserver.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true})
	require.NoError(t, err)
	go s.Start()
	require.True(t, s.ReadyForConnections(10*time.Second))
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	return pg.URL("postgres"), s.ClientURL()
}

const vaultKey = "the key of the vault in these tests, long enough"

func TestEveryRoleInAProcessOfItsOwnPassesOneNairaOn(t *testing.T) {
	t.Parallel()
	database, bus := servers(t, nil)
	data, door := filepath.Join(t.TempDir(), "data"), port(t)
	private, public := ledgerKey(t)
	roles, ports := map[string]*process{}, map[string]string{}
	for _, role := range []string{"api", "relay", "projector", "jobs"} { // All at once, on one empty folder and database.
		ports[role] = door
		if role != "api" {
			ports[role] = port(t)
		}
		key := public
		if role == "relay" {
			key = private
		}
		roles[role] = spawn(t, role, "ADASHI_LEDGER_KEY="+key, "ADASHI_IDENTITY_KEY="+identityKey, "ADASHI_VAULT_KEY="+vaultKey, "ADASHI_DATA="+data,
			"DATABASE_URL="+database, "NATS_URL="+bus, "ADASHI_PORT="+ports[role], "ADASHI_SANDBOX_URL=http://127.0.0.1:"+door)
	}
	for role, p := range roles {
		p.ready(t, ports[role])
	}
	base := roles["api"].base
	a, b, c, d := signedUp(t, base, "Ada"), signedUp(t, base, "Bisi"), signedUp(t, base, "Chidi"), signedUp(t, base, "Dayo")
	b.funded(25_000)
	club := club{owner: a, member: b, validator: c, approver: d, group: a.founds("Balogun Story")}
	club.admits()
	club.sub = club.opens("Monthly dues", "FIXED", "MONTHLY", 5000)
	require.Equal(t, 200, b.pays(club.sub, 5000, "Idempotency-Key", "across processes").status)
	b.holds("20000.00")
	club.showsThePayment()
	a.settledByTheJobsAlone()
	sealedAndKept(t, base, public, filepath.Join(data, "checkpoints"))
	live := a.listens()
	for role, p := range roles {
		require.NoError(t, p.Process.Signal(os.Interrupt), role)
	}
	for role, p := range roles {
		require.Zero(t, p.exit(t), "%s: %s", role, p.stderr)
	}
	require.NoError(t, live.Body.Close())
}

// identityKey is what every process of a town has.
const identityKey = "an identity key for tests, not for people"

// ledgerKey is a new ledger key.
func ledgerKey(t testing.TB) (private, public string) {
	t.Helper()
	private, public, err := proofs.GenerateKey(proofs.DefaultName)
	require.NoError(t, err)
	return private, public
}

// sealedAndKept holds that the checkpoint anybody can read is the relay's, which wrote it to its file.
func sealedAndKept(t testing.TB, base, public, file string) {
	t.Helper()
	key, err := proofs.ParseKey(public)
	require.NoError(t, err)
	verifiers := proofs.Keys{Current: key}.Verifiers()
	require.Eventually(t, func() bool {
		response, err := http.Get(base + "/api/Ledger/checkpoint")
		require.NoError(t, err)
		defer func() { _ = response.Body.Close() }()
		text, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		latest, err := proofs.ParseCheckpoint(string(text), verifiers)
		if err != nil {
			return false
		}
		kept, err := proofs.ReadFile(file, verifiers)
		require.NoError(t, err)
		return kept.Last.Note == latest.Note && latest.Size > 10
	}, time.Minute, 50*time.Millisecond)
}

// listens opens a live stream, which must not keep a process from ending.
func (p *person) listens() *http.Response {
	p.Helper()
	request, err := http.NewRequest("GET", p.base+"/api/live", nil)
	require.NoError(p, err)
	p.shows(request)
	response, err := http.DefaultTransport.RoundTrip(request)
	require.NoError(p, err)
	require.Equal(p, 200, response.StatusCode)
	return response
}

// settledByTheJobsAlone fails at the bank, of which no webhook tells: only the jobs find out.
func (p *person) settledByTheJobsAlone() {
	p.Helper()
	payment := must[object](p, "POST", fund, object{"amount": 300, "email": p.email})
	response := p.form("/sandbox/send", map[string][]string{"account": {payment["accountNumber"].(string)}, "amount": {"300"}, "sender": {"Ada Test"}, "fail": {"51"}})
	require.Equal(p, 303, response.StatusCode)
	require.Eventually(p, func() bool {
		for _, n := range must[object](p, "GET", "/api/Notification/all", nil)["notifications"].([]any) {
			if n.(object)["type"] == "payment_failed" {
				return true
			}
		}
		return false
	}, 40*time.Second, 50*time.Millisecond)
}

func TestABadSettingStopsTheStartWithOneSentence(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = taken.Close() })
	_, takenPort, err := net.SplitHostPort(taken.Addr().String())
	require.NoError(t, err)
	readable := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(readable, "secrets.json"), []byte("{}"), 0o644))
	private, public := ledgerKey(t)
	for name, c := range map[string]struct {
		role, setting, says string
	}{
		"a port in words":                {"up", "ADASHI_PORT=eighty", "ADASHI_PORT must be a whole number"},
		"a port beyond all":              {"api", "ADASHI_PORT=70000", "ADASHI_PORT must be a whole number"},
		"a port that is taken":           {"up", "ADASHI_PORT=" + takenPort, "port " + takenPort + " is taken"},
		"a rail we lack":                 {"up", "ADASHI_RAIL=cash", "ADASHI_RAIL must be sandbox or live"},
		"live without its keys":          {"up", "ADASHI_RAIL=live", "must be set when ADASHI_RAIL is live"},
		"a ledger key that is none":      {"relay", "ADASHI_LEDGER_KEY=PRIVATE+KEY+hunter2", "ADASHI_LEDGER_KEY cannot be used"},
		"half a key for who seals":       {"relay", "ADASHI_LEDGER_KEY=" + public, "ADASHI_LEDGER_KEY must be the private key"},
		"checkpoints nowhere":            {"up", "ADASHI_CHECKPOINTS=/dev/null/checkpoints", "ADASHI_CHECKPOINTS"},
		"a database without a key":       {"api", "DATABASE_URL=postgres://me:hunter2@127.0.0.1:1/db\nADASHI_IDENTITY_KEY=" + identityKey + "\nADASHI_VAULT_KEY=" + vaultKey, "ADASHI_LEDGER_KEY must be set"},
		"a database without people's":    {"jobs", "DATABASE_URL=postgres://me:hunter2@127.0.0.1:1/db\nADASHI_LEDGER_KEY=" + public + "\nADASHI_VAULT_KEY=" + vaultKey, "ADASHI_IDENTITY_KEY must be set"},
		"an identity key too short":      {"api", "ADASHI_IDENTITY_KEY=hunter2", "ADASHI_IDENTITY_KEY must have at least"},
		"a database, no vault key":       {"api", "DATABASE_URL=postgres://me:hunter2@127.0.0.1:1/db\nADASHI_LEDGER_KEY=" + private + "\nADASHI_IDENTITY_KEY=" + identityKey, "ADASHI_VAULT_KEY must be set"},
		"a vault key too short":          {"up", "ADASHI_VAULT_KEY=hunter2", "ADASHI_VAULT_KEY must have at least 32 characters"},
		"an old vault key too short":     {"up", "ADASHI_VAULT_PREVIOUS_KEYS=hunter2", "ADASHI_VAULT_PREVIOUS_KEYS cannot be used"},
		"nobody to ask about BVNs":       {"up", "ADASHI_IDENTITY_RAIL=nimc", "ADASHI_IDENTITY_RAIL must be vfd or paystack"},
		"another database":               {"relay", "DATABASE_URL=mysql://me:hunter2@host/db", "DATABASE_URL must start with postgres://"},
		"a database that does not exist": {"relay", "DATABASE_URL=postgres://me:hunter2@127.0.0.1:1/db\nADASHI_LEDGER_KEY=" + private, "the database does not answer"},
		"another bus":                    {"projector", "NATS_URL=http://host", "NATS_URL must start with nats://"},
		"a folder that cannot be":        {"up", "ADASHI_DATA=/dev/null/data", "ADASHI_DATA"},
		"secrets that others may read":   {"up", "ADASHI_DATA=" + readable, "chmod 600"},
		"a proxy that is none":           {"api", "ADASHI_TRUSTED_PROXIES=everyone", "ADASHI_TRUSTED_PROXIES must be addresses"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			settings := append([]string{"ADASHI_DATA=" + t.TempDir(), "ADASHI_PORT=0"}, strings.Split(c.setting, "\n")...)
			oneSentence(t, spawn(t, c.role, settings...), c.says)
		})
	}
}

func TestADatabaseThatCouldLoseMoneyIsRefused(t *testing.T) {
	t.Parallel()
	database, bus := servers(t, map[string]string{"fsync": "off"})
	_, public := ledgerKey(t)
	p := spawn(t, "api", "ADASHI_LEDGER_KEY="+public, "ADASHI_IDENTITY_KEY="+identityKey, "ADASHI_VAULT_KEY="+vaultKey, "ADASHI_DATA="+t.TempDir(), "ADASHI_PORT=0",
		"DATABASE_URL="+database, "NATS_URL="+bus)
	oneSentence(t, p, "fsync off")
}

var logLine = regexp.MustCompile(`(?m)^time=.*\n`)

func oneSentence(t *testing.T, p *process, says string) {
	t.Helper()
	require.Equal(t, 1, p.exit(t), p.stderr)
	said := strings.TrimSpace(logLine.ReplaceAllString(p.stderr.String(), ""))
	require.True(t, strings.HasPrefix(said, "adashi: "), said)
	require.NotContains(t, said, "\n", "more than a sentence")
	require.Contains(t, said, says)
	require.NotContains(t, said, "hunter2", "a secret was told")
	require.NotContains(t, said, "panic")
}

// TestARoleThatIsTakenAwayEndsTheDesksSessionsAndStreams: what was begun in one of them is refused.
func TestARoleThatIsTakenAwayEndsTheDesksSessionsAndStreams(t *testing.T) {
	t.Parallel()
	i := product(t)
	sade := staff(t, i, "Sade", people.RoleSupport)
	over := ends(t, sade.listens().Body)
	settings := object{"email": sade.email, "settings": object{"inApp": true, "email": true, "mutedInApp": []string{}, "mutedEmail": []string{}}}
	held := sade.holdsBack("POST", "/api/Account/UpdateUserSettings", settings)
	require.ErrorContains(t, people.RevokeRole(t.Context(), i.Pool, sade.email, people.RoleUser), "no role")
	require.ErrorContains(t, people.RevokeRole(t.Context(), i.Pool, "nobody@example.com", people.RoleSupport), "no account")
	require.NoError(t, people.RevokeRole(t.Context(), i.Pool, sade.email, people.RoleSupport))
	sade.expired(held(), "what was under way")
	require.Eventually(t, func() bool { return sade.ask("GET", "/api/v1/account/sessions", nil).status == 401 }, 10*time.Second, 100*time.Millisecond)
	select {
	case <-over:
	case <-time.After(30 * time.Second):
		t.Error("the desk's stream goes on")
	}
	sade.logIn()
	require.Equal(t, 403, sade.ask("GET", "/api/v1/support/cases/"+uuid.NewString(), nil).status)
}
