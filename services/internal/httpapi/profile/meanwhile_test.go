package profile_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/sandbox"
	"adashi.ng/services/internal/vault"
)

// slow is a bank that answers a name enquiry slowly: meanwhile something else happens.
type slow struct {
	rails.Enquirer
	meanwhile func()
}

func (s *slow) AccountName(ctx context.Context, bank rails.Bank, number string) (string, error) {
	if do := s.meanwhile; do != nil {
		s.meanwhile = nil
		do()
	}
	return s.Enquirer.AccountName(ctx, bank, number)
}

func (b *bundle) gives(user string, commands ...event.Command) {
	b.Helper()
	for _, c := range commands {
		_, err := b.ledger.Append(b.Context(), store.Command{ID: uuid.New(), Actor: user, Command: c})
		require.NoError(b, err)
	}
}

// A name and a bank account are checked before we ask the bank for the new account's holder, and again when they are
// stored.
func TestABvnThatIsVerifiedWhileTheBankAnswersKeepsNameAndAccount(t *testing.T) {
	t.Parallel()
	b := setup(t, false)
	b.joins("ada", "Obi", 30)
	_, err := b.bank.AddPerson(t.Context(), sandbox.Person{FirstName: "Musa", LastName: "Danladi", Account: "1313131313", BankCode: "082"})
	require.NoError(t, err)
	b.ok("ada", "POST", update, filled("ada", form{"bankAccountNumber": "1111111103", "bankCode": "082"}))
	b.service.Enquirer = &slow{b.service.Enquirer, func() {
		require.Equal(t, "VERIFIED", b.ok("ada", "POST", lookUp, claim("Ada", "Obi", "1111111103", "22222222223"))["status"])
	}}
	// The sender of both is the account's holder, who has stepped up.
	r := b.ask("ada+", "POST", update, filled("ada", form{"firstName": "Musa", "lastName": "Danladi", "bankAccountNumber": "1313131313", "bankCode": "082"}))
	require.Equal(t, 409, r.status, r.Message)
	a := b.account("ada")
	require.Equal(t, []any{"VERIFIED", "Ada", "Obi", "OBI ADA"}, []any{a["bvnStatus"], a["firstName"], a["lastName"], a["bankAccountName"]})
	require.Equal(t, account.Verified, b.state("ada").Bvn)
	require.Zero(t, b.state("ada").Alerts, "nothing was changed")
}

// While a member's money is frozen no other bank account replaces theirs, even when the freeze comes while we ask the
// bank.
func TestAFreezeWhileTheBankAnswersKeepsTheBankAccount(t *testing.T) {
	t.Parallel()
	b := setup(t, false)
	b.joins("ada", "Obi", 30)
	b.ok("ada", "POST", update, filled("ada", form{"bankAccountNumber": "1111111103", "bankCode": "082"}))
	user := b.callers["ada"].UserID
	b.service.Enquirer = &slow{b.service.Enquirer, func() {
		b.gives(user, account.Freeze{User: user, HoldID: uuid.NewString(), Now: time.Now()})
	}}
	_, err := b.bank.AddPerson(t.Context(), sandbox.Person{FirstName: "Ada", LastName: "Obi", Account: "1212121212", BankCode: "082"})
	require.NoError(t, err)
	b.ask("ada+", "POST", update, filled("ada", form{"bankAccountNumber": "1212121212", "bankCode": "082"}))
	require.True(t, b.state("ada").Frozen)
	require.Zero(t, b.state("ada").Alerts)
	require.Equal(t, "1111111103", b.account("ada")["bankAccountNumber"], "the thief's account took the place of theirs after they froze their money")
}

