package totp

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestCodesAreThoseOfRFC6238 has the RFC's appendix B, cut to six digits.
func TestCodesAreThoseOfRFC6238(t *testing.T) {
	t.Parallel()
	secret := []byte("12345678901234567890")
	for at, code := range map[int64]string{
		59: "287082", 1111111109: "081804", 1111111111: "050471", 1234567890: "005924", 2000000000: "279037", 20000000000: "353130",
	} {
		now := time.Unix(at, 0)
		require.Equal(t, code, codeAt(secret, stepOf(now)))
		require.Equal(t, stepOf(now), StepWith(secret, code, now, 0))
		require.Equal(t, stepOf(now), StepWith(secret, code, now.Add(stepTime), 0), "a clock that is a step ahead")
		require.Equal(t, stepOf(now), StepWith(secret, code, now.Add(-stepTime), 0), "a clock that is a step behind")
		require.Zero(t, StepWith(secret, code, now.Add(2*stepTime), 0))
		require.Zero(t, StepWith(secret, code, now.Add(3*stepTime), 0))
		if at > 1000 { // Nobody lives before 1970.
			require.Zero(t, StepWith(secret, code, now.Add(-2*stepTime), 0))
		}
		require.Zero(t, StepWith(secret, code, now, stepOf(now)), "a step that was used")
	}
}
