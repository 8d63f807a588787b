package boot

import (
	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/fault"
)

// pendingA is what is not built yet.
type pendingA struct{}

var errPendingA = fault.New(fault.Unavailable, "Not built yet.")

func (pendingA) GetWalletLimits(_ *echo.Context, _ contract.GetWalletLimitsParams) error {
	return errPendingA
}
func (pendingA) QuoteWithdrawal(_ *echo.Context) error { return errPendingA }
func (pendingA) GetWithdrawals(_ *echo.Context, _ contract.GetWithdrawalsParams) error {
	return errPendingA
}
func (pendingA) Withdraw(_ *echo.Context, _ contract.WithdrawParams) error { return errPendingA }
func (pendingA) GetWithdrawal(_ *echo.Context, _ contract.Id, _ contract.GetWithdrawalParams) error {
	return errPendingA
}

func (pendingA) GetPayouts(_ *echo.Context, _ contract.GetPayoutsParams) error { return errPendingA }
func (pendingA) QueryPayout(_ *echo.Context, _ contract.Id) error              { return errPendingA }
func (pendingA) LookUpMember(_ *echo.Context) error                            { return errPendingA }
func (pendingA) SetMemberTier(_ *echo.Context) error                           { return errPendingA }
