package notices_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/domain/account"
	"adashi.ng/projections/notifications/told"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/dues"
	"adashi.ng/services/internal/groups"
	"adashi.ng/services/internal/mail"
	"adashi.ng/services/internal/notices"
	"adashi.ng/services/internal/usecase"
)

// post is a town whose letters are read, and its clock.
type post struct {
	*apptest.Town
	now  time.Time
	gone string
}

func posted(t *testing.T) *post {
	t.Helper()
	p := &post{Town: apptest.Setup(t, true, false), now: time.Now()}
	p.App.Now = func() time.Time { return p.now }
	p.Letterbox(&p.gone)
	for _, who := range []usecase.Who{p.Member, p.Owner} {
		p.Fund(who.User)
	}
	return p
}

// pays has somebody pay into the shown sub-account.
func (p *post) pays(who usecase.Who, amounts ...int64) {
	p.Helper()
	for _, amount := range amounts {
		_, err := p.App.Dues.PayFromWallet(context.Background(), who, p.Open, apptest.Naira(amount), dues.Due{})
		require.NoError(p, err)
	}
}

// later is when the job runs again, so long after.
func (p *post) later(d time.Duration) error {
	p.Helper()
	p.now = p.now.Add(d)
	require.NoError(p, p.Engine.CatchUp(context.Background()))
	return p.App.Notices.MailPayments(context.Background())
}

// to are the letters to somebody, newest first.
func (p *post) to(who usecase.Who) []mail.Shown {
	p.Helper()
	letters, err := mail.Newest(context.Background(), p.Pool, strings.ToLower(who.Email))
	require.NoError(p, err)
	return letters
}

func TestWhatADigestSaysOfAMemberIsForgottenWithThem(t *testing.T) {
	t.Parallel()
	p := posted(t)
	p.pays(p.Member, 500)
	require.NoError(t, p.later(time.Second))
	p.pays(p.Member, 300, 200)
	require.NoError(t, p.later(time.Hour))
	require.Len(t, p.to(p.Validator), 2, "one letter about one payment and one about two")
	require.NoError(t, mail.Forget(context.Background(), p.Pool, p.Member.User, p.Member.Email))
	require.Empty(t, p.to(p.Validator))
}

func TestOnePaymentReadsAsItsNotification(t *testing.T) {
	t.Parallel()
	p := posted(t)
	require.NoError(t, p.later(0))
	require.Empty(t, p.to(p.Owner), "nothing was paid")
	p.pays(p.Member, 500)
	require.NoError(t, p.later(time.Second))
	for _, official := range []usecase.Who{p.Owner, p.Validator} {
		letters := p.to(official)
		require.Len(t, letters, 1)
		require.Equal(t, "Payment received", letters[0].Subject)
		require.Contains(t, letters[0].Text, "Member Person paid ₦500.00 to Balogun Traders · Welfare.")
		require.Contains(t, letters[0].Text, "/savings/"+p.Group+"/audit?payment=")
	}
	require.Empty(t, p.to(p.Member), "they know")
	require.Empty(t, p.to(p.Approver))
	require.NoError(t, p.App.Notices.MailNotifications(context.Background()))
	require.Len(t, p.to(p.Validator), 1, "it comes once")
	require.Len(t, p.to(p.Member), 1, "their wallet was funded")
}

func TestManyPaymentsComeInOneLetterAndNotTooOften(t *testing.T) {
	t.Parallel()
	p := posted(t)
	p.pays(p.Member, 100, 200, 300, 400, 500, 600, 700, 800)
	p.pays(p.Owner, 150)
	require.NoError(t, p.later(0))
	letters := p.to(p.Owner)
	require.Len(t, letters, 1)
	require.Equal(t, "8 payments in Balogun Traders", letters[0].Subject, "their own is none")
	require.Contains(t, letters[0].Text, "Member Person paid ₦800.00 to")
	require.Contains(t, letters[0].Text, "Member Person paid ₦400.00 to")
	require.NotContains(t, letters[0].Text, "Member Person paid ₦300.00 to")
	require.Contains(t, letters[0].Text, "And 3 others.")
	require.Contains(t, letters[0].Text, "Balogun Traders · Welfare: 8 payments, ₦3,600.00")
	require.Contains(t, letters[0].Text, "/savings/"+p.Group+"/audit\n")
	require.Equal(t, "9 payments in Balogun Traders", p.to(p.Validator)[0].Subject)

	p.pays(p.Member, 110)
	require.NoError(t, p.later(notices.DigestEvery-time.Second))
	require.Len(t, p.to(p.Owner), 1, "not yet")
	require.NoError(t, p.later(time.Second))
	require.Len(t, p.to(p.Owner), 2)
	require.Contains(t, p.to(p.Owner)[0].Text, "₦110.00")
	require.NoError(t, p.later(notices.DigestEvery))
	require.Len(t, p.to(p.Owner), 2, "nothing was paid since")
	p.pays(p.Member, 120)
	require.NoError(t, p.later(time.Second))
	require.Len(t, p.to(p.Owner), 3, "after a quiet time it comes at once")
}

