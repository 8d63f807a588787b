package people_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/people"
)

func TestALinkWorksUntilASecondBeforeItsTimeAndEndsASecondAfter(t *testing.T) {
	t.Parallel()
	for late, works := range map[time.Duration]bool{-time.Second: true, time.Second: false} {
		b := setup(t)
		b.verified(t)
		require.NoError(t, b.SendPasswordResetLink(b.ctx, email))
		token := b.linkTo(t, email, "/forgot_password")
		b.clock.pass(20*time.Minute + late)
		err := b.ResetPassword(b.ctx, token, "a better password")
		if works {
			require.NoError(t, err)
			continue
		}
		requireFault(t, err, fault.Credentials, "expired")
	}
}

func TestASessionEndsByTheClockAlsoWhileItIsKeptInMemory(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	began := b.clock.now()
	token := b.login(t)
	b.caller(t, token)
	b.clock.pass(24*time.Hour - time.Second)
	b.caller(t, token)
	b.clock.pass(30 * 24 * time.Hour) // Days at once, while it was read a moment ago.
	b.over(t, token)

	b.clock.pass(began.Sub(b.clock.now())) // Back to when it was good.
	b.caller(t, token)
	// It goes back further, and what was read in the future counts for nothing: another process has ended it.
	_, err := b.pool.Exec(b.ctx, `DELETE FROM sessions`)
	require.NoError(t, err)
	b.clock.pass(-time.Hour)
	b.over(t, token)
}

func TestAnEndedSessionStaysEndedHoweverTheClockMoves(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	token := b.login(t)
	caller := b.caller(t, token)
	require.NoError(t, b.Logout(b.ctx, caller.SessionID))
	for _, jump := range []time.Duration{10 * 24 * time.Hour, -20 * 24 * time.Hour, 10 * 24 * time.Hour} {
		b.clock.pass(jump)
		b.over(t, token)
	}
}

func TestADeviceIsForgottenByTheClock(t *testing.T) {
	t.Parallel()
	for late, knows := range map[time.Duration]bool{-time.Second: true, time.Second: false} {
		b := setup(t)
		b.verified(t)
		secret := b.login(t).DeviceSecret
		b.clock.pass(people.DeviceMax - time.Millisecond + late) // The login was a millisecond ago.
		known, err := b.Knows(b.ctx, secret)
		require.NoError(t, err)
		require.Equal(t, knows, known, "without anybody tidying up meanwhile")
	}
}

func TestWhenSomebodyWasHereIsByTheClock(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id, err := b.CreateVerified(b.ctx, ada())
	require.NoError(t, err)
	seen, err := b.SeenAt(b.ctx, id)
	require.NoError(t, err)
	require.WithinDuration(t, b.clock.now(), seen, 0)
	b.clock.pass(40 * 24 * time.Hour)
	in := b.clock.now()
	b.login(t)
	seen, err = b.SeenAt(b.ctx, id)
	require.NoError(t, err)
	require.WithinDuration(t, in, seen, 0)
}

func TestAnAuthenticatorGoesByItsOwnClock(t *testing.T) {
	t.Parallel()
	b := setup(t)
	past := func() time.Time { return b.clock.now().AddDate(0, -3, 0) }
	service, err := people.New(people.Options{Pool: b.pool, PublicURL: "http://adashi.test/", Key: key, Clock: past, DeviceClock: b.clock.now})
	require.NoError(t, err)
	t.Cleanup(service.Close)
	b.Service = service
	b.verified(t)
	caller := b.caller(t, b.login(t))
	e, err := b.BeginTOTP(b.ctx, caller)
	require.NoError(t, err)
	_, err = b.ConfirmTOTP(b.ctx, caller, codeOf(t, e, past()))
	requireFault(t, err, fault.Credentials, "not right")
	_, err = b.ConfirmTOTP(b.ctx, caller, codeOf(t, e, b.clock.now()))
	require.NoError(t, err)
	totp, err := b.TOTP(b.ctx, caller)
	require.NoError(t, err)
	require.WithinDuration(t, past(), totp.Since, 0)
}
