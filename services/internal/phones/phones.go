// Package phones is members' phones that sign what they attest, in the demo and in tests. They go by the API's shapes
// alone, as the web app does, and make each statement by themselves.
package phones

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	contract "adashi.ng/proto/gen/httpapi"
)

// Phone is somebody's phone.
type Phone struct{ key ed25519.PrivateKey }

// New makes a phone with a key of its own.
func New() Phone {
	seed := [ed25519.SeedSize]byte{}
	_, _ = rand.Read(seed[:]) // It never fails.
	return Phone{ed25519.NewKeyFromSeed(seed[:])}
}

// Of is the phone of one of the demo's people, the same in every try. Its key is no secret.
func Of(name string) Phone {
	seed := sha256.Sum256([]byte(name))
	return Phone{ed25519.NewKeyFromSeed(seed[:])}
}

// Public is its key, in hex.
func (p Phone) Public() string { return hex.EncodeToString(p.key.Public().(ed25519.PublicKey)) }

func (p Phone) sign(text string) string {
	return hex.EncodeToString(ed25519.Sign(p.key, []byte(text)))
}

// Registers asks that it signs for somebody.
func (p Phone) Registers(user string) contract.AttestKeyRequest {
	text := fmt.Sprintf("adashi.ng/attest-key/v1\nuser %s\nkey %s\ndevice PHONE\n", user, p.Public())
	return contract.AttestKeyRequest{PublicKey: p.Public(), Device: contract.PHONE, Signature: p.sign(text)}
}

// Attests asks that a month is closed as its proof shows it.
func (p Phone) Attests(draw contract.MonthDraw) contract.AttestMonthRequest {
	a := draw.Attestation
	if a == nil {
		a = &contract.MonthAttestation{}
	}
	raw := binary.BigEndian.AppendUint32([]byte("adashi.ng/month-positions/v1\n"), uint32(len(draw.Sample)))
	for _, pos := range draw.Sample {
		raw = binary.BigEndian.AppendUint64(raw, uint64(pos))
	}
	sample := sha256.Sum256(raw)
	kind := map[bool]string{false: "group", true: "ajo"}[draw.Ajo]
	lines := []any{
		kind, draw.Id, "month", draw.Month, "by", a.By, "key", p.Public(), "list", draw.Digest, "list-position", draw.Position, "payments", len(draw.Positions),
		"margin", draw.MarginPercent * 100, "chain", draw.Beacon.ChainHash, "round", draw.Round, "sample", hex.EncodeToString(sample[:]),
		"marked-up-to", a.Position, "validated", a.Validated, "queried", a.Queried, "resolved", a.Resolved, "unreviewed", a.Unreviewed,
		"taken-back", a.TakenBack, "drawn", len(draw.Sample) - len(draw.Always), "drawn-queried", a.DrawnQueried,
		"always", len(draw.Always), "always-queried", a.AlwaysQueried,
	}
	text := strings.Builder{}
	text.WriteString("adashi.ng/month-attestation/v1\n")
	for pair := range slices.Chunk(lines, 2) {
		fmt.Fprintf(&text, "%v %v\n", pair...)
	}
	return contract.AttestMonthRequest{Month: draw.Month, Position: max(a.Position, 1), PublicKey: p.Public(), Signature: p.sign(text.String())}
}