func TestSeveralGroupsComeInOneLetter(t *testing.T) {
	t.Parallel()
	p, ctx := posted(t), context.Background()
	var subs []string
	for n := range 21 {
		group, _, err := p.App.Groups.CreateGroup(ctx, p.Owner, groups.NewGroup{Name: fmt.Sprint("Group ", n), Amount: apptest.Naira(5000), Capacity: 9, StartMonth: int(p.now.Month())})
		require.NoError(t, err)
		for _, who := range []usecase.Who{p.Validator, p.Approver, p.Member} {
			_, _, err = p.App.Groups.JoinGroup(ctx, who, group, p.App.Groups.InvitationCode(group))
			require.NoError(t, err)
			_, _, err = p.App.Groups.ApproveMember(ctx, p.Owner, group, who.User)
			require.NoError(t, err)
		}
		_, err = p.App.Groups.AppointApprover(ctx, p.Owner, group, p.Approver.User)
		require.NoError(t, err)
		_, err = p.App.Groups.AppointValidator(ctx, p.Owner, group, p.Validator.User)
		require.NoError(t, err)
		sub, _, err := p.App.Groups.OpenSubAccount(ctx, p.Owner, groups.NewSubAccount{GroupID: group, Name: "Dues", Type: "FLEXIBLE", Frequency: "MONTHLY", Amount: apptest.Naira(100)})
		require.NoError(t, err)
		subs = append(subs, sub)
	}
	p.pays(p.Member, 100, 200)
	for n, sub := range subs {
		_, err := p.App.Dues.PayFromWallet(ctx, p.Member, sub, apptest.Naira(int64(100+n)), dues.Due{})
		require.NoError(t, err)
	}
	require.NoError(t, p.later(0))
	text := p.to(p.Owner)[0].Text
	require.Equal(t, "23 payments in 22 groups", p.to(p.Owner)[0].Subject)
	require.Contains(t, text, "Balogun Traders · Welfare: 2 payments, ₦300.00")
	require.Contains(t, text, "Member Person paid ₦120.00 to Group 20 · Dues.")
	require.Contains(t, text, "And 18 others.")
	require.Contains(t, text, "Other sub-accounts: 2 payments, ₦")
	require.Contains(t, text, "/dashboard/notifications\n")
	require.Equal(t, 22, strings.Count(text, " payment, ₦")+strings.Count(text, " payments, ₦")+1, "twenty lines, and one for the rest")
}

func TestWhoHeldTheOfficeWhenItWasPaidIsWrittenTo(t *testing.T) {
	t.Parallel()
	p, ctx := posted(t), context.Background()
	p.pays(p.Member, 100)
	p.Gives(account.EndCheck(p.Member.User, "check", 0))
	_, err := p.App.Groups.AppointValidator(ctx, p.Owner, p.Group, p.Member.User)
	require.NoError(t, err)
	p.pays(p.Owner, 200, 300)
	require.NoError(t, p.later(0))
	require.Len(t, p.to(p.Validator), 1)
	require.Contains(t, p.to(p.Validator)[0].Text, "₦100.00")
	require.Equal(t, "Payment received", p.to(p.Validator)[0].Subject)
	require.Equal(t, []string{"2 payments in Balogun Traders"}, subjects(p.to(p.Member)))
}

func subjects(letters []mail.Shown) (all []string) {
	for _, l := range letters {
		all = append(all, l.Subject)
	}
	return all
}

