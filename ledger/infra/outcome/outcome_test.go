package outcome_test

import (
	"crypto/sha256"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/infra/outcome"
	"adashi.ng/ledger/infra/store"
)

const key = "0f9c2a4e-51c3-8d27-9b0e-7f6a1c2d3e4f"

// command is the id of a command that its actor may ask about.
func command(actor, operation, key string) uuid.UUID {
	id := store.CommandID(actor, operation, key)
	outcome.Mark(&id, actor, key)
	return id
}

func within(t *testing.T, id uuid.UUID, actor, key string) bool {
	t.Helper()
	first, last := outcome.Range(actor, key)
	return first.String() <= id.String() && id.String() <= last.String()
}

func TestAKeyFindsTheCommandsOfItsActorWhateverTheyDo(t *testing.T) {
	t.Parallel()
	require.True(t, outcome.Askable(key))
	require.True(t, outcome.Askable(key+"-pay"))
	require.True(t, within(t, command("ada", "withdraw", key), "ada", key))
	require.True(t, within(t, command("ada", "agree ajo swap 7", key), "ada", key))
	require.True(t, within(t, command("ada", "approve member", key+"\x00bola"), "ada", key), "one of several under a key")
	require.NotEqual(t, command("ada", "withdraw", key), command("ada", "contribute", key))
	require.NotEqual(t, command("ada", "approve member", key+"\x00bola"), command("ada", "approve member", key+"\x00chi"))
	require.False(t, within(t, command("bola", "withdraw", key), "ada", key))
	require.False(t, within(t, command("ada", "withdraw", key+"-pay"), "ada", key))
}

// A retry by an older client after an update must be the same command, or it is done twice.
func TestOtherKeysDeriveTheIDsThatTheyAlwaysDid(t *testing.T) {
	t.Parallel()
	for key, id := range map[string]string{
		"any key of a client":                  "3e7c25dc-96bf-fef7-0d05-bb067391cb8c",
		"3f2b8c1d-9a4e-4f6b-8d2c-1e5a7b9c0d3f": "babef173-70ab-52ba-9868-d65ee4a68c25",
		"0199a000-0000-7000-8000-000000000001": "0199a000-0000-768f-cf3c-d2c5961b4d40",
	} {
		require.False(t, outcome.Askable(key), key)
		require.Equal(t, id, store.CommandID("ada", "withdraw", key).String(), key)
	}
}

// Jobs find by these ids alone what they have done, and their keys may begin with the id of an ajo or a payment.
func TestTheIDsOfJobsStayAsTheyWere(t *testing.T) {
	t.Parallel()
	sum := sha256.Sum256([]byte("adashi command v1\x00system\x00send ajo pot on\x00" + key + ":3"))
	require.Equal(t, uuid.UUID(sum[:16]), store.CommandID("system", "send ajo pot on", key+":3"))
}
