package people_test

import (
	"crypto/hmac"
	"crypto/sha1" //nolint:gosec // As authenticator apps have it.
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/fault"
	"adashi.ng/services/internal/people"
)

const email = "ada@example.com"

var tokenInLink = regexp.MustCompile(`http://adashi\.test(/[a-zA-Z_-]+)\?token=([A-Za-z0-9_-]{43})`)

// linkTo is the token of the newest link to a path in an address's mail.
func (b *bundle) linkTo(t *testing.T, to, path string) string {
	t.Helper()
	for _, letter := range slices.Backward(b.mails(t, to)) {
		if match := tokenInLink.FindStringSubmatch(letter[1]); match != nil && match[1] == path {
			return match[2]
		}
	}
	require.Fail(t, "no such link", path)
	return ""
}

func (b *bundle) lastSubject(t *testing.T, to string) string {
	t.Helper()
	letters := b.mails(t, to)
	require.NotEmpty(t, letters)
	return letters[len(letters)-1][0]
}

func requireField(t *testing.T, err error, code fault.Code, field string) {
	t.Helper()
	refusal := fault.As(err)
	require.NotNil(t, refusal, "%v", err)
	require.Equal(t, code, refusal.Code, refusal.Message)
	require.Equal(t, field, refusal.Field, refusal.Message)
}

func TestATokenWithoutItsSecretGetsNowhereAndHarmsNobody(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	mine, other := b.login(t), b.login(t)
	for range 2 { // Once read from Postgres, once from memory.
		for _, secret := range []string{"", "x", other.Secret, mine.Token, strings.Repeat("a", 43)} {
			b.over(t, people.Login{Token: mine.Token, Secret: secret})
		}
		b.over(t, people.Login{Token: mine.Secret, Secret: mine.Token}, people.Login{Token: other.Token, Secret: mine.Secret})
		b.caller(t, mine)
	}
	// Nor does a thief keep it from running out.
	b.clock.pass(23 * time.Hour)
	b.over(t, people.Login{Token: other.Token, Secret: mine.Secret})
	b.clock.pass(2 * time.Hour)
	b.over(t, other)
}

func TestVerifyingNeedsThePasswordOfTheSignUp(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.Register(b.ctx, ada()))
	token := b.lastToken(t, email)
	for range 10 {
		requireField(t, b.VerifyEmail(b.ctx, token, "not the one"), fault.Credentials, "password")
	}
	requireField(t, b.VerifyEmail(b.ctx, token, "not the one"), fault.Credentials, "password") // From here on, each costs a wait.
	requireFault(t, b.VerifyEmail(b.ctx, token, "correct horse"), fault.TooMany, "too many tries")
	b.clock.pass(2 * time.Second)
	require.NoError(t, b.VerifyEmail(b.ctx, token, "correct horse"), "the link was not spent")
	b.login(t)
}

func TestResendingAVerificationVoidsTheOlderLinkAndTellsNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.Register(b.ctx, ada()))
	older := b.lastToken(t, email)
	require.NoError(t, b.ResendVerification(b.ctx, " ADA@example.com"))
	requireFault(t, b.VerifyEmail(b.ctx, older, "correct horse"), fault.Credentials, "expired")
	require.NoError(t, b.ResendVerification(b.ctx, "nobody@example.com"))
	require.Empty(t, b.mails(t, "nobody@example.com"))
	require.NoError(t, b.VerifyEmail(b.ctx, b.lastToken(t, email), "correct horse"))
	require.NoError(t, b.ResendVerification(b.ctx, email))
	require.Len(t, b.mails(t, email), 2)
}

func TestChangingThePasswordEndsEverySession(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	here, there := b.login(t), b.login(t)
	caller := b.caller(t, here)
	b.caller(t, there)
	var heard atomic.Int32
	b.OnSessionEnded(func(string) { heard.Add(1) })
	requireField(t, b.ChangePassword(b.ctx, caller, "wrong", "a better password"), fault.Credentials, "currentPassword")
	requireField(t, b.ChangePassword(b.ctx, caller, "correct horse", "short"), fault.Invalid, "newPassword")
	requireField(t, b.ChangePassword(b.ctx, caller, "correct horse", "correct horse"), fault.Invalid, "newPassword")
	b.caller(t, there)
	require.NoError(t, b.ChangePassword(b.ctx, caller, "correct horse", "a better password"))
	b.over(t, here, there)
	require.EqualValues(t, 2, heard.Load())
	require.Equal(t, "Your Adashi password was changed", b.lastSubject(t, email))
	require.Equal(t, []string{people.PasswordChanged}, b.kinds)
	_, err := b.enter(email, "correct horse")
	requireFault(t, err, fault.Credentials, "not right")
	_, err = b.enter(email, "a better password")
	require.NoError(t, err)
}

