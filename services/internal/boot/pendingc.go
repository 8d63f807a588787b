package boot

import (
	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/fault"
)

type pendingC struct{}

func (pendingC) GetAudit(_ *echo.Context, _ contract.Id, _ contract.GetAuditParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingC) MarkPayments(_ *echo.Context, _ contract.Id, _ contract.MarkPaymentsParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingC) ExportAudit(_ *echo.Context, _ contract.Id, _ contract.ExportAuditParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}
