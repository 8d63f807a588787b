package sampling_test

import (
	"encoding/hex"
	"reflect"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/draw"
	"adashi.ng/ledger/domain/reviews"
	"adashi.ng/ledger/domain/sampling"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/redecide"
	. "adashi.ng/ledger/ledgertest"
)

// A round of quicknet as the network published it, and when a list is sealed for which it is named.
const (
	publishedRound     = 123
	publishedSignature = "b75c69d0b72a5d906e854e808ba7e2accb1542ac355ae486d591aa9d43765482e26cd02df835d3546d23c4b13e0dfc92"
)

var (
	byGroup = sampling.Place{Group: place}
	named   = draw.Quicknet.At(publishedRound).Add(-sampling.NamedBefore - 2*time.Second)
)

func group() []any {
	return []any{
		event.On("group:"+place, &nairav1.GroupCreated{GroupId: place, OwnerId: "ada", Name: "G"}),
		event.On("group:"+place, &nairav1.ValidatorAppointed{GroupId: place, UserId: "vera"}),
		event.On("member:"+place+":ada", &nairav1.MembershipApproved{GroupId: place, UserId: "ada"}),
		event.On("member:"+place+":vera", &nairav1.MembershipApproved{GroupId: place, UserId: "vera"}),
		event.On("member:"+place+":bisi", &nairav1.MembershipApproved{GroupId: place, UserId: "bisi"}),
		phoneOf("vera").registers("vera"), phoneOf("bisi").registers("bisi"),
	}
}

// july is the list of the month before the published round came.
func july(t *testing.T, n int) sampling.List {
	begin, _, err := sampling.Span("2023-07")
	require.NoError(t, err)
	l := sampling.List{Month: "2023-07", Position: 900, Since: begin, ToldLateAfter: 900}
	for i := range n {
		l.Items = append(l.Items, sampling.Item{Pos: int64(i + 1), At: begin.Add(time.Duration(i) * time.Second), Always: i == 3})
	}
	return l
}

func closes(t *testing.T, by string, l sampling.List) sampling.Close {
	c := sampling.Close{Place: byGroup, By: by, Margin: 500, Beacon: draw.Quicknet, Now: named}
	c.List, c.Unsealed = l.Seal(place)
	return c
}

func idOf(pos int64) uuid.UUID { return uuid.NewSHA1(uuid.Nil, []byte{byte(pos), byte(pos >> 8)}) }

// draws is the draw of a list by the published round.
func draws(t *testing.T, l sampling.List) sampling.Draw {
	raw, err := hex.DecodeString(publishedSignature)
	require.NoError(t, err)
	sealed, err := l.Seal(place)
	require.NoError(t, err)
	m := sampling.Month{Population: sealed.Population, Always: sealed.Always, Margin: 500, Digest: sealed.Digest[:]}
	_, ranks := m.Ranks(raw)
	c := sampling.Draw{Place: byGroup, Month: l.Month, Beacon: draw.Quicknet, Signature: raw, Positions: l.Sample(ranks), Now: draw.Quicknet.At(publishedRound)}
	for _, pos := range c.Positions {
		c.Events = append(c.Events, idOf(pos))
	}
	return c
}

// marks are the events with which payments are marked.
func marks(mark nairav1.Mark, events ...uuid.UUID) (out []any) {
	for _, id := range events {
		out = append(out, event.On(reviews.Stream(id.String()), &nairav1.PaymentMarkedV2{EventId: id.String(), GroupId: place, Mark: mark, MarkedBy: "vera"}))
	}
	return out
}

func attests(by string, d sampling.Draw, n int) sampling.Attest {
	return sampling.Attest{Place: byGroup, Month: d.Month, By: by, Sample: d.Events, Counts: sampling.Counts{Position: 950, Validated: n}}
}

// signed is an attestation that its author's phone signs, of how a month stands now.
func signed(w *World, a sampling.Attest) sampling.Attest { return phoneOf(a.By).signs(w, a) }

