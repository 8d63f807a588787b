package boot

import (
	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/fault"
)

type pendingB struct{}

func (pendingB) GetMemberSavings(_ *echo.Context, _ contract.Id, _ contract.GetMemberSavingsParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingB) GetUserUnsettledPayments(_ *echo.Context, _ string, _ string, _ contract.GetUserUnsettledPaymentsParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingB) GetUnsettledPayments(_ *echo.Context, _ contract.Id, _ contract.GetUnsettledPaymentsParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingB) GetSavingsPaymentHistory(_ *echo.Context) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingB) GetSavingsPaymentHistoryAdmin(_ *echo.Context, _ contract.Id, _ contract.GetSavingsPaymentHistoryAdminParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingB) GetSubAccount(_ *echo.Context, _ string, _ string, _ contract.GetSubAccountParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingB) GetPaymentGrid(_ *echo.Context, _ contract.Id, _ contract.GetPaymentGridParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingB) GetGroupCharts(_ *echo.Context, _ contract.Id, _ contract.GetGroupChartsParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingB) GetWaivers(_ *echo.Context, _ contract.Id, _ contract.GetWaiversParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingB) RequestWaiver(_ *echo.Context, _ contract.RequestWaiverParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingB) DecideWaiver(_ *echo.Context, _ contract.Id, _ contract.DecideWaiverParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingB) GetCoverable(_ *echo.Context, _ contract.GetCoverableParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingB) CoverMember(_ *echo.Context, _ contract.CoverMemberParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingB) RemindMembers(_ *echo.Context, _ contract.Id, _ contract.RemindMembersParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingB) ExportGroupBook(_ *echo.Context, _ contract.Id, _ contract.ExportGroupBookParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingB) GetGroupBook(_ *echo.Context, _ contract.Id, _ contract.GetGroupBookParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}
