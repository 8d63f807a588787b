package store

import (
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/event"
)

func TestEventsThatAreFoldedTogetherSayWhichOfThemIsWrong(t *testing.T) {
	t.Parallel()
	s := &Store{folds: map[string]event.Aggregate{"cards": event.Of("cards", 1, func(filled int32, e event.Happened) int32 {
		return filled + 100/(13-e.Message.(*nairav1.AjoCardFilled).GetBoxes())
	})}}
	fill := func(stream string, version int64, boxes int32) event.Record {
		body, err := proto.Marshal(&nairav1.AjoCardFilled{Boxes: boxes})
		require.NoError(t, err)
		return event.Record{Pos: 100 + version, Stream: stream, Version: version, Type: "naira.v1.AjoCardFilled", Body: body}
	}
	got := s.foldAll([]string{"cards:whole", "cards:gap", "cards:panics"}, Found{
		Snapshots: []Snapshot{{Stream: "cards:whole", Fold: 1, Version: 7, State: []byte("40")}},
		Events:    []event.Record{fill("cards:whole", 8, 12), fill("cards:whole", 9, 3), fill("cards:gap", 1, 1), fill("cards:gap", 3, 2), fill("cards:panics", 1, 1), fill("cards:panics", 2, 13)},
	})
	require.Equal(t, stream{version: 9, state: int32(150)}, got["cards:whole"])
	require.ErrorContains(t, got["cards:gap"].broken, "archived")
	require.ErrorContains(t, got["cards:panics"].broken, "position 102")
}
