package useragent_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/useragent"
)

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
		require.Equal(t, want, useragent.Device(agent))
	}
}
