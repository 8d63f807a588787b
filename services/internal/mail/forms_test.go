package mail_test

import (
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/mail"
)

func TestALetterOfBeforeIsSentAndForgottenAsItWasWritten(t *testing.T) {
	t.Parallel()
	p := opened(t, &office{})
	old := func(to, text string) {
		_, err := p.pool.Exec(t.Context(), `INSERT INTO mail_outbox (recipient, subject, body_text, body_html, created_at, next_try) VALUES ($1, 'Old', $2, '<p>x</p>', $3, $3)`, to, text, p.now)
		require.NoError(t, err)
	}
	old("ada@example.com", "Hello Ada.")
	old("eve@example.com", "Ada Obi paid.")
	shown, err := mail.Newest(t.Context(), p.pool, "ada@example.com")
	require.NoError(t, err)
	require.Equal(t, "Hello Ada.", shown[0].Text)
	require.NoError(t, mail.Forget(t.Context(), p.pool, "Ada Obi"))
	require.NoError(t, p.SendDue(t.Context()))
	require.Len(t, p.taken(), 1)
	require.Contains(t, p.taken()[0], "Hello Ada.")
}

func TestWhoeverIsForgottenIsNamedInNoLetter(t *testing.T) {
	t.Parallel()
	p := opened(t, &office{})
	const name = `Zoë "Zo" <O'Brien> & Ọbí\x`
	for _, letter := range []mail.Message{
		mail.Notice("eve@example.com", "Eve", "Paid", name+" paid for you.", "https://x"),
		mail.Invitation("eve@example.com", name, true, "Traders", "https://x"),
		mail.GuardianAnswered("eve@example.com", "Eve", name, true, "https://x"),
		mail.MoneyReceived("eve@example.com", "Eve", mail.Receipt{With: name}),
		mail.Notice("eve@example.com", "Eve", "New e-mail", "Write to zoe+a@example.com.", "https://x"),
		mail.Notice("eve@example.com", "Eve", "Dues", "They are due.", "https://x"),
	} {
		require.NoError(t, mail.Queue(t.Context(), p.pool, letter, p.now))
	}
	require.NoError(t, mail.Forget(t.Context(), p.pool, name, "zoe+a@example.com"))
	left, err := mail.Newest(t.Context(), p.pool, "")
	require.NoError(t, err)
	require.Len(t, left, 1)
	require.Equal(t, "Dues", left[0].Subject)
}

func TestAnAdminHasLettersTriedAgain(t *testing.T) {
	t.Parallel()
	down := true
	p := opened(t, &office{rcpt: func(to string) error {
		if down {
			return &smtp.SMTPError{Code: 550, Message: to + " is unknown"}
		}
		return nil
	}})
	p.queue(t, "ada@example.com")
	for range 30 {
		require.NoError(t, p.SendDue(t.Context()))
		p.now = p.now.Add(time.Hour)
	}
	failed, err := mail.LastFailed(t.Context(), p.pool, 20)
	require.NoError(t, err)
	require.Len(t, failed, 1)
	require.Equal(t, "verification", failed[0].About)
	require.NotContains(t, failed[0].Reason, "ada@")
	require.Nil(t, failed[0].NextTry, "it was given up")
	down = false
	require.NoError(t, p.SendDue(t.Context()))
	require.Empty(t, p.taken())
	require.NoError(t, mail.TryAgain(t.Context(), p.pool, p.now))
	require.NoError(t, p.SendDue(t.Context()))
	require.Len(t, p.taken(), 1)
}
