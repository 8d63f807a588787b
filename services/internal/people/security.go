package people

import (
	"context"

	"adashi.ng/ledger/base/lagos"
)

// What OnSecurity hears of.
const (
	PasswordChanged      = "password_changed"
	PasswordReset        = "password_reset"
	TOTPEnabled          = "totp_enabled"
	TOTPRemoved          = "totp_removed"
	EmailChanged         = "email_changed"
	NewDevice            = "new_device"
	RecoveryCodesRenewed = "recovery_codes_renewed"
	PasswordTried        = "password_tried" // Many wrong ones, by strangers.
)

// secured tells the hook of something that is done already: it is told even when the caller has gone.
func (s *Service) secured(ctx context.Context, userID, kind string) {
	if s.onSecurity != nil {
		s.onSecurity(context.WithoutCancel(ctx), userID, kind)
	}
}

// when is now as people in Nigeria read it.
func (s *Service) when() string {
	return lagos.Clock(s.now()) + " (Lagos)"
}
