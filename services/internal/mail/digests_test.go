package mail_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/ledgertest"
	"adashi.ng/services/internal/mail"
)

func TestADigestIsTakenOutAsItWasReadOrNotAtAll(t *testing.T) {
	t.Parallel()
	pool, now := ledgertest.Pool(t), time.Now()
	require.NoError(t, mail.Migrate(t.Context(), pool))
	_, err := pool.Exec(t.Context(), `INSERT INTO payment_digests (user_id, group_id, sub_account_id, payments, kobo, first_pos, last_pos, gathered_at)
		VALUES ('ada', 'g', 's', 2, 500, 3, 4, $1), ('ada', 'g', 'other', 1, 100, 5, 5, $1), ('bisi', 'g', 's', 2, 500, 3, 4, $1)`, now)
	require.NoError(t, err)
	waiting := func(user string) []mail.Paid {
		paid, err := mail.DigestFor(t.Context(), pool, user)
		require.NoError(t, err)
		return paid
	}
	written := func() int {
		letters, err := mail.Newest(t.Context(), pool, "")
		require.NoError(t, err)
		return len(letters)
	}
	letter := mail.Payments("ada@example.com", "Ada", mail.Digest{Payments: 3, Groups: 1, Group: "Traders"})

	read := waiting("ada")
	require.Len(t, read, 2)
	_, err = pool.Exec(t.Context(), "UPDATE payment_digests SET payments = 3, last_pos = 9 WHERE user_id = 'ada' AND sub_account_id = 's'")
	require.NoError(t, err)
	require.ErrorIs(t, mail.QueueDigest(t.Context(), pool, "ada", read, &letter, now), mail.ErrMoreCame)
	require.Zero(t, written())
	require.Len(t, waiting("ada"), 2)

	require.NoError(t, mail.QueueDigest(t.Context(), pool, "ada", waiting("ada"), &letter, now))
	require.Equal(t, 1, written())
	require.Empty(t, waiting("ada"))
	require.NoError(t, mail.QueueDigest(t.Context(), pool, "bisi", waiting("bisi"), nil, now), "who has no address")
	require.Equal(t, 1, written())
	require.Empty(t, waiting("bisi"))
}
