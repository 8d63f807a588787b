package people

import (
	"context"
	"encoding/hex"
	"time"

	"adashi.ng/ledger/base/fault"
)

// stepUpValid is how long a session may do what asks for a step-up.
const stepUpValid = 5 * time.Minute

// StepUp shows again who is there, by the password or by a code of the second factor: exactly one of them, the other
// empty. What is wrong is fault.Credentials with its field, and makes the next tries in this session wait; what is tried
// elsewhere does not count here.
func (s *Service) StepUp(ctx context.Context, caller Caller, password, code string) error {
	if (password == "") == (code == "") {
		return fault.Field("password", "Please enter your password, or a code from your authenticator app.")
	}
	if code != "" {
		if err := s.checkCode(ctx, caller.UserID, code, codeIn(caller)); err != nil {
			return err
		}
	} else {
		right, err := s.knowsPassword(ctx, caller, password)
		if err != nil {
			return err
		}
		if !right {
			return &fault.Fault{Code: fault.Credentials, Field: "password", Message: "That password is not right."}
		}
	}
	if _, err := s.pool.Exec(ctx, `UPDATE sessions SET stepped_up_until = $2 WHERE id = $1`, caller.SessionID, s.now().Add(stepUpValid)); err != nil {
		return outage("step up", err)
	}
	s.bus.tell([]ended{{SessionID: caller.SessionID, TokenHash: hex.EncodeToString(caller.tokenHash[:]), Changed: true}})
	return nil
}
