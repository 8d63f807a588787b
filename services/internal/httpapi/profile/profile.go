// Package profile handles the calls about a member's own details: account, bank and BVN, files, settings, guardian,
// export and closing.
package profile

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/files"
	"adashi.ng/services/internal/httpapi"
	"adashi.ng/services/internal/leaving"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/profile"
)

// Profile has its handlers.
type Profile struct {
	Service *profile.Service
	Files   *files.Store
	Leaving *leaving.Service // Closes accounts.
}

// GetUserInfoById is GET Account/GetUserInfoById/{id}, for the caller's own id only.
func (h Profile) GetUserInfoById(c *echo.Context, id contract.Id) error {
	if err := httpapi.SelfUser(c, id); err != nil {
		return err
	}
	account, err := h.Service.Account(c.Request().Context(), httpapi.Caller(c).UserID)
	return httpapi.Answer(c, account, err)
}

// UpdateUserInfo is POST Account/UpdateUserInfo.
func (h Profile) UpdateUserInfo(c *echo.Context) error {
	form, err := httpapi.Bind[contract.UpdateUserInfoRequest](c)
	if err != nil {
		return err
	}
	if err := httpapi.SelfEmail(c, form.Email); err != nil {
		return err
	}
	account, err := h.Service.Update(c.Request().Context(), httpapi.Caller(c).UserID, form, func() error { return httpapi.SteppedUp(c) })
	if err != nil {
		return err
	}
	return httpapi.OKMessage(c, "Your profile is saved.", account)
}

// UpdateUserSettings is POST Account/UpdateUserSettings.
func (h Profile) UpdateUserSettings(c *echo.Context) error {
	form, err := httpapi.Bind[contract.UpdateUserSettingsRequest](c)
	if err != nil {
		return err
	}
	if err := httpapi.SelfEmail(c, form.Email); err != nil {
		return err
	}
	settings, err := h.Service.SetSettings(c.Request().Context(), httpapi.Caller(c).UserID, form.Settings)
	if err != nil {
		return err
	}
	return httpapi.OKMessage(c, "Your settings are saved.", settings)
}

// ChangeAvatar is POST Account/ChangeAvatar.
func (h Profile) ChangeAvatar(c *echo.Context) error {
	form, err := httpapi.Bind[contract.ChangeAvatarRequest](c)
	if err != nil {
		return err
	}
	message := "Your picture is saved."
	if form.Image == "" {
		message = "Your picture is removed."
	}
	return h.put(c, message, form.Email, form.Image, h.Service.ChangeAvatar)
}

// SaveUtilityBill is POST Account/SaveUtilityBill.
func (h Profile) SaveUtilityBill(c *echo.Context) error { return h.save(c, h.Service.SaveUtilityBill) }

// SaveBankStatement is POST Account/SaveBankStatement.
func (h Profile) SaveBankStatement(c *echo.Context) error {
	return h.save(c, h.Service.SaveBankStatement)
}

// SaveOfferLetter is POST Account/SaveOfferLetter.
func (h Profile) SaveOfferLetter(c *echo.Context) error { return h.save(c, h.Service.SaveOfferLetter) }

// placed uses a member's file for its purpose.
type placed func(ctx context.Context, userID, file string) (contract.Account, error)

func (h Profile) save(c *echo.Context, place placed) error {
	form, err := httpapi.Bind[contract.SaveDocumentRequest](c)
	if err != nil {
		return err
	}
	if form.Document == "" {
		return fault.Field("document", "Please upload the document first.")
	}
	return h.put(c, "The document is saved.", form.Email, form.Document, place)
}

func (h Profile) put(c *echo.Context, message, email, file string, place placed) error {
	if err := httpapi.SelfEmail(c, email); err != nil {
		return err
	}
	account, err := place(c.Request().Context(), httpapi.Caller(c).UserID, file)
	if err != nil {
		return err
	}
	return httpapi.OKMessage(c, message, account)
}

// UploadFile is POST file/profile.
func (h Profile) UploadFile(c *echo.Context) error {
	kind, data, err := httpapi.Upload(c)
	if err != nil {
		return err
	}
	if !contract.UploadRequestKind(kind).Valid() {
		return fault.Field("kind", "kind is profile or document.")
	}
	file, err := h.Files.Put(c.Request().Context(), httpapi.Caller(c).UserID, kind, data)
	if err != nil {
		return err
	}
	return httpapi.OK(c, contract.StoredFile{
		Id: file.ID, Url: "/api/v1/files/" + file.ID, Kind: contract.StoredFileKind(file.Kind), ContentType: file.ContentType, Bytes: file.Bytes,
	})
}

