package people_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
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

func TestResendingAVerificationLeavesTheOlderLinkAndTellsNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.Register(b.ctx, ada()))
	older := b.lastToken(t, email)
	require.NoError(t, b.ResendVerification(b.ctx, " ADA@example.com"))
	requireField(t, b.VerifyEmail(b.ctx, older, "not the one"), fault.Credentials, "password")
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
	require.Equal(t, []string{people.PasswordChanged}, b.changes())
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
	won := make([]people.Login, 4) // A sixth session would end the caller's.
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
	require.NotEqual(t, older, token, "a second letter does not take away the first, or strangers could")
	requireField(t, b.ResetPassword(b.ctx, token, "password"), fault.Invalid, "newPassword")
	requireFault(t, b.VerifyEmail(b.ctx, token, "correct horse"), fault.Credentials, "expired")
	b.caller(t, open)
	for range 12 {
		_, err := b.enter(email, "guess")
		require.Error(t, err)
	}
	require.NoError(t, b.ResetPassword(b.ctx, token, "a better password"))
	b.over(t, open)
	requireFault(t, b.ResetPassword(b.ctx, older, "a third password"), fault.Credentials, "already been used")
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
			// It answers when a whole pad is over, not when the work is: a busy machine may add to it, never the
			// account.
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
	require.NoError(t, b.Prune(b.ctx))
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

func TestANewDeviceIsMailedAboutOnceWhateverBrowserItSaysThatItIs(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	login := b.login(t) // The first device ever is the one that signed up.
	require.Empty(t, b.mails(t, email))
	for n, device := range []string{"Firefox on Windows", "Chrome on Android"} {
		secret := ""
		for range 2 {
			in, err := b.Login(b.ctx, people.Attempt{Email: email, Password: "correct horse", Device: device, From: people.Origin{Secret: secret}})
			require.NoError(t, err)
			secret = in.DeviceSecret
		}
		letters := b.mails(t, email)
		require.Len(t, letters, n+1)
		require.Equal(t, "A new device logged in to Adashi", letters[n][0])
		require.Contains(t, letters[n][1], device)
	}
	require.Equal(t, []string{people.NewDevice, people.NewDevice}, b.kinds)

	// Its owner takes all of it along: each device once, and which of them each session is on.
	met, err := b.MetDevices(b.ctx, login.Profile.UserID)
	require.NoError(t, err)
	names := map[string]bool{}
	for _, m := range met {
		names[m.Device] = true
		require.False(t, m.FirstSeen.IsZero())
	}
	require.Equal(t, map[string]bool{"Chrome on Android": true, "Firefox on Windows": true}, names)
	require.Len(t, met, 2)
	open, err := b.OpenSessions(b.ctx, login.Profile.UserID)
	require.NoError(t, err)
	on := make([]string, len(open))
	for i, o := range open {
		on[i] = o.Device
	}
	require.Contains(t, on, "Firefox on Windows")
	none, err := b.MetDevices(b.ctx, "00000000-0000-4000-8000-000000000000")
	require.NoError(t, err)
	require.Empty(t, none)
}
