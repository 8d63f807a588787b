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

// ErrRefused is returned when a witness cannot confirm that a checkpoint continues the one that it saw.
var ErrRefused = errors.New("the witness does not find that the ledger continues what it saw before")

// ErrStatement is returned when one of our witnesses needs the statement that an epoch began: see Begin.
var ErrStatement = errors.New("the witness needs the ledger's statement that this epoch began")

// ErrUnknown is returned when a witness does not watch the checkpoint's origin: its operator has to add this epoch's
// origin, with the ledger's key.
var ErrUnknown = errors.New("the witness does not watch this origin: have its operator add it, as docs/operating.md says")

// Begin gives one of our witnesses the ledger's signed statement that an epoch began.
func Begin(ctx context.Context, client *http.Client, url string, e proofs.EpochStart) error {
	call, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimRight(url, "/")+PathEpoch, strings.NewReader(e.Note))
	if err != nil {
		return err
	}
	reply, err := client.Do(call)
	if err != nil {
		return err
	}
	defer func() { _ = reply.Body.Close() }()
	if reply.StatusCode != http.StatusOK {
		return fmt.Errorf("%w: it answered the statement of epoch %d with %s", ErrRefused, e.Epoch, reply.Status)
	}
	return nil
}

// Elsewhere is returned by Ask when the witness last signed another size than the given old one.
type Elsewhere struct{ Size int64 }

func (e *Elsewhere) Error() string { return fmt.Sprintf("the witness signed size %d last", e.Size) }

// Ask asks the witness at an address to sign a checkpoint, with the proof that it continues the tree of an old size. It
// answers a valid signature.
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
	case http.StatusPreconditionRequired:
		return nil, ErrStatement
	case http.StatusForbidden, http.StatusNotFound:
		return nil, fmt.Errorf("%w (%s, %s)", ErrUnknown, c.Origin, strings.TrimSpace(string(raw)))
	}
	return nil, fmt.Errorf("the witness answered %s", reply.Status)
}
