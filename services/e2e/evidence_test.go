package e2e

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"

	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/services/internal/evidence/bundle"
)

func TestAMemberDownloadsTheEvidenceOfADisputeAndNobodyElseDoes(t *testing.T) {
	t.Parallel()
	i := own(t)
	bisi, other := somebody(t, i, "Bisi").funded(500), somebody(t, i, "Chidi")
	opened := must[object](bisi, "POST", disputesPath, claims(700, nil))
	path := disputesPath + "/" + opened["id"].(string) + "/bundle"
	require.Equal(t, 404, other.ask("GET", path, nil).status)
	page, response := bisi.file(path)
	require.Equal(t, 200, response.StatusCode)
	require.Equal(t, `attachment; filename="adashi-evidence-`+strings.ToLower(opened["number"].(string))+`.html"`, response.Header.Get("Content-Disposition"))
	b, err := bundle.Read(page)
	require.NoError(t, err)
	keys := must[[]object](other, "GET", "/api/Ledger/keys", nil)
	key, err := proofs.ParseKey(keys[0]["key"].(string))
	require.NoError(t, err)
	checked, err := bundle.Check(b, []note.Verifier{key.Verifier()})
	require.NoError(t, err)
	require.NotEmpty(t, checked.Records)
	require.NotContains(t, string(page), "Bisi")
}
