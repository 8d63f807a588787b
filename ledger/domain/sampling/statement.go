package sampling

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/event"
)

const sampleDomain = "adashi.ng/month-positions/v1\n"

// Signed is a device's signature of what is attested of a month.
type Signed struct {
	Key       []byte // Ed25519.
	Signature []byte
}

// put puts the signature to what is attested, of a device that signs for whoever attests and of exactly that.
func (s Signed) put(v event.View, months Months, m *nairav1.PeriodAttestedV2) error {
	key, is := event.StateOf[account.Account](v, account.Stream(m.GetBy())).Attests(hex.EncodeToString(s.Key))
	switch {
	case !is:
		return fault.New(fault.Conflict, "This device does not sign for you yet. Close the month again: the device is registered first.")
	case key.Revoked:
		return fault.New(fault.Conflict, "This device does not sign for you any more. Close the month again, and it makes a new key.")
	}
	m.PublicKey, m.Signature, m.Device = s.Key, s.Signature, key.Device
	if !IsSigned(months, m) {
		return fault.New(fault.Conflict, "Something has changed since you looked: this is not what your device signed. Look again, then sign.")
	}
	return nil
}

// IsSigned reports whether what is attested of the month that is open is signed by the key that it names.
func IsSigned(months Months, m *nairav1.PeriodAttestedV2) bool {
	return len(m.GetPublicKey()) == ed25519.PublicKeySize && months.Open != nil && ed25519.Verify(m.GetPublicKey(), Statement(months, m), m.GetSignature())
}

// Statement is what a device signs: all that is attested of the month that is open. Its form is in docs/audit.md. The
// place's id is random, so that what is signed for one ledger is nothing in another.
func Statement(months Months, m *nairav1.PeriodAttestedV2) []byte {
	open := months.Open
	text := []byte("adashi.ng/month-attestation/v1\n")
	line := func(name string, value any) { text = fmt.Appendf(text, "%s %v\n", name, value) }
	if m.GetAjoId() != "" {
		line("ajo", m.GetAjoId())
	} else {
		line("group", m.GetGroupId())
	}
	line("month", m.GetMonth())
	line("by", m.GetBy())
	line("key", hex.EncodeToString(m.GetPublicKey()))
	line("list", hex.EncodeToString(open.Digest))
	line("list-position", months.Position)
	line("payments", open.Population)
	line("margin", open.Margin)
	line("chain", open.Chain)
	line("round", open.Round)
	line("sample", hex.EncodeToString(digestOf(open.Positions)))
	line("marked-up-to", m.GetPosition())
	line("validated", m.GetValidated())
	line("queried", m.GetQueried())
	line("resolved", m.GetResolved())
	line("unreviewed", m.GetUnreviewed())
	line("taken-back", m.GetUndone())
	line("drawn", m.GetDrawn())
	line("drawn-queried", m.GetDrawnQueried())
	line("always", m.GetAlways())
	line("always-queried", m.GetAlwaysQueried())
	return text
}

// digestOf is SHA256("adashi.ng/month-positions/v1\n" ‖ n u32 ‖ each position u64), big-endian.
func digestOf(positions []int64) []byte {
	raw := binary.BigEndian.AppendUint32([]byte(sampleDomain), uint32(len(positions)))
	for _, pos := range positions {
		raw = binary.BigEndian.AppendUint64(raw, uint64(pos))
	}
	digest := sha256.Sum256(raw)
	return digest[:]
}
