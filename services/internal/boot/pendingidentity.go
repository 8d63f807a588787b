package boot

import (
	"github.com/labstack/echo/v5"

	"adashi.ng/ledger/fault"
	contract "adashi.ng/proto/gen/httpapi"
)

// pendingIdentity is what is still to be built; delete each as it is.
type pendingIdentity struct{}

func (pendingIdentity) ChangePassword(_ *echo.Context) error {
	return fault.New(fault.NotFound, "not built yet")
}

func (pendingIdentity) SendPasswordResetLink(_ *echo.Context) error {
	return fault.New(fault.NotFound, "not built yet")
}

func (pendingIdentity) ResetPassword(_ *echo.Context) error {
	return fault.New(fault.NotFound, "not built yet")
}

func (pendingIdentity) ResendVerification(_ *echo.Context) error {
	return fault.New(fault.NotFound, "not built yet")
}

func (pendingIdentity) GetSessions(_ *echo.Context) error {
	return fault.New(fault.NotFound, "not built yet")
}

func (pendingIdentity) EndOtherSessions(_ *echo.Context) error {
	return fault.New(fault.NotFound, "not built yet")
}

func (pendingIdentity) EndSession(_ *echo.Context, _ contract.Id) error {
	return fault.New(fault.NotFound, "not built yet")
}

func (pendingIdentity) StepUp(_ *echo.Context) error {
	return fault.New(fault.NotFound, "not built yet")
}

func (pendingIdentity) GetTotp(_ *echo.Context) error {
	return fault.New(fault.NotFound, "not built yet")
}

func (pendingIdentity) BeginTotp(_ *echo.Context) error {
	return fault.New(fault.NotFound, "not built yet")
}

func (pendingIdentity) RemoveTotp(_ *echo.Context) error {
	return fault.New(fault.NotFound, "not built yet")
}

func (pendingIdentity) ConfirmTotp(_ *echo.Context) error {
	return fault.New(fault.NotFound, "not built yet")
}

func (pendingIdentity) RenewRecoveryCodes(_ *echo.Context) error {
	return fault.New(fault.NotFound, "not built yet")
}

func (pendingIdentity) ChangeEmail(_ *echo.Context) error {
	return fault.New(fault.NotFound, "not built yet")
}

func (pendingIdentity) ConfirmEmail(_ *echo.Context) error {
	return fault.New(fault.NotFound, "not built yet")
}
