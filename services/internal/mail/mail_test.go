package mail_test

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/ledgertest"
	"adashi.ng/services/internal/mail"
)

func TestMain(m *testing.M) { ledgertest.Main(m) }

func TestInboxListsNewestFirst(t *testing.T) {
	t.Parallel()
	pool := ledgertest.Pool(t)
	require.NoError(t, mail.Migrate(t.Context(), pool))
	show := func(target string) string {
		recorder := httptest.NewRecorder()
		mail.Inbox(pool).ServeHTTP(recorder, httptest.NewRequest("GET", target, nil))
		require.Equal(t, 200, recorder.Code)
		return recorder.Body.String()
	}
	require.Contains(t, show("/dev/inbox"), "No mail yet.")

	now := time.Date(2026, 3, 10, 9, 0, 0, 0, time.UTC)
	const link = "http://127.0.0.1:8080/verifyMail?token=abc&x=1"
	require.NoError(t, mail.Queue(t.Context(), pool, mail.Verification("ada@example.com", "<b>Ada</b>", link), now))
	require.NoError(t, mail.Queue(t.Context(), pool, mail.AlreadyRegistered("eve@example.com", "http://127.0.0.1:8080/login"), now.Add(time.Minute)))

	page := show("/dev/inbox")
	require.Contains(t, page, `<a href="http://127.0.0.1:8080/verifyMail?token=abc&amp;x=1">`)
	require.Contains(t, page, "10 Mar 2026, 10:00:00")
	require.NotContains(t, page, "<b>Ada</b>")
	require.Less(t, strings.Index(page, "eve@example.com"), strings.Index(page, "ada@example.com"))
	filtered := show("/dev/inbox?to=ADA@example.com")
	require.NotContains(t, filtered, "eve@example.com")
	for _, junk := range []string{"%00", "%ff", "%27%22%3E"} {
		require.Contains(t, show("/dev/inbox?to="+junk), "No mail yet.")
	}
	require.Contains(t, show("/dev/inbox/style.css"), "body")
}

func TestQueueJoinsTheCallersTransaction(t *testing.T) {
	t.Parallel()
	pool := ledgertest.Pool(t)
	require.NoError(t, mail.Migrate(t.Context(), pool))
	now := time.Now()
	tx, err := pool.Begin(t.Context())
	require.NoError(t, err)
	require.NoError(t, mail.Queue(t.Context(), tx, mail.Message{To: "a@b.co"}, now))
	require.NoError(t, tx.Rollback(t.Context()))
	count := func(kind mail.Kind, cause string) [2]int {
		all, own, err := mail.CountSince(t.Context(), pool, "a@b.co", kind, cause, now.Add(-time.Hour))
		require.NoError(t, err)
		return [2]int{all, own}
	}
	require.Equal(t, [2]int{0, 0}, count(mail.KindReset, "eve"))
	require.NoError(t, pgx.BeginFunc(t.Context(), pool, func(tx pgx.Tx) error {
		return mail.Queue(t.Context(), tx, mail.Message{To: "a@b.co", Kind: mail.KindReset, Cause: "eve"}, now)
	}))
	require.Equal(t, [2]int{1, 1}, count(mail.KindReset, "eve"))
	require.Equal(t, [2]int{1, 0}, count(mail.KindReset, "ada"), "another cause")
	require.Equal(t, [2]int{0, 0}, count(mail.KindInvitation, "eve"), "another kind")
}