// GetFile is GET v1/files/{id}.
func (h Profile) GetFile(c *echo.Context, id contract.Id) error {
	file, data, err := h.Files.Get(c.Request().Context(), httpapi.Caller(c).UserID, id)
	if err != nil {
		return err
	}
	return httpapi.Attachment(c, file.ContentType, data)
}

// BvnLookUp is POST Payment/bvn-look-up.
func (h Profile) BvnLookUp(c *echo.Context) error {
	form, err := httpapi.Bind[contract.BvnLookUpRequest](c)
	if err != nil {
		return err
	}
	state, err := h.Service.VerifyBvn(c.Request().Context(), httpapi.Caller(c).UserID, form)
	if err != nil {
		return err
	}
	message := profile.BvnPending
	if state.Status == contract.BvnStateStatusVERIFIED {
		message = profile.BvnVerified
	}
	return httpapi.OKMessage(c, message, state)
}

// GetBanks is GET Payment/getbanks.
func (h Profile) GetBanks(c *echo.Context) error { return h.banks(c, false) }

// GetVfdBanks is GET Payment/vfd-banks.
func (h Profile) GetVfdBanks(c *echo.Context) error { return h.banks(c, true) }

func (h Profile) banks(c *echo.Context, byNIP bool) error {
	list := []contract.Bank{}
	for _, bank := range h.Service.Banks.All() {
		view := contract.Bank{Code: bank.Code, Name: bank.Name, NipCode: bank.NIP}
		if byNIP {
			view.Code = bank.NIP
		}
		list = append(list, view)
	}
	return httpapi.OK(c, list)
}

// NameEnquiry is POST v1/payment/name-enquiry.
func (h Profile) NameEnquiry(c *echo.Context) error {
	form, err := httpapi.Bind[contract.NameEnquiryRequest](c)
	if err != nil {
		return err
	}
	name, err := h.Service.Enquiry(c.Request().Context(), form.AccountNumber, form.BankCode)
	return httpapi.Answer(c, name, err)
}

// AskGuardian is POST v1/account/guardian.
func (h Profile) AskGuardian(c *echo.Context) error {
	form, err := httpapi.Bind[contract.GuardianRequest](c)
	if err != nil {
		return err
	}
	guardian, err := h.Service.AskGuardian(c.Request().Context(), httpapi.Caller(c).UserID, form)
	if err != nil {
		return err
	}
	return httpapi.OKMessage(c, "We have written to them. They answer by the link in the mail.", guardian)
}

// Consent is POST v1/account/guardian/consent.
func (h Profile) Consent(c *echo.Context) error {
	form, err := httpapi.Bind[contract.ConsentRequest](c)
	if err != nil {
		return err
	}
	consent, err := h.Service.Consent(c.Request().Context(), form)
	if err != nil {
		return err
	}
	return httpapi.OKMessage(c, "Your answer is recorded. Thank you.", consent)
}

// UndoChange is POST v1/account/undo.
func (h Profile) UndoChange(c *echo.Context) error {
	form, err := httpapi.Bind[contract.TokenRequest](c)
	if err != nil {
		return err
	}
	if err := h.Service.Undo(c.Request().Context(), form.Token); err != nil {
		return err
	}
	return httpapi.OKMessage[any](c, "It is undone, and everybody is logged out. Choose a new password by the link that we have just mailed you.", nil)
}

// ExportAccount is GET v1/account/export.
func (h Profile) ExportAccount(c *echo.Context) error {
	if err := httpapi.SteppedUp(c); err != nil {
		return err
	}
	export, err := h.Service.Export(c.Request().Context(), httpapi.Caller(c).UserID)
	if err != nil {
		return err
	}
	c.Response().Header().Set("Content-Disposition", `attachment; filename="adashi.json"`)
	return c.JSON(http.StatusOK, export)
}

// CloseAccount is POST v1/account/close.
func (h Profile) CloseAccount(c *echo.Context) error {
	form, err := httpapi.Bind[contract.CloseAccountRequest](c)
	if err != nil {
		return err
	}
	if people.NormaliseEmail(form.Email) != httpapi.Caller(c).Email {
		return fault.Field("email", "Please type the email of your account, to be sure.")
	}
	if err := httpapi.SteppedUp(c); err != nil {
		return err
	}
	if err := h.Leaving.Close(c.Request().Context(), httpapi.Caller(c).UserID); err != nil {
		return err
	}
	return httpapi.OKMessage[any](c, "Your account is closed. Thank you for saving with us.", nil)
}
