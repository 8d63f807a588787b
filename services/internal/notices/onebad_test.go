package notices_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/projections/notifications/told"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/mail"
	"adashi.ng/services/internal/usecase"
)

func TestALetterThatCannotBeWrittenStopsNoOther(t *testing.T) {
	t.Parallel()
	w, ctx := apptest.Setup(t, true, false), context.Background()
	now := time.Now()
	w.App.Now = func() time.Time { return now }
	gone := w.Member.User
	require.NoError(t, w.Engine.CatchUp(ctx))
	w.Letterbox(&gone)
	w.Fund(w.Member.User)
	w.Fund(w.Owner.User)
	require.NoError(t, w.Engine.CatchUp(ctx))
	require.ErrorContains(t, w.App.Notices.MailNotifications(ctx), "nobody like")
	require.Equal(t, 1, w.Written(w.Owner), "it came after the bad one")
	require.NoError(t, w.App.Notices.MailNotifications(ctx), "it is not tried at once")

	letters, err := w.App.Notices.Letters(ctx)
	require.NoError(t, err)
	require.Equal(t, 1, letters.Failed)
	require.Equal(t, "nobody like (address) is here", letters.Last[0].Reason)
	tries := 1
	for range 30 {
		now = now.Add(time.Hour)
		if w.App.Notices.MailNotifications(ctx) != nil {
			tries++
		}
	}
	require.InDelta(t, 24, tries, 2)
	letters, err = w.App.Notices.Letters(ctx)
	require.NoError(t, err)
	require.Equal(t, [3]int{0, 1, 1}, [3]int{letters.Failed, letters.GivenUp, letters.Waiting}, "the owner's waits to be sent")
	require.Nil(t, letters.Last[0].NextTry)

	gone = ""
	require.NoError(t, w.App.Notices.MailNotifications(ctx))
	require.Zero(t, w.Written(w.Member))
	require.NoError(t, w.App.Notices.TryLettersAgain(ctx))
	require.NoError(t, w.App.Notices.MailNotifications(ctx))
	require.Equal(t, 1, w.Written(w.Member))
	letters, err = w.App.Notices.Letters(ctx)
	require.NoError(t, err)
	require.Equal(t, [3]int{0, 0, 2}, [3]int{letters.Failed, letters.GivenUp, letters.Waiting})
	require.Empty(t, letters.Last)
}

func TestLettersOfARunSayToEachWhatTheyWereTold(t *testing.T) {
	t.Parallel()
	w, ctx := apptest.Setup(t, true, false), context.Background()
	nobody := ""
	require.NoError(t, w.Engine.CatchUp(ctx))
	w.Letterbox(&nobody)
	w.Mutes(w.Validator, told.WalletFunded)
	who := []usecase.Who{w.Member, w.Owner, w.Validator, w.Approver}
	for _, one := range who {
		w.Fund(one.User)
	}
	_, err := w.Pool.Exec(ctx, "UPDATE accounts SET email_verified_at = NULL WHERE id = $1", w.Approver.User)
	require.NoError(t, err)
	require.NoError(t, w.Engine.CatchUp(ctx))
	for range 2 { // Each is written to once.
		require.NoError(t, w.App.Notices.MailNotifications(ctx))
		require.Equal(t, []int{1, 1, 0, 0}, []int{w.Written(who[0]), w.Written(who[1]), w.Written(who[2]), w.Written(who[3])})
	}
	for _, one := range who[:2] {
		told, err := w.App.Notices.Notifications(ctx, one.User, nil, 1)
		require.NoError(t, err)
		letters, err := mail.Newest(ctx, w.Pool, strings.ToLower(one.Email))
		require.NoError(t, err)
		require.Contains(t, letters[0].Text, told.Notifications[0].Data.EventId, "of the own payment")
	}
}
