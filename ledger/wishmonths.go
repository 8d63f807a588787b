package ledger

import (
	"encoding/hex"
	"time"

	"github.com/google/uuid"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/draw"
	"adashi.ng/ledger/domain/sampling"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/redecide"
)

// wishMonths are months that are closed. Whether a list and its sample are what the ledger holds, months.Check says.
func wishMonths(all redecide.Wishes, beacons beacons) {
	place := func(m interface {
		GetGroupId() string
		GetAjoId() string
	},
	) sampling.Place {
		return sampling.Place{Group: m.GetGroupId(), Ajo: m.GetAjoId()}
	}
	wish(all, func(m *nairav1.MonthSampleNamed, _ redecide.Recorded) []event.Command {
		beacon, ok := beacons.of(m.GetChainHash())
		if !ok {
			beacon, ok = beaconOf(m.GetChainHash())
		}
		if !ok || len(m.GetDigest()) != 32 {
			return nil
		}
		// The last moment from which that round is named.
		now := m.GetDrawAt().AsTime().Add(-sampling.NamedBefore - time.Nanosecond)
		return one(sampling.Close{
			Place: place(m), By: m.GetBy(), Margin: int(m.GetMarginBasisPoints()), Beacon: beacon, Now: now, List: sampling.Sealed{
				Month: m.GetMonth(), Position: m.GetPosition(), Since: m.GetSince().AsTime(), ToldLateAfter: m.GetToldLateAfter(),
				Population: int(m.GetPopulation()), Always: m.GetAlways(), Digest: [32]byte(m.GetDigest()),
			},
		})
	})
	wishIn(all, func(v event.View, m *nairav1.SampleDrawn, events []redecide.Recorded, at int) []event.Command {
		chain := ""
		if s := event.StateOf[sampling.Months](v, place(m).Stream()); s.Open != nil {
			chain = s.Open.Chain
		}
		b, ok := beacons.of(chain)
		if !ok {
			return nil
		}
		c := sampling.Draw{
			Place: place(m), Month: m.GetMonth(), Beacon: b, Signature: m.GetSignature(), Positions: m.GetPositions(),
		}
		for _, id := range m.GetEventUuids() {
			if len(id) != len(uuid.UUID{}) {
				return nil
			}
			c.Events = append(c.Events, uuid.UUID(id))
		}
		return atEither(events[at], func(now time.Time) event.Command {
			c.Now = now
			return c
		})
	})
	wishIn(all, func(v event.View, m *nairav1.PeriodAttestedV2, _ []redecide.Recorded, _ int) []event.Command {
		s := event.StateOf[sampling.Months](v, place(m).Stream())
		if s.Open == nil {
			return nil
		}
		return one(sampling.Attest{Place: place(m), Month: m.GetMonth(), By: m.GetBy(), Sample: s.Open.Events, Counts: sampling.Counts{
			Position: m.GetPosition(), Validated: int(m.GetValidated()), Queried: int(m.GetQueried()), Resolved: int(m.GetResolved()), Unreviewed: int(m.GetUnreviewed()),
			Undone: int(m.GetUndone()),
		}, Signed: sampling.Signed{Key: m.GetPublicKey(), Signature: m.GetSignature()}, Unsigned: len(m.GetPublicKey()) == 0 && len(m.GetSignature()) == 0})
	})
}

// beaconOf is a beacon with the rounds of quicknet, which those of tests have too, on a chain.
func beaconOf(chain string) (draw.Beacon, bool) {
	hash, err := hex.DecodeString(chain)
	if err != nil || len(hash) != 32 {
		return draw.Beacon{}, false
	}
	b := draw.Quicknet
	b.Chain = [32]byte(hash)
	return b, true
}
