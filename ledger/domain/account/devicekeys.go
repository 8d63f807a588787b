package account

import (
	"encoding/hex"
	"slices"
	"time"

	"filippo.io/edwards25519"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/event"
)

const (
	deviceKeyBytes = 32
	devicesMax     = 5  // Devices of one member that stand at the same time, for each purpose.
	deviceKeysMax  = 50 // Keys that a member ever registers, for each purpose.
)

// DeviceKey is a key of one of a member's devices. It serves one purpose only.
type DeviceKey struct {
	Public    string             // Ed25519, hex.
	Device    nairav1.DeviceKind // What the device is; of a key that watches, nothing is said.
	Since     time.Time
	Revoked   bool
	RevokedAt time.Time `json:",omitzero"`
}

// keyOf finds a key among some.
func keyOf(keys []DeviceKey, public string) (DeviceKey, bool) {
	at := slices.IndexFunc(keys, func(k DeviceKey) bool { return k.Public == public })
	if at < 0 {
		return DeviceKey{}, false
	}
	return keys[at], true
}

// isWeak reports whether a key is a point of small order. Who has one makes signatures of any text with it, and so can
// deny each (Chalkias, Garillot and Nikolaenko, "Taming the many EdDSAs", 2020).
func isWeak(public []byte) bool {
	point, err := new(edwards25519.Point).SetBytes(public)
	return err == nil && point.MultByCofactor(point).Equal(edwards25519.NewIdentityPoint()) == 1
}

func errWeak() error {
	return fault.Field("publicKey", "With this key anything could be signed, so that it proves nothing. Please update your browser and try again.")
}

// unrevoked is how many keys are not revoked.
func unrevoked(keys []DeviceKey) (n int) {
	for _, k := range keys {
		if !k.Revoked {
			n++
		}
	}
	return n
}

// revoked are the keys after one of them was revoked.
func revoked(keys []DeviceKey, public []byte, at time.Time) []DeviceKey {
	keys = slices.Clone(keys)
	for i := range keys {
		if keys[i].Public == hex.EncodeToString(public) && !keys[i].Revoked {
			keys[i].Revoked, keys[i].RevokedAt = true, at
		}
	}
	return keys
}

// keyed is an account after an event about the keys of its devices.
func keyed(a Account, e event.Happened) Account {
	switch m := e.Message.(type) {
	case *nairav1.WitnessKeyRegistered:
		a.WitnessKeys = append(slices.Clip(a.WitnessKeys), DeviceKey{Public: hex.EncodeToString(m.GetPublicKey()), Since: e.RecordedAt})
	case *nairav1.WitnessKeyRevoked:
		a.WitnessKeys = revoked(a.WitnessKeys, m.GetPublicKey(), e.RecordedAt)
	case *nairav1.AttestKeyRegistered:
		a.AttestKeys = append(slices.Clip(a.AttestKeys), DeviceKey{Public: hex.EncodeToString(m.GetPublicKey()), Device: m.GetDevice(), Since: e.RecordedAt})
	case *nairav1.AttestKeyRevoked:
		a.AttestKeys = revoked(a.AttestKeys, m.GetPublicKey(), e.RecordedAt)
	}
	return a
}
