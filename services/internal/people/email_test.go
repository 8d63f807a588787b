package people_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/people"
)

func TestMovingToAnotherEmail(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	open := b.login(t)
	caller := b.caller(t, open)
	requireField(t, b.ChangeEmail(b.ctx, caller, "nonsense"), fault.Invalid, "email")
	requireField(t, b.ChangeEmail(b.ctx, caller, " ADA@example.com"), fault.Invalid, "email")
	require.NoError(t, b.ChangeEmail(b.ctx, caller, "Ada@New.example"))
	require.Equal(t, "Somebody asked to change your email", b.lastSubject(t, email))
	profile, err := b.Profile(b.ctx, caller.UserID)
	require.NoError(t, err)
	require.Equal(t, email, profile.Email)
	require.Equal(t, "ada@new.example", profile.PendingEmail)
	b.caller(t, open)

	squatter := ada() // A sign-up that was never verified does not keep the address from its owner.
	squatter.Email, squatter.Password = "ada@new.example", "the squatter's own"
	require.NoError(t, b.Register(b.ctx, squatter))
	require.NoError(t, b.ConfirmEmail(b.ctx, b.linkTo(t, "ada@new.example", "/confirm-email")))
	b.over(t, open)
	require.Equal(t, "Your Adashi account has a new email", b.lastSubject(t, email))
	require.Equal(t, []string{people.EmailChanged}, b.kinds)
	_, err = b.enter(email, "correct horse")
	requireFault(t, err, fault.Credentials, "not right")
	login, err := b.enter("ada@new.example", "correct horse")
	require.NoError(t, err)
	require.Equal(t, caller.UserID, login.Profile.UserID)
	requireFault(t, b.ConfirmEmail(b.ctx, b.linkTo(t, "ada@new.example", "/confirm-email")), fault.Credentials, "already been used")
	require.NoError(t, b.Register(b.ctx, ada()), "the old address is free")
}

func TestATakenEmailIsNotMovedToNorTold(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	eve := ada()
	eve.Email = "eve@example.com"
	_, err := b.CreateVerified(b.ctx, eve)
	require.NoError(t, err)
	caller := b.caller(t, b.login(t))
	require.NoError(t, b.ChangeEmail(b.ctx, caller, "eve@example.com"))
	require.Equal(t, "You already have an Adashi account", b.lastSubject(t, "eve@example.com"))

	require.NoError(t, b.ChangeEmail(b.ctx, caller, "late@example.com"))
	late := ada()
	late.Email = "late@example.com"
	_, err = b.CreateVerified(b.ctx, late) // It came to somebody else meanwhile.
	require.NoError(t, err)
	requireFault(t, b.ConfirmEmail(b.ctx, b.linkTo(t, "late@example.com", "/confirm-email")), fault.Conflict, "another account")
	b.caller(t, b.login(t))
}

func TestTheErasedAreGone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	login := b.login(t)
	caller := b.caller(t, login)
	b.enrolled(t, caller)
	require.NoError(t, b.SendPasswordResetLink(b.ctx, email))
	cards, err := b.Cards(b.ctx, []string{caller.UserID})
	require.NoError(t, err)
	require.Equal(t, "Ada", cards[caller.UserID].FirstName)
	for range 2 {
		require.NoError(t, b.Erase(b.ctx, caller.UserID))
	}
	b.over(t, login)
	for _, table := range []string{"accounts", "sessions", "email_links", "earlier_emails", "devices", "totp", "removed_totp", "recovery_codes", "mail_outbox WHERE NOT farewell"} {
		var dump string
		require.NoError(t, b.pool.QueryRow(b.ctx, `SELECT coalesce(string_agg(x::text, ''), '') FROM (SELECT * FROM `+table+`) x`).Scan(&dump))
		for _, trace := range []string{"ada@", "Ada", "Neil", "803123", "1990-05-17"} {
			require.NotContains(t, dump, trace, table)
		}
	}
	var farewells string
	require.NoError(t, b.pool.QueryRow(b.ctx, `SELECT string_agg(recipient, ' ') FROM mail_outbox WHERE farewell`).Scan(&farewells))
	require.Equal(t, email, farewells, "they are written to for the last time, once")
	cards, err = b.Cards(b.ctx, []string{caller.UserID})
	require.NoError(t, err)
	require.Equal(t, people.Card{FirstName: "A former", LastName: "member"}, cards[caller.UserID])
	for _, who := range []string{email, caller.UserID + "@erased.invalid"} {
		_, err = b.enter(who, "correct horse")
		requireFault(t, err, fault.Credentials, "The email or password is not right.")
	}
	requireFault(t, b.Erase(b.ctx, "0199a000-0000-7000-8000-000000000001"), fault.NotFound, "no such account")
	again, err := b.CreateVerified(b.ctx, ada())
	require.NoError(t, err)
	require.NotEqual(t, caller.UserID, again)
}
