package boot

import (
	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/fault"
)

// pendingD is what is not built yet.
type pendingD struct{}

var errPendingD = fault.New(fault.Unavailable, "Not built yet.")

func (pendingD) GetStandingOrders(_ *echo.Context, _ contract.GetStandingOrdersParams) error {
	return errPendingD
}

func (pendingD) CreateStandingOrder(_ *echo.Context, _ contract.CreateStandingOrderParams) error {
	return errPendingD
}
func (pendingD) PauseStandingOrder(_ *echo.Context, _ contract.Id) error  { return errPendingD }
func (pendingD) ResumeStandingOrder(_ *echo.Context, _ contract.Id) error { return errPendingD }
func (pendingD) EndStandingOrder(_ *echo.Context, _ contract.Id) error    { return errPendingD }
func (pendingD) GetActivityMonths(_ *echo.Context, _ contract.GetActivityMonthsParams) error {
	return errPendingD
}

func (pendingD) ExportActivity(_ *echo.Context, _ contract.ExportActivityParams) error {
	return errPendingD
}

func (pendingD) GetStatement(_ *echo.Context, _ contract.GetStatementParams) error {
	return errPendingD
}
func (pendingD) VerifyStatement(_ *echo.Context, _ string) error { return errPendingD }
func (pendingD) GetActivityReceipt(_ *echo.Context, _ contract.Id, _ contract.GetActivityReceiptParams) error {
	return errPendingD
}
