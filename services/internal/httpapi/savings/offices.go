package savings

import (
	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/services/internal/httpapi"
)

// AppointApprover is POST v1/savings/groups/{id}/approvers.
func (h Savings) AppointApprover(c *echo.Context, id contract.Id, params contract.AppointApproverParams) error {
	form, err := httpapi.Bind[contract.MemberIdRequest](c)
	if err != nil {
		return err
	}
	pos, err := h.Groups.AppointApprover(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form.MemberId)
	return httpapi.Did(c, "They are an approver now. Every member is told.", pos, err)
}

// SetNotice is POST v1/savings/groups/{id}/notice.
func (h Savings) SetNotice(c *echo.Context, id contract.Id, params contract.SetNoticeParams) error {
	form, err := httpapi.Bind[contract.NoticeRequest](c)
	if err != nil {
		return err
	}
	pos, err := h.Groups.SetNotice(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form.Hours)
	return httpapi.Did(c, "The notice of payments is changed. A shorter one counts once the old one is over.", pos, err)
}
