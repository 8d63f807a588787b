package config

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"adashi.ng/ledger/infra/proofs"
)

const identityKeyCharsMin = 32

// IdentityBytes is the identity key that the environment gives, or else the one that was generated.
func (c Config) IdentityBytes(generated Generated) []byte {
	if c.IdentityKey != "" {
		return []byte(c.IdentityKey.Reveal())
	}
	return []byte(generated.IdentityKey)
}

// NeedsKey is an error when the process is to serve a database of somebody's own and has no key of the ledger's, or,
// where it serves people, none of theirs.
func (c Config) NeedsKey(people bool) error {
	if people && c.IdentityKey == "" && c.DatabaseURL != "" {
		return errors.New("ADASHI_IDENTITY_KEY must be set when DATABASE_URL is: at least 32 random characters that seal people's second factors, the same in every process and kept for ever")
	}
	if c.LedgerKey == "" && c.DatabaseURL != "" {
		return errors.New("ADASHI_LEDGER_KEY must be set when DATABASE_URL is: the key that signs the ledger's checkpoints, or its public half for a process that only shows them")
	}
	return nil
}

func (c Config) checkKeys() error {
	_, err := c.LedgerKeys(Generated{})
	return err
}

// LedgerKeys are the keys that the environment gives, or else the one that was generated. Its error is one sentence
// that names the variable and never repeats its value.
func (c Config) LedgerKeys(generated Generated) (proofs.Keys, error) {
	text := c.LedgerKey.Reveal()
	if text == "" {
		text = generated.LedgerKey
	}
	if text == "" { // Only ADASHI_LEDGER_PREVIOUS_KEYS can be judged before the first run.
		return proofs.Keys{}, c.eachPrevious(func(proofs.Key) {})
	}
	current, err := proofs.ParseKey(text)
	if err != nil {
		return proofs.Keys{}, fmt.Errorf("ADASHI_LEDGER_KEY cannot be used: %w", err)
	}
	var retired []proofs.Key
	if err := c.eachPrevious(func(key proofs.Key) { retired = append(retired, key) }); err != nil {
		return proofs.Keys{}, err
	}
	keys, err := proofs.NewKeys(current, retired...)
	if err != nil {
		return proofs.Keys{}, fmt.Errorf("ADASHI_LEDGER_PREVIOUS_KEYS cannot be used: %w", err)
	}
	return keys, nil
}

func (c Config) eachPrevious(each func(proofs.Key)) error {
	n := 0
	for part := range strings.SplitSeq(c.PreviousKeys.Reveal(), ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		n++
		key, err := proofs.ParseKey(part)
		if err != nil {
			return fmt.Errorf("ADASHI_LEDGER_PREVIOUS_KEYS cannot be used: of key %d, %w", n, err)
		}
		each(key)
	}
	return nil
}

// CheckpointFile is where signed checkpoints are kept outside the database.
func (c Config) CheckpointFile() string {
	if c.Checkpoints != "" {
		return c.Checkpoints
	}
	return filepath.Join(c.Data, "checkpoints")
}
