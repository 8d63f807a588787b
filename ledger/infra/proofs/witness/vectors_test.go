package witness_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/infra/proofs/witness"
)

var update = flag.Bool("update", false, "write testdata/vectors.json")

// vector is a cosignature on which all our verifiers must agree.
type vector struct {
	Name       string `json:"name"`
	PublicKey  string `json:"publicKey"` // Hex.
	Checkpoint string `json:"checkpoint"`
	Signature  string `json:"signature"` // Base64.
	Holds      bool   `json:"holds"`
}

// vectors are made with keys that nobody uses.
func vectors(t *testing.T) []vector {
	t.Helper()
	key, other := fixed(t, 1), fixed(t, 2)
	text := "adashi.ng/ledger/e1\n1204\nBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=\n"
	at := time.Date(2026, 11, 25, 22, 0, 0, 0, time.UTC)
	signature := key.Sign(text, at)
	with := func(place int) string {
		changed := append([]byte(nil), signature...)
		changed[place] ^= 1
		return base64.StdEncoding.EncodeToString(changed)
	}
	public, right := hex.EncodeToString(key.Public()), base64.StdEncoding.EncodeToString(signature)
	return []vector{
		{"as it was signed", public, text, right, true},
		{"another time", public, text, with(7), false},
		{"a byte of the signature", public, text, with(20), false},
		{"the last byte of the signature", public, text, with(71), false},
		{"another key", hex.EncodeToString(other.Public()), text, right, false},
		{"another's signature", public, text, base64.StdEncoding.EncodeToString(other.Sign(text, at)), false},
		{"another root", public, strings.Replace(text, "Bwc=", "Bwg=", 1), right, false},
		{"another origin", public, "other." + text, right, false},
		{"another epoch", public, strings.Replace(text, "/e1", "/e2", 1), right, false},
		{"another size of the same root", public, strings.Replace(text, "1204", "1205", 1), right, false},
		{"a line more", public, text + "\n", right, false},
		{"a byte less", public, text, base64.StdEncoding.EncodeToString(signature[:71]), false},
		{"without the time", public, text, base64.StdEncoding.EncodeToString(signature[8:]), false},
		{"a time before all times", public, text, base64.StdEncoding.EncodeToString(append([]byte{255}, signature[1:]...)), false},
		{"nothing", public, text, "", false},
	}
}

// fixed is the key of a seed of one byte, repeated.
func fixed(t *testing.T, of byte) *witness.Signer {
	t.Helper()
	seed := bytes.Repeat([]byte{of}, ed25519.SeedSize)
	public, err := witness.NewVerifier("witness.example/w1", ed25519.NewKeyFromSeed(seed).Public().(ed25519.PublicKey))
	require.NoError(t, err)
	secret := fmt.Sprintf("PRIVATE+KEY+%s+%08x+%s", public.Name(), public.KeyHash(), base64.StdEncoding.EncodeToString(append([]byte{4}, seed...)))
	key, err := witness.ParseSigner(secret)
	require.NoError(t, err)
	return key
}

// TestCosignaturesAreJudgedAsTheVectorsSay is the test for Go; the browser's is webapp/tests/trust/witness.test.tsx.
func TestCosignaturesAreJudgedAsTheVectorsSay(t *testing.T) {
	t.Parallel()
	made, err := json.MarshalIndent(vectors(t), "", "  ")
	require.NoError(t, err)
	if *update {
		require.NoError(t, os.WriteFile("testdata/vectors.json", append(made, '\n'), 0o644))
	}
	raw, err := os.ReadFile("testdata/vectors.json")
	require.NoError(t, err)
	require.JSONEq(t, string(made), string(raw), "what was signed can be checked for ever: the vectors never change")
	var all []vector
	require.NoError(t, json.Unmarshal(raw, &all))
	for _, v := range all {
		public, err := hex.DecodeString(v.PublicKey)
		require.NoError(t, err)
		key, err := witness.NewVerifier("device", public)
		require.NoError(t, err)
		signature, err := base64.StdEncoding.DecodeString(v.Signature)
		require.NoError(t, err)
		require.Equal(t, v.Holds, key.Verify([]byte(v.Checkpoint), signature), v.Name)
	}
}
