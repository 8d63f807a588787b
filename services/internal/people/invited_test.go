package people_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/people/invited"
)

const cooperative = "018f5a3e-7a6b-7cde-8f01-23456789abcd"

func comesFor(r people.Registration, kind invited.Kind) people.Registration {
	r.Invited = &invited.Place{Kind: kind, ID: cooperative, Code: "Qx7-_a"}
	return r
}

// TestAnInvitationTravelsWithTheSignUp: three days later, and after a new link, it is still on the account.
func TestAnInvitationTravelsWithTheSignUp(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.Register(b.ctx, comesFor(ada(), invited.Savings)))
	b.clock.pass(3 * 24 * time.Hour)
	require.NoError(t, b.Prune(b.ctx))
	require.NoError(t, b.ResendVerification(b.ctx, email))
	verified, err := b.Service.VerifyEmail(b.ctx, b.lastToken(t, email), "correct horse", people.Origin{})
	require.NoError(t, err, "the password of a sign-up whose own link ran out")
	require.Equal(t, &invited.Place{Kind: invited.Savings, ID: cooperative, Code: "Qx7-_a"}, verified.Invited)

	kept, owner := b.invitations(), b.caller(t, b.login(t)).UserID
	b.clock.pass(59*24*time.Hour + 23*time.Hour)
	places, err := kept.List(b.ctx, owner)
	require.NoError(t, err)
	require.Equal(t, []invited.Place{*verified.Invited}, places)
	b.clock.pass(2 * time.Hour)
	places, err = kept.List(b.ctx, owner)
	require.NoError(t, err)
	require.Empty(t, places, "after 60 days it is no longer offered")
}

// TestASignUpEndsAfterThirtyDays: its password opens nothing then, and its person signs up again.
func TestASignUpEndsAfterThirtyDays(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.Register(b.ctx, ada()))
	b.clock.pass(30*24*time.Hour + time.Second)
	require.NoError(t, b.ResendVerification(b.ctx, email))
	requireField(t, b.VerifyEmail(b.ctx, b.lastToken(t, email), "correct horse"), fault.Credentials, "password")
	require.NoError(t, b.Register(b.ctx, ada()))
	require.NoError(t, b.VerifyEmail(b.ctx, b.lastToken(t, email), "correct horse"))
}

// TestAStrangerWhoSignsUpForAnAddressPutsNoInvitationOnIt: only the sign-up whose password counts brings its own.
func TestAStrangerWhoSignsUpForAnAddressPutsNoInvitationOnIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.Register(b.ctx, comesFor(ada(), invited.Ajo)))
	stranger := comesFor(ada(), invited.Savings)
	stranger.Password = "the stranger's own"
	require.NoError(t, b.Register(b.ctx, stranger))
	require.NoError(t, b.VerifyEmail(b.ctx, b.lastToken(t, email), "correct horse"))
	places, err := b.invitations().List(b.ctx, b.caller(t, b.login(t)).UserID)
	require.NoError(t, err)
	require.Len(t, places, 1)
	require.Equal(t, invited.Ajo, places[0].Kind)

	require.NoError(t, b.Register(b.ctx, stranger))
	letters := b.mails(t, email)
	require.Contains(t, fmt.Sprint(letters[len(letters)-1]), "/savings/join-group/"+cooperative+"?code=Qx7-_a", "the letter alone leads there")
	again, err := b.invitations().List(b.ctx, b.caller(t, b.login(t)).UserID)
	require.NoError(t, err)
	require.Equal(t, places, again)
}

// TestOfManySignUpsOfAnAddressTheNewestAreKept once they have expired: nobody fills the table with another's address.
func TestOfManySignUpsOfAnAddressTheNewestAreKept(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for n := range 15 {
		r := ada()
		r.Password = fmt.Sprint("the password of try ", n)
		require.NoError(t, b.Service.Register(b.ctx, r, people.Origin{Address: fmt.Sprint("102.0.0.", n)}))
		b.clock.pass(time.Minute)
	}
	b.clock.pass(25 * time.Hour)
	require.NoError(t, b.ResendVerification(b.ctx, email))
	require.NoError(t, b.Prune(b.ctx))
	var left int
	require.NoError(t, b.pool.QueryRow(b.ctx, `SELECT count(*) FROM email_links WHERE password IS NOT NULL`).Scan(&left))
	require.Equal(t, 12, left)
	token := b.lastToken(t, email)
	requireField(t, b.VerifyEmail(b.ctx, token, "the password of try 2"), fault.Credentials, "password")
	require.NoError(t, b.VerifyEmail(b.ctx, token, "the password of try 3"))
}

func TestTheNewestTwentyInvitationsAreKept(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	kept, owner := b.invitations(), b.caller(t, b.login(t)).UserID
	var places []invited.Place
	for range 22 {
		places = append(places, invited.Place{Kind: invited.Ajo, ID: uuid.NewString()})
		require.NoError(t, kept.Keep(b.ctx, owner, places[len(places)-1]))
		b.clock.pass(time.Second)
	}
	require.NoError(t, kept.Keep(b.ctx, owner, places[2]), "the same again is the newest")
	kept.Used(b.ctx, owner, invited.Ajo, places[21].ID)
	require.NoError(t, kept.Forget(b.ctx, owner, invited.Ajo, "no id"))
	left, err := kept.List(b.ctx, owner)
	require.NoError(t, err)
	require.Len(t, left, 19)
	require.Equal(t, places[2], left[0])
	require.Equal(t, places[3], left[18])

	require.NoError(t, b.Erase(b.ctx, owner))
	left, err = kept.List(b.ctx, owner)
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestAnInvitationThatIsNoneIsRefused(t *testing.T) {
	t.Parallel()
	for _, bad := range []struct{ savings, ajo, code, field string }{
		{cooperative, cooperative, "a", "ajoId"},
		{"../../admin", "", "a", "savingsId"},
		{"", "x", "", "ajoId"},
		{cooperative, "", "a&to=//evil.example", "invitationCode"},
		{cooperative, "", fmt.Sprintf("%065d", 0), "invitationCode"},
	} {
		_, err := invited.Read(bad.savings, bad.ajo, bad.code)
		requireField(t, err, fault.Invalid, bad.field)
	}
	none, err := invited.Read("", "", "left over")
	require.NoError(t, err)
	require.Nil(t, none)
}

func (b *bundle) invitations() invited.Store { return invited.Store{Pool: b.pool, Now: b.clock.now} }
