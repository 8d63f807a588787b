package account

import (
	"encoding/hex"

	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/event"
)

// Witness answers the key of a device that watches the ledger, and whether there is one.
func (a Account) Witness(public string) (DeviceKey, bool) { return keyOf(a.WitnessKeys, public) }

// RegisterWitness records that a member's device watches the ledger. A key that was revoked never comes back.
func RegisterWitness(user string, public []byte) event.Command {
	return on{user, func(a Account) (proto.Message, error) {
		known, is := a.Witness(hex.EncodeToString(public))
		_, attests := a.Attests(hex.EncodeToString(public))
		switch {
		case len(public) != deviceKeyBytes:
			return nil, fault.Field("publicKey", "This must be an Ed25519 key of %d bytes. Please update your browser and try again.", deviceKeyBytes)
		case isWeak(public):
			return nil, errWeak()
		case attests:
			return nil, fault.New(fault.Conflict, "This key signs what you attest of months. Watching the ledger needs another one.")
		case is && known.Revoked:
			return nil, fault.New(fault.Conflict, "This key was turned off for ever. Turn watching on again, and the device makes a new one.")
		case is:
			return nil, fault.New(fault.Conflict, "This device watches the ledger already.")
		case unrevoked(a.WitnessKeys) >= devicesMax:
			return nil, fault.New(fault.Conflict, "%d of your devices watch the ledger already. Turn one of them off first.", devicesMax)
		case len(a.WitnessKeys) >= deviceKeysMax:
			return nil, fault.New(fault.Conflict, "You have turned watching on %d times, which is as often as an account may.", deviceKeysMax)
		}
		return &nairav1.WitnessKeyRegistered{UserId: user, PublicKey: public}, nil
	}}
}

// RevokeWitness records that what a device signs from now on counts no more.
func RevokeWitness(user string, public []byte) event.Command {
	return on{user, func(a Account) (proto.Message, error) {
		switch known, is := a.Witness(hex.EncodeToString(public)); {
		case !is:
			return nil, fault.New(fault.NotFound, "None of your devices watches the ledger with this key.")
		case known.Revoked:
			return nil, fault.New(fault.Conflict, "This device does not watch the ledger any more.")
		}
		return &nairav1.WitnessKeyRevoked{UserId: user, PublicKey: public}, nil
	}}
}
