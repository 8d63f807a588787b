// Package lists verifies that every list was sealed before the chance was known that orders it or draws from it.
package lists

import (
	"context"
	"encoding/hex"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/draw"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/audit"
	"adashi.ng/ledger/infra/history"
)

// Check compares when each list was recorded with when the round came that it names: the lists of ajo and of months.
func Check(pool *pgxpool.Pool) audit.More {
	return audit.More{
		Name: "sealed lists", Rule: "every list was recorded before its round of the beacon came",
		Run: func(ctx context.Context, c *audit.Check) error {
			types := []string{
				event.TypeOf(&nairav1.AjoListClosed{}), event.TypeOf(&nairav1.AjoListClosedV2{}), event.TypeOf(&nairav1.MonthSampleNamed{}),
			}
			return history.EachOf(ctx, pool, types, func(r *event.Record, m proto.Message) error {
				look(c, r, m.(sealed))
				return nil
			})
		},
	}
}

// sealed is a message that names the round from which a list is ordered or drawn.
type sealed interface {
	GetRound() uint64 // 0 where no beacon has a part in it.
	GetChainHash() string
	GetDrawAt() *timestamppb.Timestamp
}

// look adds a violation if a list was recorded when its round had come. From when a list counts can be dated back, as
// the demo's is, which a test's beacon draws: that is compared with from when it counts.
func look(c *audit.Check, r *event.Record, m sealed) {
	if m.GetRound() == 0 {
		return
	}
	c.Looked++
	came, known := m.GetDrawAt().AsTime(), r.EffectiveAt
	if m.GetChainHash() == hex.EncodeToString(draw.Quicknet.Chain[:]) {
		came, known = draw.Quicknet.At(m.GetRound()), r.RecordedAt
	}
	if !came.After(known) {
		c.Violate(r.Pos, r.Stream, "the list was recorded at %s, when its round %d had come at %s", known.UTC().Format(time.RFC3339), m.GetRound(), came.UTC().Format(time.RFC3339))
	}
}
