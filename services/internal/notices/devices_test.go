package notices_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/domain/account"
	"adashi.ng/projections/notifications/told"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/mail"
	"adashi.ng/services/internal/phones"
)

// A device that signs is written about once, however often its registration was sent, and whatever is muted.
func TestADeviceThatSignsIsWrittenAboutOnce(t *testing.T) {
	t.Parallel()
	w, ctx := apptest.Setup(t, true, false), context.Background()
	nobody := ""
	require.NoError(t, w.Engine.CatchUp(ctx))
	w.Letterbox(&nobody)
	w.Mutes(w.Validator, told.WalletFunded)
	who, device, first := w.Validator, phones.New(), int64(0)
	who.Key = "retried"
	for range 3 {
		_, pos, err := w.App.Months.Register(ctx, who, device.Registers(who.User))
		require.NoError(t, err)
		require.True(t, first == 0 || pos == first)
		first = pos
		require.NoError(t, w.Engine.CatchUp(ctx))
		require.NoError(t, w.App.Notices.MailNotifications(ctx))
		require.Equal(t, 1, w.Written(w.Validator))
	}
	who.Key = "another"
	_, _, err := w.App.Months.Register(ctx, who, device.Registers(who.User))
	require.ErrorContains(t, err, "already")
	require.NoError(t, w.App.Notices.MailNotifications(ctx))
	w.Gives(account.PasswordTried(who.User)) // Who raises another alert mails it.
	require.NoError(t, w.App.Notices.MailNotifications(ctx))
	letters, err := mail.Newest(ctx, w.Pool, strings.ToLower(who.Email))
	require.NoError(t, err)
	require.Len(t, letters, 1)
	require.Equal(t, "A device signs for you", letters[0].Subject)
	require.Contains(t, letters[0].Text, "It signs in your name what you attest of closed months.")
	require.Contains(t, letters[0].Text, "/send_forgot_password_mail")
}

func TestNobodyIsWrittenToAboutADeviceThatWatches(t *testing.T) {
	t.Parallel()
	w, ctx := apptest.Setup(t, true, false), context.Background()
	nobody := ""
	require.NoError(t, w.Engine.CatchUp(ctx))
	w.Letterbox(&nobody)
	key := strings.Repeat("ab", 32)
	for range 2 {
		who := w.Validator
		who.Key = "retried"
		_, _, err := w.App.Witnesses.Register(ctx, who, key)
		require.NoError(t, err)
		require.NoError(t, w.Engine.CatchUp(ctx))
		require.NoError(t, w.App.Notices.MailNotifications(ctx))
	}
	require.Zero(t, w.Written(w.Validator))
}
