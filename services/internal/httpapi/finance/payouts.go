package finance

import (
	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/services/internal/httpapi"
)

// GetPayouts is GET v1/finance/payouts.
func (h Finance) GetPayouts(c *echo.Context, params contract.GetPayoutsParams) error {
	limit, err := httpapi.Limit(params.Limit)
	if err != nil {
		return err
	}
	page, err := h.Payouts.OpenPayouts(c.Request().Context(), params.Before, limit)
	return httpapi.Answer(c, page, err)
}

// QueryPayout is POST v1/finance/payouts/{id}/query.
func (h Finance) QueryPayout(c *echo.Context, id contract.Id) error {
	payout, pos, err := h.Payouts.QueryPayout(c.Request().Context(), id)
	return httpapi.Recorded(c, "The bank was asked again.", payout, pos, err)
}

// LookUpMember is POST v1/finance/members/look-up.
func (h Finance) LookUpMember(c *echo.Context) error {
	form, err := httpapi.Bind[contract.LookUpMemberRequest](c)
	if err != nil {
		return err
	}
	member, err := h.Finance.LookUpMember(c.Request().Context(), httpapi.Who(c, nil), form.Email, form.Case)
	return httpapi.Answer(c, member, err)
}

// SetMemberTier is POST v1/finance/members/tier.
func (h Finance) SetMemberTier(c *echo.Context) error {
	form, err := httpapi.Bind[contract.SetMemberTierRequest](c)
	if err != nil {
		return err
	}
	member, pos, err := h.Finance.SetMemberTier(c.Request().Context(), httpapi.Who(c, nil), form)
	return httpapi.Recorded(c, "The member's tier is set.", member, pos, err)
}
