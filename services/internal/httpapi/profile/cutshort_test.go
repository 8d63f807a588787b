package profile_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/remedy"
)

// A check is ended in the ledger and then in the vault. Cut short between them, the vault follows the ledger: the bank
// is not asked again, which may say otherwise by then.
func TestVaultAndLedgerSayTheSameOfABvn(t *testing.T) {
	t.Parallel()
	b := setup(t, false)
	b.joins("chidi", "Eze", 30) // The bank takes its time.
	form := claim("Chidi", "Eze", "1111111111", "22222222225")
	require.Equal(t, "PENDING", b.ok("chidi", "POST", lookUp, form)["status"])
	user := b.callers["chidi"].UserID
	r, err := b.service.Vault.Read(t.Context(), user)
	require.NoError(t, err)
	b.gives(user, account.EndCheck(user, r.Bvn.Check, nairav1.BvnFailure_BVN_FAILURE_NO_ANSWER)) // And here the process died.
	b.pass(21 * time.Second)
	require.NoError(t, b.service.AskAgain(t.Context()))
	require.Equal(t, []any{account.Failed, "FAILED"}, []any{b.state("chidi").Bvn, b.account("chidi")["bvnStatus"]})
	require.Equal(t, 200, b.ask("chidi", "POST", lookUp, form).status, "it can be tried again")
}

// Another BVN is let in by the ledger alone. Where the vault was not told, it follows as soon as anybody looks.
func TestTheVaultFollowsWhereAnotherBvnWasLetIn(t *testing.T) {
	t.Parallel()
	b := setup(t, false)
	b.joins("ada", "Obi", 30)
	require.Equal(t, "VERIFIED", b.ok("ada", "POST", lookUp, claim("Ada", "Obi", "1111111103", "22222222223"))["status"])
	user := b.callers["ada"].UserID
	desk := func(staff string) remedy.Desk { return remedy.Desk{Staff: staff, User: user} }
	b.gives(user, remedy.Propose{Desk: desk("sade"), RemedyID: "r", Kind: nairav1.RemedyKind_REMEDY_KIND_ANOTHER_BVN, Case: "C-1", Now: b.now()})
	b.gives(user, remedy.Agree{Desk: desk("uche"), RemedyID: "r", Hold: remedy.Hold, At: b.now()}) // And here the process died.
	require.Equal(t, "NONE", b.account("ada")["bvnStatus"])
	require.Equal(t, account.Unchecked, b.state("ada").Bvn)
}

// The same of a guardian's consent: the ledger has it, and the guardian is told that it has, whatever they answer next.
func TestAGuardianWhoseConsentIsRecordedIsToldSo(t *testing.T) {
	t.Parallel()
	b := setup(t, false)
	b.joins("tola", "Ade", 17)
	b.ok("tola", "POST", "/api/v1/account/guardian", form{"name": "Bola Ade", "email": "bola@example.com", "relationship": "PARENT"})
	token, user := b.letterTo("bola@example.com"), b.callers["tola"].UserID
	r, err := b.service.Vault.Read(t.Context(), user)
	require.NoError(t, err)
	b.gives(user, account.Consent(user, r.Guardian.Request)) // And here the vault was away.
	told := b.ok("", "POST", "/api/v1/account/guardian/consent", form{"token": token, "accept": false})
	require.Equal(t, "CONSENTED", told["status"])
	require.NoError(t, b.service.MayContribute(t.Context(), user))
}
