package config

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"

	"adashi.ng/ledger/proofs"
)

// Generated is what the embedded default makes for itself on its first run, so that no secret has a default.
// The fields are plain strings because the file must hold them; wrap one in Secret before passing it on.
type Generated struct {
	InvitationKey         string `json:"invitationKey"` // Signs invitation links.
	VfdWebhookSecret      string `json:"vfdWebhookSecret"`
	SandboxConsumerKey    string `json:"sandboxConsumerKey"`
	SandboxConsumerSecret string `json:"sandboxConsumerSecret"`
	SandboxPaystackKey    string `json:"sandboxPaystackKey"`
	IdentityKey           string `json:"identityKey"` // Seals second factors, unless ADASHI_IDENTITY_KEY does.
	VaultKey              string `json:"vaultKey"`    // Locks the vault, unless ADASHI_VAULT_KEY does.
	LedgerKey             string `json:"ledgerKey"`   // Signs checkpoints, unless ADASHI_LEDGER_KEY does.
}

// LogValue hides all of them from slog.
func (Generated) LogValue() slog.Value { return slog.StringValue(redacted) }

// String hides all of them from fmt.
func (Generated) String() string { return redacted }

// Secrets reads <dataDir>/secrets.json, making it (mode 0600) and whatever it lacks first. It refuses a file that
// others may read.
func Secrets(dataDir string) (Generated, error) {
	path := filepath.Join(dataDir, "secrets.json")
	lock, err := lockSecrets(path)
	if err != nil {
		return Generated{}, err
	}
	defer func() { _ = lock.Close() }()
	secrets, err := readSecrets(path)
	if err != nil {
		return Generated{}, err
	}
	made, err := fill(&secrets)
	if err != nil || !made {
		return secrets, err
	}
	if err := writeSecrets(path, secrets); err != nil {
		return Generated{}, err
	}
	return secrets, nil
}

// lockSecrets waits for its turn: roles that start at once on one empty folder must come to the same secrets.
func lockSecrets(path string) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("ADASHI_DATA: %w", err)
	}
	lock, err := os.OpenFile(path+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("ADASHI_DATA: %w", err)
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		_ = lock.Close()
		return nil, fmt.Errorf("ADASHI_DATA: %w", err)
	}
	return lock, nil
}

func readSecrets(path string) (Generated, error) {
	var secrets Generated
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return secrets, nil
	}
	if err != nil {
		return secrets, fmt.Errorf("ADASHI_DATA: %w", err)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return secrets, fmt.Errorf("ADASHI_DATA: %s may be read by others: chmod 600 it", path)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return secrets, fmt.Errorf("ADASHI_DATA: %w", err)
	}
	if err := json.Unmarshal(raw, &secrets); err != nil {
		return secrets, fmt.Errorf("ADASHI_DATA: %s is not JSON: mend or remove it", path)
	}
	return secrets, nil
}

// fill makes what is missing and reports whether anything was.
func fill(secrets *Generated) (made bool, err error) {
	if secrets.LedgerKey == "" {
		if secrets.LedgerKey, _, err = proofs.GenerateKey(proofs.DefaultName); err != nil {
			return false, fmt.Errorf("secrets: %w", err)
		}
		made = true
	}
	value := reflect.ValueOf(secrets).Elem()
	for i := range value.NumField() {
		if field := value.Field(i); field.String() == "" {
			field.SetString(strings.ToLower(rand.Text() + rand.Text()))
			made = true
		}
	}
	return made, nil
}

// writeSecrets writes a temporary file and renames it, so that a crash leaves the old file or the new one.
func writeSecrets(path string, secrets Generated) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("ADASHI_DATA: %w", err)
	}
	raw, err := json.MarshalIndent(secrets, "", "  ")
	if err != nil {
		return fmt.Errorf("secrets: %w", err)
	}
	temporary := path + ".new"
	if err := os.WriteFile(temporary, append(raw, '\n'), 0o600); err != nil {
		return fmt.Errorf("ADASHI_DATA: %w", err)
	}
	if err := os.Rename(temporary, path); err != nil {
		return fmt.Errorf("ADASHI_DATA: %w", err)
	}
	return nil
}
