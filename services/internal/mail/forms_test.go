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
	require.NoError(t, mail.Forget(t.Context(), p.pool, "", "eve@example.com"))
	require.NoError(t, p.SendDue(t.Context()))
	require.Len(t, p.taken(), 1)
	require.Contains(t, p.taken()[0], "Hello Ada.")
}

func TestLettersAreForgottenByWhomTheyAreAbout(t *testing.T) {
	t.Parallel()
	p := opened(t, &office{})
	of := func(letter mail.Message, about ...string) {
		letter.About = about
		require.NoError(t, mail.Queue(t.Context(), p.pool, letter, p.now))
	}
	of(mail.Notice("eve@example.com", "Eve", "Paid", "Ada Obi paid for you.", "https://x"), "zoe", "ada")
	of(mail.Invitation("eve@example.com", "Ada Obi", true, "Traders", "https://x"), "ada")
	of(mail.Notice("ada@example.com", "Ada", "Dues", "They are due.", "https://x"))
	of(mail.Notice("eve@example.com", "Eve", "Joined", "Another Ada Obi joined.", "https://x"), "another")
	require.NoError(t, mail.Forget(t.Context(), p.pool, "ada", "ada@example.com"))
	require.NoError(t, p.SendDue(t.Context()))
	require.Len(t, p.taken(), 1)
	require.Contains(t, p.taken()[0], "Another Ada Obi")
	all, own, err := mail.CountSince(t.Context(), p.pool, "eve@example.com", mail.KindInvitation, "", p.now.Add(-time.Hour))
	require.NoError(t, err)
	require.Equal(t, []int{1, 1}, []int{all, own}, "the invitation still counts")
	var said string
	require.NoError(t, p.pool.QueryRow(t.Context(), "SELECT coalesce(string_agg(said || about::text, ''), '') FROM mail_outbox WHERE kind <> ''").Scan(&said))
	require.Equal(t, "{}", said, "and says nothing")
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
