package e2e

import (
	"bufio"
	"context"
	"io"
	"mime/quotedprintable"
	"net"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/config"
)

// office is a mail server that keeps what it takes.
type office chan string

func (o office) NewSession(*smtp.Conn) (smtp.Session, error) { return o, nil }
func (office) Reset()                                        {}
func (office) Logout() error                                 { return nil }
func (office) Mail(string, *smtp.MailOptions) error          { return nil }
func (office) Rcpt(string, *smtp.RcptOptions) error          { return nil }
func (o office) Data(r io.Reader) error {
	raw, err := io.ReadAll(quotedprintable.NewReader(r))
	o <- string(raw)
	return err
}

// takes waits for a letter of that subject and answers it.
func (o office) takes(t *testing.T, subject string) string {
	t.Helper()
	for {
		select {
		case letter := <-o:
			if strings.Contains(letter, "Subject: "+subject) {
				return letter
			}
		case <-time.After(30 * time.Second):
			require.Fail(t, "no such letter came", subject)
		}
	}
}

// mailed is a house of its own that sends its letters to an office.
func mailed(t *testing.T) (*boot.Instance, office) {
	t.Helper()
	o := make(office, 100)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	server := smtp.NewServer(o)
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	cfg := settings(filepath.Join(t.TempDir(), "data"))
	cfg.SMTPURL, cfg.MailFrom = config.Secret("smtp://"+listener.Addr().String()), "Adashi <hello@adashi.test>"
	i, err := boot.Start(context.Background(), cfg, boot.All)
	require.NoError(t, err)
	t.Cleanup(i.Stop)
	return i, o
}

var tokenInLetter = regexp.MustCompile(`/(verifyMail|forgot_password|confirm-email)\?token=([A-Za-z0-9_-]{43})`)

func tokenIn(t *testing.T, letter string) string {
	t.Helper()
	match := tokenInLetter.FindStringSubmatch(letter)
	require.NotNil(t, match, letter)
	return match[2]
}

// ends waits until the live stream of a session is over.
func ends(t *testing.T, stream io.ReadCloser) <-chan time.Time {
	t.Helper()
	over := make(chan time.Time, 1)
	t.Cleanup(func() { _ = stream.Close() })
	lines := bufio.NewScanner(stream)
	require.True(t, lines.Scan(), "it says at once that it is there")
	go func() {
		for lines.Scan() {
		}
		over <- time.Now()
	}()
	return over
}

func TestFromSignUpOverMailToAForgottenPassword(t *testing.T) {
	t.Parallel()
	i, letters := mailed(t)
	a := &person{TB: t, base: i.Address, email: "ada@example.com"}
	must[any](a, "POST", "/api/Account/Register", object{
		"email": a.email, "password": password, "firstName": "Ada", "lastName": "Obi", "phone": "08031234567", "dateOfBirth": "1990-01-01",
	})
	verify := tokenIn(t, letters.takes(t, "Confirm your email for Adashi"))
	require.Equal(t, 400, a.ask("POST", "/api/v1/account/verify-email", object{"token": verify, "password": "somebody else's"}).status)
	must[any](a, "POST", "/api/v1/account/verify-email", object{"token": verify, "password": password})
	a.logIn()

	stolen := *a
	stolen.secret = ""
	require.Equal(t, 401, stolen.ask("GET", "/api/v1/account/sessions", nil).status)

	// A new password ends the other window within a second, its live stream too.
	other := a.again()
	over := ends(t, other.listens().Body)
	must[any](a, "POST", "/api/Account/ChangePassword", object{"email": a.email, "userId": a.id, "currentPassword": password, "newPassword": "Naira-Next-2026"})
	changed := time.Now() // Two passwords were hashed before, which takes a busy machine seconds.
	select {
	case at := <-over:
		require.Less(t, at.Sub(changed), time.Second)
	case <-time.After(20 * time.Second):
		require.Fail(t, "the other window goes on")
	}
	for _, p := range []*person{a, other} {
		require.Equal(t, 401, p.ask("GET", "/api/v1/account/sessions", nil).status)
	}
	letters.takes(t, "Your Adashi password was changed")

	// Forgotten: the link is spent by POST alone, once.
	same := a.ask("POST", "/api/Account/SendPasswordResetLink", object{"email": "nobody@example.com"})
	sent := a.ask("POST", "/api/Account/SendPasswordResetLink", object{"email": a.email})
	require.Equal(t, same.Message, sent.Message)
	require.Equal(t, 200, sent.status)
	letter := letters.takes(t, "Choose a new Adashi password")
	reset := tokenIn(t, letter)
	for range 3 { // A scanner follows it.
		a.page("/forgot_password?token=" + reset)
	}
	must[any](a, "POST", "/api/Account/ResetPassword", object{"token": reset, "newPassword": password})
	require.Equal(t, 400, a.ask("POST", "/api/Account/ResetPassword", object{"token": reset, "newPassword": "Naira-Third-2026"}).status)
	letters.takes(t, "Your Adashi password was changed")
	a.logIn()

	// Another e-mail, after a step-up.
	move := object{"email": "ada@new.example"}
	require.Equal(t, "STEP_UP", a.ask("POST", "/api/v1/account/email", move).ReturnedCode)
	must[any](a, "POST", "/api/v1/account/step-up", object{"password": password})
	must[any](a, "POST", "/api/v1/account/email", move)
	must[any](a, "POST", "/api/v1/account/confirm-email", object{"token": tokenIn(t, letters.takes(t, "Confirm your new email for Adashi"))})
	require.Equal(t, 401, a.ask("GET", "/api/v1/account/sessions", nil).status)
	a.email = "ada@new.example"
	a.logIn()
	letters.takes(t, "Your Adashi account has a new email")
}
