package profile_test

import (
	"regexp"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/services/internal/mail"
	"adashi.ng/services/internal/rails/sandbox"
)

var undoToken = regexp.MustCompile(`/undo\?token=([A-Za-z0-9_-]+)`)

func (b *bundle) undoOf(address string) string {
	b.Helper()
	letters, err := mail.Newest(b.Context(), b.pool, address)
	require.NoError(b, err)
	for _, l := range letters {
		if m := undoToken.FindStringSubmatch(l.Text); m != nil {
			return m[1]
		}
	}
	require.Fail(b, "no undo link")
	return ""
}

// Undoing a second theft must not give the member the first thief's account.
func TestUndoGivesBackTheAccountOfBeforeAndNotAnEarlierThiefs(t *testing.T) {
	t.Parallel()
	b := setup(t, false)
	b.joins("ada", "Obi", 30)
	for _, number := range []string{"1414141414", "1515151515"} {
		_, err := b.bank.AddPerson(t.Context(), sandbox.Person{FirstName: "Musa", LastName: "Danladi", Account: number, BankCode: "082"})
		require.NoError(t, err)
	}
	b.ok("ada", "POST", update, filled("ada", form{"bankAccountNumber": "1111111103", "bankCode": "082"}))
	for _, thiefs := range []string{"1414141414", "1515151515"} {
		b.ok("ada+", "POST", update, filled("ada", form{"bankAccountNumber": thiefs, "bankCode": "082"}))
		require.NoError(t, b.service.Undo(t.Context(), b.undoOf("ada@example.com")))
		require.Equal(t, "1111111103", b.account("ada")["bankAccountNumber"], "after the theft with %s", thiefs)
	}
}

// The same when the member made the changes.
func TestUndoAfterComingBackToAnAccount(t *testing.T) {
	t.Parallel()
	b := setup(t, false)
	b.joins("ada", "Obi", 30)
	for _, number := range []string{"1414141414", "1515151515"} {
		_, err := b.bank.AddPerson(t.Context(), sandbox.Person{FirstName: "Ada", LastName: "Obi", Account: number, BankCode: "082"})
		require.NoError(t, err)
	}
	b.ok("ada", "POST", update, filled("ada", form{"bankAccountNumber": "1111111103", "bankCode": "082"}))
	b.ok("ada+", "POST", update, filled("ada", form{"bankAccountNumber": "1414141414", "bankCode": "082"}))
	b.ok("ada+", "POST", update, filled("ada", form{"bankAccountNumber": "1111111103", "bankCode": "082"}))
	b.ok("ada+", "POST", update, filled("ada", form{"bankAccountNumber": "1515151515", "bankCode": "082"}))
	require.NoError(t, b.service.Undo(t.Context(), b.undoOf("ada@example.com")))
	require.Equal(t, "1111111103", b.account("ada")["bankAccountNumber"])
}

// A BVN that was matched with the member's account must not stay verified with a thief's.
func TestUndoLeavesNoBvnVerifiedWithAnothersAccount(t *testing.T) {
	t.Parallel()
	b := setup(t, false)
	b.joins("ada", "Obi", 30)
	_, err := b.bank.AddPerson(t.Context(), sandbox.Person{FirstName: "Musa", LastName: "Danladi", Account: "1414141414", BankCode: "082"})
	require.NoError(t, err)
	b.ok("ada", "POST", update, filled("ada", form{"bankAccountNumber": "1414141414", "bankCode": "082"}))
	b.ok("ada+", "POST", update, filled("ada", form{"bankAccountNumber": "1111111103", "bankCode": "082"}))
	require.Equal(t, "VERIFIED", b.ok("ada", "POST", lookUp, claim("Ada", "Obi", "1111111103", "22222222223"))["status"])
	require.NoError(t, b.service.Undo(t.Context(), b.undoOf("ada@example.com")))
	a := b.account("ada")
	require.Equal(t, "1414141414", a["bankAccountNumber"])
	require.NotEqual(t, account.Verified, b.state("ada").Bvn, "the account is in another name: %v %v", a["bankAccountName"], a["bvnStatus"])
}

