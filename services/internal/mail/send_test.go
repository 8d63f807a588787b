package mail_test

import (
	"bytes"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/ledgertest"
	"adashi.ng/services/internal/mail"
)

// office is a real SMTP server, and what it took.
type office struct {
	mu      sync.Mutex
	letters []string
	logins  []string
	rcpt    func(to string) error    // May refuse; nil takes all.
	data    func(c *smtp.Conn) error // After a letter was read; may cut the line.
	address string
}

func (o *office) NewSession(c *smtp.Conn) (smtp.Session, error) { return &counter{o, c}, nil }

func (o *office) taken() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return append([]string(nil), o.letters...)
}

// counter is one conversation.
type counter struct {
	office *office
	conn   *smtp.Conn
}

func (c *counter) Reset()                               {}
func (c *counter) Logout() error                        { return nil }
func (c *counter) Mail(string, *smtp.MailOptions) error { return nil }
func (c *counter) AuthMechanisms() []string             { return []string{sasl.Plain} }
func (c *counter) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, username, password string) error {
		c.office.mu.Lock()
		defer c.office.mu.Unlock()
		c.office.logins = append(c.office.logins, username+"/"+password)
		return nil
	}), nil
}

func (c *counter) Rcpt(to string, _ *smtp.RcptOptions) error {
	if c.office.rcpt != nil {
		return c.office.rcpt(to)
	}
	return nil
}

func (c *counter) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	c.office.mu.Lock()
	c.office.letters = append(c.office.letters, string(raw))
	c.office.mu.Unlock()
	if c.office.data != nil {
		return c.office.data(c.conn)
	}
	return nil
}

type post struct {
	*mail.Sender
	*office
	pool *pgxpool.Pool
	now  time.Time
}

func opened(t *testing.T, o *office) *post {
	t.Helper()
	pool := ledgertest.Pool(t)
	require.NoError(t, mail.Migrate(t.Context(), pool))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	o.address = listener.Addr().String()
	server := smtp.NewServer(o)
	server.Domain, server.AllowInsecureAuth, server.ErrorLog = "office.test", true, slog.NewLogLogger(slog.DiscardHandler, 0)
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	p := &post{office: o, pool: pool, now: time.Date(2026, 3, 10, 9, 0, 0, 0, time.UTC)}
	p.Sender = p.another(t)
	return p
}

// another is a second process's sender.
func (p *post) another(t *testing.T) *mail.Sender {
	t.Helper()
	sender, err := mail.NewSender(mail.SenderOptions{
		Pool: p.pool, URL: "smtp://adashi:hunter2@" + p.address, From: "Adashi <hello@adashi.test>", Now: func() time.Time { return p.now },
	})
	require.NoError(t, err)
	return sender
}

func (p *post) queue(t *testing.T, to string) {
	t.Helper()
	letter := mail.Verification(to, "Ada", "https://adashi.test/verifyMail?token=secret-token")
	require.NoError(t, mail.Queue(t.Context(), p.pool, letter, p.now))
}

// row is the newest letter's state, attempts and reason.
func (p *post) row(t *testing.T) (state string, attempts int, reason, body string) {
	t.Helper()
	require.NoError(t, p.pool.QueryRow(t.Context(), `SELECT state, attempts, last_error, said || body_text || body_html FROM mail_outbox ORDER BY id DESC LIMIT 1`).
		Scan(&state, &attempts, &reason, &body))
	return state, attempts, reason, body
}

func TestALetterArrivesInBothFormsAndIsForgotten(t *testing.T) {
	t.Parallel()
	p := opened(t, &office{})
	p.queue(t, "ada@example.com")
	require.NoError(t, p.SendDue(t.Context()))
	require.NoError(t, p.SendDue(t.Context()))
	letters := p.taken()
	require.Len(t, letters, 1)
	for _, part := range []string{
		"From: \"Adashi\" <hello@adashi.test>", "To: <ada@example.com>", "Subject: Confirm your email for Adashi", "multipart/alternative",
		"text/plain", "text/html", "token=3Dsecret-token", "Message-ID: <",
	} {
		require.Contains(t, letters[0], part)
	}
	require.Equal(t, []string{"adashi/hunter2"}, p.logins)
	state, attempts, _, body := p.row(t)
	require.Equal(t, "SENT", state)
	require.Equal(t, 1, attempts)
	require.Empty(t, body, "the link is no longer at rest")
}

