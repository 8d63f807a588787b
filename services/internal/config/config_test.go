package config

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/infra/proofs"
)

func TestLoadDefaults(t *testing.T) {
	t.Parallel()
	cfg, err := load(map[string]string{})
	require.NoError(t, err)
	require.Equal(t, 8080, cfg.Port)
	require.False(t, cfg.PortGiven)
	require.Equal(t, ".data", cfg.Data)
	require.Equal(t, RailSandbox, cfg.Rail)
	require.Equal(t, PayoutVfd, cfg.PayoutRail)
	require.Equal(t, account.DefaultTiers, cfg.Tiers)
	require.Len(t, cfg.BeaconMirrors, 4)
}

func TestLoadReadsEverything(t *testing.T) {
	t.Parallel()
	cfg, err := load(map[string]string{
		"ADASHI_PORT": "0", "ADASHI_PUBLIC_URL": "https://adashi.ng/", "ADASHI_TRUSTED_PROXIES": "10.0.0.1, 10.1.0.0/16",
		"ADASHI_TIER_LIMITS": "0/100,10/100, 20.50/200 ,30/0", "ADASHI_PAYOUT_RAIL": "paystack",
		"DATABASE_URL": "postgres:///adashi?host=/run/postgres", "ADASHI_LEDGER_KEY": key(t), "NATS_URL": "nats://a:4222,nats://b:4222",
	})
	require.NoError(t, err)
	require.True(t, cfg.PortGiven)
	require.Equal(t, "https://adashi.ng", cfg.PublicURL)
	require.Len(t, cfg.TrustedProxies, 2)
	require.Equal(t, PayoutPaystack, cfg.PayoutRail)
	require.Equal(t, account.Tiers{{Cap: 100_00}, {Daily: 10_00, Cap: 100_00}, {Daily: 20_50, Cap: 200_00}, {Daily: 30_00}}, cfg.Tiers)
}

func TestNoVariableSetsWhatIsForTestsAlone(t *testing.T) {
	t.Parallel()
	cfg, err := load(map[string]string{"ADASHI_FAST_HASHING": "true", "FAST_HASHING": "true", "FastHashing": "true", "-": "true"})
	require.NoError(t, err)
	require.False(t, cfg.FastHashing)
}

func TestTheSandboxIsOpenToOthersOnlyWhenThatIsSaid(t *testing.T) {
	t.Parallel()
	for _, environment := range []map[string]string{
		{"ADASHI_HOST": "0.0.0.0", "ADASHI_SANDBOX_OPEN": "1"},
		{"ADASHI_HOST": "127.0.0.1"},
		{"ADASHI_HOST": "::1"},
		{"ADASHI_HOST": "localhost"},
		live(map[string]string{"ADASHI_HOST": "0.0.0.0"}),
	} {
		_, err := load(environment)
		require.NoError(t, err, environment["ADASHI_HOST"])
	}
}

func live(changes map[string]string) map[string]string {
	environment := map[string]string{
		"ADASHI_RAIL": "live", "ADASHI_SMTP_URL": "smtps://me:hunter2@mail.example", "ADASHI_MAIL_FROM": "Adashi <hello@adashi.ng>", "ADASHI_PUBLIC_URL": "https://adashi.ng", "VFD_HOST": "https://vfd.example", "VFD_CONSUMER_KEY": "k",
		"VFD_CONSUMER_SECRET": "s", "VFD_WALLET_NAME": "Adashi", "VFD_WEBHOOK_SECRET": strings.Repeat("x", 24),
		"PAYSTACK_HOST": "https://api.paystack.co", "PAYSTACK_SECRET_KEY": "sk",
	}
	for name, value := range changes {
		environment[name] = value
	}
	return environment
}

