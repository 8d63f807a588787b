package sampling_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/sampling"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
)

const phoneKind = nairav1.DeviceKind_DEVICE_KIND_PHONE

// phone is a device that signs.
type phone struct{ ed25519.PrivateKey }

func phoneOf(name string) phone {
	seed := sha256.Sum256([]byte(name))
	return phone{ed25519.NewKeyFromSeed(seed[:])}
}

func (p phone) public() []byte { return p.Public().(ed25519.PublicKey) }

func (p phone) registers(user string) event.Command {
	return account.RegisterAttestKey(user, p.public(), phoneKind, ed25519.Sign(p.PrivateKey, account.AttestKeyStatement(user, p.public(), phoneKind)))
}

// says is what would be attested now, if devices did not sign.
func says(w *World, a sampling.Attest) (*nairav1.PeriodAttestedV2, error) {
	a.Unsigned = true
	drafts, err := a.Decide(w)
	if err != nil {
		return nil, err
	}
	return drafts[0].Message.(*nairav1.PeriodAttestedV2), nil
}

// signs has the phone sign what would be attested now; nothing where that is refused.
func (p phone) signs(w *World, a sampling.Attest) sampling.Attest {
	if m, err := says(w, a); err == nil {
		m.PublicKey = p.public()
		a.Signed = sampling.Signed{Key: p.public(), Signature: ed25519.Sign(p.PrivateKey, sampling.Statement(w.State(a.Place.Stream()).(sampling.Months), m))}
	}
	return a
}

// looked is a group whose month waits to be attested.
func looked(t *testing.T) (*World, sampling.Draw) {
	w, l := Given(t, group()...), july(t, 80)
	d := draws(t, l)
	w.And(closes(t, "vera", l), d)
	return w.And(marks(nairav1.Mark_MARK_VALIDATED, d.Events...)...), d
}

func TestWhatIsAttestedIsSignedByADeviceOfWhoeverAttests(t *testing.T) {
	w, d := looked(t)
	a := attests("vera", d, 80)
	right := signed(w, a)
	with := func(change func(s *sampling.Signed)) sampling.Attest {
		other := right
		other.Signed.Signature = bytes.Clone(right.Signed.Signature)
		change(&other.Signed)
		return other
	}
	refused := func(a sampling.Attest, says string) {
		t.Helper()
		require.Contains(t, w.When(a).ThenFault(fault.Conflict).Message, says)
	}
	refused(a, "does not sign for you yet")
	refused(phoneOf("bisi").signs(w, a), "does not sign for you yet") // A colleague's phone.
	refused(phoneOf("nobody").signs(w, a), "does not sign for you yet")
	refused(with(func(s *sampling.Signed) { s.Key = nil }), "does not sign for you yet")
	refused(with(func(s *sampling.Signed) { s.Signature[5] ^= 1 }), "Something has changed since you looked")
	refused(with(func(s *sampling.Signed) { s.Signature = nil }), "Something has changed since you looked")
	refused(with(func(s *sampling.Signed) { s.Key = phoneOf("vera 2").public() }), "does not sign for you yet")
	w.And(phoneOf("vera 2").registers("vera"))
	refused(with(func(s *sampling.Signed) { s.Key = phoneOf("vera 2").public() }), "Something has changed since you looked")

	// A key that watches signs nothing of months, also where it signs the right words.
	watching := phoneOf("watching")
	w.And(account.RegisterWitness("vera", watching.public()))
	refused(watching.signs(w, a), "does not sign for you yet")

	other := right
	other.Counts.Position++
	refused(other, "Something has changed since you looked")
	other = right
	other.Counts = sampling.Counts{Position: 950, Validated: 79, Queried: 1}
	refused(other, "Something has changed since you looked")
	other = right
	other.Counts.Undone = 1
	refused(other, "Something has changed since you looked")

	require.NoError(t, w.When(right).Err)
	require.Contains(t, w.When(right).ThenFault(fault.Conflict).Message, "attested already")
}

func TestAMarkBetweenShowingAndSigningIsLookedAtFirst(t *testing.T) {
	w, d := looked(t)
	a := signed(w, attests("vera", d, 80))
	w.And(marks(nairav1.Mark_MARK_QUERIED, d.Events[0])...)
	require.Contains(t, w.When(a).ThenFault(fault.Conflict).Message, "Something has changed since you looked")
	require.NoError(t, w.When(signed(w, a)).Err)
}

func TestAKeyThatIsRevokedBetweenShowingAndSigningSignsNothing(t *testing.T) {
	w, d := looked(t)
	a := signed(w, attests("vera", d, 80))
	w.And(account.RevokeAttestKey("vera", phoneOf("vera").public()))
	require.Contains(t, w.When(a).ThenFault(fault.Conflict).Message, "does not sign for you any more")
}

