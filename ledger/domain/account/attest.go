package account

import (
	"crypto/ed25519"
	"encoding/hex"
	"fmt"
	"strings"

	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/event"
)

// Attests answers the key of a device that signs what the member attests of months, and whether there is one.
func (a Account) Attests(public string) (DeviceKey, bool) { return keyOf(a.AttestKeys, public) }

// AttestKeyStatement is what a key signs of who registers it: no other statement begins with that line.
//
//	adashi.ng/attest-key/v1
//	user <id>
//	key <64 hex digits>
//	device <PHONE, TABLET or COMPUTER>
func AttestKeyStatement(user string, public []byte, device nairav1.DeviceKind) []byte {
	return fmt.Appendf(nil, "adashi.ng/attest-key/v1\nuser %s\nkey %s\ndevice %s\n", user, hex.EncodeToString(public), Named(device))
}

// Named is a kind of device as statements and the API name it.
func Named(device nairav1.DeviceKind) string {
	return strings.TrimPrefix(device.String(), "DEVICE_KIND_")
}

// IsAttestKey reports whether a registration is signed by its own key.
func IsAttestKey(m *nairav1.AttestKeyRegistered) bool {
	public := m.GetPublicKey()
	return len(public) == deviceKeyBytes && !isWeak(public) && ed25519.Verify(public, AttestKeyStatement(m.GetUserId(), public, m.GetDevice()), m.GetSignature())
}

// RegisterAttestKey records that a device of a member signs what they attest of months. The key signs who registers it;
// one that was revoked never comes back.
func RegisterAttestKey(user string, public []byte, device nairav1.DeviceKind, signature []byte) event.Command {
	return on{user, func(a Account) (proto.Message, error) {
		registered := &nairav1.AttestKeyRegistered{UserId: user, PublicKey: public, Device: device, Signature: signature}
		known, is := a.Attests(hex.EncodeToString(public))
		_, watches := a.Witness(hex.EncodeToString(public))
		switch {
		case len(public) != deviceKeyBytes:
			return nil, fault.Field("publicKey", "This must be an Ed25519 key of %d bytes. Please update your browser and try again.", deviceKeyBytes)
		case device < nairav1.DeviceKind_DEVICE_KIND_PHONE || device > nairav1.DeviceKind_DEVICE_KIND_COMPUTER:
			return nil, fault.Field("device", "A device is a phone, a tablet or a computer.")
		case isWeak(public):
			return nil, errWeak()
		case !IsAttestKey(registered):
			return nil, fault.Field("signature", "The key did not sign that it is yours. Nothing was registered.")
		case watches:
			return nil, fault.New(fault.Conflict, "This key watches the ledger. Closing months needs another one.")
		case is && known.Revoked:
			return nil, fault.New(fault.Conflict, "This key was turned off for ever. Close the month again, and the device makes a new one.")
		case is:
			return nil, fault.New(fault.Conflict, "This device signs for you already.")
		case unrevoked(a.AttestKeys) >= devicesMax:
			return nil, fault.New(fault.Conflict, "%d of your devices sign for you already. Turn one of them off under Security first.", devicesMax)
		case len(a.AttestKeys) >= deviceKeysMax:
			return nil, fault.New(fault.Conflict, "You have had %d keys that sign for you, which is as many as an account may.", deviceKeysMax)
		}
		return registered, nil
	}}
}

// RevokeAttestKey records that what a device signs from now on counts no more.
func RevokeAttestKey(user string, public []byte) event.Command {
	return on{user, func(a Account) (proto.Message, error) {
		switch known, is := a.Attests(hex.EncodeToString(public)); {
		case !is:
			return nil, fault.New(fault.NotFound, "None of your devices signs for you with this key.")
		case known.Revoked:
			return nil, fault.New(fault.Conflict, "This device does not sign for you any more.")
		}
		return &nairav1.AttestKeyRevoked{UserId: user, PublicKey: public}, nil
	}}
}
