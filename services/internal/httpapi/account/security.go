package account

import (
	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/services/internal/httpapi"
)

// GetSessions is GET /api/v1/account/sessions, the caller's own first.
func (h Account) GetSessions(c *echo.Context) error {
	sessions, err := h.People.Sessions(c.Request().Context(), httpapi.Caller(c))
	if err != nil {
		return err
	}
	reply := make([]contract.Session, len(sessions))
	for n, s := range sessions {
		reply[n] = contract.Session{Id: s.ID, Current: s.Current, CreatedAt: s.Created.UTC(), LastSeenAt: s.LastSeen.UTC(), Device: s.Device}
	}
	return httpapi.OK(c, reply)
}

// EndSession is DELETE /api/v1/account/sessions/{id}.
func (h Account) EndSession(c *echo.Context, id contract.Id) error {
	return done(c, "That device is logged out.", h.People.EndSession(c.Request().Context(), httpapi.Caller(c), id))
}

// EndOtherSessions is DELETE /api/v1/account/sessions.
func (h Account) EndOtherSessions(c *echo.Context) error {
	return done(c, "Every other device is logged out.", h.People.EndOtherSessions(c.Request().Context(), httpapi.Caller(c)))
}

// StepUp is POST /api/v1/account/step-up.
func (h Account) StepUp(c *echo.Context) error {
	form, err := httpapi.Bind[contract.StepUpRequest](c)
	if err != nil {
		return err
	}
	return done(c, "Thank you, it is you.", h.People.StepUp(c.Request().Context(), httpapi.Caller(c), text(form.Password), text(form.Code)))
}

// GetTotp is GET /api/v1/account/totp.
func (h Account) GetTotp(c *echo.Context) error {
	t, err := h.People.TOTP(c.Request().Context(), httpapi.Caller(c))
	if err != nil {
		return err
	}
	reply := contract.TotpState{Enabled: t.Enabled, RecoveryCodesLeft: t.RecoveryCodesLeft}
	if t.Enabled {
		since := t.Since.UTC()
		reply.Since = &since
	}
	return httpapi.OK(c, reply)
}

// BeginTotp is POST /api/v1/account/totp.
func (h Account) BeginTotp(c *echo.Context) error {
	if err := httpapi.SteppedUp(c); err != nil {
		return err
	}
	e, err := h.People.BeginTOTP(c.Request().Context(), httpapi.Caller(c))
	if err != nil {
		return err
	}
	return httpapi.OK(c, contract.TotpEnrolment{Secret: e.Secret, Uri: e.URI})
}

// ConfirmTotp is POST /api/v1/account/totp/confirm.
func (h Account) ConfirmTotp(c *echo.Context) error {
	form, err := httpapi.Bind[contract.CodeRequest](c)
	if err != nil {
		return err
	}
	codes, err := h.People.ConfirmTOTP(c.Request().Context(), httpapi.Caller(c), form.Code)
	if err != nil {
		return err
	}
	return httpapi.OKMessage(c, "Two-step login is on.", contract.RecoveryCodes{Codes: codes})
}

// RemoveTotp is DELETE /api/v1/account/totp.
func (h Account) RemoveTotp(c *echo.Context) error {
	if err := h.knowsFactor(c); err != nil {
		return err
	}
	return done(c, "Two-step login is off.", h.People.RemoveTOTP(c.Request().Context(), httpapi.Caller(c)))
}

// knowsFactor refuses a caller who has a second factor and has not entered a code of it.
func (h Account) knowsFactor(c *echo.Context) error {
	if err := httpapi.SteppedUp(c); err != nil {
		return err
	}
	totp, err := h.People.TOTP(c.Request().Context(), httpapi.Caller(c))
	if err != nil || !totp.Enabled {
		return err
	}
	return httpapi.SteppedUpByCode(c)
}

// RenewRecoveryCodes is POST /api/v1/account/totp/recovery-codes.
func (h Account) RenewRecoveryCodes(c *echo.Context) error {
	if err := h.knowsFactor(c); err != nil {
		return err
	}
	codes, err := h.People.RenewRecoveryCodes(c.Request().Context(), httpapi.Caller(c))
	if err != nil {
		return err
	}
	return httpapi.OKMessage(c, "Your recovery codes are new. The old ones work no more.", contract.RecoveryCodes{Codes: codes})
}
