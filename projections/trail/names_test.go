package trail_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/reflect/protoreflect"

	"adashi.ng/ledger/ledgertest"
	"adashi.ng/projections/trail"
)

// A text field without a decision would silently leave events out of the trail.
func TestOfEveryTextOfEveryEventItIsDecidedWhomItNames(t *testing.T) {
	t.Parallel()
	seen := map[protoreflect.Name]bool{}
	var walk func(of protoreflect.MessageDescriptor)
	walk = func(of protoreflect.MessageDescriptor) {
		for i := range of.Fields().Len() {
			f := of.Fields().Get(i)
			require.False(t, f.IsMap(), "%s is a map: the trail reads none", f.FullName())
			if f.Kind() == protoreflect.StringKind {
				seen[f.Name()] = true
				require.True(t, trail.Knows(f.Name()), "%s: say in projections/trail/names.go whether it is the id of a member, a group or an ajo, or names nobody; "+
					"in the first three cases also in ledger/infra/replay/names.go, and raise the version of the trail", f.FullName())
			}
			if part := f.Message(); part != nil {
				walk(part)
			}
		}
	}
	for _, mt := range ledgertest.EventTypes() {
		walk(mt.Descriptor())
	}
	require.Greater(t, len(seen), 80)
}
