package account

import (
	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/services/internal/httpapi"
)

// ChangePassword is POST /api/Account/ChangePassword: it ends every session, this one too.
func (h Account) ChangePassword(c *echo.Context) error {
	form, err := httpapi.Bind[contract.ChangePasswordRequest](c)
	if err != nil {
		return err
	}
	if err := httpapi.SelfEmail(c, form.Email); err != nil {
		return err
	}
	if err := httpapi.SelfUser(c, form.UserId); err != nil {
		return err
	}
	if err := h.People.ChangePassword(c.Request().Context(), httpapi.Caller(c), form.CurrentPassword, form.NewPassword); err != nil {
		return err
	}
	setSecret(c, "", -1)
	return httpapi.OKMessage[any](c, "Your password is changed. Please log in with the new one.", nil)
}

// SendPasswordResetLink is POST /api/Account/SendPasswordResetLink.
func (h Account) SendPasswordResetLink(c *echo.Context) error {
	form, err := httpapi.Bind[contract.EmailRequest](c)
	if err != nil {
		return err
	}
	if err := h.People.SendPasswordResetLink(c.Request().Context(), form.Email, httpapi.Origin(c)); err != nil {
		return err
	}
	return httpapi.OKMessage[any](c, "If there is an account with this email, a link to choose a new password is on its way, or came within the last ten minutes and still works.", nil)
}

// ResetPassword is POST /api/Account/ResetPassword.
func (h Account) ResetPassword(c *echo.Context) error {
	form, err := httpapi.Bind[contract.ResetPasswordRequest](c)
	if err != nil {
		return err
	}
	device, err := h.People.ResetPassword(c.Request().Context(), form.Token, form.NewPassword, httpapi.Origin(c))
	if err != nil {
		return err
	}
	httpapi.KeepDevice(c, device)
	return httpapi.OKMessage[any](c, "Your password is changed. Please log in with the new one.", nil)
}

// ChangeEmail is POST /api/v1/account/email.
func (h Account) ChangeEmail(c *echo.Context) error {
	form, err := httpapi.Bind[contract.ChangeEmailRequest](c)
	if err != nil {
		return err
	}
	if err := httpapi.SteppedUp(c); err != nil {
		return err
	}
	if err := h.People.ChangeEmail(c.Request().Context(), httpapi.Caller(c), form.Email); err != nil {
		return err
	}
	return httpapi.OKMessage[any](c, "Kindly open the link that we sent to the new email.", nil)
}

// ConfirmEmail is POST /api/v1/account/confirm-email.
func (h Account) ConfirmEmail(c *echo.Context) error {
	form, err := httpapi.Bind[contract.TokenRequest](c)
	if err != nil {
		return err
	}
	if err := h.People.ConfirmEmail(c.Request().Context(), form.Token); err != nil {
		return err
	}
	return httpapi.OKMessage[any](c, "Your email is changed. Please log in with the new one.", nil)
}
