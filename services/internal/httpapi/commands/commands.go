// Package commands handles the call that asks for a command's result.
package commands

import (
	"github.com/labstack/echo/v5"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/commands"
	"adashi.ng/services/internal/httpapi"
)

// Commands has its handlers.
type Commands struct{ Commands *commands.Service }

// GetCommand is GET v1/commands/{key}.
func (h Commands) GetCommand(c *echo.Context, key string) error {
	outcome, err := h.Commands.Outcome(c.Request().Context(), httpapi.Caller(c).UserID, key)
	if err == nil && outcome.Position != nil {
		httpapi.Position(c, *outcome.Position)
	}
	if refusal := outcome.Refusal; refusal != nil {
		refusal.Status = httpapi.Status(fault.Code(refusal.ReturnedCode))
	}
	return httpapi.Answer(c, outcome, err)
}