func TestBadSettingsAreOneSentenceThatNamesTheVariable(t *testing.T) {
	t.Parallel()
	_, err := load(live(nil))
	require.NoError(t, err)
	same := key(t)
	for name, environment := range map[string]map[string]string{
		"ADASHI_PORT":                   {"ADASHI_PORT": "eighty"},
		"ADASHI_PAYOUT_RAIL":            {"ADASHI_PAYOUT_RAIL": "cash"},
		"ADASHI_TIER_LIMITS":            {"ADASHI_TIER_LIMITS": "1/2,3/4"},
		"ADASHI_TIER_LIMITS ":           {"ADASHI_TIER_LIMITS": "0/0,1/2,3/4,5"},
		"ADASHI_TIER_LIMITS  ":          {"ADASHI_TIER_LIMITS": "0/0,1/2,3/4,-5/0"},
		"ADASHI_TIER_LIMITS   ":         {"ADASHI_TIER_LIMITS": "0/0,1/2,3/4,5/0.001"},
		"ADASHI_SANDBOX_CLOCK":          {"ADASHI_SANDBOX_CLOCK": "yesterday"},
		"ADASHI_SANDBOX_CLOCK ":         {"ADASHI_SANDBOX_CLOCK": "1h"},
		"ADASHI_SANDBOX_OPEN":           {"ADASHI_HOST": "0.0.0.0"},
		"ADASHI_SANDBOX_OPEN ":          {"ADASHI_HOST": "192.168.1.7", "ADASHI_SANDBOX_OPEN": "0"},
		"ADASHI_SANDBOX_OPEN  ":         {"ADASHI_HOST": "::", "ADASHI_SANDBOX_OPEN": "perhaps"},
		"ADASHI_PORT ":                  {"ADASHI_PORT": "70000"},
		"ADASHI_RAIL":                   {"ADASHI_RAIL": "real"},
		"ADASHI_PUBLIC_URL":             {"ADASHI_PUBLIC_URL": "adashi.ng"},
		"ADASHI_PUBLIC_URL ":            {"ADASHI_PUBLIC_URL": "ftp://adashi.ng"},
		"DATABASE_URL":                  {"DATABASE_URL": "mysql://user:hunter2@host/db"},
		"NATS_URL":                      {"NATS_URL": "http://host"},
		"ADASHI_LEDGER_KEY ":            {"ADASHI_LEDGER_KEY": "PRIVATE+KEY+hunter2"},
		"ADASHI_LEDGER_PREVIOUS_KEYS":   {"ADASHI_LEDGER_PREVIOUS_KEYS": "hunter2"},
		"ADASHI_LEDGER_PREVIOUS_KEYS ":  {"ADASHI_LEDGER_KEY": key(t), "ADASHI_LEDGER_PREVIOUS_KEYS": key(t) + ", hunter2"},
		"ADASHI_LEDGER_PREVIOUS_KEYS  ": {"ADASHI_LEDGER_KEY": same, "ADASHI_LEDGER_PREVIOUS_KEYS": same},
		"ADASHI_TRUSTED_PROXIES":        {"ADASHI_TRUSTED_PROXIES": "10.0.0.300"},
		"VFD_CONSUMER_KEY":              live(map[string]string{"VFD_CONSUMER_KEY": ""}),
		"VFD_HOST":                      live(map[string]string{"VFD_HOST": "http://vfd.example"}),
		"VFD_WEBHOOK_SECRET":            live(map[string]string{"VFD_WEBHOOK_SECRET": "short"}),
		"PAYSTACK_SECRET_KEY":           live(map[string]string{"PAYSTACK_SECRET_KEY": ""}),
		"ADASHI_IDENTITY_KEY":           {"ADASHI_IDENTITY_KEY": "hunter2"},
		"ADASHI_SMTP_URL":               live(map[string]string{"ADASHI_SMTP_URL": "", "ADASHI_MAIL_FROM": ""}),
		"ADASHI_SMTP_URL ":              {"ADASHI_SMTP_URL": "http://me:hunter2@mail.example", "ADASHI_MAIL_FROM": "a@b.co"},
		"ADASHI_SMTP_URL  ":             {"ADASHI_MAIL_FROM": "a@b.co"},
		"ADASHI_MAIL_FROM":              {"ADASHI_SMTP_URL": "smtp://me:hunter2@mail.example"},
		"ADASHI_MAIL_FROM ":             {"ADASHI_SMTP_URL": "smtp://me:hunter2@mail.example", "ADASHI_MAIL_FROM": "us"},
		"ADASHI_BEACON_MIRRORS":         {"ADASHI_BEACON_MIRRORS": "https://api.drand.sh,http://me:hunter2@api2.drand.sh"},
		"ADASHI_METRICS_TOKEN":          {"ADASHI_METRICS_TOKEN": "short"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := load(environment)
			require.ErrorContains(t, err, strings.TrimSpace(name))
			require.NotContains(t, err.Error(), "hunter2")
			require.NotContains(t, err.Error(), "adashi.ng/ledger+")
			require.NotContains(t, err.Error(), "\n")
		})
	}
}

// key is a new private ledger key.
func key(t *testing.T) string {
	t.Helper()
	private, _, err := proofs.GenerateKey(proofs.DefaultName)
	require.NoError(t, err)
	return private
}

