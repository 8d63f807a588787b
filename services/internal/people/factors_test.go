package people_test

import (
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/people"
)

// codeOf is what an authenticator app shows at a time.
func codeOf(t *testing.T, e people.Enrolment, at time.Time) string {
	t.Helper()
	secret, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(e.Secret)
	require.NoError(t, err)
	mac := hmac.New(sha1.New, secret)
	mac.Write(binary.BigEndian.AppendUint64(nil, uint64(at.Unix()/30)))
	sum := mac.Sum(nil)
	return fmt.Sprintf("%06d", binary.BigEndian.Uint32(sum[sum[19]&15:])&0x7fffffff%1_000_000)
}

// enrolled has TOTP on, and answers the app's secret and the recovery codes. The code of this step is used.
func (b *bundle) enrolled(t *testing.T, caller people.Caller) (people.Enrolment, []string) {
	t.Helper()
	e, err := b.BeginTOTP(b.ctx, caller)
	require.NoError(t, err)
	codes, err := b.ConfirmTOTP(b.ctx, caller, codeOf(t, e, b.clock.now()))
	require.NoError(t, err)
	return e, codes
}

func (b *bundle) enterWith(code string) (people.Login, error) {
	return b.Login(b.ctx, people.Attempt{Email: email, Password: "correct horse", Code: code, Device: "Chrome on Android"})
}

func TestASecondFactorIsAskedForAndUsedUp(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	caller := b.caller(t, b.login(t))
	begun, err := b.BeginTOTP(b.ctx, caller)
	require.NoError(t, err)
	require.Contains(t, begun.URI, "otpauth://totp/Adashi:ada@example.com?")
	_, err = b.enterWith("")
	require.NoError(t, err, "it does not count before it is confirmed")
	_, err = b.ConfirmTOTP(b.ctx, caller, "000000")
	requireField(t, err, fault.Credentials, "code")
	e, recovery := b.enrolled(t, caller)
	require.Len(t, recovery, 10)
	state, err := b.TOTP(b.ctx, caller)
	require.NoError(t, err)
	require.True(t, state.Enabled)
	_, err = b.BeginTOTP(b.ctx, caller)
	requireFault(t, err, fault.Conflict, "already")

	_, err = b.enterWith("")
	requireField(t, err, fault.Credentials, "code")
	_, err = b.enter(email, "guess")
	requireField(t, err, fault.Credentials, "")
	used := codeOf(t, e, b.clock.now())
	_, err = b.enterWith(used)
	requireField(t, err, fault.Credentials, "code") // The code that confirmed does not work twice.
	b.clock.pass(30 * time.Second)
	next := codeOf(t, e, b.clock.now())
	_, err = b.enterWith(next[:3] + " " + next[3:])
	require.NoError(t, err)
	_, err = b.enterWith(next)
	requireField(t, err, fault.Credentials, "code")

	_, err = b.enterWith(strings.ToLower(recovery[3]))
	require.NoError(t, err)
	_, err = b.enterWith(recovery[3])
	requireField(t, err, fault.Credentials, "code")
	state, err = b.TOTP(b.ctx, caller)
	require.NoError(t, err)
	require.Equal(t, 9, state.RecoveryCodesLeft)
	renewed, err := b.RenewRecoveryCodes(b.ctx, caller)
	require.NoError(t, err)
	_, err = b.enterWith(recovery[4])
	requireField(t, err, fault.Credentials, "code")
	_, err = b.enterWith(renewed[4])
	require.NoError(t, err)

	require.NoError(t, b.RemoveTOTP(b.ctx, caller))
	require.NoError(t, b.RemoveTOTP(b.ctx, caller))
	_, err = b.enterWith("")
	require.NoError(t, err)
	require.Equal(t, []string{people.TOTPEnabled, people.RecoveryCodesRenewed, people.TOTPRemoved}, b.changes())
}

func TestCodesAreNotGuessedAndNotAtRest(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	e, recovery := b.enrolled(t, b.caller(t, b.login(t)))
	b.clock.pass(time.Minute)
	for range 6 {
		_, err := b.enterWith("ABCDEFGH")
		requireField(t, err, fault.Credentials, "code")
	}
	_, err := b.enterWith(codeOf(t, e, b.clock.now()))
	requireFault(t, err, fault.TooMany, "Please wait")
	b.clock.pass(2 * time.Second)
	_, err = b.enterWith(codeOf(t, e, b.clock.now()))
	require.NoError(t, err)
	secret, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(e.Secret)
	require.NoError(t, err)
	var dump string
	require.NoError(t, b.pool.QueryRow(b.ctx, `SELECT (SELECT string_agg(t::text, '') FROM totp t) || (SELECT string_agg(r::text, '') FROM recovery_codes r)`).Scan(&dump))
	require.NotContains(t, dump, fmt.Sprintf("%x", secret))
	require.NotContains(t, dump, recovery[0])
}

func TestOneCodeOpensOneOfManyDoors(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	e, _ := b.enrolled(t, b.caller(t, b.login(t)))
	b.clock.pass(30 * time.Second)
	code := codeOf(t, e, b.clock.now())
	var in atomic.Int32
	var wait sync.WaitGroup
	for range 5 {
		wait.Go(func() {
			if _, err := b.enterWith(code); err == nil {
				in.Add(1)
			}
		})
	}
	wait.Wait()
	require.EqualValues(t, 1, in.Load())
}

func TestStepUpLastsFiveMinutesForThisSession(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	here, there := b.login(t), b.login(t)
	caller := b.caller(t, here)
	require.True(t, caller.SteppedUpUntil.IsZero())
	requireField(t, b.StepUp(b.ctx, caller, "", ""), fault.Invalid, "password")
	requireField(t, b.StepUp(b.ctx, caller, "x", "y"), fault.Invalid, "password")
	requireField(t, b.StepUp(b.ctx, caller, "guess", ""), fault.Credentials, "password")
	requireField(t, b.StepUp(b.ctx, caller, "", "123456"), fault.Credentials, "code")
	require.True(t, b.caller(t, here).SteppedUpUntil.IsZero())
	require.NoError(t, b.StepUp(b.ctx, caller, "correct horse", ""))
	require.True(t, b.clock.now().Add(5*time.Minute).Equal(b.caller(t, here).SteppedUpUntil), "at once, though the session was kept in memory")
	require.True(t, b.caller(t, there).SteppedUpUntil.IsZero())
	e, _ := b.enrolled(t, caller)
	b.clock.pass(30 * time.Second)
	require.NoError(t, b.StepUp(b.ctx, caller, "", codeOf(t, e, b.clock.now())))
}

func TestAStepUpReachesTheOtherProcesses(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	bus := natsServer(t)
	here, there := b.process(t, connect(t, bus)), b.process(t, connect(t, bus))
	login := b.login(t)
	_, err := there.Authenticate(b.ctx, login.Token, login.Secret)
	require.NoError(t, err)
	caller, err := here.Authenticate(b.ctx, login.Token, login.Secret)
	require.NoError(t, err)
	require.NoError(t, here.StepUp(b.ctx, caller, "correct horse", ""))
	require.Eventually(t, func() bool {
		caller, err := there.Authenticate(b.ctx, login.Token, login.Secret)
		return err == nil && !caller.SteppedUpUntil.IsZero()
	}, time.Minute, time.Millisecond)
}
