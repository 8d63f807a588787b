package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAFileOfLiabilitiesIsVerifiedByTheRootAlone(t *testing.T) {
	h := installed(t)
	raw, err := os.ReadFile("../../../ledger/infra/proofs/liabilities/testdata/vectors.json")
	require.NoError(t, err)
	var vectors []struct {
		Name, Root, Kobo string
		Holds            bool
		File             json.RawMessage
	}
	require.NoError(t, json.Unmarshal(raw, &vectors))
	for _, v := range vectors {
		path := filepath.Join(t.TempDir(), "counted.json")
		require.NoError(t, os.WriteFile(path, v.File, 0o600))
		if v.Holds {
			h.says("The file holds: ₦", "ledger", "liabilities", "verify", path, "--root", v.Root)
			h.says("was not looked at", "ledger", "liabilities", "verify", path, "--root", v.Root)
			h.refuses("it has no receipt", "ledger", "liabilities", "verify", path, "--root", v.Root, "--key", h.public)
			h.refuses("small hexadecimal digits", "ledger", "liabilities", "verify", path, "--root", strings.ToUpper(v.Root))
		} else {
			h.refuses("does not prove what it says", "ledger", "liabilities", "verify", path, "--root", v.Root)
		}
	}
}
