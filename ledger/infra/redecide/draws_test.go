package redecide_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/cloudflare/circl/sign/bls"
	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/draw"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/ledgertest"
)

// testBeacon is a chain whose key is here, and its signature of a round.
func testBeacon(t *testing.T) (draw.Beacon, func(uint64) []byte) {
	t.Helper()
	key, err := bls.KeyGen[bls.KeyG2SigG1]([]byte("thirty-two bytes of a test's key!"), nil, nil)
	require.NoError(t, err)
	b := draw.Beacon{Name: "test", Genesis: draw.Quicknet.Genesis, Period: 3, Test: true}
	b.PublicKey, err = key.PublicKey().MarshalBinary()
	require.NoError(t, err)
	b.Chain = b.ChainHash([32]byte{})
	return b, func(round uint64) []byte { return bls.Sign(key, draw.Message(round)) }
}

// sealed is the club whose list is sealed by a beacon, and the club as it stands then.
func sealed(t *testing.T, beacon draw.Beacon) (book, ajo.Ajo) {
	t.Helper()
	b := setup(t)
	b.do(ledgertest.AjoSealed(noon, beacon, func(terms *nairav1.AjoTerms) { terms.Draw = nairav1.AjoDrawSource_AJO_DRAW_SOURCE_BEACON })...)
	state, err := b.store.Load(t.Context(), ajo.Stream(club))
	require.NoError(t, err)
	return b, state.(ajo.Ajo)
}

func TestADrawOfABeaconIsDecidedAgain(t *testing.T) {
	t.Parallel()
	beacon, sign := testBeacon(t)
	b, a := sealed(t, beacon)
	b.do(ajo.SubmitBeacon(club, beacon, sign(a.Closing.Round), a.Closing.DrawAt))
	result, differs := b.again(beacon)
	require.Empty(t, differs)
	require.NotContains(t, result.Taken, "naira.v1.AjoOrderDrawn")
	require.NotContains(t, result.Taken, "naira.v1.AjoListClosed")

	result, differs = b.again(draw.Beacon{Test: true})
	require.Empty(t, differs, "of a test's beacon whose key is not known")
	require.Contains(t, result.Taken, "naira.v1.AjoOrderDrawn")

	_, differs = b.again() // Where nothing is drawn but from quicknet, another chain is none.
	require.Len(t, differs, 2)
}

func TestADrawThatItsBeaconDidNotMakeIsFound(t *testing.T) {
	t.Parallel()
	beacon, sign := testBeacon(t)
	for name, plant := range map[string]func(m *nairav1.AjoOrderDrawn){
		"the signature of another round": func(m *nairav1.AjoOrderDrawn) { m.Signature = sign(m.GetRound() + 1) },
		"a signature of nobody's":        func(m *nairav1.AjoOrderDrawn) { m.Signature = bytes.Repeat([]byte{1}, draw.SignatureBytes) },
		"another seed":                   func(m *nairav1.AjoOrderDrawn) { m.Seed[0] ^= 1 },
		"another order":                  func(m *nairav1.AjoOrderDrawn) { m.Order[0], m.Order[1] = m.GetOrder()[1], m.GetOrder()[0] },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, a := sealed(t, beacon)
			seed := draw.Seed([32]byte(a.Closing.Digest), sign(a.Closing.Round))
			m := &nairav1.AjoOrderDrawn{
				AjoId: club, Source: a.Closing.Source, Round: a.Closing.Round, Signature: sign(a.Closing.Round), Seed: seed[:], Order: ajo.Int32s(draw.Order(seed, 3)),
			}
			plant(m)
			b.from(a.Closing.DrawAt.Add(time.Minute), ledgertest.Raw{event.On(ajo.Stream(club), m)})
			_, differs := b.again(beacon)
			require.Len(t, differs, 1)
		})
	}
}
