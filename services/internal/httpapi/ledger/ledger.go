// Package ledger is the API by which anybody can watch the ledger: its signed checkpoints, its keys and the proofs that
// it only ever grows. It never reveals an event's content.
package ledger

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/projections/engine"
	"adashi.ng/services/internal/httpapi"
	"adashi.ng/services/internal/witnesses"
)

// Ledger is the ledger part of the API.
type Ledger struct {
	Proofs    *proofs.Reader
	Witnesses *witnesses.Service
	Tracker   *engine.Tracker
}

// GetLedgerCheckpoint is GET /api/Ledger/checkpoint: the signed note as text.
func (h Ledger) GetLedgerCheckpoint(c *echo.Context) error {
	latest, err := h.Proofs.Latest(c.Request().Context())
	if errors.Is(err, proofs.ErrNone) {
		return fault.New(fault.NotFound, "The ledger has not signed a checkpoint yet. Please try again shortly.")
	}
	if err != nil {
		return err
	}
	httpapi.Position(c, latest.Size)
	return c.String(http.StatusOK, latest.Note)
}

// GetLedgerKeys is GET /api/Ledger/keys: the current key first.
func (h Ledger) GetLedgerKeys(c *echo.Context) error {
	keys := h.Proofs.Keys()
	list := []contract.LedgerKey{{Key: keys.Current.Public()}}
	for _, key := range keys.Retired {
		list = append(list, contract.LedgerKey{Key: key.Public(), Retired: true})
	}
	return httpapi.OK(c, list)
}

// GetLedgerConsistency is GET /api/Ledger/consistency.
func (h Ledger) GetLedgerConsistency(c *echo.Context, params contract.GetLedgerConsistencyParams) error {
	if params.From < 1 {
		return fault.Field("from", "from must be a size of the ledger, 1 or more.")
	}
	if params.To < params.From {
		return fault.Field("to", "to must not be less than from.")
	}
	proof, err := h.Proofs.Consistency(c.Request().Context(), params.From, params.To)
	if errors.Is(err, proofs.ErrNotSealed) {
		return fault.Field("to", "to must not be more than the size of the latest checkpoint.")
	}
	if err != nil {
		return err
	}
	hashes := make([]string, len(proof))
	for i, hash := range proof {
		hashes[i] = hash.String()
	}
	return httpapi.OK(c, contract.LedgerConsistency{From: params.From, To: params.To, Hashes: hashes})
}
