package account_test

import (
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	. "adashi.ng/ledger/ledgertest"
)

func TestADeviceThatWatchesIsTurnedOffForEver(t *testing.T) {
	t.Parallel()
	w := Given(t, account.RegisterWitness("ada", publicOf(1)))
	refused(t, w, account.RegisterWitness("ada", publicOf(1)), fault.Conflict, "watches the ledger already")
	refused(t, w, account.RevokeWitness("ada", publicOf(2)), fault.NotFound, "None of your devices")
	w.And(account.RevokeWitness("ada", publicOf(1)))
	refused(t, w, account.RevokeWitness("ada", publicOf(1)), fault.Conflict, "not watch the ledger any more")
	refused(t, w, account.RegisterWitness("ada", publicOf(1)), fault.Conflict, "turned off for ever")
	known, is := w.State(account.Stream("ada")).(account.Account).Witness(hex.EncodeToString(publicOf(1)))
	require.True(t, is)
	require.True(t, known.Revoked)
}

func TestAHandfulOfDevicesWatch(t *testing.T) {
	t.Parallel()
	w := Given(t)
	refused(t, w, account.RegisterWitness("ada", publicOf(1)[:31]), fault.Invalid, "Ed25519 key of 32 bytes")
	for n := range byte(5) {
		w.And(account.RegisterWitness("ada", publicOf(n)))
	}
	refused(t, w, account.RegisterWitness("ada", publicOf(9)), fault.Conflict, "5 of your devices")
	w.And(account.RevokeWitness("ada", publicOf(0)), account.RegisterWitness("ada", publicOf(9)))
	for n := byte(20); n < 64; n++ {
		w.And(account.RevokeWitness("ada", publicOf(map[bool]byte{true: 9, false: n - 1}[n == 20])), account.RegisterWitness("ada", publicOf(n)))
	}
	w.And(account.RevokeWitness("ada", publicOf(63)))
	refused(t, w, account.RegisterWitness("ada", publicOf(99)), fault.Conflict, "50 times")
}
