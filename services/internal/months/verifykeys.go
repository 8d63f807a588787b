package months

import (
	"encoding/hex"

	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/sampling"
	"adashi.ng/ledger/event"
)

// devices are the events about keys that sign attestations, and keys of witnesses: a key serves one purpose.
var devices = []proto.Message{&nairav1.AttestKeyRegistered{}, &nairav1.AttestKeyRevoked{}, &nairav1.WitnessKeyRegistered{}}

// holder is a key, in hex, and its device's owner.
type holder struct{ user, public string }

// held is a key's device, and the position from which on it no longer signs; 0 while it does.
type held struct {
	device  nairav1.DeviceKind
	revoked int64
}

// keys are the keys of members' devices so far.
type keys struct {
	by     map[holder]*held
	serves map[string]string // The purpose of each key, for all owners together.
	since  int64             // The position of the first registered signing key; from then on every attestation needs a signature.
}

const signs, watches = "signs", "watches"

// key checks that a key's owner registered it, once and for one purpose.
func (v *verifying) key(r *event.Record, m proto.Message) {
	v.check.Looked++
	serves := func(public []byte, what string) {
		if is := v.keys.serves[hex.EncodeToString(public)]; is != "" && is != what {
			v.check.Violate(r.Pos, r.Stream, "one key watches the ledger and signs what is attested: %.16s", hex.EncodeToString(public))
		}
		v.keys.serves[hex.EncodeToString(public)] = what
	}
	switch m := m.(type) {
	case *nairav1.WitnessKeyRegistered:
		serves(m.GetPublicKey(), watches)
	case *nairav1.AttestKeyRegistered:
		serves(m.GetPublicKey(), signs)
		at := holder{m.GetUserId(), hex.EncodeToString(m.GetPublicKey())}
		switch {
		case r.Stream != account.Stream(m.GetUserId()) || !account.IsAttestKey(m):
			v.check.Violate(r.Pos, r.Stream, "a key is registered that did not sign who has it: %.16s", at.public)
		case v.keys.by[at] != nil:
			v.check.Violate(r.Pos, r.Stream, "a key is registered again: %.16s", at.public)
		default:
			v.keys.by[at] = &held{device: m.GetDevice()}
		}
		if v.keys.since == 0 {
			v.keys.since = r.Pos
		}
	case *nairav1.AttestKeyRevoked:
		at := holder{m.GetUserId(), hex.EncodeToString(m.GetPublicKey())}
		if v.keys.by[at] == nil {
			v.keys.by[at] = &held{} // Its registration is archived.
		}
		if v.keys.by[at].revoked == 0 {
			v.keys.by[at].revoked = r.Pos
		}
	}
}

// signed checks an attestation's signature against the devices that signed for the attesting person at that time.
func (v *verifying) signed(r *event.Record, state sampling.Months, m *nairav1.PeriodAttestedV2) {
	if len(m.GetPublicKey()) == 0 && len(m.GetSignature()) == 0 {
		if v.keys.since > 0 {
			v.check.Violate(r.Pos, r.Stream, "%s is attested and no device signed it, though devices sign since position %d", m.GetMonth(), v.keys.since)
		}
		return
	}
	if !sampling.IsSigned(state, m) {
		v.check.Violate(r.Pos, r.Stream, "what is attested of %s is not what the device of %s signed", m.GetMonth(), m.GetBy())
	}
	key := v.keys.by[holder{m.GetBy(), hex.EncodeToString(m.GetPublicKey())}]
	switch {
	case key == nil && v.first > 1: // It may be archived.
	case key == nil:
		v.check.Violate(r.Pos, r.Stream, "%s is signed by a key that was not registered for %s", m.GetMonth(), m.GetBy())
	case key.revoked > 0:
		v.check.Violate(r.Pos, r.Stream, "%s is signed by a key that %s had revoked at position %d", m.GetMonth(), m.GetBy(), key.revoked)
	case key.device != m.GetDevice() && key.device != nairav1.DeviceKind_DEVICE_KIND_UNSPECIFIED:
		v.check.Violate(r.Pos, r.Stream, "%s is signed by another kind of device than was registered", m.GetMonth())
	}
}
