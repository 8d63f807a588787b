package config

import (
	"bytes"
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

	"adashi.ng/ledger/base/durable"
	"adashi.ng/ledger/base/pgchild"
	"adashi.ng/ledger/infra/proofs"
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

// Secrets reads secrets.json in the data folder, making it (mode 0600) and whatever it lacks first, and returns once it
// is on the disk. It refuses a file that others may read, and to make new secrets for a database that has lost its own.
func (c Config) Secrets() (Generated, error) {
	path := filepath.Join(c.Data, "secrets.json")
	lock, err := lockSecrets(path)
	if err != nil {
		return Generated{}, err
	}
	defer func() { _ = lock.Close() }()
	secrets, state, err := readSecrets(path)
	if err != nil {
		return Generated{}, err
	}
	if state != "" {
		if err := c.mayMakeAnew(path, state); err != nil {
			return Generated{}, err
		}
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

// mayMakeAnew refuses new secrets beside a database whose own are gone: nothing that was locked with them could be read
// again. An operator who keeps the three keys of the database elsewhere loses nothing that cannot be made again.
func (c Config) mayMakeAnew(path, state string) error {
	switch {
	case c.DatabaseURL == "" && pgchild.HasCluster(filepath.Join(c.Data, "postgres")) && (c.LedgerKey == "" || c.VaultKey == "" || c.IdentityKey == ""):
		return fmt.Errorf("ADASHI_DATA: %s %s, and the database beside it was written with its keys: put the file back from a backup, "+
			"or set ADASHI_LEDGER_KEY, ADASHI_VAULT_KEY and ADASHI_IDENTITY_KEY to the keys that were in it and remove what is left of it", path, state)
	case state == torn:
		return fmt.Errorf("ADASHI_DATA: %s is not JSON: mend or remove it", path)
	}
	return nil
}

// lockSecrets waits for its turn: roles that start at once on one empty folder must come to the same secrets.
func lockSecrets(path string) (*durable.Lock, error) {
	if err := durable.MakeFolder(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("ADASHI_DATA: %w", err)
	}
	lock, err := durable.WaitLock(path+".lock", 0o600)
	if err != nil {
		return nil, fmt.Errorf("ADASHI_DATA: %w", err)
	}
	return lock, nil
}

// What may be left of a file of secrets.
const (
	missing = "is missing"
	empty   = "is empty"
	torn    = "is torn"
)

// readSecrets answers what the file holds, or in what state it is when it holds nothing.
func readSecrets(path string) (secrets Generated, state string, err error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return secrets, missing, nil
	}
	if err != nil {
		return secrets, "", fmt.Errorf("ADASHI_DATA: %w", err)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return secrets, "", fmt.Errorf("ADASHI_DATA: %s may be read by others: chmod 600 it", path)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return secrets, "", fmt.Errorf("ADASHI_DATA: %w", err)
	}
	if len(bytes.Trim(raw, "\x00 \r\n\t")) == 0 { // A file whose data the disk never saw may be read as zeros.
		return secrets, empty, nil
	}
	if json.Unmarshal(raw, &secrets) != nil {
		return Generated{}, torn, nil //nolint:nilerr // What is torn is said.
	}
	return secrets, "", nil
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

func writeSecrets(path string, secrets Generated) error {
	raw, err := json.MarshalIndent(secrets, "", "  ")
	if err != nil {
		return fmt.Errorf("secrets: %w", err)
	}
	if err := durable.WriteFile(path, append(raw, '\n'), 0o600); err != nil {
		return fmt.Errorf("ADASHI_DATA: %w", err)
	}
	return nil
}
