package sandbox_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/banks"
	"adashi.ng/services/internal/rails/sandbox"
	"adashi.ng/services/internal/secret"
)

func keystone(t *testing.T) rails.Bank {
	t.Helper()
	bank, found := banks.New().Find("082")
	require.True(t, found)
	return bank
}

func TestNameEnquiryInBothDialects(t *testing.T) {
	t.Parallel()
	b := setup(t)
	own, _ := banks.New().Find("566")
	for name, rail := range map[string]rails.Enquirer{"vfd": b.vfd, "paystack": b.paystack} {
		got, err := rail.AccountName(t.Context(), keystone(t), "1111111103")
		require.NoError(t, err, name)
		require.Equal(t, "OBI ADA", got, name)
		got, err = rail.AccountName(t.Context(), own, "1000074944")
		require.NoError(t, err, name)
		require.Equal(t, "ADE BISI", got, "%s, inside the bank", name)
		_, err = rail.AccountName(t.Context(), keystone(t), "1000074944")
		require.ErrorIs(t, err, rails.ErrNoAccount, name)
		list, err := rail.Banks(t.Context())
		require.NoError(t, err, name)
		require.Len(t, list, 35, name)
	}
}

func person(t *testing.T, bvn, first, last, account string) rails.Claim {
	t.Helper()
	return rails.Claim{BVN: secret.Text(bvn), FirstName: first, LastName: last, Email: bvn + "@example.com", Bank: keystone(t), Account: account}
}

func TestVfdVerifiesAtOnceLaterOrNever(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, c := range map[string]struct {
		claim rails.Claim
		want  rails.Verdict
	}{
		"theirs":            {person(t, "22222222223", "ada", "OBI", "1111111103"), rails.Match},
		"another name":      {person(t, "22222222223", "Eve", "Obi", "1111111103"), rails.Mismatch},
		"another's account": {person(t, "22222222223", "Ada", "Obi", "1111111111"), rails.Mismatch},
		"no account":        {person(t, "22222222223", "Ada", "Obi", "9999999999"), rails.Mismatch},
		"no BVN":            {person(t, "22222222220", "Ada", "Obi", "1111111103"), rails.NoBVN},
		"slow":              {person(t, "22222222225", "Chidi", "Eze", "1111111111"), rails.Undecided},
		"silent":            {person(t, "22222222226", "Dayo", "Bello", "1111111112"), rails.Undecided},
		"somebody else's":   {person(t, "22222222227", "Emeka", "Okoro", "1111111113"), rails.Mismatch},
	} {
		got, err := b.vfd.Verify(t.Context(), c.claim)
		require.NoError(t, err, name)
		require.Equal(t, c.want, got.Verdict, name)
	}
	b.pass(21 * time.Second)
	got, err := b.vfd.Verify(t.Context(), person(t, "22222222225", "Chidi", "Eze", "1111111111"))
	require.NoError(t, err)
	require.Equal(t, rails.Match, got.Verdict)
}

func TestPaystackTellsByASignedWebhook(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, c := range []struct {
		claim rails.Claim
		want  rails.Verdict
	}{
		{person(t, "22222222223", "Ada", "Obi", "1111111103"), rails.Match},
		{person(t, "22222222224", "Bisi", "Ade", "1111111103"), rails.Mismatch},
	} {
		got, err := b.paystack.Verify(t.Context(), c.claim)
		require.NoError(t, err)
		require.Equal(t, rails.Undecided, got.Verdict)
		require.NotEmpty(t, got.Customer)
		hook := b.hook(t)
		notice, err := b.paystack.ParseIdentity(hook.header, hook.body)
		require.NoError(t, err)
		require.Equal(t, rails.IdentityNotice{Customer: got.Customer, Email: c.claim.Email, Verdict: c.want, Account: c.claim.Account, BVNEnd: c.claim.BVN.Reveal()[8:]}, notice)
		_, err = b.paystack.ParseIdentity(hook.header, append(hook.body, ' '))
		require.True(t, fault.Is(err, fault.Forbidden), "%v", err)
		_, err = b.paystack.ParseWebhook(hook.header, hook.body)
		require.ErrorIs(t, err, rails.ErrNoPayment)
		c.claim.Customer = got.Customer
		got, err = b.paystack.Verify(t.Context(), c.claim)
		require.NoError(t, err)
		require.Equal(t, c.want == rails.Match, got.Verdict == rails.Match)
	}
}

func TestAnybodyMadeUpIsOpenedAtTheCounter(t *testing.T) {
	t.Parallel()
	b := setup(t)
	form := url.Values{"first_name": {"Ngozi"}, "last_name": {"Bassey"}, "bank": {"082"}, "account": {"1234567890"}, "bvn": {"22345678901"}}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for _, status := range []int{http.StatusSeeOther, http.StatusUnprocessableEntity} { // The second time they already exist.
		response, err := client.PostForm(b.base+"/sandbox/people", form)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Equal(t, status, response.StatusCode)
	}
	got, err := b.vfd.Verify(t.Context(), person(t, "22345678901", "Ngozi", "Bassey", "1234567890"))
	require.NoError(t, err)
	require.Equal(t, rails.Match, got.Verdict)
	made, err := b.bank.AddPerson(t.Context(), sandbox.Person{FirstName: "Tunde", LastName: "Alao", BankCode: "058"})
	require.NoError(t, err)
	require.Len(t, made.Account, 10)
	require.Len(t, made.BVN, 11)
	for name, p := range map[string]sandbox.Person{
		"no bank":   {FirstName: "T", LastName: "A"},
		"no name":   {BankCode: "058"},
		"nine":      {FirstName: "T", LastName: "A", BankCode: "058", Account: "123456789"},
		"ten a BVN": {FirstName: "T", LastName: "A", BankCode: "058", BVN: "2234567890"},
	} {
		_, err := b.bank.AddPerson(t.Context(), p)
		require.True(t, fault.Is(err, fault.Invalid), "%s: %v", name, err)
	}
}
