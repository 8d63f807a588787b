package people

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestCodesAreThoseOfRFC6238 has the RFC's appendix B, cut to six digits.
func TestCodesAreThoseOfRFC6238(t *testing.T) {
	t.Parallel()
	secret := []byte("12345678901234567890")
	for at, code := range map[int64]string{
		59: "287082", 1111111109: "081804", 1111111111: "050471", 1234567890: "005924", 2000000000: "279037", 20000000000: "353130",
	} {
		now := time.Unix(at, 0)
		require.Equal(t, code, codeAt(secret, stepOf(now)))
		require.Equal(t, stepOf(now), stepWith(secret, code, now, 0))
		require.Equal(t, stepOf(now), stepWith(secret, code, now.Add(totpStep), 0), "a clock that is a step ahead")
		require.Equal(t, stepOf(now), stepWith(secret, code, now.Add(-totpStep), 0), "a clock that is a step behind")
		require.Zero(t, stepWith(secret, code, now.Add(2*totpStep), 0))
		require.Zero(t, stepWith(secret, code, now.Add(3*totpStep), 0))
		if at > 1000 { // Nobody lives before 1970.
			require.Zero(t, stepWith(secret, code, now.Add(-2*totpStep), 0))
		}
		require.Zero(t, stepWith(secret, code, now, stepOf(now)), "a step that was used")
	}
}

func TestASealedSecretOpensForItsOwnerAndKeyAlone(t *testing.T) {
	t.Parallel()
	k, err := newKeys([]byte("an identity key for tests, not for people"))
	require.NoError(t, err)
	other, err := newKeys([]byte("another identity key for tests, not ours"))
	require.NoError(t, err)
	sealed := k.encrypt([]byte("secret"), "ada")
	opened, err := k.decrypt(sealed, "ada")
	require.NoError(t, err)
	require.Equal(t, "secret", string(opened))
	for name, open := range map[string]func() ([]byte, error){
		"another person": func() ([]byte, error) { return k.decrypt(sealed, "eve") },
		"another key":    func() ([]byte, error) { return other.decrypt(sealed, "ada") },
		"cut short":      func() ([]byte, error) { return k.decrypt(sealed[:5], "ada") },
		"a bit turned":   func() ([]byte, error) { return k.decrypt(append([]byte{sealed[0] ^ 1}, sealed[1:]...), "ada") },
	} {
		_, err := open()
		require.Error(t, err, name)
		require.NotContains(t, err.Error(), "secret\"")
	}
	_, err = newKeys([]byte("short"))
	require.ErrorContains(t, err, "at least 32")
}

func TestDevicesAreNamedShortlyAndWithoutVersions(t *testing.T) {
	t.Parallel()
	for agent, want := range map[string]string{
		"Mozilla/5.0 (Linux; Android 14; SM-A155F) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36":                             "Chrome on Android",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0":                      "Edge on Windows",
		"Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1":            "Safari on iPhone",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:133.0) Gecko/20100101 Firefox/133.0":                                                               "Firefox on Mac",
		"Mozilla/5.0 (Linux; Android 13; SAMSUNG SM-S911B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/23.0 Chrome/115.0.0.0 Mobile Safari/537.36": "Samsung Internet on Android",
		"curl/8.5.0": "curl", "": "An unknown device", "<script>alert(1)</script>": "scriptalert(1)", "\x00\n\xff": "An unknown device",
	} {
		require.Equal(t, want, Device(agent))
	}
}
