// Package account handles the calls about sign-up, passwords, sessions and second factors.
package account

import (
	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/services/internal/httpapi"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/useragent"
)

// Account is the account part of the API, to be embedded with the others.
type Account struct{ People *people.Service }

// Register is POST /api/Account/Register. A taken e-mail gets the same reply as any other.
func (h Account) Register(c *echo.Context) error {
	form, err := httpapi.Bind[contract.RegisterRequest](c)
	if err != nil {
		return err
	}
	if err := h.People.Register(c.Request().Context(), people.Registration{
		Email: form.Email, Password: form.Password, FirstName: form.FirstName, LastName: form.LastName,
		Phone: form.Phone, DateOfBirth: form.DateOfBirth,
	}, httpapi.Origin(c)); err != nil {
		return err
	}
	return httpapi.OKMessage[any](c, httpapi.Done+" Kindly click on the email verification link sent to your email.", nil)
}

// VerifyEmail is POST /api/v1/account/verify-email.
func (h Account) VerifyEmail(c *echo.Context) error {
	form, err := httpapi.Bind[contract.VerifyEmailRequest](c)
	if err != nil {
		return err
	}
	email, device, err := h.People.VerifyEmail(c.Request().Context(), form.Token, form.Password, httpapi.Origin(c))
	if err != nil {
		return err
	}
	httpapi.KeepDevice(c, device)
	return httpapi.OKMessage(c, "Your email is verified.", contract.VerifiedEmail{Email: email})
}

// ResendVerification is POST /api/v1/account/resend-verification.
func (h Account) ResendVerification(c *echo.Context) error {
	form, err := httpapi.Bind[contract.EmailRequest](c)
	if err != nil {
		return err
	}
	if err := h.People.ResendVerification(c.Request().Context(), form.Email, httpapi.Origin(c)); err != nil {
		return err
	}
	return httpapi.OKMessage[any](c, "If this email waits to be confirmed, a new link is on its way.", nil)
}

// GetToken is POST /api/Account/GetToken: log in. The second secret goes into a cookie that scripts cannot read, or,
// for a client that is not a browser and asks for it, into the reply.
func (h Account) GetToken(c *echo.Context) error {
	form, err := httpapi.Bind[contract.GetTokenRequest](c)
	if err != nil {
		return err
	}
	login, err := h.People.Login(c.Request().Context(), people.Attempt{
		Email: form.Email, Password: form.Password, Code: text(form.Code), Device: useragent.Device(c.Request().UserAgent()),
		From: httpapi.Origin(c),
	})
	if err != nil {
		return err
	}
	p := login.Profile
	reply := contract.Login{
		Token: login.Token, Id: p.UserID, FirstName: p.FirstName, LastName: p.LastName, Email: p.Email, Phone: p.Phone, Roles: p.Roles,
	}
	httpapi.KeepDevice(c, login.DeviceSecret)
	if httpapi.Headers(c) {
		reply.SessionSecret = &login.Secret
	} else {
		setSecret(c, login.Secret, int(people.SessionMax.Seconds()))
	}
	return httpapi.OKMessage(c, "You are logged in.", reply)
}

// setSecret stores the second secret in the browser for so many seconds; a negative number removes it.
func setSecret(c *echo.Context, secret string, seconds int) {
	httpapi.KeepCookie(c, httpapi.SecretCookie, secret, seconds)
}

// Logout is POST /api/v1/account/logout.
func (h Account) Logout(c *echo.Context) error {
	if err := h.People.Logout(c.Request().Context(), httpapi.Caller(c).SessionID); err != nil {
		return err
	}
	setSecret(c, "", -1)
	return httpapi.OKMessage[any](c, "You are logged out.", nil)
}

// done answers with the message of a success, or with the error.
func done(c *echo.Context, message string, err error) error {
	if err != nil {
		return err
	}
	return httpapi.OKMessage[any](c, message, nil)
}

// text returns the given text, or "".
func text(given *string) string {
	if given == nil {
		return ""
	}
	return *given
}
