package disputes

import (
	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/services/internal/httpapi"
	"adashi.ng/services/internal/remedies"
)

// Remedies has the handlers by which two of our staff help a member whose account a thief used. The contract says
// who may call each.
type Remedies struct{ Remedies *remedies.Service }

// GetRemedies is GET v1/support/remedies.
func (h Remedies) GetRemedies(c *echo.Context) error {
	waiting, err := h.Remedies.Waiting(c.Request().Context(), httpapi.Caller(c).UserID)
	return httpapi.Answer(c, waiting, err)
}

// FindForRemedy is POST v1/support/remedies/members.
func (h Remedies) FindForRemedy(c *echo.Context) error {
	form, err := httpapi.Bind[contract.FindForRemedyRequest](c)
	if err != nil {
		return err
	}
	found, err := h.Remedies.Find(c.Request().Context(), httpapi.Who(c, nil), form)
	return httpapi.Recorded(c, "That you looked is recorded.", found, 0, err)
}

// ProposeRemedy is POST v1/support/remedies.
func (h Remedies) ProposeRemedy(c *echo.Context, params contract.ProposeRemedyParams) error {
	form, err := httpapi.Bind[contract.ProposeRemedyRequest](c)
	if err != nil {
		return err
	}
	if err := httpapi.SteppedUp(c); err != nil {
		return err
	}
	view, pos, err := h.Remedies.Propose(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), form)
	return httpapi.Recorded(c, "It waits for an Admin. The member is told at all their addresses.", view, pos, err)
}

// AgreeRemedy is POST v1/support/remedies/{id}/agree.
func (h Remedies) AgreeRemedy(c *echo.Context, id contract.Id, params contract.AgreeRemedyParams) error {
	form, err := httpapi.Bind[contract.AgreeRemedyRequest](c)
	if err != nil {
		return err
	}
	if err := httpapi.SteppedUp(c); err != nil {
		return err
	}
	pos, err := h.Remedies.Agree(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form.Seen)
	return httpapi.Recorded(c, "You agreed, and it is done. The member is told at all their addresses.", struct{}{}, pos, err)
}

// DeclineRemedy is POST v1/support/remedies/{id}/decline.
func (h Remedies) DeclineRemedy(c *echo.Context, id contract.Id, params contract.DeclineRemedyParams) error {
	pos, err := h.Remedies.Decline(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id)
	return httpapi.Recorded(c, "It is declined. Nothing was changed.", struct{}{}, pos, err)
}
