package notifications

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"adashi.ng/projections/notifications/told"
)

func TestAnIDIsReadBack(t *testing.T) {
	t.Parallel()
	event := uuid.New()
	for _, pos := range []int64{0, 1, 77, 1<<48 - 1} {
		for n := range told.Types {
			code := int16(n + 1)
			id := idOf("ada", pos, code, event)
			gotPos, gotCode, ok := placeOf(id)
			require.Equal(t, []any{pos, code, true}, []any{gotPos, gotCode, ok})
			require.NotEqual(t, id, idOf("bisi", pos, code, event))
			require.NotEqual(t, id, idOf("ada", pos, code, uuid.New()))
		}
	}
}