func TestAMonthIsClosedOnceItIsOverByItsValidator(t *testing.T) {
	w, l := Given(t, group()...), july(t, 80)
	sealed, err := l.Seal(place)
	require.NoError(t, err)
	w.When(closes(t, "vera", l)).Then(&nairav1.MonthSampleNamed{
		GroupId: place, Month: "2023-07", By: "vera", Round: publishedRound, ChainHash: hex.EncodeToString(draw.Quicknet.Chain[:]),
		DrawAt: timestamppb.New(draw.Quicknet.At(publishedRound)), Position: 900, Since: timestamppb.New(l.Since), ToldLateAfter: 900, Population: 80,
		Digest: sealed.Digest[:], Always: []int64{4}, MarginBasisPoints: 500,
	})
	require.Contains(t, w.When(closes(t, "ada", l)).ThenFault(fault.Forbidden).Message, "Only the validator closes a month")
	w.When(closes(t, "bisi", l)).ThenFault(fault.Forbidden)
	w.When(closes(t, "nobody", l)).ThenFault(fault.NotFound)

	_, end, err := sampling.Span("2023-07")
	require.NoError(t, err)
	early := closes(t, "vera", l)
	early.Now = end.Add(-time.Microsecond)
	require.Contains(t, w.When(early).ThenFault(fault.Conflict).Message, "July 2023 is not over. It can be closed from 1 August 2023 on.")
	early.Now = end
	w = Given(t, group()...)
	odd := closes(t, "vera", l)
	odd.Margin = 100
	w.When(odd).ThenField("marginPercent")
	require.NoError(t, w.When(early).Err)
	w, l.Items = Given(t, group()...), nil
	require.Contains(t, w.When(closes(t, "vera", l)).ThenFault(fault.Conflict).Message, "July 2023 has no payments")
}

func TestTheRoundComesFiveMinutesLaterAtLeast(t *testing.T) {
	l := july(t, 80)
	for after := range 4 {
		c := closes(t, "vera", l)
		c.Now = c.Now.Add(time.Duration(after) * time.Second)
		drafts, err := Given(t, group()...).Do(c)
		require.NoError(t, err)
		require.GreaterOrEqual(t, drafts[0].Message.(*nairav1.MonthSampleNamed).GetDrawAt().AsTime().Sub(c.Now), sampling.NamedBefore)
	}
}

func TestASampleFollowsFromTheRoundAndIsNeverDrawnAgain(t *testing.T) {
	w, l := Given(t, group()...), july(t, 80)
	d := draws(t, l)
	w.When(d).ThenFault(fault.Conflict) // Nothing is named.
	w.And(closes(t, "vera", l))

	early := d
	early.Now = d.Now.Add(-time.Second)
	require.Contains(t, w.When(early).ThenFault(fault.Conflict).Message, "The round that draws comes on")
	forged := d
	forged.Signature = append([]byte{}, d.Signature...)
	forged.Signature[9] ^= 1
	w.When(forged).ThenField("signature")
	other := d
	other.Beacon.Chain[0] ^= 1
	require.Contains(t, w.When(other).ThenFault(fault.Conflict).Message, "not the chain")
	short := d
	short.Positions = d.Positions[1:]
	w.When(short).ThenFault(fault.Conflict)

	w.And(d)
	drawn := w.Drafts[len(w.Drafts)-1].Message.(*nairav1.SampleDrawn)
	require.Len(t, drawn.GetRanks(), 59)
	require.Len(t, drawn.GetPositions(), 60)
	require.Equal(t, "vera", drawn.GetToUserId())
	require.Contains(t, w.When(d).ThenFault(fault.Conflict).Message, "drawn already")
	// Whoever does not like it closes the month again, and is refused.
	require.Contains(t, w.When(closes(t, "vera", l)).ThenFault(fault.Conflict).Message, "July 2023 is closed already. Its sample stays as it is drawn.")
}

func TestAMonthIsAttestedOnceItsWholeSampleIsMarked(t *testing.T) {
	w, l := Given(t, group()...), july(t, 80)
	d := draws(t, l)
	a := attests("vera", d, 80)
	require.Contains(t, w.When(a).ThenFault(fault.Conflict).Message, "Close July 2023 first")
	w.And(closes(t, "vera", l))
	undrawn := a
	undrawn.Sample = nil
	require.Contains(t, w.When(undrawn).ThenFault(fault.Conflict).Message, "is drawn on")
	w.And(d)
	require.Contains(t, w.When(a).ThenFault(fault.Conflict).Message, "60 payments of the sample are not marked yet.")
	w.And(marks(nairav1.Mark_MARK_VALIDATED, d.Events[1:]...)...)
	require.Contains(t, w.When(a).ThenFault(fault.Conflict).Message, "One payment of the sample is not marked yet.")
	w.And(marks(nairav1.Mark_MARK_QUERIED, d.Events[0])...)

	w.When(attests("ada", d, 80)).ThenFault(fault.Forbidden)
	w.When(attests("nobody", d, 80)).ThenFault(fault.NotFound)
	w.When(attests("vera", d, 79)).ThenFault(fault.Conflict) // Somebody counted another list.
	other := a
	other.Sample = other.Sample[1:]
	w.When(other).ThenFault(fault.Conflict)
	w.When(a).ThenFault(fault.Conflict) // It is not signed.
	queried := &nairav1.PeriodAttestedV2{GroupId: place, Month: "2023-07", By: "vera", Position: 950, Validated: 80, Drawn: 59, Always: 1}
	if d.Positions[0] == 4 {
		queried.AlwaysQueried = 1
	} else {
		queried.DrawnQueried = 1
	}
	a = signed(w, a)
	queried.PublicKey, queried.Signature, queried.Device = a.Signed.Key, a.Signed.Signature, nairav1.DeviceKind_DEVICE_KIND_PHONE
	w.When(a).Then(queried)
	require.Contains(t, w.When(a).ThenFault(fault.Conflict).Message, "attested already")
}