// A thief names an account where there was none.
func TestUndoTakesAThiefsFirstAccountAway(t *testing.T) {
	t.Parallel()
	b := setup(t, false)
	b.joins("ada", "Obi", 30)
	_, err := b.bank.AddPerson(t.Context(), sandbox.Person{FirstName: "Musa", LastName: "Danladi", Account: "1414141414", BankCode: "082"})
	require.NoError(t, err)
	link, err := b.people.UndoLink(t.Context(), b.callers["ada"].UserID, "ada@example.com") // From the letter about a new password.
	require.NoError(t, err)
	b.ok("ada", "POST", update, filled("ada", form{"bankAccountNumber": "1414141414", "bankCode": "082"}))
	require.NoError(t, b.service.Undo(t.Context(), undoToken.FindStringSubmatch(link)[1]))
	require.Nil(t, b.account("ada")["bankAccountNumber"])
}

// The link is refused when another account has the letter's address by now: then nothing is undone, and the link works
// once the address is free.
func TestAnUndoThatIsRefusedLeavesTheBankAccountAsItIs(t *testing.T) {
	t.Parallel()
	b := setup(t, false)
	b.joins("ada", "Obi", 30)
	_, err := b.bank.AddPerson(t.Context(), sandbox.Person{FirstName: "Ada", LastName: "Obi", Account: "1414141414", BankCode: "082"})
	require.NoError(t, err)
	b.ok("ada", "POST", update, filled("ada", form{"bankAccountNumber": "1111111103", "bankCode": "082"}))
	b.ok("ada+", "POST", update, filled("ada", form{"bankAccountNumber": "1414141414", "bankCode": "082"}))
	token := b.undoOf("ada@example.com")
	b.joins("eve", "Obi", 30)
	ada, eve := b.callers["ada"].UserID, b.callers["eve"].UserID
	moves := func(user, to string) {
		_, err := b.pool.Exec(t.Context(), "UPDATE accounts SET email = $2 WHERE id = $1", user, to)
		require.NoError(t, err)
	}
	moves(ada, "loot@example.com")
	moves(eve, "ada@example.com")
	require.True(t, fault.Is(b.service.Undo(t.Context(), token), fault.Conflict))
	require.Equal(t, "1414141414", b.account("ada")["bankAccountNumber"])
	moves(eve, "eve@example.com")
	require.NoError(t, b.service.Undo(t.Context(), token))
	require.Equal(t, "1111111103", b.account("ada")["bankAccountNumber"])
}

// One step uses the link up and records that the bank account must follow. After an interruption there, a job restores
// the account.
func TestAnUndoThatWasCutShortPutsTheBankAccountBackLater(t *testing.T) {
	t.Parallel()
	b := setup(t, false)
	b.joins("ada", "Obi", 30)
	_, err := b.bank.AddPerson(t.Context(), sandbox.Person{FirstName: "Ada", LastName: "Obi", Account: "1414141414", BankCode: "082"})
	require.NoError(t, err)
	b.ok("ada", "POST", update, filled("ada", form{"bankAccountNumber": "1111111103", "bankCode": "082"}))
	b.ok("ada+", "POST", update, filled("ada", form{"bankAccountNumber": "1414141414", "bankCode": "082"}))
	require.NoError(t, b.people.Undo(t.Context(), b.undoOf("ada@example.com"), func(tx pgx.Tx, userID string, since time.Time) error {
		_, err := tx.Exec(t.Context(), "INSERT INTO bank_restores (user_id, since) VALUES ($1, $2)", userID, since)
		return err
	})) // Here the process died.
	require.Equal(t, "1414141414", b.account("ada")["bankAccountNumber"])
	require.NoError(t, b.service.FinishUndos(t.Context()))
	require.Equal(t, "1111111103", b.account("ada")["bankAccountNumber"])
	var left int
	require.NoError(t, b.pool.QueryRow(t.Context(), "SELECT count(*) FROM bank_restores").Scan(&left))
	require.Zero(t, left)
}
