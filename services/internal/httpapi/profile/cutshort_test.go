package profile_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/remedy"
)

// A check is ended in the ledger and then in the vault. After an interruption between them, the vault follows the
// ledger: we do not ask the bank again, whose answer may have changed.
func TestVaultAndLedgerSayTheSameOfABvn(t *testing.T) {
	t.Parallel()
	b := setup(t, false)
	b.joins("chidi", "Eze", 30) // The bank is slow.
	form := claim("Chidi", "Eze", "1111111111", "22222222225")
	require.Equal(t, "PENDING", b.ok("chidi", "POST", lookUp, form)["status"])
	user := b.callers["chidi"].UserID
	r, err := b.service.Vault.Read(t.Context(), user)
	require.NoError(t, err)
	b.gives(user, account.EndCheck(user, r.Bvn.Check, nairav1.BvnFailure_BVN_FAILURE_NO_ANSWER)) // Here the process died.
	b.pass(21 * time.Second)
	require.NoError(t, b.service.AskAgain(t.Context()))
	require.Equal(t, []any{account.Failed, "FAILED"}, []any{b.state("chidi").Bvn, b.account("chidi")["bvnStatus"]})
	require.Equal(t, 200, b.ask("chidi", "POST", lookUp, form).status, "it can be tried again")
}

// Only the ledger allows another BVN. If the vault missed that, it follows at the next read.
func TestTheVaultFollowsWhereAnotherBvnWasLetIn(t *testing.T) {
	t.Parallel()
	b := setup(t, false)
	b.joins("ada", "Obi", 30)
	require.Equal(t, "VERIFIED", b.ok("ada", "POST", lookUp, claim("Ada", "Obi", "1111111103", "22222222223"))["status"])
	user := b.callers["ada"].UserID
	desk := func(staff string) remedy.Desk { return remedy.Desk{Staff: staff, User: user} }
	b.gives(user, remedy.Propose{Desk: desk("sade"), RemedyID: "r", Kind: nairav1.RemedyKind_REMEDY_KIND_ANOTHER_BVN, Case: "C-1", Now: b.now()})
	b.gives(user, remedy.Agree{Desk: desk("uche"), RemedyID: "r", Hold: remedy.Hold, At: b.now()}) // Here the process died.
	require.Equal(t, "NONE", b.account("ada")["bvnStatus"])
	require.Equal(t, account.Unchecked, b.state("ada").Bvn)
}

// The same for a guardian's consent: the ledger has it, and the guardian sees it, whatever they answer next.
func TestAGuardianWhoseConsentIsRecordedIsToldSo(t *testing.T) {
	t.Parallel()
	b := setup(t, false)
	b.joins("tola", "Ade", 17)
	b.ok("tola", "POST", "/api/v1/account/guardian", form{"name": "Bola Ade", "email": "bola@example.com", "relationship": "PARENT"})
	token, user := b.letterTo("bola@example.com"), b.callers["tola"].UserID
	r, err := b.service.Vault.Read(t.Context(), user)
	require.NoError(t, err)
	b.gives(user, account.Consent(user, r.Guardian.Request)) // Here the vault was down.
	told := b.ok("", "POST", "/api/v1/account/guardian/consent", form{"token": token, "accept": false})
	require.Equal(t, "CONSENTED", told["status"])
	require.NoError(t, b.service.MayContribute(t.Context(), user))
}