func TestALoginThatRacesANewPasswordDoesNotOutliveIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	caller := b.caller(t, b.login(t))
	var wait sync.WaitGroup
	won := make([]people.Login, 6)
	for n := range won {
		wait.Go(func() { won[n], _ = b.enter(email, "correct horse") })
	}
	require.NoError(t, b.ChangePassword(b.ctx, caller, "correct horse", "a better password"))
	wait.Wait()
	for _, login := range won {
		if login.Token != "" {
			b.over(t, login)
		}
	}
	var left int
	require.NoError(t, b.pool.QueryRow(b.ctx, `SELECT count(*) FROM sessions`).Scan(&left))
	require.Zero(t, left)
}

func TestAForgottenPassword(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	open := b.login(t)
	b.caller(t, open)
	require.NoError(t, b.SendPasswordResetLink(b.ctx, email))
	older := b.linkTo(t, email, "/forgot_password")
	require.NoError(t, b.SendPasswordResetLink(b.ctx, email))
	token := b.linkTo(t, email, "/forgot_password")
	requireFault(t, b.ResetPassword(b.ctx, older, "a better password"), fault.Credentials, "expired")
	requireField(t, b.ResetPassword(b.ctx, token, "password"), fault.Invalid, "newPassword")
	requireFault(t, b.VerifyEmail(b.ctx, token, "correct horse"), fault.Credentials, "expired")
	b.caller(t, open)
	for range 12 {
		_, err := b.enter(email, "guess")
		require.Error(t, err)
	}
	require.NoError(t, b.ResetPassword(b.ctx, token, "a better password"))
	b.over(t, open)
	requireFault(t, b.ResetPassword(b.ctx, token, "a third password"), fault.Credentials, "already been used")
	require.Equal(t, "Your Adashi password was changed", b.lastSubject(t, email))
	require.Equal(t, []string{people.PasswordReset}, b.kinds)
	_, err := b.enter(email, "a better password")
	require.NoError(t, err, "a reset ends the waiting")

	require.NoError(t, b.SendPasswordResetLink(b.ctx, email))
	b.clock.pass(20*time.Minute + time.Second)
	requireFault(t, b.ResetPassword(b.ctx, b.linkTo(t, email, "/forgot_password"), "a third password"), fault.Credentials, "expired")
	var dump string
	require.NoError(t, b.pool.QueryRow(b.ctx, `SELECT string_agg(l::text, '') FROM email_links l`).Scan(&dump))
	require.NotContains(t, dump, token)
}

func TestALinkSpentAtOnceWorksOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	require.NoError(t, b.SendPasswordResetLink(b.ctx, email))
	token := b.linkTo(t, email, "/forgot_password")
	var done atomic.Int32
	var wait sync.WaitGroup
	for n := range 6 {
		wait.Go(func() {
			if b.ResetPassword(b.ctx, token, fmt.Sprintf("a better password %d", n)) == nil {
				done.Add(1)
			}
		})
	}
	wait.Wait()
	require.EqualValues(t, 1, done.Load())
}

func TestUnknownEmailsTakeAsLong(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	const pad = 300 * time.Millisecond
	for name, ask := range map[string]func(email string) error{
		"reset":  func(email string) error { return b.SendPasswordResetLink(b.ctx, email) },
		"resend": func(email string) error { return b.ResendVerification(b.ctx, email) },
	} {
		for _, who := range []string{email, "nobody@example.com"} {
			began := time.Now()
			require.NoError(t, ask(who))
			took := time.Since(began)
			require.GreaterOrEqual(t, took+10*time.Millisecond, pad, "%s for %s did not wait", name, who)
			// It answers when a whole pad is over, not when the work is: a busy machine may add to it, never the account.
		}
	}
	require.Empty(t, b.mails(t, "nobody@example.com"))
	require.Len(t, b.mails(t, email), 1)
}

