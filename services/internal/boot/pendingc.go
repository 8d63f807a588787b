package boot

import (
	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/fault"
)

type pendingC struct{}

func (pendingC) RequestLiquidation(_ *echo.Context, _ contract.RequestLiquidationParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingC) QuoteLiquidation(_ *echo.Context) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingC) ValidateLiquidationByLink(_ *echo.Context, _ string, _ string, _ contract.ValidateLiquidationByLinkParamsC) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingC) ValidateLiquidation(_ *echo.Context, _ string, _ string, _ contract.ValidateLiquidationParamsC, _ contract.ValidateLiquidationParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingC) GetLiquidations(_ *echo.Context, _ contract.Id, _ contract.GetLiquidationsParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingC) GetLiquidation(_ *echo.Context, _ contract.Id, _ contract.GetLiquidationParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingC) CancelLiquidation(_ *echo.Context, _ contract.Id, _ contract.CancelLiquidationParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingC) RetryLiquidation(_ *echo.Context, _ contract.Id, _ contract.RetryLiquidationParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingC) ReleaseLiquidation(_ *echo.Context, _ contract.Id, _ contract.ReleaseLiquidationParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingC) GetAudit(_ *echo.Context, _ contract.Id, _ contract.GetAuditParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingC) MarkPayments(_ *echo.Context, _ contract.Id, _ contract.MarkPaymentsParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingC) ExportAudit(_ *echo.Context, _ contract.Id, _ contract.ExportAuditParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}
