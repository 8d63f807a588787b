package notices_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	contract "adashi.ng/proto/gen/httpapi"
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/profile"
	"adashi.ng/services/internal/vault"
)

// A freeze and a thaw concern the safety of the account: they reach its owner whatever is muted, also by an earlier
// build.
func TestTheOwnerOfFrozenMoneyHearsOfAThawWhateverIsMuted(t *testing.T) {
	t.Parallel()
	for name, form := range map[string]contract.UserSettings{
		"everything off":     {InApp: false, Email: false, MutedInApp: []string{}, MutedEmail: []string{}},
		"that one alone off": {InApp: true, Email: true, MutedInApp: []string{"money_thawed"}, MutedEmail: []string{"money_frozen", "money_thawed"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, ctx, nobody := apptest.Setup(t, true, false), context.Background(), ""
			w.Letterbox(&nobody)
			settings := profile.New(profile.Options{Pool: w.Pool, Vault: w.App.Vault, People: w.App.People})
			w.App.Notices.Settings = settings
			require.NoError(t, w.App.Notices.BeginLetters(ctx))
			_, err := settings.SetSettings(ctx, w.Member.User, form)
			require.Equal(t, len(form.MutedEmail) > 0, fault.Is(err, fault.Invalid), "%v", err)
			_, err = w.App.Vault.Set(ctx, w.Member.User, func(r *vault.Record) {
				r.Settings = vault.Settings{NotInApp: !form.InApp, NotByMail: !form.Email, MutedInApp: form.MutedInApp, MutedEmail: form.MutedEmail}
			})
			require.NoError(t, err)
			hidden, err := settings.Hidden(ctx, w.Member.User)
			require.NoError(t, err)
			require.NotContains(t, hidden, "money_thawed")
			w.Gives(ledgertest.Happens("thaws", &nairav1.OutgoingFrozen{UserId: w.Member.User}, &nairav1.ThawAsked{UserId: w.Member.User, ThawAt: timestamppb.New(time.Now().Add(24 * time.Hour))}))
			require.NoError(t, w.App.Notices.MailNotifications(ctx))
			require.Positive(t, w.Written(w.Member), "in 24 hours a thief could empty the wallet")
		})
	}
}
