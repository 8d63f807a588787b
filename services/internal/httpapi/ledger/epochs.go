package ledger

import (
	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/services/internal/httpapi"
)

// GetLedgerEpochs is GET /api/Ledger/epochs.
func (h Ledger) GetLedgerEpochs(c *echo.Context) error {
	all, err := h.Proofs.Epochs(c.Request().Context())
	if err != nil {
		return err
	}
	list := make([]contract.LedgerEpoch, len(all))
	for i, e := range all {
		list[i] = contract.LedgerEpoch{Epoch: e.Epoch, From: e.From, GivesUp: e.GivesUp(), Began: e.At, Reason: e.Reason, Note: e.Note}
	}
	return httpapi.OK(c, list)
}
