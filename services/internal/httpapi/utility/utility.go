// Package utility handles the Utility calls: look-ups, and questions with their answers.
package utility

import (
	"context"

	"github.com/labstack/echo/v5"

	"adashi.ng/ledger/base/clock"
	contract "adashi.ng/proto/gen/httpapi"
	"adashi.ng/services/internal/httpapi"
	"adashi.ng/services/internal/lookups"
)

// Utility is the look-up part of the API.
type Utility struct {
	Now clock.Clock
	// Demo reports whether the demo's people are here.
	Demo func(ctx context.Context) (bool, error)
}

// GetDemo is GET /api/v1/demo.
func (h Utility) GetDemo(c *echo.Context) error {
	there, err := h.Demo(c.Request().Context())
	return httpapi.Answer(c, contract.Demo{Available: there}, err)
}

// GetGenders is GET /api/Utility/GetGenders.
func (Utility) GetGenders(c *echo.Context) error { return httpapi.OK(c, lookups.Genders) }

// GetMonths is GET /api/Utility/GetMonths.
func (Utility) GetMonths(c *echo.Context) error { return httpapi.OK(c, lookups.Months) }

// GetStates is GET /api/Utility/GetStates.
func (Utility) GetStates(c *echo.Context) error { return httpapi.OK(c, lookups.States) }

// GetPaymentCategoryTypes is GET /api/Utility/GetPaymentCategoryTypes.
func (Utility) GetPaymentCategoryTypes(c *echo.Context) error {
	return httpapi.OK(c, lookups.Categories)
}

// GetPaymentFrequencies is GET /api/Utility/GetPaymentFrequencies.
func (Utility) GetPaymentFrequencies(c *echo.Context) error {
	return httpapi.OK(c, lookups.Frequencies)
}

// GetYears is GET /api/Utility/GetYears.
func (h Utility) GetYears(c *echo.Context) error { return httpapi.OK(c, lookups.Years(h.Now())) }

// GetFeeTypes is GET /api/Utility/GetFeeTypes.
func (Utility) GetFeeTypes(c *echo.Context) error { return httpapi.OK(c, lookups.FeeTypes) }

// GetAjoTypes is GET /api/Utility/GetAjoTypes.
func (Utility) GetAjoTypes(c *echo.Context) error { return httpapi.OK(c, lookups.AjoTypes) }

// GetPaymentChannels is GET /api/Utility/GetPaymentChannels.
func (Utility) GetPaymentChannels(c *echo.Context) error { return httpapi.OK(c, lookups.Channels) }

// GetFaqs is GET /api/Utility/GetFaqs.
func (Utility) GetFaqs(c *echo.Context) error { return httpapi.OK(c, lookups.Faqs) }
