package witness

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"adashi.ng/ledger/infra/proofs"
)

// ErrRefused is returned when a witness does not find that a checkpoint continues what it saw.
var ErrRefused = errors.New("the witness does not find that the ledger continues what it saw before")

// Elsewhere is returned by Ask when a witness signed another size last than was said.
type Elsewhere struct{ Size int64 }

func (e *Elsewhere) Error() string { return fmt.Sprintf("the witness signed size %d last", e.Size) }

// Ask has a witness at an address sign a checkpoint, with the proof that it continues the tree of an old size. It
// answers a signature that is right.
func Ask(ctx context.Context, client *http.Client, url string, key *Verifier, old int64, proof tlog.TreeProof, c proofs.Checkpoint) ([]byte, error) {
	body := request{Old: old, Proof: proof, Note: c.Note}.encode()
	call, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimRight(url, "/")+PathAdd, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	reply, err := client.Do(call)
	if err != nil {
		return nil, err
	}
	defer func() { _ = reply.Body.Close() }()
	raw, err := io.ReadAll(io.LimitReader(reply.Body, requestBytes))
	if err != nil {
		return nil, err
	}
	switch reply.StatusCode {
	case http.StatusOK:
		text, _, _ := strings.Cut(c.Note, "\n\n")
		if signature := key.Find(text+"\n", string(raw)); signature != nil {
			return signature, nil
		}
		return nil, errors.New("the witness answered no signature of its key that is right")
	case http.StatusConflict:
		size, err := strconv.ParseInt(strings.TrimSpace(string(raw)), 10, 64)
		if err != nil || size < 0 {
			return nil, errors.New("the witness answered a conflict without its size")
		}
		if size == old {
			return nil, fmt.Errorf("%w: it has another root of size %d", ErrRefused, size)
		}
		return nil, &Elsewhere{size}
	case http.StatusUnprocessableEntity:
		return nil, ErrRefused
	}
	return nil, fmt.Errorf("the witness answered %s", reply.Status)
}