func TestWrongPasswordsWaitEverLongerAndNeverForGood(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	for _, who := range []string{email, "nobody@example.com"} { // Both alike.
		for range 10 {
			_, err := b.enter(who, "guess")
			requireFault(t, err, fault.Credentials, "The email or password is not right.")
		}
		for _, wait := range []time.Duration{2, 4, 8, 16, 32, 64, 128, 256, 300, 300} {
			_, err := b.enter(who, "guess")
			requireFault(t, err, fault.Credentials, "The email or password is not right.")
			_, err = b.enter(who, "correct horse")
			requireFault(t, err, fault.TooMany, "Please wait")
			require.Equal(t, wait*time.Second, fault.As(err).Wait)
			b.clock.pass(wait*time.Second - time.Millisecond)
			_, err = b.process(t, nil).Login(b.ctx, people.Attempt{Email: who, Password: "correct horse"})
			requireFault(t, err, fault.TooMany, "Please wait") // Another process knows too, after a restart as well.
			b.clock.pass(time.Millisecond)
		}
	}
	b.login(t)
	_, err := b.enter(email, "guess")
	requireFault(t, err, fault.Credentials, "not right") // Forgotten: no wait.
	b.login(t)
	var dump string
	require.NoError(t, b.pool.QueryRow(b.ctx, `SELECT coalesce(string_agg(t::text, ''), '') FROM tries t`).Scan(&dump))
	require.NotContains(t, dump, "nobody")
	b.clock.pass(25 * time.Hour)
	require.NoError(t, b.Tidy(b.ctx))
	var left int
	require.NoError(t, b.pool.QueryRow(b.ctx, `SELECT count(*) FROM tries`).Scan(&left))
	require.Zero(t, left)
}

func TestManyGuessesAtOnceAreNoMoreThanInTurn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	var judged atomic.Int32
	var wait sync.WaitGroup
	for range 40 {
		wait.Go(func() {
			if _, err := b.enter(email, "guess"); fault.Is(err, fault.Credentials) {
				judged.Add(1)
			}
		})
	}
	wait.Wait()
	require.EqualValues(t, 11, judged.Load())
}

func TestSessionsAreListedAndEnded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	first, second, third := b.login(t), b.login(t), b.login(t)
	caller := b.caller(t, second)
	sessions, err := b.Sessions(b.ctx, caller)
	require.NoError(t, err)
	require.Len(t, sessions, 3)
	require.True(t, sessions[0].Current)
	require.Equal(t, caller.SessionID, sessions[0].ID)
	require.Equal(t, "Chrome on Android", sessions[0].Device)
	require.False(t, sessions[1].Current || sessions[2].Current)

	eve := ada()
	eve.Email = "eve@example.com"
	_, err = b.CreateVerified(b.ctx, eve)
	require.NoError(t, err)
	login, err := b.enter(eve.Email, eve.Password)
	require.NoError(t, err)
	for _, id := range []string{caller.SessionID, "junk", "0199a000-0000-7000-8000-000000000001"} {
		requireFault(t, b.EndSession(b.ctx, b.caller(t, login), id), fault.NotFound, "no such session")
	}
	require.NoError(t, b.EndSession(b.ctx, caller, b.caller(t, first).SessionID))
	b.over(t, first)
	require.NoError(t, b.EndOtherSessions(b.ctx, caller))
	b.over(t, third)
	b.caller(t, second)
	b.caller(t, login)
}

func TestANewDeviceIsMailedAboutOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	b.login(t) // The first device ever is the one that signed up.
	require.Empty(t, b.mails(t, email))
	for range 2 {
		_, err := b.Login(b.ctx, people.Attempt{Email: email, Password: "correct horse", Device: "Firefox on Windows"})
		require.NoError(t, err)
		b.login(t)
	}
	letters := b.mails(t, email)
	require.Len(t, letters, 1)
	require.Equal(t, "A new device logged in to Adashi", letters[0][0])
	require.Contains(t, letters[0][1], "Firefox on Windows")
	require.Equal(t, []string{people.NewDevice}, b.kinds)
}

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
	require.Equal(t, []string{people.TOTPEnabled, people.RecoveryCodesRenewed, people.TOTPRemoved}, b.kinds)
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
	}, 10*time.Second, time.Millisecond)
}

