package people_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/people"
)

const thiefs = "thief@example.com"

// Undo spends a link, and notes nothing else.
func (b *bundle) Undo(ctx context.Context, token string) error {
	return b.Service.Undo(ctx, token, nil)
}

// stolen is Ada's account moved to a thief's address, with a new password and an authenticator app of the thief's. It
// answers the token of the letter that told Ada of the move.
func (b *bundle) stolen(t *testing.T) (undo string) {
	t.Helper()
	thief := b.caller(t, b.login(t))
	require.NoError(t, b.ChangeEmail(b.ctx, thief, thiefs))
	require.NoError(t, b.ConfirmEmail(b.ctx, b.linkTo(t, thiefs, "/confirm-email")))
	require.Equal(t, "Your Adashi account has a new email", b.lastSubject(t, email))
	undo = b.linkTo(t, email, "/undo")
	login, err := b.enter(thiefs, "correct horse")
	require.NoError(t, err)
	b.clock.pass(time.Second)
	thief = b.caller(t, login)
	require.NoError(t, b.ChangePassword(b.ctx, thief, "correct horse", "the thief's own"))
	login, err = b.enter(thiefs, "the thief's own")
	require.NoError(t, err)
	b.clock.pass(time.Second)
	b.enrolled(t, b.caller(t, login))
	return undo
}

func TestAnOwnerUndoesAMoveToAThiefsAddressAndWhatCameAfterIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	undo := b.stolen(t)
	theirs := b.linkTo(t, thiefs, "/undo")
	b.clock.pass(71 * time.Hour)
	require.NoError(t, b.Undo(b.ctx, undo))
	_, err := b.enter(thiefs, "the thief's own")
	requireFault(t, err, fault.Credentials, "not right")
	_, err = b.enter(email, "the thief's own")
	requireFault(t, err, fault.Credentials, "not right")
	requireFault(t, b.Undo(b.ctx, undo), fault.Credentials, "already been used")
	requireFault(t, b.Undo(b.ctx, theirs), fault.Credentials, "already been used")
	require.NoError(t, b.ResetPassword(b.ctx, b.linkTo(t, email, "/forgot_password"), "a better password"))
	_, err = b.enter(email, "a better password")
	require.NoError(t, err, "without a code of the thief's app")
}

func TestAThiefUndoesNothingThatTheOwnerCannotUndo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	undo := b.stolen(t)
	require.NoError(t, b.Undo(b.ctx, b.linkTo(t, thiefs, "/undo")), "the thief's own, of the app")
	require.NoError(t, b.Undo(b.ctx, undo), "the earlier link still works")
	require.NoError(t, b.ResetPassword(b.ctx, b.linkTo(t, email, "/forgot_password"), "a better password"))
	_, err := b.enter(email, "a better password")
	require.NoError(t, err)
}

func TestALinkUndoesFor72Hours(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	undo := b.stolen(t)
	b.clock.pass(72 * time.Hour)
	requireFault(t, b.Undo(b.ctx, undo), fault.Credentials, "expired")
}

func TestAnAppThatTheOwnerHadBeforeStays(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	e, _ := b.enrolled(t, b.caller(t, b.login(t)))
	b.clock.pass(73 * time.Hour)
	login, err := b.enterWith(codeOf(t, e, b.clock.now()))
	require.NoError(t, err)
	require.NoError(t, b.ChangePassword(b.ctx, b.caller(t, login), "correct horse", "the thief's own"))
	require.NoError(t, b.Undo(b.ctx, b.linkTo(t, email, "/undo")))
	require.NoError(t, b.ResetPassword(b.ctx, b.linkTo(t, email, "/forgot_password"), "a better password"))
	_, err = b.enter(email, "a better password")
	requireField(t, err, fault.Credentials, "code")
}

// A thief who has the password, and not the mailbox, adds an authenticator app. A new password by the mailbox, which
// the letter about the app names, takes an app away that is younger than 72 hours.
func TestAnOwnerIsNotLockedOutByAThiefsAuthenticator(t *testing.T) {
	t.Parallel()
	for within, after := range map[bool]time.Duration{true: 71 * time.Hour, false: 73 * time.Hour} {
		b := setup(t)
		b.verified(t)
		b.enrolled(t, b.caller(t, b.login(t)))
		require.Contains(t, b.mails(t, email)[len(b.mails(t, email))-1][1], "/send_forgot_password_mail", "the way back that the owner is told")
		b.clock.pass(after)
		require.NoError(t, b.SendPasswordResetLink(b.ctx, email))
		require.NoError(t, b.ResetPassword(b.ctx, b.linkTo(t, email, "/forgot_password"), "a better password"))
		_, err := b.enter(email, "a better password")
		require.Equal(t, within, err == nil, "%v", err)
	}
}

func TestAnAccountMovesNowhereWhileItsMoneyIsFrozen(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	caller := b.caller(t, b.login(t))
	require.NoError(t, b.ChangeEmail(b.ctx, caller, thiefs))
	frozen, err := people.New(people.Options{Pool: b.pool, PublicURL: "http://adashi.test/", Key: key, Clock: b.clock.now, FastHashing: true, MayMove: func(_ context.Context, userID string) error {
		require.Equal(t, caller.UserID, userID)
		return fault.New(fault.Conflict, "It is frozen.")
	}})
	require.NoError(t, err)
	requireFault(t, frozen.ConfirmEmail(b.ctx, b.linkTo(t, thiefs, "/confirm-email")), fault.Conflict, "frozen")
	requireFault(t, frozen.ChangeEmail(b.ctx, caller, "another@example.com"), fault.Conflict, "frozen")
	_, err = b.enter(email, "correct horse")
	require.NoError(t, err)
}

