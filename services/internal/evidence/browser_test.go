package evidence_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/dues"
	"adashi.ng/services/internal/evidence/bundle"
)

var verdict = regexp.MustCompile(`<p id="verdict" role="status" class="(\w+)">([^<]*)</p>`)

// shows returns the verdict of a page that Chromium opens from the disk, without a network.
func shows(t *testing.T, page []byte) (class, says string) {
	t.Helper()
	// ./scripts/test always sets it. The program must exist.
	chromium := os.Getenv("CHROMIUM")
	if chromium == "" {
		found, err := exec.LookPath("chromium")
		if err != nil {
			t.Skip("there is no Chromium here")
		}
		chromium = found
	}
	folder := t.TempDir()
	file := filepath.Join(folder, "evidence.html")
	require.NoError(t, os.WriteFile(file, page, 0o600))
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--user-data-dir="+folder+"/profile",
		"--virtual-time-budget=60000", "--dump-dom", "file://"+file).Output()
	require.NoError(t, err)
	found := verdict.FindSubmatch(out)
	require.NotNil(t, found, "%.400s", out)
	return string(found[1]), string(found[2])
}

func foreignKey(t *testing.T) string {
	t.Helper()
	_, public, err := proofs.GenerateKey("adashi.example/ledger")
	require.NoError(t, err)
	return public
}

func TestThePageVerifiesItselfFromTheDisk(t *testing.T) {
	t.Parallel()
	d := disputed(t, true, func(w *apptest.Town) {
		for range 5 {
			_, err := w.App.Dues.PayFromWallet(context.Background(), w.Member, w.Open, apptest.Naira(10), dues.Due{})
			require.NoError(w, err)
		}
	})
	page := d.page()
	if keep := os.Getenv("EVIDENCE_PAGE"); keep != "" {
		require.NoError(t, os.WriteFile(keep, page, 0o600))
	}
	class, says := shows(t, page)
	require.Equal(t, []string{"good", "Everything verifies"}, []string{class, says})
	for wants, change := range map[string]func(b *bundle.Bundle){
		"is not the one that was sealed": func(b *bundle.Bundle) {
			raw, _ := base64.StdEncoding.DecodeString(b.Events[1].Record)
			raw[40] ^= 1
			b.Events[1].Record = base64.StdEncoding.EncodeToString(raw)
		},
		"is missing":              func(b *bundle.Bundle) { b.Events = append(b.Events[:2:2], b.Events[3:]...) },
		"is missing at its end":   func(b *bundle.Bundle) { b.Events = b.Events[:len(b.Events)-1] },
		"words of the step":       func(b *bundle.Bundle) { b.Dispute.Steps[0].Words = "Something else." },
		"none of the public keys": func(b *bundle.Bundle) { b.Keys = []string{foreignKey(t)} },
	} {
		b, err := bundle.Read(page)
		require.NoError(t, err)
		change(&b)
		forged, err := bundle.Page(b)
		require.NoError(t, err)
		class, says = shows(t, forged)
		require.Equal(t, "bad", class, wants)
		require.Contains(t, says, wants)
		if b.Keys[0] == d.bundle().Keys[0] { // The command does not trust the keys in the file.
			_, err = bundle.Check(b, d.keys)
			require.ErrorContains(t, err, wants, "the command agrees")
		}
	}
	meddled := bytes.Replace(page, []byte("main();"), []byte("fetch('https://example.com');main();"), 1)
	class, _ = shows(t, meddled)
	require.Equal(t, "waits", class, "another script does not run")
}

func TestThePageFetchesNothing(t *testing.T) {
	t.Parallel()
	page, asked := disputed(t, false, nil).page(), make(chan string, 9)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { asked <- r.URL.Path }))
	defer server.Close()
	plants := strings.ReplaceAll(`<img src="AT/img"><link rel="stylesheet" href="AT/css"><iframe src="AT/frame"></iframe><script src="AT/js"></script><p style="background:url(AT/style)">`, "AT", server.URL)
	class, _ := shows(t, bytes.Replace(page, []byte("<main>"), []byte("<main>"+plants), 1))
	require.Equal(t, "good", class)
	require.Empty(t, asked)
	bare := regexp.MustCompile(`<meta http-equiv[^>]*>`).ReplaceAll(page, nil)
	shows(t, bytes.Replace(bare, []byte("<main>"), []byte("<main>"+plants), 1))
	require.NotEmpty(t, asked, "without the policy they would have been fetched")
}
