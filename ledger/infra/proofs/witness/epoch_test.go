package witness_test

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/ledger/infra/proofs/witness"
)

// begun is a witness of a history, with functions that send it requests.
func begun(t *testing.T, h *history) (asks func(old int64, proof tlog.TreeProof, signed string) int, begins func(statement string) int) {
	t.Helper()
	_, server := opened(t, filepath.Join(t.TempDir(), "state"), h)
	t.Cleanup(func() { _ = server.Close() })
	url := served(t, server)
	posts := func(path, body string) int {
		r, err := http.Post(url+path, "text/plain", strings.NewReader(body))
		require.NoError(t, err)
		_ = r.Body.Close()
		return r.StatusCode
	}
	asks = func(old int64, proof tlog.TreeProof, signed string) int {
		body := fmt.Sprintf("old %d\n", old)
		for _, hash := range proof {
			body += hash.String() + "\n"
		}
		return posts(witness.PathAdd, body+"\n"+signed)
	}
	return asks, func(statement string) int { return posts(witness.PathEpoch, statement) }
}

// states is a statement under the ledger's key that epoch 2 began at a size, and gives up a tree of epoch 1.
func (h *history) states(from int64, lost proofs.Checkpoint, reason string) string {
	e := proofs.EpochStart{Epoch: 2, From: from, Root: h.root(from), Lost: lost, At: time.Unix(1e9, 0), Reason: reason}
	text := fmt.Sprintf("example.ng/ledger/epoch-start\nepoch 2\nfrom %d %s\nlost e%d %d %s\nstream 0\nat %s\nreason %s\n", from, e.Root, lost.Epoch, lost.Size, lost.Root, e.At.UTC().Format(time.RFC3339), reason)
	signed, err := note.Sign(&note.Note{Text: text}, h.signer)
	require.NoError(h.t, err)
	return string(signed)
}

const second = "example.ng/ledger/e2"

func TestAWitnessSignsNoSecondHistoryBecauseItIsCalledAnEpoch(t *testing.T) {
	t.Parallel()
	h := newHistory(t).grow("common", 5)
	other := h.parted().grow("another's payment", 5)
	h.grow("a payment", 5)
	asks, begins := begun(t, h)
	require.Equal(t, 200, asks(0, nil, h.signedBy(h.signer, origin, 10)))
	require.Equal(t, 409, asks(0, nil, other.signedBy(h.signer, origin, 10)), "the second history as it is")
	require.Equal(t, 428, asks(0, nil, other.signedBy(h.signer, second, 10)), "and as an epoch that nothing says began")
	require.Equal(t, 200, asks(10, nil, h.signedBy(h.signer, origin, 10)), "the first goes on beside it")

	require.Equal(t, 200, begins(other.states(10, proofs.Checkpoint{}, "Nothing is given up.")), "a statement that gives nothing up")
	require.Equal(t, 409, asks(0, nil, other.signedBy(h.signer, second, 10)), "has the epoch go on from the first history")
	require.Equal(t, 409, asks(10, nil, other.signedBy(h.signer, second, 10)))
	require.Equal(t, 409, begins(other.states(5, h.checkpoint(), "Now it is.")), "and it is not taken back by another")
	require.Equal(t, 403, begins("nothing"))
}

func TestAWitnessFollowsAnEpochThatTheLedgersKeyBegan(t *testing.T) {
	t.Parallel()
	for name, from := range map[string]int64{"nothing is given up": 10, "the last events are given up": 5} {
		t.Run(name, func(t *testing.T) {
			h := newHistory(t).grow("common", int(from))
			is := h.parted().grow("after a restore", int(12-from))
			h.grow("a payment", int(10-from))
			asks, begins := begun(t, h)
			require.Equal(t, 200, asks(0, nil, h.signedBy(h.signer, origin, 10)))
			statement := is.states(from, h.checkpoint(), "A backup was restored.")
			require.Equal(t, 200, begins(statement))
			require.Equal(t, 200, begins(statement), "and once more")
			require.Equal(t, 409, asks(0, nil, is.signedBy(h.signer, second, 12)), "it says from which size on")
			require.Equal(t, 422, asks(from, h.proof(from), is.signedBy(h.signer, second, 12)))
			require.Equal(t, 200, asks(from, is.proof(from), is.signedBy(h.signer, second, 12)))
			require.Equal(t, 200, asks(12, nil, is.signedBy(h.signer, second, 12)))
			require.Equal(t, 403, asks(10, nil, h.signedBy(h.signer, origin, 10)), "the epoch before is over")
		})
	}
}

func TestAStatementThatGivesUpLessThanAWitnessSignedIsRefused(t *testing.T) {
	t.Parallel()
	h := newHistory(t).grow("common", 5)
	other := h.parted().grow("another's payment", 7)
	h.grow("a payment", 2)
	less := h.checkpoint()
	h.grow("a payment", 3)
	asks, begins := begun(t, h)
	require.Equal(t, 200, asks(0, nil, h.signedBy(h.signer, origin, 10)))
	require.Equal(t, 200, begins(other.states(5, less, "Two records are given up, of five.")))
	require.Equal(t, 422, asks(5, other.proof(5), other.signedBy(h.signer, second, 12)))
}
