package account

import (
	"encoding/hex"
	"slices"
	"time"

	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/event"
)

const (
	witnessKeyBytes = 32
	witnessesMax    = 5  // Devices of one member that watch at the same time.
	witnessKeysMax  = 50 // Keys that a member ever registers.
)

// WitnessKey is the key of a device that watches the ledger.
type WitnessKey struct {
	Public  string // Ed25519, hex.
	Since   time.Time
	Revoked bool
}

// Witness answers a member's key, and whether there is one.
func (a Account) Witness(public string) (WitnessKey, bool) {
	at := slices.IndexFunc(a.WitnessKeys, func(k WitnessKey) bool { return k.Public == public })
	if at < 0 {
		return WitnessKey{}, false
	}
	return a.WitnessKeys[at], true
}

// RegisterWitness records that a member's device watches the ledger. A key that was revoked never comes back.
func RegisterWitness(user string, public []byte) event.Command {
	return on{user, func(a Account) (proto.Message, error) {
		watching := 0
		for _, k := range a.WitnessKeys {
			if !k.Revoked {
				watching++
			}
		}
		known, is := a.Witness(hex.EncodeToString(public))
		switch {
		case len(public) != witnessKeyBytes:
			return nil, fault.Field("publicKey", "This must be an Ed25519 key of %d bytes. Please update your browser and try again.", witnessKeyBytes)
		case is && known.Revoked:
			return nil, fault.New(fault.Conflict, "This key was turned off for ever. Turn watching on again, and the device makes a new one.")
		case is:
			return nil, fault.New(fault.Conflict, "This device watches the ledger already.")
		case watching >= witnessesMax:
			return nil, fault.New(fault.Conflict, "%d of your devices watch the ledger already. Turn one of them off first.", witnessesMax)
		case len(a.WitnessKeys) >= witnessKeysMax:
			return nil, fault.New(fault.Conflict, "You have turned watching on %d times, which is as often as an account may.", witnessKeysMax)
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

// watched is an account after an event about its devices that watch the ledger.
func watched(a Account, e event.Happened) Account {
	switch m := e.Message.(type) {
	case *nairav1.WitnessKeyRegistered:
		a.WitnessKeys = append(slices.Clip(a.WitnessKeys), WitnessKey{Public: hex.EncodeToString(m.GetPublicKey()), Since: e.RecordedAt})
	case *nairav1.WitnessKeyRevoked:
		a.WitnessKeys = slices.Clone(a.WitnessKeys)
		for i := range a.WitnessKeys {
			a.WitnessKeys[i].Revoked = a.WitnessKeys[i].Revoked || a.WitnessKeys[i].Public == hex.EncodeToString(m.GetPublicKey())
		}
	}
	return a
}
