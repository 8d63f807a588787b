package profile_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/mail"
)

const changedBank = "Your bank account was changed"

// alerted queues, for a stranger, the letter about a changed bank account.
func (b *bundle) alerted(to string) {
	b.Helper()
	require.NoError(b, mail.Queue(b.Context(), b.pool, mail.SecurityAlert(to, "Bisi", changedBank, "Withdrawals go to the new account from tomorrow on.", "now", "https://x"), time.Now()))
}

func (b *bundle) waits(to string) (subjects []string) {
	b.Helper()
	letters, err := mail.Newest(b.Context(), b.pool, to)
	require.NoError(b, err)
	for _, l := range letters {
		subjects = append(subjects, l.Subject)
	}
	return subjects
}

// Closing an account deletes the letters about the leaving member. Letters to an address that they named as their
// guardian's stay.
func TestClosingTakesNoLettersFromAnAddressThatWasOnlyNamed(t *testing.T) {
	t.Parallel()
	b := setup(t, false)
	b.joins("bisi", "Ade", 30)
	b.joins("kid", "Nobody", 16)
	b.ok("kid", "POST", "/api/v1/account/guardian", form{"name": "Bisi Ade", "email": "bisi@example.com", "relationship": "PARENT"})
	b.alerted("bisi@example.com")
	require.NoError(t, b.service.Close(t.Context(), b.callers["kid"].UserID))
	require.Equal(t, []string{changedBank}, b.waits("bisi@example.com"), "but the letter about the one who left")
	var counts int
	require.NoError(t, b.pool.QueryRow(t.Context(), "SELECT count(*) FROM mail_outbox WHERE recipient = 'bisi@example.com' AND kind = 'GUARDIAN' AND said = ''").Scan(&counts))
	require.Equal(t, 1, counts, "it counts, so that nobody writes to an address without end by signing up again")
}

// A letter is about the members in its list of ids, not about everybody with the same name.
func TestClosingTakesNoLettersThatOnlySoundAlike(t *testing.T) {
	t.Parallel()
	b := setup(t, false)
	b.joins("ada", "Obi", 30)
	b.joins("eve", "x", 30)
	b.ok("eve", "POST", update, filled("eve", form{"firstName": "Your bank", "lastName": "account was changed"}))
	b.alerted("bisi@example.com")
	require.NoError(t, mail.Queue(t.Context(), b.pool, mail.GuardianRequest("ngozi@example.com", "Ngozi", "Ada Obiora", "https://x"), time.Now()))
	for _, who := range []string{"eve", "ada"} {
		require.NoError(t, b.service.Close(t.Context(), b.callers[who].UserID))
	}
	require.Contains(t, b.waits("bisi@example.com"), changedBank, "Bisi is never told that her bank account was changed")
	require.Len(t, b.waits("ngozi@example.com"), 1, "Ada Obiora's mother is never asked")
}
