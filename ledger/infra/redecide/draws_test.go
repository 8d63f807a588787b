package redecide_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/cloudflare/circl/sign/bls"
	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/draw"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
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
	require.NotContains(t, result.Taken, "naira.v1.AjoListClosedV2")

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
			seed := draw.V2.Seed([32]byte(a.Closing.Digest), sign(a.Closing.Round))
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

// ofEarlier is a command as builds gave and recorded it that knew no pseudonyms: without a salt, with phones that
// committed to user ids, and in the first versions of its events.
type ofEarlier struct{ event.Command }

func (c ofEarlier) Decide(v event.View) ([]event.Draft, error) {
	given := c.Command
	switch c := given.(type) {
	case ajo.Create:
		c.Owner = earlierPhone(c.AjoID, c.Owner)
		given = c
	case ajo.Join:
		c.Joiner = earlierPhone(c.AjoID, c.Joiner)
		given = c
	case ajo.CloseList:
		c.Salt = nil
		given = c
	}
	drafts, err := given.Decide(v)
	for i := range drafts {
		switch m := drafts[i].Message.(type) {
		case *nairav1.AjoSeatTakenV2:
			drafts[i].Message = &nairav1.AjoSeatTaken{
				AjoId: m.GetAjoId(), Seat: m.GetSeat(), UserId: m.GetUserId(), Halves: m.GetHalves(), Nonce: m.GetNonce(), Commitment: m.GetCommitment(), TermsHash: m.GetTermsHash(),
			}
		case *nairav1.AjoListClosedV2:
			drafts[i].Message = &nairav1.AjoListClosed{
				AjoId: m.GetAjoId(), RosterDigest: m.GetRosterDigest(), Source: m.GetSource(), Round: m.GetRound(), ChainHash: m.GetChainHash(), DrawAt: m.GetDrawAt(),
				TermsHash: m.GetTermsHash(), Order: m.GetOrder(),
			}
		}
	}
	return drafts, err
}

// opened is another store of a book's ledger.
func opened(b book) *store.Store {
	s := store.Open(store.Postgres(b.pool, 0), ledger.Aggregates(), store.Options{Clock: func() time.Time { return noon }})
	b.Cleanup(s.Close)
	return s
}

func earlierPhone(ajoID string, j ajo.Joiner) ajo.Joiner {
	commitment, _ := draw.Commitment(ajoID, j.User, ledgertest.PhoneSecret(j.User)) // Of two ids that are UUIDs.
	j.Commitment, j.Version = commitment[:], 0
	return j
}

// A list that was closed with a salt is decided again with it, and one of an earlier build without: to the same bytes.
func TestAListIsClosedAndDrawnAgainAsItWas(t *testing.T) {
	t.Parallel()
	beacon, sign := testBeacon(t)
	for name, rules := range map[string]draw.Version{"with pseudonyms": draw.V2, "of an earlier build": draw.V1} {
		for _, source := range []nairav1.AjoDrawSource{nairav1.AjoDrawSource_AJO_DRAW_SOURCE_PHONES, nairav1.AjoDrawSource_AJO_DRAW_SOURCE_BEACON} {
			t.Run(name+" "+source.String(), func(t *testing.T) {
				t.Parallel()
				all := ledgertest.AjoSealed(noon, beacon, func(terms *nairav1.AjoTerms) {
					terms.Draw, terms.Order = source, nairav1.AjoOrder_AJO_ORDER_RANDOM
				})
				b := setup(t)
				for _, c := range all {
					if rules == draw.V1 {
						c = ofEarlier{c}
						b.store = opened(b) // Which reads what was recorded in the first versions.
					}
					b.do(c)
				}
				if rules == draw.V1 {
					b.store = opened(b)
				}
				state, err := b.store.Load(t.Context(), ajo.Stream(club))
				require.NoError(t, err)
				a := state.(ajo.Ajo)
				if want := rules; want == draw.V2 && source == nairav1.AjoDrawSource_AJO_DRAW_SOURCE_PHONES {
					require.Equal(t, draw.V3, a.Closing.Version())
				} else {
					require.Equal(t, want, a.Closing.Version())
				}
				if source == nairav1.AjoDrawSource_AJO_DRAW_SOURCE_BEACON {
					b.from(a.Closing.DrawAt, ajo.SubmitBeacon(club, beacon, sign(a.Closing.Round), a.Closing.DrawAt))
				} else {
					for _, user := range a.Members() {
						secret := ledgertest.PhoneSecret(user)
						b.do(ajo.RevealPhone(club, user, secret[:], noon))
					}
					if a.Closing.Round > 0 {
						b.from(a.Closing.DrawAt, ajo.SubmitBeacon(club, beacon, sign(a.Closing.Round), a.Closing.DrawAt))
					} else {
						b.do(ajo.DrawPhones(club, noon))
					}
				}
				result, differs := b.again(beacon)
				require.Empty(t, differs)
				for _, kind := range []string{"AjoSeatTakenV2", "AjoListClosedV2", "AjoPhoneRevealed", "AjoOrderDrawn"} {
					require.NotContains(t, result.Taken, "naira.v1."+kind)
				}
			})
		}
	}
}
