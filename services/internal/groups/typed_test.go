package groups_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/vault"
)

// typing is an approver who enters bank accounts in their profile, and another person's account.
func typing(t *testing.T) (q *apptest.Quarter, payee vault.Payee, names func(number, holder string, at time.Time), paid func(at time.Time) []string) {
	t.Helper()
	q = apptest.QuarterOf(t, false)
	ctx := context.Background()
	payee = vault.Payee{BankCode: "082", Number: "0123456789", AccountName: "TREASURER BELLO"}
	names = func(number, holder string, at time.Time) {
		_, err := q.App.Vault.Set(ctx, q.Approver.User, func(r *vault.Record) {
			r.Bank = vault.Bank{Code: "082", Number: number, AccountName: holder, ChangedAt: at}
		})
		require.NoError(t, err)
	}
	paid = func(at time.Time) []string {
		officers, err := q.App.At(at).Groups.Membership.Officers(ctx, q.Group, payee, q.Member.User)
		require.NoError(t, err)
		return officers.Paid
	}
	return q, payee, names, paid
}

// Otherwise a number that an official typed once would keep a treasurer's savings in the group for ever.
func TestAnAccountThatAnOfficialOnlyTypedTiesThemFor90DaysAfterAnotherTookItsPlace(t *testing.T) {
	t.Parallel()
	q, payee, names, paid := typing(t)
	typed, day := time.Now(), 24*time.Hour
	names(payee.Number, payee.AccountName, typed)
	require.Equal(t, []string{q.Approver.User}, paid(typed.Add(200*day)), "they still name it as theirs")
	names("0000000017", "", typed.Add(10*day))
	require.Equal(t, []string{q.Approver.User}, paid(typed.Add(99*day)), "nobody approves a payment to it by changing their profile")
	require.Empty(t, paid(typed.Add(101*day)))
}

func TestAnAccountOfWhichABankSaysThatItIsAnOfficialsTiesThemForEver(t *testing.T) {
	t.Parallel()
	q, payee, names, paid := typing(t)
	cards, err := q.App.People.Cards(context.Background(), []string{q.Approver.User})
	require.NoError(t, err)
	typed, day := time.Now(), 24*time.Hour
	names(payee.Number, cards[q.Approver.User].FirstName+" "+cards[q.Approver.User].LastName, typed)
	names("0000000017", "", typed.Add(day))
	require.Equal(t, []string{q.Approver.User}, paid(typed.Add(400*day)))
}

// The bank did not name the account's holder, but confirmed that their BVN belongs to it.
func TestAnAccountWithWhichAnOfficialsBvnWasVerifiedTiesThemForEver(t *testing.T) {
	t.Parallel()
	q, payee, names, paid := typing(t)
	typed, day := time.Now(), 24*time.Hour
	names(payee.Number, "", typed)
	_, err := q.App.Vault.Set(context.Background(), q.Approver.User, func(r *vault.Record) { r.Bvn.Status = vault.Verified })
	require.NoError(t, err)
	names("0000000017", "", typed.Add(day))
	require.Equal(t, []string{q.Approver.User}, paid(typed.Add(400*day)))
}

// Nobody can keep an official from deciding by typing a number: not into their own profile, and not into the official's
// while they use that account.
func TestAnAccountThatSomebodyElseTypedTiesNoOfficial(t *testing.T) {
	t.Parallel()
	q, payee, names, paid := typing(t)
	_, err := q.App.Vault.Set(context.Background(), q.Outsider.User, func(r *vault.Record) {
		r.Bank = vault.Bank{Code: "082", Number: payee.Number, AccountName: payee.AccountName, ChangedAt: time.Now()}
	})
	require.NoError(t, err)
	require.Empty(t, paid(time.Now()))
	stolen := time.Now().Add(-time.Hour)
	names(payee.Number, payee.AccountName, stolen.Add(time.Minute))
	names("0000000017", "", stolen.Add(2*time.Minute))
	require.Equal(t, []string{q.Approver.User}, paid(time.Now()))
	q.Gives(ledgertest.Raw{event.On(account.Stream(q.Approver.User), &nairav1.AccountGivenBackV2{UserId: q.Approver.User, RemedyId: "r", Since: timestamppb.New(stolen), HeldUntil: timestamppb.New(stolen)})})
	require.Empty(t, paid(time.Now()))
}
