package projections_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/event"
	"adashi.ng/projections/months"
)

// happened is a command that records given events unchanged.
type happened []event.Draft

// Streams implements event.Command.
func (h happened) Streams() (all []string) {
	for _, d := range h {
		all = append(all, d.Stream)
	}
	return all
}

// Accounts implements event.Command.
func (happened) Accounts() []string { return nil }

// Decide implements event.Command.
func (h happened) Decide(event.View) ([]event.Draft, error) { return h, nil }

// months makes a group with one month attested and the next one drawn, and an ajo with a sealed list.
func (h *house) months(now time.Time) {
	on := func(place string, m proto.Message) { h.at(now, happened{event.On("months:"+place, m)}) }
	named := func(group, ajo, month string) *nairav1.MonthSampleNamed {
		return &nairav1.MonthSampleNamed{
			GroupId: group, AjoId: ajo, Month: month, By: users[1], Round: 7, ChainHash: "c", DrawAt: timestamppb.New(now), Position: 9,
			Since: timestamppb.New(now), ToldLateAfter: 9, Population: 3, Digest: []byte{1}, Always: []int64{2}, MarginBasisPoints: 500,
		}
	}
	drawn := func(month string) *nairav1.SampleDrawn {
		return &nairav1.SampleDrawn{GroupId: "g1", Month: month, Round: 7, Signature: []byte{2}, Ranks: []int32{0, 1}, Positions: []int64{1, 2, 3}, ToUserId: users[1]}
	}
	h.at(now, happened{event.On("account:"+users[1], &nairav1.AttestKeyRegistered{UserId: users[1], PublicKey: []byte{3}, Device: nairav1.DeviceKind_DEVICE_KIND_TABLET})})
	on("g1", named("g1", "", "2026-08"))
	on("g1", drawn("2026-08"))
	on("g1", &nairav1.PeriodAttestedV2{
		GroupId: "g1", Month: "2026-08", By: users[1], Position: 12, Validated: 1, Queried: 1, Unreviewed: 1, Drawn: 2, DrawnQueried: 1, Always: 1, Undone: 1,
		PublicKey: []byte{3}, Signature: []byte{4}, Device: nairav1.DeviceKind_DEVICE_KIND_TABLET,
	})
	on("a2", named("", "a2", "2026-08"))
	on("a2", &nairav1.SampleDrawn{AjoId: "a2", Month: "2026-08", Round: 7, Signature: []byte{2}, ToUserId: users[1]})
	on("a2", &nairav1.PeriodAttested{AjoId: "a2", Month: "2026-08", By: users[1], Position: 12}) // Before devices signed.
	on("g1", named("g1", "", "2026-09"))
	on("g1", drawn("2026-09"))
	on("a1", named("", "a1", "2026-09"))
	mark := func(pos int64, m proto.Message) { h.at(now, happened{event.On(fmt.Sprint("mark:of-months:", pos), m)}) }
	for pos := range int64(4) {
		mark(pos, &nairav1.PaymentMarkedV2{EventId: fmt.Sprint(pos), Position: pos, GroupId: "g1", UserId: users[0], Mark: nairav1.Mark_MARK_VALIDATED, MarkedBy: users[1]})
		mark(pos, &nairav1.RecheckAsked{EventId: fmt.Sprint(pos), Position: pos, GroupId: "g1", MarkedBy: users[1], ToUserId: users[2], Validated: 51, Drawn: 4, Number: int32(pos + 1)})
	}
	mark(0, &nairav1.RecheckAgreed{EventId: "0", GroupId: "g1", By: users[2]})
	mark(1, &nairav1.PaymentUnmarked{EventId: "1", Position: 1, GroupId: "g1", UserId: users[0], MarkedBy: users[1]})
	mark(2, &nairav1.PaymentMarkedV2{EventId: "2", Position: 2, GroupId: "g1", UserId: users[0], Mark: nairav1.Mark_MARK_QUERIED, MarkedBy: users[2], Reason: "Whose is it?"})
}

func TestAMonthIsWhatWasSaidOfIt(t *testing.T) {
	t.Parallel()
	ctx, h, now := context.Background(), setup(t), time.Now().UTC().Truncate(time.Second)
	h.months(now)
	require.NoError(t, h.engine().CatchUp(ctx))
	of, err := months.Of(ctx, h.pool, "g1")
	require.NoError(t, err)
	require.Len(t, of, 2)
	require.Equal(t, []string{"2026-09", "2026-08"}, []string{of[0].Month, of[1].Month})
	done := of[1]
	require.Equal(t, []int{1, 1, 0, 1, 1, 0, 1}, []int{done.Validated, done.Queried, done.Resolved, done.Unreviewed, done.DrawnQueried, done.AlwaysQueried, done.Undone})
	require.Equal(t, []int64{1, 2, 3}, done.Sample)
	require.NotNil(t, done.AttestedAt)
	require.Equal(t, []any{[]byte{3}, []byte{4}, nairav1.DeviceKind_DEVICE_KIND_TABLET}, []any{done.Key, done.Signed, done.Device})
	before, err := months.One(ctx, h.pool, "a2", "2026-08")
	require.NoError(t, err)
	require.NotNil(t, before.AttestedAt)
	require.Empty(t, before.Key)
	open, err := months.ToLookAt(ctx, h.pool, []string{"g1", "a1", "g2"})
	require.NoError(t, err)
	require.Len(t, open, 1)
	require.Equal(t, "2026-09", open[0].Month)
	due, err := months.ToDraw(ctx, h.pool, now, 10)
	require.NoError(t, err)
	require.Len(t, due, 1)
	require.Equal(t, []any{"a1", true}, []any{due[0].Place, due[0].Ajo})
	due, err = months.ToDraw(ctx, h.pool, now.Add(-time.Second), 10)
	require.NoError(t, err)
	require.Empty(t, due)
	waiting, err := months.RechecksOf(ctx, h.pool, "g1")
	require.NoError(t, err)
	require.Equal(t, []int64{3}, waiting, "one is agreed, one taken back and one queried")
	queried, err := months.QueriedOf(ctx, h.pool, "g1")
	require.NoError(t, err)
	require.Equal(t, []int64{2}, queried)
	agreed, err := months.AgreedBy(ctx, h.pool, "g1", []int64{0, 1, 2, 3})
	require.NoError(t, err)
	require.Equal(t, map[int64]string{0: users[2]}, agreed)
	_, err = months.One(ctx, h.pool, "g1", "2026-07")
	require.ErrorIs(t, err, months.ErrNone)
}