func TestMovingToAnotherEmail(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	open := b.login(t)
	caller := b.caller(t, open)
	requireField(t, b.ChangeEmail(b.ctx, caller, "nonsense"), fault.Invalid, "email")
	requireField(t, b.ChangeEmail(b.ctx, caller, " ADA@example.com"), fault.Invalid, "email")
	require.NoError(t, b.ChangeEmail(b.ctx, caller, "Ada@New.example"))
	require.Equal(t, "Somebody asked to change your email", b.lastSubject(t, email))
	profile, err := b.Profile(b.ctx, caller.UserID)
	require.NoError(t, err)
	require.Equal(t, email, profile.Email)
	require.Equal(t, "ada@new.example", profile.PendingEmail)
	b.caller(t, open)

	squatter := ada() // A sign-up that was never verified does not keep the address from its owner.
	squatter.Email, squatter.Password = "ada@new.example", "the squatter's own"
	require.NoError(t, b.Register(b.ctx, squatter))
	require.NoError(t, b.ConfirmEmail(b.ctx, b.linkTo(t, "ada@new.example", "/confirm-email")))
	b.over(t, open)
	require.Equal(t, "Your Adashi account has a new email", b.lastSubject(t, email))
	require.Equal(t, []string{people.EmailChanged}, b.kinds)
	_, err = b.enter(email, "correct horse")
	requireFault(t, err, fault.Credentials, "not right")
	login, err := b.enter("ada@new.example", "correct horse")
	require.NoError(t, err)
	require.Equal(t, caller.UserID, login.Profile.UserID)
	requireFault(t, b.ConfirmEmail(b.ctx, b.linkTo(t, "ada@new.example", "/confirm-email")), fault.Credentials, "already been used")
	require.NoError(t, b.Register(b.ctx, ada()), "the old address is free")
}

func TestATakenEmailIsNotMovedToNorTold(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	eve := ada()
	eve.Email = "eve@example.com"
	_, err := b.CreateVerified(b.ctx, eve)
	require.NoError(t, err)
	caller := b.caller(t, b.login(t))
	require.NoError(t, b.ChangeEmail(b.ctx, caller, "eve@example.com"))
	require.Equal(t, "You already have an Adashi account", b.lastSubject(t, "eve@example.com"))

	require.NoError(t, b.ChangeEmail(b.ctx, caller, "late@example.com"))
	late := ada()
	late.Email = "late@example.com"
	_, err = b.CreateVerified(b.ctx, late) // It came to somebody else meanwhile.
	require.NoError(t, err)
	requireFault(t, b.ConfirmEmail(b.ctx, b.linkTo(t, "late@example.com", "/confirm-email")), fault.Conflict, "another account")
	b.caller(t, b.login(t))
}

func TestTheErasedAreGone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	login := b.login(t)
	caller := b.caller(t, login)
	b.enrolled(t, caller)
	require.NoError(t, b.SendPasswordResetLink(b.ctx, email))
	cards, err := b.Cards(b.ctx, []string{caller.UserID})
	require.NoError(t, err)
	require.Equal(t, "Ada", cards[caller.UserID].FirstName)
	for range 2 {
		require.NoError(t, b.Erase(b.ctx, caller.UserID))
	}
	b.over(t, login)
	for _, table := range []string{"accounts", "sessions", "email_links", "devices", "totp", "recovery_codes", "mail_outbox"} {
		var dump string
		require.NoError(t, b.pool.QueryRow(b.ctx, `SELECT coalesce(string_agg(x::text, ''), '') FROM `+table+` x`).Scan(&dump))
		for _, trace := range []string{"ada@", "Ada", "Neil", "803123", "1990-05-17"} {
			require.NotContains(t, dump, trace, table)
		}
	}
	cards, err = b.Cards(b.ctx, []string{caller.UserID})
	require.NoError(t, err)
	require.Equal(t, people.Card{FirstName: "A former", LastName: "member"}, cards[caller.UserID])
	for _, who := range []string{email, caller.UserID + "@erased.invalid"} {
		_, err = b.enter(who, "correct horse")
		requireFault(t, err, fault.Credentials, "The email or password is not right.")
	}
	requireFault(t, b.Erase(b.ctx, "0199a000-0000-7000-8000-000000000001"), fault.NotFound, "no such account")
	again, err := b.CreateVerified(b.ctx, ada())
	require.NoError(t, err)
	require.NotEqual(t, caller.UserID, again)
}