func TestARefusedLetterIsTriedAgainLater(t *testing.T) {
	t.Parallel()
	refusals := 1
	p := opened(t, &office{rcpt: func(to string) error {
		if refusals > 0 {
			refusals--
			return &smtp.SMTPError{Code: 451, Message: "greylisted, write to " + to + " later"}
		}
		return nil
	}})
	p.queue(t, "ada@example.com")
	require.NoError(t, p.SendDue(t.Context()))
	state, attempts, reason, _ := p.row(t)
	require.Equal(t, "QUEUED", state)
	require.Equal(t, 1, attempts)
	require.Contains(t, reason, "greylisted")
	require.NotContains(t, reason, "ada@")
	p.now = p.now.Add(29 * time.Second)
	require.NoError(t, p.SendDue(t.Context()))
	require.Empty(t, p.taken())
	p.now = p.now.Add(2 * time.Second)
	require.NoError(t, p.SendDue(t.Context()))
	require.Len(t, p.taken(), 1)
	state, attempts, _, _ = p.row(t)
	require.Equal(t, "SENT", state)
	require.Equal(t, 2, attempts)
}

func TestLettersGoByTheClock(t *testing.T) {
	t.Parallel()
	refusals := 1
	p := opened(t, &office{rcpt: func(string) error {
		if refusals > 0 {
			refusals--
			return &smtp.SMTPError{Code: 451, Message: "later"}
		}
		return nil
	}})
	p.now = p.now.AddDate(5, 0, 0) // It lives elsewhere than the machine.
	queued := p.now
	p.queue(t, "ada@example.com")
	require.NoError(t, p.SendDue(t.Context()))
	failed, err := mail.LastFailed(t.Context(), p.pool, 10)
	require.NoError(t, err)
	require.Len(t, failed, 1)
	require.True(t, queued.Add(30*time.Second).Equal(*failed[0].NextTry))
	p.now = queued.Add(29 * time.Second)
	require.NoError(t, p.SendDue(t.Context()))
	require.Empty(t, p.taken())
	p.now = queued.Add(30 * time.Second)
	require.NoError(t, p.SendDue(t.Context()))
	require.Len(t, p.taken(), 1)
	require.Contains(t, p.taken()[0], "Date: Mon, 10 Mar 2031 09:00:00", "when it was written")
	var sent time.Time
	require.NoError(t, p.pool.QueryRow(t.Context(), `SELECT sent_at FROM mail_outbox`).Scan(&sent))
	require.True(t, p.now.Equal(sent))
	p.now = queued.AddDate(0, 0, 30).Add(time.Second)
	require.NoError(t, p.SendDue(t.Context()))
	var left int
	require.NoError(t, p.pool.QueryRow(t.Context(), `SELECT count(*) FROM mail_outbox`).Scan(&left))
	require.Zero(t, left, "kept for a month")
}

func TestAFarewellIsSentToTheForgottenAndForgottenItself(t *testing.T) {
	t.Parallel()
	p := opened(t, &office{})
	p.queue(t, "ada@example.com")
	require.NoError(t, mail.Queue(t.Context(), p.pool, mail.AccountClosed("ada@example.com", "Ada", "today"), p.now))
	guardian := mail.GuardianRequest("ngozi@example.com", "Ngozi", "Ada Obi", "https://adashi.test/guardian-consent?token=t")
	guardian.About = []string{"ada"}
	require.NoError(t, mail.Queue(t.Context(), p.pool, guardian, p.now)) // To somebody else, of her.
	require.NoError(t, mail.Forget(t.Context(), p.pool, "ada", "ada@example.com"))
	require.NoError(t, p.SendDue(t.Context()))
	require.Len(t, p.taken(), 1)
	require.Contains(t, p.taken()[0], "Your Adashi account is closed")
	var left int
	require.NoError(t, p.pool.QueryRow(t.Context(), `SELECT count(*) FROM mail_outbox WHERE state <> 'FORGOTTEN'`).Scan(&left))
	require.Zero(t, left)
}

