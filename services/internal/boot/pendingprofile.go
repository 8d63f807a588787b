package boot

import (
	"github.com/labstack/echo/v5"

	"adashi.ng/ledger/fault"
	contract "adashi.ng/proto/gen/httpapi"
)

// pendingProfile is what is still to be built; delete each as it is.
type pendingProfile struct{}

func (pendingProfile) ChangeAvatar(_ *echo.Context) error { return fault.New(fault.NotFound, "not built yet") }
func (pendingProfile) UpdateUserInfo(_ *echo.Context) error { return fault.New(fault.NotFound, "not built yet") }
func (pendingProfile) UpdateUserSettings(_ *echo.Context) error { return fault.New(fault.NotFound, "not built yet") }
func (pendingProfile) SaveUtilityBill(_ *echo.Context) error { return fault.New(fault.NotFound, "not built yet") }
func (pendingProfile) SaveBankStatement(_ *echo.Context) error { return fault.New(fault.NotFound, "not built yet") }
func (pendingProfile) SaveOfferLetter(_ *echo.Context) error { return fault.New(fault.NotFound, "not built yet") }
func (pendingProfile) UploadFile(_ *echo.Context) error { return fault.New(fault.NotFound, "not built yet") }
func (pendingProfile) GetFile(_ *echo.Context, _ contract.Id) error { return fault.New(fault.NotFound, "not built yet") }
func (pendingProfile) AskGuardian(_ *echo.Context) error { return fault.New(fault.NotFound, "not built yet") }
func (pendingProfile) Consent(_ *echo.Context) error { return fault.New(fault.NotFound, "not built yet") }
func (pendingProfile) ExportAccount(_ *echo.Context) error { return fault.New(fault.NotFound, "not built yet") }
func (pendingProfile) CloseAccount(_ *echo.Context) error { return fault.New(fault.NotFound, "not built yet") }
func (pendingProfile) BvnLookUp(_ *echo.Context) error { return fault.New(fault.NotFound, "not built yet") }
func (pendingProfile) GetBanks(_ *echo.Context) error { return fault.New(fault.NotFound, "not built yet") }
func (pendingProfile) GetVfdBanks(_ *echo.Context) error { return fault.New(fault.NotFound, "not built yet") }
func (pendingProfile) NameEnquiry(_ *echo.Context) error { return fault.New(fault.NotFound, "not built yet") }
func (pendingProfile) GetFaqs(_ *echo.Context) error { return fault.New(fault.NotFound, "not built yet") }
func (pendingProfile) GetYears(_ *echo.Context) error { return fault.New(fault.NotFound, "not built yet") }
func (pendingProfile) GetFeeTypes(_ *echo.Context) error { return fault.New(fault.NotFound, "not built yet") }
func (pendingProfile) GetAjoTypes(_ *echo.Context) error { return fault.New(fault.NotFound, "not built yet") }
func (pendingProfile) GetPaymentChannels(_ *echo.Context) error { return fault.New(fault.NotFound, "not built yet") }
