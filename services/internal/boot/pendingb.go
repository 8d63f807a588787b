package boot

import (
	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/fault"
)

// pendingB is what is not built yet.
type pendingB struct{}

var errPendingB = fault.New(fault.Unavailable, "Not built yet.")

func (pendingB) GenerateReference(_ *echo.Context, _ contract.GenerateReferenceParams) error {
	return errPendingB
}

func (pendingB) MakePayment(_ *echo.Context, _ contract.MakePaymentParams) error { return errPendingB }
func (pendingB) VerifyTransactionByReference(_ *echo.Context, _ string) error    { return errPendingB }
func (pendingB) QuotePayment(_ *echo.Context, _ contract.QuotePaymentParams) error {
	return errPendingB
}
func (pendingB) GetCards(_ *echo.Context) error                  { return errPendingB }
func (pendingB) DeleteCard(_ *echo.Context, _ contract.Id) error { return errPendingB }
func (pendingB) GetUnmatched(_ *echo.Context, _ contract.GetUnmatchedParams) error {
	return errPendingB
}
func (pendingB) ProposeUnmatched(_ *echo.Context, _ contract.Id) error { return errPendingB }
func (pendingB) DecideUnmatched(_ *echo.Context, _ contract.Id) error  { return errPendingB }
func (pendingB) GetReconciliations(_ *echo.Context, _ contract.GetReconciliationsParams) error {
	return errPendingB
}
func (pendingB) Reconcile(_ *echo.Context) error                                 { return errPendingB }
func (pendingB) GetReconciliation(_ *echo.Context, _ contract.Id) error          { return errPendingB }
func (pendingB) GetReserves(_ *echo.Context, _ contract.GetReservesParams) error { return errPendingB }