// The app of before stays, so its recovery codes do too: the phone may be what was stolen.
func TestUndoKeepsTheRecoveryCodesOfAnAppThatStays(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	e, codes := b.enrolled(t, b.caller(t, b.login(t)))
	b.clock.pass(100 * 24 * time.Hour)
	login, err := b.enterWith(codeOf(t, e, b.clock.now()))
	require.NoError(t, err)
	require.NoError(t, b.ChangePassword(b.ctx, b.caller(t, login), "correct horse", "the thief's own"))
	require.NoError(t, b.Undo(b.ctx, b.linkTo(t, email, "/undo")))
	require.NoError(t, b.ResetPassword(b.ctx, b.linkTo(t, email, "/forgot_password"), "correct horse"))
	_, err = b.enterWith(codes[0])
	require.NoError(t, err)
}

// The thief confirms the move while the owner opens the earlier link.
func TestUndoMeetsAMoveInTheSameInstant(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	caller := b.caller(t, b.login(t))
	require.NoError(t, b.ChangeEmail(b.ctx, caller, thiefs))
	undo, confirm := b.linkTo(t, email, "/undo"), b.linkTo(t, thiefs, "/confirm-email")
	tx, err := b.pool.Begin(b.ctx)
	require.NoError(t, err)
	_, err = tx.Exec(b.ctx, "SELECT FROM accounts WHERE id = $1 FOR UPDATE", caller.UserID)
	require.NoError(t, err)
	holder := tx.Conn().PgConn().PID()
	moved, undone := make(chan error, 1), make(chan error, 1)
	waiting := func(n int) func() bool {
		return func() bool {
			var waits int
			err := b.pool.QueryRow(b.ctx, `WITH RECURSIVE blocked AS (SELECT pid FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))
				UNION SELECT a.pid FROM pg_stat_activity a JOIN blocked b ON b.pid = ANY (pg_blocking_pids(a.pid))) SELECT count(*) FROM blocked`, holder).Scan(&waits)
			return err == nil && waits == n
		}
	}
	go func() { moved <- b.ConfirmEmail(b.ctx, confirm) }()
	require.Eventually(t, waiting(1), time.Minute, 5*time.Millisecond)
	go func() { undone <- b.Undo(b.ctx, undo) }()
	require.Eventually(t, waiting(2), time.Minute, 5*time.Millisecond)
	require.NoError(t, tx.Rollback(b.ctx))
	require.NoError(t, <-moved)
	require.NoError(t, <-undone)
	var at string
	require.NoError(t, b.pool.QueryRow(b.ctx, "SELECT email FROM accounts WHERE id = $1", caller.UserID).Scan(&at))
	require.Equal(t, email, at)
}

// An owner who has had an app for long sets it up on another phone. A person with the mailbox alone does not get in.
func TestAnAppThatTookThePlaceOfAnOldOneStaysWhenThePasswordIsReset(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	e, _ := b.enrolled(t, b.caller(t, b.login(t)))
	b.clock.pass(400 * 24 * time.Hour)
	login, err := b.enterWith(codeOf(t, e, b.clock.now()))
	require.NoError(t, err)
	owner := b.caller(t, login)
	require.NoError(t, b.RemoveTOTP(b.ctx, owner))
	b.clock.pass(time.Minute)
	b.enrolled(t, owner)
	b.clock.pass(time.Hour)
	require.NoError(t, b.SendPasswordResetLink(b.ctx, email))
	require.NoError(t, b.ResetPassword(b.ctx, b.linkTo(t, email, "/forgot_password"), "the thief's own"))
	_, err = b.enter(email, "the thief's own")
	requireField(t, err, fault.Credentials, "code")
}

// A thief with the password alone adds an app, and another in its place.
func TestAThiefsSecondAppLocksTheOwnerOutNoMoreThanTheFirst(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	thief := b.caller(t, b.login(t))
	b.enrolled(t, thief)
	b.clock.pass(time.Minute)
	require.NoError(t, b.RemoveTOTP(b.ctx, thief))
	b.clock.pass(time.Minute)
	b.enrolled(t, thief)
	require.NoError(t, b.SendPasswordResetLink(b.ctx, email))
	require.NoError(t, b.ResetPassword(b.ctx, b.linkTo(t, email, "/forgot_password"), "a better password"))
	_, err := b.enter(email, "a better password")
	require.NoError(t, err)
}

// Somebody with the open session and a code removes the app, and has one of their own in its place, twice.
func TestUndoBringsARemovedAppBack(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	e, _ := b.enrolled(t, b.caller(t, b.login(t)))
	b.clock.pass(100 * 24 * time.Hour)
	login, err := b.enterWith(codeOf(t, e, b.clock.now()))
	require.NoError(t, err)
	thief := b.caller(t, login)
	require.NoError(t, b.RemoveTOTP(b.ctx, thief))
	undo := b.linkTo(t, email, "/undo")
	for range 2 {
		b.clock.pass(2 * time.Minute)
		b.enrolled(t, thief)
		require.NoError(t, b.RemoveTOTP(b.ctx, thief))
	}
	b.enrolled(t, thief)
	require.NoError(t, b.Undo(b.ctx, undo))
	require.NoError(t, b.ResetPassword(b.ctx, b.linkTo(t, email, "/forgot_password"), "a better password"))
	_, err = b.enter(email, "a better password")
	requireField(t, err, fault.Credentials, "code")
	b.clock.pass(time.Minute)
	_, err = b.Login(b.ctx, people.Attempt{Email: email, Password: "a better password", Code: codeOf(t, e, b.clock.now()), Device: "Chrome on Android"})
	require.NoError(t, err)
}