func TestTheNextListBeginsWhereTheLastEnded(t *testing.T) {
	w, l := Given(t, group()...), july(t, 80)
	d := draws(t, l)
	w.And(closes(t, "vera", l), d)
	_, end, err := sampling.Span("2023-07")
	require.NoError(t, err)
	next := sampling.List{Month: "2023-08", Position: 990, Since: end, ToldLateAfter: 900, Items: []sampling.Item{{Pos: 901, At: end.Add(-time.Hour)}, {Pos: 902, At: end}}}
	later := func(l sampling.List) sampling.Close {
		c := closes(t, "vera", l)
		c.Now = named.AddDate(0, 1, 0)
		return c
	}
	require.Contains(t, w.When(later(next)).ThenFault(fault.Conflict).Message, "The sample of July 2023 is not attested yet. Finish it first.")
	w.And(marks(nairav1.Mark_MARK_VALIDATED, d.Events...)...)
	w.And(signed(w, attests("vera", d, 80)))
	for _, wrong := range []sampling.List{
		{Month: "2023-08", Position: 990, Since: end, ToldLateAfter: 990, Items: next.Items[1:]},                  // Without what was told late.
		{Month: "2023-08", Position: 990, Since: end.AddDate(0, 0, 1), ToldLateAfter: 900, Items: next.Items[:1]}, // Without its first day.
	} {
		require.Contains(t, w.When(later(wrong)).ThenFault(fault.Conflict).Message, "Something has happened here since")
	}
	require.NoError(t, w.When(later(next)).Err)
	before := sampling.List{Month: "2023-06", Position: 990, Since: end, ToldLateAfter: 900}
	require.Contains(t, w.When(later(before)).ThenFault(fault.Conflict).Message, "June 2023 is closed already")
}

func TestAnotherValidatorGoesOnAndTheFormerIsRefused(t *testing.T) {
	w, l := Given(t, group()...), july(t, 80)
	d := draws(t, l)
	w.And(closes(t, "vera", l), d)
	w.And(marks(nairav1.Mark_MARK_VALIDATED, d.Events...)...)
	w.And(event.On("group:"+place, &nairav1.ValidatorAppointed{GroupId: place, UserId: "bisi"}))
	w.When(signed(w, attests("vera", d, 80))).ThenFault(fault.Forbidden)
	require.NoError(t, w.When(signed(w, attests("bisi", d, 80))).Err)
}

func TestWithoutAValidatorTheOwnerClosesAMonth(t *testing.T) {
	past := group()
	w, l := Given(t, append(past[:1:1], past[2:]...)...), july(t, 80)
	w.When(closes(t, "vera", l)).ThenFault(fault.Forbidden)
	require.NoError(t, w.When(closes(t, "ada", l)).Err)
}

