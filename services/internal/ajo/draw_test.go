package ajo_test

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	rules "adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/draw"
	"adashi.ng/services/internal/beacon"
	"adashi.ng/services/internal/beacon/sandbox"
	"adashi.ng/services/internal/usecase"
)

// phone is a joiner in a draw by phones, and the secret that their phone stores.
func (c *club) phone(n, version int) (rules.Joiner, [32]byte) {
	c.Helper()
	j, secret := c.joiner(n), [32]byte{byte(n + 1)}
	j.Nonce = []byte(strings.Repeat(string(rune('a'+n)), 16))
	commitment, err := draw.CommitmentOfNonce(c.id, [16]byte(j.Nonce), secret)
	if version == 0 {
		commitment, err = draw.Commitment(c.id, j.User, secret)
	}
	require.NoError(c, err)
	j.Commitment, j.Version = commitment[:], version
	return j, secret
}

// drawnByPhones is an ajo of two beside the club. The service sealed its list and the phones drew its order: phones of
// this build together with a round of the beacon.
func drawnByPhones(t *testing.T, version int) (*club, contract.AjoDrawProof) {
	t.Helper()
	c := founded(t, nil, func(terms *nairav1.AjoTerms) { terms.Seats = 2 })
	chain, err := sandbox.New("a secret", nil)
	require.NoError(t, err)
	c.App.Ajo.Beacon = beacon.New(beacon.Options{Beacon: chain.Beacon()})
	c.terms.Order, c.terms.Draw = nairav1.AjoOrder_AJO_ORDER_RANDOM, nairav1.AjoDrawSource_AJO_DRAW_SOURCE_PHONES
	c.id = uuid.NewString()
	owner, first := c.phone(0, version)
	other, second := c.phone(1, version)
	c.Gives(rules.Create{AjoID: c.id, Name: "Balogun", Terms: c.terms, Owner: owner, Now: time.Now()}, rules.Join{AjoID: c.id, Joiner: other})
	require.NoError(t, c.Engine.CatchUp(context.Background()))
	code := c.App.Ajo.InvitationCode(c.id)
	invitation, err := c.App.Ajo.Data(context.Background(), "", c.id, &code)
	require.NoError(t, err)
	require.Equal(t, max(version, 1), invitation.CommitmentVersion)
	_, _, err = c.App.Ajo.CloseList(context.Background(), c.Owner, c.id, nil)
	require.NoError(t, err)
	for i, secret := range [][32]byte{first, second} {
		_, _, err := c.App.Ajo.Reveal(context.Background(), c.seats[i], c.id, hex.EncodeToString(secret[:]))
		require.NoError(t, err)
	}
	if closing := c.ajo().Closing; closing.Round > 0 {
		_, err := c.App.Ajo.Draw(context.Background(), c.id)
		require.ErrorContains(t, err, "There is no such draw.", "not before the round comes")
		then := c.App.At(closing.DrawAt.Add(time.Minute)).Ajo
		then.Beacon = c.App.Ajo.Beacon
		_, _, err = then.SubmitBeacon(context.Background(), c.Owner, c.id, hex.EncodeToString(chain.Sign(closing.Round)))
		require.NoError(t, err)
	}
	proof, err := c.App.Ajo.Draw(context.Background(), c.id)
	require.NoError(t, err)
	return c, proof
}

// drawnAgain computes a proof's order as an outsider does.
func drawnAgain(t *testing.T, version draw.Version, proof contract.AjoDrawProof) []int {
	t.Helper()
	var seats []draw.Seat
	var reveals []draw.Reveal
	raw := func(text string) []byte {
		bytes, err := hex.DecodeString(text)
		require.NoError(t, err)
		return bytes
	}
	id := func(user, pseudonym *string) string {
		if version == draw.V1 {
			require.Nil(t, pseudonym)
			return *user
		}
		require.Nil(t, user)
		return *pseudonym
	}
	for i, seat := range proof.Seats {
		h, r := seat.Holders[0], (*proof.Reveals)[i]
		nonce, secret := [16]byte(raw(h.Nonce)), [32]byte(raw(*r.Secret))
		seats = append(seats, draw.Seat{No: seat.Seat, Holders: []draw.Holder{{ID: id(h.UserId, h.Pseudonym), Halves: h.Halves, Nonce: nonce}}})
		reveals = append(reveals, draw.Reveal{ID: id(r.UserId, r.Pseudonym), Nonce: nonce, Commitment: [32]byte(raw(r.Commitment)), Secret: &secret})
	}
	digest, err := version.RosterDigest(proof.AjoId, [32]byte(raw(proof.TermsHash)), seats)
	require.NoError(t, err)
	require.Equal(t, proof.RosterDigest, hex.EncodeToString(digest[:]))
	var signature []byte
	if version == draw.V3 {
		signature = raw(*proof.Signature)
	}
	seed, err := version.SeedOfPhones(proof.AjoId, digest, signature, reveals...)
	require.NoError(t, err)
	order, err := draw.OrderOfPhones(seed, seats, reveals...)
	require.NoError(t, err)
	return order
}

