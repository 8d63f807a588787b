// Package account handles the calls about sign-up, passwords, sessions and second factors.
package account

import (
	"github.com/labstack/echo/v5"

	"adashi.ng/ledger/base/fault"
	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/services/internal/httpapi"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/people/invited"
	"adashi.ng/services/internal/useragent"
)

// Account is the account part of the API, to be embedded with the others.
type Account struct {
	People  *people.Service
	Invited invited.Store
}

// Register is POST /api/Account/Register. A taken e-mail gets the same reply as any other.
func (h Account) Register(c *echo.Context) error {
	form, err := httpapi.Bind[contract.RegisterRequest](c)
	if err != nil {
		return err
	}
	place, err := invited.Read(text(form.SavingsId), text(form.AjoId), text(form.InvitationCode))
	if err != nil {
		return err
	}
	if err := h.People.Register(c.Request().Context(), people.Registration{
		Email: form.Email, Password: form.Password, FirstName: form.FirstName, LastName: form.LastName,
		Phone: form.Phone, DateOfBirth: form.DateOfBirth, Invited: place,
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
	verified, err := h.People.VerifyEmail(c.Request().Context(), form.Token, form.Password, httpapi.Origin(c))
	if err != nil {
		return err
	}
	httpapi.KeepDevice(c, verified.Device)
	reply := contract.VerifiedEmail{Email: verified.Email}
	if p := verified.Invited; p != nil {
		reply.InvitationCode = &p.Code
		switch p.Kind {
		case invited.Savings:
			reply.SavingsId = &p.ID
		case invited.Ajo:
			reply.AjoId = &p.ID
		}
	}
	return httpapi.OKMessage(c, "Your email is verified.", reply)
}

// KeepInvitation is POST /api/v1/account/invitations.
func (h Account) KeepInvitation(c *echo.Context) error {
	place, err := placeOf(c)
	if err != nil {
		return err
	}
	return done(c, "We keep this invitation for you.", h.Invited.Keep(c.Request().Context(), httpapi.Caller(c).UserID, place))
}

// ForgetInvitation is POST /api/v1/account/invitations/forget.
func (h Account) ForgetInvitation(c *echo.Context) error {
	place, err := placeOf(c)
	if err != nil {
		return err
	}
	return done(c, "You put this invitation aside. Its link still works.",
		h.Invited.Forget(c.Request().Context(), httpapi.Caller(c).UserID, place.Kind, place.ID))
}

func placeOf(c *echo.Context) (invited.Place, error) {
	form, err := httpapi.Bind[contract.InvitationPlace](c)
	if err != nil {
		return invited.Place{}, err
	}
	place, err := invited.Read(text(form.SavingsId), text(form.AjoId), text(form.InvitationCode))
	if err == nil && place == nil {
		err = fault.Field("savingsId", "Say which invitation: of a group or of an ajo.")
	}
	if err != nil {
		return invited.Place{}, err
	}
	return *place, nil
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