// Once a BVN was verified the account belongs to that person: neither its name nor its BVN may become another's, even
// after another bank account undid the match. So the tier and the access that one person's papers earned stay theirs.
func TestAnAccountWhoseBvnWasVerifiedBecomesNobodyElses(t *testing.T) {
	t.Parallel()
	b := setup(t, false)
	b.joins("ada", "Obi", 30)
	b.ok("ada", "POST", lookUp, claim("Ada", "Obi", "1111111103", "22222222223"))
	musa, err := b.bank.AddPerson(t.Context(), sandbox.Person{FirstName: "Ada", LastName: "Obi", Account: "1313131313", BankCode: "082", BVN: "22222222290"})
	require.NoError(t, err)
	b.ok("ada+", "POST", update, filled("ada", form{"bankAccountNumber": "1111111113", "bankCode": "082"}))
	require.Equal(t, account.Unchecked, b.state("ada").Bvn, "the account is in another name")
	r := b.ask("ada", "POST", update, filled("ada", form{"firstName": "Emeka", "lastName": "Okoro"}))
	require.Equal(t, "409 firstName", fmt.Sprint(r.status, " ", r.field()), r.Message)
	require.Equal(t, "Ada", b.account("ada")["firstName"])

	b.ok("ada+", "POST", update, filled("ada", form{"bankAccountNumber": "1313131313", "bankCode": "082"}))
	r = b.ask("ada", "POST", lookUp, claim("Ada", "Obi", "1313131313", musa.BVN))
	require.Equal(t, 409, r.status, r.Message)
	require.Contains(t, r.Message, "verified with another BVN")
	require.Equal(t, account.Unchecked, b.state("ada").Bvn)
	b.ok("ada+", "POST", update, filled("ada", form{"bankAccountNumber": "1111111103", "bankCode": "082"}))
	require.Equal(t, "VERIFIED", b.ok("ada", "POST", lookUp, claim("Ada", "Obi", "1111111103", "22222222223"))["status"], "their own")
}

// A BVN may be verified again when its match was undone in the ledger, and not in the vault because the process ended
// there.
func TestAMatchThatWasUndoneInTheLedgerIsUndoneInTheVault(t *testing.T) {
	t.Parallel()
	b := setup(t, false)
	b.joins("ada", "Obi", 30)
	own := claim("Ada", "Obi", "1111111103", "22222222223")
	b.ok("ada", "POST", lookUp, own)
	user := b.callers["ada"].UserID
	b.gives(user, account.MoveBank(user, true))
	require.Equal(t, "VERIFIED", b.ok("ada", "POST", lookUp, own)["status"])
	require.Equal(t, []any{account.Verified, "VERIFIED"}, []any{b.state("ada").Bvn, b.account("ada")["bvnStatus"]})
}

// closes is a bank that answers about a BVN after its member has closed their account.
type closes struct {
	rails.Verifier
	meanwhile func()
}

func (c *closes) Verify(ctx context.Context, of rails.Claim) (rails.Finding, error) {
	found, err := c.Verifier.Verify(ctx, of)
	if do := c.meanwhile; do != nil {
		c.meanwhile = nil
		do()
	}
	return found, err
}

// A bank's answer about a BVN that comes after the closing claims nothing for the closed account.
func TestABvnIsFreeAfterItsAccountWasClosed(t *testing.T) {
	t.Parallel()
	b := setup(t, false)
	b.joins("ada", "Obi", 30)
	user := b.callers["ada"].UserID
	b.service.Verifier = &closes{b.service.Verifier, func() { require.NoError(t, b.service.Close(context.Background(), user)) }}
	b.ask("ada", "POST", lookUp, claim("Ada", "Obi", "1111111103", "22222222223"))
	require.True(t, b.state("ada").Closed)

	b.joins("ada", "Obi", 30) // She signs up again, with the same address.
	require.NotEqual(t, user, b.callers["ada"].UserID)
	r := b.ask("ada", "POST", lookUp, claim("Ada", "Obi", "1111111103", "22222222223"))
	require.Equal(t, 200, r.status, "%s", r.Message)
}

// Closing deletes at once the data that no law requires. Requests that were in progress store nothing afterwards.
func TestNothingNewIsKeptOfWhoClosedTheirAccount(t *testing.T) {
	t.Parallel()
	b := setup(t, false)
	b.joins("ada", "Obi", 30)
	user := b.callers["ada"].UserID
	b.service.Enquirer = &slow{b.service.Enquirer, func() { require.NoError(t, b.service.Close(context.Background(), user)) }}
	address, salary := "12 Marina, Lagos", 250_000.0
	b.ask("ada", "POST", update, filled("ada", form{"address": address, "monthlySalaray": salary, "bankAccountNumber": "1111111103", "bankCode": "082"}))
	r, err := b.service.Vault.Read(t.Context(), user)
	require.NoError(t, err)
	require.Equal(t, []any{"", 0}, []any{r.Address, int(r.MonthlySalary)}, "of somebody who has closed their account")
	require.NoError(t, b.service.Vault.Minimise(t.Context(), user, time.Now()))
	require.ErrorIs(t, b.service.Vault.KeepCard(t.Context(), user, vault.Card{Token: "AUTH_1", Last4: "4081"}, time.Now()), vault.ErrClosed)
	cards, err := b.service.Vault.Cards(t.Context(), user)
	require.NoError(t, err)
	require.Empty(t, cards)
}
