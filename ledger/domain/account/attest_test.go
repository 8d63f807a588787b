package account_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"testing"

	"filippo.io/edwards25519"
	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
)

const aPhone = nairav1.DeviceKind_DEVICE_KIND_PHONE

func signer(n byte) ed25519.PrivateKey { return ed25519.NewKeyFromSeed(bytes.Repeat([]byte{n}, 32)) }

func publicOf(n byte) []byte { return signer(n).Public().(ed25519.PublicKey) }

// registers is a registration for somebody, signed by the key for the same or another.
func registers(user string, n byte, signedFor string, signedAs nairav1.DeviceKind) event.Command {
	return account.RegisterAttestKey(user, publicOf(n), aPhone, ed25519.Sign(signer(n), account.AttestKeyStatement(signedFor, publicOf(n), signedAs)))
}

func TestAKeyThatSignsIsRegisteredByWhoHoldsItAndRevokedForEver(t *testing.T) {
	t.Parallel()
	w := Given(t)
	right := registers("ada", 1, "ada", aPhone)
	refused(t, w, registers("ada", 1, "vera", aPhone), fault.Invalid, "did not sign that it is yours")
	refused(t, w, registers("ada", 1, "ada", nairav1.DeviceKind_DEVICE_KIND_TABLET), fault.Invalid, "did not sign that it is yours")
	refused(t, w, account.RegisterAttestKey("ada", publicOf(1), aPhone, make([]byte, 64)), fault.Invalid, "did not sign that it is yours")
	refused(t, w, account.RegisterAttestKey("ada", publicOf(1)[:31], aPhone, nil), fault.Invalid, "Ed25519 key of 32 bytes")
	refused(t, w, account.RegisterAttestKey("ada", publicOf(1), 4, nil), fault.Invalid, "a phone, a tablet or a computer")
	refused(t, w, account.RegisterAttestKey("ada", publicOf(1), 0, nil), fault.Invalid, "a phone, a tablet or a computer")
	w.And(right)
	refused(t, w, right, fault.Conflict, "signs for you already")
	refused(t, w, account.RevokeAttestKey("ada", publicOf(2)), fault.NotFound, "None of your devices signs")
	refused(t, w, account.RevokeAttestKey("vera", publicOf(1)), fault.NotFound, "None of your devices signs")
	w.And(account.RevokeAttestKey("ada", publicOf(1)))
	refused(t, w, account.RevokeAttestKey("ada", publicOf(1)), fault.Conflict, "does not sign for you any more")
	refused(t, w, right, fault.Conflict, "turned off for ever")
	known, is := w.State(account.Stream("ada")).(account.Account).Attests(hex.EncodeToString(publicOf(1)))
	require.True(t, is)
	require.Equal(t, []any{true, aPhone}, []any{known.Revoked, known.Device})
}

// With a key of small order one signature fits every text: S·B = R + k·A holds for R = B and S = 1 where A is the
// identity.
func TestAKeyWithWhichAnythingIsSignedIsRefused(t *testing.T) {
	t.Parallel()
	identity, fits := append([]byte{1}, make([]byte, 31)...), make([]byte, 64)
	copy(fits, edwards25519.NewGeneratorPoint().Bytes())
	fits[32] = 1
	require.True(t, ed25519.Verify(identity, []byte("anything"), fits))
	w := Given(t)
	refused(t, w, account.RegisterAttestKey("ada", identity, aPhone, fits), fault.Invalid, "anything could be signed")
	refused(t, w, account.RegisterWitness("ada", identity), fault.Invalid, "anything could be signed")
	require.False(t, account.IsAttestKey(&nairav1.AttestKeyRegistered{UserId: "ada", PublicKey: identity, Device: aPhone, Signature: fits}))
	// Of order 2, 4 and 8; the last as it is written otherwise too.
	for _, weak := range []string{
		"ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", "0000000000000000000000000000000000000000000000000000000000000080",
		"26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05", "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
		"edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
	} {
		public, err := hex.DecodeString(weak)
		require.NoError(t, err)
		refused(t, w, account.RegisterWitness("ada", public), fault.Invalid, "anything could be signed")
	}
}

// One key states one thing: what watches signs no months, and what signs months does not watch.
func TestAKeyServesOnePurpose(t *testing.T) {
	t.Parallel()
	w := Given(t, registers("ada", 1, "ada", aPhone), account.RegisterWitness("ada", publicOf(2)))
	refused(t, w, account.RegisterWitness("ada", publicOf(1)), fault.Conflict, "signs what you attest of months")
	refused(t, w, registers("ada", 2, "ada", aPhone), fault.Conflict, "watches the ledger")
	w.And(account.RevokeWitness("ada", publicOf(2)), account.RevokeAttestKey("ada", publicOf(1)))
	refused(t, w, account.RegisterWitness("ada", publicOf(1)), fault.Conflict, "signs what you attest of months")
	refused(t, w, registers("ada", 2, "ada", aPhone), fault.Conflict, "watches the ledger")
}

func TestAHandfulOfDevicesSign(t *testing.T) {
	t.Parallel()
	w := Given(t)
	for n := range byte(5) {
		w.And(registers("ada", n, "ada", aPhone))
	}
	refused(t, w, registers("ada", 9, "ada", aPhone), fault.Conflict, "5 of your devices")
	for n := byte(5); n < 50; n++ {
		w.And(account.RevokeAttestKey("ada", publicOf(n-1)), registers("ada", n, "ada", aPhone))
	}
	w.And(account.RevokeAttestKey("ada", publicOf(49)))
	refused(t, w, registers("ada", 99, "ada", aPhone), fault.Conflict, "50 keys")
}
