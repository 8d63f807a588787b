// Package account is the API's door to sign-up, sessions and the caller's own profile.
package account

import (
	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"
	"adashi.ng/services/internal/httpapi"
	"adashi.ng/services/internal/people"
)

// Account is the account part of the API, to be embedded with the others.
type Account struct{ People *people.Service }

// Register is POST /api/Account/Register. A taken e-mail reads like any other.
func (h Account) Register(c *echo.Context) error {
	form, err := httpapi.Bind[contract.RegisterRequest](c)
	if err != nil {
		return err
	}
	if err := h.People.Register(c.Request().Context(), people.Registration{
		Email: form.Email, Password: form.Password, FirstName: form.FirstName, LastName: form.LastName,
		Phone: form.Phone, DateOfBirth: form.DateOfBirth,
	}); err != nil {
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
	if err := h.People.VerifyEmail(c.Request().Context(), form.Token); err != nil {
		return err
	}
	return httpapi.OK[any](c, nil)
}

// GetToken is POST /api/Account/GetToken: log in.
func (h Account) GetToken(c *echo.Context) error {
	form, err := httpapi.Bind[contract.GetTokenRequest](c)
	if err != nil {
		return err
	}
	login, err := h.People.Login(c.Request().Context(), form.Email, form.Password)
	if err != nil {
		return err
	}
	p := login.Profile
	return httpapi.OK(c, contract.Login{
		Token: login.Token, Id: p.UserID, FirstName: p.FirstName, LastName: p.LastName, Email: p.Email, Phone: p.Phone, Roles: p.Roles,
	})
}

// Logout is POST /api/v1/account/logout.
func (h Account) Logout(c *echo.Context) error {
	if err := h.People.Logout(c.Request().Context(), httpapi.Caller(c).SessionID); err != nil {
		return err
	}
	return httpapi.OK[any](c, nil)
}
