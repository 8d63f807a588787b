package config

import (
	"errors"
	"fmt"
	"strings"

	"adashi.ng/services/internal/vault"
)

// NeedsVaultKey is an error when the process is to serve a database of somebody's own and has no key of the vault's.
func (c Config) NeedsVaultKey() error {
	if c.VaultKey == "" && c.DatabaseURL != "" {
		return errors.New("ADASHI_VAULT_KEY must be set when DATABASE_URL is: the key that locks what says who members are; make one with openssl rand -base64 32")
	}
	return nil
}

// VaultKeys are the keys that the environment gives, or else the one that was generated. Its error is one sentence that
// names the variable and never repeats its value.
func (c Config) VaultKeys(generated Generated) (vault.Keys, error) {
	current := c.VaultKey
	if current == "" {
		current = Secret(generated.VaultKey)
	}
	if len(current) < vault.KeyCharsMin {
		return vault.Keys{}, fmt.Errorf("ADASHI_VAULT_KEY must have at least %d characters: make one with openssl rand -base64 32", vault.KeyCharsMin)
	}
	var previous []Secret
	for part := range strings.SplitSeq(c.VaultPrevious.Reveal(), ",") {
		if part = strings.TrimSpace(part); part != "" {
			previous = append(previous, Secret(part))
		}
	}
	keys, err := vault.NewKeys(current, previous...)
	if err != nil {
		return vault.Keys{}, fmt.Errorf("ADASHI_VAULT_PREVIOUS_KEYS cannot be used: %w", err)
	}
	return keys, nil
}
