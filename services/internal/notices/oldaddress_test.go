package notices_test

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/ledgertest"
	"adashi.ng/services/internal/mail"
	"adashi.ng/services/internal/people"
)

// What waits to be sent under an earlier address, and tells of a member's money, goes to the address that they have
// now. A freeze is told at both.
func TestWhatWaitsToBeSentFollowsAMemberToTheirNewAddress(t *testing.T) {
	t.Parallel()
	p, ctx := posted(t), context.Background()
	require.NoError(t, p.Engine.CatchUp(ctx))
	p.Fund(p.Outsider.User)
	require.NoError(t, p.Engine.CatchUp(ctx))
	require.NoError(t, p.App.Notices.MailNotifications(ctx))
	old := strings.ToLower(p.Outsider.Email)
	waits := func() (n int) {
		require.NoError(t, p.Pool.QueryRow(ctx, "SELECT count(*) FROM mail_outbox WHERE recipient = $1 AND state = 'QUEUED' AND form = 'money received'", old).Scan(&n))
		return n
	}
	require.Equal(t, 1, waits())
	folk := p.App.People
	in, err := folk.Login(ctx, people.Attempt{Email: old, Password: "a long enough one", Device: "Chrome"})
	require.NoError(t, err)
	caller, err := folk.Authenticate(ctx, in.Token, in.Secret)
	require.NoError(t, err)
	require.NoError(t, folk.ChangeEmail(ctx, caller, "moved@example.com"))
	letters, err := mail.Newest(ctx, p.Pool, "moved@example.com")
	require.NoError(t, err)
	require.Len(t, letters, 1)
	token := regexp.MustCompile(`[A-Za-z0-9_-]{20,}`).FindAllString(letters[0].Text, -1)
	require.NotEmpty(t, token, letters[0].Text)
	require.NoError(t, folk.ConfirmEmail(ctx, token[len(token)-1]), letters[0].Text)
	require.Zero(t, waits(), "₦9,000.00 is not told to whoever reads the old mailbox")
	require.Positive(t, p.letters("moved@example.com", "money received"))
	require.Positive(t, p.letters(old, "email changed"), "the safety of the account is")

	p.Gives(ledgertest.Happens("freezes", &nairav1.OutgoingFrozen{UserId: p.Outsider.User}))
	require.NoError(t, p.Engine.CatchUp(ctx))
	require.NoError(t, p.App.Notices.MailNotifications(ctx))
	require.Equal(t, []int{1, 1}, []int{p.letters("moved@example.com", "notice"), p.letters(old, "notice")}, "a freeze is told at both")
}

// letters is how many letters of a form were queued for an address.
func (p *post) letters(to, form string) (n int) {
	p.Helper()
	require.NoError(p, p.Pool.QueryRow(context.Background(), "SELECT count(*) FROM mail_outbox WHERE recipient = $1 AND form = $2", to, form).Scan(&n))
	return n
}
