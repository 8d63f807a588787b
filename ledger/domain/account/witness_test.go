package account_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	. "adashi.ng/ledger/ledgertest"
)

func witnessKey(n byte) []byte { return bytes.Repeat([]byte{n}, 32) }

func TestADeviceThatWatchesIsTurnedOffForEver(t *testing.T) {
	t.Parallel()
	w := Given(t, account.RegisterWitness("ada", witnessKey(1)))
	refused(t, w, account.RegisterWitness("ada", witnessKey(1)), fault.Conflict, "watches the ledger already")
	refused(t, w, account.RevokeWitness("ada", witnessKey(2)), fault.NotFound, "None of your devices")
	w.And(account.RevokeWitness("ada", witnessKey(1)))
	refused(t, w, account.RevokeWitness("ada", witnessKey(1)), fault.Conflict, "not watch the ledger any more")
	refused(t, w, account.RegisterWitness("ada", witnessKey(1)), fault.Conflict, "turned off for ever")
	known, is := w.State(account.Stream("ada")).(account.Account).Witness("0101010101010101010101010101010101010101010101010101010101010101")
	require.True(t, is)
	require.True(t, known.Revoked)
}

func TestAHandfulOfDevicesWatch(t *testing.T) {
	t.Parallel()
	w := Given(t)
	refused(t, w, account.RegisterWitness("ada", witnessKey(1)[:31]), fault.Invalid, "Ed25519 key of 32 bytes")
	for n := range byte(5) {
		w.And(account.RegisterWitness("ada", witnessKey(n)))
	}
	refused(t, w, account.RegisterWitness("ada", witnessKey(9)), fault.Conflict, "5 of your devices")
	w.And(account.RevokeWitness("ada", witnessKey(0)), account.RegisterWitness("ada", witnessKey(9)))
	for n := byte(20); n < 64; n++ {
		w.And(account.RevokeWitness("ada", witnessKey(map[bool]byte{true: 9, false: n - 1}[n == 20])), account.RegisterWitness("ada", witnessKey(n)))
	}
	w.And(account.RevokeWitness("ada", witnessKey(63)))
	refused(t, w, account.RegisterWitness("ada", witnessKey(99)), fault.Conflict, "50 times")
}