func TestAStrangerChecksADrawAndSeesNoUserID(t *testing.T) {
	t.Parallel()
	c, proof := drawnByPhones(t, rules.CommitmentOfNonce)
	require.Equal(t, "adashi.ng/ajo-draw/v3", proof.Version)
	require.Equal(t, proof.Order, drawnAgain(t, draw.V3, proof))
	told, err := json.Marshal(proof)
	require.NoError(t, err)
	salt := c.ajo().Closing.Salt
	require.Len(t, salt, draw.SaltBytes)
	require.NotContains(t, string(told), hex.EncodeToString(salt))
	for i, who := range []usecase.Who{c.Owner, c.Validator} {
		require.NotContains(t, string(told), who.User)
		require.Equal(t, proof.Seats[i].Holders[0].Pseudonym, c.sees(who).Me.Pseudonym, "a member knows which holder they are")
		secret, err := hex.DecodeString(*(*proof.Reveals)[i].Secret)
		require.NoError(t, err)
		tried, err := draw.Commitment(c.id, who.User, [32]byte(secret))
		require.NoError(t, err)
		require.NotEqual(t, hex.EncodeToString(tried[:]), (*proof.Reveals)[i].Commitment, "the id cannot be tried out")
	}
	shown, err := json.Marshal(c.sees(c.Owner))
	require.NoError(t, err)
	require.NotContains(t, string(shown), hex.EncodeToString(salt))

	other, again := drawnByPhones(t, rules.CommitmentOfNonce)
	require.NotEqual(t, salt, other.ajo().Closing.Salt)
	require.NotEqual(t, proof.Seats[0].Holders[0].Pseudonym, again.Seats[0].Holders[0].Pseudonym)
}

func TestADrawOfEarlierPhonesIsToldAsItWasMade(t *testing.T) {
	t.Parallel()
	c, proof := drawnByPhones(t, 0)
	require.Equal(t, "adashi.ng/ajo-draw/v1", proof.Version)
	require.Equal(t, c.Owner.User, *proof.Seats[0].Holders[0].UserId)
	require.Equal(t, proof.Order, drawnAgain(t, draw.V1, proof))
	require.Nil(t, c.sees(c.Owner).Me.Pseudonym)
}

func TestAPhoneWithAnEarlierPageIsAskedToLoadItAgain(t *testing.T) {
	t.Parallel()
	c := founded(t, nil, nil)
	commitment, code := strings.Repeat("ab", 32), c.App.Ajo.InvitationCode(c.id)
	hash := rules.TermsHash(c.terms)
	form := contract.JoinAjoRequest{AjoId: c.id, Code: &code, Hands: "1", TermsHash: hex.EncodeToString(hash[:]), Nonce: strings.Repeat("ab", 16), Commitment: &commitment}
	_, _, err := c.App.Ajo.Join(context.Background(), c.Validator, form)
	require.True(t, fault.Is(err, fault.Invalid), "%v", err)
	require.ErrorContains(t, err, "Please load it again")
	version := rules.CommitmentOfNonce
	form.CommitmentVersion = &version
	_, _, err = c.App.Ajo.Join(context.Background(), c.Validator, form)
	require.NoError(t, err)
	require.Equal(t, version, c.ajo().Seats[1].Places[0].Version)
}

func TestWhoTookOverAPlaceIsNotInTheSealedList(t *testing.T) {
	t.Parallel()
	c := founded(t, nil, func(terms *nairav1.AjoTerms) { terms.Seats = 2 })
	c.App.Ajo.Beacon = beacon.New(beacon.Options{Beacon: draw.Quicknet})
	c.Gives(rules.Join{AjoID: c.id, Joiner: c.joiner(1)})
	require.Nil(t, c.sees(c.Owner).Me.Pseudonym, "nothing is sealed")
	_, _, err := c.App.Ajo.CloseList(context.Background(), c.Owner, c.id, nil)
	require.NoError(t, err)
	require.NotNil(t, c.sees(c.Validator).Me.Pseudonym)
	_, _, err = c.App.Ajo.OpenPlace(context.Background(), c.Validator, c.id, 2)
	require.NoError(t, err)
	code, hash := c.App.Ajo.InvitationCode(c.id), rules.TermsHash(c.terms)
	_, _, err = c.App.Ajo.TakePlace(context.Background(), c.Approver, c.id, contract.TakeAjoPlaceRequest{
		Seat: 2, FromUserId: c.Validator.User, Code: &code, TermsHash: hex.EncodeToString(hash[:]),
	})
	require.NoError(t, err)
	require.Nil(t, c.sees(c.Approver).Me.Pseudonym)
}
