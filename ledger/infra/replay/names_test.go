package replay

import (
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/reflect/protoreflect"

	"adashi.ng/ledger/infra/audit/transitions"
	"adashi.ng/ledger/ledgertest"
)

// For events of such streams a reader searches only the trail.
func TestEveryEventOnAStreamThatIsWholeNamesItsGroupOrItsAjo(t *testing.T) {
	t.Parallel()
	for of, categories := range whole {
		id := map[kind]protoreflect.Name{group: "group_id", ajo: "ajo_id"}[of]
		other := map[kind]protoreflect.Name{group: "ajo_id", ajo: "group_id"}[of]
		for category := range categories {
			named := 0
			for _, mt := range ledgertest.CurrentEventTypes() {
				fields := mt.Descriptor().Fields()
				if !transitions.Knows(category, mt.New().Interface()) {
					continue
				}
				if fields.ByName(id) != nil {
					named++
					continue
				}
				// Marks and reminders are on streams of both.
				require.NotNil(t, fields.ByName(other), "%s may come on a stream of category %s and names no %s: take that out of whole", mt.Descriptor().FullName(), category, of)
			}
			require.Positive(t, named, category)
		}
	}
}