// What was signed of one month, place or person is nothing of another.
func TestASignatureIsOfOneMonthOfOnePlaceByOnePerson(t *testing.T) {
	w, d := looked(t)
	m, err := says(w, attests("vera", d, 80))
	require.NoError(t, err)
	s := w.State("months:" + place).(sampling.Months)
	m.PublicKey = phoneOf("vera").public()
	m.Signature = ed25519.Sign(phoneOf("vera").PrivateKey, sampling.Statement(s, m))
	require.True(t, sampling.IsSigned(s, m))
	for name, change := range map[string]func(s *sampling.Months, m *nairav1.PeriodAttestedV2){
		"group":          func(_ *sampling.Months, m *nairav1.PeriodAttestedV2) { m.GroupId = "another" },
		"kind of place":  func(_ *sampling.Months, m *nairav1.PeriodAttestedV2) { m.AjoId, m.GroupId = m.GetGroupId(), "" },
		"month":          func(_ *sampling.Months, m *nairav1.PeriodAttestedV2) { m.Month = "2023-08" },
		"person":         func(_ *sampling.Months, m *nairav1.PeriodAttestedV2) { m.By = "bisi" },
		"key":            func(_ *sampling.Months, m *nairav1.PeriodAttestedV2) { m.PublicKey = phoneOf("bisi").public() },
		"list":           func(s *sampling.Months, _ *nairav1.PeriodAttestedV2) { s.Open.Digest[0] ^= 1 },
		"list's end":     func(s *sampling.Months, _ *nairav1.PeriodAttestedV2) { s.Position++ },
		"payments":       func(s *sampling.Months, _ *nairav1.PeriodAttestedV2) { s.Open.Population++ },
		"margin":         func(s *sampling.Months, _ *nairav1.PeriodAttestedV2) { s.Open.Margin = 200 },
		"chain":          func(s *sampling.Months, _ *nairav1.PeriodAttestedV2) { s.Open.Chain = "00" },
		"round":          func(s *sampling.Months, _ *nairav1.PeriodAttestedV2) { s.Open.Round++ },
		"sample":         func(s *sampling.Months, _ *nairav1.PeriodAttestedV2) { s.Open.Positions[0]++ },
		"position":       func(_ *sampling.Months, m *nairav1.PeriodAttestedV2) { m.Position++ },
		"validated":      func(_ *sampling.Months, m *nairav1.PeriodAttestedV2) { m.Validated++ },
		"queried":        func(_ *sampling.Months, m *nairav1.PeriodAttestedV2) { m.Queried++ },
		"resolved":       func(_ *sampling.Months, m *nairav1.PeriodAttestedV2) { m.Resolved++ },
		"unreviewed":     func(_ *sampling.Months, m *nairav1.PeriodAttestedV2) { m.Unreviewed++ },
		"taken back":     func(_ *sampling.Months, m *nairav1.PeriodAttestedV2) { m.Undone++ },
		"drawn":          func(_ *sampling.Months, m *nairav1.PeriodAttestedV2) { m.Drawn++ },
		"drawn queried":  func(_ *sampling.Months, m *nairav1.PeriodAttestedV2) { m.DrawnQueried++ },
		"always":         func(_ *sampling.Months, m *nairav1.PeriodAttestedV2) { m.Always++ },
		"always queried": func(_ *sampling.Months, m *nairav1.PeriodAttestedV2) { m.AlwaysQueried++ },
		"signature":      func(_ *sampling.Months, m *nairav1.PeriodAttestedV2) { m.Signature[0] ^= 1 },
	} {
		open := *s.Open
		open.Digest, open.Positions = bytes.Clone(open.Digest), append([]int64{}, open.Positions...)
		other, their := s, proto.Clone(m).(*nairav1.PeriodAttestedV2)
		other.Open = &open
		change(&other, their)
		require.False(t, sampling.IsSigned(other, their), name)
	}
	require.False(t, sampling.IsSigned(sampling.Months{}, m), "no month is open")
}

// statement is a published example. The browser's test reads it too: webapp/tests/trust/attesting.test.tsx.
type statement struct {
	Text      string `json:"text"`
	Seed      string `json:"seed"` // Of the key that signs.
	Signature string `json:"signature"`
	Device    string `json:"device"`    // What the key signs of who registers it, as a phone of the same person.
	Proof     string `json:"proof"`     // Its signature of that.
	Positions string `json:"positions"` // The sample, by commas.
}

func TestTheStatementIsThePublishedOne(t *testing.T) {
	seed := sha256.Sum256([]byte("vera"))
	vera := phoneOf("vera")
	months := sampling.Months{Last: "2026-10", Position: 1_204_000, Open: &sampling.Month{
		Chain: "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971", Round: 33_800_000, Population: 1204, Margin: 500,
		Digest: bytes.Repeat([]byte{0xab}, 32), Positions: []int64{3, 10, 1 << 40}, Always: []int64{3},
	}}
	m := &nairav1.PeriodAttestedV2{
		GroupId: place, Month: "2026-10", By: "01900000-0000-7000-8000-0000000000ee", Position: 1_205_000, Validated: 70, Queried: 1, Unreviewed: 1133,
		Drawn: 2, DrawnQueried: 1, Always: 1, PublicKey: vera.public(),
	}
	m.Signature = ed25519.Sign(vera.PrivateKey, sampling.Statement(months, m))
	require.True(t, sampling.IsSigned(months, m))
	device := account.AttestKeyStatement(m.GetBy(), vera.public(), phoneKind)
	want := statement{
		string(sampling.Statement(months, m)), hex.EncodeToString(seed[:]), hex.EncodeToString(m.GetSignature()),
		string(device), hex.EncodeToString(ed25519.Sign(vera.PrivateKey, device)), "3,10,1099511627776",
	}
	const file = "testdata/statement.json"
	if os.Getenv("UPDATE") != "" {
		raw, err := json.MarshalIndent(want, "", "  ")
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(file, append(raw, '\n'), 0o600))
	}
	raw, err := os.ReadFile(file)
	require.NoError(t, err)
	var is statement
	require.NoError(t, json.Unmarshal(raw, &is))
	require.Equal(t, is, want)
	require.Equal(t, 22, strings.Count(is.Text, "\n"))
}