func TestOfAnAjoItsValidatorClosesAMonth(t *testing.T) {
	past := []any{event.On("ajo:"+place, &nairav1.AjoCreated{AjoId: place, OwnerId: "ada", Terms: &nairav1.AjoTerms{AmountKobo: 100, Seats: 2}})}
	for n, user := range []string{"ada", "vera"} {
		past = append(past, event.On("ajo:"+place, &nairav1.AjoSeatTakenV2{AjoId: place, Seat: int32(n + 1), UserId: user, Halves: 2}))
	}
	past = append(past, event.On("ajo:"+place, &nairav1.AjoListClosedV2{AjoId: place}),
		event.On("ajo:"+place, &nairav1.AjoStarted{AjoId: place, Order: []int32{1, 2}, FirstDue: "2023-07-05", FirstCycle: 1, ValidatorId: "vera"}))
	l := july(t, 80)
	of := func(by string) sampling.Close {
		c := closes(t, by, l)
		c.Place = sampling.Place{Ajo: place}
		return c
	}
	w := Given(t, past...)
	w.When(of("ada")).ThenFault(fault.Forbidden)
	w.When(of("bisi")).ThenFault(fault.NotFound)
	require.NoError(t, w.When(of("vera")).Err)
	d := draws(t, l)
	d.Place = sampling.Place{Ajo: place}
	w.And(d)
	w.And(marks(nairav1.Mark_MARK_RESOLVED, d.Events...)...)
	a := attests("vera", d, 80)
	a.Place = d.Place
	w.And(phoneOf("vera").registers("vera"))
	a = signed(w, a)
	w.When(a).Then(&nairav1.PeriodAttestedV2{
		AjoId: place, Month: "2023-07", By: "vera", Position: 950, Validated: 80, Drawn: 59, DrawnQueried: 59, Always: 1, AlwaysQueried: 1,
		PublicKey: a.Signed.Key, Signature: a.Signed.Signature, Device: nairav1.DeviceKind_DEVICE_KIND_PHONE,
	})
}

// What is recorded of a month leads back to the commands that it came from.
func TestAMonthIsDecidedAgain(t *testing.T) {
	l := july(t, 80)
	closed, d := closes(t, "vera", l), draws(t, l)
	events := marks(nairav1.Mark_MARK_VALIDATED, d.Events...)
	worlds := [2]*World{Given(t, group()...), Given(t, group()...)}
	attested := func(how func(a sampling.Attest) sampling.Attest) {
		for _, c := range []event.Command{closed, d, attests("vera", d, 80)} {
			if a, is := c.(sampling.Attest); is {
				c = how(a)
			}
			drafts, err := worlds[0].Do(c)
			require.NoError(t, err)
			m := drafts[0].Message
			commands := ledger.Wishes()[reflect.TypeOf(m)](worlds[1], []redecide.Recorded{{Message: m, RecordedAt: d.Now}}, 0)
			require.NotEmpty(t, commands)
			worlds[1].When(commands[min(1, len(commands)-1)]).Then(m) // As of when it was recorded.
			if _, drawn := c.(sampling.Draw); drawn {
				worlds[0].And(events...)
				worlds[1].And(events...)
			}
		}
	}
	attested(func(a sampling.Attest) sampling.Attest { return signed(worlds[0], a) })
	worlds = [2]*World{Given(t, group()...), Given(t, group()...)}
	attested(func(a sampling.Attest) sampling.Attest { // As it was before devices signed.
		a.Unsigned = true
		return a
	})
}

// A sample whose signature is not the round's is not what the rules come to.
func TestASampleThatItsBeaconDidNotDrawIsFound(t *testing.T) {
	l := july(t, 80)
	d := draws(t, l)
	w := Given(t, group()...)
	_, err := w.Do(closes(t, "vera", l))
	require.NoError(t, err)
	drafts, err := w.Do(d)
	require.NoError(t, err)
	m := drafts[0].Message.(*nairav1.SampleDrawn)
	m.Signature[0] ^= 1
	world := Given(t, group()...)
	_, err = world.Do(closes(t, "vera", l))
	require.NoError(t, err)
	commands := ledger.Wishes()[reflect.TypeOf(m)](world, []redecide.Recorded{{Message: m, EffectiveAt: d.Now, RecordedAt: d.Now}}, 0)
	require.NotEmpty(t, commands)
	for n, c := range commands {
		_, err := c.Decide(world)
		require.Error(t, err)
		if n == 0 { // The others are of another time or build.
			require.ErrorContains(t, err, "That is not the beacon of round")
		}
	}
}

func TestThatASampleIsDrawnIsToldToTheOneWhoClosesTheMonthNow(t *testing.T) {
	t.Parallel()
	l := july(t, 80)
	w := Given(t, group()...).And(closes(t, "vera", l))
	w.And(event.On("group:"+place, &nairav1.ValidatorAppointed{GroupId: place, UserId: "bisi"}))
	drafts, err := w.Do(draws(t, l))
	require.NoError(t, err)
	require.Equal(t, "bisi", drafts[0].Message.(*nairav1.SampleDrawn).GetToUserId())
}