func messageID(t *testing.T, letter string) string {
	t.Helper()
	_, after, found := strings.Cut(letter, "Message-ID: ")
	require.True(t, found, letter)
	id, _, _ := strings.Cut(after, "\r\n")
	return id
}

func TestALineThatBreaksAfterTheLetterSendsItAgainUnderItsName(t *testing.T) {
	t.Parallel()
	cut := true
	p := opened(t, &office{data: func(c *smtp.Conn) error {
		if cut {
			cut = false
			return c.Conn().Close()
		}
		return nil
	}})
	p.queue(t, "ada@example.com")
	require.NoError(t, p.SendDue(t.Context()))
	state, _, _, body := p.row(t)
	require.Equal(t, "QUEUED", state)
	require.NotEmpty(t, body)
	p.now = p.now.Add(time.Minute)
	require.NoError(t, p.SendDue(t.Context()))
	letters := p.taken()
	require.Len(t, letters, 2, "at least once, not at most once")
	require.Equal(t, messageID(t, letters[0]), messageID(t, letters[1]))
}

func TestALetterThatNobodyTakesIsGivenUpAfterADayAndCounted(t *testing.T) {
	t.Parallel()
	p := opened(t, &office{rcpt: func(string) error { return &smtp.SMTPError{Code: 550, Message: "no such mailbox"} }})
	p.queue(t, "ada@example.com")
	for range 40 {
		require.NoError(t, p.SendDue(t.Context()))
		p.now = p.now.Add(time.Hour)
	}
	state, attempts, reason, body := p.row(t)
	require.Equal(t, "GIVEN_UP", state)
	require.Greater(t, attempts, 20)
	require.Less(t, attempts, 30)
	require.Contains(t, reason, "no such mailbox")
	require.NotEmpty(t, body, "an Admin may have it tried again")
	counts, err := mail.Count(t.Context(), p.pool)
	require.NoError(t, err)
	require.Equal(t, mail.Counts{GivenUp: 1}, counts)
	require.NoError(t, mail.Forget(t.Context(), p.pool, "", "ada@example.com"))
	counts, err = mail.Count(t.Context(), p.pool)
	require.NoError(t, err)
	require.Equal(t, mail.Counts{}, counts)
}

func TestSeveralProcessesSendEachLetterOnce(t *testing.T) {
	t.Parallel()
	p := opened(t, &office{})
	for range 20 {
		p.queue(t, "ada@example.com")
	}
	var wait sync.WaitGroup
	for range 4 {
		sender := p.another(t)
		wait.Go(func() { require.NoError(t, sender.SendDue(t.Context())) })
	}
	wait.Wait()
	ids := map[string]bool{}
	for _, letter := range p.taken() {
		ids[messageID(t, letter)] = true
	}
	require.Len(t, p.taken(), 20)
	require.Len(t, ids, 20)
}

func TestALetterOfAProcessThatDiedIsTakenUp(t *testing.T) {
	t.Parallel()
	p := opened(t, &office{})
	p.queue(t, "ada@example.com")
	_, err := p.pool.Exec(t.Context(), `UPDATE mail_outbox SET attempts = 1, next_try = $1`, p.now.Add(time.Minute)) // As claim leaves it.
	require.NoError(t, err)
	require.NoError(t, p.SendDue(t.Context()))
	require.Empty(t, p.taken())
	p.now = p.now.Add(time.Minute)
	require.NoError(t, p.SendDue(t.Context()))
	require.Len(t, p.taken(), 1)
}

// TestLogsNameNobody is not parallel: the default logger is everyone's.
func TestLogsNameNobody(t *testing.T) {
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})))
	t.Cleanup(func() { slog.SetDefault(before) })
	p := opened(t, &office{rcpt: func(to string) error { return &smtp.SMTPError{Code: 550, Message: "<" + to + "> is unknown"} }})
	p.queue(t, "ada@example.com")
	for range 30 {
		require.NoError(t, p.SendDue(t.Context()))
		p.now = p.now.Add(time.Hour)
	}
	require.Contains(t, log.String(), "a letter was not taken")
	require.Contains(t, log.String(), "a letter is given up")
	for _, trace := range []string{"ada@", "example.com", "Ada", "secret-token", "hunter2"} {
		require.NotContains(t, log.String(), trace)
	}
}