func TestInvitationsOfAnAddressAreCountedByPlaceForThirtyDaysAndForgottenWithIt(t *testing.T) {
	t.Parallel()
	pool, now := ledgertest.Pool(t), time.Date(2026, 3, 10, 9, 0, 0, 0, time.UTC)
	require.NoError(t, mail.Migrate(t.Context(), pool))
	letters := func() (n int) {
		require.NoError(t, pool.QueryRow(t.Context(), `SELECT count(*) FROM mail_outbox`).Scan(&n))
		return n
	}
	invite := func(sender, place string) int {
		before := letters()
		require.NoError(t, mail.Invite(t.Context(), pool, mail.Inviter{User: sender, Name: sender}, []string{"a@b.co"}, mail.Place{ID: place, Name: place}, uuid.New(), now))
		return letters() - before
	}
	for range 20 {
		invite("eve", "ajo")
	}
	require.Equal(t, 3, letters())
	require.Zero(t, invite("eve", "group"), "three letters of one member a day")
	require.Equal(t, 1, invite("ada", "group"))
	now = now.Add(25 * time.Hour)
	require.Zero(t, invite("ada", "ajo"), "whoever asks, it was invited often enough")
	require.NoError(t, mail.Forget(t.Context(), pool, "", "a@b.co"))
	require.Equal(t, 1, invite("ada", "ajo"))

	left := func() (n int) {
		require.NoError(t, pool.QueryRow(t.Context(), `SELECT count(*) FROM invited_addresses`).Scan(&n))
		return n
	}
	require.NoError(t, mail.Prune(t.Context(), pool, now.AddDate(0, 0, 30).Add(-time.Second)))
	require.Equal(t, 1, left())
	require.NoError(t, pgx.BeginFunc(t.Context(), pool, func(tx pgx.Tx) error {
		return mail.EndInvitations(t.Context(), tx, "ajo", "a@b.co", now.Add(time.Hour))
	}))
	require.NoError(t, mail.Prune(t.Context(), pool, now.AddDate(0, 0, 30)))
	require.Equal(t, 1, left(), "a refusal counts for thirty days")
	require.NoError(t, mail.Prune(t.Context(), pool, now.AddDate(0, 0, 30).Add(time.Hour)))
	require.Zero(t, left())
}

func TestAnAddressGetsThreeLettersADayThatSomebodyWithdrewItsInvitations(t *testing.T) {
	t.Parallel()
	pool, now := ledgertest.Pool(t), time.Date(2026, 3, 10, 9, 0, 0, 0, time.UTC)
	require.NoError(t, mail.Migrate(t.Context(), pool))
	withdraw := func(sender, place string) {
		require.NoError(t, pgx.BeginFunc(t.Context(), pool, func(tx pgx.Tx) error {
			return mail.Withdraw(t.Context(), tx, place, mail.InvitationWithdrawn("a@b.co", mail.Inviter{User: sender, Name: sender}, place, ""), now)
		}))
	}
	letters := func() (n int) {
		require.NoError(t, pool.QueryRow(t.Context(), `SELECT count(*) FROM mail_outbox`).Scan(&n))
		return n
	}
	var all sync.WaitGroup
	for n := range 10 { // At once.
		all.Go(func() { withdraw("eve", fmt.Sprint("group ", n)) })
	}
	all.Wait()
	require.Equal(t, 3, letters(), "those of one member")
	require.NoError(t, mail.Invite(t.Context(), pool, mail.Inviter{User: "eve", Name: "eve"}, []string{"a@b.co"}, mail.Place{ID: "ajo", Name: "ajo"}, uuid.New(), now))
	require.Equal(t, 4, letters(), "an invitation is another kind of letter")
	for n := range 40 {
		withdraw(fmt.Sprint("member ", n), "group")
	}
	require.Equal(t, 31, letters(), "those of all")
	now = now.Add(25 * time.Hour)
	withdraw("eve", "group")
	require.Equal(t, 32, letters())
}

func TestLettersSayTheSameTwiceAndEscape(t *testing.T) {
	t.Parallel()
	letter, err := mail.Verification("ada@example.com", "Ada <x>", "https://adashi.ng/verifyMail?token=t").Write()
	require.NoError(t, err)
	require.Contains(t, letter.Text, "Hello Ada <x>,")
	require.Contains(t, letter.HTML, "Hello Ada &lt;x&gt;,")
	for _, body := range []string{letter.Text, letter.HTML} {
		require.Contains(t, body, "https://adashi.ng/verifyMail?token=t")
		require.Contains(t, body, "works once")
	}
	require.Contains(t, letter.HTML, `name="viewport"`)
}