func TestLedgerKeysAreTheGivenOnesOrElseTheGenerated(t *testing.T) {
	t.Parallel()
	generated, given, old := Generated{LedgerKey: key(t)}, key(t), key(t)
	keys, err := Config{}.LedgerKeys(generated)
	require.NoError(t, err)
	require.True(t, keys.Current.CanSign())
	require.Empty(t, keys.Retired)
	keys, err = Config{LedgerKey: Secret(" " + given + "\n"), PreviousKeys: Secret(generated.LedgerKey + " , " + public(t, old) + ",")}.LedgerKeys(generated)
	require.NoError(t, err)
	require.Equal(t, public(t, given), keys.Current.Public())
	require.Len(t, keys.Retired, 2)
	require.True(t, keys.Retired[0].CanSign())
	require.False(t, keys.Retired[1].CanSign())
	keys, err = Config{LedgerKey: Secret(public(t, given))}.LedgerKeys(generated)
	require.NoError(t, err)
	require.False(t, keys.Current.CanSign())
}

func public(t *testing.T, private string) string {
	t.Helper()
	parsed, err := proofs.ParseKey(private)
	require.NoError(t, err)
	return parsed.Public()
}

func TestTheCheckpointFileIsInTheDataFolderUnlessItIsNamed(t *testing.T) {
	t.Parallel()
	require.Equal(t, filepath.Join("data", "checkpoints"), Config{Data: "data"}.CheckpointFile())
	require.Equal(t, "/mnt/worm/notes", Config{Data: "data", Checkpoints: "/mnt/worm/notes"}.CheckpointFile())
}

func TestSecretNeverShowsItself(t *testing.T) {
	t.Parallel()
	secret := Secret("hunter2")
	encoded, err := json.Marshal(map[string]any{"s": secret, "c": Config{DatabaseURL: secret}})
	require.NoError(t, err)
	var log strings.Builder
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "s", secret, "g", Generated{InvitationKey: "hunter2"})
	for _, text := range []string{fmt.Sprint(secret), fmt.Sprintf("%v %+v %#v %s %q", secret, secret, secret, secret, secret), string(encoded), log.String()} {
		require.NotContains(t, text, "hunter2")
		require.Contains(t, text, redacted)
	}
	require.Equal(t, "hunter2", secret.Reveal())
}

func TestSecretsAreMadeOnceForTheOwnerOnly(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	first, err := Config{Data: dir}.Secrets()
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(first.VfdWebhookSecret), 40)
	require.NotEqual(t, first.InvitationKey, first.SandboxPaystackKey)
	keys, err := Config{}.LedgerKeys(first)
	require.NoError(t, err)
	require.True(t, keys.Current.CanSign())
	again, err := Config{Data: dir}.Secrets()
	require.NoError(t, err)
	require.Equal(t, first, again)
	info, err := os.Stat(filepath.Join(dir, "secrets.json"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())

	require.NoError(t, os.Chmod(filepath.Join(dir, "secrets.json"), 0o644))
	_, err = Config{Data: dir}.Secrets()
	require.ErrorContains(t, err, "chmod 600")
}

func TestSecretsAreNotMadeAnewForADatabaseThatLostThem(t *testing.T) {
	t.Parallel()
	for name, left := range map[string]string{"is empty": "", "is torn": `{"invitationKey": "hun`, "is missing": "-"} {
		dir := t.TempDir()
		path, base := filepath.Join(dir, "secrets.json"), filepath.Join(dir, "postgres", "pg15")
		require.NoError(t, os.MkdirAll(base, 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(base, "PG_VERSION"), []byte("15\n"), 0o600))
		if left != "-" {
			require.NoError(t, os.WriteFile(path, []byte(left), 0o600))
		}
		_, err := Config{Data: dir}.Secrets()
		require.ErrorContains(t, err, name)
		require.ErrorContains(t, err, "from a backup")
		raw, err := os.ReadFile(path)
		require.Equal(t, left == "-", err != nil)
		require.True(t, err != nil || string(raw) == left, "it was written over")

		kept := Config{Data: dir, LedgerKey: "a", VaultKey: "b", IdentityKey: "c"}
		_, err = kept.Secrets()
		if name == "is torn" {
			require.ErrorContains(t, err, "mend or remove it")
			continue
		}
		require.NoError(t, err, "nothing is lost with a file whose keys are kept elsewhere")
	}
}

func TestAnEmptyFileWithNoDatabaseIsMadeAnew(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "secrets.json"), nil, 0o600))
	made, err := Config{Data: dir}.Secrets()
	require.NoError(t, err)
	require.NotEmpty(t, made.VaultKey)
}