func TestABadServerOrSenderIsASentence(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{
		{"http://me:hunter2@host", "a@b.co"}, {"smtp://", "a@b.co"}, {"smtp://me:hunter2@host:99x", "a@b.co"}, {"smtp://host", "nobody"},
	} {
		_, err := mail.NewSender(mail.SenderOptions{URL: c[0], From: c[1]})
		require.Error(t, err, c[0])
		require.NotContains(t, err.Error(), "hunter2")
	}
}

// TestEveryLetterReadsWellOnAPhoneAndAsPlainText holds what all of them have in common.
func TestEveryLetterReadsWellOnAPhoneAndAsPlainText(t *testing.T) {
	t.Parallel()
	const link = "https://adashi.test/x?token=a&b=1"
	receipt := mail.Receipt{Amount: "₦5,000.00", With: "Bisi <b>", When: "10 March 2026", Reference: "R-1", Balance: "₦6,000.00", Link: link}
	for name, message := range map[string]mail.Message{
		"verification": mail.Verification("a@b.co", "<Ada>", link), "registered": mail.AlreadyRegistered("a@b.co", link),
		"reset": mail.PasswordReset("a@b.co", "<Ada>", link), "changed": mail.PasswordChanged("a@b.co", "<Ada>", "today", link),
		"new e-mail": mail.ConfirmNewEmail("a@b.co", "<Ada>", link), "asked": mail.EmailChangeAsked("a@b.co", "<Ada>", "today", link),
		"moved": mail.EmailChanged("a@b.co", "<Ada>", "today", link), "device": mail.NewDevice("a@b.co", "<Ada>", "Chrome", "today", link),
		"alert": mail.SecurityAlert("a@b.co", "<Ada>", "Something", "It means.", "today", link), "closed": mail.AccountClosed("a@b.co", "<Ada>", "today"),
		"withdrawn":  mail.InvitationWithdrawn("a@b.co", mail.Inviter{Name: "<Bisi>"}, "Traders", "<Full>"),
		"invitation": mail.Invitation("a@b.co", "<Bisi>", false, "Traders", link), "tries": mail.TriesAtPassword("a@b.co", "<Ada>", "today", link), "received": mail.MoneyReceived("a@b.co", "<Ada>", receipt),
		"guardian": mail.GuardianRequest("a@b.co", "<Ngozi>", "Ada Obi", link),
		"answered": mail.GuardianAnswered("a@b.co", "<Ada>", "Ngozi", false, link), "bvn": mail.BVNResult("a@b.co", "<Ada>", false, "The names differ.", link),
		"notice": mail.Notice("a@b.co", "<Ada>", "Dues", "Your dues are due.", link),
	} {
		require.Equal(t, "a@b.co", message.To, name)
		letter, err := message.Write()
		require.NoError(t, err)
		require.NotEmpty(t, letter.Subject, name)
		require.Less(t, len(letter.Text), 1200, name)
		require.Contains(t, letter.Text, "Hello", name)
		require.NotContains(t, letter.Text, "\n\n\n", name)
		require.Contains(t, letter.HTML, `name="viewport"`, name)
		require.Contains(t, letter.HTML, "max-width:480px", name)
		for _, open := range []string{"<Ada>", "<Bisi>", "<Ngozi>", "<b>"} {
			require.NotContains(t, letter.HTML, open, name)
		}
		if name != "moved" && name != "closed" && name != "withdrawn" {
			require.Contains(t, letter.Text, link, name)
			require.Contains(t, letter.HTML, `href="https://adashi.test/x?token=a&amp;b=1"`, name)
		}
	}
	received, err := mail.MoneyReceived("a@b.co", "Ada", receipt).Write()
	require.NoError(t, err)
	require.Contains(t, received.Text, "Amount: ₦5,000.00\nFrom: Bisi <b>\n")
}
