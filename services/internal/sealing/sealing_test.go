package sealing_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/sealing"
)

func TestASealedSecretOpensForItsOwnerAndKeyAlone(t *testing.T) {
	t.Parallel()
	k, err := sealing.New([]byte("an identity key for tests, not for people"))
	require.NoError(t, err)
	other, err := sealing.New([]byte("another identity key for tests, not ours"))
	require.NoError(t, err)
	sealed := k.Encrypt([]byte("secret"), "ada")
	opened, err := k.Decrypt(sealed, "ada")
	require.NoError(t, err)
	require.Equal(t, "secret", string(opened))
	for name, open := range map[string]func() ([]byte, error){
		"another person": func() ([]byte, error) { return k.Decrypt(sealed, "eve") },
		"another key":    func() ([]byte, error) { return other.Decrypt(sealed, "ada") },
		"cut short":      func() ([]byte, error) { return k.Decrypt(sealed[:5], "ada") },
		"a bit turned":   func() ([]byte, error) { return k.Decrypt(append([]byte{sealed[0] ^ 1}, sealed[1:]...), "ada") },
	} {
		_, err := open()
		require.Error(t, err, name)
		require.NotContains(t, err.Error(), "secret\"")
	}
	_, err = sealing.New([]byte("short"))
	require.ErrorContains(t, err, "at least 32")
}
