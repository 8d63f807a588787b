package ledger

import (
	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/services/internal/httpapi"
	"adashi.ng/services/internal/witnesses"
)

// GetWitnessKeys is GET v1/witness/keys.
func (h Ledger) GetWitnessKeys(c *echo.Context, params contract.GetWitnessKeysParams) error {
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, witnesses.ReadModels...)
	keys, err := h.Witnesses.Keys(c.Request().Context(), httpapi.Caller(c).UserID)
	return httpapi.Answer(c, keys, err)
}

// RegisterWitnessKey is POST v1/witness/keys.
func (h Ledger) RegisterWitnessKey(c *echo.Context, params contract.RegisterWitnessKeyParams) error {
	if err := httpapi.SteppedUp(c); err != nil {
		return err
	}
	form, err := httpapi.Bind[contract.WitnessKeyRequest](c)
	if err != nil {
		return err
	}
	keys, pos, err := h.Witnesses.Register(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), form.PublicKey)
	return httpapi.Recorded(c, "This device watches the ledger.", keys, pos, err)
}

// RevokeWitnessKey is POST v1/witness/keys/revoke.
func (h Ledger) RevokeWitnessKey(c *echo.Context, params contract.RevokeWitnessKeyParams) error {
	form, err := httpapi.Bind[contract.WitnessKeyRequest](c)
	if err != nil {
		return err
	}
	keys, pos, err := h.Witnesses.Revoke(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), form.PublicKey)
	return httpapi.Recorded(c, "That device does not watch the ledger any more.", keys, pos, err)
}

// GetCosignatures is GET v1/witness/cosignatures.
func (h Ledger) GetCosignatures(c *echo.Context, params contract.GetCosignaturesParams) error {
	group := ""
	if params.GroupId != nil {
		group = *params.GroupId
	}
	seen, err := h.Witnesses.Seen(c.Request().Context(), httpapi.Caller(c).UserID, params.Position, group)
	return httpapi.Answer(c, seen, err)
}

// AddCosignature is POST v1/witness/cosignatures.
func (h Ledger) AddCosignature(c *echo.Context) error {
	form, err := httpapi.Bind[contract.CosignatureRequest](c)
	if err != nil {
		return err
	}
	keys, err := h.Witnesses.Add(c.Request().Context(), httpapi.Caller(c).UserID, form)
	if err != nil {
		return err
	}
	return httpapi.OKMessage(c, "Kept: this device saw the ledger.", keys)
}