func TestNobodyIsWrittenToAboutWhatTheyMutedOrWhatIsOld(t *testing.T) {
	t.Parallel()
	p := posted(t)
	p.Mutes(p.Owner, told.PaymentReceived)
	p.pays(p.Member, 100, 200)
	require.NoError(t, p.later(0))
	require.Empty(t, p.to(p.Owner))
	require.Len(t, p.to(p.Validator), 1)
	p.pays(p.Member, 300)
	require.NoError(t, p.later(25*time.Hour))
	require.Len(t, p.to(p.Validator), 1, "it is a day old")
	require.Zero(t, p.waiting())
}

// waiting is how much is still to be written about.
func (p *post) waiting() (n int) {
	p.Helper()
	require.NoError(p, p.Pool.QueryRow(context.Background(), "SELECT count(*) FROM payment_digests").Scan(&n))
	return n
}

func TestADigestThatIsCutShortGoesOnWhereItStood(t *testing.T) {
	t.Parallel()
	p, ctx := posted(t), context.Background()
	p.gone = p.Owner.User
	p.pays(p.Member, 100, 200)
	require.ErrorContains(t, p.later(0), "nobody like")
	require.Len(t, p.to(p.Validator), 1, "the others get theirs")
	require.Empty(t, p.to(p.Owner))
	letters, err := p.App.Notices.Letters(ctx)
	require.NoError(t, err)
	require.Equal(t, 1, letters.Failed)
	require.Equal(t, "nobody like (address) is here", letters.Last[0].Reason)

	// What comes meanwhile is in the letter that is written at last.
	p.pays(p.Member, 300)
	require.Error(t, p.later(notices.DigestEvery))
	p.gone = ""
	require.NoError(t, p.App.Notices.TryLettersAgain(ctx))
	require.NoError(t, p.later(0))
	require.Equal(t, []string{"3 payments in Balogun Traders"}, subjects(p.to(p.Owner)))
	require.Equal(t, []string{"Payment received", "2 payments in Balogun Traders"}, subjects(p.to(p.Validator)))

	// A process that ended between the sum and the letters.
	p.pays(p.Member, 400, 500)
	p.now = p.now.Add(notices.DigestEvery)
	require.NoError(t, p.Engine.CatchUp(ctx))
	stopped, stop := context.WithCancel(ctx)
	p.Stops(stop)
	require.Error(t, p.App.Notices.MailPayments(stopped))
	require.Positive(t, p.waiting())
	p.Stops(nil)
	for range 2 {
		require.NoError(t, p.later(time.Second))
	}
	require.Equal(t, []string{"2 payments in Balogun Traders", "3 payments in Balogun Traders"}, subjects(p.to(p.Owner)))
	require.Len(t, p.to(p.Validator), 3)
	require.Zero(t, p.waiting())

	// One that cannot be written is given up, and what comes after it is told.
	p.gone = p.Owner.User
	p.pays(p.Member, 600)
	require.Error(t, p.later(notices.DigestEvery))
	for range 30 {
		_ = p.later(time.Hour)
	}
	require.Zero(t, p.waiting())
	p.gone = ""
	p.now = time.Now().Add(90 * time.Minute)
	p.pays(p.Member, 700)
	require.NoError(t, p.later(notices.DigestEvery))
	require.Len(t, p.to(p.Owner), 3)
}

// What comes while a letter cannot be written is given up a day after it came itself.
func TestADigestThatIsGivenUpTakesNoNewPaymentWithIt(t *testing.T) {
	t.Parallel()
	p, ctx := posted(t), context.Background()
	p.gone = p.Owner.User
	p.pays(p.Member, 600)
	require.Error(t, p.later(0))
	p.now = p.now.Add(24*time.Hour - 2*notices.DigestEvery)
	p.pays(p.Member, 100)
	require.Error(t, p.later(notices.DigestEvery), "the new one is gathered, and cannot be written yet")
	p.gone = ""
	require.NoError(t, p.App.Notices.TryLettersAgain(ctx))
	_ = p.later(notices.DigestEvery + 5*time.Minute)
	require.NotEmpty(t, p.to(p.Owner), "₦100.00 came in half an hour ago, and the owner is never written to of it")
}
